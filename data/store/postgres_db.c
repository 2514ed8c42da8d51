/* data/store/postgres_db.c - the driver: running statements of postgres_sql.c, writing files.
 *
 * Parameters and results are binary; rows come one at a time, so that no answer is held in memory.
 * A statement is prepared when it is first used: a command needs few of them.
 *
 * A file is one transaction.  Until it is complete its rows only go to temporary tables, which
 * nobody else sees or waits for, and its series have numbers of the file's own.  Then the row of
 * its system is locked, which makes loaders of one system wait for each other for that moment
 * only and in one place only, so that there is no deadlock; what the same content has become in
 * the meantime is looked for, names become numbers, and the rows move to their tables. */
#include "data/store/postgres_db.h"

#include "models/core/mem.h"
#include "models/core/unit.h"

#include <endian.h>
#include <stdio.h>
#include <string.h>

static struct postgres *backend(const struct store *s)
{
    return s->backend;
}

static struct staged *staged_of(const struct query *q)
{
    return q->stmt;
}

static enum sql id_of(const struct query *q)
{
    return (enum sql)(staged_of(q) - backend(q->store)->staged);
}

static const struct postgres_statement *statement(const struct query *q)
{
    return q->once ? &backend(q->store)->text : &postgres_statements[id_of(q)];
}

/* --- binding -----------------------------------------------------------------------------------
 */

static void postgres_start(struct query *q, enum sql id)
{
    struct postgres *b = backend(q->store);
    q->stmt = &b->staged[id];
    if (statement(q)->table) {
        q->no_memory = staged_row(&b->staged[id]) != 0;
        return;
    }
    memset(b->values, 0, sizeof b->values);
    b->sent = false;
}

/* ?1 is $1 here. */
static void postgres_start_text(struct query *q, const char *sql)
{
    struct postgres *b = backend(q->store);
    int len = snprintf(b->sql, sizeof b->sql, "%s", sql);
    if (len < 0 || (size_t)len >= sizeof b->sql)
        BUG("a statement is too long");
    for (char *p = b->sql; (p = strchr(p, '?')) != NULL;)
        *p = '$';
    b->text = (struct postgres_statement){ .sql = b->sql };
    memset(b->values, 0, sizeof b->values);
    b->sent = false;
}

static void bind(struct query *q, int at, const void *bytes, size_t n_bytes)
{
    struct postgres *b = backend(q->store);
    if (statement(q)->table) {
        if (at != staged_of(q)->n_fields + 1)
            BUG("a row's columns are bound in order");
        if (bytes ? staged_field(staged_of(q), bytes, n_bytes) : staged_null(staged_of(q)))
            q->no_memory = true;
    } else if (at <= POSTGRES_PARAMETERS_MAX) {
        b->values[at - 1] = bytes;
        b->lengths[at - 1] = (int)n_bytes;
    }
}

static void bind_word(struct query *q, int at, uint64_t word)
{
    word = htobe64(word);
    unsigned char *place = backend(q->store)->numbers[at - 1];
    memcpy(place, &word, sizeof word);
    bind(q, at, place, sizeof word);
}

static void postgres_bind_null(struct query *q, int at)
{
    bind(q, at, NULL, 0);
}

static void postgres_bind_int(struct query *q, int at, int64_t v)
{
    bind_word(q, at, (uint64_t)v);
}

static void postgres_bind_num(struct query *q, int at, double v)
{
    uint64_t word;
    memcpy(&word, &v, sizeof word);
    bind_word(q, at, word);
}

static void postgres_bind_text(struct query *q, int at, struct span v)
{
    struct span text = postgres_text_encode(&backend(q->store)->texts, v);
    if (text.ptr)
        bind(q, at, text.ptr, text.len);
    else
        q->no_memory = true;
}

static void postgres_bind_blob(struct query *q, int at, struct span v)
{
    bind(q, at, v.ptr ? v.ptr : "", v.len);
}

/* --- running -----------------------------------------------------------------------------------
 */

static void fail(struct query *q, const PGresult *r)
{
    if (!q->rc)
        q->rc = postgres_error(q->store, r, &backend(q->store)->error);
}

/* The highest N of $N. */
static int count_parameters(const char *sql)
{
    int n = 0;
    for (const char *p = sql; (p = strchr(p, '$')) != NULL; p++) {
        struct span digits = span_of(p + 1);
        int64_t v = 0;
        if (span_int(&digits, &v) == 0 && v > n && v <= POSTGRES_PARAMETERS_MAX)
            n = (int)v;
    }
    return n;
}

static bool prepare(struct query *q, const char *name)
{
    struct postgres *b = backend(q->store);
    if (b->prepared[id_of(q)])
        return true;
    PGresult *r = PQprepare(b->conn, name, statement(q)->sql, 0, NULL);
    bool done = PQresultStatus(r) == PGRES_COMMAND_OK;
    if (!done)
        fail(q, r);
    PQclear(r);
    b->prepared[id_of(q)] = done;
    return done;
}

static bool send(struct query *q)
{
    static const int formats[POSTGRES_PARAMETERS_MAX] = {
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    };
    struct postgres *b = backend(q->store);
    const char *sql = statement(q)->sql;
    int n = count_parameters(sql);
    char name[16] = "";
    if (!q->once)
        snprintf(name, sizeof name, "volplan_%d", (int)id_of(q));
    if (!q->once && !prepare(q, name))
        return false;
    b->sent = true;
    int sent = q->once ? PQsendQueryParams(b->conn, sql, n, NULL, b->values, b->lengths, formats, 1)
                       : PQsendQueryPrepared(b->conn, name, n, b->values, b->lengths, formats, 1);
    if (sent && PQsetSingleRowMode(b->conn))
        return true;
    fail(q, NULL);
    return false;
}

static void drop_row(struct postgres *b)
{
    PQclear(b->row);
    b->row = NULL;
}

static bool postgres_step(struct query *q)
{
    struct postgres *b = backend(q->store);
    if (statement(q)->table || statement(q)->later)
        return false;
    if (!b->sent && !send(q))
        return false;
    drop_row(b);
    arena_reuse(&b->decoded);
    while ((b->row = PQgetResult(b->conn)) != NULL) {
        ExecStatusType status = PQresultStatus(b->row);
        if (status == PGRES_SINGLE_TUPLE)
            return true;
        if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK)
            fail(q, b->row);
        drop_row(b);
    }
    return false;
}

static int postgres_end(struct query *q, struct err *e)
{
    struct postgres *b = backend(q->store);
    if (statement(q)->table) {
        arena_reuse(&b->texts);
        return q->no_memory ? err_nomem(e) : staged_row_done(q->store, id_of(q), e);
    }
    drop_row(b);
    for (PGresult *r; b->sent && (r = PQgetResult(b->conn)) != NULL; PQclear(r))
        if (PQresultStatus(r) == PGRES_FATAL_ERROR)
            fail(q, r);
    b->sent = false;
    arena_reuse(&b->texts);
    return q->rc ? err_set(e, b->error.code, "%s", b->error.text) : 0;
}

static int64_t postgres_added_id(struct query *q)
{
    return staged_of(q)->n_rows;
}

/* --- reading a row -----------------------------------------------------------------------------
 */

static bool postgres_is_null(struct query *q, int at)
{
    return PQgetisnull(backend(q->store)->row, 0, at);
}

static struct span postgres_get_blob(struct query *q, int at)
{
    const PGresult *row = backend(q->store)->row;
    return (struct span){ PQgetvalue(row, 0, at), (size_t)PQgetlength(row, 0, at) };
}

/* Somebody may have changed the type of a column. */
static uint64_t get_word(struct query *q, int at)
{
    struct span bytes = postgres_get_blob(q, at);
    uint64_t word = 0;
    if (bytes.len == sizeof word)
        memcpy(&word, bytes.ptr, sizeof word);
    else if (!q->rc)
        q->rc = err_set(&backend(q->store)->error, ERR_STORE,
                        "%s: damaged (column '%s' has numbers of %zu bytes)", q->store->path,
                        PQfname(backend(q->store)->row, at), bytes.len);
    return be64toh(word);
}

static int64_t postgres_get_int(struct query *q, int at)
{
    return (int64_t)get_word(q, at);
}

static double postgres_get_num(struct query *q, int at)
{
    uint64_t word = get_word(q, at);
    double v;
    memcpy(&v, &word, sizeof v);
    return v;
}

static struct span postgres_get_text(struct query *q, int at)
{
    return postgres_text_decode(&backend(q->store)->decoded, postgres_get_blob(q, at));
}

/* --- transactions ------------------------------------------------------------------------------
 */

int postgres_exec(struct store *s, const char *sql, struct err *e)
{
    PGresult *r = PQexec(backend(s)->conn, sql);
    ExecStatusType status = PQresultStatus(r);
    int rc = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK ? 0 : postgres_error(s, r, e);
    PQclear(r);
    return rc;
}

int postgres_ask(struct store *s, const char *sql, PGresult **out, struct err *e)
{
    *out = PQexec(backend(s)->conn, sql);
    return PQresultStatus(*out) == PGRES_TUPLES_OK ? 0 : postgres_error(s, *out, e);
}

static void forget_file(struct postgres *b, bool committed)
{
    for (size_t i = 0; i < SQL_COUNT; i++)
        staged_forget(&b->staged[i], committed);
    arena_reuse(&b->file);
    b->start = (struct store_file_start){ 0 };
}

static void postgres_rollback(struct store *s)
{
    struct postgres *b = backend(s);
    if (!b || !b->conn)
        return;
    if (PQtransactionStatus(b->conn) != PQTRANS_IDLE && PQstatus(b->conn) == CONNECTION_OK)
        postgres_exec(s, "ROLLBACK", NULL);
    forget_file(b, false);
}

/* A connection that was idle may have been cut without notice. */
static int postgres_begin(struct store *s, enum sql id, struct err *e)
{
    int rc = postgres_reconnect(s, e);
    if (!rc)
        rc = store_run(s, id, e);
    if (rc && PQstatus(backend(s)->conn) == CONNECTION_BAD) {
        rc = postgres_reconnect(s, e);
        if (!rc)
            rc = store_run(s, id, e);
    }
    return rc;
}

/* --- files -------------------------------------------------------------------------------------
 */

static int keep_start(struct postgres *b, const struct store_file_start *f, struct err *e)
{
    b->start = (struct store_file_start){ .system = arena_strdup(&b->file, f->system),
                                          .path = arena_strdup(&b->file, f->path),
                                          .format = arena_strdup(&b->file, f->format),
                                          .zone = arena_strdup(&b->file, f->zone ? f->zone : "UTC"),
                                          .date_ms = f->date_ms };
    if (!b->start.system || !b->start.path || !b->start.format || !b->start.zone)
        return err_nomem(e);
    return 0;
}

static int postgres_file_begin(struct store *s, const struct store_file_start *f, struct err *e)
{
    int rc = postgres_reconnect(s, e);
    if (!rc)
        rc = staged_tidy(s, e);
    if (!rc || PQstatus(backend(s)->conn) == CONNECTION_BAD)
        rc = postgres_begin(s, SQL_BEGIN_WRITE, e);
    if (!rc)
        rc = keep_start(backend(s), f, e);
    if (rc)
        return rc;
    struct query q = query_start(s, SQL_FILE_ADD);
    return query_find(&q, &s->file_id, e);
}

/* From here to the end of the transaction no other file of the system is completed. */
static int postgres_file_known(struct store *s, const struct store_file_end *f, bool *out,
                               struct err *e)
{
    const struct store_file_start *start = &backend(s)->start;
    int rc = store_system_need(s, start->system, &s->system_id, e);
    if (rc)
        return rc;
    struct query q = query_start(s, SQL_FILE_KNOWN);
    query_int(&q, 1, s->system_id);
    query_blob(&q, 2, f->content_hash, sizeof f->content_hash);
    query_text(&q, 3, start->zone);
    query_int(&q, 4, start->date_ms);
    int64_t found = UNKNOWN;
    rc = query_find(&q, &found, e);
    *out = found != UNKNOWN;
    return rc;
}

static int add_file(struct store *s, const struct store_file_end *f, struct err *e)
{
    const struct store_file_start *start = &backend(s)->start;
    struct query q = query_start(s, SQL_FILE_DONE);
    query_int(&q, 1, s->system_id);
    query_int(&q, 2, s->file_id);
    query_text(&q, 3, start->path);
    query_text(&q, 4, start->format);
    query_text(&q, 5, start->zone);
    query_int(&q, 6, start->date_ms);
    query_blob(&q, 7, f->content_hash, sizeof f->content_hash);
    query_int(&q, 8, f->rows);
    query_int(&q, 9, f->skipped);
    query_int(&q, 10, f->bytes);
    query_int(&q, 11, f->first_ms);
    query_int(&q, 12, f->last_ms);
    return query_run(&q, e);
}

static int postgres_file_end(struct store *s, const struct store_file_end *f, struct err *e)
{
    int rc = add_file(s, f, e);
    for (size_t i = 0; i < SQL_COUNT && !rc; i++)
        rc = staged_publish(s, (enum sql)i, e);
    if (!rc)
        rc = store_run(s, SQL_COMMIT, e);
    if (!rc)
        forget_file(backend(s), true);
    return rc;
}

const struct store_driver postgres_driver = {
    .open = postgres_open,
    .close = postgres_close,
    .mark = postgres_mark,
    .init = postgres_init,
    .begin = postgres_begin,
    .rollback = postgres_rollback,
    .file_begin = postgres_file_begin,
    .file_known = postgres_file_known,
    .file_end = postgres_file_end,
    .start = postgres_start,
    .bind_null = postgres_bind_null,
    .bind_int = postgres_bind_int,
    .bind_num = postgres_bind_num,
    .bind_text = postgres_bind_text,
    .bind_blob = postgres_bind_blob,
    .step = postgres_step,
    .end = postgres_end,
    .added_id = postgres_added_id,
    .is_null = postgres_is_null,
    .get_int = postgres_get_int,
    .get_num = postgres_get_num,
    .get_text = postgres_get_text,
    .get_blob = postgres_get_blob,
    .start_text = postgres_start_text,
    .claims_open = postgres_claims_open,
    .claim = postgres_claim,
    .claim_end = postgres_claim_end,
    .claims_in_transaction = true,
    .of_file = "file_id = ?1 AND system_id = ?2",
    .of_snapshot = "file_id = ?1 AND system_id = ?2 AND snapshot_id = ?3",
    .tables = postgres_tables,
    .rules = postgres_rules,
    .table_bytes = postgres_table_bytes,
    .check = postgres_check,
};
