/* data/ingest/diskstats/diskstats.c - see diskstats.h.
 *
 * Counters of a line, in sectors of 512 bytes and milliseconds (Documentation/admin-guide/
 * iostats.rst of Linux):
 *
 *     reads merged sectors ms  writes merged sectors ms  in_flight busy_ms weighted_ms
 *     [discards merged sectors ms  [flushes ms]]
 *     reads sectors writes sectors                       partitions before 2.6.25
 *
 * util = busy_ms / interval, queue = weighted_ms / interval, await = ms / requests.  A counter that
 * falls alone, below 2^32, has wrapped; when several fall the device or the host started anew and
 * the interval is lost. */
#include "data/ingest/diskstats/diskstats.h"

#include "data/ingest/json/feed.h"
#include "data/ingest/oswatcher/zzz.h"
#include "data/ingest/text/text_line.h"
#include "data/zone.h"
#include "models/core/timestamp.h"
#include "models/core/unit.h"

#include <math.h>

enum { DEVICES_MAX = 16384, WORDS_MAX = 32 };

enum counter {
    READS,
    READ_MERGES,
    READ_SECTORS,
    READ_MS,
    WRITES,
    WRITE_MERGES,
    WRITE_SECTORS,
    WRITE_MS,
    BUSY_MS,
    WEIGHTED_MS,
    COUNTERS
};

/* Place in a line of the counters above. */
static const int places[COUNTERS] = { 0, 1, 2, 3, 4, 5, 6, 7, 9, 10 };

struct reading {
    int64_t time_ms; /* UNKNOWN */
    int64_t number;  /* of the readings in the file, from 1 */
    bool short_form; /* merges and times are not there */
    int64_t counter[COUNTERS];
};

struct device {
    struct text_name name;
    struct reading last;
};

struct reader {
    struct feed *f;
    struct device *devices;
    size_t n_devices, room, next;
    int64_t time_ms;      /* of the reading; UNKNOWN */
    int64_t last_time_ms; /* that a line gave; UNKNOWN */
    double uptime_s;      /* NaN */
    int64_t n_reading;    /* from 1 */
    bool has_times, zone_told, no_interval_told;
};

static int64_t line_no(const struct reader *r)
{
    return source_line_no(r->f->src);
}

/* --- lines ------------------------------------------------------------------------------------ */

struct line_of_device {
    struct span name;
    size_t n; /* counters */
    int64_t v[WORDS_MAX];
};

/* Non-zero for any other line. */
static int parse_device(struct span line, struct line_of_device *out)
{
    struct span word;
    int64_t major, minor;
    if (span_word(&line, &word) || span_int(&word, &major) || word.len || span_word(&line, &word) ||
        span_int(&word, &minor) || word.len || span_word(&line, &out->name))
        return -1;
    char c = out->name.ptr[0];
    if (major < 0 || minor < 0 || (c >= '0' && c <= '9') || out->name.len > TEXT_NAME_MAX)
        return -1;
    out->n = 0;
    while (out->n < WORDS_MAX && span_word(&line, &word) == 0) {
        int64_t *v = &out->v[out->n++];
        if (span_int(&word, v) || word.len || *v < 0)
            return -1;
    }
    return out->n == 4 || out->n >= 11 ? 0 : -1;
}

/* "TS 1344561790.012145298 2012-08-09 21:23:10", "1344561790", ISO, date(1).  1 = a time, 0 = none,
 * negative = the sink said no. */
static int parse_time(struct reader *r, struct span text, int64_t *out)
{
    struct span rest = text, word;
    struct zzz z;
    double epoch;
    int rc = 0;
    if (span_starts(text, "TS "))
        rest = span_cut(text, 3, text.len);
    if (span_word(&rest, &word) == 0 && span_double(&word, &epoch) == 0 && !word.len && epoch > 1e8)
        return feed_epoch(epoch, out) == 0;
    if (feed_time(r->f, text, line_no(r), out, &rc) == 0)
        return rc < 0 ? rc : 1;
    if (zzz_parse(text, &z) && zzz_parse_date(text, &z))
        return 0;
    if (z.day_ms == UNKNOWN)
        return 0;
    int64_t wall_ms = z.day_ms + z.clock_ms;
    *out = z.offset_ms == UNKNOWN ? zone_to_utc_after(r->f->options->zone, wall_ms, r->last_time_ms)
                                  : wall_ms - z.offset_ms;
    bool tell = z.offset_ms == UNKNOWN && !r->f->options->zone && !r->zone_told;
    r->zone_told = r->zone_told || tell;
    if (tell)
        rc = feed_warn(r->f, line_no(r),
                       "times without an offset are taken as UTC; --tz says "
                       "otherwise");
    return rc < 0 ? rc : 1;
}

/* /proc/uptime: seconds since boot, and idle seconds of all processors. */
static bool parse_uptime(struct span text, double *out)
{
    struct span word, idle;
    double up, unused;
    if (span_word(&text, &word) || span_word(&text, &idle) || span_trim(text).len ||
        span_double(&word, &up) || word.len || span_double(&idle, &unused) || idle.len || !(up > 0))
        return false;
    *out = up;
    return true;
}

/* --- devices ---------------------------------------------------------------------------------- */

/* Readings list their devices in the same order. */
static struct device *find(struct reader *r, struct span name)
{
    for (size_t i = 0; i < r->n_devices; i++) {
        size_t at = (r->next + i) % r->n_devices;
        if (span_eq(text_name_span(&r->devices[at].name), name)) {
            r->next = at + 1;
            return &r->devices[at];
        }
    }
    return NULL;
}

static int add(struct reader *r, struct span name, struct device **out)
{
    if (r->n_devices == DEVICES_MAX) {
        err_set(r->f->err, ERR_LIMIT, "%s:%lld: more than %d devices", source_path(r->f->src),
                (long long)line_no(r), (int)DEVICES_MAX);
        return ERR_LIMIT;
    }
    if (!r->devices || r->n_devices == r->room) {
        size_t room = r->room ? r->room * 2 : 32;
        struct device *grown =
            arena_grow(r->f->arena, r->devices, r->n_devices, room, sizeof *grown);
        if (!grown) {
            err_nomem(r->f->err);
            return ERR_NOMEM;
        }
        r->devices = grown;
        r->room = room;
    }
    *out = &r->devices[r->n_devices++];
    text_name_set(&(*out)->name, name);
    return 0;
}

static struct reading to_reading(const struct reader *r, const struct line_of_device *l)
{
    struct reading now = { .time_ms = r->time_ms, .number = r->n_reading, .short_form = l->n == 4 };
    if (now.short_form) {
        now.counter[READS] = l->v[0];
        now.counter[READ_SECTORS] = l->v[1];
        now.counter[WRITES] = l->v[2];
        now.counter[WRITE_SECTORS] = l->v[3];
    } else {
        for (int i = 0; i < COUNTERS; i++)
            now.counter[i] = l->v[places[i]];
    }
    return now;
}

/* What was counted between two readings; false when the counters started anew. */
static bool difference(const struct reading *from, const struct reading *to, double out[COUNTERS])
{
    const int64_t wrap = INT64_C(1) << 32;
    int n_fallen = 0;
    for (int i = 0; i < COUNTERS; i++) {
        int64_t d = to->counter[i] - from->counter[i]; /* both are at least 0 */
        if (d < 0) {
            n_fallen++;
            if (from->counter[i] >= wrap)
                return false;
            d += wrap;
        }
        out[i] = (double)d;
    }
    return n_fallen <= 1;
}

static double ratio(double a, double b)
{
    return b > 0 ? a / b : (double)NAN;
}

/* d: counted in seconds (NaN = unknown). */
static struct io_sample make_sample(const double d[COUNTERS], double seconds, bool short_form)
{
    struct io_sample s = io_sample_unknown();
    double none = short_form ? (double)NAN : 0;
    s.reads_per_s = d[READS] / seconds;
    s.writes_per_s = d[WRITES] / seconds;
    s.read_kib_per_s = d[READ_SECTORS] / 2 / seconds;
    s.write_kib_per_s = d[WRITE_SECTORS] / 2 / seconds;
    s.read_request_kib = ratio(d[READ_SECTORS] / 2, d[READS]);
    s.write_request_kib = ratio(d[WRITE_SECTORS] / 2, d[WRITES]);
    s.request_kib = ratio((d[READ_SECTORS] + d[WRITE_SECTORS]) / 2, d[READS] + d[WRITES]);
    s.read_merge_pct = ratio(100 * d[READ_MERGES], d[READ_MERGES] + d[READS]) + none;
    s.write_merge_pct = ratio(100 * d[WRITE_MERGES], d[WRITE_MERGES] + d[WRITES]) + none;
    s.read_await_ms = ratio(d[READ_MS], d[READS]) + none;
    s.write_await_ms = ratio(d[WRITE_MS], d[WRITES]) + none;
    s.await_ms = ratio(d[READ_MS] + d[WRITE_MS], d[READS] + d[WRITES]) + none;
    s.queue = d[WEIGHTED_MS] / 1000 / seconds + none;
    s.util_pct = 100 * d[BUSY_MS] / 1000 / seconds + none;
    io_sample_complete(&s);
    return s;
}

/* Seconds between two readings; NaN. */
static double seconds_between(const struct reader *r, const struct reading *from,
                              const struct reading *to)
{
    if (from->time_ms != UNKNOWN && to->time_ms != UNKNOWN) {
        double ms = (double)to->time_ms - (double)from->time_ms;
        return ms > 0 ? ms / 1000 : (double)NAN;
    }
    return r->has_times ? (double)NAN
                        : (double)(to->number - from->number) * r->f->options->interval_s;
}

static int hand_over(struct reader *r, struct span name, struct io_sample *s, double seconds)
{
    char buf[TEXT_NAME_MAX];
    s->time_ms = r->time_ms;
    s->interval_s = seconds;
    s->device = text_device_name(name, buf);
    s->line = line_no(r);
    return feed_sample(r->f, s);
}

static int first_reading(struct reader *r, const struct line_of_device *l,
                         const struct reading *now)
{
    double total[COUNTERS];
    for (int i = 0; i < COUNTERS; i++)
        total[i] = (double)now->counter[i];
    struct io_sample s =
        make_sample(total, r->n_reading == 1 ? r->uptime_s : (double)NAN, now->short_form);
    s.since_boot = true;
    return hand_over(r, l->name, &s, (double)NAN);
}

static int next_reading(struct reader *r, const struct line_of_device *l,
                        const struct reading *last, const struct reading *now)
{
    double counted[COUNTERS];
    if (!difference(last, now, counted)) {
        int rc = feed_warn(r->f, line_no(r),
                           "device %.*s: its counters started anew, no rates for this interval",
                           SPAN_ARG(l->name));
        return rc ? rc : first_reading(r, l, now);
    }
    double seconds = seconds_between(r, last, now);
    int rc = 0;
    if (isnan(seconds) && !r->no_interval_told) {
        r->no_interval_told = true;
        rc = feed_warn(r->f, line_no(r),
                       r->has_times ? "times do not rise: no rates for this interval"
                                    : "readings without a time: say --interval to get rates");
    }
    struct io_sample s = make_sample(counted, seconds, now->short_form || last->short_form);
    return rc ? rc : hand_over(r, l->name, &s, seconds);
}

/* A name that comes again, or a time behind devices, begins a new reading. */
static void begin_reading(struct reader *r)
{
    r->n_reading++;
    const struct ingest_options *o = r->f->options;
    double after_ms = (double)(r->n_reading - 1) * o->interval_s * 1000;
    bool counted = o->date_ms != UNKNOWN && !isnan(o->interval_s) && after_ms < 1e14;
    if (!r->has_times && counted)
        r->time_ms = zone_to_utc(o->zone, o->date_ms) + (int64_t)after_ms;
}

static int on_device(struct reader *r, const struct line_of_device *l)
{
    struct device *d = find(r, l->name);
    if (r->n_reading == 0 || (d && d->last.number == r->n_reading)) {
        begin_reading(r);
        if (r->has_times && d)
            r->time_ms = UNKNOWN; /* its time line is missing */
    }
    struct reading now = to_reading(r, l);
    struct reading last = d ? d->last : now;
    bool first = !d;
    int rc = first ? add(r, l->name, &d) : 0;
    if (rc)
        return rc;
    d->last = now;
    return first ? first_reading(r, l, &now) : next_reading(r, l, &last, &now);
}

static int on_line(struct reader *r, struct span text)
{
    struct line_of_device l;
    int64_t time_ms;
    if (parse_device(text, &l) == 0)
        return on_device(r, &l);
    int rc = parse_time(r, text, &time_ms);
    if (rc < 0)
        return rc;
    if (rc == 1) {
        r->has_times = true;
        r->time_ms = r->last_time_ms = r->f->after_ms = time_ms;
        begin_reading(r);
        return 0;
    }
    if (parse_uptime(text, &r->uptime_s))
        return 0;
    r->f->skipped++;
    return feed_warn(r->f, line_no(r), "line skipped: '%.*s'", SPAN_ARG(text));
}

static int read_body(struct feed *f)
{
    struct reader r = {
        .f = f, .time_ms = UNKNOWN, .last_time_ms = UNKNOWN, .uptime_s = (double)NAN
    };
    struct span line;
    int rc;
    while ((rc = source_line(f->src, &line, f->err)) == 1) {
        line = span_trim(line);
        if (!line.len)
            continue;
        if (source_line_is_open(f->src) && r.n_reading > 1) { /* its last counter may be cut */
            f->skipped++;
            return feed_warn(f, line_no(&r), "the file ends in this line: it is left out");
        }
        rc = on_line(&r, line);
        if (rc)
            return rc;
    }
    if (!rc && !r.n_devices)
        return feed_fault(f, 1, "no line of /proc/diskstats in it");
    if (!rc && r.n_reading < 2)
        rc = feed_warn(f, 0, "one reading: the time since boot, no rates of an interval");
    return rc;
}

int diskstats_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                   struct arena *a, int64_t *rows, int64_t *skipped, struct err *e)
{
    return feed_run(src, o, sink, a, rows, skipped, e, read_body);
}

int diskstats_detect(struct span head)
{
    struct span line;
    struct line_of_device l;
    for (int n = 0; n < 10 && span_field(&head, '\n', &line) == 0; n++)
        if (parse_device(span_trim(line), &l) == 0)
            return 90;
    return 0;
}
