/* planner/diagnose/clock_shift.c - see clock_shift.h. */
#include "planner/diagnose/clock_shift.h"

#include "models/core/unit.h"

#include <math.h>
#include <string.h>

/* TUNING: six reports can be alike by chance at one of 57 shifts, but not as near as this; with the
 * right clock devices and reports differ by less than a quarter (DESIGN.md section 7). */
enum { REPORTS_MIN = 6, BINS_MAX = 200000 };
static const double WRONG = 0.5, RIGHT = 0.15, COVERED = 0.9;

/* What the devices carried, by half hours. */
struct bins {
    int64_t first; /* number of the first half hour since 1970 */
    size_t n;
    double *mib, *seconds; /* seconds: covered by the device with most samples */
};

double report_mibps(const struct awr_snapshot *w)
{
    double sum = 0;
    for (size_t i = 0; i < w->n_filetypes; i++) {
        const struct awr_io_row *f = &w->filetypes[i];
        if (f->name && strncmp(f->name, "TOTAL", 5) != 0)
            sum += (isnan(f->read_bytes_per_s) ? 0 : f->read_bytes_per_s) +
                   (isnan(f->write_bytes_per_s) ? 0 : f->write_bytes_per_s);
    }
    return sum / MIB_BYTES;
}

static bool is_device(const struct load_series *s)
{
    return s->kind == SERIES_DEVICE && s->n;
}

static double known(double v)
{
    return isnan(v) ? 0 : v;
}

static void add_series(struct bins *b, const struct load_series *s, bool lead)
{
    for (size_t i = 0; i < s->n; i++) {
        int64_t bin = (s->begin_ms[i] + s->end_ms[i]) / 2 / CLOCK_STEP_MS - b->first;
        double sec = (double)(s->end_ms[i] - s->begin_ms[i]) / 1e3;
        if (bin < 0 || (size_t)bin >= b->n)
            continue;
        b->mib[bin] += sec * (known(s->read_mibps[i]) + known(s->write_mibps[i]) +
                              (s->unsplit_mibps ? known(s->unsplit_mibps[i]) : 0));
        b->seconds[bin] += lead ? sec : 0;
    }
}

/* Of the devices that the layout's groups claim. */
static bool fill_bins(struct run *r, struct bins *b)
{
    const struct load_series *lead = NULL;
    int64_t begin_ms = INT64_MAX, end_ms = INT64_MIN;
    for (size_t g = 0; g < r->demand->n_groups; g++)
        for (size_t m = 0; m < r->demand->groups[g].n_members; m++) {
            const struct load_series *s = r->demand->groups[g].members[m].series;
            if (!is_device(s))
                continue;
            lead = !lead || s->n > lead->n ? s : lead;
            begin_ms = s->begin_ms[0] < begin_ms ? s->begin_ms[0] : begin_ms;
            end_ms = s->end_ms[s->n - 1] > end_ms ? s->end_ms[s->n - 1] : end_ms;
        }
    if (!lead || (end_ms - begin_ms) / CLOCK_STEP_MS >= BINS_MAX)
        return false;
    b->first = begin_ms / CLOCK_STEP_MS;
    b->n = (size_t)(end_ms / CLOCK_STEP_MS - b->first) + 1;
    b->mib = arena_array(r->arena, b->n, sizeof *b->mib);
    b->seconds = arena_array(r->arena, b->n, sizeof *b->seconds);
    if (!b->mib || !b->seconds) {
        r->failed = true;
        return false;
    }
    for (size_t g = 0; g < r->demand->n_groups; g++)
        for (size_t m = 0; m < r->demand->groups[g].n_members; m++) {
            const struct load_series *s = r->demand->groups[g].members[m].series;
            if (is_device(s))
                add_series(b, s, s == lead);
        }
    return true;
}

/* The devices' mean over the half hours of a report, moved on by steps; NaN where they do not cover
 * it. */
static double devices_mibps(const struct bins *b, const struct awr_snapshot *w, int steps)
{
    int64_t from = llround((double)w->begin_ms / CLOCK_STEP_MS) - steps - b->first;
    int64_t to = llround((double)w->end_ms / CLOCK_STEP_MS) - steps - b->first;
    double mib = 0, seconds = 0;
    if (from < 0 || to <= from || to > (int64_t)b->n)
        return NAN;
    for (int64_t i = from; i < to; i++) {
        mib += b->mib[i];
        seconds += b->seconds[i];
    }
    return seconds >= COVERED * (double)(to - from) * CLOCK_STEP_MS / 1e3 ? mib / seconds
                                                                          : (double)NAN;
}

/* How far devices and reports are apart at a shift, as a share of what the reports say; NaN where
 * too few are covered, or the load is so even that every shift fits. */
static double misfit(const struct run *r, const struct bins *b, int steps, struct clock_shift *out)
{
    double apart = 0, sum = 0;
    *out = (struct clock_shift){ .steps = steps };
    for (size_t i = 0; i < r->load->n_snapshots; i++) {
        const struct awr_snapshot *w = r->load->snapshots[i];
        double said = report_mibps(w);
        double seen = w->n_filetypes && w->begin_ms != UNKNOWN && w->end_ms != UNKNOWN
                          ? devices_mibps(b, w, steps)
                          : (double)NAN;
        if (isnan(seen))
            continue;
        out->n_reports++;
        apart += fabs(seen - said);
        sum += said;
        if (!out->busiest || said > out->busiest_mibps) {
            out->busiest = w;
            out->busiest_mibps = said;
        }
    }
    return out->n_reports >= REPORTS_MIN && sum > 0 ? apart / sum : (double)NAN;
}

bool clock_shift_find(struct run *r, struct clock_shift *out)
{
    struct bins b = { 0 };
    struct clock_shift at;
    if (r->load->n_snapshots < REPORTS_MIN || !fill_bins(r, &b) || !(misfit(r, &b, 0, &at) > WRONG))
        return false;
    double best = RIGHT;
    bool found = false;
    for (int i = 2; i <= 2 * CLOCK_STEPS + 1; i++) { /* 1, -1, 2, -2: of equal ones the nearest */
        double off = misfit(r, &b, i % 2 ? -(i / 2) : i / 2, &at);
        if (off < best) {
            best = off;
            *out = at;
            found = true;
        }
    }
    return found;
}
