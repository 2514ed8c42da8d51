/* tests/planner/whatif/test_whatif_property.c - what holds for any redo path and any changes.
 *
 *   adding a standby never lowers any load
 *   cascading never raises the primary's
 *   central lies between lower and upper
 *   losing merges never lowers requests, and bytes stay
 *   splitting at the largest request, or above, changes nothing
 *   a backup adds its rate times its hours, each time it runs
 *   moving a load that repeats itself daily by days changes nothing
 *   both plans pass the checker
 *   any allocation may fail
 * SEED=N replays, COUNT=N sets the number of systems. */
#include "tests/planner/whatif/redo_system.h"
#include "tests/seeded.h"

#include "planner/check/plan_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static struct seeded chance;
static long count = 150;

static double between(double low, double high)
{
    return seeded_between(&chance, low, high);
}

static size_t below(size_t n)
{
    return seeded_next(&chance) % n;
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
    for (long i = 0; i < count; i++) {
        struct redo_system s;
        struct whatif nothing, more, cascaded;
        uint64_t now = chance.state;
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

static double largest(double mibps, double iops, double kib)
{
    return mibps > 0 && iops > 0 ? fmax(kib, mibps * 1024 / iops) : kib;
}

/* The largest mean request of any sample and average, KiB; standbys' reads may be 1 MiB. */
static double largest_request(const struct whatif *w)
{
    const struct system_demand *d = w->plan.demand;
    double kib = 1024;
    for (size_t g = 0; g < d->n_groups; g++) {
        for (size_t i = 0; i < d->groups[g].points.n; i++) {
            const struct load_point *p = &d->groups[g].points.at[i];
            kib = largest(p->read_mibps, p->read_iops, kib);
            kib = largest(p->write_mibps, p->write_iops, kib);
        }
        for (int b = 0; b < BOUND_COUNT; b++) {
            struct path_rates r = scenario_here(w->scenario, g, (enum bound)b);
            kib = largest(r.read_mibps, r.read_iops, kib);
            kib = largest(r.write_mibps, r.write_iops, kib);
        }
    }
    return kib;
}

static void cutting_requests(void **state)
{
    (void)state;
    struct whatif_options o = plain_options();
    long split = 0;
    for (long i = 0; i < count / 2; i++) {
        struct redo_system s;
        struct whatif nothing, lost, same;
        char change[40];
        random_system(&s);
        assert_int_equal(calibrate_system(&s, below(2) ? 1 : NAN), 0);
        build(&s, &o, (const char *const[]){ "growth 0", NULL }, &nothing);
        build(&s, &o, (const char *const[]){ "merge-loss", NULL }, &lost);
        assert_moves(&nothing, &lost, 1);
        for (size_t g = 0; g < nothing.n_groups; g++)
            assert_near(lost.groups[g].peak.at[BOUND_CENTRAL].total_mibps,
                        nothing.groups[g].peak.at[BOUND_CENTRAL].total_mibps);
        double kib = ceil(largest_request(&nothing));
        if (kib <= 32768) {
            split++;
            snprintf(change, sizeof change, "split %.0f", kib);
            build(&s, &o, (const char *const[]){ change, NULL }, &same);
            assert_moves(&nothing, &same, 1);
            assert_moves(&nothing, &same, -1);
        }
        arena_release(&s.arena);
    }
    assert_true(split > 0);
}

static void a_backup_adds_what_it_reads(void **state)
{
    (void)state;
    struct whatif_options o = plain_options();
    for (long i = 0; i < count / 2; i++) {
        struct redo_system s;
        struct whatif w;
        char change[80];
        double hours = ceil(between(0, 23) * 100) / 100, mibps = ceil(between(0, 500));
        random_system(&s);
        assert_int_equal(calibrate_system(&s, NAN), 0);
        snprintf(change, sizeof change, "rman %02zu:%02zu,%.2f,%.0f", below(24), below(60), hours,
                 mibps);
        build(&s, &o, (const char *const[]){ change, NULL }, &w);
        double added =
            mib_of(&w.plan.demand->groups[3].points) - mib_of(&s.demand.groups[3].points);
        double want = mibps * hours * 3600 * (double)w.scenario->windows[0].times;
        if (fabs(added - want) > 1e-6 * want)
            fail_msg("%s: %.9g MiB, not %.9g", change, added, want);
        arena_release(&s.arena);
    }
}

/* Three days of the same 20 minutes. */
static void moving_what_repeats_itself(void **state)
{
    (void)state;
    enum { EACH_DAY = 20, DAYS = 3 };
    static const char *const shifts[] = { "shift FRA=24", "shift FRA=-24", "shift FRA=48" };
    struct whatif_options o = plain_options();
    for (long i = 0; i < count / 5; i++) {
        struct redo_system s;
        struct whatif nothing, moved;
        incident(&s);
        for (size_t g = 0; g < GROUPS_OF_SYSTEM; g++) {
            add_minutes(&s, g, EACH_DAY * DAYS, 0, 0);
            struct synthetic_series *room = &s.rooms[s.load.n_series - 1];
            for (size_t k = 0; k < EACH_DAY * DAYS; k++) {
                int64_t day = (int64_t)(k / EACH_DAY);
                room->begin_ms[k] += day * (DAY_MS - EACH_DAY * 60000);
                room->end_ms[k] = room->begin_ms[k] + 60000;
                room->read_mibps[k] = day ? room->read_mibps[k % EACH_DAY] : between(0, 90);
                room->write_mibps[k] = day ? room->write_mibps[k % EACH_DAY] : between(0, 90);
            }
        }
        s.load.series += s.snapshot.n_filetypes; /* devices alone */
        s.load.n_series -= s.snapshot.n_filetypes;
        s.load.n_snapshots = 0;
        assert_int_equal(calibrate_system(&s, NAN), 0);
        build(&s, &o, (const char *const[]){ "growth 0", NULL }, &nothing);
        build(&s, &o, (const char *const[]){ shifts[below(3)], NULL }, &moved);
        assert_moves(&nothing, &moved, 1);
        assert_moves(&nothing, &moved, -1);
        assert_near(moved.plan.demand->demand.total_mibps, nothing.plan.demand->demand.total_mibps);
        assert_near(moved.plan.demand->demand.counted_iops,
                    nothing.plan.demand->demand.counted_iops);
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
                                       "phase 2026-02-01:members=1 growth=3",
                                       "merge-loss",
                                       "merge-loss DATA:1,merged=40",
                                       "split 16",
                                       "rman 23:30,3,80,FRA",
                                       "restore 2022-05-18T07:03,0.1,300",
                                       "shift DATA=5.3",
                                       "phase 2026-04-01:shift=FRA=-3 rman=01:00,2,9" };
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
    struct redo_system s;
    incident(&s);
    add_minutes(&s, 0, 5, 8, 2);
    assert_int_equal(calibrate_system(&s, NAN), 0);
    assert_true(whatif_each_allocation(&s, changes) > 10);
    arena_release(&s.arena);
}

int main(void)
{
    chance.state = seed_of_run(20260301);
    if (getenv("COUNT"))
        count = strtol(getenv("COUNT"), NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adding_and_cascading),       cmocka_unit_test(no_change_changes_nothing),
        cmocka_unit_test(cutting_requests),           cmocka_unit_test(a_backup_adds_what_it_reads),
        cmocka_unit_test(moving_what_repeats_itself), cmocka_unit_test(any_changes),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("whatif_property", tests, NULL, NULL);
}
