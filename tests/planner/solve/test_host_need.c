/* tests/planner/solve/test_host_need.c - what a host must carry: cards, CPU, the verdict and what
 * helps, quotas of the Region. */
#include "planner/solve/host_need.h"

#include "models/vocab/volume_config.h"
#include "tests/planner/plan_world.h"

/* A type of 850 MB/s on two cards, 425 each; 100 MiB/s are 104.8576 MB/s; no headroom. */
static const struct card_case {
    const char *why;
    int64_t counts[3];
    double mibps[3];
    double use;
} cards[] = {
    { "one volume: all of it on one card", { 1 }, { 200 }, 209.7152 / 425 },
    { "two: half on each", { 2 }, { 200 }, 104.8576 / 425 },
    { "three: two thirds on one", { 3 }, { 300 }, 209.7152 / 425 },
    { "two of one volume: on a card each", { 1, 1 }, { 200, 200 }, 200 * 1.048576 / 425 },
    /* two of three volumes, 200; the third and the other group 100 + 200 */
    { "three and one", { 3, 1 }, { 300, 200 }, 300 * 1.048576 / 425 },
    { "a group without a load has no part", { 2, 1 }, { 200, 0 }, 104.8576 / 425 },
};

static double use_of_cards(const struct world *w, const struct volume_spec *chosen,
                           const struct instance_type *t, const struct instance_caps *caps,
                           const struct host_need *need)
{
    int64_t steps = 1000;
    return host_card_use(&w->demand, chosen, t, caps, need, &steps).use;
}

static void card_use(void **state)
{
    const struct card_case *c = *state;
    static struct world w;
    w = (struct world){ .instance_type = NULL };
    static const char *const names[] = { "A", "B", "C" };
    struct volume_spec chosen[3] = { { .count = 0 } };
    double sum = 0;
    for (size_t i = 0; i < 3 && c->counts[i]; i++) {
        add(&w, names[i], ROLE_DATA, c->mibps[i] > 0 ? 1 : 0, c->mibps[i], 100);
        chosen[i].count = c->counts[i];
        sum += c->mibps[i];
    }
    struct err e = { 0 };
    assert_int_equal(world_demand(&w, &e), 0);
    struct instance_type t = type_named("r5.8xlarge");
    const struct instance_caps caps = { 850, 850, 1e9, 1e9, 27 };
    const struct host_need need = { .factor = 1, .mb_s = sum * MB_PER_MIB, .iops = NAN };
    assert_true(isnan(use_of_cards(&w, chosen, &t, &caps, &need)));
    t.ebs_cards = 2;
    assert_near(use_of_cards(&w, chosen, &t, &caps, &need), c->use);
    arena_release(&w.a);
}

/* The same as a verdict: 450 MiB/s are 471.9 of 850 MB/s, yet one volume puts them on one card of
 * 425; two volumes do not. */
static void card_verdict(void **state)
{
    (void)state;
    static struct world w;
    const struct instance_type t = type_of_two_cards();
    const struct catalogue c = catalogue_of(&t, 1);
    w = (struct world){ .instance_type = "r5.8xlarge" };
    struct layout_group *g = add(&w, "DATA", ROLE_DATA, 100, 450, 500);
    g->policy.max_count = 1;
    const struct plan_options o = bare_options(&c);
    struct plan p = plan_with(&w, &o);
    assert_int_equal(p.instance.verdict, INSTANCE_TOO_SMALL);
    assert_int_equal(p.instance.ceiling, CEILING_EBS_CARD);
    assert_null(p.instance.larger);
    assert_non_null(strstr(find(&p, "instance_too_small")->title, "cards"));
    assert_non_null(strstr(find(&p, "instance_too_small")->advice, "min_count"));
    struct err e = { 0 };
    p.instance.verdict = INSTANCE_FITS;
    assert_int_equal(plan_check(&p, &e), ERR_NO);
    assert_non_null(strstr(e.text, "card"));

    g->policy.min_count = g->policy.max_count = 2;
    p = plan_with(&w, &o);
    assert_int_equal(p.instance.verdict, INSTANCE_FITS);
    assert_near(p.instance.card_use, 450 * 1.048576 / 850);
    arena_release(&w.a);
}

static const struct cpu_case {
    const char *type;
    bool bursts;
} cpus[] = {
    { "t3.2xlarge", true },     { "t4g.large", true },  { "t2.micro", true },
    { "m7i-flex.large", true }, { "m7i.large", false }, { "trn1.2xlarge", false },
    { "r5.8xlarge", false },
};

static void cpu_bursts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cpus / sizeof *cpus; i++) {
        const struct instance_type *t = instance_find(&builtin_catalogue, span_of(cpus[i].type));
        assert_non_null(t);
        if (instance_cpu_bursts(t) != cpus[i].bursts)
            fail_msg("%s", t->name);
    }
}

/* 700 MiB/s with a fifth above are 880.8 MB/s.  r5.8xlarge passes 850; r5.12xlarge, 1 187.5, is the
 * next of its family; of all with 32 vCPU and 256 GiB another may be cheaper than its 3.024 USD. */
static void what_helps(void **state)
{
    (void)state;
    static struct world w;
    w = (struct world){ .instance_type = "r5.8xlarge" };
    add(&w, "DATA", ROLE_DATA, 3000, 700, 1000);
    struct plan p = plan(&w, "2026-06-01");
    assert_int_equal(p.instance.verdict, INSTANCE_TOO_SMALL);
    assert_int_equal(p.instance.ceiling, CEILING_INSTANCE_THROUGHPUT);
    assert_string_equal(p.instance.larger_of_family->name, "r5.12xlarge");
    assert_non_null(p.instance.larger);
    assert_true(p.instance.larger->hourly_picousd <= INT64_C(3024000000000));
    assert_false(p.instance.ebs_1_fits); /* r5 has no weighting */
    const struct finding *f = find(&p, "instance_too_small");
    assert_non_null(strstr(f->advice, "r5.12xlarge"));

    struct err e = { 0 };
    p.instance.verdict = INSTANCE_FITS;
    assert_int_equal(plan_check(&p, &e), ERR_NO);
    assert_non_null(strstr(e.text, "does not carry its peak"));
    p.instance.verdict = INSTANCE_TOO_SMALL;
    p.instance.attachments += 2;
    assert_int_equal(plan_check(&p, &e), ERR_NO);
    assert_non_null(strstr(e.text, "said to attach"));
    arena_release(&w.a);
}

/* Network interfaces take slots of shared types: 27 with one, 25 with three.  24 volumes and a root
 * volume just fit, 25 do not. */
static void interfaces_take_slots(void **state)
{
    (void)state;
    static struct world w;
    static const struct slot_case {
        const char *type;
        int64_t interfaces, volumes;
        enum plan_status status;
    } cases[] = {
        { "r5.8xlarge", 1, 26, PLAN_BEST },
        { "r5.8xlarge", 1, 27, PLAN_NONE },
        { "r5.8xlarge", 3, 24, PLAN_BEST },
        { "r5.8xlarge", 3, 25, PLAN_NONE },
        /* 28 less the primary interface and four volumes of instance store */
        { "m5d.24xlarge", 1, 22, PLAN_BEST },
        { "m5d.24xlarge", 1, 23, PLAN_NONE },
        /* dedicated: 32 whatever the interfaces */
        { "r8i.12xlarge", 9, 31, PLAN_BEST },
        { "r8i.12xlarge", 9, 32, PLAN_NONE },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        w = (struct world){ .instance_type = cases[i].type };
        struct layout_group *g = add(&w, "DATA", ROLE_DATA, 100, 10, 1000);
        g->policy.min_count = g->policy.max_count = cases[i].volumes;
        struct plan_options o = world_options("2026-06-01");
        struct err e = { 0 };
        struct plan p;
        assert_int_equal(world_demand(&w, &e), 0);
        w.layout.network_interfaces = cases[i].interfaces;
        assert_int_equal(plan_build(&w.demand, &o, &w.a, &p, &e), 0);
        assert_int_equal(plan_check(&p, &e), 0);
        if (p.status != cases[i].status)
            fail_msg("%s with %lld interfaces and %lld volumes: %s", cases[i].type,
                     (long long)cases[i].interfaces, (long long)cases[i].volumes,
                     plan_status_name(p.status));
        arena_release(&w.a);
    }
}

/* An account starts with 100 000 IOPS and 20 TiB of io2 in a Region, over all groups together. */
static void region_quota(void **state)
{
    (void)state;
    static struct world w;
    static const struct quota_case {
        const char *why;
        int64_t min_iops, need_gib;
        bool over;
    } cases[] = {
        { "60 000 and 40 000 are the quota", 60000, 1000, false },
        { "60 001 and 40 000 are above it", 60001, 1000, true },
        { "20 481 GiB", 60000, 20381, true },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        w = (struct world){ .instance_type = "r5b.24xlarge" };
        struct layout_group *a = add(&w, "A", ROLE_DATA, 100, 10, cases[i].need_gib);
        struct layout_group *b = add(&w, "B", ROLE_DATA, 100, 10, 100);
        a->policy.types = b->policy.types = 1u << VOL_IO2;
        a->policy.min_iops = cases[i].min_iops;
        b->policy.min_iops = 40000;
        struct plan p = plan(&w, "2026-06-01");
        if (has_finding(&p, "region_quota") != cases[i].over)
            fail_msg("%s", cases[i].why);
        assert_int_equal(p.status, PLAN_BEST);
        arena_release(&w.a);
    }
}

static struct stored_volume loaded(const char *id, const char *zone, int64_t iops)
{
    return (struct stored_volume){ 1,
                                   { .volume_id = span_of(id),
                                     .zone = span_of(zone),
                                     .spec = { VOL_IO2, 1, 100, iops, UNKNOWN } } };
}

/* 60 000 IOPS are planned; of the volumes that the EC2 API described those of the Region count that
 * are not the group's own, and each as it was told last: 40 000 are the quota with them, 41 000
 * not; nor are 20 300 GiB with two others of 100, of 20 480. */
static void region_quota_with_loaded(void **state)
{
    (void)state;
    static struct world w;
    static const char *const own[] = { "vol-01" };
    static const struct loaded_case {
        int64_t iops, need_gib;
        const char *says;
    } cases[] = {
        { 30000, 1000, NULL },
        { 31000, 1000, "60 000 IOPS of io2, 101 000 with the other volumes" },
        { 30000, 20300, "20 300 GiB of io2, 20 500 with the other volumes" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct loaded_case *c = &cases[i];
        const struct stored_volume volumes[] = {
            loaded("vol-01", "us-east-1a", 64000),   /* the group's: replaced */
            loaded("vol-02", "us-east-1b", 50000),   /* told again below */
            loaded("vol-03", "eu-west-1a", 64000),   /* elsewhere */
            loaded("vol-04", "", 10000),             /* perhaps here */
            loaded("vol-02", "us-east-1b", c->iops), /* the newest */
        };
        w = (struct world){ .instance_type = "r5b.24xlarge" };
        struct layout_group *g = add(&w, "A", ROLE_DATA, 100, 10, c->need_gib);
        g->policy.types = 1u << VOL_IO2;
        g->policy.min_iops = 60000;
        g->volume_ids = own;
        g->n_volume_ids = 1;
        struct plan_options o = world_options("2026-06-01");
        struct plan p;
        struct err e = { 0 };
        assert_int_equal(world_demand(&w, &e), 0);
        w.load.volumes = volumes;
        w.load.n_volumes = sizeof volumes / sizeof *volumes;
        assert_int_equal(plan_build(&w.demand, &o, &w.a, &p, &e), 0);
        const struct finding *f = find(&p, "region_quota");
        assert_int_equal(f != NULL, c->says != NULL);
        if (f)
            assert_non_null(strstr(f->title, c->says));
        arena_release(&w.a);
    }
}

int main(void)
{
    enum { N = sizeof cards / sizeof *cards };
    struct CMUnitTest t[N + 6];
    for (size_t i = 0; i < N; i++)
        t[i] =
            (struct CMUnitTest){ cards[i].why, card_use, NULL, NULL, (void *)(uintptr_t)&cards[i] };
    t[N] = (struct CMUnitTest)cmocka_unit_test(card_verdict);
    t[N + 1] = (struct CMUnitTest)cmocka_unit_test(cpu_bursts);
    t[N + 2] = (struct CMUnitTest)cmocka_unit_test(what_helps);
    t[N + 3] = (struct CMUnitTest)cmocka_unit_test(interfaces_take_slots);
    t[N + 4] = (struct CMUnitTest)cmocka_unit_test(region_quota);
    t[N + 5] = (struct CMUnitTest)cmocka_unit_test(region_quota_with_loaded);
    return cmocka_run_group_tests(t, NULL, NULL);
}
