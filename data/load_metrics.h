/* data/load_metrics.h - metrics of the store as load series where they are rates of load, else as
 * metric series.
 *
 * A series of a volume (SERIES_VOLUME, named by the volume) is made of AWS/EBS VolumeReadOps,
 * VolumeWriteOps, VolumeReadBytes and VolumeWriteBytes with the dimension VolumeId alone, one of
 * an instance (SERIES_INSTANCE, named by the instance) of AWS/EC2 EBSReadOps and so on with
 * InstanceId alone.  They count requests as they reach EBS.
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
#ifndef DATA_LOAD_METRICS_H
#define DATA_LOAD_METRICS_H

#include "data/series_points.h"
#include "data/store/store.h"

/* Appends to the list, and sets metrics of io; scratch is the caller's. */
int load_metrics(struct store *s, const char *system, struct series_list *l, struct points *scratch,
                 struct system_load *io, struct err *e);

#endif
