/* tests/data/test_load_metrics.c - metrics of CloudWatch as load of volumes and instances; the
 * others as series of their own. */
#include "data/load.h"
#include "models/core/mem.h"
#include "tests/data/store/store_fixture.h"

static const int64_t t0_ms = INT64_C(1652853600000); /* 2022-05-18 06:00 */

enum { MAX_VALUES = 8, MAX_POINTS = 4 };

/* A value of a volume's metric. */
struct value {
    const char *metric;
    int64_t at_s, period_s;
    double value;
    enum metric_statistic statistic;
};

struct expected {
    int64_t begin_s, end_s;
    double read_iops, write_iops, read_mibps, write_mibps, unsplit_iops, unsplit_mibps;
};

struct volume_case {
    const char *why;
    struct value in[MAX_VALUES];
    size_t n_in;
    struct expected want[MAX_POINTS];
    size_t n_want;
};

#define MIB(n) ((n)*1048576.0)

static const struct volume_case volumes[] = {
    /* 1 200 / 60 s, 600 / 60 s; 120 MiB / 60 s, 30 MiB / 60 s */
    { "sums over a minute are divided by it",
      { { "VolumeReadOps", 0, 60, 1200, STATISTIC_SUM },
        { "VolumeWriteOps", 0, 60, 600, STATISTIC_SUM },
        { "VolumeReadBytes", 0, 60, MIB(120), STATISTIC_SUM },
        { "VolumeWriteBytes", 0, 60, MIB(30), STATISTIC_SUM } },
      4,
      { { 0, 60, 20, 10, 2, 0.5, NAN, NAN } },
      1 },
    { "a time stamp opens its period: five minutes",
      { { "VolumeReadOps", 300, 300, 1500, STATISTIC_SUM } },
      1,
      { { 300, 600, 5, NAN, NAN, NAN, NAN, NAN } },
      1 },
    { "no bytes where there were no requests (Xen) is no load; no requests told is not",
      { { "VolumeReadOps", 0, 60, 0, STATISTIC_SUM },
        { "VolumeWriteOps", 0, 60, 60, STATISTIC_SUM },
        { "VolumeReadOps", 60, 60, 60, STATISTIC_SUM } },
      3,
      { { 0, 60, 0, 1, 0, NAN, NAN, NAN }, { 60, 120, 1, NAN, NAN, NAN, NAN, NAN } },
      2 },
    { "a minute without any value is a gap",
      { { "VolumeReadOps", 0, 60, 60, STATISTIC_SUM },
        { "VolumeReadOps", 120, 60, 120, STATISTIC_SUM } },
      2,
      { { 0, 60, 1, NAN, NAN, NAN, NAN, NAN }, { 120, 180, 2, NAN, NAN, NAN, NAN, NAN } },
      2 },
    { "the mean over a period and other statistics are no rates",
      { { "VolumeReadOps", 0, 60, 999, STATISTIC_MAXIMUM },
        { "VolumeReadOps", 0, 60, 998, STATISTIC_AVERAGE },
        { "VolumeReadOps", 0, 60, 997, STATISTIC_MINIMUM },
        { "VolumeReadOps", 0, 60, 996, STATISTIC_COUNT },
        { "VolumeReadOps", 0, 60, 995, STATISTIC_OTHER },
        { "VolumeReadOps", 0, 60, 60, STATISTIC_SUM } },
      6,
      { { 0, 60, 1, NAN, NAN, NAN, NAN, NAN } },
      1 },
    { "what is a rate already is left alone: requests/s, and KiB/s",
      { { "VolumeAvgIOPS", 0, 60, 500, STATISTIC_RATE },
        { "VolumeAvgThroughput", 0, 60, 2048, STATISTIC_RATE } },
      2,
      { { 0, 60, NAN, NAN, NAN, NAN, 500, 2 } },
      1 },
    { "its largest is not",
      { { "VolumeAvgIOPS", 0, 60, 500, STATISTIC_RATE },
        { "VolumeAvgIOPS", 0, 60, 5000, STATISTIC_MAXIMUM } },
      2,
      { { 0, 60, NAN, NAN, NAN, NAN, 500, NAN } },
      1 },
    { "reads and writes are better than both together",
      { { "VolumeReadOps", 0, 60, 60, STATISTIC_SUM },
        { "VolumeWriteOps", 0, 60, 120, STATISTIC_SUM },
        { "VolumeAvgIOPS", 0, 60, 3, STATISTIC_RATE } },
      3,
      { { 0, 60, 1, 2, NAN, NAN, NAN, NAN } },
      1 },
    { "the finest period wins, the rest of the coarser one stays",
      { { "VolumeReadOps", 0, 3600, 36000, STATISTIC_SUM },
        { "VolumeReadOps", 3480, 60, 60, STATISTIC_SUM },
        { "VolumeReadOps", 3540, 60, 120, STATISTIC_SUM } },
      3,
      { { 0, 3480, 10, NAN, NAN, NAN, NAN, NAN },
        { 3480, 3540, 1, NAN, NAN, NAN, NAN, NAN },
        { 3540, 3600, 2, NAN, NAN, NAN, NAN, NAN } },
      3 },
    { "requests by the minute, bytes by two: two minutes",
      { { "VolumeReadOps", 0, 60, 60, STATISTIC_SUM },
        { "VolumeReadOps", 60, 60, 180, STATISTIC_SUM },
        { "VolumeReadBytes", 0, 120, MIB(240), STATISTIC_SUM } },
      3,
      { { 0, 120, 2, NAN, 2, NAN, NAN, NAN } },
      1 },
    { "what is left out: no period, less than nothing",
      { { "VolumeReadOps", 0, -1, 60, STATISTIC_SUM },
        { "VolumeReadOps", 60, 60, -60, STATISTIC_SUM } },
      2,
      { { 0, 0, 0, 0, 0, 0, 0, 0 } },
      0 },
};

static struct metric_sample sample(const char *metric, const char *dimension)
{
    return (struct metric_sample){ .namespace_name = SPAN_LIT("AWS/EBS"),
                                   .metric = span_of(metric),
                                   .dimension = span_of(dimension),
                                   .instance_number = UNKNOWN,
                                   .statistic = STATISTIC_SUM,
                                   .counts = COUNT_EBS,
                                   .period_s = 60,
                                   .time_ms = t0_ms,
                                   .value = 60,
                                   .line = 1 };
}

static struct system_load load(struct store *s, struct arena *a)
{
    struct err e = { 0 };
    struct system_load l;
    if (load_system(s, NULL, a, &l, &e))
        fail_msg("%s", e.text);
    return l;
}

static void assert_rate(double got, double want)
{
    if (isnan(want) ? !isnan(got) : !(fabs(got - want) < 1e-9))
        fail_msg("%.12g, not %.12g", got, want);
}

static double unsplit(const double *column, size_t i)
{
    return column ? column[i] : NAN;
}

static void test_volume(void **state)
{
    const struct volume_case *c = *state;
    struct arena a = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    fixture_begin(s);
    for (size_t i = 0; i < c->n_in; i++) {
        struct metric_sample m = sample(c->in[i].metric, "VolumeId=vol-0a");
        m.statistic = c->in[i].statistic;
        m.time_ms = t0_ms + c->in[i].at_s * 1000;
        m.period_s = c->in[i].period_s < 0 ? NAN : (double)c->in[i].period_s;
        m.value = c->in[i].value;
        m.line = (int64_t)i + 10;
        fixture_put_metric(s, &m);
    }
    fixture_commit(s, 1);
    struct system_load l = load(s, &a);
    assert_int_equal(l.n_series, 1);
    const struct load_series *v = &l.series[0];
    assert_int_equal(v->kind, SERIES_VOLUME);
    assert_int_equal(v->counts, COUNT_EBS);
    assert_string_equal(v->name, "vol-0a");
    assert_null(v->host);
    assert_true(v->instance_number == UNKNOWN);
    assert_int_equal(v->n, c->n_want);
    for (size_t i = 0; i < c->n_want; i++) {
        const struct expected *w = &c->want[i];
        assert_int_equal(v->begin_ms[i], t0_ms + w->begin_s * 1000);
        assert_int_equal(v->end_ms[i], t0_ms + w->end_s * 1000);
        assert_rate(v->read_iops[i], w->read_iops);
        assert_rate(v->write_iops[i], w->write_iops);
        assert_rate(v->read_mibps[i], w->read_mibps);
        assert_rate(v->write_mibps[i], w->write_mibps);
        assert_rate(unsplit(v->unsplit_iops, i), w->unsplit_iops);
        assert_rate(unsplit(v->unsplit_mibps, i), w->unsplit_mibps);
        assert_int_equal(v->file_id[i], l.file_ids[0]);
        assert_in_range(v->line[i], 10, 10 + c->n_in);
    }
    if (!c->n_want)
        assert_true(v->n_untimed == 1 && v->n_artefacts == 1);
    store_close(s);
    arena_release(&a);
}

struct part_case {
    const char *why;
    const char *namespace_name, *metric, *dimension;
    enum series_kind kind; /* of the series it makes */
    const char *name;      /* NULL = it makes none and stays a metric */
};

static const struct part_case parts[] = {
    { "a volume", "AWS/EBS", "VolumeReadOps", "VolumeId=vol-0a", SERIES_VOLUME, "vol-0a" },
    { "a volume, no namespace told", "", "VolumeReadOps", "VolumeId=vol-0a", SERIES_VOLUME,
      "vol-0a" },
    { "all volumes of an instance", "AWS/EC2", "EBSReadOps", "InstanceId=i-0b", SERIES_INSTANCE,
      "i-0b" },
    { "another namespace", "MyApp", "VolumeReadOps", "VolumeId=vol-0a", SERIES_VOLUME, NULL },
    { "no dimension", "AWS/EBS", "VolumeReadOps", "", SERIES_VOLUME, NULL },
    { "a dimension without a value", "AWS/EBS", "VolumeReadOps", "VolumeId=", SERIES_VOLUME, NULL },
    { "the same instance again under its type", "AWS/EC2", "EBSReadOps", "InstanceType=r5.8xlarge",
      SERIES_INSTANCE, NULL },
    { "an attachment of a volume", "AWS/EBS", "VolumeAvgIOPS", "InstanceId=i-0b,VolumeId=vol-0a",
      SERIES_VOLUME, NULL },
    { "instance store is no EBS", "AWS/EC2", "DiskReadOps", "InstanceId=i-0b", SERIES_INSTANCE,
      NULL },
    { "a time is no load", "AWS/EBS", "VolumeTotalReadTime", "VolumeId=vol-0a", SERIES_VOLUME,
      NULL },
};

static void test_part(void **state)
{
    const struct part_case *c = *state;
    struct arena a = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    struct metric_sample m = sample(c->metric, c->dimension);
    m.namespace_name = span_of(c->namespace_name);
    fixture_begin(s);
    fixture_put_metric(s, &m);
    fixture_commit(s, 1);
    struct system_load l = load(s, &a);
    assert_int_equal(l.n_series, c->name ? 1 : 0);
    assert_int_equal(l.n_metrics, c->name ? 0 : 1);
    if (c->name) {
        assert_int_equal(l.series[0].kind, c->kind);
        assert_string_equal(l.series[0].name, c->name);
        assert_rate(l.series[0].read_iops[0], 1);
    } else {
        assert_string_equal(l.metrics[0].metric, c->metric);
        assert_true(l.metrics[0].n == 1 && l.metrics[0].value[0] == 60);
    }
    store_close(s);
    arena_release(&a);
}

/* Five minutes that a parser has no line of are five minutes, and not a mean of single ones. */
static void test_no_line(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    struct metric_sample m = sample("VolumeReadOps", "VolumeId=vol-0a");
    m.period_s = 300;
    m.line = UNKNOWN;
    fixture_begin(s);
    fixture_put_metric(s, &m);
    fixture_commit(s, 1);
    struct system_load l = load(s, &a);
    assert_int_equal(l.n_series, 1);
    assert_int_equal(l.series[0].n, 1);
    assert_true(load_series_interval_s(&l.series[0], 0) == 300);
    store_close(s);
    arena_release(&a);
}

/* Two volumes and an instance, their metrics by turns and in two files. */
static void test_several_owners(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    static const char *const dimensions[] = { "VolumeId=vol-0b", "VolumeId=vol-0a" };
    for (int file = 0; file < 2; file++) {
        fixture_begin(s);
        for (int i = 0; i < 2; i++) {
            struct metric_sample m =
                sample(file ? "VolumeWriteOps" : "VolumeReadOps", dimensions[i]);
            m.value = 60 * (i + 1) + 600 * file;
            fixture_put_metric(s, &m);
        }
        struct metric_sample m = sample("EBSReadOps", "InstanceId=i-0c");
        m.namespace_name = SPAN_LIT("AWS/EC2");
        m.value = 6000 + file; /* the same minute again: the first file's stays */
        fixture_put_metric(s, &m);
        fixture_commit(s, (unsigned char)(file + 1));
    }
    struct system_load l = load(s, &a);
    assert_int_equal(l.n_series, 3);
    assert_string_equal(l.series[0].name, "vol-0a");
    assert_string_equal(l.series[1].name, "vol-0b");
    assert_string_equal(l.series[2].name, "i-0c");
    assert_rate(l.series[0].read_iops[0], 2);
    assert_rate(l.series[0].write_iops[0], 12);
    assert_rate(l.series[1].read_iops[0], 1);
    assert_rate(l.series[1].write_iops[0], 11);
    assert_int_equal(l.series[2].n, 1);
    assert_int_equal(l.series[2].n_overlaps, 0);
    assert_int_equal(l.series[2].n_duplicates, 1);
    assert_rate(l.series[2].read_iops[0], 100);
    store_close(s);
    arena_release(&a);
}

/* Maxima per minute of a database: in time order, an overlap of two exports once. */
static void test_metrics(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    static const int64_t minutes[2][3] = { { 2, 0, 1 }, { 1, 2, 3 } };
    for (int file = 0; file < 2; file++) {
        fixture_begin(s);
        for (int i = 0; i < 3; i++) {
            struct metric_sample m = sample("read_iops_max", "");
            m.system = SPAN_LIT("PRD1");
            m.instance_number = 1;
            m.namespace_name = (struct span){ 0 };
            m.statistic = STATISTIC_MAXIMUM;
            m.counts = COUNT_ORACLE;
            m.time_ms = t0_ms + minutes[file][i] * INT64_C(60000);
            m.value = (double)(100 * (file + 1) + minutes[file][i]);
            fixture_put_metric(s, &m);
        }
        fixture_commit(s, (unsigned char)(file + 1));
    }
    struct system_load l = load(s, &a);
    assert_int_equal(l.n_series, 0);
    assert_int_equal(l.n_metrics, 1);
    const struct metric_series *m = &l.metrics[0];
    static const double want[] = { 100, 101, 102, 203 };
    assert_int_equal(m->n, 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(m->time_ms[i], t0_ms + i * INT64_C(60000));
        assert_true(m->value[i] == want[i] && m->period_s[i] == 60);
        assert_int_equal(m->file_id[i], l.file_ids[i == 3]);
    }
    assert_string_equal(m->host, "PRD1");
    assert_int_equal(m->instance_number, 1);
    assert_int_equal(m->statistic, STATISTIC_MAXIMUM);
    assert_int_equal(m->counts, COUNT_ORACLE);
    store_close(s);
    arena_release(&a);
}

/* Totals of a tool that does not tell reads from writes. */
static void test_device_totals(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    struct io_sample d = fixture_sample("sda", 0);
    d.reads_per_s = d.writes_per_s = d.read_kib_per_s = d.write_kib_per_s = NAN;
    d.total_per_s = 50;
    d.total_kib_per_s = 2048;
    fixture_begin(s);
    assert_int_equal(store_file_sample(s, &d, &e), 0);
    d = fixture_sample("sdb", 0);
    assert_int_equal(store_file_sample(s, &d, &e), 0);
    fixture_commit(s, 1);
    struct system_load l = load(s, &a);
    assert_int_equal(l.n_series, 2);
    assert_rate(l.series[0].unsplit_iops[0], 50);
    assert_rate(l.series[0].unsplit_mibps[0], 2);
    assert_true(isnan(l.series[0].read_iops[0]) && isnan(l.series[0].write_mibps[0]));
    assert_null(l.series[1].unsplit_iops);
    assert_null(l.series[1].unsplit_mibps);
    store_close(s);
    arena_release(&a);
}

static void test_damaged(void **state)
{
    (void)state;
    static const char *const damages[] = {
        "UPDATE metric_chunk SET n_samples = 99999999",
        "UPDATE metric_chunk SET value = x''",
        "UPDATE metric_chunk SET time_ms = x'0100'",
    };
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        struct arena a = { 0 };
        struct err e = { 0 };
        struct system_load l;
        unlink(fixture_db);
        struct store *s = fixture_open(STORE_CREATE);
        struct metric_sample m = sample("VolumeReadOps", "VolumeId=vol-0a");
        fixture_begin(s);
        fixture_put_metric(s, &m);
        fixture_commit(s, 1);
        fixture_ask(&a, damages[i]);
        assert_int_equal(load_system(s, NULL, &a, &l, &e), ERR_STORE);
        assert_non_null(strstr(e.text, "damaged"));
        store_close(s);
        arena_release(&a);
    }
}

static int put_and_load(struct store *s, struct err *e)
{
    struct arena a = { 0 };
    struct system_load l;
    struct store_file_start start = fixture_start("PRD1");
    struct store_file_end end = fixture_end(1);
    struct metric_sample m = sample("VolumeReadOps", "VolumeId=vol-0a");
    struct metric_sample other = sample("BurstBalance", "VolumeId=vol-0a");
    struct bill_line line = { .start_ms = UNKNOWN };
    bool known = false;
    int rc = store_file_begin(s, &start, e);
    if (!rc)
        rc = store_file_metric(s, &m, e);
    if (!rc)
        rc = store_file_metric(s, &other, e);
    if (!rc)
        rc = store_file_bill_line(s, &line, e);
    if (rc)
        store_file_rollback(s);
    else
        rc = store_file_commit(s, &end, &known, e);
    if (!rc)
        rc = load_system(s, NULL, &a, &l, e);
    arena_release(&a);
    return rc;
}

static void test_no_memory(void **state)
{
    (void)state;
    for (long n = 1;; n++) {
        struct err e = { 0 };
        unlink(fixture_db);
        struct store *s = fixture_open(STORE_CREATE);
        atomic_store(&mem_calls, 0);
        atomic_store(&mem_fail_at, n);
        int rc = put_and_load(s, &e);
        atomic_store(&mem_fail_at, 0);
        store_close(s);
        if (!rc)
            break;
        if (rc != ERR_NOMEM)
            fail_msg("allocation %ld: %s", n, e.text);
    }
}

int main(void)
{
    const struct CMUnitTest plain[] = {
        FIXTURE_TEST(test_several_owners), FIXTURE_TEST(test_metrics),
        FIXTURE_TEST(test_device_totals),  FIXTURE_TEST(test_damaged),
        FIXTURE_TEST(test_no_memory),      FIXTURE_TEST(test_no_line),
    };
    enum {
        N = sizeof plain / sizeof *plain,
        N_VOLUMES = sizeof volumes / sizeof *volumes,
        N_PARTS = sizeof parts / sizeof *parts
    };
    struct CMUnitTest t[N + N_VOLUMES + N_PARTS];
    size_t n = 0;
    for (size_t i = 0; i < N; i++)
        t[n++] = plain[i];
    for (size_t i = 0; i < N_VOLUMES; i++)
        t[n++] = (struct CMUnitTest){ volumes[i].why, test_volume, fixture_setup, fixture_teardown,
                                      (void *)(uintptr_t)&volumes[i] };
    for (size_t i = 0; i < N_PARTS; i++)
        t[n++] = (struct CMUnitTest){ parts[i].why, test_part, fixture_setup, fixture_teardown,
                                      (void *)(uintptr_t)&parts[i] };
    return cmocka_run_group_tests(t, NULL, NULL);
}
