/* data/rollup.c - see rollup.h.
 *
 *   rollup_system
 *     sets_of           which sums a series belongs to: all devices, the groups of the layout
 *     look_at_series    first pass: keep_own, samples -> rollup_sums
 *     rollup_sums_mark
 *     thin_series       second pass: rollup_thin, store_blocks_write
 *     rollup_metrics
 *
 * What is kept of one series is kept of all: so their means have the same edges, and the sum of
 * means is the mean of sums. */
#include "data/rollup.h"

#include "data/ingest/layout/layout_json.h"
#include "data/rollup_blocks.h"
#include "data/rollup_metrics.h"
#include "data/rollup_sums.h"
#include "models/core/mem.h"
#include "models/core/timestamp.h"
#include "models/core/unit.h"

#include <stdlib.h>

static const int64_t hour_length_ms = 3600000;

struct work {
    struct store *store;
    int64_t before_ms; /* the start of an hour */
    struct arena arena;
    struct store_series *series;
    size_t n_series;
    struct layout layout;
    size_t n_sets;
    struct rollup_sums *sums;
    struct kept_times kept;
    struct store_blocks blocks; /* of the series under way */
    struct rollup_room room;
    struct rollup_counts counts;
};

static int64_t hour_floor(int64_t t_ms)
{
    return time_floor(t_ms, hour_length_ms);
}

/* --- sets --------------------------------------------------------------------------------------
 */

/* A layout that this version cannot read names no groups: the sum of all devices is kept. */
static int read_layout(struct work *w, const char *system, struct err *e)
{
    const char *json = NULL;
    struct err why = { 0 };
    int rc = store_layout_get(w->store, system, &w->arena, &json, e);
    w->layout = layout_unknown;
    if (!rc && json && layout_parse(span_of(json), &w->arena, &w->layout, &why) == ERR_NOMEM)
        rc = err_nomem(e);
    w->n_sets = 1 + w->layout.n_groups;
    if (w->n_sets > ROLLUP_SETS_MAX)
        w->n_sets = ROLLUP_SETS_MAX;
    return rc;
}

static uint64_t sets_of(const struct work *w, const struct store_series *series)
{
    uint64_t sets = 1;
    for (size_t g = 0; g + 1 < w->n_sets; g++) {
        const struct layout_group *group = &w->layout.groups[g];
        for (size_t i = 0; i < group->n_devices; i++)
            if (layout_match_device(group->devices[i], series->host, series->name))
                sets |= UINT64_C(2) << g;
    }
    return sets;
}

/* --- one series --------------------------------------------------------------------------------
 */

/* What one file measured in an hour, in a run of samples that follow each other. */
struct run {
    int64_t hour_ms, begin_ms, end_ms, file_id;
};

struct runs {
    struct run *item;
    size_t n, room;
};

static bool goes_on(const struct run *last, const struct run *r)
{
    return last->file_id == r->file_id && last->hour_ms == r->hour_ms &&
           r->begin_ms >= last->end_ms;
}

static int add_run(struct runs *l, struct run r, struct err *e)
{
    if (l->n && goes_on(&l->item[l->n - 1], &r)) {
        l->item[l->n - 1].end_ms = r.end_ms;
        return 0;
    }
    struct run *item = mem_room(l->item, l->n, 1, &l->room, sizeof *item);
    if (!item)
        return err_nomem(e);
    l->item = item;
    l->item[l->n++] = r;
    return 0;
}

static int by_hour(const void *a, const void *b)
{
    const struct run *x = a, *y = b;
    if (x->hour_ms != y->hour_ms)
        return x->hour_ms < y->hour_ms ? -1 : 1;
    return (x->begin_ms > y->begin_ms) - (x->begin_ms < y->begin_ms);
}

/* The hours in which a sample begins before another one ends. */
static int keep_overlaps(struct runs *l, struct kept_times *kept, struct err *e)
{
    int rc = 0;
    int64_t end_ms = UNKNOWN;
    if (l->n)
        qsort(l->item, l->n, sizeof *l->item, by_hour);
    for (size_t i = 0; i < l->n && !rc; i++) {
        const struct run *r = &l->item[i];
        bool first = i == 0 || l->item[i - 1].hour_ms != r->hour_ms;
        if (!first && r->begin_ms < end_ms)
            rc = stretches_add(&kept->exact, r->hour_ms, r->hour_ms + hour_length_ms, e);
        end_ms = first || r->end_ms > end_ms ? r->end_ms : end_ms;
    }
    return rc;
}

static int add_runs_of(struct runs *l, const struct store_sample *s, int64_t file_id, struct err *e)
{
    int rc = 0;
    for (int64_t hour_ms = hour_floor(s->begin_ms); hour_ms < s->end_ms && !rc;
         hour_ms += hour_length_ms)
        rc = add_run(l, (struct run){ hour_ms, s->begin_ms, s->end_ms, file_id }, e);
    return rc;
}

/* Hours in which files overlap or a clock was set back, and hours that were rolled up before. */
static int keep_hours(const struct store_blocks *b, struct kept_times *kept, struct err *e)
{
    struct runs runs = { 0 };
    size_t at = 0;
    int rc = 0;
    for (size_t k = 0; k < b->n_blocks && !rc; k++)
        for (size_t i = 0; i < b->block[k].n && !rc; i++, at++) {
            const struct store_sample *s = &b->sample[at];
            int64_t hour_ms = rollup_is_load(s) ? hour_floor(s->begin_ms) : UNKNOWN;
            if (hour_ms != UNKNOWN && s->longest_ms != UNKNOWN)
                rc = stretches_add(&kept->exact, hour_ms, hour_ms + hour_length_ms, e);
            if (hour_ms != UNKNOWN && !rc)
                rc = add_runs_of(&runs, s, b->block[k].file_id, e);
        }
    if (!rc)
        rc = keep_overlaps(&runs, kept, e);
    mem_free(runs.item);
    return rc;
}

static int keep_peaks(const struct store_blocks *b, enum rollup_rate r, struct kept_times *kept,
                      struct err *e)
{
    struct peak_marker m;
    peak_marker_init(&m, kept, false);
    int rc = 0;
    for (size_t i = 0; i < b->n_rows && !rc; i++) {
        double rates[ROLLUP_RATES];
        if (!rollup_is_load(&b->sample[i]))
            continue;
        rollup_rates(&b->sample[i], rates);
        rc = peak_marker_add(&m, b->sample[i].begin_ms, b->sample[i].end_ms, rates[r], e);
    }
    return rc ? rc : peak_marker_finish(&m, e);
}

static int look_at_series(struct work *w, const struct store_series *series, struct err *e)
{
    uint64_t sets = sets_of(w, series);
    const struct store_blocks *b = &w->blocks;
    int rc = store_blocks_read(w->store, series, w->before_ms, &w->blocks, e);
    if (!rc)
        rc = keep_hours(b, &w->kept, e);
    for (int r = 0; r < ROLLUP_RATES && !rc; r++)
        rc = keep_peaks(b, (enum rollup_rate)r, &w->kept, e);
    for (size_t i = 0; i < b->n_rows && !rc; i++)
        if (rollup_is_load(&b->sample[i]))
            rc = rollup_sums_add(w->sums, &b->sample[i], sets, e);
    return rc;
}

static size_t thin_file(void *ctx, const void *rows, size_t n, void *out, void *scratch)
{
    const struct work *w = ctx;
    return rollup_thin(rows, n, w->before_ms, &w->kept, out, scratch);
}

static int thin_series(struct work *w, const struct store_series *series, struct err *e)
{
    int rc = store_blocks_read(w->store, series, w->before_ms, &w->blocks, e);
    int64_t n_old = 0, n_all = (int64_t)w->blocks.n_rows;
    for (size_t i = 0; i < w->blocks.n_rows && !rc; i++)
        n_old += w->blocks.sample[i].end_ms <= w->before_ms;
    if (!rc)
        rc = rollup_blocks_thin(&w->blocks, thin_file, w, &w->room, e);
    if (rc)
        return rc;
    w->counts.samples_before += n_old;
    w->counts.samples_after += n_old - (n_all - (int64_t)w->blocks.n_rows);
    return store_blocks_write(w->store, series, &w->blocks, e);
}

/* --- all of it ---------------------------------------------------------------------------------
 */

static int rollup(struct work *w, const char *system, struct err *e)
{
    int rc = store_series(w->store, system, &w->arena, &w->series, &w->n_series, e);
    if (!rc)
        rc = read_layout(w, system, e);
    if (rc)
        return rc;
    w->sums = rollup_sums_new(w->n_sets);
    if (!w->sums)
        return err_nomem(e);
    for (size_t i = 0; i < w->n_series && !rc; i++)
        rc = look_at_series(w, &w->series[i], e);
    if (!rc)
        rc = rollup_sums_mark(w->sums, &w->kept, e);
    if (!rc)
        rc = kept_times_settle(&w->kept, e);
    rollup_sums_free(w->sums);
    w->sums = NULL;
    for (size_t i = 0; i < w->n_series && !rc; i++)
        rc = thin_series(w, &w->series[i], e);
    return rc ? rc : rollup_metrics(w->store, system, &w->layout, w->before_ms, &w->counts, e);
}

int rollup_system(struct store *s, const char *system, int64_t before_ms,
                  struct rollup_counts *counts, struct err *e)
{
    struct work w = { .store = s, .before_ms = hour_floor(before_ms) };
    int rc = rollup(&w, system, e);
    if (!rc) {
        counts->samples_before += w.counts.samples_before;
        counts->samples_after += w.counts.samples_after;
        counts->values_before += w.counts.values_before;
        counts->values_after += w.counts.values_after;
    }
    kept_times_release(&w.kept);
    rollup_room_release(&w.room);
    store_blocks_release(&w.blocks);
    arena_release(&w.arena);
    return rc;
}
