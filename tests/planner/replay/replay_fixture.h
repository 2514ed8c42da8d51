/* tests/planner/replay/replay_fixture.h - a replay in a few lines, and numbers for random ones. */
#ifndef TESTS_PLANNER_REPLAY_REPLAY_FIXTURE_H
#define TESTS_PLANNER_REPLAY_REPLAY_FIXTURE_H

#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "models/facts/catalogue.h"
#include "planner/replay/replay.h"
#include "planner/replay/replay_setup.h"
#include "tests/seeded.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FIXTURE_GROUPS = 4, FIXTURE_INTERVALS = 512 };

/* Rates over [edge, next edge); fill, then fixture_run. */
struct fixture {
    size_t n_groups, n;
    double edge_s[FIXTURE_INTERVALS + 1];
    double mibps[FIXTURE_GROUPS][FIXTURE_INTERVALS], iops[FIXTURE_GROUPS][FIXTURE_INTERVALS];
    struct replay_group groups[FIXTURE_GROUPS];
    struct replay_instance instance;
    struct replay_result group[FIXTURE_GROUPS], host;
    size_t thinned;
};

static inline int64_t fixture_day(const char *date)
{
    struct span s = span_of(date);
    int64_t t = UNKNOWN;
    assert_int_equal(time_parse_date(&s, &t), 0);
    return t;
}

/* "gp2", 100 GiB, UNKNOWN, UNKNOWN: the ceilings of count volumes on a day. */
static inline struct replay_group fixture_volumes(const char *as_of, enum volume_type type,
                                                  int64_t count, int64_t gib, int64_t iops,
                                                  int64_t mibps, double skew)
{
    struct layout_volumes row = { { type, count, gib, iops, mibps }, UNKNOWN };
    struct replay_group g;
    assert_true(replay_group_at(&builtin_catalogue, &row, 1, skew, NULL, fixture_day(as_of), &g));
    return g;
}

static inline struct replay_instance fixture_instance(const char *name, enum replay_burst burst)
{
    const struct instance_type *t = instance_find(&builtin_catalogue, span_of(name));
    struct instance_caps caps;
    struct err e;
    assert_non_null(t);
    assert_int_equal(instance_caps(&builtin_catalogue, t, WEIGHTING_DEFAULT, 1, &caps, &e), 0);
    return replay_instance_of(&caps, t->ebs_cards, burst);
}

static inline void fixture_init(struct fixture *f, size_t n_groups)
{
    *f = (struct fixture){ .n_groups = n_groups, .instance = replay_instance_unknown() };
    for (size_t g = 0; g < n_groups; g++)
        f->groups[g] = replay_group_unknown();
}

/* One more interval of the first group. */
static inline void fixture_add(struct fixture *f, double length_s, double mibps, double iops)
{
    assert_true(f->n < FIXTURE_INTERVALS);
    f->mibps[0][f->n] = mibps;
    f->iops[0][f->n] = iops;
    f->edge_s[f->n + 1] = f->edge_s[f->n] + length_s;
    f->n++;
}

static inline void fixture_run_traced(struct fixture *f, const struct replay_trace *groups,
                                      const struct replay_trace *host)
{
    struct arena a = { 0 };
    struct err e = { 0 };
    struct replay_era era = { 0, f->groups, f->instance };
    struct replay *r;
    const double *mibps[FIXTURE_GROUPS], *iops[FIXTURE_GROUPS];
    for (size_t g = 0; g < f->n_groups; g++) {
        mibps[g] = f->mibps[g];
        iops[g] = f->iops[g];
    }
    struct replay_block b = { .n = f->n,
                              .edge_s = f->edge_s,
                              .total_mibps = mibps,
                              .counted_iops = iops,
                              .group_traces = groups,
                              .instance_trace = host };
    assert_int_equal(replay_open(f->n_groups, &era, 1, &a, &r, &e), 0);
    replay_feed(r, &b);
    for (size_t g = 0; g < f->n_groups; g++)
        replay_group_result(r, g, &f->group[g]);
    replay_instance_result(r, &f->host);
    f->thinned = replay_thinned(r);
    arena_release(&a);
}

static inline void fixture_run(struct fixture *f)
{
    fixture_run_traced(f, NULL, NULL);
}

/* Within 1e-7 relative; ceilings count 1e-9 more than given. */
#define assert_near(got, want) assert_near_(got, want, #got, __FILE__, __LINE__)
static inline void assert_near_(double got, double want, const char *what, const char *file,
                                int line)
{
    if (fabs(got - want) > 1e-7 * fmax(1, fabs(want)) || isnan(got) != isnan(want)) {
        print_error("%s is %.12g, want %.12g\n", what, got, want);
        _fail(file, line);
    }
}

/* --- random numbers --------------------------------------------------------------------------- */

static struct seeded fixture_chance;

static inline double fixture_between(double low, double high)
{
    return seeded_between(&fixture_chance, low, high);
}

static inline int fixture_int(int low, int high)
{
    return (int)seeded_int(&fixture_chance, low, high);
}

/* As many rounds as a full run asks for, or few. */
static inline int fixture_rounds(int few, int full)
{
    return getenv("FULL") ? full : few;
}

#endif
