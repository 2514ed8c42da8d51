/* tests/models/oracle/oracle_random.h - numbers for property tests; SEED= replays a run. */
#ifndef TESTS_MODELS_ORACLE_ORACLE_RANDOM_H
#define TESTS_MODELS_ORACLE_ORACLE_RANDOM_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t random_state;

static void random_seed(void)
{
    const char *seed = getenv("SEED");
    random_state = seed ? strtoull(seed, NULL, 10) : 20220601;
    printf("seed %llu\n", (unsigned long long)random_state);
}

static double random_between(double low, double high)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(random_state >> 40) / 16777216.0;
}

static int64_t random_int(int64_t low, int64_t high)
{
    return (int64_t)floor(random_between((double)low, (double)high + 0.999));
}

#endif
