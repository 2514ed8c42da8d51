/* tests/planner/demand/test_quantile.c - shares of time, against sorting.  Seed printed. */
#include "planner/demand/quantile.h"

#include "tests/seeded.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static uint64_t seed;

static const double pcts[] = { 0, 50, 95, 99, 99.9, 100 };
enum { PCTS = sizeof pcts / sizeof *pcts, VALUES_MAX = 5000 };

static void test_by_hand(void **state)
{
    (void)state;
    /* 10 s in all: 1 for 5 s, 2 for 4.5 s, 7 for 0.5 s, unsorted.  Half the time is met by 1; 95 %,
     * 9.5 s, by 2; 99 % only by 7. */
    const struct timed_value v[] = { { 7, 500 }, { 1, 2000 }, { 2, 4500 }, { 1, 3000 } };
    const double want[PCTS] = { 1, 1, 2, 7, 7, 7 };
    struct timed_value scratch[8];
    double got[PCTS];
    quantiles(v, 4, pcts, PCTS, scratch, got);
    for (size_t i = 0; i < PCTS; i++)
        assert_true(got[i] == want[i]);
    quantiles(v, 0, pcts, PCTS, scratch, got);
    assert_true(isnan(got[0]));
}

static int by_value(const void *va, const void *vb)
{
    const struct timed_value *a = va, *b = vb;
    return (a->value > b->value) - (a->value < b->value);
}

/* The first of the sorted values at which the time adds up to the share. */
static double by_sorting(struct timed_value *v, size_t n, double pct)
{
    int64_t total_ms = 0, sum_ms = 0;
    qsort(v, n, sizeof *v, by_value);
    for (size_t i = 0; i < n; i++)
        total_ms += v[i].length_ms;
    for (size_t i = 0; i < n; i++) {
        sum_ms += v[i].length_ms;
        if ((double)sum_ms >= (double)total_ms * pct / 100 * (1 - 1e-12))
            return v[i].value;
    }
    return v[n - 1].value;
}

/* Shapes that buckets do not like: all equal, two far apart, neighbours of one number, both signs,
 * infinite, a thousand decades. */
static double random_value(struct seeded *s, int64_t shape)
{
    double u = seeded_real(s, 1);
    switch (shape) {
    case 0:
        return 42;
    case 1:
        return u < 0.5 ? 1e-300 : 1e300;
    case 2:
        return nextafter(1000, u < 0.5 ? 0 : 2000);
    case 3:
        return (u - 0.5) * 1e6;
    case 4:
        return u < 0.01 ? (double)INFINITY : floor(u * 20);
    case 5:
        return exp((u - 0.5) * 1400);
    case 6:
        return u < 0.3 ? 0.0 : u < 0.4 ? -0.0 : u;
    default:
        return u * u * 500;
    }
}

static void test_as_sorting(void **state)
{
    (void)state;
    static struct timed_value v[VALUES_MAX], scratch[2 * VALUES_MAX], sorted[VALUES_MAX];
    for (uint64_t i = 0; i < 400; i++) {
        struct seeded s = seeded_case(seed, i);
        size_t n = (size_t)seeded_int(&s, 1, seeded_chance(&s, 50) ? 40 : VALUES_MAX);
        int64_t shape = seeded_int(&s, 0, 8);
        bool minutes = seeded_chance(&s, 50);
        for (size_t k = 0; k < n; k++)
            v[k] = sorted[k] = (struct timed_value){ random_value(&s, shape),
                                                     minutes ? 60000 : seeded_int(&s, 0, 3000) };
        double got[PCTS];
        quantiles(v, n, pcts, PCTS, scratch, got);
        for (size_t p = 0; p < PCTS; p++) {
            double want = by_sorting(sorted, n, pcts[p]);
            if (got[p] != want && pcts[p] > 0)
                fail_msg("seed %llu, case %llu: %g %% of %zu: %g, sorted %g",
                         (unsigned long long)seed, (unsigned long long)i, pcts[p], n, got[p], want);
        }
    }
}

int main(void)
{
    seed = seed_of_run(20260603);
    const struct CMUnitTest t[] = { cmocka_unit_test(test_by_hand),
                                    cmocka_unit_test(test_as_sorting) };
    return cmocka_run_group_tests(t, NULL, NULL);
}
