/* tests/models/oracle/test_redo_load.c - loads of the groups: the six-standby incident, properties
 * on random systems (seed printed, SEED= replays), a standby's own host, transport. */
#include "models/core/unit.h"
#include "models/oracle/redo_load.h"
#include "models/oracle/redo_transport.h"
#include "models/oracle/standby_host.h"
#include "tests/row_tests.h"
#include "tests/seeded.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct seeded chance;

static void within(double got, double want, double off)
{
    if (!(fabs(got - want) <= off))
        fail_msg("%.9g, want %.9g within %.3g", got, want, off);
}

static double total(struct redo_group_load l)
{
    return l.read_mibps.central + l.write_mibps.central;
}

static struct redo_flow six_standbys(void)
{
    struct redo_measured m = {
        .log_read_mibps = 37.323,
        .log_write_mibps = 23.111,
        .archive_read_mibps = 22.135,
        .archive_write_mibps = 11.683,
        .redo_bytes_per_s = NAN,
        .wastage_bytes_per_s = NAN,
        .blocks_per_s = NAN,
        .read_kib_per_s = NAN,
        .elapsed_s = 10758,
    };
    struct redo_given given = { 6, 2, UNKNOWN, NAN, NAN, NAN };
    struct redo_calibration k;
    struct err e;
    assert_int_equal(redo_calibrate(&m, &given, &k, &e), 0);
    return redo_flow_of(&k);
}

static void from_calibration_to_groups(void **state)
{
    (void)state;
    struct redo_flow f = six_standbys();
    struct redo_change none = { 0, 0 }, two_more = { .added = 2 };
    within(total(redo_load_at(&f, none, REDO_READ_MEMBER)), 48.88, 0.005);
    within(total(redo_load_at(&f, none, REDO_OTHER_MEMBER)), 11.56, 0.005);
    within(total(redo_load_at(&f, two_more, REDO_READ_MEMBER)), 57.43, 0.005);
    struct redo_group_load eight = redo_load_at(&f, two_more, REDO_READ_MEMBER);
    within(eight.read_mibps.upper + eight.write_mibps.upper, 115.68, 0.005);
    within(eight.read_mibps.lower + eight.write_mibps.lower, 48.88, 0.005);

    /* 853 of 1000: the incident's flashback log is 9.854 / 11.5555 of its redo. */
    f.flashback_write_mibps = 9.854;
    within(redo_load_at(&f, none, REDO_ARCHIVE).write_mibps.central, 11.683 + 9.854, 1e-9);

    /* Three of six cascaded save 1.134 to 3 of 4.134 copies: 27 to 73 %. */
    struct redo_range saved = redo_cascade_saving(&f, 3);
    double files = f.online_copies + f.archived_copies;
    within(100 * saved.lower / files, 27, 0.5);
    within(100 * saved.central / files, 50, 1e-9);
    within(100 * saved.upper / files, 73, 0.5);

    /* At 62.5 MiB/s the upper bound of six, 2 R + 6 R, reaches 500 MiB/s. */
    struct redo_flow peak = redo_flow_scaled(&f, 62.5 / f.redo_mibps);
    peak.archive_write_mibps = peak.redo_mibps;
    struct redo_group_load at_peak = redo_load_at(&peak, none, REDO_READ_MEMBER);
    within(at_peak.read_mibps.upper + at_peak.write_mibps.upper, 500, 1e-9);
}

static void other_readers_are_part_of_the_load(void **state)
{
    (void)state;
    struct redo_flow f = { .redo_mibps = 10,
                           .archive_write_mibps = 20,
                           .other_online_readers = 1,
                           .other_archive_readers = 2 };
    struct redo_change none = { 0, 0 };
    /* write 10, archiver 2 copies, GoldenGate 1 */
    within(total(redo_load_at(&f, none, REDO_READ_MEMBER)), 10 + 20 + 10, 1e-9);
    within(total(redo_load_at(&f, none, REDO_ARCHIVE)), 20 + 20, 1e-9);
}

/* Nothing measured of any standby: the middle of what is possible. */
static void first_standby_ever(void **state)
{
    (void)state;
    struct redo_flow f = { .redo_mibps = 10, .archive_write_mibps = 10 };
    struct redo_range r = redo_load_of_standby(&f, true, REDO_READ_MEMBER).read_mibps;
    assert_true(r.lower == 0 && r.central == 5 && r.upper == 10);
    r = redo_load_of_standby(&f, true, REDO_OTHER_MEMBER).read_mibps;
    assert_true(r.upper == 0);
    r = redo_load_at(&f, (struct redo_change){ .added = 2 }, REDO_ARCHIVE).read_mibps;
    assert_true(r.lower == 0 && r.central == 10 && r.upper == 20);
}

/* --- properties --------------------------------------------------------------------------- */

static struct redo_flow random_flow(void)
{
    int64_t n = seeded_int(&chance, 0, 12);
    double most = (double)n * 1.1; /* gaps sent twice */
    double online = seeded_between(&chance, 0, most);
    return (struct redo_flow){
        .redo_mibps = seeded_between(&chance, 0.1, 200),
        .archive_write_mibps = seeded_between(&chance, 0, 400),
        .flashback_write_mibps = seeded_between(&chance, 0, 100),
        .online_copies = online,
        .archived_copies = seeded_between(&chance, 0, most - online),
        .other_online_readers = seeded_between(&chance, 0, 2),
        .other_archive_readers = seeded_between(&chance, 0, 2),
        .direct_standbys = n,
    };
}

/* a <= b, but for the last bits. */
static void not_above(double a, double b)
{
    if (!(a <= b + 1e-9 * fmax(1, fabs(b))))
        fail_msg("%.15g is above %.15g", a, b);
}

static void in_order(struct redo_range r)
{
    not_above(0, r.lower);
    not_above(r.lower, r.central);
    not_above(r.central, r.upper);
}

static void no_lower(struct redo_range a, struct redo_range b)
{
    not_above(a.lower, b.lower);
    not_above(a.central, b.central);
    not_above(a.upper, b.upper);
}

static void bounds_and_monotony(void **state)
{
    (void)state;
    for (int k = 0; k < 2000; k++) {
        struct redo_flow f = random_flow();
        struct redo_change c = { seeded_int(&chance, 0, 6),
                                 seeded_int(&chance, 0, f.direct_standbys) };
        struct redo_change more = { c.added + 1, c.removed };
        struct redo_change cascaded = { c.added, c.removed + 1 };
        for (int p = REDO_READ_MEMBER; p <= REDO_ARCHIVE; p++) {
            enum redo_place place = (enum redo_place)p;
            struct redo_group_load l = redo_load_at(&f, c, place);
            in_order(l.read_mibps);
            in_order(l.write_mibps);
            struct redo_group_load l_more = redo_load_at(&f, more, place);
            no_lower(l.read_mibps, l_more.read_mibps);
            no_lower(l.write_mibps, l_more.write_mibps);
            struct redo_group_load l_less = redo_load_at(&f, cascaded, place);
            no_lower(l_less.read_mibps, l.read_mibps);
            no_lower(l_less.write_mibps, l.write_mibps);
            in_order(redo_load_of_standby(&f, true, place).read_mibps);
            in_order(redo_load_of_standby(&f, false, place).read_mibps);
        }
        in_order(redo_cascade_saving(&f, c.removed));
    }
}

/* What an added standby brings is the difference it makes. */
static void a_standby_is_the_difference(void **state)
{
    (void)state;
    for (int k = 0; k < 500; k++) {
        struct redo_flow f = random_flow();
        struct redo_range with =
            redo_load_at(&f, (struct redo_change){ 1, 0 }, REDO_ARCHIVE).read_mibps;
        struct redo_range without =
            redo_load_at(&f, (struct redo_change){ 0, 0 }, REDO_ARCHIVE).read_mibps;
        struct redo_range one = redo_load_of_standby(&f, true, REDO_ARCHIVE).read_mibps;
        within(with.lower - without.lower, one.lower, 1e-9);
        within(with.central - without.central, one.central, 1e-9);
        within(with.upper - without.upper, one.upper, 1e-9);
    }
}

/* --- the standby's own host --------------------------------------------- */

static void standby_hosts(void **state)
{
    (void)state;
    struct standby_host h = {
        .redo_mibps = 10,
        .flashback_write_mibps = 8.5,
        .data_write_mibps = 6,
        .cascaded = 2,
    };
    struct standby_host_load l = standby_host_load(&h);
    within(l.redo.write_mibps.central, 10, 0);
    within(l.redo.read_mibps.lower, 20, 0);   /* archiver and apply */
    within(l.redo.read_mibps.central, 40, 0); /* and two cascaded */
    within(l.archive.write_mibps.upper, 18.5, 0);
    within(l.archive.read_mibps.upper, 0, 0);
    within(l.data.write_mibps.lower, 6, 0);
    assert_true(l.data.read_mibps.lower == 0 && l.data.read_mibps.central == 3 &&
                l.data.read_mibps.upper == 6);

    h.archive_cascade = h.archive_apply = true;
    l = standby_host_load(&h);
    within(l.redo.read_mibps.upper, 10, 0);
    within(l.archive.read_mibps.lower, 10 + 20, 0);

    h = (struct standby_host){
        .redo_mibps = 10, .data_write_mibps = 6, .cascaded = 3, .far_sync = true
    };
    l = standby_host_load(&h);
    within(l.redo.read_mibps.upper, 10 + 30, 0); /* archiver and three destinations, no apply */
    within(l.data.write_mibps.upper, 0, 0);

    h = (struct standby_host){ .redo_mibps = 10, .data_write_mibps = NAN };
    l = standby_host_load(&h);
    assert_true(isnan(l.data.read_mibps.lower) && isnan(l.data.write_mibps.central));
}

/* --- transport ---------------------------------------------------------------------------- */

static const struct send_case {
    const char *why;
    double send_mibps, rtt_ms, window_kib, apply_mibps, want_mibps;
} sends[] = {
    { "nothing known", NAN, NAN, NAN, NAN, NAN },
    { "the link", 40, NAN, NAN, NAN, 40 },
    { "a 4 MiB window over 80 ms: 4 / 0.08", NAN, 80, 4096, NAN, 50 },
    { "the link is less than the window allows", 40, 80, 4096, NAN, 40 },
    { "apply is the least", 40, 80, 4096, 25, 25 },
    { "a round trip without a window limits nothing", NAN, 80, NAN, 25, 25 },
    { "no round trip, no limit", NAN, 0, 4096, NAN, NAN },
};

static void test_send(void **state)
{
    const struct send_case *c = *state;
    struct layout_standby s = { .send_mibps = c->send_mibps,
                                .rtt_ms = c->rtt_ms,
                                .window_kib = c->window_kib,
                                .apply_mibps = c->apply_mibps };
    double got = redo_send_mibps(&s);
    if (isnan(c->want_mibps))
        assert_true(isnan(got));
    else
        within(got, c->want_mibps, 1e-9);
}

static void commit_waits(void **state)
{
    (void)state;
    struct redo_range r = redo_commit_added_ms(REDO_ASYNC, 80, 1, 1);
    assert_true(r.lower == 0 && r.upper == 0);
    r = redo_commit_added_ms(REDO_SYNC, 2, 1, 0.5); /* 2 + 1, half a millisecond of it at once */
    assert_true(r.lower == 2.5 && r.central == 2.5 && r.upper == 3);
    r = redo_commit_added_ms(REDO_FASTSYNC, 2, 1, 0.5);
    assert_true(r.lower == 1.5 && r.upper == 2);
    r = redo_commit_added_ms(REDO_FASTSYNC, 0.3, 1, 0.5); /* hidden behind the local write */
    assert_true(r.lower == 0 && r.upper == 0.3);
}

static void modes(void **state)
{
    (void)state;
    enum redo_mode m = REDO_SYNC;
    assert_int_equal(redo_mode_parse(NULL, &m), 0);
    assert_int_equal(m, REDO_ASYNC);
    for (int i = REDO_ASYNC; i <= REDO_FASTSYNC; i++) {
        assert_int_equal(redo_mode_parse(redo_mode_name((enum redo_mode)i), &m), 0);
        assert_int_equal(m, i);
    }
    assert_int_not_equal(redo_mode_parse("SYNC ", &m), 0);
}

int main(void)
{
    static struct CMUnitTest tests[32];
    static const struct CMUnitTest others[] = {
        cmocka_unit_test(from_calibration_to_groups),
        cmocka_unit_test(other_readers_are_part_of_the_load),
        cmocka_unit_test(first_standby_ever),
        cmocka_unit_test(bounds_and_monotony),
        cmocka_unit_test(a_standby_is_the_difference),
        cmocka_unit_test(standby_hosts),
        cmocka_unit_test(commit_waits),
        cmocka_unit_test(modes),
    };
    chance.state = seed_of_run(20220601);

    size_t n = 0;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        tests[n++] = others[i];
    ADD_ROW_TESTS(tests, n, sends, test_send);
    return _cmocka_run_group_tests("redo load", tests, n, NULL, NULL);
}
