/* data/ingest/oraclecsv/spool_table.h - the run through a spooled CSV: head, rows, what is left.
 *
 *   spool_table_read
 *     open     finds the columns it needs in the head
 *     row      takes csv's record: samples into batch, or what it likes into sink */
#ifndef DATA_INGEST_ORACLECSV_SPOOL_TABLE_H
#define DATA_INGEST_ORACLECSV_SPOOL_TABLE_H

#include "data/ingest/csv/csv.h"
#include "data/ingest/oraclecsv/metric_batch.h"
#include "data/ingest/oraclecsv/snap_clock.h"
#include "data/ingest/oraclecsv/spool_cell.h"

struct spool_table {
    struct csv csv;
    const struct ingest_options *options;
    struct sink *sink;
    struct err *err;
    struct metric_batch batch;
    struct snap_clock clock;
    struct spool_warnings broken;
    int64_t n_rows; /* handed over past the batch */
    int64_t n_skipped;
};

struct spool_layout {
    const char *left_out; /* of warnings beyond those told: "rows are left out" */
    int (*open)(void *reader, bool has_head);
    int (*row)(void *reader);
};

/* t is part of the reader.  *rows and *skipped are written on success only. */
int spool_table_read(struct spool_table *t, const struct spool_layout *layout, void *reader,
                     struct source *src, struct arena *a, int64_t *rows, int64_t *skipped);
/* The record at hand is left out with a warning; what sink.warning returns. */
int spool_table_leave_out(struct spool_table *t, const char *why);

#endif
