/* data/load.c - see load.h.
 *
 *   load_system
 *     load_devices   store_samples -> points -> series_list_put
 *     add_filetypes  snapshots     -> points -> series_list_put
 *     load_metrics   store_metric_values -> volumes and instances; the other metrics */
#include "data/load.h"

#include "data/cluster_reports.h"

#include "data/load_devices.h"
#include "data/load_metrics.h"
#include "data/series_points.h"
#include "models/core/mem.h"
#include "models/core/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- snapshots ---------------------------------------------------------------------------------
 */

static int compare_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "");
}

static int compare_int(int64_t a, int64_t b)
{
    return a < b ? -1 : a > b;
}

/* Of the same database and instance. */
static int compare_source(const struct awr_snapshot *x, const struct awr_snapshot *y)
{
    int c = compare_text(x->db_name, y->db_name);
    if (!c)
        c = compare_int(x->db_id, y->db_id);
    return c ? c : compare_int(x->instance_number, y->instance_number);
}

/* The same report twice, as text and as HTML: the snapshots ascend by time, then as loaded. */
static size_t drop_duplicates(const struct awr_snapshot **w, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        bool twice = false;
        for (size_t j = kept; j > 0 && w[j - 1]->begin_ms == w[i]->begin_ms && !twice; j--)
            twice = w[j - 1]->end_ms == w[i]->end_ms && compare_source(w[j - 1], w[i]) == 0;
        if (!twice)
            w[kept++] = w[i];
    }
    return kept;
}

static int read_snapshots(struct store *s, const char *system, struct arena *a,
                          struct system_load *load, struct err *e)
{
    const struct awr_snapshot *const *stored = NULL;
    size_t n = 0;
    int rc = store_snapshots(s, system, a, &stored, &n, e);
    if (rc)
        return rc;
    const struct awr_snapshot **w = arena_array(a, n, sizeof(void *));
    if (!w)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++)
        w[i] = stored[i];
    load->snapshots = w;
    load->n_snapshots = drop_duplicates(w, n);
    load->n_duplicate_snapshots = n - load->n_snapshots;
    return 0;
}

struct filetype_ref {
    const struct awr_snapshot *snapshot;
    const struct awr_io_row *row;
    size_t snapshot_no;
};

static int compare_series(const struct filetype_ref *x, const struct filetype_ref *y)
{
    int c = compare_source(x->snapshot, y->snapshot);
    return c ? c : compare_text(x->row->name, y->row->name);
}

/* By series, then as loaded. */
static int by_series(const void *a, const void *b)
{
    const struct filetype_ref *x = a, *y = b;
    int c = compare_series(x, y);
    if (!c)
        c = compare_int(x->snapshot->file_id, y->snapshot->file_id);
    if (!c)
        c = compare_int((int64_t)x->snapshot_no, (int64_t)y->snapshot_no);
    return c ? c : compare_int(x->row->line, y->row->line);
}

static int list_filetypes(struct system_load *load, struct arena *a, struct filetype_ref **out,
                          size_t *out_n, struct err *e)
{
    size_t n = 0, at = 0;
    for (size_t i = 0; i < load->n_snapshots; i++)
        n += load->snapshots[i]->n_filetypes;
    struct filetype_ref *refs = arena_array(a, n, sizeof *refs);
    bool *counts = arena_array(a, load->n_snapshots, sizeof *counts);
    if (!refs || !counts)
        return err_nomem(e);
    int rc = cluster_reports_choose(load, a, counts, e);
    if (rc)
        return rc;
    for (size_t i = 0; i < load->n_snapshots; i++) {
        const struct awr_snapshot *w = load->snapshots[i];
        for (size_t r = 0; r < w->n_filetypes && counts[i]; r++)
            if (!awr_row_is_total(&w->filetypes[r]))
                refs[at++] = (struct filetype_ref){ w, &w->filetypes[r], i };
    }
    if (at)
        qsort(refs, at, sizeof *refs, by_series);
    *out = refs;
    *out_n = at;
    return 0;
}

static int add_filetypes(struct system_load *load, struct series_list *l, struct points *p,
                         struct err *e)
{
    struct filetype_ref *refs = NULL;
    size_t n = 0;
    int rc = list_filetypes(load, l->arena, &refs, &n, e);
    for (size_t from = 0, to; from < n && !rc; from = to) {
        points_clear(p);
        for (to = from; to < n && compare_series(&refs[from], &refs[to]) == 0; to++) {
            const struct awr_snapshot *w = refs[to].snapshot;
            const struct awr_io_row *r = refs[to].row;
            rc = points_add(p,
                            (struct point){ .begin_ms = w->begin_ms,
                                            .end_ms = w->end_ms,
                                            .file_id = w->file_id,
                                            .line = r->line,
                                            .read_iops = r->read_requests_per_s,
                                            .write_iops = r->write_requests_per_s,
                                            .read_mibps = r->read_bytes_per_s / MIB_BYTES,
                                            .write_mibps = r->write_bytes_per_s / MIB_BYTES,
                                            .unsplit_iops = NAN,
                                            .unsplit_mibps = NAN,
                                            .read_merge_pct = NAN,
                                            .read_await_ms = NAN,
                                            .write_await_ms = NAN },
                            e);
            if (rc)
                return rc;
        }
        const struct awr_snapshot *w = refs[from].snapshot;
        struct load_series head = { .kind = SERIES_FILETYPE,
                                    .counts = COUNT_ORACLE,
                                    .host = w->db_name ? w->db_name : w->host,
                                    .name = refs[from].row->name,
                                    .instance_number = w->instance_number };
        rc = series_list_put(l, p, &head, e);
    }
    return rc;
}

/* --- all of it ---------------------------------------------------------------------------------
 */

static int read_files(struct store *s, const char *system, struct arena *a,
                      struct system_load *load, struct err *e)
{
    struct store_file *files = NULL;
    size_t n = 0;
    int rc = store_files(s, system, a, &files, &n, e);
    if (rc)
        return rc;
    const char **paths = arena_array(a, n, sizeof *paths);
    const char **formats = arena_array(a, n, sizeof *formats);
    int64_t *ids = arena_array(a, n, sizeof *ids);
    size_t n_warnings = 0;
    for (size_t i = 0; i < n; i++)
        n_warnings += files[i].n_warnings;
    struct load_warning *warnings = arena_array(a, n_warnings, sizeof *warnings);
    if (!paths || !formats || !ids || !warnings)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++) {
        paths[i] = files[i].path;
        formats[i] = files[i].format;
        ids[i] = files[i].file_id;
        for (size_t w = 0; w < files[i].n_warnings; w++) {
            const struct store_warning *from = &files[i].warnings[w];
            warnings[load->n_warnings++] = (struct load_warning){ ids[i], from->line, from->text };
        }
    }
    load->file_paths = paths;
    load->file_formats = formats;
    load->file_ids = ids;
    load->n_files = n;
    load->warnings = warnings;
    return 0;
}

int load_system(struct store *s, const char *system, struct arena *a, struct system_load *out,
                struct err *e)
{
    struct system_load load = { 0 };
    struct series_list l = { .arena = a };
    struct points p = { 0 };
    int rc = store_read_begin(s, e);
    if (rc)
        return rc;
    rc = store_system_resolve(s, system, a, &load.system, e);
    if (!rc)
        rc = read_files(s, load.system, a, &load, e);
    if (!rc)
        rc = read_snapshots(s, load.system, a, &load, e);
    if (!rc)
        rc = load_devices(s, load.system, &l, &p, e);
    if (!rc)
        rc = add_filetypes(&load, &l, &p, e);
    if (!rc)
        rc = load_metrics(s, load.system, &l, &p, &load, e);
    if (!rc)
        rc = store_records(s, load.system, a, &load.records, &load.n_records, e);
    if (!rc)
        rc = store_volumes(s, load.system, a, &load.volumes, &load.n_volumes, e);
    if (!rc)
        rc = store_modifications(s, load.system, a, &load.modifications, &load.n_modifications, e);
    mem_free(p.item);
    store_read_end(s);
    if (rc)
        return rc;
    load.series = l.item;
    load.n_series = l.n;
    *out = load;
    return 0;
}
