/* cli/cmd/kept_systems.c - see kept_systems.h. */
#include "cli/cmd/kept_systems.h"

#include "planner/solve/plan_pareto.h"

#include <math.h>
#include <string.h>

void kept_systems_next(struct kept_systems *k)
{
    k->command++;
}

static struct kept_system *find(struct kept_systems *k, const char *system)
{
    for (size_t i = 0; i < KEPT_SYSTEMS; i++)
        if (k->item[i].used_by && strcmp(k->item[i].input.load.system, system) == 0)
            return &k->item[i];
    return NULL;
}

/* The one that was not used for the longest; NULL when the command at hand uses all. */
static struct kept_system *least_used(struct kept_systems *k)
{
    struct kept_system *least = &k->item[0];
    for (size_t i = 1; i < KEPT_SYSTEMS; i++)
        if (k->item[i].used_by < least->used_by)
            least = &k->item[i];
    return least->used_by < k->command ? least : NULL;
}

static void give_up(struct kept_system *of)
{
    arena_release(&of->arena);
    arena_release(&of->of_demand);
    arena_release(&of->of_plan);
    *of = (struct kept_system){ .used_by = 0 };
}

static int read_into(struct kept_system *to, struct store *s, const char *system, struct err *e)
{
    give_up(to);
    return system_input_of(s, system, false, &to->arena, &to->input, e);
}

int kept_systems_get(struct kept_systems *k, struct store *s, const char *system, struct arena *a,
                     struct system_input *out, struct err *e)
{
    int rc = store_system_resolve(s, system, a, &system, e);
    if (rc)
        return rc;
    struct kept_system *kept = find(k, system);
    if (!kept) {
        kept = least_used(k);
        if (!kept)
            return system_input_of(s, system, false, a, out, e);
        rc = read_into(kept, s, system, e);
    }
    if (rc)
        return rc;
    kept->used_by = k->command;
    *out = kept->input;
    return 0;
}

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static bool answers_for(const struct demand_options *has, const struct demand_options *o)
{
    return has->catalogue == o->catalogue && has->from_ms == o->from_ms && has->to_ms == o->to_ms &&
           same_number(has->peak_factor, o->peak_factor) &&
           (o->no_percentiles || !has->no_percentiles);
}

/* Made anew where another is kept. */
static int demand_into(struct kept_system *to, const struct demand_options *o, struct err *e)
{
    if (to->demand.load && answers_for(&to->demand.options_used, o))
        return 0;
    to->demand.load = NULL;
    to->plan.demand = NULL;
    arena_release(&to->of_plan);
    arena_release(&to->of_demand);
    return system_demand_build(&to->input.load, &to->input.layout, o, &to->of_demand, &to->demand,
                               e);
}

int kept_systems_demand(struct kept_systems *k, const struct system_input *input,
                        const struct demand_options *o, struct arena *a, struct system_demand *out,
                        struct err *e)
{
    struct kept_system *kept = find(k, input->load.system);
    if (!kept || kept->input.load.series != input->load.series)
        return system_demand_build(&input->load, &input->layout, o, a, out, e);
    int rc = demand_into(kept, o, e);
    if (!rc)
        *out = kept->demand;
    return rc;
}

static int copy_text(const char **text, struct arena *a)
{
    if (!*text)
        return 0;
    *text = arena_strdup(a, *text);
    return *text ? 0 : ERR_NOMEM;
}

/* Options whose words live as long as the plan. */
static int copy_options(const struct plan_options *o, struct arena *a, struct plan_options *out,
                        struct err *e)
{
    *out = *o;
    return copy_text(&out->region, a) || copy_text(&out->instance_type, a) ||
                   copy_text(&out->arch, a)
               ? err_nomem(e)
               : 0;
}

static int plan_with_front(const struct system_demand *d, const struct plan_options *o,
                           struct arena *a, struct plan *out, struct err *e)
{
    int rc = plan_build(d, o, a, out, e);
    return rc ? rc : plan_pareto_add(out, a, e);
}

/* Made anew where another is kept. */
static int plan_into(struct kept_system *to, const struct plan_options *o, struct err *e)
{
    if (to->plan.demand && plan_options_alike(&to->planned_for, o))
        return 0;
    struct plan plan;
    to->plan.demand = NULL;
    arena_release(&to->of_plan);
    int rc = copy_options(o, &to->of_plan, &to->planned_for, e);
    if (!rc)
        rc = plan_with_front(&to->demand, &to->planned_for, &to->of_plan, &plan, e);
    if (!rc)
        to->plan = plan;
    return rc;
}

int kept_systems_plan(struct kept_systems *k, const struct system_demand *d,
                      const struct plan_options *o, struct arena *a, struct plan *out,
                      struct err *e)
{
    struct kept_system *kept = k ? find(k, d->load->system) : NULL;
    if (!kept || kept->demand.groups != d->groups)
        return plan_with_front(d, o, a, out, e);
    int rc = plan_into(kept, o, e);
    if (!rc)
        *out = kept->plan;
    return rc;
}

void kept_systems_release(struct kept_systems *k)
{
    for (size_t i = 0; i < KEPT_SYSTEMS; i++)
        give_up(&k->item[i]);
}
