/* data/ingest/awr/awr_name.c - see awr_name.h.
 *
 * Names: V$IOSTAT_FILE, V$IOSTAT_FUNCTION, V$EVENT_NAME, V$STATNAME (Oracle Database Reference
 * 19c); of the last two those that text reports clip and that later steps ask for. */
#include "data/ingest/awr/awr_name.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { MOST_NAMES = 24, KEY_MAX = 100 };

static const char *const known[][MOST_NAMES] = {
    [AWR_FILETYPE] = { "Data File", "Log File", "Control File", "Temp File", "Archive Log",
                       "Flashback Log", "External Table", "Other", "Archive Log Backup",
                       "Data File Backup", "Data File Incremental Backup", "Data File Copy",
                       "Data Pump Dump File" },
    [AWR_FUNCTION] = { "Buffer Cache Reads", "Direct Reads", "Direct Writes", "Smart Scan", "DBWR",
                       "LGWR", "ARCH", "RMAN", "Recovery", "Data Pump", "Streams AQ", "XDB",
                       "Archive Manager", "Others" },
    [AWR_EVENT] = { "log file switch (checkpoint incomplete)", "log file switch (archiving needed)",
                    "log file switch (private strand flush incomplete)",
                    "db flash cache single block physical read",
                    "db flash cache multiblock physical read", "cell single block physical read",
                    "log file single write", "LNS wait on SENDREQ", "db file async I/O submit" },
    [AWR_WAIT_CLASS] = { "Administrative", "Application", "Cluster", "Commit", "Concurrency",
                         "Configuration", "Idle", "Network", "Other", "Queueing", "Scheduler",
                         "System I/O", "User I/O" },
    [AWR_STATISTIC] = { "redo KB read", "redo KB read (memory)", "redo KB read for transport",
                        "redo KB read (memory) for transport", "redo KB read (memory) by LNS",
                        "redo size for direct writes", "redo size for lost write detection",
                        "redo synch time overhead (usec)", "physical read total IO requests",
                        "physical write total IO requests",
                        "physical read total multi block requests",
                        "physical write total multi block requests",
                        "physical read total bytes optimized", "physical read requests optimized",
                        "physical reads direct temporary tablespace",
                        "physical writes direct temporary tablespace", "physical writes from cache",
                        "flashback log write bytes" },
};

struct span awr_name_whole(enum awr_name_kind kind, struct span name, size_t width)
{
    /* 11.2 clips one short of its column, and a blank at the cut is trimmed away: width - 2 */
    if (!width || name.len == 0 || name.len + 2 < width)
        return name;
    const char *hit = NULL;
    bool several = false;
    for (size_t i = 0; i < MOST_NAMES && known[kind][i]; i++) {
        struct span whole = span_of(known[kind][i]);
        if (span_eq(whole, name))
            return name;
        if (whole.len > name.len && span_eq(span_cut(whole, 0, name.len), name)) {
            several = several || hit;
            hit = known[kind][i];
        }
    }
    return hit && !several ? span_of(hit) : name;
}

static const struct load_name {
    const char *name, *key;
} load_names[] = {
    { "DB Time(s)", "db_time_s" },
    { "DB Time (s)", "db_time_s" },
    { "DB CPU(s)", "db_cpu_s" },
    { "DB CPU (s)", "db_cpu_s" },
    { "Background CPU(s)", "background_cpu_s" },
    { "Background CPU (s)", "background_cpu_s" },
    { "Redo size", "redo_bytes" },
    { "Redo size (bytes)", "redo_bytes" },
    { "Logical reads", "logical_read_blocks" },
    { "Logical read (blocks)", "logical_read_blocks" },
    { "Physical reads", "physical_read_blocks" },
    { "Physical read (blocks)", "physical_read_blocks" },
    { "Physical writes", "physical_write_blocks" },
    { "Physical write (blocks)", "physical_write_blocks" },
    { "Read IO (MB)", "read_io_mib" },
    { "Write IO (MB)", "write_io_mib" },
    { "Parses (SQL)", "parses" },
    { "Hard parses (SQL)", "hard_parses" },
    { "W/A MB processed", "sql_work_area_mib" },
    { "SQL Work Area (MB)", "sql_work_area_mib" },
    { "Executes (SQL)", "executes" },
    { "RAC GC blocks received", "gc_blocks_received" },
    { "RAC GC blocks served", "gc_blocks_served" },
    { "Global Cache blocks received", "gc_blocks_received" },
    { "Global Cache blocks served", "gc_blocks_served" },
};

/* Letters and digits in lower case, one '_' for whatever stands between them. */
static void spell_key(struct span name, char key[KEY_MAX])
{
    size_t n = 0;
    for (size_t i = 0; i < name.len && n + 1 < KEY_MAX; i++) {
        char c = name.ptr[i];
        if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
            key[n++] = c;
        else if (n && key[n - 1] != '_')
            key[n++] = '_';
    }
    while (n && key[n - 1] == '_')
        n--;
    key[n] = '\0';
}

char *awr_load_key(struct arena *a, struct span name, const char *per)
{
    for (size_t i = 0; i < sizeof load_names / sizeof *load_names; i++)
        if (span_eq_nocase(name, span_of(load_names[i].name)))
            return arena_printf(a, "%s_%s", load_names[i].key, per);
    char key[KEY_MAX];
    spell_key(name, key);
    return arena_printf(a, "%s_%s", key[0] ? key : "figure", per);
}
