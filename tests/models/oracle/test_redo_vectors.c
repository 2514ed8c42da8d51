/* tests/models/oracle/test_redo_vectors.c - worked examples of calibration, what-if, buffer hits,
 * network, redo blocks and file-system blocks: groups CAL WIF BUF NET RDO FSB. */
#include "models/core/unit.h"
#include "models/oracle/redo_block.h"
#include "models/oracle/redo_calibrate.h"
#include "models/oracle/redo_load.h"
#include "models/oracle/redo_transport.h"
#include "tests/models/oracle/oracle_rows.h"

static struct redo_measured iostat_of(const struct row *r)
{
    return (struct redo_measured){
        .log_read_mibps = row_in(r, "log_r"),
        .log_write_mibps = row_in(r, "log_w"),
        .archive_read_mibps = row_in(r, "arc_r"),
        .archive_write_mibps = row_in(r, "arc_w"),
        .redo_bytes_per_s = NAN,
        .wastage_bytes_per_s = NAN,
        .blocks_per_s = NAN,
        .read_kib_per_s = NAN,
        .elapsed_s = NAN,
        .grade = GRADE_AVERAGED,
    };
}

static void calibrate(struct row *r)
{
    struct redo_measured m = iostat_of(r);
    struct redo_given given = {
        .direct_standbys = (int64_t)row_in(r, "n"),
        .members = (int64_t)row_in(r, "members"),
        .block_bytes = UNKNOWN,
        .other_online_readers = NAN,
        .other_archive_readers = row_in(r, "b"),
        .log_mib = NAN,
    };
    struct redo_calibration c;
    struct err e = { 0 };
    int rc = redo_calibrate(&m, &given, &c, &e);

    const cJSON *refused = cJSON_GetObjectItem(r->expected, "error");
    if (refused) {
        assert_int_equal(rc, ERR_NO);
        assert_non_null(strstr(e.text, refused->valuestring));
        r->matched++;
        return;
    }
    assert_int_equal(rc, 0);
    assert_int_equal(c.source, REDO_SOURCE_IOSTAT);
    row_expect(r, "R", c.redo_mibps);
    row_expect(r, "O", c.copies.online);
    row_expect(r, "A", c.copies.archived);
    if (given.direct_standbys == 0)
        return;
    row_expect(r, "B", c.copies.buffer);
    row_expect(r, "f_o", c.from_online_pct / 100);
    row_expect(r, "f_a", c.from_archive_pct / 100);
    row_expect(r, "f_b", c.from_buffer_pct / 100);
    assert_int_equal(c.file_readers_min, row_take(r, "min_standbys_reading_files"));
}

static void whatif(struct row *r)
{
    int64_t n0 = (int64_t)row_in(r, "n0"), n = (int64_t)row_in(r, "n");
    struct redo_flow f = {
        .redo_mibps = row_in(r, "R"),
        .archive_write_mibps = row_in(r, "arc"),
        .online_copies = row_in(r, "O"),
        .archived_copies = row_in(r, "A"),
        .direct_standbys = n0,
    };
    struct redo_change change = { .added = n > n0 ? n - n0 : 0, .removed = n < n0 ? n0 - n : 0 };
    struct redo_group_load dg1 = redo_load_at(&f, change, REDO_READ_MEMBER);
    struct redo_group_load dg2 = redo_load_at(&f, change, REDO_OTHER_MEMBER);
    struct redo_group_load arc = redo_load_at(&f, change, REDO_ARCHIVE);
    row_expect(r, "dg1_central", dg1.read_mibps.central + dg1.write_mibps.central);
    row_expect(r, "dg1_upper_all_online", dg1.read_mibps.upper + dg1.write_mibps.upper);
    row_expect(r, "dg2", dg2.read_mibps.upper + dg2.write_mibps.upper);
    row_expect(r, "arc_read_central", arc.read_mibps.central);
    row_expect(r, "arc_read_upper", arc.read_mibps.upper);
    row_expect(r, "arc_write", arc.write_mibps.central);
}

static void cascade_bounds(struct row *r)
{
    struct redo_flow f = {
        .redo_mibps = row_in(r, "R"),
        .online_copies = row_in(r, "F"), /* online and archived together */
        .direct_standbys = (int64_t)row_in(r, "n"),
    };
    struct redo_range saved = redo_cascade_saving(&f, (int64_t)row_in(r, "c"));
    double files = f.online_copies;
    row_expect(r, "units_lo", saved.lower);
    row_expect(r, "units_hi", saved.upper);
    row_expect(r, "MiBps_lo", saved.lower * f.redo_mibps);
    row_expect(r, "MiBps_hi", saved.upper * f.redo_mibps);
    row_expect(r, "pct_lo", 100 * saved.lower / files);
    row_expect(r, "pct_hi", 100 * saved.upper / files);
}

static void add_bounds(struct row *r)
{
    struct redo_flow f = {
        .redo_mibps = row_in(r, "R"),
        .archive_write_mibps = row_in(r, "R"),
        .online_copies = row_in(r, "O"),
        .archived_copies = row_in(r, "A"),
        .direct_standbys = (int64_t)row_in(r, "n"),
    };
    double k = row_in(r, "k");
    struct redo_range dg1 = redo_load_of_standby(&f, true, REDO_READ_MEMBER).read_mibps;
    struct redo_range arc = redo_load_of_standby(&f, true, REDO_ARCHIVE).read_mibps;
    row_expect(r, "dg1_add_lo", k * dg1.lower);
    row_expect(r, "dg1_add_central", k * dg1.central);
    row_expect(r, "dg1_add_hi", k * dg1.upper);
    row_expect(r, "arc_add_lo", k * arc.lower);
    row_expect(r, "arc_add_central", k * arc.central);
    row_expect(r, "arc_add_hi", k * arc.upper);
}

static void buffer_hit(struct row *r)
{
    double pct = redo_buffer_hit_pct(row_in(r, "mem_blks"), row_in(r, "disk_blks"));
    row_expect(r, "f_b_pct", pct);
    double reported = row_take(r, "reported"); /* null: the article does not say */
    if (!isnan(reported))
        assert_true(floor(pct) == reported);
}

static void bandwidth(struct row *r)
{
    double mibps = row_in(r, "redo_Bps") / MIB_BYTES;
    row_expect(r, "div_0_7", redo_network_mbps(mibps, REDO_NETWORK_EFFICIENCY));
    row_expect(r, "div_0_75", redo_network_mbps(mibps, 0.75));
    /* 1.3 times, in 1 048 576 bits */
    row_expect(r, "x1_3_Mibps", redo_network_mbps(mibps, 1 / 1.3) * 1e6 / MIB_BYTES);
}

static void identity(struct row *r)
{
    struct redo_identity i = redo_identity(row_in(r, "blocks"), (int64_t)row_in(r, "bs"),
                                           row_in(r, "size"), row_in(r, "waste"));
    row_expect(r, "lhs", i.written_bytes);
    row_expect(r, "rhs", i.explained_bytes);
    row_expect(r, "resid_pct", i.residual_pct);
    assert_true(i.residual_pct >= 0 && i.residual_pct <= 0.1);
}

static void infer(struct row *r)
{
    double blocks = row_in(r, "blocks"), size = row_in(r, "size"), waste = row_in(r, "waste");
    row_expect(r, "value", redo_block_mean_bytes(blocks, size, waste));
    assert_int_equal(redo_block_infer(blocks, size, waste), row_take(r, "rounded"));
}

static void tails(struct row *r)
{
    double writes = row_in(r, "writes");
    double requests = row_in(r, "lgwr_reqs_per_s") * row_in(r, "elapsed_s");
    row_expect(r, "tails",
               redo_tails_per_write(row_in(r, "waste"), writes, (int64_t)row_in(r, "bs")));
    row_expect(r, "reqs_per_write", requests / writes);
}

static void wastage(struct row *r)
{
    double bytes = redo_wastage_bytes(row_in(r, "reqs"), (int64_t)row_in(r, "bs"));
    row_expect(r, "est", bytes);
    row_expect(r, "actual", bytes);
    row_expect(r, "ratio", bytes / cJSON_GetObjectItem(r->expected, "actual")->valuedouble);
}

static void amplification(struct row *r)
{
    double s = row_in(r, "s_bytes"), t = row_in(r, "t");
    if (row_has(r, "bs")) {
        double a = redo_amplification((int64_t)row_in(r, "bs"), s, t);
        row_expect(r, "A", a);
        row_expect(r, "actual", a);
    } else {
        row_expect(r, "A512", redo_amplification(512, s, t));
        row_expect(r, "A4096", redo_amplification(4096, s, t));
    }
}

static void counted_once(struct row *r)
{
    double mibps =
        redo_block_mibps(row_in(r, "blocks"), (int64_t)row_in(r, "bs"), row_in(r, "elapsed_s"));
    row_expect(r, "MiBps", mibps);
    row_expect(r, "iostat", mibps); /* what AWR printed: no mirror copies in it */
}

static void histogram(struct row *r)
{
    static const struct {
        const char *counts, *sum, *writes;
    } sets[] = { { "h512", "sum512", "writes512" }, { "h4096", "sum4096", "writes4096" } };
    double edges[16], counts[16];
    for (size_t i = 0; i < 2; i++) {
        size_t n = row_array(r, "edges_KB", edges, 16);
        assert_int_equal(row_array(r, sets[i].counts, counts, 16), n);
        struct redo_histogram h = redo_histogram(edges, counts, n);
        row_expect(r, sets[i].sum, h.writes);
        row_expect(r, sets[i].writes, h.writes);
    }
}

static void average_wait(struct row *r)
{
    double ms = redo_wait_avg_ms(row_in(r, "time_s"), row_in(r, "waits"));
    row_expect(r, "avg_ms", ms);
    assert_true(round(ms) == row_take(r, "reported"));
}

int main(void)
{
    static const struct row_test by_formula[] = {
        { "dg_calibrate", calibrate },
        { "dg_whatif", whatif },
        { "dg_cascade_bounds", cascade_bounds },
        { "dg_add_bounds", add_bounds },
        { "logbuf_hit", buffer_hit },
        { "dg_bandwidth", bandwidth },
        { "redo_blocks_identity", identity },
        { "redo_bs_infer", infer },
        { "redo_tails", tails },
        { "redo_wastage_est", wastage },
        { "redo_amp_model", amplification },
        { "redo_iostat_once", counted_once },
        { "redo_hist_sum", histogram },
        { "wait_avg", average_wait },
        { NULL, NULL },
    };
    static const char *const groups[] = { "CAL", "WIF", "BUF", "NET", "RDO", "FSB", NULL };
    return rows_run("redo vectors", by_formula, groups, NULL, 0);
}
