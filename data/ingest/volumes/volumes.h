/* data/ingest/volumes/volumes.h - what `aws ec2 describe-...` prints, as JSON.
 *
 * Four rows of the format table.  Read are the CLI's own JSON, SDK recordings that wrap it
 * ({"status_code":200,"data":{...}}), lists made by --query whose renamed keys leave no doubt, and
 * for volumes --output table.  README.md has the details. */
#ifndef DATA_INGEST_VOLUMES_VOLUMES_H
#define DATA_INGEST_VOLUMES_VOLUMES_H

#include "data/ingest/format.h"

int volumes_detect(struct span head);
int volumes_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                 struct arena *a, int64_t *rows, int64_t *skipped, struct err *e);

int modifications_detect(struct span head);
int modifications_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                       struct arena *a, int64_t *rows, int64_t *skipped, struct err *e);

/* Records: "instances", and "block_devices" for what hangs on them. */
int instances_detect(struct span head);
int instances_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                   struct arena *a, int64_t *rows, int64_t *skipped, struct err *e);

/* Records: "instance_types", and "ebs_cards" where a type has several. */
int instance_types_detect(struct span head);
int instance_types_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                        struct arena *a, int64_t *rows, int64_t *skipped, struct err *e);

#endif
