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
#include "data/intake.h"
#include "models/core/unit.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What one run keeps of members that give nothing, and of warnings of all files: the rest is
 * counted, so that no archive fills the memory with words. */
enum { FAILED_LISTED_MAX = 10000, WARNINGS_KEPT_MAX = 20000 };

/* TUNING: how far a member that cannot be used is read on, to learn whether its archive is sound.
 */
#define TRIAL_BYTES (INT64_C(128) << 20)

struct run {
    struct store *store; /* NULL = nothing is kept */
    const struct ingest_files_options *options;
    struct arena *arena;
    struct ingest_results *results;
    bool result_is_open;          /* the last one: more may be said of it */
    bool is_member;               /* it is of something packed in a file on disk */
    const struct source *outer;   /* the file on disk that is being read */
    struct cw_request request;    /* of the CloudWatch answers of request_folder */
    const char *request_folder;   /* NULL = none was looked at yet */
    struct arena draft;           /* what is said of the open result, until it is kept */
    struct warning_list warnings; /* of the open result, else of the next one; in draft */
    size_t n_warnings_kept;
    int64_t n_failed, n_unlisted; /* members that failed; of those, the ones only counted */
    int unlisted_code;            /* of the last of them */
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

static int take_note(void *ctx, const char *text, struct err *e)
{
    struct run *run = ctx;
    return warning_list_add(&run->warnings, 0, text, e);
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

static int read_source(struct run *run, struct intake *t, struct source *src,
                       struct ingest_result *r, struct err *e)
{
    struct ingest_options o = run->options->parse;
    const struct format *format = NULL;
    int rc = format_of(src, &o, &format, e);
    if (rc)
        return rc;
    r->format = t->format = format->name;
    if (run->store && format->not_kept)
        return err_set(e, ERR_PARSE, "%s:1: is %s", source_path(src), format->not_kept);
    if (!o.request && src == run->outer && strcmp(format->name, "cw_data") == 0)
        rc = find_requests(run, source_path(src), &o.request, e);
    if (rc)
        return rc;

    struct sink sink = intake_sink(t);
    struct arena arena = { 0 };
    rc = format->read(src, &o, &sink, &arena, &r->rows, &r->skipped, e);
    arena_release(&arena);
    if (!rc)
        rc = source_drain(src, e);
    r->bytes = source_bytes(src);
    intake_progress(t);
    return rc ? rc : warning_list_count_rest(t->warnings, e);
}

/* Why a file gives nothing: as its parser said it of the whole file, if it did. */
static int nothing_to_load(const struct intake *t, const struct source *src, struct err *e)
{
    if (t->n_not_ebs)
        return err_set(e, ERR_PARSE, "%s: none of its %lld bill lines is of EBS: nothing to load",
                       t->path, (long long)t->n_not_ebs);
    if (t->said)
        return err_set(e, ERR_PARSE, "%s: %s: nothing to load", t->path, t->said);
    int64_t line = source_line_no(src);
    if (!line) /* read as a whole */
        return err_set(e, ERR_PARSE, "%s: holds nothing to load", t->path);
    return err_set(e, ERR_PARSE, "%s:%lld: ends without anything to load", t->path,
                   (long long)line);
}

/* Ends the transaction of a file that was read well. */
static int keep(struct intake *t, struct source *src, struct ingest_result *r, struct err *e)
{
    if (!t->store)
        return 0;
    if (!t->system)
        return nothing_to_load(t, src, e);
    if (t->n_untimed && !t->n_timed)
        return err_set(e, ERR_USAGE,
                       "%s: has no time stamps; say when it began with --date and how long an "
                       "interval is with --interval",
                       t->path);
    int rc = 0;
    for (size_t i = 0; i < t->warnings->n && !rc; i++)
        rc = store_file_warning(t->store, t->warnings->item[i].line, t->warnings->item[i].text, e);
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
    rc = store_file_commit(t->store, &end, &known, e);
    if (!rc && known)
        r->status = INGEST_KNOWN;
    return rc;
}

/* The list of warnings of the next result. */
static void start_warnings(struct run *run)
{
    size_t left = WARNINGS_KEPT_MAX - run->n_warnings_kept;
    run->warnings =
        (struct warning_list){ .arena = &run->draft,
                               .most = left < INGEST_WARNINGS_MAX ? left : INGEST_WARNINGS_MAX };
}

static bool keep_text(struct arena *a, const char **text)
{
    if (*text)
        *text = arena_strdup(a, *text);
    return *text;
}

/* Out of the draft. */
static int keep_result(struct run *run, struct ingest_result *r, struct err *e)
{
    struct arena *a = run->arena;
    if (!keep_text(a, &r->path) || (r->error && !keep_text(a, &r->error)) ||
        (r->system && !keep_text(a, &r->system)))
        return err_nomem(e);
    if (!r->n_warnings)
        return 0;
    struct ingest_warning *w = arena_array(a, r->n_warnings, sizeof *w);
    if (!w)
        return err_nomem(e);
    for (size_t i = 0; i < r->n_warnings; i++) {
        w[i] = r->warnings[i];
        if (!keep_text(a, &w[i].text))
            return err_nomem(e);
    }
    r->warnings = w;
    size_t most = run->warnings.most; /* without the one that counts the rest */
    run->n_warnings_kept += r->n_warnings < most ? r->n_warnings : most;
    return 0;
}

/* What is said of the open result is complete. */
static int close_result(struct run *run, struct err *e)
{
    if (!run->result_is_open)
        return 0;
    struct ingest_result *r = &run->results->item[run->results->n - 1];
    int rc = warning_list_count_rest(&run->warnings, e);
    if (rc)
        return rc;
    r->warnings = run->warnings.item;
    r->n_warnings = run->warnings.n;
    if (run->options->end)
        rc = run->options->end(run->options->file_ctx, r, e);
    if (r->status == INGEST_FAILED && run->is_member && ++run->n_failed > FAILED_LISTED_MAX) {
        run->n_unlisted++;
        run->unlisted_code = r->code;
        run->results->n--;
    } else if (!rc) {
        rc = keep_result(run, r, e);
    }
    run->result_is_open = false;
    arena_release(&run->draft);
    start_warnings(run);
    return rc;
}

static int open_result(struct run *run, const char *path, struct ingest_result **out, struct err *e)
{
    struct ingest_results *l = run->results;
    int rc = close_result(run, e);
    if (rc)
        return rc;
    char *copy = arena_strdup(&run->draft, path);
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
    run->is_member = run->outer && strcmp(path, source_path(run->outer)) != 0;
    if (run->options->begin)
        run->options->begin(run->options->file_ctx, r->path);
    *out = r;
    return 0;
}

/* Notes in the result why the file failed; a fatal error is passed on. */
static int fail(struct run *run, struct ingest_result *r, const struct err *why, struct err *e)
{
    if (is_fatal(why->code)) {
        if (e)
            *e = *why;
        return why->code;
    }
    r->status = INGEST_FAILED;
    r->code = why->code;
    r->error = arena_strdup(&run->draft, why->text);
    return r->error ? 0 : err_nomem(e);
}

static int add_failed(struct run *run, const char *path, const struct err *why, struct err *e)
{
    struct ingest_result *r = NULL;
    int rc = open_result(run, path, &r, e);
    return r ? fail(run, r, why, e) : rc;
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
    struct ingest_result *r = NULL;
    int rc = open_result(run, source_path(src), &r, e);
    if (!r)
        return rc;
    struct err why = { 0 };
    struct intake t = { .store = run->store,
                        .options = run->options,
                        .arena = &run->draft,
                        .warnings = &run->warnings,
                        .outer = run->outer,
                        .path = r->path,
                        .first_ms = UNKNOWN,
                        .last_ms = UNKNOWN };
    rc = read_source(run, &t, src, r, &why);
    rc = intake_end(&t, rc, &why);
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
    if (run->options->jobs > 1)
        source_read_ahead(outer);
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

/* One more result for all that failed and are not listed. */
static int tell_unlisted(struct run *run, const char *path, struct err *e)
{
    struct err why = { 0 };
    err_set(&why, run->unlisted_code, "%s: %lld more members failed: only the first %d are named",
            path, (long long)run->n_unlisted, (int)FAILED_LISTED_MAX);
    return fail_path(run, path, &why, e);
}

int ingest_path(struct store *s, const char *path, const struct ingest_files_options *o,
                struct arena *a, struct ingest_results *results, struct err *e)
{
    struct run run = { .store = s, .options = o, .arena = a, .results = results };
    start_warnings(&run);
    int rc = walk(&run, path, NULL, e);
    if (!rc && run.n_unlisted)
        rc = tell_unlisted(&run, path, e);
    arena_release(&run.draft);
    return rc;
}
