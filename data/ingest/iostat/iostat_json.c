/* data/ingest/iostat/iostat_json.c - the JSON of iostat -o JSON: times are those of the locale,
 * rules those of the text.  iostat that was killed leaves a document without its end. */
#include "data/ingest/iostat/iostat_reader.h"
#include "data/ingest/iostat/sysstat_json.h"

/* The next text under key in the head; head is moved past it. */
static bool next_text(struct span *head, const char *key, struct span *out)
{
    ptrdiff_t at = span_find(*head, key);
    if (at < 0)
        return false;
    struct span s = span_cut(*head, (size_t)at, head->len);
    for (int i = 0; i < 4; i++) /* the quotes around the key, then those around the text */
        if (span_field(&s, '"', out))
            return false;
    *head = s;
    return true;
}

static void settle(struct iostat_time *t, struct span head)
{
    struct date_evidence v = { 0 };
    struct span rest = head, text;
    struct iostat_stamp st;
    struct iostat_date d;
    while (!v.certain && next_text(&rest, "\"timestamp\"", &text))
        if (iostat_stamp_parse(text, &st) == 0)
            date_evidence_add_stamp(&v, &st);
    rest = head;
    while (!v.certain && next_text(&rest, "\"date\"", &text))
        if (iostat_date_parse(text, &d) == 0)
            date_evidence_add(&v, &d);
    iostat_time_settle(t, &v, UNKNOWN);
}

static int on_host(void *ctx)
{
    struct iostat_reader *r = ctx;
    const struct iostat_date none = { 0 };
    text_name_set(&r->host, (struct span){ NULL, 0 });
    return iostat_tell_time(r, iostat_time_linux(&r->time, &none), 0, &none);
}

static int on_host_text(void *ctx, struct span key, struct span text)
{
    struct iostat_reader *r = ctx;
    struct iostat_date d;
    if (span_is(key, "nodename"))
        text_name_set(&r->host, text);
    if (!span_is(key, "date") || iostat_date_parse(text, &d))
        return 0;
    r->time.day_ms = iostat_day_ms(&d, r->time.order);
    return 0;
}

static int on_report(void *ctx, struct json_value timestamp, int64_t line)
{
    struct iostat_reader *r = ctx;
    struct span text = sysstat_json_text(timestamp);
    struct iostat_stamp st;
    int rc = 0;
    if (text.len && iostat_stamp_parse(text, &st) == 0)
        rc = iostat_tell_time(r, iostat_time_stamp(&r->time, &st), timestamp.line, &st.date);
    r->verdict = HEADING_OK;
    return rc ? rc : iostat_begin_report(r, line);
}

static int on_device(void *ctx, struct span name, const struct iostat_row *row, double kib_per_unit,
                     int64_t line)
{
    struct iostat_reader *r = ctx;
    struct iostat_row named = *row;
    bool is_group = name.len && name.ptr[0] == ' ';
    named.device = span_trim(name);
    if (is_group && r->n_table_rows) {
        r->skipped++;
        return iostat_complain(r, ODD_GROUP, line,
                               "group '%.*s' (iostat -g) is a sum of devices: skipped",
                               SPAN_ARG(named.device));
    }
    if (!named.device.len || named.device.len > TEXT_NAME_MAX) {
        r->skipped++;
        return iostat_complain(r, ODD_ROW, line, "device skipped: a name of %zu bytes",
                               named.device.len);
    }
    r->columns.kib_per_unit = kib_per_unit;
    int rc = iostat_take_row(r, &named, line);
    if (is_group)
        r->n_table_rows = 0;
    return rc;
}

bool iostat_json_detect(struct span head)
{
    return sysstat_json_detect(head, "\"disk_device\"");
}

int iostat_json_read(struct iostat_reader *r, struct span head)
{
    const struct sysstat_json_visitor visitor = { r, on_host, on_host_text, on_report, on_device };
    struct json_fault cut;
    settle(&r->time, head);
    int rc = sysstat_json_read(r->src, &visitor, &cut, r->e);
    if (rc || !cut.what)
        return rc;
    return iostat_warn(r, cut.line, "%s: what is before it was read", cut.what);
}
