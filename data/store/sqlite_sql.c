/* data/store/sqlite_sql.c - all statements of the SQLite backend. */
#include "data/store/sample_column.h"
#include "data/store/sqlite_db.h"

#define COLUMN_NAME(field, kind)  ", " #field
#define COLUMN_PLACE(field, kind) ", ?"
#define COLUMN_SET(field, kind)   ", " #field " = ?"
#define COLUMN_NAMES              SAMPLE_COLUMNS(COLUMN_NAME)
#define COLUMN_PLACES             SAMPLE_COLUMNS(COLUMN_PLACE)
#define VALUE_NAMES               VALUE_COLUMNS(COLUMN_NAME)
#define VALUE_PLACES              VALUE_COLUMNS(COLUMN_PLACE)

/* Of readings the last ?2 of each file, in all the first ?3. */
#define CHOSEN_RECORDS                                                                             \
    " FROM file CROSS JOIN record USING(file_id)"                                                  \
    " WHERE system_id = ?1 AND (kind <> 'readings' OR row_no >"                                    \
    "  (SELECT max(row_no) FROM record last WHERE last.file_id = file.file_id) - ?2)"              \
    " ORDER BY file_id, row_no LIMIT ?3"

/* Rows of snapshots, in the order of their key. */
#define OF_SNAPSHOTS(table)                                                                        \
    " FROM file CROSS JOIN snapshot USING(file_id) CROSS JOIN " table " USING(snapshot_id)"        \
    " WHERE system_id = ?1 ORDER BY file_id, snapshot_id"

const char *const sqlite_texts[SQL_COUNT] = {
    [SQL_BEGIN_READ] = "BEGIN",
    [SQL_BEGIN_WRITE] = "BEGIN IMMEDIATE",
    [SQL_COMMIT] = "COMMIT",
    [SQL_ROLLBACK] = "ROLLBACK",

    [SQL_SYSTEM_ADD] = "INSERT INTO system(name) VALUES(?1)",
    [SQL_SYSTEM_ID] = "SELECT system_id FROM system WHERE name = ?1",
    [SQL_SYSTEM_LOCK] = "SELECT system_id FROM system WHERE name = ?1", /* all is locked */
    [SQL_SYSTEM_LIST] = "SELECT name FROM system ORDER BY name",

    [SQL_LAYOUT_GET] = "SELECT json FROM layout WHERE system_id = ?1",
    [SQL_LAYOUT_SET] = "INSERT INTO layout(system_id, json) VALUES(?1, ?2)"
                       " ON CONFLICT(system_id) DO UPDATE SET json = excluded.json",

    [SQL_FILE_ADD] = "INSERT INTO file(system_id, path, format, zone, date_ms,"
                     " content_hash, rows, skipped, bytes)"
                     " VALUES(?1, ?2, ?3, ?4, ?5, x'', 0, 0, 0)",
    [SQL_FILE_KNOWN] = "SELECT 1 FROM file AS old, file AS new"
                       " WHERE new.file_id = ?1 AND old.content_hash = ?2"
                       " AND old.system_id = new.system_id AND old.zone = new.zone"
                       " AND old.date_ms IS new.date_ms",
    [SQL_FILE_DONE] = "UPDATE file SET content_hash = ?2, rows = ?3, skipped = ?4, bytes = ?5,"
                      " first_ms = ?6, last_ms = ?7 WHERE file_id = ?1",
    [SQL_FILE_LIST] = "SELECT file_id, path, format, zone, date_ms, rows, skipped, bytes,"
                      " first_ms, last_ms FROM file WHERE system_id = ?1 ORDER BY file_id",

    [SQL_WARNING_ADD] = "INSERT INTO warning(file_id, warning_no, line, text)"
                        " VALUES(?1, ?2, ?3, ?4)",
    [SQL_WARNING_LIST] = "SELECT ifnull(line, 0), text, file_id, 0, 0"
                         " FROM file CROSS JOIN warning USING(file_id) WHERE system_id = ?1"
                         " ORDER BY file_id, warning_no",

    [SQL_SERIES_ADD] = "INSERT INTO series(system_id, host, kind, name, counts)"
                       " VALUES(?1, ?2, ?4, ?3, ?5)",
    [SQL_SERIES_ID] = "SELECT series_id FROM series WHERE system_id = ?1 AND kind = ?4"
                      " AND ifnull(host, '') = ifnull(?2, '') AND name = ?3"
                      " AND ifnull(instance_number, 'none') = 'none'",
    [SQL_SERIES_LIST] = "SELECT series_id, kind, counts, host, name, instance_number,"
                        " (SELECT ifnull(sum(n_samples), 0) FROM chunk"
                        "  WHERE chunk.series_id = series.series_id), system_id"
                        " FROM series WHERE system_id = ?1 ORDER BY host, name, series_id",

    [SQL_CHUNK_ADD] =
        "INSERT INTO chunk(file_id, series_id, block_no, n_samples, first_ms, last_ms" COLUMN_NAMES
        ") VALUES(?, ?, ?, ?, ?, ?" COLUMN_PLACES ")",
    [SQL_CHUNK_LIST] = "SELECT file_id, n_samples" COLUMN_NAMES
                       " FROM chunk WHERE series_id = ?1 ORDER BY file_id, block_no",

    [SQL_BLOCK_LIST] = "SELECT file_id, n_samples" COLUMN_NAMES ", block_no FROM chunk"
                       " WHERE series_id = ?1 AND first_ms < ?2 ORDER BY file_id, block_no",
    [SQL_BLOCK_SET] = "UPDATE chunk SET n_samples = ?4, first_ms = ?5, last_ms = ?6" SAMPLE_COLUMNS(
        COLUMN_SET) " WHERE series_id = ?1 AND file_id = ?2 AND block_no = ?3",
    [SQL_BLOCK_DELETE] = "DELETE FROM chunk WHERE series_id = ?1 AND file_id = ?2"
                         " AND block_no = ?3",

    [SQL_METRIC_ADD] =
        "INSERT INTO metric(system_id, metric, dimension, statistic, statistic_text, host,"
        " instance_number, account, region, namespace, unit, counts)"
        " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
    [SQL_METRIC_ID] =
        "SELECT metric_id FROM metric WHERE system_id = ?1 AND metric = ?2"
        " AND ifnull(dimension, '') = ifnull(?3, '') AND statistic = ?4"
        " AND ifnull(statistic_text, '') = ifnull(?5, '') AND ifnull(host, '') = ifnull(?6, '')"
        " AND ifnull(instance_number, 'none') = ifnull(?7, 'none')"
        " AND ifnull(account, '') = ifnull(?8, '') AND ifnull(region, '') = ifnull(?9, '')"
        " AND ifnull(namespace, '') = ifnull(?10, '') AND ifnull(unit, '') = ifnull(?11, '')"
        " AND counts = ?12",
    [SQL_METRIC_LIST] =
        "SELECT metric_id, metric, dimension, statistic, statistic_text, host, instance_number,"
        " account, region, namespace, unit, counts,"
        " (SELECT ifnull(sum(n_samples), 0) FROM metric_chunk"
        "  WHERE metric_chunk.metric_id = metric.metric_id), system_id"
        " FROM metric WHERE system_id = ?1"
        " ORDER BY namespace, metric, dimension, statistic, statistic_text, metric_id",
    [SQL_METRIC_CHUNK_ADD] =
        "INSERT INTO metric_chunk(file_id, metric_id, block_no, n_samples,"
        " first_ms, last_ms" VALUE_NAMES ") VALUES(?, ?, ?, ?, ?, ?" VALUE_PLACES ")",
    [SQL_METRIC_CHUNK_LIST] = "SELECT file_id, n_samples" VALUE_NAMES
                              " FROM metric_chunk WHERE metric_id = ?1 ORDER BY file_id, block_no",
    [SQL_VALUE_BLOCK_LIST] = "SELECT file_id, n_samples" VALUE_NAMES ", block_no FROM metric_chunk"
                             " WHERE metric_id = ?1 AND first_ms < ?2 ORDER BY file_id, block_no",
    [SQL_VALUE_BLOCK_SET] =
        "UPDATE metric_chunk SET n_samples = ?4, first_ms = ?5, last_ms = ?6" VALUE_COLUMNS(
            COLUMN_SET) " WHERE metric_id = ?1 AND file_id = ?2 AND block_no = ?3",
    [SQL_VALUE_BLOCK_DELETE] = "DELETE FROM metric_chunk WHERE metric_id = ?1 AND file_id = ?2"
                               " AND block_no = ?3",

    [SQL_VOLUME_ADD] =
        "INSERT INTO volume_config(file_id, row_no, line, volume_id, volume_type, size_gib, iops,"
        " throughput_mibps, state, instance_id, device, zone, name, snapshot_id, created_ms,"
        " attached_ms, attachments, ebs_card, multi_attach)"
        " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,"
        " ?19)",
    [SQL_MODIFICATION_ADD] =
        "INSERT INTO volume_modification(file_id, row_no, line, volume_id, state, from_volume_type,"
        " from_size_gib, from_iops, from_throughput_mibps, to_volume_type, to_size_gib, to_iops,"
        " to_throughput_mibps, start_ms, end_ms, progress_pct)"
        " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
    [SQL_BILL_LINE_ADD] =
        "INSERT INTO bill_line(file_id, row_no, line, start_ms, end_ms, account, region, resource,"
        " usage_type, operation, unit, currency, line_type, amount, amount_pico, cost, cost_pico,"
        " list_cost, list_cost_pico, cost_decimals)"
        " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,"
        " ?19, ?20)",
    [SQL_BILL_LINE_LIST] =
        "SELECT b.line, start_ms, end_ms, account, region, resource, usage_type, operation, unit,"
        " currency, line_type, amount, cost, list_cost, cost_decimals, file_id"
        " FROM bill_line b JOIN file USING(file_id)"
        " WHERE system_id = ?1 ORDER BY file_id, row_no",
    [SQL_RECORD_ADD] = "INSERT INTO record(file_id, row_no, line, kind, time_ms)"
                       " VALUES(?1, ?2, ?3, ?4, ?5)",
    [SQL_VOLUME_LIST] = "SELECT file_id, v.line, volume_id, volume_type, size_gib, iops,"
                        " throughput_mibps, state, instance_id, device, v.zone, name, snapshot_id,"
                        " created_ms, attached_ms, attachments, ebs_card, multi_attach"
                        " FROM volume_config v JOIN file USING(file_id)"
                        " WHERE system_id = ?1 ORDER BY file_id, row_no",
    [SQL_MODIFICATION_LIST] =
        "SELECT file_id, m.line, volume_id, from_volume_type, from_size_gib, from_iops,"
        " from_throughput_mibps, to_volume_type, to_size_gib, to_iops, to_throughput_mibps, state,"
        " start_ms, end_ms, progress_pct"
        " FROM volume_modification m JOIN file USING(file_id)"
        " WHERE system_id = ?1 ORDER BY file_id, row_no",
    [SQL_RECORD_LIST] = "SELECT file_id, row_no, kind, time_ms, line" CHOSEN_RECORDS,
    [SQL_RECORD_FIELD_LIST] =
        "SELECT key, num, text, file_id, row_no, 0"
        " FROM (SELECT file_id, row_no" CHOSEN_RECORDS ") CROSS JOIN record_field"
        " USING(file_id, row_no) ORDER BY file_id, row_no, field_no",
    [SQL_RECORD_FIELD_ADD] = "INSERT INTO record_field(file_id, row_no, field_no, key, unit, num,"
                             " text) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)",

    [SQL_HOURLY_ADD] = "INSERT INTO hourly(series_id, hour_ms, file_id, n_samples, covered_ms,"
                       " min_mibps, max_mibps, mean_mibps, worst_minute_mibps,"
                       " min_iops, max_iops, mean_iops, worst_minute_iops)"
                       " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",

    [SQL_SNAPSHOT_ADD] =
        "INSERT INTO snapshot(file_id, db_name, db_id, instance, instance_number, host, release,"
        " platform, rac, cpus, begin_ms, end_ms, elapsed_s, db_time_s)"
        " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
    [SQL_SNAPSHOT_LIST] =
        "SELECT snapshot_id, file_id, db_name, db_id, instance, instance_number, host, release,"
        " platform, ifnull(rac, -1), cpus, begin_ms, end_ms, elapsed_s, db_time_s"
        " FROM snapshot JOIN file USING(file_id) WHERE system_id = ?1"
        " ORDER BY begin_ms, file_id, snapshot_id",

    [SQL_SNAPSHOT_IO_ADD] =
        "INSERT INTO snapshot_io(snapshot_id, kind, row_no, name, read_bytes, write_bytes,"
        " read_requests_per_s, write_requests_per_s, read_bytes_per_s, write_bytes_per_s,"
        " small_read_ms, large_read_ms, waits, wait_avg_ms, line)"
        " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
    [SQL_SNAPSHOT_IO_LIST] =
        "SELECT name, read_bytes, write_bytes, read_requests_per_s, write_requests_per_s,"
        " read_bytes_per_s, write_bytes_per_s, small_read_ms, large_read_ms, waits, wait_avg_ms,"
        " ifnull(line, 0), file_id, snapshot_id, kind = 'function'" OF_SNAPSHOTS(
            "snapshot_io") ", kind, row_no",

    [SQL_SNAPSHOT_EVENT_ADD] =
        "INSERT INTO snapshot_event(snapshot_id, row_no, name, wait_class, waits, time_s, avg_ms,"
        " pct_db_time, line) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    [SQL_SNAPSHOT_EVENT_LIST] =
        "SELECT name, wait_class, waits, time_s, avg_ms, pct_db_time, ifnull(line, 0), file_id,"
        " snapshot_id, 0" OF_SNAPSHOTS("snapshot_event") ", row_no",

    [SQL_SNAPSHOT_STAT_ADD] =
        "INSERT INTO snapshot_stat(snapshot_id, kind, row_no, name, total, per_s, line)"
        " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    [SQL_SNAPSHOT_STAT_LIST] =
        "SELECT name, total, per_s, ifnull(line, 0), file_id, snapshot_id,"
        " CASE kind WHEN 'load_profile' THEN 0 WHEN 'io_profile' THEN 1 ELSE 2 END" OF_SNAPSHOTS(
            "snapshot_stat") ", kind, row_no",

    [SQL_RESULT_FILES] = "SELECT content_hash, date_ms, rows FROM file WHERE system_id = ?1"
                         " ORDER BY file_id",
    [SQL_RESULT_ZONES] = "SELECT CAST(zone AS BLOB), 0, 0 FROM file WHERE system_id = ?1"
                         " ORDER BY file_id",
    [SQL_RESULT_COUNTS] =
        "SELECT x'', count(*), ifnull(sum(n_samples), 0) FROM series JOIN chunk USING(series_id)"
        " WHERE system_id = ?1 UNION ALL"
        " SELECT x'', count(*), ifnull(sum(n_samples), 0) FROM metric JOIN metric_chunk"
        " USING(metric_id) WHERE system_id = ?1 UNION ALL"
        " SELECT x'', count(*), 0 FROM file JOIN snapshot USING(file_id) WHERE system_id = ?1",
    [SQL_RESULT_GET] = "SELECT state, json FROM plan_result WHERE system_id = ?1 AND question = ?2",
    [SQL_RESULT_ADD] = "INSERT INTO plan_result(system_id, question, state, json, plans)"
                       " SELECT ?1, ?2, '', '', 0 WHERE NOT EXISTS (SELECT 1 FROM plan_result"
                       "  WHERE system_id = ?1 AND question = ?2)",
    [SQL_RESULT_SET] = "UPDATE plan_result SET state = ?3, json = ?4, plans = plans + 1"
                       " WHERE system_id = ?1 AND question = ?2",
};
