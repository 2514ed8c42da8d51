/* data/ingest/volumes/volume_keys.h - what people call the fields of a volume in --query.
 *
 * {ID:VolumeId,Size:Size,AZ:AvailabilityZone}: the key is the user's word.  The words of this
 * table leave no doubt; case, '_', '-' and blanks do not count. */
#ifndef DATA_INGEST_VOLUMES_VOLUME_KEYS_H
#define DATA_INGEST_VOLUMES_VOLUME_KEYS_H

#include "models/core/span.h"

enum volume_key {
    KEY_VOLUME_ID,
    KEY_TYPE,
    KEY_SIZE,
    KEY_IOPS,
    KEY_THROUGHPUT,
    KEY_STATE,
    KEY_ZONE,
    KEY_INSTANCE,
    KEY_DEVICE,
    KEY_NAME,
    KEY_TAGS,
    KEY_CREATED,
    KEY_SNAPSHOT,
    VOLUME_KEY_COUNT
};

/* VOLUME_KEY_COUNT for a word that is not in the table. */
enum volume_key volume_key_of(struct span word);

#endif
