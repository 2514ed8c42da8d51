/* data/ingest/json/feed.c - see feed.h. */
#include "data/ingest/json/feed.h"

#include "data/zone.h"
#include "models/core/timestamp.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static int warn_text(struct feed *f, int64_t line, const char *text)
{
    return f->sink->warning ? f->sink->warning(f->sink->ctx, line, text, f->err) : 0;
}

int feed_run(struct source *src, const struct ingest_options *o, struct sink *sink, struct arena *a,
             int64_t *rows, int64_t *skipped, struct err *e, int (*body)(struct feed *f))
{
    struct feed f = { .src = src, .options = o, .sink = sink, .arena = a, .err = e };
    int rc = body(&f);
    if (!rc && f.warnings > FEED_WARNINGS_MAX) {
        char text[80];
        snprintf(text, sizeof text, "%lld more warnings are not shown",
                 (long long)(f.warnings - FEED_WARNINGS_MAX));
        rc = warn_text(&f, 0, text);
    }
    if (rc)
        return rc;
    *rows = f.rows;
    *skipped = f.skipped;
    return 0;
}

int feed_fault(struct feed *f, int64_t line, const char *fmt, ...)
{
    char text[400];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return err_set(f->err, ERR_PARSE, "%s:%lld: %s", source_path(f->src), (long long)line, text);
}

int feed_warn(struct feed *f, int64_t line, const char *fmt, ...)
{
    if (f->warnings++ >= FEED_WARNINGS_MAX)
        return 0;
    char text[400];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return warn_text(f, line, text);
}

int feed_unknown(struct feed *f, int64_t line, struct span device, struct span figure)
{
    return feed_warn(f, line, "device %.*s: a figure is '%.*s': taken as unknown", SPAN_ARG(device),
                     SPAN_ARG(figure));
}

int feed_sample(struct feed *f, const struct io_sample *s)
{
    f->rows++;
    return f->sink->sample ? f->sink->sample(f->sink->ctx, s, f->err) : 0;
}

int feed_metric(struct feed *f, const struct metric_sample *s)
{
    f->rows++;
    return f->sink->metric ? f->sink->metric(f->sink->ctx, s, f->err) : 0;
}

int feed_volume(struct feed *f, const struct volume_config *v)
{
    f->rows++;
    return f->sink->volume ? f->sink->volume(f->sink->ctx, v, f->err) : 0;
}

int feed_modification(struct feed *f, const struct volume_modification *m)
{
    f->rows++;
    return f->sink->modification ? f->sink->modification(f->sink->ctx, m, f->err) : 0;
}

int feed_bill_line(struct feed *f, const struct bill_line *l)
{
    f->rows++;
    return f->sink->bill_line ? f->sink->bill_line(f->sink->ctx, l, f->err) : 0;
}

int feed_record(struct feed *f, const struct record *r)
{
    f->rows++;
    return f->sink->record ? f->sink->record(f->sink->ctx, r, f->err) : 0;
}

int feed_epoch(double v, int64_t *out_ms)
{
    /* 10^11 s is the year 5138, 10^11 ms is 1973: what is larger counts milliseconds */
    double ms = fabs(v) < 1e11 ? v * 1000 : v;
    if (!(ms >= 0 && ms <= 253402300799999.0)) /* the end of 9999 */
        return -1;
    *out_ms = (int64_t)floor(ms + 0.5);
    return 0;
}

int feed_time(struct feed *f, struct span text, int64_t line, int64_t *out_ms, int *rc)
{
    struct span s = span_trim(text);
    int64_t t;
    bool zoned;
    double epoch;
    if (time_parse_iso(&s, &t, &zoned)) {
        if (span_double(&s, &epoch) || s.len)
            return -1;
        return feed_epoch(epoch, out_ms);
    }
    if (s.len)
        return -1;
    if (!zoned && f->options->zone) {
        t = zone_to_utc_after(f->options->zone, t, f->after_ms);
    } else if (!zoned && !f->zone_warned) {
        f->zone_warned = true;
        *rc = feed_warn(f, line, "times without a zone are taken as UTC; --tz says otherwise");
    }
    *out_ms = t;
    return 0;
}

static struct record_field *next_field(struct fields *r)
{
    return r->n < RECORD_FIELDS_MAX ? &r->at[r->n++] : NULL;
}

void fields_text(struct fields *r, const char *key, struct span text)
{
    struct record_field *field = next_field(r);
    if (field)
        *field = (struct record_field){ .key = key, .unit = UNIT_NONE, .num = NAN, .text = text };
}

void fields_num(struct fields *r, const char *key, enum unit unit, double num)
{
    struct record_field *field = next_field(r);
    if (field)
        *field = (struct record_field){ .key = key, .unit = unit, .num = num };
}
