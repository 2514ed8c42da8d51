/* models/core/span.c - see span.h. */
#include "models/core/span.h"

#include <math.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\0' || c == '\n' || c == '\f' || c == '\v';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

struct span span_of(const char *s)
{
    return (struct span){ s, s ? strlen(s) : 0 };
}

struct span span_cut(struct span s, size_t from, size_t to)
{
    if (to > s.len)
        to = s.len;
    if (from > to)
        from = to;
    return (struct span){ from ? s.ptr + from : s.ptr, to - from }; /* NULL + 0 is undefined */
}

struct span span_trim(struct span s)
{
    while (s.len && is_blank(s.ptr[0])) {
        s.ptr++;
        s.len--;
    }
    while (s.len && is_blank(s.ptr[s.len - 1]))
        s.len--;
    return s;
}

bool span_eq(struct span a, struct span b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

bool span_eq_nocase(struct span a, struct span b)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (lower(a.ptr[i]) != lower(b.ptr[i]))
            return false;
    return true;
}

bool span_is(struct span s, const char *text)
{
    return span_eq(s, span_of(text));
}

bool span_starts(struct span s, const char *prefix)
{
    size_t n = strlen(prefix);
    return s.len >= n && memcmp(s.ptr, prefix, n) == 0;
}

bool span_ends(struct span s, const char *suffix)
{
    size_t n = strlen(suffix);
    return s.len >= n && memcmp(s.ptr + s.len - n, suffix, n) == 0;
}

ptrdiff_t span_find(struct span s, const char *needle)
{
    size_t n = strlen(needle);
    if (n == 0)
        return 0;
    const char *hit = s.len >= n ? memmem(s.ptr, s.len, needle, n) : NULL;
    return hit ? hit - s.ptr : -1;
}

int span_field(struct span *s, char sep, struct span *out)
{
    if (!s->ptr)
        return -1;
    const char *hit = s->len ? memchr(s->ptr, sep, s->len) : NULL;
    size_t n = hit ? (size_t)(hit - s->ptr) : s->len;
    *out = (struct span){ s->ptr, n };
    *s = hit ? (struct span){ hit + 1, s->len - n - 1 } : (struct span){ NULL, 0 };
    return 0;
}

int span_word(struct span *s, struct span *out)
{
    size_t i = 0;
    while (i < s->len && is_blank(s->ptr[i]))
        i++;
    size_t from = i;
    while (i < s->len && !is_blank(s->ptr[i]))
        i++;
    if (i == from)
        return -1;
    *out = (struct span){ s->ptr + from, i - from };
    s->ptr += i;
    s->len -= i;
    return 0;
}

int span_int(struct span *s, int64_t *out)
{
    size_t i = 0;
    bool neg = false;
    if (i < s->len && (s->ptr[i] == '-' || s->ptr[i] == '+'))
        neg = s->ptr[i++] == '-';
    size_t from = i;
    int64_t v = 0; /* kept negative, where there is room for INT64_MIN */
    for (; i < s->len && is_digit(s->ptr[i]); i++) {
        int d = s->ptr[i] - '0';
        if (v < (INT64_MIN + d) / 10)
            return -1;
        v = v * 10 - d;
    }
    if (i == from || (!neg && v == INT64_MIN))
        return -1;
    *out = neg ? v : -v;
    s->ptr += i;
    s->len -= i;
    return 0;
}

/* The digits of a number as digits * 10^exp10; digits beyond 19 only move exp10. */
struct decimal {
    uint64_t digits;
    int64_t exp10;
    bool seen;
};

static void decimal_push(struct decimal *d, char c, bool fraction)
{
    d->seen = true;
    if (d->digits <= (UINT64_MAX - 9) / 10) {
        d->digits = d->digits * 10 + (uint64_t)(c - '0');
        d->exp10 -= fraction;
    } else {
        d->exp10 += !fraction;
    }
}

/* Exact when digits < 2^53 and |exp10| <= 22 (Clinger); else long double, which
 * is within one unit in the last place for every number that reports print. */
static double decimal_value(const struct decimal *d)
{
    static const double pow10[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
    if (d->digits == 0)
        return 0;
    if (d->digits < ((uint64_t)1 << 53) && d->exp10 >= -22 && d->exp10 <= 22)
        return d->exp10 < 0 ? (double)d->digits / pow10[-d->exp10]
                            : (double)d->digits * pow10[d->exp10];
    int64_t exp10 = d->exp10 > 400 ? 400 : d->exp10 < -400 ? -400 : d->exp10;
    return (double)((long double)d->digits * powl(10.0L, (long double)exp10));
}

static bool comma_of_thousands(struct span s, size_t i)
{
    return i > 0 && is_digit(s.ptr[i - 1]) && i + 3 < s.len && is_digit(s.ptr[i + 1]) &&
           is_digit(s.ptr[i + 2]) && is_digit(s.ptr[i + 3]);
}

static int parse_double(struct span *s, bool commas, double *out)
{
    size_t i = 0;
    bool neg = false;
    struct decimal d = { 0 };
    if (i < s->len && (s->ptr[i] == '-' || s->ptr[i] == '+'))
        neg = s->ptr[i++] == '-';
    for (; i < s->len; i++) {
        if (is_digit(s->ptr[i]))
            decimal_push(&d, s->ptr[i], false);
        else if (!commas || s->ptr[i] != ',' || !comma_of_thousands(*s, i))
            break;
    }
    if (i < s->len && s->ptr[i] == '.' && (d.seen || (i + 1 < s->len && is_digit(s->ptr[i + 1]))))
        for (i++; i < s->len && is_digit(s->ptr[i]); i++)
            decimal_push(&d, s->ptr[i], true);
    if (!d.seen)
        return -1;
    if (i + 1 < s->len && (s->ptr[i] == 'e' || s->ptr[i] == 'E')) {
        struct span exp = span_cut(*s, i + 1, s->len);
        size_t before = exp.len;
        int64_t e;
        if (span_int(&exp, &e) == 0) {
            if (e > 1000000 || e < -1000000)
                return -1;
            d.exp10 += e;
            i += 1 + before - exp.len;
        }
    }
    double v = decimal_value(&d);
    if (!isfinite(v))
        return -1;
    *out = neg ? -v : v;
    s->ptr += i;
    s->len -= i;
    return 0;
}

int span_double(struct span *s, double *out)
{
    return parse_double(s, false, out);
}

int span_double_commas(struct span *s, double *out)
{
    return parse_double(s, true, out);
}
