/* data/ingest/text/text_number.h - numbers as the tools of an operating system print them.
 *
 * A point or, in locales that write it so, a comma before the decimals; a suffix where the tool
 * rounds for people ("6.5M", "10.4%").  Blanks, tabs, CR and NUL end a number: iostat 11.5.7
 * prints zeros behind its values. */
#ifndef DATA_INGEST_TEXT_TEXT_NUMBER_H
#define DATA_INGEST_TEXT_TEXT_NUMBER_H

#include "models/core/span.h"

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct text_number {
    double value; /* NaN for "nan" and "inf" */
    int decimals;
    char suffix; /* 'B' 'k' 'M' 'G' 'T' 'P' '%'; 0 = none */
};

/* "nan" or "inf": a figure that the tool did not have. */
static inline bool text_is_unknown(const struct text_number *n)
{
    return n->value != n->value;
}

static inline bool text_is_gap(char c)
{
    return c == ' ' || c == '\0' || c == '\t' || c == '\r';
}

/* Eight bytes from p on, the first one lowest. */
static inline uint64_t text_eight(const char *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return le64toh(v);
}

static inline const char *text_skip_gap(const char *p, const char *end)
{
    while (p < end && text_is_gap(*p))
        p++;
    return p;
}

/* Eight bytes at once, as far as there are so many: names differ in length, and a jump that depends
 * on it costs more than the rest of the search. */
static inline const char *text_skip_word(const char *p, const char *end)
{
    const uint64_t each = UINT64_C(0x0101010101010101);
    while (end - p >= 8) {
        uint64_t v = text_eight(p);
        uint64_t low =
            (v - each * ('!')) & ~v & each << 7; /* the first is right: a byte below '!' */
        if (!low) {
            p += 8;
            continue;
        }
        p += __builtin_ctzll(low) / 8;
        if (text_is_gap(*p))
            return p;
        p++;
    }
    while (p < end && !text_is_gap(*p))
        p++;
    return p;
}

/* What digits and a mark cannot say: a sign, an exponent, a suffix, nan and inf, more digits than
 * are exact.  Returns where the word ends, NULL when it is no number. */
const char *text_number_rare(const char *p, const char *end, struct text_number *out);

/* The number that begins at p; returns where its word ends, NULL when the word is no number.  One
 * pass over its bytes, in integers until the last division. */
static inline const char *text_number(const char *p, const char *end, struct text_number *out)
{
    static const double pow10[] = { 1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15 };
    const char *from = p;
    uint64_t v = 0;
    unsigned d;
    while (p < end && (d = (unsigned)(*p - '0')) < 10) {
        v = v * 10 + d;
        p++;
    }
    const char *mark = p;
    if (p < end && (*p == '.' || *p == ',')) {
        p++;
        while (p < end && (d = (unsigned)(*p - '0')) < 10) {
            v = v * 10 + d;
            p++;
        }
    }
    size_t n_fraction = mark == p ? 0 : (size_t)(p - mark - 1);
    size_t n_digits = (size_t)(mark - from) + n_fraction;
    if (n_digits > 15 || mark == from || (p < end && !text_is_gap(*p)))
        return text_number_rare(from, end, out);
    out->value = (double)v / pow10[n_fraction];
    out->decimals = (int)n_fraction;
    out->suffix = '\0';
    return p;
}

/* The whole of s (blanks around it aside) as a number; non-zero when it is none. */
int text_number_of(struct span s, struct text_number *out);

/* KiB of a value that counts kib_per_unit, unless its suffix says what it counts.  NaN when a share
 * stands there. */
double text_kib(const struct text_number *n, double kib_per_unit);

#endif
