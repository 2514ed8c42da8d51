/* planner/report/report_series.c - see report_series.h. */
#include "planner/report/report_series.h"

#include "models/core/timestamp.h"
#include "planner/report/emit_option.h"
#include "planner/report/pack.h"

#include <string.h>

/* TUNING: what a page holds in all, whatever the number of groups: some 45 bytes of it a bucket, so
 * 6 MB at most.  OVERVIEW_MOST is twice the pixels that a wide screen gives a chart. */
enum { OVERVIEW_BUCKETS = 60000, OVERVIEW_MOST = 4000, OVERVIEW_LEAST = 400 };
enum { DETAIL_BUCKETS = 75000, STRETCHES_MOST = 12, STRETCH_INTERVALS = 480 };

struct chart_writing {
    struct emit *m;
    const struct chart *chart;
    const struct envelope *envelope;
    struct arena *scratch;
};

static const char *metric_key(const struct chart *c, enum envelope_metric metric)
{
    return metric == ENVELOPE_IOPS ? "counted_iops" : c->group ? "mibps" : "mb_s";
}

/* --- values ------------------------------------------------------------------------------------
 */

static void emit_values(const struct chart_writing *w, const char *key, const double *v,
                        double factor)
{
    size_t n = w->envelope->n;
    double *scaled = arena_array(w->scratch, n + 1, sizeof *scaled);
    for (size_t i = 0; i < n && scaled; i++)
        scaled[i] = v[i] * factor;
    if (!scaled)
        w->m->failed = ERR_NOMEM;
    else
        emit_pack_f32(w->m, key, scaled, n, w->scratch);
}

static void emit_metrics(const struct chart_writing *w)
{
    struct emit *m = w->m;
    emit_begin(m, "metrics", EMIT_OBJECT);
    for (int i = 0; i < ENVELOPE_METRICS; i++) {
        enum envelope_metric metric = (enum envelope_metric)i;
        const struct envelope_values *v = &w->envelope->values[metric];
        bool of_host = !w->chart->group && metric == ENVELOPE_MIBPS;
        double factor = of_host ? MB_PER_MIB : 1;
        emit_begin(m, metric_key(w->chart, metric), EMIT_OBJECT);
        emit_text(m, "unit", of_host ? "MB/s" : metric == ENVELOPE_MIBPS ? "MiB/s" : "IOPS");
        emit_values(w, "read", v->read, factor);
        emit_values(w, "write", v->write, factor);
        if (w->envelope->unsplit)
            emit_values(w, "unsplit", v->unsplit, factor);
        emit_values(w, "min", v->min, factor);
        emit_end(m);
    }
    emit_end(m);
}

static void emit_levels(const struct chart_writing *w)
{
    struct emit *m = w->m;
    const struct envelope *v = w->envelope;
    emit_metrics(w);
    emit_pack_ms(m, "t", v->edge_ms, v->n ? v->n + 1 : 0, w->scratch);
    emit_pack_u8(m, "state", v->state, v->n, w->scratch);
    emit_pack_u8(m, "binding", v->binding, v->n, w->scratch);
    emit_begin(m, "ceilings_names", EMIT_LIST);
    for (int c = 0; c < REPLAY_CEILING_COUNT; c++)
        emit_text(m, NULL, replay_ceiling_name((enum replay_ceiling)c));
    emit_end(m);
    emit_bool(m, "exact", v->exact);
}

/* --- ceilings ----------------------------------------------------------------------------------
 */

static void emit_ceilings(const struct chart_writing *w)
{
    struct emit *m = w->m;
    const struct chart_ceilings *c = &w->chart->ceilings;
    emit_begin(m, "ceilings", EMIT_LIST);
    for (size_t i = 0; i < c->n; i++) {
        const struct chart_ceiling *line = &c->at[i];
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_text(m, "metric", metric_key(w->chart, line->metric));
        emit_text(m, "name", replay_ceiling_name(line->name));
        emit_text(m, "whose", line->whose == CHART_TODAY ? "today" : "plan");
        emit_text(m, "what", line->burst ? "burst" : "baseline");
        emit_text(m, "spec", line->spec);
        emit_int(m, "from_ms", UNIT_MS, line->from_ms);
        emit_int(m, "to_ms", UNIT_MS, line->to_ms);
        emit_num(m, "value", UNIT_NONE, line->value);
        emit_end(m);
    }
    emit_end(m);
}

/* --- charts ------------------------------------------------------------------------------------
 */

static bool is_wanted(const struct chart *c, const char *group)
{
    return !group || strcmp(c->name, group) == 0;
}

static void emit_charts(struct emit *m, const struct charts *c, const struct envelope *envelopes,
                        const char *group, bool ceilings, struct arena *scratch)
{
    emit_begin(m, "charts", EMIT_LIST);
    for (size_t i = 0; i < c->n; i++) {
        struct chart_writing w = { m, &c->at[i], &envelopes[i], scratch };
        if (!is_wanted(w.chart, group))
            continue;
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_text(m, "name", w.chart->name);
        emit_text(m, "kind", w.chart->group ? "group" : "host");
        emit_num(m, "ceiling_s", UNIT_S, w.chart->ceiling_s);
        emit_text(m, "role", w.chart->group ? group_role_name(w.chart->group->role) : NULL);
        emit_levels(&w);
        if (ceilings)
            emit_ceilings(&w);
        emit_end(m);
    }
    emit_end(m);
}

/* --- for people --------------------------------------------------------------------------------
 */

static const char *state_words(unsigned state)
{
    if (state & ENVELOPE_HOLE)
        return "not measured";
    if (state & ENVELOPE_ARTEFACT)
        return "set apart: more than volumes or instance can do";
    if (state & ENVELOPE_CENSORED)
        return "at a ceiling";
    if (state & ENVELOPE_REDO_WAITS)
        return "redo waits";
    if (state & ENVELOPE_THROTTLED)
        return "waits on today's volumes";
    return state & ENVELOPE_ASSUMED ? "assumed" : state & ENVELOPE_AVERAGED ? "averaged" : "";
}

static void say_row(struct emit *m, const struct envelope *v, size_t i, double factor)
{
    char time[32], buf[48];
    const struct envelope_values *mibps = &v->values[ENVELOPE_MIBPS],
                                 *iops = &v->values[ENVELOPE_IOPS];
    time_format_iso(time, v->edge_ms[i]);
    double total = known_sum(known_sum(mibps->read[i], mibps->write[i]), mibps->unsplit[i]);
    bool at_least = v->state[i] & (ENVELOPE_CENSORED | ENVELOPE_REDO_WAITS);
    emit_begin(m, NULL, EMIT_OBJECT);
    time[10] = ' ';
    time[16] = '\0';
    emit_cell(m, "from", "%s", time);
    emit_cell(m, "read", "%s", rate_words(buf, mibps->read[i] * factor));
    emit_cell(m, "write", "%s", rate_words(buf, mibps->write[i] * factor));
    emit_cell(m, "total", "%s%s", at_least ? ">= " : "", rate_words(buf, total * factor));
    emit_cell(m, "min", "%s", rate_words(buf, mibps->min[i] * factor));
    emit_cell(m, "iops", "%s",
              unit_format(buf,
                          known_sum(known_sum(iops->read[i], iops->write[i]), iops->unsplit[i]),
                          0));
    emit_cell(m, "state", "%s", state_words(v->state[i]));
    emit_end(m);
}

static void say_ceilings(struct emit *m, const struct chart *c)
{
    char value[48];
    for (size_t i = 0; i < c->ceilings.n; i++) {
        const struct chart_ceiling *line = &c->ceilings.at[i];
        char from[32];
        emit_label(m, line->whose == CHART_TODAY ? "ceiling" : "planned", "%s %s%s from %s: %s",
                   rate_words(value, line->value),
                   line->metric == ENVELOPE_IOPS ? "IOPS"
                   : c->group                    ? "MiB/s"
                                                 : "MB/s",
                   line->burst ? " in bursts" : "", time_format_date(from, line->from_ms),
                   line->spec);
    }
}

static void say_chart(struct emit *m, const struct chart *c, const struct envelope *v)
{
    bool host = !c->group;
    const struct emit_col cols[] = {
        { "from", "from (UTC)", true }, { "read", host ? "read MB/s" : "read MiB/s", false },
        { "write", "write", false },    { "total", "together", false },
        { "min", "lowest", false },     { "iops", "EBS IOPS", false },
        { "state", "", true },
    };
    if (!v->n)
        emit_say(m, "%s: nothing was measured then.", c->name);
    else if (v->exact)
        emit_say(m, "%s: every interval that was measured, %zu of them.", c->name, v->n);
    else
        emit_say(m, "%s: %zu stretches of time, each shown by its highest interval.", c->name,
                 v->n);
    emit_say(m, "%s", "");
    emit_table(m, "buckets", cols, sizeof cols / sizeof *cols);
    for (size_t i = 0; i < v->n; i++)
        say_row(m, v, i, host ? MB_PER_MIB : 1);
    emit_end(m);
    emit_say(m, "%s", "");
    say_ceilings(m, c);
    emit_label(m, "next",
               "volplan series --group NAME --from TIME --to TIME    volplan report -o "
               "FILE.html");
}

/* The chart of a group, or the host's; n when there is no such group. */
static size_t chart_wanted(const struct charts *c, const char *group)
{
    size_t i = group ? 0 : c->n - 1;
    while (i < c->n && !is_wanted(&c->at[i], group))
        i++;
    return i;
}

/* --- all of it ---------------------------------------------------------------------------------
 */

struct range_writing {
    const struct charts *charts;
    const struct series_range *range;
    bool ceilings; /* with the lines */
    bool exact;    /* whether all charts are; set by emit_range */
};

static int emit_range(struct emit *m, struct range_writing *w, struct err *e)
{
    struct arena scratch = { 0 };
    const struct charts *c = w->charts;
    const struct series_range *r = w->range;
    struct envelope *envelopes = arena_array(&scratch, c->n, sizeof *envelopes);
    int rc = envelopes ? charts_cut(c, r->from_ms, r->to_ms, r->n_wanted, &scratch, envelopes, e)
                       : err_nomem(e);
    size_t shown = chart_wanted(c, r->group);
    if (!rc && m->people)
        say_chart(m, &c->at[shown], &envelopes[shown]);
    else if (!rc) {
        emit_int(m, "from_ms", UNIT_MS, r->from_ms == UNKNOWN ? c->from_ms : r->from_ms);
        emit_int(m, "to_ms", UNIT_MS, r->to_ms == UNKNOWN ? c->to_ms : r->to_ms);
        emit_charts(m, c, envelopes, r->group, w->ceilings, &scratch);
    }
    w->exact = true;
    for (size_t i = 0; i < c->n && !rc; i++)
        w->exact &= envelopes[i].exact;
    arena_release(&scratch);
    return rc ? rc : m->failed == ERR_NOMEM ? err_nomem(e) : 0;
}

int report_charts(struct emit *m, const struct charts *c, const struct series_range *r,
                  struct err *e)
{
    struct range_writing w = { c, r, true, false };
    if (chart_wanted(c, r->group) == c->n)
        return err_set(e, ERR_USAGE, "the layout has no group '%.80s'", r->group);
    return emit_range(m, &w, e);
}

static size_t clamp(size_t v, size_t least, size_t most)
{
    return v < least ? least : v > most ? most : v;
}

/* Stretches in which every interval is a bucket. */
static int emit_detail(struct emit *m, const struct charts *c, struct err *e)
{
    struct chart_stretch stretches[STRETCHES_MOST];
    struct series_range r = { .n_wanted = (size_t)2 * STRETCH_INTERVALS };
    struct range_writing w = { c, &r, false, false };
    size_t room = clamp(DETAIL_BUCKETS / (c->n * STRETCH_INTERVALS), 1, STRETCHES_MOST);
    size_t n = charts_stretches(c, STRETCH_INTERVALS * charts_interval_ms(c), stretches, room);
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++) {
        r.from_ms = stretches[i].from_ms;
        r.to_ms = stretches[i].to_ms;
        emit_begin(m, NULL, EMIT_OBJECT);
        rc = emit_range(m, &w, e);
        emit_end(m);
    }
    return rc;
}

int report_series(struct emit *m, const struct charts *c, struct err *e)
{
    struct series_range r = { .from_ms = UNKNOWN,
                              .to_ms = UNKNOWN,
                              .n_wanted =
                                  clamp(OVERVIEW_BUCKETS / c->n, OVERVIEW_LEAST, OVERVIEW_MOST) };
    struct range_writing w = { c, &r, true, false };
    int rc = emit_range(m, &w, e);
    if (rc)
        return rc;
    emit_begin(m, "detail", EMIT_LIST);
    if (!w.exact)
        rc = emit_detail(m, c, e);
    emit_end(m);
    return rc;
}
