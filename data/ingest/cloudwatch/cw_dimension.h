/* data/ingest/cloudwatch/cw_dimension.h - the dimensions of a metric as one text. */
#ifndef DATA_INGEST_CLOUDWATCH_CW_DIMENSION_H
#define DATA_INGEST_CLOUDWATCH_CW_DIMENSION_H

#include "models/core/span.h"

#include <cjson/cJSON.h>

/* CloudWatch allows 30; names of 255 and values of 1 024 characters. */
enum { CW_DIMENSIONS_MAX = 30, CW_DIMENSION_TEXT_MAX = 8192 };

/* "InstanceId=i-0abc,VolumeId=vol-0abc", in name order, from {"VolumeId":"vol-0abc",...} or
 * [{"Name":"VolumeId","Value":"vol-0abc"},...]; empty for NULL.  Non-zero when it is neither, or
 * does not fit. */
int cw_dimension_text(const cJSON *dimensions, char buf[CW_DIMENSION_TEXT_MAX], struct span *out);

#endif
