/* planner/demand/load_profile.c - see load_profile.h. */
#include "planner/demand/load_profile.h"

#include "models/core/timestamp.h"
#include "models/core/unit.h"

#include <math.h>
#include <stdlib.h>

#define HOUR_MS INT64_C(3600000)

struct weighted {
    double value, weight_s;
};

static double length_s(const struct load_point *p)
{
    return (double)(p->end_ms - p->begin_ms) / 1e3;
}

static double metric_of(const struct load_point *p, int metric)
{
    switch (metric) {
    case METRIC_READ_IOPS:
        return p->read_iops;
    case METRIC_WRITE_IOPS:
        return p->write_iops;
    case METRIC_READ_MIBPS:
        return p->read_mibps;
    case METRIC_WRITE_MIBPS:
        return p->write_mibps;
    case METRIC_TOTAL_IOPS:
        return point_total_iops(p);
    case METRIC_TOTAL_MIBPS:
        return point_total_mibps(p);
    default:
        return p->counted_iops;
    }
}

static int by_value(const void *va, const void *vb)
{
    const struct weighted *a = va, *b = vb;
    return (a->value > b->value) - (a->value < b->value);
}

/* n sorted values whose weights add up to total_s. */
static double percentile(const struct weighted *w, size_t n, double total_s, double pct)
{
    double wanted_s = total_s * pct / 100 * (1 - 1e-12), sum_s = 0;
    for (size_t i = 0; i < n; i++) {
        sum_s += w[i].weight_s;
        if (sum_s >= wanted_s)
            return w[i].value;
    }
    return n ? w[n - 1].value : NAN;
}

static double total_weight(struct weighted *w, size_t n)
{
    double sum_s = 0;
    qsort(w, n, sizeof *w, by_value);
    for (size_t i = 0; i < n; i++)
        sum_s += w[i].weight_s;
    return sum_s;
}

static struct metric_stats stats_of(struct weighted *w, size_t n)
{
    if (!n)
        return (struct metric_stats){ NAN, NAN, NAN, NAN, NAN, NAN };
    double total_s = total_weight(w, n), sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += w[i].value * w[i].weight_s;
    return (struct metric_stats){ .avg = sum / total_s,
                                  .p50 = percentile(w, n, total_s, 50),
                                  .p95 = percentile(w, n, total_s, 95),
                                  .p99 = percentile(w, n, total_s, 99),
                                  .p999 = percentile(w, n, total_s, 99.9),
                                  .max = w[n - 1].value };
}

static void raise_to(double *max, double v)
{
    *max = fmax(*max, v);
}

static void add_to_calendar(struct load_profile *out, const struct load_point *p)
{
    double mibps = point_total_mibps(p);
    int64_t first_ms = p->begin_ms - ((p->begin_ms % HOUR_MS) + HOUR_MS) % HOUR_MS;
    int hours = 0;
    for (int64_t t = first_ms; t < p->end_ms && hours < 7 * 24; t += HOUR_MS, hours++) {
        int64_t of_day_ms = ((t % DAY_MS) + DAY_MS) % DAY_MS;
        raise_to(&out->by_hour_mibps[of_day_ms / HOUR_MS], mibps);
        raise_to(&out->by_weekday_mibps[time_weekday(t)], mibps);
    }
}

static void clear(struct load_profile *out)
{
    *out = (struct load_profile){ .interval_s = NAN,
                                  .coverage_pct = NAN,
                                  .time_of_max_ms = UNKNOWN,
                                  .request_kib = NAN,
                                  .peak_second_low_mibps = NAN,
                                  .peak_second_high_mibps = NAN };
    for (int i = 0; i < 24; i++)
        out->by_hour_mibps[i] = NAN;
    for (int i = 0; i < 7; i++)
        out->by_weekday_mibps[i] = NAN;
}

/* Counts and calendar; returns the point with the largest total, NULL when there is none. */
static const struct load_point *walk(const struct load_points *p, struct load_profile *out)
{
    const struct load_point *peak = NULL;
    double full_s = 0;
    for (size_t i = 0; i < p->n; i++) {
        const struct load_point *q = &p->at[i];
        out->samples++;
        out->covered_s += length_s(q);
        full_s += q->flags & POINT_PARTIAL ? 0 : length_s(q);
        if (q->flags & POINT_ARTEFACT) {
            out->artefacts++;
            continue;
        }
        out->censored_s += q->flags & POINT_CENSORED ? length_s(q) : 0;
        add_to_calendar(out, q);
        double best = peak ? point_total_mibps(peak) : NAN;
        if (!peak || point_total_mibps(q) > best || (isnan(best) && !isnan(point_total_mibps(q))))
            peak = q;
    }
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

int load_profile_of(const struct load_points *p, double ceiling_mibps, struct arena *a,
                    struct load_profile *out, struct err *e)
{
    clear(out);
    struct weighted *w = arena_array(a, p->n ? p->n : 1, sizeof *w);
    if (!w)
        return err_nomem(e);
    const struct load_point *peak = walk(p, out);
    for (int m = 0; m < METRIC_COUNT; m++) {
        size_t n = 0;
        for (size_t i = 0; i < p->n; i++) {
            double v = metric_of(&p->at[i], m);
            if (!(p->at[i].flags & POINT_ARTEFACT) && !isnan(v))
                w[n++] = (struct weighted){ v, length_s(&p->at[i]) };
        }
        out->metrics[m] = stats_of(w, n);
    }
    for (size_t i = 0; i < p->n; i++)
        w[i] = (struct weighted){ p->at[i].interval_s, length_s(&p->at[i]) };
    double total_s = total_weight(w, p->n);
    out->interval_s = percentile(w, p->n, total_s, 50);
    if (!peak)
        return 0;
    out->grade = grade_of(peak);
    out->time_of_max_ms = peak->begin_ms;
    double iops = out->metrics[METRIC_TOTAL_IOPS].avg;
    if (iops > 0)
        out->request_kib = out->metrics[METRIC_TOTAL_MIBPS].avg * 1024 / iops;
    /* A mean bounds the seconds inside it from below; only the ceiling bounds them from above. */
    out->peak_second_low_mibps = point_total_mibps(peak);
    if (peak->interval_s <= 1.1)
        out->peak_second_high_mibps = out->peak_second_low_mibps;
    else if (ceiling_mibps >= out->peak_second_low_mibps)
        out->peak_second_high_mibps = ceiling_mibps;
    return 0;
}

void load_profile_count_left_out(struct load_profile *f, const struct load_member *members,
                                 size_t n)
{
    for (size_t i = 0; i < n; i++) {
        f->samples += members[i].series->n_artefacts;
        f->artefacts += members[i].series->n_artefacts;
    }
}
