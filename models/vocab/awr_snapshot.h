/* models/vocab/awr_snapshot.h - what one AWR report (or Statspack) says of one instance
 * over one period.  Lives in the arena of whoever parsed or loaded it. */
#ifndef MODELS_VOCAB_AWR_SNAPSHOT_H
#define MODELS_VOCAB_AWR_SNAPSHOT_H

#include <stddef.h>
#include <stdint.h>

/* One row of "IOStat by Filetype summary" or "IOStat by Function summary".
 * NaN where the cell is blank or N/A. */
struct awr_io_row {
    const char *name;
    double read_bytes, write_bytes; /* totals of the period */
    double read_requests_per_s, write_requests_per_s;
    double read_bytes_per_s, write_bytes_per_s;
    double small_read_ms, large_read_ms; /* by file type only */
    double waits, wait_avg_ms;           /* by function only */
    int64_t line;
};

struct awr_event {
    const char *name, *wait_class; /* class NULL where none is printed */
    double waits, time_s, avg_ms, pct_db_time;
    int64_t line;
};

/* A statistic of "Instance Activity Stats" or a line of the load or IO profile. */
struct awr_stat {
    const char *name;
    double total, per_s;
    int64_t line;
};

struct awr_snapshot {
    const char *db_name, *instance, *host, *release, *platform;
    int64_t db_id, instance_number; /* UNKNOWN where not given */
    int rac;                        /* 1 yes, 0 no, -1 not said */
    double cpus;
    int64_t begin_ms, end_ms; /* wall clock of the report, read as UTC unless a zone was given */
    double elapsed_s, db_time_s;
    int64_t file_id; /* of the store; 0 = not stored */

    const struct awr_io_row *filetypes, *functions; /* with the row "TOTAL", when printed */
    size_t n_filetypes, n_functions;
    const struct awr_event *events;
    size_t n_events;
    const struct awr_stat *load_profile; /* names normalised: see data/ingest/awr/README.md */
    size_t n_load_profile;
    const struct awr_stat *io_profile; /* as printed, one row per line and column */
    size_t n_io_profile;
    const struct awr_stat *stats;
    size_t n_stats;
};

#endif
