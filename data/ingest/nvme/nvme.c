/* data/ingest/nvme/nvme.c - see nvme.h.
 *
 * ebsnvme -i N prints a line that says N, then the counters since attach, and after that
 * differences only: those are added up, so that every record has both. */
#include "data/ingest/nvme/nvme.h"

#include "data/ingest/json/json_scan.h"
#include "data/ingest/nvme/nvme_reading.h"
#include "data/ingest/oswatcher/zzz.h"
#include "data/zone.h"
#include "models/core/timestamp.h"
#include "models/core/unit.h"

#include <math.h>
#include <string.h>

enum { DEVICES_MAX = 1024 };
#define DOCUMENT_MAX ((size_t)64 * 1024 * 1024)

/* The last reading of each device. */
struct known {
    struct nvme_reading last;
    int64_t number; /* of its readings */
};

struct reader {
    struct feed *f;
    struct known *known;
    size_t n_known, room;
    struct nvme_reading now; /* being read */
    bool has_values;
    struct nvme_heading heading;
    struct text_name device; /* that a line named last */
    int64_t time_ms;         /* that a line gave last, for the next reading; UNKNOWN */
    int64_t last_time_ms;    /* the same, kept after it; UNKNOWN */
    double poll_s;           /* of -i; NaN */
    bool differences;        /* -i: all but the first reading */
    bool no_interval_told;
};

static int find(struct reader *r, struct known **out)
{
    struct span name = text_name_span(&r->now.device);
    for (size_t i = 0; i < r->n_known; i++)
        if (span_eq(text_name_span(&r->known[i].last.device), name)) {
            *out = &r->known[i];
            return 0;
        }
    if (r->n_known == DEVICES_MAX) {
        err_set(r->f->err, ERR_LIMIT, "%s:%lld: more than %d devices", source_path(r->f->src),
                (long long)r->now.line, (int)DEVICES_MAX);
        return ERR_LIMIT;
    }
    if (r->n_known == r->room) {
        size_t room = r->room ? r->room * 2 : 8;
        struct known *grown = arena_grow(r->f->arena, r->known, r->n_known, room, sizeof *grown);
        if (!grown) {
            err_nomem(r->f->err);
            return ERR_NOMEM;
        }
        r->known = grown;
        r->room = room;
    }
    *out = &r->known[r->n_known++];
    (*out)->number = 0;
    return 0;
}

static double seconds_between(const struct reader *r, const struct nvme_reading *last)
{
    if (last->time_ms != UNKNOWN && r->now.time_ms != UNKNOWN) {
        double ms = (double)r->now.time_ms - (double)last->time_ms;
        return ms > 0 ? ms / 1000 : (double)NAN;
    }
    return isnan(r->poll_s) ? r->f->options->interval_s : r->poll_s;
}

/* The reading is whole. */
static int flush(struct reader *r)
{
    struct known *k = NULL;
    struct fields fields = { .n = 0 };
    if (!r->has_values)
        return 0;
    r->has_values = false;
    r->now.device = r->device;
    int rc = find(r, &k);
    if (rc)
        return rc;
    bool again = k->number++ > 0;
    double seconds = again ? seconds_between(r, &k->last) : (double)NAN;
    if (again && r->differences)
        for (size_t i = 0; i < NVME_COUNTERS; i++)
            r->now.value[i] += i == NVME_QUEUE ? 0 : k->last.value[i];
    bool fine = nvme_fields(&fields, again ? &k->last : NULL, &r->now, seconds);
    if (!fine)
        rc = feed_warn(r->f, r->now.line,
                       "the counters started anew (or are of another device): "
                       "no rates for this interval");
    else if (again && isnan(seconds) && !r->no_interval_told) {
        r->no_interval_told = true;
        rc = feed_warn(r->f, r->now.line,
                       "nothing tells the time between two readings: say "
                       "--interval to get rates");
    }
    struct record rec = { .kind = "readings",
                          .time_ms = r->now.time_ms,
                          .fields = fields.at,
                          .n_fields = fields.n,
                          .line = r->now.line };
    k->last = r->now;
    return rc ? rc : feed_record(r->f, &rec);
}

static void begin(struct reader *r, int64_t line)
{
    nvme_clear(&r->now);
    r->now.line = line;
    r->now.time_ms = r->time_ms;
    r->time_ms = UNKNOWN;
}

static void set_value(struct reader *r, enum nvme_counter c, double v, int64_t line)
{
    if (!r->has_values)
        begin(r, line);
    r->has_values = true;
    if (c < NVME_COUNTERS)
        r->now.value[c] = v;
}

/* --- lines around the readings ---------------------------------------------------------------- */

/* "#DEV nvme1n1", "/dev/nvme1n1" anywhere. */
static bool find_device(struct span line, struct span *out)
{
    struct span s = line;
    ptrdiff_t at = span_find(s, "/dev/nvme");
    if (at >= 0)
        s = span_cut(s, (size_t)at + 5, s.len);
    else if (span_starts(s, "#DEV "))
        s = span_trim(span_cut(s, 5, s.len));
    else
        return false;
    size_t n = 0;
    while (n < s.len && ((s.ptr[n] >= 'a' && s.ptr[n] <= 'z') ||
                         (s.ptr[n] >= '0' && s.ptr[n] <= '9') || s.ptr[n] == '-'))
        n++;
    *out = span_cut(s, 0, n);
    return n > 0;
}

static bool parse_time(const struct reader *r, struct span text, int64_t *out)
{
    struct span s = text;
    bool zoned;
    double epoch;
    struct zzz z;
    if (time_parse_iso(&s, out, &zoned) == 0 && !s.len) {
        if (!zoned)
            *out = zone_to_utc_after(r->f->options->zone, *out, r->last_time_ms);
        return true;
    }
    s = text;
    if (span_double(&s, &epoch) == 0 && !s.len)
        return epoch > 1e8 && feed_epoch(epoch, out) == 0;
    if (zzz_parse(text, &z) && zzz_parse_date(text, &z))
        return false;
    if (z.day_ms == UNKNOWN)
        return false;
    int64_t wall_ms = z.day_ms + z.clock_ms;
    *out = z.offset_ms == UNKNOWN ? zone_to_utc_after(r->f->options->zone, wall_ms, r->last_time_ms)
                                  : wall_ms - z.offset_ms;
    return true;
}

/* "Polling EBS stats every 5 sec(s); press Ctrl+C to stop" */
static bool parse_poll(struct span line, double *out)
{
    static const char begins[] = "Polling EBS stats every ";
    if (!span_starts(line, begins))
        return false;
    struct span s = span_cut(line, sizeof begins - 1, line.len);
    return span_double(&s, out) == 0 && *out > 0;
}

/* Whatever is neither heading nor value; a reading ends where the next one's device or time comes.
 */
static int on_other(struct reader *r, struct span line)
{
    struct span device;
    int64_t time_ms;
    double poll_s;
    if (parse_poll(line, &poll_s)) {
        int rc = flush(r);
        r->poll_s = poll_s;
        r->differences = true;
        return rc;
    }
    if (parse_time(r, line, &time_ms)) {
        int rc = flush(r);
        r->time_ms = r->last_time_ms = time_ms;
        return rc;
    }
    if (find_device(line, &device)) {
        int rc = flush(r);
        text_name_set(&r->device, device);
        return rc;
    }
    return 0; /* bins, prompts, rulers */
}

static int on_line(struct reader *r, struct span line, int64_t line_no)
{
    struct nvme_heading heading;
    enum nvme_counter counter;
    double value;
    line = span_trim(line);
    if (!line.len)
        return 0;
    if (nvme_heading_of(line, &heading)) {
        int rc = heading.first == NVME_READS ? flush(r) : 0;
        r->heading = heading;
        return rc;
    }
    if (nvme_value_line(line, &r->heading, &counter, &value)) {
        if (counter < NVME_COUNTERS)
            set_value(r, counter, value, line_no);
        return 0;
    }
    return on_other(r, line);
}

/* --- JSON ------------------------------------------------------------------------------------- */

static int on_object(struct reader *r, struct json_value object)
{
    struct json_cursor c;
    struct json_value v;
    struct span key;
    bool first = true;
    int rc = flush(r);
    json_start(&c, object.text, object.line);
    json_enter(&c, '{');
    while (!rc && json_next_member(&c, &first, &key) == 1 && json_skip(&c, &v) == 0) {
        enum nvme_counter counter = nvme_counter_of_key(key);
        struct span digits = v.text;
        double value;
        bool is_name = span_is(key, "device") && v.text.len > 2 && v.text.ptr[0] == '"';
        if (is_name)
            text_name_set(&r->device, span_cut(v.text, 1, v.text.len - 1));
        if (counter < NVME_COUNTERS && span_double(&digits, &value) == 0 && !digits.len)
            set_value(r, counter, value, object.line);
    }
    return rc ? rc : flush(r);
}

/* Documents with lines of text between them. */
static int read_json(struct reader *r)
{
    struct span rest, line;
    int64_t line_no = 1;
    int rc = source_all(r->f->src, DOCUMENT_MAX, &rest, r->f->err);
    while (!rc && rest.ptr && rest.len) {
        struct json_cursor c;
        struct json_value v;
        struct span text = span_trim(span_cut(rest, 0, 200));
        if (!text.len || text.ptr[0] != '{') {
            span_field(&rest, '\n', &line);
            rc = on_line(r, line, line_no++);
            continue;
        }
        json_start(&c, rest, line_no);
        if (json_skip(&c, &v))
            return feed_fault(r->f, c.fault.line, "column %zu: not valid JSON: %s", c.fault.column,
                              c.fault.what);
        rc = on_object(r, v);
        rest = span_cut(rest, (size_t)(c.at - rest.ptr), rest.len);
        line_no = c.line;
    }
    return rc;
}

static int read_lines(struct reader *r)
{
    struct text_lines lines = { .src = r->f->src, .a = r->f->arena };
    struct span line;
    int rc;
    while ((rc = text_line_next(&lines, &line, r->f->err)) == 1) {
        rc = on_line(r, line, source_line_no(r->f->src));
        if (rc)
            return rc;
    }
    return rc ? rc : flush(r);
}

/* --- the file --------------------------------------------------------------------------------- */

static bool is_json(struct span head)
{
    return span_find(head, "\"ebs_volume_performance_exceeded_iops\"") >= 0 ||
           span_find(head, "\"ec2_instance_local_storage_performance_exceeded_iops\"") >= 0;
}

static int read_body(struct feed *f)
{
    struct reader r = { .f = f,
                        .heading = { NVME_COUNTERS, NVME_COUNTERS },
                        .time_ms = UNKNOWN,
                        .last_time_ms = UNKNOWN,
                        .poll_s = (double)NAN };
    struct span head;
    int rc = source_head(f->src, &head, f->err);
    if (rc)
        return rc;
    nvme_clear(&r.now);
    rc = is_json(head) ? read_json(&r) : read_lines(&r);
    if (!rc && !f->rows)
        return feed_fault(f, 1, "no statistics of an NVMe volume in it");
    return rc;
}

int nvme_read(struct source *src, const struct ingest_options *o, struct sink *sink,
              struct arena *a, int64_t *rows, int64_t *skipped, struct err *e)
{
    return feed_run(src, o, sink, a, rows, skipped, e, read_body);
}

int nvme_detect(struct span head)
{
    if (is_json(head))
        return 100;
    return span_find(head, "Performance Exceeded (us)") >= 0 && span_find(head, "Total Ops") >= 0
               ? 100
               : 0;
}
