/* tests/bench/bench_solve.c - how fast systems are planned, beside this machine's own speed.
 *
 * 1 000 systems of 6 groups with 30 days of one-minute samples, made one at a time by each of two
 * threads and planned: demand (sums, percentiles, peaks), volumes, verdict on the instance.  In the
 * same run, over the same doubles: a bare scan for maxima.  SYSTEMS= plans another number. */
#include "models/core/timestamp.h"
#include "planner/solve/plan.h"
#include "tests/planner/synthetic.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

enum { GROUPS = 6, DAYS = 30, MINUTES = DAYS * 1440, THREADS = 2, FIELDS = 4 };

static const int64_t begin_ms = INT64_C(1777593600000); /* 2026-05-01 */

static double clock_s(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The series of one system, in arrays that the next one uses again. */
struct measured {
    int64_t begin_ms[MINUTES], end_ms[MINUTES], file_id[MINUTES], line[MINUTES];
    double rate[GROUPS][FIELDS][MINUTES]; /* IOPS read, written; MiB/s read, written */
    struct load_series series[GROUPS];
};

static double uniform(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 40) / 16777216.0;
}

/* Noise around a daily curve, a nightly batch, and a level of its own for each group. */
static void measure(struct measured *m, uint64_t system)
{
    uint64_t state = system * 977 + 1;
    for (int g = 0; g < GROUPS; g++) {
        double level = 5 + 120 * uniform(&state), kib = 8 + 56 * uniform(&state);
        for (int i = 0; i < MINUTES; i++) {
            int minute = i % 1440;
            double curve =
                minute < 120 ? 2.5 : 0.4 + (minute < 720 ? minute : 1440 - minute) / 720.0;
            double noise = uniform(&state), share = 0.3 + 0.4 * noise;
            double mibps = level * curve * (0.5 + noise * noise);
            m->rate[g][0][i] = mibps * share * 1024 / kib;
            m->rate[g][1][i] = mibps * (1 - share) * 1024 / kib;
            m->rate[g][2][i] = mibps * share;
            m->rate[g][3][i] = mibps * (1 - share);
        }
    }
}

static const char *const devices[GROUPS] = { "nvme1n1", "nvme2n1", "nvme3n1",
                                             "nvme4n1", "nvme5n1", "nvme6n1" };
static const char *const group_names[GROUPS] = { "DATA", "INDEX", "REDO1", "REDO2", "FRA", "TEMP" };

static void prepare(struct measured *m)
{
    for (int i = 0; i < MINUTES; i++) {
        m->begin_ms[i] = begin_ms + (int64_t)i * 60000;
        m->end_ms[i] = m->begin_ms[i] + 60000;
        m->file_id[i] = 1;
        m->line[i] = i + 1;
    }
    for (int g = 0; g < GROUPS; g++)
        m->series[g] = (struct load_series){ .kind = SERIES_DEVICE,
                                             .counts = COUNT_BLOCK,
                                             .host = "db1",
                                             .name = devices[g],
                                             .instance_number = INT64_MIN,
                                             .n = MINUTES,
                                             .begin_ms = m->begin_ms,
                                             .end_ms = m->end_ms,
                                             .read_iops = m->rate[g][0],
                                             .write_iops = m->rate[g][1],
                                             .read_mibps = m->rate[g][2],
                                             .write_mibps = m->rate[g][3],
                                             .file_id = m->file_id,
                                             .line = m->line };
}

struct bench {
    struct layout layout;
    struct layout_group groups[GROUPS];
    int n_systems;
    atomic_int next;
};

struct worker {
    struct bench *b;
    double plan_s, plan_cpu_s; /* by the clock; of the processor */
    double demand_s, scan_s, made_s;
    int64_t total_microusd;
    int failed;
    double sink;
    struct arena arena; /* of the system at hand */
};

static double bare_maxima(const struct measured *m)
{
    double sum = 0;
    for (int g = 0; g < GROUPS; g++)
        for (int f = 0; f < FIELDS; f++) {
            double most = 0;
            for (int i = 0; i < MINUTES; i++)
                most = m->rate[g][f][i] > most ? m->rate[g][f][i] : most;
            sum += most;
        }
    return sum;
}

static int plan_one(struct worker *w, const struct measured *m)
{
    static const char *const paths[] = { "iostat.txt" };
    static const int64_t ids[] = { 1 };
    struct system_load load = { .system = "S",
                                .series = m->series,
                                .n_series = GROUPS,
                                .file_paths = paths,
                                .file_ids = ids,
                                .n_files = 1 };
    struct demand_options o;
    struct plan_options p;
    struct system_demand demand;
    struct plan plan;
    struct arena *a = &w->arena;
    struct err e = { 0 };
    demand_options_init(&o, &builtin_catalogue);
    o.no_percentiles = true; /* as plan does */
    plan_options_init(&p, &builtin_catalogue, begin_ms + DAYS * DAY_MS);
    p.figures_only = true;
    double begin = clock_s(CLOCK_MONOTONIC), begin_cpu = clock_s(CLOCK_THREAD_CPUTIME_ID);
    int rc = system_demand_build(&load, &w->b->layout, &o, a, &demand, &e);
    w->demand_s += clock_s(CLOCK_MONOTONIC) - begin;
    if (!rc)
        rc = plan_build(&demand, &p, a, &plan, &e);
    w->plan_s += clock_s(CLOCK_MONOTONIC) - begin;
    w->plan_cpu_s += clock_s(CLOCK_THREAD_CPUTIME_ID) - begin_cpu;
    if (!rc && plan.status != PLAN_BEST)
        rc = err_set(&e, ERR_NO, "no plan");
    if (rc)
        fprintf(stderr, "%s\n", e.text);
    else
        w->total_microusd += plan.total_microusd;
    arena_reuse(a);
    return rc;
}

static void *work(void *ctx)
{
    struct worker *w = ctx;
    struct measured *m = calloc(1, sizeof *m);
    w->failed = !m;
    if (!m)
        return NULL;
    prepare(m);
    for (int i; !w->failed && (i = atomic_fetch_add(&w->b->next, 1)) < w->b->n_systems;) {
        double begin = clock_s(CLOCK_MONOTONIC);
        measure(m, (uint64_t)i);
        double made = clock_s(CLOCK_MONOTONIC);
        w->sink += bare_maxima(m);
        w->scan_s += clock_s(CLOCK_MONOTONIC) - made;
        w->made_s += made - begin;
        w->failed = plan_one(w, m);
    }
    free(m);
    arena_release(&w->arena);
    return NULL;
}

int main(void)
{
    static struct bench b;
    struct worker workers[THREADS];
    pthread_t threads[THREADS];
    const char *given = getenv("SYSTEMS");
    b.n_systems = given ? (int)strtol(given, NULL, 10) : 1000;
    for (int g = 0; g < GROUPS; g++) {
        b.groups[g] = group_named(group_names[g], g == 2 || g == 3 ? ROLE_REDO : ROLE_DATA);
        b.groups[g].devices = &devices[g];
        b.groups[g].n_devices = 1;
        b.groups[g].need_gib = 200 * (g + 1);
    }
    b.layout = layout_of(b.groups, GROUPS, "r6i.8xlarge");
    for (int t = 0; t < THREADS; t++) {
        workers[t] = (struct worker){ .b = &b };
        if (pthread_create(&threads[t], NULL, work, &workers[t]))
            return 1;
    }
    struct worker all = { .b = &b };
    double slowest_s = 0;
    for (int t = 0; t < THREADS; t++) {
        pthread_join(threads[t], NULL);
        all.plan_s += workers[t].plan_s;
        all.plan_cpu_s += workers[t].plan_cpu_s;
        all.demand_s += workers[t].demand_s;
        all.scan_s += workers[t].scan_s;
        all.made_s += workers[t].made_s;
        all.total_microusd += workers[t].total_microusd;
        all.failed |= workers[t].failed;
        all.sink += workers[t].sink;
        slowest_s = workers[t].plan_s > slowest_s ? workers[t].plan_s : slowest_s;
    }
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    if (all.failed)
        return 1;
    printf(
        "solve: %d systems of %d groups, %d days of one-minute samples each, planned in %.1f s on "
        "two threads (goal 20 for 1 000; %.1f s of processor each), %.0f times a bare maximum of "
        "the same doubles (%.2f s); demand %.0f %% of it; %.0f MiB at most (goal 512); making the "
        "samples %.1f s apart\n",
        b.n_systems, GROUPS, DAYS, slowest_s, all.plan_cpu_s / THREADS, all.plan_s / all.scan_s,
        all.scan_s, 100 * all.demand_s / all.plan_s, (double)u.ru_maxrss / 1024, all.made_s);
    return all.sink > 0 && all.total_microusd > 0 ? 0 : 1;
}
