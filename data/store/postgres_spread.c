/* data/store/postgres_spread.c - a store whose tables other servers keep, each the rows of some
 * systems.
 *
 *   parts   --fdw: the tables that grow are partitioned by the hash of the system, and each
 *           partition is a foreign table (postgres_fdw) of one host.  A host has the whole schema,
 *           keys and all, made by the same steps; which rows are whose is decided here alone.
 *           Names of systems, layouts and claims stay here: they are locked, and small.
 *   Citus   its functions do the same.
 *
 * A file belongs to one system and so is written on one host, by one transaction that is committed
 * there first: it is there in whole or not at all, whichever server fails.
 * Source: "postgres_fdw" and "CREATE FOREIGN TABLE" in PostgreSQL's manual; Citus' "Utility
 * functions". */
#include "data/store/postgres_db.h"

#include <stdio.h>
#include <string.h>

enum { PARTS_MAX = 64 };

struct parts {
    struct arena arena;
    struct postgres_host host[PARTS_MAX];
    size_t n;
};

/* Until the connection ends, so that what is found holds for all that follows. */
static const char one_at_a_time[] = "SELECT pg_advisory_lock(1987013744)";

/* The tables that grow and are still this server's own. */
#define GROWING                                                                                    \
    "SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid"                   \
    " WHERE a.attname = 'system_id' AND c.relkind = 'r' AND c.relnamespace ="                      \
    " 'volplan'::regnamespace AND c.relname NOT IN ('system', 'layout', 'plan_claim')"             \
    " ORDER BY c.relname"

/* --- asking ------------------------------------------------------------------------------------
 */

/* One text, in the arena. */
static int ask_text(struct store *s, struct arena *a, const char *sql, const char **out,
                    struct err *e)
{
    PGresult *r = NULL;
    int rc = postgres_ask(s, sql, &r, e);
    if (!rc && !(*out = arena_strdup(a, PQgetvalue(r, 0, 0))))
        rc = err_nomem(e);
    PQclear(r);
    return rc;
}

static int ask_whether(struct store *s, const char *sql, bool *out, struct err *e)
{
    PGresult *r = NULL;
    int rc = postgres_ask(s, sql, &r, e);
    *out = !rc && PQgetvalue(r, 0, 0)[0] == 't';
    PQclear(r);
    return rc;
}

/* --- hosts -------------------------------------------------------------------------------------
 */

static int add_host(struct parts *p, struct span host, struct span port, const char *dbname,
                    struct err *e)
{
    if (p->n == PARTS_MAX)
        return err_set(e, ERR_USAGE, "--fdw: more than %d hosts", PARTS_MAX);
    struct postgres_host h = { arena_strndup(&p->arena, host.ptr, host.len),
                               arena_strndup(&p->arena, port.ptr, port.len),
                               dbname ? arena_strdup(&p->arena, dbname) : NULL };
    if (!h.host || !h.port || (dbname && !h.dbname))
        return err_nomem(e);
    for (size_t i = 0; i < p->n; i++)
        if (strcmp(p->host[i].host, h.host) == 0 && strcmp(p->host[i].port, h.port) == 0)
            return err_set(e, ERR_USAGE, "--fdw: %.80s, port %.10s, is there twice", h.host,
                           h.port);
    p->host[p->n++] = h;
    return 0;
}

/* "db1", "db1:5433", "::1", "[::1]:5433", "/run/postgresql", "/run/postgresql:5433". */
static int read_host(struct parts *p, struct span text, struct err *e)
{
    struct span host = span_trim(text), port = SPAN_LIT("5432");
    size_t colon = host.len;
    while (colon > 0 && host.ptr[colon - 1] >= '0' && host.ptr[colon - 1] <= '9')
        colon--;
    bool has_port = colon > 1 && colon < host.len && host.ptr[colon - 1] == ':';
    struct span before = span_cut(host, 0, has_port ? colon - 1 : host.len);
    bool bracketed = span_starts(before, "[") && span_ends(before, "]");
    if (has_port && (bracketed || span_find(before, ":") < 0)) {
        port = span_cut(host, colon, host.len);
        host = before;
    }
    if (bracketed)
        host = span_cut(host, 1, host.len - 1);
    if (host.len == 0)
        return err_set(e, ERR_USAGE, "--fdw: a host is missing; write --fdw HOST,HOST:PORT,...");
    return add_host(p, host, port, NULL, e);
}

static int read_hosts(struct parts *p, const char *list, struct err *e)
{
    int rc = 0;
    for (struct span rest = span_of(list), host; !rc && span_field(&rest, ',', &host) == 0;)
        rc = read_host(p, host, e);
    return rc;
}

#define OPTION(name)                                                                               \
    "(SELECT option_value FROM pg_options_to_table(srvoptions) WHERE option_name = '" name "')"

/* clang-format off */
static const char kept_sql[] =
    "SELECT " OPTION("host") ", " OPTION("port") ", " OPTION("dbname")
    " FROM pg_foreign_server v WHERE srvname ~ '^volplan_part_[0-9]+$' AND EXISTS"
    "  (SELECT FROM pg_foreign_table t JOIN pg_class c ON c.oid = t.ftrelid"
    "   WHERE t.ftserver = v.oid AND c.relnamespace = to_regnamespace('volplan'))"
    " ORDER BY length(srvname), srvname";
/* clang-format on */

/* Those that keep the parts of this store now, in their order. */
static int kept_hosts(struct store *s, struct parts *p, struct err *e)
{
    PGresult *r = NULL;
    int rc = postgres_ask(s, kept_sql, &r, e);
    for (int i = 0; !rc && i < PQntuples(r); i++)
        rc = add_host(p, span_of(PQgetvalue(r, i, 0)), span_of(PQgetvalue(r, i, 1)),
                      PQgetvalue(r, i, 2), e);
    PQclear(r);
    return rc;
}

static bool same_hosts(const struct parts *a, const struct parts *b)
{
    for (size_t i = 0; i < a->n && i < b->n; i++)
        if (strcmp(a->host[i].host, b->host[i].host) != 0 ||
            strcmp(a->host[i].port, b->host[i].port) != 0)
            return false;
    return a->n == b->n;
}

/* --- a part ------------------------------------------------------------------------------------
 */

struct part {
    struct store store;
    struct arena arena;
    const struct postgres_host *host;
    char *dbname, *user, *sslmode; /* with which it was reached */
};

static void part_close(struct part *p)
{
    postgres_close(&p->store);
    arena_release(&p->arena);
}

static int part_keep_login(struct part *p, struct err *e)
{
    const struct postgres *b = p->store.backend;
    PQconninfoOption *options = PQconninfo(b->conn);
    p->dbname = arena_strdup(&p->arena, PQdb(b->conn));
    p->user = arena_strdup(&p->arena, PQuser(b->conn));
    for (const PQconninfoOption *o = options; o && o->keyword; o++)
        if (strcmp(o->keyword, "sslmode") == 0 && o->val)
            p->sslmode = arena_strdup(&p->arena, o->val);
    PQconninfoFree(options);
    return p->dbname && p->user && p->sslmode ? 0 : err_nomem(e);
}

static int part_open(struct part *p, const struct store *whole, const struct postgres_host *host,
                     struct err *e)
{
    *p = (struct part){ .store = { .driver = &postgres_driver }, .host = host };
    p->store.path =
        arena_printf(&p->arena, "%.80s, its part on %.60s:%s", whole->path, host->host, host->port);
    if (!p->store.path)
        return err_nomem(e);
    int rc = postgres_connect(&p->store, whole->path, host, STORE_CREATE, e);
    return rc ? rc : part_keep_login(p, e);
}

/* What tells a server's database from every other one, as long as the server runs. */
static const char whose_sql[] = "SELECT pg_postmaster_start_time() || ' ' || current_database()";

static int part_check_self(struct part *p, struct store *whole, struct err *e)
{
    const char *whole_is = NULL, *part_is = NULL;
    int rc = ask_text(whole, &p->arena, whose_sql, &whole_is, e);
    if (!rc)
        rc = ask_text(&p->store, &p->arena, whose_sql, &part_is, e);
    if (!rc && strcmp(whole_is, part_is) == 0)
        rc = err_set(e, ERR_USAGE, "--fdw: %s:%s is the database of the store itself",
                     p->host->host, p->host->port);
    return rc;
}

/* Rows of two stores must not mix: the schema's comment says whose it is.  It is a word of chance,
 * which goes with the database wherever that is restored. */
static const char make_mark[] =
    "DO $do$ BEGIN"
    " IF obj_description('volplan'::regnamespace, 'pg_namespace') IS NULL THEN"
    "  EXECUTE format('COMMENT ON SCHEMA volplan IS %L',"
    "   format('spread store of %s, %s', clock_timestamp(), random()));"
    " END IF; END $do$";
static const char mark_sql[] =
    "SELECT coalesce(obj_description('volplan'::regnamespace, 'pg_namespace'), '')";

static int part_claim(struct part *p, struct store *whole, bool joins, struct err *e)
{
    const char *mark = NULL, *found = NULL;
    bool used = false;
    int rc = ask_text(whole, &p->arena, mark_sql, &mark, e);
    if (!rc && !(mark = arena_printf(&p->arena, POSTGRES_PART_OF "%s", mark)))
        rc = err_nomem(e);
    if (!rc)
        rc = ask_text(&p->store, &p->arena, mark_sql, &found, e);
    if (!rc)
        rc = ask_whether(&p->store,
                         "SELECT EXISTS (SELECT FROM volplan.file) OR EXISTS"
                         " (SELECT FROM volplan.system)",
                         &used, e);
    if (rc)
        return rc;
    if ((*found && strcmp(found, mark) != 0) || (joins && used))
        return err_set(e, ERR_USAGE, "--fdw: %s:%s keeps rows of another store; %s", p->host->host,
                       p->host->port,
                       joins ? "give a database without the schema 'volplan', or drop it there"
                             : "nothing was changed: restore there what belongs to this store");
    const struct postgres *b = p->store.backend;
    char *literal = PQescapeLiteral(b->conn, mark, strlen(mark));
    const char *sql =
        literal ? arena_printf(&p->arena, "COMMENT ON SCHEMA volplan IS %s", literal) : NULL;
    PQfreemem(literal);
    return sql ? postgres_exec(&p->store, sql, e) : err_nomem(e);
}

/* --- this server's side ------------------------------------------------------------------------
 */

/* Server number `no` with what is known of the part, and whom it is asked as.  The password, where
 * one is needed, is found by the server itself (its user's ~/.pgpass), or given with ALTER USER
 * MAPPING. */
static int make_server(struct store *s, const struct part *p, size_t no, struct err *e)
{
    const struct postgres *b = s->backend;
    const char *super = PQparameterStatus(b->conn, "is_superuser");
    bool trusted = PQserverVersion(b->conn) >= 130000 && super && strcmp(super, "on") == 0;
    const char *const values[] = { p->host->host, p->host->port, p->dbname, p->sslmode, p->user };
    enum { N_VALUES = sizeof values / sizeof *values };
    char *quoted[N_VALUES] = { 0 };
    struct arena a = { 0 };
    bool failed = false;
    for (size_t i = 0; i < N_VALUES; i++)
        failed |= !(quoted[i] = PQescapeLiteral(b->conn, values[i], strlen(values[i])));
    const char *sql =
        failed
            ? NULL
            : arena_printf(
                  &a,
                  "CREATE SERVER volplan_part_%zu FOREIGN DATA WRAPPER postgres_fdw OPTIONS(host "
                  "%s, port %s,"
                  " dbname %s, sslmode %s, connect_timeout '10', keepalives_idle '30',"
                  " keepalives_interval '10', keepalives_count '3', tcp_user_timeout '60000',"
                  " options '-c lock_timeout=60s -c statement_timeout=30min', fetch_size '1000'%s);"
                  "CREATE USER MAPPING FOR PUBLIC SERVER volplan_part_%zu OPTIONS(user %s%s)",
                  no, quoted[0], quoted[1], quoted[2], quoted[3],
                  PQserverVersion(b->conn) >= 140000 ? ", batch_size '200'" : "", no, quoted[4],
                  trusted ? ", password_required 'false'" : "");
    for (size_t i = 0; i < N_VALUES; i++)
        PQfreemem(quoted[i]);
    int rc = sql ? postgres_exec(s, sql, e) : err_nomem(e);
    arena_release(&a);
    return rc;
}

/* A store that was dropped may have left some. */
static const char drop_servers[] =
    "DO $do$ DECLARE v name; BEGIN FOR v IN SELECT srvname FROM pg_foreign_server"
    "  WHERE srvname ~ '^volplan_part_[0-9]+$' LOOP"
    "  EXECUTE format('DROP SERVER %I CASCADE', v); END LOOP; "
    "END $do$";

/* Blocks of samples are some 100 KB each, other rows some 100 bytes. */
static const char make_partitions[] =
    "DO $do$ DECLARE t text; sizes text; bytes text;"
    " n int := (SELECT count(*) FROM pg_foreign_server WHERE srvname ~ '^volplan_part_[0-9]+$');"
    " views text[] := ARRAY(SELECT format('CREATE VIEW %I AS %s', viewname, definition)"
    "  FROM pg_views WHERE schemaname = 'volplan');"
    "BEGIN"
    " IF NOT EXISTS (" GROWING ") THEN RETURN; END IF;"
    " FOR t IN SELECT viewname FROM pg_views WHERE schemaname = 'volplan' LOOP"
    "  EXECUTE format('DROP VIEW %I', t); END LOOP;"
    " FOR t IN " GROWING " LOOP"
    "  EXECUTE format('ALTER TABLE %I RENAME TO %I', t, 'own_' || t);"
    "  EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS"
    "   INCLUDING STORAGE) PARTITION BY HASH (system_id)', t, 'own_' || t);"
    "  EXECUTE format('DROP TABLE %I', 'own_' || t);"
    "  sizes := CASE WHEN t NOT LIKE '%chunk' THEN ''"
    "   WHEN current_setting('server_version_num')::int < 140000 THEN ', fetch_size ''16'''"
    "   ELSE ', fetch_size ''16'', batch_size ''16''' END;"
    "  FOR i IN 1..n LOOP"
    "   EXECUTE format('CREATE FOREIGN TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS %s,"
    "    REMAINDER %s) SERVER %I OPTIONS(schema_name ''volplan'', table_name %L' || sizes || ')',"
    "    t || '_part_' || i, t, n, i - 1, 'volplan_part_' || i, t);"
    "  END LOOP;"
    " END LOOP;"
    " FOREACH t IN ARRAY views LOOP EXECUTE t; END LOOP;"
    " IF to_regclass('table_bytes_part_1') IS NULL THEN"
    "  bytes := rtrim(pg_get_viewdef('table_bytes'), ';');"
    "  FOR i IN 1..n LOOP"
    "   EXECUTE format('CREATE FOREIGN TABLE %I(name text COLLATE \"C\", bytes bigint) SERVER %I"
    "    OPTIONS(schema_name ''volplan'', table_name ''table_bytes'')',"
    "    'table_bytes_part_' || i, 'volplan_part_' || i);"
    "   bytes := bytes || format(' UNION ALL SELECT name, bytes FROM %I', 'table_bytes_part_' || "
    "i);"
    "  END LOOP;"
    "  EXECUTE 'CREATE OR REPLACE VIEW table_bytes AS ' || bytes;"
    " END IF; "
    "END $do$";

/* A first server that was restored to an earlier time must not give numbers again that the parts
 * know.  Nothing where none is higher. */
#define RAISE(sequence, id, table)                                                                 \
    "SELECT setval('" sequence "', n) FROM (SELECT max(" id ") AS n FROM " table ") highest"       \
    " WHERE n >= (SELECT last_value FROM " sequence ");"
static const char raise_numbers[] =
    RAISE("system_ids", "system_id", "file") RAISE("file_ids", "file_id", "file")
        RAISE("series_ids", "series_id", "series") RAISE("metric_ids", "metric_id", "metric");

static int check_empty(struct store *s, struct err *e)
{
    bool used = false;
    int rc = ask_whether(s, "SELECT EXISTS (SELECT FROM file)", &used, e);
    if (!rc && used)
        rc = err_set(e, ERR_USAGE,
                     "%s: holds files already; spread a new store, then 'volplan store copy' "
                     "brings them there",
                     s->path);
    return rc;
}

/* --- together ----------------------------------------------------------------------------------
 */

static int init_part(struct store *s, const struct postgres_host *host, size_t no, bool joins,
                     struct err *e)
{
    struct part p;
    int rc = part_open(&p, s, host, e);
    if (!rc)
        rc = part_check_self(&p, s, e);
    if (!rc)
        rc = postgres_upgrade(&p.store, e);
    if (!rc)
        rc = part_claim(&p, s, joins, e);
    if (!rc && joins)
        rc = make_server(s, &p, no, e);
    part_close(&p);
    return rc;
}

/* The first time.  The mark is committed before a part has it: broken off, the next try has it too.
 */
static int join_parts(struct store *s, const struct parts *hosts, struct err *e)
{
    int rc = postgres_exec(s, make_mark, e);
    if (!rc)
        rc = postgres_exec(s, "BEGIN; LOCK TABLE file", e);
    if (!rc)
        rc = check_empty(s, e);
    if (!rc)
        rc = postgres_exec(s, "CREATE EXTENSION IF NOT EXISTS postgres_fdw", e);
    if (!rc)
        rc = postgres_exec(s, drop_servers, e);
    for (size_t i = 0; i < hosts->n && !rc; i++)
        rc = init_part(s, &hosts->host[i], i + 1, true, e);
    if (!rc)
        rc = postgres_exec(s, make_partitions, e);
    return rc ? rc : postgres_exec(s, "COMMIT", e);
}

static const char distribute[] =
    "DO $do$ DECLARE t text; BEGIN"
    " IF NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'system'::regclass) THEN"
    "  PERFORM create_reference_table('system'); END IF;"
    " FOR t IN SELECT 'layout' UNION ALL (" GROWING ") LOOP"
    "  IF NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = t::regclass) THEN"
    "   PERFORM create_distributed_table(t, 'system_id', colocate_with =>"
    "    CASE WHEN t = 'layout' THEN 'none' ELSE 'layout' END); END IF;"
    " END LOOP;"
    " CREATE OR REPLACE VIEW table_bytes AS SELECT relname::text COLLATE \"C\" AS name,"
    "  CASE WHEN oid IN (SELECT logicalrelid FROM pg_dist_partition)"
    "   THEN citus_total_relation_size(oid) ELSE pg_total_relation_size(oid) END AS bytes"
    "  FROM pg_class WHERE relkind = 'r' AND relnamespace = 'volplan'::regnamespace; "
    "END $do$";

static int spread_by_citus(struct store *s, struct err *e)
{
    bool there = false;
    int rc = ask_whether(s, "SELECT to_regproc('create_distributed_table') IS NOT NULL", &there, e);
    if (!rc && !there)
        rc = err_set(e, ERR_USAGE,
                     "%s: the database has no Citus; CREATE EXTENSION citus (on every node), then "
                     "run the command again",
                     s->path);
    if (!rc)
        rc = postgres_exec(s, distribute, e);
    return rc;
}

/* Parts that are there stay as they are. */
static int choose_parts(struct store *s, const struct store_spread *spread, struct parts *kept,
                        struct parts *given, struct err *e)
{
    int rc = kept_hosts(s, kept, e);
    if (!rc && spread && spread->hosts)
        rc = read_hosts(given, spread->hosts, e);
    if (rc || kept->n == 0 || !spread || (spread->hosts && same_hosts(kept, given)))
        return rc;
    return err_set(
        e, ERR_USAGE,
        "%s: is spread over %zu other servers already; spread a new store, then 'volplan "
        "store copy' brings its files there",
        s->path, kept->n);
}

int postgres_spread(struct store *s, const struct store_spread *spread, struct err *e)
{
    struct parts kept = { .n = 0 }, given = { .n = 0 };
    int rc = postgres_exec(s, one_at_a_time, e);
    if (!rc)
        rc = choose_parts(s, spread, &kept, &given, e);
    for (size_t i = 0; i < kept.n && !rc; i++)
        rc = init_part(s, &kept.host[i], i + 1, false, e);
    if (!rc)
        rc = postgres_upgrade(s, e);
    if (!rc && kept.n)
        rc = postgres_exec(s, make_partitions, e); /* of tables that a step has made */
    if (!rc && kept.n)
        rc = postgres_exec(s, raise_numbers, e);
    if (!rc && !kept.n && given.n)
        rc = join_parts(s, &given, e);
    if (!rc && spread && spread->citus)
        rc = spread_by_citus(s, e);
    arena_release(&kept.arena);
    arena_release(&given.arena);
    return rc;
}
