/* data/store/postgres_schema.c - the schema of the PostgreSQL backend, step by step.
 *
 * A step that was released is never changed: stores were made by it.  The tables are those of
 * sqlite_schema.c, explained in docs/store.md, with five differences.  The key of every table that
 * grows begins with the system, so that an engine can spread the tables by it.  A
 * snapshot_id counts within its file.  A system counts its changes: the lock of writers, and the
 * mark of readers.  plan_claim has a row of each system, for postgres_claim.c.  And there are
 * no foreign keys: a table that is spread can have none to one that is not, and the loader is the
 * only one that writes.
 *
 * Texts compare byte by byte (COLLATE "C"), as SQLite compares them.  Columns of samples are
 * compact as they are: the server need not try to compress them (EXTERNAL). */
#include "data/store/postgres_db.h"
#include "data/store/sample_column.h"

#define BYTES(field, kind)           #field " bytea NOT NULL,"
#define EXTERNAL(table, field)       "ALTER TABLE " table " ALTER " field " SET STORAGE EXTERNAL;"
#define EXTERNAL_SAMPLE(field, kind) EXTERNAL("chunk", #field)
#define EXTERNAL_VALUE(field, kind)  EXTERNAL("metric_chunk", #field)
#define TEXT                         " text COLLATE \"C\""

/* --- views that decode chunks ------------------------------------------------------------------
 *
 * They do data/store/sample_column.h in SQL, for people with psql; the program itself never uses
 * them. */

#define COLUMN_VALUE                                                                               \
    "CREATE FUNCTION column_value(b bytea, i bigint) RETURNS numeric IMMUTABLE LANGUAGE plpgsql"   \
    " SET search_path = pg_catalog AS $body$"                                                      \
    " DECLARE"                                                                                     \
    "  w int := get_byte(b, 0); d int := get_byte(b, 1); base bigint := 0;"                        \
    "  stored numeric := 0; bits bigint := 0; byte bigint;"                                        \
    " BEGIN"                                                                                       \
    "  FOR k IN REVERSE 9..2 LOOP base := (base << 8) | get_byte(b, k)::bigint; END LOOP;"         \
    "  IF w = 0 AND base = -9223372036854775808 THEN RETURN NULL; END IF;"                         \
    "  IF w > 0 AND substr(b, 11 + i::int * w, w) = decode(repeat('ff', w), 'hex') THEN"           \
    "   RETURN NULL; END IF;"                                                                      \
    "  FOR k IN REVERSE w - 1..0 LOOP"                                                             \
    "   byte := get_byte(b, 10 + i::int * w + k);"                                                 \
    "   stored := stored * 256 + byte; bits := (bits << 8) | byte;"                                \
    "  END LOOP;"                                                                                  \
    "  IF d < 255 THEN RETURN trim_scale((base + stored) / 10::numeric ^ d); END IF;"              \
    "  IF bits << 1 = 0 THEN RETURN 0; END IF;"                                                    \
    "  RETURN (sign(bits::float8) * ((bits & 4503599627370495) | 4503599627370496)::float8"        \
    "   * 2::float8 ^ (((bits >> 52) & 2047) - 1075)::float8)::numeric;"                           \
    " END $body$;"

#define DECODED_VIEW(view, chunk, id, columns)                                                     \
    "CREATE VIEW " view " AS SELECT system_id, file_id, " id ", block_no, i AS sample_no,"         \
    " column_name, column_value(b, i) AS value"                                                    \
    " FROM " chunk ", LATERAL (VALUES" columns " (NULL, NULL)) named(column_name, b),"             \
    " generate_series(0, n_samples - 1) i WHERE b IS NOT NULL;"
#define NAMED_COLUMN(field, kind) " ('" #field "', " #field "),"

/* --- steps -------------------------------------------------------------------------------------
 */

/* clang-format off */
static const char step_1[] =
    "SET LOCAL search_path = volplan;"
    "CREATE SEQUENCE system_ids; CREATE SEQUENCE file_ids;"
    "CREATE SEQUENCE series_ids; CREATE SEQUENCE metric_ids;"

    "CREATE TABLE system("
    " system_id bigint PRIMARY KEY,"
    " name" TEXT " NOT NULL UNIQUE,"
    " changes bigint NOT NULL" /* counts the transactions that wrote something of it */
    ");"

    "CREATE TABLE layout("
    " system_id bigint PRIMARY KEY,"
    " json" TEXT " NOT NULL"
    ");"

    "CREATE TABLE file("
    " system_id bigint NOT NULL,"
    " file_id bigint NOT NULL,"
    " path" TEXT " NOT NULL,"
    " format" TEXT " NOT NULL,"
    " zone" TEXT " NOT NULL,"
    " date_ms bigint,"
    " content_hash bytea NOT NULL,"
    " rows bigint NOT NULL,"
    " skipped bigint NOT NULL,"
    " bytes bigint NOT NULL,"
    " first_ms bigint,"
    " last_ms bigint,"
    " PRIMARY KEY(system_id, file_id)"
    ");"
    "CREATE UNIQUE INDEX file_key ON file(system_id, content_hash, zone,"
    " coalesce(date_ms, -9223372036854775808));"

    "CREATE TABLE warning("
    " system_id bigint NOT NULL,"
    " file_id bigint NOT NULL,"
    " warning_no bigint NOT NULL,"
    " line bigint,"
    " text" TEXT " NOT NULL,"
    " PRIMARY KEY(system_id, file_id, warning_no)"
    ");"

    "CREATE TABLE series("
    " system_id bigint NOT NULL,"
    " series_id bigint NOT NULL,"
    " host" TEXT ","
    " kind" TEXT " NOT NULL CHECK(kind IN ('device', 'filetype', 'volume', 'instance')),"
    " name" TEXT " NOT NULL,"
    " counts" TEXT " NOT NULL CHECK(counts IN ('oracle', 'block', 'ebs')),"
    " instance_number bigint,"
    " PRIMARY KEY(system_id, series_id)"
    ");"
    "CREATE UNIQUE INDEX series_key ON series(system_id, kind, coalesce(host, ''), name,"
    " coalesce(instance_number, -9223372036854775808));"

    "CREATE TABLE chunk("
    " system_id bigint NOT NULL,"
    " series_id bigint NOT NULL,"
    " file_id bigint NOT NULL,"
    " block_no bigint NOT NULL,"
    " n_samples bigint NOT NULL,"
    " first_ms bigint,"
    " last_ms bigint," SAMPLE_COLUMNS_2(
    BYTES) " PRIMARY KEY(system_id, series_id, file_id, block_no)"
    ");" SAMPLE_COLUMNS_2(EXTERNAL_SAMPLE)

    "CREATE TABLE hourly("
    " system_id bigint NOT NULL,"
    " series_id bigint NOT NULL,"
    " hour_ms bigint NOT NULL,"
    " file_id bigint NOT NULL,"
    " n_samples bigint NOT NULL,"
    " covered_ms bigint NOT NULL,"
    " min_mibps double precision, max_mibps double precision, mean_mibps double "
    "precision,"
    " worst_minute_mibps double precision,"
    " min_iops double precision, max_iops double precision, mean_iops double "
    "precision,"
    " worst_minute_iops double precision,"
    " PRIMARY KEY(system_id, series_id, hour_ms, file_id)"
    ");"

    "CREATE TABLE snapshot("
    " system_id bigint NOT NULL,"
    " file_id bigint NOT NULL,"
    " snapshot_id bigint NOT NULL,"
    " db_name" TEXT ", db_id bigint, instance" TEXT ", instance_number bigint,"
    " host" TEXT ", release" TEXT ", platform" TEXT ","
    " rac bigint,"
    " cpus double precision,"
    " begin_ms bigint, end_ms bigint,"
    " elapsed_s double precision, db_time_s double precision,"
    " PRIMARY KEY(system_id, file_id, snapshot_id)"
    ");"

    "CREATE TABLE snapshot_io("
    " system_id bigint NOT NULL,"
    " file_id bigint NOT NULL,"
    " snapshot_id bigint NOT NULL,"
    " kind" TEXT " NOT NULL CHECK(kind IN ('filetype', 'function')),"
    " row_no bigint NOT NULL,"
    " name" TEXT " NOT NULL,"
    " read_bytes double precision, write_bytes double precision,"
    " read_requests_per_s double precision, write_requests_per_s double precision,"
    " read_bytes_per_s double precision, write_bytes_per_s double precision,"
    " small_read_ms double precision, large_read_ms double precision,"
    " waits double precision, wait_avg_ms double precision,"
    " line bigint,"
    " PRIMARY KEY(system_id, file_id, snapshot_id, kind, row_no)"
    ");"

    "CREATE TABLE snapshot_event("
    " system_id bigint NOT NULL,"
    " file_id bigint NOT NULL,"
    " snapshot_id bigint NOT NULL,"
    " row_no bigint NOT NULL,"
    " name" TEXT " NOT NULL,"
    " wait_class" TEXT ","
    " waits double precision, time_s double precision, avg_ms double precision,"
    " pct_db_time double precision,"
    " line bigint,"
    " PRIMARY KEY(system_id, file_id, snapshot_id, row_no)"
    ");"

    "CREATE TABLE snapshot_stat("
    " system_id bigint NOT NULL,"
    " file_id bigint NOT NULL,"
    " snapshot_id bigint NOT NULL,"
    " kind" TEXT
    " NOT NULL CHECK(kind IN ('load_profile', 'io_profile', 'activity')),"
    " row_no bigint NOT NULL,"
    " name" TEXT " NOT NULL,"
    " total double precision, per_s double precision,"
    " line bigint,"
    " PRIMARY KEY(system_id, file_id, snapshot_id, kind, row_no)"
    ");"

    /* its names together may be longer than an entry of an index: the lock on the
    * system alone keeps them unique */
    "CREATE TABLE metric("
    " system_id bigint NOT NULL,"
    " metric_id bigint NOT NULL,"
    " host" TEXT ","
    " instance_number bigint,"
    " account" TEXT ", region" TEXT ", namespace" TEXT ","
    " metric" TEXT " NOT NULL,"
    " dimension" TEXT ","
    " statistic" TEXT " NOT NULL CHECK(statistic IN"
    "  ('Sum', 'Average', 'Maximum', 'Minimum', 'SampleCount', 'Rate', 'other')),"
    " statistic_text" TEXT ","
    " unit" TEXT ","
    " counts" TEXT " NOT NULL CHECK(counts IN ('oracle', 'block', 'ebs')),"
    " PRIMARY KEY(system_id, metric_id)"
    ");"

    "CREATE TABLE metric_chunk("
    " system_id bigint NOT NULL,"
    " metric_id bigint NOT NULL,"
    " file_id bigint NOT NULL,"
    " block_no bigint NOT NULL,"
    " n_samples bigint NOT NULL,"
    " first_ms bigint,"
    " last_ms bigint," VALUE_COLUMNS(
    BYTES) " PRIMARY KEY(system_id, metric_id, file_id, block_no)"
    ");" VALUE_COLUMNS(EXTERNAL_VALUE)

    "CREATE TABLE volume_config("
    " system_id bigint NOT NULL,"
    " file_id bigint NOT NULL,"
    " row_no bigint NOT NULL,"
    " volume_id" TEXT ", volume_type" TEXT ","
    " size_gib bigint, iops bigint, throughput_mibps bigint,"
    " state" TEXT ", instance_id" TEXT ", device" TEXT ", zone" TEXT
    ", name" TEXT ","
    " snapshot_id" TEXT ","
    " created_ms bigint, attached_ms bigint,"
    " attachments bigint, ebs_card bigint,"
    " multi_attach bigint NOT NULL,"
    " line bigint,"
    " PRIMARY KEY(system_id, file_id, row_no)"
    ");"

    "CREATE TABLE volume_modification("
    " system_id bigint NOT NULL,"
    " file_id bigint NOT NULL,"
    " row_no bigint NOT NULL,"
    " volume_id" TEXT ", state" TEXT ","
    " from_volume_type" TEXT ","
    " from_size_gib bigint, from_iops bigint, from_throughput_mibps "
    "bigint,"
    " to_volume_type" TEXT ","
    " to_size_gib bigint, to_iops bigint, to_throughput_mibps bigint,"
    " start_ms bigint, end_ms bigint,"
    " progress_pct double precision,"
    " line bigint,"
    " PRIMARY KEY(system_id, file_id, row_no)"
    ");"

    "CREATE TABLE bill_line("
    " system_id bigint NOT NULL,"
    " file_id bigint NOT NULL,"
    " row_no bigint NOT NULL,"
    " start_ms bigint, end_ms bigint,"
    " account" TEXT ", region" TEXT ", resource" TEXT ","
    " usage_type" TEXT ", operation" TEXT ", unit" TEXT
    ", currency" TEXT ", line_type" TEXT ","
    " amount" TEXT ", cost" TEXT ", list_cost" TEXT ","
    " amount_pico bigint, cost_pico bigint, list_cost_pico bigint,"
    " cost_decimals bigint,"
    " line bigint,"
    " PRIMARY KEY(system_id, file_id, row_no)"
    ");"

    "CREATE TABLE record("
    " system_id bigint NOT NULL,"
    " file_id bigint NOT NULL,"
    " row_no bigint NOT NULL,"
    " kind" TEXT " NOT NULL,"
    " time_ms bigint,"
    " line bigint,"
    " PRIMARY KEY(system_id, file_id, row_no)"
    ");"

    "CREATE TABLE record_field("
    " system_id bigint NOT NULL,"
    " file_id bigint NOT NULL,"
    " row_no bigint NOT NULL,"
    " field_no bigint NOT NULL,"
    " key" TEXT " NOT NULL,"
    " unit" TEXT ","
    " num double precision,"
    " text" TEXT ","
    " PRIMARY KEY(system_id, file_id, row_no, field_no)"
    ");"

    COLUMN_VALUE
    DECODED_VIEW("sample_value", "chunk", "series_id", SAMPLE_COLUMNS_2(NAMED_COLUMN))
    DECODED_VIEW("metric_value", "metric_chunk", "metric_id", VALUE_COLUMNS(NAMED_COLUMN));

static const char step_2[] =
    "SET LOCAL search_path = volplan;"
    "ALTER TABLE chunk ADD COLUMN longest_ms bytea NOT NULL"
    " DEFAULT '\\x00000000000000000080';" EXTERNAL("chunk", "longest_ms")
    "DROP VIEW sample_value;"
    DECODED_VIEW("sample_value", "chunk", "series_id", SAMPLE_COLUMNS(NAMED_COLUMN));

static const char step_3[] =
    "SET LOCAL search_path = volplan;"
    "CREATE TABLE plan_result("
    " system_id bigint NOT NULL,"
    " question" TEXT " NOT NULL,"
    " state" TEXT " NOT NULL,"
    " json" TEXT " NOT NULL,"
    " plans bigint NOT NULL," /* how often it was computed */
    " PRIMARY KEY(system_id, question)"
    ");"
    "CREATE TABLE plan_claim(system_id bigint PRIMARY KEY);";

/* postgres_spread.c adds what lies on other servers */
static const char step_4[] =
    "SET LOCAL search_path = volplan;"
    "CREATE VIEW table_bytes AS SELECT relname::text COLLATE \"C\" AS name,"
    " pg_total_relation_size(oid) AS bytes FROM pg_class"
    " WHERE relkind = 'r' AND relnamespace = 'volplan'::regnamespace;";
/* clang-format on */

const char *const postgres_steps[] = { step_1, step_2, step_3, step_4 };
const int postgres_version = sizeof postgres_steps / sizeof *postgres_steps;
