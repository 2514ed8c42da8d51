/* data/store/sqlite_db.h - what the files of the SQLite backend share. */
#ifndef DATA_STORE_SQLITE_DB_H
#define DATA_STORE_SQLITE_DB_H

#include "data/store/sample_buffer.h"
#include "data/store/store.h"

#include <sqlite3.h>

/* Every statement there is; the SQL is in sqlite_sql.c, the schema in sqlite_schema.c. */
enum sql {
    SQL_BEGIN_READ,
    SQL_BEGIN_WRITE,
    SQL_COMMIT,
    SQL_ROLLBACK,
    SQL_SYSTEM_ADD,
    SQL_SYSTEM_ID,
    SQL_SYSTEM_LIST,
    SQL_LAYOUT_GET,
    SQL_LAYOUT_SET,
    SQL_FILE_ADD,
    SQL_FILE_KNOWN,
    SQL_FILE_DONE,
    SQL_FILE_LIST,
    SQL_WARNING_ADD,
    SQL_WARNING_LIST,
    SQL_SERIES_ADD,
    SQL_SERIES_ID,
    SQL_SERIES_LIST,
    SQL_CHUNK_ADD,
    SQL_CHUNK_LIST,
    SQL_METRIC_ADD,
    SQL_METRIC_ID,
    SQL_METRIC_LIST,
    SQL_METRIC_CHUNK_ADD,
    SQL_METRIC_CHUNK_LIST,
    SQL_VOLUME_ADD,
    SQL_VOLUME_LIST,
    SQL_MODIFICATION_ADD,
    SQL_MODIFICATION_LIST,
    SQL_BILL_LINE_ADD,
    SQL_RECORD_ADD,
    SQL_RECORD_LIST,
    SQL_RECORD_FIELD_ADD,
    SQL_RECORD_FIELD_LIST,
    SQL_HOURLY_ADD,
    SQL_SNAPSHOT_ADD,
    SQL_SNAPSHOT_LIST,
    SQL_SNAPSHOT_IO_ADD,
    SQL_SNAPSHOT_IO_LIST,
    SQL_SNAPSHOT_EVENT_ADD,
    SQL_SNAPSHOT_EVENT_LIST,
    SQL_SNAPSHOT_STAT_ADD,
    SQL_SNAPSHOT_STAT_LIST,
    SQL_COUNT
};

struct store {
    sqlite3 *db;
    char *path;
    int64_t wait_ms;
    sqlite3_stmt *statements[SQL_COUNT];
    /* of the file that is being written; file_id 0 = none */
    int64_t file_id, system_id;
    int64_t n_blocks, n_warnings, n_rows;
    struct sample_buffer *buffer;  /* NULL until the first sample */
    struct metric_buffer *metrics; /* NULL until the first value of a metric */
    unsigned char *columns;        /* COLUMN_COUNT * COLUMN_BYTES_MAX; NULL until the first block */
};

extern const char *const sql_texts[SQL_COUNT];
/* schema_steps[v] brings a store from version v to v + 1. */
extern const char *const schema_steps[];
extern const int schema_version;

/* The error of the last call on the connection, as ERR_NOMEM or ERR_STORE with words. */
int db_error(const struct store *s, int rc, struct err *e);
/* Steps a statement that takes nothing and gives nothing. */
int db_run(struct store *s, enum sql id, struct err *e);
/* ROLLBACK, if a transaction is open. */
void db_rollback(struct store *s);

/* One use of a statement.  Errors while binding and reading stick and come out of query_step
 * or query_end, so that callers check one result. */
struct query {
    struct store *store;
    sqlite3_stmt *stmt;
    int rc; /* SQLITE_OK, or the first error */
};

struct query query_start(struct store *s, enum sql id);
void query_int(struct query *q, int at, int64_t v);      /* UNKNOWN is NULL */
void query_num(struct query *q, int at, double v);       /* NaN is NULL */
void query_text(struct query *q, int at, const char *v); /* NULL is NULL; must outlive the query */
void query_span(struct query *q, int at, struct span v); /* empty is NULL */
void query_blob(struct query *q, int at, const void *v, size_t n_bytes);
/* True while there is a row. */
bool query_step(struct query *q);
/* Resets the statement and returns 0 or the error. */
int query_end(struct query *q, struct err *e);
/* Start, step to the end and end: for statements whose binding is done. */
int query_run(struct query *q, struct err *e);

int64_t query_get_int(struct query *q, int at);
double query_get_num(struct query *q, int at);
/* NULL for NULL; a copy in the arena. */
const char *query_get_text(struct query *q, int at, struct arena *a);

/* "block" and so on, as the columns `counts` have it. */
const char *db_counts_name(enum count_kind c);
enum count_kind db_counts_of(const char *name);

/* Finds or makes it; a transaction must be open. */
int db_system_need(struct store *s, const char *system, int64_t *out_id, struct err *e);

#endif
