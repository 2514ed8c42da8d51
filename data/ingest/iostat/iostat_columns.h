/* data/ingest/iostat/iostat_columns.h - a heading of a sysstat table, and the rows below it.
 *
 * Columns go by their heading, never by their place; units are in the heading too: rsec/s and
 * Blk_read/s count 512 bytes, rkB/s 1 024, rMB/s 1 048 576; avgrq-sz counts sectors, areq-sz KiB
 * even beside MB.  Rows are split on blanks: a wide value pushes its row to the right, but a blank
 * always stays between two values.  The same words head the tables of sar and sadf. */
#ifndef DATA_INGEST_IOSTAT_IOSTAT_COLUMNS_H
#define DATA_INGEST_IOSTAT_IOSTAT_COLUMNS_H

#include "data/ingest/text/text_places.h"
#include "models/core/span.h"
#include "models/vocab/io_sample.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum iostat_field {
    FIELD_SKIPPED, /* known and not needed (svctm, discards, flushes), or unknown */
    FIELD_READS,
    FIELD_WRITES,
    FIELD_TOTAL, /* tps: both, and discards from sysstat 12 on */
    FIELD_READ_KIB,
    FIELD_WRITE_KIB,
    FIELD_DISCARD_KIB,
    FIELD_WRITE_DISCARD_KIB, /* added together by iostat -s */
    FIELD_TOTAL_KIB,
    FIELD_READ_MERGED,
    FIELD_WRITE_MERGED,
    FIELD_READ_MERGE_PCT,
    FIELD_WRITE_MERGE_PCT,
    FIELD_READ_AWAIT,
    FIELD_WRITE_AWAIT,
    FIELD_AWAIT,
    FIELD_WAIT, /* avwait, avserv: the parts of await in the sar of Unix */
    FIELD_SERVICE,
    FIELD_READ_SIZE_KIB,
    FIELD_WRITE_SIZE_KIB,
    FIELD_SIZE_KIB,
    FIELD_QUEUE,
    FIELD_UTIL,
    FIELD_COUNT
};

enum { IOSTAT_COLUMNS_MAX = 40 };

/* One heading: its field, KiB per unit where it counts bytes, else 0. */
struct iostat_column {
    const char *head;
    enum iostat_field field;
    double kib;
};
/* NULL for a heading that nobody knows. */
const struct iostat_column *iostat_column_of(struct span head);

struct iostat_columns {
    size_t n; /* numbers in a row: the device's name is not counted */
    unsigned char field[IOSTAT_COLUMNS_MAX];
    double kib[IOSTAT_COLUMNS_MAX];          /* as in struct iostat_column */
    double factor[IOSTAT_COLUMNS_MAX];       /* of a number without a suffix: kib, or 1 */
    unsigned char taken[IOSTAT_COLUMNS_MAX]; /* the columns that are not skipped */
    size_t n_taken;
    double kib_per_unit;            /* of the throughput columns */
    bool name_last;                 /* iostat -j, --compact, -h; sar -p */
    size_t indent;                  /* blanks before the heading */
    size_t end[IOSTAT_COLUMNS_MAX]; /* of each value in the last row that was read */
    struct text_places places;      /* of these */
};

enum heading_verdict {
    HEADING_OK,
    HEADING_NONE,       /* no heading of a device table at all */
    HEADING_PART,       /* one of the stacked tables of -h or --pretty, or of one direction alone */
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
    ROW_BAD, /* not a number */
};

struct iostat_row {
    struct span device;
    double value[FIELD_COUNT]; /* NaN where there is no such column; of FIELD_SKIPPED anything */
    int decimals;              /* of the first value */
    int last_decimals;         /* of the last one: fewer when it was cut */
    bool rounded;              /* a value was rounded for people: "6.5M" */
    size_t n;                  /* values seen */
    struct span bad;           /* the value that ROW_BAD is about */
    struct span unknown;       /* the last value that was "nan" or "inf"; ptr NULL = none was */
};

/* Values mostly end where they ended in the row above: c keeps that. */
enum row_verdict iostat_row(struct iostat_columns *c, struct span line, struct iostat_row *out);

/* Rates, sizes, shares and flags of a sample; the caller has set time, host and device.  False
 * when a printed mean request size is far from bytes divided by requests. */
bool iostat_sample(const struct iostat_columns *c, const struct iostat_row *r, struct io_sample *s);

#endif
