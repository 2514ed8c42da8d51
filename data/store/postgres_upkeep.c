/* data/store/postgres_upkeep.c - what store_upkeep.h asks of PostgreSQL. */
#include "data/store/postgres_db.h"

#include "models/core/unit.h"

/* clang-format off */

/* Of the system, in a file that ends in time. */
#define OF_SYSTEM "system_id = ?2"
#define GONE_FILE                                                                                  \
    OF_SYSTEM " AND file_id IN (SELECT file_id FROM file WHERE system_id = ?2 AND last_ms <= ?1)"
#define GONE_SNAPSHOT                                                                              \
    OF_SYSTEM " AND (file_id, snapshot_id) IN (SELECT file_id, snapshot_id FROM snapshot WHERE "   \
    GONE_FILE " OR " OF_SYSTEM " AND end_ms <= ?1)"
/* The server wants to know the type of ?1 also where it does not matter. */
#define ANY_TIME " AND ?1::bigint IS NOT NULL"
#define UNUSED(id, chunk) id " NOT IN (SELECT " id " FROM " chunk " WHERE " OF_SYSTEM ")"

const struct upkeep_table postgres_tables[] = {
    { "warning", GONE_FILE },
    { "chunk", GONE_FILE " OR " OF_SYSTEM " AND last_ms <= ?1" },
    { "hourly", GONE_FILE " OR " OF_SYSTEM " AND hour_ms <= ?1::bigint - 3600000" },
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
    { "series", OF_SYSTEM " AND " UNUSED("series_id", "chunk") " AND "
                UNUSED("series_id", "hourly") ANY_TIME },
    { "metric", OF_SYSTEM " AND " UNUSED("metric_id", "metric_chunk") ANY_TIME },
    { "file", OF_SYSTEM " AND last_ms <= ?1" },
    { "plan_result", NULL },
    { "layout", NULL },
    { "system", NULL },
    { NULL, NULL },
};

#define NO_SYSTEM(from)                                                                            \
    { from, "NOT EXISTS (SELECT 1 FROM system up WHERE up.system_id = " from ".system_id)",        \
      "name a system that is not there" }
#define ORPHANS(from, column, to)                                                                  \
    { from, "NOT EXISTS (SELECT 1 FROM " to " up WHERE up.system_id = " from ".system_id"          \
            " AND up." column " = " from "." column ")",                                           \
      "name a " to " that is not there" }

const struct upkeep_rule postgres_rules[] = {
    NO_SYSTEM("layout"),
    NO_SYSTEM("plan_result"),
    NO_SYSTEM("file"),
    NO_SYSTEM("series"),
    NO_SYSTEM("metric"),
    ORPHANS("warning", "file_id", "file"),
    ORPHANS("chunk", "file_id", "file"),
    ORPHANS("chunk", "series_id", "series"),
    ORPHANS("hourly", "file_id", "file"),
    ORPHANS("hourly", "series_id", "series"),
    ORPHANS("metric_chunk", "file_id", "file"),
    ORPHANS("metric_chunk", "metric_id", "metric"),
    ORPHANS("snapshot", "file_id", "file"),
    ORPHANS("snapshot_io", "file_id", "file"),
    ORPHANS("snapshot_event", "file_id", "file"),
    ORPHANS("snapshot_stat", "file_id", "file"),
    ORPHANS("volume_config", "file_id", "file"),
    ORPHANS("volume_modification", "file_id", "file"),
    ORPHANS("bill_line", "file_id", "file"),
    ORPHANS("record", "file_id", "file"),
    ORPHANS("record_field", "file_id", "file"),
    UPKEEP_RULES,
    { NULL, NULL, NULL },
};

/* clang-format on */

int postgres_table_bytes(struct store *s, const char *table, int64_t *out, struct err *e)
{
    struct query q = query_start_text(
        s, "SELECT coalesce(sum(bytes), 0)::bigint FROM table_bytes WHERE name = ?1::text");
    query_text(&q, 1, table);
    return query_find(&q, out, e);
}

/* The server looks after its own files. */
int postgres_check(struct store *s, store_problem_fn *problem, void *ctx, struct err *e)
{
    (void)s, (void)problem, (void)ctx, (void)e;
    return 0;
}
