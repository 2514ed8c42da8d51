/* tests/data/test_rollup.c - a rollup keeps every peak: by hand, and over random loads the maximum,
 * its time and the worst minute of every range of whole hours.  SEED= replays, ROUNDS= how many. */
#include "tests/data/store/roll.h"
#include "tests/seeded.h"

#include "data/load.h"
#include "data/rollup.h"
#include "data/rollup_thin.h"
#include "data/store/store_upkeep.h"
#include "models/core/mem.h"

enum { DEVICES = 4, HOURS = 6 };
static const int64_t start_ms = INT64_C(1652853600000), hour_ms = 3600000, minute_ms = 60000;

/* --- by hand -----------------------------------------------------------------------------------
 */

static struct store_sample minute(int i, double reads, double kib, double await)
{
    return (struct store_sample){ .begin_ms = start_ms + i * minute_ms,
                                  .end_ms = start_ms + (i + 1) * minute_ms,
                                  .line = 10 + i,
                                  .reads_per_s = reads,
                                  .writes_per_s = 0,
                                  .read_kib_per_s = kib,
                                  .write_kib_per_s = 0,
                                  .read_merge_pct = NAN,
                                  .write_merge_pct = NAN,
                                  .read_await_ms = await,
                                  .write_await_ms = NAN,
                                  .await_ms = NAN,
                                  .queue = 1,
                                  .util_pct = NAN,
                                  .total_per_s = NAN,
                                  .total_kib_per_s = NAN,
                                  .longest_ms = UNKNOWN };
}

static void thin(struct store_sample *s, size_t n, int64_t before_ms, const struct kept_times *kept,
                 size_t want_n)
{
    struct store_sample out[8], scratch[8];
    assert_true(n <= 8);
    assert_int_equal(rollup_thin(s, n, before_ms, kept, out, scratch), want_n);
    memcpy(s, out, want_n * sizeof *s);
}

/* Minutes 0 and 1: reads (10 + 30) / 2 = 20; a wait of 2 ms by 10 reads and 4 ms by 30: 3.5 ms.
 * Minute 2 is kept.  Minutes 3 and 4: (1 + 2) / 2 = 1.5.  Minute 5 ends behind the limit. */
static void test_means(void **state)
{
    (void)state;
    struct store_sample s[] = { minute(0, 10, 100, 2), minute(1, 30, 200, 4), minute(2, 90, 900, 9),
                                minute(3, 1, 10, NAN), minute(4, 2, 20, 6),   minute(5, 3, 30, 6) };
    struct stretch at = { start_ms + 2 * minute_ms, start_ms + 3 * minute_ms };
    struct kept_times kept = { .exact = { &at, 1, 1 } };
    thin(s, 6, start_ms + 5 * minute_ms, &kept, 4);
    assert_int_equal(s[0].begin_ms, start_ms);
    assert_int_equal(s[0].end_ms, start_ms + 2 * minute_ms);
    assert_int_equal(s[0].longest_ms, minute_ms);
    assert_int_equal(s[0].line, 10);
    assert_true(s[0].reads_per_s == 20 && s[0].read_kib_per_s == 150);
    assert_true(s[0].read_await_ms == 3.5 && isnan(s[0].write_await_ms) && s[0].queue == 1);
    assert_true(s[1].reads_per_s == 90 && s[1].longest_ms == UNKNOWN);
    assert_true(s[2].reads_per_s == 1.5 && s[2].read_kib_per_s == 15);
    assert_true(s[2].read_await_ms == 6); /* the one that is known */
    assert_true(s[3].reads_per_s == 3 && s[3].longest_ms == UNKNOWN);
}

/* Half minutes from 00:30 on, and the minute from 02:00 on is kept: what is before it and not a
 * whole minute, the whole one, the kept one, the rest; (1 + 2) / 2 of the whole one. */
static void test_kept_minutes(void **state)
{
    (void)state;
    struct store_sample s[7];
    struct stretch at = { start_ms + 2 * minute_ms, start_ms + 3 * minute_ms };
    struct kept_times kept = { .minutes = { &at, 1, 1 } };
    static const double reads[] = { 8, 1, 2, 5, 7, 3, 4 };
    for (int i = 0; i < 7; i++) {
        s[i] = minute(i, reads[i], 1, 1);
        s[i].begin_ms = start_ms + (i + 1) * minute_ms / 2;
        s[i].end_ms = s[i].begin_ms + minute_ms / 2;
    }
    thin(s, 7, start_ms + hour_ms, &kept, 4);
    static const double want[] = { 8, 1.5, 6, 3.5 };
    for (int i = 0; i < 4; i++)
        assert_true(s[i].reads_per_s == want[i] && s[i].end_ms == start_ms + (i + 1) * minute_ms);
    assert_int_equal(s[0].longest_ms, UNKNOWN);
    assert_int_equal(s[1].longest_ms, minute_ms / 2);
}

/* Minutes of 10 reads and 30 writes, and of 50 and 10: writes merged 20 and 60 %, by writes
 * (30 * 20 + 10 * 60) / 40 = 30 %; waits of 2 and 7 ms, by requests (40 * 2 + 60 * 7) / 100 = 5 ms.
 */
static void test_weights(void **state)
{
    (void)state;
    struct store_sample s[] = { minute(0, 10, 1, 1), minute(1, 50, 1, 1) };
    s[0].writes_per_s = 30;
    s[1].writes_per_s = 10;
    s[0].write_merge_pct = 20;
    s[1].write_merge_pct = 60;
    s[0].await_ms = 2;
    s[1].await_ms = 7;
    struct kept_times kept = { 0 };
    thin(s, 2, start_ms + hour_ms, &kept, 1);
    assert_true(s[0].write_merge_pct == 30 && s[0].await_ms == 5);
}

/* A sample that reaches over the end of its hour is no part of a mean of that hour. */
static void test_over_the_hour(void **state)
{
    (void)state;
    struct store_sample s[] = { minute(57, 1, 1, 1), minute(58, 2, 1, 1), minute(59, 9, 1, 1) };
    s[2].end_ms += 30000;
    struct kept_times kept = { 0 };
    thin(s, 3, start_ms + 2 * hour_ms, &kept, 2);
    assert_true(s[0].reads_per_s == 1.5 && s[1].reads_per_s == 9);
    assert_int_equal(s[1].end_ms, start_ms + hour_ms + 30000);
}

struct apart_case {
    const char *why;
    int64_t shift_ms; /* of the second minute */
    int64_t flags;
    bool unknown_writes;
};

/* What two minutes are not made one over. */
static void test_apart(void **state)
{
    const struct apart_case *c = *state;
    struct store_sample s[] = { minute(0, 1, 1, 1), minute(1, 2, 2, 2) };
    s[1].begin_ms += c->shift_ms;
    s[1].end_ms += c->shift_ms;
    s[1].flags = c->flags;
    if (c->unknown_writes)
        s[1].writes_per_s = NAN;
    struct kept_times kept = { 0 };
    thin(s, 2, start_ms + 2 * hour_ms, &kept, 2);
    assert_true(s[0].reads_per_s == 1 && s[1].reads_per_s == 2);
}

static struct apart_case apart_cases[] = {
    { "a gap is not filled", 1, 0, false },
    { "an overlap is not joined", -1, 0, false },
    { "an hour ends", 59 * INT64_C(60000), 0, false },
    { "an average since boot stays", 0, STORE_SINCE_BOOT, false },
    { "an artefact stays", 0, STORE_ARTEFACT, false },
    { "what is unknown stays unknown", 0, 0, true },
};

/* Rates 1 2 2 1 by minutes: the first 2 is the largest, and the worst minute. */
static void test_marker(void **state)
{
    (void)state;
    struct kept_times kept = { 0 };
    struct err e = { 0 };
    struct peak_marker m;
    static const double rates[] = { 1, 2, 2, 1 };
    peak_marker_init(&m, &kept, false);
    for (int i = 0; i < 4; i++)
        assert_int_equal(peak_marker_add(&m, start_ms + i * minute_ms,
                                         start_ms + (i + 1) * minute_ms, rates[i], &e),
                         0);
    assert_int_equal(peak_marker_finish(&m, &e), 0);
    assert_int_equal(kept_times_settle(&kept, &e), 0);
    for (int i = 0; i < 2; i++) {
        const struct stretches *l = i ? &kept.minutes : &kept.exact;
        assert_int_equal(l->n, 1);
        assert_int_equal(l->item[0].begin_ms, start_ms + minute_ms);
        assert_int_equal(l->item[0].end_ms, start_ms + 2 * minute_ms);
        assert_false(stretches_meet(l, start_ms, start_ms + minute_ms));
        assert_true(stretches_meet(l, start_ms, start_ms + minute_ms + 1));
        assert_false(stretches_meet(l, start_ms + 2 * minute_ms, start_ms + 3 * minute_ms));
    }
    kept_times_release(&kept);
}

/* The worst minute of some stretches of load, and its number. */
struct load_part {
    int begin_s, end_s;
    double rate;
};

static int worst_minute(const struct load_part *parts, size_t n, bool is_sum)
{
    struct kept_times kept = { 0 };
    struct err e = { 0 };
    struct peak_marker m;
    peak_marker_init(&m, &kept, is_sum);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(peak_marker_add(&m, start_ms + parts[i].begin_s * INT64_C(1000),
                                         start_ms + parts[i].end_s * INT64_C(1000), parts[i].rate,
                                         &e),
                         0);
    assert_int_equal(peak_marker_finish(&m, &e), 0);
    assert_int_equal(kept.minutes.n, 1);
    int found = (int)((kept.minutes.item[0].begin_ms - start_ms) / minute_ms);
    kept_times_release(&kept);
    return found;
}

/* 20 s of a minute are too few to speak for it, 30 s are enough.  In a sum, 60 s at 4 and another
 * source's 30 s at 4 make (240 + 120) / 60 = 6 of a minute, more than 5; one source alone has a
 * mean of 4 there. */
static void test_worst_minutes(void **state)
{
    (void)state;
    static const struct load_part short_ones[] = { { 0, 20, 10 }, { 60, 90, 5 }, { 120, 180, 4 } };
    static const struct load_part sources[] = { { 0, 60, 4 }, { 0, 30, 4 }, { 60, 120, 5 } };
    assert_int_equal(worst_minute(short_ones, 3, false), 1);
    assert_int_equal(worst_minute(sources, 3, true), 0);
    assert_int_equal(worst_minute(sources, 3, false), 1);
}

/* Stretches that touch become one; a gap between others stays a gap. */
static void test_stretches(void **state)
{
    (void)state;
    struct stretches l = { 0 };
    struct err e = { 0 };
    assert_int_equal(stretches_add(&l, 25, 30, &e), 0);
    assert_int_equal(stretches_add(&l, 10, 20, &e), 0);
    assert_int_equal(stretches_add(&l, 0, 10, &e), 0);
    stretches_settle(&l);
    assert_int_equal(l.n, 2);
    assert_int_equal(l.item[0].end_ms, 20);
    assert_false(stretches_meet(&l, 20, 25));
    assert_true(stretches_meet(&l, 20, 26));
    mem_free(l.item);
}

/* --- random loads ------------------------------------------------------------------------------
 */

static struct seeded chance;

static uint64_t next_random(uint64_t below)
{
    return seeded_next(&chance) % below;
}

/* Mostly small, now and then large; zero for some hours. */
static double random_rate(int64_t t_ms, int device)
{
    if ((t_ms / hour_ms + device) % 5 == 0)
        return 0;
    double v = (double)next_random(1000) / 10;
    return next_random(40) ? v : v * 50;
}

/* Samples of all devices at the same instants, of one length; some are missing. */
static void put_file(struct store *s, unsigned char hash, int64_t from_ms, int64_t length_ms)
{
    fixture_begin(s);
    for (int64_t t = from_ms; t < from_ms + HOURS * hour_ms; t += length_ms) {
        bool gap = next_random(50) == 0;
        for (int d = 0; d < DEVICES && !gap; d++) {
            char name[16];
            struct io_sample v = fixture_sample("sda", 0);
            snprintf(name, sizeof name, "sd%c", 'a' + d);
            v.device = span_of(name);
            v.time_ms = t + length_ms;
            v.interval_s = (double)length_ms / 1000;
            v.reads_per_s = random_rate(t, d);
            v.writes_per_s = random_rate(t, d);
            v.read_kib_per_s = v.reads_per_s * 8 * (double)(1 + next_random(40));
            v.write_kib_per_s = v.writes_per_s * 16;
            v.total_per_s = v.reads_per_s + v.writes_per_s;
            v.total_kib_per_s = v.read_kib_per_s + v.write_kib_per_s;
            fixture_put_sample(s, &v);
        }
    }
    fixture_commit(s, hash);
}

struct worst {
    double max, worst_minute;
    int64_t max_ms;
};

static double rate_of(const struct load_series *s, size_t i, bool bytes)
{
    return bytes ? s->read_mibps[i] + s->write_mibps[i] : s->read_iops[i] + s->write_iops[i];
}

/* Rate * ms in [from, to), and what of it was measured. */
static double part(const struct load_series *s, bool bytes, int64_t from, int64_t to, double *ms)
{
    double sum = 0;
    for (size_t i = 0; i < s->n; i++) {
        int64_t b = s->begin_ms[i] > from ? s->begin_ms[i] : from;
        int64_t e = s->end_ms[i] < to ? s->end_ms[i] : to;
        if (b >= e)
            continue;
        sum += rate_of(s, i, bytes) * (double)(e - b);
        *ms += (double)(e - b);
    }
    return sum;
}

/* The sum of n series at the instants at which all of them have a sample of the same interval. */
static struct worst worst_of(const struct load_series *s, size_t n, bool bytes, int64_t from,
                             int64_t to)
{
    struct worst w = { 0, 0, UNKNOWN };
    for (size_t i = 0; i < s[0].n; i++) {
        if (s[0].begin_ms[i] >= to || s[0].end_ms[i] <= from)
            continue;
        double sum = 0;
        bool all = true;
        for (size_t k = 0; k < n; k++) {
            size_t at = load_series_at(&s[k], s[0].begin_ms[i]);
            all = all && at < s[k].n && s[k].begin_ms[at] == s[0].begin_ms[i] &&
                  s[k].end_ms[at] == s[0].end_ms[i];
            sum += all ? rate_of(&s[k], at, bytes) : 0;
        }
        if (all && sum > w.max) {
            w.max = sum;
            w.max_ms = s[0].begin_ms[i];
        }
    }
    for (int64_t m = from; m < to; m += minute_ms) {
        double sum = 0, ms = 0;
        for (size_t k = 0; k < n; k++)
            sum += part(&s[k], bytes, m, m + minute_ms, &ms);
        double over = n == 1 ? ms : (double)minute_ms;
        if (ms >= (double)n * (double)minute_ms / 2 && sum / over > w.worst_minute)
            w.worst_minute = sum / over;
    }
    return w;
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-6 * fmax(1, fabs(a));
}

static void compare(const struct system_load *was, const struct system_load *is, int64_t from,
                    int64_t to)
{
    for (size_t first = 0; first <= was->n_series; first++)
        for (int bytes = 0; bytes < 2; bytes++) {
            bool all = first == was->n_series;
            const struct load_series *a = &was->series[all ? 0 : first];
            const struct load_series *b = &is->series[all ? 0 : first];
            struct worst x = worst_of(a, all ? was->n_series : 1, bytes, from, to);
            struct worst y = worst_of(b, all ? was->n_series : 1, bytes, from, to);
            if (x.max_ms != y.max_ms || x.max != y.max || !near(x.worst_minute, y.worst_minute))
                fail_msg("%s, %s, hours %lld to %lld: max %.9g at %lld, now %.9g at %lld;"
                         " worst minute %.9g, now %.9g",
                         all ? "all" : a->name, bytes ? "MiB/s" : "requests/s",
                         (long long)((from - start_ms) / hour_ms),
                         (long long)((to - start_ms) / hour_ms), x.max, (long long)x.max_ms, y.max,
                         (long long)y.max_ms, x.worst_minute, y.worst_minute);
        }
}

static double bytes_of(const struct load_series *s)
{
    double ms = 0;
    return part(s, true, INT64_MIN, INT64_MAX, &ms);
}

static void one_round(int64_t length_ms, int64_t offset_ms, bool second_file)
{
    struct arena a = { 0 };
    struct err e = { 0 };
    struct system_load was, is, again;
    struct rollup_counts counts = { 0 }, twice = { 0 };
    unlink(fixture_db);
    struct store *s = fixture_open(STORE_CREATE);
    put_file(s, 1, start_ms + offset_ms, length_ms);
    if (second_file) /* half of its hours are those of the first */
        put_file(s, 2, start_ms + offset_ms + HOURS / 2 * hour_ms + length_ms / 2, length_ms);
    int64_t before_ms = start_ms + (HOURS - 1) * hour_ms + 1234567;
    assert_int_equal(load_system(s, "PRD1", &a, &was, &e), 0);
    roll(s, before_ms, &counts);
    assert_int_equal(load_system(s, "PRD1", &a, &is, &e), 0);
    assert_int_equal(is.n_series, DEVICES);
    if (length_ms <= 60000)
        assert_true(counts.samples_after < counts.samples_before * 9 / 10);
    for (int64_t from = 0; from < HOURS; from++)
        for (int64_t to = from + 1; to <= HOURS; to++)
            compare(&was, &is, start_ms + from * hour_ms, start_ms + to * hour_ms);
    for (size_t i = 0; i < was.n_series; i++)
        assert_true(near(bytes_of(&was.series[i]) / 1e6, bytes_of(&is.series[i]) / 1e6));
    roll(s, before_ms, &twice);
    assert_int_equal(twice.samples_after, twice.samples_before);
    assert_int_equal(load_system(s, "PRD1", &a, &again, &e), 0);
    for (size_t i = 0; i < is.n_series; i++)
        assert_int_equal(again.series[i].n, is.series[i].n);
    store_close(s);
    arena_release(&a);
}

static void test_peaks_stay(void **state)
{
    (void)state;
    static const int64_t lengths[] = { 60000, 5000, 300000, 60000, 15000 };
    static const int64_t offsets[] = { 0, 2000, 0, 30000, 0 };
    const char *rounds = getenv("ROUNDS");
    chance.state = seed_of_run(20220518);
    long n = rounds ? strtol(rounds, NULL, 10) : 10;
    for (long i = 0; i < n; i++)
        one_round(lengths[i % 5], offsets[i % 5], i % 3 == 2);
}

/* Blocks, other series and files behind the time stay byte for byte; nothing is left of a rollup
 * that was not kept. */
static void test_nothing_else_changes(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct rollup_counts counts = { 0 };
    unlink(fixture_db);
    struct store *s = fixture_open(STORE_CREATE);
    put_file(s, 1, start_ms, 60000);
    const char *was = fixture_dump(&a);
    roll(s, start_ms, &counts);
    assert_string_equal(fixture_dump(&a), was);
    assert_int_equal(store_change_begin(s, &e), 0);
    assert_int_equal(rollup_system(s, "PRD1", start_ms + 3 * hour_ms, &counts, &e), 0);
    assert_true(counts.samples_after < counts.samples_before);
    assert_int_equal(store_change_end(s, false, &e), 0);
    assert_string_equal(fixture_dump(&a), was);
    store_close(s);
    arena_release(&a);
}

int main(void)
{
    enum { N_APART = sizeof apart_cases / sizeof *apart_cases };
    struct CMUnitTest tests[9 + N_APART] = {
        cmocka_unit_test(test_means),
        cmocka_unit_test(test_kept_minutes),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_over_the_hour),
        cmocka_unit_test(test_marker),
        cmocka_unit_test(test_worst_minutes),
        cmocka_unit_test(test_stretches),
        cmocka_unit_test(test_peaks_stay),
        cmocka_unit_test(test_nothing_else_changes),
    };
    for (size_t i = 0; i < N_APART; i++)
        tests[9 + i] =
            (struct CMUnitTest){ apart_cases[i].why, test_apart, NULL, NULL, &apart_cases[i] };
    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
