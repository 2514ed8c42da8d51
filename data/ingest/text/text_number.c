/* data/ingest/text/text_number.c - see text_number.h. */
#include "data/ingest/text/text_number.h"

#include <math.h>
#include <string.h>

/* Digits with a decimal comma, made a point in a copy; longer ones are no number of a tool. */
static int parse_comma(struct span w, double *out)
{
    char buf[64];
    const char *comma = memchr(w.ptr, ',', w.len);
    if (!comma || w.len > sizeof buf)
        return -1;
    for (size_t i = 0; i < w.len; i++)
        buf[i] = w.ptr + i == comma ? '.' : w.ptr[i];
    struct span s = { buf, w.len };
    return span_double(&s, out) || s.len ? -1 : 0;
}

static int parse_plain(struct span w, double *out)
{
    struct span s = w;
    if (span_double(&s, out) == 0 && !s.len)
        return 0;
    return w.len ? parse_comma(w, out) : -1;
}

static const char suffixes[] = { 'B', 'k', 'K', 'M', 'G', 'T', 'P', '%' };

const char *text_number_rare(const char *p, const char *end, struct text_number *out)
{
    const char *behind = text_skip_word(p, end);
    struct span w = { p, (size_t)(behind - p) };
    *out = (struct text_number){ .value = (double)NAN };
    if (!w.len)
        return NULL;

    struct span unsigned_w = w.ptr[0] == '-' ? span_cut(w, 1, w.len) : w;
    if (span_eq_nocase(unsigned_w, SPAN_LIT("nan")) || span_eq_nocase(unsigned_w, SPAN_LIT("inf")))
        return behind;

    const char *mark = memchr(w.ptr, '.', w.len);
    if (!mark)
        mark = memchr(w.ptr, ',', w.len);
    if (memchr(suffixes, w.ptr[w.len - 1], sizeof suffixes)) {
        out->suffix = w.ptr[w.len - 1] == 'K' ? 'k' : w.ptr[w.len - 1];
        w.len--;
    }
    if (parse_plain(w, &out->value))
        return NULL;
    size_t n_decimals = mark ? (size_t)(w.ptr + w.len - mark) - 1 : 0;
    out->decimals = n_decimals > 15 ? 15 : (int)n_decimals;
    return behind;
}

int text_number_of(struct span s, struct text_number *out)
{
    s = span_trim(s);
    if (!s.len)
        return -1;
    const char *behind = text_number(s.ptr, s.ptr + s.len, out);
    return behind == s.ptr + s.len ? 0 : -1;
}

double text_kib(const struct text_number *n, double kib_per_unit)
{
    switch (n->suffix) {
    case '\0':
        return n->value * kib_per_unit;
    case 'B':
        return n->value / 1024;
    case 'k':
        return n->value;
    case 'M':
        return n->value * 1024;
    case 'G':
        return n->value * 1048576;
    case 'T':
        return n->value * 1073741824;
    case 'P':
        return n->value * 1099511627776;
    default:
        return (double)NAN;
    }
}
