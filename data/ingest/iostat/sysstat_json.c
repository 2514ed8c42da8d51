/* data/ingest/iostat/sysstat_json.c - see sysstat_json.h. */
#include "data/ingest/iostat/sysstat_json.h"

#include <math.h>
#include <string.h>

#define DOCUMENT_MAX ((size_t)512 * 1024 * 1024)

enum { FAULT = 1 }; /* the cursor knows what and where */

struct walk {
    struct json_cursor c;
    const struct sysstat_json_visitor *v;
};

struct span sysstat_json_text(struct json_value v)
{
    bool is_text = v.text.len >= 2 && v.text.ptr[0] == '"';
    return is_text ? span_cut(v.text, 1, v.text.len - 1) : (struct span){ NULL, 0 };
}

bool sysstat_json_detect(struct span head, const char *device_key)
{
    struct span s = span_trim(head);
    return s.len && s.ptr[0] == '{' && span_find(span_cut(s, 0, 200), "\"sysstat\"") >= 0 &&
           span_find(s, device_key) >= 0;
}

typedef int member_fn(struct walk *w, struct span key, void *ctx);

static int skip(struct walk *w, struct json_value *out)
{
    return json_skip(&w->c, out) ? FAULT : 0;
}

/* on_member must pass the value.  A value of another kind is skipped. */
static int each_member(struct walk *w, member_fn *on_member, void *ctx)
{
    struct json_value ignored;
    struct span key;
    bool first = true;
    if (json_enter(&w->c, '{'))
        return skip(w, &ignored);
    int more, rc = 0;
    while (!rc && (more = json_next_member(&w->c, &first, &key)) != 0)
        rc = more < 0 ? FAULT : on_member(w, key, ctx);
    return rc;
}

/* The same for the elements of an array, with the array's own key. */
static int each_element(struct walk *w, member_fn *on_element, struct span key, void *ctx)
{
    struct json_value ignored;
    bool first = true;
    if (json_enter(&w->c, '['))
        return skip(w, &ignored);
    int more, rc = 0;
    while (!rc && (more = json_next_element(&w->c, &first)) != 0)
        rc = more < 0 ? FAULT : on_element(w, key, ctx);
    return rc;
}

struct device {
    struct span name;
    struct iostat_row row;
    double kib_per_unit;
};

static int on_device_member(struct walk *w, struct span key, void *ctx)
{
    struct device *d = ctx;
    struct json_value v;
    double num;
    int rc = skip(w, &v);
    if (rc)
        return rc;
    if (span_is(key, "disk_device") || span_is(key, "disk-device"))
        d->name = sysstat_json_text(v);
    const struct iostat_column *k = iostat_column_of(key);
    struct span digits = v.text;
    if (!k || span_double(&digits, &num) || digits.len)
        return 0;
    d->row.value[k->field] = k->kib > 0 ? num * k->kib : num;
    if (k->field == FIELD_READ_KIB)
        d->kib_per_unit = k->kib;
    return 0;
}

static int on_device(struct walk *w, struct span key, void *ctx)
{
    (void)key;
    (void)ctx;
    struct device d = { .row = { .decimals = 2 } };
    for (size_t i = 0; i < FIELD_COUNT; i++)
        d.row.value[i] = (double)NAN;
    int64_t line = w->c.line;
    int rc = each_member(w, on_device_member, &d);
    return rc ? rc : w->v->device(w->v->ctx, d.name, &d.row, d.kib_per_unit, line);
}

static int on_statistic_member(struct walk *w, struct span key, void *ctx)
{
    struct json_value *timestamp = ctx, ignored;
    if (span_is(key, "timestamp"))
        return skip(w, timestamp);
    if (!span_is(key, "disk"))
        return skip(w, &ignored);
    int rc = w->v->report(w->v->ctx, *timestamp, w->c.line);
    return rc ? rc : each_element(w, on_device, key, NULL);
}

static int on_statistic(struct walk *w, struct span key, void *ctx)
{
    (void)key;
    (void)ctx;
    struct json_value timestamp = { .line = w->c.line };
    return each_member(w, on_statistic_member, &timestamp);
}

static int on_host_member(struct walk *w, struct span key, void *ctx)
{
    (void)ctx;
    struct json_value v;
    if (span_is(key, "statistics"))
        return each_element(w, on_statistic, key, NULL);
    int rc = skip(w, &v);
    struct span text = rc ? (struct span){ NULL, 0 } : sysstat_json_text(v);
    return rc || !text.len ? rc : w->v->host_text(w->v->ctx, key, text);
}

static int on_host(struct walk *w, struct span key, void *ctx)
{
    (void)key;
    int rc = w->v->host_begin(w->v->ctx);
    return rc ? rc : each_member(w, on_host_member, ctx);
}

static int on_sysstat_member(struct walk *w, struct span key, void *ctx)
{
    struct json_value ignored;
    return span_is(key, "hosts") ? each_element(w, on_host, key, ctx) : skip(w, &ignored);
}

static int on_root_member(struct walk *w, struct span key, void *ctx)
{
    struct json_value ignored;
    return span_is(key, "sysstat") ? each_member(w, on_sysstat_member, ctx) : skip(w, &ignored);
}

int sysstat_json_read(struct source *src, const struct sysstat_json_visitor *v,
                      struct json_fault *cut, struct err *e)
{
    struct walk w = { .v = v };
    struct span all;
    int rc = source_all(src, DOCUMENT_MAX, &all, e);
    if (rc)
        return rc;
    json_start(&w.c, all, 1);
    *cut = (struct json_fault){ 0 };
    while (!rc && json_at_value(&w.c) == 1)
        rc = each_member(&w, on_root_member, NULL);
    if (rc != FAULT)
        return rc;
    const struct json_fault *bad = &w.c.fault;
    if (bad->what && strncmp(bad->what, "the input ends", 14) == 0) {
        *cut = *bad;
        return 0;
    }
    return err_set(e, ERR_PARSE, "%s:%lld: column %zu: not valid JSON: %s", source_path(src),
                   (long long)bad->line, bad->column, bad->what ? bad->what : "expected a value");
}
