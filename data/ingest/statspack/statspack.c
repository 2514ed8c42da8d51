/* data/ingest/statspack/statspack.c - see statspack.h.
 *
 *   9i, 10g   the tables of AWR 10g, "Cluster" for RAC, no load by function
 *   11g on    blank "Database" (the name is in the heads of pages), "IO Stat by Function -
 * summary", whose blank cells stand in the middle of a row and whose average wait is always 0.0
 *
 * Lines "Elapsed:" and "DB time:" hold a second figure behind the first, across the columns of
 * their table: they are read as lines.  Since 12c idle events fill the top events: their class is
 * told here, Statspack prints none. */
#include "data/ingest/statspack/statspack.h"

#include "models/core/unit.h"

#include <math.h>
#include <string.h>

int statspack_detect(struct span head)
{
    return awr_starts_a_line(head, "STATSPACK report for") ? 95 : 0;
}

enum { SNAP_WHAT, SNAP_ID, SNAP_TIME };
enum { HOST_NAME, HOST_PLATFORM, HOST_CPUS };

/* "   Elapsed:   1,439.98 (mins) Av Act Sess:       0.0" */
static int minutes_row(struct awr_report *r, const struct awr_taken *t, double *out_s)
{
    struct span rest = t->whole, number, unit;
    ptrdiff_t colon = span_find(rest, ":");
    rest = span_cut(rest, (size_t)colon + 1, rest.len);
    struct span from = span_trim(rest);
    if (span_word(&rest, &number) || span_word(&rest, &unit) ||
        awr_cell_minutes(span_cut(from, 0, (size_t)(unit.ptr + unit.len - from.ptr)),
                         &r->decimal_comma, out_s))
        return err_set(r->err, ERR_PARSE,
                       "%s:%lld: %.*s: bad value '%.*s', expected minutes like 60.08 (mins)",
                       r->path, (long long)t->line, SPAN_ARG(t->text[SNAP_WHAT]), SPAN_ARG(from));
    return 0;
}

static int snap_row(struct awr_report *r, const struct awr_taken *t)
{
    struct awr_part *p = r->part;
    struct span what = t->text[SNAP_WHAT];
    bool first = span_is(what, "Begin Snap");
    if (first || span_is(what, "End Snap")) {
        int rc = awr_take_time(r, t, SNAP_TIME, first ? &p->now.begin_ms : &p->now.end_ms);
        return rc ? rc
                  : awr_take_integer(r, t, SNAP_ID, "Snap Id",
                                     first ? &p->first_snap : &p->last_snap);
    }
    what = span_trim(t->whole);
    if (span_starts(what, "Elapsed:"))
        return minutes_row(r, t, &p->elapsed_printed_s);
    return span_starts(what, "DB time:") ? minutes_row(r, t, &p->now.db_time_s) : 0;
}

/* Oracle Database Reference 19c, appendix "Oracle Wait Events", class Idle, as far as they were
 * seen in a top list. */
static bool is_idle(struct span event)
{
    static const char *const idle[] = {
        "AQPC idle",
        "DIAG idle wait",
        "EMON slave idle wait",
        "LGWR worker group idle",
        "LogMiner: slave waiting for activ",
        "OFS idle",
        "PX Deq: Execution Msg",
        "PX Idle Wait",
        "SQL*Net message from client",
        "Space Manager: slave idle wait",
        "VKTM Logical Idle Wait",
        "class slave wait",
        "dispatcher timer",
        "gcs remote message",
        "ges remote message",
        "heartbeat redo informer",
        "jobq slave wait",
        "lreg timer",
        "pman timer",
        "pmon timer",
        "rdbms ipc message",
        "shared server idle wait",
        "smon timer",
        "wait for unread message on broadc",
        "wakeup time manager",
        "watchdog main loop",
    };
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++)
        if (span_is(event, idle[i]))
            return true;
    return false;
}

static int event_row(struct awr_report *r, const struct awr_taken *t)
{
    enum { EV_NAME, EV_CLASS = 5 };
    struct awr_taken classed = *t;
    classed.text[EV_CLASS] = is_idle(t->text[EV_NAME]) ? SPAN_LIT("Idle") : (struct span){ 0 };
    return awr_event_row(r, &classed);
}

const struct awr_section statspack_sections[] = {
    { .name = "database",
      .columns = { AWR_NEEDED_TEXT("db name", "database"), AWR_NEEDED_TEXT("db id"),
                   AWR_TEXT("instance"), AWR_TEXT("inst num"), AWR_TEXT("release"),
                   AWR_TEXT("rac", "cluster"), AWR_TEXT("host") },
      .row = awr_identity_row,
      .once = true },
    { .name = "host",
      .columns = { AWR_NEEDED_TEXT("host name", "name"), AWR_NEEDED_TEXT("platform"),
                   AWR_NEEDED(awr_cell_number, "cpus") },
      .row = awr_host_row,
      .once = true },
    { .name = "snapshots",
      .columns = { AWR_NEEDED_TEXT("*"), AWR_NEEDED_TEXT("snap id"), AWR_NEEDED_TEXT("snap time") },
      .row = snap_row,
      .once = true },
    AWR_LOAD_PROFILE,
    { .name = "Top 5 Timed Events",
      .columns = { AWR_NEEDED_TEXT("event"), AWR_NEEDED(awr_cell_count, "waits"),
                   AWR_NEEDED(awr_cell_number, "time (s)", "time(s)"),
                   AWR_FIGURE(awr_cell_ms, "avg wait (ms)", "(ms)"),
                   AWR_NEEDED(awr_cell_number, "%total call time", "% total call time",
                              "% total ela time", "%total ela time", "call time", "ela time",
                              "time") },
      .row = event_row,
      .once = true,
      .minor = true },
    { .name = "IO Stat by Function - summary",
      .columns = { AWR_NEEDED_TEXT("function"), AWR_NEEDED(awr_cell_bytes, "data volume"),
                   AWR_NEEDED(awr_cell_count, "requests /sec"),
                   AWR_NEEDED(awr_cell_bytes_per_mibs, "data vol/sec"),
                   AWR_NEEDED(awr_cell_bytes, "data volume"),
                   AWR_NEEDED(awr_cell_count, "requests /sec"),
                   AWR_NEEDED(awr_cell_bytes_per_mibs, "data vol/sec"),
                   AWR_FIGURE(awr_cell_count, "count"), AWR_FIGURE(awr_cell_ms, "avg tm(ms)") },
      .row = awr_function_row },
    AWR_ACTIVITY_STATS,
    { .name = NULL },
};
