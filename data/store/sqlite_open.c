/* data/store/sqlite_open.c - opening, upgrading and closing; systems and layouts.
 *
 * The journal is SQLite's rollback journal, not the write-ahead log: the store stays one
 * file that can be copied, mailed and read from any file system, and a process that is
 * killed leaves a journal that the next one to open the store rolls back.  Nearly all
 * that is written are new pages, which a rollback journal does not copy but the log would
 * write twice.  The price, readers waiting while a large file is committed, is small as
 * long as a store has one user. */
#include "data/store/sqlite_db.h"

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
    if (!rc) /* a path is a path, even one that begins with "file:" */
        rc = sqlite3_config(SQLITE_CONFIG_URI, 0);
    if (!rc)
        rc = sqlite3_initialize();
    if (rc == SQLITE_NOMEM)
        return err_nomem(e);
    if (rc)
        return err_set(e, ERR_STORE, "SQLite does not start: %s", sqlite3_errstr(rc));
    done = true;
    return 0;
}

/* --- opening -----------------------------------------------------------------------------------
 */

static int exec(struct store *s, const char *sql, struct err *e)
{
    int rc = sqlite3_exec(s->db, sql, NULL, NULL, NULL);
    return rc ? db_error(s, rc, e) : 0;
}

/* The one integer that a statement gives, before the prepared ones are there. */
static int ask(struct store *s, const char *sql, int64_t *out, struct err *e)
{
    sqlite3_stmt *stmt = NULL;
    int rc = sqlite3_prepare_v2(s->db, sql, -1, &stmt, NULL);
    if (!rc)
        rc = sqlite3_step(stmt);
    if (rc == SQLITE_ROW) {
        *out = sqlite3_column_int64(stmt, 0);
        rc = SQLITE_OK;
    }
    rc = rc ? db_error(s, rc, e) : 0;
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
    if (out->version < 0 || out->version > schema_version)
        return err_set(e, ERR_STORE,
                       "%s: written by a newer volplan (schema %lld, this one knows up to %d)",
                       s->path, (long long)out->version, schema_version);
    return 0;
}

/* The version is asked for again under the lock: another process may have been faster. */
static int upgrade(struct store *s, struct err *e)
{
    struct identity now = { 0 };
    int rc = exec(s, "BEGIN IMMEDIATE", e);
    if (!rc)
        rc = identify(s, &now, e);
    for (int64_t v = now.version; !rc && v < schema_version; v++)
        rc = exec(s, schema_steps[v], e);
    char stamp[96];
    snprintf(stamp, sizeof stamp, "PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT",
             APPLICATION_ID, schema_version);
    if (!rc)
        rc = exec(s, stamp, e);
    if (rc && !sqlite3_get_autocommit(s->db))
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return rc;
}

static int prepare_all(struct store *s, struct err *e)
{
    for (size_t i = 0; i < SQL_COUNT; i++) {
        int rc = sqlite3_prepare_v3(s->db, sql_texts[i], -1, SQLITE_PREPARE_PERSISTENT,
                                    &s->statements[i], NULL);
        if (rc)
            return db_error(s, rc, e);
    }
    return 0;
}

static int no_store(const struct store *s, struct err *e)
{
    return err_set(e, ERR_USAGE, "%s: no store here; 'volplan ingest' makes one", s->path);
}

static bool is_server(const char *path)
{
    struct span s = span_of(path);
    return span_starts(s, "postgresql://") || span_starts(s, "postgres://");
}

/* Reading needs a connection that may write: it rolls back what a killed process left. */
static int connect_db(struct store *s, enum store_mode mode, struct err *e)
{
    struct stat st;
    if (s->path[0] == '\0')
        return err_set(e, ERR_USAGE, "the store has an empty name");
    if (is_server(s->path)) /* which is not shown: it may have a password */
        return err_set(
            e, ERR_USAGE,
            "--db names a PostgreSQL server, which this build cannot use as a store; name "
            "a file (--db volplan.db)");
    if (mode != STORE_CREATE && stat(s->path, &st) && errno == ENOENT)
        return no_store(s, e);
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    if (mode == STORE_CREATE)
        flags |= SQLITE_OPEN_CREATE;
    int rc = sqlite3_open_v2(s->path, &s->db, flags, NULL);
    if (rc)
        return db_error(s, rc, e);
    sqlite3_busy_timeout(s->db, (int)s->wait_ms);
    return exec(s,
                "PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF;"
                "PRAGMA cell_size_check = ON; PRAGMA cache_size = -16384",
                e);
}

static int set_up(struct store *s, enum store_mode mode, struct err *e)
{
    struct identity id = { 0 };
    int rc = connect_db(s, mode, e);
    if (!rc)
        rc = identify(s, &id, e);
    if (rc)
        return rc;
    if (mode == STORE_READ && id.version == 0)
        return no_store(s, e);
    if (mode != STORE_READ && sqlite3_db_readonly(s->db, "main") == 1)
        return db_error(s, SQLITE_READONLY, e);
    if (id.version < schema_version)
        rc = upgrade(s, e);
    if (!rc && mode == STORE_READ)
        rc = exec(s, "PRAGMA query_only = ON", e);
    return rc ? rc : prepare_all(s, e);
}

int store_open(const char *path, const struct store_options *o, struct store **out, struct err *e)
{
    struct store *s = mem_zalloc(1, sizeof *s);
    size_t n_bytes = strlen(path) + 1;
    if (s)
        s->path = mem_alloc(n_bytes);
    if (!s || !s->path) {
        mem_free(s);
        return err_nomem(e);
    }
    memcpy(s->path, path, n_bytes);
    s->wait_ms = o->wait_ms > 0 && o->wait_ms < INT32_MAX ? o->wait_ms : DEFAULT_WAIT_MS;

    int rc = set_up(s, o->mode, e);
    if (rc) {
        store_close(s);
        return rc;
    }
    *out = s;
    return 0;
}

void store_close(struct store *s)
{
    if (!s)
        return;
    store_file_rollback(s);
    for (size_t i = 0; i < SQL_COUNT; i++)
        sqlite3_finalize(s->statements[i]);
    sqlite3_close(s->db);
    mem_free(s->path);
    mem_free(s);
}

const char *store_path(const struct store *s)
{
    return s->path;
}

/* --- systems and layouts -----------------------------------------------------------------------
 */

int store_systems(struct store *s, struct arena *a, const char *const **out, size_t *out_n,
                  struct err *e)
{
    const char **names = NULL;
    size_t n = 0, room = 0;
    struct query q = query_start(s, SQL_SYSTEM_LIST);
    while (query_step(&q)) {
        if (n == room) {
            room = room ? room * 2 : 16;
            names = arena_grow(a, names, n, room, sizeof *names);
            if (!names) {
                query_end(&q, NULL);
                return err_nomem(e);
            }
        }
        names[n] = query_get_text(&q, 0, a);
        n++;
    }
    int rc = query_end(&q, e);
    if (rc)
        return rc;
    *out = names;
    *out_n = n;
    return 0;
}

/* "A, B, C"; what does not fit is left out. */
static void list_names(char *buf, size_t room, const char *const *names, size_t n)
{
    size_t at = 0;
    buf[0] = '\0';
    for (size_t i = 0; i < n; i++) {
        int len = snprintf(buf + at, room - at, "%s%s", i ? ", " : "", names[i]);
        if (len < 0 || (size_t)len >= room - at) {
            buf[at] = '\0';
            return;
        }
        at += (size_t)len;
    }
}

int store_system_resolve(struct store *s, const char *given, struct arena *a, const char **out,
                         struct err *e)
{
    const char *const *names = NULL;
    size_t n = 0;
    int rc = store_systems(s, a, &names, &n, e);
    if (rc)
        return rc;
    if (n == 0)
        return err_set(e, ERR_USAGE, "%s: holds no system yet; 'volplan ingest' loads one",
                       s->path);
    if (!given && n == 1) {
        *out = names[0];
        return 0;
    }
    for (size_t i = 0; given && i < n; i++)
        if (strcmp(names[i], given) == 0) {
            *out = names[i];
            return 0;
        }
    char list[240];
    list_names(list, sizeof list, names, n);
    if (given)
        return err_set(e, ERR_USAGE, "%s: no system '%.80s' (there is: %s)", s->path, given, list);
    return err_set(e, ERR_USAGE, "%s: holds %zu systems, say which with --system: %s", s->path, n,
                   list);
}

int store_layout_get(struct store *s, const char *system, struct arena *a, const char **out_json,
                     struct err *e)
{
    struct query q = query_start(s, SQL_LAYOUT_GET);
    query_text(&q, 1, system);
    const char *json = query_step(&q) ? query_get_text(&q, 0, a) : NULL;
    int rc = query_end(&q, e);
    if (!rc)
        *out_json = json;
    return rc;
}

int store_layout_set(struct store *s, const char *system, const char *json, struct err *e)
{
    int64_t system_id = UNKNOWN;
    int rc = db_run(s, SQL_BEGIN_WRITE, e);
    if (rc)
        return rc;
    rc = db_system_need(s, system, &system_id, e);
    if (!rc) {
        struct query q = query_start(s, SQL_LAYOUT_SET);
        query_int(&q, 1, system_id);
        query_text(&q, 2, json);
        rc = query_run(&q, e);
    }
    if (!rc)
        rc = db_run(s, SQL_COMMIT, e);
    if (rc)
        db_rollback(s);
    return rc;
}
