/* cli/cmd/cmd_whatif.c - volplan whatif: what changes do to the volumes. */
#include "cli/cmd/cmd.h"

#include "cli/cmd/kept_systems.h"
#include "cli/cmd/plan_input.h"
#include "planner/report/report_whatif.h"
#include "planner/solve/plan_pareto.h"

static const struct {
    enum option_id option;
    enum whatif_kind kind;
} changing[] = {
    { OPT_ADD_STANDBY, WHATIF_ADD_STANDBY },
    { OPT_DROP_STANDBY, WHATIF_DROP_STANDBY },
    { OPT_CASCADE, WHATIF_CASCADE },
    { OPT_FARSYNC, WHATIF_FAR_SYNC },
    { OPT_STANDBYS, WHATIF_STANDBYS },
    { OPT_ROLE_SWAP, WHATIF_ROLE_SWAP },
    { OPT_REDO_BLOCK, WHATIF_REDO_BLOCK },
    { OPT_MEMBERS, WHATIF_MEMBERS },
    { OPT_GROWTH, WHATIF_GROWTH },
    { OPT_REDUNDANCY_OF_GROUP, WHATIF_REDUNDANCY },
    { OPT_INSTANCE, WHATIF_INSTANCE },
    { OPT_MERGE_LOSS, WHATIF_MERGE_LOSS },
    { OPT_SPLIT, WHATIF_SPLIT },
    { OPT_RMAN, WHATIF_RMAN },
    { OPT_RESTORE, WHATIF_RESTORE },
    { OPT_SHIFT, WHATIF_SHIFT },
    { OPT_PHASE, WHATIF_PHASE },
};

/* The changes in the order in which they were typed. */
static int changes_of(struct app *app, const struct whatif_change **out, size_t *out_n,
                      struct err *e)
{
    const struct invocation *in = &app->in;
    size_t n = 0;
    struct whatif_change *changes = arena_array(&app->arena, in->n_uses + 1, sizeof *changes);
    if (!changes)
        return err_nomem(e);
    for (size_t i = 0; i < in->n_uses; i++)
        for (size_t k = 0; k < sizeof changing / sizeof *changing; k++) {
            if (changing[k].option != in->uses[i].id)
                continue;
            int rc =
                whatif_change_parse(span_of(whatif_kind_name(changing[k].kind)),
                                    span_of(in->uses[i].value.text), &app->arena, &changes[n++], e);
            if (rc)
                return rc;
        }
    if (!n)
        return err_set(e, ERR_USAGE,
                       "whatif needs a change, such as --standbys 8 (volplan help "
                       "whatif)");
    *out = changes;
    *out_n = n;
    return 0;
}

int cmd_whatif(struct app *app, struct err *e)
{
    const struct whatif_change *changes = NULL;
    size_t n_changes = 0;
    struct plan_input in;
    struct redo_path path;
    struct plan base;
    struct whatif w;
    int rc = changes_of(app, &changes, &n_changes, e);
    if (!rc)
        rc = plan_input(app, &in, e);
    if (rc)
        return rc;
    struct whatif_options o = { .plan = in.options,
                                .network_efficiency = app_number(app, OPT_NETWORK_EFFICIENCY) };
    o.plan.instance_type = NULL; /* --instance is a change: today's is the layout's */
    rc = redo_path_build(&in.demand, &app->arena, &path, e);
    if (!rc)
        rc = kept_systems_plan(app->kept, &in.demand, &o.plan, &app->arena, &base, e);
    o.base = &base;
    if (!rc)
        rc = whatif_build(&in.demand, &path, changes, n_changes, &o, &app->arena, &w, e);
    if (!rc && !w.refused)
        rc = plan_pareto_add(&w.plan, &app->arena, e);
    if (rc)
        return rc;
    struct emit *m = app_emit(app);
    if (!m)
        return err_nomem(e);
    report_whatif(m, &w, &app->arena);
    return app_finish(m, w.refused || w.plan.status == PLAN_NONE ? ERR_NO : 0, e);
}
