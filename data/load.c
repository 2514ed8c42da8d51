/* data/load.c - see load.h.
 *
 *   load_system
 *     add_devices    store_samples -> points -> merge_points -> put_series
 *     add_filetypes  snapshots     -> points -> merge_points -> put_series */
#include "data/load.h"

#include "models/core/mem.h"
#include "models/core/unit.h"

#include <stdlib.h>
#include <string.h>

/* Years 1 to 9999: what lies outside is no time, and differences cannot overflow. */
static const int64_t time_max_ms = INT64_C(253402300800000);
/* An overlap of up to this part of the shorter interval is jitter. */
enum { JITTER_PART = 10 };

struct point {
    int64_t begin_ms, end_ms, file_id, line;
    double read_iops, write_iops, read_mibps, write_mibps;
    size_t order; /* in which it was loaded */
};

/* The points of one series while it is put together. */
struct points {
    struct point *item;
    size_t n, room;
    size_t n_since_boot, n_artefacts, n_overlaps, n_untimed;
};

struct series_list {
    struct arena *arena;
    struct load_series *item;
    size_t n, room;
};

/* False when memory is out. */
static bool grow(struct points *p)
{
    size_t room = p->room ? p->room * 2 : 256;
    struct point *grown = mem_realloc(p->item, room * sizeof *grown);
    if (!grown)
        return false;
    p->item = grown;
    p->room = room;
    return true;
}

static void clear(struct points *p)
{
    *p = (struct points){ .item = p->item, .room = p->room };
}

static int add_point(struct points *p, struct point v, struct err *e)
{
    if (v.begin_ms <= -time_max_ms || v.end_ms >= time_max_ms || v.begin_ms >= v.end_ms) {
        p->n_untimed++;
        return 0;
    }
    if (p->n == p->room && !grow(p))
        return err_nomem(e);
    v.order = p->n;
    p->item[p->n++] = v;
    return 0;
}

/* --- merging -----------------------------------------------------------------------------------
 */

static int by_time(const void *a, const void *b)
{
    const struct point *x = a, *y = b;
    if (x->begin_ms != y->begin_ms)
        return x->begin_ms < y->begin_ms ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static bool in_order(const struct points *p)
{
    for (size_t i = 1; i < p->n; i++)
        if (p->item[i].begin_ms < p->item[i - 1].begin_ms)
            return false;
    return true;
}

static int64_t length_ms(const struct point *p)
{
    return p->end_ms - p->begin_ms;
}

/* How long two intervals overlap, of which b does not begin before a. */
static int64_t overlap_ms(const struct point *a, const struct point *b)
{
    int64_t end_ms = a->end_ms < b->end_ms ? a->end_ms : b->end_ms;
    return end_ms > b->begin_ms ? end_ms - b->begin_ms : 0;
}

static bool is_jitter(const struct point *a, const struct point *b, int64_t overlap)
{
    int64_t shorter = length_ms(a) < length_ms(b) ? length_ms(a) : length_ms(b);
    return overlap <= shorter / JITTER_PART;
}

/* Sorts by time and leaves of overlapping points the one loaded first.  Points that are
 * kept do not overlap and begin in ascending order, so that only the last one kept can
 * be in the way of the next. */
static void merge_points(struct points *p)
{
    if (p->n && !in_order(p))
        qsort(p->item, p->n, sizeof *p->item, by_time);
    size_t kept = 0;
    for (size_t i = 0; i < p->n; i++) {
        struct point next = p->item[i];
        bool keep = true;
        while (kept && keep) {
            const struct point *last = &p->item[kept - 1];
            int64_t overlap = overlap_ms(last, &next);
            if (is_jitter(last, &next, overlap)) {
                next.begin_ms += overlap;
                break;
            }
            p->n_overlaps++;
            if (next.order < last->order)
                kept--;
            else
                keep = false;
        }
        if (keep)
            p->item[kept++] = next;
    }
    p->n = kept;
}

/* --- series ------------------------------------------------------------------------------------
 */

/* A new series at the end; NULL when memory is out. */
static struct load_series *add_series(struct series_list *l)
{
    if (l->n == l->room) {
        size_t room = l->room ? l->room * 2 : 32;
        struct load_series *grown = arena_grow(l->arena, l->item, l->n, room, sizeof *grown);
        if (!grown)
            return NULL;
        l->item = grown;
        l->room = room;
    }
    return &l->item[l->n++];
}

/* Merges the points and appends them as a series; head says of what. */
static int put_series(struct series_list *l, struct points *p, const struct load_series *head,
                      struct err *e)
{
    struct load_series *series = add_series(l);
    if (!series)
        return err_nomem(e);
    merge_points(p);

    enum { N_INT = 4, N_NUM = 4 };
    int64_t *ints = arena_array(l->arena, p->n, N_INT * sizeof *ints);
    double *nums = arena_array(l->arena, p->n, N_NUM * sizeof *nums);
    if (!ints || !nums)
        return err_nomem(e);
    int64_t *begin_ms = ints, *end_ms = ints + p->n;
    int64_t *file_id = ints + 2 * p->n, *line = ints + 3 * p->n;
    double *read_iops = nums, *write_iops = nums + p->n;
    double *read_mibps = nums + 2 * p->n, *write_mibps = nums + 3 * p->n;
    for (size_t i = 0; i < p->n; i++) {
        const struct point *v = &p->item[i];
        begin_ms[i] = v->begin_ms;
        end_ms[i] = v->end_ms;
        file_id[i] = v->file_id;
        line[i] = v->line;
        read_iops[i] = v->read_iops;
        write_iops[i] = v->write_iops;
        read_mibps[i] = v->read_mibps;
        write_mibps[i] = v->write_mibps;
    }
    *series = *head;
    series->n = p->n;
    series->begin_ms = begin_ms;
    series->end_ms = end_ms;
    series->file_id = file_id;
    series->line = line;
    series->read_iops = read_iops;
    series->write_iops = write_iops;
    series->read_mibps = read_mibps;
    series->write_mibps = write_mibps;
    series->n_since_boot = p->n_since_boot;
    series->n_artefacts = p->n_artefacts;
    series->n_overlaps = p->n_overlaps;
    series->n_untimed = p->n_untimed;
    return 0;
}

/* --- devices -----------------------------------------------------------------------------------
 */

static int take_block(void *ctx, int64_t file_id, const struct store_sample *samples, size_t n,
                      struct err *e)
{
    struct points *p = ctx;
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++) {
        const struct store_sample *s = &samples[i];
        if (s->flags & STORE_SINCE_BOOT) {
            p->n_since_boot++;
        } else if (s->flags & STORE_ARTEFACT) {
            p->n_artefacts++;
        } else {
            rc = add_point(p,
                           (struct point){ .begin_ms = s->begin_ms,
                                           .end_ms = s->end_ms,
                                           .file_id = file_id,
                                           .line = s->line,
                                           .read_iops = s->reads_per_s,
                                           .write_iops = s->writes_per_s,
                                           .read_mibps = s->read_kib_per_s / 1024,
                                           .write_mibps = s->write_kib_per_s / 1024 },
                           e);
        }
    }
    return rc;
}

static int add_devices(struct store *s, const char *system, struct series_list *l, struct points *p,
                       struct err *e)
{
    struct store_series *stored = NULL;
    size_t n = 0;
    int rc = store_series(s, system, l->arena, &stored, &n, e);
    for (size_t i = 0; i < n && !rc; i++) {
        struct load_series head = { .kind = stored[i].kind,
                                    .counts = stored[i].counts,
                                    .host = stored[i].host,
                                    .name = stored[i].name,
                                    .instance_number = stored[i].instance_number };
        clear(p);
        rc = store_samples(s, stored[i].series_id, take_block, p, e);
        if (!rc)
            rc = put_series(l, p, &head, e);
    }
    return rc;
}

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

static bool is_total(const struct awr_io_row *row)
{
    struct span name = span_trim(span_of(row->name));
    return span_is(name, "TOTAL") || span_is(name, "TOTAL:");
}

static int list_filetypes(const struct system_load *load, struct arena *a,
                          struct filetype_ref **out, size_t *out_n, struct err *e)
{
    size_t n = 0, at = 0;
    for (size_t i = 0; i < load->n_snapshots; i++)
        n += load->snapshots[i]->n_filetypes;
    struct filetype_ref *refs = arena_array(a, n, sizeof *refs);
    if (!refs)
        return err_nomem(e);
    for (size_t i = 0; i < load->n_snapshots; i++) {
        const struct awr_snapshot *w = load->snapshots[i];
        for (size_t r = 0; r < w->n_filetypes; r++)
            if (!is_total(&w->filetypes[r]))
                refs[at++] = (struct filetype_ref){ w, &w->filetypes[r], i };
    }
    if (at)
        qsort(refs, at, sizeof *refs, by_series);
    *out = refs;
    *out_n = at;
    return 0;
}

static int add_filetypes(const struct system_load *load, struct series_list *l, struct points *p,
                         struct err *e)
{
    struct filetype_ref *refs = NULL;
    size_t n = 0;
    int rc = list_filetypes(load, l->arena, &refs, &n, e);
    for (size_t from = 0, to; from < n && !rc; from = to) {
        clear(p);
        for (to = from; to < n && compare_series(&refs[from], &refs[to]) == 0; to++) {
            const struct awr_snapshot *w = refs[to].snapshot;
            const struct awr_io_row *r = refs[to].row;
            rc = add_point(p,
                           (struct point){ .begin_ms = w->begin_ms,
                                           .end_ms = w->end_ms,
                                           .file_id = w->file_id,
                                           .line = r->line,
                                           .read_iops = r->read_requests_per_s,
                                           .write_iops = r->write_requests_per_s,
                                           .read_mibps = r->read_bytes_per_s / MIB_BYTES,
                                           .write_mibps = r->write_bytes_per_s / MIB_BYTES },
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
        rc = put_series(l, p, &head, e);
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
    int64_t *ids = arena_array(a, n, sizeof *ids);
    if (!paths || !ids)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++) {
        paths[i] = files[i].path;
        ids[i] = files[i].file_id;
    }
    load->file_paths = paths;
    load->file_ids = ids;
    load->n_files = n;
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
        rc = add_devices(s, load.system, &l, &p, e);
    if (!rc)
        rc = add_filetypes(&load, &l, &p, e);
    mem_free(p.item);
    store_read_end(s);
    if (rc)
        return rc;
    load.series = l.item;
    load.n_series = l.n;
    *out = load;
    return 0;
}
