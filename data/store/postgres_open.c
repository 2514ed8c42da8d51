/* data/store/postgres_open.c - connecting to a PostgreSQL server; making and upgrading the schema.
 *
 * The URL says where; libpq adds what it reads elsewhere (PGPASSWORD, ~/.pgpass, a service file).
 * A password in the URL is refused: every user of the machine sees the arguments of a process.
 * The tables are in a schema of their own, `volplan`. */
#include "data/store/postgres_db.h"

#include "models/core/mem.h"

#include <stdio.h>
#include <string.h>

enum { DEFAULT_LOCK_WAIT_MS = 60000 };

/* --- the URL -----------------------------------------------------------------------------------
 */

static bool is_secret(const char *keyword)
{
    return strcmp(keyword, "password") == 0 || strcmp(keyword, "sslpassword") == 0;
}

/* libpq's words about a URL that it cannot read repeat the URL, password and all. */
static int check_url(const char *url, struct err *e)
{
    PQconninfoOption *options = PQconninfoParse(url, NULL);
    if (!options)
        return err_set(e, ERR_USAGE,
                       "--db: no PostgreSQL URL; write postgresql://USER@HOST:PORT/DATABASE");
    bool secret = false;
    for (const PQconninfoOption *o = options; o->keyword; o++)
        secret |= o->val && is_secret(o->keyword);
    PQconninfoFree(options);
    if (secret)
        return err_set(
            e, ERR_USAGE,
            "--db: the URL holds a password, which everyone on this machine can see in the "
            "list of processes; take it out and put it into ~/.pgpass, a service file "
            "or PGPASSWORD");
    return 0;
}

/* --- the session -------------------------------------------------------------------------------
 */

/* What the server has to say besides is not for the user. */
static void ignore_notice(void *unused, const PGresult *r)
{
    (void)unused;
    (void)r;
}

/* The last of several values of a keyword counts: what the URL says goes before the first of these
 * and after the others. */
static PGconn *connect_url(const char *url, const struct postgres_host *host)
{
    const char *const keywords[] = {
        "connect_timeout",
        "keepalives_idle",
        "keepalives_interval",
        "keepalives_count",
        "tcp_user_timeout",
        "fallback_application_name",
        "dbname",
        "client_encoding",
        host ? "host" : NULL,
        "port",
        "hostaddr",
        "dbname",
        NULL,
    };
    const char *const values[] = {
        "10",
        "30",
        "10",
        "3",
        "60000",
        "volplan",
        url,
        "UTF8",
        host ? host->host : NULL,
        host ? host->port : NULL,
        "",
        host ? host->dbname : NULL,
        NULL,
    };
    return PQconnectdbParams(keywords, values, 1);
}

/* A loader that dies must not hold a lock: the server looks whether it is still there.  It knows
 * nothing of the temporary tables, whose rows are many: left to guess, it joins them in loops. */
static int set_session(struct store *s, struct err *e)
{
    const struct postgres *b = s->backend;
    char sql[800];
    snprintf(sql, sizeof sql,
             "SET search_path = volplan; SET client_min_messages = warning;"
             "SET lock_timeout = %lld; SET statement_timeout = '30min';"
             "SET idle_in_transaction_session_timeout = '30min';"
             "SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10;"
             "SET tcp_keepalives_count = 3; SET default_transaction_read_only = %s;"
             "SET enable_nestloop = %s; SET temp_buffers = '32MB'; %s",
             (long long)(s->wait_ms ? s->wait_ms : DEFAULT_LOCK_WAIT_MS),
             b->mode == STORE_READ ? "on" : "off", b->mode == STORE_READ ? "on" : "off",
             PQserverVersion(b->conn) >= 140000 ? "SET client_connection_check_interval = '5s'"
                                                : "");
    return postgres_exec(s, sql, e);
}

static int check_server(const struct store *s, struct err *e)
{
    const struct postgres *b = s->backend;
    const char *encoding = PQparameterStatus(b->conn, "server_encoding");
    if (PQserverVersion(b->conn) < 120000)
        return err_set(e, ERR_STORE, "%s: the server is older than PostgreSQL 12", s->path);
    if (!encoding || strcmp(encoding, "UTF8") != 0)
        return err_set(e, ERR_STORE,
                       "%s: the database keeps text as %s; create one with ENCODING 'UTF8'",
                       s->path, encoding ? encoding : "something unknown");
    return 0;
}

static int start_session(struct store *s, struct err *e)
{
    struct postgres *b = s->backend;
    if (!b->conn)
        return err_nomem(e);
    if (PQstatus(b->conn) != CONNECTION_OK)
        return postgres_connect_error(s, e);
    PQsetNoticeReceiver(b->conn, ignore_notice, NULL);
    memset(b->prepared, 0, sizeof b->prepared);
    for (size_t i = 0; i < SQL_COUNT; i++)
        b->staged[i] = (struct staged){ 0 };
    int rc = check_server(s, e);
    return rc ? rc : set_session(s, e);
}

int postgres_connect(struct store *s, const char *url, const struct postgres_host *host,
                     enum store_mode mode, struct err *e)
{
    int rc = check_url(url, e);
    if (rc)
        return rc;
    struct postgres *b = s->backend = mem_zalloc(1, sizeof(struct postgres));
    if (!b)
        return err_nomem(e);
    b->mode = mode;
    b->conn = connect_url(url, host);
    return start_session(s, e);
}

int postgres_reconnect(struct store *s, struct err *e)
{
    struct postgres *b = s->backend;
    if (PQstatus(b->conn) == CONNECTION_OK)
        return 0;
    PQreset(b->conn);
    return start_session(s, e);
}

/* --- the schema --------------------------------------------------------------------------------
 */

static int read_version(struct store *s, int64_t *out, struct err *e)
{
    PGresult *r = NULL;
    int rc = postgres_ask(s, "SELECT schema_version FROM volplan.store", &r, e);
    struct span text = span_of(!rc && PQntuples(r) == 1 ? PQgetvalue(r, 0, 0) : "");
    if (!rc && span_int(&text, out))
        rc = err_set(e, ERR_STORE, "%s: damaged (volplan.store has no version)", s->path);
    PQclear(r);
    if (!rc && (*out < 0 || *out > postgres_version))
        rc = err_set(e, ERR_STORE,
                     "%s: written by a newer volplan (schema %lld, this one knows up to %d)",
                     s->path, (long long)*out, postgres_version);
    return rc;
}

/* Its systems have their numbers from elsewhere. */
static int check_whole(struct store *s, struct err *e)
{
    PGresult *r = NULL;
    int rc = postgres_ask(s,
                          "SELECT 1 WHERE obj_description(to_regnamespace('volplan'),"
                          " 'pg_namespace') LIKE '" POSTGRES_PART_OF "%'",
                          &r, e);
    if (!rc && PQntuples(r))
        rc = err_set(e, ERR_USAGE,
                     "%.160s: keeps a part of a store that is spread; give the URL of its first "
                     "server",
                     s->path);
    PQclear(r);
    return rc;
}

int postgres_open(struct store *s, enum store_mode mode, struct err *e)
{
    int64_t version = 0;
    int rc = postgres_connect(s, s->path, NULL, mode, e);
    if (!rc)
        rc = read_version(s, &version, e);
    if (!rc)
        rc = check_whole(s, e);
    s->opened_with = (int)version;
    s->schema = postgres_version;
    if (!rc && version < postgres_version)
        rc = err_set(e, ERR_STORE,
                     "%s: made by an older volplan (schema %lld of %d); 'volplan store init' "
                     "upgrades it",
                     s->path, (long long)version, postgres_version);
    return rc;
}

int postgres_mark(struct store *s, struct store_mark *out, struct err *e)
{
    PGresult *r = NULL;
    int rc = postgres_ask(s,
                          "SELECT coalesce(sum(changes), 0), count(*),"
                          " coalesce(sum(changes * system_id), 0) FROM system",
                          &r, e);
    struct store_mark mark = { 0 };
    int64_t *const into[] = { &mark.version, &mark.place[0], &mark.place[1] };
    for (int i = 0; i < 3 && !rc; i++) {
        struct span text = span_of(PQgetvalue(r, 0, i));
        if (span_int(&text, into[i]))
            rc = err_set(e, ERR_STORE, "%s: damaged (changes of its systems)", s->path);
    }
    PQclear(r);
    if (!rc)
        *out = mark;
    return rc;
}

/* Two that make a store at the same time: the second waits, and then finds it made. */
int postgres_upgrade(struct store *s, struct err *e)
{
    int64_t version = 0;
    int rc =
        postgres_exec(s,
                      "BEGIN; SELECT pg_advisory_xact_lock(1987013744);"
                      "CREATE SCHEMA IF NOT EXISTS volplan;"
                      "CREATE TABLE IF NOT EXISTS volplan.store(schema_version bigint NOT NULL);"
                      "INSERT INTO volplan.store SELECT 0"
                      " WHERE NOT EXISTS (SELECT FROM volplan.store)",
                      e);
    if (!rc)
        rc = read_version(s, &version, e);
    for (int64_t v = version; !rc && v < postgres_version; v++)
        rc = postgres_exec(s, postgres_steps[v], e);
    char stamp[96];
    snprintf(stamp, sizeof stamp, "UPDATE volplan.store SET schema_version = %d; COMMIT",
             postgres_version);
    return rc ? rc : postgres_exec(s, stamp, e);
}

int postgres_init(struct store *s, const struct store_spread *spread, struct err *e)
{
    int rc = postgres_connect(s, s->path, NULL, STORE_CREATE, e);
    if (!rc)
        rc = check_whole(s, e);
    return rc ? rc : postgres_spread(s, spread, e);
}

void postgres_close(struct store *s)
{
    struct postgres *b = s->backend;
    if (!b)
        return;
    PQfinish(b->conn);
    arena_release(&b->texts);
    arena_release(&b->decoded);
    arena_release(&b->file);
    mem_free(b);
}
