/* tests/samples/test_samples_os.c - every file of the collection of operating system tools.
 *
 * Each file of MANIFEST.tsv is told by its content and either loaded, or refused with one clear
 * line; `refusals` says which and why.  Every figure of TRUTH.json must come out of the parser;
 * what may differ is listed in `exceptions`, each with its reason.  Without the collection nothing
 * is tested, and the test says so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/ingest/format.h"
#include "models/core/timestamp.h"
#include "models/core/unit.h"

#define SAMPLES "../shared/samples/os/"

/* --- reading ---------------------------------------------------------------------------------- */

struct row {
    char device[64];
    int64_t report; /* from 1: samples of one time follow one another */
    struct io_sample s;
};

struct rows {
    struct row *v;
    size_t n, room, n_records, n_warnings;
    int64_t report, last_line, last_ms;
    char format[32];
    char unrepeated[64]; /* first device of the report */
};

static bool begins_report(const struct rows *r, const struct io_sample *s, const char *device)
{
    if (r->n == 0)
        return true;
    if (s->time_ms != UNKNOWN && r->last_ms != UNKNOWN)
        return s->time_ms != r->last_ms || s->since_boot != r->v[r->n - 1].s.since_boot;
    for (size_t i = r->n; i-- > 0 && r->v[i].report == r->report;)
        if (strcmp(r->v[i].device, device) == 0)
            return true;
    return s->since_boot != r->v[r->n - 1].s.since_boot;
}

static int keep_sample(void *ctx, const struct io_sample *s, struct err *e)
{
    (void)e;
    struct rows *r = ctx;
    if (r->n == r->room) {
        r->room = r->room ? 2 * r->room : 1024;
        r->v = realloc(r->v, r->room * sizeof *r->v);
        assert_non_null(r->v);
    }
    struct row row = { .s = *s };
    snprintf(row.device, sizeof row.device, "%.*s", SPAN_ARG(s->device));
    r->report += begins_report(r, s, row.device);
    row.report = r->report;
    r->v[r->n++] = row;
    r->last_ms = s->time_ms;
    return 0;
}

static int count_record(void *ctx, const struct record *rec, struct err *e)
{
    (void)e;
    assert_true(rec->n_fields > 0);
    ((struct rows *)ctx)->n_records++;
    return 0;
}

static int count_warning(void *ctx, int64_t line, const char *text, struct err *e)
{
    (void)e;
    ((struct rows *)ctx)->n_warnings++;
    if (getenv("VERBOSE"))
        print_message("    %lld: %s\n", (long long)line, text);
    return 0;
}

/* As inspect does: told by the content. */
static int read_file(const char *name, struct rows *rows, struct err *e)
{
    char path[400];
    snprintf(path, sizeof path, SAMPLES "%s", name);
    struct source *src = NULL;
    struct arena a = { 0 };
    struct ingest_options o = { .date_ms = UNKNOWN, .interval_s = (double)NAN };
    struct sink sink = {
        .ctx = rows, .sample = keep_sample, .record = count_record, .warning = count_warning
    };
    int64_t n = 0, skipped = 0;
    const struct format *format = NULL;
    *rows = (struct rows){ .last_line = -1, .last_ms = UNKNOWN };
    int rc = source_open(path, &src, e);
    if (!rc)
        rc = format_of(src, &o, &format, e);
    if (format)
        snprintf(rows->format, sizeof rows->format, "%s", format->name);
    if (!rc)
        rc = format->read(src, &o, &sink, &a, &n, &skipped, e);
    if (!rc && (size_t)n != rows->n + rows->n_records)
        fail_msg("%s: %lld rows said, %zu handed over", name, (long long)n,
                 rows->n + rows->n_records);
    source_close(src);
    arena_release(&a);
    return rc;
}

/* --- every file ------------------------------------------------------------------------------- */

enum {
    NEVER_HAS_ROWS = 1, /* iostat -c */
    COMPRESSED = 2,     /* loaded where a layer above unpacks, else refused */
};

/* The beginning of a file's name, its format, and words of the line that refuses it. */
static const struct expected {
    const char *name, *format, *refusal;
    int flags;
} expected[] = {
#include "tests/samples/os_expected.inc"
};

static const struct expected *expected_of(const char *name)
{
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        if (strncmp(name, expected[i].name, strlen(expected[i].name)) == 0)
            return &expected[i];
    return NULL;
}

static int check_file(const char *name)
{
    struct rows rows;
    struct err e = { 0 };
    int rc = read_file(name, &rows, &e);
    const struct expected *x = expected_of(name);
    int wrong = 0;
    if (getenv("VERBOSE"))
        print_message("%s: %s, %zu samples, %zu records, %zu warnings%s%s\n", name, rows.format,
                      rows.n, rows.n_records, rows.n_warnings, rc ? ": " : "", rc ? e.text : "");
    if (!x) {
        print_message("%s: not in the table of this test\n", name);
        wrong = 1;
    } else if ((x->flags & COMPRESSED) && rc == ERR_PARSE) {
        print_message("%s: compressed, waits for what unpacks it\n", name);
    } else if (x->refusal && (rc != ERR_PARSE || !strstr(e.text, x->refusal))) {
        print_message("%s: said '%s', expected a refusal with '%s'\n", name, e.text, x->refusal);
        wrong = 1;
    } else if (!x->refusal && rc) {
        print_message("%s: not read: %s\n", name, e.text);
        wrong = 1;
    } else if (!x->refusal && (strcmp(rows.format, x->format) != 0 ||
                               (rows.n + rows.n_records == 0 && !(x->flags & NEVER_HAS_ROWS)))) {
        print_message("%s: read as %s with %zu samples and %zu records, expected %s\n", name,
                      rows.format, rows.n, rows.n_records, x->format);
        wrong = 1;
    }
    free(rows.v);
    return wrong;
}

static void every_file_is_loaded_or_refused(void **state)
{
    (void)state;
    FILE *f = fopen(SAMPLES "MANIFEST.tsv", "rb");
    if (!f) {
        print_message("not run: the sample collection is not there\n");
        skip();
    }
    static char line[16384];
    int n = 0, n_wrong = 0;
    while (fgets(line, sizeof line, f)) {
        line[strcspn(line, "\t\n")] = '\0';
        char path[400];
        snprintf(path, sizeof path, SAMPLES "%.300s", line);
        FILE *there = fopen(path, "rb");
        if (!there)
            continue; /* the heading */
        fclose(there);
        n++;
        n_wrong += check_file(line);
    }
    fclose(f);
    print_message("%d files\n", n);
    assert_true(n >= 200);
    assert_int_equal(n_wrong, 0);
}

/* --- TRUTH.json ------------------------------------------------------------------------------- */

/* Figures that differ, and why: the file, the device and the figure, each by its beginning. */
static const struct exception {
    const char *file, *device, *figure, *why;
} exceptions[] = {
    { NULL, NULL, NULL, NULL },
};

static struct {
    const char *file;
    size_t n_compared, n_wrong, n_excused;
} now;

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

static const cJSON *at(const cJSON *o, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(o, key);
}

/* A number of the truth; NaN when it has none. */
static double truth_num(const cJSON *o, const char *key)
{
    const cJSON *v = at(o, key);
    return cJSON_IsNumber(v) ? v->valuedouble : (double)NAN;
}

static void wrong(const char *device, const char *figure, const char *got, const char *want)
{
    for (const struct exception *x = exceptions; x->file; x++)
        if (strncmp(now.file, x->file, strlen(x->file)) == 0 &&
            strncmp(device, x->device, strlen(x->device)) == 0 && strcmp(figure, x->figure) == 0) {
            now.n_excused++;
            return;
        }
    now.n_wrong++;
    print_message("%s: %s of %s is %s, expected %s\n", now.file, figure, device, got, want);
}

static void close_to(const char *device, const char *figure, double got, double want,
                     double tolerance)
{
    if (isnan(want))
        return;
    now.n_compared++;
    if (fabs(got - want) <= tolerance + 1e-9)
        return;
    char a[40], b[40];
    snprintf(a, sizeof a, "%g", got);
    snprintf(b, sizeof b, "%g", want);
    wrong(device, figure, a, b);
}

static void check_totals(const struct rows *rows, const cJSON *device, double unit_kib,
                         bool with_first)
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
    close_to(d, "n", n, truth_num(device, "n"), 0);
    close_to(d, "sum of reads", r, truth_num(device, "sum_r_s"), 0.01);
    close_to(d, "sum of writes", w, truth_num(device, "sum_w_s"), 0.01);
    close_to(d, "sum of read KiB", rk, truth_num(device, "sum_read_kB_s"), 0.01 * unit_kib);
    close_to(d, "sum of written KiB", wk, truth_num(device, "sum_write_kB_s"), 0.01 * unit_kib);
}

static const struct row *find_row(const struct rows *rows, const char *device, int64_t report)
{
    for (size_t i = 0; i < rows->n; i++)
        if (rows->v[i].report == report && strcmp(rows->v[i].device, device) == 0)
            return &rows->v[i];
    return NULL;
}

/* How far a printed value may be from the exact one. */
static double rounding(double v, bool human)
{
    if (!human)
        return 0.0051 + fabs(v) * 1e-3;
    double unit = fabs(v) >= 1048576 ? 1048576 : fabs(v) >= 1024 ? 1024 : 1;
    return 0.051 * unit + fabs(v) * 5e-3;
}

/* Merged requests of both directions in percent of all: from the shares of each. */
static double merge_pct(const struct io_sample *s)
{
    double rm =
        s->reads_per_s > 0 ? s->reads_per_s * s->read_merge_pct / (100 - s->read_merge_pct) : 0;
    double wm =
        s->writes_per_s > 0 ? s->writes_per_s * s->write_merge_pct / (100 - s->write_merge_pct) : 0;
    double all = s->reads_per_s + s->writes_per_s + rm + wm;
    return all > 0 ? 100 * (rm + wm) / all : 0;
}

static void check_time(const struct row *row, const char *t)
{
    struct span ts = span_of(t);
    int64_t t_ms;
    bool zoned;
    char got[32];
    if (!t || row->s.time_ms == UNKNOWN)
        return;
    assert_int_equal(time_parse_iso(&ts, &t_ms, &zoned), 0);
    now.n_compared++;
    if (row->s.time_ms != t_ms)
        wrong(row->device, "time", time_format_iso(got, row->s.time_ms), t);
}

/* Files of constructed counters: the truth is exact, so rounding of the print is allowed for.
 * Their printed names have '!' for '/'. */
static void check_sample(const struct rows *rows, const cJSON *want, bool constructed)
{
    const char *device = cJSON_GetStringValue(at(want, "device"));
    double sample = truth_num(want, "sample");
    const char *sample_text = cJSON_GetStringValue(at(want, "sample")); /* T0001 */
    if (sample_text)
        sample = strtod(sample_text + 1, NULL);
    const char *t = cJSON_GetStringValue(at(want, "t"));
    int64_t report = (int64_t)sample;
    if (sample_text && report > 3)
        report = rows->report; /* the last one */
    const struct row *row = find_row(rows, device, report);
    if (!row) {
        if (!constructed) /* old tools do not print every device of the construction */
            wrong(device, "sample", "missing", sample_text ? sample_text : t ? t : "there");
        return;
    }
    const struct io_sample *s = &row->s;
    bool artefact = cJSON_IsTrue(at(want, "artefact")) || truth_num(want, "r_s") > 1e6;
    now.n_compared++;
    if (s->artefact != artefact)
        wrong(device, "artefact", s->artefact ? "true" : "false", artefact ? "true" : "false");
    if (artefact)
        return;
    bool human = strstr(now.file, "_xh") != NULL;
    const struct {
        const char *key;
        double got;
    } figures[] = {
        { "r_s", s->reads_per_s },
        { "w_s", s->writes_per_s },
        { "tps", s->total_per_s },
        { "read_kB_s", s->read_kib_per_s },
        { "write_kB_s", s->write_kib_per_s },
        { "total_kB_s", s->total_kib_per_s },
        { "avg_req_KiB", s->request_kib },
        { "merge_pct", merge_pct(s) },
        { "r_await_ms", s->read_await_ms },
        { "w_await_ms", s->write_await_ms },
        { "await_ms", s->await_ms },
        { "avgqu", s->queue },
        { "util_pct", s->util_pct },
    };
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        double v = truth_num(want, figures[i].key);
        if (isnan(figures[i].got) && v == 0) /* nothing was waited for, no request to measure */
            continue;
        close_to(device, figures[i].key, figures[i].got, v, rounding(v, human));
    }
    double parts = truth_num(want, "wait_ms") + truth_num(want, "serv_ms");
    close_to(device, "wait_ms + serv_ms", s->await_ms, parts, 0.0051);
    check_time(row, t);
    if (cJSON_IsTrue(at(want, "since_boot")) != s->since_boot && !constructed &&
        cJSON_IsTrue(at(want, "since_boot")))
        wrong(device, "since_boot", "false", "true");
}

static void truth_holds(void **state)
{
    (void)state;
    cJSON *truth = truth_read();
    if (!truth) {
        print_message("not run: TRUTH.json is not there\n");
        skip();
    }
    size_t n_files = 0, n_waiting = 0;
    const cJSON *file, *item;
    cJSON_ArrayForEach(file, truth)
    {
        struct rows rows;
        struct err e;
        const struct expected *x = expected_of(file->string);
        now.file = file->string;
        int rc = read_file(file->string, &rows, &e);
        if (rc && x && (x->flags & COMPRESSED)) {
            n_waiting++;
            continue;
        }
        if (rc)
            fail_msg("not read: %s", e.text);
        n_files++;
        close_to("all devices", "rows", (double)rows.n, truth_num(file, "rows_total"), 0);
        const char *unit = cJSON_GetStringValue(at(file, "unit_printed"));
        double unit_kib = unit && strncmp(unit, "MB", 2) == 0 ? 1024 : 1;
        /* a report after a Linux line counts as since boot here, even where it cannot be */
        bool with_first = cJSON_IsFalse(at(file, "first_report_since_boot"));
        const char *layout = cJSON_GetStringValue(at(file, "layout"));
        bool constructed = layout && strcmp(layout, "constructed counters") == 0;
        cJSON_ArrayForEach(item, at(file, "totals_excluding_since_boot"))
            check_totals(&rows, item, unit_kib, with_first);
        cJSON_ArrayForEach(item, at(file, "samples")) check_sample(&rows, item, constructed);
        free(rows.v);
    }
    print_message("%zu files of TRUTH.json (%zu compressed ones wait), %zu figures compared, "
                  "%zu excused\n",
                  n_files, n_waiting, now.n_compared, now.n_excused);
    assert_int_equal(now.n_wrong, 0);
    assert_true(now.n_excused * 100 <= now.n_compared);
    assert_int_equal(n_files + n_waiting, 23);
    cJSON_Delete(truth);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file_is_loaded_or_refused),
        cmocka_unit_test(truth_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
