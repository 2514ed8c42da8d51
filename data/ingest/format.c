/* data/ingest/format.c - see format.h: the table, and what to say when nothing in it fits. */
#include "data/ingest/format.h"

#include "data/ingest/advice/advice.h"
#include "data/ingest/asm/asm_listing.h"
#include "data/ingest/awr/awr.h"
#include "data/ingest/awrminer/awrminer.h"
#include "data/ingest/bill/bill.h"
#include "data/ingest/blktrace/blktrace.h"
#include "data/ingest/cloudwatch/cloudwatch.h"
#include "data/ingest/diskstats/diskstats.h"
#include "data/ingest/iostat/iostat.h"
#include "data/ingest/json/json_kind.h"
#include "data/ingest/layout/layout_format.h"
#include "data/ingest/lsblk/lsblk.h"
#include "data/ingest/nmon/nmon.h"
#include "data/ingest/nvme/nvme.h"
#include "data/ingest/oraclecsv/oraclecsv.h"
#include "data/ingest/oswatcher/oswatcher.h"
#include "data/ingest/plan/plan_format.h"
#include "data/ingest/sar/sadf.h"
#include "data/ingest/sar/sar.h"
#include "data/ingest/statspack/statspack.h"
#include "data/ingest/volumes/volumes.h"

#include <stdio.h>
#include <string.h>

static const struct format table[] = {
    { "awr", awr_detect, awr_read, NULL },
    { "awr_rac", awr_rac_detect, awr_read, NULL },
    { "awr_diff", awr_diff_detect, awr_read, NULL },
    { "statspack", statspack_detect, awr_read, NULL },
    { "awr_miner", awr_miner_detect, awr_miner_read, NULL },
    { "dbcsi", dbcsi_detect, awr_miner_read, NULL },
    { "dma_csv", dma_csv_detect, dma_csv_read, NULL },
    { "esp_csv", esp_csv_detect, esp_csv_read, NULL },
    { "volplan_csv", volplan_csv_detect, volplan_csv_read, NULL },
    { "perfsheet", perfsheet_detect, perfsheet_read, NULL },
    { "oswatcher", oswatcher_detect, oswatcher_read, NULL }, /* before iostat, which is inside it */
    { "iostat", iostat_detect, iostat_read, NULL },
    { "sar", sar_detect, sar_read, NULL },
    { "sadf", sadf_detect, sadf_read, NULL },
    { "nmon", nmon_detect, nmon_read, NULL },
    { "diskstats", diskstats_detect, diskstats_read, NULL },
    { "lsblk", lsblk_detect, lsblk_read, NULL },
    { "asm_lsdg", asm_lsdg_detect, asm_lsdg_read, NULL },
    { "asm_iostat", asm_iostat_detect, asm_iostat_read, NULL },
    { "asm_disks", asm_disks_detect, asm_disks_read, NULL },
    { "nvme", nvme_detect, nvme_read, NULL },
    { "blkparse", blkparse_detect, blkparse_read, NULL },
    { "strace", strace_detect, strace_read, NULL },
    { "cw_stats", cw_stats_detect, cw_stats_read, NULL },
    { "cw_data", cw_data_detect, cw_data_read, NULL },
    { "cw_stream", cw_stream_detect, cw_stream_read, NULL },
    { "volumes", volumes_detect, volumes_read, NULL },
    { "instances", instances_detect, instances_read, NULL },
    { "modifications", modifications_detect, modifications_read, NULL },
    { "instance_types", instance_types_detect, instance_types_read, NULL },
    { "cur", cur_detect, cur_read, NULL },
    { "cur2", cur2_detect, cur2_read, NULL },
    { "focus", focus_detect, focus_read, NULL },
    { "cost_explorer", cost_explorer_detect, cost_explorer_read, NULL },
    { "optimizer", optimizer_detect, optimizer_read, NULL },
    { "layout", layout_detect, layout_read, "a layout: volplan layout --set FILE keeps it" },
    { "plan", plan_detect, plan_read, "a plan: volplan replay --plan FILE reads it" },
};
enum { N_FORMATS = sizeof table / sizeof *table };

const struct format *format_table(size_t *n)
{
    *n = N_FORMATS;
    return table;
}

const struct format *format_find(const char *name)
{
    for (size_t i = 0; i < N_FORMATS; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}

/* What the first bytes of well-known kinds of file are. */
static const struct magic {
    const char *bytes;
    size_t len;
    const char *what;
} magics[] = {
#define MAGIC(bytes, what)                                                                         \
    {                                                                                              \
        bytes, sizeof(bytes) - 1, what                                                             \
    }
    MAGIC("7z\xBC\xAF\x27\x1C", "a 7z archive; unpack it"),
    MAGIC("Rar!\x1A\x07", "a RAR archive; unpack it"),
    MAGIC("\x1F\x9D", "data packed by compress; unpack it"),
    MAGIC("SQLite format 3", "an SQLite database"),
    MAGIC("\"FormatVersion\"",
          "an AWS price list; prices are built in (volplan catalog), --facts DIR brings "
          "others"),
    MAGIC("%PDF", "a PDF document; save the report as text or HTML"),
    MAGIC("\x7F"
          "ELF",
          "a program"),
#undef MAGIC
};

/* UTF-16 without its mark: a zero in every other byte of what is nearly all Latin text. */
static bool is_bare_utf16(struct span head)
{
    size_t n = head.len > 512 ? 512 : head.len / 2 * 2;
    size_t even = 0, odd = 0;
    for (size_t i = 0; i < n; i += 2) {
        even += head.ptr[i] == '\0';
        odd += head.ptr[i + 1] == '\0';
    }
    return n >= 8 && ((even > n * 2 / 5 && odd < n / 20) || (odd > n * 2 / 5 && even < n / 20));
}

static bool is_binary(struct span head)
{
    size_t n = head.len > 4096 ? 4096 : head.len;
    size_t odd_bytes = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)head.ptr[i];
        odd_bytes +=
            (c < 32 && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != 27) || c == 127;
    }
    return odd_bytes > n / 50;
}

/* The kind of text, from what it starts with; blanks before it do not count. */
static const char *kind_of_text(struct span head)
{
    struct span s = span_trim(head);
    if (!s.len)
        return "nothing but blanks";
    if (s.ptr[0] == '{' || s.ptr[0] == '[')
        return span_find(span_cut(s, 0, 400), "\"sysstat\"") >= 0
                   ? "the JSON of sysstat (iostat -o JSON, sadf -j); collect iostat's text"
                   : json_kind(head);
    if (span_starts(s, "<"))
        return "HTML or XML";
    return "text of another kind";
}

static const char *describe(struct span head)
{
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
        if (head.len >= magics[i].len && memcmp(head.ptr, magics[i].bytes, magics[i].len) == 0)
            return magics[i].what;
    if (is_bare_utf16(head))
        return "UTF-16 text; convert it to UTF-8";
    return is_binary(head) ? "binary data" : kind_of_text(head);
}

static int refuse(struct source *src, struct span head, struct err *e)
{
    char first[100] = "";
    const char *what = describe(head);
    struct span text = span_trim(head), line;
    if (!is_binary(head) && span_field(&text, '\n', &line) == 0) {
        line = span_trim(line);
        if (line.len > 2) /* more than a bracket */
            snprintf(first, sizeof first, ", beginning '%.*s'", SPAN_ARG(line));
    }
    return err_set(
        e, ERR_PARSE,
        "%s:1: looks like %s%s; not one of the formats that 'volplan help inspect' lists",
        source_path(src), what, first);
}

int format_of(struct source *src, const struct ingest_options *o, const struct format **out,
              struct err *e)
{
    const struct format *best = o->format ? format_find(o->format) : NULL;
    if (o->format && !best)
        return err_set(e, ERR_USAGE,
                       "unknown format '%.60s': not one that 'volplan help inspect' lists",
                       o->format);
    struct span head;
    int rc = source_head(src, &head, e);
    if (rc)
        return rc;
    if (!head.len)
        return err_set(e, ERR_PARSE, "%s:1: the file is empty", source_path(src));
    int best_score = 0;
    for (size_t i = 0; !o->format && i < N_FORMATS; i++) {
        int score = table[i].detect(head);
        if (score > best_score) {
            best_score = score;
            best = &table[i];
        }
    }
    if (!best)
        return refuse(src, head, e);
    *out = best;
    return 0;
}
