/* planner/report/emit_others.c - see emit_others.h. */
#include "planner/report/emit_others.h"

#include "planner/report/emit_option.h"

#include <string.h>

enum { SAID_MAX = 4 };

void emit_others(struct emit *m, const struct plan_other *others, size_t n)
{
    emit_begin(m, "others", EMIT_LIST);
    for (size_t i = 0; i < n; i++) {
        const struct plan_other *o = &others[i];
        char spec[96];
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_text(m, "source", o->source);
        emit_text(m, "volume_id", o->volume_id);
        emit_text(m, "spec", o->has_spec ? volume_spec_format(spec, &o->spec) : NULL);
        emit_spec_values(m, &o->spec);
        emit_usd(m, "total_usd", o->total_microusd);
        emit_num(m, "saving_usd", UNIT_USD, o->saving_usd);
        emit_text(m, "finding", o->finding);
        emit_text(m, "verdict", other_verdict_name(o->verdict));
        emit_text(m, "decides", o->decides);
        emit_end(m);
    }
    emit_end(m);
}

static const char *source_words(const char *source)
{
    if (source && !strcmp(source, "compute_optimizer"))
        return "Compute Optimizer";
    return source && !strcmp(source, "cost_optimization_hub") ? "Cost Optimization Hub" : "another";
}

static size_t say_some(struct emit *m, const char *group, const struct plan_other *others, size_t n,
                       size_t said)
{
    for (size_t i = 0; i < n; i++, said++) {
        const struct plan_other *o = &others[i];
        char spec[96], usd[48];
        if (said >= SAID_MAX)
            continue;
        emit_label(m, "others", "%s for %s%s%s: %s%s%s%s; %s", source_words(o->source),
                   o->volume_id, group ? " of " : "", group ? group : "",
                   o->has_spec  ? volume_spec_format(spec, &o->spec)
                   : o->finding ? o->finding
                                : "no spec",
                   o->total_microusd == UNKNOWN ? "" : ", ",
                   o->total_microusd == UNKNOWN ? "" : unit_format_usd(usd, o->total_microusd),
                   o->total_microusd == UNKNOWN ? "" : " USD a month", o->decides);
    }
    return said;
}

void say_others(struct emit *m, const struct plan *p)
{
    size_t said = 0;
    for (size_t i = 0; i < p->n_groups; i++)
        said =
            say_some(m, p->groups[i].group->name, p->groups[i].others, p->groups[i].n_others, said);
    said = say_some(m, NULL, p->others, p->n_others, said);
    if (said > SAID_MAX)
        emit_label(m, "others", "%zu more: --json", said - SAID_MAX);
}
