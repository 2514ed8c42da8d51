/* data/ingest/unixstat/unixstat_columns.c - see unixstat_columns.h. */
#include "data/ingest/unixstat/unixstat_columns.h"

#include "data/ingest/text/text_number.h"

#include <math.h>
#include <string.h>

struct column {
    const char *head;
    enum unix_field field;
    double scale;
};

static const struct column aix_plain[] = {
    { "tm_act", UNIX_UTIL, 1 },
    { "Kbps", UNIX_TOTAL_KIB, 1 },
    { "tps", UNIX_TOTAL, 1 },
    { "Kb_read", UNIX_READ_MOVED_KIB, 1 },
    { "Kb_wrtn", UNIX_WRITE_MOVED_KIB, 1 },
    { "time", UNIX_TIME, 1 },
    { NULL, UNIX_SKIPPED, 0 },
};

/* The four blocks of iostat -D. */
static const struct column aix_xfer[] = {
    { "%tm_act", UNIX_UTIL, 1 },
    { "bps", UNIX_TOTAL_KIB, 1.0 / 1024 },
    { "tps", UNIX_TOTAL, 1 },
    { "bread", UNIX_READ_KIB, 1.0 / 1024 },
    { "bwrtn", UNIX_WRITE_KIB, 1.0 / 1024 },
    { NULL, UNIX_SKIPPED, 0 },
};
static const struct column aix_read[] = {
    { "rps", UNIX_READS, 1 },
    { "avgserv", UNIX_READ_SERVICE_MS, 1 },
    { NULL, UNIX_SKIPPED, 0 },
};
static const struct column aix_write[] = {
    { "wps", UNIX_WRITES, 1 },
    { "avgserv", UNIX_WRITE_SERVICE_MS, 1 },
    { NULL, UNIX_SKIPPED, 0 },
};
static const struct column aix_queue[] = {
    { "avgtime", UNIX_WAIT_MS, 1 },
    { "avgwqsz", UNIX_WAITING, 1 },
    { "avgsqsz", UNIX_ACTIVE, 1 },
    { NULL, UNIX_SKIPPED, 0 },
};
static const struct {
    const char *label;
    const struct column *columns;
} aix_blocks[] = {
    { "xfer:", aix_xfer },
    { "read:", aix_read },
    { "write:", aix_write },
    { "queue:", aix_queue },
};

/* The second of three heading lines of iostat -Dl; the first and third complete its words. */
static const struct column aix_long[] = {
    { "%tm", UNIX_UTIL, 1 },
    { "bps", UNIX_TOTAL_KIB, 1.0 / 1024 },
    { "tps", UNIX_TOTAL, 1 },
    { "bread", UNIX_READ_KIB, 1.0 / 1024 },
    { "bwrtn", UNIX_WRITE_KIB, 1.0 / 1024 },
    { "rps", UNIX_READS, 1 },
    { "avg", UNIX_READ_SERVICE_MS, 1 },
    { "min", UNIX_SKIPPED, 1 },
    { "max", UNIX_SKIPPED, 1 },
    { "time", UNIX_SKIPPED, 1 },
    { "fail", UNIX_SKIPPED, 1 },
    { "wps", UNIX_WRITES, 1 },
    { "avg", UNIX_WRITE_SERVICE_MS, 1 },
    { "min", UNIX_SKIPPED, 1 },
    { "max", UNIX_SKIPPED, 1 },
    { "time", UNIX_SKIPPED, 1 },
    { "fail", UNIX_SKIPPED, 1 },
    { "avg", UNIX_WAIT_MS, 1 },
    { "min", UNIX_SKIPPED, 1 },
    { "max", UNIX_SKIPPED, 1 },
    { "avg", UNIX_WAITING, 1 },
    { "avg", UNIX_ACTIVE, 1 },
    { "serv", UNIX_SKIPPED, 1 },
};

static const struct column solaris[] = {
    { "device", UNIX_DEVICE, 1 },     { "r/s", UNIX_READS, 1 },
    { "w/s", UNIX_WRITES, 1 },        { "kr/s", UNIX_READ_KIB, 1 },
    { "kw/s", UNIX_WRITE_KIB, 1 },    { "Mr/s", UNIX_READ_KIB, 1024 },
    { "Mw/s", UNIX_WRITE_KIB, 1024 }, { "wait", UNIX_WAITING, 1 },
    { "actv", UNIX_ACTIVE, 1 },       { "wsvc_t", UNIX_WAIT_MS, 1 },
    { "asvc_t", UNIX_SERVICE_MS, 1 }, { "svc_t", UNIX_SERVICE_MS, 1 },
    { "%b", UNIX_UTIL, 1 },           { NULL, UNIX_SKIPPED, 0 },
};

static bool is_separator(char c)
{
    return text_is_gap(c) || c == ','; /* -r of Solaris */
}

static bool next_word(struct span *s, struct span *out)
{
    size_t i = 0;
    while (i < s->len && is_separator(s->ptr[i]))
        i++;
    size_t from = i;
    while (i < s->len && !is_separator(s->ptr[i]))
        i++;
    *out = span_cut(*s, from, i);
    *s = span_cut(*s, i, s->len);
    return out->len > 0;
}

/* Known headings of a table; how many there are. */
static size_t map(struct span words, const struct column *known, struct unix_columns *out)
{
    struct span word;
    size_t n_known = 0;
    *out = (struct unix_columns){ .n = 0 };
    while (out->n < UNIX_COLUMNS_MAX && next_word(&words, &word)) {
        if (span_is(word, "%")) /* "% tm_act" */
            continue;
        const struct column *k = known;
        while (k->head && !span_is(word, k->head))
            k++;
        n_known += k->head != NULL;
        out->has_device = out->has_device || k->field == UNIX_DEVICE;
        out->field[out->n] = (unsigned char)k->field;
        out->scale[out->n++] = k->scale;
    }
    return n_known;
}

static bool is_long_heading(struct span words, struct unix_columns *out)
{
    struct span word;
    size_t n = sizeof aix_long / sizeof *aix_long;
    *out = (struct unix_columns){ .n = 1, .field = { UNIX_DEVICE }, .has_device = true };
    for (size_t i = 0; i < n; i++, out->n++) {
        if (!next_word(&words, &word) || !span_is(word, aix_long[i].head))
            return false;
        out->field[out->n] = (unsigned char)aix_long[i].field;
        out->scale[out->n] = aix_long[i].scale;
    }
    if (next_word(&words, &word)) /* -T */
        out->field[out->n++] = UNIX_TIME;
    return true;
}

static bool is_block_heading(struct span words, struct unix_columns *out, struct span *device)
{
    struct span first, label, rest = words;
    if (!next_word(&rest, &first))
        return false;
    struct span behind = rest;
    *device = first;
    if (span_ends(first, ":")) {
        *device = (struct span){ NULL, 0 };
        label = first;
    } else if (next_word(&rest, &label)) {
        behind = rest;
    }
    for (size_t i = 0; i < sizeof aix_blocks / sizeof *aix_blocks; i++)
        if (span_is(label, aix_blocks[i].label))
            return map(behind, aix_blocks[i].columns, out) >= 2;
    return false;
}

enum unix_table unix_heading(struct span line, struct unix_columns *out, struct span *device)
{
    struct span word, rest = line;
    *device = (struct span){ NULL, 0 };
    if (!next_word(&rest, &word))
        return TABLE_NONE;
    if (span_is(word, "Disks:") && map(rest, aix_plain, out) >= 3) {
        memmove(out->field + 1, out->field, UNIX_COLUMNS_MAX - 1);
        memmove(out->scale + 1, out->scale, (UNIX_COLUMNS_MAX - 1) * sizeof *out->scale);
        out->field[0] = UNIX_DEVICE;
        out->n += out->n < UNIX_COLUMNS_MAX;
        out->has_device = true;
        return TABLE_AIX_PLAIN;
    }
    if (span_is(word, "%tm") && is_long_heading(line, out))
        return TABLE_AIX_LONG;
    if (span_find(line, ":") >= 0 && is_block_heading(line, out, device))
        return TABLE_AIX_BLOCK;
    *device = (struct span){ NULL, 0 };
    if (span_find(line, "r/s") >= 0 && map(line, solaris, out) >= 5 && out->has_device)
        return TABLE_SOLARIS;
    return TABLE_NONE;
}

/* AIX: K is 1 000, "1.1S" are seconds where milliseconds stand. */
static bool parse_value(struct span w, double *out)
{
    struct text_number n;
    if (w.len > 1 && w.ptr[w.len - 1] == 'S' &&
        text_number_of(span_cut(w, 0, w.len - 1), &n) == 0) {
        *out = n.value * 1000;
        return true;
    }
    if (text_number_of(w, &n))
        return false;
    double unit = n.suffix == 'k' ? 1e3 : n.suffix == 'M' ? 1e6 : n.suffix == 'G' ? 1e9 : 1;
    *out = n.value * unit;
    return n.suffix == '\0' || unit > 1;
}

bool unix_row(const struct unix_columns *c, struct span line, struct unix_row *out)
{
    struct span word;
    *out = (struct unix_row){ .device = { NULL, 0 } };
    for (size_t i = 0; i < UNIX_FIELDS; i++)
        out->value[i] = (double)NAN;
    for (size_t i = 0; i < c->n; i++) {
        enum unix_field field = c->field[i];
        double v = 0;
        if (!next_word(&line, &word)) { /* -c of Solaris: processors beside the first row only */
            if (field != UNIX_SKIPPED || (c->has_device && !out->device.len))
                return false;
            continue;
        }
        if (field == UNIX_DEVICE)
            out->device = word;
        else if (field == UNIX_TIME)
            out->time = word;
        else if (!parse_value(word, &v))
            return false;
        else
            out->value[field] = v * c->scale[i];
        if (field != UNIX_DEVICE && field != UNIX_TIME && isnan(v))
            out->unknown = word;
    }
    return true;
}

double unix_row_interval_s(const struct unix_row *r)
{
    double moved_kib = r->value[UNIX_READ_MOVED_KIB] + r->value[UNIX_WRITE_MOVED_KIB];
    double kibps = r->value[UNIX_TOTAL_KIB];
    return kibps > 0 && moved_kib > 0 ? moved_kib / kibps : (double)NAN;
}

static double weighted_service_ms(const double *v)
{
    double n = v[UNIX_READS] + v[UNIX_WRITES];
    if (!(n > 0))
        return 0;
    return (v[UNIX_READS] * v[UNIX_READ_SERVICE_MS] + v[UNIX_WRITES] * v[UNIX_WRITE_SERVICE_MS]) /
           n;
}

void unix_sample(const struct unix_row *r, struct io_sample *s)
{
    const double *v = r->value;
    double moved_kib = v[UNIX_READ_MOVED_KIB] + v[UNIX_WRITE_MOVED_KIB];
    s->util_pct = v[UNIX_UTIL];
    s->total_per_s = v[UNIX_TOTAL];
    s->reads_per_s = v[UNIX_READS];
    s->writes_per_s = v[UNIX_WRITES];
    s->total_kib_per_s = v[UNIX_TOTAL_KIB];
    s->read_kib_per_s = v[UNIX_READ_KIB];
    s->write_kib_per_s = v[UNIX_WRITE_KIB];
    if (!isnan(moved_kib)) { /* plain AIX: the shares of both in what was moved */
        double kibps = v[UNIX_TOTAL_KIB];
        s->read_kib_per_s = moved_kib > 0 ? kibps * v[UNIX_READ_MOVED_KIB] / moved_kib : 0;
        s->write_kib_per_s = moved_kib > 0 ? kibps * v[UNIX_WRITE_MOVED_KIB] / moved_kib : 0;
    }
    s->read_await_ms = v[UNIX_READ_SERVICE_MS] + v[UNIX_WAIT_MS];
    s->write_await_ms = v[UNIX_WRITE_SERVICE_MS] + v[UNIX_WAIT_MS];
    s->await_ms = isnan(v[UNIX_SERVICE_MS]) ? weighted_service_ms(v) + v[UNIX_WAIT_MS]
                  : isnan(v[UNIX_WAIT_MS])  ? v[UNIX_SERVICE_MS]
                                            : v[UNIX_SERVICE_MS] + v[UNIX_WAIT_MS];
    s->queue = v[UNIX_WAITING] + v[UNIX_ACTIVE];
    io_sample_complete(s);
}
