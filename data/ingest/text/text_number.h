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

static inline const char *text_skip_word(const char *p, const char *end)
{
    while (p < end && !text_is_gap(*p))
        p++;
    return p;
}

/* What digits and a mark cannot say: a sign, an exponent, a suffix, nan and inf, more digits than
 * are exact.  Returns where the word ends, NULL when it is no number. */
const char *text_number_rare(const char *p, const char *end, struct text_number *out);

/* The number that stands between from and to, within a line, blanks before it and nothing behind:
 * one to five digits, a point and two digits, how sysstat prints nearly every value.  Eight bytes
 * at once, and no jump that depends on them.  False when it is of another kind, or none. */
static inline bool text_number_between(const char *line, const char *from, const char *to,
                                       double *out)
{
    const uint64_t each = UINT64_C(0x0101010101010101), blanks = each * ' ';
    ptrdiff_t width = to - from;
    if (width < 4 || width > 16 || to - line < 8)
        return false;
    uint64_t v = text_eight(to - 8);
    if (width < 8) { /* what is left of it is another value's */
        uint64_t mine = UINT64_MAX << 8 * (8 - width);
        v = (v & mine) | (blanks & ~mine);
    } else if (width > 8 && (text_eight(from) ^ blanks) & UINT64_MAX >> 8 * (16 - width)) {
        return false;
    }
    if (v == UINT64_C(0x30302E3020202020)) { /* "    0.00": whole columns are so */
        *out = 0;
        return true;
    }
    if ((v >> 40 & 0xFF) != '.')
        return false;
    /* the point goes out, a blank comes in as the first byte */
    const uint64_t decimals = UINT64_C(0xFFFF) << 48;
    uint64_t text = (v & decimals) | (v << 8 & ~decimals & ~UINT64_C(0xFF)) | ' ';
    uint64_t digits = text ^ each * '0';
    /* 0xFF where there is no digit: blanks, in the first bytes, and not in the last three */
    uint64_t others = ((digits | (digits + each * (0x7F - 9))) >> 7 & each) * 0xFF;
    if ((others & (others + 1)) | ((text ^ blanks) & others) | others >> 40)
        return false;
    digits &= ~others;
    /* two digits in every second byte; then these times 10^6, 10^4, 10^2 and 1 in the high half */
    digits = digits * 10 + (digits >> 8);
    const uint64_t two = UINT64_C(0x000000FF000000FF);
    uint64_t n = ((digits & two) * (100 + (UINT64_C(1000000) << 32)) +
                  ((digits >> 16) & two) * (1 + (UINT64_C(10000) << 32))) >>
                 32;
    *out = (double)n / 100;
    return true;
}

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
