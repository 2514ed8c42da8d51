/* data/ingest/json/json_scan.h - walks JSON text without building it.
 *
 * cJSON keeps neither places nor order of magnitude: a list of ten million numbers costs 80 bytes
 * each.  So the text is walked here, strictly by RFC 8259 and without recursion, down to the
 * elements of the list that a format is about; cJSON is given one element at a time
 * (json_doc.h).  That bounds memory and gives every element its line. */
#ifndef DATA_INGEST_JSON_JSON_SCAN_H
#define DATA_INGEST_JSON_JSON_SCAN_H

#include "models/core/span.h"

/* Deepest nesting, and longest number; both below what cJSON takes. */
enum { JSON_DEPTH_MAX = 900, JSON_NUMBER_MAX = 60 };

struct json_fault {
    const char *what; /* NULL = none */
    int64_t line;
    size_t column;        /* from 1, in bytes */
    struct span near_key; /* the last key before it */
};

struct json_cursor {
    const char *at, *end;
    const char *line_start;
    int64_t line;
    struct span last_key;
    struct json_fault fault;
};

/* A value that was walked over. */
struct json_value {
    struct span text;
    int64_t line;
    size_t n_values; /* it and everything inside */
};

void json_start(struct json_cursor *c, struct span text, int64_t line);
/* Moves to the next value; 1, 0 = only blanks are left, -1 = fault.  First byte is *c->at. */
int json_at_value(struct json_cursor *c);
/* Walks over a value: 0 or -1. */
int json_skip(struct json_cursor *c, struct json_value *out);

/* Enters the object or array that starts at the cursor.  0, or -1 when none does. */
int json_enter(struct json_cursor *c, char open);
/* The next member or element: 1 = the cursor is at its value (which must be passed with json_skip
 * or by entering and leaving it), 0 = the closing bracket was passed, -1 = fault.
 * first: true for the first call; reset by it. */
int json_next_member(struct json_cursor *c, bool *first, struct span *key);
int json_next_element(struct json_cursor *c, bool *first);

/* The member of an object by its key as written; false when there is none, or v is no object. */
bool json_member(struct json_value v, const char *key, struct json_value *out);
bool json_is_object(struct json_value v);
bool json_is_array(struct json_value v);

/* For detect(), over the first bytes of a file: the first document is an object with this key, or
 * an array whose first element is; the wrapper of SDK recordings is looked through. */
bool json_head_has(struct span head, const char *key);
/* The first document is an array. */
bool json_head_is_array(struct span head);

#endif
