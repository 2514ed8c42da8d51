/* tests/samples/test_samples_aws.c - public AWS exports against what was worked out from them by
 * hand.
 *
 * Every file of ../shared/samples/aws/MANIFEST.tsv must end as the table `outcomes` says: loaded as
 * that format, or refused with these words.  Every entry of TRUTH.json has a check here; what it
 * says of files that volplan does not read is in `not_ours`, with the reason. */
#include "data/ingest/archive/expand.h"
#include "data/ingest/csv/csv.h"
#include "data/ingest/format.h"
#include "data/ingest/layout/layout_json.h"
#include "models/core/timestamp.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

#define FOLDER "../shared/samples/aws/"
#define N(a)   (sizeof(a) / sizeof *(a))

/* --- what a read gives ------------------------------------------------------------------------ */

/* Copies in arrays; texts live in the arena. */
static struct got {
    struct arena arena;
    const char *format; /* NULL = refused */
    struct err err;
    int64_t rows, skipped;
    struct metric_sample *metrics;
    struct volume_config *volumes;
    struct bill_line *bills;
    struct {
        const char *kind;
        struct record_field *fields;
        size_t n;
    } * records;
    struct {
        int64_t line;
        const char *text;
    } * warnings;
    size_t n_metrics, n_volumes, n_bills, n_records, n_warnings, n_modifications;
} got;

/* Room for one more element of an array that grows by doubling. */
#define GROW(array, n)                                                                             \
    do {                                                                                           \
        if (((n) & ((n)-1)) == 0) {                                                                \
            (array) = arena_grow(&got.arena, (array), (n), (n) ? (n)*2 : 1, sizeof *(array));      \
            assert_non_null(array);                                                                \
        }                                                                                          \
    } while (0)

static struct span keep(struct span s)
{
    char *copy = arena_strndup(&got.arena, s.len ? s.ptr : "", s.len);
    assert_non_null(copy);
    return (struct span){ copy, s.len };
}

static int on_metric(void *ctx, const struct metric_sample *s, struct err *e)
{
    (void)ctx;
    (void)e;
    GROW(got.metrics, got.n_metrics);
    struct metric_sample *m = &got.metrics[got.n_metrics++];
    *m = *s;
    m->namespace_name = keep(s->namespace_name);
    m->metric = keep(s->metric);
    m->dimension = keep(s->dimension);
    m->statistic_text = keep(s->statistic_text);
    return 0;
}

static int on_volume(void *ctx, const struct volume_config *s, struct err *e)
{
    (void)ctx;
    (void)e;
    GROW(got.volumes, got.n_volumes);
    struct volume_config *v = &got.volumes[got.n_volumes++];
    *v = *s;
    v->volume_id = keep(s->volume_id);
    v->state = keep(s->state);
    v->instance_id = keep(s->instance_id);
    v->device = keep(s->device);
    v->zone = keep(s->zone);
    return 0;
}

static int on_modification(void *ctx, const struct volume_modification *m, struct err *e)
{
    (void)ctx;
    (void)m;
    (void)e;
    got.n_modifications++;
    return 0;
}

static int on_bill_line(void *ctx, const struct bill_line *s, struct err *e)
{
    (void)ctx;
    (void)e;
    GROW(got.bills, got.n_bills);
    struct bill_line *l = &got.bills[got.n_bills++];
    *l = *s;
    l->region = keep(s->region);
    l->resource = keep(s->resource);
    l->usage_type = keep(s->usage_type);
    l->unit = keep(s->unit);
    l->currency = keep(s->currency);
    return 0;
}

static int on_record(void *ctx, const struct record *r, struct err *e)
{
    (void)ctx;
    (void)e;
    GROW(got.records, got.n_records);
    struct record_field *fields = arena_array(&got.arena, r->n_fields, sizeof *fields);
    assert_non_null(fields);
    for (size_t i = 0; i < r->n_fields; i++) {
        fields[i] = r->fields[i];
        fields[i].text = keep(r->fields[i].text);
    }
    got.records[got.n_records].kind = r->kind;
    got.records[got.n_records].fields = fields;
    got.records[got.n_records++].n = r->n_fields;
    return 0;
}

static int on_warning(void *ctx, int64_t line, const char *text, struct err *e)
{
    (void)ctx;
    (void)e;
    GROW(got.warnings, got.n_warnings);
    got.warnings[got.n_warnings].line = line;
    got.warnings[got.n_warnings++].text = keep(span_of(text)).ptr;
    return 0;
}

/* Reads a file of the folder into got; interval_s: what the user states, or NaN. */
static void read_file(const char *file, double interval_s)
{
    struct sink sink = { .metric = on_metric,
                         .volume = on_volume,
                         .modification = on_modification,
                         .bill_line = on_bill_line,
                         .record = on_record,
                         .warning = on_warning };
    struct ingest_options o = { .date_ms = UNKNOWN, .interval_s = interval_s };
    const struct format *f;
    char path[300];
    struct source *src;
    arena_release(&got.arena);
    got = (struct got){ .format = NULL };
    snprintf(path, sizeof path, FOLDER "%s", file);
    assert_int_equal(source_open(path, &src, &got.err), 0);
    struct arena a = { 0 };
    struct source *inner;
    struct expander *x = expand_open(src, &(struct expand_options){ .max_bytes = 0 });
    assert_non_null(x);
    assert_int_equal(expand_next(x, &inner, &got.err), 1);
    int rc = format_of(inner, &o, &f, &got.err);
    if (!rc)
        rc = f->read(inner, &o, &sink, &a, &got.rows, &got.skipped, &got.err);
    if (!rc)
        got.format = f->name;
    arena_release(&a);
    expand_close(x);
    source_close(src);
}

static bool warned(const char *words)
{
    for (size_t i = 0; i < got.n_warnings; i++)
        if (strstr(got.warnings[i].text, words))
            return true;
    return false;
}

static bool warned_at(int64_t line, const char *words)
{
    for (size_t i = 0; i < got.n_warnings; i++)
        if (got.warnings[i].line == line && strstr(got.warnings[i].text, words))
            return true;
    return false;
}

/* --- every file ------------------------------------------------------------------------------- */

/* A name = loaded as that format; "!words" = refused with these words; "?" = a file of another
 * family: loaded by its own format or refused, but by none of those of AWS. */
static const struct outcome {
    const char *number, *want;
} outcomes[] = {
    { "001", "cw_stats" },
    { "002", "volumes" },
    { "003", "cw_stats" },
    { "004", "cw_stats" },
    { "005", "cw_stats" },
    { "006", "cw_data" },
    { "007", "cw_stats" },
    { "008", "cw_data" },
    { "010", "cw_data" },
    { "013", "cw_data" },
    { "014", "!series 'id_10_VolumeReadOps': 0 Timestamps, but 1 Values" },
    { "015", "cw_data" },
    { "017", "cw_stream" },
    { "018", "cw_stream" },
    { "019", "cw_stream" },
    { "022", "cw_stream" },
    { "023", "cw_stream" },
    { "025", "cw_stream" },
    { "027", "!an event of Metricbeat" },
    { "029", "cw_stats" },
    { "034", "?" }, /* nvme */
    { "035", "?" },
    { "037", "?" },
    { "039", "cw_stats" },
    { "041", "cw_stats" },
    { "042", "cw_stats" },
    { "046", "volumes" },
    { "048", "instances" },
    { "049", "modifications" },
    { "050", "modifications" },
    { "051", "volumes" },
    { "053", "volumes" },
    { "054", "volumes" },
    { "057", "volumes" },
    { "058", "volumes" },
    { "059", "volumes" },
    { "060", "volumes" },
    { "061", "!an error that AWS answered" }, /* InvalidVolume.NotFound */
    { "062", "!:16: column 25: not valid JSON" },
    { "063", "!neither sizes nor types" },
    { "065", "!describe-volume-status" },
    { "066", "instance_types" },
    { "067", "instances" },
    { "068", "volumes" },
    { "072", "instances" },
    { "073", "instance_types" },
    { "075", "instance_types" },
    { "076", "instance_types" },
    { "077", "instance_types" },
    { "078", "instance_types" },
    { "080", "!a Terraform plan" },
    { "081", "!a Terraform plan" },
    { "083", "!a Terraform plan" },
    { "085", "!a Terraform plan" },
    { "087", "!a Terraform state" },
    { "088", "!a Terraform state" },
    { "089", "!text of another kind" },
    { "090", "!text of another kind" },
    { "091", "!an AWS price list" },
    { "093", "!an AWS price list" },
    { "094", "!an AWS price list" },
    { "096", "!an AWS price list" },
    { "098", "!text of another kind" },
    { "099", "cur" },
    { "100", "cur" },
    { "101", "cur2" },
    { "103", "cur" },
    { "104", "cur" },
    { "105", "cur" },
    { "107", "cost_explorer" },
    { "108", "cur" },
    { "109", "cur" },
    { "110", "cur" },
    { "111", "cur" },
    { "113", "cost_explorer" },
    { "114", "cost_explorer" },
    { "116", "focus" },
    { "117", "focus" },
    { "119", "focus" },
    { "122", "cost_explorer" },
    { "124", "optimizer" },
    { "125", "optimizer" },
    { "126", "optimizer" },
    { "128", "!Trusted Advisor" },
    { "129", "!Trusted Advisor" },
};

static bool is_ours(const char *format)
{
    for (size_t i = 0; i < N(outcomes); i++)
        if (strcmp(outcomes[i].want, format) == 0)
            return true;
    return false;
}

static bool as_expected(const char *want)
{
    if (want[0] == '!')
        return !got.format && strstr(got.err.text, want + 1) && !strchr(got.err.text, '\n');
    if (want[0] == '?')
        return got.format ? !is_ours(got.format) : !strchr(got.err.text, '\n');
    return got.format && strcmp(got.format, want) == 0;
}

static int n_files, n_loaded, n_refused;

static void check_outcome(const char *file)
{
    for (size_t i = 0; i < N(outcomes); i++) {
        if (strncmp(file, outcomes[i].number, 3) != 0)
            continue;
        read_file(file, NAN);
        if (!as_expected(outcomes[i].want))
            fail_msg("%s: expected %s, got %s (%s)", file, outcomes[i].want,
                     got.format ? got.format : "a refusal", got.format ? "" : got.err.text);
        if (!got.format)
            printf("  refused: %.160s\n", got.err.text);
        n_files++;
        n_loaded += got.format != NULL;
        n_refused += !got.format;
        return;
    }
    fail_msg("%s: not in the table of outcomes", file);
}

static void every_file(void **state)
{
    (void)state;
    struct source *src;
    struct arena a = { 0 };
    struct csv c;
    struct err e;
    assert_int_equal(source_open(FOLDER "MANIFEST.tsv", &src, &e), 0);
    assert_int_equal(csv_open(&c, src, '\t', &a, &e), 1);
    ptrdiff_t file = csv_column(&c, "file");
    while (csv_next(&c, &e) == 1) {
        char name[200];
        snprintf(name, sizeof name, "%.*s", SPAN_ARG(csv_field(&c, file)));
        check_outcome(name);
    }
    source_close(src);
    arena_release(&a);
    printf("  %d files: %d loaded, %d refused\n", n_files, n_loaded, n_refused);
    assert_int_equal(n_files, N(outcomes));
}

/* --- TRUTH.json ------------------------------------------------------------------------------- */

static cJSON *truth;
static const char *now; /* the entry that is compared */
static int n_figures;

static const cJSON *member(const cJSON *object, const char *key)
{
    const cJSON *m = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!m)
        fail_msg("%s: TRUTH.json has no '%s' here", now, key);
    return m;
}

static double number(const cJSON *v)
{
    double d = NAN;
    struct span s = span_of(cJSON_GetStringValue(v));
    if (cJSON_IsNumber(v))
        return v->valuedouble;
    if (span_double(&s, &d))
        return NAN;
    return d;
}

/* One figure: NaN where the truth is null. */
static void same(const char *what, double is, const cJSON *want, double tolerance)
{
    double w = number(want);
    n_figures++;
    if (cJSON_IsNull(want) ? !isnan(is) : !(fabs(is - w) <= tolerance))
        fail_msg("%s: %s is %.12g, the truth is %.12g", now, what, is, w);
}

static void same_text(const char *what, struct span is, const cJSON *want)
{
    n_figures++;
    if (!span_is(is, cJSON_IsNull(want) ? "" : cJSON_GetStringValue(want)))
        fail_msg("%s: %s is '%.*s', the truth is '%s'", now, what, SPAN_ARG(is),
                 cJSON_GetStringValue(want));
}

static void same_time(const char *what, int64_t is, const cJSON *want)
{
    struct span s = span_of(cJSON_GetStringValue(want));
    int64_t t;
    bool zoned;
    assert_int_equal(time_parse_iso(&s, &t, &zoned), 0);
    n_figures++;
    if (t != is)
        fail_msg("%s: %s differs from %s", now, what, cJSON_GetStringValue(want));
}

static void same_money(const char *what, money is, const cJSON *want)
{
    struct span s = span_of(cJSON_GetStringValue(want));
    money w;
    assert_int_equal(money_parse(&s, &w, NULL, NULL), 0);
    n_figures++;
    if (is != w)
        fail_msg("%s: %s differs from %s", now, what, cJSON_GetStringValue(want));
}

static void same_int(const char *what, int64_t is, const cJSON *want)
{
    same(what, is == UNKNOWN ? NAN : (double)is, want, 0);
}

/* The statistic of a metric of one dimension at one time; NULL = missing. */
static const struct metric_sample *sample(const char *metric, const char *dimension, int64_t t,
                                          const char *statistic)
{
    for (size_t i = 0; i < got.n_metrics; i++) {
        const struct metric_sample *s = &got.metrics[i];
        if ((t == UNKNOWN || s->time_ms == t) && span_is(s->metric, metric) &&
            span_is(s->dimension, dimension) && span_is(s->statistic_text, statistic))
            return s;
    }
    return NULL;
}

static double per_s(const char *metric, const char *dimension, int64_t t)
{
    const struct metric_sample *s = sample(metric, dimension, t, "Sum");
    return s ? metric_sample_per_s(s) : NAN;
}

/* 001: maximums without a period: three points, no rate; its volume is in 002. */
static void no_rate(const char *file, const cJSON *v)
{
    const cJSON *raw = member(v, "raw"), *point, *pair = member(v, "volume_from_pair");
    const cJSON *rates = member(member(v, "if_period_60"), "max_iops");
    size_t i = 0;
    read_file(file, NAN);
    cJSON_ArrayForEach(point, raw)
    {
        assert_true(i < got.n_metrics);
        same_time("timestamp", got.metrics[i].time_ms, member(point, "timestamp"));
        same("maximum", got.metrics[i].value, member(point, "maximum"), 0);
        assert_true(isnan(got.metrics[i].period_s));
        assert_true(isnan(metric_sample_per_s(&got.metrics[i])));
        i++;
    }
    assert_int_equal(got.n_metrics, i);
    /* in the order of the truth's list, which is by size: 21, 15, 14 */
    double share = 0;
    read_file(file, 60);
    for (i = 0; i < got.n_metrics; i++) {
        double rate = got.metrics[i].value / got.metrics[i].period_s;
        assert_true(isnan(metric_sample_per_s(&got.metrics[i])));
        same("value / period", rate, cJSON_GetArrayItem(rates, (int)i), 5.1e-10);
        if (i == 0)
            share = rate / 5000 * 100;
    }
    assert_string_equal(cJSON_GetStringValue(member(v, "share_of_provisioned_if_60")), "0.007 %");
    assert_true(fabs(share - 0.007) < 1e-9);
    n_figures++;
    read_file("002_ec2_vols_io1_pair_of_001.json", NAN);
    assert_int_equal(got.n_volumes, 1);
    same_text("id", got.volumes[0].volume_id, member(pair, "id"));
    same_text("type", span_of(volume_type_name(got.volumes[0].spec.type)), member(pair, "type"));
    same_int("size", got.volumes[0].spec.size_gib, member(pair, "size_gib"));
    same_int("iops", got.volumes[0].spec.iops, member(pair, "iops"));
}

static void empty(const char *file, const cJSON *v)
{
    (void)v;
    read_file(file, NAN);
    assert_string_equal(got.format, "cw_stats");
    assert_int_equal(got.n_metrics, 0);
    n_figures++;
}

static void incomplete(const char *file, const cJSON *v)
{
    (void)v;
    read_file(file, NAN);
    assert_int_equal(got.n_metrics, 0);
    assert_true(warned("PartialData: Some data unavailable"));
    assert_true(warned("NextToken"));
    n_figures += 3;
}

static void reject(const char *file, const cJSON *v)
{
    (void)v;
    read_file(file, NAN);
    assert_null(got.format);
    assert_int_equal(got.rows, 0);
    /* 062: "near KmsKeyId, line and column"; 014: "with the Id named" */
    assert_true(strstr(got.err.text, "'KmsKeyId'") ||
                strstr(got.err.text, "'id_10_VolumeReadOps'"));
    n_figures++;
}

/* 022: the whole stream; an instance with one volume shows that volume's numbers. */
static void cross_check(const char *file, const cJSON *v)
{
    enum { MINUTE_MS = 60000 };
    int64_t t = INT64_C(1651679640000);
    const char *volume = "VolumeId=vol-09aadec74cd779f49",
               *instance = "InstanceId=i-0f898c9b1c511eb41";
    size_t records = 0, ebs = 0;
    read_file(file, NAN);
    for (size_t i = 0; i < got.n_metrics; i++) {
        bool one = span_is(got.metrics[i].statistic_text, "Sum");
        records += one;
        ebs += one && span_is(got.metrics[i].namespace_name, "AWS/EBS");
    }
    same("records", (double)records, member(v, "records"), 0);
    same("EBS records", (double)ebs, member(v, "ebs_records"), 0);
    same("EC2 records", (double)(records - ebs), member(v, "ec2_records"), 0);
    const cJSON *sums = member(member(v, "expected_sum_check"), "vol-09aadec74cd779f49");
    same("read_iops", per_s("VolumeReadOps", volume, t), member(sums, "read_iops"), 5.1e-10);
    same("write_iops", per_s("VolumeWriteOps", volume, t), member(sums, "write_iops"), 5.1e-10);
    same("read_mib_s", per_s("VolumeReadBytes", volume, t) / MIB_BYTES, member(sums, "read_mib_s"),
         5.1e-10);
    same("write_mib_s", per_s("VolumeWriteBytes", volume, t) / MIB_BYTES,
         member(sums, "write_mib_s"), 5.1e-10);
    /* the figures of the note */
    assert_true(sample("EBSReadOps", instance, t, "Sum")->value == 5254);
    assert_true(sample("EBSReadBytes", instance, t, "Sum")->value == 390386688);
    assert_true(sample("VolumeReadOps", volume, t, "Sum")->value == 5254);
    assert_true(sample("VolumeReadBytes", volume, t, "Sum")->value == 390386688);
    const struct metric_sample *basic =
        sample("EBSWriteBytes", "InstanceId=i-013e95c2db558957b", INT64_C(1651679400000), "Sum");
    assert_true(basic->value == 10000384 && basic->period_s == 300);
    assert_true(fabs(metric_sample_per_s(basic) - 33334.613333333) < 5.1e-10);
    n_figures += 6;
}

static double ratio(const char *top, const char *bottom, const char *dimension, int64_t t)
{
    const struct metric_sample *a = sample(top, dimension, t, "Sum");
    const struct metric_sample *b = sample(bottom, dimension, t, "Sum");
    return a && b && b->value > 0 ? a->value / b->value : NAN;
}

/* 023: the rates of every volume and minute. */
static void rates(const char *file, const cJSON *v)
{
    const cJSON *rows = member(v, "rows"), *row;
    read_file(file, NAN);
    size_t records = 0;
    for (size_t i = 0; i < got.n_metrics; i++)
        records += span_is(got.metrics[i].statistic_text, "Sum");
    same("records", (double)records, member(v, "records"), 0);
    same("points", cJSON_GetArraySize(rows), member(v, "points"), 0);
    cJSON_ArrayForEach(row, rows)
    {
        char d[64];
        int64_t t = (int64_t)member(row, "timestamp_ms")->valuedouble;
        const cJSON *optional;
        snprintf(d, sizeof d, "VolumeId=%s", cJSON_GetStringValue(member(row, "volume")));
        same("read_iops", per_s("VolumeReadOps", d, t), member(row, "read_iops"), 5.1e-10);
        same("write_iops", per_s("VolumeWriteOps", d, t), member(row, "write_iops"), 5.1e-10);
        same("read_mib_s", per_s("VolumeReadBytes", d, t) / MIB_BYTES, member(row, "read_mib_s"),
             5.1e-10);
        same("write_mib_s", per_s("VolumeWriteBytes", d, t) / MIB_BYTES, member(row, "write_mib_s"),
             5.1e-10);
        if ((optional = cJSON_GetObjectItem(row, "avg_write_kib")))
            same("avg_write_kib", ratio("VolumeWriteBytes", "VolumeWriteOps", d, t) / 1024,
                 optional, 5.1e-7);
        if ((optional = cJSON_GetObjectItem(row, "avg_write_ms")))
            same("avg_write_ms", ratio("VolumeTotalWriteTime", "VolumeWriteOps", d, t) * 1000,
                 optional, 5.1e-7);
        if ((optional = cJSON_GetObjectItem(row, "idle_pct_raw")))
            same("idle_pct_raw", per_s("VolumeIdleTime", d, t) * 100, optional, 5.1e-7);
        if ((optional = cJSON_GetObjectItem(row, "burst_balance_pct")))
            same("burst_balance_pct", sample("BurstBalance", d, t, "Average")->value, optional,
                 5.1e-10);
        if (strcmp(cJSON_GetStringValue(member(row, "hypervisor")), "xen") == 0)
            for (size_t i = 0; i < got.n_metrics; i++) /* 0 must not be shown as a peak */
                assert_false(got.metrics[i].statistic == STATISTIC_MAXIMUM &&
                             got.metrics[i].time_ms == t && span_is(got.metrics[i].dimension, d) &&
                             span_is(got.metrics[i].metric, "VolumeWriteBytes"));
    }
    /* "volumes": distinct ids */
    size_t volumes = 0;
    for (size_t i = 0; i < got.n_metrics; i++) {
        bool seen = false;
        for (size_t j = 0; j < i && !seen; j++)
            seen = span_eq(got.metrics[i].dimension, got.metrics[j].dimension);
        volumes += !seen;
    }
    same("volumes", (double)volumes, member(v, "volumes"), 0);
}

/* 029: mackerel's numbers are per second already. */
static void rates_already(const char *file, const cJSON *v)
{
    static const struct {
        const char *key, *metric;
        double divide;
    } rows[] = {
        { "write_iops", "VolumeWriteOps", 1 },
        { "write_bytes_per_s", "VolumeWriteBytes", 1 },
        { "write_mib_s", "VolumeWriteBytes", 1048576 },
        { "read_iops", "VolumeReadOps", 1 },
        { "read_bytes_per_s", "VolumeReadBytes", 1 },
        { "size_per_op", "write_size_per_op", 1 },
    };
    read_file(file, NAN);
    for (size_t i = 0; i < N(rows); i++) {
        const struct metric_sample *s =
            sample(rows[i].metric, "VolumeId=vol-DUMMY", UNKNOWN, "mackerel");
        same(rows[i].key, s ? s->value / rows[i].divide : NAN,
             member(member(v, "rows"), rows[i].key), 5.1e-10);
        if (s) {
            same("epoch", (double)s->time_ms / 1000, member(v, "epoch"), 0);
            if (rows[i].metric[0] == 'V')
                assert_true(metric_sample_per_s(s) == s->value);
        }
    }
}

/* 039: 11 of 4 730 points came twice and are dropped; what the truth counts is both together. */
static void series(const char *file, const cJSON *v)
{
    size_t zeros = 0, top = 0;
    double widest = 0, shortest = INFINITY;
    read_file(file, NAN);
    for (size_t i = 0; i < got.n_metrics; i++) {
        zeros += got.metrics[i].value == 0;
        if (got.metrics[i].value > got.metrics[top].value)
            top = i;
        if (!i)
            continue;
        double step = (double)(got.metrics[i].time_ms - got.metrics[i - 1].time_ms) / 1000;
        widest = step > widest ? step : widest;
        shortest = step < shortest ? step : shortest;
        assert_true(isnan(metric_sample_per_s(&got.metrics[i])));
    }
    same("rows", (double)(got.rows + got.skipped), member(v, "rows"), 0);
    same("duplicates", (double)got.skipped, member(v, "duplicate_timestamps"), 0);
    same("zeros", (double)zeros + (double)got.skipped, member(v, "zeros"), 0);
    same("gap", widest, member(v, "gap_s"), 0);
    same("short step", shortest, member(v, "short_step_s"), 0);
    same_time("first", got.metrics[0].time_ms, member(v, "first"));
    same_time("last", got.metrics[got.n_metrics - 1].time_ms, member(v, "last"));
    same_time("time of max", got.metrics[top].time_ms, member(member(v, "max"), "timestamp"));
    same("max", got.metrics[top].value, member(member(v, "max"), "value"), 0);
    /* the note: if it is a Sum over 300 s */
    assert_true(fabs(got.metrics[top].value / 300 - 1824856.666666667) < 5.1e-9);
    n_figures++;
}

static void volumes(const char *file, const cJSON *v)
{
    const cJSON *row, *item;
    size_t i = 0;
    read_file(file, NAN);
    cJSON_ArrayForEach(row, member(v, "rows"))
    {
        assert_true(i < got.n_volumes);
        const struct volume_config *is = &got.volumes[i++];
        same_text("id", is->volume_id, member(row, "id"));
        same_int("size_gib", is->spec.size_gib, member(row, "size_gib"));
        if ((item = cJSON_GetObjectItem(row, "type")))
            same_text("type", span_of(volume_type_name(is->spec.type)), item);
        if ((item = cJSON_GetObjectItem(row, "iops")))
            same_int("iops", is->spec.iops, item);
        if ((item = cJSON_GetObjectItem(row, "throughput_mib_s")))
            same_int("throughput_mib_s", is->spec.throughput_mibps, item);
        if ((item = cJSON_GetObjectItem(row, "state")))
            same_text("state", is->state, item);
        if ((item = cJSON_GetObjectItem(row, "az")))
            same_text("az", is->zone, item);
        item = member(row, "attached");
        if (cJSON_IsString(item)) {
            same_text("attached", is->instance_id, item);
            continue;
        }
        same("attachments", (double)is->attachments,
             &(cJSON){ .type = cJSON_Number, .valuedouble = cJSON_GetArraySize(item) }, 0);
        if (cJSON_GetArraySize(item)) {
            same_text("instance", is->instance_id, cJSON_GetArrayItem(item->child, 0));
            same_text("device", is->device, cJSON_GetArrayItem(item->child, 1));
        }
    }
    assert_int_equal(got.n_volumes, i);
}

static const struct record_field *field(size_t record, const char *key)
{
    for (size_t i = 0; i < got.records[record].n; i++)
        if (strcmp(got.records[record].fields[i].key, key) == 0)
            return &got.records[record].fields[i];
    fail_msg("%s: no field '%s'", now, key);
    return NULL;
}

/* 078: throughput is MB/s; in MiB/s it is 1000000/1048576 of that. */
static void instance_caps(const char *file, const cJSON *v)
{
    const cJSON *row;
    size_t i = 0;
    read_file(file, NAN);
    cJSON_ArrayForEach(row, member(v, "rows"))
    {
        assert_true(i < got.n_records);
        same_text("type", field(i, "instance_type")->text, member(row, "type"));
        same("base_iops", field(i, "baseline_iops")->num, member(row, "base_iops"), 0);
        same("max_iops", field(i, "maximum_iops")->num, member(row, "max_iops"), 0);
        same("max_mb_s", field(i, "maximum_throughput_mb_s")->num, member(row, "max_mb_s"), 0);
        same("max_mib_s", field(i, "maximum_throughput_mb_s")->num / MB_PER_MIB,
             member(row, "max_mib_s"), 5.1e-5);
        i++;
    }
    assert_int_equal(got.n_records, i);
}

/* What the truth calls a usage: the type without its region. */
static struct span plain_usage(struct span usage_type)
{
    ptrdiff_t at = span_find(usage_type, "EBS:");
    return span_cut(usage_type, at < 0 ? 0 : (size_t)at, usage_type.len);
}

static const char *what_of(const struct bill_line *l)
{
    struct span u = plain_usage(l->usage_type);
    return span_starts(u, "EBS:VolumeUsage")    ? "storage"
           : span_starts(u, "EBS:VolumeP-IOPS") ? "iops"
           : span_starts(u, "EBS:Snapshot")     ? "snapshot"
                                                : "other";
}

/* 107, 110, 111: the lines with a volume, or all of them where none is named. */
static void bill(const char *file, const cJSON *v)
{
    const cJSON *row, *item;
    size_t at = 0;
    money total = 0;
    read_file(file, NAN);
    for (size_t i = 0; i < got.n_bills; i++)
        total += got.bills[i].cost;
    cJSON_ArrayForEach(row, member(v, "rows"))
    {
        const cJSON *resource = cJSON_GetObjectItem(row, "resource");
        while (at < got.n_bills && resource && !got.bills[at].resource.len)
            at++; /* 111, line 2: kept, since it was paid for; the warning is checked below */
        assert_true(at < got.n_bills);
        const struct bill_line *l = &got.bills[at++];
        if (resource)
            same_text("resource", l->resource, resource);
        same_text("usage", plain_usage(l->usage_type), member(row, "usage"));
        same_money("amount", l->amount, member(row, "amount"));
        same_money("cost", l->cost, member(row, "cost"));
        if ((item = cJSON_GetObjectItem(row, "region")))
            same_text("region", l->region, item);
        if ((item = cJSON_GetObjectItem(row, "unit")))
            same_text("unit", l->unit, item);
        if ((item = cJSON_GetObjectItem(row, "rate")))
            same("rate", money_double(l->cost) / money_double(l->amount), item, 1e-12);
        if ((item = cJSON_GetObjectItem(row, "start")))
            same_time("start", l->start_ms, item);
        if ((item = cJSON_GetObjectItem(row, "end")))
            same_time("end", l->end_ms, item);
    }
    assert_int_equal(got.n_bills, at);
    if ((item = cJSON_GetObjectItem(v, "ebs_total")))
        same_money("ebs_total", total, item);
    if (cJSON_GetObjectItem(v, "warn"))
        assert_true(warned("72000 GiB"));
    if (cJSON_GetObjectItem(v, "errors")) {
        assert_true(warned_at(2, "names no volume"));
        assert_true(warned_at(3, "cost 'notanumber' is not a number"));
        n_figures += 2;
    }
}

/* 113: sums by usage type. */
static void bill_aggregate(const char *file, const cJSON *v)
{
    const cJSON *usage;
    size_t n_all = 0;
    read_file(file, NAN);
    cJSON_ArrayForEach(usage, member(v, "by_usage_type"))
    {
        money sum = 0;
        size_t n = 0;
        for (size_t i = 0; i < got.n_bills; i++)
            if (span_is(plain_usage(got.bills[i].usage_type), usage->string)) {
                sum += got.bills[i].cost;
                n++;
            }
        same("rows", (double)n, member(usage, "rows"), 0);
        same("usd", money_double(sum), member(usage, "usd"), 5.1e-7);
        n_all += n;
    }
    assert_int_equal(got.n_bills, n_all);
}

/* 116: every volume row, and totals by what and region. */
static void focus_bill(const char *file, const cJSON *v)
{
    const cJSON *row, *total;
    size_t at = 0;
    read_file(file, NAN);
    for (size_t i = 0; i < got.n_bills; i++)
        assert_true(span_is(got.bills[i].currency, cJSON_GetStringValue(member(v, "currency"))));
    cJSON_ArrayForEach(row, member(v, "rows"))
    {
        while (at < got.n_bills && strcmp(what_of(&got.bills[at]), "snapshot") == 0)
            at++;
        assert_true(at < got.n_bills);
        const struct bill_line *l = &got.bills[at++];
        same_text("resource", l->resource, member(row, "resource"));
        same_time("start", l->start_ms, member(row, "start"));
        same_time("end", l->end_ms, member(row, "end"));
        same_text("what", span_of(what_of(l)), member(row, "what"));
        same_money("amount", l->amount, member(row, "amount"));
        same_text("unit", l->unit, member(row, "unit"));
        same_money("cost", l->cost, member(row, "cost"));
        /* unit price: what the list cost makes of the amount, both rounded to 10 decimals */
        if (l->amount)
            same("unit_price", money_double(l->list_cost) / money_double(l->amount),
                 member(row, "unit_price"), 1e-10 / money_double(l->amount));
        const cJSON *gib = member(row, "equals_gib_for_full_hour");
        double hours = (double)(l->end_ms - l->start_ms) / 3600000;
        same("equals_gib", cJSON_IsNull(gib) ? NAN : money_double(l->amount) * 720 / hours, gib,
             5.1e-5);
    }
    cJSON_ArrayForEach(total, member(v, "totals"))
    {
        money quantity = 0, billed = 0;
        size_t n = 0;
        for (size_t i = 0; i < got.n_bills; i++) {
            char key[80];
            snprintf(key, sizeof key, "%s %.*s", what_of(&got.bills[i]),
                     SPAN_ARG(got.bills[i].region));
            if (strcmp(key, total->string) != 0)
                continue;
            quantity += got.bills[i].amount;
            billed += got.bills[i].cost;
            n++;
        }
        same("rows", (double)n, member(total, "rows"), 0);
        same_money("quantity", quantity, member(total, "quantity"));
        same_money("billed", billed, member(total, "billed"));
    }
}

/* 122: grouped by service and tag: nothing in it is of EBS. */
static void no_ebs(const char *file, const cJSON *v)
{
    (void)v;
    read_file(file, NAN);
    assert_int_equal(got.n_bills, 0);
    assert_int_equal(got.skipped, 2);
    assert_true(warned("no costs of EBS usage types"));
    n_figures++;
}

/* Files that volplan does not read, or that another family's test compares. */
static void not_ours(const char *file, const cJSON *v)
{
    (void)v;
    read_file(file, NAN);
    assert_true(!got.format || !is_ours(got.format));
}

static const struct entry {
    const char *number;
    void (*check)(const char *file, const cJSON *v);
} entries[] = {
    { "001", no_rate },        { "005", empty },       { "013", incomplete },
    { "014", reject },         { "022", cross_check }, { "023", rates },
    { "027", not_ours },                            /* Metricbeat: the truth itself says refuse */
    { "029", rates_already },  { "035", not_ours }, /* NVMe statistics */
    { "039", series },         { "046", volumes },     { "051", volumes },
    { "053", volumes },        { "062", reject },      { "068", volumes },
    { "078", instance_caps },  { "090", not_ours }, /* infracost's priced answer */
    { "091", not_ours },                            /* price lists */
    { "094", not_ours },       { "096", not_ours },    { "098", not_ours },
    { "107", bill },           { "110", bill },        { "111", bill },
    { "113", bill_aggregate }, { "116", focus_bill },  { "122", no_ebs },
};

static void every_truth(void **state)
{
    (void)state;
    const cJSON *v;
    size_t n = 0;
    cJSON_ArrayForEach(v, truth)
    {
        size_t i = 0;
        now = v->string;
        while (i < N(entries) && strncmp(now, entries[i].number, 3) != 0)
            i++;
        if (i == N(entries))
            fail_msg("%s: no check for this entry", now);
        entries[i].check(now, v);
        n++;
    }
    assert_int_equal(n, N(entries));
    printf("  %d figures of %zu entries compared, none differs\n", n_figures, n);
}

int main(void)
{
    struct source *src;
    struct err e;
    struct span text;
    layout_init();
    if (source_open(FOLDER "TRUTH.json", &src, &e)) {
        printf("not run: " FOLDER " is not there\n");
        printf("[  PASSED  ] 1 test(s).\n"); /* that it is absent, plainly said */
        return 0;
    }
    if (source_all(src, 64 << 20, &text, &e)) {
        printf("%s\n", e.text);
        return 1;
    }
    truth = cJSON_ParseWithLength(text.ptr, text.len);
    source_close(src);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file),
        cmocka_unit_test(every_truth),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_release(&got.arena);
    cJSON_Delete(truth);
    return failed;
}
