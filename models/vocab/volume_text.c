/* models/vocab/volume_text.c - see volume_text.h. */
#include "models/vocab/volume_text.h"

#include "models/core/unit.h"

#include <math.h>
#include <string.h>

enum { COUNT_MAX = 999, FIELDS = 3, RUN_MAX = 8 };
#define FIGURE_MAX 1e9

struct reading {
    struct span text;
    struct volume_spec spec;
    int64_t *fields[FIELDS]; /* of the spec, in order */
    struct err *e;
};

static const enum unit units[FIELDS] = { UNIT_GIB, UNIT_IOPS, UNIT_MIBPS };

static int refuse(const struct reading *r, const char *what)
{
    return err_set(r->e, ERR_USAGE,
                   "'%.*s': %s; write TYPE:GIB:IOPS:MIBPS as in 2xio2:250GiB:5000 or "
                   "gp3:500GiB:4000:250",
                   SPAN_ARG(r->text), what);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_plain(struct span word)
{
    for (size_t i = 0; i < word.len; i++)
        if (!is_digit(word.ptr[i]) && word.ptr[i] != '.')
            return false;
    return word.len > 0;
}

/* Whole figures are ordered: one part in 1e12 is rounding of a conversion. */
static int take(struct reading *r, int field, struct span quantity)
{
    double v;
    if (*r->fields[field] != UNKNOWN)
        return refuse(r, "a figure stands there twice, or there are too many");
    if (unit_parse(quantity, units[field], &v, NULL))
        return refuse(r, "a figure has another unit than it can have");
    double whole = ceil(v * (1 - 1e-12));
    if (whole > v * (1 + 1e-12) || whole > FIGURE_MAX)
        return refuse(r, "figures are whole, of GiB, IOPS and MiB/s");
    *r->fields[field] = (int64_t)whole;
    return 0;
}

/* "2x", "2 x"; without one it is 1. */
static int take_count(struct reading *r, struct span *rest)
{
    struct span s = *rest;
    int64_t n;
    if (span_int(&s, &n))
        return 0;
    s = span_trim(s);
    if (!s.len || (s.ptr[0] != 'x' && s.ptr[0] != 'X') || n < 1 || n > COUNT_MAX)
        return refuse(r, "a count stands before an x, 1 to 999");
    r->spec.count = n;
    *rest = span_trim(span_cut(s, 1, s.len));
    return 0;
}

static int take_type(struct reading *r, struct span *rest)
{
    size_t n = 0;
    while (n < rest->len && rest->ptr[n] != ':' && !is_blank(rest->ptr[n]))
        n++;
    if (volume_type_parse(span_cut(*rest, 0, n), &r->spec.type))
        return refuse(r, "no volume type: gp3, gp2, io2, io1, st1, sc1, standard");
    *rest = span_cut(*rest, n, rest->len);
    return 0;
}

/* ":250GiB:5000" */
static int take_fields(struct reading *r, struct span rest)
{
    struct span field;
    rest = span_cut(rest, 1, rest.len);
    for (int i = 0; span_field(&rest, ':', &field) == 0; i++) {
        if (i == FIELDS)
            return refuse(r, "too many fields");
        int rc = span_trim(field).len ? take(r, i, field) : 0;
        if (rc)
            return rc;
    }
    return 0;
}

/* Words of digits that no unit followed yet. */
struct run {
    struct span words[RUN_MAX];
    size_t n;
};

static bool is_thousands(const struct run *w, size_t i)
{
    return i > 0 && i < w->n && w->words[i].len == 3 && w->words[i - 1].len <= 3;
}

/* Bare numbers, in order of the fields that are left. */
static int take_bare(struct reading *r, const struct run *w, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int field = 0;
        if (is_thousands(w, i))
            return refuse(r, "a blank may be between thousands or figures here");
        while (field < FIELDS - 1 && *r->fields[field] != UNKNOWN)
            field++;
        int rc = take(r, field, w->words[i]);
        if (rc)
            return rc;
    }
    return 0;
}

/* A quantity with its unit: the last words of the run that are thousands of one number. */
static int take_with_unit(struct reading *r, const struct run *w)
{
    char joined[96];
    size_t from = w->n - 1, len = 0;
    bool unit_apart = !is_digit(w->words[from].ptr[0]);
    if (unit_apart && from > 0)
        from--;
    while (is_thousands(w, from))
        from--;
    for (size_t i = from; i < w->n; i++) {
        if (len + w->words[i].len > sizeof joined)
            return refuse(r, "a figure is too long");
        memcpy(joined + len, w->words[i].ptr, w->words[i].len);
        len += w->words[i].len;
    }
    int rc = take_bare(r, w, from);
    if (rc)
        return rc;
    for (int i = 0; i < FIELDS; i++) {
        double v;
        struct span quantity = { joined, len };
        if (unit_parse(quantity, units[i], &v, NULL) == 0)
            return take(r, i, quantity);
    }
    return refuse(r, "a figure has no unit of GiB, IOPS or MiB/s");
}

/* "250 GiB 5 000 IOPS" */
static int take_words(struct reading *r, struct span rest)
{
    struct run w = { .n = 0 };
    struct span word;
    while (span_word(&rest, &word) == 0) {
        if (w.n == RUN_MAX)
            return refuse(r, "too many figures");
        w.words[w.n++] = word;
        if (is_plain(word))
            continue;
        int rc = take_with_unit(r, &w);
        if (rc)
            return rc;
        w.n = 0;
    }
    return take_bare(r, &w, w.n);
}

int volume_text_parse(struct span text, struct volume_spec *out, struct err *e)
{
    struct reading r = { .text = text,
                         .spec = { VOL_TYPE_COUNT, 1, UNKNOWN, UNKNOWN, UNKNOWN },
                         .e = e };
    struct span rest = span_trim(text);
    r.fields[0] = &r.spec.size_gib;
    r.fields[1] = &r.spec.iops;
    r.fields[2] = &r.spec.throughput_mibps;
    int rc = take_count(&r, &rest);
    if (!rc)
        rc = take_type(&r, &rest);
    if (!rc)
        rc = rest.len && rest.ptr[0] == ':' ? take_fields(&r, rest) : take_words(&r, rest);
    if (!rc && (r.spec.size_gib == UNKNOWN || r.spec.size_gib < 1))
        rc = refuse(&r, "the size of a volume is missing");
    if (!rc)
        *out = r.spec;
    return rc;
}
