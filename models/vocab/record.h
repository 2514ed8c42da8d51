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

/* The same as it is kept, in an arena. */
struct stored_field {
    const char *key;
    double num;       /* NaN when it is a text or unknown */
    const char *text; /* NULL when it is a number or unknown */
};

struct stored_record {
    const char *kind;
    int64_t file_id, time_ms, line; /* UNKNOWN */
    const struct stored_field *fields;
    size_t n_fields;
};

/* The cell of a key; NULL. */
const struct stored_field *stored_record_field(const struct stored_record *r, const char *key);
double stored_record_num(const struct stored_record *r, const char *key);       /* NaN */
const char *stored_record_text(const struct stored_record *r, const char *key); /* NULL */

#endif
