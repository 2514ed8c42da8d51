/* models/vocab/load_series.h - measured load over time, and all of it for one system. */
#ifndef MODELS_VOCAB_LOAD_SERIES_H
#define MODELS_VOCAB_LOAD_SERIES_H

#include "models/vocab/awr_snapshot.h"

#include <stddef.h>
#include <stdint.h>

enum series_kind {
    SERIES_DEVICE,   /* one block device of a host, from its operating system */
    SERIES_FILETYPE, /* one Oracle file type of an instance, from AWR */
    SERIES_VOLUME,   /* one EBS volume, from CloudWatch */
    SERIES_INSTANCE, /* a whole host */
};

/* What one request in a series is. */
enum count_kind {
    COUNT_ORACLE, /* a request of the database: 1 MiB is one */
    COUNT_BLOCK,  /* a request after the block layer merged and split */
    COUNT_EBS,    /* a request as it reached EBS */
};

/* Rates that are constant over [begin_ms[i], end_ms[i]); intervals ascend and do not
 * overlap, gaps are allowed.  NaN = not measured.  All arrays have n elements.
 *
 * unsplit_ is load of which the source does not tell whether it was read or written; it comes on
 * top of read_ and write_, and is NaN where these say all.  Both are NULL in a series without any.
 */
struct load_series {
    enum series_kind kind;
    enum count_kind counts;
    const char *host;        /* host or database that was measured; may be NULL */
    const char *name;        /* device, volume id or file type */
    int64_t instance_number; /* of a RAC database, else UNKNOWN */
    size_t n;
    const int64_t *begin_ms, *end_ms;
    const double *read_iops, *write_iops, *read_mibps, *write_mibps;
    const double *unsplit_iops, *unsplit_mibps;
    /* Of block devices: merged / (merged + completed) of the reads, and mean times of requests.
     * NULL where the tool never told. */
    const double *read_merge_pct, *read_await_ms, *write_await_ms;
    /* Where old samples were thinned out (volplan store rollup): of a mean of several, the longest
     * of them, and no rate of its hour is beyond those that were left as measured; else UNKNOWN.
     * NULL where all is as measured. */
    const int64_t *longest_ms;
    const int64_t *file_id, *line; /* where each sample came from */
    /* Samples that were left out: averages since boot, artefacts, what overlaps an
     * earlier loaded sample (duplicates: of exactly its time), and what has no time.  n may be 0
     * when all were. */
    size_t n_since_boot, n_artefacts, n_overlaps, n_duplicates, n_untimed;
    size_t n_resets; /* of n_since_boot, those inside a file: counters or tool started anew */
    size_t n_folds;  /* clocks set back while it was measured: that hour was read twice, apart */
    double artefact_max_mibps; /* the largest that was left out, and when; NaN, UNKNOWN */
    int64_t artefact_max_ms;
};

struct metric_series; /* models/vocab/metric_series.h */
struct stored_record; /* models/vocab/record.h */
struct stored_volume; /* models/vocab/volume_config.h */
struct stored_modification;

/* What a reader found wrong in a file. */
struct load_warning {
    int64_t file_id, line; /* line 0 = the whole file */
    const char *text;
};

/* Everything that the store holds of one system's load. */
struct system_load {
    const char *system;
    const struct load_series *series;
    size_t n_series;
    const struct metric_series *metrics; /* those that did not become load series */
    size_t n_metrics;
    const struct awr_snapshot *const *snapshots; /* ascending by begin_ms */
    size_t n_snapshots;
    size_t n_duplicate_snapshots;  /* the same report loaded twice, as text and as HTML: left out */
    const char *const *file_paths; /* file_paths[i] is the path of file_ids[i] */
    const int64_t *file_ids;
    const char *const *file_formats; /* "iostat", likewise */
    size_t n_files;
    const struct load_warning *warnings;
    size_t n_warnings;
    const struct stored_record *records; /* rows of lsblk, lsdg, blkparse, nvme, ... */
    size_t n_records;
    const struct stored_volume *volumes; /* as the EC2 API described them */
    size_t n_volumes;
    const struct stored_modification *modifications;
    size_t n_modifications;
};

/* What the rates of a sample were averaged over when they were measured. */
double load_series_interval_s(const struct load_series *s, size_t i);
/* Index of the sample that holds at a time; n when none does. */
size_t load_series_at(const struct load_series *s, int64_t time_ms);

/* The path of a file; NULL when the load, which may be NULL, has none of this id. */
const char *system_load_path(const struct system_load *l, int64_t file_id);

#endif
