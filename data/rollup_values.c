/* data/rollup_values.c - see rollup_values.h. */
#include "data/rollup_values.h"

#include "data/series_points.h"
#include "data/store/metric_value.h"
#include "models/core/timestamp.h"

#include <math.h>

static const int64_t hour_length_ms = 3600000, minute_length_ms = STORE_MEAN_OF_MS;

bool rollup_value_is_minute(const struct store_metric_value *v)
{
    int64_t end_ms = store_value_end_ms(v);
    return points_are_times(v->time_ms, end_ms) && end_ms - v->time_ms == minute_length_ms &&
           v->time_ms % minute_length_ms == 0 && isfinite(v->value) && !store_value_is_mean(v);
}

/* What the arithmetic of doubles adds to a few decimals would take eight bytes a value. */
static double without_dust(double v)
{
    double rounded = floor(v * 1e4 + 0.5) / 1e4;
    return fabs(v) < 1e11 && fabs(rounded - v) <= 1e-12 * fabs(v) ? rounded : v;
}

static struct store_metric_value together(enum metric_statistic statistic,
                                          const struct store_metric_value *v, size_t n)
{
    bool mean = statistic == STATISTIC_AVERAGE || statistic == STATISTIC_RATE;
    double sum = 0, most = -INFINITY, least = INFINITY;
    for (size_t i = 0; i < n; i++) {
        sum += v[i].value;
        most = fmax(most, v[i].value);
        least = fmin(least, v[i].value);
    }
    double value = statistic == STATISTIC_MAXIMUM   ? most
                   : statistic == STATISTIC_MINIMUM ? least
                                                    : without_dust(mean ? sum / (double)n : sum);
    return (struct store_metric_value){ .time_ms = v[0].time_ms,
                                        .line = UNKNOWN,
                                        .period_s = (double)(n * (size_t)minute_length_ms) / 1000,
                                        .value = value };
}

static bool may_go(const struct store_metric_value *v, int64_t before_ms,
                   const struct rollup_cuts *cuts)
{
    return rollup_value_is_minute(v) && store_value_end_ms(v) <= before_ms &&
           !rollup_cuts_meet(cuts, v->time_ms, store_value_end_ms(v));
}

static bool goes_on(const struct store_metric_value *a, const struct store_metric_value *b,
                    const struct rollup_cuts *cuts)
{
    return b->time_ms == store_value_end_ms(a) && b->time_ms % hour_length_ms != 0 &&
           !rollup_cuts_is_edge(cuts, b->time_ms);
}

size_t rollup_values_thin(enum metric_statistic statistic, const struct store_metric_value *values,
                          size_t n, int64_t before_ms, const struct rollup_cuts *cuts,
                          struct store_metric_value *out)
{
    size_t left = 0;
    for (size_t from = 0, to; from < n; from = to) {
        bool may = statistic != STATISTIC_OTHER && may_go(&values[from], before_ms, cuts);
        to = from + 1;
        while (may && to < n && goes_on(&values[to - 1], &values[to], cuts) &&
               may_go(&values[to], before_ms, cuts))
            to++;
        out[left++] = to - from > 1 ? together(statistic, &values[from], to - from) : values[from];
    }
    return left;
}
