/* tests/models/oracle/test_redo_calibrate.c - calibration against four public AWR reports, the
 * figures of the six-standby incident, three members on EC2, and reports that cannot be. */
#include "models/core/unit.h"
#include "models/oracle/redo_calibrate.h"
#include "tests/row_tests.h"
#include "tests/vectors/vector_rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct redo_given nothing_given = { UNKNOWN, UNKNOWN, UNKNOWN, NAN, NAN, NAN };
static const struct redo_measured nothing_measured = {
    NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, GRADE_AVERAGED,
};

static void within(double got, double want, double off)
{
    if (!(fabs(got - want) <= off))
        fail_msg("%.9g, want %.9g within %.3g", got, want, off);
}

/* --- awr_redo_anchor.csv ------------------------------------------------------------------ */

static struct vector_rows *anchors;

static double anchor(size_t row, const char *head)
{
    return vector_num(vector_text(anchors, row, head));
}

/* Expected beside the file's own columns: how often each copy is read (the notes on the reports:
 * another reader of online logs in DBU; two archive destinations in DBW). */
static const struct anchor_case {
    const char *db;
    size_t row;
    double archive_copies, other_online_readers;
    double log_read_within; /* of the measured Log File reads */
} anchor_cases[] = {
    { "DBS", 0, 1, 0, 0.01 },
    { "DBT", 1, 1, 0, 0.01 },
    { "DBU", 2, 1, 1, 0.20 },
    { "DBW", 3, 2, 0, 0.20 },
};

static void test_anchor(void **state)
{
    const struct anchor_case *c = *state;
    size_t i = c->row;
    assert_true(span_is(vector_text(anchors, i, "db"), c->db));
    struct redo_measured m = {
        .log_read_mibps = anchor(i, "logfile_read_MBps"),
        .log_write_mibps = anchor(i, "logfile_write_MBps"),
        .archive_read_mibps = anchor(i, "archlog_read_MBps"),
        .archive_write_mibps = anchor(i, "archlog_write_MBps"),
        .redo_bytes_per_s = anchor(i, "redo_size_Bps"),
        .wastage_bytes_per_s = anchor(i, "redo_wastage_Bps"),
        .blocks_per_s = anchor(i, "redo_blocks_written_ps"),
        .read_kib_per_s = anchor(i, "redo_KB_read_ps"),
        .read_memory_kib_per_s = anchor(i, "redo_KB_read_memory_ps"),
        .transport_kib_per_s = anchor(i, "redo_KB_read_transport_ps"),
        .transport_memory_kib_per_s = anchor(i, "redo_KB_read_mem_transport_ps"),
        .elapsed_s = NAN,
        .grade = GRADE_CENSORED,
    };
    struct redo_calibration k;
    struct err e;
    assert_int_equal(redo_calibrate(&m, &nothing_given, &k, &e), 0);
    assert_int_equal(k.source, REDO_SOURCE_STATISTICS);
    assert_int_equal(k.grade, GRADE_CENSORED);

    double blocks512_mibps = m.blocks_per_s * 512 / MIB_BYTES;
    within(k.redo_mibps, blocks512_mibps, 1e-9); /* block size inferred as 512 */
    assert_int_equal(k.members, 1);
    within(k.members_measured, anchor(i, "logwrite_over_blocks512"), 0.0005);
    within(k.archive_copies, c->archive_copies, 0.05);

    assert_int_equal(k.direct_standbys, 1);
    within(k.copies.transport, anchor(i, "transport_over_redo"), 0.00005);
    within(k.from_buffer_pct, anchor(i, "transport_from_memory_pct"), 0.005);
    within(k.from_buffer_pct + k.from_online_pct, 100, 1e-9);
    within(k.copies.other_online_readers, c->other_online_readers, 0.05);
    within(k.log_read_predicted_mibps, anchor(i, "disk_redo_read_MBps"), 0.001);
    within(k.log_read_predicted_mibps, m.log_read_mibps, c->log_read_within * m.log_read_mibps);
}

/* IOStat alone would have refused each of them: their archived logs are read by others. */
static void both_routes_and_their_difference(void **state)
{
    (void)state;
    struct redo_measured m = nothing_measured;
    m.log_read_mibps = 1.426; /* DBS, by hand: R = 1413.57 KiB/s = 1.38044 MiB/s */
    m.log_write_mibps = 1.381;
    m.archive_read_mibps = 7.292;
    m.archive_write_mibps = 1.381;
    m.blocks_per_s = 2827.14;
    m.read_kib_per_s = 2849.67;
    m.read_memory_kib_per_s = m.transport_memory_kib_per_s = 1394.71;
    m.transport_kib_per_s = 1412.91;
    struct redo_given given = nothing_given;
    given.direct_standbys = 1;
    given.block_bytes = 512;
    struct redo_calibration k;
    struct err e;
    assert_int_equal(redo_calibrate(&m, &given, &k, &e), 0);
    assert_int_equal(k.source, REDO_SOURCE_STATISTICS);
    assert_true(k.iostat.present && !k.iostat.feasible);
    assert_non_null(strstr(k.iostat.reason, "B<0"));
    /* statistics: A = 1 - 0.99953 = 0.00047, b = 7.292/1.38044 - A = 5.28190 */
    within(k.copies.other_archive_readers, 5.2819, 0.0005);
    /* IOStat: (1.426 - 1.381)/1.381 + 7.292/1.381 = 5.31282; statistics: O 0.01288, A 0.00047,
     * g 2849.67/1413.57 - 0.99953 - 1.00041 = 0.01602, b 5.28190, together 5.31127 */
    within(k.file_copies_difference, 5.31282 - 5.31127, 0.0005);
    within(k.log_read_difference_pct, 100 * (1.426 / 1.42086 - 1), 0.005);
}

/* --- other systems ------------------------------------------------------------------------ */

/* 016 of the public EC2 runs: three members, no standby, the archiver catching up 2.2 copies. */
static void three_members_catching_up(void **state)
{
    (void)state;
    struct redo_measured m = nothing_measured;
    m.log_read_mibps = 54.695;
    m.log_write_mibps = 73.354;
    m.archive_read_mibps = 0;
    m.archive_write_mibps = 54.673;
    m.redo_bytes_per_s = 24935713.2;
    m.wastage_bytes_per_s = 277.5;
    m.blocks_per_s = 50283.2;
    m.read_kib_per_s = 55933.9;
    struct redo_calibration k;
    struct err e;
    assert_int_equal(redo_calibrate(&m, &nothing_given, &k, &e), 0);
    assert_int_equal(k.source, REDO_SOURCE_STATISTICS);
    /* 50283.2 * 512 / 2^20 = 24.5523; 73.354 / 24.5523 = 2.988 */
    within(k.redo_mibps, 24.5523, 0.0001);
    assert_int_equal(k.members, 3);
    within(k.members_measured, 2.988, 0.001);
    within(k.archive_copies, 2.227, 0.001);
    assert_int_equal(k.direct_standbys, 0);
    assert_int_equal(k.file_readers_min, 0);
    assert_true(k.copies.transport == 0 && k.copies.other_online_readers == 0);
    assert_true(isnan(k.from_buffer_pct)); /* of nothing */
}

/* Only the load profile's redo size: members are its multiple, unless they are given. */
static void members_from_redo_size(void **state)
{
    (void)state;
    struct redo_measured m = nothing_measured;
    m.log_write_mibps = 73.354;
    m.redo_bytes_per_s = 24935713.2;
    struct redo_given given = nothing_given;
    struct redo_calibration k;
    struct err e;
    assert_int_equal(redo_calibrate(&m, &given, &k, &e), 0);
    assert_int_equal(k.source, REDO_SOURCE_NONE); /* who reads is not known */
    assert_int_equal(k.members, 3);
    within(k.redo_mibps, 73.354 / 3, 1e-9);
    given.members = 2;
    assert_int_equal(redo_calibrate(&m, &given, &k, &e), 0);
    assert_int_equal(k.members, 2);
    within(k.members_measured, 3.085, 0.001);

    m.log_write_mibps = NAN;
    assert_int_equal(redo_calibrate(&m, &nothing_given, &k, &e), 0);
    within(k.redo_mibps, 24935713.2 / MIB_BYTES, 1e-9);
    assert_int_equal(k.members, 1);
    assert_true(isnan(k.members_measured) && isnan(k.archive_copies));
}

static struct redo_measured six_standbys(void)
{
    struct redo_measured m = nothing_measured;
    m.log_read_mibps = 37.323;
    m.log_write_mibps = 23.111;
    m.archive_read_mibps = 22.135;
    m.archive_write_mibps = 11.683;
    m.elapsed_s = 10758;
    return m;
}

static const struct iostat_case {
    const char *why;
    int64_t standbys;
    double online_readers, archive_readers, log_mib;
    const char *refused; /* NULL = feasible */
} iostat_cases[] = {
    { "six standbys explain it", 6, 0, 0, NAN, NULL },
    { "five are enough: 4.13 copies", 5, 0, 0, NAN, NULL },
    { "four are not", 4, 0, 0, NAN, "B<0" },
    { "four and one archive backup are", 4, 0, 1, NAN, NULL },
    { "two full archive readers are one too many", 6, 0, 2, NAN, "A<0" },
    { "unless one log of 16 GiB may sit at the edge: 0.13 copies", 6, 0, 2, 16384, NULL },
    { "two full online readers are possible", 6, 2, 0, NAN, NULL },
    { "three are not", 6, 3, 0, NAN, "O<0" },
    { "an unknown number of standbys refuses nothing", UNKNOWN, 0, 0, NAN, NULL },
    { "no standby cannot read four copies", 0, 0, 0, NAN, "B<0" },
};

static void test_iostat(void **state)
{
    const struct iostat_case *c = *state;
    struct redo_measured m = six_standbys();
    struct redo_given given = nothing_given;
    given.direct_standbys = c->standbys;
    given.members = 2;
    given.other_online_readers = c->online_readers;
    given.other_archive_readers = c->archive_readers;
    given.log_mib = c->log_mib;
    struct redo_calibration k;
    struct err e = { 0 };
    int rc = redo_calibrate(&m, &given, &k, &e);
    within(k.redo_mibps, 11.5555, 1e-9);
    if (c->refused) {
        assert_int_equal(rc, ERR_NO);
        assert_non_null(strstr(e.text, c->refused));
        assert_int_equal(k.source, REDO_SOURCE_NONE);
        return;
    }
    assert_int_equal(rc, 0);
    assert_int_equal(k.source, REDO_SOURCE_IOSTAT);
    assert_true(k.copies.online >= 0 && k.copies.archived >= 0);
    assert_true(c->standbys == UNKNOWN ? isnan(k.copies.buffer) : k.copies.buffer >= 0);
    assert_int_equal(k.direct_standbys, c->standbys);
}

/* Standbys are there, their statistics are not: the release does not print them. */
static void silent_statistics_give_way(void **state)
{
    (void)state;
    struct redo_measured m = six_standbys();
    m.read_kib_per_s = 60000;
    struct redo_given given = nothing_given;
    given.direct_standbys = 6;
    given.members = 2;
    struct redo_calibration k;
    struct err e;
    assert_int_equal(redo_calibrate(&m, &given, &k, &e), 0);
    assert_int_equal(k.source, REDO_SOURCE_IOSTAT);
    assert_int_equal(k.file_readers_min, 5);
}

static void nothing_to_go_by(void **state)
{
    (void)state;
    struct redo_measured m = nothing_measured;
    struct redo_calibration k;
    struct err e;
    for (int idle = 0; idle < 2; idle++) {
        assert_int_equal(redo_calibrate(&m, &nothing_given, &k, &e), 0);
        assert_int_equal(k.source, REDO_SOURCE_NONE);
        assert_true(isnan(k.redo_mibps) && isnan(k.copies.online));
        assert_int_equal(k.file_readers_min, UNKNOWN);
        m.log_read_mibps = m.log_write_mibps = 0; /* an idle database */
        m.archive_read_mibps = m.archive_write_mibps = 0;
        m.blocks_per_s = m.read_kib_per_s = m.redo_bytes_per_s = 0;
    }
    m.log_write_mibps = INFINITY; /* hostile figures are no measurement */
    m.blocks_per_s = -1;
    assert_int_equal(redo_calibrate(&m, &nothing_given, &k, &e), 0);
    assert_true(isnan(k.redo_mibps));
}

int main(void)
{
    static struct CMUnitTest tests[32];
    static const struct CMUnitTest others[] = {
        cmocka_unit_test(both_routes_and_their_difference),
        cmocka_unit_test(three_members_catching_up),
        cmocka_unit_test(members_from_redo_size),
        cmocka_unit_test(silent_statistics_give_way),
        cmocka_unit_test(nothing_to_go_by),
    };
    size_t n = 0;
    for (size_t i = 0; i < sizeof anchor_cases / sizeof *anchor_cases; i++)
        tests[n++] = (struct CMUnitTest){ anchor_cases[i].db, test_anchor, NULL, NULL,
                                          (void *)(uintptr_t)&anchor_cases[i] };
    ADD_ROW_TESTS(tests, n, iostat_cases, test_iostat);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        tests[n++] = others[i];

    anchors = vector_rows_read("tests/vectors/awr_redo_anchor.csv");
    if (!anchors) {
        fprintf(stderr, "tests/vectors/awr_redo_anchor.csv: not readable from here\n");
        return 1;
    }
    int failed = _cmocka_run_group_tests("redo calibration", tests, n, NULL, NULL);
    vector_rows_free(anchors);
    return failed;
}
