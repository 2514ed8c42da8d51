/* tests/models/ebs/test_vol_property.c - what must hold for any spec under any rule.
 *
 * SEED=N repeats a run; ROUNDS=N sets the number of random specs (20 000). */
#include "models/ebs/vol_price.h"
#include "models/ebs/vol_rule.h"

#include "tests/models/ebs/rule_case.h"
#include "tests/seeded.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct seeded chance;
static size_t rounds = 20000;

/* From 1 to most, small numbers as likely as large ones. */
static int64_t random_to(double most)
{
    return (int64_t)ceil(pow(most, seeded_real(&chance, 1)));
}

static const struct vol_rule *random_rule(void)
{
    return &builtin_catalogue.rules[seeded_next(&chance) % builtin_catalogue.n_rules];
}

/* Half of the figures of any spec are beyond what its type can have. */
static struct volume_spec random_spec(const struct vol_rule *r)
{
    bool takes_iops = r->only_provisioned || r->included_iops != UNKNOWN;
    return (struct volume_spec){
        .type = r->type,
        .count = random_to(20),
        .size_gib = random_to(200000),
        .iops = takes_iops ? random_to(1000000) : UNKNOWN,
        .throughput_mibps = r->included_mibps != UNKNOWN ? random_to(10000) : UNKNOWN,
    };
}

static void test_nearest_is_legal(void **state)
{
    (void)state;
    size_t n_refused = 0;
    for (size_t i = 0; i < rounds; i++) {
        const struct vol_rule *r = random_rule();
        struct volume_spec s = random_spec(r);
        struct vol_problem p[VOL_PROBLEMS_MAX], none[VOL_PROBLEMS_MAX];
        size_t n = vol_check(r, &s, p);
        if (n == 0)
            continue;
        n_refused++;
        struct volume_spec near = p[0].nearest;
        assert_int_equal(vol_check(r, &near, none), 0);

        /* what was asked within the type's range is kept or raised */
        if (s.iops != UNKNOWN)
            assert_true(near.iops >= s.iops || near.iops == r->max_iops);
        if (s.throughput_mibps != UNKNOWN)
            assert_true(near.throughput_mibps >= s.throughput_mibps ||
                        near.throughput_mibps == r->max_mibps);
        assert_true(near.size_gib >= s.size_gib || near.size_gib == r->max_gib);
    }
    assert_true(n_refused > rounds / 10);
}

/* The nearest raises a field no further than needed: one less is refused. */
static void test_nearest_is_near(void **state)
{
    (void)state;
    for (size_t i = 0; i < rounds; i++) {
        const struct vol_rule *r = random_rule();
        struct volume_spec s = random_spec(r);
        struct vol_problem p[VOL_PROBLEMS_MAX], any[VOL_PROBLEMS_MAX];
        if (vol_check(r, &s, p) == 0)
            continue;
        struct volume_spec near = p[0].nearest;
        if (near.size_gib > s.size_gib) {
            near.size_gib--;
            assert_int_not_equal(vol_check(r, &near, any), 0);
            near.size_gib++;
        }
        if (s.iops != UNKNOWN && near.iops > s.iops) {
            near.iops--;
            assert_int_not_equal(vol_check(r, &near, any), 0);
        }
    }
}

static void never_less(double before, double after)
{
    assert_true(isnan(before) == isnan(after));
    if (!isnan(before))
        assert_true(after >= before);
}

static void test_throughput_never_falls_as_iops_rise(void **state)
{
    (void)state;
    for (size_t i = 0; i < rounds; i++) {
        const struct vol_rule *r = random_rule();
        struct volume_spec s = random_spec(r), more = s;
        bool xen = seeded_next(&chance) & 1;
        if (s.iops != UNKNOWN)
            more.iops += random_to(1000);
        struct vol_limits a = vol_limits(r, &s, xen), b = vol_limits(r, &more, xen);
        never_less(a.max_iops, b.max_iops);
        never_less(a.max_throughput_mibps, b.max_throughput_mibps);
    }
}

static void test_no_limit_falls_as_size_rises(void **state)
{
    (void)state;
    for (size_t i = 0; i < rounds; i++) {
        const struct vol_rule *r = random_rule();
        struct volume_spec s = random_spec(r), more = s;
        more.size_gib += random_to(1000);
        struct vol_limits a = vol_limits(r, &s, false), b = vol_limits(r, &more, false);
        never_less(a.limit_iops, b.limit_iops);
        never_less(a.limit_throughput_mibps, b.limit_throughput_mibps);
        never_less(a.baseline_iops, b.baseline_iops);
        never_less(a.baseline_throughput_mibps, b.baseline_throughput_mibps);
        assert_true(isnan(a.max_iops) || a.baseline_iops <= a.max_iops);
    }
}

static int64_t total(const char *region, const struct volume_spec *s, int64_t requests)
{
    struct vol_price p;
    int64_t as_of_ms;
    struct err e;
    assert_int_equal(vol_price(&builtin_catalogue, region, day_ms(TODAY), s, requests, &p,
                               &as_of_ms, &e),
                     0);
    return p.total_microusd;
}

static void test_price_never_falls(void **state)
{
    (void)state;
    for (size_t i = 0; i < rounds / 10; i++) {
        struct volume_spec s = random_spec(random_rule());
        const char *region =
            builtin_catalogue.prices[seeded_next(&chance) % builtin_catalogue.n_prices].region;
        int64_t requests = random_to(1e9), base = total(region, &s, requests);
        assert_true(base > 0);
        assert_true(total(region, &s, requests + random_to(1e6)) >= base);

        int64_t *const fields[] = { &s.count, &s.size_gib, &s.iops, &s.throughput_mibps };
        for (size_t k = 0; k < 4; k++) {
            int64_t before = *fields[k];
            if (before == UNKNOWN)
                continue;
            *fields[k] += random_to(1000);
            assert_true(total(region, &s, requests) >= base);
            *fields[k] = before;
        }
    }
}

int main(void)
{
    const char *count = getenv("ROUNDS");
    chance.state = seed_of_run((uint64_t)time(NULL));
    rounds = count ? strtoul(count, NULL, 10) : rounds;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nearest_is_legal),
        cmocka_unit_test(test_nearest_is_near),
        cmocka_unit_test(test_throughput_never_falls_as_iops_rise),
        cmocka_unit_test(test_no_limit_falls_as_size_rises),
        cmocka_unit_test(test_price_never_falls),
    };
    return cmocka_run_group_tests_name("vol properties", tests, NULL, NULL);
}
