/* data/ingest/unixstat/unixstat_columns.h - headings of iostat on AIX and Solaris, and values. */
#ifndef DATA_INGEST_UNIXSTAT_UNIXSTAT_COLUMNS_H
#define DATA_INGEST_UNIXSTAT_UNIXSTAT_COLUMNS_H

#include "models/core/span.h"
#include "models/vocab/io_sample.h"

enum unix_field {
    UNIX_SKIPPED,
    UNIX_DEVICE,
    UNIX_TIME, /* AIX -T: hh:mm:ss */
    UNIX_UTIL,
    UNIX_TOTAL,
    UNIX_READS,
    UNIX_WRITES,
    UNIX_TOTAL_KIB,
    UNIX_READ_KIB,
    UNIX_WRITE_KIB,
    UNIX_READ_MOVED_KIB, /* during the interval, not per second */
    UNIX_WRITE_MOVED_KIB,
    UNIX_READ_SERVICE_MS,
    UNIX_WRITE_SERVICE_MS,
    UNIX_SERVICE_MS,
    UNIX_WAIT_MS,
    UNIX_WAITING, /* requests in the driver's queue, and at the device */
    UNIX_ACTIVE,
    UNIX_FIELDS
};

enum { UNIX_COLUMNS_MAX = 40 };

struct unix_columns {
    size_t n;
    unsigned char field[UNIX_COLUMNS_MAX];
    double scale[UNIX_COLUMNS_MAX];
    bool has_device; /* a column says which device it is */
};

enum unix_table { TABLE_NONE, TABLE_AIX_PLAIN, TABLE_AIX_LONG, TABLE_AIX_BLOCK, TABLE_SOLARIS };

/* What the line heads: columns are set for all but TABLE_NONE.  A block's heading
 * ("hdisk6 xfer: %tm_act bps ...") gives its device too, or an empty one to go on with the last. */
enum unix_table unix_heading(struct span line, struct unix_columns *out, struct span *device);

/* A row's values; NaN where there is no such column.  False when it is no such row. */
struct unix_row {
    struct span device, time;
    double value[UNIX_FIELDS];
    struct span unknown; /* the last value that was "nan" or "inf"; ptr NULL = none was */
};
bool unix_row(const struct unix_columns *c, struct span line, struct unix_row *out);

/* Seconds that the row's rates and totals belong to: moved KiB / KiB/s; NaN. */
double unix_row_interval_s(const struct unix_row *r);
void unix_sample(const struct unix_row *r, struct io_sample *s);

#endif
