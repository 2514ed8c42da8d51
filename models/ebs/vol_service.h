/* models/ebs/vol_service.h - what it takes to get a volume's IOPS, and how surely they come.
 *
 * Queue: an average of 1 request in flight for each 1 000 provisioned IOPS keeps an SSD volume
 * busy with consistent latency (AWS EBS User Guide, "I/O characteristics", vectors/ebs.csv V093).
 * Delivery: gp2, gp3, st1 and sc1 are designed to deliver at least 90 % of what was provisioned or
 * expected 99 % of the time in a year, io1 and io2 99.9 % (same guide, "volume types"): of a day
 * 14.4 and 1.44 minutes, on each volume by itself. */
#ifndef MODELS_EBS_VOL_SERVICE_H
#define MODELS_EBS_VOL_SERVICE_H

#include "models/vocab/volume.h"

/* Requests in flight on one volume of so many IOPS; UNKNOWN for HDD and magnetic types, and where
 * the IOPS or the type (VOL_TYPE_COUNT) are. */
int64_t vol_queue_depth(enum volume_type type, double iops);

/* Minutes of a day in which a volume may deliver less than it is sold for; NaN = nothing said. */
double vol_short_minutes_a_day(enum volume_type type);

#endif
