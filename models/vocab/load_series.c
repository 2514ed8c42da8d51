/* models/vocab/load_series.c - see load_series.h. */
#include "models/vocab/load_series.h"

const char *system_load_path(const struct system_load *l, int64_t file_id)
{
    for (size_t i = 0; l && i < l->n_files; i++)
        if (l->file_ids[i] == file_id)
            return l->file_paths[i];
    return NULL;
}
