/* data/store/sqlite_open.c - opening, upgrading and closing a SQLite file.
 *
 * The journal is SQLite's rollback journal, not the write-ahead log: the store stays one
 * file that can be copied, mailed and read from any file system, and a process that is
 * killed leaves a journal that the next one to open the store rolls back.  Nearly all
 * that is written are new pages, which a rollback journal does not copy but the log would
 * write twice.  The price, readers waiting while a large file is committed, is small as
 * long as a store has one user. */
#include "data/store/sqlite_db.h"
#include "data/store/sqlite_early.h"

#include "models/core/mem.h"
#include "models/core/unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { APPLICATION_ID = 0x766f6c70 /* "volp" */, DEFAULT_WAIT_MS = 5000 };

/* --- memory ------------------------------------------------------------------------------------
 */

static void *memory_alloc(int n_bytes)
{
    return mem_alloc((size_t)n_bytes);
}

static void *memory_realloc(void *p, int n_bytes)
{
    return mem_realloc(p, (size_t)n_bytes);
}

static int memory_size(void *p)
{
    return (int)mem_size(p);
}

static int memory_roundup(int n_bytes)
{
    return (n_bytes + 7) & ~7;
}

static int memory_init(void *unused)
{
    (void)unused;
    return SQLITE_OK;
}

static void memory_shutdown(void *unused)
{
    (void)unused;
}

int store_global_init(struct err *e)
{
    static bool done;
    if (done)
        return 0;
    static const sqlite3_mem_methods methods = {
        .xMalloc = memory_alloc,
        .xFree = mem_free,
        .xRealloc = memory_realloc,
        .xSize = memory_size,
        .xRoundup = memory_roundup,
        .xInit = memory_init,
        .xShutdown = memory_shutdown,
    };
    int rc = sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
    if (!rc)
        rc = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    if (!rc) /* no room in advance: every table for a moment would touch 20 pages of it */
        rc = sqlite3_config(SQLITE_CONFIG_PAGECACHE, NULL, 0, 0);
    if (!rc) /* a path is a path, even one that begins with "file:" */
        rc = sqlite3_config(SQLITE_CONFIG_URI, 0);
    if (!rc)
        rc = sqlite3_initialize();
    if (rc == SQLITE_NOMEM)
        return err_nomem(e);
    if (rc)
        return err_set(e, ERR_STORE, "SQLite does not start: %s", sqlite3_errstr(rc));
    sqlite_write_early();
    done = true;
    return 0;
}

/* --- opening -----------------------------------------------------------------------------------
 */

static struct sqlite *backend(const struct store *s)
{
    return s->backend;
}

static int exec(struct store *s, const char *sql, struct err *e)
{
    int rc = sqlite3_exec(backend(s)->db, sql, NULL, NULL, NULL);
    return rc ? sqlite_error(s, rc, e) : 0;
}

/* The one integer that a statement gives, before the prepared ones are there. */
static int ask(struct store *s, const char *sql, int64_t *out, struct err *e)
{
    sqlite3_stmt *stmt = NULL;
    int rc = sqlite3_prepare_v2(backend(s)->db, sql, -1, &stmt, NULL);
    if (!rc)
        rc = sqlite3_step(stmt);
    if (rc == SQLITE_ROW) {
        *out = sqlite3_column_int64(stmt, 0);
        rc = SQLITE_OK;
    }
    rc = rc ? sqlite_error(s, rc, e) : 0;
    sqlite3_finalize(stmt);
    return rc;
}

struct identity {
    int64_t version, application_id, n_objects;
};

static int identify(struct store *s, struct identity *out, struct err *e)
{
    int rc = ask(s, "PRAGMA user_version", &out->version, e);
    if (!rc)
        rc = ask(s, "PRAGMA application_id", &out->application_id, e);
    if (!rc)
        rc = ask(s, "SELECT count(*) FROM sqlite_schema", &out->n_objects, e);
    if (rc)
        return rc;
    bool empty = out->version == 0 && out->n_objects == 0;
    if (!empty && out->application_id != APPLICATION_ID)
        return err_set(e, ERR_STORE, "%s: a SQLite file, but not a volplan store", s->path);
    if (out->version < 0 || out->version > sqlite_version)
        return err_set(e, ERR_STORE,
                       "%s: written by a newer volplan (schema %lld, this one knows up to %d)",
                       s->path, (long long)out->version, sqlite_version);
    return 0;
}

/* The version is asked for again under the lock: another process may have been faster. */
static int upgrade(struct store *s, struct err *e)
{
    struct identity now = { 0 };
    int rc = exec(s, "BEGIN IMMEDIATE", e);
    if (!rc)
        rc = identify(s, &now, e);
    for (int64_t v = now.version; !rc && v < sqlite_version; v++)
        rc = exec(s, sqlite_steps[v], e);
    char stamp[96];
    snprintf(stamp, sizeof stamp, "PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT",
             APPLICATION_ID, sqlite_version);
    if (!rc)
        rc = exec(s, stamp, e);
    if (rc && !sqlite3_get_autocommit(backend(s)->db))
        sqlite3_exec(backend(s)->db, "ROLLBACK", NULL, NULL, NULL);
    return rc;
}

static int prepare_all(struct store *s, struct err *e)
{
    for (size_t i = 0; i < SQL_COUNT; i++) {
        int rc = sqlite3_prepare_v3(backend(s)->db, sqlite_texts[i], -1, SQLITE_PREPARE_PERSISTENT,
                                    &backend(s)->statements[i], NULL);
        if (rc)
            return sqlite_error(s, rc, e);
    }
    return 0;
}

static int no_store(const struct store *s, struct err *e)
{
    return err_set(e, ERR_USAGE, "%s: no store here; 'volplan ingest' makes one", s->path);
}

/* Reading needs a connection that may write: it rolls back what a killed process left. */
static int connect_db(struct store *s, enum store_mode mode, struct err *e)
{
    struct stat st;
    if (mode != STORE_CREATE && stat(s->path, &st) && errno == ENOENT)
        return no_store(s, e);
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    if (mode == STORE_CREATE)
        flags |= SQLITE_OPEN_CREATE;
    int rc = sqlite3_open_v2(s->path, &backend(s)->db, flags, NULL);
    if (rc)
        return sqlite_error(s, rc, e);
    sqlite3_busy_timeout(backend(s)->db, (int)s->wait_ms);
    return exec(s,
                "PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF;"
                "PRAGMA cell_size_check = ON; PRAGMA page_size = 8192; PRAGMA cache_size = -4096",
                e);
}

int sqlite_open(struct store *s, enum store_mode mode, struct err *e)
{
    s->backend = mem_zalloc(1, sizeof(struct sqlite));
    if (!s->backend)
        return err_nomem(e);
    backend(s)->claims = -1;
    if (s->wait_ms == 0)
        s->wait_ms = DEFAULT_WAIT_MS;
    struct identity id = { 0 };
    int rc = connect_db(s, mode, e);
    if (!rc)
        rc = identify(s, &id, e);
    if (rc)
        return rc;
    if (mode == STORE_READ && id.version == 0)
        return no_store(s, e);
    if (mode != STORE_READ && sqlite3_db_readonly(backend(s)->db, "main") == 1)
        return sqlite_error(s, SQLITE_READONLY, e);
    s->opened_with = (int)id.version;
    s->schema = sqlite_version;
    if (id.version < sqlite_version)
        rc = upgrade(s, e);
    if (!rc && mode == STORE_READ)
        rc = exec(s, "PRAGMA query_only = ON", e);
    return rc ? rc : prepare_all(s, e);
}

int sqlite_mark(struct store *s, struct store_mark *out, struct err *e)
{
    struct store_mark mark;
    struct stat st;
    int rc = ask(s, "PRAGMA data_version", &mark.version, e);
    if (rc)
        return rc;
    bool there = stat(s->path, &st) == 0;
    mark.place[0] = there ? (int64_t)st.st_dev : UNKNOWN;
    mark.place[1] = there ? (int64_t)st.st_ino : UNKNOWN;
    *out = mark;
    return 0;
}

void sqlite_close(struct store *s)
{
    struct sqlite *b = s->backend;
    for (size_t i = 0; b && i < SQL_COUNT; i++)
        sqlite3_finalize(b->statements[i]);
    if (b) {
        sqlite_claims_close(s);
        sqlite3_close(b->db);
    }
    mem_free(b);
}

int sqlite_init(struct store *s, const struct store_spread *spread, struct err *e)
{
    if (spread)
        return err_set(e, ERR_USAGE,
                       "%s: --fdw and --citus spread a store on a PostgreSQL server "
                       "(--db postgresql://...); this is a file",
                       s->path);
    return sqlite_open(s, STORE_CREATE, e);
}
