/* data/ingest/phases/phases_json.h - the phases file of `plan --phases`.
 *
 *     [{"from":"2026-03-01","changes":["--standbys 12"]},{"from":"2026-06-01","to":"2026-12-01"}]
 *
 * Dates ascend; a phase ends where the next begins, so only the last may have a "to".  What the
 * changes say is for the planner to read. */
#ifndef DATA_INGEST_PHASES_PHASES_JSON_H
#define DATA_INGEST_PHASES_PHASES_JSON_H

#include "models/core/arena.h"
#include "models/core/err.h"
#include "models/core/span.h"
#include "models/vocab/phase.h"

/* ERR_PARSE names the place ([1].from), the value seen and what was expected; an unknown key is one
 * too.  Lives in a. */
int phases_parse(struct span json, struct arena *a, struct phase_list *out, struct err *e);

#endif
