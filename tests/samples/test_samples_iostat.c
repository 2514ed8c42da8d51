/* tests/samples/test_samples_iostat.c - every text of `iostat` in the sample collection.
 *
 * Each is either read, or refused for the reason listed here; where TRUTH.json has figures,
 * totals and single samples must agree.  Without the collection nothing is tested, and the
 * test says so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <cjson/cJSON.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/ingest/format.h"
#include "data/ingest/iostat/iostat.h"
#include "models/core/timestamp.h"
#include "models/core/unit.h"

#define SAMPLES "../shared/samples/os/"

/* What is recognised and refused: the beginning of the file's name, and words of the reason. */
static const struct refusal {
    const char *name, *reason;
} refusals[] = {
    { "025_", "without -x" }, { "027_", "without -x" },
    { "029_", "without -x" }, { "031_", "without -x" },
    { "033_", "without -x" }, { "035_", "without -x" },
    { "037_", "without -x" }, { "043_", "without -x" },
    { "044_", "without -x" }, { "046_", "without -x" },
    { "047_", "without -x" }, { "048_", "without -x" },
    { "051_", "without -x" }, { "052_", "without -x" },
    { "071_", "without -x" }, { "102_", "without -x" },
    { "108_", "without -x" }, { "109_", "without -x" },
    { "110_", "without -x" }, { "111_", "--pretty" },
    { "114_", "without -x" }, /* -xs */
    { "115_", "without -x" }, { "116_", "without -x" },
    { "118_", "without -x" }, { "119_", "without -x" },
    { "120_", "without -x" }, { "121_", "without -x" },
    { "122_", "without -x" }, { "123_", "without -x" },
    { "124_", "without -x" }, { "126_", "without -x" },
    { "127_", "without -x" }, { "128_", "without -x" },
    { "129_", "without -x" }, { "130_", "without -x" },
    { "133_", "without -x" }, { "156_", "without -x" },
    { "157_", "without -x" }, { "160_", "--pretty" },
    { "161_", "without -x" }, { "162_", "rounded for people" },
    { "164_", "without -x" }, { "165_", "--pretty" },
    { "227_", "without -x" }, { "228_", "without -x" },
    { "246_", "--pretty" },   { "247_", "without -x" },
    { "250_", "without -x" }, { "252_", "rounded for people" },
    { "254_", "without -x" }, { "294_", "wrapped" },
};

struct row {
    char device[64];
    int64_t report; /* from 1 */
    struct io_sample s;
};

struct rows {
    struct row *v;
    size_t n, room;
    int64_t report, last_line;
    size_t n_warnings;
};

static int keep_sample(void *ctx, const struct io_sample *s, struct err *e)
{
    (void)e;
    struct rows *r = ctx;
    if (r->n == r->room) {
        r->room = r->room ? 2 * r->room : 1024;
        r->v = realloc(r->v, r->room * sizeof *r->v);
        assert_non_null(r->v);
    }
    r->report += s->line != r->last_line + 1;
    r->last_line = s->line;
    struct row *row = &r->v[r->n++];
    *row = (struct row){ .report = r->report, .s = *s };
    snprintf(row->device, sizeof row->device, "%.*s", SPAN_ARG(s->device));
    return 0;
}

static int count_warning(void *ctx, int64_t line, const char *text, struct err *e)
{
    (void)line;
    (void)text;
    (void)e;
    ((struct rows *)ctx)->n_warnings++;
    return 0;
}

static int read_file(const char *name, struct rows *rows, struct err *e)
{
    char path[400];
    snprintf(path, sizeof path, SAMPLES "%s", name);
    struct source *src;
    struct arena a = { 0 };
    struct ingest_options o = { .date_ms = UNKNOWN, .interval_s = NAN };
    struct sink sink = { .ctx = rows, .sample = keep_sample, .warning = count_warning };
    int64_t n, skipped;
    int rc = source_open(path, &src, e);
    assert_int_equal(rc, 0);
    rc = iostat_read(src, &o, &sink, &a, &n, &skipped, e);
    if (!rc)
        assert_int_equal(n, rows->n);
    source_close(src);
    arena_release(&a);
    return rc;
}

static const struct refusal *refusal_of(const char *name)
{
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
        if (strncmp(name, refusals[i].name, strlen(refusals[i].name)) == 0)
            return &refusals[i];
    return NULL;
}

static bool is_iostat(const char *name)
{
    char path[400];
    snprintf(path, sizeof path, SAMPLES "%s", name);
    struct source *src;
    struct span head;
    struct err e;
    if (source_open(path, &src, &e))
        return false;
    bool yes = source_head(src, &head, &e) == 0 && iostat_detect(head) > 0;
    source_close(src);
    return yes;
}

static void every_iostat_text_is_read_or_refused(void **state)
{
    (void)state;
    DIR *d = opendir(SAMPLES);
    if (!d) {
        print_message("not run: the sample collection is not there\n");
        return;
    }
    size_t n_read = 0, n_refused = 0;
    for (struct dirent *f; (f = readdir(d));) {
        if (f->d_name[0] == '.' || !is_iostat(f->d_name))
            continue;
        struct rows rows = { .last_line = -1 };
        struct err e = { 0 };
        int rc = read_file(f->d_name, &rows, &e);
        const struct refusal *r = refusal_of(f->d_name);
        if (r) {
            n_refused++;
            if (rc != ERR_PARSE || !strstr(e.text, r->reason))
                fail_msg("%s: refused with '%s', expected '%s'", f->d_name, e.text, r->reason);
        } else {
            n_read++;
            if (rc)
                fail_msg("not read: %s", e.text);
            bool cpu_only = strncmp(f->d_name, "054_", 4) == 0 || /* iostat -c, -ct */
                            strncmp(f->d_name, "132_", 4) == 0;
            if (rows.n == 0 && !cpu_only)
                fail_msg("%s: no rows", f->d_name);
        }
        free(rows.v);
    }
    closedir(d);
    print_message("%zu files read, %zu refused\n", n_read, n_refused);
    assert_true(n_read >= 40);
    assert_int_equal(n_refused, sizeof refusals / sizeof *refusals);
}

/* --- TRUTH.json ------------------------------------------------------------------------------- */

static cJSON *truth_read(void)
{
    FILE *f = fopen(SAMPLES "TRUTH.json", "rb");
    if (!f)
        return NULL;
    enum { ROOM = 4 << 20 };
    char *text = malloc(ROOM);
    assert_non_null(text);
    size_t n = fread(text, 1, ROOM, f);
    fclose(f);
    cJSON *t = cJSON_ParseWithLength(text, n);
    free(text);
    assert_non_null(t);
    return t;
}

/* A number of the truth; NaN when it has none. */
static double truth_num(const cJSON *o, const char *key)
{
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(o, key);
    return cJSON_IsNumber(v) ? v->valuedouble : (double)NAN;
}

static void close_to(const char *file, const char *what, const char *device, double got,
                     double want, double tolerance)
{
    if (isnan(want))
        return;
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%s: %s of %s is %g, expected %g", file, what, device, got, want);
}

static void check_totals(const char *file, const struct rows *rows, const cJSON *device,
                         double unit_kib, bool with_first)
{
    double n = 0, r = 0, w = 0, rk = 0, wk = 0;
    for (size_t i = 0; i < rows->n; i++) {
        const struct row *row = &rows->v[i];
        if ((row->s.since_boot && !with_first) || strcmp(row->device, device->string) != 0)
            continue;
        n++;
        r += row->s.reads_per_s;
        w += row->s.writes_per_s;
        rk += row->s.read_kib_per_s;
        wk += row->s.write_kib_per_s;
    }
    const char *d = device->string;
    close_to(file, "n", d, n, truth_num(device, "n"), 0);
    close_to(file, "sum of reads", d, r, truth_num(device, "sum_r_s"), 0.01);
    close_to(file, "sum of writes", d, w, truth_num(device, "sum_w_s"), 0.01);
    close_to(file, "sum of read KiB", d, rk, truth_num(device, "sum_read_kB_s"), 0.01 * unit_kib);
    close_to(file, "sum of written KiB", d, wk, truth_num(device, "sum_write_kB_s"),
             0.01 * unit_kib);
}

static const struct row *find_row(const struct rows *rows, const char *device, int64_t report)
{
    for (size_t i = 0; i < rows->n; i++)
        if (rows->v[i].report == report && strcmp(rows->v[i].device, device) == 0)
            return &rows->v[i];
    return NULL;
}

/* Files of constructed counters: the truth is exact, so rounding of the print is allowed for.
 * Their printed names have '!' for '/'. */
static void check_sample(const char *file, const struct rows *rows, const cJSON *want,
                         bool constructed, size_t *n_checked)
{
    const char *device = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(want, "device"));
    const struct row *row = find_row(rows, device, (int64_t)truth_num(want, "sample"));
    if (!row) {
        if (!constructed) /* old tools do not print every device of the construction */
            fail_msg("%s: no row of %s in sample %g", file, device, truth_num(want, "sample"));
        return;
    }
    bool artefact = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(want, "artefact")) ||
                    truth_num(want, "r_s") > 1e6;
    assert_int_equal(row->s.artefact, artefact);
    if (artefact)
        return;
    const struct {
        const char *key;
        double got;
    } figures[] = {
        { "r_s", row->s.reads_per_s },          { "w_s", row->s.writes_per_s },
        { "read_kB_s", row->s.read_kib_per_s }, { "write_kB_s", row->s.write_kib_per_s },
        { "r_await_ms", row->s.read_await_ms }, { "w_await_ms", row->s.write_await_ms },
        { "await_ms", row->s.await_ms },        { "util_pct", row->s.util_pct },
    };
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        double v = truth_num(want, figures[i].key);
        if (isnan(figures[i].got) && v == 0) /* nothing was waited for */
            continue;
        close_to(file, figures[i].key, device, figures[i].got, v, 0.0051 + fabs(v) * 1e-3);
    }
    const char *t = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(want, "t"));
    struct span ts = span_of(t);
    int64_t t_ms;
    bool zoned;
    if (t && strcmp(file, "289_exawatcher_2015_head.dat") != 0 && row->s.time_ms != UNKNOWN) {
        assert_int_equal(time_parse_iso(&ts, &t_ms, &zoned), 0);
        assert_int_equal(row->s.time_ms, t_ms);
    }
    const cJSON *boot = cJSON_GetObjectItemCaseSensitive(want, "since_boot");
    if (cJSON_IsTrue(boot))
        assert_true(row->s.since_boot);
    ++*n_checked;
}

static void truth_holds(void **state)
{
    (void)state;
    cJSON *truth = truth_read();
    if (!truth) {
        print_message("not run: TRUTH.json is not there\n");
        return;
    }
    size_t n_files = 0, n_checked = 0;
    const cJSON *file, *item;
    cJSON_ArrayForEach(file, truth)
    {
        const char *tool = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(file, "tool"));
        if (!tool || strcmp(tool, "iostat") != 0 || refusal_of(file->string) ||
            !is_iostat(file->string))
            continue;
        struct rows rows = { .last_line = -1 };
        struct err e;
        if (read_file(file->string, &rows, &e))
            fail_msg("not read: %s", e.text);
        n_files++;
        close_to(file->string, "rows", "all devices", (double)rows.n, truth_num(file, "rows_total"),
                 0);
        const char *unit =
            cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(file, "unit_printed"));
        double unit_kib = unit && strncmp(unit, "MB", 2) == 0 ? 1024 : 1;
        /* a report after a Linux line counts as since boot here, even where it cannot be */
        bool with_first =
            cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(file, "first_report_since_boot"));
        cJSON_ArrayForEach(item,
                           cJSON_GetObjectItemCaseSensitive(file, "totals_excluding_since_boot"))
            check_totals(file->string, &rows, item, unit_kib, with_first);
        cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(file, "samples"))
            check_sample(file->string, &rows, item, unit == NULL, &n_checked);
        free(rows.v);
    }
    print_message("%zu files of TRUTH.json, %zu samples compared\n", n_files, n_checked);
    assert_true(n_files >= 12);
    assert_true(n_checked > 500);
    cJSON_Delete(truth);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_iostat_text_is_read_or_refused),
        cmocka_unit_test(truth_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
