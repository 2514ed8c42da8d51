/* tests/models/ebs/test_burst.c - burst buckets, against the tables of the EBS User Guide. */
#include "models/ebs/burst.h"

#include "tests/models/ebs/rule_case.h"

#include <math.h>

static const struct bucket_case {
    const char *why;
    enum volume_type type;
    int64_t size_gib;
    double want_earn, want_burst, want_drain_s, want_refill_s; /* seconds NaN = no bucket */
} cases[] = {
    { "gp2 earns at least 100 a second", VOL_GP2, 1, 100, 3000, 1862, 54000 },
    { "gp2 334 GiB", VOL_GP2, 334, 1002, 3000, 2703, 5389 },
    { "gp2 750 GiB", VOL_GP2, 750, 2250, 3000, 7200, 2400 },
    { "gp2 from 1 000 GiB has no bucket that matters", VOL_GP2, 1000, 3000, 3000, NAN, NAN },
    { "gp2 5 334 GiB", VOL_GP2, 5334, 16000, 16000, NAN, NAN },
    /* a full scan: 2 TiB / 500 MiB/s = 4 194 s = 1.17 h; refill 2 TiB / 80 */
    { "st1 2 TiB", VOL_ST1, 2048, 80, 500, 4194, 26214 },
    { "st1 12 TiB still bursts", VOL_ST1, 12288, 480, 500, 25166, 26214 },
    { "st1 12.5 TiB does not", VOL_ST1, 12800, 500, 500, NAN, NAN },
    /* 1 TiB / 80 = 13 107 s = 3.64 h; 1 TiB / 12 */
    { "sc1 1 TiB", VOL_SC1, 1024, 12, 80, 13107, 87381 },
    { "sc1 16 TiB bursts to 250", VOL_SC1, 16384, 192, 250, 67109, 87381 },
    { "gp3 has none", VOL_GP3, 100, NAN, NAN, NAN, NAN },
    { "an unknown size has none", VOL_GP2, UNKNOWN, NAN, NAN, NAN, NAN },
};

static void same(double got, double want)
{
    if (isnan(want))
        assert_true(isnan(got));
    else
        assert_true(fabs(got - want) <= 0.5);
}

static void test_bucket(void **state)
{
    const struct bucket_case *c = *state;
    struct burst_bucket b = burst_bucket_of(rule_on(c->type, TODAY), c->size_gib);
    same(b.earn_per_s, c->want_earn);
    same(b.burst_per_s, c->want_burst);
    same(burst_drain_s(&b), c->want_drain_s);
    same(burst_refill_s(&b), c->want_refill_s);
}

enum { N = sizeof cases / sizeof cases[0] };

int main(void)
{
    struct CMUnitTest t[N];
    for (size_t i = 0; i < N; i++)
        t[i] = (struct CMUnitTest){ cases[i].why, test_bucket, NULL, NULL,
                                    (void *)(uintptr_t)&cases[i] };
    return _cmocka_run_group_tests("burst", t, N, NULL, NULL);
}
