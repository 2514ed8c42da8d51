/* models/vocab/volume_config.h - a volume as the EC2 API describes it, and a change of one. */
#ifndef MODELS_VOCAB_VOLUME_CONFIG_H
#define MODELS_VOCAB_VOLUME_CONFIG_H

#include "models/core/span.h"
#include "models/vocab/volume.h"

#include <stdbool.h>
#include <stdint.h>

/* Spans are empty, numbers UNKNOWN where the file does not tell; valid during the call only. */
struct volume_config {
    struct span volume_id, state, instance_id, device, zone, name, snapshot_id;
    /* Count 1; throughput only where the API reports it (gp3); type VOL_TYPE_COUNT where the file
     * does not tell it. */
    struct volume_spec spec;
    int64_t created_ms, attached_ms;
    int64_t attachments; /* number of instances it is attached to */
    int64_t ebs_card;
    bool multi_attach;
    int64_t line;
};

/* One entry of DescribeVolumesModifications. */
struct volume_modification {
    struct span volume_id, state; /* modifying optimizing completed failed */
    struct volume_spec from, to;
    int64_t start_ms, end_ms;
    double progress_pct;
    int64_t line;
};

/* The same as they are kept: their spans live in an arena. */
struct stored_volume {
    int64_t file_id;
    struct volume_config config;
};

struct stored_modification {
    int64_t file_id;
    struct volume_modification change;
};

#endif
