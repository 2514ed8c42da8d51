/* data/fetch/json_reply.h - the JSON of a reply as a tree, and a tree as JSON. */
#ifndef DATA_FETCH_JSON_REPLY_H
#define DATA_FETCH_JSON_REPLY_H

#include "models/core/arena.h"
#include "models/core/err.h"
#include "models/core/span.h"

#include <cjson/cJSON.h>

/* To be freed with cJSON_Delete.  ERR_PARSE "WHAT: ..." quotes nothing of the reply. */
int json_reply_parse(struct span json, const char *what, cJSON **out, struct err *e);
/* Without blanks; the text lives in a.  ERR_NOMEM. */
int json_reply_print(const cJSON *tree, struct arena *a, struct span *out, struct err *e);

#endif
