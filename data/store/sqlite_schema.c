/* data/store/sqlite_schema.c - the schema of the SQLite backend, step by step.
 *
 * A step that was released is never changed: stores were made by it.  docs/store.md explains
 * the tables to those who read them with other tools. */
#include "data/store/sample_column.h"
#include "data/store/sqlite_db.h"

#define COLUMN_DEFINITION(field, kind) #field " BLOB NOT NULL,"
#define SAMPLE_DEFINITIONS_1           SAMPLE_COLUMNS_1(COLUMN_DEFINITION)
#define VALUE_DEFINITIONS              VALUE_COLUMNS(COLUMN_DEFINITION)

/* --- views that decode chunks ------------------------------------------------------------------
 *
 * They do data/store/sample_column.h in SQL, for people with a shell; the program itself never
 * uses them.  A view has the columns of `keys`, the number of the sample, the name of the column
 * and its value; `unpivot` is one SELECT per column. */

/* clang-format off */
#define BYTES_16(high)                                                                             \
    high "0" high "1" high "2" high "3" high "4" high "5" high "6" high "7"                        \
    high "8" high "9" high "a" high "b" high "c" high "d" high "e" high "f"
#define ALL_BYTES                                                                                  \
    BYTES_16("0") BYTES_16("1") BYTES_16("2") BYTES_16("3")                                        \
    BYTES_16("4") BYTES_16("5") BYTES_16("6") BYTES_16("7")                                        \
    BYTES_16("8") BYTES_16("9") BYTES_16("a") BYTES_16("b")                                        \
    BYTES_16("c") BYTES_16("d") BYTES_16("e") BYTES_16("f")

/* The value of the byte at place p of blob b; 0 behind its end, where substr gives an empty
 * blob, or NULL when b itself is empty. */
#define BYTE(b, p) "(ifnull(instr(byte_values, substr(" b ", " p ", 1)), 1) - 1)"
/* Eight bytes from place p on. */
#define SHIFTED(b, p, bits) "(" BYTE(b, p) " << " bits ")"
#define WORD(b, p)                                                                                 \
    "(" SHIFTED(b, p, "0")          " | " SHIFTED(b, p " + 1", "8")                                \
    " | " SHIFTED(b, p " + 2", "16") " | " SHIFTED(b, p " + 3", "24")                              \
    " | " SHIFTED(b, p " + 4", "32") " | " SHIFTED(b, p " + 5", "40")                              \
    " | " SHIFTED(b, p " + 6", "48") " | " SHIFTED(b, p " + 7", "56") ")"

#define DECODED_VIEW(view, chunk, id, unpivot)                                                     \
    "CREATE VIEW " view " AS"                                                                      \
    " WITH RECURSIVE"                                                                              \
    " bytes(byte_values) AS (SELECT x'" ALL_BYTES "'),"                                            \
    " number(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM number"                                   \
    "  WHERE i + 1 < (SELECT max(n_samples) FROM " chunk ")),"                                     \
    " part(file_id, " id ", block_no, n_samples, column_name, b) AS ("                             \
    "  SELECT NULL, NULL, NULL, 0, NULL, NULL WHERE 0" unpivot "),"                                \
    " cell AS (SELECT file_id, " id ", block_no, i, column_name,"                                  \
    "   " BYTE("b", "1") " AS width, " BYTE("b", "2") " AS decimals, " WORD("b", "3") " AS base,"  \
    "   substr(b, 11 + i * " BYTE("b", "1") ", " BYTE("b", "1") ") AS stored"                      \
    "  FROM part JOIN number ON i < n_samples CROSS JOIN bytes),"                                  \
    " word AS (SELECT cell.*, " WORD("stored", "1") " AS u FROM cell CROSS JOIN bytes)"            \
    " SELECT file_id, " id ", block_no, i AS sample_no, column_name, CASE"                         \
    "  WHEN width > 0 AND stored = substr(x'ffffffffffffffff', 1, width) THEN NULL"                \
    "  WHEN decimals = 255 THEN iif(u < 0, -1.0, 1.0) * iif(u << 1 = 0, 0.0,"                      \
    "   ((u & 4503599627370495) | 4503599627370496) * pow(2.0, (u >> 52 & 2047) - 1075))"          \
    "  WHEN width = 0 AND base = -9223372036854775807 - 1 THEN NULL"                               \
    "  WHEN decimals = 0 THEN base + u"                                                            \
    "  ELSE (base + u) / pow(10.0, decimals) END AS value"                                         \
    " FROM word;"
/* clang-format on */

#define UNPIVOT_SAMPLE(field, kind)                                                                \
    " UNION ALL SELECT file_id, series_id, block_no, n_samples, '" #field "', " #field " FROM "    \
    "chunk"
#define UNPIVOT_VALUE(field, kind)                                                                 \
    " UNION ALL SELECT file_id, metric_id, block_no, n_samples, '" #field "', " #field             \
    " FROM metric_chunk"

#define SAMPLE_VALUE_VIEW(columns)                                                                 \
    DECODED_VIEW("sample_value", "chunk", "series_id", columns(UNPIVOT_SAMPLE))
#define METRIC_VALUE_VIEW                                                                          \
    DECODED_VIEW("metric_value", "metric_chunk", "metric_id", VALUE_COLUMNS(UNPIVOT_VALUE))

/* --- steps -------------------------------------------------------------------------------------
 */

static const char step_1[] =
    "CREATE TABLE system("
    " system_id INTEGER PRIMARY KEY,"
    " name TEXT NOT NULL UNIQUE"
    ") STRICT;"

    "CREATE TABLE layout("
    " system_id INTEGER PRIMARY KEY REFERENCES system,"
    " json TEXT NOT NULL"
    ") STRICT;"

    "CREATE TABLE file("
    " file_id INTEGER PRIMARY KEY,"
    " system_id INTEGER NOT NULL REFERENCES system,"
    " path TEXT NOT NULL,"
    " format TEXT NOT NULL,"
    " zone TEXT NOT NULL,"
    " date_ms INTEGER,"
    " content_hash BLOB NOT NULL,"
    " rows INTEGER NOT NULL,"
    " skipped INTEGER NOT NULL,"
    " bytes INTEGER NOT NULL,"
    " first_ms INTEGER,"
    " last_ms INTEGER"
    ") STRICT;"
    "CREATE UNIQUE INDEX file_key ON file(content_hash, system_id, zone, ifnull(date_ms, 'none'));"
    "CREATE INDEX file_system ON file(system_id);"

    "CREATE TABLE warning("
    " file_id INTEGER NOT NULL REFERENCES file,"
    " warning_no INTEGER NOT NULL,"
    " line INTEGER,"
    " text TEXT NOT NULL,"
    " PRIMARY KEY(file_id, warning_no)"
    ") STRICT, WITHOUT ROWID;"

    "CREATE TABLE series("
    " series_id INTEGER PRIMARY KEY,"
    " system_id INTEGER NOT NULL REFERENCES system,"
    " host TEXT,"
    " kind TEXT NOT NULL CHECK(kind IN ('device', 'filetype', 'volume', 'instance')),"
    " name TEXT NOT NULL,"
    " counts TEXT NOT NULL CHECK(counts IN ('oracle', 'block', 'ebs')),"
    " instance_number INTEGER"
    ") STRICT;"
    "CREATE UNIQUE INDEX series_key"
    " ON series(system_id, kind, ifnull(host, ''), name, ifnull(instance_number, 'none'));"

    "CREATE TABLE chunk("
    " file_id INTEGER NOT NULL REFERENCES file,"
    " series_id INTEGER NOT NULL REFERENCES series,"
    " block_no INTEGER NOT NULL,"
    " n_samples INTEGER NOT NULL,"
    " first_ms INTEGER,"
    " last_ms INTEGER," SAMPLE_DEFINITIONS_1 " PRIMARY KEY(series_id, file_id, block_no)"
    ") STRICT;"
    "CREATE INDEX chunk_file ON chunk(file_id);"

    "CREATE TABLE hourly("
    " series_id INTEGER NOT NULL REFERENCES series,"
    " hour_ms INTEGER NOT NULL,"
    " file_id INTEGER NOT NULL REFERENCES file,"
    " n_samples INTEGER NOT NULL,"
    " covered_ms INTEGER NOT NULL,"
    " min_mibps REAL, max_mibps REAL, mean_mibps REAL, worst_minute_mibps "
    "REAL,"
    " min_iops REAL, max_iops REAL, mean_iops REAL, worst_minute_iops REAL,"
    " PRIMARY KEY(series_id, hour_ms, file_id)"
    ") STRICT, WITHOUT ROWID;"
    "CREATE INDEX hourly_file ON hourly(file_id);"

    "CREATE TABLE snapshot("
    " snapshot_id INTEGER PRIMARY KEY,"
    " file_id INTEGER NOT NULL REFERENCES file,"
    " db_name TEXT, db_id INTEGER, instance TEXT, instance_number INTEGER,"
    " host TEXT, release TEXT, platform TEXT,"
    " rac INTEGER,"
    " cpus REAL,"
    " begin_ms INTEGER, end_ms INTEGER,"
    " elapsed_s REAL, db_time_s REAL"
    ") STRICT;"
    "CREATE INDEX snapshot_file ON snapshot(file_id);"

    "CREATE TABLE snapshot_io("
    " snapshot_id INTEGER NOT NULL REFERENCES snapshot,"
    " kind TEXT NOT NULL CHECK(kind IN ('filetype', 'function')),"
    " row_no INTEGER NOT NULL,"
    " name TEXT NOT NULL,"
    " read_bytes REAL, write_bytes REAL,"
    " read_requests_per_s REAL, write_requests_per_s REAL,"
    " read_bytes_per_s REAL, write_bytes_per_s REAL,"
    " small_read_ms REAL, large_read_ms REAL,"
    " waits REAL, wait_avg_ms REAL,"
    " line INTEGER,"
    " PRIMARY KEY(snapshot_id, kind, row_no)"
    ") STRICT, WITHOUT ROWID;"

    "CREATE TABLE snapshot_event("
    " snapshot_id INTEGER NOT NULL REFERENCES snapshot,"
    " row_no INTEGER NOT NULL,"
    " name TEXT NOT NULL,"
    " wait_class TEXT,"
    " waits REAL, time_s REAL, avg_ms REAL, pct_db_time REAL,"
    " line INTEGER,"
    " PRIMARY KEY(snapshot_id, row_no)"
    ") STRICT, WITHOUT ROWID;"

    "CREATE TABLE snapshot_stat("
    " snapshot_id INTEGER NOT NULL REFERENCES snapshot,"
    " kind TEXT NOT NULL CHECK(kind IN ('load_profile', 'io_profile', "
    "'activity')),"
    " row_no INTEGER NOT NULL,"
    " name TEXT NOT NULL,"
    " total REAL, per_s REAL,"
    " line INTEGER,"
    " PRIMARY KEY(snapshot_id, kind, row_no)"
    ") STRICT, WITHOUT ROWID;";

/* A column of which nothing is known: see data/store/sample_column.h. */
#define UNKNOWN_COLUMN "x'00000000000000000080'"

static const char step_2[] =
    "ALTER TABLE chunk ADD COLUMN total_per_s BLOB NOT NULL DEFAULT " UNKNOWN_COLUMN ";"
    "ALTER TABLE chunk ADD COLUMN total_kib_per_s BLOB NOT NULL DEFAULT " UNKNOWN_COLUMN ";"

    "CREATE TABLE metric("
    " metric_id INTEGER PRIMARY KEY,"
    " system_id INTEGER NOT NULL REFERENCES system,"
    " host TEXT,"
    " instance_number INTEGER,"
    " account TEXT, region TEXT, namespace TEXT,"
    " metric TEXT NOT NULL,"
    " dimension TEXT,"
    " statistic TEXT NOT NULL CHECK(statistic IN"
    "  ('Sum', 'Average', 'Maximum', 'Minimum', 'SampleCount', 'Rate', 'other')),"
    " statistic_text TEXT,"
    " unit TEXT,"
    " counts TEXT NOT NULL CHECK(counts IN ('oracle', 'block', 'ebs'))"
    ") STRICT;"
    "CREATE UNIQUE INDEX metric_key"
    " ON metric(system_id, metric, ifnull(dimension, ''), statistic, ifnull(statistic_text, ''),"
    "  ifnull(host, ''), ifnull(instance_number, 'none'), ifnull(account, ''),"
    "  ifnull(region, ''), ifnull(namespace, ''), ifnull(unit, ''), counts);"

    "CREATE TABLE metric_chunk("
    " file_id INTEGER NOT NULL REFERENCES file,"
    " metric_id INTEGER NOT NULL REFERENCES metric,"
    " block_no INTEGER NOT NULL,"
    " n_samples INTEGER NOT NULL,"
    " first_ms INTEGER,"
    " last_ms INTEGER," VALUE_DEFINITIONS " PRIMARY KEY(metric_id, file_id, block_no)"
    ") STRICT;"
    "CREATE INDEX metric_chunk_file ON metric_chunk(file_id);"

    "CREATE TABLE volume_config("
    " file_id INTEGER NOT NULL REFERENCES file,"
    " row_no INTEGER NOT NULL,"
    " volume_id TEXT, volume_type TEXT,"
    " size_gib INTEGER, iops INTEGER, throughput_mibps INTEGER,"
    " state TEXT, instance_id TEXT, device TEXT, zone TEXT, name TEXT, snapshot_id TEXT,"
    " created_ms INTEGER, attached_ms INTEGER,"
    " attachments INTEGER, ebs_card INTEGER,"
    " multi_attach INTEGER NOT NULL,"
    " line INTEGER,"
    " PRIMARY KEY(file_id, row_no)"
    ") STRICT, WITHOUT ROWID;"

    "CREATE TABLE volume_modification("
    " file_id INTEGER NOT NULL REFERENCES file,"
    " row_no INTEGER NOT NULL,"
    " volume_id TEXT, state TEXT,"
    " from_volume_type TEXT,"
    " from_size_gib INTEGER, from_iops INTEGER, from_throughput_mibps INTEGER,"
    " to_volume_type TEXT,"
    " to_size_gib INTEGER, to_iops INTEGER, to_throughput_mibps INTEGER,"
    " start_ms INTEGER, end_ms INTEGER,"
    " progress_pct REAL,"
    " line INTEGER,"
    " PRIMARY KEY(file_id, row_no)"
    ") STRICT, WITHOUT ROWID;"

    "CREATE TABLE bill_line("
    " file_id INTEGER NOT NULL REFERENCES file,"
    " row_no INTEGER NOT NULL,"
    " start_ms INTEGER, end_ms INTEGER,"
    " account TEXT, region TEXT, resource TEXT,"
    " usage_type TEXT, operation TEXT, unit TEXT, currency TEXT, line_type TEXT,"
    " amount TEXT, cost TEXT, list_cost TEXT,"
    " amount_pico INTEGER, cost_pico INTEGER, list_cost_pico INTEGER,"
    " cost_decimals INTEGER,"
    " line INTEGER,"
    " PRIMARY KEY(file_id, row_no)"
    ") STRICT, WITHOUT ROWID;"

    "CREATE TABLE record("
    " file_id INTEGER NOT NULL REFERENCES file,"
    " row_no INTEGER NOT NULL,"
    " kind TEXT NOT NULL,"
    " time_ms INTEGER,"
    " line INTEGER,"
    " PRIMARY KEY(file_id, row_no)"
    ") STRICT, WITHOUT ROWID;"

    "CREATE TABLE record_field("
    " file_id INTEGER NOT NULL,"
    " row_no INTEGER NOT NULL,"
    " field_no INTEGER NOT NULL,"
    " key TEXT NOT NULL,"
    " unit TEXT,"
    " num REAL,"
    " text TEXT,"
    " PRIMARY KEY(file_id, row_no, field_no),"
    " FOREIGN KEY(file_id, row_no) REFERENCES record"
    ") STRICT, WITHOUT ROWID;"

    /* the first schema had this view, with fewer columns */
    "DROP VIEW IF EXISTS sample_value;" SAMPLE_VALUE_VIEW(SAMPLE_COLUMNS_2) METRIC_VALUE_VIEW;

static const char step_3[] =
    "ALTER TABLE chunk ADD COLUMN longest_ms BLOB NOT NULL DEFAULT " UNKNOWN_COLUMN ";"
    "DROP VIEW sample_value;" SAMPLE_VALUE_VIEW(SAMPLE_COLUMNS);

static const char step_4[] = "CREATE TABLE plan_result("
                             " system_id INTEGER NOT NULL REFERENCES system,"
                             " question TEXT NOT NULL,"
                             " state TEXT NOT NULL,"
                             " json TEXT NOT NULL,"
                             " plans INTEGER NOT NULL," /* how often it was computed */
                             " PRIMARY KEY(system_id, question)"
                             ") STRICT, WITHOUT ROWID;";

const char *const sqlite_steps[] = { step_1, step_2, step_3, step_4 };
const int sqlite_version = sizeof sqlite_steps / sizeof *sqlite_steps;
