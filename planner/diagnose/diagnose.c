/* planner/diagnose/diagnose.c - see diagnose.h. */
#include "planner/diagnose/diagnose.h"

const struct rule_table *const diagnose_tables[] = {
    &rules_ceilings, &rules_bursts, &rules_shape,   &rules_waits, &rules_redo, &rules_not_storage,
    &rules_verdict,  &rules_bounds, &rules_reading, &rules_risk,  NULL,
};

static unsigned what_is_there(const struct diagnose_input *in)
{
    const struct system_load *l = in->demand->load;
    const struct layout *layout = in->demand->layout;
    unsigned has = 0;
    for (size_t i = 0; i < l->n_series; i++)
        if (l->series[i].n &&
            (l->series[i].kind == SERIES_DEVICE || l->series[i].kind == SERIES_VOLUME))
            has |= NEED_SERIES;
    if (l->n_snapshots)
        has |= NEED_SNAPSHOTS;
    if (l->n_metrics)
        has |= NEED_METRICS;
    if (l->n_records || l->n_volumes || l->n_modifications)
        has |= NEED_RECORDS;
    if (in->layout_given)
        has |= NEED_LAYOUT;
    if (layout->instance_type)
        has |= NEED_INSTANCE;
    return has;
}

int diagnose_build(const struct diagnose_input *in, struct arena *a, struct diagnosis *out,
                   struct err *e)
{
    struct run r = { .load = in->demand->load,
                     .layout = in->demand->layout,
                     .layout_given = in->layout_given,
                     .layout_file = in->layout_file,
                     .demand = in->demand,
                     .catalogue = in->catalogue,
                     .as_of_ms = in->as_of_ms,
                     .standbys = in->standbys,
                     .n_standbys = in->n_standbys,
                     .has = what_is_there(in),
                     .arena = a };
    struct diagnosis d = { .system = in->demand->load->system,
                           .layout_given = in->layout_given,
                           .n_files = in->demand->load->n_files };
    for (size_t t = 0; diagnose_tables[t]; t++) {
        run_rules(&r, diagnose_tables[t]);
        for (size_t i = 0; i < diagnose_tables[t]->n; i++) {
            unsigned lacks = diagnose_tables[t]->rules[i].needs & ~r.has;
            d.n_rules++;
            d.n_run += !lacks;
            d.lacks |= lacks;
        }
    }
    run_sort(&r);
    int rc = run_findings(&r, &d.findings, &d.n_findings, e);
    if (!rc)
        *out = d;
    return rc;
}

bool diagnosis_has_error(const struct diagnosis *d)
{
    for (size_t i = 0; i < d->n_findings; i++)
        if (d->findings[i].severity == SEVERITY_ERROR)
            return true;
    return false;
}
