/* planner/demand/load_profile.c - see load_profile.h. */
#include "planner/demand/load_profile.h"

#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "planner/demand/quantile.h"

#include <math.h>

#define HOUR_MS INT64_C(3600000)

static int64_t length_ms(const struct load_point *p)
{
    return p->end_ms - p->begin_ms;
}

static double length_s(const struct load_point *p)
{
    return (double)length_ms(p) / 1e3;
}

static void raise_to(double *max, double v)
{
    *max = fmax(*max, v);
}

static void raise_hour(struct load_profile *out, int64_t t_ms, double mibps)
{
    int64_t of_day_ms = ((t_ms % DAY_MS) + DAY_MS) % DAY_MS;
    raise_to(&out->by_hour_mibps[of_day_ms / HOUR_MS], mibps);
    raise_to(&out->by_weekday_mibps[time_weekday(t_ms)], mibps);
}

/* The largest load of the hour that a walk is in: most points share it with the one before. */
struct hour {
    int64_t begin_ms; /* UNKNOWN = none yet */
    double most_mibps;
};

static void end_hour(struct load_profile *out, const struct hour *h)
{
    if (h->begin_ms != UNKNOWN)
        raise_hour(out, h->begin_ms, h->most_mibps);
}

static void add_to_calendar(struct load_profile *out, struct hour *h, const struct load_point *p)
{
    double mibps = point_total_mibps(p);
    if (h->begin_ms == UNKNOWN || p->begin_ms < h->begin_ms ||
        p->begin_ms >= h->begin_ms + HOUR_MS) {
        end_hour(out, h);
        h->begin_ms = p->begin_ms - ((p->begin_ms % HOUR_MS) + HOUR_MS) % HOUR_MS;
        h->most_mibps = NAN;
    }
    h->most_mibps = mibps > h->most_mibps || isnan(h->most_mibps) ? mibps : h->most_mibps;
    int hours = 1;
    for (int64_t t = h->begin_ms + HOUR_MS; t < p->end_ms && hours < 7 * 24; t += HOUR_MS, hours++)
        raise_hour(out, t, mibps);
}

static void clear(struct load_profile *out)
{
    *out = (struct load_profile){ .interval_s = NAN,
                                  .coverage_pct = NAN,
                                  .time_of_max_ms = UNKNOWN,
                                  .request_kib = NAN,
                                  .artefact_max_mibps = NAN,
                                  .artefact_ms = UNKNOWN,
                                  .coverage = { .longest_gap_ms = UNKNOWN } };
    for (int i = 0; i < 24; i++)
        out->by_hour_mibps[i] = NAN;
    for (int i = 0; i < 7; i++)
        out->by_weekday_mibps[i] = NAN;
}

const char *artefact_why_words(enum artefact_why w)
{
    static const char *const words[] = { "", "its volumes can do", "the instance passes",
                                         "any device can do" };
    return words[w];
}

static void raise_artefact(struct load_profile *out, double mibps, int64_t time_ms,
                           enum artefact_why why)
{
    bool larger =
        mibps > out->artefact_max_mibps || (isnan(out->artefact_max_mibps) && !isnan(mibps));
    if (!larger && out->artefact_why != ARTEFACT_NONE)
        return;
    out->artefact_max_mibps = mibps;
    out->artefact_ms = time_ms;
    out->artefact_why = why;
}

static void find_gaps(const struct load_points *p, double interval_s, struct load_coverage *out)
{
    for (size_t i = 1; i < p->n; i++) {
        int64_t gap_ms = p->at[i].begin_ms - p->at[i - 1].end_ms;
        if ((double)gap_ms <= interval_s * 500)
            continue;
        double gap_s = (double)gap_ms / 1e3;
        out->gaps++;
        if (gap_s <= out->longest_gap_s)
            continue;
        out->longest_gap_s = gap_s;
        out->longest_gap_ms = p->at[i - 1].end_ms;
    }
}

/* The values of one metric, and what is known of them in passing. */
struct metric_values {
    struct timed_value *at; /* NULL = no percentiles */
    size_t n;
    double sum_ms, max; /* value times time; NaN = no value */
    int64_t total_ms;
};

/* Of all metrics and of the intervals, and room for quantiles. */
struct profile_values {
    struct metric_values of[METRIC_COUNT];
    struct timed_value *intervals, *scratch;
};

/* NULL when memory is out. */
static struct profile_values *values_new(size_t n, bool percentiles, struct arena *a)
{
    struct profile_values *v = arena_alloc(a, sizeof *v);
    if (!v)
        return NULL;
    v->intervals = arena_array(a, n, sizeof *v->intervals);
    v->scratch = arena_array(a, n, 2 * sizeof *v->scratch);
    bool all = v->intervals && v->scratch;
    for (int m = 0; m < METRIC_COUNT && percentiles; m++)
        all &= (v->of[m].at = arena_array(a, n, sizeof *v->scratch)) != NULL;
    return all ? v : NULL;
}

/* Those of the room, for n points, and empty; NULL when memory is out. */
static struct profile_values *values_in(struct profile_room *r, size_t n)
{
    if (!r->values || r->n < n) {
        arena_reuse(&r->arena);
        r->values = values_new(n, !r->no_percentiles, &r->arena);
        r->n = n;
    }
    for (int m = 0; r->values && m < METRIC_COUNT; m++)
        r->values->of[m] = (struct metric_values){ .at = r->values->of[m].at, .max = NAN };
    return r->values;
}

void profile_room_release(struct profile_room *r)
{
    arena_release(&r->arena);
    r->values = NULL;
    r->n = 0;
}

static void add_value(struct metric_values *v, double value, int64_t ms)
{
    if (isnan(value))
        return;
    if (v->at)
        v->at[v->n] = (struct timed_value){ value, ms };
    v->n++;
    v->sum_ms += value * (double)ms;
    v->total_ms += ms;
    v->max = value > v->max || isnan(v->max) ? value : v->max;
}

static void add_values(struct profile_values *v, const struct load_point *p)
{
    int64_t ms = length_ms(p);
    add_value(&v->of[METRIC_READ_IOPS], p->read_iops, ms);
    add_value(&v->of[METRIC_WRITE_IOPS], p->write_iops, ms);
    add_value(&v->of[METRIC_READ_MIBPS], p->read_mibps, ms);
    add_value(&v->of[METRIC_WRITE_MIBPS], p->write_mibps, ms);
    add_value(&v->of[METRIC_TOTAL_IOPS], point_total_iops(p), ms);
    add_value(&v->of[METRIC_TOTAL_MIBPS], point_total_mibps(p), ms);
    add_value(&v->of[METRIC_COUNTED_IOPS], p->counted_iops, ms);
}

static struct metric_stats stats_of(const struct metric_values *v, struct timed_value *scratch)
{
    static const double pct[] = { 50, 95, 99, 99.9 };
    double at[] = { NAN, NAN, NAN, NAN };
    if (v->at)
        quantiles(v->at, v->n, pct, sizeof pct / sizeof *pct, scratch, at);
    return (struct metric_stats){ .avg = v->n ? v->sum_ms / (double)v->total_ms : NAN,
                                  .p50 = at[0],
                                  .p95 = at[1],
                                  .p99 = at[2],
                                  .p999 = at[3],
                                  .max = v->max };
}

/* Values, counts and calendar, in one walk, since points are long; returns the point with the
 * largest total, NULL when there is none. */
static const struct load_point *walk(const struct load_points *p, struct profile_values *v,
                                     struct load_profile *out)
{
    const struct load_point *peak = NULL;
    struct hour hour = { UNKNOWN, NAN };
    double full_s = 0;
    for (size_t i = 0; i < p->n; i++) {
        const struct load_point *q = &p->at[i];
        v->intervals[i] = (struct timed_value){ q->interval_s, length_ms(q) };
        out->samples++;
        out->covered_s += length_s(q);
        full_s += q->flags & POINT_PARTIAL ? 0 : length_s(q);
        if (q->flags & POINT_ARTEFACT) {
            out->artefacts++;
            raise_artefact(out, point_total_mibps(q), q->begin_ms,
                           q->flags & POINT_ABOVE_INSTANCE ? ARTEFACT_INSTANCE : ARTEFACT_VOLUMES);
            continue;
        }
        out->censored_s += q->flags & POINT_CENSORED ? length_s(q) : 0;
        add_values(v, q);
        add_to_calendar(out, &hour, q);
        double best = peak ? point_total_mibps(peak) : NAN;
        if (!peak || point_total_mibps(q) > best || (isnan(best) && !isnan(point_total_mibps(q))))
            peak = q;
    }
    end_hour(out, &hour);
    if (p->n)
        out->coverage_pct =
            100 * full_s * 1e3 / (double)(p->at[p->n - 1].end_ms - p->at[0].begin_ms);
    return peak;
}

static enum grade grade_of(const struct load_point *p)
{
    if (p->flags & POINT_CENSORED)
        return GRADE_CENSORED;
    return interval_is_measured(p->interval_s) ? GRADE_MEASURED : GRADE_AVERAGED;
}

int load_profile_of(const struct load_points *p, const struct group_ceiling *ceiling,
                    struct profile_room *room, struct load_profile *out, struct err *e)
{
    static const struct group_ceiling not_known = { NAN, NAN, false };
    static const double median = 50;
    struct profile_room own = { .n = 0 };
    const struct load_point *peak = NULL;
    struct profile_values *v = values_in(room ? room : &own, p->n);
    clear(out);
    if (v) {
        peak = walk(p, v, out);
        for (int m = 0; m < METRIC_COUNT; m++)
            out->metrics[m] = stats_of(&v->of[m], v->scratch);
        quantiles(v->intervals, p->n, &median, 1, v->scratch, &out->interval_s);
    }
    profile_room_release(&own);
    if (!v)
        return err_nomem(e);
    bool covered = p->n && (double)(p->at[p->n - 1].end_ms - p->at[0].begin_ms) <=
                               out->covered_s * 1e3 * (1 + 1e-12);
    if (!covered)
        find_gaps(p, out->interval_s, &out->coverage);
    out->peak_second = peak_second_of(p, ceiling ? ceiling : &not_known);
    if (!peak)
        return 0;
    out->grade = grade_of(peak);
    out->time_of_max_ms = peak->begin_ms;
    double iops = out->metrics[METRIC_TOTAL_IOPS].avg;
    if (iops > 0)
        out->request_kib = out->metrics[METRIC_TOTAL_MIBPS].avg * 1024 / iops;
    return 0;
}

static size_t max_size(size_t a, size_t b)
{
    return a > b ? a : b;
}

void load_profile_count_left_out(struct load_profile *f, const struct load_member *members,
                                 size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct load_series *s = members[i].series;
        f->samples += s->n_artefacts;
        f->artefacts += s->n_artefacts;
        if (s->n_artefacts)
            raise_artefact(f, s->artefact_max_mibps, s->artefact_max_ms, ARTEFACT_DEVICE);
        f->coverage.overlaps += s->n_overlaps;
        f->coverage.duplicates += s->n_duplicates;
        f->coverage.since_boot += s->n_since_boot;
        f->coverage.untimed += s->n_untimed;
        f->coverage.resets = max_size(f->coverage.resets, s->n_resets);
        f->coverage.folds = max_size(f->coverage.folds, s->n_folds);
    }
}
