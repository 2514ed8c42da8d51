-- volplan_export.sql - what volplan needs of an Oracle database, as one CSV file.
--
-- Reads AWR: the Oracle Diagnostics Pack must be licensed.  Without it run volplan_export_nodp.sql.
-- Needs SELECT on the views named below (SELECT_CATALOG_ROLE has them), changes nothing, and takes
-- seconds to minutes.  Oracle 11.2.0.2 and later; in a container database run it in the root.
--
--   sqlplus -s / as sysdba @volplan_export.sql 2022-05-18 2022-05-20
--
-- The two arguments are the first and the last day, in the database server's time.  Take the busiest
-- days of a month.  The file is volplan_export.csv in the current folder, for
--
--   volplan ingest volplan_export.csv --system PRD1
--
-- Rows: kind,instance,begin_utc,end_utc,name,value,unit
--   filetype        DBA_HIST_IOSTAT_FILETYPE: totals of a snapshot's interval, "Log File:read_bytes"
--   stat            DBA_HIST_SYSSTAT: redo and request statistics, totals of the interval
--   sysmetric_avg   DBA_HIST_SYSMETRIC_SUMMARY: the average of the interval ...
--   sysmetric_max   ... and the worst minute in it, which averages hide
--   redo_log        V$ARCHIVED_LOG: bytes of each log, from its switch to the next; without archiving
--                   V$LOG_HISTORY, with the size of the file as the most it can have held
--
-- An interval over a restart of the instance is left out: its counters began anew.

define first_day = '&1'
define last_day  = '&2'

set echo off feedback off heading off verify off termout off trimspool on tab off
set pagesize 0 linesize 400 numwidth 20 long 400 newpage none
whenever sqlerror exit failure rollback

alter session set nls_numeric_characters = '.,';
alter session set nls_date_language = 'AMERICAN';

spool volplan_export.csv

select 'volplan_csv,1' from dual;

-- --- file types ------------------------------------------------------------------------------------

with snaps as (
  select s.dbid, s.instance_number, s.snap_id, s.startup_time,
         s.end_interval_time end_time, s.end_interval_time - s.snap_timezone end_utc
    from dba_hist_snapshot s
   where s.dbid = (select dbid from v$database)
     and s.snap_timezone is not null
     and s.end_interval_time >= to_date('&first_day', 'yyyy-mm-dd') - 1
     and s.end_interval_time <  to_date('&last_day', 'yyyy-mm-dd') + 1
), counters as (
  select s.instance_number, s.end_utc, f.filetype_name,
         lag(s.end_time) over (partition by s.instance_number, s.startup_time, f.filetype_name
                               order by s.snap_id) begin_time,
         lag(s.end_utc) over (partition by s.instance_number, s.startup_time, f.filetype_name
                              order by s.snap_id) begin_utc,
         f.small_read_megabytes + f.large_read_megabytes read_mb,
         lag(f.small_read_megabytes + f.large_read_megabytes)
           over (partition by s.instance_number, s.startup_time, f.filetype_name
                 order by s.snap_id) read_mb_before,
         f.small_write_megabytes + f.large_write_megabytes write_mb,
         lag(f.small_write_megabytes + f.large_write_megabytes)
           over (partition by s.instance_number, s.startup_time, f.filetype_name
                 order by s.snap_id) write_mb_before,
         f.small_read_reqs + f.large_read_reqs read_reqs,
         lag(f.small_read_reqs + f.large_read_reqs)
           over (partition by s.instance_number, s.startup_time, f.filetype_name
                 order by s.snap_id) read_reqs_before,
         f.small_write_reqs + f.large_write_reqs write_reqs,
         lag(f.small_write_reqs + f.large_write_reqs)
           over (partition by s.instance_number, s.startup_time, f.filetype_name
                 order by s.snap_id) write_reqs_before
    from snaps s, dba_hist_iostat_filetype f
   where f.dbid = s.dbid
     and f.instance_number = s.instance_number
     and f.snap_id = s.snap_id
), deltas as (
  select instance_number, begin_utc, end_utc, filetype_name,
         read_mb - read_mb_before read_mb, write_mb - write_mb_before write_mb,
         read_reqs - read_reqs_before read_reqs, write_reqs - write_reqs_before write_reqs
    from counters
   where begin_time >= to_date('&first_day', 'yyyy-mm-dd')
     and end_utc > begin_utc
), figures as (
  select d.*, n.figure,
         case n.figure when 'read_bytes'    then d.read_mb * 1048576
                       when 'write_bytes'   then d.write_mb * 1048576
                       when 'read_requests' then d.read_reqs
                       else d.write_reqs end total,
         case when n.figure like '%bytes' then 'bytes' else 'requests' end unit
    from deltas d,
         (select 'read_bytes' figure from dual union all select 'write_bytes' from dual union all
          select 'read_requests' from dual union all select 'write_requests' from dual) n
)
select 'filetype,' || instance_number || ',' ||
       to_char(begin_utc, 'yyyy-mm-dd"T"hh24:mi:ss"Z"') || ',' ||
       to_char(end_utc, 'yyyy-mm-dd"T"hh24:mi:ss"Z"') || ',' ||
       filetype_name || ':' || figure || ',' || to_char(total, 'TM9') || ',' || unit
  from figures
 where total >= 0
 order by instance_number, begin_utc, filetype_name, figure;

-- --- statistics ------------------------------------------------------------------------------------

with snaps as (
  select s.dbid, s.instance_number, s.snap_id, s.startup_time,
         s.end_interval_time end_time, s.end_interval_time - s.snap_timezone end_utc
    from dba_hist_snapshot s
   where s.dbid = (select dbid from v$database)
     and s.snap_timezone is not null
     and s.end_interval_time >= to_date('&first_day', 'yyyy-mm-dd') - 1
     and s.end_interval_time <  to_date('&last_day', 'yyyy-mm-dd') + 1
), counters as (
  select s.instance_number, s.end_utc, t.stat_name, t.value,
         lag(s.end_time) over (partition by s.instance_number, s.startup_time, t.stat_id
                               order by s.snap_id) begin_time,
         lag(s.end_utc) over (partition by s.instance_number, s.startup_time, t.stat_id
                              order by s.snap_id) begin_utc,
         lag(t.value) over (partition by s.instance_number, s.startup_time, t.stat_id
                            order by s.snap_id) value_before
    from snaps s, dba_hist_sysstat t
   where t.dbid = s.dbid
     and t.instance_number = s.instance_number
     and t.snap_id = s.snap_id
     and t.stat_name in ('redo size', 'redo wastage', 'redo blocks written', 'redo writes',
                         'redo KB read', 'redo KB read (memory)', 'redo KB read for transport',
                         'redo KB read (memory) for transport',
                         'physical read total IO requests', 'physical read total bytes',
                         'physical read total multi block requests',
                         'physical write total IO requests', 'physical write total bytes',
                         'physical write total multi block requests',
                         'flashback log write bytes', 'user commits')
)
select 'stat,' || instance_number || ',' ||
       to_char(begin_utc, 'yyyy-mm-dd"T"hh24:mi:ss"Z"') || ',' ||
       to_char(end_utc, 'yyyy-mm-dd"T"hh24:mi:ss"Z"') || ',' ||
       stat_name || ',' || to_char(value - value_before, 'TM9') || ','
  from counters
 where begin_time >= to_date('&first_day', 'yyyy-mm-dd')
   and end_utc > begin_utc
   and value >= value_before
 order by instance_number, begin_utc, stat_name;

-- --- averages and worst minutes of system metrics --------------------------------------------------
-- Group 2 of V$METRICGROUP is "System Metrics Long Duration": intervals of one minute.

with metrics as (
  select m.instance_number, m.begin_time, m.end_time, s.snap_timezone zone_offset,
         m.metric_name, m.metric_unit, m.average, m.maxval
    from dba_hist_sysmetric_summary m, dba_hist_snapshot s
   where m.dbid = (select dbid from v$database)
     and s.dbid = m.dbid
     and s.instance_number = m.instance_number
     and s.snap_id = m.snap_id
     and s.snap_timezone is not null
     and m.group_id = 2
     and m.begin_time >= to_date('&first_day', 'yyyy-mm-dd')
     and m.end_time <  to_date('&last_day', 'yyyy-mm-dd') + 1
     and m.end_time > m.begin_time
     and m.metric_name in ('Physical Read Total IO Requests Per Sec',
                           'Physical Read Total Bytes Per Sec',
                           'Physical Write Total IO Requests Per Sec',
                           'Physical Write Total Bytes Per Sec',
                           'I/O Requests per Second', 'I/O Megabytes per Second',
                           'Redo Generated Per Sec', 'Redo Writes Per Sec',
                           'Average Active Sessions', 'Host CPU Utilization (%)')
)
select k.kind || ',' || m.instance_number || ',' ||
       to_char(cast(m.begin_time as timestamp) - m.zone_offset, 'yyyy-mm-dd"T"hh24:mi:ss"Z"') || ',' ||
       to_char(cast(m.end_time as timestamp) - m.zone_offset, 'yyyy-mm-dd"T"hh24:mi:ss"Z"') || ',' ||
       m.metric_name || ',' ||
       to_char(round(case k.kind when 'sysmetric_avg' then m.average else m.maxval end, 6), 'TM9') ||
       ',' || m.metric_unit
  from metrics m,
       (select 'sysmetric_avg' kind from dual union all select 'sysmetric_max' from dual) k
 where case k.kind when 'sysmetric_avg' then m.average else m.maxval end is not null
 order by k.kind, m.instance_number, m.metric_name, m.begin_time;

-- --- redo by log switch ----------------------------------------------------------------------------
-- A log is archived once for each destination: the local one counts.  The server's present offset from
-- UTC is used for its times, which have none.

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
