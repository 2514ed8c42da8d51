/* tests/planner/whatif/test_redo_path.c - which report is calibrated with what, and what a group
 * holds of the redo path. */
#include "tests/planner/whatif/redo_system.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define assert_within(got, want, tolerance) assert_true(fabs((got) - (want)) <= (tolerance))

/* Worked by hand from the table: O = (37.323 - 11.683) / R, A = 22.135 / R, B = 6 - O - A. */
static void the_incident(void **state)
{
    (void)state;
    struct redo_system s;
    incident(&s);
    assert_int_equal(calibrate_system(&s, 1), 0);
    const struct redo_calibration *c = &s.path.calibration;
    assert_true(s.path.calibrated && s.path.known && !s.path.refused);
    assert_int_equal(c->source, REDO_SOURCE_IOSTAT);
    assert_near(c->redo_mibps, R);
    assert_within(c->copies.online, 2.2189, 5e-5);
    assert_within(c->copies.archived, 1.9155, 5e-5);
    assert_within(c->copies.buffer, 1.8656, 5e-5);
    assert_int_equal(c->members, 2);
    assert_within(c->archive_copies, 1.011, 5e-4);
    assert_int_equal(c->direct_standbys, 6);
    assert_int_equal(c->file_readers_min, 5);
    assert_int_equal(c->grade, GRADE_AVERAGED);
    assert_near(s.path.flow.flashback_write_mibps, 9.854);
    assert_near(s.path.shares[0].log_reads, 1);
    assert_near(s.path.shares[1].log_reads, 0);
    assert_near(s.path.shares[1].log_writes, 1);
    assert_near(s.path.shares[2].archive, 1);
    assert_near(s.path.shares[3].other.read_mibps, 21.58);
    /* Only averages: the peak is the average at a factor of 1. */
    assert_near(s.path.redo_peak_mibps, R);
    arena_release(&s.arena);
}

static void waits_censor(void **state)
{
    (void)state;
    struct redo_system s;
    incident(&s);
    s.events[0] =
        (struct awr_event){ "log buffer space", "Configur", 31430, 5459.1, 173.7, 11.1, 1 };
    s.snapshot.n_events = 1;
    assert_int_equal(calibrate_system(&s, 1), 0);
    assert_int_equal(s.path.calibration.grade, GRADE_CENSORED);
    arena_release(&s.arena);
}

/* One io2 of 5 000 IOPS carried 500 MiB/s in May 2022. */
static void a_volume_at_its_ceiling_censors(void **state)
{
    (void)state;
    struct redo_system s;
    incident(&s);
    s.volumes[0] = (struct layout_volumes){ { VOL_IO2, 1, 500, 5000, UNKNOWN }, UNKNOWN };
    s.groups[0].volumes = &s.volumes[0];
    s.groups[0].n_volumes = 1;
    add_minutes(&s, 0, 10, 8, 2.5);
    assert_int_equal(calibrate_system(&s, 1), 0);
    assert_int_equal(s.path.calibration.grade, GRADE_AVERAGED);
    arena_release(&s.arena);

    s.rooms[s.load.n_series - 1].read_mibps[4] = 382;
    s.rooms[s.load.n_series - 1].write_mibps[4] = 118;
    assert_int_equal(calibrate_system(&s, 1), 0);
    assert_int_equal(s.path.calibration.grade, GRADE_CENSORED);
    assert_near(s.path.redo_peak_mibps, 118);
    arena_release(&s.arena);
}

static const struct refused_case {
    const char *why;
    double online_readers, archive_readers;
    size_t standbys;
    const char *reason; /* begins with; NULL = feasible */
} refused[] = {
    { "nobody else reads", NAN, NAN, 6, NULL },
    { "one full backup of the archived logs fits in", NAN, 1, 6, NULL },
    { "two do not: 1.9155 copies were read", NAN, 2, 6, "A<0" },
    { "three other readers of the online logs: 2.2189 copies were read", 3, NAN, 6, "O<0" },
    { "three standbys cannot read 4.134 copies from files", NAN, NAN, 3, "B<0" },
    { "no standby in the layout: how many there are is not known", NAN, NAN, 0, NULL },
};

static void infeasible_is_refused(void **state)
{
    const struct refused_case *c = *state;
    struct redo_system s;
    incident(&s);
    s.layout.redo.other_online_readers = c->online_readers;
    s.layout.redo.other_archive_readers = c->archive_readers;
    s.layout.n_standbys = c->standbys;
    assert_int_equal(calibrate_system(&s, 1), 0);
    assert_true(s.path.calibrated);
    if (!c->reason) {
        assert_null(s.path.refused);
        assert_true(s.path.known);
    } else {
        assert_non_null(s.path.refused);
        assert_int_equal(strncmp(s.path.refused, c->reason, 3), 0);
        assert_false(s.path.known);
    }
    arena_release(&s.arena);
}

/* R = 23 666 blocks * 512 B = 11.5557 MiB/s; of 6 copies sent, 4 from memory; 7.5 copies read in
 * all: T 6, one archiver, so half a copy by others. */
static void statistics_come_first(void **state)
{
    (void)state;
    struct redo_system s;
    incident(&s);
    s.layout.redo.other_archive_readers = 2; /* IOStat alone would be refused */
    double r = 23666 * 512 / MIB, kib = r * 1024;
    add_stat(&s, "redo size", 11730577);
    add_stat(&s, "redo wastage", 7588.8);
    add_stat(&s, "redo blocks written", 23666);
    add_stat(&s, "redo KB read", 7.511 * kib);
    add_stat(&s, "redo KB read (memory)", 4 * kib);
    add_stat(&s, "redo KB read for transport", 6 * kib);
    add_stat(&s, "redo KB read (memory) for transport", 4 * kib);
    assert_int_equal(calibrate_system(&s, 1), 0);
    const struct redo_calibration *c = &s.path.calibration;
    assert_null(s.path.refused);
    assert_int_equal(c->source, REDO_SOURCE_STATISTICS);
    assert_within(c->copies.online, 2, 1e-9);
    assert_within(c->copies.buffer, 4, 1e-9);
    assert_within(c->copies.archived, 0, 1e-9);
    assert_within(c->copies.other_online_readers, 7.511 - 6 - 11.683 / r, 1e-9);
    assert_within(c->copies.other_archive_readers, 22.135 / r, 1e-9);
    assert_true(c->iostat.present && !c->iostat.feasible);
    assert_near(s.path.block_bytes, 512);
    arena_release(&s.arena);
}

static void totals_are_preferred_to_rates(void **state)
{
    (void)state;
    struct redo_system s;
    incident(&s);
    add_stat(&s, "redo blocks written", 23665.7);
    s.stats[0].total = 254689800; /* / 10 762 s = 23 665.66 */
    add_stat(&s, "redo size", 11730577);
    assert_int_equal(calibrate_system(&s, 1), 0);
    assert_within(s.path.calibration.members_measured, 23.111 * MIB / (23665.6560 * 512), 1e-6);
    arena_release(&s.arena);
}

static void the_busiest_period_counts(void **state)
{
    (void)state;
    struct redo_system s;
    struct awr_io_row idle[] = { file_row("Log File", 1, 1, 1, 1),
                                 file_row("Archive Log", 0, 0.5, 0, 1) };
    incident(&s);
    struct awr_snapshot before = s.snapshot;
    before.begin_ms -= 10762000;
    before.end_ms -= 10762000;
    before.filetypes = idle;
    before.n_filetypes = 2;
    s.snapshots[0] = &before;
    s.snapshots[1] = &s.snapshot;
    s.load.n_snapshots = 2;
    assert_int_equal(calibrate_system(&s, 1), 0);
    assert_near(s.path.calibration.redo_mibps, R);
    assert_true(s.path.begin_ms == morning_ms());
    arena_release(&s.arena);
}

/* Each thread writes its own logs: their redo adds up. */
static void instances_add_up(void **state)
{
    (void)state;
    struct redo_system s;
    incident(&s);
    struct awr_snapshot other = s.snapshot, cluster = s.snapshot, foreign = s.snapshot;
    other.instance_number = 2;
    other.begin_ms += 5000;
    s.snapshots[1] = &other;
    s.load.n_snapshots = 2;
    assert_int_equal(calibrate_system(&s, 1), 0);
    assert_near(s.path.calibration.redo_mibps, 2 * R);
    arena_release(&s.arena);

    foreign.instance_number = 3; /* not of this host's system */
    int64_t mine[] = { 1, 2 };
    s.layout.instances = mine;
    s.layout.n_instances = 2;
    s.snapshots[2] = &foreign;
    s.load.n_snapshots = 3;
    assert_int_equal(calibrate_system(&s, 1), 0);
    assert_near(s.path.calibration.redo_mibps, 2 * R);
    arena_release(&s.arena);

    cluster.instance_number = UNKNOWN; /* the report of the cluster has both in it */
    cluster.instance = NULL;
    cluster.rac = 1;
    for (size_t at = 0; at < 3; at++) { /* wherever it was loaded */
        const struct awr_snapshot *of[] = { &s.snapshot, &other, NULL };
        s.layout.n_instances = 0;
        for (size_t i = 0, k = 0; i < 3; i++)
            s.snapshots[i] = i == at ? &cluster : of[k++];
        assert_int_equal(calibrate_system(&s, 1), 0);
        assert_near(s.path.calibration.redo_mibps, R);
        arena_release(&s.arena);
    }
    s.layout.n_instances = 1; /* instance 2 is another host's, and in the report of the cluster */
    assert_int_equal(calibrate_system(&s, 1), 0);
    assert_near(s.path.calibration.redo_mibps, R);
    assert_true(s.path.begin_ms == morning_ms());
    arena_release(&s.arena);
}

static void a_report_twice_counts_once(void **state)
{
    (void)state;
    struct redo_system s;
    incident(&s);
    struct awr_snapshot again = s.snapshot;
    again.begin_ms += 1000;
    s.snapshots[1] = &again;
    s.load.n_snapshots = 2;
    assert_int_equal(calibrate_system(&s, 1), 0);
    assert_near(s.path.calibration.redo_mibps, R);
    arena_release(&s.arena);
}

static void all_members_in_one_group(void **state)
{
    (void)state;
    struct redo_system s;
    incident(&s);
    s.groups[0].log_member = UNKNOWN;
    s.groups[1] = group_named("TEMP", ROLE_TEMP);
    assert_int_equal(calibrate_system(&s, 1), 0);
    assert_near(s.path.shares[0].log_writes, 2);
    assert_near(s.path.shares[0].log_reads, 1);
    assert_false(path_share_any(&s.path.shares[1]));
    arena_release(&s.arena);
}

static void the_second_member_is_read(void **state)
{
    (void)state;
    struct redo_system s;
    incident(&s);
    s.layout.redo.read_member = 2;
    assert_int_equal(calibrate_system(&s, 1), 0);
    assert_near(s.path.shares[0].log_reads, 0);
    assert_near(s.path.shares[1].log_reads, 1);
    arena_release(&s.arena);
}

static void no_report_no_path(void **state)
{
    (void)state;
    struct redo_system s;
    incident(&s);
    s.load.n_snapshots = 0;
    assert_int_equal(calibrate_system(&s, 1), 0);
    assert_false(s.path.calibrated || s.path.known);
    arena_release(&s.arena);
}

/* What no parser should hand on, but a damaged store may. */
static void senseless_figures_do_no_harm(void **state)
{
    (void)state;
    static const double bad[] = { NAN, INFINITY, -1, 1e300, 0 };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
            struct redo_system s;
            incident(&s);
            s.files[0].write_bytes_per_s = bad[i];
            s.files[1].read_bytes_per_s = bad[k];
            s.snapshot.elapsed_s = bad[k];
            add_stat(&s, "redo blocks written", bad[k]);
            int rc = calibrate_system(&s, 1);
            assert_true(rc == 0 || rc == ERR_USAGE);
            arena_release(&s.arena);
        }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    struct redo_system s;
    incident(&s);
    struct each_allocation it = { 0 };
    while (each_allocation(&it)) {
        it.rc = calibrate_system(&s, 1);
        arena_release(&s.arena);
    }
}

int main(void)
{
    enum { N = sizeof refused / sizeof *refused, OTHERS = 13 };
    struct CMUnitTest t[N + OTHERS];
    for (size_t i = 0; i < N; i++)
        t[i] = (struct CMUnitTest){ refused[i].why, infeasible_is_refused, NULL, NULL,
                                    (void *)(uintptr_t)&refused[i] };
    const struct CMUnitTest others[OTHERS] = {
        cmocka_unit_test(the_incident),
        cmocka_unit_test(waits_censor),
        cmocka_unit_test(a_volume_at_its_ceiling_censors),
        cmocka_unit_test(statistics_come_first),
        cmocka_unit_test(totals_are_preferred_to_rates),
        cmocka_unit_test(the_busiest_period_counts),
        cmocka_unit_test(instances_add_up),
        cmocka_unit_test(a_report_twice_counts_once),
        cmocka_unit_test(all_members_in_one_group),
        cmocka_unit_test(the_second_member_is_read),
        cmocka_unit_test(no_report_no_path),
        cmocka_unit_test(senseless_figures_do_no_harm),
        cmocka_unit_test(every_allocation_may_fail),
    };
    memcpy(t + N, others, sizeof others);
    return cmocka_run_group_tests_name("redo_path", t, NULL, NULL);
}
