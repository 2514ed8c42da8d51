/* tests/models/oracle/test_redo_sim.c - the redo path by the second: the worked profiles (group
 * SIM) and hand calculations. */
#include "models/core/unit.h"
#include "models/oracle/redo_sim.h"
#include "tests/models/oracle/oracle_rows.h"

enum { STANDBYS_MAX = 12 };

/* Redo rate "base 6, peak 60 for t in [600,1500), 3600 s". */
static size_t profile(const struct row *r, struct redo_run runs[3])
{
    const char *text = row_item(r, "profile")->valuestring;
    double base = strtod(strstr(text, "base ") + 5, NULL);
    double peak = strtod(strstr(text, "peak ") + 5, NULL);
    assert_non_null(strstr(text, "[600,1500), 3600 s"));
    runs[0] = (struct redo_run){ base, 600 };
    runs[1] = (struct redo_run){ peak, 900 };
    runs[2] = (struct redo_run){ base, 2100 };
    return 3;
}

/* Whether a figure is left out for a row, and why (the reference decides by the lag before it
 * sends, so its lag holds one second's redo more than ours). */
static bool not_counted(const struct row *r, const char *key)
{
    static const struct {
        const char *id, *keys;
    } out[] = {
        { "", " maxQ u_on u_ar u_buf " }, /* the step's size; ratios of figures that are compared */
        { "SIM001", " maxlag " },         /* nothing lags once the second's redo is sent */
        { "SIM003", " sat1 " },           /* exactly at the ceiling: above it or not is rounding */
        { "SIM006", " ar buf max2 maxlag " }, /* R exceeds the buffer within one step, which the */
        { "SIM007", " ar buf max2 maxlag " }, /* reference takes for a reader that left it */
        { "SIM008", " ar buf max2 maxlag " },
    };
    char word[32];
    snprintf(word, sizeof word, " %s ", key);
    for (size_t i = 0; i < sizeof out / sizeof *out; i++)
        if ((!*out[i].id || !strcmp(out[i].id, r->id)) && strstr(out[i].keys, word))
            return true;
    return false;
}

/* Volumes, rates and lags within 2 %, seconds within 10 or 3 %. */
static void expect_sim(struct row *r, const char *key, double got, bool seconds)
{
    double want = row_take(r, key);
    double allowed = seconds ? fmax(10, 0.03 * want) : 0.02 * want;
    if (!not_counted(r, key) && !(fabs(got - want) <= allowed))
        fail_msg("%s: %s is %.9g, want %.9g", r->id, key, got, want);
}

static void fluid(struct row *r)
{
    struct redo_sim_config c = redo_sim_defaults(row_in(r, "Z"), row_in(r, "B"));
    c.redo_ceiling_mibps = row_in(r, "C1");
    c.archive_ceiling_mibps = row_in(r, "C2");
    c.archiver_mibps = row_in(r, "arcmax");
    if (row_has(r, "keep"))
        c.online_keep_mib = row_in(r, "keep");

    struct redo_run runs[3];
    struct redo_sim_standby standbys[STANDBYS_MAX];
    struct redo_sim_sent sent[STANDBYS_MAX];
    double send[STANDBYS_MAX];
    size_t n = row_array(r, "S", send, STANDBYS_MAX), n_runs = profile(r, runs);
    for (size_t i = 0; i < n; i++)
        standbys[i] = (struct redo_sim_standby){ .send_mibps = send[i] };

    struct redo_sim_result o;
    struct err e;
    assert_int_equal(redo_sim_run(&c, runs, n_runs, standbys, n, NULL, 0, sent, &o, &e), 0);
    expect_sim(r, "w", o.written_mib, false);
    expect_sim(r, "arc", o.archived_mib, false);
    expect_sim(r, "on", o.online_mib, false);
    expect_sim(r, "ar", o.archive_read_mib, false);
    expect_sim(r, "buf", o.buffer_mib, false);
    expect_sim(r, "max1", o.redo_max_mibps, false);
    expect_sim(r, "max2", o.archive_max_mibps, false);
    expect_sim(r, "maxlag", o.worst_lag_mib, false);
    expect_sim(r, "maxQ", o.worst_backlog_mib, false);
    expect_sim(r, "stall", (double)o.stalled_s, true);
    expect_sim(r, "sat1", (double)o.redo_ceiling_s, true);
    expect_sim(r, "u_on", o.online_mib / o.written_mib, false);
    expect_sim(r, "u_ar", o.archive_read_mib / o.written_mib, false);
    expect_sim(r, "u_buf", o.buffer_mib / o.written_mib, false);
}

/* --- hand calculations -------------------------------------------------------------------- */

struct scene {
    struct redo_sim_config config;
    struct redo_run runs[4];
    size_t n_runs;
    struct redo_sim_standby standbys[4];
    size_t n_standbys;
    struct redo_outage outages[4];
    size_t n_outages;
    struct redo_sim_sent sent[4];
    struct redo_sim_result out;
};

static void run_scene(struct scene *s)
{
    struct err e = { 0 };
    int rc = redo_sim_run(&s->config, s->runs, s->n_runs, s->standbys, s->n_standbys, s->outages,
                          s->n_outages, s->sent, &s->out, &e);
    if (rc)
        fail_msg("%s", e.text);
}

static void near(double got, double want)
{
    if (!(fabs(got - want) <= 1e-9 * fmax(1, fabs(want))))
        fail_msg("%.12g, want %.12g", got, want);
}

/* 100 MiB are written each second, more than the 64 MiB buffer, but what is sent in the same
 * second never lags: nothing is read from files. */
static void fast_links_read_the_buffer(void **state)
{
    (void)state;
    struct scene s = {
        .config = redo_sim_defaults(4096, 64),
        .runs = { { 100, 3600 } },
        .n_runs = 1,
        .standbys = { { .send_mibps = 400 }, { .send_mibps = 400 } },
        .n_standbys = 2,
    };
    run_scene(&s);
    assert_true(s.out.online_mib == 0 && s.out.archive_read_mib == 0);
    near(s.out.buffer_mib, 2 * 360000);
    assert_int_equal(s.sent[0].behind_s, 0);
    near(s.out.worst_lag_mib, 0);
}

/* R 10, standby away for seconds [100, 200): lag 1000.  It returns at 60: 50 more than R a
 * second, so 1000 - 50 k <= 64 for k = 19.  The lag of second 200 is written in [100, 200): the
 * oldest unsent redo is 100 s old at its worst. */
static void outage_and_catch_up(void **state)
{
    (void)state;
    struct scene s = {
        .config = redo_sim_defaults(4096, 64),
        .runs = { { 10, 400 } },
        .n_runs = 1,
        .standbys = { { .send_mibps = 60 }, { .send_mibps = 60 } },
        .n_standbys = 2,
        .outages = { { 0, 100, 200 } },
        .n_outages = 1,
    };
    run_scene(&s);
    near(s.sent[0].worst_lag_mib, 1000);
    near(s.sent[0].worst_age_s, 100);
    near(s.sent[0].catch_up_s, 19);
    near(s.out.catch_up_s, 19);
    near(s.sent[0].lag_mib, 0);
    /* 70 MiB of lag are above 64 from second 106 on: 94 s away and 18 of the 19 returning. */
    assert_int_equal(s.sent[0].behind_s, 94 + 18);
    /* Sent at 60 from the online log while it is behind at the second's start: 19 seconds. */
    near(s.sent[0].online_mib, 19 * 60);
    assert_true(isnan(s.sent[1].catch_up_s));
    assert_true(s.sent[1].online_mib == 0);
}

static void outage_that_never_ends(void **state)
{
    (void)state;
    struct scene s = {
        .config = redo_sim_defaults(4096, 64),
        .runs = { { 10, 400 } },
        .n_runs = 1,
        .standbys = { { .send_mibps = 60 } },
        .n_standbys = 1,
        .outages = { { 0, 300, 900 } },
        .n_outages = 1,
    };
    run_scene(&s);
    assert_true(isinf(s.out.catch_up_s));
    near(s.sent[0].lag_mib, 1000);
}

/* Logs of 100 MiB, two copies: each second's 10 MiB take 20 of the archive group.  Full logs are
 * archived in the second after they fill; 450 MiB of room hold two logs twice, and 25 MiB of the
 * third: it begins in second 30 (counted from 0). */
static void archive_group_fills(void **state)
{
    (void)state;
    struct scene s = {
        .config = redo_sim_defaults(100, 64),
        .runs = { { 10, 100 } },
        .n_runs = 1,
    };
    s.config.archive_copies = 2;
    s.config.archive_free_mib = 450;
    run_scene(&s);
    assert_int_equal(s.out.archive_full_at_s, 30);
    near(s.out.archived_mib, 225);
    assert_int_equal(s.out.stalled_s, 0); /* without a number of groups LGWR never waits */

    /* With three groups: logs 1 and 2 were archived, log 3 only in part, so logs 3, 4 and 5 hold
     * the groups and log 5 is full after 500 MiB, at second 50. */
    s.config.log_groups = 3;
    run_scene(&s);
    near(s.out.written_mib, 500);
    assert_int_equal(s.out.log_wait_s, s.out.stalled_s);
    assert_int_equal(s.out.stalled_s, 50);
    near(s.out.backlog_mib, 500);
    near(s.out.worst_delay_ms, 50000);

    /* What is deleted in time makes room. */
    s.config.archive_deleted_mibps = 20;
    run_scene(&s);
    assert_int_equal(s.out.archive_full_at_s, UNKNOWN);
    assert_int_equal(s.out.stalled_s, 0);
}

/* A group of 100 MiB/s and 150 generated for 10 s: 500 MiB wait, gone 10 s after at R 50.  The
 * last byte of the burst waits 5 s: generated at 10, written when 1500 / 100 = 15. */
static void ceiling_stalls_commits(void **state)
{
    (void)state;
    struct scene s = {
        .config = redo_sim_defaults(1 << 20, 64),
        .runs = { { 150, 10 }, { 50, 20 } },
        .n_runs = 2,
    };
    s.config.redo_ceiling_mibps = 100;
    run_scene(&s);
    near(s.out.worst_backlog_mib, 500);
    near(s.out.worst_delay_ms, 5000);
    assert_int_equal(s.out.stalled_s, 19); /* 10 rising; 450, 400 .. 50 */
    near(s.out.redo_max_mibps, 100);
    near(s.out.backlog_mib, 0);

    /* The same by the mirror: 75 written twice are 150. */
    s.runs[0].redo_mibps = 75;
    s.runs[1].redo_mibps = 25;
    s.config.redo_mirror = 2;
    run_scene(&s);
    near(s.out.worst_backlog_mib, 250);

    /* And by the slower group of the second member. */
    s.config.redo_mirror = 1;
    s.config.redo_ceiling_mibps = 1000;
    s.config.member_ceiling_mibps = 50;
    run_scene(&s);
    near(s.out.worst_backlog_mib, 250);
    assert_int_equal(s.out.redo_ceiling_s, 0);
}

/* 100 MiB/s fill a log each second and 50 can be archived: from the second second on the archiver
 * reads 50 beside the writes, not all that waits, and 150 of 160 MiB/s stall nobody. */
static void archiver_reads_what_it_can_write(void **state)
{
    (void)state;
    struct scene s = {
        .config = redo_sim_defaults(100, 64),
        .runs = { { 100, 10 } },
        .n_runs = 1,
    };
    s.config.redo_ceiling_mibps = 160;
    s.config.archive_ceiling_mibps = 50;
    run_scene(&s);
    near(s.out.redo_max_mibps, 150);
    near(s.out.archive_max_mibps, 50);
    near(s.out.archived_mib, 9 * 50.0);
    assert_int_equal(s.out.stalled_s, 0);
    assert_int_equal(s.out.redo_ceiling_s, 0);
    assert_int_equal(s.out.archive_ceiling_s, 9);

    /* Both groups at their ceilings in second 2, each seeing what the other lets through:
     * redo 200 = 0.8 * (100 written, 100 read by another, 100 * 0.5 of the archiver), archive
     * 120 = 0.5 * (100 * 0.8 of the archiver, 2 * 80 read by others). */
    s.runs[0].duration_s = 2;
    s.config.redo_ceiling_mibps = 200;
    s.config.archive_ceiling_mibps = 120;
    s.config.other_online_readers = 1;
    s.config.other_archive_readers = 2;
    run_scene(&s);
    assert_true(fabs(s.out.written_mib - 180) < 1e-6);
    assert_true(fabs(s.out.archived_mib - 40) < 1e-6);
    near(s.out.redo_max_mibps, 200);
    assert_true(fabs(s.out.archive_max_mibps - 120) < 1e-6);
}

/* A SYNC standby holds LGWR to what it sends; while it is away it does not. */
static void sync_standby_limits_writes(void **state)
{
    (void)state;
    struct scene s = {
        .config = redo_sim_defaults(4096, 64),
        .runs = { { 60, 10 }, { 0, 30 } },
        .n_runs = 2,
        .standbys = { { .send_mibps = 40, .sync = true } },
        .n_standbys = 1,
    };
    run_scene(&s);
    near(s.out.worst_backlog_mib, 200);
    near(s.out.worst_lag_mib, 0);
    assert_true(s.out.online_mib == 0);

    s.n_outages = 1;
    s.outages[0] = (struct redo_outage){ 0, 0, 10 };
    run_scene(&s);
    near(s.out.worst_backlog_mib, 0);
    near(s.out.worst_lag_mib, 600);
    assert_true(s.out.online_mib > 0);
}

/* R 50 into logs of 4096 for 8192 s: exactly 100 logs are full, the archiver has one second for
 * the last. */
static void constant_rate_without_ceilings(void **state)
{
    (void)state;
    struct scene s = {
        .config = redo_sim_defaults(4096, 64),
        .runs = { { 50, 8193 } },
        .n_runs = 1,
        .standbys = { { .send_mibps = 400 }, { .send_mibps = INFINITY }, { .send_mibps = 60 } },
        .n_standbys = 3,
    };
    run_scene(&s);
    near(s.out.written_mib, 50.0 * 8193);
    near(s.out.buffer_mib + s.out.online_mib + s.out.archive_read_mib, 3 * 50.0 * 8193);
    assert_int_equal(s.out.log_switches, 100);
    near(s.out.archived_mib, 100 * 4096.0);
    near(s.out.unarchived_mib, 0);
    assert_int_equal(s.out.stalled_s, 0);
}

static void refusals(void **state)
{
    (void)state;
    struct scene s = { .config = redo_sim_defaults(4096, 64),
                       .runs = { { 1, 1 } },
                       .n_runs = 1,
                       .standbys = { { .send_mibps = 1 } },
                       .n_standbys = 1 };
    struct err e;
#define REFUSED(code)                                                                              \
    assert_int_equal(redo_sim_run(&s.config, s.runs, s.n_runs, s.standbys, s.n_standbys, NULL, 0,  \
                                  s.sent, &s.out, &e),                                             \
                     code)
    const struct redo_sim_config good = s.config;
#define BAD(field, value)                                                                          \
    s.config.field = (value);                                                                      \
    REFUSED(ERR_USAGE);                                                                            \
    s.config = good
    REFUSED(0);
    BAD(log_mib, 0);
    BAD(log_mib, NAN);
    BAD(buffer_mib, INFINITY);
    BAD(online_keep_mib, -1);
    BAD(log_groups, 1);
    BAD(archive_copies, 0);
    BAD(redo_mirror, 4);
    BAD(archive_mirror, 0);
    BAD(redo_ceiling_mibps, 0);
    BAD(member_ceiling_mibps, NAN);
    BAD(archive_ceiling_mibps, -1);
    BAD(archiver_mibps, NAN);
    BAD(archive_free_mib, -1);
    BAD(archive_deleted_mibps, INFINITY);
    BAD(other_online_readers, NAN);
    BAD(other_archive_readers, -1);
    s.standbys[0].send_mibps = NAN;
    REFUSED(ERR_USAGE);
    s.standbys[0].send_mibps = 0;
    s.runs[0].redo_mibps = INFINITY;
    REFUSED(ERR_USAGE);
    s.runs[0] = (struct redo_run){ 1, INT64_MAX };
    REFUSED(ERR_LIMIT);
    s.runs[0].duration_s = -1;
    REFUSED(ERR_USAGE);
#undef BAD
#undef REFUSED
}

int main(void)
{
    static const struct row_test by_formula[] = { { "dg_fluid_1s", fluid }, { NULL, NULL } };
    static const struct CMUnitTest others[] = {
        cmocka_unit_test(fast_links_read_the_buffer),
        cmocka_unit_test(outage_and_catch_up),
        cmocka_unit_test(outage_that_never_ends),
        cmocka_unit_test(archive_group_fills),
        cmocka_unit_test(ceiling_stalls_commits),
        cmocka_unit_test(archiver_reads_what_it_can_write),
        cmocka_unit_test(sync_standby_limits_writes),
        cmocka_unit_test(constant_rate_without_ceilings),
        cmocka_unit_test(refusals),
    };
    static const char *const groups[] = { "SIM", NULL };
    return rows_run("redo simulation", by_formula, groups, others, sizeof others / sizeof *others);
}
