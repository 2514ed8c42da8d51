/* data/ingest/nvme/nvme_reading.h - one reading of a volume's statistics, and the difference of
 * two. */
#ifndef DATA_INGEST_NVME_NVME_READING_H
#define DATA_INGEST_NVME_NVME_READING_H

#include "data/ingest/json/feed.h"
#include "data/ingest/text/text_line.h"

enum nvme_counter {
    NVME_READS,
    NVME_WRITES,
    NVME_READ_BYTES,
    NVME_WRITE_BYTES,
    NVME_READ_US,
    NVME_WRITE_US,
    NVME_VOLUME_IOPS_US,
    NVME_VOLUME_TP_US,
    NVME_INSTANCE_IOPS_US,
    NVME_INSTANCE_TP_US,
    NVME_LOCAL_IOPS_US, /* of instance store volumes */
    NVME_LOCAL_TP_US,
    NVME_QUEUE, /* point in time */
    NVME_COUNTERS
};

struct nvme_reading {
    struct text_name device;     /* empty when nothing names it */
    int64_t time_ms, line;       /* time: UNKNOWN */
    double value[NVME_COUNTERS]; /* NaN */
};

void nvme_clear(struct nvme_reading *r);

/* The counter of a JSON key, of either tool or of the CloudWatch agent; NVME_COUNTERS = none. */
enum nvme_counter nvme_counter_of_key(struct span key);
/* The counter of a text line below the heading that was seen last ("Read: 12" under "Total Ops").
 */
struct nvme_heading {
    enum nvme_counter first, second; /* NVME_COUNTERS: lines below are not needed */
};
/* False when the line is no heading. */
bool nvme_heading_of(struct span line, struct nvme_heading *out);
/* "Read: 12", "IOPS: 0" ...: false when it is no such line. */
bool nvme_value_line(struct span line, const struct nvme_heading *h, enum nvme_counter *counter,
                     double *value);

/* Adds the record: now's counters; and, last being the reading before (or NULL), what was counted
 * in seconds (NaN) between the two.  False when the counters started anew: no rates then. */
bool nvme_fields(struct fields *f, const struct nvme_reading *last, const struct nvme_reading *now,
                 double seconds);

#endif
