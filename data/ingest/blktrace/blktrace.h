/* data/ingest/blktrace/blktrace.h - traces of single requests, as totals.
 *
 *   blkparse  the text of blkparse: "devices" (requests queued, merged, issued, completed, their
 * mean size, merge share, errors), "sizes" (of issued requests), "submitters" (who queued requests,
 * and how many of them were merged) strace    io_submit, io_getevents, io_uring_enter, pread,
 * pwrite and their kin: "calls" (requests per call), "sizes" (of requests)
 *
 * Memory depends on the number of devices, sizes and processes, not on the trace's length. */
#ifndef DATA_INGEST_BLKTRACE_BLKTRACE_H
#define DATA_INGEST_BLKTRACE_BLKTRACE_H

#include "data/ingest/format.h"

int blkparse_detect(struct span head);
int blkparse_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                  struct arena *a, int64_t *rows, int64_t *skipped, struct err *e);

int strace_detect(struct span head);
int strace_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                struct arena *a, int64_t *rows, int64_t *skipped, struct err *e);

#endif
