/* tests/seeded.h - random numbers that a seed repeats: SEED= in the environment. */
#ifndef TESTS_SEEDED_H
#define TESTS_SEEDED_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct seeded {
    uint64_t state;
};

/* The seed in use, printed; `otherwise` when none is given. */
static inline uint64_t seed_of_run(uint64_t otherwise)
{
    const char *given = getenv("SEED");
    uint64_t seed = given ? strtoull(given, NULL, 10) : otherwise;
    printf("seed %llu (SEED= replays)\n", (unsigned long long)seed);
    return seed;
}

/* Case number `index` of a run: each can be repeated without the ones before. */
static inline struct seeded seeded_case(uint64_t seed, uint64_t index)
{
    return (struct seeded){ seed * UINT64_C(0x9E3779B97F4A7C15) + index };
}

static inline uint64_t seeded_next(struct seeded *s) /* splitmix64 */
{
    uint64_t z = s->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static inline int64_t seeded_int(struct seeded *s, int64_t low, int64_t high)
{
    return low + (int64_t)(seeded_next(s) % (uint64_t)(high - low + 1));
}

static inline int seeded_chance(struct seeded *s, int pct)
{
    return seeded_int(s, 1, 100) <= pct;
}

/* From 0 to below most. */
static inline double seeded_real(struct seeded *s, double most)
{
    return (double)(seeded_next(s) >> 11) * 0x1p-53 * most;
}

static inline double seeded_between(struct seeded *s, double low, double high)
{
    return low + seeded_real(s, high - low);
}

#endif
