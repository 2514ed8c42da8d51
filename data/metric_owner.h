/* data/metric_owner.h - which metrics are parts of whose load, and that load as points.
 *
 * The load of a volume (SERIES_VOLUME, named by the volume) is made of AWS/EBS VolumeReadOps,
 * VolumeWriteOps, VolumeReadBytes and VolumeWriteBytes with the dimension VolumeId alone, that of
 * an instance (SERIES_INSTANCE, named by the instance) of AWS/EC2 EBSReadOps and so on with
 * InstanceId alone.
 *
 *   rate          Sum / period, or a value that is a rate already; no other statistic is one
 *   interval      a time stamp opens its period
 *   several       where values of one metric cover the same time the finest period stays, of equal
 *                 ones the first loaded; what is left of one that was cut counts where it is longer
 *                 than a minute
 *   together      where the four metrics come in different periods the longest holds, and the
 *                 others are averaged over it
 *   missing       is unknown, but for bytes where the requests of that direction are 0: Xen sends
 *                 no bytes then
 *   not split     VolumeAvgIOPS and VolumeAvgThroughput, where neither direction is known */
#ifndef DATA_METRIC_OWNER_H
#define DATA_METRIC_OWNER_H

#include "data/series_points.h"
#include "data/store/store.h"

enum load_part { READ_BYTES, WRITE_BYTES, READ_OPS, WRITE_OPS, BOTH_BYTES, BOTH_OPS, PART_COUNT };

/* A metric, and what it is a part of. */
struct metric_use {
    const struct store_metric *metric;
    const char *owner; /* volume or instance; NULL = it is a part of nothing */
    enum series_kind kind;
    enum load_part part;
    double scale; /* of a rate to requests/s or MiB/s */
};

/* All metrics of a system by owner, then as loaded; those of none come last.  In the arena. */
int metric_uses(struct store *s, const char *system, struct arena *a, struct metric_use **out,
                size_t *out_n, struct err *e);
/* How many of n uses are parts of the same load as the first; 0 = that is a part of nothing. */
size_t metric_uses_together(const struct metric_use *use, size_t n);
/* Adds the load of an owner, from its n metrics; points ascend and do not overlap. */
int metric_owner_points(struct store *s, const struct metric_use *use, size_t n, struct points *out,
                        struct err *e);

#endif
