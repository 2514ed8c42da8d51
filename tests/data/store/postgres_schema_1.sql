-- A store as the first schema of servers (schema_version 1) had it: the dump of one that was made by it.
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
CREATE SCHEMA volplan;
CREATE FUNCTION volplan.column_value(b bytea, i bigint) RETURNS numeric
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog'
    AS $$ DECLARE  w int := get_byte(b, 0); d int := get_byte(b, 1); base bigint := 0;  stored numeric := 0; bits bigint := 0; byte bigint; BEGIN  FOR k IN REVERSE 9..2 LOOP base := (base << 8) | get_byte(b, k)::bigint; END LOOP;  IF w = 0 AND base = -9223372036854775808 THEN RETURN NULL; END IF;  IF w > 0 AND substr(b, 11 + i::int * w, w) = decode(repeat('ff', w), 'hex') THEN   RETURN NULL; END IF;  FOR k IN REVERSE w - 1..0 LOOP   byte := get_byte(b, 10 + i::int * w + k);   stored := stored * 256 + byte; bits := (bits << 8) | byte;  END LOOP;  IF d < 255 THEN RETURN trim_scale((base + stored) / 10::numeric ^ d); END IF;  IF bits << 1 = 0 THEN RETURN 0; END IF;  RETURN (sign(bits::float8) * ((bits & 4503599627370495) | 4503599627370496)::float8   * 2::float8 ^ (((bits >> 52) & 2047) - 1075)::float8)::numeric; END $$;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE volplan.bill_line (
    system_id bigint NOT NULL,
    file_id bigint NOT NULL,
    row_no bigint NOT NULL,
    start_ms bigint,
    end_ms bigint,
    account text COLLATE pg_catalog."C",
    region text COLLATE pg_catalog."C",
    resource text COLLATE pg_catalog."C",
    usage_type text COLLATE pg_catalog."C",
    operation text COLLATE pg_catalog."C",
    unit text COLLATE pg_catalog."C",
    currency text COLLATE pg_catalog."C",
    line_type text COLLATE pg_catalog."C",
    amount text COLLATE pg_catalog."C",
    cost text COLLATE pg_catalog."C",
    list_cost text COLLATE pg_catalog."C",
    amount_pico bigint,
    cost_pico bigint,
    list_cost_pico bigint,
    cost_decimals bigint,
    line bigint
);
CREATE TABLE volplan.chunk (
    system_id bigint NOT NULL,
    series_id bigint NOT NULL,
    file_id bigint NOT NULL,
    block_no bigint NOT NULL,
    n_samples bigint NOT NULL,
    first_ms bigint,
    last_ms bigint,
    begin_ms bytea NOT NULL,
    end_ms bytea NOT NULL,
    line bytea NOT NULL,
    flags bytea NOT NULL,
    reads_per_s bytea NOT NULL,
    writes_per_s bytea NOT NULL,
    read_kib_per_s bytea NOT NULL,
    write_kib_per_s bytea NOT NULL,
    read_merge_pct bytea NOT NULL,
    write_merge_pct bytea NOT NULL,
    read_await_ms bytea NOT NULL,
    write_await_ms bytea NOT NULL,
    await_ms bytea NOT NULL,
    queue bytea NOT NULL,
    util_pct bytea NOT NULL,
    total_per_s bytea NOT NULL,
    total_kib_per_s bytea NOT NULL
);
ALTER TABLE ONLY volplan.chunk ALTER COLUMN begin_ms SET STORAGE EXTERNAL;
ALTER TABLE ONLY volplan.chunk ALTER COLUMN end_ms SET STORAGE EXTERNAL;
ALTER TABLE ONLY volplan.chunk ALTER COLUMN line SET STORAGE EXTERNAL;
ALTER TABLE ONLY volplan.chunk ALTER COLUMN flags SET STORAGE EXTERNAL;
ALTER TABLE ONLY volplan.chunk ALTER COLUMN reads_per_s SET STORAGE EXTERNAL;
ALTER TABLE ONLY volplan.chunk ALTER COLUMN writes_per_s SET STORAGE EXTERNAL;
ALTER TABLE ONLY volplan.chunk ALTER COLUMN read_kib_per_s SET STORAGE EXTERNAL;
ALTER TABLE ONLY volplan.chunk ALTER COLUMN write_kib_per_s SET STORAGE EXTERNAL;
ALTER TABLE ONLY volplan.chunk ALTER COLUMN read_merge_pct SET STORAGE EXTERNAL;
ALTER TABLE ONLY volplan.chunk ALTER COLUMN write_merge_pct SET STORAGE EXTERNAL;
ALTER TABLE ONLY volplan.chunk ALTER COLUMN read_await_ms SET STORAGE EXTERNAL;
ALTER TABLE ONLY volplan.chunk ALTER COLUMN write_await_ms SET STORAGE EXTERNAL;
ALTER TABLE ONLY volplan.chunk ALTER COLUMN await_ms SET STORAGE EXTERNAL;
ALTER TABLE ONLY volplan.chunk ALTER COLUMN queue SET STORAGE EXTERNAL;
ALTER TABLE ONLY volplan.chunk ALTER COLUMN util_pct SET STORAGE EXTERNAL;
ALTER TABLE ONLY volplan.chunk ALTER COLUMN total_per_s SET STORAGE EXTERNAL;
ALTER TABLE ONLY volplan.chunk ALTER COLUMN total_kib_per_s SET STORAGE EXTERNAL;
CREATE TABLE volplan.file (
    system_id bigint NOT NULL,
    file_id bigint NOT NULL,
    path text NOT NULL COLLATE pg_catalog."C",
    format text NOT NULL COLLATE pg_catalog."C",
    zone text NOT NULL COLLATE pg_catalog."C",
    date_ms bigint,
    content_hash bytea NOT NULL,
    rows bigint NOT NULL,
    skipped bigint NOT NULL,
    bytes bigint NOT NULL,
    first_ms bigint,
    last_ms bigint
);
CREATE SEQUENCE volplan.file_ids
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE volplan.hourly (
    system_id bigint NOT NULL,
    series_id bigint NOT NULL,
    hour_ms bigint NOT NULL,
    file_id bigint NOT NULL,
    n_samples bigint NOT NULL,
    covered_ms bigint NOT NULL,
    min_mibps double precision,
    max_mibps double precision,
    mean_mibps double precision,
    worst_minute_mibps double precision,
    min_iops double precision,
    max_iops double precision,
    mean_iops double precision,
    worst_minute_iops double precision
);
CREATE TABLE volplan.layout (
    system_id bigint NOT NULL,
    json text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE volplan.metric (
    system_id bigint NOT NULL,
    metric_id bigint NOT NULL,
    host text COLLATE pg_catalog."C",
    instance_number bigint,
    account text COLLATE pg_catalog."C",
    region text COLLATE pg_catalog."C",
    namespace text COLLATE pg_catalog."C",
    metric text NOT NULL COLLATE pg_catalog."C",
    dimension text COLLATE pg_catalog."C",
    statistic text NOT NULL COLLATE pg_catalog."C",
    statistic_text text COLLATE pg_catalog."C",
    unit text COLLATE pg_catalog."C",
    counts text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT metric_counts_check CHECK ((counts = ANY (ARRAY['oracle'::text, 'block'::text, 'ebs'::text]))),
    CONSTRAINT metric_statistic_check CHECK ((statistic = ANY (ARRAY['Sum'::text, 'Average'::text, 'Maximum'::text, 'Minimum'::text, 'SampleCount'::text, 'Rate'::text, 'other'::text])))
);
CREATE TABLE volplan.metric_chunk (
    system_id bigint NOT NULL,
    metric_id bigint NOT NULL,
    file_id bigint NOT NULL,
    block_no bigint NOT NULL,
    n_samples bigint NOT NULL,
    first_ms bigint,
    last_ms bigint,
    time_ms bytea NOT NULL,
    period_s bytea NOT NULL,
    value bytea NOT NULL,
    line bytea NOT NULL
);
ALTER TABLE ONLY volplan.metric_chunk ALTER COLUMN time_ms SET STORAGE EXTERNAL;
ALTER TABLE ONLY volplan.metric_chunk ALTER COLUMN period_s SET STORAGE EXTERNAL;
ALTER TABLE ONLY volplan.metric_chunk ALTER COLUMN value SET STORAGE EXTERNAL;
ALTER TABLE ONLY volplan.metric_chunk ALTER COLUMN line SET STORAGE EXTERNAL;
CREATE SEQUENCE volplan.metric_ids
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE VIEW volplan.metric_value AS
 SELECT metric_chunk.system_id,
    metric_chunk.file_id,
    metric_chunk.metric_id,
    metric_chunk.block_no,
    i.i AS sample_no,
    named.column_name,
    volplan.column_value(named.b, i.i) AS value
   FROM volplan.metric_chunk,
    LATERAL ( VALUES ('time_ms'::text,metric_chunk.time_ms), ('period_s'::text,metric_chunk.period_s), ('value'::text,metric_chunk.value), ('line'::text,metric_chunk.line), (NULL::text,NULL::bytea)) named(column_name, b),
    LATERAL generate_series((0)::bigint, (metric_chunk.n_samples - 1)) i(i)
  WHERE (named.b IS NOT NULL);
CREATE TABLE volplan.record (
    system_id bigint NOT NULL,
    file_id bigint NOT NULL,
    row_no bigint NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    time_ms bigint,
    line bigint
);
CREATE TABLE volplan.record_field (
    system_id bigint NOT NULL,
    file_id bigint NOT NULL,
    row_no bigint NOT NULL,
    field_no bigint NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    unit text COLLATE pg_catalog."C",
    num double precision,
    text text COLLATE pg_catalog."C"
);
CREATE VIEW volplan.sample_value AS
 SELECT chunk.system_id,
    chunk.file_id,
    chunk.series_id,
    chunk.block_no,
    i.i AS sample_no,
    named.column_name,
    volplan.column_value(named.b, i.i) AS value
   FROM volplan.chunk,
    LATERAL ( VALUES ('begin_ms'::text,chunk.begin_ms), ('end_ms'::text,chunk.end_ms), ('line'::text,chunk.line), ('flags'::text,chunk.flags), ('reads_per_s'::text,chunk.reads_per_s), ('writes_per_s'::text,chunk.writes_per_s), ('read_kib_per_s'::text,chunk.read_kib_per_s), ('write_kib_per_s'::text,chunk.write_kib_per_s), ('read_merge_pct'::text,chunk.read_merge_pct), ('write_merge_pct'::text,chunk.write_merge_pct), ('read_await_ms'::text,chunk.read_await_ms), ('write_await_ms'::text,chunk.write_await_ms), ('await_ms'::text,chunk.await_ms), ('queue'::text,chunk.queue), ('util_pct'::text,chunk.util_pct), ('total_per_s'::text,chunk.total_per_s), ('total_kib_per_s'::text,chunk.total_kib_per_s), (NULL::text,NULL::bytea)) named(column_name, b),
    LATERAL generate_series((0)::bigint, (chunk.n_samples - 1)) i(i)
  WHERE (named.b IS NOT NULL);
CREATE TABLE volplan.series (
    system_id bigint NOT NULL,
    series_id bigint NOT NULL,
    host text COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    counts text NOT NULL COLLATE pg_catalog."C",
    instance_number bigint,
    CONSTRAINT series_counts_check CHECK ((counts = ANY (ARRAY['oracle'::text, 'block'::text, 'ebs'::text]))),
    CONSTRAINT series_kind_check CHECK ((kind = ANY (ARRAY['device'::text, 'filetype'::text, 'volume'::text, 'instance'::text])))
);
CREATE SEQUENCE volplan.series_ids
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE volplan.snapshot (
    system_id bigint NOT NULL,
    file_id bigint NOT NULL,
    snapshot_id bigint NOT NULL,
    db_name text COLLATE pg_catalog."C",
    db_id bigint,
    instance text COLLATE pg_catalog."C",
    instance_number bigint,
    host text COLLATE pg_catalog."C",
    release text COLLATE pg_catalog."C",
    platform text COLLATE pg_catalog."C",
    rac bigint,
    cpus double precision,
    begin_ms bigint,
    end_ms bigint,
    elapsed_s double precision,
    db_time_s double precision
);
CREATE TABLE volplan.snapshot_event (
    system_id bigint NOT NULL,
    file_id bigint NOT NULL,
    snapshot_id bigint NOT NULL,
    row_no bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    wait_class text COLLATE pg_catalog."C",
    waits double precision,
    time_s double precision,
    avg_ms double precision,
    pct_db_time double precision,
    line bigint
);
CREATE TABLE volplan.snapshot_io (
    system_id bigint NOT NULL,
    file_id bigint NOT NULL,
    snapshot_id bigint NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    row_no bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    read_bytes double precision,
    write_bytes double precision,
    read_requests_per_s double precision,
    write_requests_per_s double precision,
    read_bytes_per_s double precision,
    write_bytes_per_s double precision,
    small_read_ms double precision,
    large_read_ms double precision,
    waits double precision,
    wait_avg_ms double precision,
    line bigint,
    CONSTRAINT snapshot_io_kind_check CHECK ((kind = ANY (ARRAY['filetype'::text, 'function'::text])))
);
CREATE TABLE volplan.snapshot_stat (
    system_id bigint NOT NULL,
    file_id bigint NOT NULL,
    snapshot_id bigint NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    row_no bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    total double precision,
    per_s double precision,
    line bigint,
    CONSTRAINT snapshot_stat_kind_check CHECK ((kind = ANY (ARRAY['load_profile'::text, 'io_profile'::text, 'activity'::text])))
);
CREATE TABLE volplan.store (
    schema_version bigint NOT NULL
);
CREATE TABLE volplan.system (
    system_id bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    changes bigint NOT NULL
);
CREATE SEQUENCE volplan.system_ids
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE volplan.volume_config (
    system_id bigint NOT NULL,
    file_id bigint NOT NULL,
    row_no bigint NOT NULL,
    volume_id text COLLATE pg_catalog."C",
    volume_type text COLLATE pg_catalog."C",
    size_gib bigint,
    iops bigint,
    throughput_mibps bigint,
    state text COLLATE pg_catalog."C",
    instance_id text COLLATE pg_catalog."C",
    device text COLLATE pg_catalog."C",
    zone text COLLATE pg_catalog."C",
    name text COLLATE pg_catalog."C",
    snapshot_id text COLLATE pg_catalog."C",
    created_ms bigint,
    attached_ms bigint,
    attachments bigint,
    ebs_card bigint,
    multi_attach bigint NOT NULL,
    line bigint
);
CREATE TABLE volplan.volume_modification (
    system_id bigint NOT NULL,
    file_id bigint NOT NULL,
    row_no bigint NOT NULL,
    volume_id text COLLATE pg_catalog."C",
    state text COLLATE pg_catalog."C",
    from_volume_type text COLLATE pg_catalog."C",
    from_size_gib bigint,
    from_iops bigint,
    from_throughput_mibps bigint,
    to_volume_type text COLLATE pg_catalog."C",
    to_size_gib bigint,
    to_iops bigint,
    to_throughput_mibps bigint,
    start_ms bigint,
    end_ms bigint,
    progress_pct double precision,
    line bigint
);
CREATE TABLE volplan.warning (
    system_id bigint NOT NULL,
    file_id bigint NOT NULL,
    warning_no bigint NOT NULL,
    line bigint,
    text text NOT NULL COLLATE pg_catalog."C"
);
INSERT INTO volplan.chunk VALUES (1, 1, 1, 1, 3, 1652853600000, 1652853720000, '\x0200006fc0d580010000ffff000060ea', '\x0400006fc0d5800100000000000060ea0000c0d40100', '\x01000500000000000000000408', '\x01000000000000000000010000', '\x01016900000000000000005fc3', '\x0202a901000000000000000077010703', '\x0200a800000000000000000098003801', '\x01002200000000000000001e3e', '\x00000000000000000000', '\x00000000000000000000', '\x00010600000000000000', '\x00010900000000000000', '\x08ff00000000000000006c45d07052f7e53f165ff1155ff1e53f165ff1155ff1e53f', '\x01020100000000000000000102', '\x010249000000000000000034b1', '\x00000000000000000080', '\x00000000000000000080');
INSERT INTO volplan.file VALUES (1, 1, 'io.txt', 'iostat', 'UTC', NULL, '\x3cf08ffc1d4ab2df50d6310672ee3c68', 3, 0, 913, 1652853600000, 1652853720000);
INSERT INTO volplan.hourly VALUES (1, 1, 1652853600000, 1, 2, 120000, 0.375, 0.5625, 0.46875, 0.5625, 28, 42, 35, 42);
INSERT INTO volplan.layout VALUES (1, '{"system":"PRD1","groups":[{"name":"DATA","devices":["sda"]}]}');
INSERT INTO volplan.series VALUES (1, 1, 'db1.example', 'device', 'sda', 'block', NULL);
INSERT INTO volplan.store VALUES (1);
INSERT INTO volplan.system VALUES (1, 'PRD1', 1);
SELECT pg_catalog.setval('volplan.file_ids', 1, true);
SELECT pg_catalog.setval('volplan.metric_ids', 1, true);
SELECT pg_catalog.setval('volplan.series_ids', 1, true);
SELECT pg_catalog.setval('volplan.system_ids', 1, true);
ALTER TABLE ONLY volplan.bill_line
    ADD CONSTRAINT bill_line_pkey PRIMARY KEY (system_id, file_id, row_no);
ALTER TABLE ONLY volplan.chunk
    ADD CONSTRAINT chunk_pkey PRIMARY KEY (system_id, series_id, file_id, block_no);
ALTER TABLE ONLY volplan.file
    ADD CONSTRAINT file_pkey PRIMARY KEY (system_id, file_id);
ALTER TABLE ONLY volplan.hourly
    ADD CONSTRAINT hourly_pkey PRIMARY KEY (system_id, series_id, hour_ms, file_id);
ALTER TABLE ONLY volplan.layout
    ADD CONSTRAINT layout_pkey PRIMARY KEY (system_id);
ALTER TABLE ONLY volplan.metric_chunk
    ADD CONSTRAINT metric_chunk_pkey PRIMARY KEY (system_id, metric_id, file_id, block_no);
ALTER TABLE ONLY volplan.metric
    ADD CONSTRAINT metric_pkey PRIMARY KEY (system_id, metric_id);
ALTER TABLE ONLY volplan.record_field
    ADD CONSTRAINT record_field_pkey PRIMARY KEY (system_id, file_id, row_no, field_no);
ALTER TABLE ONLY volplan.record
    ADD CONSTRAINT record_pkey PRIMARY KEY (system_id, file_id, row_no);
ALTER TABLE ONLY volplan.series
    ADD CONSTRAINT series_pkey PRIMARY KEY (system_id, series_id);
ALTER TABLE ONLY volplan.snapshot_event
    ADD CONSTRAINT snapshot_event_pkey PRIMARY KEY (system_id, file_id, snapshot_id, row_no);
ALTER TABLE ONLY volplan.snapshot_io
    ADD CONSTRAINT snapshot_io_pkey PRIMARY KEY (system_id, file_id, snapshot_id, kind, row_no);
ALTER TABLE ONLY volplan.snapshot
    ADD CONSTRAINT snapshot_pkey PRIMARY KEY (system_id, file_id, snapshot_id);
ALTER TABLE ONLY volplan.snapshot_stat
    ADD CONSTRAINT snapshot_stat_pkey PRIMARY KEY (system_id, file_id, snapshot_id, kind, row_no);
ALTER TABLE ONLY volplan.system
    ADD CONSTRAINT system_name_key UNIQUE (name);
ALTER TABLE ONLY volplan.system
    ADD CONSTRAINT system_pkey PRIMARY KEY (system_id);
ALTER TABLE ONLY volplan.volume_config
    ADD CONSTRAINT volume_config_pkey PRIMARY KEY (system_id, file_id, row_no);
ALTER TABLE ONLY volplan.volume_modification
    ADD CONSTRAINT volume_modification_pkey PRIMARY KEY (system_id, file_id, row_no);
ALTER TABLE ONLY volplan.warning
    ADD CONSTRAINT warning_pkey PRIMARY KEY (system_id, file_id, warning_no);
CREATE UNIQUE INDEX file_key ON volplan.file USING btree (system_id, content_hash, zone, COALESCE(date_ms, '-9223372036854775808'::bigint));
CREATE UNIQUE INDEX series_key ON volplan.series USING btree (system_id, kind, COALESCE(host, ''::text), name, COALESCE(instance_number, '-9223372036854775808'::bigint));
