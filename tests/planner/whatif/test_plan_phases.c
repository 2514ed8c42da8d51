/* tests/planner/whatif/test_plan_phases.c - a system over dated phases, and what planner/check says
 * of phases that cannot be. */
#include "planner/whatif/plan_phases.h"

#include "planner/check/phases_check.h"
#include "tests/planner/whatif/redo_system.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { PHASES_OF_TEST = 3 };

struct dated {
    struct redo_system s;
    struct scenario as_it_is;
    struct phase_change changes[PHASES_OF_TEST];
    struct plan_phases p;
};

static int build_with(struct dated *d, const char *const *days, const char *const *texts, size_t n,
                      const char *end, const char *instance_type, const struct catalogue *catalogue)
{
    struct whatif_options o = plain_options();
    o.plan.catalogue = catalogue;
    incident(&d->s);
    d->s.layout.instance_type = instance_type;
    int rc = calibrate_system(&d->s, NAN);
    if (!rc)
        rc = scenario_init(&d->as_it_is, &d->s.demand, &d->s.path, &d->s.arena, &d->s.err);
    for (size_t i = 0; i < n && !rc; i++) {
        struct phase_change *c = &d->changes[i];
        c->from_ms = day_ms(days[i]);
        c->to_ms = i + 1 == n && end ? day_ms(end) : UNKNOWN;
        rc = whatif_changes_parse(span_of(texts[i]), &d->s.arena, &c->changes, &c->n_changes,
                                  &d->s.err);
    }
    return rc ? rc
              : plan_phases_build(&d->as_it_is, d->changes, n, &o.plan, &d->s.arena, &d->p,
                                  &d->s.err);
}

static int build(struct dated *d, const char *const *days, const char *const *texts, size_t n,
                 const char *end, const char *instance_type)
{
    return build_with(d, days, texts, n, end, instance_type, &builtin_catalogue);
}

static const char *const dates[] = { "2026-01-10", "2026-03-01", "2026-06-01" };

static const struct phase_group *group_named_of(const struct plan_phase *p, const char *name)
{
    for (size_t g = 0; g < p->n_groups; g++)
        if (strcmp(p->groups[g].apart->group->name, name) == 0)
            return &p->groups[g];
    return NULL;
}

/* Migration with twice the standbys, rollback window, steady state with fewer. */
static void a_migration(void **state)
{
    (void)state;
    static struct dated d;
    static const char *const texts[] = { "--standbys 12", "--standbys 9 --growth 10",
                                         "--standbys 3" };
    if (build(&d, dates, texts, 3, "2026-09-01", NULL) || phases_check(&d.p, &d.s.err))
        fail_msg("%s", d.s.err.text);
    assert_int_equal(d.p.n, 3);
    assert_int_equal(d.p.status, PLAN_BEST);
    const struct plan_phase *p = d.p.at;
    assert_int_equal(p[0].until_ms, day_ms("2026-03-01"));
    assert_int_equal(p[1].until_ms, day_ms("2026-06-01"));
    assert_int_equal(p[2].until_ms, day_ms("2026-09-01"));
    assert_string_equal(p[0].rule->words, "6 h apart");
    assert_string_equal(p[1].rule->words, "four in 24 h, each after the one before is complete");
    /* Changes are on top of those before: the growth stays. */
    double data = group_named_of(&p[0], "DATA")->apart->demand->demand.total_mibps;
    assert_near(group_named_of(&p[1], "DATA")->apart->demand->demand.total_mibps, data * 1.1);
    assert_near(group_named_of(&p[2], "DATA")->apart->demand->demand.total_mibps, data * 1.1);
    /* 50, 92 and 92 days of 24 h, a month being 730 h. */
    double want = 0, rank = 0, apart = 0, hours[] = { 50 * 24, 92 * 24, 92 * 24 };
    for (size_t i = 0; i < 3; i++) {
        want += (double)p[i].total_microusd * hours[i] / 730;
        for (size_t g = 0; g < p[i].n_groups; g++) {
            rank += (double)p[i].groups[g].choice.option.rank_microusd * hours[i];
            apart += (double)p[i].groups[g].apart->chosen.rank_microusd * hours[i];
        }
    }
    assert_true(fabs(want - (double)d.p.total_microusd) < 3);
    assert_true(rank >= apart); /* what cannot shrink is never cheaper in the ranking */
    arena_release(&d.s.arena);
}

/* The last phase counts a month where it has no end; one phase is the plan. */
static void one_phase_is_the_plan(void **state)
{
    (void)state;
    static struct dated d;
    static const char *const texts[] = { "" };
    if (build(&d, dates, texts, 1, NULL, NULL) || phases_check(&d.p, &d.s.err))
        fail_msg("%s", d.s.err.text);
    assert_int_equal(d.p.at[0].until_ms - d.p.at[0].change->from_ms, 730 * INT64_C(3600000));
    assert_int_equal(d.p.total_microusd, d.p.at[0].apart->total_microusd);
    for (size_t g = 0; g < d.p.at[0].n_groups; g++)
        assert_int_equal(d.p.at[0].groups[g].choice.option.rank_microusd,
                         d.p.at[0].groups[g].apart->chosen.rank_microusd);
    arena_release(&d.s.arena);
}

/* A second member is a group of its own from then on. */
static void a_group_may_come_later(void **state)
{
    (void)state;
    static struct dated d;
    static const char *const texts[] = { "--members 1", "--members 2" };
    if (build(&d, dates, texts, 2, NULL, NULL) || phases_check(&d.p, &d.s.err))
        fail_msg("%s", d.s.err.text);
    assert_int_equal(d.p.at[1].n_groups, d.p.at[0].n_groups + 1);
    arena_release(&d.s.arena);
}

/* 10 times the load takes more volumes: those there stay, others come beside them. */
static void volumes_are_added(void **state)
{
    (void)state;
    static struct dated d;
    static const char *const texts[] = { "", "--growth 900" };
    if (build(&d, dates, texts, 2, NULL, NULL) || phases_check(&d.p, &d.s.err))
        fail_msg("%s", d.s.err.text);
    int64_t added_beside = 0;
    for (size_t g = 0; g < d.p.at[1].n_groups; g++) {
        const struct phase_choice *c = &d.p.at[1].groups[g].choice;
        if (c->added < c->option.spec.count)
            added_beside += c->added;
    }
    assert_true(added_beside > 0);
    arena_release(&d.s.arena);
}

static void too_few_slots(void **state)
{
    (void)state;
    static struct dated d;
    static const char *const texts[] = { "--standbys 12", "--standbys 60" };
    /* t3.nano: whatever it attaches, the plan of each phase by itself fits, and so do these. */
    if (build(&d, dates, texts, 2, NULL, "t3.nano") || phases_check(&d.p, &d.s.err))
        fail_msg("%s", d.s.err.text);
    for (size_t i = 0; i < 2; i++) {
        int64_t n = 1;
        for (size_t g = 0; g < d.p.at[i].n_groups; g++)
            n += d.p.at[i].groups[g].choice.option.spec.count;
        assert_true(n <= d.p.at[i].apart->instance.caps.volumes);
    }
    arena_release(&d.s.arena);
}

/* Two cards that together pass just what the peak asks for: not with what is cheapest for each
 * group.  Phases have the same numbers of volumes as the plan, and are not called best. */
static void as_the_cards_ask(void **state)
{
    (void)state;
    static struct dated d;
    static const char *const texts[] = { "" };
    struct catalogue c = builtin_catalogue;
    struct instance_type t = *instance_find(&c, span_of("r5.24xlarge"));
    t.ebs_cards = 2;
    c.instances = &t;
    c.n_instances = 1;
    if (build_with(&d, dates, texts, 1, NULL, t.name, &c))
        fail_msg("%s", d.s.err.text);
    assert_int_equal(d.p.status, PLAN_BEST);
    t.baseline_mb_s = d.p.at[0].apart->instance.demand_mb_s * 1.2 * 1.001;
    arena_release(&d.s.arena);
    if (build_with(&d, dates, texts, 1, NULL, t.name, &c))
        fail_msg("%s", d.s.err.text);
    assert_true(d.p.at[0].apart->instance.spread);
    assert_int_equal(d.p.status, PLAN_GOOD);
    for (size_t g = 0; g < d.p.at[0].n_groups; g++)
        assert_int_equal(d.p.at[0].groups[g].choice.option.spec.count,
                         d.p.at[0].groups[g].apart->chosen.spec.count);
    arena_release(&d.s.arena);
}

static void a_change_that_cannot_be(void **state)
{
    (void)state;
    static struct dated d;
    static const char *const texts[] = { "--drop-standby nobody" };
    assert_int_equal(build(&d, dates, texts, 1, NULL, NULL), ERR_USAGE);
    assert_non_null(strstr(d.s.err.text, "--phases"));
    arena_release(&d.s.arena);
}

/* --- what is not true is found -----------------------------------------------------------------
 */

static struct phase_group *edit(struct dated *d, size_t phase, const char *name)
{
    const struct phase_group *g = group_named_of(&d->p.at[phase], name);
    return (struct phase_group *)(uintptr_t)g;
}

static void expect(struct dated *d, const char *want)
{
    struct err e = { 0 };
    assert_int_equal(phases_check(&d->p, &e), ERR_NO);
    if (!strstr(e.text, want))
        fail_msg("'%s' does not say '%s'", e.text, want);
}

static void contradictions(void **state)
{
    (void)state;
    static struct dated d;
    static const char *const texts[] = { "--standbys 12", "--standbys 9" };
    if (build(&d, dates, texts, 2, NULL, NULL) || phases_check(&d.p, &d.s.err))
        fail_msg("%s", d.s.err.text);
    struct phase_group *first = edit(&d, 0, "DATA"), *then = edit(&d, 1, "DATA");
    struct phase_choice kept = first->choice;

    first->choice.option.spec.size_gib += 1;
    expect(&d, "the volumes are not what was asked for");
    first->choice = kept;

    first->choice.size.need.size_gib -= 400;
    expect(&d, "less was asked for than the phase needs");
    first->choice = kept;

    kept = then->choice;
    struct size_option smaller = then->choice.size.options[0];
    smaller.spec.size_gib -= 1;
    then->choice.option = smaller;
    then->choice.size.options = &smaller;
    expect(&d, "smaller than the need");
    then->choice = kept;

    then->choice.added += 1;
    expect(&d, "volumes come from nowhere");
    then->choice = kept;

    d.p.total_microusd += 1000;
    expect(&d, "the total is not the sum over phases");
    d.p.total_microusd -= 1000;
    ((struct plan_phase *)(uintptr_t)&d.p.at[1])->total_microusd += 1;
    expect(&d, "the total is not the sum over groups");
    arena_release(&d.s.arena);
}

/* Volumes of the first phase become larger than those of the second, which need not be. */
static void a_shrinking_volume(void **state)
{
    (void)state;
    static struct dated d;
    static const char *const texts[] = { "--standbys 9", "--standbys 9" };
    if (build(&d, dates, texts, 2, NULL, NULL))
        fail_msg("%s", d.s.err.text);
    struct phase_group *first = edit(&d, 0, "DATA");
    struct size_option larger = first->choice.size.options[0];
    larger.spec.size_gib += 1;
    larger.total_microusd += 80000 * larger.spec.count; /* gp3: 0.08 a GiB */
    larger.rank_microusd += 80000 * larger.spec.count;
    ((struct plan_phase *)(uintptr_t)&d.p.at[0])->total_microusd += 80000 * larger.spec.count;
    first->choice.option = larger;
    first->choice.size.options = &larger;
    expect(&d, "a volume shrinks");
    arena_release(&d.s.arena);
}

static void memory_may_end(void **state)
{
    (void)state;
    static struct dated d;
    static const char *const texts[] = { "--standbys 12", "--standbys 9" };
    struct each_allocation it = { 0 };
    while (each_allocation(&it)) {
        it.rc = build(&d, dates, texts, 2, NULL, NULL);
        arena_release(&d.s.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_migration),
        cmocka_unit_test(one_phase_is_the_plan),
        cmocka_unit_test(a_group_may_come_later),
        cmocka_unit_test(volumes_are_added),
        cmocka_unit_test(too_few_slots),
        cmocka_unit_test(as_the_cards_ask),
        cmocka_unit_test(a_change_that_cannot_be),
        cmocka_unit_test(contradictions),
        cmocka_unit_test(a_shrinking_volume),
        cmocka_unit_test(memory_may_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
