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

/* How many bytes lie below the lowest bit that is set; 8 when none is. */
static inline unsigned text_bytes_below(uint64_t bits)
{
    return bits ? (unsigned)__builtin_ctzll(bits) / 8 : 8;
}

/* Padding differs in length from value to value: the blanks are counted, not walked. */
static inline const char *text_skip_gap(const char *p, const char *end)
{
    if (end - p >= 8)
        p += text_bytes_below(text_eight(p) ^ UINT64_C(0x2020202020202020));
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

/* One to five digits, a point, two digits and a blank: how sysstat prints nearly every value.
 * Eight bytes at once, and no jump that depends on the number of digits, which no processor
 * could foretell.  NULL when the word is not of that kind. */
static inline const char *text_number_short(const char *p, const char *end, struct text_number *out)
{
    const uint64_t each = UINT64_C(0x0101010101010101), high_bits = each * 0x80;
    if (end - p < 9)
        return NULL;
    uint64_t v = text_eight(p), marks = v ^ each * '.';
    unsigned at = text_bytes_below((marks - each) & ~marks & high_bits); /* of the first point */
    if (at < 1 || at > 5 || !text_is_gap(p[at + 3]))
        return NULL;
    uint64_t whole = v & ((UINT64_C(1) << 8 * at) - 1), fraction = v >> 8 * (at + 1);
    unsigned unused = 8 * (6 - at);
    /* the last digit in the highest byte, zeros before the first one */
    uint64_t digits = ((whole | fraction << 8 * at) << unused) ^ (each * '0' << unused);
    if ((digits | (digits + each * (0x7F - 9))) & high_bits)
        return NULL;
    /* two digits in every second byte; then these times 10^6, 10^4, 10^2 and 1 in the high half */
    digits = digits * 10 + (digits >> 8);
    const uint64_t two = UINT64_C(0x000000FF000000FF);
    uint64_t n = ((digits & two) * (100 + (UINT64_C(1000000) << 32)) +
                  ((digits >> 16) & two) * (1 + (UINT64_C(10000) << 32))) >>
                 32;
    *out = (struct text_number){ .value = (double)n / 100, .decimals = 2 };
    return p + at + 3;
}

/* The number that begins at p; returns where its word ends, NULL when the word is no number.  One
 * pass over its bytes, in integers until the last division. */
static inline const char *text_number(const char *p, const char *end, struct text_number *out)
{
    static const double pow10[] = { 1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15 };
    const char *from = p, *behind = text_number_short(p, end, out);
    if (behind)
        return behind;
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
