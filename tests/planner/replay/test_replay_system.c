/* tests/planner/replay/test_replay_system.c - a whole system, and one group's trials.
 *
 * Loads are a few samples from 07:00 of 2022-05-18; expected values are worked out beside them. */
#include "planner/replay/replay_measured.h"
#include "planner/replay/replay_system.h"
#include "planner/replay/replay_trial.h"

#include "planner/replay/replay.h"
#include "tests/each_allocation.h"
#include "tests/planner/synthetic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { GROUPS = 3 };

/* A ceiling counts 1e-9 larger than given, and so backlogs come out smaller by more than that. */
static void assert_close(double got, double want)
{
    if (!(fabs(got - want) <= 1e-6 * fmax(1, fabs(want))))
        fail_msg("%.12g, expected %.12g", got, want);
}

struct world {
    struct synthetic_series room[GROUPS];
    struct load_series series[GROUPS];
    struct layout_group groups[GROUPS];
    size_t n;
    struct arena a;
    struct system_load load;
    struct layout layout;
    struct system_demand demand;
    struct replay_question question;
};

static const char *const devices[GROUPS][1] = { { "nvme1n1" }, { "nvme2n1" }, { "nvme3n1" } };
static const char *const names[GROUPS] = { "A", "B", "C" };

static const struct layout_volumes io2_of_march[] = { { { VOL_IO2, 1, 500, 5000, UNKNOWN },
                                                        UNKNOWN } };
static const struct layout_volumes gp3_250[] = { { { VOL_GP3, 1, 500, 3000, 250 }, UNKNOWN } };
static const struct layout_volumes gp2_100[] = { { { VOL_GP2, 1, 100, UNKNOWN, UNKNOWN },
                                                   UNKNOWN } };

static size_t add(struct world *w, const struct layout_volumes *volumes)
{
    struct layout_group *g = &w->groups[w->n];
    *g = group_named(names[w->n], ROLE_DATA);
    g->devices = devices[w->n];
    g->n_devices = 1;
    g->volumes = volumes;
    g->n_volumes = volumes ? 1 : 0;
    w->series[w->n] = series_in(&w->room[w->n], SERIES_DEVICE, devices[w->n][0]);
    return w->n++;
}

/* MiB/s read in requests of 256 KiB. */
static void load(struct world *w, size_t g, double at_s, double length_s, double mibps)
{
    sample(&w->series[g], &w->room[g], at_s, length_s, mibps * 4, 0, mibps, 0);
}

static void build(struct world *w, const char *instance_type)
{
    struct demand_options o;
    struct err e = { 0 };
    demand_options_init(&o, &builtin_catalogue);
    w->load = (struct system_load){ .system = "PRD1", .series = w->series, .n_series = w->n };
    w->layout = layout_of(w->groups, w->n, instance_type);
    if (system_demand_build(&w->load, &w->layout, &o, &w->a, &w->demand, &e))
        fail_msg("%s", e.text);
    w->question = (struct replay_question){ .demand = &w->demand, .catalogue = &builtin_catalogue };
}

static struct replay_system replay_it(struct world *w)
{
    struct replay_system s;
    struct err e = { 0 };
    if (replay_system(&w->question, &w->a, &s, &e))
        fail_msg("%s", e.text);
    return s;
}

/* A: 600 MiB/s for 60 s on io2 of 5 000 IOPS, 500 in 2022: 6 000 MiB wait, drained at 500 - 100 in
 * 15 s.  B: 200 on gp3 of 250. */
static void today_under_the_rules_of_the_day(void **state)
{
    (void)state;
    struct world w = { .n = 0 };
    size_t a = add(&w, io2_of_march), b = add(&w, gp3_250);
    load(&w, a, 0, 60, 540);
    load(&w, a, 60, 60, 100);
    load(&w, b, 0, 120, 200);
    build(&w, NULL);
    struct replay_system s = replay_it(&w);
    assert_int_equal(s.n_groups, 2);
    assert_int_equal(s.begin_ms, morning_ms());
    assert_int_equal(s.end_ms, morning_ms() + 120000);
    assert_close(s.groups[0].minutes.worst_backlog_mib, 2400);
    assert_close(s.groups[0].minutes.throttled_s, 60 + 2400 / 400.0);
    assert_close(s.groups[0].minutes.over_s, 60);
    assert_close(s.groups[0].minutes.binding_s[REPLAY_VOLUME_THROUGHPUT], 66);
    assert_close(s.groups[1].minutes.throttled_s, 0);
    assert_close(replay_utilisation_pct(&s.groups[1].minutes), 80);
    assert_close(s.minutes.throttled_s, 66);
    assert_true(s.groups[0].known && !s.bursts);
    assert_true(replay_system_throttled(&s));
    arena_release(&w.a);
}

/* The same volume under the rules of 2026 passes 1 250 MiB/s; B stays as it is. */
static void planned_beside_today(void **state)
{
    (void)state;
    struct world w = { .n = 0 };
    size_t a = add(&w, io2_of_march), b = add(&w, gp3_250);
    load(&w, a, 0, 60, 540);
    load(&w, b, 0, 60, 260);
    build(&w, NULL);
    struct replay_volumes volumes[] = { { io2_of_march, 1, 1, day_ms("2026-06-01") },
                                        replay_volumes_of(&w.groups[1]) };
    w.question.volumes = volumes;
    struct replay_system s = replay_it(&w);
    assert_close(s.groups[0].minutes.throttled_s, 0);
    assert_close(s.groups[1].minutes.throttled_s, 60);
    arena_release(&w.a);
}

/* r6i.large: 81.25 MB/s, 1 250 for 30 minutes; 200 MB/s for two hours.  Bound by minutes after
 * 1 800 s; by credits not within two hours ((1 250 - 81.25) * 1 800 / (200 - 81.25) = 17 715.8). */
static void both_bounds_of_the_burst(void **state)
{
    (void)state;
    struct world w = { .n = 0 };
    size_t a = add(&w, gp3_250);
    for (int i = 0; i < 2; i++)
        load(&w, a, i * 3600, 3600, 200 / MB_PER_MIB);
    build(&w, NULL);
    w.question.instance = instance_find(&builtin_catalogue, SPAN_LIT("r6i.large"));
    struct replay_system s = replay_it(&w);
    assert_true(s.bursts);
    assert_close(s.groups[0].minutes.first_throttled_s, 1800);
    assert_close(s.minutes.binding_s[REPLAY_BASELINE_THROUGHPUT], 5400);
    assert_close(s.groups[0].credits.throttled_s, 0);
    assert_close(s.credits.credits * MB_PER_MIB, 1168.75 * 1800 - 118.75 * 7200);
    arena_release(&w.a);
}

/* --- each interval ---------------------------------------------------------------------------- */

struct told {
    size_t n, n_groups;
    double served_mib[GROUPS], instance_mib, asked_s;
    int64_t end_ms;
    int stop_with;
};

static int each(void *context, const struct replay_interval *i)
{
    struct told *t = context;
    double length_s = (double)(i->end_ms - i->begin_ms) / 1000;
    assert_true(!t->n || i->begin_ms == t->end_ms);
    t->end_ms = i->end_ms;
    t->n++;
    for (size_t g = 0; g < t->n_groups; g++)
        t->served_mib[g] += i->groups[g].served_mibps * length_s;
    t->instance_mib += i->instance.served_mibps * length_s;
    t->asked_s += isnan(i->instance.asked_mibps) ? 0 : length_s;
    return t->stop_with;
}

/* A: 540 on 500 for 60 s, 100 to 120 s; a gap; B: from 30 to 90 s.  Edges 0 30 60 90 120 180 240.
 */
static void tells_of_each_interval(void **state)
{
    (void)state;
    struct world w = { .n = 0 };
    struct told t = { .n_groups = 2 };
    size_t a = add(&w, io2_of_march), b = add(&w, gp3_250);
    load(&w, a, 0, 60, 540);
    load(&w, a, 60, 60, 100);
    load(&w, a, 180, 60, 50);
    load(&w, b, 30, 60, 200);
    build(&w, NULL);
    w.question.each = each;
    w.question.context = &t;
    struct replay_system s = replay_it(&w);
    assert_int_equal(t.n, 6);
    assert_close(t.served_mib[0], 540 * 60 + 100 * 60 + 50 * 60);
    assert_close(t.served_mib[1], 200 * 60);
    assert_close(t.instance_mib, s.minutes.served_mib);
    assert_close(t.asked_s, 180);
    assert_int_equal(t.end_ms, s.end_ms);

    struct err e = { 0 };
    t = (struct told){ .n_groups = 2, .stop_with = ERR_IO };
    assert_int_equal(replay_system(&w.question, &w.a, &s, &e), ERR_IO);
    assert_int_equal(t.n, 1);
    arena_release(&w.a);
}

static void nothing_measured(void **state)
{
    (void)state;
    struct world w = { .n = 0 };
    struct replay_measured_system m;
    struct err e = { 0 };
    add(&w, gp3_250);
    build(&w, "r5.8xlarge");
    struct replay_system s = replay_it(&w);
    assert_close(s.minutes.replayed_s, 0);
    assert_int_equal(s.begin_ms, UNKNOWN);
    assert_false(replay_system_throttled(&s));
    assert_int_equal(replay_measured(&w.question, &w.a, &m, &e), 0);
    assert_int_equal(m.groups[0].verdict, REPRODUCES_UNKNOWN);
    arena_release(&w.a);
}

/* --- trials ----------------------------------------------------------------------------------- */

/* A trial and a system with this one group say the same, gap, artefact and requests of st1
 * included. */
static void a_trial_is_the_system_of_one_group(void **state)
{
    (void)state;
    static const struct volume_spec specs[] = { { VOL_GP3, 1, 500, 3000, 125 },
                                                { VOL_GP2, 1, 100, UNKNOWN, UNKNOWN },
                                                { VOL_ST1, 1, 500, UNKNOWN, UNKNOWN },
                                                { VOL_IO2, 2, 100, 300, UNKNOWN } };
    struct world w = { .n = 0 };
    struct replay_trial *t;
    struct err e = { 0 };
    int64_t day = day_ms("2026-06-01");
    size_t a = add(&w, NULL);
    for (int i = 0; i < 40; i++)
        if (i % 7 != 3)
            load(&w, a, i * 600, 600, 10 + (i * 37) % 190);
    build(&w, NULL);
    assert_int_equal(replay_trial_open(&w.demand.groups[0].points, 1, &w.a, &t, &e), 0);
    for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
        struct layout_volumes row = { specs[k], UNKNOWN };
        struct replay_volumes volumes = { &row, 1, 1, day };
        struct replay_result got;
        w.question.volumes = &volumes;
        struct replay_system s = replay_it(&w);
        const struct replay_result *want = &s.groups[0].minutes;
        assert_true(replay_trial_spec(t, &builtin_catalogue, &specs[k], 1, NULL, day, NULL, &got));
        assert_close(got.throttled_s, want->throttled_s);
        assert_close(got.worst_backlog_mib, want->worst_backlog_mib);
        assert_close(got.worst_delay_ms, want->worst_delay_ms);
        assert_close(got.served_requests, want->served_requests);
        assert_close(got.replayed_s, want->replayed_s);
        assert_true(want->throttled_s > 0);
    }
    arena_release(&w.a);
}

/* 100 MiB/s for 60 s on 125: fits; with 50 % headroom 150: 25 * 60 wait, 12 s at worst. */
static void headroom_scales_the_load(void **state)
{
    (void)state;
    static const struct volume_spec gp3 = { VOL_GP3, 1, 500, 3000, 125 };
    struct world w = { .n = 0 };
    struct replay_trial *as_it_was, *with_headroom;
    struct replay_result r;
    struct err e = { 0 };
    int64_t day = day_ms("2026-06-01");
    load(&w, add(&w, NULL), 0, 60, 100);
    build(&w, NULL);
    const struct load_points *points = &w.demand.groups[0].points;
    assert_int_equal(replay_trial_open(points, 1, &w.a, &as_it_was, &e), 0);
    assert_int_equal(replay_trial_open(points, 1.5, &w.a, &with_headroom, &e), 0);
    assert_true(replay_trial_spec(as_it_was, &builtin_catalogue, &gp3, 1, NULL, day, NULL, &r));
    assert_close(r.throttled_s, 0);
    assert_true(replay_trial_spec(with_headroom, &builtin_catalogue, &gp3, 1, NULL, day, NULL, &r));
    assert_close(r.worst_backlog_mib, 1500);
    assert_close(r.worst_delay_ms, 60000 - 7500 / 150.0 * 1000); /* what waits at the end */

    struct replay_limits none = { 0, NAN }, a_minute = { 60, NAN }, nine_s = { NAN, 9000 };
    assert_false(
        replay_trial_spec(with_headroom, &builtin_catalogue, &gp3, 1, NULL, day, &none, NULL));
    assert_true(
        replay_trial_spec(with_headroom, &builtin_catalogue, &gp3, 1, NULL, day, &a_minute, NULL));
    assert_false(
        replay_trial_spec(with_headroom, &builtin_catalogue, &gp3, 1, NULL, day, &nine_s, NULL));
    /* no such volume on that day */
    assert_false(replay_trial_spec(as_it_was, &builtin_catalogue, &gp3, 1, NULL,
                                   day_ms("2019-01-01"), NULL, NULL));
    arena_release(&w.a);
}

/* A run ends soon after its limit is passed: 4 096 samples of which the first waits. */
static void a_run_ends_where_it_fails(void **state)
{
    (void)state;
    enum { N = 4096 };
    static struct load_point points[N];
    struct arena a = { 0 };
    struct replay_trial *t;
    struct replay_result r;
    struct err e = { 0 };
    for (int i = 0; i < N; i++)
        points[i] = (struct load_point){ .begin_ms = i * 1000,
                                         .end_ms = (i + 1) * 1000,
                                         .interval_s = 1,
                                         .read_iops = 10,
                                         .read_mibps = i ? 1 : 100,
                                         .write_iops = NAN,
                                         .write_mibps = NAN,
                                         .unsplit_iops = NAN,
                                         .unsplit_mibps = NAN,
                                         .counted_iops = 10 };
    struct replay_group fifty = replay_group_unknown();
    struct replay_limits none = { 0, NAN };
    fifty.max_throughput_mibps = 50;
    fifty.requests_per_mib = 4;
    assert_int_equal(replay_trial_open(&(struct load_points){ points, N }, 1, &a, &t, &e), 0);
    assert_false(replay_trial_run(t, &fifty, &none, &r));
    assert_true(r.replayed_s > 0 && r.replayed_s < N);
    assert_true(replay_trial_run(t, &fifty, NULL, &r));
    assert_close(r.replayed_s, N);
    arena_release(&a);
}

static void no_memory(void **state)
{
    (void)state;
    struct world w = { .n = 0 };
    size_t a = add(&w, gp2_100);
    load(&w, a, 0, 60, 100);
    load(&w, a, 120, 60, 100);
    build(&w, NULL);
    struct told told = { .n_groups = 1 };
    w.question.instance = instance_find(&builtin_catalogue, SPAN_LIT("r6i.large"));
    w.question.each = each;
    w.question.context = &told;
    for (int what = 0; what < 3; what++) {
        struct each_allocation it = { 0 };
        while (each_allocation(&it)) {
            struct replay_system s;
            struct replay_measured_system m;
            struct replay_trial *t;
            it.rc = what == 0 ? replay_system(&w.question, &it.a, &s, &it.e)
                    : what == 1
                        ? replay_measured(&w.question, &it.a, &m, &it.e)
                        : replay_trial_open(&w.demand.groups[0].points, 1, &it.a, &t, &it.e);
        }
    }
    assert_int_equal(told.n, 3); /* only the replay that had its memory, not replay_measured */
    arena_release(&w.a);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(today_under_the_rules_of_the_day),
        cmocka_unit_test(planned_beside_today),
        cmocka_unit_test(both_bounds_of_the_burst),
        cmocka_unit_test(tells_of_each_interval),
        cmocka_unit_test(nothing_measured),
        cmocka_unit_test(a_trial_is_the_system_of_one_group),
        cmocka_unit_test(headroom_scales_the_load),
        cmocka_unit_test(a_run_ends_where_it_fails),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
