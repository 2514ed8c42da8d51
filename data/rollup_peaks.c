/* data/rollup_peaks.c - see rollup_peaks.h. */
#include "data/rollup_peaks.h"

#include "models/core/mem.h"
#include "models/core/timestamp.h"
#include "models/core/unit.h"

#include <math.h>
#include <stdlib.h>

static const int64_t hour_length_ms = 3600000, minute_length_ms = 60000;

/* --- stretches ---------------------------------------------------------------------------------
 */

int stretches_add(struct stretches *l, int64_t begin_ms, int64_t end_ms, struct err *e)
{
    struct stretch *item = mem_room(l->item, l->n, 1, &l->room, sizeof *item);
    if (!item)
        return err_nomem(e);
    l->item = item;
    l->item[l->n++] = (struct stretch){ begin_ms, end_ms };
    return 0;
}

static int by_begin(const void *a, const void *b)
{
    const struct stretch *x = a, *y = b;
    return (x->begin_ms > y->begin_ms) - (x->begin_ms < y->begin_ms);
}

void stretches_settle(struct stretches *l)
{
    size_t kept = 0;
    if (l->n)
        qsort(l->item, l->n, sizeof *l->item, by_begin);
    for (size_t i = 0; i < l->n; i++) {
        struct stretch *last = kept ? &l->item[kept - 1] : NULL;
        if (!last || l->item[i].begin_ms > last->end_ms)
            l->item[kept++] = l->item[i];
        else if (l->item[i].end_ms > last->end_ms)
            last->end_ms = l->item[i].end_ms;
    }
    l->n = kept;
}

bool stretches_meet(const struct stretches *l, int64_t begin_ms, int64_t end_ms)
{
    size_t from = 0, to = l->n; /* the first that ends behind begin_ms */
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (l->item[middle].end_ms > begin_ms)
            to = middle;
        else
            from = middle + 1;
    }
    return from < l->n && l->item[from].begin_ms < end_ms;
}

void kept_times_release(struct kept_times *k)
{
    mem_free(k->exact.item);
    mem_free(k->minutes.item);
    *k = (struct kept_times){ 0 };
}

int kept_times_settle(struct kept_times *k, struct err *e)
{
    int rc = 0;
    stretches_settle(&k->exact);
    for (size_t i = 0; i < k->exact.n && !rc; i++)
        rc = stretches_add(&k->minutes, time_floor(k->exact.item[i].begin_ms, minute_length_ms),
                           time_floor(k->exact.item[i].end_ms - 1, minute_length_ms) +
                               minute_length_ms,
                           e);
    stretches_settle(&k->minutes);
    return rc;
}

/* --- the marker --------------------------------------------------------------------------------
 */

void peak_marker_init(struct peak_marker *m, struct kept_times *kept, bool is_sum)
{
    *m = (struct peak_marker){ .kept = kept,
                               .measured_ms = is_sum ? (double)minute_length_ms : 0,
                               .hour_ms = UNKNOWN,
                               .minute_ms = UNKNOWN };
}

static void close_minute(struct peak_marker *m)
{
    double over_ms = m->measured_ms > 0 ? m->measured_ms : m->minute_covered_ms;
    if (m->minute_covered_ms >= (double)minute_length_ms / 2 &&
        m->minute_sum / over_ms > m->worst) {
        m->worst = m->minute_sum / over_ms;
        m->worst_at = (struct stretch){ m->minute_ms, m->minute_ms + minute_length_ms };
    }
    m->minute_sum = m->minute_covered_ms = 0;
}

/* An hour of nothing has no peak: its mean says it all. */
static int close_hour(struct peak_marker *m, struct err *e)
{
    int rc = 0;
    close_minute(m);
    if (m->max > 0)
        rc = stretches_add(&m->kept->exact, m->max_at.begin_ms, m->max_at.end_ms, e);
    if (!rc && m->worst > 0)
        rc = stretches_add(&m->kept->minutes, m->worst_at.begin_ms, m->worst_at.end_ms, e);
    m->max = m->worst = 0;
    return rc;
}

static void add_to_minutes(struct peak_marker *m, int64_t begin_ms, int64_t end_ms, double rate)
{
    while (begin_ms < end_ms) {
        int64_t minute_ms = time_floor(begin_ms, minute_length_ms);
        int64_t next_ms = minute_ms + minute_length_ms;
        int64_t cut_ms = next_ms < end_ms ? next_ms : end_ms;
        if (minute_ms != m->minute_ms)
            close_minute(m);
        m->minute_ms = minute_ms;
        m->minute_sum += rate * (double)(cut_ms - begin_ms);
        m->minute_covered_ms += (double)(cut_ms - begin_ms);
        begin_ms = cut_ms;
    }
}

int peak_marker_add(struct peak_marker *m, int64_t begin_ms, int64_t end_ms, double rate,
                    struct err *e)
{
    for (int64_t at_ms = begin_ms; at_ms < end_ms && !isnan(rate);) {
        int64_t hour_ms = time_floor(at_ms, hour_length_ms);
        int64_t cut_ms = hour_ms + hour_length_ms < end_ms ? hour_ms + hour_length_ms : end_ms;
        int rc = hour_ms == m->hour_ms ? 0 : close_hour(m, e);
        if (rc)
            return rc;
        m->hour_ms = hour_ms;
        if (rate > m->max) {
            m->max = rate;
            m->max_at = (struct stretch){ begin_ms, end_ms };
        }
        add_to_minutes(m, at_ms, cut_ms, rate);
        at_ms = cut_ms;
    }
    return 0;
}

int peak_marker_finish(struct peak_marker *m, struct err *e)
{
    return close_hour(m, e);
}
