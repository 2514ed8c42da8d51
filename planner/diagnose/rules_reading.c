/* planner/diagnose/rules_reading.c - figures that are easily read wrong.
 *
 * Sources: EBS CloudWatch documentation (units, statistics, periods), the incident in which the
 * Maximum of EBSReadOps was that of the busiest volume, "The danger of averages" (45 minutes of
 * 30 MB/s with minutes of 413), DESIGN.md section 7 (clocks, AWR against devices). */
#include "planner/diagnose/awr_find.h"
#include "planner/diagnose/clock_shift.h"
#include "planner/diagnose/group_words.h"

#include "models/core/unit.h"

#include <math.h>
#include <string.h>

/* TUNING: an average hides what is three times its size and worth 20 MiB/s; sources that agree
 * differ by less than a tenth, AWR and devices by less than a quarter; 20 times what the volumes
 * carry is no error of measurement.  Zones are whole half hours apart, 14 h at most. */
static const double HIDES_RATIO = 3, HIDES_MIBPS = 20, DISAGREE = 1.1, MISSES_PCT = 25;
enum { DIVISOR_MIN = 20 };

/* --- CloudWatch ------------------------------------------------------------------------------- */

static bool is_instance_counter(const char *metric)
{
    static const char *const names[] = { "EBSReadOps", "EBSWriteOps", "EBSReadBytes",
                                         "EBSWriteBytes" };
    for (size_t i = 0; metric && i < sizeof names / sizeof *names; i++)
        if (strcmp(metric, names[i]) == 0)
            return true;
    return false;
}

/* Whether the Sum of the same counter was loaded too. */
static bool has_sum(const struct run *r, const struct metric_series *of)
{
    for (size_t k = 0; k < r->load->n_metrics; k++) {
        const struct metric_series *m = &r->load->metrics[k];
        if (m->metric && strcmp(m->metric, of->metric) == 0 && m->statistic == STATISTIC_SUM)
            return true;
    }
    for (size_t k = 0; k < r->load->n_series; k++) /* it became a rate */
        if (r->load->series[k].kind == SERIES_INSTANCE)
            return true;
    return false;
}

/* The largest value of all counters of which only the Maximum is there. */
static void test_ec2_maximum(struct run *r, const struct rule *rule)
{
    const struct metric_series *most = NULL;
    size_t at = 0;
    for (size_t k = 0; k < r->load->n_metrics; k++) {
        const struct metric_series *m = &r->load->metrics[k];
        if (!is_instance_counter(m->metric) || m->statistic != STATISTIC_MAXIMUM || has_sum(r, m))
            continue;
        for (size_t i = 0; i < m->n; i++)
            if (!most || m->value[i] > most->value[at]) {
                most = m;
                at = i;
            }
    }
    if (!most)
        return;
    char v[32];
    struct draft *d = draft_add(r, rule, VERDICT_CERTAIN, most->dimension,
                                (const char *const[]){ "metric", most->metric, "value",
                                                       number_words(r, most->value[at], 0), NULL });
    draft_see(r, d, most->file_id[at], most->line[at], most->time_ms[at], "%s Maximum %s",
              most->metric, figure(v, most->value[at]));
    draft_not(r, d, "the instance's total: that is the Sum over the period, divided by it");
}

static void test_period(struct run *r, const struct rule *rule)
{
    for (size_t i = 0; i < r->load->n_warnings; i++) {
        const struct load_warning *w = &r->load->warnings[i];
        if (!strstr(w->text, "the period is not in the file"))
            continue;
        struct draft *d = draft_add(r, rule, VERDICT_CERTAIN, NULL, NULL);
        draft_see(r, d, w->file_id, w->line, UNKNOWN, "no period beside the points");
        return;
    }
}

/* Artefacts that are as many times too large as their interval has seconds. */
static void test_not_divided(struct run *r, const struct rule *rule)
{
    for (size_t g = 0; g < r->demand->n_groups; g++) {
        const struct group_demand *gd = &r->demand->groups[g];
        size_t n = 0;
        const struct load_point *first = NULL;
        int64_t at_ms = gd->points.n ? gd->points.at[0].begin_ms : r->as_of_ms;
        struct group_ceiling most = group_carries(r, gd->group, at_ms);
        for (size_t i = 0; i < gd->points.n; i++) {
            const struct load_point *p = &gd->points.at[i];
            double ratio = fmax(point_total_mibps(p) / most.max_throughput_mibps,
                                p->counted_iops / most.max_iops);
            if (p->flags & POINT_ARTEFACT && ratio >= DIVISOR_MIN &&
                ratio <= p->interval_s * DISAGREE) {
                n++;
                first = first ? first : p;
            }
        }
        if (!n || n * 2 < gd->profile.artefacts)
            continue;
        struct draft *d =
            draft_add(r, rule, VERDICT_LIKELY, gd->group->name,
                      (const char *const[]){ "group", gd->group->name, "s",
                                             number_words(r, first->interval_s, 0), NULL });
        see_group(r, d, gd, first->begin_ms);
        see_volumes(r, d, gd);
    }
}

/* --- averages --------------------------------------------------------------------------------- */

static void test_average(struct run *r, const struct rule *rule)
{
    const struct load_profile *f = &r->demand->profile;
    double avg = f->metrics[METRIC_TOTAL_MIBPS].avg, max = f->metrics[METRIC_TOTAL_MIBPS].max;
    if (f->grade == GRADE_AVERAGED || !(max >= HIDES_MIBPS) || !(max > HIDES_RATIO * avg) ||
        f->interval_s > 60 || f->samples < 10)
        return;
    struct draft *d = draft_add(r, rule, VERDICT_CERTAIN, NULL,
                                (const char *const[]){ "avg", number_words(r, avg, 0), "max",
                                                       number_words(r, max, 0), "ratio",
                                                       number_words(r, max / avg, 1), "s",
                                                       number_words(r, f->interval_s, 0), NULL });
    see_host(r, d, f->time_of_max_ms, SEE_ALL);
    draft_not(r, d,
              "the mean as what is needed: %.0f MiB/s would have been too little in its worst "
              "interval",
              avg);
}

static void test_only_averages(struct run *r, const struct rule *rule)
{
    const struct awr_snapshot *longest = NULL;
    for (size_t i = 0; i < r->load->n_snapshots; i++) {
        const struct awr_snapshot *w = r->load->snapshots[i];
        if (w->n_filetypes && (!longest || w->elapsed_s > longest->elapsed_s))
            longest = w;
    }
    if (!longest || r->has & NEED_SERIES || !(longest->elapsed_s > 600))
        return;
    const struct awr_io_row *row = awr_filetype_find(longest, "TOTAL");
    if (!row)
        row = &longest->filetypes[0];
    struct draft *d = draft_add(r, rule, VERDICT_CERTAIN, NULL,
                                (const char *const[]){
                                    "minutes", number_words(r, longest->elapsed_s / 60, 0), NULL });
    draft_see_io(r, d, longest, row);
    draft_missing(d, "iostat at 60 s or less over the same time");
}

/* --- sources that disagree -------------------------------------------------------------------- */

static void test_sections(struct run *r, const struct rule *rule)
{
    for (size_t i = 0; i < r->load->n_snapshots; i++) {
        const struct awr_snapshot *w = r->load->snapshots[i];
        const struct awr_io_row *by_type = awr_filetype_find(w, "TOTAL");
        const struct awr_io_row *by_function = awr_function_find(w, "TOTAL");
        if (!by_type || !by_function)
            continue;
        double a = by_type->read_bytes_per_s + by_type->write_bytes_per_s;
        double b = by_function->read_bytes_per_s + by_function->write_bytes_per_s;
        if (!(fmax(a, b) > DISAGREE * fmin(a, b)) || fmax(a, b) < MIB_BYTES)
            continue;
        struct draft *d =
            draft_add(r, rule, VERDICT_CERTAIN, awr_name(w),
                      (const char *const[]){ "type", number_words(r, a / MIB_BYTES, 1), "function",
                                             number_words(r, b / MIB_BYTES, 1), NULL });
        draft_see_io(r, d, w, by_type);
        draft_see_io(r, d, w, by_function);
        return;
    }
}

static void test_misses_database(struct run *r, const struct rule *rule)
{
    for (size_t g = 0; g < r->demand->n_groups; g++) {
        const struct group_demand *gd = &r->demand->groups[g];
        if (!(gd->awr_difference_pct > MISSES_PCT))
            continue;
        struct draft *d =
            draft_add(r, rule, VERDICT_LIKELY, gd->group->name,
                      (const char *const[]){ "group", gd->group->name, "pct",
                                             number_words(r, gd->awr_difference_pct, 0), NULL });
        see_group(r, d, gd, gd->demand.time_of_max_ms);
        draft_missing(d, "which devices hold the group (asmcmd lsdsk, v$asm_disk, lsblk)");
    }
}

/* First and last time of the devices, and of the reports. */
struct span_ms {
    int64_t begin_ms, end_ms;
    const struct load_series *series;
    const struct awr_snapshot *snapshot;
};

static struct span_ms device_span(const struct run *r)
{
    struct span_ms s = { INT64_MAX, INT64_MIN, NULL, NULL };
    for (size_t k = 0; k < r->load->n_series; k++) {
        const struct load_series *of = &r->load->series[k];
        if (of->kind != SERIES_DEVICE || !of->n)
            continue;
        if (of->begin_ms[0] < s.begin_ms) {
            s.begin_ms = of->begin_ms[0];
            s.series = of;
        }
        if (of->end_ms[of->n - 1] > s.end_ms)
            s.end_ms = of->end_ms[of->n - 1];
    }
    return s;
}

static struct span_ms report_span(const struct run *r)
{
    struct span_ms s = { INT64_MAX, INT64_MIN, NULL, NULL };
    for (size_t i = 0; i < r->load->n_snapshots; i++) {
        const struct awr_snapshot *w = r->load->snapshots[i];
        if (w->begin_ms == UNKNOWN || w->end_ms == UNKNOWN || !w->n_filetypes)
            continue;
        if (w->begin_ms < s.begin_ms) {
            s.begin_ms = w->begin_ms;
            s.snapshot = w;
        }
        if (w->end_ms > s.end_ms)
            s.end_ms = w->end_ms;
    }
    return s;
}

/* Both at the same time: the shift at which they tell the same load. */
static void overlapping_clocks(struct run *r, const struct rule *rule)
{
    struct clock_shift c;
    if (!clock_shift_find(r, &c))
        return;
    struct draft *f =
        draft_add(r, rule, VERDICT_LIKELY, NULL,
                  (const char *const[]){
                      "how",
                      arena_printf(r->arena,
                                   "devices and %zu reports tell the same load %.1f hours apart",
                                   c.n_reports, fabs((double)c.steps) / 2),
                      "do",
                      arena_printf(r->arena, "the clock of the devices is about %.1f hours %s",
                                   fabs((double)c.steps) / 2, c.steps > 0 ? "behind" : "ahead"),
                      NULL });
    draft_see_io(r, f, c.busiest, &c.busiest->filetypes[0]);
    see_host(r, f, c.busiest->begin_ms - (int64_t)c.steps * CLOCK_STEP_MS, SEE_SOME);
    draft_not(r, f, "missing devices: with their clocks put right they carry what the reports say");
    draft_missing(f, "the time zone of each source: ingest with --tz");
}

static void test_clocks(struct run *r, const struct rule *rule)
{
    struct span_ms d = device_span(r), w = report_span(r);
    if (!d.series || !w.snapshot)
        return;
    if (d.begin_ms < w.end_ms && d.end_ms > w.begin_ms) {
        overlapping_clocks(r, rule);
        return;
    }
    /* the shift, in half hours, that lays one best over the other */
    int64_t away_ms = (w.begin_ms + w.end_ms) / 2 - (d.begin_ms + d.end_ms) / 2;
    double steps = nearbyint((double)away_ms / CLOCK_STEP_MS);
    if (fabs(steps) > CLOCK_STEPS)
        return;
    const char *devices = time_words(r, d.begin_ms), *reports = time_words(r, w.begin_ms);
    struct draft *f = draft_add(
        r, rule, VERDICT_LIKELY, NULL,
        (const char *const[]){
            "how",
            devices && reports
                ? arena_printf(r->arena,
                               "devices (from %s) and reports (from %s) do not overlap: clocks "
                               "about %.1f hours apart?",
                               devices, reports, fabs(steps) / 2)
                : NULL,
            "do", "clocks or zones differ, or they are of other days", NULL });
    draft_see_sample(r, f, d.series, 0, SAMPLE_READS | SAMPLE_WRITES);
    draft_see_io(r, f, w.snapshot, &w.snapshot->filetypes[0]);
    draft_missing(f, "the time zone of each source: ingest with --tz");
}

/* --- what was not measured -------------------------------------------------------------------- */

static void test_gap(struct run *r, const struct rule *rule)
{
    struct span_ms d = device_span(r);
    const struct awr_snapshot *worst = NULL;
    for (size_t i = 0; i < r->load->n_snapshots; i++) {
        const struct awr_snapshot *w = r->load->snapshots[i];
        if (w->n_filetypes && w->begin_ms != UNKNOWN && w->end_ms != UNKNOWN &&
            (!worst || report_mibps(w) > report_mibps(worst)))
            worst = w;
    }
    if (!d.series || !worst || run_found(r, "clocks_apart", NULL))
        return;
    double covered_ms = 0, period_ms = (double)(worst->end_ms - worst->begin_ms);
    for (size_t i = 0; i < d.series->n; i++) {
        int64_t from = d.series->begin_ms[i], to = d.series->end_ms[i];
        from = from > worst->begin_ms ? from : worst->begin_ms;
        to = to < worst->end_ms ? to : worst->end_ms;
        covered_ms += to > from ? (double)(to - from) : 0;
    }
    if (!(covered_ms < period_ms / 2))
        return;
    struct draft *f =
        draft_add(r, rule, VERDICT_CERTAIN, NULL,
                  (const char *const[]){ "at", time_words(r, worst->begin_ms), "pct",
                                         number_words(r, 100 * covered_ms / period_ms, 0), "mibps",
                                         number_words(r, report_mibps(worst), 0), NULL });
    draft_see_io(r, f, worst, &worst->filetypes[0]);
    draft_missing(f, "iostat of that time");
}

/* --- the table -------------------------------------------------------------------------------- */

static const char *const clocks[] = { "clocks_apart", NULL };

static const struct rule rules[] = {
    { "ec2_maximum", NEED_METRICS, SEVERITY_WARNING, test_ec2_maximum,
      "the Maximum of {metric}, {value}, is that of the busiest volume, not of the instance",
      "look at every volume of the groups: one of them carries this; for the instance take the "
      "Sum, "
      "divided by the period",
      NULL },
    { "period_assumed", 0, SEVERITY_WARNING, test_period,
      "the period of a CloudWatch answer was taken from the distance of its points",
      "keep the request beside the answer, or say --interval: rates are wrong by as much as the "
      "period",
      NULL },
    { "sum_not_divided", NEED_SERIES | NEED_LAYOUT, SEVERITY_WARNING, test_not_divided,
      "samples of {group} are about {s} times what its volumes can do: sums over {s} s read as "
      "rates",
      "divide each Sum by the seconds of its period, then load it again", NULL },
    { "average_hides", NEED_SERIES, SEVERITY_WARNING, test_average,
      "the mean of {avg} MiB/s hides intervals of {max} MiB/s: {ratio} times as much for {s} s",
      "size for the worst interval, not for the mean of an AWR report", NULL },
    { "only_averages", NEED_SNAPSHOTS, SEVERITY_INFO, test_only_averages,
      "only averages over {minutes} minutes are known: peaks of minutes may be 3 to 20 times as "
      "high",
      "measure with iostat before anything is ordered", NULL },
    { "awr_sections_disagree", NEED_SNAPSHOTS, SEVERITY_INFO, test_sections,
      "by file type the report has {type} MiB/s, by function {function}",
      "take the file types for what lies on volumes: flash cache and other local devices are only "
      "in "
      "the functions",
      NULL },
    { "devices_miss_database", NEED_SERIES | NEED_SNAPSHOTS, SEVERITY_WARNING, test_misses_database,
      "the database reports {pct} % more for {group} than its devices carried",
      "devices are missing in the layout, or the report and the devices are not of the same host",
      clocks },
    { "clocks_apart", NEED_SERIES | NEED_SNAPSHOTS, SEVERITY_WARNING, test_clocks, "{how}",
      "{do}: load each source with its own --tz", NULL },
    { "coverage_gap", NEED_SERIES | NEED_SNAPSHOTS, SEVERITY_WARNING, test_gap,
      "the busiest report, at {at} with {mibps} MiB/s, is covered by devices for {pct} % only",
      "the worst time is known as an average; keep iostat over it", NULL },
};
const struct rule_table rules_reading = RULE_TABLE(rules, RANK_READING);
