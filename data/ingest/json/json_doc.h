/* data/ingest/json/json_doc.h - bounded JSON documents, and one element of them as a cJSON tree. */
#ifndef DATA_INGEST_JSON_JSON_DOC_H
#define DATA_INGEST_JSON_JSON_DOC_H

#include "data/ingest/json/feed.h"
#include "data/ingest/json/json_scan.h"

#include <cjson/cJSON.h>

/* Largest document, and most values in one element of its list (80 bytes each in cJSON). */
#define JSON_DOCUMENT_MAX ((size_t)512 * 1024 * 1024)
#define JSON_VALUES_MAX   ((size_t)4 * 1000 * 1000)

/* All that is left of the source. */
int json_document(struct feed *f, struct json_cursor *out);
/* The next of the documents that follow one another; an SDK recording
 * ({"status_code":...,"data":{...}}) gives what it wraps.  1, 0 = end, negative. */
int json_next_document(struct feed *f, struct json_cursor *c, struct json_value *out);
/* ERR_PARSE with place and reason of the cursor's fault. */
int json_refuse(struct feed *f, const struct json_cursor *c);

/* A tree of one value, to be freed with cJSON_Delete. */
int json_parse(struct feed *f, struct json_value v, cJSON **out);
/* Calls on_element for each element of an array, with its tree; an object is an array of one, and
 * null one of none. */
typedef int json_visit(struct feed *f, const cJSON *element, int64_t line, void *ctx);
int json_each(struct feed *f, struct json_value array, json_visit *on_element, void *ctx);
/* For each document: the list under key (or other_key, which may be NULL), or the document
 * itself when it is an array.  An answer that says there is more (NextToken) gets a warning. */
int json_each_of_list(struct feed *f, const char *key, const char *other_key,
                      json_visit *on_element, void *ctx);

/* Members of a tree; empty, NaN, UNKNOWN or false where there is none of that kind. */
struct span json_text(const cJSON *object, const char *key);
double json_num(const cJSON *object, const char *key);
int64_t json_int(const cJSON *object, const char *key);
bool json_true(const cJSON *object, const char *key);
/* Text, number, or the {"__class__":"datetime"} of SDK recordings (UTC). Non-zero: no time. */
int json_time(struct feed *f, const cJSON *item, int64_t line, int64_t *out_ms, int *rc);

#endif
