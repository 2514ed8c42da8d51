/* planner/bill/standby_prices.c - see standby_prices.h. */
#include "planner/bill/standby_prices.h"

#include "models/core/unit.h"
#include "models/oracle/redo_transport.h"
#include "planner/whatif/whatif.h"

#include <string.h>

/* The Region of a billed volume of the system; NULL when it has none in the bill. */
static const char *billed_region(const struct waste *w, const char *system)
{
    for (size_t i = 0; i < w->n_volumes; i++)
        if (w->volumes[i].system && !strcmp(w->volumes[i].system, system))
            return w->volumes[i].billed->region;
    return NULL;
}

struct list {
    struct standby_price *at;
    size_t n, room;
};

static int keep(struct list *l, const char *system, const struct whatif *w, struct arena *a,
                struct err *e)
{
    for (size_t i = 0; i < w->n_standbys; i++) {
        const struct whatif_standby *s = &w->standbys[i];
        if (l->n == l->room) {
            l->room = l->room ? 2 * l->room : 8;
            l->at = arena_grow(a, l->at, l->n, l->room, sizeof *l->at);
            if (!l->at)
                return err_nomem(e);
        }
        l->at[l->n++] = (struct standby_price){
            .system = system,
            .name = arena_strdup(a, s->standby->name ? s->standby->name : ""),
            .here_microusd = s->here_microusd,
            .host_microusd = s->host.name ? s->host.total_microusd : UNKNOWN,
        };
        if (!l->at[l->n - 1].name)
            return err_nomem(e);
    }
    return 0;
}

static int price_system(const struct waste *w, const struct waste_system *s, const char *region,
                        struct arena *scratch, struct whatif *out, struct err *e)
{
    struct demand_options demand_options;
    struct system_demand *demand = arena_alloc(scratch, sizeof *demand);
    struct redo_path *path = arena_alloc(scratch, sizeof *path);
    struct whatif_options *o = arena_alloc(scratch, sizeof *o);
    if (!demand || !path || !o)
        return err_nomem(e);
    plan_options_init(&o->plan, w->options_used.catalogue, w->month_ms);
    o->plan.region = region;
    o->plan.as_of_ms = w->month_ms;
    o->plan.headroom_pct = w->options_used.headroom_pct;
    o->plan.per_volume_microusd = 0;
    o->plan.figures_only = true;
    o->network_efficiency = REDO_NETWORK_EFFICIENCY;
    demand_options_init(&demand_options, w->options_used.catalogue);
    int rc = system_demand_build(s->load, s->layout, &demand_options, scratch, demand, e);
    if (!rc)
        rc = redo_path_build(demand, scratch, path, e);
    return rc ? rc : whatif_build(demand, path, NULL, 0, o, scratch, out, e);
}

int standby_prices_find(const struct waste *w, const struct waste_system *systems, size_t n,
                        struct arena *a, struct standby_prices *out, struct err *e)
{
    struct list l = { 0 };
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++) {
        struct arena scratch = { 0 };
        struct whatif of;
        struct err own = { 0 };
        const char *region = billed_region(w, systems[i].load->system);
        if (!region || !systems[i].layout)
            continue;
        int priced = price_system(w, &systems[i], region, &scratch, &of, &own);
        if (priced == ERR_NOMEM)
            rc = err_nomem(e);
        else if (!priced && !of.refused)
            rc = keep(&l, systems[i].load->system, &of, a, e);
        arena_release(&scratch);
    }
    *out = (struct standby_prices){ l.at, l.n };
    return rc;
}
