/* tests/planner/whatif/test_whatif.c - what changes put on the groups of the six-standby incident.
 *
 * The tables are worked by hand from R = 11.5555, O = 2.2189, A = 1.9155, archive 11.683 and
 * flashback 9.854 MiB/s (redo_load.h gives the formulas); prices are those of us-east-1. */
#include "tests/planner/whatif/redo_system.h"

#include "planner/check/plan_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define assert_within(got, want, tolerance) assert_true(fabs((got) - (want)) <= (tolerance))

struct run {
    struct redo_system s;
    struct whatif_options o;
    struct whatif w;
};

/* A report alone; peaks are averages unless a test adds devices first. */
static void run(struct run *r, const char *const *changes)
{
    if (calibrate_system(&r->s, 1))
        fail_msg("%s", r->s.err.text);
    r->o = plain_options();
    if (whatif_of(&r->s, &r->o, changes, &r->w))
        fail_msg("%s", r->s.err.text);
}

static void release(struct run *r)
{
    arena_release(&r->s.arena);
}

static double average(const struct run *r, const char *group, enum bound b)
{
    return row_named(&r->w, group)->average.at[b].total_mibps;
}

/* --- direct standbys -------------------------------------------------------------------------- */

static const struct count_case {
    const char *why, *change;
    double redo_lower, redo_central, redo_upper; /* REDO1, MiB/s */
    double archive_central, archive_upper;       /* reads of FRA */
} counts[] = {
    { "three: after a cascade of three", "standbys 3", 23.24, 36.06, 57.90, 11.07, 34.67 },
    { "four", "standbys 4", 25.77, 40.33, 69.46, 14.76, 46.22 },
    { "five", "standbys 5", 37.32, 44.61, 81.02, 18.45, 57.78 },
    { "six: as measured", "standbys 6", 48.88, 48.88, 92.57, 22.14, 69.33 },
    { "seven", "standbys 7", 48.88, 53.15, 104.13, 25.82, 80.89 },
    { "eight", "standbys 8", 48.88, 57.43, 115.68, 29.51, 92.44 },
};

static void standbys_by_number(void **state)
{
    const struct count_case *c = *state;
    struct run r;
    incident(&r.s);
    run(&r, (const char *const[]){ c->change, NULL });
    assert_within(average(&r, "REDO1", BOUND_LOWER), c->redo_lower, 0.006);
    assert_within(average(&r, "REDO1", BOUND_CENTRAL), c->redo_central, 0.006);
    assert_within(average(&r, "REDO1", BOUND_UPPER), c->redo_upper, 0.006);
    assert_within(average(&r, "REDO2", BOUND_UPPER), R, 1e-9);
    const struct whatif_loads *fra = &row_named(&r.w, "FRA")->average;
    assert_within(fra->at[BOUND_CENTRAL].read_mibps, c->archive_central, 0.006);
    assert_within(fra->at[BOUND_UPPER].read_mibps, c->archive_upper, 0.006);
    assert_within(fra->at[BOUND_UPPER].write_mibps, 11.683 + 9.854, 1e-9);
    assert_within(row_named(&r.w, "REDO1")->average.base.total_mibps, 48.8785, 1e-9);
    release(&r);
}

static void three_cascaded_save_27_to_73_pct(void **state)
{
    (void)state;
    struct run r;
    incident(&r.s);
    run(&r, (const char *const[]){ "cascade dr4=dr1", "cascade dr5=dr1", "cascade dr6=dr2", NULL });
    assert_int_equal(r.w.cascaded, 3);
    assert_within(r.w.cascade_saved_pct.lower, 27.44, 0.01);
    assert_within(r.w.cascade_saved_pct.central, 50, 1e-9);
    assert_within(r.w.cascade_saved_pct.upper, 72.56, 0.01);
    assert_within(average(&r, "REDO1", BOUND_CENTRAL), 36.06, 0.006);
    release(&r);
}

/* --- the peak --------------------------------------------------------------------------------- */

/* Minutes of 8 + 2.5 MiB/s and one of 382 + 118: reads grow by (11.683 + 8/6 O R) / 37.323 =
 * 1.2290. */
static void a_peak_grows_as_the_average_does(void **state)
{
    (void)state;
    struct run r;
    incident(&r.s);
    add_minutes(&r.s, 0, 10, 8, 2.5);
    r.s.rooms[r.s.load.n_series - 1].read_mibps[4] = 382;
    r.s.rooms[r.s.load.n_series - 1].write_mibps[4] = 118;
    run(&r, (const char *const[]){ "standbys 8", NULL });
    const struct whatif_loads *peak = &row_named(&r.w, "REDO1")->peak;
    double ratio = (11.683 + 8.0 / 6 * 25.64) / 37.323;
    assert_within(peak->base.total_mibps, 500, 1e-9);
    assert_within(peak->at[BOUND_LOWER].total_mibps, 500, 1e-9);
    assert_within(peak->at[BOUND_CENTRAL].total_mibps, 382 * ratio + 118, 1e-6);
    assert_within(peak->at[BOUND_UPPER].total_mibps, 382 * (11.683 + 8 * R) / 37.323 + 118, 1e-6);
    /* Planned on central, with 20 % headroom; 500 MiB/s and 600 do not carry it. */
    assert_int_equal(r.w.base_holds, HOLDS_WITHIN_HEADROOM);
    assert_int_equal(r.w.carries_upper, HOLDS_NOT);
    assert_int_equal(plan_check(&r.w.plan, &r.s.err), 0);
    release(&r);
}

/* Two members, no standby, nothing archived: nothing is read, so a ratio says nothing.  A new
 * standby reads half a copy, R * 0.5, with every byte written. */
static void reads_where_there_were_none_follow_the_writes(void **state)
{
    (void)state;
    struct run r;
    incident(&r.s);
    set_file(&r.s, 0, file_row("Log File", 0, 23.111, 0, 60.5));
    r.s.snapshot.n_filetypes = 1;
    r.s.layout.n_standbys = 0;
    add_minutes(&r.s, 0, 3, 0, 40);
    run(&r, (const char *const[]){ "add-standby dr1", NULL });
    const struct whatif_loads *peak = &row_named(&r.w, "REDO1")->peak;
    assert_within(average(&r, "REDO1", BOUND_CENTRAL), 1.5 * R, 1e-9);
    assert_within(peak->at[BOUND_CENTRAL].read_mibps, 20, 1e-9);
    assert_within(peak->at[BOUND_UPPER].read_mibps, 40, 1e-9);
    assert_within(peak->at[BOUND_LOWER].read_mibps, 0, 1e-9);
    /* 1 MiB requests count four times 256 KiB: 80 reads, and the 160 writes there were. */
    assert_within(peak->at[BOUND_CENTRAL].counted_iops, 80 + 160, 1e-9);
    release(&r);
}

/* --- other changes ---------------------------------------------------------------------------- */

static void growth_is_for_every_group(void **state)
{
    (void)state;
    struct run r;
    incident(&r.s);
    run(&r, (const char *const[]){ "growth 25", NULL });
    assert_within(average(&r, "REDO1", BOUND_CENTRAL), 48.8785 * 1.25, 1e-9);
    assert_within(average(&r, "DATA", BOUND_LOWER), 27.927 * 1.25, 1e-9);
    assert_within(row_named(&r.w, "DATA")->peak.at[BOUND_UPPER].total_mibps, 27.927 * 1.25, 1e-9);
    release(&r);
}

static void changes_add_up(void **state)
{
    (void)state;
    struct run r;
    incident(&r.s);
    run(&r, (const char *const[]){ "standbys 8", "growth 10", "growth 10", NULL });
    assert_within(average(&r, "REDO1", BOUND_CENTRAL), 57.4252 * 1.21, 0.001);
    release(&r);
}

static void a_third_member_needs_a_group(void **state)
{
    (void)state;
    struct run r;
    incident(&r.s);
    run(&r, (const char *const[]){ "members 3", NULL });
    const struct whatif_group *g = row_named(&r.w, "REDO2+1");
    assert_non_null(g);
    assert_true(isnan(g->average.base.total_mibps));
    assert_within(g->average.at[BOUND_CENTRAL].write_mibps, R, 1e-9);
    assert_within(g->average.at[BOUND_CENTRAL].read_mibps, 0, 1e-9);
    assert_int_equal(r.w.plan.n_groups, 5);
    assert_int_equal(r.w.base_holds, HOLDS_NOT);
    release(&r);
}

/* The third member beside one that is read is written only. */
static void a_second_member_beside_the_first(void **state)
{
    (void)state;
    struct run r;
    incident(&r.s);
    r.s.groups[1] = group_named("TEMP", ROLE_TEMP);
    r.s.groups[1].need_gib = 10;
    r.s.layout.redo.members = 1;
    set_file(&r.s, 0, file_row("Log File", 37.323, R, 37.9, 30.25));
    run(&r, (const char *const[]){ "members 2", NULL });
    const struct whatif_group *g = row_named(&r.w, "REDO1+1");
    assert_non_null(g);
    assert_within(g->average.at[BOUND_CENTRAL].total_mibps, R, 1e-9);
    assert_within(g->peak.at[BOUND_CENTRAL].total_mibps, R, 1e-6);
    assert_within(average(&r, "REDO1", BOUND_CENTRAL), 48.8785, 1e-6);
    release(&r);
}

static void without_its_second_member_a_group_goes(void **state)
{
    (void)state;
    struct run r;
    incident(&r.s);
    r.s.layout.redo.read_member = 2;
    run(&r, (const char *const[]){ "members 1", NULL });
    const struct whatif_group *gone = row_named(&r.w, "REDO2");
    assert_int_equal(r.w.plan.n_groups, 3);
    assert_true(gone->planned == 3);
    assert_within(gone->average.at[BOUND_UPPER].total_mibps, 0, 0);
    assert_within(gone->average.base.total_mibps, 48.8785, 1e-6);
    /* The first member is read then. */
    assert_within(average(&r, "REDO1", BOUND_CENTRAL), 48.8785, 1e-6);
    release(&r);
}

static void all_members_in_one_group_scale(void **state)
{
    (void)state;
    struct run r;
    incident(&r.s);
    r.s.groups[0].log_member = UNKNOWN;
    r.s.groups[1] = group_named("TEMP", ROLE_TEMP);
    r.s.groups[1].need_gib = 10;
    run(&r, (const char *const[]){ "members 3", NULL });
    assert_within(average(&r, "REDO1", BOUND_CENTRAL), 37.323 + 3 * R, 1e-6);
    release(&r);
}

static void mirrors_multiply_writes_and_size(void **state)
{
    (void)state;
    struct run r;
    incident(&r.s);
    run(&r, (const char *const[]){ "redundancy FRA=normal", "redundancy DATA=high", NULL });
    assert_within(average(&r, "FRA", BOUND_CENTRAL), 22.135 + 2 * 21.537, 1e-6);
    assert_within(average(&r, "DATA", BOUND_CENTRAL), 21.58 + 3 * 6.347, 1e-6);
    assert_within(row_named(&r.w, "DATA")->peak.at[BOUND_CENTRAL].total_mibps, 21.58 + 3 * 6.347,
                  1e-6);
    assert_true(r.w.plan.groups[2].size.need_gib == 1000);
    assert_true(r.w.plan.groups[3].size.need_gib == 1500);
    assert_int_equal(r.w.base_holds, HOLDS_NOT);
    release(&r);
}

/* Two volumes of 300 GiB that are mirrored hold 300; three copies of that are 900. */
static void raw_sizes_are_mirrored_again(void **state)
{
    (void)state;
    struct run r;
    incident(&r.s);
    r.s.volumes[3].spec = (struct volume_spec){ VOL_GP3, 2, 300, 3000, 125 };
    r.s.volumes[3].since_ms = UNKNOWN;
    r.s.groups[3].volumes = &r.s.volumes[3];
    r.s.groups[3].n_volumes = 1;
    r.s.groups[3].redundancy = REDUNDANCY_NORMAL;
    r.s.groups[3].need_gib = UNKNOWN;
    run(&r, (const char *const[]){ "redundancy DATA=high", NULL });
    assert_int_equal(r.w.plan.groups[3].size.need_gib, 900);
    release(&r);
}

/* s = 11 730 577 / 4 000 = 2 933 bytes a write, t = 2: amplification is (1 + 2*248/s) * 512/496 =
 * 1.2068 at 512 and (1 + 2*2040/s) * 4096/4080 = 2.4005 at 4 096. */
static void larger_redo_blocks_write_more(void **state)
{
    (void)state;
    struct run r;
    incident(&r.s);
    add_stat(&r.s, "redo size", 11730577);
    add_stat(&r.s, "redo writes", 4000);
    add_stat(&r.s, "redo blocks written", 23665.664);
    r.s.layout.redo.block_bytes = 512;
    run(&r, (const char *const[]){ "redo-block 4096", NULL });
    double factor = ((1 + 4080 / 2932.64425) * 4096 / 4080) / ((1 + 496 / 2932.64425) * 512 / 496);
    assert_within(average(&r, "REDO2", BOUND_CENTRAL), R * factor, 1e-3);
    assert_within(average(&r, "REDO1", BOUND_CENTRAL), 48.8785 * factor, 5e-3);
    assert_within(row_named(&r.w, "FRA")->average.at[BOUND_CENTRAL].write_mibps,
                  11.683 * factor + 9.854, 1e-3);
    assert_within(average(&r, "DATA", BOUND_UPPER), 27.927, 1e-6);
    assert_true(average(&r, "REDO2", BOUND_UPPER) > average(&r, "REDO2", BOUND_CENTRAL));
    release(&r);
}

static void blocks_need_statistics(void **state)
{
    (void)state;
    struct run r;
    incident(&r.s);
    r.o = plain_options();
    assert_int_equal(calibrate_system(&r.s, 1), 0);
    assert_int_equal(whatif_of(&r.s, &r.o, (const char *const[]){ "redo-block 4096", NULL }, &r.w),
                     ERR_USAGE);
    assert_non_null(strstr(r.s.err.text, "redo writes"));
    release(&r);
}

/* SYNC standbys and a far sync instance read the log buffer. */
static void far_sync_reads_nothing(void **state)
{
    (void)state;
    struct run r;
    incident(&r.s);
    run(&r, (const char *const[]){ "farsync fs1:rtt=2", NULL });
    assert_within(average(&r, "REDO1", BOUND_UPPER), R + 11.683, 1e-6);
    const struct whatif_standby *fs = &r.w.standbys[6];
    assert_string_equal(fs->standby->name, "fs1");
    /* Its host: redo W R, R R (archiver) + 6 R it sends from there or from memory. */
    assert_within(fs->host.groups[0].average[BOUND_LOWER].total_mibps, 2 * R, 1e-6);
    assert_within(fs->host.groups[0].average[BOUND_UPPER].total_mibps, 8 * R, 1e-6);
    assert_within(fs->host.groups[3].average[BOUND_UPPER].total_mibps, 0, 0);
    assert_true(fs->here_microusd == 0);
    release(&r);
}

/* A layout without standbys: somebody reads 2.2189 and 1.9155 copies, and goes on; a new standby
 * reads half a copy of each kind, which is assumed. */
static void readers_that_nobody_names(void **state)
{
    (void)state;
    struct run r;
    incident(&r.s);
    r.s.layout.n_standbys = 0;
    run(&r, (const char *const[]){ "add-standby dr1", NULL });
    assert_within(row_named(&r.w, "REDO1")->average.base.total_mibps, 48.8785, 1e-6);
    assert_within(average(&r, "REDO1", BOUND_LOWER), 48.8785, 1e-6);
    assert_within(average(&r, "REDO1", BOUND_CENTRAL), 48.8785 + R / 2, 1e-6);
    assert_within(average(&r, "REDO1", BOUND_UPPER), 48.8785 + R, 1e-6);
    assert_within(row_named(&r.w, "FRA")->average.base.total_mibps, 22.135 + 21.537, 1e-6);
    assert_int_equal(r.w.cascade_of, 0);
    release(&r);
}

/* --- hosts, network, price -------------------------------------------------------------------- */

static void a_standby_and_its_host(void **state)
{
    (void)state;
    struct run r;
    incident(&r.s);
    run(&r, (const char *const[]){ "add-standby dr7", "cascade dr2=dr1", NULL });
    const struct whatif_standby *one = &r.w.standbys[6], *feeder = &r.w.standbys[0];
    assert_string_equal(one->standby->name, "dr7");
    /* A new one brings nothing, the average of the six, or a full copy. */
    assert_within(one->brings[0][BOUND_LOWER].read_mibps, 0, 0);
    assert_within(one->brings[0][BOUND_CENTRAL].read_mibps, 25.64 / 6, 1e-9);
    assert_within(one->brings[0][BOUND_UPPER].read_mibps, R, 1e-9);
    assert_within(one->brings[2][BOUND_CENTRAL].read_mibps, 22.135 / 6, 1e-9);
    assert_within(one->brings[1][BOUND_UPPER].read_mibps, 0, 0);
    assert_within(r.w.standbys[1].brings[0][BOUND_UPPER].read_mibps, 0, 0); /* cascaded */
    /* 11.5555 MiB/s / 0.7 * 8 = 138.5 Mbit/s. */
    assert_within(one->network_mbps, 138.5, 0.05);
    /* Writes R, archiver and apply read R each; archived R and flashback; data half as many reads.
     */
    assert_int_equal(one->host.n_groups, 4);
    assert_within(one->host.groups[0].average[BOUND_CENTRAL].total_mibps, 3 * R, 1e-6);
    assert_within(one->host.groups[1].average[BOUND_CENTRAL].total_mibps, R, 1e-6);
    assert_within(one->host.groups[2].average[BOUND_CENTRAL].total_mibps, R + 9.854, 1e-6);
    assert_within(one->host.groups[3].average[BOUND_CENTRAL].total_mibps, 1.5 * 6.347, 1e-6);
    assert_within(one->host.groups[3].average[BOUND_UPPER].total_mibps, 2 * 6.347, 1e-6);
    assert_within(feeder->host.groups[0].average[BOUND_CENTRAL].total_mibps, 4 * R, 1e-6);
    assert_int_equal(one->host.status, PLAN_BEST);
    assert_true(one->host.total_microusd > 0);
    release(&r);
}

/* Two mirrored volumes of 300 GiB hold 300, and so they do on the standby's host. */
static void raw_sizes_of_its_host(void **state)
{
    (void)state;
    struct run r;
    incident(&r.s);
    r.s.volumes[3] = (struct layout_volumes){ { VOL_GP3, 2, 300, 3000, 125 }, UNKNOWN };
    r.s.groups[3].volumes = &r.s.volumes[3];
    r.s.groups[3].n_volumes = 1;
    r.s.groups[3].redundancy = REDUNDANCY_NORMAL;
    r.s.groups[3].need_gib = UNKNOWN;
    run(&r, (const char *const[]){ "add-standby dr7", NULL });
    const struct whatif_host_group *data = &r.w.standbys[6].host.groups[3];
    assert_string_equal(data->group->name, "DATA");
    assert_int_equal(data->spec.count * data->spec.size_gib, 600);
    release(&r);
}

/* gp3 alone, 500 GiB: 12 times the average of 48.8785 is 703.85 MiB/s with headroom; a seventh
 * standby makes 765.4 of it.  0.04 USD a MiB/s above 125: 62 * 0.04 = 2.48 (REDO1, rounded up
 * MiB/s), and IOPS above 3 000. */
static void one_standby_more_costs_what_the_plans_differ_by(void **state)
{
    (void)state;
    struct run r;
    incident(&r.s);
    for (size_t i = 0; i < 4; i++) {
        r.s.groups[i].policy.types = 1u << VOL_GP3;
        r.s.groups[i].policy.max_count = 1;
    }
    if (calibrate_system(&r.s, 12))
        fail_msg("%s", r.s.err.text);
    r.o = plain_options();
    r.o.plan.headroom_pct = 0;
    if (whatif_of(&r.s, &r.o, (const char *const[]){ "standbys 7", NULL }, &r.w))
        fail_msg("%s", r.s.err.text);
    int64_t more = r.w.plan.total_microusd - r.w.base.total_microusd;
    assert_true(more > 0);
    assert_true(r.w.standbys[6].here_microusd == more);
    assert_true(r.w.standbys[0].here_microusd == more); /* the model cannot tell them apart */
    /* REDO1 586.5 -> 637.8 MiB/s: gp3 of 587 -> 638 = 51 * 0.04; FRA 524.1 -> 568.3: 525 -> 569,
     * 44 * 0.04: 3.80 USD. */
    assert_true(more == 3800000);
    release(&r);
}

static void commits_wait_for_sync(void **state)
{
    (void)state;
    struct run r;
    incident(&r.s);
    r.s.events[0] = (struct awr_event){ "log file parallel write", "System I/O", 1000, 2, 2, 1, 1 };
    r.s.snapshot.n_events = 1;
    run(&r, (const char *const[]){ "add-standby a:mode=sync,rtt=5", "add-standby b:mode=fastsync",
                                   NULL });
    /* 5 ms there and back and 2 ms to write, less the 2 ms of the local write meanwhile. */
    assert_within(r.w.standbys[6].commit_added_ms.central, 5, 1e-9);
    assert_within(r.w.standbys[6].commit_added_ms.upper, 7, 1e-9);
    assert_true(isnan(r.w.standbys[7].commit_added_ms.central)); /* its way is not known */
    assert_within(r.w.standbys[0].commit_added_ms.upper, 0, 0);
    release(&r);
}

/* The report lacks the event: the two writes cancel out, their sum is not known. */
static void commits_without_the_event(void **state)
{
    (void)state;
    struct run r;
    incident(&r.s);
    run(&r, (const char *const[]){ "add-standby a:mode=sync,rtt=5",
                                   "add-standby b:mode=fastsync,rtt=3", NULL });
    assert_within(r.w.standbys[6].commit_added_ms.central, 5, 1e-9);
    assert_true(isnan(r.w.standbys[6].commit_added_ms.upper));
    assert_within(r.w.standbys[7].commit_added_ms.lower, 0, 0);
    assert_within(r.w.standbys[7].commit_added_ms.upper, 3, 1e-9);
    release(&r);
}

/* This host applies the redo then; the new primary's carries what this one did. */
static void after_a_role_swap(void **state)
{
    (void)state;
    struct run r;
    incident(&r.s);
    run(&r, (const char *const[]){ "role-swap dr1", NULL });
    assert_within(average(&r, "REDO1", BOUND_CENTRAL), 3 * R, 1e-6);
    assert_within(average(&r, "DATA", BOUND_CENTRAL), 1.5 * 6.347, 1e-6);
    assert_string_equal(r.w.primary_host.name, "dr1");
    assert_within(r.w.primary_host.groups[0].average[BOUND_CENTRAL].total_mibps, 48.8785, 1e-6);
    assert_true(r.w.primary_host.total_microusd == r.w.base.total_microusd);
    assert_null(r.w.standbys[0].host.name); /* PRD1: this host */
    assert_string_equal(r.w.standbys[0].standby->name, "PRD1");
    release(&r);
}

static void swapping_twice_is_as_before(void **state)
{
    (void)state;
    struct run r;
    incident(&r.s);
    run(&r, (const char *const[]){ "role-swap dr1", "role-swap PRD1", NULL });
    assert_within(average(&r, "REDO1", BOUND_CENTRAL), 48.8785, 1e-6);
    assert_null(r.w.primary_host.name);
    release(&r);
}

/* --- phases ----------------------------------------------------------------------------------- */

/* The rollback window: old and new standbys together, then fewer.  Each phase holds on top of the
 * one before; 1 March to 1 June are 92 days, then a month counts. */
static void phases_follow_each_other(void **state)
{
    (void)state;
    struct run r;
    incident(&r.s);
    run(&r, (const char *const[]){ "phase 2026-06-01:standbys=3",
                                   "phase 2026-03-01:standbys=12 growth=10", NULL });
    assert_int_equal(r.w.n_phases, 2);
    const struct whatif_phase *together = &r.w.phases[0], *after = &r.w.phases[1];
    assert_true(together->from_ms == day_ms("2026-03-01"));
    assert_true(together->until_ms == after->from_ms && after->until_ms == UNKNOWN);
    assert_within(together->groups[0].average.at[BOUND_CENTRAL].total_mibps,
                  1.1 * (R + 11.683 + 12.0 / 6 * 25.64), 1e-6);
    assert_within(after->groups[0].average.at[BOUND_CENTRAL].total_mibps,
                  1.1 * (R + 11.683 + 3.0 / 6 * 25.64), 1e-6);
    /* What must be there at the height of it is the scenario. */
    assert_ptr_equal(r.w.of_phase, together);
    assert_true(r.w.plan.total_microusd == together->total_microusd);
    assert_within((double)r.w.phases_microusd,
                  (double)together->total_microusd * 92 * 24 / 730 + (double)after->total_microusd,
                  2);
    release(&r);
}

static void undated_changes_come_before_phases(void **state)
{
    (void)state;
    struct run r;
    incident(&r.s);
    run(&r, (const char *const[]){ "phase 2026-03-01:growth=10", "standbys 8", NULL });
    assert_null(r.w.of_phase);
    assert_within(average(&r, "REDO1", BOUND_CENTRAL), 57.4252, 1e-3);
    assert_within(r.w.phases[0].groups[0].average.at[BOUND_CENTRAL].total_mibps, 57.4252 * 1.1,
                  1e-3);
    release(&r);
}

/* --- without a redo path ---------------------------------------------------------------------- */

static void refused_and_unknown(void **state)
{
    (void)state;
    static const char *const standbys[] = { "standbys 8", NULL }, *const growth[] = { "growth 10",
                                                                                      NULL };
    static const char *const dated[] = { "phase 2026-03-01:standbys=8", NULL };
    struct run r;
    incident(&r.s);
    r.s.layout.redo.other_archive_readers = 2;
    run(&r, standbys);
    assert_true(r.w.refused);
    release(&r);
    run(&r, dated);
    assert_true(r.w.refused);
    release(&r);
    run(&r, growth); /* needs no redo path */
    assert_false(r.w.refused);
    release(&r);

    incident(&r.s);
    r.s.load.n_snapshots = 0;
    assert_int_equal(calibrate_system(&r.s, 1), 0);
    r.o = plain_options();
    assert_int_equal(whatif_of(&r.s, &r.o, standbys, &r.w), ERR_USAGE);
    assert_non_null(strstr(r.s.err.text, "AWR"));
    release(&r);
}

static void nothing_that_is_allowed_carries_it(void **state)
{
    (void)state;
    struct run r;
    incident(&r.s);
    r.s.groups[0].policy.types = 1u << VOL_GP2;
    r.s.groups[0].policy.max_count = 1;
    run(&r, (const char *const[]){ "growth 5000", NULL });
    assert_int_equal(r.w.plan.status, PLAN_NONE);
    assert_int_equal(r.w.base.status, PLAN_BEST);
    assert_int_equal(r.w.carries_upper, HOLDS_NOT);
    release(&r);
}

int main(void)
{
    enum { N = sizeof counts / sizeof *counts, OTHERS = 26 };
    struct CMUnitTest t[N + OTHERS];
    for (size_t i = 0; i < N; i++)
        t[i] = (struct CMUnitTest){ counts[i].why, standbys_by_number, NULL, NULL,
                                    (void *)(uintptr_t)&counts[i] };
    const struct CMUnitTest others[] = {
        cmocka_unit_test(three_cascaded_save_27_to_73_pct),
        cmocka_unit_test(a_peak_grows_as_the_average_does),
        cmocka_unit_test(reads_where_there_were_none_follow_the_writes),
        cmocka_unit_test(growth_is_for_every_group),
        cmocka_unit_test(changes_add_up),
        cmocka_unit_test(a_third_member_needs_a_group),
        cmocka_unit_test(a_second_member_beside_the_first),
        cmocka_unit_test(without_its_second_member_a_group_goes),
        cmocka_unit_test(all_members_in_one_group_scale),
        cmocka_unit_test(mirrors_multiply_writes_and_size),
        cmocka_unit_test(raw_sizes_are_mirrored_again),
        cmocka_unit_test(larger_redo_blocks_write_more),
        cmocka_unit_test(blocks_need_statistics),
        cmocka_unit_test(far_sync_reads_nothing),
        cmocka_unit_test(readers_that_nobody_names),
        cmocka_unit_test(a_standby_and_its_host),
        cmocka_unit_test(raw_sizes_of_its_host),
        cmocka_unit_test(one_standby_more_costs_what_the_plans_differ_by),
        cmocka_unit_test(commits_wait_for_sync),
        cmocka_unit_test(commits_without_the_event),
        cmocka_unit_test(after_a_role_swap),
        cmocka_unit_test(swapping_twice_is_as_before),
        cmocka_unit_test(phases_follow_each_other),
        cmocka_unit_test(undated_changes_come_before_phases),
        cmocka_unit_test(refused_and_unknown),
        cmocka_unit_test(nothing_that_is_allowed_carries_it),
    };
    _Static_assert(sizeof others / sizeof *others <= OTHERS, "room for all of them");
    memcpy(t + N, others, sizeof others);
    return _cmocka_run_group_tests("whatif", t, N + sizeof others / sizeof *others, NULL, NULL);
}
