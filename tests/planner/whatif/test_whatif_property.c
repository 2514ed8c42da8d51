/* tests/planner/whatif/test_whatif_property.c - what holds for any redo path and any changes.
 *
 *   adding a standby never lowers any load
 *   cascading never raises the primary's
 *   central lies between lower and upper
 *   both plans pass the checker
 *   any allocation may fail
 * SEED=N replays, COUNT=N sets the number of systems. */
#include "tests/planner/whatif/redo_system.h"

#include "planner/check/plan_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static uint64_t seed = 20260301;
static long count = 150;

/* xorshift64* */
static uint64_t next_random(void)
{
    seed ^= seed >> 12;
    seed ^= seed << 25;
    seed ^= seed >> 27;
    return seed * UINT64_C(2685821657736338717);
}

static double between(double low, double high)
{
    return low + (high - low) * ((double)(next_random() >> 11) / 9007199254740992.0);
}

static size_t below(size_t n)
{
    return (size_t)(next_random() % n);
}

/* A feasible path: n standbys read f of n copies from files; with devices half of the time. */
static void random_system(struct redo_system *s)
{
    incident(s);
    double redo = exp(between(-2, 4)), copies = 1 + (double)below(2);
    s->layout.n_standbys = below(7);
    double n = (double)s->layout.n_standbys, online = between(0, n),
           archived = between(0, n - online);
    set_file(s, 0,
             file_row("Log File", redo * (copies + online), 2 * redo, between(1, 80),
                      between(1, 400)));
    set_file(s, 1,
             file_row("Archive Log", redo * archived, redo * copies, between(1, 80),
                      between(1, 80)));
    set_file(s, 2, file_row("Flashback Log", 0, redo * between(0, 1), 0, 20));
    set_file(s, 3, file_row("Data File", between(0, 90), between(0, 40), 900, 500));
    s->groups[0].redundancy = (enum redundancy)below(3);
    s->groups[2].skew = between(1, 1.5);
    for (size_t g = 0; g < GROUPS_OF_SYSTEM && below(2); g++) {
        add_minutes(s, g, 20, between(0, 40), between(0.5, 40));
        struct synthetic_series *room = &s->rooms[s->load.n_series - 1];
        for (size_t i = 0; i < 20; i++) {
            room->read_mibps[i] *= between(0, 9);
            room->write_mibps[i] *= between(0.1, 9);
        }
    }
}

static bool at_most(double a, double b)
{
    return a <= b + 1e-9 * fmax(1, fabs(b));
}

static void assert_ordered(const struct whatif_loads *l, const char *group)
{
    const struct whatif_rates *at = l->at;
    if (!at_most(at[BOUND_LOWER].total_mibps, at[BOUND_CENTRAL].total_mibps) ||
        !at_most(at[BOUND_CENTRAL].total_mibps, at[BOUND_UPPER].total_mibps) ||
        !at_most(at[BOUND_LOWER].counted_iops, at[BOUND_CENTRAL].counted_iops) ||
        !at_most(at[BOUND_CENTRAL].counted_iops, at[BOUND_UPPER].counted_iops))
        fail_msg("%s: %.12g %.12g %.12g out of order", group, at[0].total_mibps, at[1].total_mibps,
                 at[2].total_mibps);
}

/* Every bound of every group, on average and at the peak: sign * (after - before) >= 0. */
static void assert_moves(const struct whatif *before, const struct whatif *after, double sign)
{
    for (size_t g = 0; g < before->n_groups; g++)
        for (int b = 0; b < BOUND_COUNT; b++)
            for (int peak = 0; peak < 2; peak++) {
                const struct whatif_group *x = &before->groups[g], *y = &after->groups[g];
                const struct whatif_rates *was = peak ? &x->peak.at[b] : &x->average.at[b];
                const struct whatif_rates *now = peak ? &y->peak.at[b] : &y->average.at[b];
                if (!at_most(sign * was->total_mibps, sign * now->total_mibps) ||
                    !at_most(sign * was->counted_iops, sign * now->counted_iops))
                    fail_msg("%s, bound %d, peak %d: %.12g became %.12g", x->group->name, b, peak,
                             was->total_mibps, now->total_mibps);
            }
}

static void build(struct redo_system *s, const struct whatif_options *o, const char *const *changes,
                  struct whatif *out)
{
    if (whatif_of(s, o, changes, out))
        fail_msg("%s", s->err.text);
    assert_false(out->refused);
    for (size_t g = 0; g < out->n_groups; g++) {
        assert_ordered(&out->groups[g].average, out->groups[g].group->name);
        assert_ordered(&out->groups[g].peak, out->groups[g].group->name);
    }
    if (plan_check(&out->plan, &s->err) || plan_check(&out->base, &s->err))
        fail_msg("%s", s->err.text);
}

static void adding_and_cascading(void **state)
{
    (void)state;
    struct whatif_options o = plain_options();
    printf("    SEED=%llu COUNT=%ld\n", (unsigned long long)seed, count);
    for (long i = 0; i < count; i++) {
        struct redo_system s;
        struct whatif nothing, more, cascaded;
        uint64_t now = seed;
        random_system(&s);
        if (calibrate_system(&s, below(2) ? 1 : NAN))
            fail_msg("SEED=%llu: %s", (unsigned long long)now, s.err.text);
        if (s.path.refused)
            fail_msg("SEED=%llu: %s", (unsigned long long)now, s.path.refused);
        build(&s, &o, (const char *const[]){ "growth 0", NULL }, &nothing);
        build(&s, &o, (const char *const[]){ "add-standby x", "add-standby y", NULL }, &more);
        assert_moves(&nothing, &more, 1);
        if (s.layout.n_standbys >= 2) {
            build(&s, &o, (const char *const[]){ "cascade dr2=dr1", NULL }, &cascaded);
            assert_moves(&nothing, &cascaded, -1);
        }
        arena_release(&s.arena);
    }
}

/* Nothing changes: every figure of the scenario is today's. */
static void no_change_changes_nothing(void **state)
{
    (void)state;
    struct whatif_options o = plain_options();
    for (long i = 0; i < count / 4; i++) {
        struct redo_system s;
        struct whatif w;
        random_system(&s);
        assert_int_equal(calibrate_system(&s, NAN), 0);
        build(&s, &o, (const char *const[]){ "growth 0", NULL }, &w);
        for (size_t g = 0; g < w.n_groups; g++) {
            assert_near(w.groups[g].average.at[BOUND_CENTRAL].total_mibps,
                        w.groups[g].average.base.total_mibps);
            assert_near(w.groups[g].peak.at[BOUND_CENTRAL].counted_iops,
                        w.groups[g].peak.base.counted_iops);
        }
        assert_true(w.plan.total_microusd == w.base.total_microusd);
        assert_int_equal(w.base_holds, w.base.status == PLAN_BEST ? HOLDS : HOLDS_NOT);
        arena_release(&s.arena);
    }
}

/* Any order of any changes ends in an answer or in words. */
static void any_changes(void **state)
{
    (void)state;
    static const char *const all[] = { "standbys 9",
                                       "standbys 0",
                                       "standbys 3",
                                       "add-standby x:send=40,mode=sync",
                                       "drop-standby dr2",
                                       "cascade dr1=dr2",
                                       "cascade dr2=dr1",
                                       "farsync fs1",
                                       "role-swap dr1",
                                       "role-swap PRD1",
                                       "members 1",
                                       "members 4",
                                       "redundancy FRA=high",
                                       "growth -30",
                                       "growth 70",
                                       "phase 2026-03-01:standbys=12",
                                       "phase 2026-02-01:members=1 growth=3" };
    struct whatif_options o = plain_options();
    for (long i = 0; i < count; i++) {
        struct redo_system s;
        struct whatif w;
        const char *changes[6] = { NULL };
        random_system(&s);
        size_t n = 1 + below(5);
        for (size_t k = 0; k < n; k++)
            changes[k] = all[below(sizeof all / sizeof *all)];
        assert_int_equal(calibrate_system(&s, NAN), 0);
        int rc = whatif_of(&s, &o, changes, &w);
        assert_true(rc == 0 || (rc == ERR_USAGE && s.err.text[0]));
        if (!rc)
            assert_int_equal(plan_check(&w.plan, &s.err), 0);
        arena_release(&s.arena);
    }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static const char *const changes[] = { "add-standby x:send=3",
                                           "cascade dr2=dr1",
                                           "members 3",
                                           "role-swap dr3",
                                           "phase 2026-03-01:standbys=9",
                                           NULL };
    struct whatif_options o = plain_options();
    int rc;
    long n = 0;
    do {
        struct redo_system s;
        struct whatif w;
        incident(&s);
        add_minutes(&s, 0, 5, 8, 2);
        assert_int_equal(calibrate_system(&s, NAN), 0);
        atomic_store(&mem_calls, 0);
        atomic_store(&mem_fail_at, ++n);
        rc = whatif_of(&s, &o, changes, &w);
        atomic_store(&mem_fail_at, 0);
        assert_true(rc == 0 || rc == ERR_NOMEM);
        arena_release(&s.arena);
    } while (rc);
    assert_true(n > 10);
}

int main(void)
{
    if (getenv("SEED"))
        seed = strtoull(getenv("SEED"), NULL, 10);
    if (getenv("COUNT"))
        count = strtol(getenv("COUNT"), NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adding_and_cascading),
        cmocka_unit_test(no_change_changes_nothing),
        cmocka_unit_test(any_changes),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("whatif_property", tests, NULL, NULL);
}
