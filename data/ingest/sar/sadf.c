/* data/ingest/sar/sadf.c - see sadf.h.
 *
 *   read_body
 *     read_fields    sadf -d: a heading "# hostname;interval;timestamp;DEV;tps;..." for each kind
 *     read_pairs     sadf -p: "HOST INTERVAL TIME DEV tps 489.50", a sample is a run of lines
 *     read_json      sadf -j
 *
 * Headings and JSON keys are those of iostat_columns.h.  A comma is a decimal comma. */
#include "data/ingest/sar/sadf.h"

#include "data/ingest/iostat/iostat_columns.h"
#include "data/ingest/iostat/sysstat_json.h"
#include "data/ingest/json/feed.h"
#include "data/ingest/text/text_line.h"
#include "data/ingest/text/text_number.h"
#include "data/zone.h"
#include "models/core/timestamp.h"
#include "models/core/unit.h"

#include <math.h>
#include <string.h>

enum kind { KIND_NONE, KIND_FIELDS, KIND_PAIRS, KIND_JSON, KIND_XML, KIND_RAW };

/* What begins every line of -d and -p. */
struct start {
    struct span host;
    double interval_s;
    int64_t time_ms;
};

static int64_t line_no(const struct feed *f)
{
    return source_line_no(f->src);
}

static int parse_time(struct feed *f, struct span text, int64_t *out, int *rc)
{
    if (span_ends(text, " UTC")) {
        struct span s = span_cut(text, 0, text.len - 4);
        bool zoned;
        return time_parse_iso(&s, out, &zoned) || s.len ? -1 : 0;
    }
    return feed_time(f, text, line_no(f), out, rc);
}

/* Takes host, interval and time.  1 = fine, 0 = such a line has none (a restart, a comment), or
 * cannot be read; negative = the sink said no. */
static int take_start(struct feed *f, struct span *line, char sep, struct start *out)
{
    struct span interval, time;
    struct text_number n;
    int rc = 0;
    if (span_field(line, sep, &out->host) || span_field(line, sep, &interval) ||
        span_field(line, sep, &time))
        return 0;
    bool fine = text_number_of(interval, &n) == 0 && n.value > 0 &&
                parse_time(f, span_trim(time), &out->time_ms, &rc) == 0;
    if (rc < 0)
        return rc;
    out->interval_s = n.value;
    return fine;
}

static int hand_over(struct feed *f, const struct start *at, struct span device,
                     const struct iostat_columns *c, const struct iostat_row *row, int64_t line)
{
    char name[TEXT_NAME_MAX];
    struct io_sample s = io_sample_unknown();
    device = span_trim(device);
    if (!device.len || device.len > TEXT_NAME_MAX || at->host.len > TEXT_NAME_MAX) {
        f->skipped++;
        return feed_warn(f, line, "row skipped: a name of %zu bytes",
                         device.len > at->host.len ? device.len : at->host.len);
    }
    s.time_ms = at->time_ms;
    s.interval_s = at->interval_s;
    s.host = at->host;
    s.device = text_device_name(device, name);
    s.line = line;
    iostat_sample(c, row, &s);
    return feed_sample(f, &s);
}

/* --- sadf -d ---------------------------------------------------------------------------------- */

/* Fields behind "hostname;interval;timestamp;" of a heading that begins with DEV. */
static bool is_device_heading(struct span line, struct iostat_columns *out)
{
    struct span field;
    *out = (struct iostat_columns){ .kib_per_unit = 1 };
    for (int i = 0; i < 4; i++)
        if (span_field(&line, ';', &field))
            return false;
    if (!span_is(field, "DEV"))
        return false;
    while (span_field(&line, ';', &field) == 0) {
        ptrdiff_t more = span_find(field, "[...]"); /* -h: all devices follow on one line */
        if (more >= 0)
            field = span_cut(field, 0, (size_t)more);
        const struct iostat_column *k = iostat_column_of(field);
        if (out->n == IOSTAT_COLUMNS_MAX)
            return false;
        out->field[out->n] = (unsigned char)(k ? k->field : FIELD_SKIPPED);
        out->kib[out->n++] = k ? k->kib : 0;
    }
    return out->n > 0;
}

/* The values of one device; non-zero when they are too few or no numbers. */
static int take_values(struct span *line, const struct iostat_columns *c, struct iostat_row *row)
{
    struct span field;
    struct text_number n;
    *row = (struct iostat_row){ .decimals = 2 };
    for (size_t i = 0; i < FIELD_COUNT; i++)
        row->value[i] = (double)NAN;
    for (size_t i = 0; i < c->n; i++) {
        if (span_field(line, ';', &field) || text_number_of(field, &n))
            return -1;
        if (text_is_unknown(&n))
            row->unknown = field;
        row->value[c->field[i]] = c->kib[i] > 0 ? text_kib(&n, c->kib[i]) : n.value;
        row->last_decimals = n.decimals;
    }
    return 0;
}

static int on_devices(struct feed *f, struct span line, const struct iostat_columns *c)
{
    struct start at;
    struct span device;
    struct iostat_row row;
    int rc = take_start(f, &line, ';', &at);
    if (rc < 0)
        return rc;
    if (rc == 0) {
        f->skipped++;
        return 0; /* LINUX-RESTART, COM */
    }
    while (span_field(&line, ';', &device) == 0) {
        int bad = take_values(&line, c, &row);
        bool cut = source_line_is_open(f->src) && row.last_decimals < 2 && !line.ptr;
        if (bad || cut) {
            f->skipped++;
            return feed_warn(f, line_no(f), "device '%.*s' skipped: its %zu values are not there",
                             SPAN_ARG(device), c->n);
        }
        rc = row.unknown.ptr ? feed_unknown(f, line_no(f), device, row.unknown) : 0;
        if (!rc)
            rc = hand_over(f, &at, device, c, &row, line_no(f));
        if (rc)
            return rc;
    }
    return 0;
}

static int read_fields(struct feed *f)
{
    struct iostat_columns columns = { 0 };
    struct span line;
    bool in_table = false, any = false;
    int rc;
    while ((rc = source_line(f->src, &line, f->err)) == 1) {
        if (span_starts(line, "#")) {
            in_table = is_device_heading(line, &columns);
            any = any || in_table;
            continue;
        }
        if (!in_table || !span_trim(line).len)
            continue;
        rc = on_devices(f, line, &columns);
        if (rc)
            return rc;
    }
    if (!rc && !any)
        return feed_fault(f, 1, "no figures of devices in it; sadf -d FILE -- -d prints them");
    return rc;
}

/* --- sadf -p ---------------------------------------------------------------------------------- */

/* The sample that lines are gathered for. */
struct pairs {
    struct feed *f;
    struct text_name host, device;
    struct start at;
    struct iostat_row row;
    bool has_total; /* "tps": a device, not a filesystem or an interface */
    int64_t line;
    int64_t n_samples;
};

static int flush(struct pairs *p)
{
    static const struct iostat_columns columns = { .kib_per_unit = 1 };
    bool whole = p->has_total && !isnan(p->row.value[FIELD_UTIL]);
    p->has_total = false;
    if (!whole)
        return 0;
    p->n_samples++;
    p->at.host = text_name_span(&p->host);
    return hand_over(p->f, &p->at, text_name_span(&p->device), &columns, &p->row, p->line);
}

static int on_pair(struct pairs *p, struct span line)
{
    struct start at;
    struct span device, item, value;
    struct text_number n;
    int rc = take_start(p->f, &line, '\t', &at);
    if (rc <= 0)
        return rc;
    if (span_field(&line, '\t', &device) || span_field(&line, '\t', &item) ||
        span_field(&line, '\t', &value) || text_number_of(value, &n)) {
        p->f->skipped++;
        return 0;
    }
    const struct iostat_column *k = iostat_column_of(item);
    if (!k)
        return 0;
    if (k->field == FIELD_TOTAL) {
        rc = flush(p);
        if (rc)
            return rc;
        text_name_set(&p->host, at.host);
        text_name_set(&p->device, device);
        p->at = at;
        p->line = line_no(p->f);
        p->has_total = true;
        for (size_t i = 0; i < FIELD_COUNT; i++)
            p->row.value[i] = (double)NAN;
    }
    if (!p->has_total || at.time_ms != p->at.time_ms ||
        !span_eq(device, text_name_span(&p->device)))
        return 0;
    p->row.value[k->field] = k->kib > 0 ? text_kib(&n, k->kib) : n.value;
    return text_is_unknown(&n) ? feed_unknown(p->f, line_no(p->f), device, value) : 0;
}

static int read_pairs(struct feed *f)
{
    struct pairs p = { .f = f, .row = { .decimals = 2 } };
    struct span line;
    int rc;
    while ((rc = source_line(f->src, &line, f->err)) == 1) {
        if (source_line_is_open(f->src) && line.len)
            break; /* its value may be cut */
        rc = on_pair(&p, line);
        if (rc)
            return rc;
    }
    if (rc >= 0)
        rc = flush(&p);
    if (!rc && !p.n_samples)
        return feed_fault(f, 1, "no figures of devices in it; sadf -p FILE -- -d prints them");
    return rc;
}

/* --- sadf -j ---------------------------------------------------------------------------------- */

struct json {
    struct feed *f;
    struct text_name host;
    struct start at;
    int64_t n_reports;
};

static int on_host(void *ctx)
{
    struct json *j = ctx;
    text_name_set(&j->host, (struct span){ NULL, 0 });
    return 0;
}

static int on_host_text(void *ctx, struct span key, struct span text)
{
    struct json *j = ctx;
    if (span_is(key, "nodename"))
        text_name_set(&j->host, text);
    return 0;
}

static struct span member_text(struct json_value object, const char *key)
{
    struct json_value v;
    return json_member(object, key, &v) ? sysstat_json_text(v) : (struct span){ NULL, 0 };
}

/* {"date": "2026-11-30", "time": "12:24:20", "utc": 1, "interval": 2}; "tz" from 12.7 on. */
static int on_report(void *ctx, struct json_value timestamp, int64_t line)
{
    struct json *j = ctx;
    struct span date = member_text(timestamp, "date"), time = member_text(timestamp, "time");
    struct json_value v;
    char both[40];
    j->n_reports++;
    j->at = (struct start){ .time_ms = UNKNOWN, .interval_s = (double)NAN };
    if (json_member(timestamp, "interval", &v) && span_double(&v.text, &j->at.interval_s) == 0 &&
        !(j->at.interval_s > 0))
        j->at.interval_s = (double)NAN;
    if (date.len != 10 || time.len < 8 || time.len > 12)
        return feed_warn(j->f, line, "samples without a time that can be read");
    memcpy(both, date.ptr, 10);
    both[10] = 'T';
    memcpy(both + 11, time.ptr, time.len);
    bool utc = span_is(member_text(timestamp, "tz"), "UTC") ||
               (json_member(timestamp, "utc", &v) && span_is(v.text, "1"));
    if (utc)
        both[11 + time.len] = 'Z';
    int rc = 0;
    struct span text = { both, 11 + time.len + utc };
    if (feed_time(j->f, text, line, &j->at.time_ms, &rc)) {
        j->at.time_ms = UNKNOWN;
        return feed_warn(j->f, line, "time '%.*s' cannot be read", SPAN_ARG(text));
    }
    return rc;
}

static int on_device(void *ctx, struct span name, const struct iostat_row *row, double kib_per_unit,
                     int64_t line)
{
    struct json *j = ctx;
    const struct iostat_columns columns = { .kib_per_unit = kib_per_unit };
    j->at.host = text_name_span(&j->host);
    return hand_over(j->f, &j->at, name, &columns, row, line);
}

static int read_json(struct feed *f)
{
    struct json j = { .f = f };
    const struct sysstat_json_visitor v = { &j, on_host, on_host_text, on_report, on_device };
    struct json_fault cut;
    int rc = sysstat_json_read(f->src, &v, &cut, f->err);
    if (!rc && cut.what)
        rc = feed_warn(f, cut.line, "%s: what is before it was read", cut.what);
    if (!rc && !j.n_reports)
        return feed_fault(f, 1, "no figures of devices in it; sadf -j FILE -- -d prints them");
    return rc;
}

/* --- the file --------------------------------------------------------------------------------- */

/* "HOST\t2\t2026-11-30 12:24:20 UTC\tall\t%usr\t2.15" */
static bool is_pair(struct span line)
{
    struct span field[6];
    int64_t interval;
    for (int i = 0; i < 6; i++)
        if (span_field(&line, '\t', &field[i]))
            return false;
    int64_t t;
    bool zoned;
    double epoch;
    struct span time = field[2], number = field[2];
    return span_int(&field[1], &interval) == 0 && !field[1].len &&
           (time_parse_iso(&time, &t, &zoned) == 0 || span_double(&number, &epoch) == 0);
}

/* "12:24:20 UTC; major; 254; minor; 0; DEV; vda; tps; 113982; ..." */
static bool is_raw(struct span line)
{
    struct span clock, rest = line;
    return span_field(&rest, ';', &clock) == 0 && clock.len >= 8 && clock.len < 20 &&
           clock.ptr[2] == ':' && clock.ptr[5] == ':' && rest.len && rest.ptr[0] == ' ';
}

static enum kind kind_of(struct span head)
{
    struct span s = span_trim(head), line;
    if (span_starts(s, "# hostname;interval;timestamp"))
        return KIND_FIELDS;
    if (s.len && s.ptr[0] == '{')
        return span_find(span_cut(s, 0, 200), "\"sysstat\"") >= 0 &&
                       (span_find(s, "\"file-date\"") >= 0 || span_find(s, "\"disk-device\"") >= 0)
                   ? KIND_JSON
                   : KIND_NONE;
    if (s.len && s.ptr[0] == '<')
        return span_find(span_cut(s, 0, 400), "<sysstat") >= 0 ? KIND_XML : KIND_NONE;
    if (span_field(&s, '\n', &line))
        return KIND_NONE;
    return is_pair(line) ? KIND_PAIRS : is_raw(line) ? KIND_RAW : KIND_NONE;
}

static int read_body(struct feed *f)
{
    struct span head;
    int rc = source_head(f->src, &head, f->err);
    if (rc)
        return rc;
    switch (kind_of(head)) {
    case KIND_FIELDS:
        return read_fields(f);
    case KIND_PAIRS:
        return read_pairs(f);
    case KIND_JSON:
        return read_json(f);
    case KIND_XML:
        return feed_fault(f, 1,
                          "the XML of sadf -x is not read; sadf -j or sadf -d print the same");
    case KIND_RAW:
        return feed_fault(f, 1, "the counters of sadf -r have no date; use sadf -d or sadf -j");
    case KIND_NONE:
        break;
    }
    return feed_fault(f, 1, "not what sadf -d, -p or -j print");
}

int sadf_detect(struct span head)
{
    switch (kind_of(head)) {
    case KIND_NONE:
        return 0;
    case KIND_RAW:
        return 60;
    default:
        return 100;
    }
}

int sadf_read(struct source *src, const struct ingest_options *o, struct sink *sink,
              struct arena *a, int64_t *rows, int64_t *skipped, struct err *e)
{
    return feed_run(src, o, sink, a, rows, skipped, e, read_body);
}
