/* planner/report/report_vol.c - see report_vol.h. */
#include "planner/report/report_vol.h"

#include "models/core/timestamp.h"
#include "models/ebs/vol_price.h"
#include "models/ebs/vol_rule.h"

#include <stdio.h>
#include <string.h>

/* Requests that reach the sold throughput of SSD types with the fewest IOPS. */
#define FULL_REQUEST_KIB 256.0

struct vol_answer {
    const struct vol_question *q;
    const struct vol_rule *rule; /* NULL before the launch */
    struct volume_spec spec;     /* filled */
    bool xen;
    struct vol_limits limits;
    struct vol_problem problems[VOL_PROBLEMS_MAX];
    size_t n_problems;
    struct vol_at at; /* with q->io_kib */
    struct vol_price price;
    int64_t price_as_of_ms; /* UNKNOWN = not priced */
    const struct vol_rule *today;
    struct vol_limits today_limits;
};

/* "2 x io2 250 GiB, 5 000 IOPS, 500 MiB/s" */
static const char *spec_words(char buf[160], const struct volume_spec *v)
{
    char count[48], size[48], iops[48], mibps[48];
    int n = 0;
    if (v->count > 1)
        n = snprintf(buf, 160, "%s x ", unit_format(count, (double)v->count, 0));
    n += snprintf(buf + n, 160 - (size_t)n, "%s %s GiB", volume_type_name(v->type),
                  unit_format(size, (double)v->size_gib, 0));
    if (v->iops != UNKNOWN)
        n += snprintf(buf + n, 160 - (size_t)n, ", %s IOPS", unit_format(iops, (double)v->iops, 0));
    if (v->throughput_mibps != UNKNOWN)
        snprintf(buf + n, 160 - (size_t)n, ", %s MiB/s",
                 unit_format(mibps, (double)v->throughput_mibps, 0));
    return buf;
}

static void launch_problem(struct vol_answer *a)
{
    char day[32];
    struct vol_problem *p = &a->problems[0];
    p->since_ms = vol_launch_ms(a->q->catalogue, a->spec.type);
    snprintf(p->text, sizeof p->text, "%s is not known before %s", volume_type_name(a->spec.type),
             time_format_date(day, p->since_ms));
    p->rule = "launched";
    p->nearest.count = 0;
    a->n_problems = 1;
}

static int answer(struct vol_answer *a, const struct vol_question *q, struct err *e)
{
    const char *instance = q->instance ? q->instance->name : NULL;
    double none = NAN;
    *a = (struct vol_answer){
        .q = q,
        .spec = q->spec,
        .rule = vol_rule_at(q->catalogue, q->spec.type, q->as_of_ms, instance, UNKNOWN),
        .xen = q->instance && !q->instance->nitro_system,
        .limits = { none, none, none, none, none, none, none, none },
        .at = { none, none, VOL_BOUND_IOPS },
        .price = { UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN },
        .price_as_of_ms = UNKNOWN,
    };
    if (!a->rule) {
        launch_problem(a);
        return 0;
    }
    vol_fill_defaults(a->rule, &a->spec);
    a->n_problems = vol_check(a->rule, &a->spec, a->problems);
    a->limits = vol_limits(a->rule, &a->spec, a->xen);
    if (isfinite(q->io_kib))
        a->at = vol_at_size(a->rule, &a->spec, a->xen, q->io_kib);
    if (q->as_of_ms != q->today_ms) {
        a->today = vol_rule_at(q->catalogue, q->spec.type, q->today_ms, instance, UNKNOWN);
        if (a->today)
            a->today_limits = vol_limits(a->today, &a->spec, a->xen);
    }
    int rc = vol_price(q->catalogue, q->region, q->as_of_ms, &a->spec, q->requests, &a->price,
                       &a->price_as_of_ms, e);
    return rc == ERR_NO ? 0 : rc; /* not sold there: the rest still holds */
}

/* --- for machines ------------------------------------------------------------------------------
 */

static void emit_spec(struct emit *m, const struct volume_spec *v)
{
    emit_int(m, "size_gib", UNIT_GIB, v->size_gib);
    emit_int(m, "iops", UNIT_IOPS, v->iops);
    emit_int(m, "throughput_mibps", UNIT_MIBPS, v->throughput_mibps);
    emit_int(m, "count", UNIT_COUNT, v->count);
}

static void emit_problems(struct emit *m, const struct vol_answer *a)
{
    emit_begin(m, "problems", EMIT_LIST);
    for (size_t i = 0; i < a->n_problems; i++) {
        const struct vol_problem *p = &a->problems[i];
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_text(m, "text", p->text);
        emit_text(m, "rule", p->rule);
        emit_date(m, "since", p->since_ms);
        if (p->nearest.count) {
            emit_begin(m, "nearest", EMIT_OBJECT);
            emit_text(m, "volume_type", volume_type_name(p->nearest.type));
            emit_spec(m, &p->nearest);
            emit_end(m);
        } else
            emit_null(m, "nearest");
        emit_end(m);
    }
    emit_end(m);
}

static void emit_at(struct emit *m, const struct vol_answer *a)
{
    if (!isfinite(a->q->io_kib) || !a->rule) {
        emit_null(m, "at");
        return;
    }
    emit_begin(m, "at", EMIT_OBJECT);
    emit_num(m, "io_kib", UNIT_KIB, a->q->io_kib);
    emit_num(m, "iops", UNIT_IOPS, a->at.iops);
    emit_num(m, "throughput_mibps", UNIT_MIBPS, a->at.throughput_mibps);
    emit_text(m, "binding", a->at.binding == VOL_BOUND_IOPS ? "iops" : "throughput");
    emit_num(m, "group_iops", UNIT_IOPS, a->at.iops * (double)a->spec.count);
    emit_num(m, "group_throughput_mibps", UNIT_MIBPS,
             a->at.throughput_mibps * (double)a->spec.count);
    emit_end(m);
}

static void emit_price(struct emit *m, const struct vol_answer *a)
{
    const struct vol_price *p = &a->price;
    emit_begin(m, "price", EMIT_OBJECT);
    emit_usd(m, "storage_usd", p->storage_microusd);
    emit_usd(m, "iops_usd", p->iops_microusd);
    emit_usd(m, "throughput_usd", p->throughput_microusd);
    emit_usd(m, "requests_usd", p->requests_microusd);
    emit_usd(m, "total_usd", p->total_microusd);
    emit_end(m);
}

static void emit_values(struct emit *m, const struct vol_answer *a)
{
    const struct vol_limits *l = &a->limits;
    double count = (double)a->spec.count;
    emit_text(m, "volume_type", volume_type_name(a->spec.type));
    emit_text(m, "rule_pack", a->rule ? a->rule->rule_pack : NULL);
    emit_date(m, "as_of", a->q->as_of_ms);
    emit_date(m, "price_as_of", a->price_as_of_ms);
    emit_text(m, "region", a->q->region);
    emit_spec(m, &a->spec);
    emit_bool(m, "legal", a->n_problems == 0);
    emit_problems(m, a);
    emit_num(m, "limit_iops", UNIT_IOPS, l->limit_iops);
    emit_num(m, "limit_throughput_mibps", UNIT_MIBPS, l->limit_throughput_mibps);
    emit_num(m, "max_iops", UNIT_IOPS, l->max_iops);
    emit_num(m, "max_throughput_mibps", UNIT_MIBPS, l->max_throughput_mibps);
    emit_num(m, "baseline_iops", UNIT_IOPS, l->baseline_iops);
    emit_num(m, "baseline_throughput_mibps", UNIT_MIBPS, l->baseline_throughput_mibps);
    emit_num(m, "burst_seconds", UNIT_S, l->burst_seconds);
    emit_num(m, "refill_seconds", UNIT_S, l->refill_seconds);
    emit_num(m, "group_max_iops", UNIT_IOPS, l->max_iops * count);
    emit_num(m, "group_max_throughput_mibps", UNIT_MIBPS, l->max_throughput_mibps * count);
    emit_at(m, a);
    if (a->today) {
        emit_begin(m, "today", EMIT_OBJECT);
        emit_text(m, "rule_pack", a->today->rule_pack);
        emit_num(m, "max_throughput_mibps", UNIT_MIBPS, a->today_limits.max_throughput_mibps);
        emit_end(m);
    } else
        emit_null(m, "today");
    emit_price(m, a);
}

/* --- for people --------------------------------------------------------------------------------
 */

/* Why this throughput: where the IOPS stand on the type's line graph.  "" without a graph. */
static const char *graph_words(char buf[120], const struct vol_rule *r, int64_t iops)
{
    char from[48], to[48], more[48], carry[48];
    buf[0] = '\0';
    size_t n = r->n_mibps_by_iops, at = 0;
    if (iops == UNKNOWN || !n)
        return buf;
    while (at < n && r->mibps_by_iops[at].x <= (double)iops)
        at++;
    const struct vol_corner *next = at < n ? &r->mibps_by_iops[at] : NULL;
    const struct vol_corner *last = at ? &r->mibps_by_iops[at - 1] : NULL;
    const struct vol_corner *after = at + 1 < n ? &r->mibps_by_iops[at + 1] : NULL;
    if (!next)
        snprintf(buf, 120, "the most of one volume");
    else if (last && last->mibps >= next->mibps)
        snprintf(buf, 120, "flat from %s to %s IOPS%s%s%s%s", unit_format(from, last->x, 0),
                 unit_format(to, next->x, 0), after ? "; " : "",
                 after ? unit_format(more, after->x, 0) : "", after ? " IOPS carry " : "",
                 after ? unit_format(carry, after->mibps, 0) : "");
    else
        snprintf(buf, 120, "grows with the IOPS to %s at %s", unit_format(carry, next->mibps, 0),
                 unit_format(to, next->x, 0));
    return buf;
}

static int decimals_of(double v)
{
    return fabs(v - round(v)) < 0.05 ? 0 : 1;
}

static char *rate(char buf[48], double v)
{
    return unit_format(buf, v, decimals_of(v));
}

static void say_carries(struct emit *m, const struct vol_answer *a)
{
    char b1[48], b2[48], graph[120];
    const struct vol_limits *l = &a->limits;
    double count = (double)a->spec.count;
    graph_words(graph, a->rule, a->spec.iops);
    if (a->spec.iops != UNKNOWN && *graph)
        emit_label(m, "carries", "%s MiB/s   %s", rate(b1, l->max_throughput_mibps * count), graph);
    else
        emit_label(m, "carries", "%s MiB/s and %s IOPS%s",
                   rate(b1, l->max_throughput_mibps * count), rate(b2, l->max_iops * count),
                   isfinite(l->burst_seconds) ? " while credits last" : "");
    if (a->spec.iops != UNKNOWN && l->max_iops < (double)a->spec.iops)
        emit_label(m, "but", "%s of its %s IOPS: %s is a Xen instance", rate(b1, l->max_iops),
                   unit_format(b2, (double)a->spec.iops, 0), a->q->instance->name);
    if (a->spec.count > 1)
        emit_label(m, "each", "%s MiB/s and %s IOPS", rate(b1, l->max_throughput_mibps),
                   rate(b2, l->max_iops));
    if (isfinite(l->burst_seconds)) {
        char b3[48], b4[48];
        emit_label(m, "sustains",
                   "%s MiB/s and %s IOPS with no credits left   full credits last "
                   "%s s and are back in %s s",
                   rate(b1, l->baseline_throughput_mibps * count),
                   rate(b2, l->baseline_iops * count), unit_format(b3, l->burst_seconds, 0),
                   unit_format(b4, l->refill_seconds, 0));
    }
    if (isfinite(a->q->io_kib)) {
        char b3[48], name[64];
        snprintf(name, sizeof name, "in %s KiB", rate(b3, a->q->io_kib));
        emit_label(m, name, "%s MiB/s, %s IOPS%s: %s bind%s", rate(b1, a->at.throughput_mibps),
                   rate(b2, a->at.iops), a->spec.count > 1 ? " each" : "",
                   a->at.binding == VOL_BOUND_IOPS ? "IOPS" : "throughput",
                   a->at.binding == VOL_BOUND_IOPS ? "" : "s");
    }
}

static size_t add_part(char *to, size_t room, size_t at, const char *name, int64_t microusd)
{
    char usd[48];
    if (microusd == UNKNOWN || microusd == 0 || at >= room)
        return at;
    int n = snprintf(to + at, room - at, "%s%s %s", at ? " + " : "", name,
                     unit_format_usd(usd, microusd));
    return at + (n > 0 ? (size_t)n : 0);
}

static void say_price(struct emit *m, const struct vol_answer *a)
{
    const struct vol_price *p = &a->price;
    char usd[48], day[32], parts[200] = "";
    if (a->price_as_of_ms == UNKNOWN) {
        emit_label(m, "costs", "-   not sold in %s as far as is known", a->q->region);
        return;
    }
    size_t at = add_part(parts, sizeof parts, 0, "storage", p->storage_microusd);
    at = add_part(parts, sizeof parts, at, "IOPS", p->iops_microusd);
    at = add_part(parts, sizeof parts, at, "throughput", p->throughput_microusd);
    add_part(parts, sizeof parts, at, "requests", p->requests_microusd);
    emit_label(m, "costs", "%s USD a month   %s   (%s, prices of %s)",
               unit_format_usd(usd, p->total_microusd), parts, a->q->region,
               time_format_date(day, a->price_as_of_ms));
    if (p->requests_microusd == UNKNOWN)
        emit_label(m, "and", "what its requests cost: --requests N a month");
}

static void say_today(struct emit *m, const struct vol_answer *a)
{
    char b1[48], b2[48], day[32];
    if (!a->today)
        return;
    double sold = a->today_limits.max_throughput_mibps;
    if (fabs(sold - a->limits.max_throughput_mibps) < 0.05) {
        emit_label(m, "today", "%s MiB/s as well", rate(b1, sold));
        return;
    }
    double at = vol_at_size(a->today, &a->spec, a->xen, FULL_REQUEST_KIB).throughput_mibps;
    char requests[80] = "";
    if (at < sold - 0.05)
        snprintf(requests, sizeof requests, " (%s in 256 KiB requests)", rate(b2, at));
    emit_label(m, "today", "the same volume is sold as %s MiB/s%s: %s%s%s", rate(b1, sold),
               requests, a->today->rule_pack, a->today->valid_from_ms == UNKNOWN ? "" : ", since ",
               a->today->valid_from_ms == UNKNOWN ? ""
                                                  : time_format_date(day, a->today->valid_from_ms));
}

static void say_legal(struct emit *m, const struct vol_answer *a)
{
    char spec[160], day[32];
    double count = (double)a->spec.count;
    emit_say(m, "%s (rules of %s: %s)", spec_words(spec, &a->spec),
             time_format_date(day, a->q->as_of_ms), a->rule->rule_pack);
    say_carries(m, a);
    say_price(m, a);
    say_today(m, a);
    emit_label(m, "next", "volplan size --throughput %.0f --iops %.0f --size %.0f%s%s",
               floor(a->limits.baseline_throughput_mibps * count),
               floor(fmin(a->limits.baseline_iops * count, 1e9)), (double)a->spec.size_gib * count,
               a->q->as_of_ms == a->q->today_ms ? "" : " --as-of ",
               a->q->as_of_ms == a->q->today_ms ? "" : day);
}

static void say_refused(struct emit *m, const struct vol_answer *a)
{
    char spec[160], day[32];
    emit_say(m, "%s is refused (rules of %s%s%s)", spec_words(spec, &a->spec),
             time_format_date(day, a->q->as_of_ms), a->rule ? ": " : "",
             a->rule ? a->rule->rule_pack : "");
    for (size_t i = 0; i < a->n_problems; i++) {
        const struct vol_problem *p = &a->problems[i];
        emit_label(m, "because", "%s%s%s", p->text,
                   a->rule && p->since_ms != UNKNOWN ? ", since " : "",
                   a->rule && p->since_ms != UNKNOWN ? time_format_date(day, p->since_ms) : "");
        if (p->nearest.count)
            emit_label(m, "nearest", "%s", spec_words(spec, &p->nearest));
    }
}

int report_vol(struct emit *m, const struct vol_question *q, struct err *e)
{
    struct vol_answer a;
    int rc = answer(&a, q, e);
    if (rc)
        return rc;
    emit_values(m, &a);
    if (a.n_problems)
        say_refused(m, &a);
    else
        say_legal(m, &a);
    return a.n_problems ? ERR_NO : 0;
}
