/* data/ingest/asm/asm_lsdg.c - asmcmd lsdg: see asm_listing.h.
 *
 *     State    Type    Rebal  Sector  Logical_Sector  Block       AU  Total_MB  Free_MB
 *         Req_mir_free_MB  Usable_file_MB  Offline_disks  Voting_files  Name
 *
 * asmcmd counts MB of 1 048 576 bytes.  Usable_file_MB is below 0 where a disk's failure could not
 * be repaired. */
#include "data/ingest/asm/asm_listing.h"

#include "data/ingest/asm/asm_table.h"
#include "models/core/unit.h"

static const struct asm_column columns[] = {
    { "Inst_ID", "inst_id", false, UNIT_COUNT, 1 },
    { "State", "state", true, UNIT_NONE, 1 },
    { "Type", "type", true, UNIT_NONE, 1 },
    { "Rebal", "rebal", true, UNIT_NONE, 1 },
    { "Unbal", "unbal", true, UNIT_NONE, 1 },
    { "Sector", "sector_bytes", false, UNIT_BYTES, 1 },
    { "Logical_Sector", "logical_sector_bytes", false, UNIT_BYTES, 1 },
    { "Block", "block_bytes", false, UNIT_BYTES, 1 },
    { "AU", "au_bytes", false, UNIT_BYTES, 1 },
    { "Total_MB", "total_mib", false, UNIT_MIB, 1 },
    { "Free_MB", "free_mib", false, UNIT_MIB, 1 },
    { "Req_mir_free_MB", "req_mir_free_mib", false, UNIT_MIB, 1 },
    { "Usable_file_MB", "usable_file_mib", false, UNIT_MIB, 1 },
    { "Offline_disks", "offline_disks", false, UNIT_COUNT, 1 },
    { "Voting_files", "voting_files", true, UNIT_NONE, 1 },
    { "Voting_disks", "voting_files", true, UNIT_NONE, 1 },
    { "Name", "name", true, UNIT_NONE, 1 },
};
enum { N_COLUMNS = sizeof columns / sizeof *columns };

static bool is_heading(struct span line, struct asm_heading *out)
{
    return span_find(line, "Total_MB") >= 0 && span_find(line, "Usable_file_MB") >= 0 &&
           asm_heading_of(line, columns, N_COLUMNS, out) >= 6;
}

static int on_row(struct feed *f, const struct asm_heading *h, struct span line)
{
    struct span cells[ASM_COLUMNS_MAX];
    struct fields fields = { .n = 0 };
    int64_t line_no = source_line_no(f->src);
    if (!asm_cells(h, line, cells)) {
        f->skipped++;
        return feed_warn(f, line_no, "row skipped: not the %zu values of the heading: '%.*s'", h->n,
                         SPAN_ARG(line));
    }
    for (size_t i = 0; i < h->n; i++)
        if (h->column[i])
            asm_field(&fields, h->column[i], cells[i]);
    struct record rec = { .kind = "disk_groups",
                          .time_ms = UNKNOWN,
                          .fields = fields.at,
                          .n_fields = fields.n,
                          .line = line_no };
    return feed_record(f, &rec);
}

static int read_body(struct feed *f)
{
    struct asm_heading heading = { .n = 0 }, next;
    struct span line;
    int rc;
    while ((rc = source_line(f->src, &line, f->err)) == 1) {
        line = span_trim(line);
        if (!line.len || span_starts(line, "ASMCMD"))
            continue;
        if (is_heading(line, &next)) {
            heading = next;
            continue;
        }
        rc = heading.n ? on_row(f, &heading, line) : 0;
        if (rc)
            return rc;
    }
    return rc || heading.n ? rc : feed_fault(f, 1, "no headings of asmcmd lsdg in it");
}

int asm_lsdg_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                  struct arena *a, int64_t *rows, int64_t *skipped, struct err *e)
{
    return feed_run(src, o, sink, a, rows, skipped, e, read_body);
}

int asm_lsdg_detect(struct span head)
{
    return asm_detect(head, 50, is_heading);
}
