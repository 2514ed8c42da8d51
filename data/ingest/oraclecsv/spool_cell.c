/* data/ingest/oraclecsv/spool_cell.c - see spool_cell.h. */
#include "data/ingest/oraclecsv/spool_cell.h"

#include "models/core/timestamp.h"
#include "models/core/unit.h"

#include <math.h>
#include <stdio.h>

enum { WARNINGS_TOLD = 3 };

int spool_number(struct span cell, double *out)
{
    cell = span_trim(cell);
    *out = NAN;
    if (!cell.len || cell.ptr[0] == '#')
        return 0;
    return span_double(&cell, out) || cell.len ? -1 : 0;
}

int spool_integer(struct span cell, int64_t *out)
{
    cell = span_trim(cell);
    *out = UNKNOWN;
    if (!cell.len)
        return 0;
    return span_int(&cell, out) || cell.len ? -1 : 0;
}

/* n digits from the start of *s, moved past. */
static int digits(struct span *s, size_t n, int *out)
{
    struct span field = span_cut(*s, 0, n);
    int64_t v;
    if (field.len != n || field.ptr[0] < '0' || field.ptr[0] > '9' || span_int(&field, &v) ||
        field.len)
        return -1;
    *out = (int)v;
    *s = span_cut(*s, n, s->len);
    return 0;
}

static int pass(struct span *s)
{
    if (!s->len || (s->ptr[0] >= '0' && s->ptr[0] <= '9'))
        return -1;
    *s = span_cut(*s, 1, s->len);
    return 0;
}

int spool_time(struct span cell, int64_t *out_ms)
{
    struct civil c = { 0 };
    cell = span_trim(cell);
    if (digits(&cell, 4, &c.year) || pass(&cell) || digits(&cell, 2, &c.month) || pass(&cell) ||
        digits(&cell, 2, &c.day) || pass(&cell) || digits(&cell, 2, &c.hour) || pass(&cell) ||
        digits(&cell, 2, &c.minute))
        return -1;
    if (cell.len && (pass(&cell) || digits(&cell, 2, &c.second) || cell.len))
        return -1;
    int64_t t = time_from_civil(&c);
    if (t == UNKNOWN)
        return -1;
    *out_ms = t;
    return 0;
}

int spool_warn(struct spool_warnings *w, struct sink *sink, int64_t line, const char *text,
               struct err *e)
{
    return w->n++ < WARNINGS_TOLD ? sink->warning(sink->ctx, line, text, e) : 0;
}

int spool_warnings_end(const struct spool_warnings *w, struct sink *sink, const char *what,
                       struct err *e)
{
    char text[160];
    if (w->n <= WARNINGS_TOLD)
        return 0;
    snprintf(text, sizeof text, "%lld more %s", (long long)(w->n - WARNINGS_TOLD), what);
    return sink->warning(sink->ctx, 0, text, e);
}
