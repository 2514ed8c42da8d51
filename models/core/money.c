/* models/core/money.c - see money.h. */
#include "models/core/money.h"

#include <string.h>

enum { SCALE = 12, WHOLE_DIGITS_MAX = 18, DIGITS_MAX = 30 };

static bool digit_at(struct span s, size_t i)
{
    return i < s.len && s.ptr[i] >= '0' && s.ptr[i] <= '9';
}

static money pow10_of(int64_t n)
{
    money p = 1;
    for (; n > 0; n--)
        p *= 10;
    return p;
}

int money_parse(struct span *s, money *out, bool *rounded, int *decimals)
{
    size_t i = 0;
    bool neg = false, seen = false, lost = false;
    if (s->len && (s->ptr[0] == '-' || s->ptr[0] == '+'))
        neg = s->ptr[i++] == '-';

    /* The number is digits * 10^exp10; the first digit that no longer fits decides the rounding. */
    money digits = 0;
    int n_digits = 0, next = -1;
    int64_t exp10 = 0, fraction = 0;
    for (bool point = false;; i++) {
        if (!point && i < s->len && s->ptr[i] == '.' && (seen || digit_at(*s, i + 1))) {
            point = true;
            continue;
        }
        if (!digit_at(*s, i))
            break;
        int d = s->ptr[i] - '0';
        seen = true;
        fraction += point;
        if (n_digits < DIGITS_MAX) {
            digits = digits * 10 + d;
            n_digits += digits != 0;
            exp10 -= point;
        } else {
            if (next < 0)
                next = d;
            lost = lost || d != 0;
            exp10 += !point;
        }
    }
    if (!seen)
        return -1;
    if (i + 1 < s->len && (s->ptr[i] == 'e' || s->ptr[i] == 'E')) {
        struct span exp = span_cut(*s, i + 1, s->len);
        size_t before = exp.len;
        int64_t e;
        if (span_int(&exp, &e) == 0) {
            if (e > 1000 || e < -1000)
                return -1;
            exp10 += e;
            fraction -= e;
            i += 1 + before - exp.len;
        }
    }

    int64_t shift = exp10 + SCALE; /* to units of 10^-12 */
    if (digits && n_digits + exp10 > WHOLE_DIGITS_MAX)
        return -1;
    money v = digits;
    if (digits == 0) {
        v = 0;
    } else if (shift >= 0) {
        v *= pow10_of(shift);
        v += shift == 0 && next >= 5;
    } else if (-shift > DIGITS_MAX) {
        lost = true;
        v = 0;
    } else {
        money unit = pow10_of(-shift), rest = digits % unit;
        lost = lost || rest != 0;
        v = digits / unit + (rest * 2 >= unit);
    }
    *out = neg ? -v : v;
    if (rounded)
        *rounded = lost;
    if (decimals)
        *decimals = (int)(fraction < 0 ? 0 : fraction);
    *s = span_cut(*s, i, s->len);
    return 0;
}

char *money_format(char buf[64], money m, int decimals)
{
    bool neg = m < 0;
    money unit = pow10_of(SCALE - decimals);
    money v = ((neg ? -m : m) + unit / 2) / unit;
    neg = neg && v != 0;

    char back[64];
    size_t n = 0;
    for (; v > 0 || n < (size_t)decimals + 1; v /= 10) {
        if (n == (size_t)decimals && decimals > 0)
            back[n++] = '.';
        back[n++] = (char)('0' + (int)(v % 10));
    }
    char *to = buf;
    if (neg)
        *to++ = '-';
    while (n)
        *to++ = back[--n];
    *to = '\0';
    return buf;
}

char *money_exact(char buf[64], money m)
{
    size_t n = strlen(money_format(buf, m, SCALE));
    while (buf[n - 1] == '0')
        n--;
    if (buf[n - 1] == '.')
        n--;
    buf[n] = '\0';
    return buf;
}

static money divide(money m, money by)
{
    money half = by / 2;
    return m < 0 ? (m - half) / by : (m + half) / by;
}

money money_times(money amount, int64_t price)
{
    money whole = amount / MONEY_ONE, rest = amount % MONEY_ONE;
    return whole * price + divide(rest * price, MONEY_ONE);
}

money money_share(money m, int64_t part, int64_t whole)
{
    return divide(m * part, whole);
}

double money_double(money m)
{
    return (double)m / 1e12;
}
