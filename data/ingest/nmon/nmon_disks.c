/* data/ingest/nmon/nmon_disks.c - see nmon_disks.h. */
#include "data/ingest/nmon/nmon_disks.h"

#include "data/ingest/text/text_number.h"
#include "models/core/unit.h"

#include <math.h>
#include <string.h>

/* DISKREADSERV and DISKWRITESERV are parts of DISKSERV, not means of their own; DISKAVGRIO and
 * DISKAVGWIO are not what their headings say. */
static const struct {
    const char *name;
    enum nmon_kind kind;
} kinds[] = {
    { "DISKBUSY", NMON_BUSY },    { "DISKREAD", NMON_READ_KIB },  { "DISKWRITE", NMON_WRITE_KIB },
    { "DISKXFER", NMON_XFER },    { "DISKRXFER", NMON_READS },    { "DISKRIO", NMON_READS },
    { "DISKWIO", NMON_WRITES },   { "DISKBSIZE", NMON_SIZE_KIB }, { "DISKSERV", NMON_SERVICE_MS },
    { "DISKWAIT", NMON_WAIT_MS },
};

bool nmon_kind_of(struct span word, enum nmon_kind *kind, size_t *part)
{
    size_t n = word.len;
    while (n && word.ptr[n - 1] >= '0' && word.ptr[n - 1] <= '9')
        n--;
    struct span digits = span_cut(word, n, word.len), base = span_cut(word, 0, n);
    int64_t v = 0;
    if (digits.len && (span_int(&digits, &v) || v >= NMON_PARTS_MAX))
        return false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (span_is(base, kinds[i].name)) {
            *kind = kinds[i].kind;
            *part = (size_t)v;
            return true;
        }
    return false;
}

/* --- headings --------------------------------------------------------------------------------- */

/* Every kind lists its disks in the same order. */
static int find_disk(struct nmon_disks *d, struct span name, uint16_t *out, struct err *e)
{
    name = span_cut(name, 0, TEXT_NAME_MAX);
    for (size_t i = 0; i < d->n_names; i++) {
        size_t at = (d->next_name + i) % d->n_names;
        if (span_eq(text_name_span(&d->names[at]), name)) {
            d->next_name = at + 1;
            *out = (uint16_t)at;
            return 0;
        }
    }
    if (d->n_names == NMON_DISKS_MAX)
        return err_set(e, ERR_LIMIT, "more than %d disks", (int)NMON_DISKS_MAX);
    if (d->n_names == d->names_room) {
        size_t room = d->names_room ? d->names_room * 2 : 64;
        struct text_name *grown = arena_grow(d->a, d->names, d->n_names, room, sizeof *grown);
        if (!grown)
            return err_nomem(e);
        d->names = grown;
        d->names_room = room;
    }
    text_name_set(&d->names[d->n_names], name);
    *out = (uint16_t)d->n_names++;
    return 0;
}

int nmon_take_heading(struct nmon_disks *d, enum nmon_kind kind, size_t part, struct span cells,
                      struct err *e)
{
    struct nmon_columns *c = &d->columns[kind][part];
    struct span cell, rest = cells;
    size_t n = 0;
    while (span_field(&rest, ',', &cell) == 0)
        n++;
    if (n > NMON_DISKS_MAX)
        return err_set(e, ERR_LIMIT, "more than %d disks in one line", (int)NMON_DISKS_MAX);
    uint16_t *disk = n > c->n ? arena_array(d->a, n, sizeof *disk) : c->disk;
    if (n && !disk)
        return err_nomem(e);
    c->disk = disk;
    c->n = 0;
    while (span_field(&cells, ',', &cell) == 0) {
        cell = span_trim(cell);
        int rc = cell.len ? find_disk(d, cell, &disk[c->n], e) : 0;
        if (rc)
            return rc;
        c->n += cell.len > 0;
    }
    return 0;
}

/* --- snapshots -------------------------------------------------------------------------------- */

static int make_room(struct nmon_disks *d, struct nmon_snapshot *s, struct err *e)
{
    if (s->n_disks >= d->n_names)
        return 0;
    size_t n = d->n_names + d->n_names / 2, old = s->n_disks * NMON_KINDS;
    if (d->n_figures + n * NMON_KINDS > NMON_FIGURES_MAX)
        return err_set(e, ERR_LIMIT,
                       "more than %d figures wait for their time (ZZZZ): a sorted file; the "
                       "unsorted one is read at any size",
                       (int)NMON_FIGURES_MAX);
    double *grown = arena_grow(d->a, s->figure, old, n * NMON_KINDS, sizeof *grown);
    if (!grown)
        return err_nomem(e);
    for (size_t i = old; i < n * NMON_KINDS; i++)
        grown[i] = (double)NAN;
    d->n_figures += n * NMON_KINDS - old;
    s->figure = grown;
    s->n_disks = n;
    return 0;
}

int nmon_open(struct nmon_disks *d, int64_t number, struct nmon_snapshot **out, struct err *e)
{
    for (size_t i = 0; i < d->n_open; i++) {
        size_t at = (d->next_open + i) % d->n_open;
        if (d->open[at].number == number) {
            d->next_open = at; /* in a sorted file the next one follows */
            *out = &d->open[at];
            return 0;
        }
    }
    if (d->n_open == d->open_room) {
        size_t room = d->open_room ? d->open_room * 2 : 16;
        struct nmon_snapshot *grown = arena_grow(d->a, d->open, d->n_open, room, sizeof *grown);
        if (!grown)
            return err_nomem(e);
        d->open = grown;
        d->open_room = room;
    }
    struct nmon_snapshot s = {
        .number = number, .time_ms = UNKNOWN, .figure = d->spare.figure, .n_disks = d->spare.n_disks
    };
    d->spare = (struct nmon_snapshot){ 0 };
    for (size_t i = 0; i < s.n_disks * NMON_KINDS; i++)
        s.figure[i] = (double)NAN;
    d->open[d->n_open] = s;
    *out = &d->open[d->n_open++];
    return 0;
}

void nmon_close(struct nmon_disks *d, size_t index)
{
    struct nmon_snapshot closed = d->open[index];
    d->n_open--;
    memmove(&d->open[index], &d->open[index + 1], (d->n_open - index) * sizeof *d->open);
    d->next_open = 0;
    if (closed.n_disks > d->spare.n_disks)
        d->spare = closed; /* the smaller memory is lost until the arena goes */
}

int nmon_take_figures(struct nmon_disks *d, struct nmon_snapshot *s, enum nmon_kind kind,
                      size_t part, struct span cells, bool last_is_cut, struct err *e)
{
    const struct nmon_columns *c = &d->columns[kind][part];
    struct span cell;
    struct text_number n;
    if (!c->n)
        return 0;
    int rc = make_room(d, s, e);
    if (rc)
        return rc;
    d->unknown = (struct span){ NULL, 0 };
    for (size_t i = 0; i < c->n && span_field(&cells, ',', &cell) == 0; i++) {
        if (text_number_of(cell, &n) || n.suffix || (last_is_cut && !cells.ptr))
            continue;
        s->figure[c->disk[i] * NMON_KINDS + kind] = n.value;
        if (text_is_unknown(&n))
            d->unknown = cell;
    }
    s->has_figures = true;
    return 1;
}

bool nmon_sample(const struct nmon_disks *d, const struct nmon_snapshot *s, size_t disk,
                 struct io_sample *out)
{
    if (disk >= s->n_disks || disk >= d->n_names)
        return false;
    const double *v = &s->figure[disk * NMON_KINDS];
    bool any = false;
    for (int i = 0; i < NMON_KINDS; i++)
        any = any || !isnan(v[i]);
    *out = io_sample_unknown();
    out->time_ms = s->time_ms;
    out->device = text_name_span(&d->names[disk]);
    out->line = s->line;
    out->reads_per_s = v[NMON_READS];
    out->writes_per_s = isnan(v[NMON_WRITES]) ? v[NMON_XFER] - v[NMON_READS] : v[NMON_WRITES];
    if (out->writes_per_s < 0) /* rounding of the two */
        out->writes_per_s = 0;
    out->total_per_s = v[NMON_XFER];
    out->read_kib_per_s = v[NMON_READ_KIB];
    out->write_kib_per_s = v[NMON_WRITE_KIB];
    out->request_kib = v[NMON_SIZE_KIB] > 0 ? v[NMON_SIZE_KIB] : (double)NAN;
    out->await_ms = v[NMON_WAIT_MS] + v[NMON_SERVICE_MS];
    out->util_pct = v[NMON_BUSY];
    io_sample_complete(out);
    return any;
}
