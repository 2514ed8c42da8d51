/* data/store/hour_summary.c - see hour_summary.h. */
#include "data/store/hour_summary.h"

#include "models/core/timestamp.h"
#include "models/core/unit.h"

#include <math.h>

static const int64_t hour_length_ms = 3600000, minute_length_ms = 60000;

/* Of a number that may be NaN and one that is not; fmin and fmax would be calls. */
static double smaller(double so_far, double rate)
{
    return so_far <= rate ? so_far : rate;
}

static double larger(double so_far, double rate)
{
    return so_far >= rate ? so_far : rate;
}

static struct hour_rate rate_start(int64_t hour_ms)
{
    return (struct hour_rate){ .min = NAN, .max = NAN, .worst_minute = NAN, .minute_ms = hour_ms };
}

static void rate_close_minute(struct hour_rate *r, int64_t next_ms)
{
    if (r->minute_covered_ms >= (double)minute_length_ms / 2)
        r->worst_minute = larger(r->worst_minute, r->minute_sum / r->minute_covered_ms);
    r->minute_sum = r->minute_covered_ms = 0;
    r->minute_ms = next_ms;
}

/* The interval lies in that minute. */
static void rate_add_to_minute(struct hour_rate *r, int64_t minute_ms, double length_ms,
                               double rate)
{
    if (minute_ms != r->minute_ms)
        rate_close_minute(r, minute_ms);
    r->minute_sum += rate * length_ms;
    r->minute_covered_ms += length_ms;
}

/* time_floor; a division only where t_ms is in another step than the one that begins at last_ms. */
static int64_t floor_near(int64_t last_ms, int64_t t_ms, int64_t step_ms)
{
    bool is_same = (uint64_t)t_ms - (uint64_t)last_ms < (uint64_t)step_ms;
    return is_same ? last_ms : time_floor(t_ms, step_ms);
}

/* The interval lies in one hour. */
static void rate_add(struct hour_rate *r, int64_t begin_ms, int64_t end_ms, double rate)
{
    if (isnan(rate))
        return;
    r->min = smaller(r->min, rate);
    r->max = larger(r->max, rate);
    r->sum += rate * (double)(end_ms - begin_ms);
    r->covered_ms += (double)(end_ms - begin_ms);

    int64_t minute_ms = floor_near(r->minute_ms, begin_ms, minute_length_ms);
    int64_t first_end_ms = minute_ms + minute_length_ms;
    if (end_ms <= first_end_ms) {
        rate_add_to_minute(r, minute_ms, (double)(end_ms - begin_ms), rate);
        return;
    }
    rate_add_to_minute(r, minute_ms, (double)(first_end_ms - begin_ms), rate);
    int64_t last_begin_ms = time_floor(end_ms, minute_length_ms);
    if (last_begin_ms > first_end_ms) {
        rate_close_minute(r, last_begin_ms);
        r->worst_minute = larger(r->worst_minute, rate);
    }
    if (end_ms > last_begin_ms)
        rate_add_to_minute(r, last_begin_ms, (double)(end_ms - last_begin_ms), rate);
}

double hour_rate_mean(const struct hour_rate *r)
{
    return r->covered_ms > 0 ? r->sum / r->covered_ms : NAN;
}

void hour_init(struct hour_summary *h)
{
    *h = (struct hour_summary){ .hour_ms = UNKNOWN };
}

int hour_finish(struct hour_summary *h, hour_done_fn *done, void *ctx)
{
    if (h->hour_ms == UNKNOWN)
        return 0;
    rate_close_minute(&h->mibps, h->hour_ms);
    rate_close_minute(&h->iops, h->hour_ms);
    int rc = done(ctx, h);
    hour_init(h);
    return rc;
}

int hour_add(struct hour_summary *h, int64_t begin_ms, int64_t end_ms, double mibps, double iops,
             hour_done_fn *done, void *ctx)
{
    while (begin_ms < end_ms) {
        int64_t hour_ms = floor_near(h->hour_ms, begin_ms, hour_length_ms);
        if (hour_ms != h->hour_ms) {
            int rc = hour_finish(h, done, ctx);
            if (rc)
                return rc;
            h->hour_ms = hour_ms;
            h->mibps = h->iops = rate_start(hour_ms);
        }
        int64_t cut_ms = hour_ms + hour_length_ms < end_ms ? hour_ms + hour_length_ms : end_ms;
        rate_add(&h->mibps, begin_ms, cut_ms, mibps);
        rate_add(&h->iops, begin_ms, cut_ms, iops);
        h->n_samples++;
        h->covered_ms += cut_ms - begin_ms;
        begin_ms = cut_ms;
    }
    return 0;
}
