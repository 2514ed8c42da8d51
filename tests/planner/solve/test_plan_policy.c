/* tests/planner/solve/test_plan_policy.c - what a group's policy asks for is honoured by the
 * solver, and a plan that does not honour it is contradicted by the checker. */
#include "tests/planner/plan_world.h"

/* 400 MiB/s (1 600 counted requests) and 500 GiB, no headroom, no charge for a volume, 2026-06-01
 * in us-east-1.  Without a policy 4 x gp3 125 GiB carry 125 MiB/s each for free: 500 * 0.08
 * = 40.00; more volumes cost as much, fewer more. */
static const struct policy_case {
    const char *why;
    struct group_policy policy;
    const char *want;
    int64_t microusd;
    const char *contradiction; /* of the plan without a policy */
} cases[] = {
    { "none", { 0 }, "4 x gp3 125 GiB 3 000 IOPS 125 MiB/s", 40000000, NULL },
    /* 500 * 0.125 + 1 600 * 0.065; two of 800 cost the same and are more */
    { "types", { .types = 1u << VOL_IO2 }, "io2 500 GiB 1 600 IOPS", 166500000, "allowed type" },
    /* 6 to 9 volumes round up to 504 GiB (6 * 84, 7 * 72, 8 * 63, 9 * 56): 40.32; 10 * 50 are 500
     */
    { "at least 6 volumes",
      { .min_count = 6 },
      "10 x gp3 50 GiB 3 000 IOPS 125 MiB/s",
      40000000,
      "number of volumes" },
    /* 40 + 2 * 75 * 0.04 */
    { "at most 2 volumes",
      { .max_count = 2 },
      "2 x gp3 250 GiB 3 000 IOPS 200 MiB/s",
      46000000,
      "number of volumes" },
    /* 4 to 6 volumes have 12 000 to 18 000 for free and would pay for the rest; 7 have 21 000 at
     * 40.32, 10 have 30 000 at 40.00 */
    { "IOPS whatever the load",
      { .min_iops = 20000 },
      "10 x gp3 50 GiB 3 000 IOPS 125 MiB/s",
      40000000,
      "IOPS below" },
    { "ASM disks in steps of 100 GiB",
      { .size_step_gib = 100 },
      "5 x gp3 100 GiB 3 000 IOPS 125 MiB/s",
      40000000,
      "size step" },
    { "latency class: only io2 is below a millisecond",
      { .max_latency_class = "sub-ms" },
      "io2 500 GiB 1 600 IOPS",
      166500000,
      "slower" },
    { "durability: only io2 has 99.999",
      { .min_durability_pct = 99.99 },
      "io2 500 GiB 1 600 IOPS",
      166500000,
      "less durable" },
};

static struct group_policy filled(const struct group_policy *asked)
{
    struct group_policy p = *asked;
    p.equal_size = true;
    p.min_count = p.min_count ? p.min_count : 1;
    p.max_count = p.max_count ? p.max_count : UNKNOWN;
    p.size_step_gib = p.size_step_gib ? p.size_step_gib : 1;
    p.min_durability_pct = p.min_durability_pct > 0 ? p.min_durability_pct : NAN;
    return p;
}

static struct plan_options options(void)
{
    struct plan_options o = world_options("2026-06-01");
    o.headroom_pct = 0;
    o.per_volume_microusd = 0;
    return o;
}

static void honoured(void **state)
{
    const struct policy_case *c = *state;
    static struct world w;
    w = (struct world){ .instance_type = "r5.8xlarge" };
    struct layout_group *g = add(&w, "DATA", ROLE_DATA, 100, 400, 500);
    struct plan_options o = options();
    const struct plan without = plan_with(&w, &o);
    g->policy = filled(&c->policy);
    struct plan p = plan_with(&w, &o);
    assert_spec(&p.groups[0].chosen.spec, c->want);
    assert_int_equal(p.groups[0].chosen.total_microusd, c->microusd);

    struct err e = { 0 };
    assert_int_equal(plan_check(&without, &e), c->contradiction ? ERR_NO : 0);
    if (c->contradiction)
        assert_non_null(strstr(e.text, c->contradiction));
    arena_release(&w.a);
}

/* --types of the command goes before the policy, in the solver and in the checker. */
static void command_first(void **state)
{
    (void)state;
    static struct world w;
    w = (struct world){ .instance_type = "r5.8xlarge" };
    add(&w, "DATA", ROLE_DATA, 100, 400, 500)->policy.types = 1u << VOL_IO2;
    struct plan_options o = options();
    o.types = 1u << VOL_GP3;
    struct plan p = plan_with(&w, &o);
    assert_int_equal(p.groups[0].chosen.spec.type, VOL_GP3);
    arena_release(&w.a);
}

/* Kept volumes stay whatever would be cheaper: io2 500 GiB 5 000 IOPS, 387.50. */
static void keep(void **state)
{
    (void)state;
    static struct world w;
    w = (struct world){ .instance_type = "r5.8xlarge" };
    struct layout_group *g = add(&w, "DATA", ROLE_DATA, 100, 400, 500);
    g->volumes = one_io2_5000;
    g->n_volumes = 1;
    struct plan_options o = options();
    const struct plan without = plan_with(&w, &o);
    assert_false(without.groups[0].kept);
    g->policy.keep = true;
    struct plan p = plan_with(&w, &o);
    assert_true(p.groups[0].kept);
    assert_spec(&p.groups[0].chosen.spec, "io2 500 GiB 5 000 IOPS");
    assert_int_equal(p.total_microusd, 387500000);
    struct err e = { 0 };
    assert_int_equal(plan_check(&without, &e), ERR_NO);
    assert_non_null(strstr(e.text, "keeps its volumes"));
    arena_release(&w.a);
}

/* Volumes of several types, or sizes, are told apart; a policy of equal sizes that keeps unequal
 * ones is contradicted by what is there, which is said. */
static void unequal(void **state)
{
    (void)state;
    static struct world w;
    static const struct layout_volumes mixed[] = {
        { { VOL_GP3, 2, 100, 3000, 125 }, UNKNOWN },
        { { VOL_IO2, 1, 300, 1000, UNKNOWN }, UNKNOWN },
    };
    w = (struct world){ .instance_type = "r5.8xlarge" };
    struct layout_group *g = add(&w, "DATA", ROLE_DATA, 100, 40, 500);
    g->volumes = mixed;
    g->n_volumes = 2;
    g->policy.keep = true;
    struct plan_options o = options();
    struct plan p = plan_with(&w, &o);
    assert_true(p.groups[0].today.mixed);
    assert_int_equal(p.groups[0].today.spec.type, VOL_TYPE_COUNT);
    assert_int_equal(p.groups[0].today.spec.count, 3);
    /* 2 * 100 * 0.08 + 300 * 0.125 + 1 000 * 0.065 */
    assert_int_equal(p.total_microusd, 118500000);
    /* 500 GiB striped by size: the gp3 of 100 GiB take a fifth each, 125 * 5 = 625 MiB/s; the io2
     * takes three fifths: 256 MiB/s (0.256 for each IOPS) * 5 / 3 = 426.7 is less. */
    assert_near(p.groups[0].today.group_max_throughput_mibps, 256 * 5.0 / 3);
    assert_true(has_finding(&p, "kept_unequal"));
    g->policy.equal_size = false;
    p = plan_with(&w, &o);
    assert_false(has_finding(&p, "kept_unequal"));
    arena_release(&w.a);
}

int main(void)
{
    enum { N = sizeof cases / sizeof *cases };
    struct CMUnitTest t[N + 3];
    for (size_t i = 0; i < N; i++)
        t[i] =
            (struct CMUnitTest){ cases[i].why, honoured, NULL, NULL, (void *)(uintptr_t)&cases[i] };
    t[N] = (struct CMUnitTest)cmocka_unit_test(command_first);
    t[N + 1] = (struct CMUnitTest)cmocka_unit_test(keep);
    t[N + 2] = (struct CMUnitTest)cmocka_unit_test(unequal);
    return cmocka_run_group_tests(t, NULL, NULL);
}
