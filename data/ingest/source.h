/* data/ingest/source.h - bytes of one input, as lines or as a whole.
 *
 * Every parser reads from a source, so that files, archive members and fuzzers look
 * the same.  Memory is bounded: a line longer than SOURCE_LINE_MAX is ERR_LIMIT.
 *
 * Text comes as UTF-8 where the input says what it is:
 *   UTF-8 byte order mark    not part of the text
 *   UTF-16 byte order mark   decoded; half a character becomes U+FFFD
 *   CR and no LF             every CR is a line end, as on old Macs; told from what comes before
 *                            the first LF, at most SOURCE_HEAD bytes
 * All other bytes (NUL, form feed, GBK, broken UTF-8) pass through.  Size and hash are those
 * of the input as it is. */
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

/* Where a source gets its bytes. */
struct source_input {
    void *ctx;
    /* Puts up to room bytes into buf: their number, 0 at the end, or a negative code with words
     * that do not name the input. */
    int64_t (*read)(void *ctx, char *buf, size_t room, struct err *e);
};

/* ctx must outlive the source.  NULL when memory is out. */
struct source *source_of_input(const char *path, struct source_input in);
/* From the second megabyte of lines on, a file is read and its hash taken in a thread of its own.
 */
void source_read_ahead(struct source *s);
void source_close(struct source *s); /* NULL does nothing */

const char *source_path(const struct source *s);

/* The bytes as they are, before anything was read as text: at least `want` of those that were
 * not skipped, fewer only at the end; valid until the next call. */
int source_peek(struct source *s, size_t want, struct span *out, struct err *e);
/* Passes over n bytes that source_peek showed; they stay valid until the next call. */
void source_skip(struct source *s, size_t n);
/* How many bytes were passed over. */
int64_t source_skipped(const struct source *s);

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
/* What was taken from elsewhere than the bytes, as the name of the file, and makes this input
 * another one than equal bytes: goes into the hash. */
void source_identify(struct source *s, struct span by);
/* Reads on to the end, so that the hash covers the whole content. */
int source_drain(struct source *s, struct err *e);
/* Reads on, no further than `bytes` more. */
int source_drain_some(struct source *s, int64_t bytes, struct err *e);

#endif
