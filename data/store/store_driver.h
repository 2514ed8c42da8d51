/* data/store/store_driver.h - what a backend of the store provides, and what the files that are
 * the same for every backend (store_*.c, row_list.c) work with.
 *
 * A backend is a struct store_driver, a schema and one text for each enum sql.  A statement may
 * leave out its last parameters: what is bound to them is dropped. */
#ifndef DATA_STORE_STORE_DRIVER_H
#define DATA_STORE_STORE_DRIVER_H

#include "data/store/sample_buffer.h"
#include "data/store/store.h"

/* Every statement there is. */
enum sql {
    SQL_BEGIN_READ,
    SQL_BEGIN_WRITE,
    SQL_COMMIT,
    SQL_ROLLBACK,
    SQL_SYSTEM_ADD,
    SQL_SYSTEM_ID,
    SQL_SYSTEM_LOCK,
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
    SQL_BLOCK_LIST,
    SQL_BLOCK_SET,
    SQL_BLOCK_DELETE,
    SQL_METRIC_ADD,
    SQL_METRIC_ID,
    SQL_METRIC_LIST,
    SQL_METRIC_CHUNK_ADD,
    SQL_METRIC_CHUNK_LIST,
    SQL_VALUE_BLOCK_LIST,
    SQL_VALUE_BLOCK_SET,
    SQL_VALUE_BLOCK_DELETE,
    SQL_VOLUME_ADD,
    SQL_VOLUME_LIST,
    SQL_MODIFICATION_ADD,
    SQL_MODIFICATION_LIST,
    SQL_BILL_LINE_ADD,
    SQL_BILL_LINE_LIST,
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
    SQL_RESULT_FILES,
    SQL_RESULT_ZONES,
    SQL_RESULT_COUNTS,
    SQL_RESULT_GET,
    SQL_RESULT_ADD,
    SQL_RESULT_SET,
    SQL_COUNT
};

struct store_driver;

typedef int store_problem_fn(void *ctx, const char *text, struct err *e);

struct store {
    const struct store_driver *driver;
    void *backend; /* the driver's own */
    char *path;
    int64_t wait_ms;         /* 0 = what the backend thinks right */
    int schema, opened_with; /* numbers of the schema: now, and when it was opened */
    /* of the file that is being written; file_id 0 = none */
    int64_t file_id, system_id;
    int64_t n_blocks, n_warnings, n_rows;
    struct sample_buffer *buffer;  /* NULL until the first sample */
    struct metric_buffer *metrics; /* NULL until the first value of a metric */
    unsigned char *columns;        /* COLUMN_COUNT * COLUMN_BYTES_MAX; NULL until the first block */
};

/* One use of a statement.  Errors while binding and reading stick and come out of query_step
 * or query_end, so that callers check one result. */
struct query {
    struct store *store;
    void *stmt;     /* the driver's own */
    bool once;      /* of query_start_text: end forgets it */
    int rc;         /* 0, or the first error in the driver's own numbers */
    bool no_memory; /* of ours, where the driver saw no error */
};

/* For store_upkeep.h, in SQL: ?1 is a time, ?2 a system. */
struct upkeep_table {
    const char *name; /* NULL = the last one */
    const char *gone; /* which rows prune removes; NULL = none */
};
struct upkeep_rule {
    const char *table; /* NULL = the last one */
    const char *broken, *words;
};

/* Rules that every backend has. */
#define UPKEEP_RULES                                                                               \
    { "hourly", "min_mibps > mean_mibps * 1.000001 OR mean_mibps > max_mibps * 1.000001",          \
      "have a mean MiB/s that is not between least and most" },                                    \
        { "hourly", "min_iops > mean_iops * 1.000001 OR mean_iops > max_iops * 1.000001",          \
          "have a mean of requests/s that is not between least and most" },                        \
        { "hourly", "covered_ms <= 0 OR covered_ms > 3600000",                                     \
          "cover no time, or more than an hour" },                                                 \
        { "chunk", "first_ms > last_ms", "end before they begin" },                                \
    {                                                                                              \
        "metric_chunk", "first_ms > last_ms", "end before they begin"                              \
    }

struct store_driver {
    /* Connects and makes the schema fit, as store_open promises.  close is called in any case. */
    int (*open)(struct store *s, enum store_mode mode, struct err *e);
    void (*close)(struct store *s);
    /* As store_mark. */
    int (*mark)(struct store *s, struct store_mark *out, struct err *e);
    /* In place of open: makes the schema, or upgrades it, as store_init has it. */
    int (*init)(struct store *s, const struct store_spread *spread, struct err *e);
    /* SQL_BEGIN_READ or SQL_BEGIN_WRITE. */
    int (*begin)(struct store *s, enum sql id, struct err *e);
    /* Rolls back what is open, if anything is. */
    void (*rollback)(struct store *s);

    /* The file that is written: begin opens its transaction, known says whether the same content
     * is there already, end completes its row and commits. */
    int (*file_begin)(struct store *s, const struct store_file_start *f, struct err *e);
    int (*file_known)(struct store *s, const struct store_file_end *f, bool *out, struct err *e);
    int (*file_end)(struct store *s, const struct store_file_end *f, struct err *e);

    void (*start)(struct query *q, enum sql id); /* sets q->stmt */
    /* The same for a text that is no enum sql; parameters are ?1, ?2, ... */
    void (*start_text)(struct query *q, const char *sql);
    void (*bind_null)(struct query *q, int at);
    void (*bind_int)(struct query *q, int at, int64_t v);
    void (*bind_num)(struct query *q, int at, double v);
    void (*bind_text)(struct query *q, int at, struct span v);
    void (*bind_blob)(struct query *q, int at, struct span v);
    bool (*step)(struct query *q);
    int (*end)(struct query *q, struct err *e);
    /* Of the row that the last statement added. */
    int64_t (*added_id)(struct query *q);
    bool (*is_null)(struct query *q, int at);
    int64_t (*get_int)(struct query *q, int at);
    double (*get_num)(struct query *q, int at);
    /* Valid until the next step; ptr NULL when memory is out. */
    struct span (*get_text)(struct query *q, int at);
    struct span (*get_blob)(struct query *q, int at);

    /* As store_results.h has them. */
    int (*claims_open)(struct store *s, struct err *e);
    int (*claim)(struct store *s, int64_t system_id, bool *out_mine, struct err *e);
    void (*claim_end)(struct store *s); /* after a rollback */
    bool claims_in_transaction;         /* a claim is an open transaction */

    /* Conditions: ?1 is a file, ?2 its system, ?3 a snapshot of the file. */
    const char *of_file, *of_snapshot;
    const struct upkeep_table *tables; /* all: what refers to another comes before it */
    const struct upkeep_rule *rules;
    /* Of a table with its indexes; UNKNOWN where the database does not tell. */
    int (*table_bytes)(struct store *s, const char *table, int64_t *out, struct err *e);
    /* What the database itself finds wrong. */
    int (*check)(struct store *s, store_problem_fn *problem, void *ctx, struct err *e);
};

extern const struct store_driver sqlite_driver, postgres_driver;

/* Steps a statement that takes nothing and gives nothing. */
int store_run(struct store *s, enum sql id, struct err *e);

struct query query_start(struct store *s, enum sql id);
/* For what is asked rarely; sql is read at once. */
struct query query_start_text(struct store *s, const char *sql);
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
/* The same, and the number of the row that was added. */
int query_add(struct query *q, int64_t *out_id, struct err *e);
/* The same, and the number in the first row's first column; UNKNOWN when there is no row. */
int query_find(struct query *q, int64_t *out_id, struct err *e);

int64_t query_get_int(struct query *q, int at);
double query_get_num(struct query *q, int at);
/* NULL for NULL; a copy in the arena. */
const char *query_get_text(struct query *q, int at, struct arena *a);
/* Empty for NULL; valid until the next step. */
struct span query_get_span(struct query *q, int at);
/* Valid until the next step; ptr NULL when memory is out, which is noted. */
struct span query_get_blob(struct query *q, int at);

/* The block the query stands on: its number of samples in column 1, their columns from 2 on.  The
 * number of samples, at most STORE_BLOCK_SAMPLES; 0 when it is damaged or memory is out. */
size_t query_get_samples(struct query *q, struct store_sample *samples);
size_t query_get_values(struct query *q, struct store_metric_value *values);

/* "block" and so on, as the columns `counts` have it. */
const char *store_counts_name(enum count_kind c);
enum count_kind store_counts_of(const char *name);

struct store_block;
/* Makes a block that is there these samples; a transaction must be open. */
int store_set_block(struct store *s, const struct store_series *series,
                    const struct store_block *block, const struct store_sample *samples,
                    struct err *e);
int store_set_value_block(struct store *s, const struct store_metric *metric,
                          const struct store_block *block, const struct store_metric_value *values,
                          struct err *e);

/* Starts a statement whose first parameter is a system; of one that is not there it gives no rows.
 */
int store_query_system(struct store *s, enum sql id, const char *system, struct query *out,
                       struct err *e);
/* Finds or makes it; a transaction must be open. */
int store_system_need(struct store *s, const char *system, int64_t *out_id, struct err *e);

#endif
