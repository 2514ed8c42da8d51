/* data/ingest/utf16.h - UTF-16 as it arrives, turned into UTF-8. */
#ifndef DATA_INGEST_UTF16_H
#define DATA_INGEST_UTF16_H

#include "models/core/span.h"

#include <stdbool.h>

struct utf16 {
    bool big_endian;
    bool has_half; /* the first byte of a unit */
    unsigned char half;
    unsigned high; /* a high surrogate that waits for its partner; 0 = none */
};

/* The most that utf16_decode writes for n bytes of input, what it kept back included. */
#define UTF16_ROOM(n) ((n) / 2 * 3 + 6)

/* Writes in as UTF-8 and returns how many bytes.  A unit cut in two waits for the next call; a
 * surrogate without partner becomes U+FFFD. */
size_t utf16_decode(struct utf16 *u, struct span in, char *out);
/* What waits when the input ends becomes U+FFFD: up to 6 bytes. */
size_t utf16_finish(struct utf16 *u, char *out);

#endif
