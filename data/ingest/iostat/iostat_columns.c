/* data/ingest/iostat/iostat_columns.c - see iostat_columns.h.
 *
 * iostat_row is the hot path: one pass over the bytes of a row, no allocation.  Values stand in
 * columns, so that those of a row are read where those of the row above were (text_places.h); a
 * value that stands elsewhere, or is of another kind, is read as a word. */
#include "data/ingest/iostat/iostat_columns.h"

#include "data/ingest/text/text_number.h"

#include <math.h>
#include <string.h>

#define SIZE_TOLERANCE 0.1 /* of the computed size */

static const struct iostat_column known[] = {
    { "r/s", FIELD_READS, 0 },
    { "w/s", FIELD_WRITES, 0 },
    { "rsec/s", FIELD_READ_KIB, 0.5 },
    { "rkB/s", FIELD_READ_KIB, 1 },
    { "rMB/s", FIELD_READ_KIB, 1024 },
    { "rGB/s", FIELD_READ_KIB, 1048576 },
    { "wsec/s", FIELD_WRITE_KIB, 0.5 },
    { "wkB/s", FIELD_WRITE_KIB, 1 },
    { "wMB/s", FIELD_WRITE_KIB, 1024 },
    { "wGB/s", FIELD_WRITE_KIB, 1048576 },
    { "rrqm/s", FIELD_READ_MERGED, 0 },
    { "wrqm/s", FIELD_WRITE_MERGED, 0 },
    { "%rrqm", FIELD_READ_MERGE_PCT, 0 },
    { "%wrqm", FIELD_WRITE_MERGE_PCT, 0 },
    { "r_await", FIELD_READ_AWAIT, 0 },
    { "w_await", FIELD_WRITE_AWAIT, 0 },
    { "await", FIELD_AWAIT, 0 },
    { "rareq-sz", FIELD_READ_SIZE_KIB, 1 },
    { "wareq-sz", FIELD_WRITE_SIZE_KIB, 1 },
    { "areq-sz", FIELD_SIZE_KIB, 1 },
    { "avgrq-sz", FIELD_SIZE_KIB, 0.5 }, /* sectors */
    { "avgqu-sz", FIELD_QUEUE, 0 },
    { "aqu-sz", FIELD_QUEUE, 0 },
    { "%util", FIELD_UTIL, 0 },
    { "svctm", FIELD_SKIPPED, 0 }, /* its makers call it meaningless */
    { "d/s", FIELD_SKIPPED, 0 },
    { "dsec/s", FIELD_DISCARD_KIB, 0.5 },
    { "dkB/s", FIELD_DISCARD_KIB, 1 },
    { "dMB/s", FIELD_DISCARD_KIB, 1024 },
    { "dGB/s", FIELD_DISCARD_KIB, 1048576 },
    { "drqm/s", FIELD_SKIPPED, 0 },
    { "%drqm", FIELD_SKIPPED, 0 },
    { "d_await", FIELD_SKIPPED, 0 },
    { "dareq-sz", FIELD_SKIPPED, 1 },
    { "f/s", FIELD_SKIPPED, 0 },
    { "f_await", FIELD_SKIPPED, 0 },

    /* without -x, and -s */
    { "tps", FIELD_TOTAL, 0 },
    { "Blk_read/s", FIELD_READ_KIB, 0.5 },
    { "kB_read/s", FIELD_READ_KIB, 1 },
    { "MB_read/s", FIELD_READ_KIB, 1024 },
    { "GB_read/s", FIELD_READ_KIB, 1048576 },
    { "Blk_wrtn/s", FIELD_WRITE_KIB, 0.5 },
    { "kB_wrtn/s", FIELD_WRITE_KIB, 1 },
    { "MB_wrtn/s", FIELD_WRITE_KIB, 1024 },
    { "GB_wrtn/s", FIELD_WRITE_KIB, 1048576 },
    { "Blk_dscd/s", FIELD_DISCARD_KIB, 0.5 },
    { "kB_dscd/s", FIELD_DISCARD_KIB, 1 },
    { "MB_dscd/s", FIELD_DISCARD_KIB, 1024 },
    { "GB_dscd/s", FIELD_DISCARD_KIB, 1048576 },
    { "Blk_w+d/s", FIELD_WRITE_DISCARD_KIB, 0.5 },
    { "kB_w+d/s", FIELD_WRITE_DISCARD_KIB, 1 },
    { "MB_w+d/s", FIELD_WRITE_DISCARD_KIB, 1024 },
    { "GB_w+d/s", FIELD_WRITE_DISCARD_KIB, 1048576 },
    { "sec/s", FIELD_TOTAL_KIB, 0.5 },
    { "kB/s", FIELD_TOTAL_KIB, 1 },
    { "MB/s", FIELD_TOTAL_KIB, 1024 },
    { "GB/s", FIELD_TOTAL_KIB, 1048576 },
    { "rqm/s", FIELD_SKIPPED, 0 },
    { "Blk_read", FIELD_SKIPPED, 1 },
    { "kB_read", FIELD_SKIPPED, 1 },
    { "MB_read", FIELD_SKIPPED, 1 },
    { "GB_read", FIELD_SKIPPED, 1 },
    { "Blk_wrtn", FIELD_SKIPPED, 1 },
    { "kB_wrtn", FIELD_SKIPPED, 1 },
    { "MB_wrtn", FIELD_SKIPPED, 1 },
    { "GB_wrtn", FIELD_SKIPPED, 1 },
    { "Blk_dscd", FIELD_SKIPPED, 1 },
    { "kB_dscd", FIELD_SKIPPED, 1 },
    { "MB_dscd", FIELD_SKIPPED, 1 },
    { "GB_dscd", FIELD_SKIPPED, 1 },
    { "Blk_w+d", FIELD_SKIPPED, 1 },
    { "kB_w+d", FIELD_SKIPPED, 1 },
    { "MB_w+d", FIELD_SKIPPED, 1 },
    { "GB_w+d", FIELD_SKIPPED, 1 },

    /* sar and sadf of sysstat; then sar of AIX, Solaris and HP-UX */
    { "rd_sec/s", FIELD_READ_KIB, 0.5 },
    { "wr_sec/s", FIELD_WRITE_KIB, 0.5 },
    { "%busy", FIELD_UTIL, 0 },
    { "avque", FIELD_QUEUE, 0 },
    { "r+w/s", FIELD_TOTAL, 0 },
    { "blks/s", FIELD_TOTAL_KIB, 0.5 },
    { "Kbs/s", FIELD_TOTAL_KIB, 1 },
    { "avwait", FIELD_WAIT, 0 },
    { "avserv", FIELD_SERVICE, 0 },

    /* the keys of JSON that differ from the headings */
    { "rrqm", FIELD_READ_MERGE_PCT, 0 },
    { "wrqm", FIELD_WRITE_MERGE_PCT, 0 },
    { "drqm", FIELD_SKIPPED, 0 },
    { "util", FIELD_UTIL, 0 },
    { "util-percent", FIELD_UTIL, 0 },
    { "rd_sec", FIELD_READ_KIB, 0.5 },
    { "wr_sec", FIELD_WRITE_KIB, 0.5 },
    { "dc_sec", FIELD_DISCARD_KIB, 0.5 },
    { "rkB", FIELD_READ_KIB, 1 },
    { "wkB", FIELD_WRITE_KIB, 1 },
    { "dkB", FIELD_DISCARD_KIB, 1 },
};

/* What a row of iostat -x must have, and the heading to name when it is not there. */
static const struct {
    enum iostat_field field;
    const char *head;
} needed[] = {
    { FIELD_READS, "r/s" },       { FIELD_WRITES, "w/s" }, { FIELD_READ_KIB, "rkB/s" },
    { FIELD_WRITE_KIB, "wkB/s" }, { FIELD_UTIL, "%util" },
};

const struct iostat_column *iostat_column_of(struct span head)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (span_is(head, known[i].head))
            return &known[i];
    return NULL;
}

static bool is_device_word(struct span w)
{
    return span_is(w, "Device") || span_is(w, "Device:") || span_is(w, "DEV") ||
           span_is(w, "device");
}

/* Requests of both directions together, and what they moved. */
static bool has_totals(const bool seen[FIELD_COUNT])
{
    bool by_direction =
        seen[FIELD_READ_KIB] && (seen[FIELD_WRITE_KIB] || seen[FIELD_WRITE_DISCARD_KIB]);
    return seen[FIELD_TOTAL] && (by_direction || seen[FIELD_TOTAL_KIB]);
}

/* Columns of reads alone or of writes alone: somebody cut the table before sending it. */
static bool is_one_direction(const bool seen[FIELD_COUNT])
{
    bool reads = seen[FIELD_READS] && seen[FIELD_READ_KIB];
    bool writes = seen[FIELD_WRITES] && seen[FIELD_WRITE_KIB];
    return (reads && !seen[FIELD_WRITES] && !seen[FIELD_WRITE_KIB]) ||
           (writes && !seen[FIELD_READS] && !seen[FIELD_READ_KIB]);
}

static enum heading_verdict judge(const struct iostat_columns *c, const bool seen[FIELD_COUNT],
                                  struct span *unknown)
{
    if (has_totals(seen))
        return HEADING_OK;
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        if (seen[needed[i].field])
            continue;
        if (c->name_last || is_one_direction(seen))
            return HEADING_PART;
        *unknown = span_of(needed[i].head);
        return HEADING_INCOMPLETE;
    }
    return HEADING_OK;
}

enum heading_verdict iostat_heading(struct span line, struct iostat_columns *out,
                                    struct span *unknown)
{
    struct iostat_columns c = { 0 };
    bool seen[FIELD_COUNT] = { false }, device_first = false;
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
        const struct iostat_column *k = iostat_column_of(word);
        if (!k && !unknown->ptr)
            *unknown = word;
        n_known += k != NULL;
        enum iostat_field field = k ? k->field : FIELD_SKIPPED;
        if (field != FIELD_SKIPPED)
            c.taken[c.n_taken++] = (unsigned char)c.n;
        c.field[c.n] = (unsigned char)field;
        c.kib[c.n] = k ? k->kib : 0;
        c.factor[c.n] = c.kib[c.n] > 0 ? c.kib[c.n] : 1;
        c.n++;
        seen[field] = true;
        if (k && k->field == FIELD_READ_KIB)
            c.kib_per_unit = k->kib;
    }
    if (device_first == c.name_last || n_known < 2) /* prose that begins with that word */
        return HEADING_NONE;
    *out = c;
    return judge(out, seen, unknown);
}

/* --- rows ------------------------------------------------------------------------------------- */

/* Figures of bytes may carry a suffix that says their unit, shares a "%"; others none. */
static bool fits(const struct text_number *n, double kib)
{
    return kib > 0 ? n->suffix != '%' : n->suffix == '\0' || n->suffix == '%';
}

/* The next value as a word, which begins at p; returns where it ends, NULL when it is no value. */
static const char *next_word(struct iostat_row *r, const char *p, const char *end, double kib,
                             double *value)
{
    struct text_number number;
    const char *behind = text_number(p, end, &number);
    if (!behind || (number.suffix && !fits(&number, kib))) {
        r->bad = (struct span){ p, (size_t)(text_skip_word(p, end) - p) };
        return NULL;
    }
    if (text_is_unknown(&number))
        r->unknown = (struct span){ p, (size_t)(behind - p) };
    r->last_decimals = number.decimals;
    r->rounded = r->rounded || number.suffix;
    *value = kib > 0 ? text_kib(&number, kib) : number.value;
    return behind;
}

/* Value i as the word that comes next; *at is moved behind it. */
static enum row_verdict read_word(struct iostat_columns *c, struct span line, size_t i,
                                  const char **at, struct iostat_row *r)
{
    const char *end = line.ptr + line.len, *p = text_skip_gap(*at, end);
    double value;
    r->n = i;
    if (p == end)
        return ROW_SHORT;
    p = next_word(r, p, end, c->kib[i], &value);
    if (!p)
        return ROW_BAD;
    c->end[i] = (size_t)(p - line.ptr);
    r->value[c->field[i]] = value;
    *at = p;
    return ROW_OK;
}

static bool ends_in_place(const struct iostat_columns *c, struct span line, size_t i)
{
    return c->end[i] == line.len || text_is_gap(line.ptr[c->end[i]]);
}

static void take_place(const struct iostat_columns *c, size_t i, double value, struct iostat_row *r)
{
    r->value[c->field[i]] = value * c->factor[i];
}

/* The values of a row, of which the first is looked for from *at on: from their places, where those
 * of the row above ended, and word by word those that are of another kind there, or stand
 * elsewhere. */
static enum row_verdict read_values(struct iostat_columns *c, struct span line, const char **at,
                                    struct iostat_row *r)
{
    double value[TEXT_PLACES_MAX];
    uint64_t bad[TEXT_PLACES_MAX];
    bool in_place = c->places.n && line.len >= c->end[c->n - 1];
    if (in_place && text_places_read(&c->places, line.ptr, (size_t)(*at - line.ptr), value, bad) &&
        ends_in_place(c, line, c->n - 1)) {
        for (size_t i = 0; i < c->n_taken; i++)
            take_place(c, c->taken[i], value[c->taken[i]], r);
        r->decimals = r->last_decimals = 2;
        *at = line.ptr + c->end[c->n - 1];
        return ROW_OK;
    }
    for (size_t i = 0; i < c->n; i++) {
        size_t place = c->end[i];
        if (in_place && !bad[i] && ends_in_place(c, line, i)) {
            take_place(c, i, value[i], r);
            r->last_decimals = 2;
            *at = line.ptr + place;
        } else {
            enum row_verdict v = read_word(c, line, i, at, r);
            if (v) {
                c->places.n = 0;
                return v;
            }
            in_place = in_place && c->end[i] == place;
        }
        if (i == 0)
            r->decimals = r->last_decimals;
    }
    if (!in_place)
        text_places_set(&c->places, c->end, c->n);
    return ROW_OK;
}

enum row_verdict iostat_row(struct iostat_columns *c, struct span line, struct iostat_row *out)
{
    struct iostat_row *r = out;
    for (size_t i = 0; i < FIELD_COUNT; i++)
        r->value[i] = (double)NAN;
    r->decimals = r->last_decimals = 0;
    r->rounded = false;
    r->device = (struct span){ NULL, 0 };
    r->unknown = (struct span){ NULL, 0 };

    const char *end = line.ptr + line.len, *p = text_skip_gap(line.ptr, end);
    if (!c->name_last) {
        const char *name = p;
        p = text_skip_word(p, end);
        r->device = (struct span){ name, (size_t)(p - name) };
    }
    enum row_verdict v = read_values(c, line, &p, r);
    if (v)
        return v;
    r->n = c->n;
    struct span rest = span_trim((struct span){ p, (size_t)(end - p) });
    if (c->name_last) {
        r->device = rest;
        return rest.len ? ROW_OK : ROW_SHORT;
    }
    return rest.len ? ROW_LONG : ROW_OK;
}

/* --- samples ---------------------------------------------------------------------------------- */

/* Two columns say one thing: a printed value is taken where it agrees with the computed one as far
 * as rounding goes (it has more digits when rates are small), else the computed one.  How far it is
 * off, and how far it may be, are both times a rate below, since divisions are slow. */

/* half is half a unit of the last decimal.  NaN when there were no requests. */
static double request_kib(double kibps, double per_s, double printed, double half, double unit_kib,
                          bool *plausible)
{
    if (!(per_s > 0))
        return (double)NAN;
    if (isnan(kibps))
        return printed;
    double computed = kibps / per_s;
    double off = fabs(printed * per_s - kibps), slack = half * (unit_kib + computed + per_s);
    if (off > slack + kibps * SIZE_TOLERANCE)
        *plausible = false;
    return off <= slack ? printed : computed;
}

static double merge_pct(double merged_per_s, double per_s, double printed, double half)
{
    double all = merged_per_s + per_s;
    if (!(all > 0))
        return printed;
    double off = fabs(printed * all - 100 * merged_per_s), slack = half * (200 + all);
    return off <= slack ? printed : 100 * merged_per_s / all;
}

/* Weighted by requests; without any, 0 where iostat printed 0 twice. */
static double await_of_both(const double *v)
{
    double n = v[FIELD_READS] + v[FIELD_WRITES];
    if (isnan(n) || isnan(v[FIELD_READ_AWAIT] + v[FIELD_WRITE_AWAIT]))
        return v[FIELD_WAIT] + v[FIELD_SERVICE];
    if (!(n > 0))
        return v[FIELD_READ_AWAIT] + v[FIELD_WRITE_AWAIT] == 0 ? 0 : (double)NAN;
    return (v[FIELD_READS] * v[FIELD_READ_AWAIT] + v[FIELD_WRITES] * v[FIELD_WRITE_AWAIT]) / n;
}

/* What tps moved: from sysstat 12 on with the discards, which it counts in. */
static double total_kib(const double *v)
{
    double writes = isnan(v[FIELD_WRITE_KIB]) ? v[FIELD_WRITE_DISCARD_KIB] : v[FIELD_WRITE_KIB];
    double discards = isnan(v[FIELD_DISCARD_KIB]) ? 0 : v[FIELD_DISCARD_KIB];
    return isnan(v[FIELD_TOTAL_KIB]) ? v[FIELD_READ_KIB] + writes + discards : v[FIELD_TOTAL_KIB];
}

bool iostat_sample(const struct iostat_columns *c, const struct iostat_row *r, struct io_sample *s)
{
    static const double half_units[] = { 0.5, 0.05, 0.005 };
    double half = half_units[r->decimals < 2 ? r->decimals : 2];
    double unit_kib = r->rounded ? 10 * 1024 : c->kib_per_unit; /* 0.1 MiB at best */
    const double *v = r->value;
    bool plausible = true;

    s->reads_per_s = v[FIELD_READS];
    s->writes_per_s = v[FIELD_WRITES];
    s->read_kib_per_s = v[FIELD_READ_KIB];
    s->write_kib_per_s = v[FIELD_WRITE_KIB];
    s->total_per_s = v[FIELD_TOTAL];
    s->total_kib_per_s = isnan(v[FIELD_TOTAL]) ? (double)NAN : total_kib(v);
    s->read_request_kib = request_kib(v[FIELD_READ_KIB], v[FIELD_READS], v[FIELD_READ_SIZE_KIB],
                                      half, unit_kib, &plausible);
    s->write_request_kib = request_kib(v[FIELD_WRITE_KIB], v[FIELD_WRITES], v[FIELD_WRITE_SIZE_KIB],
                                       half, unit_kib, &plausible);
    s->request_kib = v[FIELD_SIZE_KIB] > 0 ? v[FIELD_SIZE_KIB] : (double)NAN;
    s->read_merge_pct =
        merge_pct(v[FIELD_READ_MERGED], v[FIELD_READS], v[FIELD_READ_MERGE_PCT], half);
    s->write_merge_pct =
        merge_pct(v[FIELD_WRITE_MERGED], v[FIELD_WRITES], v[FIELD_WRITE_MERGE_PCT], half);
    s->read_await_ms = v[FIELD_READ_AWAIT];
    s->write_await_ms = v[FIELD_WRITE_AWAIT];
    s->await_ms = isnan(v[FIELD_AWAIT]) ? await_of_both(v) : v[FIELD_AWAIT];
    s->queue = v[FIELD_QUEUE];
    s->util_pct = v[FIELD_UTIL];
    io_sample_complete(s);
    return plausible;
}
