/* cli/cmd/inspection.h - the sink of `inspect`.
 *
 * For machines what a parser finds goes to the emitter at once, so that memory does not grow with
 * the file; only values of metrics are gathered by series, up to a bound.  For people it is
 * summed up: a row per device, series or usage type, and the first rows of listings. */
#ifndef CLI_CMD_INSPECTION_H
#define CLI_CMD_INSPECTION_H

#include "cli/cmd/bill_summary.h"
#include "cli/cmd/device_summary.h"
#include "cli/cmd/listing.h"
#include "cli/cmd/metric_group.h"
#include "data/ingest/format.h"

enum { LISTS_MAX = 16, KEPT_RECORDS_MAX = 100000 };

struct kept_record;

struct inspection {
    struct emit *m;
    bool flat;                    /* CSV: metrics are rows, not points of series */
    size_t n_files;               /* begun so far */
    bool file_open;               /* the last one is not ended */
    const char *path;             /* of the file being read; so below */
    const char *lists[LISTS_MAX]; /* opened so far, the last one is open */
    size_t n_lists;
    bool list_open;
    /* Records of another kind than the open list's wait here: a key stands once in an object. */
    struct kept_record *kept, **kept_end;
    size_t n_kept;
    struct metric_groups metrics;
    int64_t snapshots, samples;
    struct device_summary devices;
    struct bill_summary bill;
    struct listing listing;
    struct arena arena;
};

/* For the next file. */
void inspection_start(struct inspection *in, const char *path);
/* The sink; ctx is the inspection. */
struct sink inspection_sink(struct inspection *in);
/* Emits what waits and ends what is open.  ERR_NOMEM. */
int inspection_end(struct inspection *in, struct err *e);
/* The tables for people, which follow what is said of the file. */
int inspection_summary(struct inspection *in, struct err *e);
void inspection_release(struct inspection *in);

#endif
