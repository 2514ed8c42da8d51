/* tests/data/ingest/cloudwatch/test_cw_path.c - which volume the name of a file speaks of. */
#include "data/ingest/cloudwatch/cw_path.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct path_case {
    const char *why, *path, *metric, *want;
};

static const struct path_case paths[] = {
    { "id and metric", "vol-0123456789abcdef0-VolumeReadOps.json", "VolumeReadOps",
      "VolumeId=vol-0123456789abcdef0" },
    { "in a folder", "cw/a.b/reads_vol-0a1b2c3d.json", "VolumeReadBytes", "VolumeId=vol-0a1b2c3d" },
    { "twice the same", "vol-0a1b2c3d.vol-0a1b2c3d", "BurstBalance", "VolumeId=vol-0a1b2c3d" },
    { "two volumes: nobody knows", "vol-0a1b2c3d-vol-0a1b2c3e.json", "VolumeReadOps", "" },
    { "the folder is not the file", "vol-0a1b2c3d/reads.json", "VolumeReadOps", "" },
    { "too short for an id", "vol-1.json", "VolumeReadOps", "" },
    { "inside another word", "myvol-0a1b2c3d.json", "VolumeReadOps", "" },
    { "an instance, for its own metrics", "i-0a1b2c3d4e.json", "EBSReadOps",
      "InstanceId=i-0a1b2c3d4e" },
    { "a volume has no EBSReadOps", "vol-0a1b2c3d.json", "EBSReadOps", "" },
    { "an instance has no VolumeReadOps", "i-0a1b2c3d4e.json", "VolumeReadOps", "" },
    { "other metrics are of anything", "i-0a1b2c3d4e.json", "CPUUtilization", "" },
    { "no metric told", "vol-0a1b2c3d.json", "", "" },
    { "an id too long", "vol-0123456789012345678901234567890123456789.json", "VolumeReadOps", "" },
    { "nothing", "", "VolumeReadOps", "" },
};

static void test_path(void **state)
{
    const struct path_case *c = *state;
    char buf[CW_PATH_DIMENSION_MAX];
    struct span got = cw_path_dimension(c->path, span_of(c->metric), buf);
    assert_int_equal(got.len, strlen(c->want));
    assert_memory_equal(got.len ? got.ptr : "", c->want, got.len);
}

int main(void)
{
    enum { N = sizeof paths / sizeof *paths };
    struct CMUnitTest t[N];
    for (size_t i = 0; i < N; i++)
        t[i] = (struct CMUnitTest){ paths[i].why, test_path, NULL, NULL,
                                    (void *)(uintptr_t)&paths[i] };
    return cmocka_run_group_tests(t, NULL, NULL);
}
