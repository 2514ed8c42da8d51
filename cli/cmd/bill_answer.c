/* cli/cmd/bill_answer.c - see bill_answer.h. */
#include "cli/cmd/bill_answer.h"

struct measured {
    struct waste_system *systems;
    const struct system_load **loads;
};

static int measured_of(const struct system_input *in, size_t n, struct arena *a,
                       struct measured *out, struct err *e)
{
    out->systems = arena_array(a, n, sizeof *out->systems);
    out->loads = arena_array(a, n, sizeof(struct system_load *));
    if (!out->systems || !out->loads)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++) {
        out->systems[i] =
            (struct waste_system){ &in[i].load, in[i].has_layout ? &in[i].layout : NULL };
        out->loads[i] = &in[i].load;
    }
    return 0;
}

int bill_answer(struct app *app, const struct bill_sums *sums, const struct system_input *systems,
                size_t n, struct bill_answer *out, struct err *e)
{
    struct arena *a = &app->arena;
    struct measured m;
    struct reconcile_options o = {
        .catalogue = app->catalogue,
        .histories = &out->histories,
        .discount_pct = app_flag(app, OPT_DISCOUNT) ? app_number(app, OPT_DISCOUNT) : 0,
        .today_ms = app->today_ms,
    };
    struct waste_options wo = {
        .catalogue = app->catalogue,
        .headroom_pct = app_number(app, OPT_HEADROOM),
        .types = app_flag(app, OPT_TYPES) ? (unsigned)app_whole(app, OPT_TYPES) : 0,
    };
    int rc = measured_of(systems, n, a, &m, e);
    if (!rc)
        rc = volume_histories_build(m.loads, n, a, &out->histories, e);
    if (!rc)
        rc = reconcile(sums, &o, a, &out->reconciled, e);
    if (!rc)
        rc = waste_find(&out->reconciled, m.systems, n, &wo, a, &out->waste, e);
    if (!rc)
        rc = standby_prices_find(&out->waste, m.systems, n, a, &out->standbys, e);
    return rc;
}
