/* tests/models/vocab/test_load_series.c - where in a load something stands. */
#include "models/vocab/load_series.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Three samples: [0, 60) and [60, 120), a gap, [180, 240). */
static const int64_t begin_ms[] = { 0, 60, 180 }, end_ms[] = { 60, 120, 240 };
static const struct load_series series = { .n = 3, .begin_ms = begin_ms, .end_ms = end_ms };

static const struct at_case {
    const char *why;
    int64_t time_ms;
    size_t want; /* 3 = none */
} cases[] = {
    { "a sample holds from its beginning", 0, 0 },
    { "and not at its end, where the next begins", 60, 1 },
    { "the last instant of a sample", 119, 1 },
    { "nothing holds in a gap", 120, 3 },
    { "the sample behind the gap", 180, 2 },
    { "before all", -1, 3 },
    { "behind all", 240, 3 },
};

static void at(void **state)
{
    const struct at_case *c = *state;
    assert_int_equal(load_series_at(&series, c->time_ms), c->want);
}

static void path(void **state)
{
    (void)state;
    static const int64_t ids[] = { 7, 9 };
    static const char *const paths[] = { "a.txt", "b.txt" };
    const struct system_load l = { .file_ids = ids, .file_paths = paths, .n_files = 2 };
    assert_string_equal(system_load_path(&l, 9), "b.txt");
    assert_null(system_load_path(&l, 8));
    assert_null(system_load_path(NULL, 9));
}

int main(void)
{
    enum { N = sizeof cases / sizeof *cases };
    struct CMUnitTest t[N + 1];
    for (size_t i = 0; i < N; i++)
        t[i] = (struct CMUnitTest){ cases[i].why, at, NULL, NULL, (void *)(uintptr_t)&cases[i] };
    t[N] = (struct CMUnitTest)cmocka_unit_test(path);
    return cmocka_run_group_tests(t, NULL, NULL);
}
