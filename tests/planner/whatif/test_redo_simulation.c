/* tests/planner/whatif/test_redo_simulation.c - a scenario by the second, from measured minutes,
 * and the log switches that go with it. */
#include "tests/planner/whatif/redo_system.h"

#include "planner/whatif/log_switches.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define assert_within(got, want, tolerance) assert_true(fabs((got) - (want)) <= (tolerance))

/* Volumes without end: a plan for far more than the redo. */
static struct plan_options ample(void)
{
    struct whatif_options o = plain_options();
    o.plan.headroom_pct = 4000;
    return o.plan;
}

struct run {
    struct redo_system s;
    struct whatif_options o;
    struct whatif w;
};

static void run(struct run *r, const struct plan_options *plan, const char *const *changes)
{
    if (calibrate_system(&r->s, 1))
        fail_msg("%s", r->s.err.text);
    r->o = plain_options();
    if (plan)
        r->o.plan = *plan;
    if (whatif_of(&r->s, &r->o, changes, &r->w))
        fail_msg("%s", r->s.err.text);
}

/* 30 minutes at 20 MiB/s of redo, links that keep up: writes equal R, what the standbys were sent
 * equals n * R, and the archived bytes are the full logs.  36 000 MiB are 8 logs of 4 096 and 3 232
 * over; of the last full log part may still be waiting. */
static void constant_redo_without_ceilings(void **state)
{
    (void)state;
    struct run r;
    struct plan_options o = ample();
    incident(&r.s);
    add_minutes(&r.s, 0, 30, 20, 20);
    for (size_t i = 0; i < 6; i++)
        r.s.standbys[i].send_mibps = 50;
    run(&r, &o, (const char *const[]){ "growth 0", NULL });
    const struct redo_simulation *sim = &r.w.planned;
    const struct redo_sim_result *x = &sim->result;
    assert_null(sim->missing);
    assert_int_equal(x->seconds, 1800);
    assert_within(x->written_mib, 36000, 36000e-9);
    assert_int_equal(x->log_switches, 8);
    assert_within(x->archived_mib + x->unarchived_mib, 8 * 4096, 8 * 4096e-9);
    assert_within(x->unarchived_mib, 0, 1e-6);
    assert_within(x->buffer_mib + x->online_mib + x->archive_read_mib, 6 * 36000, 6 * 36000e-9);
    assert_within(x->buffer_mib, 6 * 36000, 6 * 36000e-9); /* none lags */
    assert_int_equal(x->stalled_s, 0);
    assert_int_equal(sim->by_link, 6);
    assert_int_equal(sim->by_average, 0);
    assert_true(sim->buffer_assumed);
    arena_release(&r.s.arena);
}

/* Bytes: generated = written + backlog; written = archived + waiting + current. */
static void conserved(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        struct run r;
        incident(&r.s);
        r.s.layout.redo.groups = kind & 1 ? 3 : UNKNOWN;
        r.s.layout.redo.buffer_mib = 16;
        add_minutes(&r.s, 0, 40, 20, 5);
        struct synthetic_series *room = &r.s.rooms[r.s.load.n_series - 1];
        double generated = 0;
        for (size_t i = 0; i < 40; i++) {
            room->write_mibps[i] = i % 7 < 3 ? 90 : 3;
            room->read_mibps[i] = 2 * room->write_mibps[i];
            generated += 60 * room->write_mibps[i];
        }
        for (size_t i = 0; i < 6; i++)
            r.s.standbys[i].send_mibps = i < 3 ? 40 : kind & 2 ? NAN : 200;
        run(&r, NULL, (const char *const[]){ "standbys 8", NULL });
        const struct redo_sim_result *x = &r.w.planned.result;
        assert_null(r.w.planned.missing);
        assert_within(x->generated_mib, generated, generated * 1e-9);
        assert_within(x->generated_mib, x->written_mib + x->backlog_mib, generated * 1e-9);
        assert_within(x->written_mib, x->archived_mib + x->unarchived_mib + x->current_log_mib,
                      generated * 1e-9);
        arena_release(&r.s.arena);
    }
}

/* 100 MiB/s for 10 minutes, then 5: a link of 40 falls 60 MiB/s behind, so the standby reads files.
 * Away for the 600 s of most redo it misses 60 000 MiB, and then gains 40 - 5 MiB/s: it is within
 * the 64 MiB of the buffer after (60 000 - 64) / 35 = 1 712.5 s. */
static void catching_up_after_an_outage(void **state)
{
    (void)state;
    struct run r;
    struct plan_options o = ample();
    incident(&r.s);
    r.s.layout.redo.buffer_mib = 64;
    r.s.layout.n_standbys = 1;
    set_file(&r.s, 0, file_row("Log File", 12, 23.111, 37.9, 60.5));
    set_file(&r.s, 1, file_row("Archive Log", 0, 11.683, 0, 11.7));
    r.s.standbys[0].send_mibps = 40;
    add_minutes(&r.s, 0, 60, 5, 5);
    for (size_t i = 0; i < 10; i++)
        r.s.rooms[r.s.load.n_series - 1].write_mibps[i] = 100;
    run(&r, &o, (const char *const[]){ "growth 0", NULL });
    const struct redo_simulation *sim = &r.w.planned;
    assert_null(sim->missing);
    assert_string_equal(sim->outage_of, "dr1");
    assert_within(sim->catch_up_s, (60000 - 64) / 35.0, 9);
    /* Without an outage it falls 600 * 60 MiB behind, and more while it shares with the archiver.
     */
    assert_true(sim->result.worst_lag_mib >= 35999 && sim->result.worst_lag_mib < 37500);
    assert_true(sim->result.online_mib + sim->result.archive_read_mib > 20000);
    assert_false(sim->buffer_assumed);
    arena_release(&r.s.arena);
}

static void one_that_never_catches_up(void **state)
{
    (void)state;
    struct run r;
    incident(&r.s);
    r.s.standbys[2].send_mibps = 19;
    add_minutes(&r.s, 0, 30, 20, 20);
    run(&r, NULL, (const char *const[]){ "growth 0", NULL });
    assert_string_equal(r.w.planned.outage_of, "dr3");
    assert_true(isinf(r.w.planned.catch_up_s));
    arena_release(&r.s.arena);
}

/* Today's io2 of 100 IOPS carries 25 MiB/s in requests of 256 KiB: 20 of redo, the archiver and
 * the standbys' copies are more. */
static void todays_volumes_stall(void **state)
{
    (void)state;
    struct run r;
    struct plan_options o = ample();
    incident(&r.s);
    r.s.volumes[0] = (struct layout_volumes){ { VOL_IO2, 1, 500, 100, UNKNOWN }, UNKNOWN };
    r.s.groups[0].volumes = &r.s.volumes[0];
    r.s.groups[0].n_volumes = 1;
    add_minutes(&r.s, 0, 10, 5, 20);
    run(&r, &o, (const char *const[]){ "standbys 8", NULL });
    assert_true(r.w.planned.result.stalled_s < 10); /* the archiver takes all there is, briefly */
    assert_true(r.w.today.result.stalled_s > 500);
    assert_true(r.w.today.result.worst_delay_ms > 1000);
    assert_int_equal(r.w.today.by_average, 8);
    arena_release(&r.s.arena);
}

/* 50 MiB/s generated for 5 minutes, a SYNC link that sends 40: 10 wait each second, 3 000 MiB in
 * all, whatever the volumes.  One of 60 holds nobody. */
static void a_sync_link_holds_commits(void **state)
{
    (void)state;
    struct run r;
    struct plan_options o = ample();
    incident(&r.s);
    add_minutes(&r.s, 0, 5, 50, 50);
    run(&r, &o,
        (const char *const[]){ "add-standby near:mode=sync,send=40",
                               "add-standby nearer:mode=sync,send=60", NULL });
    assert_string_equal(r.w.planned.held_by, "near");
    assert_within(r.w.planned.result.worst_backlog_mib, 3000, 1e-6);
    run(&r, &o, (const char *const[]){ "add-standby nearer:mode=sync,send=60", NULL });
    assert_null(r.w.planned.held_by);
    arena_release(&r.s.arena);
}

/* 500 GiB of which 495 are used: 5 120 MiB free.  The second log of 4 096 MiB does not fit: at
 * 20 MiB/s it is full 410 s after 07:00. */
static void the_archive_group_fills(void **state)
{
    (void)state;
    struct run r;
    struct plan_options o = ample();
    incident(&r.s);
    r.s.groups[2].used_gib = 495;
    r.s.groups[2].policy.types = 1u << VOL_GP3;
    r.s.groups[2].policy.max_count = 1;
    add_minutes(&r.s, 0, 30, 20, 20);
    run(&r, &o, (const char *const[]){ "growth 0", NULL });
    assert_true(r.w.planned.full_at_ms > morning_ms() + 205 * 1000);
    assert_true(r.w.planned.full_at_ms <= morning_ms() + 420 * 1000);
    arena_release(&r.s.arena);
}

static void intervals_that_are_no_whole_seconds(void **state)
{
    (void)state;
    struct run r;
    struct plan_options o = ample();
    incident(&r.s);
    add_minutes(&r.s, 0, 20, 10, 10);
    struct synthetic_series *room = &r.s.rooms[r.s.load.n_series - 1];
    for (size_t i = 0; i < 20; i++) { /* 10.5 s each */
        room->begin_ms[i] = morning_ms() + 10500 * (int64_t)i;
        room->end_ms[i] = room->begin_ms[i] + 10500;
    }
    run(&r, &o, (const char *const[]){ "growth 100", NULL });
    assert_int_equal(r.w.planned.result.seconds, 210);
    assert_within(r.w.planned.result.generated_mib, 2 * 10 * 210, 1e-6);
    arena_release(&r.s.arena);
}

static const struct missing_case {
    const char *why;
    double interval_s; /* of the samples; 0 = no device */
    double log_gib;
    const char *change;
    const char *missing;
} missing[] = {
    { "by the minute", 60, 4, "growth 0", NULL },
    { "finer", 5, 4, "growth 0", NULL },
    { "averages of ten minutes", 600, 4, "growth 0", "by the minute" },
    { "the report alone", 0, 4, "growth 0", "by the minute" },
    { "the size of a log is not known", 60, NAN, "growth 0", "log_gib" },
    { "logs of nothing", 60, 0, "growth 0", "log_gib" },
    { "this host is a standby then", 60, 4, "role-swap dr1", "standby" },
};

static void what_is_missing(void **state)
{
    const struct missing_case *c = *state;
    struct run r;
    incident(&r.s);
    r.s.layout.redo.log_gib = c->log_gib;
    if (c->interval_s > 0) {
        add_minutes(&r.s, 0, 20, 10, 10);
        struct synthetic_series *room = &r.s.rooms[r.s.load.n_series - 1];
        for (size_t i = 0; i < 20; i++) {
            room->begin_ms[i] = morning_ms() + (int64_t)(c->interval_s * 1e3) * (int64_t)i;
            room->end_ms[i] = room->begin_ms[i] + (int64_t)(c->interval_s * 1e3);
        }
    }
    run(&r, NULL, (const char *const[]){ c->change, NULL });
    if (c->missing) {
        assert_non_null(r.w.planned.missing);
        assert_non_null(strstr(r.w.planned.missing, c->missing));
    } else {
        assert_null(r.w.planned.missing);
    }
    arena_release(&r.s.arena);
}

/* --- log switches ----------------------------------------------------------------------------- */

/* 4 GiB at 62.5 MiB/s fill in 65.536 s. */
static void four_gib_at_62_5(void **state)
{
    (void)state;
    struct run r;
    incident(&r.s);
    set_file(&r.s, 0, file_row("Log File", 62.5, 125, 100, 300));
    set_file(&r.s, 1, file_row("Archive Log", 0, 62.5, 0, 63));
    r.s.snapshot.n_filetypes = 2;
    r.s.layout.n_standbys = 0;
    run(&r, NULL, (const char *const[]){ "growth 0", NULL });
    const struct plan_redo_group *g = &r.w.base.redo_groups[0];
    assert_true(g->holds_logs && r.w.base.redo_groups[1].holds_logs);
    assert_false(r.w.base.redo_groups[2].holds_logs);
    assert_within(g->average.fill_s, 65.536, 1e-9);
    assert_within(g->average_read_mibps + g->average_write_mibps, 125, 1e-9);
    /* The archiver has what its groups carry beside R: REDO1 at least 150 - 62.5 (20 % headroom on
     * 125), FRA 75 and more: the archive group binds. */
    double redo1 = planned_ceiling_mibps(&r.w.base.groups[0]) - 62.5;
    double fra = planned_ceiling_mibps(&r.w.base.groups[2]);
    assert_within(g->average.archive_s, 4096 / fmin(redo1, fra), 1e-6);
    assert_int_equal(g->average.archiver_keeps_up, 1);
    arena_release(&r.s.arena);
}

static void not_archived_is_not_known(void **state)
{
    (void)state;
    struct run r;
    incident(&r.s);
    set_file(&r.s, 0, file_row("Log File", 0, 125, 0, 300));
    r.s.snapshot.n_filetypes = 1;
    r.s.layout.n_standbys = 0;
    run(&r, NULL, (const char *const[]){ "growth 0", NULL });
    const struct log_switch *s = &r.w.base.redo_groups[0].average;
    assert_within(s->fill_s, 65.536, 1e-9);
    assert_true(isnan(s->archive_s));
    assert_int_equal(s->archiver_keeps_up, -1);
    arena_release(&r.s.arena);
}

/* Growth fills logs faster; a log of unknown size says nothing. */
static void scenario_and_unknown_size(void **state)
{
    (void)state;
    struct run r;
    incident(&r.s);
    run(&r, NULL, (const char *const[]){ "growth 100", NULL });
    assert_within(r.w.base.redo_groups[0].average.fill_s, 4096 / R, 1e-6);
    assert_within(r.w.plan.redo_groups[0].average.fill_s, 4096 / R / 2, 1e-6);
    arena_release(&r.s.arena);
    r.s.layout.redo.log_gib = NAN;
    run(&r, NULL, (const char *const[]){ "growth 100", NULL });
    assert_true(isnan(r.w.base.redo_groups[0].average.fill_s));
    arena_release(&r.s.arena);
}

int main(void)
{
    enum { N = sizeof missing / sizeof *missing, OTHERS = 11 };
    struct CMUnitTest t[N + OTHERS];
    for (size_t i = 0; i < N; i++)
        t[i] = (struct CMUnitTest){ missing[i].why, what_is_missing, NULL, NULL,
                                    (void *)(uintptr_t)&missing[i] };
    const struct CMUnitTest others[OTHERS] = {
        cmocka_unit_test(constant_redo_without_ceilings),
        cmocka_unit_test(conserved),
        cmocka_unit_test(catching_up_after_an_outage),
        cmocka_unit_test(one_that_never_catches_up),
        cmocka_unit_test(todays_volumes_stall),
        cmocka_unit_test(a_sync_link_holds_commits),
        cmocka_unit_test(the_archive_group_fills),
        cmocka_unit_test(intervals_that_are_no_whole_seconds),
        cmocka_unit_test(four_gib_at_62_5),
        cmocka_unit_test(not_archived_is_not_known),
        cmocka_unit_test(scenario_and_unknown_size),
    };
    memcpy(t + N, others, sizeof others);
    return cmocka_run_group_tests_name("redo_simulation", t, NULL, NULL);
}
