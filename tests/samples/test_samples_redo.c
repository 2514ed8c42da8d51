/* tests/samples/test_samples_redo.c - the redo path of public AWR reports.
 *
 * Four reports of databases with one standby (tests/vectors/awr_redo_anchor.csv has what they
 * print), two of them of clusters, and runs of a benchmark on EC2 that archived to one place. */
#include "data/ingest/awr/awr.h"
#include "models/core/unit.h"
#include "models/facts/catalogue.h"
#include "models/oracle/redo_block.h"
#include "planner/whatif/redo_path.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define FOLDER "../shared/samples/awr/"

#define assert_within(got, want, tolerance)                                                        \
    do {                                                                                           \
        double got_ = (got), want_ = (want);                                                       \
        if (!(fabs(got_ - want_) <= (tolerance)))                                                  \
            fail_msg("%s is %.6g, expected %.6g", #got, got_, want_);                              \
    } while (0)

enum { SNAPSHOTS_MAX = 8 };

struct sample {
    struct arena arena;
    struct err err;
    struct awr_snapshot snapshots[SNAPSHOTS_MAX];
    const struct awr_snapshot *list[SNAPSHOTS_MAX];
    size_t n;
    struct system_load load;
    struct layout_group group;
    struct layout layout;
    struct system_demand demand;
    struct redo_path path;
};

static int on_snapshot(void *ctx, const struct awr_snapshot *s, struct err *e)
{
    struct sample *x = ctx;
    if (x->n == SNAPSHOTS_MAX)
        return err_set(e, ERR_LIMIT, "more than %d snapshots", SNAPSHOTS_MAX);
    x->snapshots[x->n] = *s;
    x->list[x->n] = &x->snapshots[x->n];
    x->n++;
    return 0;
}

static int on_warning(void *ctx, int64_t line, const char *text, struct err *e)
{
    (void)ctx, (void)line, (void)text, (void)e;
    return 0;
}

static bool is_there(const char *file)
{
    char path[300];
    snprintf(path, sizeof path, FOLDER "%s", file);
    if (access(path, R_OK) == 0)
        return true;
    print_message("not run: %s is not there\n", path);
    return false;
}

/* Reads the report and calibrates it with what is said of members and log size. */
static void calibrate(struct sample *x, const char *file, double log_gib)
{
    char path[300];
    struct ingest_options o = { .date_ms = UNKNOWN, .interval_s = NAN };
    struct sink sink = { .ctx = x, .snapshot = on_snapshot, .warning = on_warning };
    struct source *src = NULL;
    int64_t rows = 0, skipped = 0;
    *x = (struct sample){ 0 };
    snprintf(path, sizeof path, FOLDER "%s", file);
    int rc = source_open(path, &src, &x->err);
    if (!rc)
        rc = awr_read(src, &o, &sink, &x->arena, &rows, &skipped, &x->err);
    source_close(src);
    if (rc)
        fail_msg("%s: %s", path, x->err.text);
    x->load = (struct system_load){ .system = "X", .snapshots = x->list, .n_snapshots = x->n };
    x->group = layout_group_unknown;
    x->group.name = "REDO";
    x->group.role = ROLE_REDO;
    x->layout = layout_unknown;
    x->layout.system = "X";
    x->layout.redo.log_gib = log_gib;
    x->layout.groups = &x->group;
    x->layout.n_groups = 1;
    struct demand_options d;
    demand_options_init(&d, &builtin_catalogue);
    rc = system_demand_build(&x->load, &x->layout, &d, &x->arena, &x->demand, &x->err);
    if (!rc)
        rc = redo_path_build(&x->demand, &x->arena, &x->path, &x->err);
    if (rc || x->path.refused)
        fail_msg("%s: %s", path, rc ? x->err.text : x->path.refused);
}

/* --- databases with a standby ----------------------------------------------------------------- */

static const struct anchor {
    const char *file;
    double archive_copies, from_buffer_pct, other_online_readers;
    double reads_within_pct; /* of predicted Log File reads: one instance, or a cluster */
    double read_kib, read_memory_kib, log_read_mibps;
} anchors[] = {
    { "061_awr122_az_DBS.html", 1, 98.71, 0, 1, 2849.67, 1394.71, 1.426 },
    { "062_awr122_az_DBT.html", 1, 98.22, 0, 1, 4602.75, 2262.02, 2.287 },
    { "063_awrg19_az_DBU.html", 1, 97.43, 1, 20, 10292.4, 3292.53, 7.98 },
    { "065_awrg19_az_DBW.html", 2, 99.01, 0, 20, 49625.19, 16078.28, 36.62 },
};

static void anchored(void **state)
{
    const struct anchor *k = *state;
    struct sample x;
    if (!is_there(k->file))
        skip();
    calibrate(&x, k->file, NAN);
    const struct redo_calibration *c = &x.path.calibration;
    assert_int_equal(c->source, REDO_SOURCE_STATISTICS);
    assert_int_equal(c->members, 1);
    assert_int_equal(lround(c->archive_copies), lround(k->archive_copies));
    assert_within(c->archive_copies, k->archive_copies, 0.05);
    assert_int_equal(c->direct_standbys, 1);
    assert_int_equal(lround(c->copies.transport), 1);
    assert_within(c->from_buffer_pct, k->from_buffer_pct, 0.005);
    assert_within(c->copies.other_online_readers, k->other_online_readers, 0.05);
    double predicted = (k->read_kib - k->read_memory_kib) / 1024;
    assert_within(c->log_read_predicted_mibps, predicted, predicted * 1e-4);
    assert_within(k->log_read_mibps, c->log_read_predicted_mibps,
                  c->log_read_predicted_mibps * k->reads_within_pct / 100);
    assert_within(c->log_read_difference_pct, 0, k->reads_within_pct);
    /* Whole blocks: 'redo size' is less than what is written of them. */
    assert_within(x.path.block_bytes, 512, 0);
    arena_release(&x.arena);
}

/* --- runs on EC2 ------------------------------------------------------------------------------ */

/* Log sizes from the notes of the runs: 2 GiB at first, 5, from the sixth 20, 40, then 60. */
static const struct ec2_run {
    const char *file;
    int64_t members;
    double log_gib;
    double redo_bytes_per_s; /* EC2_RUNS.tsv */
} runs[] = {
    { "016_awr122_ec2_none.txt", 3, 5, 24935713.2 },
    { "017_awr122_ec2_00.txt", 3, 2, 41336005.0 },
    { "018_awr122_ec2_02.txt", 3, 5, 25732950.1 },
    { "020_awr122_ec2_04.txt", 3, 5, 26606719.4 },
    { "021_awr122_ec2_06.txt", 3, 20, 51163936.0 },
    { "023_awr122_ec2_08.txt", 3, 60, 74941157.7 },
    { "024_awr122_ec2_09.txt", 3, 60, 95212610.1 },
    { "026_awr122_ec2_11.txt", 3, 60, 79095326.6 },
    { "027_awr122_ec2_12.txt", 3, 60, 93494772.2 },
    { "029_awr122_ec2_14.txt", 3, 60, 237875950.8 },
    { "031_awr122_ec2_17.txt", 3, 60, 332465020.5 },
    { "032_awr122_ec2arc_00.txt", 3, 5, 26665049.5 },
    { "033_awr122_ec2arc_01.txt", 1, 2, 4038922.8 },
    { "035_awr122_ec2arc_03.txt", 1, 2, 23118332.9 },
    { "037_awr122_ec2arc_05.txt", 1, 2, 30415601.6 },
    { "038_awr122_ec2arc_06.txt", 1, 2, 35035726.6 },
};

static void ran_on_ec2(void **state)
{
    const struct ec2_run *k = *state;
    struct sample x;
    if (!is_there(k->file))
        skip();
    calibrate(&x, k->file, k->log_gib);
    const struct redo_calibration *c = &x.path.calibration;
    double redo_size_mibps = k->redo_bytes_per_s / MIB_BYTES;
    assert_int_equal(c->members, k->members);
    assert_true(c->iostat.present); /* its R is log writes / members */
    assert_within(c->iostat.redo_mibps, redo_size_mibps, redo_size_mibps * 0.04);
    /* One log may be archived outside of the period that it was written in. */
    double elapsed_s = (double)(x.path.end_ms - x.path.begin_ms) / 1e3;
    double one_log = k->log_gib * 1024 / (c->redo_mibps * elapsed_s);
    if (strncmp(k->file, "016", 3) == 0)
        /* A catch-up of 107 GiB from before. */
        assert_within((c->archive_copies - 1) * c->redo_mibps * elapsed_s / 1024, 107, 3);
    else
        assert_within(c->archive_copies, 1, one_log + 0.01);
    assert_within(c->copies.online, 0, one_log + 0.05); /* no standby */
    arena_release(&x.arena);
}

int main(void)
{
    enum { A = sizeof anchors / sizeof *anchors, N = sizeof runs / sizeof *runs };
    struct CMUnitTest t[A + N];
    for (size_t i = 0; i < A; i++)
        t[i] = (struct CMUnitTest){ anchors[i].file, anchored, NULL, NULL,
                                    (void *)(uintptr_t)&anchors[i] };
    for (size_t i = 0; i < N; i++)
        t[A + i] = (struct CMUnitTest){ runs[i].file, ran_on_ec2, NULL, NULL,
                                        (void *)(uintptr_t)&runs[i] };
    return cmocka_run_group_tests_name("samples_redo", t, NULL, NULL);
}
