/* data/rollup_metrics.c - see rollup_metrics.h.
 *
 *   rollup_metrics
 *     thin_load         volumes, then instances
 *       scan_owner      first pass: what stays as it is, and edges -> rollup_cuts
 *       look_at_owner   second pass: peaks -> rollup_load_look, rollup_sums
 *       thin_owner      third pass: rollup_values_thin, store_value_blocks_write
 *     thin_alone        of what is no load: the same, metric by metric */
#include "data/rollup_metrics.h"

#include "data/metric_owner.h"
#include "data/rollup_blocks.h"
#include "data/rollup_load.h"
#include "data/rollup_values.h"
#include "data/store/metric_value.h"
#include "models/core/mem.h"

#include <string.h>

static const char volume_key[] = "VolumeId=";

/* The metrics of one volume or instance that are load. */
struct owner {
    const struct metric_use *use;
    size_t n;
};

struct work {
    struct store *store;
    const struct layout *layout;
    int64_t before_ms;
    struct arena arena;
    struct metric_use *use;
    size_t n_uses;
    bool *done;                /* of the uses */
    const struct owner *owner; /* of the load under way */
    size_t n_owners, n_sets;
    struct rollup_sums *sums;
    struct rollup_cuts cuts;
    struct value_spans spans;
    struct points points;
    struct store_blocks blocks; /* of the metric under way */
    struct rollup_room room;
    struct rollup_counts *counts;
};

/* --- what there is -----------------------------------------------------------------------------
 */

static bool is_idle_time_of(const struct metric_series *m, const struct owner *o)
{
    struct span rest = span_of(m->dimension ? m->dimension : ""), part;
    bool found = false;
    if (o->use->kind != SERIES_VOLUME || m->statistic != STATISTIC_SUM ||
        strcmp(m->metric, "VolumeIdleTime") != 0)
        return false;
    while (!found && rest.len && span_field(&rest, ',', &part) == 0)
        found = span_starts(part, volume_key) &&
                span_is(span_cut(part, sizeof volume_key - 1, part.len), o->use->owner);
    return found;
}

/* The next metric of the idle time of an owner, from `at` on; n_uses when there is none. */
static size_t next_idle_time(const struct work *w, const struct owner *o, size_t at)
{
    while (at < w->n_uses && !is_idle_time_of(&w->use[at].metric->head, o))
        at++;
    return at;
}

/* Those of one kind. */
static int list_owners(struct work *w, enum series_kind kind, struct err *e)
{
    struct owner *owner = arena_array(&w->arena, w->n_uses, sizeof *owner);
    size_t n_together;
    if (!owner)
        return err_nomem(e);
    w->owner = owner;
    w->n_owners = 0;
    for (size_t i = 0; i < w->n_uses && w->use[i].owner; i += n_together) {
        n_together = metric_uses_together(&w->use[i], w->n_uses - i);
        if (w->use[i].kind == kind)
            owner[w->n_owners++] = (struct owner){ &w->use[i], n_together };
    }
    w->n_sets = kind == SERIES_VOLUME ? 1 + w->layout->n_groups : 1;
    w->n_sets = w->n_sets < ROLLUP_SETS_MAX ? w->n_sets : ROLLUP_SETS_MAX;
    return 0;
}

/* All of the kind, and each group of the layout. */
static uint64_t sets_of(const struct work *w, const struct owner *o)
{
    uint64_t sets = 1;
    for (size_t g = 0; g + 1 < w->n_sets; g++)
        if (layout_names_volume(&w->layout->groups[g], span_of(o->use->owner)))
            sets |= UINT64_C(2) << g;
    return sets;
}

/* --- looking -----------------------------------------------------------------------------------
 */

static int take_spans(void *ctx, int64_t file_id, const struct store_metric_value *values, size_t n,
                      struct err *e)
{
    return value_spans_add(ctx, file_id, values, n, e);
}

static int read_spans(struct work *w, const struct metric_use *use, struct err *e)
{
    value_spans_next_metric(&w->spans);
    return store_metric_values(w->store, use->metric, take_spans, &w->spans, e);
}

/* What one part of a load covers, whichever metrics tell it. */
static int scan_part(struct work *w, const struct owner *o, enum load_part part, struct err *e)
{
    int rc = 0;
    value_spans_clear(&w->spans);
    for (size_t i = 0; i < o->n && !rc; i++)
        if (o->use[i].part == part)
            rc = read_spans(w, &o->use[i], e);
    return rc ? rc : value_spans_mark(&w->spans, &w->cuts, e);
}

static int scan_metric(struct work *w, const struct metric_use *use, struct rollup_cuts *cuts,
                       struct err *e)
{
    value_spans_clear(&w->spans);
    int rc = read_spans(w, use, e);
    return rc ? rc : value_spans_mark(&w->spans, cuts, e);
}

static int scan_owner(struct work *w, const struct owner *o, struct err *e)
{
    int rc = 0;
    for (int part = 0; part < PART_COUNT && !rc; part++)
        rc = scan_part(w, o, (enum load_part)part, e);
    for (size_t i = next_idle_time(w, o, 0); i < w->n_uses && !rc; i = next_idle_time(w, o, i + 1))
        rc = scan_metric(w, &w->use[i], &w->cuts, e);
    return rc;
}

static int take_idle(void *ctx, int64_t file_id, const struct store_metric_value *values, size_t n,
                     struct err *e)
{
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++)
        rc = rate_lane_add(ctx,
                           (struct rate){ .begin_ms = values[i].time_ms,
                                          .end_ms = store_value_end_ms(&values[i]),
                                          .file_id = file_id,
                                          .per_s = values[i].value },
                           e);
    return rc;
}

static int look_at_owner(struct work *w, const struct owner *o, struct err *e)
{
    struct rate_lane idle = { 0 };
    int rc = 0;
    for (size_t i = next_idle_time(w, o, 0); i < w->n_uses && !rc; i = next_idle_time(w, o, i + 1))
        rc = store_metric_values(w->store, w->use[i].metric, take_idle, &idle, e);
    if (!rc)
        rc = rate_lane_finish(&idle, e);
    points_clear(&w->points);
    if (!rc)
        rc = metric_owner_points(w->store, o->use, o->n, &w->points, e);
    if (!rc)
        rc = rollup_load_look(&w->points, &idle, sets_of(w, o), w->sums, &w->cuts, e);
    rate_lane_release(&idle);
    return rc;
}

static int look_at_load(struct work *w, struct err *e)
{
    int rc = 0;
    for (size_t i = 0; i < w->n_owners && !rc; i++)
        rc = scan_owner(w, &w->owner[i], e);
    if (!rc)
        rc = rollup_cuts_settle(&w->cuts, e);
    if (rc)
        return rc;
    w->sums = rollup_sums_new(w->n_sets);
    if (!w->sums)
        return err_nomem(e);
    for (size_t i = 0; i < w->n_owners && !rc; i++)
        rc = look_at_owner(w, &w->owner[i], e);
    if (!rc)
        rc = rollup_sums_mark(w->sums, &w->cuts.kept, e);
    rollup_sums_free(w->sums);
    w->sums = NULL;
    return rc ? rc : rollup_cuts_settle(&w->cuts, e);
}

/* --- thinning ----------------------------------------------------------------------------------
 */

struct thinning {
    enum metric_statistic statistic;
    int64_t before_ms;
    const struct rollup_cuts *cuts;
};

static size_t thin_file(void *ctx, const void *rows, size_t n, void *out, void *scratch)
{
    const struct thinning *t = ctx;
    (void)scratch;
    return rollup_values_thin(t->statistic, rows, n, t->before_ms, t->cuts, out);
}

static int thin_metric(struct work *w, size_t use, const struct rollup_cuts *cuts, struct err *e)
{
    const struct store_metric *metric = w->use[use].metric;
    struct thinning t = { metric->head.statistic, w->before_ms, cuts };
    int rc = store_value_blocks_read(w->store, metric, w->before_ms, &w->blocks, e);
    int64_t n_old = 0, n_all = (int64_t)w->blocks.n_rows;
    for (size_t i = 0; i < w->blocks.n_rows && !rc; i++)
        n_old += store_value_end_ms(&w->blocks.value[i]) <= w->before_ms;
    if (!rc)
        rc = rollup_blocks_thin(&w->blocks, thin_file, &t, &w->room, e);
    if (rc)
        return rc;
    w->done[use] = true;
    w->counts->values_before += n_old;
    w->counts->values_after += n_old - (n_all - (int64_t)w->blocks.n_rows);
    return store_value_blocks_write(w->store, metric, &w->blocks, e);
}

static int thin_owner(struct work *w, const struct owner *o, struct err *e)
{
    int rc = 0;
    for (size_t i = 0; i < o->n && !rc; i++)
        rc = thin_metric(w, (size_t)(o->use - w->use) + i, &w->cuts, e);
    for (size_t i = next_idle_time(w, o, 0); i < w->n_uses && !rc; i = next_idle_time(w, o, i + 1))
        rc = thin_metric(w, i, &w->cuts, e);
    return rc;
}

static int thin_load(struct work *w, enum series_kind kind, struct err *e)
{
    int rc = list_owners(w, kind, e);
    if (!rc)
        rc = look_at_load(w, e);
    for (size_t i = 0; i < w->n_owners && !rc; i++)
        rc = thin_owner(w, &w->owner[i], e);
    rollup_cuts_release(&w->cuts);
    return rc;
}

/* --- what is no load ---------------------------------------------------------------------------
 */

/* Nothing is summed with it: it has cuts of its own. */
static int thin_alone(struct work *w, size_t use, struct err *e)
{
    enum metric_statistic statistic = w->use[use].metric->head.statistic;
    bool is_total = statistic == STATISTIC_SUM || statistic == STATISTIC_COUNT;
    int rc = scan_metric(w, &w->use[use], &w->cuts, e);
    if (!rc)
        rc = value_spans_keep_extremes(&w->spans, is_total, &w->cuts, e);
    if (!rc)
        rc = rollup_cuts_settle(&w->cuts, e);
    if (!rc)
        rc = thin_metric(w, use, &w->cuts, e);
    rollup_cuts_release(&w->cuts);
    return rc;
}

/* --- all of it ---------------------------------------------------------------------------------
 */

static int thin_all(struct work *w, const char *system, struct err *e)
{
    int rc = metric_uses(w->store, system, &w->arena, &w->use, &w->n_uses, e);
    if (rc)
        return rc;
    w->done = arena_array(&w->arena, w->n_uses, sizeof *w->done);
    if (!w->done)
        return err_nomem(e);
    rc = thin_load(w, SERIES_VOLUME, e);
    if (!rc)
        rc = thin_load(w, SERIES_INSTANCE, e);
    for (size_t i = 0; i < w->n_uses && !rc; i++)
        rc = w->done[i] ? 0 : thin_alone(w, i, e);
    return rc;
}

int rollup_metrics(struct store *s, const char *system, const struct layout *layout,
                   int64_t before_ms, struct rollup_counts *counts, struct err *e)
{
    struct work w = { .store = s, .layout = layout, .before_ms = before_ms, .counts = counts };
    int rc = thin_all(&w, system, e);
    value_spans_release(&w.spans);
    mem_free(w.points.item);
    store_blocks_release(&w.blocks);
    rollup_room_release(&w.room);
    arena_release(&w.arena);
    return rc;
}
