/* models/vocab/load_series.c - see load_series.h. */
#include "models/vocab/load_series.h"

#include "models/core/unit.h"

const char *system_load_path(const struct system_load *l, int64_t file_id)
{
    for (size_t i = 0; l && i < l->n_files; i++)
        if (l->file_ids[i] == file_id)
            return l->file_paths[i];
    return NULL;
}

double load_series_interval_s(const struct load_series *s, size_t i)
{
    bool thinned = s->longest_ms && s->longest_ms[i] != UNKNOWN;
    return (double)(thinned ? s->longest_ms[i] : s->end_ms[i] - s->begin_ms[i]) / 1e3;
}

size_t load_series_at(const struct load_series *s, int64_t time_ms)
{
    size_t low = 0, high = s->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->end_ms[middle] <= time_ms)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->n && s->begin_ms[low] <= time_ms ? low : s->n;
}
