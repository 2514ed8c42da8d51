/* tests/planner/diagnose/test_disk_frames.c - disks side by side that were not measured all the
 * time. */
#include "planner/diagnose/disk_frames.h"

#include "tests/planner/synthetic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* sda is measured for three minutes, sdb in the second alone, sdc from the first to the second:
 * reads of 128, 64 and 32 KiB. */
static void only_what_was_measured(void **state)
{
    (void)state;
    struct synthetic_series rooms[3];
    struct load_series series[3];
    struct load_member members[3];
    static const char *const names[] = { "sda", "sdb", "sdc" };
    for (size_t i = 0; i < 3; i++) {
        series[i] = series_in(&rooms[i], SERIES_DEVICE, names[i]);
        members[i] = (struct load_member){ &series[i], 1, 1 };
    }
    for (int i = 0; i < 3; i++)
        sample(&series[0], &rooms[0], 60 * i, 60, 80, 0, 10, 0);
    sample(&series[1], &rooms[1], 60, 60, 80, 8, 5, 1);
    sample(&series[2], &rooms[2], 0, 60, 160, 0, 5, 0);
    sample(&series[2], &rooms[2], 60, 60, 160, 0, 5, 0);
    struct arena a = { 0 };
    struct run r = { .arena = &a };
    const struct group_demand g = { .members = members, .n_members = 3 };
    struct disk_frames f;
    assert_true(disk_frames_open(&f, &r, &g));
    assert_true(disk_frames_next(&f));
    assert_int_equal(f.time_ms, morning_ms());
    assert_int_equal(f.n, 2); /* sdb has not begun */
    assert_int_equal(f.disk[1].member, 2);
    assert_true(disk_frames_next(&f));
    assert_int_equal(f.time_ms, morning_ms() + 60000);
    assert_int_equal(f.n, 3);
    assert_near(f.disk[0].read_kib, 128);
    assert_near(f.disk[1].read_kib, 64);
    assert_near(f.disk[1].total_iops, 88);
    assert_near(f.disk[1].total_mibps, 6);
    assert_near(f.disk[2].read_kib, 32);
    assert_near(disk_frames_median(&f, offsetof(struct disk_at, read_kib), 3), 64);
    assert_near(disk_frames_median(&f, offsetof(struct disk_at, read_kib), 1), 80);
    assert_int_equal(disk_frames_most(&f, offsetof(struct disk_at, read_iops)), 2);
    assert_false(disk_frames_next(&f)); /* sda alone */
    arena_release(&a);
}

int main(void)
{
    const struct CMUnitTest t[] = { cmocka_unit_test(only_what_was_measured) };
    return cmocka_run_group_tests(t, NULL, NULL);
}
