/* data/store/postgres_sql.c - all statements of the PostgreSQL backend.
 *
 * Those that are used while a system is read or written have its number as a condition, so that
 * an engine that spreads the tables asks one of its servers.  There is no ON CONFLICT with a target
 * and no RETURNING: tables of other servers (postgres_fdw) cannot do the first. */
#include "data/store/postgres_db.h"
#include "data/store/sample_column.h"

#define COLUMN_NAME(field, kind) ", " #field
#define COLUMN_NAMES             SAMPLE_COLUMNS(COLUMN_NAME)
#define VALUE_NAMES              VALUE_COLUMNS(COLUMN_NAME)

/* clang-format off */

/* Rows that go to their table as they are. */
#define STAGED(name, names)                                                                        \
    {                                                                                              \
        .table = (name), .columns = (names),                                                       \
        .publish = "INSERT INTO " name "(system_id, " names ") SELECT $1::bigint, " names          \
                   " FROM new_" name " WHERE file_id = $2::bigint"                                 \
    }

/* The keys by which series and metrics are known. */
#define SERIES_KEY(t)                                                                              \
    "(" t ".kind, coalesce(" t ".host, ''), " t ".name,"                                           \
    " coalesce(" t ".instance_number, -9223372036854775808))"
#define METRIC_KEY(t)                                                                              \
    "(" t ".metric, coalesce(" t ".dimension, ''), " t ".statistic,"                               \
    " coalesce(" t ".statistic_text, ''), coalesce(" t ".host, ''),"                               \
    " coalesce(" t ".instance_number, -9223372036854775808), coalesce(" t ".account, ''),"         \
    " coalesce(" t ".region, ''), coalesce(" t ".namespace, ''), coalesce(" t ".unit, ''),"        \
    " " t ".counts)"

/* Names that are new get numbers, in the order in which the file has them. */
#define PUBLISH_NAMES(table, id, key, names)                                                       \
    "INSERT INTO " table "(system_id, " id ", " names ")"                                          \
    " SELECT $1::bigint, nextval('" id "s'), " names " FROM ("                                     \
    "  SELECT " names ", " id " AS no,"                                                            \
    "   row_number() OVER (PARTITION BY " key("n") " ORDER BY " id ") AS nth"                      \
    "  FROM new_" table " n WHERE file_id = $2::bigint AND NOT EXISTS"                             \
    "   (SELECT FROM " table " t WHERE t.system_id = $1::bigint AND " key("t") " = " key("n") ")"  \
    " ) fresh WHERE nth = 1 ORDER BY no"

/* Rows whose series or metric has the file's own number. */
#define PUBLISH_NAMED(table, id, names, of, key)                                                   \
    "INSERT INTO " table "(system_id, " id ", " names ")"                                          \
    " SELECT $1::bigint, t." id ", " names                                                         \
    " FROM new_" table " c JOIN new_" of " n USING(file_id, " id ")"                               \
    " JOIN " of " t ON t.system_id = $1::bigint AND " key("t") " = " key("n")                      \
    " WHERE file_id = $2::bigint"

/* All series or metrics of a system, with how many samples each has, in one pass: asked for one by
 * one, a table of another server answers each with a round trip.  A server that knows nothing of
 * the tables yet would do a LEFT JOIN in loops; a FULL JOIN it cannot, unless a condition on the
 * left side tells that it is none. */
#define COUNTED(table, id, chunk)                                                                  \
    " FROM (SELECT *, coalesce(n, 0)::bigint AS n_samples"                                         \
    "  FROM (SELECT * FROM " table " WHERE system_id = $1) t FULL JOIN"                            \
    "  (SELECT " id ", sum(n_samples) AS n FROM " chunk " WHERE system_id = $1 GROUP BY " id ") c" \
    "  USING(" id ") WHERE coalesce(t.system_id, -1) <> -1) counted"

/* clang-format on */

#define SERIES_NAMES "host, name, kind, counts"
#define METRIC_NAMES                                                                               \
    "metric, dimension, statistic, statistic_text, host, instance_number, account, region,"        \
    " namespace, unit, counts"
#define CHUNK_NAMES  "file_id, block_no, n_samples, first_ms, last_ms" COLUMN_NAMES
#define VALUES_NAMES "file_id, block_no, n_samples, first_ms, last_ms" VALUE_NAMES
#define HOURLY_NAMES                                                                               \
    "hour_ms, file_id, n_samples, covered_ms, min_mibps, max_mibps, mean_mibps,"                   \
    " worst_minute_mibps, min_iops, max_iops, mean_iops, worst_minute_iops"
#define SNAPSHOT_NAMES                                                                             \
    "file_id, db_name, db_id, instance, instance_number, host, release, platform, rac, cpus,"      \
    " begin_ms, end_ms, elapsed_s, db_time_s, snapshot_id"

/* Of readings the last $2 of each file, in all the first $3. */
#define CHOSEN_RECORDS                                                                             \
    " FROM record r WHERE system_id = $1 AND (kind <> 'readings' OR row_no >"                      \
    "  (SELECT max(row_no) FROM record l WHERE l.system_id = $1 AND l.file_id = r.file_id) - $2)"  \
    " ORDER BY file_id, row_no LIMIT $3"

const struct postgres_statement postgres_statements[SQL_COUNT] = {
    [SQL_BEGIN_READ] = { .sql = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" },
    [SQL_BEGIN_WRITE] = { .sql = "BEGIN ISOLATION LEVEL READ COMMITTED" },
    [SQL_COMMIT] = { .sql = "COMMIT" },
    [SQL_ROLLBACK] = { .sql = "ROLLBACK" },

    [SQL_SYSTEM_ADD] = { .sql = "INSERT INTO system(system_id, name, changes)"
                                " VALUES(nextval('system_ids'), $1, 0) ON CONFLICT DO NOTHING" },
    [SQL_SYSTEM_ID] = { .sql = "SELECT system_id FROM system WHERE name = $1" },
    [SQL_SYSTEM_LOCK] = { .sql =
                              "UPDATE system SET changes = changes + 1 WHERE name = $1 RETURNING "
                              "system_id" },
    [SQL_SYSTEM_LIST] = { .sql = "SELECT name FROM system ORDER BY name" },

    [SQL_LAYOUT_GET] = { .sql = "SELECT json FROM layout WHERE system_id = $1" },
    [SQL_LAYOUT_SET] = { .sql = "INSERT INTO layout(system_id, json) VALUES($1, $2)"
                                " ON CONFLICT(system_id) DO UPDATE SET json = excluded.json" },

    [SQL_FILE_ADD] = { .sql = "SELECT nextval('file_ids')" },
    [SQL_FILE_KNOWN] = { .sql =
                             "SELECT file_id FROM file WHERE system_id = $1 AND content_hash = $2"
                             " AND zone = $3 AND coalesce(date_ms, -9223372036854775808)"
                             "  = coalesce($4::bigint, -9223372036854775808)" },
    [SQL_FILE_DONE] = { .sql = "INSERT INTO file(system_id, file_id, path, format, zone, date_ms,"
                               " content_hash, rows, skipped, bytes, first_ms, last_ms)"
                               " VALUES($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)" },
    [SQL_FILE_LIST] = { .sql =
                            "SELECT file_id, path, format, zone, date_ms, rows, skipped, bytes,"
                            " first_ms, last_ms FROM file WHERE system_id = $1 ORDER BY file_id" },

    [SQL_WARNING_ADD] = STAGED("warning", "file_id, warning_no, line, text"),
    [SQL_WARNING_LIST] = { .sql =
                               "SELECT coalesce(line, 0), text, file_id, 0::bigint, 0::bigint"
                               " FROM warning WHERE system_id = $1 ORDER BY file_id, warning_no" },

    [SQL_SERIES_ADD] = { .table = "series",
                         .columns = "system_id, " SERIES_NAMES ", file_id, series_id",
                         .publish = PUBLISH_NAMES("series", "series_id", SERIES_KEY, SERIES_NAMES),
                         .numbered = true },
    [SQL_SERIES_ID] = { .later = true },
    [SQL_SERIES_LIST] = { .sql = "SELECT series_id, kind, counts, host, name, instance_number,"
                                 " n_samples, system_id" COUNTED(
                                     "series", "series_id",
                                     "chunk") " ORDER BY host NULLS FIRST, name, series_id" },
    [SQL_CHUNK_ADD] = { .table = "chunk",
                        .columns = "file_id, series_id, block_no, n_samples, first_ms, "
                                   "last_ms" COLUMN_NAMES,
                        .publish = PUBLISH_NAMED("chunk", "series_id", CHUNK_NAMES, "series",
                                                 SERIES_KEY) },
    [SQL_BLOCK_LIST] = { .sql = "SELECT file_id, n_samples" COLUMN_NAMES ", block_no FROM chunk"
                                " WHERE series_id = $1 AND first_ms < $2 AND system_id = $3"
                                " ORDER BY file_id, block_no" },
    [SQL_BLOCK_SET] = { .sql = "UPDATE chunk SET (n_samples, first_ms, last_ms" COLUMN_NAMES
                               ") = ROW($4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, "
                               "$17,"
                               " $18, $19, $20, $21, $22, $23, $24)"
                               " WHERE series_id = $1 AND file_id = $2 AND block_no = $3"
                               " AND system_id = $25" },
    [SQL_BLOCK_DELETE] = { .sql = "DELETE FROM chunk WHERE series_id = $1 AND file_id = $2"
                                  " AND block_no = $3 AND system_id = $4" },
    [SQL_CHUNK_LIST] = { .sql = "SELECT file_id, n_samples" COLUMN_NAMES
                                " FROM chunk WHERE series_id = $1 AND system_id = $2"
                                " ORDER BY file_id, block_no" },

    [SQL_METRIC_ADD] = { .table = "metric",
                         .columns = "system_id, " METRIC_NAMES ", file_id, metric_id",
                         .publish = PUBLISH_NAMES("metric", "metric_id", METRIC_KEY, METRIC_NAMES),
                         .numbered = true },
    [SQL_METRIC_ID] = { .later = true },
    [SQL_METRIC_LIST] = { .sql = "SELECT metric_id, metric, dimension, statistic, statistic_text, "
                                 "host,"
                                 " instance_number, account, region, namespace, unit, counts,"
                                 " n_samples, system_id" COUNTED(
                                     "metric", "metric_id",
                                     "metric_chunk") " ORDER BY namespace NULLS FIRST, metric, "
                                                     "dimension NULLS FIRST,"
                                                     " statistic, statistic_text NULLS FIRST, "
                                                     "metric_id" },
    [SQL_METRIC_CHUNK_ADD] = { .table = "metric_chunk",
                               .columns = "file_id, metric_id, block_no, n_samples, first_ms,"
                                          " last_ms" VALUE_NAMES,
                               .publish = PUBLISH_NAMED("metric_chunk", "metric_id", VALUES_NAMES,
                                                        "metric", METRIC_KEY) },
    [SQL_METRIC_CHUNK_LIST] = { .sql = "SELECT file_id, n_samples" VALUE_NAMES
                                       " FROM metric_chunk WHERE metric_id = $1 AND system_id = $2"
                                       " ORDER BY file_id, block_no" },
    [SQL_VALUE_BLOCK_LIST] = { .sql = "SELECT file_id, n_samples" VALUE_NAMES
                                      ", block_no FROM metric_chunk"
                                      " WHERE metric_id = $1 AND first_ms < $2 AND system_id = $3"
                                      " ORDER BY file_id, block_no" },
    [SQL_VALUE_BLOCK_SET] = { .sql = "UPDATE metric_chunk SET (n_samples, first_ms, "
                                     "last_ms" VALUE_NAMES ") = ROW($4, $5, $6, $7, $8, $9, $10)"
                                     " WHERE metric_id = $1 AND file_id = $2 AND block_no = $3"
                                     " AND system_id = $11" },
    [SQL_VALUE_BLOCK_DELETE] = { .sql = "DELETE FROM metric_chunk WHERE metric_id = $1"
                                        " AND file_id = $2 AND block_no = $3 AND system_id = $4" },

    [SQL_VOLUME_ADD] =
        STAGED("volume_config", "file_id, row_no, line, volume_id, volume_type, size_gib, iops,"
                                " throughput_mibps, state, instance_id, device, zone, name,"
                                " snapshot_id, created_ms, attached_ms, attachments, ebs_card,"
                                " multi_attach"),
    [SQL_VOLUME_LIST] = { .sql =
                              "SELECT file_id, line, volume_id, volume_type, size_gib, iops,"
                              " throughput_mibps, state, instance_id, device, zone, name, "
                              "snapshot_id,"
                              " created_ms, attached_ms, attachments, ebs_card, multi_attach"
                              " FROM volume_config WHERE system_id = $1 ORDER BY file_id, row_no" },
    [SQL_MODIFICATION_ADD] =
        STAGED("volume_modification", "file_id, row_no, line, volume_id, state, from_volume_type,"
                                      " from_size_gib, from_iops, from_throughput_mibps,"
                                      " to_volume_type, to_size_gib, to_iops, to_throughput_mibps,"
                                      " start_ms, end_ms, progress_pct"),
    [SQL_MODIFICATION_LIST] = { .sql = "SELECT file_id, line, volume_id, from_volume_type, "
                                       "from_size_gib,"
                                       " from_iops, from_throughput_mibps, to_volume_type, "
                                       "to_size_gib,"
                                       " to_iops, to_throughput_mibps, state, start_ms, end_ms,"
                                       " progress_pct FROM volume_modification WHERE system_id = $1"
                                       " ORDER BY file_id, row_no" },
    [SQL_BILL_LINE_ADD] =
        STAGED("bill_line", "file_id, row_no, line, start_ms, end_ms, account, region,"
                            " resource, usage_type, operation, unit, currency, line_type,"
                            " amount, amount_pico, cost, cost_pico, list_cost,"
                            " list_cost_pico, cost_decimals"),
    [SQL_BILL_LINE_LIST] = { .sql =
                                 "SELECT line, start_ms, end_ms, account, region, resource, "
                                 "usage_type,"
                                 " operation, unit, currency, line_type, amount, cost, list_cost,"
                                 " cost_decimals, file_id FROM bill_line WHERE system_id = $1"
                                 " ORDER BY file_id, row_no" },
    [SQL_RECORD_ADD] = STAGED("record", "file_id, row_no, line, kind, time_ms"),
    [SQL_RECORD_LIST] = { .sql = "SELECT file_id, row_no, kind, time_ms, line" CHOSEN_RECORDS },
    [SQL_RECORD_FIELD_ADD] =
        STAGED("record_field", "file_id, row_no, field_no, key, unit, num, text"),
    [SQL_RECORD_FIELD_LIST] = { .sql =
                                    "SELECT key, num, text, file_id, row_no, 0::bigint FROM"
                                    " (SELECT file_id, row_no" CHOSEN_RECORDS ") chosen"
                                    " JOIN record_field f USING(file_id, row_no)"
                                    " WHERE f.system_id = $1 ORDER BY file_id, row_no, field_no" },

    [SQL_HOURLY_ADD] = { .table = "hourly",
                         .columns = "series_id, " HOURLY_NAMES,
                         .publish = PUBLISH_NAMED("hourly", "series_id", HOURLY_NAMES, "series",
                                                  SERIES_KEY) },

    [SQL_SNAPSHOT_ADD] = { .table = "snapshot",
                           .columns = SNAPSHOT_NAMES,
                           .publish = "INSERT INTO snapshot(system_id, " SNAPSHOT_NAMES
                                      ") SELECT $1::bigint, " SNAPSHOT_NAMES
                                      " FROM new_snapshot WHERE file_id = $2::bigint",
                           .numbered = true },
    [SQL_SNAPSHOT_LIST] = { .sql = "SELECT snapshot_id, file_id, db_name, db_id, instance,"
                                   " instance_number, host, release, platform, coalesce(rac, -1), "
                                   "cpus,"
                                   " begin_ms, end_ms, elapsed_s, db_time_s FROM snapshot"
                                   " WHERE system_id = $1"
                                   " ORDER BY begin_ms NULLS FIRST, file_id, snapshot_id" },

    [SQL_SNAPSHOT_IO_ADD] =
        STAGED("snapshot_io", "snapshot_id, kind, row_no, name, read_bytes,"
                              " write_bytes, read_requests_per_s, write_requests_per_s,"
                              " read_bytes_per_s, write_bytes_per_s, small_read_ms,"
                              " large_read_ms, waits, wait_avg_ms, line, file_id"),
    [SQL_SNAPSHOT_IO_LIST] = { .sql = "SELECT name, read_bytes, write_bytes, read_requests_per_s,"
                                      " write_requests_per_s, read_bytes_per_s, write_bytes_per_s,"
                                      " small_read_ms, large_read_ms, waits, wait_avg_ms,"
                                      " coalesce(line, 0), file_id, snapshot_id,"
                                      " (kind = 'function')::int::bigint FROM snapshot_io"
                                      " WHERE system_id = $1 ORDER BY file_id, snapshot_id, kind, "
                                      "row_no" },
    [SQL_SNAPSHOT_EVENT_ADD] =
        STAGED("snapshot_event", "snapshot_id, row_no, name, wait_class, waits,"
                                 " time_s, avg_ms, pct_db_time, line, file_id"),
    [SQL_SNAPSHOT_EVENT_LIST] = { .sql =
                                      "SELECT name, wait_class, waits, time_s, avg_ms, pct_db_time,"
                                      " coalesce(line, 0), file_id, snapshot_id, 0::bigint"
                                      " FROM snapshot_event WHERE system_id = $1"
                                      " ORDER BY file_id, snapshot_id, row_no" },
    [SQL_SNAPSHOT_STAT_ADD] =
        STAGED("snapshot_stat", "snapshot_id, kind, row_no, name, total, per_s,"
                                " line, file_id"),
    [SQL_SNAPSHOT_STAT_LIST] = { .sql = "SELECT name, total, per_s, coalesce(line, 0), file_id,"
                                        " snapshot_id, CASE kind WHEN 'load_profile' THEN 0::bigint"
                                        "  WHEN 'io_profile' THEN 1 ELSE 2 END FROM snapshot_stat"
                                        " WHERE system_id = $1"
                                        " ORDER BY file_id, snapshot_id, kind, row_no" },

    [SQL_RESULT_FILES] = { .sql = "SELECT content_hash, date_ms, rows FROM file"
                                  " WHERE system_id = $1 ORDER BY file_id" },
    [SQL_RESULT_ZONES] = { .sql = "SELECT convert_to(zone, 'UTF8'), 0::bigint, 0::bigint FROM file"
                                  " WHERE system_id = $1 ORDER BY file_id" },
    [SQL_RESULT_COUNTS] = { .sql =
                                "SELECT ''::bytea, count(*), coalesce(sum(n_samples), 0)::bigint"
                                " FROM chunk WHERE system_id = $1 UNION ALL"
                                " SELECT ''::bytea, count(*), coalesce(sum(n_samples), 0)::bigint"
                                " FROM metric_chunk WHERE system_id = $1 UNION ALL"
                                " SELECT ''::bytea, count(*), 0::bigint FROM snapshot"
                                " WHERE system_id = $1" },
    [SQL_RESULT_GET] = { .sql = "SELECT state, json FROM plan_result"
                                " WHERE system_id = $1 AND question = $2" },
    [SQL_RESULT_ADD] = { .sql = "INSERT INTO plan_result(system_id, question, state, json, plans)"
                                " SELECT $1::bigint, $2::text, '', '', 0 WHERE NOT EXISTS"
                                " (SELECT 1 FROM plan_result"
                                "  WHERE system_id = $1::bigint AND question = $2::text)" },
    [SQL_RESULT_SET] = { .sql = "UPDATE plan_result SET state = $3, json = $4, plans = plans + 1"
                                " WHERE system_id = $1 AND question = $2" },
};
