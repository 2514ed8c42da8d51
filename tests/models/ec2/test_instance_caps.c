/* tests/models/ec2/test_instance_caps.c - what an instance passes to EBS, from the built-in table.
 */
#include "models/ec2/instance_caps.h"

#include "models/core/unit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const struct caps_case {
    const char *why, *type;
    enum weighting weighting;
    int64_t network_interfaces;
    struct instance_caps want;
} cases[] = {
    { "the seed's host: no burst",
      "r5.8xlarge",
      WEIGHTING_DEFAULT,
      1,
      { 850, 850, 30000, 30000, 27 } },
    { "shared: two further interfaces take two slots",
      "r5.8xlarge",
      WEIGHTING_DEFAULT,
      3,
      { 850, 850, 30000, 30000, 25 } },
    { "more interfaces than slots leave none",
      "r5.8xlarge",
      WEIGHTING_DEFAULT,
      40,
      { 850, 850, 30000, 30000, 0 } },
    { "bursts: baseline far below",
      "r6i.large",
      WEIGHTING_DEFAULT,
      1,
      { 81.25, 1250, 3600, 40000, 27 } },
    { "two cards, the sum of both",
      "r8gb.48xlarge",
      WEIGHTING_DEFAULT,
      1,
      { 37500, 37500, 1440000, 1440000, 128 } },
    { "dedicated: interfaces take nothing",
      "r8gb.48xlarge",
      WEIGHTING_DEFAULT,
      8,
      { 37500, 37500, 1440000, 1440000, 128 } },
    /* c8a.2xlarge: default 2 500/10 000, ebs-1 3 125/10 000, vpc-1 1 562/6 250 Mbit/s */
    { "as it comes", "c8a.2xlarge", WEIGHTING_DEFAULT, 1, { 312.5, 1250, 12000, 40000, 32 } },
    { "ebs-1 raises the baseline, not IOPS",
      "c8a.2xlarge",
      WEIGHTING_EBS_1,
      1,
      { 390.625, 1250, 12000, 40000, 32 } },
    { "vpc-1 lowers both bandwidths",
      "c8a.2xlarge",
      WEIGHTING_VPC_1,
      1,
      { 195.25, 781.25, 12000, 40000, 32 } },
    { "AWS publishes no EBS figures",
      "t2.micro",
      WEIGHTING_DEFAULT,
      1,
      { NAN, NAN, NAN, NAN, 40 } },
    { "nor how many volumes",
      "i3.metal",
      WEIGHTING_DEFAULT,
      2,
      { 2375, 2375, 80000, 80000, UNKNOWN } },
};

static void same(double got, double want)
{
    if (isnan(want))
        assert_true(isnan(got));
    else
        assert_true(got == want);
}

static void test_caps(void **state)
{
    const struct caps_case *c = *state;
    const struct instance_type *t = instance_find(&builtin_catalogue, span_of(c->type));
    assert_non_null(t);
    struct instance_caps caps;
    struct err e;
    assert_int_equal(instance_caps(&builtin_catalogue, t, c->weighting, c->network_interfaces,
                                   &caps, &e),
                     0);
    same(caps.baseline_mb_s, c->want.baseline_mb_s);
    same(caps.max_mb_s, c->want.max_mb_s);
    same(caps.baseline_iops, c->want.baseline_iops);
    same(caps.max_iops, c->want.max_iops);
    assert_int_equal(caps.volumes, c->want.volumes);
}

static void test_weighting_not_offered(void **state)
{
    (void)state;
    const struct instance_type *t = instance_find(&builtin_catalogue, SPAN_LIT("r5.8xlarge"));
    struct instance_caps caps;
    struct err e;
    assert_int_equal(instance_caps(&builtin_catalogue, t, WEIGHTING_EBS_1, 1, &caps, &e),
                     ERR_USAGE);
    assert_string_equal(e.text, "r5.8xlarge has no bandwidth weighting ebs-1");
    assert_int_equal(instance_caps(&builtin_catalogue, t, WEIGHTING_VPC_1, 1, &caps, &e),
                     ERR_USAGE);
    assert_string_equal(e.text, "r5.8xlarge has no bandwidth weighting vpc-1");
}

static void test_slots_of_unknown_kind(void **state)
{
    (void)state;
    struct instance_type t = { .name = "x", .max_ebs_attachments = 10 };
    struct instance_caps caps;
    struct err e;
    assert_int_equal(instance_caps(&builtin_catalogue, &t, WEIGHTING_DEFAULT, 1, &caps, &e), 0);
    assert_int_equal(caps.volumes, 10);
    assert_int_equal(instance_caps(&builtin_catalogue, &t, WEIGHTING_DEFAULT, 2, &caps, &e), 0);
    assert_int_equal(caps.volumes, UNKNOWN);
}

static void test_family(void **state)
{
    (void)state;
    assert_true(span_is(instance_family(SPAN_LIT("r5b.4xlarge")), "r5b"));
    assert_true(span_is(instance_family(SPAN_LIT("u-6tb1.metal")), "u-6tb1"));
    assert_true(span_is(instance_family(SPAN_LIT("r5b")), "r5b"));
    assert_int_equal(instance_family(SPAN_LIT("")).len, 0);
    assert_int_equal(instance_family((struct span){ NULL, 0 }).len, 0);
}

enum { N = sizeof cases / sizeof cases[0] };

int main(void)
{
    struct CMUnitTest t[N + 3];
    for (size_t i = 0; i < N; i++)
        t[i] = (struct CMUnitTest){ cases[i].why, test_caps, NULL, NULL,
                                    (void *)(uintptr_t)&cases[i] };
    t[N] = (struct CMUnitTest)cmocka_unit_test(test_weighting_not_offered);
    t[N + 1] = (struct CMUnitTest)cmocka_unit_test(test_slots_of_unknown_kind);
    t[N + 2] = (struct CMUnitTest)cmocka_unit_test(test_family);
    return _cmocka_run_group_tests("instance_caps", t, N + 3, NULL, NULL);
}
