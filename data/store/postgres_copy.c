/* data/store/postgres_copy.c - rows as binary COPY has them, on their way to a temporary table.
 *
 * A connection copies into one table at a time, and the rows of a file come mixed: each table's
 * wait here until there are many.  The temporary tables live as long as the connection.  They are
 * not emptied for every file, which costs more than a small file does, but when they have grown;
 * until then the number of the file tells its rows from older ones.
 * Format: "COPY Binary Format" in PostgreSQL's manual. */
#include "data/store/postgres_db.h"

#include "models/core/mem.h"

#include <endian.h>
#include <stdio.h>
#include <string.h>

enum { COPY_BYTES = 1 << 18, OLD_BYTES_MAX = 1 << 22, COPY_HEAD_BYTES = 19 };

static const unsigned char copy_head[COPY_HEAD_BYTES] = "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0";
static const unsigned char copy_tail[2] = { 0xff, 0xff };

static int append(struct staged *t, const void *bytes, size_t n_bytes)
{
    if (t->room - t->n_bytes < n_bytes) {
        size_t room = t->room ? t->room : 4096;
        while (room - t->n_bytes < n_bytes)
            room *= 2;
        unsigned char *grown = mem_realloc(t->bytes, room);
        if (!grown)
            return ERR_NOMEM;
        t->bytes = grown;
        t->room = room;
    }
    memcpy(t->bytes + t->n_bytes, bytes, n_bytes);
    t->n_bytes += n_bytes;
    return 0;
}

int staged_row(struct staged *t)
{
    if (t->n_bytes == 0 && append(t, copy_head, sizeof copy_head))
        return ERR_NOMEM;
    t->row_at = t->n_bytes;
    t->n_fields = 0;
    return append(t, "\0", 2); /* the number of fields, known when the row is done */
}

int staged_null(struct staged *t)
{
    t->n_fields++;
    return append(t, "\377\377\377\377", 4);
}

int staged_field(struct staged *t, const void *bytes, size_t n_bytes)
{
    uint32_t n = htobe32((uint32_t)n_bytes);
    t->n_fields++;
    int rc = n_bytes > INT32_MAX ? ERR_NOMEM : append(t, &n, 4);
    return rc ? rc : append(t, bytes, n_bytes);
}

/* The temporary table has the columns of the real one.  Only names of series and metrics bring a
 * system along, and those do not have the file of themselves. */
static int make_table(struct store *s, const struct postgres_statement *p, struct err *e)
{
    const char *table = p->table;
    char sql[240];
    if (p->numbered && strncmp(p->columns, "system_id", 9) == 0)
        snprintf(sql, sizeof sql,
                 "CREATE TEMPORARY TABLE new_%s(LIKE %s INCLUDING STORAGE, file_id bigint)", table,
                 table);
    else
        snprintf(sql, sizeof sql,
                 "CREATE TEMPORARY TABLE new_%s(LIKE %s INCLUDING STORAGE);"
                 "ALTER TABLE new_%s DROP COLUMN system_id",
                 table, table, table);
    return postgres_exec(s, sql, e);
}

/* Waits for what a COPY gives back; the connection is free again after it. */
static int finish_copy(struct store *s, struct err *e)
{
    struct postgres *b = s->backend;
    int rc = 0;
    for (PGresult *r; (r = PQgetResult(b->conn)) != NULL; PQclear(r))
        if (PQresultStatus(r) != PGRES_COMMAND_OK && !rc)
            rc = postgres_error(s, r, e);
    return rc;
}

static int start_copy(struct store *s, const struct postgres_statement *p, struct err *e)
{
    struct postgres *b = s->backend;
    char sql[1024];
    snprintf(sql, sizeof sql, "COPY new_%s(%s) FROM STDIN (FORMAT binary)", p->table, p->columns);
    PGresult *r = PQexec(b->conn, sql);
    int rc = PQresultStatus(r) == PGRES_COPY_IN ? 0 : postgres_error(s, r, e);
    PQclear(r);
    return rc;
}

static int copy_rows(struct store *s, enum sql id, struct err *e)
{
    struct postgres *b = s->backend;
    const struct postgres_statement *p = &postgres_statements[id];
    struct staged *t = &b->staged[id];
    if (t->n_bytes == 0)
        return 0;
    int rc = append(t, copy_tail, sizeof copy_tail) ? err_nomem(e) : 0;
    if (!rc && t->staging == STAGING_NONE) {
        rc = make_table(s, p, e);
        t->staging = STAGING_NEW;
    }
    if (!rc)
        rc = start_copy(s, p, e);
    if (rc)
        return rc;
    if (PQputCopyData(b->conn, (const char *)t->bytes, (int)t->n_bytes) != 1 ||
        PQputCopyEnd(b->conn, NULL) != 1)
        rc = postgres_error(s, NULL, e);
    int end_rc = finish_copy(s, rc ? NULL : e);
    t->old_bytes += t->n_bytes;
    t->n_bytes = 0;
    t->copied = true;
    return rc ? rc : end_rc;
}

int staged_row_done(struct store *s, enum sql id, struct err *e)
{
    struct postgres *b = s->backend;
    struct staged *t = &b->staged[id];
    t->n_rows++;
    if (postgres_statements[id].numbered) {
        uint64_t number = htobe64((uint64_t)t->n_rows);
        if (staged_field(t, &number, sizeof number))
            return err_nomem(e);
    }
    uint16_t n_fields = htobe16((uint16_t)t->n_fields);
    memcpy(t->bytes + t->row_at, &n_fields, sizeof n_fields);
    return t->n_bytes >= COPY_BYTES ? copy_rows(s, id, e) : 0;
}

int staged_publish(struct store *s, enum sql id, struct err *e)
{
    struct postgres *b = s->backend;
    int rc = copy_rows(s, id, e);
    if (rc || !b->staged[id].copied)
        return rc;
    char system[24], file[24];
    snprintf(system, sizeof system, "%lld", (long long)s->system_id);
    snprintf(file, sizeof file, "%lld", (long long)s->file_id);
    const char *const values[] = { system, file };
    PGresult *r =
        PQexecParams(b->conn, postgres_statements[id].publish, 2, NULL, values, NULL, NULL, 0);
    rc = PQresultStatus(r) == PGRES_COMMAND_OK ? 0 : postgres_error(s, r, e);
    PQclear(r);
    return rc;
}

int staged_tidy(struct store *s, struct err *e)
{
    struct postgres *b = s->backend;
    int rc = 0;
    for (size_t i = 0; i < SQL_COUNT && !rc; i++) {
        struct staged *t = &b->staged[i];
        if (t->staging != STAGING_THERE || t->old_bytes < OLD_BYTES_MAX)
            continue;
        char sql[64];
        snprintf(sql, sizeof sql, "TRUNCATE new_%s", postgres_statements[i].table);
        rc = postgres_exec(s, sql, e);
        t->old_bytes = 0;
    }
    return rc;
}

void staged_forget(struct staged *t, bool committed)
{
    mem_free(t->bytes);
    struct staged kept = { .staging = t->staging, .old_bytes = t->old_bytes };
    if (t->staging == STAGING_NEW)
        kept.staging = committed ? STAGING_THERE : STAGING_NONE;
    *t = kept;
}
