/* tests/planner/solve/test_plan.c - whole systems: the incident, slots, steps, what cannot be
 * planned. */
#include "planner/solve/plan.h"

#include "planner/check/plan_check.h"
#include "tests/each_allocation.h"
#include "tests/planner/plan_world.h"
#include "tests/seeded.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static void incident(void **state)
{
    (void)state;
    static struct world w;
    w = (struct world){ .instance_type = "r5.8xlarge" };
    add_redo(&w);
    struct plan p = plan(&w, "2022-06-01");
    const struct plan_group *g = &p.groups[0];
    assert_int_equal(p.status, PLAN_BEST);
    assert_true(g->lower_bound);
    /* 600 MiB/s: 300 each is 1 200 IOPS each: 62.50 + 2 400 * 0.065. */
    assert_spec(&g->chosen.spec, "2 x io2 250 GiB 1 200 IOPS");
    assert_int_equal(g->chosen.total_microusd, 218500000);
    /* 1 000 is above the baseline of 850 MB/s = 810.6 MiB/s: the last step. */
    assert_int_equal(g->n_steps_up, 1);
    assert_spec(&g->steps_up[0].option.spec, "2 x io2 250 GiB 2 000 IOPS");
    assert_int_equal(g->steps_up[0].option.total_microusd, 322500000);
    assert_near(g->steps_up[0].option.group_max_throughput_mibps, 1000);
    /* 500 * 0.125 + 5 000 * 0.065 */
    assert_int_equal(g->today.total_microusd, 387500000);
    assert_false(g->today.carries);
    assert_int_equal(g->today.binding, CEILING_THROUGHPUT);
    /* Today's volume comes first of the losers; 600 MiB/s on one volume of that day are 38 400
     * IOPS: 62.50 + 32 000 * 0.065 + 6 400 * 0.0455. */
    assert_spec(&g->size.rejected[0].spec, "io2 500 GiB 5 000 IOPS");
    assert_near(g->size.rejected[0].offered, 500);
    assert_int_equal(g->size.rejected[0].meets_at_microusd, 2433700000);
    assert_int_equal(g->size.rejected[1].ceiling, CEILING_TYPES);
    assert_true(has_finding(&p, "throughput_ceiling"));

    assert_non_null(p.under_today);
    assert_spec(&p.under_today->groups[0].chosen.spec, "io2 500 GiB 2 400 IOPS");
    assert_int_equal(p.under_today->groups[0].chosen.total_microusd, 218500000);
    /* 500 MiB/s are 524.3 MB/s; with headroom 629.1 of 850. */
    assert_near(p.instance.demand_mb_s, 500 * 1.048576);
    assert_int_equal(p.instance.verdict, INSTANCE_FITS);
    assert_true(p.instance.lower_bound);
    assert_int_equal(p.instance.attachments, 3); /* two, and the root volume nobody listed */

    p = plan(&w, "2026-06-01");
    assert_null(p.under_today);
    arena_release(&w.a);
}

static void instance_too_small(void **state)
{
    (void)state;
    static struct world w;
    w = (struct world){ .instance_type = "r5.8xlarge" };
    /* 700 MiB/s are 734.0 MB/s, with headroom 880.8: above 850. */
    add(&w, "DATA", ROLE_DATA, 3000, 700, 1000);
    struct plan p = plan(&w, "2026-06-01");
    assert_int_equal(p.status, PLAN_BEST);
    assert_int_equal(p.instance.verdict, INSTANCE_TOO_SMALL);
    assert_int_equal(p.instance.ceiling, CEILING_INSTANCE_THROUGHPUT);
    assert_true(has_finding(&p, "instance_too_small"));
    assert_non_null(p.instance.larger);
    assert_true(p.instance.larger->baseline_mb_s >= 880.8);
    arena_release(&w.a);
}

/* Every choice of three counts that fit, tried. */
static int64_t cheapest_three(const struct plan *p, int64_t slots_left)
{
    const struct size_option *by_count[3];
    int64_t best = INT64_MAX, most = 16;
    struct arena a = { 0 };
    struct err e = { 0 };
    for (int g = 0; g < 3; g++)
        assert_int_equal(size_by_count(&p->groups[g].size.need, &p->groups[g].size.options_used, &a,
                                       &by_count[g], &e),
                         0);
    for (int64_t i = 1; i <= most; i++)
        for (int64_t j = 1; j <= most; j++)
            for (int64_t k = 1; k <= most; k++) {
                const struct size_option *o[] = { &by_count[0][i], &by_count[1][j],
                                                  &by_count[2][k] };
                if (i + j + k > slots_left || !o[0]->spec.count || !o[1]->spec.count ||
                    !o[2]->spec.count)
                    continue;
                int64_t sum = o[0]->rank_microusd + o[1]->rank_microusd + o[2]->rank_microusd;
                best = sum < best ? sum : best;
            }
    arena_release(&a);
    return best;
}

static void slots(void **state)
{
    (void)state;
    static struct world w;
    /* r5b.24xlarge: 27 slots shared with one interface; groups that may only use 12 volumes or more
     * each want at least 36 and a root. */
    w = (struct world){ .instance_type = "r5b.24xlarge" };
    for (int i = 0; i < 3; i++) {
        static const char *const names[] = { "A", "B", "C" };
        struct layout_group *g = add(&w, names[i], ROLE_DATA, 100, 1, 100);
        g->policy.min_count = 12;
        g->policy.max_count = 16;
    }
    struct plan p = plan(&w, "2026-06-01");
    assert_int_equal(p.status, PLAN_NONE);
    assert_int_equal(p.certificate.ceiling, CEILING_ATTACHMENTS);
    assert_near(p.certificate.demand, 37);

    /* Without a charge per volume 16 free baselines are cheapest for each: 3 * 16 + root = 49. */
    w = (struct world){ .instance_type = "r5b.24xlarge", .a = w.a };
    for (int i = 0; i < 3; i++) {
        static const char *const names[] = { "A", "B", "C" };
        struct layout_group *g = add(&w, names[i], ROLE_DATA, 8000, 1600, 1600);
        g->policy.types = 1u << VOL_GP3;
    }
    struct plan_options o;
    struct plan q;
    struct err e = { 0 };
    plan_rc(&w, "2026-06-01", &q, &e);
    plan_options_init(&o, &builtin_catalogue, day_ms("2026-06-01"));
    o.per_volume_microusd = 0;
    assert_int_equal(plan_build(&w.demand, &o, &w.a, &q, &e), 0);
    assert_int_equal(plan_check(&q, &e), 0);
    assert_int_equal(q.status, PLAN_BEST);
    assert_true(q.instance.attachments <= 27);
    /* 1 920 MiB/s on n volumes: (1 920 - 125 n) * 0.04 above the free part, so each volume more
     * saves 5 USD: all 26 slots are used, whichever group has them; 128 + 76.80 - 5 n each. */
    assert_int_equal(q.instance.attachments, 27);
    assert_int_equal(q.groups[0].chosen.rank_microusd + q.groups[1].chosen.rank_microusd +
                         q.groups[2].chosen.rank_microusd,
                     cheapest_three(&q, 26));
    arena_release(&w.a);
}

/* Without a root volume in the layout one more is counted, however the layout spells it. */
static void boots_from(void **state)
{
    (void)state;
    static struct world w;
    static const struct boot_case {
        const char *why, *device;
        int64_t want;
    } cases[] = {
        { "not named", "nvme1n1", 2 },       { "by name", "nvme0n1", 1 },
        { "by path", "/dev/sda", 1 },        { "by pattern", "nvme*n1", 1 },
        { "of one host", "db1:nvme0n1", 1 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        w = (struct world){ .instance_type = "r5.8xlarge", .a = w.a };
        struct layout_group *g = add(&w, "DATA", ROLE_DATA, 100, 10, 100);
        g->devices = &cases[i].device;
        struct plan p = plan(&w, "2026-06-01");
        if (p.instance.attachments != cases[i].want)
            print_error("%s\n", cases[i].why);
        assert_int_equal(p.instance.attachments, cases[i].want);
    }
    arena_release(&w.a);
}

static void no_size(void **state)
{
    (void)state;
    static struct world w;
    w = (struct world){ 0 };
    add(&w, "DATA", ROLE_DATA, 100, 10, UNKNOWN);
    struct plan p;
    struct err e = { 0 };
    assert_int_equal(plan_rc(&w, "2026-06-01", &p, &e), ERR_USAGE);
    assert_non_null(strstr(e.text, "DATA"));
    assert_non_null(strstr(e.text, "need_gib"));
    arena_release(&w.a);
}

static void no_groups(void **state)
{
    (void)state;
    static struct world w;
    w = (struct world){ 0 };
    struct plan p;
    struct err e = { 0 };
    assert_int_equal(plan_rc(&w, "2026-06-01", &p, &e), ERR_USAGE);
    assert_non_null(strstr(e.text, "no groups"));
    arena_release(&w.a);
}

/* io2 is of 2020-08-24: under older rules it carries nothing, whatever was measured. */
static void before_its_launch(void **state)
{
    (void)state;
    static struct world w;
    w = (struct world){ 0 };
    add_redo(&w);
    struct plan p = plan(&w, "2019-06-01");
    const struct plan_today *t = &p.groups[0].today;
    assert_int_equal(p.status, PLAN_NONE);
    assert_false(t->carries);
    assert_int_equal(t->binding, CEILING_LAUNCH);
    assert_true(isnan(t->group_max_iops));
    assert_int_equal(p.groups[0].size.rejected[0].ceiling, CEILING_LAUNCH);
    assert_true(isnan(p.groups[0].size.rejected[0].needed));
    arena_release(&w.a);
}

/* 500 MiB/s cannot have come from 100 IOPS (25 MiB/s): the layout is wrong, and nobody should
 * read that nothing was measured. */
static void layout_cannot_be(void **state)
{
    (void)state;
    static struct world w;
    static const struct layout_volumes tiny[] = { { { VOL_IO2, 1, 500, 100, UNKNOWN }, UNKNOWN } };
    w = (struct world){ 0 };
    add_redo(&w)->volumes = tiny;
    struct plan p = plan(&w, "2022-06-01");
    const struct finding *f = find(&p, "artefact");
    assert_non_null(f);
    assert_int_equal(f->severity, SEVERITY_WARNING);
    assert_string_equal(f->title,
                        "1 of 1 samples of REDO1 were set apart: more than its volumes or "
                        "the instance can do");
    assert_false(has_finding(&p, "not_measured"));

    /* One in thirty is a slipped clock. */
    for (size_t i = 1; i < 30; i++)
        sample(&w.series[0], &w.room[0], 60.0 * (double)i, 60, 40, 0, 10, 0);
    p = plan(&w, "2022-06-01");
    f = find(&p, "artefact");
    assert_non_null(f);
    assert_int_equal(f->severity, SEVERITY_INFO);
    arena_release(&w.a);
}

static void unknown_names(void **state)
{
    (void)state;
    static struct world w;
    struct plan p;
    struct err e = { 0 };
    w = (struct world){ .instance_type = "x99.huge" };
    add(&w, "DATA", ROLE_DATA, 100, 10, 100);
    assert_int_equal(plan_rc(&w, "2026-06-01", &p, &e), ERR_USAGE);
    assert_non_null(strstr(e.text, "x99.huge"));
    arena_release(&w.a);
}

static void kept(void **state)
{
    (void)state;
    static struct world w;
    w = (struct world){ 0 };
    struct layout_group *g = add_redo(&w);
    g->policy.keep = true;
    struct plan p = plan(&w, "2022-06-01");
    assert_true(p.groups[0].kept);
    assert_spec(&p.groups[0].chosen.spec, "io2 500 GiB 5 000 IOPS");
    assert_int_equal(p.total_microusd, 387500000);
    assert_true(has_finding(&p, "kept_too_small"));

    /* Never measured: today's volumes stay, and without any the size alone is planned. */
    w = (struct world){ .a = w.a };
    add(&w, "A", ROLE_DATA, 0, 0, 100)->volumes = one_io2_5000;
    w.groups[0].n_volumes = 1;
    add(&w, "B", ROLE_DATA, 0, 0, 100);
    p = plan(&w, "2026-06-01");
    assert_true(p.groups[0].kept);
    assert_false(p.groups[1].kept);
    assert_spec(&p.groups[1].chosen.spec, "gp3 100 GiB 3 000 IOPS 125 MiB/s");
    assert_true(has_finding(&p, "not_measured"));
    assert_int_equal(p.today_microusd, UNKNOWN);
    arena_release(&w.a);
}

static void none(void **state)
{
    (void)state;
    static struct world w;
    w = (struct world){ 0 };
    /* 4 000 MiB/s with headroom 4 800; one io2 Block Express carries 4 000. */
    struct layout_group *g = add(&w, "DATA", ROLE_DATA, 16000, 4000, 100);
    g->policy.types = 1u << VOL_IO2;
    g->policy.max_count = 1;
    struct plan p = plan(&w, "2026-06-01");
    assert_int_equal(p.status, PLAN_NONE);
    assert_string_equal(p.certificate.group, "DATA");
    assert_int_equal(p.certificate.ceiling, CEILING_THROUGHPUT);
    assert_near(p.certificate.demand, 4800);
    assert_near(p.certificate.offered, 4000);
    assert_int_equal(p.total_microusd, UNKNOWN);
    arena_release(&w.a);
}

static void skew_mirror_floor(void **state)
{
    (void)state;
    static struct world w;
    w = (struct world){ 0 };
    struct layout_group *g = add(&w, "DATA", ROLE_DATA, 4000, 100, 100);
    g->policy.types = 1u << VOL_IO2;
    g->policy.max_count = 1;
    g->skew = 1.5;
    g->redundancy = REDUNDANCY_HIGH;
    struct plan p = plan(&w, "2026-06-01");
    /* 4 000 * 1.5 * 1.2; device loads already have the mirror in them, the size does not. */
    assert_spec(&p.groups[0].chosen.spec, "io2 300 GiB 7 200 IOPS");
    g->policy.min_iops = 9000; /* whatever was measured */
    p = plan(&w, "2026-06-01");
    assert_spec(&p.groups[0].chosen.spec, "io2 300 GiB 9 000 IOPS");
    g->policy.size_step_gib = 128;
    p = plan(&w, "2026-06-01");
    assert_spec(&p.groups[0].chosen.spec, "io2 384 GiB 9 000 IOPS");
    arena_release(&w.a);
}

static void steps_double(void **state)
{
    (void)state;
    static struct world w;
    w = (struct world){ .instance_type = "r5.8xlarge" };
    static const struct layout_volumes slow[] = { { { VOL_IO2, 1, 500, 400, UNKNOWN }, UNKNOWN } };
    struct layout_group *g = add_redo(&w);
    g->volumes = slow;
    w.room[0].read_mibps[0] = 100; /* 400 IOPS carry 100 MiB/s */
    w.room[0].read_iops[0] = 100;
    struct plan p = plan(&w, "2022-06-01");
    /* 200, 400, 800 and 1 600, the first at or above 810.6. */
    static const double want[] = { 200, 400, 800, 1600 };
    assert_int_equal(p.groups[0].n_steps_up, 4);
    for (int i = 0; i < 4; i++)
        assert_near(p.groups[0].steps_up[i].carries_mibps, want[i]);
    arena_release(&w.a);
}

/* --- any plan ----------------------------------------------------------------------------------
 */

static uint64_t seed;

static void random_world(struct world *w, struct seeded *random)
{
    static const char *const types[] = { "r5.8xlarge", "r5b.24xlarge", "t3.large", NULL };
    static const char *const names[] = { "A", "B", "C" };
    *w = (struct world){ .instance_type = types[seeded_int(random, 0, 3)] };
    int64_t n = seeded_int(random, 1, 3);
    for (int64_t i = 0; i < n; i++) {
        struct layout_group *g =
            add(w, names[i], (enum group_role)seeded_int(random, 0, 5),
                (double)seeded_int(random, 0, 20000), (double)seeded_int(random, 0, 900),
                seeded_int(random, 1, 5000));
        g->redundancy = (enum redundancy)seeded_int(random, 0, 2);
        g->policy.max_count = seeded_int(random, 1, 16);
        g->policy.min_iops = seeded_int(random, 0, 3) ? 0 : seeded_int(random, 1, 9000);
        g->policy.size_step_gib = seeded_int(random, 1, 8);
        g->skew = 1 + (double)seeded_int(random, 0, 4) / 8;
        if (seeded_int(random, 0, 1)) {
            g->volumes = one_io2_5000;
            g->n_volumes = 1;
            g->policy.keep = seeded_int(random, 0, 3) == 0;
        }
        if (seeded_int(random, 0, 1))
            g->policy.types = (unsigned)seeded_int(random, 1, (1 << VOL_TYPE_COUNT) - 1);
    }
}

/* INT64_MAX when there is no plan. */
static int64_t sum_of_ranks(struct world *w, const struct plan_options *o)
{
    struct plan p;
    struct err e = { 0 };
    int64_t sum = 0;
    if (plan_build(&w->demand, o, &w->a, &p, &e) || plan_check(&p, &e))
        fail_msg("SEED=%llu: %s", (unsigned long long)seed, e.text);
    for (size_t i = 0; i < p.n_groups; i++)
        sum += p.groups[i].chosen.rank_microusd;
    return p.status == PLAN_NONE ? INT64_MAX : sum;
}

static void any_plan(void **state)
{
    (void)state;
    static struct world w;
    struct seeded random = seeded_case(seed, 0);
    for (int i = 0; i < 60; i++) {
        struct plan_options o;
        struct plan p;
        struct err e = { 0 };
        random_world(&w, &random);
        if (plan_rc(&w, "2022-06-01", &p, &e) || plan_check(&p, &e))
            fail_msg("SEED=%llu: %s", (unsigned long long)seed, e.text);
        plan_options_init(&o, &builtin_catalogue, day_ms("2026-06-01"));
        int64_t rank = sum_of_ranks(&w, &o);
        o.headroom_pct = 35;
        assert_true(sum_of_ranks(&w, &o) >= rank); /* more headroom is never cheaper */
        arena_release(&w.a);
    }
}

static void torture(void **state)
{
    (void)state;
    static struct world w;
    struct plan p;
    w = (struct world){ .instance_type = "r5.8xlarge" };
    add_redo(&w);
    add(&w, "DATA", ROLE_DATA, 100, 10, 100);
    struct each_allocation it = { 0 };
    while (each_allocation(&it)) {
        it.rc = plan_rc(&w, "2022-06-01", &p, &it.e);
        arena_release(&w.a);
    }
}

int main(void)
{
    seed = seed_of_run(20220518);
    const struct CMUnitTest t[] = {
        cmocka_unit_test(incident),
        cmocka_unit_test(instance_too_small),
        cmocka_unit_test(slots),
        cmocka_unit_test(boots_from),
        cmocka_unit_test(no_size),
        cmocka_unit_test(no_groups),
        cmocka_unit_test(before_its_launch),
        cmocka_unit_test(layout_cannot_be),
        cmocka_unit_test(unknown_names),
        cmocka_unit_test(kept),
        cmocka_unit_test(none),
        cmocka_unit_test(skew_mirror_floor),
        cmocka_unit_test(steps_double),
        cmocka_unit_test(any_plan),
        cmocka_unit_test(torture),
    };
    return cmocka_run_group_tests(t, NULL, NULL);
}
