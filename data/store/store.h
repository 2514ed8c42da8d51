/* data/store/store.h - where everything that was read is kept.
 *
 * The header knows no database: a path is a SQLite file, or the URL of a PostgreSQL server
 * (postgresql://...).  The schema and the encoding of the samples are in docs/store.md.
 *
 * Every source file is one transaction, from store_file_begin to store_file_commit or
 * store_file_rollback.  A file is known by the hash of its decoded content together
 * with system, zone and date: committing a known one changes nothing.
 *
 * A handle belongs to one thread at a time.  Errors: ERR_STORE with path and reason,
 * ERR_NOMEM, ERR_USAGE where the user named something that is not there. */
#ifndef DATA_STORE_STORE_H
#define DATA_STORE_STORE_H

#include "models/core/arena.h"
#include "models/core/err.h"
#include "models/vocab/awr_snapshot.h"
#include "models/vocab/bill_line.h"
#include "models/vocab/io_sample.h"
#include "models/vocab/load_series.h"
#include "models/vocab/metric_series.h"
#include "models/vocab/record.h"
#include "models/vocab/volume_config.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct store;

/* Before any other call, once per process: routes the backend's memory through models/core/mem. */
int store_global_init(struct err *e);

enum store_mode {
    STORE_READ,  /* must exist; nothing is written */
    STORE_WRITE, /* must exist */
    STORE_CREATE /* made when it is not there; on a server store_init makes it */
};

struct store_options {
    enum store_mode mode;
    int64_t wait_ms; /* for another process that holds the store; 0 = 5 seconds, a server 60 */
};

/* An older schema is upgraded (on a server: by store_init), a newer one refused.  A URL may hold no
 * password. */
int store_open(const char *path, const struct store_options *o, struct store **out, struct err *e);
/* Whether the path is the URL of a server. */
bool store_is_server(const char *path);

/* How the tables of a server's store are spread over more servers, by system. */
struct store_spread {
    const char *hosts; /* "HOST,HOST:PORT,..." keep them, by postgres_fdw; NULL = none */
    bool citus;        /* Citus does, which is in the database */
};
/* Makes the store, or upgrades it.  spread NULL = as it is; a store that is spread, or holds files,
 * is not spread otherwise: ERR_USAGE, as for a store that is a file. */
int store_init(const char *path, const struct store_spread *spread, struct err *e);
void store_close(struct store *s); /* NULL does nothing; an open file is rolled back */
const char *store_path(const struct store *s);

/* Differs once another process has written to the store, or has put another one in its place: what
 * was read with this handle while the mark was another must then be read anew, with a new one. */
struct store_mark {
    int64_t version, place[2];
};
int store_mark(struct store *s, struct store_mark *out, struct err *e);

/* --- systems and layouts -----------------------------------------------------------------------
 */

/* Names of all systems, ascending; in the arena. */
int store_systems(struct store *s, struct arena *a, const char *const **out, size_t *out_n,
                  struct err *e);
/* The system the user means: `given`, or the only one when given is NULL.  ERR_USAGE names
 * those there are. */
int store_system_resolve(struct store *s, const char *given, struct arena *a, const char **out,
                         struct err *e);
/* The layout as it was set; *out is NULL when the system has none or is not known. */
int store_layout_get(struct store *s, const char *system, struct arena *a, const char **out_json,
                     struct err *e);
/* Replaces the layout; makes the system when it is new.  The text is not looked into. */
int store_layout_set(struct store *s, const char *system, const char *json, struct err *e);

/* --- writing one source file -------------------------------------------------------------------
 */

struct store_file_start {
    const char *system, *path, *format;
    const char *zone; /* as the user named it; NULL = UTC */
    int64_t date_ms;  /* as the user gave it; UNKNOWN */
};

struct store_file_end {
    unsigned char content_hash[16]; /* XXH3-128 of the decoded content */
    int64_t rows, skipped, bytes;
    int64_t first_ms, last_ms; /* UNKNOWN when nothing has a time */
};

/* Takes the write lock. */
int store_file_begin(struct store *s, const struct store_file_start *f, struct err *e);
/* Samples of one device in time order.  ERR_LIMIT beyond STORE_DEVICES_MAX devices. */
int store_file_sample(struct store *s, const struct io_sample *sample, struct err *e);
int store_file_snapshot(struct store *s, const struct awr_snapshot *snapshot, struct err *e);
/* Values of one metric, statistic and dimension in time order, or nearly.  ERR_LIMIT when its texts
 * together are longer than STORE_METRIC_TEXT_MAX. */
int store_file_metric(struct store *s, const struct metric_sample *sample, struct err *e);
int store_file_volume(struct store *s, const struct volume_config *v, struct err *e);
int store_file_modification(struct store *s, const struct volume_modification *m, struct err *e);
/* Whether a line is worth keeping (of EBS) is the caller's business. */
int store_file_bill_line(struct store *s, const struct bill_line *l, struct err *e);
int store_file_record(struct store *s, const struct record *r, struct err *e);
int store_file_warning(struct store *s, int64_t line, const char *text, struct err *e);
/* After 0 the file is in (*out_known false), or was there before and nothing has changed
 * (true); after an error it is rolled back. */
int store_file_commit(struct store *s, const struct store_file_end *f, bool *out_known,
                      struct err *e);
void store_file_rollback(struct store *s); /* nothing open: does nothing */

enum { STORE_DEVICES_MAX = 16384, STORE_BLOCK_SAMPLES = 4096, STORE_METRIC_TEXT_MAX = 16384 };

/* --- reading -----------------------------------------------------------------------------------
 */

/* One view of the store for several reads in a row. */
int store_read_begin(struct store *s, struct err *e);
void store_read_end(struct store *s);

struct store_warning {
    int64_t line; /* 0 = the whole file */
    const char *text;
};

struct store_file {
    int64_t file_id;
    const char *path, *format, *zone;
    int64_t date_ms, rows, skipped, bytes, first_ms, last_ms;
    const struct store_warning *warnings;
    size_t n_warnings;
};

/* All files of a system in the order in which they were loaded; in the arena. */
int store_files(struct store *s, const char *system, struct arena *a, struct store_file **out,
                size_t *out_n, struct err *e);

enum store_flag { STORE_SINCE_BOOT = 1, STORE_ARTEFACT = 2 };

/* A sample as it is kept.  NaN and UNKNOWN where the tool did not tell. */
struct store_sample {
    int64_t begin_ms, end_ms, line;
    int64_t flags; /* of enum store_flag */
    double reads_per_s, writes_per_s, read_kib_per_s, write_kib_per_s;
    double read_merge_pct, write_merge_pct;
    double read_await_ms, write_await_ms, await_ms;
    double queue, util_pct;
    /* Only where the tool does not tell reads from writes. */
    double total_per_s, total_kib_per_s;
    /* Of a mean that a rollup made: the longest sample behind it; else UNKNOWN. */
    int64_t longest_ms;
};

struct store_series {
    int64_t series_id, system_id;
    enum series_kind kind;
    enum count_kind counts;
    const char *host; /* NULL when the file names none */
    const char *name;
    int64_t instance_number; /* UNKNOWN */
    int64_t n_samples;       /* in all files together */
};

/* All series of a system by host and name; in the arena. */
int store_series(struct store *s, const char *system, struct arena *a, struct store_series **out,
                 size_t *out_n, struct err *e);
/* Hands over the blocks of one series, files in loading order and samples as they came.
 * What the callback gets is valid during the call. */
typedef int store_block_fn(void *ctx, int64_t file_id, const struct store_sample *samples, size_t n,
                           struct err *e);
int store_samples(struct store *s, const struct store_series *series, store_block_fn *fn, void *ctx,
                  struct err *e);

struct store_metric {
    int64_t metric_id, system_id;
    struct metric_series head; /* n is that of all files together; no arrays */
};

/* All metrics of a system by namespace, metric, dimension and statistic; in the arena. */
int store_metrics(struct store *s, const char *system, struct arena *a, struct store_metric **out,
                  size_t *out_n, struct err *e);

/* A value of a metric as it is kept. */
struct store_metric_value {
    int64_t time_ms, line;
    double period_s, value;
};

/* Hands over the blocks of one metric, as store_samples does. */
typedef int store_values_fn(void *ctx, int64_t file_id, const struct store_metric_value *values,
                            size_t n, struct err *e);
int store_metric_values(struct store *s, const struct store_metric *metric, store_values_fn *fn,
                        void *ctx, struct err *e);

/* All snapshots of a system, ascending by begin_ms, with their rows; in the arena. */
int store_snapshots(struct store *s, const char *system, struct arena *a,
                    const struct awr_snapshot *const **out, size_t *out_n, struct err *e);

/* All volumes of a system, and all changes of them, files in loading order and rows as they came;
 * in the arena. */
int store_volumes(struct store *s, const char *system, struct arena *a,
                  const struct stored_volume **out, size_t *out_n, struct err *e);
int store_modifications(struct store *s, const char *system, struct arena *a,
                        const struct stored_modification **out, size_t *out_n, struct err *e);
/* Hands over the lines of all bills of a system, files in loading order and lines as they came.
 * What the callback gets is valid during the call. */
typedef int store_bill_line_fn(void *ctx, int64_t file_id, const struct bill_line *l,
                               struct err *e);
int store_bill_lines(struct store *s, const char *system, store_bill_line_fn *fn, void *ctx,
                     struct err *e);
enum { STORE_RECORDS_MAX = 100000, STORE_READINGS_MAX = 1000 };
/* Records of a system, files in loading order and rows as they came; in the arena.  Of readings
 * (cumulative counters, one a second maybe) the last STORE_READINGS_MAX of each file; in all the
 * first STORE_RECORDS_MAX. */
int store_records(struct store *s, const char *system, struct arena *a,
                  const struct stored_record **out, size_t *out_n, struct err *e);

#endif
