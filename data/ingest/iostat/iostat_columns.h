/* data/ingest/iostat/iostat_columns.h - a heading of `iostat -x`, and the rows below it.
 *
 * Columns go by their heading, never by their place; units are in the heading too:
 * rsec/s is 512 bytes, rkB/s 1 024, rMB/s 1 048 576.  Rows are split on blanks: a wide value
 * pushes its row to the right, but a blank always stays between two values. */
#ifndef DATA_INGEST_IOSTAT_IOSTAT_COLUMNS_H
#define DATA_INGEST_IOSTAT_IOSTAT_COLUMNS_H

#include "models/core/span.h"
#include "models/vocab/io_sample.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum iostat_field {
    FIELD_SKIPPED, /* known and not needed (svctm, discards, flushes), or unknown */
    FIELD_READS,
    FIELD_WRITES,
    FIELD_READ_KIB,
    FIELD_WRITE_KIB,
    FIELD_READ_MERGED,
    FIELD_WRITE_MERGED,
    FIELD_READ_MERGE_PCT,
    FIELD_WRITE_MERGE_PCT,
    FIELD_READ_AWAIT,
    FIELD_WRITE_AWAIT,
    FIELD_AWAIT,
    FIELD_READ_SIZE_KIB,
    FIELD_WRITE_SIZE_KIB,
    FIELD_QUEUE,
    FIELD_UTIL,
    FIELD_COUNT
};

enum { IOSTAT_COLUMNS_MAX = 40 };

struct iostat_columns {
    size_t n; /* numbers in a row: the device's name is not counted */
    unsigned char field[IOSTAT_COLUMNS_MAX];
    double scale[IOSTAT_COLUMNS_MAX]; /* to KiB where the field is one */
    double kib_per_unit;              /* of the throughput columns */
    bool name_last;                   /* iostat -j, --compact */
    size_t indent;                    /* blanks before the heading */
};

enum heading_verdict {
    HEADING_OK,
    HEADING_NONE,       /* no heading of a device table at all */
    HEADING_PLAIN,      /* iostat without -x, or with -s: reads and writes are not split */
    HEADING_STACKED,    /* one of the tables of -h or --pretty */
    HEADING_INCOMPLETE, /* a needed column is missing */
};

/* unknown gets the first heading that nobody knows (empty when there is none), or the
 * missing one for INCOMPLETE. */
enum heading_verdict iostat_heading(struct span line, struct iostat_columns *out,
                                    struct span *unknown);

enum row_verdict {
    ROW_OK,
    ROW_SHORT, /* fewer values than headings */
    ROW_LONG,
    ROW_BAD,   /* not a number */
    ROW_HUMAN, /* "6.5M", "10.4%": rounded for people */
};

struct iostat_row {
    struct span device;
    double value[FIELD_COUNT]; /* NaN where there is no such column */
    int decimals;              /* of the first value */
    int last_decimals;         /* of the last one: fewer when it was cut */
    size_t n;                  /* values seen */
    struct span bad;           /* the value that ROW_BAD or ROW_HUMAN is about */
};

enum row_verdict iostat_row(const struct iostat_columns *c, struct span line,
                            struct iostat_row *out);

/* Rates, sizes, shares and flags of a sample; the caller has set time, host and device.  False
 * when a printed mean request size is far from bytes divided by requests. */
bool iostat_sample(const struct iostat_columns *c, const struct iostat_row *r, struct io_sample *s);

#endif
