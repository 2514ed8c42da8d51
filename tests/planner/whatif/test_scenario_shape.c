/* tests/planner/whatif/test_scenario_shape.c - merges lost, requests split, backup and restore
 * windows, load moved in time: what they make of a system, worked out by hand.
 *
 * DATA reads 20 and writes 10 MiB/s in ten minutes from 07:00, in requests of 1 MiB. */
#include "tests/planner/whatif/redo_system.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { REDO1, REDO2, FRA, DATA, MINUTES = 10 };

static void setup(struct redo_system *s)
{
    incident(s);
    set_file(s, 3, file_row("Data File", 21.58, 6.347, 21.58, 6.347)); /* of 1 MiB too */
    add_minutes(s, DATA, MINUTES, 20, 10);
}

/* Today's volumes of DATA: gp3 of 125 MiB/s each. */
static void data_on_gp3(struct redo_system *s, int64_t count)
{
    s->volumes[DATA] = (struct layout_volumes){
        { .type = VOL_GP3, .count = count, .size_gib = 500, .iops = 3000, .throughput_mibps = 125 },
        UNKNOWN
    };
    s->groups[DATA].volumes = &s->volumes[DATA];
    s->groups[DATA].n_volumes = 1;
}

static void whatif_must(struct redo_system *s, const char *const *changes, struct whatif *out)
{
    struct whatif_options o = plain_options();
    assert_int_equal(calibrate_system(s, 1), 0);
    if (whatif_of(s, &o, changes, out))
        fail_msg("%s", s->err.text);
}

static void whatif_fails(const char *const *changes, const char *wrong)
{
    struct redo_system s;
    struct whatif w;
    struct whatif_options o = plain_options();
    setup(&s);
    data_on_gp3(&s, 2);
    assert_int_equal(calibrate_system(&s, 1), 0);
    assert_int_equal(whatif_of(&s, &o, changes, &w), ERR_USAGE);
    if (!strstr(s.err.text, wrong))
        fail_msg("'%s' does not say '%s'", s.err.text, wrong);
    arena_release(&s.arena);
}

static const struct whatif_rates *peak_of(const struct whatif *w, const char *group)
{
    return &row_named(w, group)->peak.at[BOUND_CENTRAL];
}

static const struct whatif_rates *average_of(const struct whatif *w, const char *group)
{
    return &row_named(w, group)->average.at[BOUND_CENTRAL];
}

/* --- windows ---------------------------------------------------------------------------------- */

/* 0.05 h are 3 minutes: 18 000 MiB at 100 MiB/s; of a day of averages a 480th. */
static void a_backup_within_the_samples(void **state)
{
    (void)state;
    struct redo_system s;
    struct whatif w;
    setup(&s);
    whatif_must(&s, (const char *const[]){ "rman 07:05,0.05,100", NULL }, &w);
    assert_near(peak_of(&w, "DATA")->read_mibps, 120);
    assert_near(peak_of(&w, "DATA")->total_mibps, 130);
    assert_near(peak_of(&w, "DATA")->counted_iops, 130 * 4);
    assert_near(average_of(&w, "DATA")->read_mibps, 21.58 + 100.0 / 480);
    assert_near(average_of(&w, "DATA")->write_mibps, 6.347);
    const struct load_points *p = &w.plan.demand->groups[DATA].points;
    assert_near(mib_of(p) - mib_of(&s.demand.groups[DATA].points), 18000);
    assert_near(point_total_mibps(&p->at[4]), 30); /* before it */
    assert_near(point_total_mibps(&p->at[5]), 130);
    assert_near(peak_of(&w, "FRA")->total_mibps,
                row_named(&w, "FRA")->peak.base.total_mibps); /* the backup lies elsewhere */
    assert_int_equal(w.scenario->n_windows, 1);
    assert_int_equal(w.scenario->windows[0].times, 1);
    assert_near(w.scenario->windows[0].unmeasured_s, 0);
    arena_release(&s.arena);
}

/* The AWR report covers 07:00 to 09:59:22; 12:00 is outside of all. */
static void a_backup_that_nothing_was_measured_in(void **state)
{
    (void)state;
    struct redo_system s;
    struct whatif w;
    setup(&s);
    whatif_must(&s, (const char *const[]){ "rman 2022-05-18T12:00,1,15", NULL }, &w);
    assert_near(peak_of(&w, "DATA")->total_mibps, 30); /* as measured: 15 alone is less */
    const struct load_points *p = &w.plan.demand->groups[DATA].points;
    assert_near(point_total_mibps(&p->at[p->n - 1]), 15);
    assert_true(p->at[p->n - 1].end_ms - p->at[p->n - 1].begin_ms == 3600000);
    assert_near(w.scenario->windows[0].unmeasured_s, 3600);
    arena_release(&s.arena);
    setup(&s);
    whatif_must(&s, (const char *const[]){ "rman 2022-05-18T12:00,1,200", NULL }, &w);
    assert_near(peak_of(&w, "DATA")->total_mibps, 200);
    assert_near(average_of(&w, "DATA")->read_mibps, 21.58 + 200.0 / 24); /* of the day measured */
    arena_release(&s.arena);
}

/* The second half of the samples lies a day later: 23:00 on both days, and that of the day before
 * the first only when it runs until 07:00. */
static void every_day_that_was_measured(void **state)
{
    (void)state;
    static const struct {
        const char *change;
        size_t times;
        double mib;
    } cases[] = { { "rman 23:00,1,100", 2, 2 * 360000 },
                  { "rman 23:00,8,100", 2, 2 * 2880000 },
                  { "rman 23:00,8.5,100", 3, 3 * 3060000 },
                  { "rman 2022-05-18T23:00,1,100", 1, 360000 } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct redo_system s;
        struct whatif w;
        setup(&s);
        struct synthetic_series *room = &s.rooms[s.load.n_series - 1];
        for (size_t k = MINUTES / 2; k < MINUTES; k++) {
            room->begin_ms[k] += DAY_MS;
            room->end_ms[k] += DAY_MS;
        }
        whatif_must(&s, (const char *const[]){ cases[i].change, NULL }, &w);
        assert_int_equal(w.scenario->windows[0].times, cases[i].times);
        assert_near(mib_of(&w.plan.demand->groups[DATA].points) -
                        mib_of(&s.demand.groups[DATA].points),
                    cases[i].mib);
        arena_release(&s.arena);
    }
}

/* 1 500 and 500 GiB of data: three quarters and one; without a size half each. */
static void data_groups_share_by_size(void **state)
{
    (void)state;
    for (int sized = 0; sized < 2; sized++) {
        struct redo_system s;
        setup(&s);
        s.groups[FRA].role = ROLE_DATA;
        s.groups[FRA].need_gib = 1500;
        s.groups[DATA].need_gib = 500;
        if (!sized)
            s.groups[FRA].need_gib = UNKNOWN;
        struct scenario base, then;
        struct arena *a = &s.arena;
        struct whatif_change c;
        assert_int_equal(calibrate_system(&s, 1), 0);
        assert_int_equal(scenario_init(&base, &s.demand, &s.path, a, &s.err), 0);
        assert_int_equal(whatif_change_parse(SPAN_LIT("rman"), SPAN_LIT("07:00,24,100"), a, &c,
                                             &s.err),
                         0);
        then = base;
        assert_int_equal(scenario_change(&then, &c, 1, a, &s.err), 0);
        assert_near(then.shapes[FRA].added.read_mibps, sized ? 75 : 50);
        assert_near(then.shapes[DATA].added.read_mibps, sized ? 25 : 50);
        assert_int_equal(then.windows[0].data_groups, 2);
        assert_true(then.windows[0].by_size == (sized == 1));
        arena_release(&s.arena);
    }
}

/* To a group that is named, or that lists the file type; mirrored writes count twice. */
static void backups_that_stay_here(void **state)
{
    (void)state;
    static const struct layout_file files[] = { { "Archive Log", 100 },
                                                { "Data File Backup", 50 } };
    struct redo_system s;
    struct whatif w;
    setup(&s);
    s.groups[FRA].redundancy = REDUNDANCY_NORMAL;
    whatif_must(&s, (const char *const[]){ "rman 12:00,2,100,FRA", NULL }, &w);
    assert_near(peak_of(&w, "DATA")->read_mibps, 100);
    assert_near(peak_of(&w, "FRA")->write_mibps, 200);
    assert_string_equal(w.scenario->windows[0].backup_group, "FRA");
    arena_release(&s.arena);
    setup(&s);
    s.groups[FRA].files = files;
    s.groups[FRA].n_files = 2;
    s.groups[DATA].redundancy = REDUNDANCY_HIGH;
    whatif_must(&s, (const char *const[]){ "restore 12:00,2,100", NULL }, &w);
    assert_near(peak_of(&w, "DATA")->write_mibps, 300);
    assert_near(peak_of(&w, "FRA")->read_mibps, 50);
    arena_release(&s.arena);
}

/* Growth is of what was measured: 1.5 * 30 + 100. */
static void growth_leaves_windows_alone(void **state)
{
    (void)state;
    struct redo_system s;
    struct whatif w;
    setup(&s);
    whatif_must(&s, (const char *const[]){ "rman 07:05,0.05,100", "growth 50", NULL }, &w);
    assert_near(peak_of(&w, "DATA")->total_mibps, 145);
    assert_near(average_of(&w, "DATA")->total_mibps, 1.5 * (21.58 + 6.347) + 100.0 / 480);
    arena_release(&s.arena);
}

/* --- requests --------------------------------------------------------------------------------- */

/* 30 MiB/s in 4 KiB: 7 680; on average 27.927 MiB/s: 7 149.3. */
static void merges_lost_by_a_group(void **state)
{
    (void)state;
    struct redo_system s;
    struct whatif w;
    setup(&s);
    whatif_must(&s, (const char *const[]){ "merge-loss DATA", NULL }, &w);
    assert_near(peak_of(&w, "DATA")->counted_iops, 7680);
    assert_near(peak_of(&w, "DATA")->total_mibps, 30);
    assert_near(average_of(&w, "DATA")->counted_iops, (21.58 + 6.347) * 256);
    assert_near(row_named(&w, "DATA")->peak.base.counted_iops, 120);
    assert_near(peak_of(&w, "REDO1")->counted_iops, row_named(&w, "REDO1")->peak.base.counted_iops);
    assert_near(w.plan.groups[DATA].size.need_iops, 7680 * 1.2);
    arena_release(&s.arena);
}

static void merges_lost_everywhere(void **state)
{
    (void)state;
    struct redo_system s;
    struct whatif w;
    setup(&s);
    whatif_must(&s, (const char *const[]){ "merge-loss", NULL }, &w);
    for (size_t g = 0; g < GROUPS_OF_SYSTEM; g++) {
        const struct whatif_rates *r = peak_of(&w, s.groups[g].name);
        assert_near(r->counted_iops, r->total_mibps * 256);
    }
    arena_release(&s.arena);
}

/* Nothing was measured of DATA: neither its mean nor its peak is 0 MiB/s afterwards. */
static void what_was_not_measured_stays_unknown(void **state)
{
    (void)state;
    static const char *const changes[] = { "merge-loss", "split 64", "shift FRA=1",
                                           "rman 12:00,2,100,FRA" };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        struct redo_system s;
        struct whatif w;
        incident(&s);
        s.groups[DATA].role = ROLE_OTHER;
        s.groups[DATA].files = NULL;
        s.groups[DATA].n_files = 0;
        s.groups[REDO2].role = ROLE_DATA; /* what is backed up */
        whatif_must(&s, (const char *const[]){ changes[i], NULL }, &w);
        for (int b = 0; b < BOUND_COUNT; b++) {
            assert_true(isnan(row_named(&w, "DATA")->average.at[b].total_mibps));
            assert_true(isnan(row_named(&w, "DATA")->average.at[b].counted_iops));
            assert_true(isnan(row_named(&w, "DATA")->peak.at[b].total_mibps));
        }
        arena_release(&s.arena);
    }
}

/* One of four, twice as busy as the mean: half the load.  The group needs 7 680 IOPS as each volume
 * may be the one; the instance passes 120 + (7 680 - 120) / 2. */
static void one_disk_binds_the_group(void **state)
{
    (void)state;
    double before = 0;
    for (int lost = 0; lost < 2; lost++) {
        struct redo_system s;
        struct whatif w;
        setup(&s);
        data_on_gp3(&s, 4);
        s.groups[DATA].skew = 2;
        whatif_must(&s, (const char *const[]){ lost ? "merge-loss DATA:1" : "growth 0", NULL }, &w);
        if (!lost) {
            before = w.plan.demand->demand.counted_iops;
        } else {
            assert_near(peak_of(&w, "DATA")->counted_iops, 7680);
            assert_near(w.plan.demand->demand.counted_iops - before, (7680 - 120) / 2.0);
            assert_int_equal(w.scenario->shapes[DATA].disks.cut, 1);
            assert_int_equal(w.scenario->shapes[DATA].disks.disks, 4);
            /* The plan's volumes: each carries skew / count of 7 680 with headroom. */
            const struct size_option *o = &w.plan.groups[DATA].chosen;
            assert_true((double)(o->spec.iops * o->spec.count) >= 7680 * 2 * 1.2 - 1);
        }
        arena_release(&s.arena);
    }
}

/* 30 MiB/s in 64 KiB: 480. */
static void split_requests(void **state)
{
    (void)state;
    struct redo_system s;
    struct whatif w;
    setup(&s);
    whatif_must(&s, (const char *const[]){ "split 64", NULL }, &w);
    assert_near(peak_of(&w, "DATA")->counted_iops, 480);
    arena_release(&s.arena);
    setup(&s);
    whatif_must(&s, (const char *const[]){ "split 512", NULL }, &w);
    assert_near(peak_of(&w, "DATA")->counted_iops, 120); /* twice the requests count half each */
    assert_near(w.plan.demand->groups[DATA].total_iops, 60);
    arena_release(&s.arena);
}

static void phases_build_on_each_other(void **state)
{
    (void)state;
    struct redo_system s;
    struct whatif w;
    setup(&s);
    whatif_must(&s,
                (const char *const[]){ "phase 2027-01-01:--rman=07:05,0.05,100",
                                       "phase 2027-02-01:--merge-loss DATA", NULL },
                &w);
    assert_int_equal(w.n_phases, 2);
    const struct whatif_group *first = NULL, *second = NULL;
    for (size_t i = 0; i < w.phases[0].n_groups; i++)
        if (strcmp(w.phases[0].groups[i].group->name, "DATA") == 0) {
            first = &w.phases[0].groups[i];
            second = &w.phases[1].groups[i];
        }
    assert_non_null(first);
    assert_near(first->peak.at[BOUND_CENTRAL].total_mibps, 130);
    assert_near(first->peak.at[BOUND_CENTRAL].counted_iops, 520);
    assert_near(second->peak.at[BOUND_CENTRAL].total_mibps, 130);
    assert_near(second->peak.at[BOUND_CENTRAL].counted_iops, 130 * 256);
    arena_release(&s.arena);
}

/* --- time ------------------------------------------------------------------------------------- */

/* FRA writes 50 MiB/s in minute 2 alone, DATA 100 in minute 5: 3 minutes later they meet. */
static void moved_onto_each_other(void **state)
{
    (void)state;
    static const struct {
        const char *change;
        double together;
    } cases[] = { { "shift FRA=0.05", 150 }, /* 3 minutes */
                  { "shift FRA=0", 131 },    /* 100 + 1 of the other, or 50 + 30 */
                  { "shift FRA=-23.95", 150 },
                  { "shift FRA=24", 131 },
                  { "shift FRA=-240", 131 } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct redo_system s;
        struct whatif w;
        incident(&s);
        for (size_t g = 0; g < GROUPS_OF_SYSTEM; g++)
            add_minutes(&s, g, MINUTES, 0, g == DATA ? 30 : 0);
        struct synthetic_series *fra = &s.rooms[s.load.n_series - 2],
                                *data = &s.rooms[s.load.n_series - 1];
        for (size_t k = 0; k < MINUTES; k++)
            fra->write_mibps[k] = 31;
        fra->write_mibps[2] = 50;
        data->write_mibps[5] = 100;
        whatif_must(&s, (const char *const[]){ cases[i].change, NULL }, &w);
        double sum = 0;
        const struct load_points *p = &w.plan.demand->points;
        for (size_t k = 0; k < p->n; k++)
            if (p->at[k].begin_ms < morning_ms() + MINUTES * 60000)
                sum = fmax(sum, point_total_mibps(&p->at[k]));
        assert_near(sum, cases[i].together);
        assert_near(mib_of(p), mib_of(&s.demand.points)); /* nothing is lost */
        arena_release(&s.arena);
    }
}

/* --- today's volumes -------------------------------------------------------------------------- */

/* gp3 of 125 MiB/s.  30 MiB/s are served; with 200 more for 3 minutes 105 * 180 = 18 900 MiB wait,
 * which the 95 MiB/s left over in the last 2 minutes do not clear: 300 s in all. */
static void todays_volumes_replayed(void **state)
{
    (void)state;
    struct redo_system s;
    struct whatif w;
    setup(&s);
    data_on_gp3(&s, 1);
    s.load.series += 4; /* the device alone: no report, no longer averages */
    s.load.n_series = 1;
    s.load.n_snapshots = 0;
    whatif_must(&s, (const char *const[]){ "rman 2022-05-18T07:05,0.05,200", NULL }, &w);
    assert_near(row_named(&w, "DATA")->throttled_now_s, 0);
    assert_near(row_named(&w, "DATA")->throttled_s, 300);
    assert_true(isnan(row_named(&w, "REDO1")->throttled_s)); /* its volumes are not known */
    /* 5 * 180 = 900 MiB, cleared by 95 MiB/s in 9.47 s; c4.large passes 62.5 MB/s, 59.6 MiB/s: 70.4
     * * 180 MiB are not cleared by 29.6 MiB/s in 2 minutes. */
    static const char smaller[] = "rman 2022-05-18T07:05,0.05,100";
    whatif_must(&s, (const char *const[]){ smaller, NULL }, &w);
    assert_true(fabs(row_named(&w, "DATA")->throttled_s - (180 + 900.0 / 95)) < 1e-3);
    whatif_must(&s, (const char *const[]){ smaller, "instance c4.large", NULL }, &w);
    assert_near(row_named(&w, "DATA")->throttled_now_s, 0);
    assert_near(row_named(&w, "DATA")->throttled_s, 300);
    arena_release(&s.arena);
}

/* --- refusals --------------------------------------------------------------------------------- */

static void refused(void **state)
{
    (void)state;
    whatif_fails((const char *const[]){ "merge-loss XYZ", NULL }, "no group XYZ");
    whatif_fails((const char *const[]){ "shift XYZ=3", NULL }, "no group XYZ");
    whatif_fails((const char *const[]){ "rman 22:00,1,5,XYZ", NULL }, "no group XYZ");
    whatif_fails((const char *const[]){ "merge-loss DATA:3", NULL }, "has 2 disks");
    whatif_fails((const char *const[]){ "merge-loss FRA:1", NULL }, "is not known");
    whatif_fails((const char *const[]){ "phase 2027-01-01:merge-loss=DATA:3", NULL },
                 "has 2 disks");
}

static void nothing_to_back_up(void **state)
{
    (void)state;
    struct redo_system s;
    struct whatif w;
    struct whatif_options o = plain_options();
    setup(&s);
    s.groups[DATA].role = ROLE_OTHER;
    assert_int_equal(calibrate_system(&s, 1), 0);
    assert_int_equal(whatif_of(&s, &o, (const char *const[]){ "rman 22:00,1,5", NULL }, &w),
                     ERR_USAGE);
    assert_non_null(strstr(s.err.text, "role data"));
    arena_release(&s.arena);
    setup(&s);
    s.load.n_series = s.load.n_snapshots = 0;
    assert_int_equal(calibrate_system(&s, 1), 0);
    assert_int_equal(whatif_of(&s, &o, (const char *const[]){ "rman 22:00,1,5", NULL }, &w),
                     ERR_USAGE);
    assert_non_null(strstr(s.err.text, "nothing was measured"));
    arena_release(&s.arena);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    const char *const changes[] = { "rman 07:05,0.05,100,FRA", "merge-loss DATA:1", "shift FRA=1",
                                    "split 64", NULL };
    struct redo_system s;
    setup(&s);
    data_on_gp3(&s, 4);
    assert_int_equal(calibrate_system(&s, 1), 0);
    whatif_each_allocation(&s, changes);
    arena_release(&s.arena);
}

/* Groups that move up when a log member goes, and that member itself, keep what they wait for
 * today: nothing, at some 30 MiB/s of 125. */
static void todays_volumes_without_a_member(void **state)
{
    (void)state;
    struct redo_system s;
    struct whatif w;
    setup(&s);
    data_on_gp3(&s, 1);
    s.volumes[REDO2] = s.volumes[DATA];
    s.groups[REDO2].volumes = &s.volumes[REDO2];
    s.groups[REDO2].n_volumes = 1;
    whatif_must(&s, (const char *const[]){ "members 1", NULL }, &w);
    assert_near(row_named(&w, "DATA")->throttled_now_s, 0);
    assert_near(row_named(&w, "DATA")->throttled_s, 0);
    assert_near(row_named(&w, "REDO2")->throttled_now_s, 0);
    assert_true(isnan(row_named(&w, "REDO2")->throttled_s)); /* it is no more */
    arena_release(&s.arena);
}

int main(void)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(a_backup_within_the_samples),
        cmocka_unit_test(a_backup_that_nothing_was_measured_in),
        cmocka_unit_test(every_day_that_was_measured),
        cmocka_unit_test(data_groups_share_by_size),
        cmocka_unit_test(backups_that_stay_here),
        cmocka_unit_test(growth_leaves_windows_alone),
        cmocka_unit_test(merges_lost_by_a_group),
        cmocka_unit_test(merges_lost_everywhere),
        cmocka_unit_test(what_was_not_measured_stays_unknown),
        cmocka_unit_test(one_disk_binds_the_group),
        cmocka_unit_test(split_requests),
        cmocka_unit_test(phases_build_on_each_other),
        cmocka_unit_test(moved_onto_each_other),
        cmocka_unit_test(todays_volumes_replayed),
        cmocka_unit_test(todays_volumes_without_a_member),
        cmocka_unit_test(refused),
        cmocka_unit_test(nothing_to_back_up),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("scenario_shape", t, NULL, NULL);
}
