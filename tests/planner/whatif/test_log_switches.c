/* tests/planner/whatif/test_log_switches.c - the time that archiving a log takes, as arithmetic has
 * it, against a replay: the log's bytes come at once, beside what the volumes carry on average
 * without the archiver, and the last group to be done with them ends it. */
#include "tests/planner/whatif/redo_system.h"

#include "planner/replay/replay_setup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { REDO1, REDO2, FRA };

static const struct archive_case {
    const char *why;
    double log_gib;
    enum redundancy redo, fra;
    double redo_skew, fra_skew;
    const char *decides; /* the group */
} cases[] = {
    { "a log of 4 GiB", 4, REDUNDANCY_EXTERNAL, REDUNDANCY_EXTERNAL, 1, 1, "REDO1" },
    { "a log of 100 MiB", 100.0 / 1024, REDUNDANCY_EXTERNAL, REDUNDANCY_EXTERNAL, 1, 1, "REDO1" },
    { "written twice", 4, REDUNDANCY_EXTERNAL, REDUNDANCY_NORMAL, 1, 1, "FRA" },
    { "read from mirrored logs on uneven volumes", 4, REDUNDANCY_HIGH, REDUNDANCY_EXTERNAL, 1.5, 1,
      "REDO1" },
    { "written to uneven volumes", 1, REDUNDANCY_EXTERNAL, REDUNDANCY_EXTERNAL, 1, 2, "FRA" },
};

/* Seconds until a batch is served beside a steady load, on the volumes of a plan. */
static double batch_s(const struct plan_group *g, double other_mibps, double batch_mib)
{
    struct arena a = { 0 };
    struct err e = { 0 };
    struct replay *r;
    struct replay_result result;
    struct replay_group group = replay_group_unknown();
    double skew = g->group->skew;
    group.max_throughput_mibps = g->chosen.group_max_throughput_mibps / skew;
    group.max_iops = g->chosen.group_max_iops / skew;
    const struct replay_era era = { 0, &group, replay_instance_unknown() };
    const double edges[] = { 0, 1e-6, 1e6 };
    const double mibps[] = { other_mibps + batch_mib * 1e6, other_mibps }, iops[] = { NAN, NAN };
    const double *total = mibps, *counted = iops;
    const struct replay_block block = {
        .n = 2, .edge_s = edges, .total_mibps = &total, .counted_iops = &counted
    };
    assert_int_equal(replay_open(1, &era, 1, &a, &r, &e), 0);
    replay_feed(r, &block);
    replay_group_result(r, 0, &result);
    assert_near(result.backlog_mib, 0);
    arena_release(&a);
    return result.throttled_s;
}

/* The incident: of 37.323 read and 11.5555 written on REDO1 the archiver reads 11.683 MiB/s, 1.011
 * copies of R; on FRA 22.135 are read, 11.683 and 9.854 written, by it the 11.683. */
static void archiving_as_replayed(void **state)
{
    (void)state;
    const struct archive_case *c = *state;
    struct redo_system s;
    struct whatif w;
    struct whatif_options o = plain_options();
    incident(&s);
    s.layout.redo.log_gib = c->log_gib;
    s.groups[REDO1].redundancy = c->redo;
    s.groups[FRA].redundancy = c->fra;
    s.groups[REDO1].skew = c->redo_skew;
    s.groups[FRA].skew = c->fra_skew;
    assert_int_equal(calibrate_system(&s, 1), 0);
    assert_int_equal(whatif_of(&s, &o, (const char *const[]){ "growth 0", NULL }, &w), 0);
    double redo_mirrors = redundancy_copies(c->redo), mirrors = redundancy_copies(c->fra);
    double log_mib = c->log_gib * 1024, copies = 11.683 / R;
    double on_redo = 37.323 - 11.683 + R * redo_mirrors;
    double on_fra = 22.135 + 9.854 * mirrors;
    double read_s = batch_s(&w.plan.groups[REDO1], on_redo, log_mib * copies);
    double write_s = batch_s(&w.plan.groups[FRA], on_fra, log_mib * copies * mirrors);
    double archive_s = w.plan.redo_groups[REDO1].average.archive_s;
    if (fabs(archive_s - fmax(read_s, write_s)) > 1e-6 * archive_s)
        fail_msg("archiving takes %.9g s, replayed %.9g and %.9g", archive_s, read_s, write_s);
    assert_string_equal(write_s > read_s ? "FRA" : "REDO1", c->decides);
    arena_release(&s.arena);
}

int main(void)
{
    enum { N = sizeof cases / sizeof *cases };
    struct CMUnitTest t[N];
    for (size_t i = 0; i < N; i++)
        t[i] = (struct CMUnitTest){ cases[i].why, archiving_as_replayed, NULL, NULL,
                                    (void *)(uintptr_t)&cases[i] };
    return cmocka_run_group_tests_name("log_switches", t, NULL, NULL);
}
