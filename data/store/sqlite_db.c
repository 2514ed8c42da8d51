/* data/store/sqlite_db.c - running statements of sqlite_sql.c; errors in words. */
#include "data/store/sqlite_db.h"

#include "models/core/unit.h"

#include <math.h>
#include <string.h>

static bool out_of_memory(int rc)
{
    return (rc & 0xff) == SQLITE_NOMEM || rc == SQLITE_IOERR_NOMEM;
}

int db_error(const struct store *s, int rc, struct err *e)
{
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
        return err_set(e, ERR_STORE, "%s: not a volplan store (no SQLite file at all)", s->path);
    case SQLITE_CORRUPT:
        return err_set(e, ERR_STORE, "%s: damaged (%s)", s->path, sqlite3_errmsg(s->db));
    default:
        return err_set(e, ERR_STORE, "%s: %s", s->path,
                       s->db ? sqlite3_errmsg(s->db) : sqlite3_errstr(rc));
    }
}

int db_run(struct store *s, enum sql id, struct err *e)
{
    struct query q = query_start(s, id);
    return query_run(&q, e);
}

void db_rollback(struct store *s)
{
    /* a store that did not open has no statements; closing it rolls back as well */
    if (s->statements[SQL_ROLLBACK] && !sqlite3_get_autocommit(s->db))
        db_run(s, SQL_ROLLBACK, NULL);
}

/* --- queries -----------------------------------------------------------------------------------
 */

struct query query_start(struct store *s, enum sql id)
{
    return (struct query){ .store = s, .stmt = s->statements[id], .rc = SQLITE_OK };
}

static void note(struct query *q, int rc)
{
    if (q->rc == SQLITE_OK)
        q->rc = rc;
}

void query_int(struct query *q, int at, int64_t v)
{
    note(q, v == UNKNOWN ? sqlite3_bind_null(q->stmt, at) : sqlite3_bind_int64(q->stmt, at, v));
}

void query_num(struct query *q, int at, double v)
{
    note(q, isnan(v) ? sqlite3_bind_null(q->stmt, at) : sqlite3_bind_double(q->stmt, at, v));
}

void query_text(struct query *q, int at, const char *v)
{
    note(q, sqlite3_bind_text(q->stmt, at, v, -1, SQLITE_STATIC));
}

void query_span(struct query *q, int at, struct span v)
{
    if (v.len)
        note(q, sqlite3_bind_text64(q->stmt, at, v.ptr, v.len, SQLITE_STATIC, SQLITE_UTF8));
    else
        note(q, sqlite3_bind_null(q->stmt, at));
}

void query_blob(struct query *q, int at, const void *v, size_t n_bytes)
{
    note(q, sqlite3_bind_blob64(q->stmt, at, v, n_bytes, SQLITE_STATIC));
}

bool query_step(struct query *q)
{
    if (q->rc != SQLITE_OK)
        return false;
    int rc = sqlite3_step(q->stmt);
    if (rc == SQLITE_ROW)
        return true;
    if (rc != SQLITE_DONE)
        q->rc = rc;
    return false;
}

int query_end(struct query *q, struct err *e)
{
    int rc = q->rc == SQLITE_OK ? 0 : db_error(q->store, q->rc, e);
    sqlite3_reset(q->stmt);
    sqlite3_clear_bindings(q->stmt);
    return rc;
}

int query_run(struct query *q, struct err *e)
{
    while (query_step(q)) {
    }
    return query_end(q, e);
}

int64_t query_get_int(struct query *q, int at)
{
    if (sqlite3_column_type(q->stmt, at) == SQLITE_NULL)
        return UNKNOWN;
    return sqlite3_column_int64(q->stmt, at);
}

double query_get_num(struct query *q, int at)
{
    if (sqlite3_column_type(q->stmt, at) == SQLITE_NULL)
        return NAN;
    return sqlite3_column_double(q->stmt, at);
}

const char *query_get_text(struct query *q, int at, struct arena *a)
{
    if (sqlite3_column_type(q->stmt, at) == SQLITE_NULL)
        return NULL;
    const char *text = (const char *)sqlite3_column_text(q->stmt, at);
    char *copy = text ? arena_strndup(a, text, (size_t)sqlite3_column_bytes(q->stmt, at)) : NULL;
    if (!copy)
        note(q, SQLITE_NOMEM);
    return copy;
}

/* --- names of enumerations ---------------------------------------------------------------------
 */

static const char *const counts_names[] = {
    [COUNT_ORACLE] = "oracle",
    [COUNT_BLOCK] = "block",
    [COUNT_EBS] = "ebs",
};

const char *db_counts_name(enum count_kind c)
{
    return counts_names[c];
}

enum count_kind db_counts_of(const char *name)
{
    for (size_t i = 0; i < sizeof counts_names / sizeof *counts_names; i++)
        if (name && strcmp(name, counts_names[i]) == 0)
            return (enum count_kind)i;
    return COUNT_BLOCK;
}

/* --- systems -----------------------------------------------------------------------------------
 */

/* *out_id is UNKNOWN when there is no such system. */
static int system_id(struct store *s, const char *system, int64_t *out_id, struct err *e)
{
    struct query q = query_start(s, SQL_SYSTEM_ID);
    query_text(&q, 1, system);
    int64_t id = query_step(&q) ? query_get_int(&q, 0) : UNKNOWN;
    int rc = query_end(&q, e);
    if (!rc)
        *out_id = id;
    return rc;
}

int db_system_need(struct store *s, const char *system, int64_t *out_id, struct err *e)
{
    int rc = system_id(s, system, out_id, e);
    if (rc || *out_id != UNKNOWN)
        return rc;
    struct query q = query_start(s, SQL_SYSTEM_ADD);
    query_text(&q, 1, system);
    rc = query_run(&q, e);
    if (!rc)
        *out_id = sqlite3_last_insert_rowid(s->db);
    return rc;
}
