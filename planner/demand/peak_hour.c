/* planner/demand/peak_hour.c - see peak_hour.h. */
#include "planner/demand/peak_hour.h"

#include "models/core/unit.h"
#include "planner/demand/percentile_demand.h"

static const int64_t hour_ms = 3600000, day_ms = 24 * INT64_C(3600000);

static int64_t time_of_day(int64_t t_ms)
{
    return (t_ms % day_ms + day_ms) % day_ms;
}

/* Has a part in the hour of the day that begins at hour_at_ms. */
static bool touches(const struct load_point *p, int64_t hour_at_ms)
{
    int64_t begins = time_of_day(p->begin_ms);
    if (begins >= hour_at_ms && begins < hour_at_ms + hour_ms)
        return true;
    return p->end_ms - p->begin_ms > (hour_at_ms - begins + day_ms) % day_ms;
}

static int leave_out(const struct group_demand *g, struct arena *a, struct load_points *out,
                     struct err *e)
{
    int64_t at_ms = time_of_day(g->demand.time_of_max_ms) / hour_ms * hour_ms;
    struct load_points kept = { arena_array(a, g->points.n + 1, sizeof *kept.at), 0 };
    if (!kept.at)
        return err_nomem(e);
    for (size_t i = 0; i < g->points.n; i++)
        if (!touches(&g->points.at[i], at_ms))
            kept.at[kept.n++] = g->points.at[i];
    *out = kept;
    return 0;
}

/* The points of the rest are no longer needed: the result has the measured ones. */
static int find(const struct system_demand *measured, struct group_demand *groups,
                struct arena *scratch, struct arena *a, struct system_demand *out, struct err *e)
{
    struct system_demand rest = *measured;
    struct group_demand *parts = arena_array(scratch, rest.n_groups + 1, sizeof *parts);
    int rc = parts ? 0 : err_nomem(e);
    for (size_t i = 0; i < rest.n_groups && !rc; i++) {
        parts[i] = measured->groups[i];
        if (parts[i].demand.time_of_max_ms != UNKNOWN)
            rc = leave_out(&measured->groups[i], scratch, &parts[i].points, e);
    }
    rest.groups = parts;
    if (!rc)
        rc = percentile_demand(&rest, 100, PERCENTILE_SIZING, a, out, e);
    for (size_t i = 0; i < rest.n_groups && !rc; i++) {
        groups[i] = out->groups[i];
        groups[i].points = measured->groups[i].points;
    }
    return rc;
}

int demand_without_peak_hour(const struct system_demand *measured, struct arena *a,
                             struct system_demand *out, struct err *e)
{
    struct system_demand d;
    struct arena scratch = { 0 };
    struct group_demand *groups = arena_array(a, measured->n_groups + 1, sizeof *groups);
    if (!groups)
        return err_nomem(e);
    int rc = find(measured, groups, &scratch, a, &d, e);
    arena_release(&scratch);
    if (rc)
        return rc;
    d.groups = groups;
    *out = d;
    return 0;
}
