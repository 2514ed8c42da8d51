/* data/ingest/json/json_small.h - JSON that is small and whole in memory: what people write, and
 * what volplan writes itself. */
#ifndef DATA_INGEST_JSON_JSON_SMALL_H
#define DATA_INGEST_JSON_JSON_SMALL_H

#include "data/ingest/json/json_scan.h"
#include "models/core/arena.h"
#include "models/core/err.h"

enum { JSON_STRING_MAX_BYTES = 255 };
#define JSON_STRING_WORDS "text of 1 to 255 bytes"

/* The only value of a text.  ERR_PARSE: there is none ("expected" says of what), or line, column
 * and what is wrong there. */
int json_only_value(struct span text, const char *expected, struct json_value *out, struct err *e);

/* A string, its escapes undone.  ERR_PARSE, without words, when it is not JSON_STRING_WORDS;
 * ERR_NOMEM. */
int json_string(struct json_value v, struct arena *a, const char **out);
/* The same of another length. */
int json_string_up_to(struct json_value v, size_t max_bytes, struct arena *a, const char **out);

#endif
