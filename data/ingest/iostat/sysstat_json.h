/* data/ingest/iostat/sysstat_json.h - walks the JSON of iostat -o JSON and of sadf -j.
 *
 *   {"sysstat": {"hosts": [{"nodename": ..., "date": ..., "statistics": [
 *       {"timestamp": ..., "disk": [{"disk_device": ..., "r/s": ...}, ...], ...}]}]}}
 *
 * Keys are the headings of the text (iostat_columns.h).  The text is walked, never built: a
 * day of one-second samples has millions of members. */
#ifndef DATA_INGEST_IOSTAT_SYSSTAT_JSON_H
#define DATA_INGEST_IOSTAT_SYSSTAT_JSON_H

#include "data/ingest/iostat/iostat_columns.h"
#include "data/ingest/json/json_scan.h"
#include "data/ingest/source.h"

/* Each returns 0, or a negative code that ends the walk. */
struct sysstat_json_visitor {
    void *ctx;
    int (*host_begin)(void *ctx);
    /* A member of a host that is a text. */
    int (*host_text)(void *ctx, struct span key, struct span text);
    /* A list of disks comes; timestamp: as written, empty when there was none before it. */
    int (*report)(void *ctx, struct json_value timestamp, int64_t line);
    int (*device)(void *ctx, struct span name, const struct iostat_row *row, double kib_per_unit,
                  int64_t line);
};

/* The text begins as one of these documents and names disks under that key. */
bool sysstat_json_detect(struct span head, const char *device_key);

/* What stands between the quotes; empty for a value that is no text. */
struct span sysstat_json_text(struct json_value v);

/* Reads all of src.  A document that ends early is walked as far as it goes: *cut is its fault.
 * ERR_PARSE "PATH:LINE: ..." for other faults. */
int sysstat_json_read(struct source *src, const struct sysstat_json_visitor *v,
                      struct json_fault *cut, struct err *e);

#endif
