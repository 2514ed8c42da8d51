/* data/ingest/cloudwatch/cw_points.c - see cw_points.h.
 *
 * Period.  CloudWatch gives no period with its points.  What the request or the user states
 * holds; else it is the smallest step between points, if every other step is a multiple of it, or
 * the step that 90 % of the points keep.  Either way CloudWatch keeps 60 s points for 15
 * days, 300 s points for 63 and 3 600 s points for 455: a run of old points that lie an hour
 * (or five minutes) apart is of that period, whatever the rest is. */
#include "data/ingest/cloudwatch/cw_points.h"

#include "models/core/mem.h"
#include "models/core/timestamp.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* TUNING: fewer points an hour apart could be a volume that was idle in between. */
enum { COARSE_RUN_MIN = 12 };
/* Of an inferred period's steps, in percent, when not all are multiples of the smallest. */
enum { USUAL_STEP_PCT = 90 };
enum { TIERS = 2 };
static const int64_t tier_ms[TIERS] = { 3600000, 300000 };

int cw_points_add(struct cw_points *p, size_t series, int64_t time_ms, double value, int64_t line,
                  struct err *e)
{
    struct cw_point *at = mem_room(p->at, p->n, 1, &p->room, sizeof *at);
    if (!at)
        return err_nomem(e);
    p->at = at;
    p->at[p->n] = (struct cw_point){ time_ms, line, series, p->n, value };
    p->n++;
    return 0;
}

void cw_points_release(struct cw_points *p)
{
    mem_free(p->at);
    *p = (struct cw_points){ 0 };
}

static int by_series_and_time(const void *x, const void *y)
{
    const struct cw_point *a = x, *b = y;
    if (a->series != b->series)
        return a->series < b->series ? -1 : 1;
    if (a->time_ms != b->time_ms)
        return a->time_ms < b->time_ms ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

void cw_points_sort(struct cw_points *p)
{
    if (p->n > 1)
        qsort(p->at, p->n, sizeof *p->at, by_series_and_time);
}

/* Of equal times the last stays. */
static int drop_duplicates(struct feed *f, const struct metric_sample *s, struct cw_point *p,
                           size_t *n)
{
    size_t kept = 0, n_equal = 0, n_differ = 0;
    for (size_t i = 0; i < *n; i++) {
        if (kept && p[kept - 1].time_ms == p[i].time_ms) {
            n_equal++;
            n_differ += p[kept - 1].value < p[i].value || p[kept - 1].value > p[i].value;
            kept--;
        }
        p[kept++] = p[i];
    }
    *n = kept;
    f->skipped += (int64_t)n_equal;
    if (!n_equal)
        return 0;
    return feed_warn(f, p[0].line,
                     "%.*s %.*s: %zu duplicate time stamps, %zu of them with another value; the "
                     "last in the file is used",
                     SPAN_ARG(s->metric), SPAN_ARG(s->dimension), n_equal, n_differ);
}

/* CloudWatch's periods: 1, 5, 10, 20 or 30 s, or whole minutes. */
static bool is_period(int64_t ms)
{
    return ms == 1000 || ms == 5000 || ms == 10000 || ms == 20000 || ms == 30000 ||
           (ms > 0 && ms % 60000 == 0);
}

static int64_t step(const struct cw_point *p, size_t i)
{
    return p[i + 1].time_ms - p[i].time_ms;
}

/* The step that most points keep, or 0; majority vote, then a count. */
static int64_t usual_step(const struct cw_point *p, size_t n)
{
    int64_t candidate = 0;
    size_t votes = 0, count = 0;
    for (size_t i = 0; i + 1 < n; i++) {
        if (!votes)
            candidate = step(p, i);
        if (step(p, i) == candidate)
            votes++;
        else
            votes--;
    }
    for (size_t i = 0; i + 1 < n; i++)
        count += step(p, i) == candidate;
    return count * 100 >= (n - 1) * USUAL_STEP_PCT ? candidate : 0;
}

/* 0 = the points do not tell. */
static int64_t infer_period(const struct cw_point *p, size_t n)
{
    int64_t smallest = 0;
    size_t n_smallest = 0, n_multiples = 0;
    for (size_t i = 0; i + 1 < n; i++) {
        if (!smallest || step(p, i) < smallest) {
            smallest = step(p, i);
            n_smallest = 0;
        }
        n_smallest += step(p, i) == smallest;
    }
    if (!smallest)
        return 0;
    for (size_t i = 0; i + 1 < n; i++)
        n_multiples += step(p, i) % smallest == 0;
    if (n_multiples < n - 1)
        smallest = usual_step(p, n);
    else if (n_smallest < 2 && smallest != 60000 && smallest != 300000 && smallest != 3600000)
        return 0; /* one odd step is no evidence */
    return is_period(smallest) ? smallest : 0;
}

/* How many points from the first on are of a coarser period: a run on that grid, most of whose
 * steps are exactly one period.  The last point before a finer step is of the finer period. */
static size_t coarse_run(const struct cw_point *p, size_t n, int64_t period_ms)
{
    size_t i = 0, exact = 0;
    for (; i + 1 < n && step(p, i) % period_ms == 0; i++)
        exact += step(p, i) == period_ms;
    size_t run = i + 1 < n ? i : n;
    return run >= COARSE_RUN_MIN && exact * 2 >= i ? run : 0;
}

static int hand_over_run(struct feed *f, struct metric_sample *s, const struct cw_point *p,
                         size_t n, double period_s, bool inferred)
{
    s->period_s = period_s;
    s->period_inferred = inferred;
    for (size_t i = 0; i < n; i++) {
        s->time_ms = p[i].time_ms;
        s->value = p[i].value;
        s->line = p[i].line;
        int rc = feed_metric(f, s);
        if (rc)
            return rc;
    }
    return 0;
}

static int warn_period(struct feed *f, const struct metric_sample *s, int64_t line,
                       int64_t period_ms)
{
    if (period_ms)
        return feed_warn(f, line,
                         "%.*s %.*s: the period is not in the file; %lld s inferred from the "
                         "distance of points (--interval states it)",
                         SPAN_ARG(s->metric), SPAN_ARG(s->dimension), (long long)period_ms / 1000);
    return feed_warn(f, line,
                     "%.*s %.*s: the period is not in the file and the points do not tell it; no "
                     "rates (--interval states it)",
                     SPAN_ARG(s->metric), SPAN_ARG(s->dimension));
}

/* Dimension and period may come from outside the file: the same bytes with others are another
 * measurement, as of two idle volumes. */
static void identify(struct feed *f, const struct metric_sample *s, double period_s)
{
    char period[32];
    source_identify(f->src, s->dimension);
    if (!(period_s > 0))
        return;
    int n = snprintf(period, sizeof period, "period=%.9g", period_s);
    source_identify(f->src, (struct span){ period, (size_t)n });
}

int cw_series_hand_over(struct feed *f, struct metric_sample *s, struct cw_point *points, size_t n,
                        double period_s)
{
    bool inferred = !(period_s > 0);
    int rc = drop_duplicates(f, s, points, &n);
    if (rc || !n)
        return rc;
    identify(f, s, period_s);
    int64_t base_ms = !inferred && period_s < 1e9 ? (int64_t)(period_s * 1000) : 0;
    if (inferred) {
        base_ms = infer_period(points, n);
        period_s = base_ms ? (double)base_ms / 1000 : NAN;
        rc = warn_period(f, s, points[0].line, base_ms);
    }
    size_t at = 0;
    for (int i = 0; i < TIERS && !rc && base_ms; i++) {
        if (tier_ms[i] <= base_ms || tier_ms[i] % base_ms != 0)
            continue;
        size_t run = coarse_run(points + at, n - at, tier_ms[i]);
        if (!run)
            continue;
        char until[32];
        rc = feed_warn(f, points[at].line,
                       "%.*s %.*s: the points up to %s lie %lld s apart and are taken as of that "
                       "period",
                       SPAN_ARG(s->metric), SPAN_ARG(s->dimension),
                       time_format_iso(until, points[at + run - 1].time_ms),
                       (long long)tier_ms[i] / 1000);
        if (!rc)
            rc = hand_over_run(f, s, points + at, run, (double)tier_ms[i] / 1000, true);
        at += run;
    }
    return rc ? rc : hand_over_run(f, s, points + at, n - at, period_s, inferred);
}
