/* data/ingest/iostat/iostat_rows.c - from rows to samples.
 *
 * Most tables have a whole sample in each row.  -h and --pretty stack tables of reads, writes,
 * discards and the rest over one another: there the rows of a report are kept and joined by
 * device until the next report begins. */
#include "data/ingest/iostat/iostat_reader.h"

#include <math.h>
#include <string.h>
#include <xxhash.h>

static int emit(struct iostat_reader *r, const struct iostat_row *row, struct span device,
                int64_t line)
{
    char name[TEXT_NAME_MAX];
    struct io_sample s = io_sample_unknown();
    s.time_ms = r->time.report_ms;
    s.interval_s = r->time.interval_s;
    s.host = text_name_span(&r->host);
    s.device = text_device_name(device, name);
    s.since_boot = r->time.since_boot;
    s.line = line;
    int rc = 0;
    if (!iostat_sample(&r->columns, row, &s))
        rc = iostat_complain(r, ODD_SIZE, line,
                             "device %.*s: the mean request size printed is far from bytes / "
                             "requests, which is used",
                             SPAN_ARG(s.device));
    if (!rc && s.artefact && !s.since_boot)
        rc = iostat_complain(r, ODD_ARTEFACT, line,
                             "device %.*s: more than a device can do in this interval (just "
                             "attached, or a counter that wrapped)",
                             SPAN_ARG(s.device));
    if (!rc && row->rounded && !r->rounding_told) {
        r->rounding_told = true;
        rc = iostat_warn(r, line,
                         "values are rounded for people (iostat -h or --human); iostat -x -t -k "
                         "prints them whole");
    }
    if (rc)
        return rc;
    r->rows++;
    return r->sink->sample ? r->sink->sample(r->sink->ctx, &s, r->e) : 0;
}

int iostat_flush(struct iostat_reader *r)
{
    int rc = 0;
    for (size_t i = 0; i < r->n_parts && !rc; i++) {
        const struct iostat_part *p = &r->parts[i];
        rc = emit(r, &p->row, text_name_span(&p->device), p->line);
    }
    r->n_parts = r->next_part = 0;
    memset(r->part_seen, 0, sizeof r->part_seen);
    return rc;
}

int iostat_begin_report(struct iostat_reader *r, int64_t line)
{
    int rc = iostat_flush(r);
    if (rc)
        return rc;
    r->in_table = true;
    r->n_table_rows = 0;
    r->n_tables++;
    return iostat_tell_time(r, iostat_time_report(&r->time), line, NULL);
}

int iostat_begin_part(struct iostat_reader *r, int64_t line)
{
    bool repeats = true, any = false;
    for (size_t i = 0; i < FIELD_COUNT; i++)
        any = any || r->part_seen[i];
    for (size_t i = 0; i < r->columns.n; i++)
        if (r->columns.field[i] != FIELD_SKIPPED && !r->part_seen[r->columns.field[i]])
            repeats = false;
    if (repeats || !any) {
        int rc = iostat_begin_report(r, line);
        if (rc)
            return rc;
    }
    for (size_t i = 0; i < r->columns.n; i++)
        r->part_seen[r->columns.field[i]] = true;
    r->in_table = true;
    r->n_table_rows = 0;
    r->n_tables++;
    r->next_part = 0;
    return 0;
}

/* The part of that device: tables list their devices in the same order. */
static struct iostat_part *find_part(struct iostat_reader *r, struct span device)
{
    for (size_t i = 0; i < r->n_parts; i++) {
        size_t at = (r->next_part + i) % r->n_parts;
        if (span_eq(text_name_span(&r->parts[at].device), device)) {
            r->next_part = at + 1;
            return &r->parts[at];
        }
    }
    return NULL;
}

static int add_part(struct iostat_reader *r, const struct iostat_row *row, int64_t line)
{
    if (r->n_parts == PARTS_MAX)
        return err_set(r->e, ERR_LIMIT, "%s:%lld: more than %d devices in one report",
                       source_path(r->src), (long long)line, (int)PARTS_MAX);
    if (!r->parts || r->n_parts == r->parts_room) {
        size_t room = r->parts_room ? r->parts_room * 2 : 16;
        struct iostat_part *grown = arena_grow(r->a, r->parts, r->n_parts, room, sizeof *grown);
        if (!grown)
            return err_nomem(r->e);
        r->parts = grown;
        r->parts_room = room;
    }
    struct iostat_part *p = &r->parts[r->n_parts++];
    text_name_set(&p->device, row->device);
    p->row = *row;
    p->row.device = p->row.bad = p->row.unknown =
        (struct span){ NULL, 0 }; /* they point into the line */
    p->line = line;
    return 0;
}

static int check_twice(struct iostat_reader *r, struct span device, int64_t line)
{
    const size_t n_slots = (size_t)2 * SEEN_MAX;
    if (!r->seen)
        r->seen = arena_alloc(r->a, n_slots * sizeof *r->seen);
    if (!r->seen)
        return err_nomem(r->e);
    uint64_t hash = XXH3_64bits(device.ptr, device.len) | 1;
    size_t slot = (hash >> 1) % n_slots;
    while (r->seen[slot].hash && r->seen[slot].hash != hash)
        slot = (slot + 1) % n_slots;
    struct iostat_seen *seen = &r->seen[slot];
    bool twice = seen->hash && seen->table == r->n_tables;
    if (!seen->hash) {
        if (r->n_seen == SEEN_MAX)
            return 0;
        r->n_seen++;
        seen->hash = hash;
    }
    seen->table = r->n_tables;
    return twice ? iostat_complain(r, ODD_TWICE, line,
                                   "device %.*s stands in this report before: both rows are kept",
                                   SPAN_ARG(device))
                 : 0;
}

int iostat_take_row(struct iostat_reader *r, const struct iostat_row *row, int64_t line)
{
    r->n_table_rows++;
    int rc = check_twice(r, row->device, line);
    if (!rc && row->unknown.ptr)
        rc = iostat_complain(r, ODD_UNKNOWN, line,
                             "device %.*s: a figure is '%.*s': taken as unknown",
                             SPAN_ARG(row->device), SPAN_ARG(row->unknown));
    if (rc)
        return rc;
    if (r->verdict == HEADING_OK)
        return emit(r, row, row->device, line);
    struct iostat_part *p = find_part(r, row->device);
    if (!p)
        return add_part(r, row, line);
    for (size_t i = 0; i < FIELD_COUNT; i++)
        if (!isnan(row->value[i]))
            p->row.value[i] = row->value[i];
    p->row.rounded = p->row.rounded || row->rounded;
    return 0;
}
