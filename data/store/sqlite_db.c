/* data/store/sqlite_db.c - the driver: running statements of sqlite_sql.c; errors in words. */
#include "data/store/sqlite_db.h"

#include "models/core/unit.h"

static bool out_of_memory(int rc)
{
    return (rc & 0xff) == SQLITE_NOMEM || rc == SQLITE_IOERR_NOMEM;
}

int sqlite_error(const struct store *s, int rc, struct err *e)
{
    const struct sqlite *b = s->backend;
    if (out_of_memory(rc))
        return err_nomem(e);
    switch (rc & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return err_set(e, ERR_STORE, "%s: locked by another process (waited %.1f s)", s->path,
                       (double)s->wait_ms / 1000);
    case SQLITE_FULL:
        return err_set(e, ERR_STORE, "%s: no space left on the disk", s->path);
    case SQLITE_READONLY:
        return err_set(e, ERR_STORE, "%s: cannot be written, only read", s->path);
    case SQLITE_NOTADB:
        return err_set(e, ERR_STORE,
                       "%s: not a volplan store (no SQLite file at all); --db names the store, "
                       "ingest and inspect read other files",
                       s->path);
    case SQLITE_CANTOPEN:
        return err_set(e, ERR_STORE,
                       "%s: cannot be opened: a folder, not permitted, or in a folder that is not "
                       "there; --db names another",
                       s->path);
    case SQLITE_CORRUPT:
        return err_set(e, ERR_STORE, "%s: damaged (%s)", s->path, sqlite3_errmsg(b->db));
    default:
        return err_set(e, ERR_STORE, "%s: %s", s->path,
                       b && b->db ? sqlite3_errmsg(b->db) : sqlite3_errstr(rc));
    }
}

static void sqlite_rollback(struct store *s)
{
    /* a store that did not open has no statements; closing it rolls back as well */
    struct sqlite *b = s->backend;
    if (b && b->statements[SQL_ROLLBACK] && !sqlite3_get_autocommit(b->db))
        store_run(s, SQL_ROLLBACK, NULL);
}

/* --- statements --------------------------------------------------------------------------------
 */

static void sqlite_start(struct query *q, enum sql id)
{
    const struct sqlite *b = q->store->backend;
    q->stmt = b->statements[id];
}

static void note(struct query *q, int rc)
{
    if (q->rc == SQLITE_OK)
        q->rc = rc;
}

static void sqlite_start_text(struct query *q, const char *sql)
{
    const struct sqlite *b = q->store->backend;
    sqlite3_stmt *stmt = NULL;
    note(q, sqlite3_prepare_v2(b->db, sql, -1, &stmt, NULL));
    q->stmt = stmt;
}

/* A parameter that the statement left out has no place. */
static bool has_place(const struct query *q, int at)
{
    return q->stmt && at <= sqlite3_bind_parameter_count(q->stmt);
}

static void sqlite_bind_null(struct query *q, int at)
{
    if (has_place(q, at))
        note(q, sqlite3_bind_null(q->stmt, at));
}

static void sqlite_bind_int(struct query *q, int at, int64_t v)
{
    if (has_place(q, at))
        note(q, sqlite3_bind_int64(q->stmt, at, v));
}

static void sqlite_bind_num(struct query *q, int at, double v)
{
    if (has_place(q, at))
        note(q, sqlite3_bind_double(q->stmt, at, v));
}

static void sqlite_bind_text(struct query *q, int at, struct span v)
{
    if (has_place(q, at))
        note(q, sqlite3_bind_text64(q->stmt, at, v.ptr, v.len, SQLITE_STATIC, SQLITE_UTF8));
}

static void sqlite_bind_blob(struct query *q, int at, struct span v)
{
    if (has_place(q, at))
        note(q, sqlite3_bind_blob64(q->stmt, at, v.ptr, v.len, SQLITE_STATIC));
}

static bool sqlite_step(struct query *q)
{
    int rc = sqlite3_step(q->stmt);
    if (rc == SQLITE_ROW)
        return true;
    if (rc != SQLITE_DONE)
        q->rc = rc;
    return false;
}

static int sqlite_end(struct query *q, struct err *e)
{
    int rc = q->rc == SQLITE_OK ? 0 : sqlite_error(q->store, q->rc, e);
    if (q->once) {
        sqlite3_finalize(q->stmt);
        return rc;
    }
    sqlite3_reset(q->stmt);
    sqlite3_clear_bindings(q->stmt);
    return rc;
}

static int64_t sqlite_added_id(struct query *q)
{
    const struct sqlite *b = q->store->backend;
    return sqlite3_last_insert_rowid(b->db);
}

static bool sqlite_is_null(struct query *q, int at)
{
    return sqlite3_column_type(q->stmt, at) == SQLITE_NULL;
}

static int64_t sqlite_get_int(struct query *q, int at)
{
    return sqlite3_column_int64(q->stmt, at);
}

static double sqlite_get_num(struct query *q, int at)
{
    return sqlite3_column_double(q->stmt, at);
}

static struct span sqlite_get_text(struct query *q, int at)
{
    const char *text = (const char *)sqlite3_column_text(q->stmt, at);
    return (struct span){ text, (size_t)sqlite3_column_bytes(q->stmt, at) };
}

static struct span sqlite_get_blob(struct query *q, int at)
{
    const struct sqlite *b = q->store->backend;
    const char *bytes = sqlite3_column_blob(q->stmt, at);
    if (!bytes && sqlite3_errcode(b->db) == SQLITE_NOMEM)
        q->no_memory = true;
    return (struct span){ bytes, (size_t)sqlite3_column_bytes(q->stmt, at) };
}

/* --- files -------------------------------------------------------------------------------------
 */

static int add_file(struct store *s, const struct store_file_start *f, struct err *e)
{
    struct query q = query_start(s, SQL_FILE_ADD);
    query_int(&q, 1, s->system_id);
    query_text(&q, 2, f->path);
    query_text(&q, 3, f->format);
    query_text(&q, 4, f->zone ? f->zone : "UTC");
    query_int(&q, 5, f->date_ms);
    return query_add(&q, &s->file_id, e);
}

static int sqlite_file_begin(struct store *s, const struct store_file_start *f, struct err *e)
{
    int rc = store_run(s, SQL_BEGIN_WRITE, e);
    if (!rc)
        rc = store_system_need(s, f->system, &s->system_id, e);
    return rc ? rc : add_file(s, f, e);
}

static int sqlite_file_known(struct store *s, const struct store_file_end *f, bool *out,
                             struct err *e)
{
    struct query q = query_start(s, SQL_FILE_KNOWN);
    query_int(&q, 1, s->file_id);
    query_blob(&q, 2, f->content_hash, sizeof f->content_hash);
    int64_t found = UNKNOWN;
    int rc = query_find(&q, &found, e);
    *out = found != UNKNOWN;
    return rc;
}

static int sqlite_file_end(struct store *s, const struct store_file_end *f, struct err *e)
{
    struct query q = query_start(s, SQL_FILE_DONE);
    query_int(&q, 1, s->file_id);
    query_blob(&q, 2, f->content_hash, sizeof f->content_hash);
    query_int(&q, 3, f->rows);
    query_int(&q, 4, f->skipped);
    query_int(&q, 5, f->bytes);
    query_int(&q, 6, f->first_ms);
    query_int(&q, 7, f->last_ms);
    int rc = query_run(&q, e);
    return rc ? rc : store_run(s, SQL_COMMIT, e);
}

const struct store_driver sqlite_driver = {
    .open = sqlite_open,
    .close = sqlite_close,
    .mark = sqlite_mark,
    .init = sqlite_init,
    .begin = store_run,
    .rollback = sqlite_rollback,
    .file_begin = sqlite_file_begin,
    .file_known = sqlite_file_known,
    .file_end = sqlite_file_end,
    .start = sqlite_start,
    .start_text = sqlite_start_text,
    .bind_null = sqlite_bind_null,
    .bind_int = sqlite_bind_int,
    .bind_num = sqlite_bind_num,
    .bind_text = sqlite_bind_text,
    .bind_blob = sqlite_bind_blob,
    .step = sqlite_step,
    .end = sqlite_end,
    .added_id = sqlite_added_id,
    .is_null = sqlite_is_null,
    .get_int = sqlite_get_int,
    .get_num = sqlite_get_num,
    .get_text = sqlite_get_text,
    .get_blob = sqlite_get_blob,
    .claims_open = sqlite_claims_open,
    .claim = sqlite_claim,
    .claim_end = sqlite_claim_end,
    .of_file = "file_id = ?1",
    .of_snapshot = "snapshot_id = ?3",
    .tables = sqlite_tables,
    .rules = sqlite_rules,
    .table_bytes = sqlite_table_bytes,
    .check = sqlite_check,
};
