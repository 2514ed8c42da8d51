/* data/ingest/read_ahead.h - the bytes of an input, read by a thread of its own before they are
 * asked for.
 *
 * Memory is bounded: a few blocks lie between the two threads. */
#ifndef DATA_INGEST_READ_AHEAD_H
#define DATA_INGEST_READ_AHEAD_H

#include "data/ingest/source.h"

/* Bytes in front of each block that are the caller's. */
enum { READ_AHEAD_ROOM = 4096 };

struct read_ahead;

/* in.read is called in the other thread alone, until it says the end or an error, or
 * read_ahead_close was called.  *out is NULL where the system has no thread to give.  ERR_NOMEM. */
int read_ahead_open(struct source_input in, struct read_ahead **out, struct err *e);
/* Bytes from *out on, and as many as it returns: 0 at the end, which comes again; or a negative
 * code, likewise.  They and those in front stay as they are until the next but one call. */
int64_t read_ahead_next(struct read_ahead *r, char **out, struct err *e);
void read_ahead_close(struct read_ahead *r); /* NULL does nothing */

#endif
