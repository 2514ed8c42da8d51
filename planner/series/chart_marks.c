/* planner/series/chart_marks.c - see chart_marks.h. */
#include "planner/series/chart_marks.h"

#include "planner/series/envelope.h"

#include <string.h>

int chart_marks_init(struct chart_marks *m, const struct load_points *points, struct arena *a,
                     struct err *e)
{
    *m = (struct chart_marks){ points, arena_array(a, points->n + 1, 1),
                               arena_array(a, points->n + 1, 1) };
    if (!m->marks || !m->binding)
        return err_nomem(e);
    memset(m->binding, ENVELOPE_NO_BINDING, points->n + 1);
    return 0;
}

static enum replay_ceiling ceiling_of(unsigned flags, bool of_host)
{
    if (of_host) /* it has the flags of its groups too */
        return flags & POINT_CENSORED_INSTANCE ? REPLAY_BASELINE_THROUGHPUT : REPLAY_NONE;
    if (flags & POINT_CENSORED_THROUGHPUT)
        return REPLAY_VOLUME_THROUGHPUT;
    return flags & POINT_CENSORED_IOPS ? REPLAY_VOLUME_IOPS : REPLAY_NONE;
}

void chart_marks_censored(struct chart_marks *m, bool of_host)
{
    for (size_t i = 0; i < m->points->n; i++) {
        enum replay_ceiling c = ceiling_of(m->points->at[i].flags, of_host);
        if (m->binding[i] == ENVELOPE_NO_BINDING && c != REPLAY_NONE)
            m->binding[i] = (unsigned char)c;
    }
}

double chart_marks_ceiling_s(const struct chart_marks *m, bool of_host)
{
    const unsigned own = of_host ? 0 : POINT_CENSORED & ~(unsigned)POINT_CENSORED_WAITS;
    int64_t sum_ms = 0;
    for (size_t i = 0; i < m->points->n; i++) {
        const struct load_point *p = &m->points->at[i];
        if (p->flags & own || m->binding[i] != ENVELOPE_NO_BINDING ||
            m->marks[i] & ENVELOPE_THROTTLED)
            sum_ms += p->end_ms - p->begin_ms;
    }
    return (double)sum_ms / 1000;
}

/* The intervals of a replay come in order; each lies within one point of a group, or in none. */
struct cursor {
    struct chart_marks *to;
    size_t at;
};

struct walk {
    struct cursor *cursors; /* one a group, then the instance's */
    size_t n_groups;
    unsigned char bit;
    bool takes_binding;
};

static void mark(struct cursor *c, const struct replay_interval *i, const struct replay_moment *m,
                 const struct walk *w)
{
    const struct load_points *p = c->to->points;
    while (c->at < p->n && p->at[c->at].end_ms <= i->begin_ms)
        c->at++;
    bool within = c->at < p->n && p->at[c->at].begin_ms < i->end_ms;
    if (!within || m->binding == REPLAY_NONE)
        return;
    c->to->marks[c->at] |= w->bit;
    if (w->takes_binding)
        c->to->binding[c->at] = (unsigned char)m->binding;
}

static int mark_interval(void *context, const struct replay_interval *i)
{
    struct walk *w = context;
    for (size_t g = 0; g < w->n_groups; g++)
        mark(&w->cursors[g], i, &i->groups[g], w);
    mark(&w->cursors[w->n_groups], i, &i->instance, w);
    return 0;
}

int chart_marks_replay(const struct replay_question *q, unsigned char bit, bool takes_binding,
                       struct chart_marks *groups, struct chart_marks *host, struct arena *a,
                       struct err *e)
{
    struct walk w = { .n_groups = q->demand->n_groups, .bit = bit, .takes_binding = takes_binding };
    struct replay_question asked = *q;
    struct replay_system replayed;
    w.cursors = arena_array(a, w.n_groups + 1, sizeof *w.cursors);
    if (!w.cursors)
        return err_nomem(e);
    for (size_t g = 0; g < w.n_groups; g++)
        w.cursors[g].to = &groups[g];
    w.cursors[w.n_groups].to = host;
    asked.each = mark_interval;
    asked.context = &w;
    return replay_system(&asked, a, &replayed, e);
}
