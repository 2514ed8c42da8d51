/* data/ingest_files.c - see ingest_files.h.
 *
 *   ingest_path
 *     walk               folders, in the order of names
 *     ingest_file        one file on disk
 *       expand_next      itself, or what is packed in it
 *       ingest_source    one file, one result
 *         read_source    source -> format -> struct intake (the sink) -> store
 *         keep           warnings, hash, commit */
#include "data/ingest_files.h"

#include "data/ingest/archive/expand.h"
#include "data/ingest/cloudwatch/cw_folder.h"
#include "models/core/unit.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* AWR in text form cuts a host name here. */
enum { AWR_HOST_CUT = 16 };

/* TUNING: how far a member that cannot be used is read on, to learn whether its archive is sound.
 */
#define TRIAL_BYTES (INT64_C(128) << 20)

struct run {
    struct store *store; /* NULL = nothing is kept */
    const struct ingest_files_options *options;
    struct arena *arena;
    struct ingest_results *results;
    bool result_is_open;        /* the last one: more may be said of it */
    const struct source *outer; /* the file on disk that is being read */
    struct cw_request request;  /* of the CloudWatch answers of request_folder */
    const char *request_folder; /* NULL = none was looked at yet */
    /* Of the open result, else of the next one. */
    struct ingest_warning *warnings;
    size_t n_warnings, warnings_room, n_unlisted;
};

const char *ingest_status_name(enum ingest_status s)
{
    static const char *const names[] = { "new", "known", "failed" };
    return names[s];
}

/* What makes going on with other files pointless. */
static bool is_fatal(int rc)
{
    return rc == ERR_NOMEM || rc == ERR_STORE;
}

/* --- warnings ------------------------------------------------------------------------------------
 */

static int add_warning(struct run *run, int64_t line, const char *text, struct err *e)
{
    if (run->n_warnings >= INGEST_WARNINGS_MAX) {
        run->n_unlisted++;
        return 0;
    }
    if (run->n_warnings + 1 >= run->warnings_room) { /* one is kept for the count of the rest */
        size_t room = run->warnings_room ? run->warnings_room * 2 : 8;
        struct ingest_warning *grown =
            arena_grow(run->arena, run->warnings, run->n_warnings, room, sizeof *grown);
        if (!grown)
            return err_nomem(e);
        run->warnings = grown;
        run->warnings_room = room;
    }
    char *copy = arena_strdup(run->arena, text);
    if (!copy)
        return err_nomem(e);
    run->warnings[run->n_warnings++] = (struct ingest_warning){ line, copy };
    return 0;
}

/* The last place tells how many had none; may be called again when there are more. */
static int count_unlisted(struct run *run, struct err *e)
{
    if (!run->n_unlisted)
        return 0;
    char *text = arena_printf(run->arena, "%zu more warnings", run->n_unlisted);
    if (!text)
        return err_nomem(e);
    run->warnings[INGEST_WARNINGS_MAX] = (struct ingest_warning){ 0, text };
    run->n_warnings = INGEST_WARNINGS_MAX + 1;
    return 0;
}

static int take_note(void *ctx, const char *text, struct err *e)
{
    return add_warning(ctx, 0, text, e);
}

/* --- the sink: what a parser finds in one file ---------------------------------------------------
 */

struct intake {
    struct run *run;
    const struct source *src;
    const char *path;
    const char *format;
    const char *system; /* NULL until it is known */
    int64_t first_ms, last_ms;
    int64_t n_timed, n_untimed; /* samples, without the averages since boot */
    int64_t n_rows;             /* of the other kinds, but for snapshots */
    int64_t n_not_ebs;          /* lines of a bill that were not kept */
};

/* TUNING: a block of work between two reports of progress. */
enum { PROGRESS_SAMPLES = 4096 };

static void report_progress(const struct intake *t)
{
    const struct ingest_files_options *o = t->run->options;
    if (o->progress)
        o->progress(o->progress_ctx, source_path(t->run->outer), source_bytes(t->run->outer));
}

static void widen(struct intake *t, int64_t begin_ms, int64_t end_ms)
{
    if (begin_ms != UNKNOWN && (t->first_ms == UNKNOWN || begin_ms < t->first_ms))
        t->first_ms = begin_ms;
    if (end_ms > t->last_ms) /* UNKNOWN is the smallest integer */
        t->last_ms = end_ms;
}

/* The system of a host: one of that name; else, for a name that may be cut, the only one that
 * begins with it; else a new one. */
static int system_of_host(struct intake *t, struct span host, bool may_be_cut, struct err *e)
{
    struct arena *a = t->run->arena;
    const char *const *names = NULL;
    size_t n = 0, n_longer = 0;
    char *name = arena_strndup(a, host.ptr, host.len);
    if (!name)
        return err_nomem(e);
    int rc = store_systems(t->run->store, a, &names, &n, e);
    if (rc)
        return rc;
    const char *longer = NULL;
    t->system = name;
    for (size_t i = 0; i < n; i++) {
        if (strcmp(names[i], name) == 0)
            return 0;
        if (may_be_cut && strncmp(names[i], name, host.len) == 0) {
            longer = names[i];
            n_longer++;
        }
    }
    if (n_longer == 1)
        t->system = longer;
    return 0;
}

/* Before the first thing that is stored. */
static int start_file(struct intake *t, struct span host, bool may_be_cut, struct err *e)
{
    const struct ingest_files_options *o = t->run->options;
    int rc = 0;
    if (o->system)
        t->system = o->system;
    else if (host.len)
        rc = system_of_host(t, host, may_be_cut, e);
    else
        rc = err_set(e, ERR_USAGE, "%s: names no host; say whose load it is with --system NAME",
                     t->path);
    if (rc)
        return rc;
    struct store_file_start start = { .system = t->system,
                                      .path = t->path,
                                      .format = t->format,
                                      .zone = o->zone_name,
                                      .date_ms = o->parse.date_ms };
    return store_file_begin(t->run->store, &start, e);
}

static int take_sample(void *ctx, const struct io_sample *s, struct err *e)
{
    struct intake *t = ctx;
    const struct sink *tap = t->run->options->tap;
    int rc = tap && tap->sample ? tap->sample(tap->ctx, s, e) : 0;
    bool has_interval = s->time_ms != UNKNOWN && s->interval_s > 0 && s->interval_s < 1e9;
    widen(t, has_interval ? s->time_ms - (int64_t)(s->interval_s * 1000 + 0.5) : s->time_ms,
          s->time_ms);
    if (!s->since_boot)
        *(s->time_ms == UNKNOWN ? &t->n_untimed : &t->n_timed) += 1;
    if ((t->n_timed + t->n_untimed) % PROGRESS_SAMPLES == 0)
        report_progress(t);
    if (rc || !t->run->store)
        return rc;
    if (!t->system)
        rc = start_file(t, s->host, false, e);
    if (!rc)
        rc = store_file_sample(t->run->store, s, e);
    if (rc == ERR_LIMIT)
        err_prefix(e, "%s:%lld", t->path, (long long)s->line);
    return rc;
}

static int take_snapshot(void *ctx, const struct awr_snapshot *w, struct err *e)
{
    struct intake *t = ctx;
    const struct sink *tap = t->run->options->tap;
    int rc = tap && tap->snapshot ? tap->snapshot(tap->ctx, w, e) : 0;
    widen(t, w->begin_ms, w->end_ms);
    if (rc || !t->run->store)
        return rc;
    struct span host = span_of(w->host);
    if (!t->system)
        rc = start_file(t, host, host.len == AWR_HOST_CUT, e);
    return rc ? rc : store_file_snapshot(t->run->store, w, e);
}

/* Before what is neither sample nor snapshot goes into the store. */
static int start_row(struct intake *t, struct span host, int64_t begin_ms, int64_t end_ms,
                     struct err *e)
{
    widen(t, begin_ms, end_ms);
    if (++t->n_rows % PROGRESS_SAMPLES == 0)
        report_progress(t);
    return t->run->store && !t->system ? start_file(t, host, false, e) : 0;
}

static int take_metric(void *ctx, const struct metric_sample *m, struct err *e)
{
    struct intake *t = ctx;
    const struct sink *tap = t->run->options->tap;
    int rc = tap && tap->metric ? tap->metric(tap->ctx, m, e) : 0;
    bool has_period = m->time_ms != UNKNOWN && m->period_s > 0 && m->period_s < 1e9;
    if (!rc)
        rc = start_row(t, m->system, m->time_ms,
                       has_period ? m->time_ms + (int64_t)(m->period_s * 1000) : m->time_ms, e);
    if (!rc && t->run->store)
        rc = store_file_metric(t->run->store, m, e);
    if (rc == ERR_LIMIT)
        err_prefix(e, "%s:%lld", t->path, (long long)m->line);
    return rc;
}

/* Of a bill only EBS matters; what else a parser hands over is not kept. */
static int take_bill_line(void *ctx, const struct bill_line *l, struct err *e)
{
    struct intake *t = ctx;
    const struct sink *tap = t->run->options->tap;
    int rc = tap && tap->bill_line ? tap->bill_line(tap->ctx, l, e) : 0;
    if (!rc && t->run->store && span_find(l->usage_type, "EBS:") < 0) {
        t->n_not_ebs++;
        return 0;
    }
    if (!rc)
        rc = start_row(t, (struct span){ 0 }, l->start_ms, l->end_ms, e);
    return rc || !t->run->store ? rc : store_file_bill_line(t->run->store, l, e);
}

#define TAKE_ROW(member, type, time_ms)                                                            \
    static int take_##member(void *ctx, const struct type *v, struct err *e)                       \
    {                                                                                              \
        struct intake *t = ctx;                                                                    \
        const struct sink *tap = t->run->options->tap;                                             \
        int rc = tap && tap->member ? tap->member(tap->ctx, v, e) : 0;                             \
        if (!rc)                                                                                   \
            rc = start_row(t, (struct span){ 0 }, time_ms, time_ms, e);                            \
        return rc || !t->run->store ? rc : store_file_##member(t->run->store, v, e);               \
    }
TAKE_ROW(volume, volume_config, UNKNOWN)
TAKE_ROW(modification, volume_modification, UNKNOWN)
TAKE_ROW(record, record, v->time_ms)

static int take_warning(void *ctx, int64_t line, const char *text, struct err *e)
{
    struct intake *t = ctx;
    const struct sink *tap = t->run->options->tap;
    int rc = tap && tap->warning ? tap->warning(tap->ctx, line, text, e) : 0;
    return rc ? rc : add_warning(t->run, line, text, e);
}

/* --- one file ----------------------------------------------------------------------------------
 */

static bool same_file(const char *path, const struct stat *st)
{
    struct stat other;
    return stat(path, &other) == 0 && other.st_dev == st->st_dev && other.st_ino == st->st_ino;
}

/* The store's own files must never be opened and closed beside SQLite: closing one would
 * drop the locks that the process holds on it. */
static int is_store(const struct run *run, const struct stat *st, bool *out, struct err *e)
{
    *out = false;
    if (!run->store)
        return 0;
    char *journal = arena_printf(run->arena, "%s-journal", store_path(run->store));
    if (!journal)
        return err_nomem(e);
    *out = same_file(store_path(run->store), st) || same_file(journal, st);
    return 0;
}

static bool must_not_open(void *ctx, const struct stat *st)
{
    bool own = true;
    return is_store(ctx, st, &own, NULL) || own;
}

/* The requests beside a CloudWatch answer on disk, looked for once in each folder. */
static int find_requests(struct run *run, const char *path, const struct cw_request **out,
                         struct err *e)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? arena_strndup(run->arena, path, (size_t)(slash - path) + 1)
                         : arena_strdup(run->arena, ".");
    if (!folder)
        return err_nomem(e);
    if (!run->request_folder || strcmp(run->request_folder, folder) != 0) {
        run->request = (struct cw_request){ 0 };
        run->request_folder = folder;
        int rc = cw_request_add_folder(folder, must_not_open, run, run->arena, &run->request, e);
        if (rc)
            return rc;
    }
    *out = &run->request;
    return 0;
}

static int read_source(struct intake *t, struct source *src, struct ingest_result *r, struct err *e)
{
    struct ingest_options o = t->run->options->parse;
    const struct format *format = NULL;
    int rc = format_of(src, &o, &format, e);
    if (rc)
        return rc;
    r->format = t->format = format->name;
    if (!o.request && src == t->run->outer && strcmp(format->name, "cw_data") == 0)
        rc = find_requests(t->run, source_path(src), &o.request, e);
    if (rc)
        return rc;

    struct sink sink = {
        .ctx = t,
        .sample = take_sample,
        .snapshot = take_snapshot,
        .metric = take_metric,
        .volume = take_volume,
        .modification = take_modification,
        .bill_line = take_bill_line,
        .record = take_record,
        .warning = take_warning,
    };
    struct arena arena = { 0 };
    rc = format->read(src, &o, &sink, &arena, &r->rows, &r->skipped, e);
    arena_release(&arena);
    if (!rc)
        rc = source_drain(src, e);
    r->bytes = source_bytes(src);
    report_progress(t);
    return rc ? rc : count_unlisted(t->run, e);
}

/* Ends the transaction of a file that was read well. */
static int keep(struct intake *t, struct source *src, struct ingest_result *r, struct err *e)
{
    if (!t->run->store)
        return 0;
    if (!t->system && t->n_not_ebs)
        return err_set(e, ERR_PARSE, "%s: none of its %lld bill lines is of EBS: nothing to load",
                       t->path, (long long)t->n_not_ebs);
    if (!t->system)
        return err_set(e, ERR_PARSE, "%s:%lld: ends without anything to load", t->path,
                       (long long)source_line_no(src));
    if (t->n_untimed && !t->n_timed)
        return err_set(e, ERR_USAGE,
                       "%s: has no time stamps; say when it began with --date and how long an "
                       "interval is with --interval",
                       t->path);
    int rc = 0;
    for (size_t i = 0; i < t->run->n_warnings && !rc; i++)
        rc = store_file_warning(t->run->store, t->run->warnings[i].line, t->run->warnings[i].text,
                                e);
    if (rc)
        return rc;
    r->rows -= t->n_not_ebs;
    r->skipped += t->n_not_ebs;
    struct store_file_end end = { .rows = r->rows,
                                  .skipped = r->skipped,
                                  .bytes = r->bytes,
                                  .first_ms = t->first_ms,
                                  .last_ms = t->last_ms };
    source_hash(src, end.content_hash);
    bool known = false;
    rc = store_file_commit(t->run->store, &end, &known, e);
    if (!rc && known)
        r->status = INGEST_KNOWN;
    return rc;
}

/* What is said of the open result is complete. */
static int close_result(struct run *run, struct err *e)
{
    if (!run->result_is_open)
        return 0;
    struct ingest_result *r = &run->results->item[run->results->n - 1];
    int rc = count_unlisted(run, e);
    if (rc)
        return rc;
    r->warnings = run->warnings;
    r->n_warnings = run->n_warnings;
    run->warnings = NULL;
    run->n_warnings = run->warnings_room = run->n_unlisted = 0;
    run->result_is_open = false;
    return run->options->end ? run->options->end(run->options->file_ctx, r, e) : 0;
}

static int open_result(struct run *run, const char *path, struct ingest_result **out, struct err *e)
{
    struct ingest_results *l = run->results;
    int rc = close_result(run, e);
    if (rc)
        return rc;
    char *copy = arena_strdup(run->arena, path);
    if (!copy)
        return err_nomem(e);
    if (l->n == l->room) {
        size_t room = l->room ? l->room * 2 : 16;
        struct ingest_result *grown = arena_grow(run->arena, l->item, l->n, room, sizeof *grown);
        if (!grown)
            return err_nomem(e);
        l->item = grown;
        l->room = room;
    }
    struct ingest_result *r = &l->item[l->n++];
    *r = (struct ingest_result){ .path = copy, .first_ms = UNKNOWN, .last_ms = UNKNOWN };
    run->result_is_open = true;
    if (run->options->begin)
        run->options->begin(run->options->file_ctx, r->path);
    *out = r;
    return 0;
}

/* Notes in the result why the file failed; a fatal error is passed on. */
static int fail(const struct run *run, struct ingest_result *r, const struct err *why,
                struct err *e)
{
    if (is_fatal(why->code)) {
        if (e)
            *e = *why;
        return why->code;
    }
    r->status = INGEST_FAILED;
    r->code = why->code;
    r->error = arena_strdup(run->arena, why->text);
    return r->error ? 0 : err_nomem(e);
}

static int add_failed(struct run *run, const char *path, const struct err *why, struct err *e)
{
    struct ingest_result *r;
    int rc = open_result(run, path, &r, e);
    return rc ? rc : fail(run, r, why, e);
}

/* A member that cannot be used may be so because its archive is damaged further on, or a bomb. */
static int try_rest(struct source *src, int rc, struct err *why)
{
    struct err rest = { 0 };
    int rc_rest = is_fatal(rc) ? 0 : source_drain_some(src, TRIAL_BYTES, &rest);
    if (!rc_rest)
        return rc;
    *why = rest;
    return rc_rest;
}

static int ingest_source(struct run *run, struct source *src, struct err *e)
{
    struct ingest_result *r;
    int rc = open_result(run, source_path(src), &r, e);
    if (rc)
        return rc;
    struct err why = { 0 };
    struct intake t = {
        .run = run, .src = src, .path = r->path, .first_ms = UNKNOWN, .last_ms = UNKNOWN
    };
    rc = read_source(&t, src, r, &why);
    if (rc && src != run->outer)
        rc = try_rest(src, rc, &why);
    if (!rc)
        rc = keep(&t, src, r, &why);
    if (rc && run->store)
        store_file_rollback(run->store);
    r->system = t.system;
    r->first_ms = t.first_ms;
    r->last_ms = t.last_ms;
    return rc ? fail(run, r, &why, e) : 0;
}

static int ingest_members(struct run *run, struct expander *x, struct err *e)
{
    for (;;) {
        struct source *src;
        struct err why = { 0 };
        int rc = expand_next(x, &src, &why);
        if (rc == 0)
            return 0;
        if (rc == ERR_NOMEM)
            return err_nomem(e);
        rc = rc > 0 ? ingest_source(run, src, e) : add_failed(run, expand_path(x), &why, e);
        if (rc)
            return rc;
    }
}

/* The same for a path of which nothing was read. */
static int fail_path(struct run *run, const char *path, const struct err *why, struct err *e)
{
    int rc = add_failed(run, path, why, e);
    return rc ? rc : close_result(run, e);
}

static int ingest_file(struct run *run, const char *path, struct err *e)
{
    struct err why = { 0 };
    struct source *outer = NULL;
    int rc = source_open(path, &outer, &why);
    if (rc)
        return fail_path(run, path, &why, e);
    struct expand_options o = { run->options->max_expand_bytes, take_note, run };
    struct expander *x = expand_open(outer, &o);
    run->outer = outer;
    rc = x ? ingest_members(run, x, e) : err_nomem(e);
    if (!rc)
        rc = close_result(run, e);
    expand_close(x);
    source_close(outer);
    run->outer = NULL;
    return rc;
}

/* --- folders -----------------------------------------------------------------------------------
 */

struct level {
    dev_t dev;
    ino_t ino;
    int depth;
    const struct level *above;
};

static int walk(struct run *run, const char *path, const struct level *above, struct err *e);

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names in a folder but those that begin with a dot, sorted. */
static int list_folder(const char *path, struct arena *a, char ***out, size_t *out_n, struct err *e)
{
    DIR *dir = opendir(path);
    if (!dir)
        return err_set(e, errno == ENOMEM ? ERR_NOMEM : ERR_FILE, "%s: cannot be opened: %m", path);
    char **names = NULL;
    size_t n = 0, room = 0;
    int rc = 0;
    for (const struct dirent *d; !rc && (d = readdir(dir)) != NULL;) {
        if (d->d_name[0] == '.')
            continue;
        if (n == room) {
            room = room ? room * 2 : 64;
            names = arena_grow(a, names, n, room, sizeof *names);
        }
        char *name = names ? arena_strdup(a, d->d_name) : NULL;
        if (name)
            names[n++] = name;
        else
            rc = err_nomem(e);
    }
    closedir(dir);
    if (rc)
        return rc;
    if (n)
        qsort(names, n, sizeof *names, by_name);
    *out = names;
    *out_n = n;
    return 0;
}

static int walk_folder(struct run *run, const char *path, const struct level *here, struct err *e)
{
    struct arena a = { 0 };
    struct err why = { 0 };
    char **names = NULL;
    size_t n = 0, len = strlen(path);
    int rc = here->depth > INGEST_DEPTH_MAX
                 ? err_set(&why, ERR_LIMIT, "%s: more than %d folders inside each other", path,
                           INGEST_DEPTH_MAX)
                 : list_folder(path, &a, &names, &n, &why);
    if (rc)
        rc = fail_path(run, path, &why, e);
    for (size_t i = 0; i < n && !rc; i++) {
        const char *slash = len && path[len - 1] == '/' ? "" : "/";
        char *inner = arena_printf(&a, "%s%s%s", path, slash, names[i]);
        rc = inner ? walk(run, inner, here, e) : err_nomem(e);
    }
    arena_release(&a);
    return rc;
}

static int walk(struct run *run, const char *path, const struct level *above, struct err *e)
{
    struct stat st;
    if (stat(path, &st))
        return ingest_file(run, path, e);
    if (S_ISDIR(st.st_mode)) {
        for (const struct level *l = above; l; l = l->above)
            if (l->dev == st.st_dev && l->ino == st.st_ino)
                return 0;
        struct level here = { st.st_dev, st.st_ino, above ? above->depth + 1 : 1, above };
        return walk_folder(run, path, &here, e);
    }
    bool own = false;
    int rc = is_store(run, &st, &own, e);
    if (rc || (above && (own || !S_ISREG(st.st_mode))))
        return rc;
    if (own) {
        struct err why = { 0 };
        err_set(&why, ERR_USAGE, "%s: is the store itself", path);
        return fail_path(run, path, &why, e);
    }
    return ingest_file(run, path, e);
}

int ingest_path(struct store *s, const char *path, const struct ingest_files_options *o,
                struct arena *a, struct ingest_results *results, struct err *e)
{
    struct run run = { .store = s, .options = o, .arena = a, .results = results };
    return walk(&run, path, NULL, e);
}
