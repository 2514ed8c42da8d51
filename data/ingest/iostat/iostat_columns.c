/* data/ingest/iostat/iostat_columns.c - see iostat_columns.h.
 *
 * iostat_row and what it calls is the hot path: one pass over the bytes of a row, no
 * allocation, numbers in integers until the last division. */
#include "data/ingest/iostat/iostat_columns.h"

#include <math.h>
#include <string.h>

#define SIZE_TOLERANCE_PCT 10.0

static const struct known {
    const char *head;
    enum iostat_field field;
    double scale;
} known[] = {
    { "r/s", FIELD_READS, 1 },
    { "w/s", FIELD_WRITES, 1 },
    { "rsec/s", FIELD_READ_KIB, 0.5 },
    { "rkB/s", FIELD_READ_KIB, 1 },
    { "rMB/s", FIELD_READ_KIB, 1024 },
    { "rGB/s", FIELD_READ_KIB, 1048576 },
    { "wsec/s", FIELD_WRITE_KIB, 0.5 },
    { "wkB/s", FIELD_WRITE_KIB, 1 },
    { "wMB/s", FIELD_WRITE_KIB, 1024 },
    { "wGB/s", FIELD_WRITE_KIB, 1048576 },
    { "rrqm/s", FIELD_READ_MERGED, 1 },
    { "wrqm/s", FIELD_WRITE_MERGED, 1 },
    { "%rrqm", FIELD_READ_MERGE_PCT, 1 },
    { "%wrqm", FIELD_WRITE_MERGE_PCT, 1 },
    { "r_await", FIELD_READ_AWAIT, 1 },
    { "w_await", FIELD_WRITE_AWAIT, 1 },
    { "await", FIELD_AWAIT, 1 },
    { "rareq-sz", FIELD_READ_SIZE_KIB, 1 },
    { "wareq-sz", FIELD_WRITE_SIZE_KIB, 1 },
    { "avgqu-sz", FIELD_QUEUE, 1 },
    { "aqu-sz", FIELD_QUEUE, 1 },
    { "%util", FIELD_UTIL, 1 },
    { "avgrq-sz", FIELD_SKIPPED, 1 }, /* sectors, reads and writes mixed */
    { "svctm", FIELD_SKIPPED, 1 },    /* its makers call it meaningless */
    { "d/s", FIELD_SKIPPED, 1 },
    { "dsec/s", FIELD_SKIPPED, 1 },
    { "dkB/s", FIELD_SKIPPED, 1 },
    { "dMB/s", FIELD_SKIPPED, 1 },
    { "drqm/s", FIELD_SKIPPED, 1 },
    { "%drqm", FIELD_SKIPPED, 1 },
    { "d_await", FIELD_SKIPPED, 1 },
    { "dareq-sz", FIELD_SKIPPED, 1 },
    { "f/s", FIELD_SKIPPED, 1 },
    { "f_await", FIELD_SKIPPED, 1 },
};

/* What a row must have, and the heading to name when it is not there. */
static const struct {
    enum iostat_field field;
    const char *head;
} needed[] = {
    { FIELD_READS, "r/s" },       { FIELD_WRITES, "w/s" }, { FIELD_READ_KIB, "rkB/s" },
    { FIELD_WRITE_KIB, "wkB/s" }, { FIELD_UTIL, "%util" },
};

static const struct known *known_of(struct span head)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (span_is(head, known[i].head))
            return &known[i];
    return NULL;
}

static bool is_device_word(struct span w)
{
    return span_is(w, "Device") || span_is(w, "Device:");
}

/* NULL when every needed column was seen. */
static const char *first_missing(const bool seen[FIELD_COUNT])
{
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!seen[needed[i].field])
            return needed[i].head;
    return NULL;
}

enum heading_verdict iostat_heading(struct span line, struct iostat_columns *out,
                                    struct span *unknown)
{
    struct iostat_columns c = { 0 };
    bool seen[FIELD_COUNT] = { false }, device_first = false, has_tps = false;
    size_t n_known = 0;
    struct span rest = line, word;
    *unknown = (struct span){ NULL, 0 };
    while (c.indent < line.len && line.ptr[c.indent] == ' ')
        c.indent++;
    for (size_t i = 0; span_word(&rest, &word) == 0; i++) {
        if (is_device_word(word)) {
            device_first = device_first || i == 0;
            c.name_last = i != 0 && span_trim(rest).len == 0;
            continue;
        }
        if (c.n == IOSTAT_COLUMNS_MAX)
            return HEADING_NONE;
        const struct known *k = known_of(word);
        has_tps = has_tps || span_is(word, "tps");
        if (!k && !unknown->ptr)
            *unknown = word;
        n_known += k != NULL;
        c.field[c.n] = (unsigned char)(k ? k->field : FIELD_SKIPPED);
        c.scale[c.n++] = k ? k->scale : 1;
        seen[k ? k->field : FIELD_SKIPPED] = true;
        if (k && k->field == FIELD_READ_KIB)
            c.kib_per_unit = k->scale;
    }
    if (device_first == c.name_last ||
        (n_known < 2 && !has_tps)) /* prose that begins with that word */
        return HEADING_NONE;
    const char *missing = first_missing(seen);
    if (missing) {
        *unknown = span_of(missing);
        return has_tps ? HEADING_PLAIN : c.name_last ? HEADING_STACKED : HEADING_INCOMPLETE;
    }
    *out = c;
    return HEADING_OK;
}

/* --- rows ------------------------------------------------------------------------------------- */

static inline bool is_gap(char c)
{
    return c == ' ' || c == '\0' || c == '\t' || c == '\r';
}

static const char *skip_gap(const char *p, const char *end)
{
    while (p < end && is_gap(*p))
        p++;
    return p;
}

static const char *skip_word(const char *p, const char *end)
{
    while (p < end && !is_gap(*p))
        p++;
    return p;
}

/* What digits and a decimal mark cannot say: a sign, an exponent, nan and inf (unknown), more
 * digits than fit.  Non-zero when it is no number. */
static int parse_rare(struct span word, double *out)
{
    struct span w = word;
    if (span_double(&w, out) == 0 && !w.len)
        return 0;
    if (word.len && word.ptr[0] == '-')
        word = span_cut(word, 1, word.len);
    if (!span_eq_nocase(word, SPAN_LIT("nan")) && !span_eq_nocase(word, SPAN_LIT("inf")))
        return -1;
    *out = NAN;
    return 0;
}

/* One value and the gap's start behind it; NULL when it is no number. */
static const char *take_value(const char *p, const char *end, double *out, int *decimals)
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
    if (p < end && (*p == '.' || *p == ',')) { /* a comma in locales that write it so */
        p++;
        while (p < end && (d = (unsigned)(*p - '0')) < 10) {
            v = v * 10 + d;
            p++;
        }
    }
    size_t n_fraction = mark == p ? 0 : (size_t)(p - mark - 1);
    size_t n_digits = (size_t)(mark - from) + n_fraction;
    if (n_digits <= 15 && mark > from && (p == end || is_gap(*p))) { /* exact in a double */
        *out = (double)v / pow10[n_fraction];
        *decimals = (int)n_fraction;
        return p;
    }
    p = skip_word(from, end);
    return parse_rare((struct span){ from, (size_t)(p - from) }, out) ? NULL : p;
}

static enum row_verdict bad_value(const char *p, const char *end, struct iostat_row *r)
{
    r->bad = (struct span){ p, (size_t)(skip_word(p, end) - p) };
    char last = r->bad.ptr[r->bad.len - 1];
    bool number = (unsigned)(*p - '0') < 10;
    return number && strchr("kMGTP%", last) ? ROW_HUMAN : ROW_BAD;
}

enum row_verdict iostat_row(const struct iostat_columns *c, struct span line,
                            struct iostat_row *out)
{
    struct iostat_row *r = out;
    *r = (struct iostat_row){ .n = 0 };
    for (size_t i = 0; i < FIELD_COUNT; i++)
        r->value[i] = NAN;

    const char *end = line.ptr + line.len;
    const char *p = skip_gap(line.ptr, end);
    if (!c->name_last) {
        const char *name = p;
        p = skip_word(p, end);
        r->device = (struct span){ name, (size_t)(p - name) };
    }
    for (; r->n < c->n; r->n++) {
        p = skip_gap(p, end);
        if (p == end)
            return ROW_SHORT;
        double value;
        const char *next = take_value(p, end, &value, &r->last_decimals);
        if (!next)
            return bad_value(p, end, r);
        if (r->n == 0)
            r->decimals = r->last_decimals;
        r->value[c->field[r->n]] = value * c->scale[r->n];
        p = next;
    }
    struct span rest = span_trim((struct span){ p, (size_t)(end - p) });
    if (!c->name_last)
        return rest.len ? ROW_LONG : ROW_OK;
    r->device = rest;
    return rest.len ? ROW_OK : ROW_SHORT;
}

/* --- samples ---------------------------------------------------------------------------------- */

/* Of two values for one thing, the printed one where it agrees with the computed one as far as
 * rounding goes (it has more digits when rates are small), else the computed one. */
static double better_of(double printed, double computed, double slack)
{
    if (isnan(computed))
        return printed;
    return fabs(printed - computed) <= slack ? printed : computed;
}

/* half is half a unit of the last decimal.  NaN when there were no requests. */
static double request_kib(double kibps, double per_s, double printed, double half, double unit_kib,
                          bool *plausible)
{
    if (!(per_s > 0))
        return NAN;
    double computed = kibps / per_s;
    double slack = (half * unit_kib + half * computed) / per_s + half;
    double limit = slack + computed * SIZE_TOLERANCE_PCT / 100;
    if (fabs(printed - computed) > limit)
        *plausible = false;
    return better_of(printed, computed, slack);
}

static double merge_pct(double merged_per_s, double per_s, double printed, double half)
{
    double all = merged_per_s + per_s;
    return all > 0 ? better_of(printed, 100 * merged_per_s / all, 200 * half / all + half)
                   : printed;
}

/* Weighted by requests; without any, 0 where iostat printed 0 twice. */
static double await_of_both(const double *v)
{
    double n = v[FIELD_READS] + v[FIELD_WRITES];
    if (!(n > 0))
        return v[FIELD_READ_AWAIT] + v[FIELD_WRITE_AWAIT] == 0 ? 0 : NAN;
    return (v[FIELD_READS] * v[FIELD_READ_AWAIT] + v[FIELD_WRITES] * v[FIELD_WRITE_AWAIT]) / n;
}

bool iostat_sample(const struct iostat_columns *c, const struct iostat_row *r, struct io_sample *s)
{
    static const double half_units[] = { 0.5, 0.05, 0.005 };
    double half = half_units[r->decimals < 2 ? r->decimals : 2];
    const double *v = r->value;
    bool plausible = true;

    s->reads_per_s = v[FIELD_READS];
    s->writes_per_s = v[FIELD_WRITES];
    s->read_kib_per_s = v[FIELD_READ_KIB];
    s->write_kib_per_s = v[FIELD_WRITE_KIB];
    s->read_request_kib = request_kib(v[FIELD_READ_KIB], v[FIELD_READS], v[FIELD_READ_SIZE_KIB],
                                      half, c->kib_per_unit, &plausible);
    s->write_request_kib = request_kib(v[FIELD_WRITE_KIB], v[FIELD_WRITES], v[FIELD_WRITE_SIZE_KIB],
                                       half, c->kib_per_unit, &plausible);
    s->read_merge_pct =
        merge_pct(v[FIELD_READ_MERGED], v[FIELD_READS], v[FIELD_READ_MERGE_PCT], half);
    s->write_merge_pct =
        merge_pct(v[FIELD_WRITE_MERGED], v[FIELD_WRITES], v[FIELD_WRITE_MERGE_PCT], half);
    s->read_await_ms = v[FIELD_READ_AWAIT];
    s->write_await_ms = v[FIELD_WRITE_AWAIT];
    s->await_ms = isnan(v[FIELD_AWAIT]) ? await_of_both(v) : v[FIELD_AWAIT];
    s->queue = v[FIELD_QUEUE];
    s->util_pct = v[FIELD_UTIL];
    s->total_per_s = s->total_kib_per_s = s->request_kib = NAN;
    io_sample_complete(s);
    return plausible;
}
