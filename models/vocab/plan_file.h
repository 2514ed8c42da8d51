/* models/vocab/plan_file.h - what a plan that was written to a file chose. */
#ifndef MODELS_VOCAB_PLAN_FILE_H
#define MODELS_VOCAB_PLAN_FILE_H

#include "models/vocab/volume.h"

#include <stdbool.h>
#include <stddef.h>

struct plan_file_group {
    const char *name;
    bool kept; /* today's volumes stay as they are; spec says nothing more */
    struct volume_spec spec;
};

struct plan_file {
    const char *system, *region;
    int64_t as_of_ms;
    const char *instance_type; /* NULL = not known */
    const char *weighting;     /* of its bandwidth: "default", "ebs-1"; NULL = not said */
    const struct plan_file_group *groups;
    size_t n_groups;
};

#endif
