/* tests/samples/test_samples_awr.c - public AWR reports against what was read in them by hand.
 *
 * ../shared/samples/awr/TRUTH.json says what the reports print.  Every figure that it gives of
 * file types, functions, load profile, IO profile, events, statistics and period must come out of
 * the parser, of one instance, a cluster, two periods and Statspack alike.  Figures that may differ
 * are listed in `exceptions`, each with its reason.  Every file of MANIFEST.tsv must load as what
 * it is, or be refused with one line that says why. */
#include "data/ingest/awr/awr.h"
#include "data/ingest/awr/awr_cell.h"
#include "data/ingest/awr/awr_name.h"
#include "data/ingest/format.h"
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

enum { SNAPSHOTS_MAX = 8 };

static struct sample {
    const cJSON *truth;
    const char *file;
    char path[256];
    const char *format; /* as detected; NULL */
    struct arena arena;
    struct awr_snapshot s; /* the last */
    struct awr_snapshot all[SNAPSHOTS_MAX];
    int n_snapshots, n_wrong, n_compared, n_warnings;
    int64_t rows, n_handed_over; /* what the reader says, and what came */
    struct err err;
} now;

static int n_figures; /* of all files */

/* --- reading ---------------------------------------------------------------------------------- */

/* Everything the callback is given lives in the arena of the read, which this test keeps. */
static int on_snapshot(void *ctx, const struct awr_snapshot *s, struct err *e)
{
    struct sample *x = ctx;
    (void)e;
    x->s = *s;
    if (x->n_snapshots < SNAPSHOTS_MAX)
        x->all[x->n_snapshots] = *s;
    x->n_snapshots++;
    x->n_handed_over++;
    return 0;
}

static int on_metric(void *ctx, const struct metric_sample *m, struct err *e)
{
    struct sample *x = ctx;
    (void)e;
    assert_true(m->metric.len > 0 && m->line > 0 && isfinite(m->value));
    x->n_handed_over++;
    return 0;
}

static int on_record(void *ctx, const struct record *r, struct err *e)
{
    struct sample *x = ctx;
    (void)e;
    assert_true(r->n_fields > 0 && r->line > 0);
    x->n_handed_over++;
    return 0;
}

static int on_sample(void *ctx, const struct io_sample *s, struct err *e)
{
    struct sample *x = ctx;
    (void)e;
    assert_true(s->device.len > 0);
    x->n_handed_over++;
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

/* Through the format table, as every input goes. */
static int read_sample(struct sample *x, const char *file)
{
    struct ingest_options o = { .date_ms = UNKNOWN, .interval_s = NAN };
    struct sink sink = { .ctx = x,
                         .snapshot = on_snapshot,
                         .metric = on_metric,
                         .record = on_record,
                         .sample = on_sample,
                         .warning = on_warning };
    const struct format *format = NULL;
    struct source *src = NULL;
    int64_t skipped = 0;
    x->file = file;
    snprintf(x->path, sizeof x->path, FOLDER "%s", file);
    int rc = source_open(x->path, &src, &x->err);
    if (!rc)
        rc = format_of(src, &o, &format, &x->err);
    if (!rc)
        x->format = format->name;
    if (!rc)
        rc = format->read(src, &o, &sink, &x->arena, &x->rows, &skipped, &x->err);
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
    snprintf(figure, sizeof figure, "%s: %s", where, what);
    for (const struct exception *k = exceptions; k->file; k++)
        if (strcmp(k->file, x->file) == 0 && strncmp(k->figure, figure, strlen(k->figure)) == 0)
            return;
    printf("    %s: %s: got %s, want %s\n", x->file, figure, got, want);
    x->n_wrong++;
}

static void compare_num(struct sample *x, const char *where, const char *what, double got,
                        const cJSON *want)
{
    double w = cJSON_IsNumber(want) ? want->valuedouble : NAN;
    char got_text[40], want_text[40];
    x->n_compared++;
    n_figures++;
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

static void compare_io_profile_of(struct sample *x, const struct awr_snapshot *s)
{
    static const char *const of[] = { "read+write", "read", "write" };
    const cJSON *line;
    cJSON_ArrayForEach(line, at(x->truth, "io_profile"))
    {
        for (int i = 0; i < 3; i++) {
            char name[120];
            snprintf(name, sizeof name, "%.80s %s", line->string, of[i]);
            compare_num(x, "io_profile", name, find_stat(s->io_profile, s->n_io_profile, name),
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

/* --- other kinds of report --------------------------------------------------------------------
 */

static double io_figure(const struct awr_io_row *rows, size_t n, const char *name, size_t offset)
{
    double v = NAN;
    for (size_t i = 0; i < n; i++)
        if (strncmp(rows[i].name, name, strlen(name)) == 0)
            memcpy(&v, (const char *)&rows[i] + offset, sizeof v);
    return v;
}

#define READ_RATE      offsetof(struct awr_io_row, read_bytes_per_s)
#define WRITE_RATE     offsetof(struct awr_io_row, write_bytes_per_s)
#define READ_REQUESTS  offsetof(struct awr_io_row, read_requests_per_s)
#define WRITE_REQUESTS offsetof(struct awr_io_row, write_requests_per_s)

/* A time without seconds, too. */
static void compare_time(struct sample *x, const char *what, int64_t got_ms, const cJSON *want)
{
    int64_t want_ms = UNKNOWN;
    if (!cJSON_IsString(want))
        return;
    assert_int_equal(awr_cell_time(span_of(want->valuestring), &want_ms), 0);
    x->n_compared++;
    n_figures++;
    if (got_ms != want_ms)
        wrong(x, "period", what, "another time", want->valuestring);
}

static void compare_number_if(struct sample *x, const char *where, const char *what, double got,
                              const cJSON *want)
{
    if (want)
        compare_num(x, where, what, got, want);
}

static void compare_identity(struct sample *x, const struct awr_snapshot *s, const cJSON *t)
{
    const char *dbid = text_of(t, "dbid", "");
    if (at(t, "release"))
        compare_text(x, "release", s->release, at(t, "release"));
    if (at(t, "host"))
        compare_text(x, "host", s->host, at(t, "host"));
    if (at(t, "instance"))
        compare_text(x, "instance", s->instance, at(t, "instance"));
    compare_number_if(x, "header", "cpus", s->cpus, at(t, "cpus"));
    x->n_compared++;
    if (*dbid && s->db_id != strtoll(dbid, NULL, 10))
        wrong(x, "header", "dbid", "another", dbid);
    /* "DBM11203 (from the DB/Inst: title lines ...)" */
    const char *db_name = text_of(t, "db_name", "");
    size_t n = strcspn(db_name, " ");
    x->n_compared++;
    if (n && (!s->db_name || strncmp(s->db_name, db_name, n) != 0 || s->db_name[n]))
        wrong(x, "header", "db_name", s->db_name ? s->db_name : "nothing", db_name);
    compare_time(x, "begin", s->begin_ms, at(t, "begin_time"));
    compare_time(x, "end", s->end_ms, at(t, "end_time"));
}

static void compare_redo(struct sample *x, const struct awr_snapshot *s, const cJSON *want,
                         double unit_bytes)
{
    double got = find_stat(s->load_profile, s->n_load_profile, "redo_bytes_per_s");
    /* the truth rounds bytes to 0.1 */
    x->n_compared++;
    n_figures++;
    if (!(fabs(got - want->valuedouble * unit_bytes) <= 0.05 + 1e-9 * got))
        wrong(x, "load_profile", "redo", "another", "as printed");
}

static void compare_statspack(struct sample *x)
{
    const cJSON *t = x->truth, *row;
    size_t i = 0;
    compare_identity(x, &x->s, t);
    compare_num(x, "period", "elapsed_s", x->s.elapsed_s, at(t, "elapsed_s_from_times"));
    cJSON *db_time_s = cJSON_CreateNumber(at(t, "db_time_min")->valuedouble * 60);
    compare_num(x, "period", "db_time_s", x->s.db_time_s, db_time_s);
    cJSON_Delete(db_time_s);
    compare_redo(x, &x->s, at(t, "redo_bytes_per_s"), 1);
    cJSON_ArrayForEach(row, at(t, "iostat_function"))
    {
        static const struct {
            const char *key;
            size_t offset;
            double unit;
        } figures[] = {
            { "read_bytes", offsetof(struct awr_io_row, read_bytes), 1 },
            { "read_reqs_s", READ_REQUESTS, 1 },
            { "read_mib_s", READ_RATE, MIB_BYTES },
            { "write_bytes", offsetof(struct awr_io_row, write_bytes), 1 },
            { "write_reqs_s", WRITE_REQUESTS, 1 },
            { "write_mib_s", WRITE_RATE, MIB_BYTES },
            { "waits", offsetof(struct awr_io_row, waits), 1 },
            { "avg_ms", offsetof(struct awr_io_row, wait_avg_ms), 1 },
        };
        const char *name = text_of(row, "name", "");
        for (size_t k = 0; k < sizeof figures / sizeof *figures; k++)
            compare_number_if(x, name, figures[k].key,
                              io_figure(x->s.functions, x->s.n_functions, name, figures[k].offset) /
                                  figures[k].unit,
                              at(row, figures[k].key));
    }
    cJSON_ArrayForEach(row, at(t, "top_events"))
    {
        assert_true(i < x->s.n_events);
        const struct awr_event *v = &x->s.events[i++];
        const char *name = text_of(row, "event", "");
        if (strcmp(v->name, name) != 0)
            wrong(x, "event", "name", v->name, name);
        compare_num(x, name, "waits", v->waits, at(row, "waits"));
        compare_num(x, name, "time_s", v->time_s, at(row, "time_s"));
        compare_num(x, name, "avg_ms", v->avg_ms, at(row, "avg_ms"));
        compare_num(x, name, "pct", v->pct_db_time, at(row, "pct"));
    }
    cJSON_ArrayForEach(row, at(t, "instance_activity"))
    {
        const struct awr_stat *stat = NULL;
        for (size_t k = 0; k < x->s.n_stats; k++)
            if (strcmp(x->s.stats[k].name, row->string) == 0)
                stat = &x->s.stats[k];
        compare_number_if(x, row->string, "total", stat ? stat->total : NAN, at(row, "total"));
        compare_number_if(x, row->string, "per_s", stat ? stat->per_s : NAN, at(row, "per_s"));
        compare_number_if(x, row->string, "line", stat ? (double)stat->line : NAN, at(row, "line"));
    }
}

static void compare_periods(struct sample *x)
{
    static const struct {
        const char *key, *name;
        size_t offset;
        double unit;
    } figures[] = {
        { "read_mib_s_total", "TOTAL", READ_RATE, MIB_BYTES },
        { "write_mib_s_total", "TOTAL", WRITE_RATE, MIB_BYTES },
        { "read_reqs_s_total", "TOTAL", READ_REQUESTS, 1 },
        { "datafile_read_reqs_s", "Data File", READ_REQUESTS, 1 },
        { "datafile_write_reqs_s", "Data File", WRITE_REQUESTS, 1 },
        { "logfile_write_reqs_s", "Log File", WRITE_REQUESTS, 1 },
        { "datafile_read_mib_s", "Data File", READ_RATE, MIB_BYTES },
        { "datafile_write_mib_s", "Data File", WRITE_RATE, MIB_BYTES },
        { "logfile_write_mib_s", "Log File", WRITE_RATE, MIB_BYTES },
    };
    const cJSON *t;
    int i = 0;
    assert_int_equal(x->n_snapshots, 2);
    cJSON_ArrayForEach(t, at(x->truth, "periods"))
    {
        const struct awr_snapshot *s = &x->all[i++];
        const char *set = text_of(t, "set", "");
        compare_identity(x, s, t);
        compare_num(x, set, "elapsed_s", s->elapsed_s, at(t, "elapsed_s"));
        compare_num(x, set, "db_time_s", s->db_time_s, at(t, "db_time_s"));
        compare_redo(x, s, at(t, "redo_bytes_per_s"), 1);
        for (size_t k = 0; k < sizeof figures / sizeof *figures; k++)
            compare_num(x, set, figures[k].key,
                        io_figure(s->filetypes, s->n_filetypes, figures[k].name,
                                  figures[k].offset) /
                            figures[k].unit,
                        at(t, figures[k].key));
        compare_num(x, set, "write_reqs_s_total",
                    io_figure(s->functions, s->n_functions, "TOTAL", WRITE_REQUESTS),
                    at(t, "write_reqs_s_total"));
    }
}

/* {"read_mb_s": {"Total": null, "Data File": 552.73}, ...} */
static void compare_wide(struct sample *x, const struct awr_io_row *rows, size_t n,
                         const cJSON *groups)
{
    static const struct {
        const char *key;
        size_t offset;
        double unit;
    } kinds[] = { { "read_mb_s", READ_RATE, MIB_BYTES },
                  { "write_mb_s", WRITE_RATE, MIB_BYTES },
                  { "read_reqs_s", READ_REQUESTS, 1 },
                  { "write_reqs_s", WRITE_REQUESTS, 1 } };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const cJSON *figure;
        cJSON_ArrayForEach(figure, at(groups, kinds[k].key))
        {
            const char *name = strcmp(figure->string, "Total") == 0 ? "TOTAL" : figure->string;
            compare_num(x, kinds[k].key, figure->string,
                        io_figure(rows, n, name, kinds[k].offset) / kinds[k].unit, figure);
        }
    }
}

static void compare_cluster_rows(struct sample *x, const struct awr_snapshot *s)
{
    const cJSON *row;
    cJSON_ArrayForEach(row, at(x->truth, "iostat_filetype_star"))
    {
        const char *name = text_of(row, "name", "");
        const char *ours = strcmp(name, "Total") == 0 ? "TOTAL" : name;
        const struct {
            const char *key;
            size_t offset;
            double unit;
        } figures[] = { { "reads_s", READ_REQUESTS, 1 },
                        { "writes_s", WRITE_REQUESTS, 1 },
                        { "read_mb_s", READ_RATE, MIB_BYTES },
                        { "write_mb_s", WRITE_RATE, MIB_BYTES } };
        for (size_t k = 0; k < 4; k++)
            compare_num(x, name, figures[k].key,
                        io_figure(s->filetypes, s->n_filetypes, ours, figures[k].offset) /
                            figures[k].unit,
                        at(row, figures[k].key));
        /* the sums of both directions, as the table rounds them */
        double both = io_figure(s->filetypes, s->n_filetypes, ours, READ_REQUESTS) +
                      io_figure(s->filetypes, s->n_filetypes, ours, WRITE_REQUESTS);
        double both_mib = (io_figure(s->filetypes, s->n_filetypes, ours, READ_RATE) +
                           io_figure(s->filetypes, s->n_filetypes, ours, WRITE_RATE)) /
                          MIB_BYTES;
        assert_true(fabs(both - at(row, "ios_s")->valuedouble) < 0.011);
        assert_true(fabs(both_mib - at(row, "mb_s")->valuedouble) < 0.011);
        x->n_compared += 2;
        n_figures += 2;
    }
}

static void compare_cluster(struct sample *x)
{
    const cJSON *t = x->truth, *one;
    int i = 1;
    const struct awr_snapshot *cluster = &x->all[0];
    assert_int_equal(x->n_snapshots, 1 + cJSON_GetArraySize(at(t, "instances")));
    assert_null(cluster->instance);
    assert_true(cluster->instance_number == UNKNOWN);
    compare_identity(x, cluster, t);
    compare_redo(x, cluster, at(t, "redo_bytes_per_s"), 1);
    cJSON_ArrayForEach(one, at(t, "instances"))
    {
        const struct awr_snapshot *s = &x->all[i++];
        compare_text(x, "instance", s->instance, at(one, "name"));
        compare_text(x, "host", s->host, at(one, "host"));
        compare_text(x, "release", s->release, at(one, "release"));
        compare_num(x, "instance", "number", (double)s->instance_number, at(one, "inst"));
        compare_num(x, "instance", "cpus", s->cpus, at(one, "cpus"));
        compare_num(x, "instance", "db_time_min", s->db_time_s / 60, at(one, "db_time_min"));
        compare_num(x, "instance", "elapsed_min", s->elapsed_s / 60, at(one, "elapsed_min"));
        compare_redo(x, s, at(one, "redo_kb_s"), 1024);
    }
    compare_number_if(x, "period", "elapsed_min", cluster->elapsed_s / 60, at(t, "elapsed_min"));
    compare_number_if(x, "period", "db_time_min", cluster->db_time_s / 60, at(t, "db_time_min"));
    compare_io_profile_of(x, cluster);
    compare_cluster_rows(x, cluster);
    compare_wide(x, cluster->filetypes, cluster->n_filetypes, at(t, "iostat_filetype"));
    compare_wide(x, cluster->functions, cluster->n_functions, at(t, "iostat_function"));
    if (at(t, "traps") && strstr(text_of(t, "traps", ""), "corrupt"))
        for (size_t k = 0; k < cluster->n_functions; k++) {
            const struct awr_io_row *row = &cluster->functions[k];
            assert_true(!(row->read_requests_per_s > 2371.89 * 1.1 + 1));
            assert_true(row->read_bytes_per_s >= 0);
        }
}

static void compare_single(struct sample *x)
{
    assert_int_equal(x->n_snapshots, 1);
    compare_header(x);
    compare_io(x, "iostat_filetype", x->s.filetypes, x->s.n_filetypes);
    compare_io(x, "iostat_function", x->s.functions, x->s.n_functions);
    compare_load_profile(x);
    compare_io_profile_of(x, &x->s);
    compare_events(x);
    compare_stats(x);
}

static void one_report(void **state)
{
    memset(&now, 0, sizeof now);
    now.truth = *state;
    const char *kind = text_of(now.truth, "kind", "");
    int rc = read_sample(&now, text_of(now.truth, "file", ""));
    if (rc)
        printf("    %s\n", now.err.text);
    assert_int_equal(rc, 0);
    if (strcmp(kind, "statspack") == 0)
        compare_statspack(&now);
    else if (strcmp(kind, "awr-global-html") == 0)
        compare_cluster(&now);
    else if (strcmp(kind, "awr-diff-text") == 0)
        compare_periods(&now);
    else
        compare_single(&now);
    printf("    %s: %d figures compared, %d wrong, %d warnings\n", now.file, now.n_compared,
           now.n_wrong, now.n_warnings);
    assert_true(now.n_compared > 30);
    arena_release(&now.arena);
    assert_int_equal(now.n_wrong, 0);
}

/* --- every file --------------------------------------------------------------------------------
 */

/* By the kind of MANIFEST.tsv, from its start, or by file: which format it loads as, or what the
 * refusal must say. */
static const struct outcome {
    const char *kind, *format, *refusal;
} outcomes[] = {
    /* notes with the output of lsblk among them */
    { "151_ec2ctx_round2.md", "lsblk", NULL },
    { "awr-text FRAGMENT (10g", NULL, "this is not an AWR report, or a piece of one" },
    { "awr-text FRAGMENT", NULL, "the report is cut short" },
    { "SYNTHETIC-awr-text", NULL, "the report is cut short" },
    { "awr-text", "awr", NULL },
    { "awr-html", "awr", NULL },
    { "awr-global-html", "awr_rac", NULL },
    { "awr-diff-", "awr_diff", NULL },
    { "statspack", "statspack", NULL },
    { "awr-miner-part", NULL, "without its section MAIN-METRICS" },
    { "awr-miner", "awr_miner", NULL },
    { "dbcsi-out", "dbcsi", NULL },
    { "esp-csv", "esp_csv", NULL },
    { "esp-txt", NULL, "text of another kind" },
    { "awr-csv", "perfsheet", NULL },
    { "gcp-dma-csv", "dma_csv", NULL },
    { "lsblk", "lsblk", NULL },
    { "iostat-companion", "iostat", NULL },
    { "slob-db-stats", NULL, "text of another kind" },
    { "asmcmd lsdg fragments", "asm_lsdg", NULL },
    { "context", NULL, "text of another kind" },
};

struct manifest_row {
    char file[100], kind[100];
};

static void one_file(void **state)
{
    const struct manifest_row *m = *state;
    const struct outcome *o = NULL;
    for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes && !o; i++)
        if (strncmp(m->kind, outcomes[i].kind, strlen(outcomes[i].kind)) == 0 ||
            strcmp(m->file, outcomes[i].kind) == 0)
            o = &outcomes[i];
    if (!o)
        fail_msg("%s: a kind without outcome: %s", m->file, m->kind);
    memset(&now, 0, sizeof now);
    int rc = read_sample(&now, m->file);
    if (o->format) {
        if (rc)
            fail_msg("%s", now.err.text);
        assert_string_equal(now.format, o->format);
        assert_true(now.rows > 0);
        assert_true(now.rows == now.n_handed_over);
    } else {
        if (!rc)
            fail_msg("%s loads as %s", m->file, now.format);
        assert_int_equal(rc, ERR_PARSE);
        assert_non_null(strstr(now.err.text, o->refusal));
        assert_null(strchr(now.err.text, '\n'));
        assert_true(strncmp(now.err.text, FOLDER, strlen(FOLDER)) == 0);
    }
    arena_release(&now.arena);
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

/* Field no (from 0) of a line of tab-separated fields, cut to room. */
static void take_field(const char *line, int no, char *out, size_t room)
{
    for (; no > 0 && line; no--) {
        line = strchr(line, '\t');
        line = line ? line + 1 : NULL;
    }
    snprintf(out, room, "%.*s", line ? (int)strcspn(line, "\t\n") : 0, line ? line : "");
}

enum { TESTS_MAX = 64, FILES_MAX = 128 };

static size_t list_files(char *manifest, struct manifest_row rows[FILES_MAX])
{
    size_t n = 0;
    char *line = strchr(manifest, '\n'); /* behind the headings */
    for (line = line ? line + 1 : NULL; line && *line && n < FILES_MAX; n++) {
        take_field(line, 0, rows[n].file, sizeof rows[n].file);
        take_field(line, 4, rows[n].kind, sizeof rows[n].kind);
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    return n;
}

static void exceptions_are_few(void **state)
{
    int n = 0;
    (void)state;
    for (const struct exception *k = exceptions; k->file; k++)
        n++;
    printf("    %d figures compared in all, %d exceptions\n", n_figures, n);
    assert_true(n * 100 <= n_figures);
}

int main(void)
{
    static struct manifest_row files[FILES_MAX];
    struct CMUnitTest tests[TESTS_MAX + FILES_MAX + 1];
    size_t n = 0;
    char *text = slurp(FOLDER "TRUTH.json"), *manifest = slurp(FOLDER "MANIFEST.tsv");
    if (!text || !manifest) {
        printf("no " FOLDER "TRUTH.json and MANIFEST.tsv: the public reports are not compared\n");
        mem_free(text);
        mem_free(manifest);
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
    tests[n++] = (struct CMUnitTest){ "exceptions", exceptions_are_few, NULL, NULL, NULL };
    size_t n_files = list_files(manifest, files);
    for (size_t i = 0; i < n_files; i++)
        tests[n++] = (struct CMUnitTest){ files[i].file, one_file, NULL, NULL, &files[i] };
    int failed = n_files < 80 || _cmocka_run_group_tests("samples/awr", tests, n, NULL, NULL) != 0;
    cJSON_Delete(truth);
    mem_free(text);
    mem_free(manifest);
    awr_html_global_release();
    return failed;
}
