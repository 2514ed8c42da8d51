/* data/ingest/format.h - the table of formats, and what a parser is given.
 *
 * A new format is a folder here, one row in format.c, its goldens and its fuzz target.
 * Formats are told from the content alone, never from the name. */
#ifndef DATA_INGEST_FORMAT_H
#define DATA_INGEST_FORMAT_H

#include "data/ingest/source.h"
#include "models/core/arena.h"
#include "models/vocab/awr_snapshot.h"
#include "models/vocab/bill_line.h"
#include "models/vocab/io_sample.h"
#include "models/vocab/metric_sample.h"
#include "models/vocab/record.h"
#include "models/vocab/volume_config.h"

#include <stdbool.h>

struct zone;       /* data/zone.h */
struct cw_request; /* data/ingest/cloudwatch/cloudwatch.h */

/* What the user said of an input. */
struct ingest_options {
    const char *format;               /* name of a format; NULL = detect */
    int64_t date_ms;                  /* day of the first sample where the file has none; UNKNOWN */
    double interval_s;                /* where the file has no time stamps, or no period; NaN */
    const struct zone *zone;          /* of times without one; NULL = UTC */
    const struct cw_request *request; /* of CloudWatch answers in the same folder; NULL */
};

/* Where a parser puts what it finds.  Everything handed over is valid during the call only.
 * A callback returns 0, or a negative code that the parser passes on at once. */
struct sink {
    void *ctx;
    int (*sample)(void *ctx, const struct io_sample *s, struct err *e);
    int (*snapshot)(void *ctx, const struct awr_snapshot *s, struct err *e);
    int (*metric)(void *ctx, const struct metric_sample *s, struct err *e);
    int (*volume)(void *ctx, const struct volume_config *v, struct err *e);
    int (*modification)(void *ctx, const struct volume_modification *m, struct err *e);
    int (*bill_line)(void *ctx, const struct bill_line *l, struct err *e);
    int (*record)(void *ctx, const struct record *r, struct err *e);
    /* Something was skipped or looks wrong; line 0 = the whole file. */
    int (*warning)(void *ctx, int64_t line, const char *text, struct err *e);
};

struct format {
    const char *name; /* as INTERFACE.md lists it */
    /* 0 = not this, 100 = certain; head is the first SOURCE_HEAD bytes. */
    int (*detect)(struct span head);
    /* Reads all of src into sink.  rows counts what was handed over, skipped what was not read;
     * both are set with 0 only.
     * ERR_PARSE: the text begins with "PATH:LINE: "; of a layout or a plan with "PATH: ", and names
     * the key. */
    int (*read)(struct source *src, const struct ingest_options *o, struct sink *sink,
                struct arena *a, int64_t *rows, int64_t *skipped, struct err *e);
    /* Why ingest refuses it: what it is and which command takes it; NULL = ingest does. */
    const char *not_kept;
};

/* The format the user named, else the one with the highest score.  ERR_PARSE
 * "PATH:1: ..." when nothing fits: says what the bytes look like. */
int format_of(struct source *src, const struct ingest_options *o, const struct format **out,
              struct err *e);
/* NULL for an unknown name. */
const struct format *format_find(const char *name);
/* All of them; *n is their number. */
const struct format *format_table(size_t *n);

#endif
