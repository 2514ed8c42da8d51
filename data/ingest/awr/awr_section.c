/* data/ingest/awr/awr_section.c - see awr_section.h. */
#include "data/ingest/awr/awr_section.h"

#include "data/ingest/awr/awr_name.h"
#include "data/zone.h"
#include "models/core/unit.h"

#include <math.h>
#include <string.h>

int awr_keep(struct awr_report *r, struct span text, const char **out)
{
    if (!text.len)
        return 0;
    char *copy = arena_strndup(r->arena, text.ptr, text.len);
    if (!copy)
        return err_nomem(r->err);
    *out = copy;
    return 0;
}

enum { ID_DB, ID_DBID, ID_INSTANCE, ID_NUMBER, ID_RELEASE, ID_RAC, ID_HOST };
enum { HOST_NAME, HOST_PLATFORM, HOST_CPUS };
enum { SNAP_WHAT, SNAP_ID, SNAP_TIME };
enum { PER_WHAT, PER_1, PER_2, PER_3, PER_4 };
enum { EV_NAME, EV_WAITS, EV_TIME, EV_AVG, EV_PCT, EV_CLASS };
enum { IO_NAME, IO_R, IO_R_REQ, IO_R_RATE, IO_W, IO_W_REQ, IO_W_RATE, IO_8, IO_9 };
enum { STAT_NAME, STAT_TOTAL, STAT_PER_S };

int awr_take_integer(struct awr_report *r, const struct awr_taken *t, int at, const char *what,
                     int64_t *out)
{
    struct span s = t->text[at];
    int64_t v;
    if (!s.len)
        return 0;
    if (span_int(&s, &v) || s.len)
        return err_set(r->err, ERR_PARSE,
                       "%s:%lld: column '%s': bad value '%.*s', expected a number", r->path,
                       (long long)t->line, what, SPAN_ARG(t->text[at]));
    *out = v;
    return 0;
}

int awr_identity_row(struct awr_report *r, const struct awr_taken *t)
{
    struct awr_snapshot *s = &r->part->now;
    int rc = awr_take_integer(r, t, ID_DBID, "DB Id", &s->db_id);
    if (!rc)
        rc = awr_take_integer(r, t, ID_NUMBER, "Inst Num", &s->instance_number);
    if (!rc)
        rc = awr_keep(r, t->text[ID_DB], &s->db_name);
    if (!rc)
        rc = awr_keep(r, t->text[ID_INSTANCE], &s->instance);
    if (!rc)
        rc = awr_keep(r, t->text[ID_RELEASE], &s->release);
    if (!rc)
        rc = awr_keep(r, t->text[ID_HOST], &s->host);
    if (t->text[ID_RAC].len)
        s->rac = span_eq_nocase(t->text[ID_RAC], SPAN_LIT("YES"));
    return rc;
}

int awr_host_row(struct awr_report *r, const struct awr_taken *t)
{
    r->part->now.cpus = t->num[HOST_CPUS];
    int rc = awr_keep(r, t->text[HOST_NAME], &r->part->now.host);
    return rc ? rc : awr_keep(r, t->text[HOST_PLATFORM], &r->part->now.platform);
}

int awr_take_time(struct awr_report *r, const struct awr_taken *t, int at, int64_t *out_ms)
{
    int64_t wall_ms;
    if (awr_cell_time(t->text[at], &wall_ms))
        return err_set(r->err, ERR_PARSE,
                       "%s:%lld: column 'Snap Time': bad value '%.*s', expected a time like "
                       "18-May-22 07:00:00",
                       r->path, (long long)t->line, SPAN_ARG(t->text[at]));
    *out_ms = zone_to_utc(r->options->zone, wall_ms);
    return 0;
}

static int snap_instant(struct awr_report *r, const struct awr_taken *t, int64_t *snap,
                        int64_t *out_ms)
{
    int rc = awr_take_time(r, t, SNAP_TIME, out_ms);
    return rc ? rc : awr_take_integer(r, t, SNAP_ID, "Snap Id", snap);
}

static int snap_duration(struct awr_report *r, const struct awr_taken *t, double *out_s)
{
    if (t->text[SNAP_TIME].len && awr_cell_minutes(t->text[SNAP_TIME], &r->decimal_comma, out_s))
        return err_set(r->err, ERR_PARSE,
                       "%s:%lld: %.*s: bad value '%.*s', expected minutes like 60.08 (mins)",
                       r->path, (long long)t->line, SPAN_ARG(t->text[SNAP_WHAT]),
                       SPAN_ARG(t->text[SNAP_TIME]));
    return 0;
}

static int snap_row(struct awr_report *r, const struct awr_taken *t)
{
    struct span what = t->text[SNAP_WHAT];
    if (span_is(what, "Begin Snap"))
        return snap_instant(r, t, &r->part->first_snap, &r->part->now.begin_ms);
    if (span_is(what, "End Snap"))
        return snap_instant(r, t, &r->part->last_snap, &r->part->now.end_ms);
    if (span_is(what, "Elapsed"))
        return snap_duration(r, t, &r->part->elapsed_printed_s);
    return span_is(what, "DB Time") ? snap_duration(r, t, &r->part->now.db_time_s) : 0;
}

int awr_add_load(struct awr_report *r, struct awr_part *p, const char *key, double per_s,
                 int64_t line)
{
    struct awr_stat s = { key, NAN, per_s, line };
    return key ? awr_list_add(r, &p->load_profile, &s, sizeof s, AWR_FEW_MAX) : err_nomem(r->err);
}

int awr_load_row(struct awr_report *r, const struct awr_taken *t)
{
    static const char *const per[] = { "per_s", "per_txn", "per_exec", "per_call" };
    int rc = 0;
    for (int i = 0; i < 4 && !rc; i++)
        if (!isnan(t->num[PER_1 + i]))
            rc = awr_add_load(r, r->part, awr_load_key(r->arena, t->text[PER_WHAT], per[i]),
                              t->num[PER_1 + i], t->line);
    return rc;
}

int awr_io_profile_row(struct awr_report *r, const struct awr_taken *t)
{
    static const char *const of[] = { "read+write", "read", "write" };
    for (int i = 0; i < 3; i++) {
        struct awr_stat s = { arena_printf(r->arena, "%.*s %s", SPAN_ARG(t->text[PER_WHAT]), of[i]),
                              NAN, t->num[PER_1 + i], t->line };
        if (!s.name)
            return err_nomem(r->err);
        int rc = awr_list_add(r, &r->part->io_profile, &s, sizeof s, AWR_FEW_MAX);
        if (rc)
            return rc;
    }
    return 0;
}

int awr_event_row(struct awr_report *r, const struct awr_taken *t)
{
    struct awr_event v = { NULL,           NULL,           t->num[EV_WAITS], t->num[EV_TIME],
                           t->num[EV_AVG], t->num[EV_PCT], t->line };
    struct span name = awr_name_whole(AWR_EVENT, t->text[EV_NAME], t->name_width);
    /* any width: a class is clipped to 8 or 10 and has few values */
    struct span class = t->text[EV_CLASS];
    if (t->name_width)
        class = awr_name_whole(AWR_WAIT_CLASS, class, class.len);
    int rc = awr_keep(r, name, &v.name);
    if (!rc)
        rc = awr_keep(r, class, &v.wait_class);
    if (rc || !v.name)
        return rc;
    return awr_list_add(r, &r->part->events, &v, sizeof v, AWR_FEW_MAX);
}

struct awr_io_row *awr_io_row_of(struct awr_report *r, struct awr_list *list, const char *name,
                                 int64_t line)
{
    struct awr_io_row *rows = list->items;
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    const struct awr_io_row row = { name, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, line };
    if (awr_list_add(r, list, &row, sizeof row, AWR_FEW_MAX))
        return NULL;
    rows = list->items;
    return &rows[list->n - 1];
}

static int io_row(struct awr_report *r, const struct awr_taken *t, struct awr_list *list,
                  enum awr_name_kind kind)
{
    bool by_function = kind == AWR_FUNCTION;
    struct awr_io_row row = {
        .read_bytes = t->num[IO_R],
        .read_requests_per_s = t->num[IO_R_REQ],
        .read_bytes_per_s = t->num[IO_R_RATE],
        .write_bytes = t->num[IO_W],
        .write_requests_per_s = t->num[IO_W_REQ],
        .write_bytes_per_s = t->num[IO_W_RATE],
        .small_read_ms = by_function ? NAN : t->num[IO_8],
        .large_read_ms = by_function ? NAN : t->num[IO_9],
        .waits = by_function ? t->num[IO_8] : NAN,
        .wait_avg_ms = by_function ? t->num[IO_9] : NAN,
        .line = t->line,
    };
    int rc = awr_keep(r, awr_name_whole(kind, t->text[IO_NAME], t->name_width), &row.name);
    if (rc || !row.name)
        return rc;
    const struct awr_io_row *rows = list->items;
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(rows[i].name, row.name) == 0)
            return awr_warn(r, t->line, "'%.60s' is printed twice (first in line %lld): not added",
                            row.name, (long long)rows[i].line);
    return awr_list_add(r, list, &row, sizeof row, AWR_FEW_MAX);
}

static int filetype_row(struct awr_report *r, const struct awr_taken *t)
{
    return io_row(r, t, &r->part->filetypes, AWR_FILETYPE);
}

int awr_function_row(struct awr_report *r, const struct awr_taken *t)
{
    return io_row(r, t, &r->part->functions, AWR_FUNCTION);
}

int awr_stat_row(struct awr_report *r, const struct awr_taken *t)
{
    struct awr_stat s = { NULL, t->num[STAT_TOTAL], t->num[STAT_PER_S], t->line };
    int rc = awr_keep(r, awr_name_whole(AWR_STATISTIC, t->text[STAT_NAME], t->name_width), &s.name);
    return rc || !s.name ? rc : awr_list_add(r, &r->part->stats, &s, sizeof s, AWR_ROWS_MAX);
}

#define IO_COLUMNS                                                                                 \
    AWR_NEEDED(awr_cell_bytes, "reads: data"), AWR_NEEDED(awr_cell_count, "reqs per sec"),         \
        AWR_NEEDED(awr_cell_bytes_per_mibs, "data per sec"),                                       \
        AWR_NEEDED(awr_cell_bytes, "writes: data"), AWR_NEEDED(awr_cell_count, "reqs per sec"),    \
        AWR_NEEDED(awr_cell_bytes_per_mibs, "data per sec")

const struct awr_section awr_sections[] = {
    { .name = "database",
      .columns = { AWR_NEEDED_TEXT("db name"), AWR_NEEDED_TEXT("db id"), AWR_TEXT("instance"),
                   AWR_TEXT("inst num"), AWR_TEXT("release"), AWR_TEXT("rac"), AWR_TEXT("host") },
      .row = awr_identity_row },
    { .name = "instance",
      .columns = { [ID_INSTANCE] = AWR_NEEDED_TEXT("instance"),
                   [ID_NUMBER] = AWR_NEEDED_TEXT("inst num"),
                   [ID_RELEASE] = AWR_TEXT("release"),
                   [ID_RAC] = AWR_TEXT("rac") },
      .row = awr_identity_row },
    { .name = "host",
      .columns = { AWR_NEEDED_TEXT("host name"), AWR_NEEDED_TEXT("platform"),
                   AWR_FIGURE(awr_cell_number, "cpus") },
      .row = awr_host_row },
    { .name = "snapshots",
      .columns = { AWR_NEEDED_TEXT("*"), AWR_NEEDED_TEXT("snap id"), AWR_NEEDED_TEXT("snap time") },
      .row = snap_row,
      .colon = true },
    AWR_LOAD_PROFILE,
    { .name = "IO Profile",
      .columns = { AWR_NEEDED_TEXT("*"),
                   AWR_NEEDED(awr_cell_number, "read+write/second", "read+write per second"),
                   AWR_NEEDED(awr_cell_number, "read/second", "read per second"),
                   AWR_NEEDED(awr_cell_number, "write/second", "write per second") },
      .row = awr_io_profile_row,
      .colon = true,
      .once = true,
      .minor = true },
    { .name = "top events",
      .columns = { AWR_NEEDED_TEXT("event"), AWR_NEEDED(awr_cell_count, "waits"),
                   AWR_NEEDED(awr_cell_count, "total wait time (sec)", "total wait time (s)",
                              "time(s)", "time (s)", "tota time", "total time", "time"),
                   AWR_FIGURE(awr_cell_ms, "avg wait", "avg wait (ms)", "avg wait(ms)",
                              "wait avg(ms)", "avg(ms)", "(ms)", "avg (ms)"),
                   AWR_NEEDED(awr_cell_number, "% db time", "%db time", "% total call time",
                              "%total call time", "call time", "time"),
                   AWR_NEEDED_TEXT("wait class") },
      .row = awr_event_row,
      .once = true,
      .minor = true },
    { .name = "IOStat by Filetype summary",
      .key = "filetype name",
      .columns = { AWR_NEEDED_TEXT("filetype name"), IO_COLUMNS,
                   AWR_FIGURE(awr_cell_ms, "small read"), AWR_FIGURE(awr_cell_ms, "large read") },
      .row = filetype_row },
    { .name = "IOStat by Function summary",
      .key = "function name",
      .columns = { AWR_NEEDED_TEXT("function name"), IO_COLUMNS,
                   AWR_FIGURE(awr_cell_count, "waits: count"),
                   AWR_FIGURE(awr_cell_ms, "avg tm(ms)", "avg time") },
      .row = awr_function_row },
    AWR_ACTIVITY_STATS,
    { .name = NULL },
};
