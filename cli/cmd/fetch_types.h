/* cli/cmd/fetch_types.h - instance types as EC2 describes them, held against the catalogue. */
#ifndef CLI_CMD_FETCH_TYPES_H
#define CLI_CMD_FETCH_TYPES_H

#include "models/facts/catalogue.h"
#include "models/vocab/record.h"
#include "planner/report/report_fetch.h"

struct fetch_types {
    const struct catalogue *known;
    struct instance_type *rows; /* the known ones, with what AWS says of them */
    size_t n_changed;
    const char *source; /* of changed rows */
    int64_t as_of_ms;
    struct arena *arena;
    struct fetch_differences differences;
};

int fetch_types_init(struct fetch_types *t, const struct catalogue *known, const char *region,
                     int64_t as_of_ms, struct arena *a, struct err *e);
/* Takes what differs in a record "instance_types"; others are passed over.  A type that is not
 * known is a difference, but no row: EC2's description of it is not all that a row says. */
int fetch_types_take(struct fetch_types *t, const struct record *r, struct err *e);

#endif
