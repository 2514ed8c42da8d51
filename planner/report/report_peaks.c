/* planner/report/report_peaks.c - what is said of the measured load. */
#include "planner/report/report.h"

#include "models/core/timestamp.h"
#include "planner/report/emit_option.h"

#include <stdio.h>

static const struct peaks_row *largest(const struct peaks *p)
{
    const struct peaks_row *best = NULL;
    for (size_t i = 0; i < p->n_rows; i++) {
        double max = p->rows[i].profile.metrics[METRIC_TOTAL_MIBPS].max;
        if (!isnan(max) && (!best || max > best->profile.metrics[METRIC_TOTAL_MIBPS].max))
            best = &p->rows[i];
    }
    return best;
}

/* Why the largest row is a lower bound: its volumes, the database, or a group of the instance. */
static void say_censored(struct emit *m, const struct peaks *p, const struct peaks_row *row)
{
    char mibps[48], minutes[48], of[48];
    const struct load_profile *f = &row->profile;
    double held_s =
        row->group ? row->group->ceiling_seconds + row->group->hot.ceiling_seconds : f->censored_s;
    rate_words(mibps, f->metrics[METRIC_TOTAL_MIBPS].max);
    unit_format(minutes, held_s / 60, 0);
    unit_format(of, f->covered_s / 60, 0);
    if (!row->group)
        emit_say(m,
                 "%s: %s peaks at %s MiB/s, a lower bound: a group of it was at a ceiling or "
                 "waited for redo in %s of %s minutes.",
                 p->system, row->name, mibps, minutes, of);
    else if (held_s > 0)
        emit_say(m,
                 "%s: %s peaks at %s MiB/s and is at a ceiling then, for %s of %s minutes: a lower "
                 "bound.",
                 p->system, row->name, mibps, minutes, of);
    else
        emit_say(m, "%s: %s peaks at %s MiB/s, a lower bound: the database waited for its redo.",
                 p->system, row->name, mibps);
}

static void say_answer(struct emit *m, const struct peaks *p)
{
    char mibps[48], when[32];
    const struct peaks_row *row = largest(p);
    if (!row) {
        emit_say(m, "%s: nothing was measured here.", p->system);
        return;
    }
    const struct load_profile *f = &row->profile;
    rate_words(mibps, f->metrics[METRIC_TOTAL_MIBPS].max);
    if (f->grade == GRADE_CENSORED) {
        say_censored(m, p, row);
        return;
    }
    emit_say(m, "%s: the largest is %s with %s MiB/s at %s.", p->system, row->name, mibps,
             time_format_iso(when, f->time_of_max_ms));
}

static void emit_metrics(struct emit *m, const struct load_profile *f)
{
    static const struct {
        const char *key;
        enum unit unit;
    } metrics[] = {
#define X(name, key, unit) [name] = { key, unit },
        METRIC_TABLE(X)
#undef X
    };
    for (int i = 0; i < METRIC_COUNT; i++) {
        const struct metric_stats *s = &f->metrics[i];
        emit_begin(m, metrics[i].key, EMIT_OBJECT);
        emit_num(m, "avg", metrics[i].unit, s->avg);
        emit_num(m, "p50", metrics[i].unit, s->p50);
        emit_num(m, "p95", metrics[i].unit, s->p95);
        emit_num(m, "p99", metrics[i].unit, s->p99);
        emit_num(m, "p999", metrics[i].unit, s->p999);
        emit_num(m, "max", metrics[i].unit, s->max);
        emit_end(m);
    }
}

static void emit_list(struct emit *m, const char *key, const double *v, size_t n)
{
    emit_begin(m, key, EMIT_LIST);
    for (size_t i = 0; i < n; i++)
        emit_num(m, NULL, UNIT_MIBPS, v[i]);
    emit_end(m);
}

static void emit_split(struct emit *m, const struct group_demand *g)
{
    emit_begin(m, "awr_split", EMIT_LIST);
    for (size_t i = 0; g && i < g->n_split; i++) {
        const struct demand_split *s = &g->split[i];
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_text(m, "name", s->name);
        emit_num(m, "read_mibps", UNIT_MIBPS, s->read_mibps);
        emit_num(m, "write_mibps", UNIT_MIBPS, s->write_mibps);
        emit_num(m, "read_iops", UNIT_IOPS, s->read_iops);
        emit_num(m, "write_iops", UNIT_IOPS, s->write_iops);
        emit_end(m);
    }
    emit_end(m);
    emit_num(m, "awr_difference_pct", UNIT_PCT, g ? g->awr_difference_pct : NAN);
}

static void emit_cells(struct emit *m, const struct load_profile *f)
{
    char mibps[48], iops[48], counted[48];
    const struct metric_stats *total = &f->metrics[METRIC_TOTAL_MIBPS];
    emit_cell(m, "peak", "%s %s", grade_glyph(f->grade), rate_words(mibps, total->max));
    emit_cell(m, "p99_mibps", "%s", rate_words(mibps, total->p99));
    emit_cell(m, "avg_mibps", "%s", rate_words(mibps, total->avg));
    emit_cell(m, "iops", "%s", unit_format(iops, f->metrics[METRIC_TOTAL_IOPS].max, 0));
    emit_cell(m, "counted", "%s", unit_format(counted, f->metrics[METRIC_COUNTED_IOPS].max, 0));
}

static void emit_row(struct emit *m, const struct peaks_row *row)
{
    const struct load_profile *f = &row->profile;
    emit_begin(m, NULL, EMIT_OBJECT);
    emit_text(m, "name", row->name);
    emit_cells(m, f);
    emit_num(m, "interval_s", UNIT_S, f->interval_s);
    emit_int(m, "samples", UNIT_COUNT, (int64_t)f->samples);
    emit_num(m, "coverage_pct", UNIT_PCT, f->coverage_pct);
    emit_text(m, "grade", grade_name(f->grade));
    emit_time(m, "time_of_max", f->time_of_max_ms);
    emit_rate(m, "request_kib", UNIT_KIB, f->request_kib);
    emit_metrics(m, f);
    emit_list(m, "by_hour", f->by_hour_mibps, 24);
    emit_list(m, "by_weekday", f->by_weekday_mibps, 7);
    emit_begin(m, "peak_second", EMIT_OBJECT);
    emit_num(m, "low", UNIT_MIBPS, f->peak_second.low_mibps);
    emit_num(m, "high", UNIT_MIBPS, f->peak_second.high_mibps);
    emit_num(m, "low_iops", UNIT_IOPS, f->peak_second.low_iops);
    emit_num(m, "high_iops", UNIT_IOPS, f->peak_second.high_iops);
    emit_text(m, "source", f->peak_second.source);
    emit_time(m, "at", f->peak_second.time_ms);
    emit_end(m);
    emit_int(m, "artefacts", UNIT_COUNT, (int64_t)f->artefacts);
    emit_num(m, "censored_s", UNIT_S, f->censored_s);
    emit_split(m, row->group);
    emit_end(m);
}

static void say_splits(struct emit *m, const struct peaks *p)
{
    for (size_t i = 0; i < p->n_rows; i++) {
        const struct group_demand *g = p->rows[i].group;
        if (g && !isnan(g->awr_difference_pct))
            emit_label(m, g->group->name, "AWR says %.1f %% %s than the devices over the same time",
                       fabs(g->awr_difference_pct), g->awr_difference_pct < 0 ? "less" : "more");
    }
}

static void say_unclaimed(struct emit *m, const struct peaks *p)
{
    enum { NAMED = 6 };
    char names[400] = "";
    size_t at = 0;
    for (size_t i = 0; i < p->n_unclaimed && i < NAMED && at < sizeof names; i++) {
        int put =
            snprintf(names + at, sizeof names - at, "%s%s", i ? ", " : "", p->unclaimed[i]->name);
        at += put > 0 ? (size_t)put : 0;
    }
    if (p->n_unclaimed > NAMED)
        emit_label(m, "unclaimed", "%s and %zu more: in no group of the layout", names,
                   p->n_unclaimed - NAMED);
    else if (p->n_unclaimed)
        emit_label(m, "unclaimed", "%s: in no group of the layout", names);
}

static void say_rest(struct emit *m, const struct peaks *p)
{
    char sum[48], together[48];
    size_t artefacts = 0;
    for (size_t i = 0; i < p->n_rows; i++)
        artefacts += p->rows[i].profile.artefacts;
    emit_say(m, "%s", "");
    if (!isnan(p->peak_of_sum_mibps) && p->n_rows > 1)
        emit_label(m, "together", "%s MiB/s at one instant; the peaks add up to %s",
                   rate_words(together, p->peak_of_sum_mibps),
                   rate_words(sum, p->sum_of_peaks_mibps));
    if (artefacts)
        emit_label(m, "set apart", "%zu samples above 1.1 times what volumes or instance can do",
                   artefacts);
    say_splits(m, p);
    say_unclaimed(m, p);
    emit_label(m, "grades", "= measured (a minute or less), ~ averaged, >= at a ceiling: at least");
    emit_label(m, "ask next",
               p->by == PEAKS_BY_DEVICE || p->by == PEAKS_BY_FILETYPE ? "volplan peaks"
                                                                      : "volplan plan");
}

void report_peaks(struct emit *m, const struct peaks *p)
{
    static const struct emit_col cols[] = {
        { "name", "name", true },
        { "peak", "peak MiB/s", false },
        { "p99_mibps", "p99", false },
        { "avg_mibps", "mean", false },
        { "iops", "peak IOPS", false },
        { "counted", "EBS counts", false },
        { "request_kib", "KiB/request", false },
        { "samples", "samples", false },
        { "interval_s", "of s", false },
        { "time_of_max", "peak at (UTC)", true },
    };
    say_answer(m, p);
    emit_say(m, "%s", "");
    emit_text(m, "system", p->system);
    emit_text(m, "by", peaks_by_name(p->by));
    emit_table(m, "rows", cols, sizeof cols / sizeof *cols);
    for (size_t i = 0; i < p->n_rows; i++)
        emit_row(m, &p->rows[i]);
    emit_end(m);
    emit_num(m, "sum_of_peaks_mibps", UNIT_MIBPS, p->sum_of_peaks_mibps);
    emit_num(m, "peak_of_sum_mibps", UNIT_MIBPS, p->peak_of_sum_mibps);
    emit_begin(m, "unclaimed", EMIT_LIST);
    for (size_t i = 0; i < p->n_unclaimed; i++)
        emit_text(m, NULL, p->unclaimed[i]->name);
    emit_end(m);
    say_rest(m, p);
}
