/* tests/models/vocab/test_layout.c - device patterns of a layout. */
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

int main(void)
{
    enum { N = sizeof cases / sizeof *cases };
    struct CMUnitTest t[N];
    for (size_t i = 0; i < N; i++)
        t[i] = (struct CMUnitTest){ cases[i].why, match, NULL, NULL, (void *)(uintptr_t)&cases[i] };
    return cmocka_run_group_tests(t, NULL, NULL);
}
