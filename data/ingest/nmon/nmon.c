/* data/ingest/nmon/nmon.c - see nmon.h.
 *
 * A snapshot is handed over when it has its time and a line of another one comes, or when its time
 * comes after its figures, or at the end.  Its interval is the time since the one before; the first
 * one's is what the heading says (AAA,interval). */
#include "data/ingest/nmon/nmon.h"

#include "data/ingest/json/feed.h"
#include "data/ingest/nmon/nmon_disks.h"
#include "data/zone.h"
#include "models/core/timestamp.h"
#include "models/core/unit.h"

#include <math.h>
#include <string.h>

struct reader {
    struct feed *f;
    struct nmon_disks *disks;
    struct text_name host;
    double interval_s;             /* AAA; NaN */
    int64_t day_ms, last_clock_ms; /* for ZZZZ lines without a date; UNKNOWN */
    int64_t last_ms;               /* of the snapshot handed over last; UNKNOWN */
    bool has_lines, headless_told;
};

static int64_t line_no(const struct reader *r)
{
    return source_line_no(r->f->src);
}

/* --- time ------------------------------------------------------------------------------------- */

/* dd-MON-yyyy with English months; UNKNOWN. */
static int64_t parse_day(struct span s)
{
    static const char months[] = "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC";
    int64_t day, year;
    s = span_trim(s);
    if (span_int(&s, &day) || s.len < 5 || s.ptr[0] != '-' || s.ptr[4] != '-')
        return UNKNOWN;
    struct span month = span_cut(s, 1, 4), digits = span_cut(s, 5, s.len);
    if (span_int(&digits, &year) || digits.len || day < 1 || day > 31 || year < 1 || year > 9999)
        return UNKNOWN;
    for (size_t i = 0; i < 12; i++)
        if (span_eq_nocase(month, (struct span){ months + 3 * i, 3 })) {
            struct civil c = { .year = (int)year, .month = (int)i + 1, .day = (int)day };
            return time_from_civil(&c);
        }
    return UNKNOWN;
}

/* hh:mm:ss, or hh:mm.ss; UNKNOWN. */
static int64_t parse_clock(struct span s)
{
    int64_t v[3];
    s = span_trim(s);
    for (int i = 0; i < 3; i++) {
        if (span_int(&s, &v[i]) || v[i] < 0 || v[i] > 59 || (i < 2 && !s.len))
            return UNKNOWN;
        if (i < 2 && s.ptr[0] != ':' && s.ptr[0] != '.')
            return UNKNOWN;
        s = span_cut(s, i < 2, s.len);
    }
    return s.len || v[0] > 23 ? UNKNOWN : (v[0] * 3600 + v[1] * 60 + v[2]) * 1000;
}

static int64_t parse_time(struct reader *r, struct span cells)
{
    struct span clock, day = { NULL, 0 };
    if (span_field(&cells, ',', &clock))
        return UNKNOWN;
    span_field(&cells, ',', &day);
    int64_t clock_ms = parse_clock(clock), day_ms = parse_day(day);
    if (clock_ms == UNKNOWN)
        return UNKNOWN;
    if (day_ms != UNKNOWN) {
        r->day_ms = day_ms;
    } else if (r->day_ms != UNKNOWN && r->last_clock_ms != UNKNOWN &&
               clock_ms < r->last_clock_ms - DAY_MS / 2) {
        r->day_ms += DAY_MS;
    }
    r->last_clock_ms = clock_ms;
    if (r->day_ms == UNKNOWN)
        return UNKNOWN;
    return zone_to_utc_after(r->f->options->zone, r->day_ms + clock_ms, r->last_ms);
}

/* --- snapshots -------------------------------------------------------------------------------- */

static int hand_over(struct reader *r, size_t index)
{
    const struct nmon_snapshot *s = &r->disks->open[index];
    double interval_s = r->interval_s;
    if (r->last_ms != UNKNOWN && s->time_ms != UNKNOWN)
        interval_s =
            s->time_ms > r->last_ms ? (double)(s->time_ms - r->last_ms) / 1000 : (double)NAN;
    int rc = 0;
    if (isnan(interval_s) && s->time_ms != UNKNOWN && r->last_ms != UNKNOWN)
        rc = feed_warn(r->f, s->line, "T%04lld: time does not rise: length of the interval unknown",
                       (long long)s->number);
    for (size_t i = 0; i < r->disks->n_names && !rc; i++) {
        struct io_sample sample;
        if (!nmon_sample(r->disks, s, i, &sample))
            continue;
        sample.interval_s = interval_s;
        sample.host = text_name_span(&r->host);
        rc = feed_sample(r->f, &sample);
    }
    if (s->time_ms != UNKNOWN)
        r->last_ms = s->time_ms;
    nmon_close(r->disks, index);
    return rc;
}

/* Those that have all they need now that a line of another one is here. */
static int hand_over_others(struct reader *r, int64_t number)
{
    for (size_t i = 0; i < r->disks->n_open;) {
        const struct nmon_snapshot *s = &r->disks->open[i];
        if (s->number == number || !s->has_time || !s->has_figures) {
            i++;
            continue;
        }
        int rc = hand_over(r, i);
        if (rc)
            return rc;
    }
    return 0;
}

static int hand_over_rest(struct reader *r)
{
    bool untimed = false;
    while (r->disks->n_open) {
        untimed = untimed || (r->disks->open[0].has_figures && !r->disks->open[0].has_time);
        int rc = hand_over(r, 0);
        if (rc)
            return rc;
    }
    return untimed ? feed_warn(r->f, 0, "snapshots without a time (ZZZZ)") : 0;
}

/* --- lines ------------------------------------------------------------------------------------ */

/* T0001 */
static bool parse_number(struct span cell, int64_t *out)
{
    struct span digits = span_cut(cell, 1, cell.len);
    return cell.len > 1 && cell.ptr[0] == 'T' && digits.ptr[0] != '-' && digits.ptr[0] != '+' &&
           span_int(&digits, out) == 0 && !digits.len;
}

static int on_about(struct reader *r, struct span key, struct span cells)
{
    struct span value = { NULL, 0 };
    double v;
    span_field(&cells, ',', &value);
    value = span_trim(value);
    if (span_is(key, "host"))
        text_name_set(&r->host, value);
    else if (span_is(key, "date") && r->day_ms == UNKNOWN)
        r->day_ms = parse_day(value);
    else if (span_is(key, "interval") && span_double(&value, &v) == 0 && v > 0 && v < 1e6)
        r->interval_s = v;
    return 0;
}

static int on_time(struct reader *r, int64_t number, struct span cells)
{
    struct nmon_snapshot *s;
    int rc = hand_over_others(r, number);
    if (!rc)
        rc = nmon_open(r->disks, number, &s, r->f->err);
    if (rc)
        return rc;
    s->time_ms = parse_time(r, cells);
    s->has_time = true;
    if (s->time_ms == UNKNOWN)
        rc = feed_warn(r->f, line_no(r), "T%04lld: its time cannot be read", (long long)number);
    if (rc || !s->has_figures)
        return rc;
    return hand_over(r, (size_t)(s - r->disks->open)); /* the time came last */
}

static int on_figures(struct reader *r, enum nmon_kind kind, size_t part, int64_t number,
                      struct span cells)
{
    struct nmon_snapshot *s;
    int rc = hand_over_others(r, number);
    if (!rc)
        rc = nmon_open(r->disks, number, &s, r->f->err);
    if (rc)
        return rc;
    if (!s->has_figures)
        s->line = line_no(r);
    rc = nmon_take_figures(r->disks, s, kind, part, cells, source_line_is_open(r->f->src),
                           r->f->err);
    if (rc < 0)
        return rc;
    if (rc > 0)
        return r->disks->unknown.ptr
                   ? feed_warn(r->f, line_no(r), "a figure is '%.*s': taken as unknown",
                               SPAN_ARG(r->disks->unknown))
                   : 0;
    r->f->skipped++;
    if (r->headless_told)
        return 0;
    r->headless_told = true;
    return feed_warn(r->f, line_no(r), "figures before the line that names their disks: skipped");
}

static int on_line(struct reader *r, struct span line)
{
    struct span word, second, rest = line;
    enum nmon_kind kind;
    size_t part;
    int64_t number;
    if (!line.len || (line.ptr[0] != 'A' && line.ptr[0] != 'D' && line.ptr[0] != 'Z'))
        return 0;
    if (span_field(&rest, ',', &word) || span_field(&rest, ',', &second))
        return 0;
    if (span_is(word, "AAA"))
        return on_about(r, second, rest);
    if (span_is(word, "ZZZZ") && parse_number(second, &number))
        return on_time(r, number, rest);
    if (line.ptr[0] != 'D' || !nmon_kind_of(word, &kind, &part))
        return 0;
    r->has_lines = true;
    if (parse_number(second, &number))
        return on_figures(r, kind, part, number, rest);
    int rc = nmon_take_heading(r->disks, kind, part, rest, r->f->err);
    return rc;
}

static int read_body(struct feed *f)
{
    struct nmon_disks *disks = arena_alloc(f->arena, sizeof *disks);
    if (!disks)
        return err_nomem(f->err);
    disks->a = f->arena;
    struct reader r = { .f = f,
                        .disks = disks,
                        .interval_s = (double)NAN,
                        .day_ms = f->options->date_ms == UNKNOWN
                                      ? UNKNOWN
                                      : f->options->date_ms - f->options->date_ms % DAY_MS,
                        .last_clock_ms = UNKNOWN,
                        .last_ms = UNKNOWN };
    struct span line;
    int rc;
    while ((rc = source_line(f->src, &line, f->err)) == 1) {
        rc = on_line(&r, line);
        if (rc == ERR_LIMIT)
            err_prefix(f->err, "%s:%lld", source_path(f->src), (long long)line_no(&r));
        if (rc)
            return rc;
    }
    if (rc)
        return rc;
    if (!r.has_lines)
        return feed_fault(f, 1, "no figures of disks in it (DISKREAD, DISKWRITE, DISKXFER ...)");
    if (!disks->n_names)
        return feed_fault(f, 1, "no line names the disks (DISKREAD,...,sda,sdb): it was cut out");
    return hand_over_rest(&r);
}

int nmon_read(struct source *src, const struct ingest_options *o, struct sink *sink,
              struct arena *a, int64_t *rows, int64_t *skipped, struct err *e)
{
    return feed_run(src, o, sink, a, rows, skipped, e, read_body);
}

int nmon_detect(struct span head)
{
    struct span s = span_trim(head);
    if (span_starts(s, "AAA,progname,") || span_starts(s, "AAA,"))
        return 100;
    return span_starts(s, "ZZZZ,T") || span_starts(s, "DISKBUSY,") ? 90 : 0;
}
