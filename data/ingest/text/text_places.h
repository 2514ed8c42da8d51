/* data/ingest/text/text_places.h - the numbers of a row that stand where those of the row above
 * it stood.
 *
 * A number here is what sysstat prints: one to five digits, a point, two digits, and nothing but
 * blanks between it and the number before it, at least one.  All of a row are read at once and
 * without a jump that depends on them, so that the compiler may take several at a time.  The rest
 * is for text_number.h. */
#ifndef DATA_INGEST_TEXT_TEXT_PLACES_H
#define DATA_INGEST_TEXT_TEXT_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TEXT_PLACES_MAX = 40 };

struct text_places {
    size_t n;                          /* 0 = none are known */
    size_t first_from;                 /* where the first may begin */
    uint32_t to[TEXT_PLACES_MAX];      /* where each ends */
    uint32_t lead_at[TEXT_PLACES_MAX]; /* where the eight bytes of lead begin */
    uint64_t mine[TEXT_PLACES_MAX];    /* which of the eight bytes before `to` are the number's */
    uint64_t gap[TEXT_PLACES_MAX];     /* the first of these, a blank; 0 = it is in lead */
    uint64_t lead[TEXT_PLACES_MAX];    /* which bytes are before these eight: all blank */
};

/* n numbers, at least two, one behind the other, end at ends[]. */
void text_places_set(struct text_places *p, const size_t *ends, size_t n);

/* Reads all of them, the first from `from` on; the line reaches to the end of the last one at
 * least.  A number of another kind, or something else in its place, leaves a non-zero bad for it.
 * True when none is bad. */
bool text_places_read(struct text_places *p, const char *line, size_t from,
                      double out[TEXT_PLACES_MAX], uint64_t bad[TEXT_PLACES_MAX]);

#endif
