/* data/rollup_load.c - see rollup_load.h. */
#include "data/rollup_load.h"

#include "data/rollup_thin.h"

#include <math.h>

static const int64_t minute_length_ms = 60000;

/* What a peak may be a peak of: rates, and MiB/s and requests/s of the busy seconds. */
enum { BUSY_MIBPS = ROLLUP_RATES, BUSY_IOPS, N_LOOKS };

static double known_sum(double a, double b)
{
    return isnan(b) ? a : isnan(a) ? b : a + b;
}

static struct store_sample sample_of(const struct point *p)
{
    double iops = known_sum(known_sum(p->read_iops, p->write_iops), p->unsplit_iops);
    double mibps = known_sum(known_sum(p->read_mibps, p->write_mibps), p->unsplit_mibps);
    return (struct store_sample){ .begin_ms = p->begin_ms,
                                  .end_ms = p->end_ms,
                                  .reads_per_s = p->read_iops,
                                  .writes_per_s = p->write_iops,
                                  .read_kib_per_s = p->read_mibps * 1024,
                                  .write_kib_per_s = p->write_mibps * 1024,
                                  .total_per_s = iops,
                                  .total_kib_per_s = mibps * 1024 };
}

/* A minute crowded into whole busy seconds, as the peak second is told of it
 * (planner/demand/peak_second.h). */
static double crowding(const struct point *p, const struct rate_lane *idle, size_t *at)
{
    while (*at < idle->n && idle->item[*at].begin_ms < p->begin_ms)
        (*at)++;
    bool told = *at < idle->n && idle->item[*at].begin_ms == p->begin_ms &&
                idle->item[*at].end_ms == p->end_ms;
    double period_s = (double)(p->end_ms - p->begin_ms) / 1e3;
    double busy_s = told ? ceil(period_s - idle->item[*at].per_s - 1e-9) : 0;
    return busy_s >= 1 ? period_s / busy_s : NAN;
}

static bool known_alike(const struct point *a, const struct point *b)
{
    return isnan(a->read_iops) == isnan(b->read_iops) &&
           isnan(a->write_iops) == isnan(b->write_iops) &&
           isnan(a->read_mibps) == isnan(b->read_mibps) &&
           isnan(a->write_mibps) == isnan(b->write_mibps) &&
           isnan(a->unsplit_iops) == isnan(b->unsplit_iops) &&
           isnan(a->unsplit_mibps) == isnan(b->unsplit_mibps);
}

/* Minute by minute, since others may be measured over others. */
static int add_to_sums(struct rollup_sums *sums, const struct store_sample *s, uint64_t sets,
                       struct err *e)
{
    struct store_sample minute = *s;
    int rc = 0;
    for (int64_t at_ms = s->begin_ms; at_ms < s->end_ms && !rc; at_ms += minute_length_ms) {
        minute.begin_ms = at_ms;
        minute.end_ms = at_ms + minute_length_ms;
        rc = rollup_sums_add(sums, &minute, sets, e);
    }
    return rc;
}

static int look_at(struct peak_marker looks[N_LOOKS], const struct store_sample *s, double crowded,
                   struct err *e)
{
    double rates[N_LOOKS];
    int rc = 0;
    rollup_rates(s, rates);
    rates[BUSY_MIBPS] = rates[ROLLUP_TOTAL_KIBPS] * crowded;
    rates[BUSY_IOPS] = rates[ROLLUP_COUNTED_IOPS] * crowded;
    for (int i = 0; i < N_LOOKS && !rc; i++)
        rc = peak_marker_add(&looks[i], s->begin_ms, s->end_ms, rates[i], e);
    return rc;
}

/* What was measured over longer stays as it is. */
int rollup_load_look(const struct points *load, const struct rate_lane *idle, uint64_t sets,
                     struct rollup_sums *sums, struct rollup_cuts *cuts, struct err *e)
{
    struct peak_marker looks[N_LOOKS];
    size_t at = 0;
    int rc = 0;
    for (int i = 0; i < N_LOOKS; i++)
        peak_marker_init(&looks[i], &cuts->kept, false);
    for (size_t i = 0; i < load->n && !rc; i++) {
        const struct point *p = &load->item[i];
        struct store_sample s = sample_of(p);
        if (!rollup_is_load(&s) || stretches_meet(&cuts->hours, p->begin_ms, p->end_ms))
            continue;
        if (i && !known_alike(p - 1, p))
            rc = rollup_cuts_edge(cuts, p->begin_ms, e);
        if (!rc && p->end_ms - p->begin_ms == minute_length_ms)
            rc = look_at(looks, &s, crowding(p, idle, &at), e);
        if (!rc)
            rc = add_to_sums(sums, &s, sets, e);
    }
    for (int i = 0; i < N_LOOKS && !rc; i++)
        rc = peak_marker_finish(&looks[i], e);
    return rc;
}
