/* cli/cmd/fetch_types.h - instance types as EC2 describes them, held against the catalogue. */
#ifndef CLI_CMD_FETCH_TYPES_H
#define CLI_CMD_FETCH_TYPES_H

#include "models/facts/catalogue.h"
#include "models/vocab/record.h"
#include "planner/report/report_fetch.h"

/* Adds what differs in a record "instance_types"; others are passed over. */
int fetch_types_compare(const struct catalogue *c, const struct record *r, struct arena *a,
                        struct fetch_differences *l, struct err *e);

#endif
