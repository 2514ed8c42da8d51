/* tests/data/store/test_store_rows.c - metrics, volumes, bill lines and records come out of the
 * store as they went in. */
#include "tests/data/store/store_fixture.h"

static const int64_t t0_ms = INT64_C(1652853600000); /* 2022-05-18 06:00 */

/* Minute i of a volume's metric. */
static struct metric_sample metric(const char *name, const char *dimension, int i)
{
    return (struct metric_sample){ .account = SPAN_LIT("111122223333"),
                                   .region = SPAN_LIT("eu-west-1"),
                                   .namespace_name = SPAN_LIT("AWS/EBS"),
                                   .metric = span_of(name),
                                   .dimension = span_of(dimension),
                                   .instance_number = UNKNOWN,
                                   .statistic = STATISTIC_SUM,
                                   .statistic_text = SPAN_LIT("Sum"),
                                   .unit = SPAN_LIT("Count"),
                                   .counts = COUNT_EBS,
                                   .period_s = 60,
                                   .time_ms = t0_ms + i * INT64_C(60000),
                                   .value = 100 * i + 0.5,
                                   .line = 7 + i };
}

struct gathered {
    struct store_metric_value value[9000];
    size_t n, n_blocks;
};
static struct gathered gathered;

static int gather(void *ctx, int64_t file_id, const struct store_metric_value *values, size_t n,
                  struct err *e)
{
    (void)e;
    struct gathered *g = ctx;
    assert_true(file_id > 0 && g->n + n <= 9000);
    memcpy(g->value + g->n, values, n * sizeof *values);
    g->n += n;
    g->n_blocks++;
    return 0;
}

static struct store_metric *list(struct store *s, struct arena *a, size_t want_n)
{
    struct err e = { 0 };
    struct store_metric *m = NULL;
    size_t n = 0;
    assert_int_equal(store_metrics(s, "PRD1", a, &m, &n, &e), 0);
    assert_int_equal(n, want_n);
    return m;
}

static const struct gathered *values_of(struct store *s, const struct store_metric *m)
{
    struct err e = { 0 };
    gathered.n = gathered.n_blocks = 0;
    if (store_metric_values(s, m, gather, &gathered, &e))
        fail_msg("%s", e.text);
    assert_int_equal(gathered.n, m->head.n);
    return &gathered;
}

/* Two metrics by turns, 5 000 values each: one full block and 904 more. */
static void test_metrics(void **state)
{
    (void)state;
    enum { N = 5000 };
    struct arena a = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    fixture_begin(s);
    for (int i = 0; i < N; i++) {
        struct metric_sample reads = metric("VolumeReadOps", "VolumeId=vol-0a", i);
        struct metric_sample writes = metric("VolumeWriteOps", "VolumeId=vol-0a", i);
        writes.value = i % 2 ? NAN : 3;
        fixture_put_metric(s, &reads);
        fixture_put_metric(s, &writes);
    }
    fixture_commit(s, 1);
    store_close(s);

    s = fixture_open(STORE_READ);
    const struct store_metric *m = list(s, &a, 2);
    const struct metric_series *h = &m[0].head;
    assert_string_equal(h->metric, "VolumeReadOps");
    assert_string_equal(h->dimension, "VolumeId=vol-0a");
    assert_string_equal(h->account, "111122223333");
    assert_string_equal(h->region, "eu-west-1");
    assert_string_equal(h->namespace_name, "AWS/EBS");
    assert_string_equal(h->statistic_text, "Sum");
    assert_string_equal(h->unit, "Count");
    assert_int_equal(h->statistic, STATISTIC_SUM);
    assert_int_equal(h->counts, COUNT_EBS);
    assert_true(h->host == NULL && h->instance_number == UNKNOWN);
    const struct gathered *g = values_of(s, &m[0]);
    assert_int_equal(g->n, N);
    assert_int_equal(g->n_blocks, 2);
    for (int i = 0; i < N; i++) {
        assert_int_equal(g->value[i].time_ms, t0_ms + i * INT64_C(60000));
        assert_int_equal(g->value[i].line, 7 + i);
        assert_true(g->value[i].period_s == 60 && g->value[i].value == 100 * i + 0.5);
    }
    g = values_of(s, &m[1]);
    assert_int_equal(g->n, N);
    assert_true(g->value[0].value == 3 && isnan(g->value[1].value));
    store_close(s);
    arena_release(&a);
}

/* What makes another metric of the same name. */
static void test_metric_keys(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    struct metric_sample m[12];
    for (size_t i = 0; i < 12; i++)
        m[i] = metric("redo_mb_s", "VolumeId=vol-0a", 0);
    m[1].account = SPAN_LIT("444455556666");
    m[2].region = SPAN_LIT("us-east-1");
    m[3].namespace_name = SPAN_LIT("");
    m[4].dimension = SPAN_LIT("");
    m[5].system = SPAN_LIT("db1.example");
    m[6].instance_number = 2;
    m[7].statistic = STATISTIC_OTHER;
    m[8].statistic_text = SPAN_LIT("p99.9");
    m[9].unit = SPAN_LIT("Bytes");
    m[10].counts = COUNT_ORACLE;
    /* the parts of a key do not run together */
    m[11].account = SPAN_LIT("");
    m[11].region = SPAN_LIT("111122223333eu-west-1");
    fixture_begin(s);
    for (int twice = 0; twice < 2; twice++)
        for (size_t i = 0; i < 12; i++)
            fixture_put_metric(s, &m[i]);
    fixture_commit(s, 1);
    fixture_begin(s); /* another file adds to the same metrics */
    for (size_t i = 0; i < 12; i++)
        fixture_put_metric(s, &m[i]);
    fixture_commit(s, 2);
    const struct store_metric *got = list(s, &a, 12);
    for (size_t i = 0; i < 12; i++)
        assert_int_equal(got[i].head.n, 3);
    store_close(s);
    arena_release(&a);
}

/* More metrics than the buffer holds, each with a value in the first and in the last round. */
static void test_more_metrics_than_room(void **state)
{
    (void)state;
    enum { METRICS = 20000 };
    struct arena a = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    fixture_begin(s);
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < METRICS; i++) {
            char dimension[32];
            snprintf(dimension, sizeof dimension, "VolumeId=vol-%d", i);
            struct metric_sample m = metric("VolumeReadOps", dimension, round);
            fixture_put_metric(s, &m);
        }
    fixture_commit(s, 1);
    assert_string_equal(fixture_ask(&a, "SELECT count(*) FROM metric"), "20000\n");
    assert_string_equal(fixture_ask(&a, "SELECT count(*), min(n), max(n) FROM"
                                        " (SELECT sum(n_samples) AS n FROM metric_chunk"
                                        "  GROUP BY metric_id) AS each_metric"),
                        "20000|2|2\n");
    store_close(s);
    arena_release(&a);
}

static void test_long_metric_name(void **state)
{
    (void)state;
    static char name[STORE_METRIC_TEXT_MAX + 1];
    struct err e = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    memset(name, 'x', STORE_METRIC_TEXT_MAX);
    struct metric_sample m = metric(name, "", 0);
    fixture_begin(s);
    assert_int_equal(store_file_metric(s, &m, &e), ERR_LIMIT);
    assert_non_null(strstr(e.text, "16420 characters")); /* 16384, and 36 of the others */
    store_close(s);
}

/* A time that is none is unknown. */
static void test_metric_times(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    struct metric_sample m = metric("cpu", "", 0);
    fixture_begin(s);
    m.time_ms = INT64_MAX;
    fixture_put_metric(s, &m);
    m.time_ms = UNKNOWN;
    m.period_s = NAN;
    fixture_put_metric(s, &m);
    fixture_commit(s, 1);
    const struct gathered *g = values_of(s, list(s, &a, 1));
    assert_true(g->value[0].time_ms == UNKNOWN && g->value[1].time_ms == UNKNOWN);
    assert_true(g->value[0].period_s == 60 && isnan(g->value[1].period_s));
    assert_string_equal(fixture_ask(&a, "SELECT first_ms, last_ms FROM metric_chunk"),
                        "NULL|NULL\n");
    store_close(s);
    arena_release(&a);
}

static void test_metric_value_view(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    fixture_begin(s);
    for (int i = 0; i < 300; i++) {
        struct metric_sample m = metric("VolumeReadOps", "VolumeId=vol-0a", i);
        fixture_put_metric(s, &m);
    }
    fixture_commit(s, 1);
    store_close(s);
    assert_string_equal(fixture_ask(&a, "SELECT column_name, value FROM metric_value"
                                        " WHERE sample_no = 299 ORDER BY column_name"),
                        "line|306\nperiod_s|60\ntime_ms|1652871540000\nvalue|29900.5\n");
    arena_release(&a);
}

/* Reads and writes that the tool does not tell apart. */
static void test_totals(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    struct io_sample both = fixture_sample("sda", 0), total = fixture_sample("sda", 1);
    total.reads_per_s = total.writes_per_s = NAN;
    total.read_kib_per_s = total.write_kib_per_s = NAN;
    total.total_per_s = 50;
    total.total_kib_per_s = 2048;
    fixture_begin(s);
    assert_int_equal(store_file_sample(s, &both, &e), 0);
    assert_int_equal(store_file_sample(s, &total, &e), 0);
    fixture_commit(s, 1);
    store_close(s);
    assert_string_equal(fixture_ask(&a, "SELECT column_name, sample_no, value FROM sample_value"
                                        " WHERE column_name LIKE 'total%' ORDER BY 1, 2"),
                        "total_kib_per_s|0|NULL\ntotal_kib_per_s|1|2048\n"
                        "total_per_s|0|NULL\ntotal_per_s|1|50\n");
    assert_string_equal(fixture_ask(&a, "SELECT max_mibps, max_iops, n_samples FROM hourly"),
                        "2.0|50.0|2\n");
    arena_release(&a);
}

/* --- plain rows --------------------------------------------------------------------------------
 */

static void test_volumes(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    const struct volume_config full = { .volume_id = SPAN_LIT("vol-0a"),
                                        .state = SPAN_LIT("in-use"),
                                        .instance_id = SPAN_LIT("i-0b"),
                                        .device = SPAN_LIT("/dev/sdf"),
                                        .zone = SPAN_LIT("eu-west-1a"),
                                        .name = SPAN_LIT("PRD1 data"),
                                        .snapshot_id = SPAN_LIT("snap-0c"),
                                        .spec = { VOL_GP3, 1, 500, 3000, 125 },
                                        .created_ms = 1000,
                                        .attached_ms = 2000,
                                        .attachments = 1,
                                        .ebs_card = 0,
                                        .multi_attach = true,
                                        .line = 4 };
    const struct volume_config bare = { .volume_id = SPAN_LIT("vol-0d"),
                                        .spec = { VOL_TYPE_COUNT, 1, UNKNOWN, UNKNOWN, UNKNOWN },
                                        .created_ms = UNKNOWN,
                                        .attached_ms = UNKNOWN,
                                        .attachments = UNKNOWN,
                                        .ebs_card = UNKNOWN };
    const struct volume_modification change = { .volume_id = SPAN_LIT("vol-0a"),
                                                .state = SPAN_LIT("optimizing"),
                                                .from = { VOL_IO1, 1, 500, 5000, UNKNOWN },
                                                .to = { VOL_IO2, 1, 600, 6000, UNKNOWN },
                                                .start_ms = 5000,
                                                .end_ms = UNKNOWN,
                                                .progress_pct = 42.5,
                                                .line = 9 };
    fixture_begin(s);
    assert_int_equal(store_file_volume(s, &full, &e), 0);
    assert_int_equal(store_file_volume(s, &bare, &e), 0);
    assert_int_equal(store_file_modification(s, &change, &e), 0);
    fixture_commit(s, 1);
    const struct stored_volume *volumes = NULL;
    const struct stored_modification *changes = NULL;
    size_t n = 0;
    assert_int_equal(store_volumes(s, "PRD1", &a, &volumes, &n, &e), 0);
    assert_int_equal(n, 2);
    const struct volume_config *v = &volumes[0].config;
    assert_true(span_is(v->volume_id, "vol-0a") && span_is(v->snapshot_id, "snap-0c"));
    assert_true(span_is(v->device, "/dev/sdf") && span_is(v->instance_id, "i-0b"));
    assert_int_equal(v->spec.type, VOL_GP3);
    assert_int_equal(v->spec.throughput_mibps, 125);
    assert_int_equal(v->created_ms, 1000);
    assert_int_equal(v->ebs_card, 0);
    assert_true(v->multi_attach);
    assert_int_equal(v->line, 4);
    v = &volumes[1].config;
    assert_int_equal(v->spec.type, VOL_TYPE_COUNT);
    assert_int_equal(v->spec.size_gib, UNKNOWN);
    assert_int_equal(v->snapshot_id.len, 0);
    assert_false(v->multi_attach);
    assert_int_equal(store_modifications(s, "PRD1", &a, &changes, &n, &e), 0);
    assert_int_equal(n, 1);
    assert_int_equal(changes[0].change.from.type, VOL_IO1);
    assert_int_equal(changes[0].change.to.iops, 6000);
    assert_int_equal(changes[0].change.start_ms, 5000);
    assert_int_equal(changes[0].change.end_ms, UNKNOWN);
    assert_int_equal(changes[0].change.line, 9);
    assert_int_equal(store_volumes(s, "OTHER", &a, &volumes, &n, &e), 0);
    assert_int_equal(n, 0);
    store_close(s);
    assert_string_equal(
        fixture_ask(&a, "SELECT row_no, volume_id, volume_type, size_gib, iops, throughput_mibps,"
                        " state, instance_id, device, zone, name, snapshot_id, created_ms,"
                        " attached_ms, attachments, ebs_card, multi_attach, line"
                        " FROM volume_config ORDER BY row_no"),
        "1|vol-0a|gp3|500|3000|125|in-use|i-0b|/dev/sdf|eu-west-1a|PRD1 data|snap-0c|1000|2000"
        "|1|0|1|4\n"
        "2|vol-0d|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|0|NULL\n");
    assert_string_equal(
        fixture_ask(&a, "SELECT row_no, volume_id, state, from_volume_type, from_size_gib,"
                        " from_iops, from_throughput_mibps, to_volume_type, to_size_gib, to_iops,"
                        " to_throughput_mibps, start_ms, end_ms, progress_pct, line"
                        " FROM volume_modification"),
        "3|vol-0a|optimizing|io1|500|5000|NULL|io2|600|6000|NULL|5000|NULL|42.5|9\n");
    arena_release(&a);
}

struct money_case {
    const char *why;
    const char *written; /* NULL = unknown */
    const char *want;    /* text|10^-12 */
};

static const struct money_case moneys[] = {
    { "twelve decimals", "0.000000000001", "0.000000000001|1\n" },
    { "zeros at the end go", "12.500", "12.5|12500000000000\n" },
    { "a whole number", "12", "12|12000000000000\n" },
    { "zero is not unknown", "0", "0|0\n" },
    { "a credit", "-2.6137", "-2.6137|-2613700000000\n" },
    { "the largest that fits", "9223372.036854775807",
      "9223372.036854775807|9223372036854775807\n" },
    { "one more is text only", "9223372.036854775808", "9223372.036854775808|NULL\n" },
    { "the smallest that fits", "-9223372.036854775807",
      "-9223372.036854775807|-9223372036854775807\n" },
    { "one less is text only", "-9223372.036854775808", "-9223372.036854775808|NULL\n" },
    { "unknown", NULL, "NULL|NULL\n" },
};

static void test_money(void **state)
{
    const struct money_case *c = *state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    struct bill_line l = { .start_ms = UNKNOWN, .end_ms = UNKNOWN };
    struct span written = span_of(c->written);
    if (c->written) {
        l.has_cost = true;
        assert_int_equal(money_parse(&written, &l.cost, NULL, &l.cost_decimals), 0);
    }
    fixture_begin(s);
    assert_int_equal(store_file_bill_line(s, &l, &e), 0);
    fixture_commit(s, 1);
    store_close(s);
    assert_string_equal(fixture_ask(&a, "SELECT cost, cost_pico FROM bill_line"), c->want);
    arena_release(&a);
}

static void test_bill_line(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    const struct bill_line l = { .start_ms = t0_ms,
                                 .end_ms = t0_ms + 3600000,
                                 .account = SPAN_LIT("111122223333"),
                                 .region = SPAN_LIT("eu-west-1"),
                                 .resource = SPAN_LIT("vol-0a"),
                                 .usage_type = SPAN_LIT("EU-EBS:VolumeUsage.gp3"),
                                 .operation = SPAN_LIT("CreateVolume-Gp3"),
                                 .unit = SPAN_LIT("GB-Mo"),
                                 .currency = SPAN_LIT("USD"),
                                 .line_type = SPAN_LIT("Usage"),
                                 .amount = MONEY_ONE / 4,
                                 .cost = MONEY_ONE / 50,
                                 .has_amount = true,
                                 .has_cost = true,
                                 .cost_decimals = 4,
                                 .line = 12 };
    fixture_begin(s);
    assert_int_equal(store_file_bill_line(s, &l, &e), 0);
    fixture_commit(s, 1);
    store_close(s);
    assert_string_equal(
        fixture_ask(&a, "SELECT start_ms, end_ms, account, region, resource, usage_type,"
                        " operation, unit, currency, line_type, amount, amount_pico, cost,"
                        " cost_pico, list_cost, list_cost_pico, cost_decimals, line"
                        " FROM bill_line"),
        "1652853600000|1652857200000|111122223333|eu-west-1|vol-0a|EU-EBS:VolumeUsage.gp3"
        "|CreateVolume-Gp3|GB-Mo|USD|Usage|0.25|250000000000|0.02|20000000000|NULL|NULL|4|12\n");
    arena_release(&a);
}

struct lines_read {
    size_t n;
    char last[200];
    int stop; /* what the callback returns */
};

static int take_bill_line(void *ctx, int64_t file_id, const struct bill_line *l, struct err *e)
{
    struct lines_read *r = ctx;
    char amount[64], cost[64];
    r->n++;
    snprintf(r->last, sizeof r->last, "%lld:%lld %lld-%lld %.*s|%.*s|%.*s %s %s %d %d",
             (long long)file_id, (long long)l->line, (long long)l->start_ms, (long long)l->end_ms,
             (int)l->account.len, l->account.ptr, (int)l->resource.len, l->resource.ptr,
             (int)l->usage_type.len, l->usage_type.ptr,
             l->has_amount ? money_exact(amount, l->amount) : "-",
             l->has_cost ? money_exact(cost, l->cost) : "-", l->has_list_cost, l->cost_decimals);
    return r->stop ? err_set(e, r->stop, "enough") : 0;
}

/* Lines come as they were kept, only those of the system, with what is not known left out. */
static void bill_lines_come_back(void **state)
{
    (void)state;
    struct err e = { 0 };
    struct lines_read r = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    const struct bill_line lines[] = {
        { .start_ms = t0_ms,
          .end_ms = t0_ms + 3600000,
          .account = SPAN_LIT("1"),
          .resource = SPAN_LIT("vol-0a"),
          .usage_type = SPAN_LIT("EBS:VolumeUsage.gp3"),
          .amount = MONEY_ONE / 4,
          .cost = -MONEY_ONE / 50,
          .has_amount = true,
          .has_cost = true,
          .cost_decimals = 4,
          .line = 12 },
        { .start_ms = UNKNOWN, .end_ms = UNKNOWN, .line = 13 },
    };
    fixture_begin(s);
    assert_int_equal(store_file_bill_line(s, &lines[0], &e), 0);
    assert_int_equal(store_file_bill_line(s, &lines[1], &e), 0);
    fixture_commit(s, 1);
    assert_int_equal(store_bill_lines(s, "PRD1", take_bill_line, &r, &e), 0);
    assert_int_equal(r.n, 2);
    assert_string_equal(r.last, "1:13 -9223372036854775808--9223372036854775808 || - - 0 0");
    r = (struct lines_read){ .stop = ERR_LIMIT };
    assert_int_equal(store_bill_lines(s, "PRD1", take_bill_line, &r, &e), ERR_LIMIT);
    assert_int_equal(r.n, 1);
    assert_string_equal(e.text, "enough");
    assert_string_equal(r.last,
                        "1:12 1652853600000-1652857200000 1|vol-0a|EBS:VolumeUsage.gp3 0.25 "
                        "-0.02 0 4");
    r = (struct lines_read){ 0 };
    assert_int_equal(store_bill_lines(s, "PRD2", take_bill_line, &r, &e), 0);
    assert_int_equal(r.n, 0);
    store_close(s);
}

static void test_records(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    const struct record_field fields[] = {
        { "name", UNIT_NONE, NAN, SPAN_LIT("DATA") },
        { "total_mib", UNIT_MIB, 4096, { NULL, 0 } },
        { "free_mib", UNIT_MIB, NAN, { NULL, 0 } },
    };
    const struct record r[] = {
        { .kind = "disk_groups", .time_ms = t0_ms, .fields = fields, .n_fields = 3, .line = 5 },
        { .kind = "devices", .time_ms = UNKNOWN, .fields = fields, .n_fields = 1 },
    };
    fixture_begin(s);
    assert_int_equal(store_file_record(s, &r[0], &e), 0);
    assert_int_equal(store_file_record(s, &r[1], &e), 0);
    fixture_commit(s, 1);
    const struct stored_record *read = NULL;
    size_t n = 0;
    assert_int_equal(store_records(s, "PRD1", &a, &read, &n, &e), 0);
    assert_int_equal(n, 2);
    assert_string_equal(read[0].kind, "disk_groups");
    assert_int_equal(read[0].time_ms, t0_ms);
    assert_int_equal(read[0].line, 5);
    assert_string_equal(stored_record_text(&read[0], "name"), "DATA");
    assert_true(stored_record_num(&read[0], "total_mib") == 4096);
    assert_true(isnan(stored_record_num(&read[0], "free_mib")));
    assert_null(stored_record_text(&read[0], "total_mib"));
    assert_null(stored_record_field(&read[0], "state"));
    assert_int_equal(read[1].line, UNKNOWN);
    assert_int_equal(read[1].time_ms, UNKNOWN);
    assert_int_equal(store_records(s, "OTHER", &a, &read, &n, &e), 0);
    assert_int_equal(n, 0);
    store_close(s);
    assert_string_equal(fixture_ask(&a, "SELECT row_no, kind, time_ms, line FROM record"),
                        "1|disk_groups|1652853600000|5\n2|devices|NULL|NULL\n");
    assert_string_equal(
        fixture_ask(&a, "SELECT row_no, field_no, key, unit, num, text FROM record_field"),
        "1|1|name|NULL|NULL|DATA\n1|2|total_mib|MiB|4096.0|NULL\n1|3|free_mib|MiB|NULL|NULL\n"
        "2|1|name|NULL|NULL|DATA\n");
    arena_release(&a);
}

/* Of readings the last thousand of a file are enough; rows of other kinds come all. */
static void test_many_readings(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    const struct record_field field = { "queue", UNIT_COUNT, 1, { NULL, 0 } };
    fixture_begin(s);
    for (int i = 1; i <= STORE_READINGS_MAX + 5; i++) {
        const struct record r = { .kind = i == 1 ? "devices" : "readings",
                                  .time_ms = UNKNOWN,
                                  .fields = &field,
                                  .n_fields = 1,
                                  .line = i };
        assert_int_equal(store_file_record(s, &r, &e), 0);
    }
    fixture_commit(s, 1);
    const struct stored_record *read = NULL;
    size_t n = 0;
    assert_int_equal(store_records(s, "PRD1", &a, &read, &n, &e), 0);
    assert_int_equal(n, STORE_READINGS_MAX + 1);
    assert_int_equal(read[0].line, 1);
    assert_int_equal(read[1].line, 6);
    assert_int_equal(read[n - 1].line, STORE_READINGS_MAX + 5);
    store_close(s);
    arena_release(&a);
}

/* A failed file leaves no row of any kind. */
static void test_rollback(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    const char *before = fixture_dump(&a);
    fixture_begin(s);
    for (int i = 0; i < 5000; i++) {
        struct metric_sample m = metric("VolumeReadOps", "VolumeId=vol-0a", i);
        struct bill_line l = { .line = i };
        fixture_put_metric(s, &m);
        assert_int_equal(store_file_bill_line(s, &l, &e), 0);
    }
    store_file_rollback(s);
    assert_string_equal(fixture_dump(&a), before);
    store_close(s);
    arena_release(&a);
}

int main(void)
{
    const struct CMUnitTest plain[] = {
        FIXTURE_TEST(test_metrics),
        FIXTURE_TEST(test_metric_keys),
        FIXTURE_TEST(test_more_metrics_than_room),
        FIXTURE_TEST(test_long_metric_name),
        FIXTURE_TEST(test_metric_times),
        FIXTURE_TEST(test_metric_value_view),
        FIXTURE_TEST(test_totals),
        FIXTURE_TEST(test_volumes),
        FIXTURE_TEST(test_bill_line),
        FIXTURE_TEST(bill_lines_come_back),
        FIXTURE_TEST(test_records),
        FIXTURE_TEST(test_many_readings),
        FIXTURE_TEST(test_rollback),
    };
    enum { N = sizeof plain / sizeof *plain, N_MONEYS = sizeof moneys / sizeof *moneys };
    struct CMUnitTest t[N + N_MONEYS];
    memcpy(t, plain, sizeof plain);
    for (size_t i = 0; i < N_MONEYS; i++)
        t[N + i] = (struct CMUnitTest){ moneys[i].why, test_money, fixture_setup, fixture_teardown,
                                        (void *)(uintptr_t)&moneys[i] };
    return fixture_run(t, sizeof t / sizeof *t);
}
