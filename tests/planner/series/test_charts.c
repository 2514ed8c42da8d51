/* tests/planner/series/test_charts.c - charts of small systems: ceilings by date, what waits and
 * what binds, where to look closely. */
#include "planner/series/charts.h"

#include "tests/each_allocation.h"
#include "tests/planner/plan_world.h"

static struct charts charts_of(struct world *w, const struct plan *p, const char *today)
{
    struct instance_type type = type_named(today);
    struct instance_type *kept = arena_alloc(&w->a, sizeof *kept);
    struct charts_question q = { &w->demand, &builtin_catalogue, kept, p };
    struct charts c;
    struct err e = { 0 };
    assert_non_null(kept);
    *kept = type;
    if (charts_build(&q, &w->a, &c, &e))
        fail_msg("%s", e.text);
    return c;
}

/* The n-th line of a kind; NULL. */
static const struct chart_ceiling *line_of(const struct chart *c, enum envelope_metric metric,
                                           enum replay_ceiling name, enum chart_whose whose, int n)
{
    for (size_t i = 0; i < c->ceilings.n; i++) {
        const struct chart_ceiling *l = &c->ceilings.at[i];
        if (l->metric == metric && l->name == name && l->whose == whose && n-- == 0)
            return l;
    }
    return NULL;
}

/* The io2 of the incident, measured on the last day before all are Block Express and on the next:
 * 500 MiB/s, then 5 000 * 0.256.  The plan's line has the rules of its own day throughout. */
static void a_ceiling_changes_with_the_rules(void **state)
{
    struct world w = { 0 };
    const int64_t day = INT64_C(86400000), begin = day_ms("2025-04-29");
    const struct layout_volumes since_2022[] = { { { VOL_IO2, 1, 500, 5000, UNKNOWN },
                                                   day_ms("2022-03-01") } };
    (void)state;
    add_redo(&w)->volumes = since_2022;
    w.room[0].begin_ms[0] = begin;
    w.room[0].end_ms[0] = begin + 60000;
    sample(&w.series[0], &w.room[0], 0, 60, 417, 0, 400, 0);
    w.room[0].begin_ms[1] = begin + day;
    w.room[0].end_ms[1] = begin + day + 60000;
    struct plan p = plan(&w, "2026-06-01");
    struct charts c = charts_of(&w, &p, "r5.8xlarge");
    assert_int_equal(c.n, 2);
    assert_int_equal(c.from_ms, begin);
    const struct chart_ceiling *before = line_of(&c.at[0], ENVELOPE_MIBPS, REPLAY_VOLUME_THROUGHPUT,
                                                 CHART_TODAY, 0),
                               *after = line_of(&c.at[0], ENVELOPE_MIBPS, REPLAY_VOLUME_THROUGHPUT,
                                                CHART_TODAY, 1);
    assert_non_null(before);
    assert_non_null(after);
    assert_near(before->value, 500);
    assert_near(after->value, 1280);
    assert_int_equal(before->to_ms, day_ms("2025-04-30"));
    assert_int_equal(after->from_ms, day_ms("2025-04-30"));
    assert_int_equal(after->to_ms, c.to_ms);
    assert_false(before->burst);
    assert_string_equal(before->spec, "io2 500 GiB 5 000 IOPS");
    /* one line of 5 000 IOPS over both days */
    assert_non_null(line_of(&c.at[0], ENVELOPE_IOPS, REPLAY_VOLUME_IOPS, CHART_TODAY, 0));
    assert_null(line_of(&c.at[0], ENVELOPE_IOPS, REPLAY_VOLUME_IOPS, CHART_TODAY, 1));
    assert_null(line_of(&c.at[0], ENVELOPE_MIBPS, REPLAY_VOLUME_THROUGHPUT, CHART_PLAN, 1));
    arena_release(&w.a);
}

/* gp2 of 100 GiB: bursts to 3 000 IOPS, earns 300, which is 75 MiB/s; c5.large: 650 Mbit/s for long
 * = 81.25 MB/s, 4 750 = 593.75 in bursts. */
static void bursts_and_baselines(void **state)
{
    static const struct layout_volumes gp2[] = { { { VOL_GP2, 1, 100, UNKNOWN, UNKNOWN },
                                                   UNKNOWN } };
    struct world w = { .instance_type = "c5.large" };
    (void)state;
    struct layout_group *g = add(&w, "DATA", ROLE_DATA, 100, 10, 100);
    g->volumes = gp2;
    g->n_volumes = 1;
    struct plan p = plan(&w, "2026-06-01");
    struct charts c = charts_of(&w, &p, "c5.large");
    const struct chart *group = &c.at[0], *host = &c.at[1];
    const struct chart_ceiling *burst = line_of(group, ENVELOPE_IOPS, REPLAY_VOLUME_IOPS,
                                                CHART_TODAY, 0),
                               *base = line_of(group, ENVELOPE_IOPS, REPLAY_VOLUME_CREDITS,
                                               CHART_TODAY, 0),
                               *mibps = line_of(group, ENVELOPE_MIBPS, REPLAY_VOLUME_CREDITS,
                                                CHART_TODAY, 0);
    assert_true(burst->burst);
    assert_near(burst->value, 3000);
    assert_false(base->burst);
    assert_near(base->value, 300);
    assert_near(mibps->value, 75);
    const struct chart_ceiling *most = line_of(host, ENVELOPE_MIBPS, REPLAY_INSTANCE_THROUGHPUT,
                                               CHART_TODAY, 0),
                               *long_run = line_of(host, ENVELOPE_MIBPS, REPLAY_BASELINE_THROUGHPUT,
                                                   CHART_TODAY, 0);
    assert_near(most->value, 593.75);
    assert_true(most->burst);
    assert_near(long_run->value, 81.25);
    assert_false(long_run->burst);
    assert_string_equal(long_run->spec, "c5.large");
    assert_string_equal(host->name, w.layout.system);
    arena_release(&w.a);
}

/* Nobody says what is there today, so nothing waits for it; 500 MiB/s wait for a plan of 400. */
static void what_waits_is_marked(void **state)
{
    struct world w = { 0 };
    (void)state;
    struct layout_group *g = add_redo(&w);
    g->volumes = NULL;
    g->n_volumes = 0;
    sample(&w.series[0], &w.room[0], 60, 60, 40, 0, 10, 0);
    sample(&w.series[0], &w.room[0], 120, 60, 40, 0, 10, 0);
    struct plan p = plan(&w, "2026-06-01");
    struct plan_group small = p.groups[0];
    small.chosen.spec = (struct volume_spec){ VOL_GP3, 1, 500, 3000, 400 };
    p.groups = &small;
    struct charts c = charts_of(&w, &p, "r5.24xlarge");
    /* 500 MiB/s for 60 s through 400: 6 000 MiB wait, and are gone 6 000 / 390 = 15.4 s later */
    assert_int_equal(c.at[0].marks.marks[0], ENVELOPE_PLAN_THROTTLED);
    assert_int_equal(c.at[0].marks.marks[1], ENVELOPE_PLAN_THROTTLED);
    assert_int_equal(c.at[0].marks.marks[2], 0);
    assert_int_equal(c.at[0].marks.binding[0], ENVELOPE_NO_BINDING); /* that is today's */
    assert_near(c.at[0].ceiling_s, 0);
    arena_release(&w.a);
}

/* At its ceiling of 500 MiB/s it is bound by it, though what was measured was served. */
static void a_ceiling_binds_where_it_was_reached(void **state)
{
    struct world w = { 0 };
    (void)state;
    add_redo(&w);
    sample(&w.series[0], &w.room[0], 60, 60, 40, 0, 10, 0);
    struct plan p = plan(&w, "2022-06-01");
    struct charts c = charts_of(&w, &p, "r5.8xlarge");
    assert_int_equal(c.at[0].marks.binding[0], REPLAY_VOLUME_THROUGHPUT);
    assert_int_equal(c.at[0].marks.binding[1], ENVELOPE_NO_BINDING);
    assert_int_equal(c.at[0].marks.marks[0] & ENVELOPE_THROTTLED, 0);
    assert_int_equal(c.at[1].marks.binding[0], ENVELOPE_NO_BINDING); /* not the host's */
    assert_near(c.at[0].ceiling_s, 60);                              /* one minute of two */
    assert_near(c.at[1].ceiling_s, 0);
    struct envelope v[2];
    struct err e = { 0 };
    assert_int_equal(charts_cut(&c, UNKNOWN, UNKNOWN, 10, &w.a, v, &e), 0);
    assert_int_equal(v[0].n, 2);
    assert_near(v[0].values[ENVELOPE_MIBPS].read[0], 500);
    assert_int_equal(v[0].state[0], ENVELOPE_CENSORED);
    assert_int_equal(v[0].binding[0], REPLAY_VOLUME_THROUGHPUT);
    arena_release(&w.a);
}

/* Peaks of 100 at 07:00 and of 90 at 07:02, five minutes to look at: the second is apart only when
 * the stretches are short. */
static void stretches_are_around_peaks(void **state)
{
    struct world w = { 0 };
    struct chart_stretch s[4];
    (void)state;
    add(&w, "DATA", ROLE_DATA, 100, 100, 100);
    for (int i = 1; i < 10; i++)
        sample(&w.series[0], &w.room[0], 60 * i, 60, 10, 0, i == 4 ? 90 : 1, 0);
    struct plan p = plan(&w, "2026-06-01");
    struct charts c = charts_of(&w, &p, "r5.8xlarge");
    assert_int_equal(charts_interval_ms(&c), 60000);
    assert_int_equal(charts_stretches(&c, 120000, s, 2), 2);
    assert_int_equal(s[0].from_ms, morning_ms() - 30000); /* 07:00:30 +- 1 minute */
    assert_int_equal(s[1].from_ms, morning_ms() + 210000);
    assert_int_equal(s[1].to_ms, morning_ms() + 330000);
    size_t n = charts_stretches(&c, 3600000, s, 4); /* an hour holds all of it */
    assert_int_equal(n, 1);
    arena_release(&w.a);
}

/* An artefact of 900 is no peak; next to the stretch of 10 s around 100, from 95 s to 105 s, the 90
 * that end at 95 s are apart. */
static void stretches_know_what_is_a_peak(void **state)
{
    (void)state;
    struct load_point at[4];
    const struct {
        int begin_s, end_s;
        double mibps;
        unsigned char flags;
    } rows[] = {
        { 10, 20, 900, POINT_ARTEFACT }, { 30, 40, 5, 0 }, { 85, 95, 90, 0 }, { 95, 105, 100, 0 }
    };
    for (size_t i = 0; i < 4; i++)
        at[i] = (struct load_point){ .begin_ms = rows[i].begin_s * 1000,
                                     .end_ms = rows[i].end_s * 1000,
                                     .read_mibps = rows[i].mibps,
                                     .write_mibps = NAN,
                                     .unsplit_mibps = NAN,
                                     .flags = rows[i].flags };
    struct load_points points = { .at = at, .n = 4 };
    struct chart chart = { .name = "DATA", .marks = { .points = &points } };
    struct charts c = { .at = &chart, .n = 1 };
    struct chart_stretch s[2];
    assert_int_equal(charts_stretches(&c, 10000, s, 1), 1);
    assert_int_equal(s[0].from_ms, 95000);
    assert_int_equal(charts_stretches(&c, 10000, s, 2), 2);
    assert_int_equal(s[0].from_ms, 85000);
    assert_int_equal(s[1].from_ms, 95000);
}

/* Charts begin with the group that was measured first. */
static void the_range_is_of_all_groups(void **state)
{
    struct world w = { 0 };
    (void)state;
    add(&w, "DATA", ROLE_DATA, 100, 100, 100);
    add(&w, "LATE", ROLE_DATA, 100, 100, 100);
    w.room[1].begin_ms[0] += 120000;
    w.room[1].end_ms[0] += 120000;
    struct plan p = plan(&w, "2026-06-01");
    struct charts c = charts_of(&w, &p, "r5.8xlarge");
    assert_int_equal(c.from_ms, morning_ms());
    assert_int_equal(c.to_ms, morning_ms() + 180000);
    arena_release(&w.a);
}

/* A group that stays as it is has its own ceiling as the planned one too: 500 MiB/s in 2022. */
static void what_is_kept_keeps_its_ceiling(void **state)
{
    struct world w = { 0 };
    (void)state;
    add_redo(&w);
    struct plan p = plan(&w, "2022-06-01");
    struct plan_group kept = p.groups[0];
    kept.kept = true;
    kept.chosen.spec = (struct volume_spec){ VOL_GP3, 1, 500, 3000, 125 };
    p.groups = &kept;
    struct charts c = charts_of(&w, &p, "r5.8xlarge");
    const struct chart_ceiling *l =
        line_of(&c.at[0], ENVELOPE_MIBPS, REPLAY_VOLUME_THROUGHPUT, CHART_PLAN, 0);
    assert_non_null(l);
    assert_near(l->value, 500);
    assert_string_equal(l->spec, "io2 500 GiB 5 000 IOPS");
    arena_release(&w.a);
}

/* A replay's own word for what binds goes before what the measurement alone lets one think. */
static void the_replay_knows_better(void **state)
{
    (void)state;
    struct load_point at[2] = { { .flags = POINT_CENSORED_THROUGHPUT },
                                { .flags = POINT_CENSORED_THROUGHPUT } };
    struct load_points points = { .at = at, .n = 2 };
    unsigned char marks[2] = { 0 }, binding[2] = { REPLAY_VOLUME_CREDITS, ENVELOPE_NO_BINDING };
    struct chart_marks m = { &points, marks, binding };
    chart_marks_censored(&m, false);
    assert_int_equal(binding[0], REPLAY_VOLUME_CREDITS);
    assert_int_equal(binding[1], REPLAY_VOLUME_THROUGHPUT);
}

/* Three eras of 10 s of 250 MiB/s each: with a bucket that earns 300 requests/s = 75 MiB/s, without
 * one, and with it again.  A burst is no baseline, and what ended does not go on across the gap. */
static void lines_end_with_what_they_are_of(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct replay_group with = replay_group_unknown(), without;
    with.max_throughput_mibps = 250;
    with.max_iops = 3000;
    with.requests_per_mib = 4;
    without = with;
    with.credits = 5400000;
    with.earn_iops = 300;
    struct replay_era eras[] = { { 0, &with, replay_instance_unknown() },
                                 { 10, &without, replay_instance_unknown() },
                                 { 20, &with, replay_instance_unknown() } };
    struct chart chart = { .name = "DATA" };
    struct chart_span span = { CHART_TODAY, 1000, 31000, "gp2" };
    assert_int_equal(chart_ceilings_add_group(&chart.ceilings, &span, eras, 3, 0, &a, &e), 0);
    for (int n = 0; n < 3; n++) {
        const struct chart_ceiling *l =
            line_of(&chart, ENVELOPE_MIBPS, REPLAY_VOLUME_THROUGHPUT, CHART_TODAY, n);
        assert_non_null(l);
        assert_int_equal(l->burst, n != 1);
        assert_int_equal(l->from_ms, 1000 + n * 10000);
        assert_int_equal(l->to_ms, 11000 + n * 10000);
    }
    for (int n = 0; n < 2; n++) {
        const struct chart_ceiling *l =
            line_of(&chart, ENVELOPE_MIBPS, REPLAY_VOLUME_CREDITS, CHART_TODAY, n);
        assert_non_null(l);
        assert_near(l->value, 75);
        assert_int_equal(l->from_ms, 1000 + n * 20000);
        assert_int_equal(l->to_ms, 11000 + n * 20000);
    }
    arena_release(&a);
}

static void nothing_measured_has_no_range(void **state)
{
    struct world w = { 0 };
    (void)state;
    add(&w, "DATA", ROLE_DATA, 0, 0, 100);
    struct plan p = plan(&w, "2026-06-01");
    struct charts c = charts_of(&w, &p, "r5.8xlarge");
    struct envelope v[2];
    struct err e = { 0 };
    assert_true(c.from_ms == UNKNOWN);
    assert_int_equal(charts_cut(&c, UNKNOWN, UNKNOWN, 10, &w.a, v, &e), 0);
    assert_int_equal(v[0].n, 0);
    arena_release(&w.a);
}

static void memory_runs_out(void **state)
{
    struct world w = { 0 };
    struct each_allocation it = { 0 };
    struct charts c;
    (void)state;
    add_redo(&w);
    struct plan p = plan(&w, "2026-06-01");
    struct charts_question q = { &w.demand, &builtin_catalogue, NULL, &p };
    while (each_allocation(&it))
        it.rc = charts_build(&q, &it.a, &c, &it.e);
    arena_release(&w.a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ceiling_changes_with_the_rules),
        cmocka_unit_test(bursts_and_baselines),
        cmocka_unit_test(what_waits_is_marked),
        cmocka_unit_test(a_ceiling_binds_where_it_was_reached),
        cmocka_unit_test(stretches_are_around_peaks),
        cmocka_unit_test(stretches_know_what_is_a_peak),
        cmocka_unit_test(the_range_is_of_all_groups),
        cmocka_unit_test(what_is_kept_keeps_its_ceiling),
        cmocka_unit_test(the_replay_knows_better),
        cmocka_unit_test(lines_end_with_what_they_are_of),
        cmocka_unit_test(nothing_measured_has_no_range),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
