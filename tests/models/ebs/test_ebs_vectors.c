/* tests/models/ebs/test_ebs_vectors.c - the worked examples of tests/vectors/ebs.csv, one test a
 * row.
 *
 * Left out, by name below: rows of a kind that other parts of the program answer (metric), and
 * prices of fast snapshot restore, archived snapshots and volume clones, which are no prices of a
 * volume. */
#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "models/ebs/io_count.h"
#include "models/ebs/service_price.h"
#include "models/ebs/vol_init.h"
#include "models/ebs/vol_modify.h"
#include "models/ebs/vol_price.h"
#include "models/ebs/vol_rule.h"
#include "models/ebs/vol_service.h"
#include "tests/vectors/vector_tests.h"

static struct vector_rows *v;

static const char *const left_out[] = {
    "V091", "V092", /* metric */
};

static const struct vector_file file = { "tests/vectors/ebs.csv", "kind", left_out,
                                         sizeof left_out / sizeof left_out[0] };

/* A day within each era of the vectors. */
static const struct era {
    const char *name, *day;
} eras[] = {
    { "2025-09+", "2025-10-01" },
    { "2020-12..2025-09", "2022-06-01" },
    { "2018-12+", "2022-06-01" },
    { "classic", "2022-06-01" },
    { "block_express", "2026-01-15" },
    { "2020-11+", "2022-06-01" },
    { "", "2026-01-15" },
};

static int64_t day_ms(const char *day)
{
    struct span s = span_of(day);
    int64_t t;
    assert_int_equal(time_parse_date(&s, &t), 0);
    return t;
}

static int64_t whole(struct span text)
{
    return text.len ? (int64_t)vector_num(text) : UNKNOWN;
}

/* The spec and rule of a row. */
static const struct vol_rule *row_spec(size_t row, struct volume_spec *out)
{
    *out = (struct volume_spec){ .count = 1 };
    assert_int_equal(volume_type_parse(vector_text(v, row, "volume_type"), &out->type), 0);
    out->size_gib = whole(vector_text(v, row, "size_gib"));
    out->iops = whole(vector_text(v, row, "prov_iops"));
    out->throughput_mibps = whole(vector_text(v, row, "prov_mibps"));
    for (size_t i = 0; i < sizeof eras / sizeof eras[0]; i++)
        if (span_is(vector_text(v, row, "era"), eras[i].name))
            return vol_rule_at(&builtin_catalogue, out->type, day_ms(eras[i].day), NULL, UNKNOWN);
    fail_msg("no day for this era");
    return NULL;
}

static struct span other(size_t row, const char *key)
{
    return vector_pair(vector_text(v, row, "expect_other"), key);
}

#define MEETS(got, want) assert_true(vector_meets((got), (want)))

static void row_limit(size_t row)
{
    struct volume_spec s;
    const struct vol_rule *r = row_spec(row, &s);
    struct vol_limits l = vol_limits(r, &s, false);
    struct span iops = vector_text(v, row, "expect_max_iops");
    struct span mibps = vector_text(v, row, "expect_max_mibps");
    if (s.iops == UNKNOWN) { /* asks for the most that may be provisioned */
        MEETS(l.limit_iops, iops);
        MEETS(l.limit_throughput_mibps, mibps);
    } else {
        struct vol_problem problems[VOL_PROBLEMS_MAX];
        assert_int_equal(vol_check(r, &s, problems), 0);
        MEETS(l.max_iops, iops);
        MEETS(l.max_throughput_mibps, mibps);
    }
    MEETS(l.baseline_iops, other(row, "baseline_iops"));
    struct span io_kib = vector_text(v, row, "io_kib");
    if (io_kib.len)
        MEETS(vol_at_size(r, &s, false, vector_num(io_kib)).throughput_mibps, mibps);
}

static void row_io_size(size_t row)
{
    struct volume_spec s;
    const struct vol_rule *r = row_spec(row, &s);
    struct vol_at at = vol_at_size(r, &s, false, vector_num(vector_text(v, row, "io_kib")));
    MEETS(at.iops, vector_text(v, row, "expect_max_iops"));
    MEETS(at.throughput_mibps, vector_text(v, row, "expect_max_mibps"));
}

static void row_gp2_burst(size_t row)
{
    struct volume_spec s;
    const struct vol_rule *r = row_spec(row, &s);
    struct vol_limits l = vol_limits(r, &s, false);
    MEETS(l.max_iops, vector_text(v, row, "expect_max_iops"));
    MEETS(l.baseline_iops, other(row, "baseline_iops"));
    bool none = span_is(other(row, "burst"), "none");
    assert_int_equal(isnan(l.burst_seconds), none);
    assert_int_equal(isnan(l.refill_seconds), none);
    if (!none) {
        MEETS(l.burst_seconds, other(row, "burst_seconds"));
        MEETS(l.refill_seconds, other(row, "refill_seconds"));
    }
}

static void row_hdd(size_t row)
{
    struct volume_spec s;
    const struct vol_rule *r = row_spec(row, &s);
    struct vol_limits l = vol_limits(r, &s, false);
    MEETS(l.max_throughput_mibps, vector_text(v, row, "expect_max_mibps"));
    MEETS(l.baseline_throughput_mibps, other(row, "base_mibps"));
}

/* A full bucket is one full scan; at worst at 90 % of the rate for 99 % of the time. */
static void row_hdd_scan(size_t row)
{
    struct volume_spec s;
    const struct vol_rule *r = row_spec(row, &s);
    double scan_s = vol_limits(r, &s, false).burst_seconds;
    MEETS(scan_s, other(row, "seconds"));
    MEETS(scan_s / 3600, other(row, "scan_hours"));
    MEETS(scan_s / 3600 / (0.90 * 0.99), other(row, "max_scan_hours"));
}

/* Of "ssd": all four types alike. */
static void row_queue(size_t row)
{
    static const enum volume_type ssd[] = { VOL_GP2, VOL_GP3, VOL_IO1, VOL_IO2 };
    double iops = vector_num(vector_text(v, row, "prov_iops"));
    for (size_t i = 0; i < sizeof ssd / sizeof *ssd; i++)
        MEETS((double)vol_queue_depth(ssd[i], iops), other(row, "queue_depth"));
}

/* "8 x 32 KiB" */
static void row_io_count(size_t row)
{
    bool hdd = span_is(vector_text(v, row, "volume_type"), "HDD");
    double cap_kib = hdd ? 1024 : 256;
    struct span app = other(row, "app"), n, x, kib;
    assert_int_equal(span_word(&app, &n) || span_word(&app, &x) || span_word(&app, &kib), 0);
    struct span pattern = other(row, "pattern");
    double got = span_is(pattern, "sequential")
                     ? io_counted_merged(vector_num(n), vector_num(kib), cap_kib)
                     : vector_num(n) * io_counted(vector_num(kib), cap_kib);
    MEETS(got, other(row, "counted"));
}

static void row_stripe(size_t row)
{
    struct volume_spec s;
    const struct vol_rule *r = row_spec(row, &s);
    double one = vol_limits(r, &s, false).max_throughput_mibps;
    MEETS(vector_num(other(row, "volumes")) * one, vector_text(v, row, "expect_max_mibps"));
}

/* The prices a row brings along, as a catalogue of region "example". */
static size_t own_prices(size_t row, enum volume_type type, struct price out[6])
{
    static const struct {
        const char *key;
        enum price_component component;
        int64_t from, to;
        double per;
    } parts[] = {
        { "gb", PRICE_STORAGE, 0, UNKNOWN, 1 },
        { "iops", PRICE_IOPS, 3000, UNKNOWN, 1 },
        { "mbps", PRICE_THROUGHPUT, 125, UNKNOWN, 1 },
        { "iops1", PRICE_IOPS, 0, 32000, 1 },
        { "iops2", PRICE_IOPS, 32000, UNKNOWN, 1 },
        { "io_million", PRICE_REQUESTS, 0, UNKNOWN, 1e6 },
    };
    size_t n = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        struct span usd = vector_pair(vector_text(v, row, "rates"), parts[i].key);
        if (usd.len)
            out[n++] = (struct price){ .region = "example",
                                       .type = type,
                                       .component = parts[i].component,
                                       .tier_from = parts[i].from,
                                       .tier_to = parts[i].to,
                                       .picousd = llround(vector_num(usd) * 1e12 / parts[i].per) };
    }
    return n;
}

/* "0.75(min 1)" is 0.75. */
static double number_before(struct span text)
{
    struct span number;
    span_field(&text, '(', &number);
    return vector_num(number);
}

/* What is sold beside volumes, at the prices of the catalogue.  False for a volume. */
static bool is_service(size_t row)
{
    struct span type = vector_text(v, row, "volume_type");
    const char *name = span_is(type, "fsr")                ? SERVICE_FAST_RESTORE
                       : span_is(type, "snapshot_archive") ? SERVICE_SNAPSHOT_ARCHIVE
                       : span_is(type, "volume_clone")     ? SERVICE_CLONE
                                                           : NULL;
    if (!name)
        return false;
    const struct service_price *p =
        service_price_find(&builtin_catalogue, name, "us-east-1", day_ms("2026-01-15"));
    assert_non_null(p);
    double hours = vector_num(vector_text(v, row, "hours"));
    double gib = vector_num(vector_text(v, row, "size_gib"));
    money sum =
        span_is(type, "fsr")
            ? fast_restore_price(p, whole(other(row, "snapshots")), whole(other(row, "azs")),
                                 number_before(other(row, "hours")))
        : isnan(hours)
            ? service_price_of(p, gib)
            : service_price_of(p, gib * hours / vector_num(vector_text(v, row, "month_hours")));
    MEETS(money_double(sum), vector_text(v, row, "expect_usd"));
    return true;
}

static void row_price(size_t row)
{
    if (is_service(row))
        return;
    struct volume_spec s;
    row_spec(row, &s);
    if (other(row, "volumes").len)
        s.count = whole(other(row, "volumes"));

    struct price prices[6];
    struct catalogue own = { .prices = prices, .n_prices = own_prices(row, s.type, prices) };
    const struct catalogue *c = own.n_prices ? &own : &builtin_catalogue;
    const char *region = own.n_prices ? "example" : "us-east-1";
    if (span_is(vector_text(v, row, "id"), "V113"))
        region = "us-west-2"; /* as its source column says of gp3 */

    struct vol_price p;
    struct err e;
    int64_t as_of_ms;
    int64_t requests = whole(other(row, "io_requests"));
    assert_int_equal(vol_price(c, region, day_ms("2026-01-15"), &s, requests, &p, &as_of_ms, &e),
                     0);
    double part =
        vector_num(vector_text(v, row, "hours")) / vector_num(vector_text(v, row, "month_hours"));
    MEETS((double)p.total_microusd / 1e6 * part, vector_text(v, row, "expect_usd"));
    MEETS((double)p.storage_microusd / 1e6 * part, other(row, "storage"));
    MEETS((double)p.iops_microusd / 1e6 * part, other(row, "iops"));
    MEETS((double)p.iops_microusd / 1e6 * part, other(row, "iops_total_charge"));
    MEETS((double)p.throughput_microusd / 1e6 * part, other(row, "throughput"));
}

/* "gp2->gp3" without figures. */
static void row_modify(size_t row)
{
    struct volume_spec gp2 = { VOL_GP2, 1, whole(vector_text(v, row, "size_gib")), UNKNOWN,
                               UNKNOWN };
    struct volume_spec gp3;
    assert_true(vol_modify_to_gp3(&builtin_catalogue, &gp2, day_ms("2026-01-15"), &gp3));
    const struct vol_rule *r =
        vol_rule_at(&builtin_catalogue, VOL_GP2, day_ms("2026-01-15"), NULL, UNKNOWN);
    struct vol_limits was = vol_limits(r, &gp2, false);
    MEETS(was.baseline_iops, other(row, "from_iops"));
    MEETS(was.max_throughput_mibps, other(row, "from_mibps"));
    MEETS((double)gp3.iops, other(row, "to_iops"));
    MEETS((double)gp3.throughput_mibps, other(row, "to_mibps"));
}

static void row_init(size_t row)
{
    double rate_mibps = vector_num(other(row, "rate_mibps"));
    assert_true(rate_mibps == vol_init_mibps(day_ms("2026-01-15")));
    MEETS(vol_init_s(vector_num(other(row, "snapshot_gib")), rate_mibps), other(row, "seconds"));
}

static const struct kind {
    const char *name;
    void (*check)(size_t row);
    size_t n; /* rows of the file that are checked */
} kinds[] = {
    { "limit", row_limit, 20 },  { "io_size", row_io_size, 4 },   { "gp2_burst", row_gp2_burst, 4 },
    { "hdd", row_hdd, 26 },      { "hdd_scan", row_hdd_scan, 2 }, { "io_count", row_io_count, 4 },
    { "stripe", row_stripe, 1 }, { "price", row_price, 20 },      { "queue", row_queue, 1 },
    { "modify", row_modify, 1 }, { "init", row_init, 1 },
};

static void test_row(void **state)
{
    const struct facts_row *at = *state;
    size_t row = (size_t)(at - v->rows);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (span_is(vector_text(v, row, "kind"), kinds[i].name)) {
            kinds[i].check(row);
            return;
        }
    fail_msg("nobody checks this kind of row");
}

/* A row that vanished, or one more that nobody checks, shows here. */
static void test_every_row_counted(void **state)
{
    (void)state;
    vector_assert_left_out(&file, v);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        vector_assert_count(&file, v, kinds[i].name, kinds[i].n);
}

int main(void)
{
    return vector_tests_run("ebs vectors", &file, &v, test_every_row_counted, test_row);
}
