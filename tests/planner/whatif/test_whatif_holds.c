/* tests/planner/whatif/test_whatif_holds.c - volumes that live on their bursts, or let some wait,
 * under another load. */
#include "tests/planner/whatif/redo_system.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { DATA = 3 };

/* Half an hour by the minute: 20 MiB/s, of DATA 200 in one of them. */
static void burst_of_a_minute(struct redo_system *s)
{
    incident(s);
    for (size_t g = 0; g < GROUPS_OF_SYSTEM; g++)
        add_minutes(s, g, 30, 10, 10);
    struct synthetic_series *room = &s->rooms[s->load.n_series - 1];
    room->read_mibps[9] = 190;
    if (calibrate_system(s, 1)) /* averages of the report as they are */
        fail_msg("%s", s->err.text);
}

static void run(struct redo_system *s, const struct whatif_options *o, const char *change,
                struct whatif *w)
{
    const char *const texts[] = { change, NULL };
    if (whatif_of(s, o, texts, w))
        fail_msg("%s", s->err.text);
}

/* gp2 of 500 GiB: 1 500 IOPS for long are less than 800 * 1.2 requests, 128... 250 MiB/s of bursts
 * are enough for 240; half as much load on top is not: 300 * 1.2. */
static void bursts_hold_more_than_their_baseline(void **state)
{
    (void)state;
    static struct redo_system s;
    struct whatif_options o = plain_options();
    struct whatif w;
    burst_of_a_minute(&s);
    o.plan.types = 1u << VOL_ST1;
    run(&s, &o, "growth 1", &w);
    assert_true(w.base.groups[DATA].chosen.by_replay);
    assert_int_equal(w.base_holds, HOLDS_WITHIN_HEADROOM);
    run(&s, &o, "growth 4000", &w);
    assert_int_equal(w.base_holds, HOLDS_NOT);
    arena_release(&s.arena);
}

/* What may wait may wait under the larger load too, up to the limit. */
static void what_may_wait_holds(void **state)
{
    (void)state;
    static struct redo_system s;
    struct whatif_options o = plain_options();
    struct whatif w;
    burst_of_a_minute(&s);
    o.plan.max_throttled_s = 600;
    o.plan.headroom_pct = 0;
    run(&s, &o, "growth 100", &w);
    assert_true(w.base.groups[DATA].chosen.by_replay);
    enum whatif_holds twice = w.base_holds;
    run(&s, &o, "growth -50", &w);
    assert_int_equal(w.base_holds, HOLDS);
    assert_true(twice <= w.base_holds);
    arena_release(&s.arena);
}

/* p90 leaves the burst out: a load that grows by less than the headroom still holds. */
static void a_percentile_holds_at_the_percentile(void **state)
{
    (void)state;
    static struct redo_system s;
    struct whatif_options o = plain_options();
    struct whatif w;
    burst_of_a_minute(&s);
    o.plan.percentile = 90;
    run(&s, &o, "growth 5", &w);
    /* 27.927 MiB/s of the report over most of its 10 762 s */
    assert_near(w.base.groups[DATA].demand->demand.total_mibps, 21.58 + 6.347);
    assert_int_equal(w.base_holds, HOLDS);
    assert_int_equal(w.carries_upper, HOLDS);
    arena_release(&s.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bursts_hold_more_than_their_baseline),
        cmocka_unit_test(what_may_wait_holds),
        cmocka_unit_test(a_percentile_holds_at_the_percentile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
