/* data/ingest/asm/asm_iostat.c - asmcmd iostat: see asm_listing.h.
 *
 *     Group_Name  Dsk_Name   Reads       Writes     Read_Err  Write_Err  Read_Time  Write_Time
 *     DATA        DATA_0000  1073741824  536870912  0         0          12.5       3.25
 *
 * Reads and Writes are bytes, or requests with --io: the heading is the same.  Bytes are multiples
 * of 512 for every disk; a report in which not all are counts requests.  Times are seconds. */
#include "data/ingest/asm/asm_listing.h"

#include "data/ingest/asm/asm_table.h"
#include "data/ingest/text/text_line.h"
#include "models/core/unit.h"

#include <math.h>

enum { ROWS_MAX = 16384, COUNTED_MAX = 6 };

/* key: of bytes; the requests' is below. */
static const struct asm_column columns[] = {
    { "Group_Name", "group", true, UNIT_NONE, 1 },
    { "Dsk_Name", "disk", true, UNIT_NONE, 1 },
    { "Reads", "read_bytes", false, UNIT_BYTES, 1 },
    { "Writes", "write_bytes", false, UNIT_BYTES, 1 },
    { "Cold_Reads", "cold_read_bytes", false, UNIT_BYTES, 1 },
    { "Cold_Writes", "cold_write_bytes", false, UNIT_BYTES, 1 },
    { "Hot_Reads", "hot_read_bytes", false, UNIT_BYTES, 1 },
    { "Hot_Writes", "hot_write_bytes", false, UNIT_BYTES, 1 },
    { "Read_Err", "read_errors", false, UNIT_COUNT, 1 },
    { "Write_Err", "write_errors", false, UNIT_COUNT, 1 },
    { "Read_Time", "read_time_s", false, UNIT_S, 1 },
    { "Write_Time", "write_time_s", false, UNIT_S, 1 },
};
enum { N_COLUMNS = sizeof columns / sizeof *columns, FIRST_COUNTED = 2 };

static const char *const request_keys[COUNTED_MAX] = { "reads",       "writes",    "cold_reads",
                                                       "cold_writes", "hot_reads", "hot_writes" };

struct kept {
    struct text_name group, disk;
    double value[N_COLUMNS]; /* by column; NaN */
    int64_t line;
};

struct reader {
    struct feed *f;
    struct asm_heading heading;
    struct kept *rows; /* of the report */
    size_t n, room;
    int64_t n_reports;
    bool units_told;
};

static bool is_heading(struct span line, struct asm_heading *out)
{
    return span_find(line, "Dsk_Name") >= 0 && asm_heading_of(line, columns, N_COLUMNS, out) >= 3;
}

/* No disk reads or writes parts of sectors. */
static bool counts_bytes(const struct reader *r)
{
    bool any = false;
    for (size_t i = 0; i < r->n; i++)
        for (size_t c = 0; c < COUNTED_MAX; c++) {
            double v = r->rows[i].value[FIRST_COUNTED + c];
            if (isnan(v) || v == 0)
                continue;
            any = true;
            if (fmod(v, 512) != 0)
                return false;
        }
    return any;
}

static int hand_over(struct reader *r, const struct kept *k, bool bytes)
{
    struct fields fields = { .n = 0 };
    fields_text(&fields, "group", text_name_span(&k->group));
    fields_text(&fields, "disk", text_name_span(&k->disk));
    fields_num(&fields, "report", UNIT_COUNT, (double)r->n_reports);
    for (size_t i = FIRST_COUNTED; i < N_COLUMNS; i++) {
        bool counted = i - FIRST_COUNTED < COUNTED_MAX;
        const char *key = counted && !bytes ? request_keys[i - FIRST_COUNTED] : columns[i].key;
        enum unit unit = counted && !bytes ? UNIT_COUNT : columns[i].unit;
        if (!isnan(k->value[i]))
            fields_num(&fields, key, unit, k->value[i]);
    }
    struct record rec = { .kind = "disks",
                          .time_ms = UNKNOWN,
                          .fields = fields.at,
                          .n_fields = fields.n,
                          .line = k->line };
    return feed_record(r->f, &rec);
}

static int flush(struct reader *r)
{
    if (!r->n)
        return 0;
    bool bytes = counts_bytes(r);
    int rc = 0;
    r->n_reports++;
    if (!r->units_told) {
        r->units_told = true;
        rc = feed_warn(r->f, r->rows[0].line,
                       bytes ? "Reads and Writes are taken as bytes: all are multiples of 512"
                             : "Reads and Writes are taken as requests (--io): not all are "
                               "multiples of 512");
    }
    for (size_t i = 0; i < r->n && !rc; i++)
        rc = hand_over(r, &r->rows[i], bytes);
    r->n = 0;
    return rc;
}

static int on_row(struct reader *r, struct span line)
{
    struct span cells[ASM_COLUMNS_MAX];
    int64_t line_no = source_line_no(r->f->src);
    if (!asm_cells(&r->heading, line, cells)) {
        r->f->skipped++;
        return feed_warn(r->f, line_no, "row skipped: not the %zu values of the heading: '%.*s'",
                         r->heading.n, SPAN_ARG(line));
    }
    if (r->n == ROWS_MAX)
        return err_set(r->f->err, ERR_LIMIT, "%s:%lld: more than %d disks in one report",
                       source_path(r->f->src), (long long)line_no, (int)ROWS_MAX);
    if (r->n == r->room) {
        size_t room = r->room ? r->room * 2 : 32;
        struct kept *grown = arena_grow(r->f->arena, r->rows, r->n, room, sizeof *grown);
        if (!grown)
            return err_nomem(r->f->err);
        r->rows = grown;
        r->room = room;
    }
    struct kept *k = &r->rows[r->n++];
    k->line = line_no;
    k->group.len = k->disk.len = 0;
    for (size_t i = 0; i < N_COLUMNS; i++)
        k->value[i] = (double)NAN;
    for (size_t i = 0; i < r->heading.n; i++) {
        const struct asm_column *c = r->heading.column[i];
        struct span digits = cells[i];
        double v;
        if (c == &columns[0])
            text_name_set(&k->group, cells[i]);
        else if (c == &columns[1])
            text_name_set(&k->disk, cells[i]);
        else if (c && span_double(&digits, &v) == 0 && !digits.len)
            k->value[c - columns] = v;
    }
    return 0;
}

static int read_body(struct feed *f)
{
    struct reader r = { .f = f };
    struct span line;
    int rc;
    while ((rc = source_line(f->src, &line, f->err)) == 1) {
        struct asm_heading heading;
        line = span_trim(line);
        if (!line.len || span_starts(line, "ASMCMD"))
            continue;
        if (is_heading(line, &heading)) {
            rc = flush(&r);
            r.heading = heading;
        } else {
            rc = r.heading.n ? on_row(&r, line) : 0;
        }
        if (rc)
            return rc;
    }
    if (!rc)
        rc = flush(&r);
    return rc || r.heading.n ? rc : feed_fault(f, 1, "no headings of asmcmd iostat in it");
}

int asm_iostat_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                    struct arena *a, int64_t *rows, int64_t *skipped, struct err *e)
{
    return feed_run(src, o, sink, a, rows, skipped, e, read_body);
}

int asm_iostat_detect(struct span head)
{
    return asm_detect(head, 50, is_heading);
}
