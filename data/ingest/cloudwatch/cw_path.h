/* data/ingest/cloudwatch/cw_path.h - the volume or instance that the name of a file speaks of.
 *
 * get-metric-statistics answers without saying what they are of, and is called once per volume:
 * people keep the answers as vol-0abc-VolumeReadOps.json. */
#ifndef DATA_INGEST_CLOUDWATCH_CW_PATH_H
#define DATA_INGEST_CLOUDWATCH_CW_PATH_H

#include "models/core/span.h"

enum { CW_PATH_DIMENSION_MAX = 64 };

/* "VolumeId=vol-0abc" for a metric of volumes, "InstanceId=i-0abc" for EBS* metrics of instances,
 * when the last part of the path has one such id and no other; else empty.  Lives in buf. */
struct span cw_path_dimension(const char *path, struct span metric,
                              char buf[CW_PATH_DIMENSION_MAX]);

#endif
