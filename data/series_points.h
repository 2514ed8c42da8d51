/* data/series_points.h - points of one load series while it is put together.
 *
 * Points are added as they were loaded and merged in time order.  Of two that overlap the one
 * loaded first stays, and an overlap of up to a tenth of the shorter one is jitter of the clock:
 * the later one is cut. */
#ifndef DATA_SERIES_POINTS_H
#define DATA_SERIES_POINTS_H

#include "models/core/arena.h"
#include "models/core/err.h"
#include "models/vocab/load_series.h"

#include <stdbool.h>

/* Rates are NaN where they are not known; unsplit_ as in struct load_series. */
struct point {
    int64_t begin_ms, end_ms, file_id, line;
    double read_iops, write_iops, read_mibps, write_mibps;
    double unsplit_iops, unsplit_mibps;
    double read_merge_pct, read_await_ms, write_await_ms;
    int64_t longest_ms; /* as in struct load_series; 0 = UNKNOWN */
    size_t order;       /* in which it was loaded; set by points_add */
};

struct points {
    struct point *item; /* of mem_alloc: the owner frees it */
    size_t n, room;
    size_t n_since_boot, n_artefacts, n_overlaps, n_duplicates, n_untimed, n_resets, n_folds;
    double artefact_max_mibps; /* NaN, UNKNOWN = none whose rate is known */
    int64_t artefact_max_ms;
};

/* Forgets the points, keeps the memory.  Also to be called before the first use. */
void points_clear(struct points *p);
/* Whether the interval is one of years 1 to 9999; differences of such times cannot overflow. */
bool points_are_times(int64_t begin_ms, int64_t end_ms);
/* Adds a point, or counts it as untimed. */
int points_add(struct points *p, struct point v, struct err *e);

struct series_list {
    struct arena *arena;
    struct load_series *item;
    size_t n, room;
};

/* Merges the points and appends them as a series; head says of what. */
int series_list_put(struct series_list *l, struct points *p, const struct load_series *head,
                    struct err *e);

#endif
