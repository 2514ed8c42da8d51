/* data/ingest/blktrace/blkparse.c - the text of blkparse: see blktrace.h.
 *
 *     259,1   15        6     0.010433528  7788  Q   R 13000472584 + 8 [ora_p00c_brd01q]
 *     device  cpu  number     seconds      pid   what, direction, sector + sectors of 512 bytes
 *
 * Q queued, M and F merged with a request before or behind it, G got a request of its own, D issued
 * to the device, C completed.  Sizes are those of D: one Q may be split into several, and
 * completions of a split request repeat what was completed before, so that only what a C adds
 * counts.  The brackets of C hold an error number, 0 = none. */
#include "data/ingest/blktrace/blktrace.h"

#include "data/ingest/blktrace/size_count.h"
#include "models/core/unit.h"

#include <math.h>

enum { DEVICES_MAX = 1024, SUBMITTERS_MAX = 1024, SECTOR_BYTES = 512 };
static const int64_t sectors_max = INT64_C(1) << 32; /* no request is longer */

struct totals {
    int64_t queued, merged, issued, issued_sectors, completed, completed_sectors, errors;
};

struct device {
    struct totals total[IO_DIRECTIONS];
    double first_s, last_s;
    int64_t first_line;
    int64_t last_c_sector, last_c_sectors; /* of the completion before */
};

struct submitter {
    int64_t queued, queued_sectors, merged, issued, first_line;
};

struct reader {
    struct feed *f;
    struct name_table devices, processes;
    struct device *device;
    struct submitter *submitter;
    size_t devices_room, submitters_room;
    struct size_counts *sizes;
    int64_t n_events;
};

struct event {
    struct span device, process;
    double seconds;
    char what;
    enum io_direction direction;
    int64_t sector, sectors; /* UNKNOWN: it has none */
    int64_t status;          /* of a completion */
};

static enum io_direction direction_of(struct span rwbs)
{
    for (size_t i = 0; i < rwbs.len; i++) {
        if (rwbs.ptr[i] == 'D')
            return IO_DISCARD;
        if (rwbs.ptr[i] == 'R')
            return IO_READ;
        if (rwbs.ptr[i] == 'W')
            return IO_WRITE;
    }
    return IO_UNKNOWN;
}

/* "259,1" */
static bool is_device(struct span w)
{
    int64_t major, minor;
    return span_int(&w, &major) == 0 && w.len > 1 && w.ptr[0] == ',' && major >= 0 &&
           (w = span_cut(w, 1, w.len), span_int(&w, &minor) == 0) && !w.len && minor >= 0;
}

/* " SECTOR + N [NAME]"; without the first two it has none. */
static void take_extent(struct span rest, struct event *e)
{
    struct span word, s = rest;
    int64_t sector, n;
    e->sector = e->sectors = UNKNOWN;
    if (span_word(&s, &word) == 0 && span_int(&word, &sector) == 0 && !word.len &&
        span_word(&s, &word) == 0 && span_is(word, "+") && span_word(&s, &word) == 0 &&
        span_int(&word, &n) == 0 && !word.len && sector >= 0 && n >= 0 && n < sectors_max) {
        e->sector = sector;
        e->sectors = n;
    }
    s = span_trim(s);
    ptrdiff_t open = span_find(s, "[");
    if (open < 0 || !span_ends(s, "]"))
        return;
    e->process = span_cut(s, (size_t)open + 1, s.len - 1);
    word = e->process;
    if (span_int(&word, &e->status) || word.len)
        e->status = 0;
}

/* Non-zero for any other line: messages, the summary at the end. */
static int parse_event(struct span line, struct event *out)
{
    struct span word[7], rest = line;
    int64_t number;
    for (int i = 0; i < 7; i++)
        if (span_word(&rest, &word[i]))
            return -1;
    *out = (struct event){ .device = word[0] };
    struct span cpu = word[1], no = word[2], pid = word[4];
    if (!is_device(word[0]) || span_int(&cpu, &number) || cpu.len || span_int(&no, &number) ||
        no.len || span_double(&word[3], &out->seconds) || word[3].len || span_int(&pid, &number) ||
        pid.len || word[5].len > 2 || !(out->seconds >= 0))
        return -1;
    out->what = word[5].len == 1 ? word[5].ptr[0] : '\0';
    out->direction = direction_of(word[6]);
    take_extent(rest, out);
    return 0;
}

/* Workers of io_uring are many and alike. */
static struct span submitter_name(struct span process)
{
    return span_starts(process, "iou-wrk-") ? SPAN_LIT("iou-wrk") : process;
}

static int find_device(struct reader *r, const struct event *ev, struct device **out)
{
    size_t at, n = r->devices.n;
    int rc = name_table_find(&r->devices, r->f->arena, ev->device, &at, r->f->err);
    if (rc)
        return rc;
    if (r->devices.n > r->devices_room) {
        size_t room = r->devices_room ? r->devices_room * 2 : 16;
        struct device *grown = arena_grow(r->f->arena, r->device, n, room, sizeof *grown);
        if (!grown) {
            err_nomem(r->f->err);
            return ERR_NOMEM;
        }
        r->device = grown;
        r->devices_room = room;
    }
    if (r->devices.n > n)
        r->device[at] = (struct device){ .first_s = ev->seconds,
                                         .last_c_sector = UNKNOWN,
                                         .first_line = source_line_no(r->f->src) };
    *out = &r->device[at];
    return 0;
}

static int find_submitter(struct reader *r, struct span process, struct submitter **out)
{
    size_t at, n = r->processes.n;
    int rc = name_table_find(&r->processes, r->f->arena, submitter_name(process), &at, r->f->err);
    if (rc)
        return rc;
    if (r->processes.n > r->submitters_room) {
        size_t room = r->submitters_room ? r->submitters_room * 2 : 16;
        struct submitter *grown = arena_grow(r->f->arena, r->submitter, n, room, sizeof *grown);
        if (!grown) {
            err_nomem(r->f->err);
            return ERR_NOMEM;
        }
        r->submitter = grown;
        r->submitters_room = room;
    }
    if (r->processes.n > n)
        r->submitter[at] = (struct submitter){ .first_line = source_line_no(r->f->src) };
    *out = &r->submitter[at];
    return 0;
}

/* What this completion adds to the one before of the same request. */
static void on_completion(struct device *d, struct totals *t, const struct event *ev)
{
    bool goes_on = ev->sector == d->last_c_sector && ev->sectors > d->last_c_sectors;
    t->completed_sectors += goes_on ? ev->sectors - d->last_c_sectors : ev->sectors;
    t->completed++;
    t->errors += ev->status != 0;
    d->last_c_sector = ev->sector;
    d->last_c_sectors = ev->sectors;
}

static int on_event(struct reader *r, const struct event *ev)
{
    struct device *d = NULL;
    struct submitter *s = NULL;
    int rc = find_device(r, ev, &d);
    bool names_submitter = ev->what == 'Q' || ev->what == 'M' || ev->what == 'F' || ev->what == 'D';
    if (!rc && names_submitter && ev->process.len)
        rc = find_submitter(r, ev->process, &s);
    if (rc)
        return rc;
    d->last_s = ev->seconds > d->last_s ? ev->seconds : d->last_s;
    struct totals *t = &d->total[ev->direction];
    switch (ev->what) {
    case 'Q':
        t->queued++;
        if (s) {
            s->queued++;
            s->queued_sectors += ev->sectors;
        }
        break;
    case 'M':
    case 'F':
        t->merged++;
        if (s)
            s->merged++;
        break;
    case 'D':
        t->issued++;
        t->issued_sectors += ev->sectors;
        if (s)
            s->issued++;
        size_counts_add(r->sizes, (uint32_t)(d - r->device), ev->direction,
                        ev->sectors * SECTOR_BYTES, source_line_no(r->f->src));
        break;
    case 'C':
        on_completion(d, t, ev);
        break;
    default:
        break;
    }
    return 0;
}

/* --- records ---------------------------------------------------------------------------------- */

static double kib(int64_t sectors)
{
    return (double)sectors * SECTOR_BYTES / 1024;
}

static double ratio(double a, double b)
{
    return b > 0 ? a / b : (double)NAN;
}

static int tell_device(struct reader *r, size_t at, enum io_direction direction)
{
    const struct device *d = &r->device[at];
    const struct totals *t = &d->total[direction];
    struct fields f = { .n = 0 };
    bool issued = t->issued > 0; /* a trace may be filtered to completions */
    double n = (double)(issued ? t->issued : t->completed);
    double moved_kib = kib(issued ? t->issued_sectors : t->completed_sectors);
    double seconds = d->last_s - d->first_s;
    fields_text(&f, "device", text_name_span(&r->devices.name[at]));
    fields_text(&f, "direction", span_of(io_direction_name(direction)));
    fields_num(&f, "queued", UNIT_COUNT, (double)t->queued);
    fields_num(&f, "merged", UNIT_COUNT, (double)t->merged);
    fields_num(&f, "merge_pct", UNIT_PCT, ratio(100.0 * (double)t->merged, (double)t->queued));
    fields_num(&f, "issued", UNIT_COUNT, (double)t->issued);
    fields_num(&f, "completed", UNIT_COUNT, (double)t->completed);
    fields_num(&f, "errors", UNIT_COUNT, (double)t->errors);
    fields_num(&f, "request_kib", UNIT_KIB, ratio(moved_kib, n));
    fields_num(&f, "moved_kib", UNIT_KIB, moved_kib);
    fields_num(&f, "duration_s", UNIT_S, seconds);
    fields_num(&f, "requests_per_s", UNIT_PER_S, ratio(n, seconds));
    fields_num(&f, "kib_per_s", UNIT_KIBPS, ratio(moved_kib, seconds));
    return trace_record(r->f, "devices", d->first_line, &f);
}

static int tell_devices(struct reader *r)
{
    int rc = 0;
    for (size_t i = 0; i < r->devices.n; i++)
        for (int d = 0; d < IO_DIRECTIONS && !rc; d++) {
            const struct totals *t = &r->device[i].total[d];
            if (t->queued + t->merged + t->issued + t->completed > 0 && d != IO_UNKNOWN)
                rc = tell_device(r, i, (enum io_direction)d);
        }
    return rc;
}

static struct span device_name(const void *ctx, uint32_t group)
{
    const struct reader *r = ctx;
    return text_name_span(&r->devices.name[group]);
}

static int tell_submitters(struct reader *r)
{
    int rc = 0;
    for (size_t i = 0; i < r->processes.n && !rc; i++) {
        const struct submitter *s = &r->submitter[i];
        struct fields f = { .n = 0 };
        fields_text(&f, "process", text_name_span(&r->processes.name[i]));
        fields_num(&f, "queued", UNIT_COUNT, (double)s->queued);
        fields_num(&f, "queued_kib", UNIT_KIB, kib(s->queued_sectors));
        fields_num(&f, "merged", UNIT_COUNT, (double)s->merged);
        fields_num(&f, "merge_pct", UNIT_PCT, ratio(100.0 * (double)s->merged, (double)s->queued));
        fields_num(&f, "issued", UNIT_COUNT, (double)s->issued);
        rc = trace_record(r->f, "submitters", s->first_line, &f);
    }
    return rc;
}

/* --- the file --------------------------------------------------------------------------------- */

static int read_events(struct reader *r)
{
    struct span line;
    int rc;
    while ((rc = source_line(r->f->src, &line, r->f->err)) == 1) {
        struct event ev;
        if (parse_event(line, &ev)) {
            r->f->skipped += span_trim(line).len > 0;
            continue;
        }
        r->n_events++;
        if (ev.sectors == UNKNOWN) /* plugs, flushes, splits, remaps */
            continue;
        rc = on_event(r, &ev);
        if (rc)
            return rc;
    }
    return rc;
}

static int read_body(struct feed *f)
{
    struct reader r = { .f = f,
                        .devices = { .max = DEVICES_MAX },
                        .processes = { .max = SUBMITTERS_MAX } };
    r.sizes = arena_alloc(f->arena, sizeof *r.sizes);
    if (!r.sizes)
        return err_nomem(f->err);
    int rc = read_events(&r);
    if (!rc)
        rc = tell_devices(&r);
    if (!rc)
        rc = size_counts_tell(r.sizes, f, "device", device_name, &r);
    if (!rc)
        rc = tell_submitters(&r);
    if (!rc && !f->rows)
        return feed_fault(f, 1, "no requests of blkparse in it");
    return rc;
}

int blkparse_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                  struct arena *a, int64_t *rows, int64_t *skipped, struct err *e)
{
    return feed_run(src, o, sink, a, rows, skipped, e, read_body);
}

int blkparse_detect(struct span head)
{
    struct span line;
    struct event ev;
    for (int n = 0; n < 20 && span_field(&head, '\n', &line) == 0; n++)
        if (parse_event(line, &ev) == 0)
            return 90;
    return 0;
}
