/* data/store/sqlite_upkeep.c - what store_upkeep.h asks of SQLite. */
#include "data/store/sqlite_db.h"

#include "models/core/unit.h"

#include <stdio.h>

/* clang-format off */

/* Of a file of the system that ends in time. */
#define GONE_FILE "file_id IN (SELECT file_id FROM file WHERE system_id = ?2 AND last_ms <= ?1)"
#define OF_SYSTEM "file_id IN (SELECT file_id FROM file WHERE system_id = ?2)"
#define GONE_SNAPSHOT                                                                              \
    "snapshot_id IN (SELECT snapshot_id FROM snapshot WHERE " GONE_FILE                            \
    " OR " OF_SYSTEM " AND end_ms <= ?1)"
#define UNUSED(id, chunk) id " NOT IN (SELECT " id " FROM " chunk ")"

const struct upkeep_table sqlite_tables[] = {
    { "warning", GONE_FILE },
    { "chunk", GONE_FILE " OR " OF_SYSTEM " AND last_ms <= ?1" },
    { "hourly", GONE_FILE " OR " OF_SYSTEM " AND hour_ms <= ?1 - 3600000" },
    { "metric_chunk", GONE_FILE " OR " OF_SYSTEM " AND last_ms < ?1" },
    { "snapshot_io", GONE_SNAPSHOT },
    { "snapshot_event", GONE_SNAPSHOT },
    { "snapshot_stat", GONE_SNAPSHOT },
    { "snapshot", GONE_FILE " OR " OF_SYSTEM " AND end_ms <= ?1" },
    { "volume_config", GONE_FILE },
    { "volume_modification", GONE_FILE },
    { "bill_line", GONE_FILE " OR " OF_SYSTEM " AND end_ms <= ?1" },
    { "record_field", GONE_FILE },
    { "record", GONE_FILE },
    { "series", "system_id = ?2 AND " UNUSED("series_id", "chunk") " AND "
                UNUSED("series_id", "hourly") },
    { "metric", "system_id = ?2 AND " UNUSED("metric_id", "metric_chunk") },
    { "file", "system_id = ?2 AND last_ms <= ?1" },
    { "plan_result", NULL },
    { "layout", NULL },
    { "system", NULL },
    { NULL, NULL },
};

#define ORPHANS(from, column, to)                                                                  \
    { from, "NOT EXISTS (SELECT 1 FROM " to " up WHERE up." column " = " from "." column ")",      \
      "name a " to " that is not there" }

const struct upkeep_rule sqlite_rules[] = {
    ORPHANS("layout", "system_id", "system"),
    ORPHANS("plan_result", "system_id", "system"),
    ORPHANS("file", "system_id", "system"),
    ORPHANS("series", "system_id", "system"),
    ORPHANS("metric", "system_id", "system"),
    ORPHANS("warning", "file_id", "file"),
    ORPHANS("chunk", "file_id", "file"),
    ORPHANS("chunk", "series_id", "series"),
    ORPHANS("hourly", "file_id", "file"),
    ORPHANS("hourly", "series_id", "series"),
    ORPHANS("metric_chunk", "file_id", "file"),
    ORPHANS("metric_chunk", "metric_id", "metric"),
    ORPHANS("snapshot", "file_id", "file"),
    ORPHANS("snapshot_io", "snapshot_id", "snapshot"),
    ORPHANS("snapshot_event", "snapshot_id", "snapshot"),
    ORPHANS("snapshot_stat", "snapshot_id", "snapshot"),
    ORPHANS("volume_config", "file_id", "file"),
    ORPHANS("volume_modification", "file_id", "file"),
    ORPHANS("bill_line", "file_id", "file"),
    ORPHANS("record", "file_id", "file"),
    ORPHANS("record_field", "file_id", "file"),
    UPKEEP_RULES,
    { NULL, NULL, NULL },
};

/* clang-format on */

/* dbstat is in Debian's SQLite; a build without it cannot tell. */
int sqlite_table_bytes(struct store *s, const char *table, int64_t *out, struct err *e)
{
    struct query q =
        query_start_text(s, "SELECT ifnull(sum(pgsize), 0) FROM dbstat('main', 1) WHERE name IN"
                            " (SELECT name FROM sqlite_schema WHERE tbl_name = ?1)");
    *out = UNKNOWN;
    if ((q.rc & 0xff) == SQLITE_ERROR) {
        query_end(&q, NULL);
        return 0;
    }
    query_text(&q, 1, table);
    return query_find(&q, out, e);
}

int sqlite_check(struct store *s, store_problem_fn *problem, void *ctx, struct err *e)
{
    struct query q = query_start_text(s, "PRAGMA integrity_check(20)");
    int stop = 0;
    char text[400];
    while (!stop && query_step(&q)) {
        struct span words = query_get_blob(&q, 0);
        if (!words.ptr)
            stop = err_nomem(e);
        else if (!span_is(words, "ok")) {
            snprintf(text, sizeof text, "%.*s", (int)(words.len < 300 ? words.len : 300),
                     words.ptr);
            stop = problem(ctx, text, e);
        }
    }
    int rc = query_end(&q, stop ? NULL : e);
    return stop ? stop : rc;
}
