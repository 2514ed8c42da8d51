-- volplan_export_nodp.sql - what volplan needs of an Oracle database, without the Diagnostics Pack.
--
-- Reads Statspack's tables (owner PERFSTAT) and V$ views only; no DBA_HIST view, no V$ view of active
-- sessions or metrics.  Needs SELECT on the tables and views named below, changes nothing.
-- Oracle 11.2 and later, with Statspack snapshots of level 5 or more (the default).
--
--   sqlplus -s / as sysdba @volplan_export_nodp.sql 2022-05-18 2022-05-20
--
-- The two arguments are the first and the last day, in the database server's time.  The file is
-- volplan_export.csv in the current folder, for
--
--   volplan ingest volplan_export.csv --system PRD1
--
-- Rows: kind,instance,begin_utc,end_utc,name,value,unit
--   filetype   V$IOSTAT_FILE: totals since the instance started, "Log File:read_bytes".  Statspack
--              keeps no load by file type, so this is a long average: it gives the split of the
--              load, the rows of kind stat its course
--   stat       STATS$SYSSTAT: redo and request statistics, totals between two snapshots
--   redo_log   V$ARCHIVED_LOG: bytes of each log, from its switch to the next; without archiving
--              V$LOG_HISTORY, with the size of the file as the most it can have held
--
-- Only the instance one is connected to is in V$IOSTAT_FILE: run it on each instance of a cluster.
-- Times have no zone here: the server's present offset from UTC is used.

define first_day = '&1'
define last_day  = '&2'

set echo off feedback off heading off verify off termout off trimspool on tab off
set pagesize 0 linesize 400 numwidth 20 long 400 newpage none
whenever sqlerror exit failure rollback

alter session set nls_numeric_characters = '.,';
alter session set nls_date_language = 'AMERICAN';

spool volplan_export.csv

select 'volplan_csv,1' from dual;

-- --- file types since the start of the instance ------------------------------------------------------

with totals as (
  select filetype_name,
         sum(small_read_megabytes + large_read_megabytes) * 1048576   read_bytes,
         sum(small_write_megabytes + large_write_megabytes) * 1048576 write_bytes,
         sum(small_read_reqs + large_read_reqs)                       read_requests,
         sum(small_write_reqs + large_write_reqs)                     write_requests
    from v$iostat_file
   group by filetype_name
), figures as (
  select t.filetype_name, n.figure,
         case n.figure when 'read_bytes'    then t.read_bytes
                       when 'write_bytes'   then t.write_bytes
                       when 'read_requests' then t.read_requests
                       else t.write_requests end total,
         case when n.figure like '%bytes' then 'bytes' else 'requests' end unit
    from totals t,
         (select 'read_bytes' figure from dual union all select 'write_bytes' from dual union all
          select 'read_requests' from dual union all select 'write_requests' from dual) n
)
select 'filetype,' || i.instance_number || ',' ||
       to_char(sys_extract_utc(from_tz(cast(i.startup_time as timestamp),
                                       to_char(systimestamp, 'TZH:TZM'))),
               'yyyy-mm-dd"T"hh24:mi:ss"Z"') || ',' ||
       to_char(sys_extract_utc(systimestamp), 'yyyy-mm-dd"T"hh24:mi:ss"Z"') || ',' ||
       f.filetype_name || ':' || f.figure || ',' || to_char(f.total, 'TM9') || ',' || f.unit
  from figures f, v$instance i
 where f.total >= 0
 order by f.filetype_name, f.figure;

-- --- statistics ------------------------------------------------------------------------------------

with counters as (
  select s.instance_number, s.snap_time end_time, t.name, t.value,
         lag(s.snap_time) over (partition by s.instance_number, s.startup_time, t.name
                                order by s.snap_id) begin_time,
         lag(t.value) over (partition by s.instance_number, s.startup_time, t.name
                            order by s.snap_id) value_before
    from perfstat.stats$snapshot s, perfstat.stats$sysstat t
   where s.dbid = (select dbid from v$database)
     and s.snap_time >= to_date('&first_day', 'yyyy-mm-dd') - 1
     and s.snap_time <  to_date('&last_day', 'yyyy-mm-dd') + 1
     and t.dbid = s.dbid
     and t.instance_number = s.instance_number
     and t.snap_id = s.snap_id
     and t.name in ('redo size', 'redo wastage', 'redo blocks written', 'redo writes',
                    'redo KB read', 'redo KB read (memory)', 'redo KB read for transport',
                    'redo KB read (memory) for transport',
                    'physical read total IO requests', 'physical read total bytes',
                    'physical read total multi block requests',
                    'physical write total IO requests', 'physical write total bytes',
                    'physical write total multi block requests',
                    'flashback log write bytes', 'user commits')
)
select 'stat,' || instance_number || ',' ||
       to_char(sys_extract_utc(from_tz(cast(begin_time as timestamp),
                                       to_char(systimestamp, 'TZH:TZM'))),
               'yyyy-mm-dd"T"hh24:mi:ss"Z"') || ',' ||
       to_char(sys_extract_utc(from_tz(cast(end_time as timestamp),
                                       to_char(systimestamp, 'TZH:TZM'))),
               'yyyy-mm-dd"T"hh24:mi:ss"Z"') || ',' ||
       name || ',' || to_char(value - value_before, 'TM9') || ','
  from counters
 where begin_time >= to_date('&first_day', 'yyyy-mm-dd')
   and end_time > begin_time
   and value >= value_before
 order by instance_number, begin_time, name;

-- --- redo by log switch ----------------------------------------------------------------------------
-- A log is archived once for each destination: the local one counts.

select 'redo_log,' || thread# || ',' ||
       to_char(sys_extract_utc(from_tz(cast(first_time as timestamp),
                                       to_char(systimestamp, 'TZH:TZM'))),
               'yyyy-mm-dd"T"hh24:mi:ss"Z"') || ',' ||
       to_char(sys_extract_utc(from_tz(cast(next_time as timestamp),
                                       to_char(systimestamp, 'TZH:TZM'))),
               'yyyy-mm-dd"T"hh24:mi:ss"Z"') || ',' ||
       thread# || '.' || sequence# || ',' || to_char(max(blocks * block_size), 'TM9') || ',bytes'
  from v$archived_log
 where standby_dest = 'NO'
   and first_time >= to_date('&first_day', 'yyyy-mm-dd')
   and next_time <  to_date('&last_day', 'yyyy-mm-dd') + 1
   and next_time > first_time
 group by thread#, sequence#, first_time, next_time
 order by thread#, sequence#;

with switches as (
  select thread#, sequence#, first_time,
         lead(first_time) over (partition by thread# order by sequence#) next_time
    from v$log_history
)
select 'redo_log,' || s.thread# || ',' ||
       to_char(sys_extract_utc(from_tz(cast(s.first_time as timestamp),
                                       to_char(systimestamp, 'TZH:TZM'))),
               'yyyy-mm-dd"T"hh24:mi:ss"Z"') || ',' ||
       to_char(sys_extract_utc(from_tz(cast(s.next_time as timestamp),
                                       to_char(systimestamp, 'TZH:TZM'))),
               'yyyy-mm-dd"T"hh24:mi:ss"Z"') || ',' ||
       s.thread# || '.' || s.sequence# || ',' || to_char(l.bytes, 'TM9') || ',bytes_at_most'
  from switches s,
       (select thread#, max(bytes) bytes from v$log group by thread#) l,
       v$database d
 where d.log_mode = 'NOARCHIVELOG'
   and l.thread# = s.thread#
   and s.first_time >= to_date('&first_day', 'yyyy-mm-dd')
   and s.next_time <  to_date('&last_day', 'yyyy-mm-dd') + 1
   and s.next_time > s.first_time
 order by s.thread#, s.sequence#;

spool off
exit
