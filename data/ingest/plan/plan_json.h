/* data/ingest/plan/plan_json.h - what `volplan plan --json` wrote, as far as its choice goes.
 *
 * Other keys are passed over: a plan of a newer version is read as well. */
#ifndef DATA_INGEST_PLAN_PLAN_JSON_H
#define DATA_INGEST_PLAN_PLAN_JSON_H

#include "models/core/arena.h"
#include "models/core/err.h"
#include "models/vocab/plan_file.h"

/* Largest file that is read as a plan. */
enum { PLAN_BYTES_MAX = 64 * 1024 * 1024 };

/* ERR_PARSE names the key, the value seen and what was expected.  Lives in a. */
int plan_json_parse(struct span json, struct arena *a, struct plan_file *out, struct err *e);

#endif
