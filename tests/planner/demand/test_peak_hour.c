/* tests/planner/demand/test_peak_hour.c - what is left of a demand without its peak hour. */
#include "planner/demand/peak_hour.h"

#include "tests/planner/demand/two_groups.h"

/* Seconds of a day. */
#define AT(h, m) ((h)*3600 + (m)*60)

static void put(struct world *w, int group, int from_s, int length_s, double mibps)
{
    sample(&w->series[group], &w->room[group], from_s, length_s, 4 * mibps, 0, mibps, 0);
}

/* 900 MiB/s at 9:10; the same hour of the next day goes with it, and what reaches into either; 200
 * at 10:00 stays.  The other group has its own hour, 8 h, and keeps 30. */
static void other_hours_stay(void **state)
{
    (void)state;
    static struct world w;
    begin(&w);
    put(&w, 0, AT(8, 0), 60, 100);
    put(&w, 0, AT(8, 59) + 30, 60, 700);
    put(&w, 0, AT(9, 10), 60, 900);
    put(&w, 0, AT(10, 0), 60, 200);
    put(&w, 0, AT(24 + 9, 59), 60, 800);
    put(&w, 1, AT(8, 0), 60, 40);
    put(&w, 1, AT(9, 10), 60, 30);
    measure(&w);
    if (demand_without_peak_hour(&w.measured, &w.a, &w.at, &w.e))
        fail_msg("%s", w.e.text);
    assert_near(w.at.groups[0].demand.total_mibps, 200);
    assert_near(w.at.groups[0].demand.counted_iops, 800);
    assert_int_equal(w.at.groups[0].demand.grade, GRADE_MEASURED);
    assert_near(w.at.groups[1].demand.total_mibps, 30);
    assert_int_equal(w.at.groups[0].points.n, w.measured.groups[0].points.n);
    arena_release(&w.a);
}

static void nothing_but_that_hour(void **state)
{
    (void)state;
    static struct world w;
    begin(&w);
    put(&w, 0, AT(9, 10), 60, 900);
    put(&w, 0, AT(9, 20), 60, 100);
    measure(&w);
    if (demand_without_peak_hour(&w.measured, &w.a, &w.at, &w.e))
        fail_msg("%s", w.e.text);
    assert_int_equal(w.at.groups[0].demand.grade, GRADE_NONE);
    assert_int_equal(w.at.groups[1].demand.grade, GRADE_NONE);
    arena_release(&w.a);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(other_hours_stay),
                                        cmocka_unit_test(nothing_but_that_hour) };
    return cmocka_run_group_tests_name("peak hour", tests, NULL, NULL);
}
