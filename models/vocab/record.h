/* models/vocab/record.h - a row of a listing whose columns are its own: lsblk, asmcmd lsdg,
 * blkparse totals, NVMe statistics, instances, advisers' answers. */
#ifndef MODELS_VOCAB_RECORD_H
#define MODELS_VOCAB_RECORD_H

#include "models/core/span.h"
#include "models/core/unit.h"

#include <stddef.h>
#include <stdint.h>

/* A cell: a number with its unit, or a text. Valid during the call only. */
struct record_field {
    const char *key; /* snake_case, the unit ends it: "total_mib" */
    enum unit unit;
    double num;       /* NaN when it is a text or unknown */
    struct span text; /* empty when it is a number or unknown */
};

enum { RECORD_FIELDS_MAX = 64 };

struct record {
    const char *kind; /* key of the list it belongs to: "disk_groups", "devices" */
    int64_t time_ms;  /* UNKNOWN */
    const struct record_field *fields;
    size_t n_fields;
    int64_t line;
};

#endif
