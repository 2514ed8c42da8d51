/* data/ingest/layout/layout_json.h - the layout JSON of INTERFACE.md into struct layout. */
#ifndef DATA_INGEST_LAYOUT_LAYOUT_JSON_H
#define DATA_INGEST_LAYOUT_LAYOUT_JSON_H

#include "models/core/arena.h"
#include "models/core/err.h"
#include "models/core/span.h"
#include "models/vocab/layout.h"

/* Largest file that is read as a layout. */
enum { LAYOUT_BYTES_MAX = 4 * 1024 * 1024 };

/* Gives cJSON the allocator of models/core/mem; once, before the first thread. */
void layout_init(void);

/* Every optional key that is missing or null gets the default of models/vocab/layout.h.  ERR_PARSE
 * names the key (groups[2].need_gib), the value seen and what was expected; an unknown key is
 * one too.  Lives in a. */
int layout_parse(struct span json, struct arena *a, struct layout *out, struct err *e);

#endif
