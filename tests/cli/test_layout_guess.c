/* tests/cli/test_layout_guess.c - which devices are taken for one stripe. */
#include "cli/cmd/layout_guess.h"
#include "models/core/unit.h"
#include "models/vocab/volume_config.h"
#include "tests/each_allocation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const int64_t begin_ms[] = { 0, 60000 }, end_ms[] = { 60000, 120000 };
static const double zero[] = { 0, 0 }, ten[] = { 10, 10 }, eleven[] = { 10, 12 },
                    twenty[] = { 20, 20 }, unknown[] = { NAN, NAN };

#define DEVICE(host_, name_, read, write)                                                          \
    {                                                                                              \
        .kind = SERIES_DEVICE, .host = host_, .name = name_, .n = 2, .begin_ms = begin_ms,         \
        .end_ms = end_ms, .read_mibps = read, .write_mibps = write                                 \
    }
#define FILETYPE(name_)                                                                            \
    {                                                                                              \
        .kind = SERIES_FILETYPE, .name = name_, .n = 2, .begin_ms = begin_ms, .end_ms = end_ms,    \
        .read_mibps = ten, .write_mibps = ten                                                      \
    }

enum { SERIES = 8 };

static const struct guess_case {
    const char *why;
    struct load_series series[SERIES];
    size_t n;
    const char *groups; /* of devices or files: "a b | c" */
} cases[] = {
    { "alike within a quarter",
      { DEVICE("h", "a", ten, ten), DEVICE("h", "b", eleven, ten), DEVICE("h", "c", twenty, ten) },
      3,
      "a b | c" },
    { "reads alike, writes not",
      { DEVICE("h", "a", ten, ten), DEVICE("h", "b", ten, zero) },
      2,
      "a | b" },
    { "idle devices belong together, measured or not",
      { DEVICE("h", "a", zero, zero), DEVICE("h", "b", unknown, zero) },
      2,
      "a b" },
    { "stripes do not cross hosts, whose names then stand in front",
      { DEVICE("h", "a", ten, ten), DEVICE("i", "a", ten, ten) },
      2,
      "h:a | i:a" },
    { "what stands on other devices would count twice",
      { DEVICE("h", "sda", ten, ten), DEVICE("h", "sda1", ten, ten), DEVICE("h", "dm-0", ten, ten),
        DEVICE("h", "nvme0n1", twenty, ten), DEVICE("h", "nvme0n1p1", twenty, ten),
        DEVICE("h", "loop3", zero, zero), DEVICE("h", "md127", ten, ten) },
      7,
      "sda | nvme0n1" },
    { "the numbers of sar: 16 minors a disk, 253 is the device mapper",
      { DEVICE("h", "dev8-0", ten, ten), DEVICE("h", "dev8-5", ten, ten),
        DEVICE("h", "dev8-16", twenty, ten), DEVICE("h", "dev253-0", ten, ten),
        DEVICE("h", "dev8-33", zero, ten) },
      5,
      "dev8-0 | dev8-16 | dev8-33" },
    { "nvme1n1 and nvme1n10 are two devices",
      { DEVICE("h", "nvme1n1", ten, ten), DEVICE("h", "nvme1n10", twenty, twenty) },
      2,
      "nvme1n1 | nvme1n10" },
    { "without devices the file types make the groups",
      { FILETYPE("Log File"), FILETYPE("Data File"), FILETYPE("Archive Log"),
        FILETYPE("Control File") },
      4,
      "Data File Control File | Log File | Archive Log" },
};

static void append(char *to, size_t room, const char *s)
{
    size_t at = strlen(to);
    assert_true(at + strlen(s) < room);
    memcpy(to + at, s, strlen(s) + 1);
}

static void guess(void **state)
{
    const struct guess_case *c = *state;
    struct system_load load = { .system = "PRD1", .series = c->series, .n_series = c->n };
    struct arena a = { 0 };
    struct layout l;
    struct err e = { 0 };
    char got[300] = "";
    assert_int_equal(layout_guess(&load, &a, &l, &e), 0);
    assert_string_equal(l.system, "PRD1");
    for (size_t g = 0; g < l.n_groups; g++) {
        const struct layout_group *group = &l.groups[g];
        append(got, sizeof got, g ? " | " : "");
        for (size_t i = 0; i < group->n_devices + group->n_files; i++) {
            append(got, sizeof got, i ? " " : "");
            append(got, sizeof got, group->n_devices ? group->devices[i] : group->files[i].name);
        }
        assert_int_equal(group->need_gib, UNKNOWN);
    }
    assert_string_equal(got, c->groups);
    arena_release(&a);
}

/* --- volumes of the EC2 API --------------------------------------------------------------------
 */

#define VOLUME(name_)                                                                              \
    {                                                                                              \
        .kind = SERIES_VOLUME, .name = name_, .n = 2, .begin_ms = begin_ms, .end_ms = end_ms,      \
        .read_mibps = ten, .write_mibps = ten                                                      \
    }
#define DESCRIBED(id, type_, gib)                                                                  \
    {                                                                                              \
        .config = {                                                                                \
            .volume_id = { id, sizeof id - 1 },                                                    \
            .spec = { type_, 1, gib, 3000, 125 },                                                  \
            .created_ms = 5                                                                        \
        }                                                                                          \
    }

static const struct load_series volumes[] = { VOLUME("vol-1"), VOLUME("vol-2"), VOLUME("vol-3") };
static const struct stored_volume told[] = { DESCRIBED("vol-1", VOL_GP3, 100),
                                             DESCRIBED("vol-2", VOL_GP3, 200),
                                             DESCRIBED("vol-3", VOL_GP3, 100),
                                             DESCRIBED("vol-3", VOL_TYPE_COUNT, 100) };

/* Two of 100 GiB and one of 200; with two of three described nothing is known of the group. */
static void described_volumes(void **state)
{
    (void)state;
    for (size_t n = 2; n <= 4; n++) {
        struct system_load load = {
            .system = "P", .series = volumes, .n_series = 3, .volumes = told, .n_volumes = n
        };
        struct arena a = { 0 };
        struct layout l;
        struct err e = { 0 };
        assert_int_equal(layout_guess(&load, &a, &l, &e), 0);
        assert_int_equal(l.n_groups, 1);
        assert_int_equal(l.groups[0].n_volumes, n == 2 ? 0 : 2);
        if (n > 2) {
            assert_int_equal(l.groups[0].volumes[0].spec.count, 2);
            assert_int_equal(l.groups[0].volumes[0].since_ms, 5);
            assert_int_equal(l.groups[0].volumes[1].spec.size_gib, 200);
        }
        arena_release(&a);
    }
}

static void nothing_to_guess_from(void **state)
{
    (void)state;
    struct system_load load = { .system = "PRD1" };
    struct arena a = { 0 };
    struct layout l;
    struct err e = { 0 };
    assert_int_equal(layout_guess(&load, &a, &l, &e), ERR_USAGE);
    arena_release(&a);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    struct system_load load = {
        .system = "P", .series = volumes, .n_series = 3, .volumes = told, .n_volumes = 4
    };
    struct layout l;
    struct each_allocation it = { 0 };
    while (each_allocation(&it)) {
        it.rc = layout_guess(&load, &it.a, &l, &it.e);
        assert_true(it.n < 100);
    }
}

int main(void)
{
    enum { N = sizeof cases / sizeof *cases };
    struct CMUnitTest t[N + 3];
    for (size_t i = 0; i < N; i++)
        t[i] = (struct CMUnitTest){ cases[i].why, guess, NULL, NULL, (void *)(size_t)&cases[i] };
    t[N] = (struct CMUnitTest)cmocka_unit_test(nothing_to_guess_from);
    t[N + 1] = (struct CMUnitTest)cmocka_unit_test(every_allocation_may_fail);
    t[N + 2] = (struct CMUnitTest)cmocka_unit_test(described_volumes);
    return cmocka_run_group_tests_name("layout_guess", t, NULL, NULL);
}
