/* cli/cmd/emit_rows.c - see emit_rows.h. */
#include "cli/cmd/emit_rows.h"

#include "models/core/arena.h"

#include <string.h>

int emit_span(struct emit *m, const char *key, struct span s, struct err *e)
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

int emit_sample_values(struct emit *m, const struct io_sample *s, struct err *e)
{
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
    return rc;
}

int emit_sample(struct emit *m, const struct io_sample *s, struct err *e)
{
    emit_begin(m, NULL, EMIT_OBJECT);
    int rc = emit_sample_values(m, s, e);
    emit_end(m);
    return rc ? rc : m->failed; /* whose words come from emit_close */
}

static void emit_spec(struct emit *m, const struct volume_spec *v)
{
    emit_text(m, "volume_type", v->type < VOL_TYPE_COUNT ? volume_type_name(v->type) : NULL);
    emit_int(m, "size_gib", UNIT_GIB, v->size_gib);
    emit_int(m, "iops", UNIT_IOPS, v->iops);
    emit_int(m, "throughput_mibps", UNIT_MIBPS, v->throughput_mibps);
}

int emit_volume(struct emit *m, const struct volume_config *v, struct err *e)
{
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

int emit_modification(struct emit *m, const struct volume_modification *v, struct err *e)
{
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

static void emit_exact(struct emit *m, const char *key, bool known, money v)
{
    char digits[64];
    emit_decimal(m, key, known ? money_exact(digits, v) : NULL);
}

int emit_bill_line(struct emit *m, const struct bill_line *l, struct err *e)
{
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
    emit_exact(m, "amount", l->has_amount, l->amount);
    emit_exact(m, "cost_usd", l->has_cost, l->cost);
    emit_exact(m, "list_cost_usd", l->has_list_cost, l->list_cost);
    emit_int(m, "line", UNIT_COUNT, l->line);
    emit_end(m);
    return rc ? rc : m->failed;
}

int emit_record(struct emit *m, const struct record *r, struct err *e)
{
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

/* The kind of a series that is not of CloudWatch, from its dimension ("filetype=Log File"). */
static const char *kind_of(const struct metric_sample *s)
{
    if (span_starts(s->dimension, "VolumeId="))
        return "volume";
    return span_starts(s->dimension, "filetype=") ? "filetype" : "instance";
}

static const char *counts_name(enum count_kind c)
{
    static const char *const names[] = {
        [COUNT_ORACLE] = "oracle",
        [COUNT_BLOCK] = "block",
        [COUNT_EBS] = "ebs",
    };
    return names[c];
}

int emit_metric_keys(struct emit *m, const struct metric_sample *s, struct err *e)
{
    const struct {
        const char *key;
        struct span text;
    } texts[] = {
        { "name", s->metric },
        { "account", s->account },
        { "region", s->region },
        { "namespace", s->namespace_name },
        { "metric", s->metric },
        { "dimension", s->dimension },
        { "system", s->system },
        { "unit", s->unit },
        { "statistic", s->statistic_text.len ? s->statistic_text
                                             : span_of(metric_statistic_name(s->statistic)) },
    };
    int rc = 0;
    for (size_t i = 0; i < sizeof texts / sizeof *texts && !rc; i++)
        rc = emit_span(m, texts[i].key, texts[i].text, e);
    emit_text(m, "kind", kind_of(s));
    emit_text(m, "counts", counts_name(s->counts));
    emit_int(m, "instance_number", UNIT_NONE, s->instance_number);
    emit_num(m, "period_s", UNIT_S, s->period_s);
    emit_num(m, "interval_s", UNIT_S, s->period_s);
    return rc;
}

int emit_metric_row(struct emit *m, const struct metric_sample *s, struct err *e)
{
    int rc = emit_metric_keys(m, s, e);
    emit_time(m, "time", s->time_ms);
    emit_num(m, "value", UNIT_NONE, s->value);
    emit_int(m, "line", UNIT_COUNT, s->line);
    return rc;
}
