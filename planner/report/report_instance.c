/* planner/report/report_instance.c - see report_instance.h.
 *
 * Rows in price order (unpriced types last), then by name.  Named types keep the order in
 * which they were asked for, unless there is a need. */
#include "planner/report/report_instance.h"

#include "models/core/timestamp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char PRICED_REGION[] = "us-east-1";

struct row {
    const struct instance_type *type;
    struct instance_caps caps;
};

static bool asks_for_anything(const struct instance_need *n)
{
    return isfinite(n->throughput_mb_s) || isfinite(n->iops) || isfinite(n->memory_gib) ||
           n->vcpu != UNKNOWN || n->volumes != UNKNOWN || n->arch;
}

/* NaN and UNKNOWN offers carry no need. */
static bool carries(const struct row *r, const struct instance_need *n)
{
    double mb_s = n->allow_burst ? r->caps.max_mb_s : r->caps.baseline_mb_s;
    double iops = n->allow_burst ? r->caps.max_iops : r->caps.baseline_iops;
    const struct instance_type *t = r->type;
    if (isfinite(n->throughput_mb_s) && !(mb_s >= n->throughput_mb_s * (1 - 1e-9)))
        return false;
    if (isfinite(n->iops) && !(iops >= n->iops))
        return false;
    if (isfinite(n->memory_gib) &&
        (t->memory_mib == UNKNOWN || (double)t->memory_mib < n->memory_gib * 1024))
        return false;
    if (n->vcpu != UNKNOWN && (t->vcpu == UNKNOWN || t->vcpu < n->vcpu))
        return false;
    if (n->volumes != UNKNOWN && (r->caps.volumes == UNKNOWN || r->caps.volumes < n->volumes))
        return false;
    return !n->arch || strcmp(n->arch, t->arch) == 0;
}

static int by_price(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    int64_t px = x->type->hourly_picousd, py = y->type->hourly_picousd;
    if (px != py) {
        if (px == UNKNOWN || py == UNKNOWN)
            return px == UNKNOWN ? 1 : -1;
        return px < py ? -1 : 1;
    }
    return strcmp(x->type->name, y->type->name);
}

static int collect(const struct instance_question *q, struct arena *a, struct row **out,
                   size_t *out_n, struct err *e)
{
    const struct catalogue *c = q->catalogue;
    size_t n_all = q->n_types ? q->n_types : c->n_instances, n = 0;
    struct row *rows = arena_array(a, n_all ? n_all : 1, sizeof *rows);
    if (!rows)
        return err_nomem(e);
    for (size_t i = 0; i < n_all; i++) {
        struct row r = { .type = q->n_types ? q->types[i] : &c->instances[i] };
        if (!q->n_types && !r.type->in_latest_api)
            continue; /* can no longer be launched */
        int rc = instance_caps(c, r.type, q->weighting, 1, &r.caps, e);
        if (rc == ERR_USAGE && !q->n_types)
            continue; /* does not offer the weighting */
        if (rc)
            return rc;
        if (carries(&r, &q->need))
            rows[n++] = r;
    }
    if (!q->n_types || asks_for_anything(&q->need))
        qsort(rows, n, sizeof *rows, by_price);
    *out = rows;
    *out_n = n;
    return 0;
}

static const struct emit_col cols[] = {
    { "instance_type", "instance", true },
    { "vcpu", "vCPU", false },
    { "memory_gib", "GiB", false },
    { "arch", "arch", true },
    { "baseline_throughput_mb_s", "MB/s", false },
    { "max_throughput_mb_s", "burst", false },
    { "baseline_iops", "IOPS", false },
    { "max_iops", "burst", false },
    { "max_ebs_attachments", "volumes", false },
    { "attachment_kind", "", true },
    { "ebs_cards", "cards", false },
    { "hourly_usd", "USD/h", false },
};

/* Two where a figure needs them, as 81.25 does. */
static int decimals_of(const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (islessgreater(rows[i].caps.baseline_mb_s, floor(rows[i].caps.baseline_mb_s)) ||
            islessgreater(rows[i].caps.max_mb_s, floor(rows[i].caps.max_mb_s)))
            return 2;
    return 0;
}

static void emit_row(struct emit *m, const struct instance_question *q, const struct row *r,
                     int decimals)
{
    const struct instance_type *t = r->type;
    bool priced = t->hourly_picousd != UNKNOWN && strcmp(q->region, PRICED_REGION) == 0;
    char number[48];
    emit_begin(m, NULL, EMIT_OBJECT);
    emit_text(m, "instance_type", t->name);
    emit_int(m, "vcpu", UNIT_COUNT, t->vcpu);
    emit_int(m, "memory_mib", UNIT_MIB, t->memory_mib);
    emit_cell(m, "memory_gib", "%s",
              unit_format(number, t->memory_mib == UNKNOWN ? NAN : (double)t->memory_mib / 1024,
                          t->memory_mib % 1024 ? 1 : 0));
    emit_text(m, "arch", t->arch);
    emit_text(m, "hypervisor", t->hypervisor);
    emit_num_digits(m, "baseline_throughput_mb_s", UNIT_MB_S, r->caps.baseline_mb_s, decimals);
    emit_num_digits(m, "max_throughput_mb_s", UNIT_MB_S, r->caps.max_mb_s, decimals);
    emit_num(m, "baseline_iops", UNIT_IOPS, r->caps.baseline_iops);
    emit_num(m, "max_iops", UNIT_IOPS, r->caps.max_iops);
    if (isnan(r->caps.baseline_mb_s))
        emit_null(m, "burst");
    else
        emit_bool(m, "burst", t->burst);
    emit_int(m, "max_ebs_attachments", UNIT_COUNT, t->max_ebs_attachments);
    emit_text(m, "attachment_kind", t->attachment_kind);
    emit_int(m, "ebs_cards", UNIT_COUNT, t->ebs_cards);
    emit_num_digits(m, "hourly_usd", UNIT_USD_HOUR, priced ? (double)t->hourly_picousd / 1e12 : NAN,
                    4);
    emit_text(m, "source", t->source);
    emit_end(m);
}

static void say_need(struct emit *m, const struct instance_need *n)
{
    char words[200] = "", b[48];
    size_t at = 0;
#define ADD(...)                                                                                   \
    do {                                                                                           \
        int len = snprintf(words + at, sizeof words - at, __VA_ARGS__);                            \
        at += len > 0 && (size_t)len < sizeof words - at ? (size_t)len : 0;                        \
    } while (0)
    if (isfinite(n->throughput_mb_s))
        ADD("%s%s MB/s", at ? ", " : "", unit_format(b, n->throughput_mb_s, 1));
    if (isfinite(n->iops))
        ADD("%s%s IOPS", at ? ", " : "", unit_format(b, n->iops, 0));
    if (n->vcpu != UNKNOWN)
        ADD("%s%s vCPU", at ? ", " : "", unit_format(b, (double)n->vcpu, 0));
    if (isfinite(n->memory_gib))
        ADD("%s%s GiB", at ? ", " : "", unit_format(b, n->memory_gib, 0));
    if (n->volumes != UNKNOWN)
        ADD("%s%s volumes", at ? ", " : "", unit_format(b, (double)n->volumes, 0));
    if (n->arch)
        ADD("%s%s", at ? ", " : "", n->arch);
#undef ADD
    emit_say(m, "Needed: %s, %s.", words, n->allow_burst ? "in a burst" : "sustained");
}

static void say_answer(struct emit *m, const struct instance_question *q, const struct row *rows,
                       size_t n)
{
    const struct instance_need *need = &q->need;
    char b1[48], b2[48];
    bool asked = asks_for_anything(need);
    if (!n) {
        emit_say(m, "No instance type%s carries this.", q->n_types ? " of those named" : "");
    } else if (asked || !q->n_types) {
        emit_say(m, "%s: the cheapest%s of %s instance types%s.", rows[0].type->name,
                 need->allow_burst ? " (in a burst)" : "", unit_format(b1, (double)n, 0),
                 asked ? " that carry this" : "");
    } else {
        const struct row *r = &rows[0];
        if (n == 1 && isfinite(r->caps.baseline_mb_s))
            emit_say(m, "%s sustains %s MB/s and %s IOPS of EBS%s.", r->type->name,
                     unit_format(b1, r->caps.baseline_mb_s, decimals_of(r, 1)),
                     unit_format(b2, r->caps.baseline_iops, 0),
                     r->type->burst
                         ? "; more only in bursts of 30 minutes at least once in 24 hours"
                         : "");
        else if (n == 1)
            emit_say(m, "AWS publishes no EBS figures for %s.", r->type->name);
    }
    if (asked)
        say_need(m, need);
    if (asked || n <= 1 || !q->n_types)
        emit_say(m, "%s", "");
}

static void say_notes(struct emit *m, const struct instance_question *q, const struct row *rows,
                      size_t n, size_t shown)
{
    char b1[48], day[32];
    emit_say(m, "%s", "");
    if (shown < n)
        emit_say(m, "%s more: --top N", unit_format(b1, (double)(n - shown), 0));
    for (size_t i = 0; i < shown; i++)
        if (rows[i].type->ebs_cards > 1)
            emit_say(m,
                     "%s: figures are the sum of %.0f cards, each has an equal part; spread the "
                     "volumes over them.",
                     rows[i].type->name, (double)rows[i].type->ebs_cards);
    emit_say(m,
             "MB/s are decimal (1 MiB/s = 1.048576 MB/s). Shared slots are also taken by network "
             "interfaces after the first; the root volume counts.");
    emit_say(m, "%s Figures of %s; whether a type was there on an earlier day is not known.",
             strcmp(q->region, PRICED_REGION) == 0
                 ? "Linux On-Demand, us-east-1."
                 : "Ranked by the us-east-1 price; that of this region is not known.",
             time_format_date(day, q->catalogue->instances_as_of_ms));
}

int report_instance(struct emit *m, const struct instance_question *q, struct arena *a,
                    struct err *e)
{
    struct row *rows = NULL;
    size_t n = 0;
    int rc = collect(q, a, &rows, &n, e);
    if (rc)
        return rc;
    bool search = !q->n_types || asks_for_anything(&q->need);
    size_t shown = search && n > q->top ? q->top : n;
    if (m->people)
        say_answer(m, q, rows, n);
    emit_int(m, "found", UNIT_COUNT, (int64_t)n);
    emit_table(m, "instances", cols, sizeof cols / sizeof *cols);
    for (size_t i = 0; i < shown; i++)
        emit_row(m, q, &rows[i], decimals_of(rows, shown));
    emit_end(m);
    if (m->people && shown)
        say_notes(m, q, rows, n, shown);
    if (n)
        emit_label(m, "next", "volplan plan --instance %s", rows[0].type->name);
    else
        emit_label(m, "next", "a lower need%s%s", q->need.allow_burst ? "" : ", --allow-burst",
                   q->n_types ? ", or other types" : ", or a need shared by several instances");
    return n ? 0 : ERR_NO;
}
