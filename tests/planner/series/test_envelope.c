/* tests/planner/series/test_envelope.c - envelopes of random loads at any zoom lose no peak.
 *
 * Loads have intervals of random length, gaps, values that were not measured, load that is neither
 * read nor written, and artefacts.  Held, for any range and number of buckets: buckets tile the
 * intervals they were asked for; the highest of any run of buckets is the highest interval in it,
 * artefacts apart; its lowest is the lowest; what was set apart, censored or waits is marked; and
 * where there is room every interval is a bucket.  The seed is printed; SEED=N replays, FULL=1 runs
 * more. */
#include "planner/series/envelope.h"

#include "models/core/unit.h"
#include "tests/each_allocation.h"
#include "tests/seeded.h"

#include <stdio.h>
#include <stdlib.h>

enum { POINTS_MAX = 700 };

static struct seeded chance;

static uint64_t next(uint64_t below)
{
    return seeded_next(&chance) % below;
}

static struct load_point at[POINTS_MAX];
static unsigned char marks[POINTS_MAX], binding[POINTS_MAX];
static struct load_points points = { at, 0 };
static struct envelope_source source = { &points, marks, binding, false };

static double rate(void)
{
    return next(12) ? (double)next(8000) / 8 : NAN; /* exact sums */
}

static void make_load(void)
{
    int64_t t = (int64_t)next(1000) * 1000;
    points.n = next(POINTS_MAX);
    source.counts_mib = !next(4);
    for (size_t i = 0; i < points.n; i++) {
        int64_t length = (int64_t)(1 + next(120)) * 500;
        t += next(6) ? 0 : (int64_t)next(200) * 500;
        at[i] = (struct load_point){ .begin_ms = t,
                                     .end_ms = t + length,
                                     .interval_s = next(3) ? 60 : 3600,
                                     .read_mibps = rate(),
                                     .write_mibps = rate(),
                                     .unsplit_mibps = next(9) ? NAN : rate(),
                                     .read_iops = rate(),
                                     .write_iops = rate(),
                                     .unsplit_iops = NAN,
                                     .counted_iops = rate() };
        at[i].flags = (next(20) ? 0 : POINT_ARTEFACT) | (next(9) ? 0 : POINT_CENSORED_THROUGHPUT) |
                      (next(9) ? 0 : POINT_ASSUMED) | (next(9) ? 0 : POINT_CENSORED_WAITS);
        marks[i] = (unsigned char)(next(9) ? 0 : ENVELOPE_THROTTLED);
        binding[i] = marks[i] ? (unsigned char)next(5) : ENVELOPE_NO_BINDING;
        t += length;
    }
}

/* What stands in a bucket: the sum of what is known. */
static double total_of(const struct envelope *v, int m, size_t i)
{
    const struct envelope_values *of = &v->values[m];
    return known_sum(known_sum(of->read[i], of->write[i]), of->unsplit[i]);
}

static double interval_total(const struct load_point *p, int m)
{
    if (m == ENVELOPE_MIBPS)
        return point_total_mibps(p);
    return source.counts_mib ? fmax(point_total_iops(p), point_total_mibps(p)) : p->counted_iops;
}

static void assert_same(double got, double want)
{
    if (isnan(want) != isnan(got) || (!isnan(want) && fabs(got - want) > 1e-9 * fmax(1, want)))
        fail_msg("got %.17g, want %.17g", got, want);
}

struct seen {
    double high, low; /* NaN = nothing */
    bool artefact, censored, waits, throttled;
};

/* Intervals that begin in [from_ms, to_ms), of real ones unless there is none. */
static struct seen walk(size_t first, size_t end, int64_t from_ms, int64_t to_ms, int m)
{
    struct seen s = { NAN, NAN, false, false, false, false };
    bool real = false;
    for (size_t i = first; i < end; i++)
        real |= at[i].begin_ms >= from_ms && at[i].begin_ms < to_ms &&
                !(at[i].flags & POINT_ARTEFACT) &&
                !(isnan(interval_total(&at[i], 0)) && isnan(interval_total(&at[i], 1)));
    for (size_t i = first; i < end; i++) {
        if (at[i].begin_ms < from_ms || at[i].begin_ms >= to_ms)
            continue;
        s.artefact |= (at[i].flags & POINT_ARTEFACT) != 0;
        s.censored |= (at[i].flags & POINT_CENSORED_THROUGHPUT) != 0;
        s.waits |= (at[i].flags & POINT_CENSORED_WAITS) != 0;
        s.throttled |= marks[i] != 0;
        if (real && at[i].flags & POINT_ARTEFACT)
            continue;
        s.high = fmax(s.high, interval_total(&at[i], m));
        s.low = fmin(s.low, interval_total(&at[i], m));
    }
    return s;
}

/* What binds is what one of its intervals waits for, and something does where one with values
 * waits and none is an artefact. */
static void check_binding(const struct envelope *v, size_t i, size_t first, size_t end)
{
    bool waits = false, artefact = false, found = v->binding[i] == ENVELOPE_NO_BINDING;
    for (size_t k = first; k < end; k++) {
        if (at[k].begin_ms < v->edge_ms[i] || at[k].begin_ms >= v->edge_ms[i + 1])
            continue;
        found |= binding[k] == v->binding[i];
        artefact |= (at[k].flags & POINT_ARTEFACT) != 0;
        waits |= marks[k] && !isnan(point_total_mibps(&at[k]));
    }
    assert_true(found);
    if (waits && !artefact)
        assert_int_not_equal(v->binding[i], ENVELOPE_NO_BINDING);
}

static void check_bucket(const struct envelope *v, size_t i, size_t first, size_t end)
{
    for (int m = 0; m < ENVELOPE_METRICS; m++) {
        struct seen want = walk(first, end, v->edge_ms[i], v->edge_ms[i + 1], m);
        assert_same(total_of(v, m, i), want.high);
        assert_same(v->values[m].min[i], want.low);
        assert_int_equal(!!(v->state[i] & ENVELOPE_ARTEFACT), want.artefact);
        assert_int_equal(!!(v->state[i] & ENVELOPE_CENSORED), want.censored);
        assert_int_equal(!!(v->state[i] & ENVELOPE_REDO_WAITS), want.waits);
        assert_int_equal(!!(v->state[i] & ENVELOPE_THROTTLED), want.throttled);
    }
    check_binding(v, i, first, end);
}

/* The highest of a run of buckets that hold no artefact is the highest interval in it. */
static void check_runs(const struct envelope *v, size_t first, size_t end)
{
    for (int n = 0; n < 8 && v->n; n++) {
        size_t i = next(v->n), k = i + 1 + next(v->n - i);
        double high = NAN, want = NAN;
        for (size_t b = i; b < k; b++)
            if (!(v->state[b] & ENVELOPE_ARTEFACT))
                high = fmax(high, total_of(v, ENVELOPE_MIBPS, b));
        for (size_t b = i; b < k; b++)
            if (!(v->state[b] & ENVELOPE_ARTEFACT))
                want =
                    fmax(want,
                         walk(first, end, v->edge_ms[b], v->edge_ms[b + 1], ENVELOPE_MIBPS).high);
        assert_same(high, want);
    }
}

static void check(size_t n_wanted, int64_t from_ms, int64_t to_ms)
{
    struct arena a = { 0 };
    struct err e = { 0 };
    struct envelope v;
    size_t first = 0, end = points.n;
    while (first < end && from_ms != UNKNOWN && at[first].end_ms <= from_ms)
        first++;
    while (end > first && to_ms != UNKNOWN && at[end - 1].begin_ms >= to_ms)
        end--;
    assert_int_equal(envelope_build(&source, from_ms, to_ms, n_wanted, &a, &v, &e), 0);
    if (first == end) {
        assert_int_equal(v.n, 0);
        arena_release(&a);
        return;
    }
    assert_in_range(v.n, 1, 2 * n_wanted + 1);
    assert_int_equal(v.edge_ms[0], at[first].begin_ms);
    assert_int_equal(v.edge_ms[v.n], at[end - 1].end_ms);
    size_t filled = 0;
    for (size_t i = 0; i < v.n; i++) {
        assert_true(v.edge_ms[i] < v.edge_ms[i + 1]);
        check_bucket(&v, i, first, end);
        filled += !(v.state[i] & ENVELOPE_HOLE);
    }
    if (end - first <= n_wanted / 2)
        assert_true(v.exact);
    if (v.exact)
        assert_true(filled <= end - first);
    check_runs(&v, first, end);
    arena_release(&a);
}

static void no_peak_is_lost(void **unused)
{
    (void)unused;
    int rounds = getenv("FULL") ? 20000 : 600;
    for (int i = 0; i < rounds; i++) {
        make_load();
        int64_t span = points.n ? at[points.n - 1].end_ms - at[0].begin_ms + 2000 : 1;
        int64_t begin = points.n ? at[0].begin_ms - 1000 : 0;
        int64_t from = begin + (int64_t)next((uint64_t)span),
                to = from + 1 + (int64_t)next((uint64_t)span);
        check(1 + next(900), next(3) ? from : UNKNOWN, next(3) ? to : UNKNOWN);
    }
}

/* --- by hand -----------------------------------------------------------------------------------
 */

static void put(size_t i, double begin_s, double end_s, double read, double write, unsigned flags)
{
    at[i] = (struct load_point){ .begin_ms = (int64_t)(begin_s * 1000),
                                 .end_ms = (int64_t)(end_s * 1000),
                                 .interval_s = end_s - begin_s,
                                 .read_mibps = read,
                                 .write_mibps = write,
                                 .read_iops = read,
                                 .write_iops = write,
                                 .counted_iops = 4 * (read + write),
                                 .flags = flags,
                                 .unsplit_iops = NAN,
                                 .unsplit_mibps = NAN };
    marks[i] = 0;
    binding[i] = ENVELOPE_NO_BINDING;
    points.n = i + 1;
}

/* Four minutes in two buckets: 10+20 beats 25+1, 7+0 beats 1+2; an artefact of 900 does not. */
static void the_interval_stands_for_its_bucket(void **unused)
{
    (void)unused;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct envelope v;
    source.counts_mib = false;
    put(0, 0, 60, 25, 1, 0);
    put(1, 60, 120, 10, 20, POINT_CENSORED_IOPS);
    put(2, 120, 180, 900, 0, POINT_ARTEFACT);
    put(3, 180, 240, 7, 0, 0);
    assert_int_equal(envelope_build(&source, UNKNOWN, UNKNOWN, 2, &a, &v, &e), 0);
    assert_int_equal(v.n, 2);
    assert_false(v.exact);
    assert_int_equal(v.edge_ms[1], 120000);
    assert_same(v.values[ENVELOPE_MIBPS].read[0], 10);
    assert_same(v.values[ENVELOPE_MIBPS].write[0], 20);
    assert_same(v.values[ENVELOPE_MIBPS].min[0], 26);
    assert_same(v.values[ENVELOPE_MIBPS].read[1], 7);
    assert_same(v.values[ENVELOPE_IOPS].read[0], 40); /* 120 counted, by 10 : 20 */
    assert_same(v.values[ENVELOPE_IOPS].write[0], 80);
    assert_int_equal(v.state[0], ENVELOPE_CENSORED);
    assert_int_equal(v.state[1], ENVELOPE_ARTEFACT);
    arena_release(&a);
}

/* Half an interval is jitter of a clock, more is a gap; an hour is averaged. */
static void gaps_are_holes(void **unused)
{
    (void)unused;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct envelope v;
    put(0, 0, 60, 1, 1, 0);
    put(1, 90, 150, 2, 2, 0);
    put(2, 181, 241, 3, 3, 0);
    put(3, 241, 3841, 4, 4, POINT_ASSUMED);
    assert_int_equal(envelope_build(&source, UNKNOWN, UNKNOWN, 10, &a, &v, &e), 0);
    assert_true(v.exact);
    assert_int_equal(v.n, 5);
    assert_int_equal(v.edge_ms[1], 90000);  /* the first bucket reaches over the 30 s */
    assert_int_equal(v.edge_ms[2], 150000); /* 31 s are a hole */
    assert_int_equal(v.state[2], ENVELOPE_HOLE);
    assert_true(isnan(v.values[ENVELOPE_MIBPS].read[2]));
    assert_int_equal(v.state[4], ENVELOPE_AVERAGED | ENVELOPE_ASSUMED);
    arena_release(&a);
}

/* 10 s, a gap of 20 s, 10 s, in two buckets of 20 s: a gap as long as a bucket is a hole.  As many
 * intervals as buckets are told each. */
static void a_gap_as_long_as_a_bucket(void **unused)
{
    (void)unused;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct envelope v;
    put(0, 0, 10, 1, 0, 0);
    put(1, 30, 40, 2, 0, 0);
    assert_int_equal(envelope_build(&source, UNKNOWN, UNKNOWN, 2, &a, &v, &e), 0);
    assert_false(v.exact);
    assert_int_equal(v.n, 3);
    assert_int_equal(v.edge_ms[1], 10000);
    assert_int_equal(v.state[1], ENVELOPE_HOLE);
    assert_int_equal(v.edge_ms[2], 30000);
    put(1, 10, 20, 2, 0, 0);
    assert_int_equal(envelope_build(&source, UNKNOWN, UNKNOWN, 2, &a, &v, &e), 0);
    assert_true(v.exact);
    assert_int_equal(v.n, 2);
    arena_release(&a);
}

/* What binds the highest interval is what binds its bucket; where only requests are known, they
 * tell how well. */
static void the_highest_tells_the_rest(void **unused)
{
    (void)unused;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct envelope v;
    put(0, 0, 60, 1, 0, 0);
    put(1, 60, 120, 9, 0, 0);
    put(2, 120, 180, 2, 0, 0);
    binding[0] = 3;
    binding[1] = 1;
    binding[2] = 4;
    assert_int_equal(envelope_build(&source, UNKNOWN, UNKNOWN, 1, &a, &v, &e), 0);
    assert_int_equal(v.n, 1);
    assert_int_equal(v.binding[0], 1);
    put(0, 0, 3600, NAN, NAN, POINT_ASSUMED);
    at[0].counted_iops = 100;
    assert_int_equal(envelope_build(&source, UNKNOWN, UNKNOWN, 1, &a, &v, &e), 0);
    assert_int_equal(v.state[0], ENVELOPE_AVERAGED | ENVELOPE_ASSUMED);
    arena_release(&a);
}

/* HDD counts requests of up to 1 MiB: reads of 10 requests and 100 MiB count 100, writes of 60 and
 * 20 MiB count 60.  Together max(70, 120) = 120, so reads 120 * 100 / 160 = 75 and writes 45. */
static void requests_of_one_mib(void **unused)
{
    (void)unused;
    put(0, 0, 60, 100, 20, 0);
    at[0].read_iops = 10;
    at[0].write_iops = 60;
    struct envelope_load l = envelope_load_of(&at[0], ENVELOPE_IOPS, true);
    assert_same(l.total, 120);
    assert_same(l.read, 75);
    assert_same(l.write, 45);
}

static void memory_runs_out(void **unused)
{
    (void)unused;
    struct each_allocation it = { 0 };
    struct envelope v;
    put(0, 0, 60, 1, 1, 0);
    while (each_allocation(&it))
        it.rc = envelope_build(&source, UNKNOWN, UNKNOWN, 4000, &it.a, &v, &it.e);
}

int main(void)
{
    chance.state = seed_of_run(20261130);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_peak_is_lost),
        cmocka_unit_test(the_interval_stands_for_its_bucket),
        cmocka_unit_test(gaps_are_holes),
        cmocka_unit_test(a_gap_as_long_as_a_bucket),
        cmocka_unit_test(the_highest_tells_the_rest),
        cmocka_unit_test(requests_of_one_mib),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
