/* data/ingest/blktrace/size_count.h - how many requests had which size. */
#ifndef DATA_INGEST_BLKTRACE_SIZE_COUNT_H
#define DATA_INGEST_BLKTRACE_SIZE_COUNT_H

#include "data/ingest/json/feed.h"
#include "data/ingest/text/text_line.h"

enum io_direction { IO_READ, IO_WRITE, IO_DISCARD, IO_UNKNOWN, IO_DIRECTIONS };
const char *io_direction_name(enum io_direction d); /* "read"; NULL for unknown */

enum { SIZES_MAX = 4096 };

struct size_count {
    int64_t bytes, n, line; /* line: of the first */
    uint32_t group;         /* the caller's: a device, a call */
    enum io_direction direction;
};

/* Open addressing; what does not fit is counted in n_beyond. */
struct size_counts {
    struct size_count slot[2 * SIZES_MAX];
    size_t n;
    int64_t n_beyond;
};

void size_counts_add(struct size_counts *t, uint32_t group, enum io_direction d, int64_t bytes,
                     int64_t line);

/* Hands over the counts as records of kind "sizes", sorted by group, direction and size: name(ctx,
 * group) under group_key, direction, size, number of requests.  The table is no table afterwards.
 */
int size_counts_tell(struct size_counts *t, struct feed *f, const char *group_key,
                     struct span (*name)(const void *ctx, uint32_t group), const void *ctx);

/* A name and its number; names beyond max are the last one, "(others)". */
struct name_table {
    struct text_name *name;
    size_t n, room, max;
};
int name_table_find(struct name_table *t, struct arena *a, struct span name, size_t *out,
                    struct err *e);

/* A record of that kind from these fields, of the whole trace; line: where it was seen first. */
int trace_record(struct feed *f, const char *kind, int64_t line, const struct fields *fields);

#endif
