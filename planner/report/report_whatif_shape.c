/* planner/report/report_whatif_shape.c - see report_whatif_shape.h. */
#include "planner/report/report_whatif_shape.h"

#include "models/core/timestamp.h"
#include "planner/report/emit_option.h"
#include "planner/report/plan_values.h"
#include "planner/report/report_whatif_answer.h"

#include <stdio.h>

/* --- requests --------------------------------------------------------------------------------- */

static bool is_cut(const struct whatif *w, const struct whatif_group *g)
{
    const struct scenario *s = w->scenario;
    if (!s->shapes || g->planned >= s->layout.n_groups)
        return false;
    const struct load_shape *l = &s->shapes[g->planned].load;
    double was = g->peak.base.counted_iops, then = g->peak.at[BOUND_CENTRAL].counted_iops;
    return (!isinf(l->all.kib) || !isinf(l->some.kib)) && then > was * (1 + 1e-9);
}

static void put_iops(struct emit *m, const char *key, const struct whatif_rates *r)
{
    char buf[48];
    emit_cell(m, key, "%s", unit_format(buf, r->counted_iops, 0));
}

static void put_cut_row(struct emit *m, const struct whatif *w, const struct whatif_group *g)
{
    char buf[48];
    const struct whatif_loads *l = &g->peak;
    emit_begin(m, NULL, EMIT_OBJECT);
    emit_cell(m, "name", "%s", g->group->name);
    emit_cell(m, "mibps", "%s %s", grade_glyph(g->peak_grade),
              unit_format(buf, l->at[BOUND_CENTRAL].total_mibps, 0));
    put_iops(m, "now", &l->base);
    put_iops(m, "then", &l->at[BOUND_CENTRAL]);
    put_iops(m, "upper", &l->at[BOUND_UPPER]);
    emit_chosen_cells(m, &w->plan.groups[g->planned]);
    emit_end(m);
}

bool whatif_cuts_requests(const struct whatif *w)
{
    for (size_t i = 0; i < w->n_groups; i++)
        if (is_cut(w, &w->groups[i]))
            return true;
    return false;
}

void say_whatif_requests(struct emit *m, const struct whatif *w)
{
    static const struct emit_col cols[] = {
        { "name", "group", true },     { "mibps", "peak MiB/s", false },
        { "now", "IOPS now", false },  { "then", "then", false },
        { "upper", "upper", false },   { "plan", "plan", true },
        { "usd", "USD/month", false },
    };
    emit_table(m, "requests", cols, sizeof cols / sizeof *cols);
    for (size_t i = 0; i < w->n_groups; i++)
        if (is_cut(w, &w->groups[i]))
            put_cut_row(m, w, &w->groups[i]);
    emit_end(m);
}

/* What the disks that lose their merges ask for, at the peak of their group. */
static void say_disks(struct emit *m, const struct whatif *w)
{
    const struct scenario *s = w->scenario;
    for (size_t i = 0; i < w->n_groups; i++) {
        const struct whatif_group *g = &w->groups[i];
        char then[48], kib[48];
        if (!is_cut(w, g) || !s->shapes[g->planned].disks.cut)
            continue;
        const struct disk_cut *d = &s->shapes[g->planned].disks;
        double iops = g->peak.at[BOUND_CENTRAL].counted_iops * d->of_one;
        emit_label(
            m, "disks",
            "%lld of %lld of %s in requests of %s KiB: %s IOPS each at the peak. It may be any "
            "of them, so every volume is planned for it",
            (long long)d->cut, (long long)d->disks, g->group->name,
            unit_format(kib, d->kib, d->kib > 4 ? 2 : 0), unit_format(then, iops, 0));
    }
}

/* --- windows ---------------------------------------------------------------------------------- */

/* "reads the data group, writes as much to FRA" */
static void sides_words(char *buf, size_t room, const struct scenario_window *w)
{
    bool backup = w->change->kind == WHATIF_RMAN;
    char groups[80] = "the data group";
    if (w->data_groups > 1)
        snprintf(groups, sizeof groups, "%zu data groups, %s", w->data_groups,
                 w->by_size ? "each by its size" : "each alike");
    if (w->backup_group)
        snprintf(buf, room, "%s %s, %s as much %s %.60s", backup ? "reads" : "writes", groups,
                 backup ? "writes" : "reads", backup ? "to" : "from", w->backup_group);
    else
        snprintf(buf, room, "%s %s; the backup is taken to lie elsewhere",
                 backup ? "reads" : "writes", groups);
}

static void say_window(struct emit *m, const struct scenario_window *w)
{
    char hours[48], alone[48], gib[48], unmeasured[160] = "", sides[240];
    if (w->unmeasured_s > 0)
        snprintf(unmeasured, sizeof unmeasured,
                 "; in %s h of them nothing was measured, so there it stands alone",
                 unit_format(alone, w->unmeasured_s / 3600, 1));
    sides_words(sides, sizeof sides, w);
    emit_label(m, w->change->kind == WHATIF_RMAN ? "backup" : "restore",
               "%s; %zu time%s, %s h and %s GiB in all%s", sides, w->times,
               w->times == 1 ? "" : "s", unit_format(hours, w->seconds / 3600, 1),
               unit_format(gib, w->change->window_mibps * w->seconds / 1024, 0), unmeasured);
}

/* --- all groups together, and today's volumes ------------------------------------------------- */

static void say_together(struct emit *m, const struct whatif *w)
{
    char then[48], now[48], sustains[48];
    const struct plan_instance *i = &w->plan.instance;
    if (!w->scenario->n_windows && !whatif_moves_time(w))
        return;
    emit_label(m, "together", "all groups peak at %s %s MiB/s (now %s)%s%s%s%s%s",
               grade_glyph(i->grade), rate_words(then, w->plan.demand->demand.total_mibps),
               rate_words(now, w->base.demand->demand.total_mibps), i->type ? "; " : "",
               i->type ? i->type->name : "", i->type ? " sustains " : "",
               i->type ? rate_words(sustains, i->caps.baseline_mb_s / MB_PER_MIB) : "",
               i->type ? " MiB/s" : "");
}

static double throttled_more_s(const struct whatif_group *g)
{
    double more_s = g->throttled_s - g->throttled_now_s;
    return more_s > 0.5 ? more_s : 0;
}

static void say_today(struct emit *m, const struct whatif *w)
{
    const struct whatif_group *worst = NULL;
    size_t waiting = 0, known = 0;
    char then[48], now[48], others[60] = "";
    for (size_t i = 0; i < w->n_groups; i++) {
        const struct whatif_group *g = &w->groups[i];
        known += isnan(g->throttled_s) ? 0 : 1;
        waiting += throttled_more_s(g) > 0 ? 1 : 0;
        if (!worst || throttled_more_s(g) > throttled_more_s(worst))
            worst = g;
    }
    if (!waiting) {
        if (known)
            emit_label(m, "today's", "volumes would make no group wait longer than now");
        return;
    }
    if (waiting > 1)
        snprintf(others, sizeof others, ", and %zu other group%s longer than now", waiting - 1,
                 waiting == 2 ? "" : "s");
    emit_label(m, "today's", "volumes would make %s wait in %s s (now %s)%s", worst->group->name,
               unit_format(then, worst->throttled_s, 0),
               unit_format(now, worst->throttled_now_s, 0), others);
}

void say_whatif_shapes(struct emit *m, const struct whatif *w)
{
    say_disks(m, w);
    for (size_t i = 0; i < w->scenario->n_windows; i++)
        say_window(m, &w->scenario->windows[i]);
    say_together(m, w);
    say_today(m, w);
}
