/* tests/samples/test_samples_awr.c - public AWR reports against what was read in them by hand.
 *
 * ../shared/samples/awr/TRUTH.json says what the reports print.  Every figure that it gives of
 * file types, functions, load profile, IO profile, events, statistics and period of the
 * single-instance reports must come out of the parser; the reports of other kinds must be
 * refused.  Figures that may differ are listed in `exceptions`, each with its reason. */
#include "data/ingest/awr/awr.h"
#include "data/ingest/awr/awr_cell.h"
#include "data/ingest/awr/awr_name.h"
#include "models/core/mem.h"
#include "models/core/unit.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

#define FOLDER "../shared/samples/awr/"

static struct sample {
    const cJSON *truth;
    char path[256];
    struct arena arena;
    struct awr_snapshot s;
    int n_snapshots, n_wrong, n_compared, n_warnings;
    struct err err;
} now;

/* --- reading ---------------------------------------------------------------------------------- */

/* Everything the callback is given lives in the arena of the read, which this test keeps. */
static int on_snapshot(void *ctx, const struct awr_snapshot *s, struct err *e)
{
    struct sample *x = ctx;
    (void)e;
    x->s = *s;
    x->n_snapshots++;
    return 0;
}

static int on_warning(void *ctx, int64_t line, const char *text, struct err *e)
{
    struct sample *x = ctx;
    (void)e;
    x->n_warnings++;
    if (getenv("VERBOSE"))
        printf("    %s:%lld: %s\n", x->path, (long long)line, text);
    return 0;
}

static int read_sample(struct sample *x, const char *file)
{
    struct ingest_options o = { .date_ms = UNKNOWN, .interval_s = NAN };
    struct sink sink = { .ctx = x, .snapshot = on_snapshot, .warning = on_warning };
    struct source *src = NULL;
    int64_t rows = 0, skipped = 0;
    snprintf(x->path, sizeof x->path, FOLDER "%s", file);
    int rc = source_open(x->path, &src, &x->err);
    if (!rc)
        rc = awr_read(src, &o, &sink, &x->arena, &rows, &skipped, &x->err);
    source_close(src);
    return rc;
}

/* --- comparing -------------------------------------------------------------------------------- */

/* figure: what wrong() prints, from its start. */
static const struct exception {
    const char *file, *figure, *why;
} exceptions[] = {
    { NULL, NULL, NULL },
};

static void wrong(struct sample *x, const char *where, const char *what, const char *got,
                  const char *want)
{
    char figure[300];
    const char *file = cJSON_GetObjectItem(x->truth, "file")->valuestring;
    snprintf(figure, sizeof figure, "%s: %s", where, what);
    for (const struct exception *k = exceptions; k->file; k++)
        if (strcmp(k->file, file) == 0 && strncmp(k->figure, figure, strlen(k->figure)) == 0)
            return;
    printf("    %s: %s: got %s, want %s\n", file, figure, got, want);
    x->n_wrong++;
}

static void compare_num(struct sample *x, const char *where, const char *what, double got,
                        const cJSON *want)
{
    double w = cJSON_IsNumber(want) ? want->valuedouble : NAN;
    char got_text[40], want_text[40];
    x->n_compared++;
    if (isnan(w) ? isnan(got) : fabs(got - w) <= 1e-9 * fmax(1, fabs(w)))
        return;
    snprintf(got_text, sizeof got_text, "%.10g", got);
    snprintf(want_text, sizeof want_text, "%.10g", w);
    wrong(x, where, what, got_text, want_text);
}

static void compare_text(struct sample *x, const char *what, const char *got, const cJSON *want)
{
    const char *w = cJSON_IsString(want) && want->valuestring[0] ? want->valuestring : NULL;
    x->n_compared++;
    if (w == got || (w && got && strcmp(w, got) == 0))
        return;
    wrong(x, "header", what, got ? got : "nothing", w ? w : "nothing");
}

/* Text reports clip names; the parser completes those it knows. */
static bool same_name(const char *got, const char *printed)
{
    size_t n = strlen(printed);
    if (n && printed[n - 1] == ':')
        n--;
    return strncmp(got, printed, n) == 0 && (got[n] == '\0' || n >= 14);
}

static const cJSON *at(const cJSON *list, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(list, key);
}

static const char *text_of(const cJSON *row, const char *a, const char *b)
{
    const cJSON *v = at(row, a);
    if (!v)
        v = at(row, b);
    return cJSON_IsString(v) ? v->valuestring : "";
}

/* --- the sections ----------------------------------------------------------------------------- */

static void compare_header(struct sample *x)
{
    const cJSON *t = x->truth;
    double cpus = x->s.cpus;
    compare_text(x, "release", x->s.release, at(t, "release"));
    compare_text(x, "platform", x->s.platform, at(t, "platform"));
    compare_text(x, "host", x->s.host, at(t, "host"));
    compare_num(x, "header", "cpus", cpus, at(t, "cpus"));
    if (cJSON_IsString(at(t, "db_name")))
        compare_text(x, "db_name", x->s.db_name, at(t, "db_name"));
    if (cJSON_IsString(at(t, "instance")))
        compare_text(x, "instance", x->s.instance, at(t, "instance"));
    double dbid = x->s.db_id == UNKNOWN ? NAN : (double)x->s.db_id;
    const cJSON *want = at(t, "dbid");
    x->n_compared++;
    if (cJSON_IsString(want) ? dbid != strtod(want->valuestring, NULL) : !isnan(dbid))
        wrong(x, "header", "dbid", "?", "?");
    compare_num(x, "period", "elapsed_s", x->s.elapsed_s, at(t, "elapsed_s_from_times"));
    cJSON *db_time_s = cJSON_CreateNumber(at(t, "db_time_min")->valuedouble * 60);
    compare_num(x, "period", "db_time_s", x->s.db_time_s, db_time_s);
    cJSON_Delete(db_time_s);
    int64_t begin_ms = UNKNOWN, end_ms = UNKNOWN;
    assert_int_equal(awr_cell_time(span_of(text_of(t, "begin_time", "")), &begin_ms), 0);
    assert_int_equal(awr_cell_time(span_of(text_of(t, "end_time", "")), &end_ms), 0);
    assert_int_equal(x->s.begin_ms, begin_ms);
    assert_int_equal(x->s.end_ms, end_ms);
}

static void compare_io(struct sample *x, const char *section, const struct awr_io_row *rows,
                       size_t n)
{
    static const struct {
        const char *key;
        size_t offset;
        double unit;
    } figures[] = {
        { "read_bytes", offsetof(struct awr_io_row, read_bytes), 1 },
        { "read_reqs_s", offsetof(struct awr_io_row, read_requests_per_s), 1 },
        { "read_mib_s", offsetof(struct awr_io_row, read_bytes_per_s), MIB_BYTES },
        { "write_bytes", offsetof(struct awr_io_row, write_bytes), 1 },
        { "write_reqs_s", offsetof(struct awr_io_row, write_requests_per_s), 1 },
        { "write_mib_s", offsetof(struct awr_io_row, write_bytes_per_s), MIB_BYTES },
        { "small_read_ms", offsetof(struct awr_io_row, small_read_ms), 1 },
        { "large_read_ms", offsetof(struct awr_io_row, large_read_ms), 1 },
        { "waits", offsetof(struct awr_io_row, waits), 1 },
        { "avg_ms", offsetof(struct awr_io_row, wait_avg_ms), 1 },
    };
    const cJSON *list = at(x->truth, section), *row;
    size_t i = 0;
    cJSON_ArrayForEach(row, list)
    {
        const char *name = text_of(row, "name", "");
        assert_true(i < n);
        if (!same_name(rows[i].name, name))
            wrong(x, section, "name", rows[i].name, name);
        for (size_t k = 0; k < sizeof figures / sizeof *figures; k++) {
            double got;
            memcpy(&got, (const char *)&rows[i] + figures[k].offset, sizeof got);
            char what[120];
            snprintf(what, sizeof what, "%.80s %s", name, figures[k].key);
            got /= figures[k].unit;
            /* the truth has whole bytes, cut off: 2.6G is 2791728742.4 */
            if (strstr(figures[k].key, "_bytes"))
                got = floor(got);
            compare_num(x, section, what, got, at(row, figures[k].key));
        }
        i++;
    }
    if (i != n)
        wrong(x, section, "rows", "other number", "as printed");
}

static double find_stat(const struct awr_stat *list, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i].name, name) == 0)
            return list[i].per_s;
    return NAN;
}

static void compare_load_profile(struct sample *x)
{
    static const char *const per[] = { "per_s", "per_txn", "per_exec", "per_call" };
    const cJSON *line;
    size_t n = 0;
    cJSON_ArrayForEach(line, at(x->truth, "load_profile"))
    {
        const cJSON *figure;
        int i = 0;
        cJSON_ArrayForEach(figure, line)
        {
            const char *key = awr_load_key(&x->arena, span_of(line->string), per[i++]);
            compare_num(x, "load_profile", key,
                        find_stat(x->s.load_profile, x->s.n_load_profile, key), figure);
            n++;
        }
    }
    if (n != x->s.n_load_profile)
        wrong(x, "load_profile", "figures", "other number", "as printed");
    compare_num(x, "load_profile", "redo",
                find_stat(x->s.load_profile, x->s.n_load_profile, "redo_bytes_per_s"),
                at(x->truth, "redo_bytes_per_s"));
}

static void compare_io_profile(struct sample *x)
{
    static const char *const of[] = { "read+write", "read", "write" };
    const cJSON *line;
    cJSON_ArrayForEach(line, at(x->truth, "io_profile"))
    {
        for (int i = 0; i < 3; i++) {
            char name[120];
            snprintf(name, sizeof name, "%.80s %s", line->string, of[i]);
            compare_num(x, "io_profile", name, find_stat(x->s.io_profile, x->s.n_io_profile, name),
                        cJSON_GetArrayItem(line, i));
        }
    }
}

static cJSON *number_of(const char *printed, awr_cell_fn *parse)
{
    double v = NAN;
    assert_int_equal(parse(span_of(printed), false, &v), 0);
    return isnan(v) ? cJSON_CreateNull() : cJSON_CreateNumber(v);
}

/* HTML rows of the truth are the cells as printed, under their headings. */
static void compare_event(struct sample *x, const struct awr_event *v, const cJSON *row)
{
    bool raw = at(row, "Event") != NULL;
    const char *name = text_of(row, "event", "Event");
    const char *class = text_of(row, "wclass", "Wait Class");
    const char *avg = text_of(row, "avg_raw", "Avg Wait");
    if (!*avg)
        avg = text_of(row, "Wait Avg(ms)", "Avg wait (ms)");
    if (strncmp(v->name, name, strlen(name)) != 0)
        wrong(x, "event", "name", v->name, name);
    if (strncmp(v->wait_class ? v->wait_class : "", class, strlen(class)) != 0)
        wrong(x, "event", "class", v->wait_class ? v->wait_class : "nothing", class);
    cJSON *avg_ms = number_of(avg, awr_cell_ms);
    compare_num(x, name, "avg_ms", v->avg_ms, avg_ms);
    cJSON_Delete(avg_ms);
    if (!raw) {
        compare_num(x, name, "waits", v->waits, at(row, "waits"));
        compare_num(x, name, "time_s", v->time_s, at(row, "time_s"));
        compare_num(x, name, "pct", v->pct_db_time, at(row, "pct"));
        return;
    }
    cJSON *waits = number_of(text_of(row, "Waits", ""), awr_cell_count);
    cJSON *time_s = number_of(text_of(row, "Total Wait Time (sec)", "Time(s)"), awr_cell_count);
    cJSON *pct = number_of(text_of(row, "% DB time", ""), awr_cell_number);
    compare_num(x, name, "waits", v->waits, waits);
    compare_num(x, name, "time_s", v->time_s, time_s);
    compare_num(x, name, "pct", v->pct_db_time, pct);
    cJSON_Delete(waits);
    cJSON_Delete(time_s);
    cJSON_Delete(pct);
}

static void compare_events(struct sample *x)
{
    const cJSON *row;
    size_t i = 0;
    cJSON_ArrayForEach(row, at(x->truth, "top_events"))
    {
        assert_true(i < x->s.n_events);
        compare_event(x, &x->s.events[i++], row);
    }
    if (i != x->s.n_events)
        wrong(x, "top_events", "rows", "other number", "as printed");
}

static void compare_stats(struct sample *x)
{
    const cJSON *stat;
    cJSON_ArrayForEach(stat, at(x->truth, "instance_activity"))
    {
        double total = NAN, per_s = NAN;
        for (size_t i = 0; i < x->s.n_stats; i++)
            if (strcmp(x->s.stats[i].name, stat->string) == 0) {
                total = x->s.stats[i].total;
                per_s = x->s.stats[i].per_s;
                if (at(stat, "line"))
                    compare_num(x, stat->string, "line", (double)x->s.stats[i].line,
                                at(stat, "line"));
            }
        compare_num(x, stat->string, "total", total, at(stat, "total"));
        compare_num(x, stat->string, "per_s", per_s, at(stat, "per_s"));
    }
}

static bool is_single_instance(const cJSON *truth)
{
    const char *kind = text_of(truth, "kind", "");
    return strcmp(kind, "awr-text") == 0 || strcmp(kind, "awr-html") == 0;
}

static void one_report(void **state)
{
    memset(&now, 0, sizeof now);
    now.truth = *state;
    const char *file = text_of(now.truth, "file", "");
    int rc = read_sample(&now, file);
    if (!is_single_instance(now.truth)) {
        assert_int_equal(rc, ERR_PARSE);
        assert_non_null(strstr(now.err.text, "so far only AWR reports of a single instance"));
    } else {
        if (rc)
            printf("    %s\n", now.err.text);
        assert_int_equal(rc, 0);
        assert_int_equal(now.n_snapshots, 1);
        compare_header(&now);
        compare_io(&now, "iostat_filetype", now.s.filetypes, now.s.n_filetypes);
        compare_io(&now, "iostat_function", now.s.functions, now.s.n_functions);
        compare_load_profile(&now);
        compare_io_profile(&now);
        compare_events(&now);
        compare_stats(&now);
        printf("    %s: %d figures compared, %d wrong, %d warnings\n", file, now.n_compared,
               now.n_wrong, now.n_warnings);
        assert_true(now.n_compared > 100);
    }
    arena_release(&now.arena);
    assert_int_equal(now.n_wrong, 0);
}

/* --- main ------------------------------------------------------------------------------------- */

static char *slurp(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    if (!f)
        return NULL;
    if (fseek(f, 0, SEEK_END) == 0) {
        long n = ftell(f);
        rewind(f);
        text = n < 0 ? NULL : mem_alloc((size_t)n + 1);
        if (text)
            text[fread(text, 1, (size_t)n, f)] = '\0';
    }
    fclose(f);
    return text;
}

int main(void)
{
    enum { TESTS_MAX = 64 };
    struct CMUnitTest tests[TESTS_MAX];
    size_t n = 0;
    char *text = slurp(FOLDER "TRUTH.json");
    if (!text) {
        printf("no " FOLDER "TRUTH.json: the public AWR reports are not compared\n");
        return 0;
    }
    awr_html_global_init();
    cJSON *truth = cJSON_Parse(text);
    const cJSON *report;
    cJSON_ArrayForEach(report, at(truth, "reports"))
    {
        if (n < TESTS_MAX)
            tests[n++] = (struct CMUnitTest){ text_of(report, "file", ""), one_report, NULL, NULL,
                                              (void *)(uintptr_t)report };
    }
    int failed = n == 0 || _cmocka_run_group_tests("samples/awr", tests, n, NULL, NULL) != 0;
    cJSON_Delete(truth);
    mem_free(text);
    awr_html_global_release();
    return failed;
}
