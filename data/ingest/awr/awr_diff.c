/* data/ingest/awr/awr_diff.c - see awr_diff.h.
 *
 * Every table has a column or a row for the first period and one for the second.  IOStat comes as
 * four tables of one row with the same headings, told apart by their captions: data rate (MiB/s)
 * and requests, by function and by file type.  The report never prints "End of Report": it is
 * whole when its Load Profile was seen and the input does not stop within a table. */
#include "data/ingest/awr/awr_diff.h"

#include "data/ingest/awr/awr_name.h"
#include "data/ingest/awr/awr_section.h"
#include "models/core/unit.h"

#include <math.h>
#include <string.h>

enum { N_PERIODS = 2 };

/* The parts of both periods; NULL with r->err set. */
static struct awr_part *period(struct awr_report *r, size_t i)
{
    if (awr_part_count(r) < N_PERIODS && !awr_part_add(r))
        return NULL;
    return awr_part_at(r, i);
}

/* 0 or 1 by "First (1st)", "1st", "Second (2nd)", "2nd"; -1 for "%Diff" and others. */
static int period_no(struct span name)
{
    return span_find(name, "1st") >= 0 ? 0 : span_find(name, "2nd") >= 0 ? 1 : -1;
}

/* --- head ------------------------------------------------------------------------------------- */

enum { ID_SET, ID_DB, ID_DBID, ID_INSTANCE, ID_NUMBER, ID_RELEASE, ID_CLUSTER, ID_HOST };
enum { SN_SET, SN_BEGIN, SN_BEGIN_TIME, SN_END, SN_END_TIME, SN_ELAPSED, SN_DB_TIME };

static int identity_row(struct awr_report *r, const struct awr_taken *t)
{
    int i = period_no(t->text[ID_SET]);
    struct awr_part *p = i < 0 ? NULL : period(r, (size_t)i);
    if (!p)
        return i < 0 ? 0 : r->err->code;
    int rc = awr_keep(r, t->text[ID_DB], &p->now.db_name);
    if (!rc)
        rc = awr_take_integer(r, t, ID_DBID, "DB Id", &p->now.db_id);
    if (!rc)
        rc = awr_keep(r, t->text[ID_INSTANCE], &p->now.instance);
    if (!rc)
        rc = awr_take_integer(r, t, ID_NUMBER, "Inst Num", &p->now.instance_number);
    if (!rc)
        rc = awr_keep(r, t->text[ID_RELEASE], &p->now.release);
    if (!rc)
        rc = awr_keep(r, t->text[ID_HOST], &p->now.host);
    if (t->text[ID_CLUSTER].len)
        p->now.rac = span_eq_nocase(t->text[ID_CLUSTER], SPAN_LIT("YES"));
    return rc;
}

/* "23-Apr-14 18:30:05 (Wed)" */
static int snap_time(struct awr_report *r, const struct awr_taken *t, int at, int64_t *out_ms)
{
    struct awr_taken one = *t;
    ptrdiff_t day = span_find(one.text[at], " (");
    if (day >= 0)
        one.text[at].len = (size_t)day;
    return awr_take_time(r, &one, at, out_ms);
}

static int snap_row(struct awr_report *r, const struct awr_taken *t)
{
    int i = period_no(t->text[SN_SET]);
    struct awr_part *p = i < 0 ? NULL : period(r, (size_t)i);
    if (!p)
        return i < 0 ? 0 : r->err->code;
    int rc = snap_time(r, t, SN_BEGIN_TIME, &p->now.begin_ms);
    if (!rc)
        rc = snap_time(r, t, SN_END_TIME, &p->now.end_ms);
    if (!rc)
        rc = awr_take_integer(r, t, SN_BEGIN, "Begin Snap Id", &p->first_snap);
    if (!rc)
        rc = awr_take_integer(r, t, SN_END, "End Snap Id", &p->last_snap);
    p->elapsed_printed_s = t->num[SN_ELAPSED] * 60;
    p->elapsed_step_s = 6;
    p->now.db_time_s = t->num[SN_DB_TIME] * 60;
    return rc;
}

/* The number behind label, moved past; NaN when there is none. */
static double seconds_after(struct span *text, const char *label)
{
    ptrdiff_t at = span_find(*text, label);
    double v;
    if (at < 0)
        return NAN;
    struct span rest = span_trim(span_cut(*text, (size_t)at + strlen(label), text->len));
    if (span_double_commas(&rest, &v))
        return NAN;
    *text = rest;
    return v;
}

void awr_diff_caption(struct awr_report *r, struct span text)
{
    for (size_t i = 0; i < N_PERIODS && awr_part_count(r) == N_PERIODS; i++) {
        struct awr_part *p = awr_part_at(r, i);
        double elapsed_s = seconds_after(&text, "(Elapsed time:");
        if (!(elapsed_s > 0))
            return;
        p->elapsed_printed_s = elapsed_s;
        p->elapsed_step_s = 0.01;
        double db_time_s = seconds_after(&text, "DB time:");
        if (!isnan(db_time_s))
            p->now.db_time_s = db_time_s;
    }
}

enum { HOST_WHAT, HOST_1ST, HOST_2ND };

static int host_row(struct awr_report *r, const struct awr_taken *t)
{
    for (size_t i = 0; i < N_PERIODS && span_is(t->text[HOST_WHAT], "Number of CPUs"); i++) {
        struct span cell = t->text[HOST_1ST + i];
        struct awr_part *p = period(r, i);
        if (!p)
            return r->err->code;
        if (awr_cell_number(cell, r->decimal_comma, &p->now.cpus))
            p->now.cpus = NAN;
    }
    return 0;
}

/* --- load, events, statistics ------------------------------------------------------------------
 */

enum { LP_WHAT, LP_1ST_S, LP_2ND_S, LP_1ST_TXN, LP_2ND_TXN };

static int load_row(struct awr_report *r, const struct awr_taken *t)
{
    struct span what = t->text[LP_WHAT];
    /* bytes here, whatever it is called */
    bool in_bytes = span_starts(what, "W/A MB");
    if (span_eq_nocase(what, SPAN_LIT("DB time")))
        what = SPAN_LIT("DB Time(s)");
    if (span_eq_nocase(what, SPAN_LIT("CPU time")))
        what = SPAN_LIT("DB CPU(s)");
    int rc = 0;
    for (size_t i = 0; i < N_PERIODS && !rc; i++) {
        struct awr_part *p = period(r, i);
        if (!p)
            return r->err->code;
        const double figures[] = { t->num[LP_1ST_S + i], t->num[LP_1ST_TXN + i] };
        for (size_t k = 0; k < 2 && !rc; k++)
            if (!isnan(figures[k]))
                rc = awr_add_load(r, p, awr_load_key(r->arena, what, k ? "per_txn" : "per_s"),
                                  figures[k] / (in_bytes ? MIB_BYTES : 1), t->line);
    }
    return rc;
}

enum { EV_NAME, EV_CLASS, EV_WAITS, EV_TIME, EV_AVG, EV_PCT, N_EV };

/* A name with "-" did not make the list of its period and stands there for comparison only. */
static int event_row(struct awr_report *r, const struct awr_taken *t)
{
    for (int i = 0; i < N_PERIODS; i++) {
        int at = i * N_EV;
        struct awr_part *p = period(r, (size_t)i);
        if (!p)
            return r->err->code;
        struct span name = t->text[at + EV_NAME];
        if (span_starts(name, "-"))
            name = span_trim(span_cut(name, 1, name.len));
        struct awr_event v = { NULL,
                               NULL,
                               t->num[at + EV_WAITS],
                               t->num[at + EV_TIME],
                               t->num[at + EV_AVG],
                               t->num[at + EV_PCT],
                               t->line };
        int rc = awr_keep(r, awr_name_whole(AWR_EVENT, name, t->name_width), &v.name);
        if (!rc)
            rc = awr_keep(r, t->text[at + EV_CLASS], &v.wait_class);
        if (!rc && v.name && !isnan(v.time_s))
            rc = awr_list_add(r, &p->events, &v, sizeof v, AWR_FEW_MAX);
        if (rc)
            return rc;
    }
    return 0;
}

enum { ST_NAME, ST_1ST, ST_2ND, ST_1ST_S, ST_2ND_S };

static int stat_row(struct awr_report *r, const struct awr_taken *t)
{
    for (size_t i = 0; i < N_PERIODS; i++) {
        struct awr_part *p = period(r, i);
        if (!p)
            return r->err->code;
        struct awr_stat s = { NULL, t->num[ST_1ST + i], t->num[ST_1ST_S + i], t->line };
        int rc =
            awr_keep(r, awr_name_whole(AWR_STATISTIC, t->text[ST_NAME], t->name_width), &s.name);
        if (!rc && s.name)
            rc = awr_list_add(r, &p->stats, &s, sizeof s, AWR_ROWS_MAX);
        if (rc)
            return rc;
    }
    return 0;
}

/* --- IOStat ----------------------------------------------------------------------------------- */

/* The pairs of columns: which row, and read or written. */
struct io_pair {
    const char *name;
    bool written;
};
enum { N_PAIRS = 7 };
static const struct io_pair function_pairs[N_PAIRS] = {
    { "TOTAL", false },        { "Buffer Cache Reads", false },
    { "Direct Reads", false }, { "TOTAL", true },
    { "DBWR", true },          { "Direct Writes", true },
    { "LGWR", true },
};
static const struct io_pair filetype_pairs[N_PAIRS] = {
    { "TOTAL", false },    { "Data File", false }, { "Temp File", false }, { "TOTAL", true },
    { "Data File", true }, { "Temp File", true },  { "Log File", true },
};

static int io_rows(struct awr_report *r, const struct awr_taken *t, const struct io_pair *pairs,
                   size_t list_offset, bool requests)
{
    for (size_t i = 0; i < (size_t)N_PAIRS * N_PERIODS; i++) {
        const struct io_pair *pair = &pairs[i / N_PERIODS];
        struct awr_part *p = period(r, i % N_PERIODS);
        if (!p)
            return r->err->code;
        p->some_rows = true;
        struct awr_list *list = (void *)((char *)p + list_offset);
        struct awr_io_row *row = awr_io_row_of(r, list, pair->name, t->line);
        if (!row)
            return r->err->code;
        double *figure =
            requests ? (pair->written ? &row->write_requests_per_s : &row->read_requests_per_s)
                     : (pair->written ? &row->write_bytes_per_s : &row->read_bytes_per_s);
        *figure = t->num[i] * (requests ? 1 : MIB_BYTES);
    }
    return 0;
}

static int function_rate_row(struct awr_report *r, const struct awr_taken *t)
{
    return io_rows(r, t, function_pairs, offsetof(struct awr_part, functions), false);
}

static int function_requests_row(struct awr_report *r, const struct awr_taken *t)
{
    return io_rows(r, t, function_pairs, offsetof(struct awr_part, functions), true);
}

static int filetype_rate_row(struct awr_report *r, const struct awr_taken *t)
{
    return io_rows(r, t, filetype_pairs, offsetof(struct awr_part, filetypes), false);
}

static int filetype_requests_row(struct awr_report *r, const struct awr_taken *t)
{
    return io_rows(r, t, filetype_pairs, offsetof(struct awr_part, filetypes), true);
}

/* --- end -------------------------------------------------------------------------------------- */

int awr_diff_finish(struct awr_report *r)
{
    const struct awr_part *last = period(r, N_PERIODS - 1);
    if (!last)
        return r->err->code;
    if (!last->load_profile.n)
        return err_set(r->err, ERR_PARSE,
                       "%s:%lld: the report is cut short: no Load Profile of both periods up to "
                       "this line",
                       r->path, (long long)r->line);
    r->part = awr_part_at(r, 0);
    return 0;
}

/* --- sections --------------------------------------------------------------------------------- */

#define PAIR(name) AWR_NEEDED(awr_cell_count, name " 1st"), AWR_NEEDED(awr_cell_count, name " 2nd")
#define FUNCTION_PAIRS                                                                             \
    {                                                                                              \
        PAIR("total reads"), PAIR("buffer cache reads"), PAIR("direct reads"),                     \
            PAIR("total writes"), PAIR("dbwr"), PAIR("direct writes"), PAIR("lgwr")                \
    }
#define FILETYPE_PAIRS                                                                             \
    {                                                                                              \
        PAIR("total reads"), PAIR("data file reads"), PAIR("temp file reads"),                     \
            PAIR("total writes"), PAIR("data file writes"), PAIR("temp file writes"),              \
            PAIR("log file writes")                                                                \
    }
#define EVENT_COLUMNS(period)                                                                      \
    AWR_NEEDED_TEXT(period " event"), AWR_NEEDED_TEXT(period " wait class"),                       \
        AWR_NEEDED(awr_cell_count, period " waits"),                                               \
        AWR_NEEDED(awr_cell_count, period " time(s)"),                                             \
        AWR_NEEDED(awr_cell_ms, period " avg time(ms)", period " avg time"),                       \
        AWR_NEEDED(awr_cell_number, period " %db time")

const struct awr_section awr_diff_sections[] = {
    { .name = "databases",
      .columns = { AWR_NEEDED_TEXT("snapshot set"), AWR_TEXT("db name"), AWR_NEEDED_TEXT("db id"),
                   AWR_TEXT("instance"), AWR_TEXT("inst num"), AWR_TEXT("release"),
                   AWR_TEXT("cluster", "rac"), AWR_TEXT("host") },
      .row = identity_row,
      .once = true },
    { .name = "snapshots",
      .columns = { AWR_NEEDED_TEXT("snapshot set"), AWR_NEEDED_TEXT("begin snap id"),
                   AWR_NEEDED_TEXT("begin snap time"), AWR_NEEDED_TEXT("end snap id"),
                   AWR_NEEDED_TEXT("end snap time"),
                   AWR_FIGURE(awr_cell_number, "elapsed time (min)"),
                   AWR_FIGURE(awr_cell_number, "db time (min)") },
      .row = snap_row,
      .once = true },
    { .name = "Host Configuration Comparison",
      .columns = { AWR_NEEDED_TEXT("*"), AWR_NEEDED_TEXT("1st"), AWR_NEEDED_TEXT("2nd"),
                   AWR_NEEDED_TEXT("%diff") },
      .row = host_row,
      .colon = true,
      .once = true },
    { .name = "Load Profile",
      .columns = { AWR_NEEDED_TEXT("*"), AWR_NEEDED(awr_cell_number, "1st per sec"),
                   AWR_NEEDED(awr_cell_number, "2nd per sec"),
                   AWR_FIGURE(awr_cell_number, "1st per txn"),
                   AWR_FIGURE(awr_cell_number, "2nd per txn") },
      .row = load_row,
      .colon = true,
      .once = true },
    { .name = "Top Timed Events",
      .columns = { EVENT_COLUMNS("1st"), EVENT_COLUMNS("2nd") },
      .row = event_row,
      .once = true,
      .minor = true },
    { .name = "Instance Activity Stats",
      .columns = { AWR_NEEDED_TEXT("statistic", "statistic name"),
                   AWR_NEEDED(awr_cell_number, "value 1st"),
                   AWR_NEEDED(awr_cell_number, "value 2nd"),
                   AWR_NEEDED(awr_cell_number, "per second (elapsed time) 1st"),
                   AWR_NEEDED(awr_cell_number, "per second (elapsed time) 2nd") },
      .row = stat_row,
      .minor = true },
    { .name = "IOStat by Function - Data Rate per Second",
      .caption = "IOStat by Function - Data Rate",
      .columns = FUNCTION_PAIRS,
      .row = function_rate_row },
    { .name = "IOStat by Function - Requests per Second",
      .caption = "IOStat by Function - Requests",
      .columns = FUNCTION_PAIRS,
      .row = function_requests_row },
    { .name = "IOStat by File Type - Data Rate per Second",
      .caption = "IOStat by File Type - Data Rate",
      .columns = FILETYPE_PAIRS,
      .row = filetype_rate_row },
    { .name = "IOStat by File Type - Requests per Second",
      .caption = "IOStat by File Type - Requests",
      .columns = FILETYPE_PAIRS,
      .row = filetype_requests_row },
    { .name = NULL },
};
