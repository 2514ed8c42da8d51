/* tests/planner/solve/test_plan_pareto.c - the front of price against headroom and volumes. */
#include "planner/solve/plan_pareto.h"

#include "tests/each_allocation.h"
#include "tests/planner/plan_world.h"

/* 1 000 MiB/s (4 000 counted requests), 500 GiB of gp3, one or two volumes; today, us-east-1:
 * 0.08 a GiB, 0.005 an IOPS above 3 000, 0.04 a MiB/s above 125, throughput at most a quarter of
 * the IOPS, at most 2 000 MiB/s a volume.  Storage is 40.00 throughout.
 *
 *   headroom   one volume                              two volumes, each
 *       0 %    4 000 IOPS, 1 000:  5 + 35 =  80        3 000, 500: 2 * 15 =           70
 *      10 %    4 400,      1 100:  7 + 39 =  86        3 000, 550: 2 * 17 =           74
 *      20 %    4 800,      1 200:  9 + 43 =  92        3 000, 600: 2 * 19 =           78
 *      30 %    5 200,      1 300: 11 + 47 =  98        3 000, 650: 2 * 21 =           82
 *      50 %    6 000,      1 500: 15 + 55 = 110        3 000, 750: 2 * 25 =           90
 *      75 %    7 000,      1 750: 20 + 65 = 125        3 500, 875: 2 * (2.5 + 30) =  105
 *     100 %    8 000,      2 000: 25 + 75 = 140        4 000, 1 000: 2 * (5 + 35) =  120
 *     150 %    none: 2 500 is above 2 000              5 000, 1 250: 2 * (10 + 45) = 150
 *     200 %    none                                    6 000, 1 500: 2 * (15 + 55) = 180
 *
 * Two volumes always cost less than one of the same headroom, and one is fewer: all are on it. */
static const struct point_case {
    int64_t usd, count;
    double headroom_pct;
} by_hand[] = {
    { 70, 2, 0 },   { 74, 2, 10 },   { 78, 2, 20 },   { 80, 1, 0 },
    { 82, 2, 30 },  { 86, 1, 10 },   { 90, 2, 50 },   { 92, 1, 20 },
    { 98, 1, 30 },  { 105, 2, 75 },  { 110, 1, 50 },  { 120, 2, 100 },
    { 125, 1, 75 }, { 140, 1, 100 }, { 150, 2, 150 }, { 180, 2, 200 },
};
enum { BY_HAND = sizeof by_hand / sizeof *by_hand };

/* The group of the table above, the first of w. */
static struct layout_group *redo_group(struct world *w)
{
    *w = (struct world){ .instance_type = "r5.12xlarge" };
    struct layout_group *g = add(w, "REDO1", ROLE_REDO, 417, 1000, 500);
    g->policy.max_count = 2;
    return g;
}

static struct plan with_front(struct world *w, const struct plan_options *o)
{
    struct plan p = plan_with(w, o);
    struct err e = { 0 };
    if (plan_pareto_add(&p, &w->a, &e) || plan_check(&p, &e))
        fail_msg("%s", e.text);
    return p;
}

static void worked(void **state)
{
    (void)state;
    static struct world w;
    redo_group(&w)->policy.types = 1u << VOL_GP3;
    struct plan_options o = world_options("2026-06-01");
    struct plan p = with_front(&w, &o);
    assert_int_equal(p.n_pareto, BY_HAND);
    for (size_t i = 0; i < BY_HAND; i++) {
        const struct plan_point *got = &p.pareto[i];
        assert_int_equal(got->total_microusd, by_hand[i].usd * 1000000);
        assert_int_equal(got->count, by_hand[i].count);
        assert_near(got->headroom_pct, by_hand[i].headroom_pct);
        assert_int_equal(got->rank_microusd, got->total_microusd + 5000000 * (got->count - 1));
    }
    assert_spec(&p.pareto[0].options[0].spec, "2 x gp3 250 GiB 3 000 IOPS 500 MiB/s");
    assert_spec(&p.pareto[13].options[0].spec, "gp3 500 GiB 8 000 IOPS 2 000 MiB/s");
    arena_release(&w.a);
}

/* A kept group adds its price and its volumes to every point, and no headroom of its own. */
static void kept_groups(void **state)
{
    (void)state;
    static struct world w;
    redo_group(&w)->policy.types = 1u << VOL_GP3;
    struct layout_group *kept = add(&w, "DATA", ROLE_DATA, 100, 100, 500);
    kept->volumes = one_io2_5000; /* 387.50 */
    kept->n_volumes = 1;
    kept->policy.keep = true;
    struct plan_options o = world_options("2026-06-01");
    struct plan p = with_front(&w, &o);
    assert_int_equal(p.n_pareto, BY_HAND);
    for (size_t i = 0; i < BY_HAND; i++) {
        assert_int_equal(p.pareto[i].total_microusd, by_hand[i].usd * 1000000 + 387500000);
        assert_int_equal(p.pareto[i].count, by_hand[i].count + 1);
        assert_near(p.pareto[i].headroom_pct, by_hand[i].headroom_pct);
        assert_int_equal(p.pareto[i].options[1].spec.count, 0);
    }
    arena_release(&w.a);
}

/* With two slots beside the root volume two groups have one volume each: only they are left. */
static void within_the_slots(void **state)
{
    (void)state;
    static struct world w;
    struct instance_type t = type_named("r5.12xlarge");
    const struct catalogue c = catalogue_of(&t, 1);
    t.max_ebs_attachments = 3;
    w = (struct world){ .instance_type = "r5.12xlarge" };
    for (int i = 0; i < 2; i++) {
        static const char *const names[] = { "A", "B" };
        add(&w, names[i], ROLE_DATA, 417, 400, 500)->policy.types = 1u << VOL_GP3;
    }
    struct plan_options o = world_options("2026-06-01");
    o.catalogue = &c;
    struct plan p = with_front(&w, &o);
    assert_true(p.n_pareto > 0);
    for (size_t i = 0; i < p.n_pareto; i++)
        assert_int_equal(p.pareto[i].count, 2);
    /* 2 * (40 + (400 - 125) * 0.04) */
    assert_int_equal(p.pareto[0].total_microusd, 102000000);
    arena_release(&w.a);
}

static void nothing_to_choose(void **state)
{
    (void)state;
    static struct world w;
    /* Not measured: only the number of volumes is left to weigh, and one is cheapest. */
    w = (struct world){ .instance_type = "r5.12xlarge" };
    add(&w, "DATA", ROLE_DATA, 0, 0, 500);
    struct plan_options o = world_options("2026-06-01");
    struct plan p = with_front(&w, &o);
    assert_int_equal(p.n_pareto, 1);
    assert_true(isnan(p.pareto[0].headroom_pct));
    assert_int_equal(p.pareto[0].total_microusd, 40000000);

    /* Not measured, and volumes that stay: nothing is chosen at all. */
    w = (struct world){ .instance_type = "r5.12xlarge", .a = w.a };
    struct layout_group *g = add(&w, "DATA", ROLE_DATA, 0, 0, 500);
    g->volumes = one_io2_5000;
    g->n_volumes = 1;
    p = with_front(&w, &o);
    assert_int_equal(p.n_pareto, 0);

    /* Nothing carries it: no front. */
    w = (struct world){ .instance_type = NULL, .a = w.a };
    add(&w, "DATA", ROLE_DATA, 417, 100000, 500);
    p = with_front(&w, &o);
    assert_int_equal(p.status, PLAN_NONE);
    assert_int_equal(p.n_pareto, 0);
    arena_release(&w.a);
}

/* The checker finds a front that lies. */
static void lies(void **state)
{
    (void)state;
    static struct world w;
    redo_group(&w);
    struct plan_options o = world_options("2026-06-01");
    struct plan p = with_front(&w, &o);
    struct err e = { 0 };
    struct plan_point *points = arena_array(&w.a, p.n_pareto, sizeof *points);
    assert_true(points && p.n_pareto > 3);
    memcpy(points, p.pareto, p.n_pareto * sizeof *points);
    p.pareto = points;
    assert_int_equal(plan_check(&p, &e), 0);

    points[1].total_microusd--;
    assert_int_equal(plan_check(&p, &e), ERR_NO);
    assert_non_null(strstr(e.text, "not the sum"));
    points[1].total_microusd++;

    points[1].headroom_pct += 1;
    assert_int_equal(plan_check(&p, &e), ERR_NO);
    assert_non_null(strstr(e.text, "below the need"));
    points[1].headroom_pct -= 1;

    points[1].headroom_pct = -1; /* the first, cheaper, has 0 and as many volumes */
    assert_int_equal(plan_check(&p, &e), ERR_NO);
    assert_non_null(strstr(e.text, "beaten"));
    arena_release(&w.a);
}

static void torture(void **state)
{
    (void)state;
    static struct world w;
    redo_group(&w);
    struct plan_options o = world_options("2026-06-01");
    const struct plan made = plan_with(&w, &o);
    struct each_allocation it = { 0 };
    while (each_allocation(&it)) {
        struct plan p = made;
        it.rc = plan_pareto_add(&p, &it.a, &it.e);
        assert_int_equal(p.n_pareto, it.rc ? 0 : p.n_pareto);
    }
    assert_true(it.n > 2);
    arena_release(&w.a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked),
        cmocka_unit_test(kept_groups),
        cmocka_unit_test(within_the_slots),
        cmocka_unit_test(nothing_to_choose),
        cmocka_unit_test(lies),
        cmocka_unit_test(torture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
