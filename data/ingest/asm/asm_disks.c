/* data/ingest/asm/asm_disks.c - the output of scripts over v$asm_disk_stat: see asm_listing.h.
 *
 *     DiskPath - DiskName     Gr Dsk Reads Writes AvRdTm AvWrTm KBRd   KBWr AvRdSz AvWrSz RdEr WrEr
 *     /dev/sdb - DATA_0000    3  0   45874 1862   1.7    1.5    195312 9765 4359   5370   0    0
 *
 * Path and name may have blanks, so values are taken from the end of the row.  Times are mean
 * milliseconds, sizes mean bytes, KB 1 024 bytes; whether the counts are of an interval is the
 * script's affair. */
#include "data/ingest/asm/asm_listing.h"

#include "data/ingest/asm/asm_table.h"
#include "models/core/unit.h"

static const struct asm_column columns[] = {
    { "Gr", "group_number", false, UNIT_COUNT, 1 },
    { "Dsk", "disk_number", false, UNIT_COUNT, 1 },
    { "Reads", "reads", false, UNIT_COUNT, 1 },
    { "Writes", "writes", false, UNIT_COUNT, 1 },
    { "AvRdTm", "read_await_ms", false, UNIT_MS, 1 },
    { "AvWrTm", "write_await_ms", false, UNIT_MS, 1 },
    { "KBRd", "read_kib", false, UNIT_KIB, 1 },
    { "KBWr", "write_kib", false, UNIT_KIB, 1 },
    { "AvRdSz", "read_request_bytes", false, UNIT_BYTES, 1 },
    { "AvWrSz", "write_request_bytes", false, UNIT_BYTES, 1 },
    { "RdEr", "read_errors", false, UNIT_COUNT, 1 },
    { "WrEr", "write_errors", false, UNIT_COUNT, 1 },
};
enum { N_COLUMNS = sizeof columns / sizeof *columns };

struct reader {
    struct feed *f;
    struct asm_heading heading; /* without path and name */
    int64_t n_reports;
};

/* The words up to DiskName are one column. */
static bool is_heading(struct span line, struct asm_heading *out)
{
    ptrdiff_t name = span_find(line, "DiskName");
    return span_find(line, "DiskPath") >= 0 && name >= 0 &&
           asm_heading_of(span_cut(line, (size_t)name + 8, line.len), columns, N_COLUMNS, out) >= 4;
}

/* The last word of s, cut off. */
static bool last_word(struct span *s, struct span *out)
{
    *s = span_trim(*s);
    size_t n = s->len;
    while (n && s->ptr[n - 1] != ' ' && s->ptr[n - 1] != '\t')
        n--;
    *out = span_cut(*s, n, s->len);
    *s = span_cut(*s, 0, n);
    return out->len > 0;
}

/* "PATH - NAME", the dash short or long; without one, all is the name. */
static void split_name(struct span both, struct span *path, struct span *name)
{
    static const char *const dashes[] = { " - ", " \xE2\x80\x93 ", " \xE2\x80\x94 " };
    *path = (struct span){ NULL, 0 };
    *name = span_trim(both);
    for (size_t i = 0; i < 3; i++) {
        ptrdiff_t at = span_find(both, dashes[i]);
        if (at < 0)
            continue;
        *path = span_trim(span_cut(both, 0, (size_t)at));
        *name = span_trim(span_cut(both, (size_t)at + span_of(dashes[i]).len, both.len));
        return;
    }
}

static int on_row(struct reader *r, struct span line)
{
    struct span cells[ASM_COLUMNS_MAX] = { { NULL, 0 } }, rest = line, path, name;
    struct fields fields = { .n = 0 };
    int64_t line_no = source_line_no(r->f->src);
    bool fine = true;
    double v;
    for (size_t i = r->heading.n; i-- > 0 && fine;) {
        fine = last_word(&rest, &cells[i]);
        struct span digits = cells[i];
        fine = fine && span_double(&digits, &v) == 0 && !digits.len;
    }
    if (!fine || !span_trim(rest).len) {
        r->f->skipped++;
        return feed_warn(r->f, line_no, "row skipped: not %zu values behind a name: '%.*s'",
                         r->heading.n, SPAN_ARG(line));
    }
    split_name(rest, &path, &name);
    fields_text(&fields, "path", path);
    fields_text(&fields, "disk", name);
    fields_num(&fields, "report", UNIT_COUNT, (double)r->n_reports);
    for (size_t i = 0; i < r->heading.n; i++)
        if (r->heading.column[i])
            asm_field(&fields, r->heading.column[i], cells[i]);
    struct record rec = { .kind = "disks",
                          .time_ms = UNKNOWN,
                          .fields = fields.at,
                          .n_fields = fields.n,
                          .line = line_no };
    return feed_record(r->f, &rec);
}

/* Rulers under headings, and what SQL*Plus says at the end. */
static bool is_noise(struct span line)
{
    return span_starts(line, "----") || span_ends(line, "rows selected.") ||
           span_starts(line, "SQL>");
}

static int read_body(struct feed *f)
{
    struct reader r = { .f = f };
    struct span line;
    int rc;
    while ((rc = source_line(f->src, &line, f->err)) == 1) {
        struct asm_heading heading;
        line = span_trim(line);
        if (!line.len || is_noise(line))
            continue;
        if (is_heading(line, &heading)) {
            r.heading = heading;
            r.n_reports++;
            continue;
        }
        rc = r.n_reports ? on_row(&r, line) : 0;
        if (rc)
            return rc;
    }
    return rc || r.n_reports ? rc : feed_fault(f, 1, "no heading with DiskPath and DiskName in it");
}

int asm_disks_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                   struct arena *a, int64_t *rows, int64_t *skipped, struct err *e)
{
    return feed_run(src, o, sink, a, rows, skipped, e, read_body);
}

int asm_disks_detect(struct span head)
{
    return asm_detect(head, 100, is_heading);
}
