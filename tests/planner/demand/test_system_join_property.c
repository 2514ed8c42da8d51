/* tests/planner/demand/test_system_join_property.c - sums of random systems against a walk over
 * every second.
 *
 * Each system has two devices with intervals of random length and random gaps between them; the sum
 * at a second is what the devices measured then.  Held: the group's points are that sum, second by
 * second; the peak of the sum is no more than the sum of peaks, and no less than any one of them;
 * the order of the others changes nothing.  The seed is printed; SEED=N replays, FULL=1 runs more.
 */
#include "planner/demand/system_join.h"

#include "tests/planner/synthetic.h"
#include "tests/seeded.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { SYSTEMS = 3, DEVICES = 2, SECONDS = 600 };

static struct seeded chance;

static uint64_t next(uint64_t below)
{
    return seeded_next(&chance) % below;
}

static struct world {
    struct synthetic_series room[SYSTEMS][DEVICES];
    struct load_series series[SYSTEMS][DEVICES];
    struct layout_group group[SYSTEMS];
    struct system_load load[SYSTEMS];
    struct layout layout[SYSTEMS];
    double want[SECONDS], peak[SYSTEMS]; /* NaN = nobody measured */
} w;

static const char *const devices[] = { "nvme1n1", "nvme2n1" };

static void fill(size_t s, size_t d, double *of_system)
{
    struct load_series *series = &w.series[s][d];
    *series = series_in(&w.room[s][d], SERIES_DEVICE, devices[d]);
    for (uint64_t at = next(60); at < SECONDS && series->n < SAMPLES_MAX;) {
        uint64_t length = 1 + next(60), end = at + length < SECONDS ? at + length : SECONDS;
        double mibps = (double)next(1000) / 8; /* exact sums */
        sample(series, &w.room[s][d], (double)at, (double)(end - at), mibps * 4, 0, mibps, 0);
        for (uint64_t t = at; t < end; t++)
            of_system[t] = (isnan(of_system[t]) ? 0 : of_system[t]) + mibps;
        at = end + (next(3) ? 0 : next(90));
    }
}

static void make(void)
{
    memset(&w, 0, sizeof w);
    for (size_t t = 0; t < SECONDS; t++)
        w.want[t] = NAN;
    for (size_t s = 0; s < SYSTEMS; s++) {
        double of_system[SECONDS];
        for (size_t t = 0; t < SECONDS; t++)
            of_system[t] = NAN;
        for (size_t d = 0; d < DEVICES; d++)
            fill(s, d, of_system);
        w.peak[s] = NAN;
        for (size_t t = 0; t < SECONDS; t++) {
            w.peak[s] = fmax(w.peak[s], of_system[t]);
            if (!isnan(of_system[t]))
                w.want[t] = (isnan(w.want[t]) ? 0 : w.want[t]) + of_system[t];
        }
        w.group[s] = group_named("DATA", ROLE_DATA);
        w.group[s].devices = devices;
        w.group[s].n_devices = DEVICES;
        w.load[s] =
            (struct system_load){ .system = "PRD", .series = w.series[s], .n_series = DEVICES };
        w.layout[s] = layout_of(&w.group[s], 1, NULL);
    }
}

static struct system_demand join(const size_t order[SYSTEMS], struct arena *a)
{
    struct demand_source sources[SYSTEMS];
    struct demand_options o;
    struct system_demand own, d;
    struct err e = { 0 };
    demand_options_init(&o, &builtin_catalogue);
    for (size_t s = 0; s < SYSTEMS; s++)
        sources[s] = (struct demand_source){ &w.load[order[s]], &w.layout[order[s]] };
    if (system_demand_of_sources(sources, SYSTEMS, &o, a, &own, &d, &e))
        fail_msg("%s", e.text);
    return d;
}

static void check_seconds(const struct load_points *p)
{
    size_t at = 0;
    for (size_t t = 0; t < SECONDS; t++) {
        int64_t now_ms = morning_ms() + (int64_t)t * 1000;
        while (at < p->n && p->at[at].end_ms <= now_ms)
            at++;
        bool covered = at < p->n && p->at[at].begin_ms <= now_ms;
        assert_int_equal(covered, !isnan(w.want[t]));
        if (covered)
            assert_near(point_total_mibps(&p->at[at]), w.want[t]);
    }
}

static void sums(void **unused)
{
    (void)unused;
    long rounds = getenv("FULL") ? 20000 : 200;
    for (long i = 0; i < rounds; i++) {
        static const size_t forward[] = { 0, 1, 2 }, swapped[] = { 0, 2, 1 };
        struct arena a = { 0 };
        make();
        struct system_demand d = join(forward, &a), other = join(swapped, &a);
        check_seconds(&d.groups[0].points);
        double peak = d.groups[0].profile.metrics[METRIC_TOTAL_MIBPS].max, sum = 0;
        for (size_t s = 0; s < SYSTEMS; s++) {
            sum += w.peak[s];
            assert_true(peak >= w.peak[s] - 1e-9);
        }
        assert_true(peak <= sum + 1e-9);
        assert_near(other.groups[0].profile.metrics[METRIC_TOTAL_MIBPS].max, peak);
        assert_near(other.demand.counted_iops, d.demand.counted_iops);
        arena_release(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(sums) };
    chance.state = seed_of_run(20261130);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
