/* tests/bench/bench_replay.c - how fast a demand is replayed, beside this machine's own speed.
 *
 * On one core, over the same doubles in the same run: a bare scan for maxima, a bare backlog
 * recursion b = max(0, b + (x - c) dt) of every double, and the replay, without buckets (io2) and
 * with (gp2 credits, instance credits).  20 groups, 1 s intervals: noise around a daily curve, and
 * peaks above the ceilings three times a day.  Then 93 days of it, streamed; and a day as measured
 * points, as a whole system and as trials of one group. */
#include "models/core/unit.h"
#include "planner/replay/replay_system.h"
#include "planner/replay/replay_trial.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

enum { GROUPS = 20, DAY_S = 86400, DAYS = 93, ROUNDS = 10 };

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct load {
    double *mibps[GROUPS], *iops[GROUPS];
};

static uint64_t state = 42;

static double uniform(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 40) / 16777216.0;
}

/* A day: 10 to 60 MiB/s in each group; three times for 14 minutes two groups are asked for more
 * than their 500 MiB/s, and at the beginning of each for 2 minutes all of them together for more
 * than the instance's 5 000. */
static void fill_day(struct load *l)
{
    for (int g = 0; g < GROUPS; g++)
        for (int i = 0; i < DAY_S; i++) {
            int since = i % (DAY_S / 3) - 7200;
            bool busy = since >= 0 && since < 14 * 60, all_busy = busy && since < 120;
            double curve = 35 - 25 * cos(2 * 3.14159265358979 * i / DAY_S);
            double extra = busy && g < 2 ? 450 + 100 * uniform() : all_busy ? 200 + 20 * g : 0;
            l->mibps[g][i] = curve * uniform() * uniform() * 4 + extra;
            l->iops[g][i] = l->mibps[g][i] * (8 + 24 * uniform());
        }
}

static volatile double sink;

static void bare_maximum(const double *x, size_t n)
{
    double m = 0;
    for (size_t i = 0; i < n; i++)
        m = x[i] > m ? x[i] : m;
    sink = m;
}

static void bare_recursion(const double *x, size_t n, double ceiling, double dt)
{
    double b = 0, worst = 0;
    for (size_t i = 0; i < n; i++) {
        b += (x[i] - ceiling) * dt;
        b = b > 0 ? b : 0;
        worst = b > worst ? b : worst;
    }
    sink = worst;
}

enum what { MAXIMUM, RECURSION, PLAIN, BUCKETS, WHATS };

/* One pass over a day, s. */
static double pass_s(enum what w, const struct load *l, struct replay *r,
                     const struct replay_era *era)
{
    const double *mibps[GROUPS], *iops[GROUPS];
    double begin = now_s();
    for (int g = 0; g < GROUPS; g++) {
        mibps[g] = l->mibps[g];
        iops[g] = l->iops[g];
        if (w == MAXIMUM) {
            bare_maximum(mibps[g], DAY_S);
            bare_maximum(iops[g], DAY_S);
        } else if (w == RECURSION) {
            bare_recursion(mibps[g], DAY_S, 250, 1);
            bare_recursion(iops[g], DAY_S, 8000, 1);
        }
    }
    if (w == PLAIN || w == BUCKETS) {
        struct replay_block b = {
            .n = DAY_S, .step_s = 1, .total_mibps = mibps, .counted_iops = iops
        };
        replay_restart(r, era, 1);
        replay_feed(r, &b);
    }
    return now_s() - begin;
}

static void ceilings(struct replay_group groups[GROUPS], struct replay_era *era, bool buckets)
{
    for (int g = 0; g < GROUPS; g++)
        groups[g] = (struct replay_group){ .max_throughput_mibps = 500,
                                           .max_iops = 16000,
                                           .credits = buckets ? 5400000 : NAN,
                                           .earn_iops = 1500,
                                           .earns_while_bursting = true,
                                           .requests_per_mib = 4 };
    *era = (struct replay_era){ 0,
                                groups,
                                { .baseline_mibps = buckets ? 1500 : 5000,
                                  .max_mibps = 5000,
                                  .baseline_iops = buckets ? 40000 : 160000,
                                  .max_iops = 160000,
                                  .burst = REPLAY_BURST_CREDITS } };
}

/* Blocks of an hour, made as they are fed. */
static double stream_s(const struct load *l, struct replay *r, const struct replay_era *era)
{
    enum { HOUR = 3600 };
    double begin = now_s();
    replay_restart(r, era, 1);
    for (int day = 0; day < DAYS; day++)
        for (int hour = 0; hour < 24; hour++) {
            const double *mibps[GROUPS], *iops[GROUPS];
            for (int g = 0; g < GROUPS; g++) {
                mibps[g] = l->mibps[(g + day) % GROUPS] + hour * HOUR;
                iops[g] = l->iops[(g + day) % GROUPS] + hour * HOUR;
            }
            struct replay_block b = {
                .n = HOUR, .step_s = 1, .total_mibps = mibps, .counted_iops = iops
            };
            replay_feed(r, &b);
        }
    return now_s() - begin;
}

/* A day of each group as measured points. */
static int make_points(const struct load *l, struct arena *a, struct group_demand *groups)
{
    for (int g = 0; g < GROUPS; g++) {
        struct load_point *p = arena_array(a, DAY_S, sizeof *p);
        if (!p)
            return -1;
        for (int i = 0; i < DAY_S; i++)
            p[i] = (struct load_point){ .begin_ms = i * INT64_C(1000),
                                        .end_ms = (i + 1) * INT64_C(1000),
                                        .interval_s = 1,
                                        .read_iops = l->iops[g][i],
                                        .read_mibps = l->mibps[g][i],
                                        .write_iops = NAN,
                                        .write_mibps = NAN,
                                        .unsplit_iops = NAN,
                                        .unsplit_mibps = NAN,
                                        .counted_iops = l->iops[g][i] };
        groups[g].points = (struct load_points){ p, DAY_S };
    }
    return 0;
}

/* What callers see: blocks made of points, both bounds of a burst; and one group again and again.
 */
static int bench_points(const struct load *l, double recursion_s, struct arena *a, struct err *e)
{
    static const struct layout_volumes gp3[] = { { { VOL_GP3, 1, 500, 4000, 500 }, UNKNOWN } };
    static struct group_demand groups[GROUPS];
    static struct layout_group of[GROUPS];
    enum { TRIALS = 200 };
    struct layout layout = { .system = "BENCH", .groups = of, .n_groups = GROUPS };
    struct system_demand d = { .layout = &layout, .groups = groups, .n_groups = GROUPS };
    struct replay_question q = { .demand = &d, .catalogue = &builtin_catalogue };
    struct replay_system s;
    struct replay_trial *t;
    if (make_points(l, a, groups))
        return -1;
    for (int g = 0; g < GROUPS; g++) {
        of[g] = (struct layout_group){ .name = "G", .skew = 1, .volumes = gp3, .n_volumes = 1 };
        groups[g].group = &of[g];
    }
    q.instance = instance_find(&builtin_catalogue, SPAN_LIT("r6i.32xlarge"));
    double begin = now_s();
    if (replay_system(&q, a, &s, e))
        return -1;
    double system_s = now_s() - begin;
    begin = now_s();
    if (replay_trial_open(&groups[5].points, 1, a, &t, e))
        return -1;
    double open_s = now_s() - begin;
    begin = now_s();
    for (int k = 0; k < TRIALS; k++) {
        struct volume_spec v = { VOL_GP3, 1, 500, 3000 + 100 * k, 500 };
        replay_trial_spec(t, &builtin_catalogue, &v, 1, NULL, INT64_C(1780272000000), NULL, NULL);
    }
    double trial_s = (now_s() - begin) / TRIALS;
    double points = (double)GROUPS * DAY_S;
    printf(
        "replay: a system of points, %.0f ns a group and point (%.2f of a bare recursion); a trial "
        "of one group %.1f ns a point (%.2f), laid out in %.0f ns a point\n",
        system_s / points * 1e9, recursion_s / system_s, trial_s / DAY_S * 1e9,
        recursion_s / GROUPS / trial_s, open_s / DAY_S * 1e9);
    return 0;
}

int main(void)
{
    struct arena a = { 0 };
    struct err e;
    struct load l;
    struct replay_group without[GROUPS], with[GROUPS];
    struct replay_era plain, bursting;
    struct replay *r;
    struct replay_result of_plain, of_bursting;
    for (int g = 0; g < GROUPS; g++) {
        l.mibps[g] = arena_array(&a, DAY_S, sizeof(double));
        l.iops[g] = arena_array(&a, DAY_S, sizeof(double));
        if (!l.mibps[g] || !l.iops[g])
            return 1;
    }
    fill_day(&l);
    ceilings(without, &plain, false);
    ceilings(with, &bursting, true);
    if (replay_open(GROUPS, &plain, 1, &a, &r, &e))
        return 1;
    double points = (double)GROUPS * DAY_S;
    double best[WHATS] = { INFINITY, INFINITY, INFINITY, INFINITY };
    for (int k = 0; k < ROUNDS; k++)
        for (enum what w = MAXIMUM; w < WHATS; w++) {
            best[w] = fmin(best[w], pass_s(w, &l, r, w == PLAIN ? &plain : &bursting));
            if (w == PLAIN)
                replay_instance_result(r, &of_plain);
        }
    replay_instance_result(r, &of_bursting);
    double maximum = best[MAXIMUM], recursion = best[RECURSION];
    double replay = best[PLAIN], buckets = best[BUCKETS];
    double stream = stream_s(&l, r, &plain), stream_buckets = stream_s(&l, r, &bursting);
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    printf("replay: %.0f M group-intervals/s without buckets (%.2f of a bare recursion's %.0f M, "
           "%.2f of a bare maximum's %.0f M; goal 0.50 of the recursion; throttled %.0f s a day), "
           "%.0f M with (%.2f of the recursion; goal 0.10; throttled %.0f s a day)\n",
           points / replay / 1e6, recursion / replay, points / recursion / 1e6, maximum / replay,
           points / maximum / 1e6, of_plain.throttled_s, points / buckets / 1e6,
           recursion / buckets, of_bursting.throttled_s);
    printf(
        "replay: 93 days of 1 s for 20 volumes, %.1f M points, streamed: %.2f s without buckets, "
        "%.2f s with (goal 5 s), %.0f MiB at most (goal 3 072)\n",
        points * DAYS / 1e6, stream, stream_buckets, (double)u.ru_maxrss / 1024);
    int rc = bench_points(&l, recursion, &a, &e);
    arena_release(&a);
    return rc ? 1 : 0;
}
