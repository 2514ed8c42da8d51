/* planner/report/load_chart.c - see load_chart.h. */
#include "planner/report/load_chart.h"

#include "planner/report/emit_option.h"

#include <stdio.h>

static void step_of(const void *series, size_t i, struct emit_step *out)
{
    const struct load_points *points = series;
    const struct load_point *p = &points->at[i];
    bool apart = p->flags & POINT_ARTEFACT;
    unsigned at_ceiling = POINT_CENSORED & ~(unsigned)POINT_CENSORED_WAITS;
    *out = (struct emit_step){ p->begin_ms, p->end_ms, apart ? NAN : point_total_mibps(p),
                               !apart && p->flags & at_ceiling };
}

static void draw_one(struct emit *m, const struct load_chart *c, int64_t begin_ms, int64_t end_ms)
{
    char label[400], peak[48], ceiling[48], of[80] = "";
    if (!isnan(c->ceiling_mibps))
        snprintf(of, sizeof of, ", ceiling %s", rate_words(ceiling, c->ceiling_mibps));
    snprintf(label, sizeof label, "%.200s, peak %s%s", c->name, rate_words(peak, c->peak_mibps),
             of);
    emit_chart(m,
               &(struct emit_chart){ label, begin_ms, end_ms, c->points->n, step_of, c->points });
}

void draw_load(struct emit *m, const struct load_chart *charts, size_t n)
{
    int64_t begin_ms = INT64_MAX, end_ms = INT64_MIN;
    for (size_t i = 0; i < n && m->charts; i++) {
        const struct load_points *p = charts[i].points;
        if (isnan(charts[i].peak_mibps))
            continue;
        begin_ms = p->at[0].begin_ms < begin_ms ? p->at[0].begin_ms : begin_ms;
        end_ms = p->at[p->n - 1].end_ms > end_ms ? p->at[p->n - 1].end_ms : end_ms;
    }
    if (begin_ms >= end_ms)
        return;
    emit_say(m, "%s", "");
    emit_say(m, "MiB/s over time (UTC); a column is the highest reading in it, ^ at a ceiling:");
    for (size_t i = 0; i < n; i++)
        if (!isnan(charts[i].peak_mibps))
            draw_one(m, &charts[i], begin_ms, end_ms);
}
