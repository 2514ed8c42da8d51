/* cli/cmd/inspection.c - see inspection.h. */
#include "cli/cmd/inspection.h"

#include "cli/cmd/emit_awr.h"
#include "models/vocab/bill_line.h"
#include "models/vocab/metric_sample.h"
#include "models/vocab/record.h"
#include "models/vocab/volume_config.h"

#include <string.h>

struct kept_record {
    struct kept_record *next;
    struct record record;
    bool emitted;
};

void inspection_start(struct inspection *in, const char *path)
{
    *in = (struct inspection){ .m = in->m, .flat = in->flat, .path = path };
    in->kept_end = &in->kept;
}

static void close_series(struct inspection *in)
{
    if (!in->series_open)
        return;
    emit_end(in->m); /* points */
    emit_end(in->m);
    in->series_open = false;
}

static void close_list(struct inspection *in)
{
    close_series(in);
    if (in->list_open)
        emit_end(in->m);
    in->list_open = false;
}

void inspection_release(struct inspection *in)
{
    arena_release(&in->arena);
}

/* Makes key the open list.  A key stands once in an object, so a list that was left is not
 * opened again. */
static int open_list(struct inspection *in, const char *key, bool is_table, struct err *e)
{
    /* No columns for people: they see a summary.  CSV takes the list for its table. */
    static const struct emit_col no_columns;
    if (in->list_open && strcmp(in->lists[in->n_lists - 1], key) == 0)
        return 0;
    close_list(in);
    for (size_t i = 0; i < in->n_lists; i++)
        if (strcmp(in->lists[i], key) == 0)
            return err_set(e, ERR_LIMIT, "%s: %s come back after %s: not shown", in->path, key,
                           in->lists[in->n_lists - 1]);
    char *copy = arena_strdup(&in->arena, key);
    if (!copy)
        return err_nomem(e);
    if (in->n_lists == LISTS_MAX)
        return err_set(e, ERR_LIMIT, "%s: more than %d kinds of rows", in->path, (int)LISTS_MAX);
    in->lists[in->n_lists++] = copy;
    in->list_open = true;
    if (is_table)
        emit_table(in->m, key, &no_columns, 0);
    else
        emit_begin(in->m, key, EMIT_LIST);
    return 0;
}

/* An empty span is unknown. */
static int emit_span(struct emit *m, const char *key, struct span s, struct err *e)
{
    char small[256];
    struct arena scratch = { 0 };
    char *text = s.len < sizeof small ? small : arena_strndup(&scratch, s.ptr, s.len);
    if (!text)
        return err_nomem(e);
    if (text == small && s.len)
        memcpy(small, s.ptr, s.len);
    text[s.len] = '\0';
    emit_text(m, key, s.len ? text : NULL);
    arena_release(&scratch);
    return 0;
}

static int take_sample(void *ctx, const struct io_sample *s, struct err *e)
{
    struct inspection *in = ctx;
    struct emit *m = in->m;
    in->samples++;
    if (m->people)
        return device_summary_add(&in->devices, s, &in->arena, e);
    if (open_list(in, "samples", true, e))
        return e->code;
    emit_begin(m, NULL, EMIT_OBJECT);
    emit_time(m, "time", s->time_ms);
    emit_num(m, "interval_s", UNIT_S, s->interval_s);
    int rc = emit_span(m, "host", s->host, e);
    if (!rc)
        rc = emit_span(m, "device", s->device, e);
    emit_num(m, "reads_per_s", UNIT_PER_S, s->reads_per_s);
    emit_num(m, "writes_per_s", UNIT_PER_S, s->writes_per_s);
    emit_num(m, "read_kib_per_s", UNIT_KIBPS, s->read_kib_per_s);
    emit_num(m, "write_kib_per_s", UNIT_KIBPS, s->write_kib_per_s);
    emit_num(m, "total_per_s", UNIT_PER_S, s->total_per_s);
    emit_num(m, "total_kib_per_s", UNIT_KIBPS, s->total_kib_per_s);
    emit_num(m, "read_request_kib", UNIT_KIB, s->read_request_kib);
    emit_num(m, "write_request_kib", UNIT_KIB, s->write_request_kib);
    emit_num(m, "request_kib", UNIT_KIB, s->request_kib);
    emit_num(m, "read_merge_pct", UNIT_PCT, s->read_merge_pct);
    emit_num(m, "write_merge_pct", UNIT_PCT, s->write_merge_pct);
    emit_num(m, "read_await_ms", UNIT_MS, s->read_await_ms);
    emit_num(m, "write_await_ms", UNIT_MS, s->write_await_ms);
    emit_num(m, "await_ms", UNIT_MS, s->await_ms);
    emit_num(m, "queue", UNIT_NONE, s->queue);
    emit_num(m, "util_pct", UNIT_PCT, s->util_pct);
    emit_bool(m, "since_boot", s->since_boot);
    emit_bool(m, "artefact", s->artefact);
    emit_int(m, "line", UNIT_COUNT, s->line);
    emit_end(m);
    return rc ? rc : m->failed; /* whose words come from emit_close */
}

static int take_snapshot(void *ctx, const struct awr_snapshot *s, struct err *e)
{
    struct inspection *in = ctx;
    if (open_list(in, "snapshots", false, e))
        return e->code;
    if (!in->snapshots++)
        emit_say(in->m, "%s", in->path);
    int rc = emit_awr_snapshot(in->m, s, &in->arena, e);
    return rc ? rc : in->m->failed;
}

/* --- metrics: points of series ------------------------------------------------------------------
 */

static bool same_series(const struct metric_sample *a, const struct metric_sample *b)
{
    return span_eq(a->metric, b->metric) && span_eq(a->dimension, b->dimension) &&
           a->statistic == b->statistic && span_eq(a->statistic_text, b->statistic_text) &&
           span_eq(a->account, b->account) && span_eq(a->region, b->region) &&
           span_eq(a->namespace_name, b->namespace_name) && span_eq(a->system, b->system) &&
           a->instance_number == b->instance_number && !islessgreater(a->period_s, b->period_s);
}

static int keep_span(struct inspection *in, struct span *s)
{
    char *copy = arena_strndup(&in->arena, s->ptr, s->len);
    s->ptr = copy;
    return copy ? 0 : ERR_NOMEM;
}

static int emit_series_keys(struct inspection *in, const struct metric_sample *s, struct err *e)
{
    struct emit *m = in->m;
    const struct {
        const char *key;
        struct span text;
    } texts[] = {
        { "account", s->account },
        { "region", s->region },
        { "namespace", s->namespace_name },
        { "metric", s->metric },
        { "dimension", s->dimension },
        { "system", s->system },
        { "unit", s->unit },
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (emit_span(m, texts[i].key, texts[i].text, e))
            return e->code;
    if (s->statistic_text.len) {
        if (emit_span(m, "statistic", s->statistic_text, e))
            return e->code;
    } else
        emit_text(m, "statistic", metric_statistic_name(s->statistic));
    emit_num(m, "period_s", UNIT_S, s->period_s);
    return 0;
}

static int open_series(struct inspection *in, const struct metric_sample *s, struct err *e)
{
    if (in->series_open && same_series(&in->series, s))
        return 0;
    close_series(in);
    in->series = *s;
    if (keep_span(in, &in->series.account) || keep_span(in, &in->series.region) ||
        keep_span(in, &in->series.namespace_name) || keep_span(in, &in->series.metric) ||
        keep_span(in, &in->series.dimension) || keep_span(in, &in->series.system) ||
        keep_span(in, &in->series.statistic_text) || keep_span(in, &in->series.unit))
        return err_nomem(e);
    emit_begin(in->m, NULL, EMIT_OBJECT);
    int rc = emit_series_keys(in, s, e);
    emit_begin(in->m, "points", EMIT_LIST);
    in->series_open = true;
    return rc;
}

static int take_metric(void *ctx, const struct metric_sample *s, struct err *e)
{
    struct inspection *in = ctx;
    struct emit *m = in->m;
    if (m->people)
        return 0;
    int rc = open_list(in, in->flat ? "points" : "series", in->flat, e);
    if (!rc && !in->flat) {
        rc = open_series(in, s, e);
        emit_begin(m, NULL, EMIT_LIST);
        emit_time(m, NULL, s->time_ms);
        emit_num(m, NULL, UNIT_NONE, s->value);
        emit_end(m);
    } else if (!rc) {
        emit_begin(m, NULL, EMIT_OBJECT);
        rc = emit_series_keys(in, s, e);
        emit_time(m, "time", s->time_ms);
        emit_num(m, "value", UNIT_NONE, s->value);
        emit_int(m, "line", UNIT_COUNT, s->line);
        emit_end(m);
    }
    return rc ? rc : m->failed;
}

/* --- rows of listings ---------------------------------------------------------------------------
 */

static void emit_spec(struct emit *m, const struct volume_spec *v)
{
    emit_text(m, "volume_type", v->type < VOL_TYPE_COUNT ? volume_type_name(v->type) : NULL);
    emit_int(m, "size_gib", UNIT_GIB, v->size_gib);
    emit_int(m, "iops", UNIT_IOPS, v->iops);
    emit_int(m, "throughput_mibps", UNIT_MIBPS, v->throughput_mibps);
}

static int take_volume(void *ctx, const struct volume_config *v, struct err *e)
{
    struct inspection *in = ctx;
    struct emit *m = in->m;
    if (m->people)
        return 0;
    if (open_list(in, "volumes", true, e))
        return e->code;
    emit_begin(m, NULL, EMIT_OBJECT);
    int rc = emit_span(m, "volume_id", v->volume_id, e);
    emit_spec(m, &v->spec);
    const struct {
        const char *key;
        struct span text;
    } texts[] = {
        { "state", v->state },   { "instance_id", v->instance_id },
        { "device", v->device }, { "zone", v->zone },
        { "name", v->name },     { "snapshot_id", v->snapshot_id },
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts && !rc; i++)
        rc = emit_span(m, texts[i].key, texts[i].text, e);
    emit_time(m, "created", v->created_ms);
    emit_time(m, "attached", v->attached_ms);
    emit_int(m, "attachments", UNIT_COUNT, v->attachments);
    emit_int(m, "ebs_card", UNIT_COUNT, v->ebs_card);
    emit_bool(m, "multi_attach", v->multi_attach);
    emit_int(m, "line", UNIT_COUNT, v->line);
    emit_end(m);
    return rc ? rc : m->failed;
}

static int take_modification(void *ctx, const struct volume_modification *v, struct err *e)
{
    struct inspection *in = ctx;
    struct emit *m = in->m;
    if (m->people)
        return 0;
    if (open_list(in, "modifications", true, e))
        return e->code;
    emit_begin(m, NULL, EMIT_OBJECT);
    int rc = emit_span(m, "volume_id", v->volume_id, e);
    if (!rc)
        rc = emit_span(m, "state", v->state, e);
    emit_begin(m, "from", EMIT_OBJECT);
    emit_spec(m, &v->from);
    emit_end(m);
    emit_begin(m, "to", EMIT_OBJECT);
    emit_spec(m, &v->to);
    emit_end(m);
    emit_time(m, "start", v->start_ms);
    emit_time(m, "end", v->end_ms);
    emit_num(m, "progress_pct", UNIT_PCT, v->progress_pct);
    emit_int(m, "line", UNIT_COUNT, v->line);
    emit_end(m);
    return rc ? rc : m->failed;
}

static int take_bill_line(void *ctx, const struct bill_line *l, struct err *e)
{
    struct inspection *in = ctx;
    struct emit *m = in->m;
    if (m->people)
        return 0;
    if (open_list(in, "lines", true, e))
        return e->code;
    emit_begin(m, NULL, EMIT_OBJECT);
    emit_time(m, "start", l->start_ms);
    emit_time(m, "end", l->end_ms);
    const struct {
        const char *key;
        struct span text;
    } texts[] = {
        { "account", l->account },       { "region", l->region },       { "resource", l->resource },
        { "usage_type", l->usage_type }, { "operation", l->operation }, { "unit", l->unit },
        { "currency", l->currency },     { "line_type", l->line_type },
    };
    int rc = 0;
    for (size_t i = 0; i < sizeof texts / sizeof *texts && !rc; i++)
        rc = emit_span(m, texts[i].key, texts[i].text, e);
    emit_num(m, "amount", UNIT_NONE, l->has_amount ? money_double(l->amount) : NAN);
    emit_num(m, "cost_usd", UNIT_NONE, l->has_cost ? money_double(l->cost) : NAN);
    emit_num(m, "list_cost_usd", UNIT_NONE, l->has_list_cost ? money_double(l->list_cost) : NAN);
    emit_int(m, "line", UNIT_COUNT, l->line);
    emit_end(m);
    return rc ? rc : m->failed;
}

static int emit_record(struct inspection *in, const struct record *r, struct err *e)
{
    struct emit *m = in->m;
    int rc = 0;
    emit_begin(m, NULL, EMIT_OBJECT);
    if (r->time_ms != UNKNOWN)
        emit_time(m, "time", r->time_ms);
    for (size_t i = 0; i < r->n_fields && !rc; i++) {
        const struct record_field *f = &r->fields[i];
        if (isfinite(f->num))
            emit_num(m, f->key, f->unit, f->num);
        else
            rc = emit_span(m, f->key, f->text, e);
    }
    emit_int(m, "line", UNIT_COUNT, r->line);
    emit_end(m);
    return rc ? rc : m->failed;
}

static int keep_record(struct inspection *in, const struct record *r, struct err *e)
{
    if (++in->n_kept > KEPT_RECORDS_MAX)
        return err_set(e, ERR_LIMIT, "%s: more than %d rows of mixed kinds", in->path,
                       (int)KEPT_RECORDS_MAX);
    struct arena *a = &in->arena;
    struct kept_record *k = arena_alloc(a, sizeof *k);
    struct record_field *fields = arena_array(a, r->n_fields, sizeof *fields);
    char *kind = arena_strdup(a, r->kind);
    if (!k || !fields || !kind)
        return err_nomem(e);
    k->record = *r;
    k->record.kind = kind;
    k->record.fields = fields;
    for (size_t i = 0; i < r->n_fields; i++) {
        fields[i] = r->fields[i];
        fields[i].key = arena_strdup(a, r->fields[i].key);
        if (!fields[i].key || keep_span(in, &fields[i].text))
            return err_nomem(e);
    }
    *in->kept_end = k;
    in->kept_end = &k->next;
    return 0;
}

static int take_record(void *ctx, const struct record *r, struct err *e)
{
    struct inspection *in = ctx;
    if (in->m->people)
        return 0;
    if (in->n_lists && strcmp(in->lists[in->n_lists - 1], r->kind) != 0)
        return keep_record(in, r, e);
    if (open_list(in, r->kind, true, e))
        return e->code;
    return emit_record(in, r, e);
}

static int emit_kept(struct inspection *in, struct err *e)
{
    for (struct kept_record *first = in->kept; first; first = first->next) {
        if (first->emitted)
            continue;
        int rc = open_list(in, first->record.kind, true, e);
        for (struct kept_record *k = first; k && !rc; k = k->next) {
            if (k->emitted || strcmp(k->record.kind, first->record.kind) != 0)
                continue;
            rc = emit_record(in, &k->record, e);
            k->emitted = true;
        }
        if (rc)
            return rc;
    }
    return 0;
}

int inspection_end(struct inspection *in, struct err *e)
{
    int rc = emit_kept(in, e);
    close_list(in);
    return rc;
}

struct sink inspection_sink(struct inspection *in)
{
    return (struct sink){
        .ctx = in,
        .sample = take_sample,
        .snapshot = take_snapshot,
        .metric = take_metric,
        .volume = take_volume,
        .modification = take_modification,
        .bill_line = take_bill_line,
        .record = take_record,
    };
}
