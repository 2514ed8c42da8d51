/* planner/series/chart_ceilings.c - see chart_ceilings.h. */
#include "planner/series/chart_ceilings.h"

#include <math.h>

/* The line of one ceiling goes on where its value stays. */
static int add(struct chart_ceilings *c, const struct chart_ceiling *line, struct arena *a,
               struct err *e)
{
    if (isnan(line->value) || line->from_ms >= line->to_ms)
        return 0;
    for (size_t i = c->n; i-- > 0;) {
        struct chart_ceiling *was = &c->at[i];
        if (was->metric != line->metric || was->name != line->name || was->whose != line->whose ||
            was->burst != line->burst)
            continue;
        if (was->to_ms != line->from_ms || was->value < line->value || was->value > line->value)
            break;
        was->to_ms = line->to_ms;
        return 0;
    }
    if (c->n == c->room) {
        size_t room = c->room ? 2 * c->room : 16;
        struct chart_ceiling *grown = arena_grow(a, c->at, c->n, room, sizeof *c->at);
        if (!grown)
            return err_nomem(e);
        c->at = grown;
        c->room = room;
    }
    c->at[c->n++] = *line;
    return 0;
}

struct figure {
    enum envelope_metric metric;
    enum replay_ceiling name;
    bool burst;
    double value; /* NaN = there is no such ceiling */
};

static int add_figures(struct chart_ceilings *c, const struct chart_span *s,
                       const struct figure *figures, size_t n, struct arena *a, struct err *e)
{
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++) {
        const struct figure *f = &figures[i];
        struct chart_ceiling line = { f->metric,  f->name,  s->whose, f->burst,
                                      s->from_ms, s->to_ms, f->value, s->spec };
        rc = add(c, &line, a, e);
    }
    return rc;
}

static int add_of_day(struct chart_ceilings *c, const struct chart_span *s,
                      const struct replay_group *g, struct arena *a, struct err *e)
{
    bool bucket = !isnan(g->credits);
    bool counts_mib = g->requests_per_mib < 4;
    double earned_mibps = g->earn_iops / g->requests_per_mib;
    double same_unit = counts_mib == c->counts_mib ? 1 : NAN;
    const struct figure figures[] = {
        { ENVELOPE_MIBPS, REPLAY_VOLUME_THROUGHPUT, bucket, g->max_throughput_mibps },
        { ENVELOPE_IOPS, REPLAY_VOLUME_IOPS, bucket, g->max_iops * same_unit },
        { ENVELOPE_MIBPS, REPLAY_VOLUME_CREDITS, false,
          bucket && earned_mibps < g->max_throughput_mibps ? earned_mibps : NAN },
        { ENVELOPE_IOPS, REPLAY_VOLUME_CREDITS, false, bucket ? g->earn_iops * same_unit : NAN },
    };
    return add_figures(c, s, figures, sizeof figures / sizeof *figures, a, e);
}

int chart_ceilings_add_group(struct chart_ceilings *c, const struct chart_span *s,
                             const struct replay_era *eras, size_t n_eras, size_t g,
                             struct arena *a, struct err *e)
{
    int rc = 0;
    for (size_t k = 0; k < n_eras && !rc; k++) {
        struct chart_span of = *s;
        of.from_ms = s->from_ms + llround(eras[k].from_s * 1000);
        if (k + 1 < n_eras)
            of.to_ms = s->from_ms + llround(eras[k + 1].from_s * 1000);
        rc = add_of_day(c, &of, &eras[k].groups[g], a, e);
    }
    return rc;
}

int chart_ceilings_add_instance(struct chart_ceilings *c, const struct chart_span *s,
                                const struct instance_caps *caps, struct arena *a, struct err *e)
{
    bool bursts_mb = caps->max_mb_s > caps->baseline_mb_s,
         bursts_iops = caps->max_iops > caps->baseline_iops;
    const struct figure figures[] = {
        { ENVELOPE_MIBPS, REPLAY_INSTANCE_THROUGHPUT, bursts_mb, caps->max_mb_s },
        { ENVELOPE_IOPS, REPLAY_INSTANCE_IOPS, bursts_iops, caps->max_iops },
        { ENVELOPE_MIBPS, REPLAY_BASELINE_THROUGHPUT, false,
          bursts_mb ? caps->baseline_mb_s : NAN },
        { ENVELOPE_IOPS, REPLAY_BASELINE_IOPS, false, bursts_iops ? caps->baseline_iops : NAN },
    };
    return add_figures(c, s, figures, sizeof figures / sizeof *figures, a, e);
}
