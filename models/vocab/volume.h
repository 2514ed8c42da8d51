/* models/vocab/volume.h - what a volume is ordered as. */
#ifndef MODELS_VOCAB_VOLUME_H
#define MODELS_VOCAB_VOLUME_H

#include "models/core/span.h"

#include <stdbool.h>
#include <stdint.h>

#define VOLUME_TYPE_TABLE(X)                                                                       \
    X(VOL_GP3, "gp3")                                                                              \
    X(VOL_GP2, "gp2")                                                                              \
    X(VOL_IO2, "io2")                                                                              \
    X(VOL_IO1, "io1")                                                                              \
    X(VOL_ST1, "st1")                                                                              \
    X(VOL_SC1, "sc1")                                                                              \
    X(VOL_STANDARD, "standard")

enum volume_type {
#define X(name, text) name,
    VOLUME_TYPE_TABLE(X)
#undef X
        VOL_TYPE_COUNT
};

/* A volume, or count equal ones.  In the EBS API's units; UNKNOWN where the type
 * does not take the field or nobody gave it. */
struct volume_spec {
    enum volume_type type;
    int64_t count;
    int64_t size_gib, iops, throughput_mibps; /* of each */
};

const char *volume_type_name(enum volume_type t); /* "-" for VOL_TYPE_COUNT: unknown */
/* Exact, lower case; non-zero for an unknown name. */
int volume_type_parse(struct span name, enum volume_type *out);

/* The same type, size and settings; the counts may differ. */
bool volume_spec_alike(const struct volume_spec *a, const struct volume_spec *b);

/* "io2 500 GiB 5 000 IOPS", "2 x gp3 250 GiB 3 000 IOPS 500 MiB/s". Returns buf. */
char *volume_spec_format(char buf[96], const struct volume_spec *v);

#endif
