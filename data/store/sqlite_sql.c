/* data/store/sqlite_sql.c - all SQL of the SQLite backend: the schema, the statements.
 *
 * docs/store.md explains the tables to those who read them with other tools. */
#include "data/store/sample_column.h"
#include "data/store/sqlite_db.h"

/* --- schema ------------------------------------------------------------------------------------
 */

#define COLUMN_DEFINITION(field, kind) #field " BLOB NOT NULL,"
#define COLUMN_NAME(field, kind)       ", " #field
#define COLUMN_PLACE(field, kind)      ", ?"
#define COLUMN_DEFINITIONS             SAMPLE_COLUMNS(COLUMN_DEFINITION)
#define COLUMN_NAMES                   SAMPLE_COLUMNS(COLUMN_NAME)
#define COLUMN_PLACES                  SAMPLE_COLUMNS(COLUMN_PLACE)

/* The value of the byte at place p of blob b; 0 behind its end, where substr gives an empty
 * blob, or NULL when b itself is empty. */
#define BYTE(b, p) "(ifnull(instr(byte_values, substr(" b ", " p ", 1)), 1) - 1)"
/* Eight bytes from place p on. */
#define SHIFTED(b, p, bits) "(" BYTE(b, p) " << " bits ")"
#define WORD(b, p)                                                                                         \
    "(" SHIFTED(b, p, "0") " | " SHIFTED(b, p " + 1", "8") " | " SHIFTED(                                  \
        b, p " + 2",                                                                                       \
        "16") " | " SHIFTED(b, p " + 3",                                                                   \
                            "24") " | " SHIFTED(b, p " + 4",                                               \
                                                "32") " | " SHIFTED(b, p " + 5",                           \
                                                                    "40") " | " SHIFTED(b,                 \
                                                                                        p " + 6",          \
                                                                                        "48") " |"         \
                                                                                              " " SHIFTED( \
                                                                                                  b,       \
                                                                                                  p        \
                                                                                                  " + 7",  \
                                                                                                  "56") ")"
#define BYTES_16(high)                                                                             \
    high "0" high "1" high "2" high "3" high "4" high "5" high "6" high "7" high "8" high "9" high \
         "a" high "b" high "c" high "d" high "e" high "f"
#define ALL_BYTES                                                                                  \
    BYTES_16("0")                                                                                  \
    BYTES_16("1")                                                                                  \
    BYTES_16("2")                                                                                  \
    BYTES_16("3")                                                                                  \
    BYTES_16("4")                                                                                  \
    BYTES_16("5")                                                                                  \
    BYTES_16("6")                                                                                  \
    BYTES_16("7")                                                                                  \
    BYTES_16("8")                                                                                  \
    BYTES_16("9")                                                                                  \
    BYTES_16("a")                                                                                  \
    BYTES_16("b")                                                                                  \
    BYTES_16("c")                                                                                  \
    BYTES_16("d")                                                                                  \
    BYTES_16("e")                                                                                  \
    BYTES_16("f")

/* sample_value decodes data/store/sample_column.h in SQL, for people with a shell; the
 * program itself never uses it. */
#define UNPIVOT(field, kind)                                                                       \
    " UNION ALL SELECT file_id, series_id, block_no, n_samples, '" #field "', " #field " FROM "    \
    "chunk"
#define SAMPLE_VALUE_VIEW                                                                          \
    "CREATE VIEW sample_value AS"                                                                  \
    " WITH RECURSIVE"                                                                              \
    " bytes(byte_values) AS (SELECT x'" ALL_BYTES "'),"                                            \
    " number(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM number"                                   \
    "  WHERE i + 1 < (SELECT max(n_samples) FROM chunk)),"                                         \
    " part(file_id, series_id, block_no, n_samples, column_name, b) AS ("                          \
    "  SELECT NULL, NULL, NULL, 0, NULL, NULL WHERE 0" SAMPLE_COLUMNS(                             \
        UNPIVOT) "),"                                                                              \
                 " cell AS (SELECT file_id, series_id, block_no, i, column_name,"                  \
                 "   " BYTE("b", "1") " AS width, " BYTE(                                          \
                     "b",                                                                          \
                     "2") " AS decimals,"                                                          \
                          "   " WORD(                                                              \
                              "b",                                                                 \
                              "3") " AS base,"                                                     \
                                   "   substr(b, 11 + i * " BYTE("b", "1") ", " BYTE(              \
                                       "b",                                                        \
                                       "1") ") AS stored"                                          \
                                            "  FROM part JOIN number ON i < n_samples CROSS JOIN " \
                                            "bytes),"                                              \
                                            " word AS (SELECT cell.*, " WORD(                      \
                                                "stored",                                          \
                                                "1") " AS u FROM cell CROSS JOIN bytes)"           \
                                                     " SELECT file_id, series_id, block_no, i AS " \
                                                     "sample_no, column_name, CASE"                \
                                                     "  WHEN width > 0 AND stored = "              \
                                                     "substr(x'ffffffffffffffff', 1, width) THEN " \
                                                     "NULL"                                        \
                                                     "  WHEN decimals = 255 THEN"                  \
                                                     "   iif(u < 0, -1.0, 1.0) * iif(u << 1 = 0, " \
                                                     "0.0, ((u & 4503599627370495) | "             \
                                                     "4503599627370496)"                           \
                                                     "    * pow(2.0, (u >> 52 & 2047) - 1075))"    \
                                                     "  WHEN width = 0 AND base = "                \
                                                     "-9223372036854775807 - 1 THEN NULL"          \
                                                     "  WHEN decimals = 0 THEN base + u"           \
                                                     "  ELSE (base + u) / pow(10.0, decimals) "    \
                                                     "END AS value"                                \
                                                     " FROM word;"

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
    " last_ms INTEGER," COLUMN_DEFINITIONS " PRIMARY KEY(series_id, file_id, block_no)"
    ") STRICT;"
    "CREATE INDEX chunk_file ON chunk(file_id);" SAMPLE_VALUE_VIEW

    "CREATE TABLE hourly("
    " series_id INTEGER NOT NULL REFERENCES series,"
    " hour_ms INTEGER NOT NULL,"
    " file_id INTEGER NOT NULL REFERENCES file,"
    " n_samples INTEGER NOT NULL,"
    " covered_ms INTEGER NOT NULL,"
    " min_mibps REAL, max_mibps REAL, mean_mibps REAL, worst_minute_mibps REAL,"
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
    " kind TEXT NOT NULL CHECK(kind IN ('load_profile', 'io_profile', 'activity')),"
    " row_no INTEGER NOT NULL,"
    " name TEXT NOT NULL,"
    " total REAL, per_s REAL,"
    " line INTEGER,"
    " PRIMARY KEY(snapshot_id, kind, row_no)"
    ") STRICT, WITHOUT ROWID;";

const char *const schema_steps[] = { step_1 };
const int schema_version = sizeof schema_steps / sizeof *schema_steps;

/* --- statements --------------------------------------------------------------------------------
 */

const char *const sql_texts[SQL_COUNT] = {
    [SQL_BEGIN_READ] = "BEGIN",
    [SQL_BEGIN_WRITE] = "BEGIN IMMEDIATE",
    [SQL_COMMIT] = "COMMIT",
    [SQL_ROLLBACK] = "ROLLBACK",

    [SQL_SYSTEM_ADD] = "INSERT INTO system(name) VALUES(?1)",
    [SQL_SYSTEM_ID] = "SELECT system_id FROM system WHERE name = ?1",
    [SQL_SYSTEM_LIST] = "SELECT name FROM system ORDER BY name",

    [SQL_LAYOUT_GET] = "SELECT json FROM layout JOIN system USING(system_id) WHERE name = ?1",
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
                      " first_ms, last_ms FROM file JOIN system USING(system_id)"
                      " WHERE name = ?1 ORDER BY file_id",

    [SQL_WARNING_ADD] = "INSERT INTO warning(file_id, warning_no, line, text)"
                        " VALUES(?1, ?2, ?3, ?4)",
    [SQL_WARNING_LIST] = "SELECT ifnull(line, 0), text FROM warning WHERE file_id = ?1"
                         " ORDER BY warning_no",

    [SQL_SERIES_ADD] = "INSERT INTO series(system_id, host, kind, name, counts)"
                       " VALUES(?1, ?2, 'device', ?3, 'block')",
    [SQL_SERIES_ID] = "SELECT series_id FROM series WHERE system_id = ?1 AND kind = 'device'"
                      " AND ifnull(host, '') = ifnull(?2, '') AND name = ?3"
                      " AND ifnull(instance_number, 'none') = 'none'",
    [SQL_SERIES_LIST] = "SELECT series_id, kind, counts, host, series.name, instance_number,"
                        " (SELECT ifnull(sum(n_samples), 0) FROM chunk"
                        "  WHERE chunk.series_id = series.series_id)"
                        " FROM series JOIN system USING(system_id) WHERE system.name = ?1"
                        " ORDER BY host, series.name, series_id",

    [SQL_CHUNK_ADD] =
        "INSERT INTO chunk(file_id, series_id, block_no, n_samples, first_ms, last_ms" COLUMN_NAMES
        ") VALUES(?, ?, ?, ?, ?, ?" COLUMN_PLACES ")",
    [SQL_CHUNK_LIST] = "SELECT file_id, n_samples" COLUMN_NAMES
                       " FROM chunk WHERE series_id = ?1 ORDER BY file_id, block_no",

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
        " FROM snapshot JOIN file USING(file_id) JOIN system USING(system_id)"
        " WHERE system.name = ?1 ORDER BY begin_ms, file_id, snapshot_id",

    [SQL_SNAPSHOT_IO_ADD] =
        "INSERT INTO snapshot_io(snapshot_id, kind, row_no, name, read_bytes, write_bytes,"
        " read_requests_per_s, write_requests_per_s, read_bytes_per_s, write_bytes_per_s,"
        " small_read_ms, large_read_ms, waits, wait_avg_ms, line)"
        " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
    [SQL_SNAPSHOT_IO_LIST] =
        "SELECT name, read_bytes, write_bytes, read_requests_per_s, write_requests_per_s,"
        " read_bytes_per_s, write_bytes_per_s, small_read_ms, large_read_ms, waits, wait_avg_ms,"
        " ifnull(line, 0) FROM snapshot_io WHERE snapshot_id = ?1 AND kind = ?2 ORDER BY row_no",

    [SQL_SNAPSHOT_EVENT_ADD] =
        "INSERT INTO snapshot_event(snapshot_id, row_no, name, wait_class, waits, time_s, avg_ms,"
        " pct_db_time, line) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    [SQL_SNAPSHOT_EVENT_LIST] =
        "SELECT name, wait_class, waits, time_s, avg_ms, pct_db_time, ifnull(line, 0)"
        " FROM snapshot_event WHERE snapshot_id = ?1 ORDER BY row_no",

    [SQL_SNAPSHOT_STAT_ADD] =
        "INSERT INTO snapshot_stat(snapshot_id, kind, row_no, name, total, per_s, line)"
        " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    [SQL_SNAPSHOT_STAT_LIST] = "SELECT name, total, per_s, ifnull(line, 0) FROM snapshot_stat"
                               " WHERE snapshot_id = ?1 AND kind = ?2 ORDER BY row_no",
};
