/* data/cluster_reports.c - see cluster_reports.h. */
#include "data/cluster_reports.h"

#include "models/core/unit.h"

#include <math.h>
#include <string.h>

static const double all_instances_share = 0.9; /* of the bytes of their cluster */

bool awr_row_is_total(const struct awr_io_row *row)
{
    struct span name = span_trim(span_of(row->name));
    return span_is(name, "TOTAL") || span_is(name, "TOTAL:");
}

static bool is_cluster(const struct awr_snapshot *w)
{
    return !w->instance && w->instance_number == UNKNOWN && w->n_filetypes;
}

/* An instance of the database of w. */
static bool is_instance_of(const struct awr_snapshot *one, const struct awr_snapshot *w)
{
    return one->instance_number != UNKNOWN && one->n_filetypes &&
           span_eq(span_of(one->db_name), span_of(w->db_name));
}

static double overlap_ms(const struct awr_snapshot *x, const struct awr_snapshot *y)
{
    if (x->begin_ms == UNKNOWN || y->begin_ms == UNKNOWN || x->end_ms == UNKNOWN ||
        y->end_ms == UNKNOWN)
        return 0;
    int64_t from = x->begin_ms > y->begin_ms ? x->begin_ms : y->begin_ms;
    int64_t to = x->end_ms < y->end_ms ? x->end_ms : y->end_ms;
    return to > from ? (double)(to - from) : 0;
}

static double moved_per_s(const struct awr_snapshot *w)
{
    double sum = 0;
    for (size_t i = 0; i < w->n_filetypes; i++) {
        const struct awr_io_row *r = &w->filetypes[i];
        if (awr_row_is_total(r))
            continue;
        sum += isnan(r->read_bytes_per_s) ? 0 : r->read_bytes_per_s;
        sum += isnan(r->write_bytes_per_s) ? 0 : r->write_bytes_per_s;
    }
    return sum;
}

/* Most of the instance's time, where it has one, is the cluster's. */
static bool within(const struct awr_snapshot *one, const struct awr_snapshot *w)
{
    return overlap_ms(one, w) * 2 > overlap_ms(one, one);
}

static int warn(struct system_load *load, const struct awr_snapshot *w, bool by_instances,
                struct arena *a, struct err *e)
{
    struct load_warning *grown =
        arena_grow(a, load->warnings, load->n_warnings, load->n_warnings + 1, sizeof *grown);
    if (!grown)
        return err_nomem(e);
    grown[load->n_warnings++] = (struct load_warning){
        .file_id = w->file_id,
        .text = by_instances ? "this report of the cluster is not counted: reports of its "
                               "instances tell the same time"
                             : "reports of instances of this cluster over the same time are not "
                               "counted: together they have less than nine tenths of its load",
    };
    load->warnings = grown;
    return 0;
}

/* One report of a cluster beside all others. */
static int choose(struct system_load *load, const struct awr_snapshot *w, bool *w_counts,
                  bool *counts, struct arena *a, struct err *e)
{
    double told_bytes = 0, all_bytes = moved_per_s(w) * overlap_ms(w, w);
    bool any = false;
    for (size_t i = 0; i < load->n_snapshots; i++) {
        const struct awr_snapshot *one = load->snapshots[i];
        if (!is_instance_of(one, w))
            continue;
        if (one->file_id == w->file_id) {
            *w_counts = false;
            return 0;
        }
        any = any || within(one, w);
        told_bytes += moved_per_s(one) * overlap_ms(one, w);
    }
    if (!any)
        return 0;
    bool by_instances = told_bytes >= all_instances_share * all_bytes;
    if (by_instances)
        *w_counts = false;
    for (size_t i = 0; i < load->n_snapshots && !by_instances; i++)
        if (is_instance_of(load->snapshots[i], w) && within(load->snapshots[i], w))
            counts[i] = false;
    return warn(load, w, by_instances, a, e);
}

int cluster_reports_choose(struct system_load *load, struct arena *a, bool *counts, struct err *e)
{
    int rc = 0;
    for (size_t i = 0; i < load->n_snapshots; i++)
        counts[i] = true;
    for (size_t i = 0; i < load->n_snapshots && !rc; i++)
        if (is_cluster(load->snapshots[i]))
            rc = choose(load, load->snapshots[i], &counts[i], counts, a, e);
    return rc;
}
