/* data/ingest/bill/bill_usage.h - usage types of EBS. */
#ifndef DATA_INGEST_BILL_BILL_USAGE_H
#define DATA_INGEST_BILL_BILL_USAGE_H

#include "models/core/span.h"

/* "EUW2-EBS:VolumeUsage.gp3" is one; "USE1-EBS-USE2-EBS-AWS-Out-Bytes" is data transfer. */
bool bill_usage_is_ebs(struct span usage_type);
/* Storage of a volume, of any type: its amount is GiB by time. */
bool bill_usage_is_volume_storage(struct span usage_type);
/* Anything of a volume, not of a snapshot. */
bool bill_usage_is_volume(struct span usage_type);

/* The usage type, without region, that a charge description speaks of ("$0.08 per GB-month of
 * General Purpose (gp3) provisioned storage - ..."); empty when it is not of EBS. */
struct span bill_usage_from_description(struct span description);

#endif
