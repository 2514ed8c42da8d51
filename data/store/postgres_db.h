/* data/store/postgres_db.h - what the files of the PostgreSQL backend share.
 *
 *   postgres_open    connects, checks the schema (postgres_open.c)
 *   postgres_spread  has other servers keep the tables (postgres_spread.c)
 *   postgres_start ... postgres_end   statements of postgres_sql.c (postgres_db.c)
 *   rows of a file   bytes for COPY into temporary tables (postgres_copy.c), moved to the tables
 *                    when the file is complete (postgres_db.c: postgres_file_end)
 *   text             any bytes as UTF-8 and back (postgres_text.c)
 *   errors           in words that say what to do (postgres_error.c) */
#ifndef DATA_STORE_POSTGRES_DB_H
#define DATA_STORE_POSTGRES_DB_H

#include "data/store/store_driver.h"

#include "models/core/arena.h"

#include <libpq-fe.h>

enum { POSTGRES_PARAMETERS_MAX = 32 };

/* What enum sql means here.  Either a statement, or rows that are gathered until the file is
 * complete: they go to `table` by way of a temporary table new_TABLE, `columns` being those that
 * are bound, in order, and `publish` what moves them ($1 is the system, $2 the file).  Neither:
 * nothing is found, because it is looked for when the file is complete. */
struct postgres_statement {
    const char *sql;
    const char *table, *columns, *publish;
    bool later;
    bool numbered; /* the row's number in the file is one more column, the last */
};

extern const struct postgres_statement postgres_statements[SQL_COUNT];
/* postgres_steps[v] brings a store from version v to v + 1. */
extern const char *const postgres_steps[];
extern const int postgres_version;

enum staging { STAGING_NONE, STAGING_NEW /* made by the open transaction */, STAGING_THERE };

/* Rows on their way to a temporary table, as COPY has them. */
struct staged {
    unsigned char *bytes;
    size_t n_bytes, room;
    size_t row_at;    /* where the row begins that is being bound */
    int64_t n_fields; /* of it */
    int64_t n_rows;   /* in this file so far */
    bool copied;      /* some of them are in the temporary table */
    size_t old_bytes; /* what is there of all files since it was emptied */
    enum staging staging;
};

struct postgres_host {
    const char *host, *port;
    const char *dbname; /* NULL = that of the URL */
};

struct postgres {
    PGconn *conn;
    enum store_mode mode;
    bool prepared[SQL_COUNT];
    struct staged staged[SQL_COUNT];

    /* of postgres_start_text */
    struct postgres_statement text;
    char sql[1536];

    /* the statement in use */
    const char *values[POSTGRES_PARAMETERS_MAX];
    int lengths[POSTGRES_PARAMETERS_MAX];
    unsigned char numbers[POSTGRES_PARAMETERS_MAX][8];
    bool sent;
    PGresult *row;
    struct arena texts;   /* parameters that are no UTF-8 */
    struct arena decoded; /* such texts of the row */
    struct err error;

    /* the file that is being written */
    struct arena file;
    struct store_file_start start;
};

/* --- opening (postgres_open.c) -----------------------------------------------------------------
 */

int postgres_open(struct store *s, enum store_mode mode, struct err *e);
void postgres_close(struct store *s);
int postgres_init(struct store *s, const struct store_spread *spread, struct err *e);
/* The session of postgres_open, whatever the schema: with the server of the URL, or with `host` in
 * its place, as the same user. */
int postgres_connect(struct store *s, const char *url, const struct postgres_host *host,
                     enum store_mode mode, struct err *e);
/* Makes the schema, or brings it up to date. */
int postgres_upgrade(struct store *s, struct err *e);
int postgres_mark(struct store *s, struct store_mark *out, struct err *e);
/* Connects anew when the connection is lost. */
int postgres_reconnect(struct store *s, struct err *e);

/* --- tables spread over several servers (postgres_spread.c) ------------------------------------
 */

/* So begins the comment of the schema of a server that keeps a part. */
#define POSTGRES_PART_OF "a part of "

/* As store_init, when s is connected: the schema here and on the hosts that keep parts. */
int postgres_spread(struct store *s, const struct store_spread *spread, struct err *e);

/* --- rows for COPY (postgres_copy.c) -----------------------------------------------------------
 */

/* Begins a row; fields follow in order.  Failing is only possible for want of memory. */
int staged_row(struct staged *t);
int staged_null(struct staged *t);
int staged_field(struct staged *t, const void *bytes, size_t n_bytes);
/* Ends the row, and copies what waits when there is much of it. */
int staged_row_done(struct store *s, enum sql id, struct err *e);
/* Copies all that waits and moves it to its table. */
int staged_publish(struct store *s, enum sql id, struct err *e);
/* Empties the temporary tables of which much was used; outside of a transaction. */
int staged_tidy(struct store *s, struct err *e);
/* The transaction is over. */
void staged_forget(struct staged *t, bool committed);

/* --- text (postgres_text.c) --------------------------------------------------------------------
 */

/* PostgreSQL keeps UTF-8 without NUL only; a file may hold anything.  A byte that is none becomes
 * the private character U+10FE00 + byte, and such a character of the text itself four of them, so
 * that every text comes back as it was.  The text itself when there is nothing to change;
 * ptr NULL when memory is out. */
struct span postgres_text_encode(struct arena *a, struct span text);
struct span postgres_text_decode(struct arena *a, struct span text);

/* --- errors (postgres_error.c) -----------------------------------------------------------------
 */

/* Of a result, or of the connection when it is NULL. */
int postgres_error(const struct store *s, const PGresult *r, struct err *e);
/* Of a connection that could not be made. */
int postgres_connect_error(const struct store *s, struct err *e);

/* One command without parameters, or several; its result counts for nothing. */
int postgres_exec(struct store *s, const char *sql, struct err *e);
/* One command without parameters; its rows are text, and the caller clears them, also after an
 * error. */
int postgres_ask(struct store *s, const char *sql, PGresult **out, struct err *e);

/* --- for store_results.h (postgres_claim.c) ---
 */

int postgres_claims_open(struct store *s, struct err *e);
int postgres_claim(struct store *s, int64_t system_id, bool *out_mine, struct err *e);
void postgres_claim_end(struct store *s);

/* --- for store_upkeep.h (postgres_upkeep.c) ------------------------------------------------------
 */

extern const struct upkeep_table postgres_tables[];
extern const struct upkeep_rule postgres_rules[];
int postgres_table_bytes(struct store *s, const char *table, int64_t *out, struct err *e);
int postgres_check(struct store *s, store_problem_fn *problem, void *ctx, struct err *e);

#endif
