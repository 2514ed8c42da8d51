/* data/ingest/oraclecsv/oraclecsv.h - CSV that scripts spool out of AWR, Statspack and V$ views.
 *
 *   volplan_csv   our own: data/sql/volplan_export.sql and volplan_export_nodp.sql
 *   dma_csv       GCP Database Migration Assessment: profiles by hour of the day
 *   esp_csv       ESP collector: one value for each data element, and hourly series
 *   perfsheet     PerfSheet and its kin: SNAP_TIME, INSTANCE_NUMBER, a name, one or more values
 *
 * Values go to sink.metric, rows that describe a database to sink.record, and what our own export
 * tells of file types and statistics also to sink.snapshot. */
#ifndef DATA_INGEST_ORACLECSV_ORACLECSV_H
#define DATA_INGEST_ORACLECSV_ORACLECSV_H

#include "data/ingest/format.h"

int volplan_csv_detect(struct span head);
int volplan_csv_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                     struct arena *a, int64_t *rows, int64_t *skipped, struct err *e);

int dma_csv_detect(struct span head);
int dma_csv_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                 struct arena *a, int64_t *rows, int64_t *skipped, struct err *e);

int esp_csv_detect(struct span head);
int esp_csv_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                 struct arena *a, int64_t *rows, int64_t *skipped, struct err *e);

int perfsheet_detect(struct span head);
int perfsheet_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                   struct arena *a, int64_t *rows, int64_t *skipped, struct err *e);

#endif
