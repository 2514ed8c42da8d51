/* data/ingest/source.h - bytes of one input, as lines or as a whole.
 *
 * Every parser reads from a source, so that files, archive members and fuzzers look
 * the same.  Memory is bounded: a line longer than SOURCE_LINE_MAX is ERR_LIMIT.  A UTF-8 byte
 * order mark at the start is not part of the text (but of the hash). */
#ifndef DATA_INGEST_SOURCE_H
#define DATA_INGEST_SOURCE_H

#include "models/core/arena.h"
#include "models/core/err.h"
#include "models/core/span.h"

#include <stdbool.h>
#include <stdint.h>

enum { SOURCE_HEAD = 64 * 1024, SOURCE_LINE_MAX = 1024 * 1024 };

struct source;

/* Over memory that outlives it.  NULL when memory is out. */
struct source *source_of_span(const char *path, struct span bytes);
/* Opens a regular file.  ERR_FILE with the reason; ERR_NOMEM. */
int source_open(const char *path, struct source **out, struct err *e);
void source_close(struct source *s); /* NULL does nothing */

const char *source_path(const struct source *s);
/* Up to SOURCE_HEAD bytes from the start; may be called before the first line only. */
int source_head(struct source *s, struct span *out, struct err *e);
/* The next line without its end (LF, CRLF; a form feed is left in).  1 = a line, valid until
 * the next call; 0 = end of input; negative = error. */
int source_line(struct source *s, struct span *out, struct err *e);
/* Number of the line last returned, from 1. */
int64_t source_line_no(const struct source *s);
/* The line last returned had no line end: the input stops there, perhaps in its middle. */
bool source_line_is_open(const struct source *s);
/* Everything that is left, up to limit bytes (else ERR_LIMIT), kept by the source. */
int source_all(struct source *s, size_t limit, struct span *out, struct err *e);
/* Bytes read so far, and their XXH3-128 once the end was reached, in 16 bytes. */
int64_t source_bytes(const struct source *s);
void source_hash(const struct source *s, unsigned char out[16]);
/* Reads on to the end, so that the hash covers the whole content. */
int source_drain(struct source *s, struct err *e);

#endif
