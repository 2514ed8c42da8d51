/* tests/models/vocab/test_layout.c - device patterns of a layout, and what its volumes add up to.
 */
#include "models/core/unit.h"
#include "models/vocab/layout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct match_case {
    const char *why, *pattern, *host, *device;
    bool want;
} cases[] = {
    { "the name itself", "nvme8n1", "db1", "nvme8n1", true },
    { "another device", "nvme8n1", "db1", "nvme9n1", false },
    { "a longer name is another device", "nvme1n1", "db1", "nvme1n1p1", false },
    { "a star stands for a run", "nvme*n1", NULL, "nvme12n1", true },
    { "and for nothing", "sd*", NULL, "sd", true },
    { "what follows the star counts", "nvme*n1", NULL, "nvme12n2", false },
    { "the star backs off", "*ab", NULL, "aab", true },
    { "two stars", "a*b*c", NULL, "axxbyyc", true },
    { "the host must fit", "db2:nvme8n1", "db1", "nvme8n1", false },
    { "and does", "db2:nvme*n1", "db2", "nvme8n1", true },
    { "a host pattern", "db*:sdb", "db17", "sdb", true },
    { "no host known: cannot be that host", "db2:nvme8n1", NULL, "nvme8n1", false },
    { "a path names the device", "/dev/sdb", NULL, "sdb", true },
    { "an empty pattern names nothing", "", NULL, "sdb", false },
};

static void match(void **state)
{
    const struct match_case *c = *state;
    assert_int_equal(layout_match_device(c->pattern, c->host, c->device), c->want);
}

/* --- sums ------------------------------------------------------------------------------------- */

#define IO2(n, gib, iops)                                                                          \
    {                                                                                              \
        { VOL_IO2, n, gib, iops, UNKNOWN }, UNKNOWN                                                \
    }

static const struct sum_case {
    const char *why;
    struct layout_volumes volumes[2];
    size_t n;
    enum redundancy redundancy;
    int64_t need_gib, want_count, want_gib, want_usable_gib;
    bool want_alike;
} sums[] = {
    { "nothing is known",
      { { { VOL_GP3, 0, 0, 0, 0 }, 0 } },
      0,
      REDUNDANCY_EXTERNAL,
      UNKNOWN,
      0,
      0,
      UNKNOWN,
      true },
    { "3 x 100", { IO2(3, 100, 5000) }, 1, REDUNDANCY_EXTERNAL, UNKNOWN, 3, 300, 300, true },
    { "counts do not make volumes unlike",
      { IO2(3, 100, 5000), IO2(1, 100, 5000) },
      2,
      REDUNDANCY_EXTERNAL,
      UNKNOWN,
      4,
      400,
      400,
      true },
    { "IOPS do; half of 101 + 200 GiB is usable, rounded up: 151",
      { IO2(1, 101, 5000), IO2(2, 100, 5001) },
      2,
      REDUNDANCY_NORMAL,
      UNKNOWN,
      3,
      301,
      151,
      false },
    { "a size that is not known does not count",
      { IO2(1, UNKNOWN, 5000), IO2(2, 100, 5000) },
      2,
      REDUNDANCY_EXTERNAL,
      UNKNOWN,
      3,
      200,
      200,
      false },
    { "what is needed goes before what there is",
      { IO2(1, 500, 5000) },
      1,
      REDUNDANCY_HIGH,
      40,
      1,
      500,
      40,
      true },
};

static void sum(void **state)
{
    const struct sum_case *c = *state;
    struct layout_group g = layout_group_unknown;
    g.volumes = c->volumes;
    g.n_volumes = c->n;
    g.redundancy = c->redundancy;
    g.need_gib = c->need_gib;
    assert_int_equal(layout_volume_count(&g), c->want_count);
    assert_int_equal(layout_volumes_gib(&g), c->want_gib);
    assert_int_equal(layout_usable_gib(&g), c->want_usable_gib);
    assert_int_equal(layout_volumes_alike(&g), c->want_alike);
}

static void names_by_id(void **state)
{
    (void)state;
    static const char *const ids[] = { "vol-0aa1", "vol-0bb2" };
    struct layout_group g = layout_group_unknown;
    g.volume_ids = ids;
    g.n_volume_ids = 2;
    assert_true(layout_names_volume(&g, span_of("vol-0bb2")));
    assert_false(layout_names_volume(&g, span_of("vol-0bb")));
    assert_false(layout_names_volume(&g, span_of("")));
}

int main(void)
{
    enum { N = sizeof cases / sizeof *cases, N_SUMS = sizeof sums / sizeof *sums };
    struct CMUnitTest t[N + N_SUMS + 1];
    for (size_t i = 0; i < N; i++)
        t[i] = (struct CMUnitTest){ cases[i].why, match, NULL, NULL, (void *)(uintptr_t)&cases[i] };
    for (size_t i = 0; i < N_SUMS; i++)
        t[N + i] = (struct CMUnitTest){ sums[i].why, sum, NULL, NULL, (void *)(uintptr_t)&sums[i] };
    t[N + N_SUMS] = (struct CMUnitTest)cmocka_unit_test(names_by_id);
    return cmocka_run_group_tests(t, NULL, NULL);
}
