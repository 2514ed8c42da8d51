/* planner/demand/quantile.c - see quantile.h.
 *
 * Doubles are mapped to integers of the same order, and the time is summed in buckets of equal
 * ranges of these integers: fine near 0, coarse at large values, as the doubles themselves are.
 * Only the bucket that holds the wanted share is looked at again, in finer buckets.  A round
 * divides the range of values by half the number of buckets at least, so there are six rounds at
 * most, whatever the values: O(n), where sorting is O(n log n). */
#include "planner/demand/quantile.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { BUCKETS = 2048, KEY_BITS = 64 };

struct buckets {
    uint64_t least; /* key of the smallest value */
    int shift;
    size_t n;
    int64_t length_ms[BUCKETS], total_ms;
};

/* Ascends with the value; -0 is 0. */
static uint64_t key_of(double value)
{
    uint64_t bits;
    double v = value + 0.0;
    memcpy(&bits, &v, sizeof bits);
    uint64_t sign = UINT64_C(1) << (KEY_BITS - 1);
    return bits & sign ? ~bits : bits | sign;
}

static size_t bucket_of(const struct buckets *b, double value)
{
    return (size_t)((key_of(value) - b->least) >> b->shift);
}

static void fill(struct buckets *b, const struct timed_value *v, size_t n)
{
    double least = v[0].value, most = v[0].value;
    for (size_t i = 1; i < n; i++) {
        least = v[i].value < least ? v[i].value : least;
        most = v[i].value > most ? v[i].value : most;
    }
    b->least = key_of(least);
    uint64_t range = key_of(most) - b->least;
    for (b->shift = 0; range >> b->shift >= BUCKETS; b->shift++)
        continue;
    b->n = (size_t)(range >> b->shift) + 1;
    b->total_ms = b->length_ms[0] = 0;
    if (!range)
        return; /* one bucket, whatever lies in it */
    memset(b->length_ms, 0, b->n * sizeof *b->length_ms);
    for (size_t i = 0; i < n; i++) {
        b->length_ms[bucket_of(b, v[i].value)] += v[i].length_ms;
        b->total_ms += v[i].length_ms;
    }
}

/* The bucket in which the time summed from below reaches wanted_ms; *before_ms is raised to what
 * lies below it.  The last one that holds any where rounding leaves it short. */
static size_t find(const struct buckets *b, double wanted_ms, int64_t *before_ms)
{
    size_t last = 0;
    int64_t sum_ms = *before_ms;
    for (size_t i = 0; i < b->n; i++) {
        if (!b->length_ms[i])
            continue;
        last = i;
        *before_ms = sum_ms;
        sum_ms += b->length_ms[i];
        if ((double)sum_ms >= wanted_ms)
            break;
    }
    return last;
}

/* Keeps what lies in the buckets from first to last; to may be v. */
static size_t keep(const struct buckets *b, size_t first, size_t last, const struct timed_value *v,
                   size_t n, struct timed_value *to)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        to[kept] = v[i]; /* written over unless it is kept: no branch that cannot be foretold */
        kept += bucket_of(b, v[i].value) - first <= last - first;
    }
    return kept;
}

static double select_in(struct timed_value *v, size_t n, double wanted_ms, int64_t before_ms)
{
    struct buckets b;
    for (;;) {
        fill(&b, v, n);
        size_t bucket = find(&b, wanted_ms, &before_ms);
        n = keep(&b, bucket, bucket, v, n, v);
        if (!b.shift)
            return v[0].value; /* one key a bucket: all that is left are equal */
    }
}

void quantiles(const struct timed_value *v, size_t n, const double *pct, size_t k,
               struct timed_value *scratch, double *out)
{
    struct buckets all;
    if (n)
        fill(&all, v, n);
    const struct timed_value *from = v; /* what the shares not yet found lie in */
    size_t n_from = n;
    for (size_t i = 0; i < k; i++) {
        int64_t before_ms = 0;
        bool equal = n && all.n == 1 && !all.shift;
        out[i] = equal ? v[0].value : NAN;
        if (!n || equal)
            continue;
        double wanted_ms = (double)all.total_ms * pct[i] / 100 * (1 - 1e-12);
        size_t bucket = find(&all, wanted_ms, &before_ms);
        if (i == 1) { /* the second and all after it lie in the upper part */
            n_from = keep(&all, bucket, all.n, v, n, scratch + n);
            from = scratch + n;
        }
        size_t left = keep(&all, bucket, bucket, from, n_from, scratch);
        out[i] = select_in(scratch, left, wanted_ms, before_ms);
    }
}
