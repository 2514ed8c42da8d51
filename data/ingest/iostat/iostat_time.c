/* data/ingest/iostat/iostat_time.c - see iostat_time.h. */
#include "data/ingest/iostat/iostat_time.h"

#include "data/zone.h"
#include "models/core/timestamp.h"
#include "models/core/unit.h"

#include <math.h>

/* OSWatcher runs `iostat -xk 1 3` for every snapshot. */
static const double osw_step_s = 1;

/* Stamps are whole seconds, so that reports a second apart may show steps of 0 and 2 s. */
enum { STAMP_SLACK_MS = 2000 };

/* TUNING: a step so many times the one before is told: one lost report makes it 2. */
#define LONGER 1.9

void iostat_time_init(struct iostat_time *t, const struct ingest_options *o)
{
    *t = (struct iostat_time){
        .o = o,
        .day_ms = o->date_ms == UNKNOWN ? UNKNOWN : o->date_ms - o->date_ms % DAY_MS,
        .last_clock_ms = UNKNOWN,
        .stamp_ms = UNKNOWN,
        .snapshot_ms = UNKNOWN,
        .stated_interval_s = (double)NAN,
        .report_ms = UNKNOWN,
        .last_report_ms = UNKNOWN,
        .last_step_ms = UNKNOWN,
        .interval_s = (double)NAN,
    };
}

void iostat_time_settle(struct iostat_time *t, const struct date_evidence *v,
                        int64_t collector_day_ms)
{
    const struct iostat_date *first = &v->first;
    t->order = date_evidence_order(v);
    if (!first->a || t->order != ORDER_UNDECIDED)
        return;
    int64_t known_ms = t->day_ms == UNKNOWN ? collector_day_ms : t->day_ms;
    bool month_first = known_ms != UNKNOWN && known_ms == iostat_day_ms(first, ORDER_MONTH_FIRST);
    bool day_first = known_ms != UNKNOWN && known_ms == iostat_day_ms(first, ORDER_DAY_FIRST);
    t->order = day_first && !month_first ? ORDER_DAY_FIRST : ORDER_MONTH_FIRST;
    if (!month_first && !day_first)
        t->guessed = *first;
}

enum time_odd iostat_time_linux(struct iostat_time *t, const struct iostat_date *d)
{
    t->fresh_start = true;
    t->n_starts++;
    t->stamp_ms = UNKNOWN;
    t->last_clock_ms = UNKNOWN;
    if (d->a) {
        t->day_ms = iostat_day_ms(d, t->order);
        if (t->day_ms == UNKNOWN)
            return TIME_CONTRADICTED;
    }
    bool counted = !t->stamps && t->snapshot_ms == UNKNOWN && t->o->date_ms != UNKNOWN;
    return t->n_starts == 2 && counted ? TIME_RESTARTED : TIME_FINE;
}

static int64_t to_utc(const struct iostat_time *t, int64_t wall_ms)
{
    return zone_to_utc_after(t->o->zone, wall_ms, t->last_report_ms);
}

enum time_odd iostat_time_stamp(struct iostat_time *t, const struct iostat_stamp *st)
{
    t->stamps = true;
    if (st->utc_ms != UNKNOWN) {
        t->stamp_ms = st->utc_ms;
        return TIME_FINE;
    }
    int64_t day_ms = t->day_ms;
    if (st->date.a) {
        day_ms = iostat_day_ms(&st->date, t->order);
        if (day_ms == UNKNOWN)
            return TIME_CONTRADICTED;
    } else if (day_ms != UNKNOWN) {
        if (t->last_clock_ms != UNKNOWN && st->clock_ms < t->last_clock_ms - DAY_MS / 2)
            day_ms = t->day_ms += DAY_MS; /* past midnight */
        t->last_clock_ms = st->clock_ms;
    }
    t->stamp_ms = day_ms == UNKNOWN ? UNKNOWN : to_utc(t, day_ms + st->clock_ms);
    return t->guessed.a ? TIME_GUESSED : TIME_FINE;
}

enum time_odd iostat_time_zzz(struct iostat_time *t, const struct zzz *z)
{
    t->n_snapshots++;
    t->n_steps = 0;
    t->snapshot_ms = UNKNOWN;
    if (!isnan(z->interval_s))
        t->stated_interval_s = z->interval_s;
    if (z->day_ms == UNKNOWN)
        return TIME_FINE;
    t->day_ms = z->day_ms;
    t->last_clock_ms = UNKNOWN;
    int64_t wall_ms = z->day_ms + z->clock_ms;
    bool has_offset = z->offset_ms != UNKNOWN;
    t->snapshot_ms = has_offset ? wall_ms - z->offset_ms : to_utc(t, wall_ms);
    if (has_offset || !z->zone.len || t->o->zone || t->zone_told)
        return TIME_FINE;
    t->zone_told = true;
    return TIME_ZONE_ASSUMED;
}

/* Time of a report in a file without stamps: counted from --date in steps of --interval, as
 * long as iostat was not started again. */
static int64_t counted_ms(const struct iostat_time *t)
{
    if (t->stamps || t->n_starts > 1 || t->o->date_ms == UNKNOWN || isnan(t->o->interval_s))
        return UNKNOWN;
    int64_t n_steps = t->n_reports + (t->n_starts == 0); /* none passed at the since-boot report */
    double t_ms = (double)n_steps * t->o->interval_s * 1000;
    int64_t start_ms = zone_to_utc(t->o->zone, t->o->date_ms);
    return t_ms < 1e14 ? start_ms + (int64_t)llround(t_ms) : UNKNOWN;
}

/* The interval that the report at t->report_ms closes, in files with stamps. */
static enum time_odd stamped_interval(struct iostat_time *t)
{
    t->interval_s = (double)NAN;
    if (t->report_ms == UNKNOWN)
        return TIME_NO_STAMP;
    if (t->last_report_ms == UNKNOWN) {
        t->interval_s = isnan(t->o->interval_s) ? t->stated_interval_s : t->o->interval_s;
        return TIME_FINE;
    }
    int64_t step_ms = t->report_ms - t->last_report_ms;
    if (step_ms <= 0)
        return step_ms == 0 ? TIME_REPEATED : TIME_BACKWARD;
    bool longer = t->last_step_ms != UNKNOWN &&
                  (double)step_ms > LONGER * (double)t->last_step_ms &&
                  step_ms - t->last_step_ms > STAMP_SLACK_MS;
    t->last_step_ms = t->since_boot ? UNKNOWN : step_ms;
    t->interval_s = (double)step_ms / 1000;
    return longer && !t->since_boot ? TIME_LONGER : TIME_FINE;
}

/* The next report of a snapshot.  How far apart they are is told by the user or the
 * collector, else it is OSWatcher's habit. */
static enum time_odd snapshot_interval(struct iostat_time *t)
{
    double step_s = isnan(t->o->interval_s) ? t->stated_interval_s : t->o->interval_s;
    bool assumed = isnan(step_s);
    if (assumed)
        step_s = osw_step_s;
    if (!t->since_boot)
        t->n_steps++;
    double after_ms = (double)t->n_steps * step_s * 1000;
    t->report_ms = after_ms < 1e14 ? t->snapshot_ms + (int64_t)llround(after_ms) : UNKNOWN;
    t->interval_s = step_s;
    if (!assumed || t->since_boot || t->step_told)
        return TIME_FINE;
    t->step_told = true;
    return TIME_STEP_ASSUMED;
}

enum time_odd iostat_time_report(struct iostat_time *t)
{
    enum time_odd odd = TIME_FINE;
    t->since_boot = t->fresh_start;
    t->fresh_start = false;
    if (t->stamps) {
        t->report_ms = t->stamp_ms;
        t->stamp_ms = UNKNOWN;
        odd = stamped_interval(t);
    } else if (t->snapshot_ms != UNKNOWN) {
        odd = snapshot_interval(t);
    } else {
        t->report_ms = counted_ms(t);
        t->interval_s = t->o->interval_s;
    }
    if (t->report_ms != UNKNOWN)
        t->last_report_ms = t->report_ms;
    if (t->since_boot)
        t->interval_s = (double)NAN;
    t->n_reports++;
    return odd;
}
