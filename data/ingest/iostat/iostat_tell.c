/* data/ingest/iostat/iostat_tell.c - warnings and refusals of the iostat reader. */
#include "data/ingest/iostat/iostat_reader.h"

#include "models/core/timestamp.h"
#include "models/core/unit.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { COMPLAINTS_SHOWN = 3 };

static int pass_on(struct iostat_reader *r, int64_t line, const char *text)
{
    return r->sink->warning ? r->sink->warning(r->sink->ctx, line, text, r->e) : 0;
}

int iostat_warn(struct iostat_reader *r, int64_t line, const char *fmt, ...)
{
    char text[400];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return pass_on(r, line, text);
}

int iostat_complain(struct iostat_reader *r, enum complaint kind, int64_t line, const char *fmt,
                    ...)
{
    if (++r->complaints[kind] > COMPLAINTS_SHOWN)
        return 0;
    char text[400];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return pass_on(r, line, text);
}

int iostat_refuse(struct iostat_reader *r, int64_t line, const char *fmt, ...)
{
    char text[400];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return err_set(r->e, ERR_PARSE, "%s:%lld: %s", source_path(r->src), (long long)line, text);
}

static int tell_missing(struct iostat_reader *r)
{
    const struct iostat_time *t = &r->time;
    if (t->n_reports == 0)
        return iostat_warn(r, 0, "no device table (iostat -c, or nothing but a header)");
    if (t->stamps && t->last_report_ms == UNKNOWN)
        return iostat_warn(r, 0, "the stamps have no date");
    if (t->stamps || t->n_snapshots || (t->o->date_ms != UNKNOWN && !isnan(t->o->interval_s)))
        return 0;
    return iostat_warn(
        r, 0, "no time stamps (iostat -t): say --date and --interval to place the samples");
}

int iostat_tell_totals(struct iostat_reader *r)
{
    static const char *const words[COMPLAINT_COUNT] = {
#define X(name, words) [name] = (words),
        COMPLAINT_TABLE(X)
#undef X
    };
    int rc = tell_missing(r);
    for (int i = 0; i < COMPLAINT_COUNT && !rc; i++)
        if (r->complaints[i] > COMPLAINTS_SHOWN)
            rc = iostat_warn(r, 0, "in all %lld %s", (long long)r->complaints[i], words[i]);
    return rc;
}

static int tell_guess(struct iostat_reader *r, int64_t line)
{
    char was[32], other[32];
    const struct iostat_date d = r->time.guessed;
    r->time.guessed = (struct iostat_date){ 0 };
    return iostat_warn(r, line,
                       "date %02d/%02d/%02d is read as %s; say --date %s if the day comes first",
                       d.a, d.b, d.c, time_format_date(was, iostat_day_ms(&d, ORDER_MONTH_FIRST)),
                       time_format_date(other, iostat_day_ms(&d, ORDER_DAY_FIRST)));
}

int iostat_tell_time(struct iostat_reader *r, enum time_odd odd, int64_t line,
                     const struct iostat_date *d)
{
    char buf[32];
    const struct iostat_time *t = &r->time;
    switch (odd) {
    case TIME_FINE:
        return 0;
    case TIME_NO_STAMP:
        return iostat_complain(r, ODD_NO_STAMP, line,
                               "this report has no time stamp that can be read");
    case TIME_REPEATED:
        return iostat_complain(r, ODD_REPEATED, line,
                               "time %s is that of the report before: length unknown",
                               time_format_iso(buf, t->report_ms));
    case TIME_BACKWARD:
        return iostat_complain(r, ODD_BACKWARD, line,
                               "time goes back to %s: length of the interval unknown",
                               time_format_iso(buf, t->report_ms));
    case TIME_LONGER:
        return iostat_complain(r, ODD_LONGER, line,
                               "%.0f s since the report before, more than until then: taken as one "
                               "interval; cut the file there if reports are missing",
                               t->interval_s);
    case TIME_GUESSED:
        return tell_guess(r, line);
    case TIME_RESTARTED:
        return iostat_warn(r, line, "iostat was started again: samples from here on have no time");
    case TIME_ZONE_ASSUMED:
        return iostat_warn(r, line,
                           "the zone of this time is a name, which many zones share: taken as UTC; "
                           "--tz says otherwise");
    case TIME_STEP_ASSUMED:
        return iostat_warn(r, line,
                           "reports below one zzz line are taken as 1 s apart, as OSWatcher runs "
                           "iostat; --interval says otherwise");
    case TIME_CONTRADICTED:
        break;
    }
    return iostat_refuse(r, line,
                         "date %02d/%02d/%02d is not %s like the dates before it; say --date with "
                         "the day of the first sample",
                         d->a, d->b, d->c, t->order == ORDER_DAY_FIRST ? "day/month" : "month/day");
}
