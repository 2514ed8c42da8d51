/* planner/report/report_peaks.c - what is said of the measured load. */
#include "planner/report/peaks_values.h"
#include "planner/report/report.h"

#include "models/core/timestamp.h"
#include "planner/report/emit_option.h"
#include "planner/report/load_chart.h"

#include <stdio.h>
#include <string.h>

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
        emit_say(
            m,
            "%s: %s peaks at %s MiB/s, a lower bound: %s at a ceiling or waited for redo in %s "
            "of %s minutes.",
            p->system, row->name, mibps,
            p->by == PEAKS_BY_INSTANCE ? "it or a group of it was" : "it was", minutes, of);
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
    time_format_iso(when, f->time_of_max_ms);
    if (p->instance_ceiling_s > 0) {
        char minutes[48], of[48], together[48];
        emit_say(m,
                 "%s: all groups together stay at what %s passes, %s MiB/s, in %s of %s minutes: a "
                 "lower bound; the largest is %s with %s MiB/s at %s.",
                 p->system, p->instance, rate_words(together, p->peak_of_sum_mibps),
                 unit_format(minutes, p->instance_ceiling_s / 60, 0),
                 unit_format(of, f->covered_s / 60, 0), row->name, mibps, when);
        return;
    }
    emit_say(m, "%s: the largest is %s with %s MiB/s at %s.", p->system, row->name, mibps, when);
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

static void say_together(struct emit *m, const struct peaks *p)
{
    char sum[48], together[48], less[48];
    double less_mibps = p->sum_of_peaks_mibps - p->peak_of_sum_mibps;
    if (isnan(less_mibps) || p->n_rows < 2)
        return;
    rate_words(together, p->peak_of_sum_mibps);
    rate_words(sum, p->sum_of_peaks_mibps);
    rate_words(less, less_mibps);
    if (less_mibps > 1e-9 * p->sum_of_peaks_mibps)
        emit_label(m, "together",
                   "%s MiB/s at one instant; the peaks add up to %s, which is %s (%.0f %%) more "
                   "than there ever was",
                   together, sum, less, 100 * less_mibps / p->peak_of_sum_mibps);
    else
        emit_label(m, "together", "%s MiB/s at one instant: the peaks fall together", together);
}

/* The busiest volume where a stripe is not even. */
static void say_hot(struct emit *m, const struct peaks *p)
{
    for (size_t i = 0; i < p->n_rows; i++) {
        const struct hot_volume *h = p->rows[i].group ? &p->rows[i].group->hot : NULL;
        char mibps[48], iops[48], when[32];
        if (!h || !h->name || (h->uneven_mibps <= 1 && h->uneven_counted <= 1) ||
            !(h->used_pct >= 50))
            continue;
        emit_label(m, "hot volume",
                   "%s of %s: %.0f %% of its own ceiling at %s (%s MiB/s, %s requests/s), %.1f "
                   "times the mean of %zu volumes",
                   h->name, p->rows[i].name, h->used_pct, time_format_iso(when, h->time_ms),
                   rate_words(mibps, h->mibps), unit_format(iops, h->counted_iops, 0), h->skew,
                   h->n_volumes);
    }
}

/* Where something tells more of the seconds than the mean, or bounds them from above. */
static void say_seconds(struct emit *m, const struct peaks *p)
{
    enum { SAID = 4 };
    size_t said = 0;
    for (size_t i = 0; i < p->n_rows && said < SAID; i++) {
        const struct load_profile *f = &p->rows[i].profile;
        const struct peak_second *s = &f->peak_second;
        char low[48], high[48], when[32];
        bool more = s->low_mibps > f->metrics[METRIC_TOTAL_MIBPS].max * (1 + 1e-9);
        if (!s->source || (!more && &p->rows[i] != largest(p)))
            continue;
        said++;
        rate_words(low, s->low_mibps);
        time_format_iso(when, s->time_ms);
        if (isnan(s->high_mibps))
            emit_label(m, "worst second", "%s: at least %s MiB/s (%s, %s)", p->rows[i].name, low,
                       s->source, when);
        else if (s->high_mibps <= s->low_mibps * (1 + 1e-9))
            emit_label(m, "worst second", "%s: %s MiB/s (%s, %s), and no more was possible",
                       p->rows[i].name, low, s->source, when);
        else
            emit_label(m, "worst second", "%s: %s MiB/s (%s, %s) or more, up to its ceiling of %s",
                       p->rows[i].name, low, s->source, when, rate_words(high, s->high_mibps));
    }
}

static void add_part(char *buf, size_t room, size_t n, const char *one, const char *many)
{
    size_t at = strlen(buf);
    if (n)
        snprintf(buf + at, room - at, "%s%zu %s", at ? ", " : "", n, n == 1 ? one : many);
}

/* Of the row whose measurement lacks most. */
static void say_coverage(struct emit *m, const struct peaks *p)
{
    const struct peaks_row *worst = NULL;
    struct load_coverage all = { 0 };
    char left_out[200] = "", of_it[80] = "", covered[48], share[48], gap[48];
    for (size_t i = 0; i < p->n_rows; i++) {
        const struct load_profile *f = &p->rows[i].profile;
        if (f->samples && (!worst || f->coverage_pct < worst->profile.coverage_pct))
            worst = &p->rows[i];
        all.overlaps += f->coverage.overlaps;
        all.duplicates += f->coverage.duplicates;
        all.since_boot += f->coverage.since_boot;
        all.untimed += f->coverage.untimed;
        all.resets = f->coverage.resets > all.resets ? f->coverage.resets : all.resets;
        all.folds = f->coverage.folds > all.folds ? f->coverage.folds : all.folds;
    }
    if (!worst)
        return;
    const struct load_profile *f = &worst->profile;
    unit_format(covered, f->covered_s / 60, 0);
    unit_format(share, f->coverage_pct, 0);
    unit_format(gap, f->coverage.longest_gap_s / 60, 0);
    if (f->coverage_pct < 99.95)
        snprintf(of_it, sizeof of_it, ", all of it in %s %% of the time", share);
    if (f->coverage.gaps) {
        char when[32];
        emit_label(m, "coverage", "%s: %s minutes%s; %zu gap%s, the longest of %s minutes from %s",
                   worst->name, covered, of_it, f->coverage.gaps, f->coverage.gaps == 1 ? "" : "s",
                   gap, time_format_iso(when, f->coverage.longest_gap_ms));
    } else
        emit_label(m, "coverage", "%s: %s minutes without a gap%s", worst->name, covered, of_it);
    add_part(left_out, sizeof left_out, all.duplicates, "duplicate", "duplicates");
    add_part(left_out, sizeof left_out, p->n_duplicate_reports, "report loaded twice",
             "reports loaded twice");
    add_part(left_out, sizeof left_out, all.overlaps, "overlap", "overlaps");
    add_part(left_out, sizeof left_out, all.since_boot, "average since boot",
             "averages since boot");
    add_part(left_out, sizeof left_out, all.untimed, "sample without time", "samples without time");
    if (left_out[0])
        emit_label(m, "left out", "%s", left_out);
    if (all.resets)
        emit_label(m, "restarts", "counters or their tool started anew %zu time%s: no rates across",
                   all.resets, all.resets == 1 ? "" : "s");
    if (all.folds)
        emit_label(m, "clock",
                   "set back %zu time%s: both passes of that hour stand one after the "
                   "other",
                   all.folds, all.folds == 1 ? "" : "s");
}

static void say_artefacts(struct emit *m, const struct peaks *p)
{
    for (size_t i = 0; i < p->n_rows; i++) {
        const struct load_profile *f = &p->rows[i].profile;
        char mibps[48], when[32];
        if (!f->artefacts)
            continue;
        emit_label(m, "set apart",
                   "%s: %zu of %zu samples, the largest of %s MiB/s at %s, more than %s%s: two "
                   "intervals in one, or a wrong layout",
                   p->rows[i].name, f->artefacts, f->samples,
                   rate_words(mibps, f->artefact_max_mibps), time_format_iso(when, f->artefact_ms),
                   f->artefact_why == ARTEFACT_DEVICE ? "" : "1.1 times what ",
                   artefact_why_words(f->artefact_why));
    }
}

/* The largest first; the further rows are in the table. */
static void draw_rows(struct emit *m, const struct peaks *p)
{
    enum { DRAWN = 8 };
    struct load_chart charts[DRAWN];
    size_t n = 0;
    double last = INFINITY;
    const struct peaks_row *last_row = NULL;
    for (; n < DRAWN; n++) {
        const struct peaks_row *best = NULL;
        for (size_t i = 0; i < p->n_rows; i++) {
            const struct peaks_row *row = &p->rows[i];
            double max = row->profile.metrics[METRIC_TOTAL_MIBPS].max;
            if ((max < last || (max == last && row > last_row)) &&
                (!best || max > best->profile.metrics[METRIC_TOTAL_MIBPS].max))
                best = row;
        }
        if (!best)
            break;
        last = best->profile.metrics[METRIC_TOTAL_MIBPS].max;
        last_row = best;
        charts[n] =
            (struct load_chart){ best->name, best->points, last,
                                 best->group ? best->group->ceiling.max_throughput_mibps : NAN };
    }
    draw_load(m, charts, n);
}

static void say_rest(struct emit *m, const struct peaks *p)
{
    draw_rows(m, p);
    emit_say(m, "%s", "");
    say_together(m, p);
    say_joined(m, p->system, p->joined, p->n_joined);
    say_hot(m, p);
    say_seconds(m, p);
    say_artefacts(m, p);
    say_coverage(m, p);
    say_splits(m, p);
    say_unclaimed(m, p);
    emit_label(m, "grades", "= measured (a minute or less), ~ averaged, >= at a ceiling: at least");
    emit_label(m, "next",
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
        { "request_kib", "KiB each", false },
        { "samples", "samples", false },
        { "interval_s", "s each", false },
        { "time_of_max", "peak at (UTC)", true },
    };
    say_answer(m, p);
    emit_say(m, "%s", "");
    emit_text(m, "system", p->system);
    emit_text(m, "by", peaks_by_name(p->by));
    emit_table(m, "rows", cols, sizeof cols / sizeof *cols);
    for (size_t i = 0; i < p->n_rows; i++) {
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_text(m, "name", p->rows[i].name);
        emit_cells(m, &p->rows[i].profile);
        emit_peaks_row(m, &p->rows[i]);
        emit_end(m);
    }
    emit_end(m);
    emit_num(m, "sum_of_peaks_mibps", UNIT_MIBPS, p->sum_of_peaks_mibps);
    emit_num(m, "peak_of_sum_mibps", UNIT_MIBPS, p->peak_of_sum_mibps);
    emit_num(m, "instance_ceiling_s", UNIT_S, p->instance_ceiling_s);
    emit_num(m, "peaks_difference_mibps", UNIT_MIBPS, p->sum_of_peaks_mibps - p->peak_of_sum_mibps);
    emit_int(m, "duplicate_reports", UNIT_COUNT, (int64_t)p->n_duplicate_reports);
    emit_joined(m, p->joined, p->n_joined);
    emit_begin(m, "unclaimed", EMIT_LIST);
    for (size_t i = 0; i < p->n_unclaimed; i++)
        emit_text(m, NULL, p->unclaimed[i]->name);
    emit_end(m);
    say_rest(m, p);
}
