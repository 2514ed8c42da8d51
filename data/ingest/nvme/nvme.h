/* data/ingest/nvme/nvme.h - statistics that EBS volumes keep of themselves: `nvme amzn stats
 * DEVICE` and `ebsnvme stats DEVICE`, text and JSON, once or again and again (-i).
 *
 * One record of kind "readings" each: the counters since the volume was attached and, from the
 * second reading of a device on, what was counted since the one before: rates, waits, and for how
 * long the volume's or the instance's limits were exceeded.  The tools print neither time nor
 * device: lines between the readings may ("#DEV nvme1n1", a command that names /dev/nvme1n1, ISO,
 * epoch or date(1) times), else --interval tells how far apart they are. */
#ifndef DATA_INGEST_NVME_NVME_H
#define DATA_INGEST_NVME_NVME_H

#include "data/ingest/format.h"

int nvme_detect(struct span head);
int nvme_read(struct source *src, const struct ingest_options *o, struct sink *sink,
              struct arena *a, int64_t *rows, int64_t *skipped, struct err *e);

#endif
