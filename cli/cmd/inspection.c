/* cli/cmd/inspection.c - see inspection.h. */
#include "cli/cmd/inspection.h"

#include "cli/cmd/emit_awr.h"
#include "cli/cmd/emit_rows.h"

#include <string.h>

struct kept_record {
    struct kept_record *next;
    struct record *record;
    bool emitted;
};

void inspection_start(struct inspection *in, const char *path)
{
    *in = (struct inspection){ .m = in->m, .flat = in->flat, .n_files = in->n_files, .path = path };
    in->kept_end = &in->kept;
}

void inspection_release(struct inspection *in)
{
    metric_groups_release(&in->metrics);
    arena_release(&in->arena);
}

/* Makes key the open list.  A key stands once in an object, so a list that was left is not
 * opened again. */
static int open_list(struct inspection *in, const char *key, bool is_table, struct err *e)
{
    /* No columns for people: they see a summary.  CSV takes the list for its table. */
    static const struct emit_col no_columns;
    if (in->list_open && strcmp(in->lists[in->n_lists - 1], key) == 0)
        return 0;
    if (in->list_open)
        emit_end(in->m);
    in->list_open = false;
    for (size_t i = 0; i < in->n_lists; i++)
        if (strcmp(in->lists[i], key) == 0)
            return err_set(e, ERR_LIMIT, "%s: %s come back after %s: not shown", in->path, key,
                           in->lists[in->n_lists - 1]);
    char *copy = arena_strdup(&in->arena, key);
    if (!copy)
        return err_nomem(e);
    if (in->n_lists == LISTS_MAX)
        return err_set(e, ERR_LIMIT, "%s: more than %d kinds of rows", in->path, (int)LISTS_MAX);
    in->lists[in->n_lists++] = copy;
    in->list_open = true;
    if (is_table)
        emit_table(in->m, key, &no_columns, 0);
    else
        emit_begin(in->m, key, EMIT_LIST);
    return 0;
}

static int take_sample(void *ctx, const struct io_sample *s, struct err *e)
{
    struct inspection *in = ctx;
    in->samples++;
    if (in->m->people)
        return device_summary_add(&in->devices, s, &in->arena, e);
    int rc = open_list(in, "samples", true, e);
    return rc ? rc : emit_sample(in->m, s, e);
}

static int take_snapshot(void *ctx, const struct awr_snapshot *s, struct err *e)
{
    struct inspection *in = ctx;
    int rc = open_list(in, "snapshots", false, e);
    if (rc)
        return rc;
    if (!in->snapshots++)
        emit_say(in->m, "%s", in->path);
    rc = emit_awr_snapshot(in->m, s, &in->arena, e);
    return rc ? rc : in->m->failed;
}

/* Says the series gathered so far. */
static int flush_series(struct inspection *in, struct err *e)
{
    if (!in->metrics.n)
        return 0;
    int rc = open_list(in, "series", false, e);
    if (!rc)
        rc = metric_groups_emit(in->m, &in->metrics, e);
    metric_groups_release(&in->metrics);
    return rc;
}

/* CSV has a row per value. */
static int emit_value_row(struct inspection *in, const struct metric_sample *s, struct err *e)
{
    struct emit *m = in->m;
    int rc = open_list(in, "points", true, e);
    if (rc)
        return rc;
    emit_begin(m, NULL, EMIT_OBJECT);
    rc = emit_metric_row(m, s, e);
    emit_end(m);
    return rc ? rc : m->failed;
}

static int take_metric(void *ctx, const struct metric_sample *s, struct err *e)
{
    struct inspection *in = ctx;
    in->metrics.keep_points = !in->m->people;
    if (in->flat)
        return emit_value_row(in, s, e);
    if (in->metrics.keep_points && metric_groups_full(&in->metrics)) {
        int rc = flush_series(in, e);
        if (rc)
            return rc;
    }
    return metric_groups_add(&in->metrics, s, e);
}

static int take_volume(void *ctx, const struct volume_config *v, struct err *e)
{
    struct inspection *in = ctx;
    if (in->m->people)
        return listing_add_volume(&in->listing, v, &in->arena, e);
    int rc = open_list(in, "volumes", true, e);
    return rc ? rc : emit_volume(in->m, v, e);
}

static int take_modification(void *ctx, const struct volume_modification *v, struct err *e)
{
    struct inspection *in = ctx;
    if (in->m->people)
        return listing_add_modification(&in->listing, v, &in->arena, e);
    int rc = open_list(in, "modifications", true, e);
    return rc ? rc : emit_modification(in->m, v, e);
}

static int take_bill_line(void *ctx, const struct bill_line *l, struct err *e)
{
    struct inspection *in = ctx;
    if (in->m->people)
        return bill_summary_add(&in->bill, l, &in->arena, e);
    int rc = open_list(in, "lines", true, e);
    return rc ? rc : emit_bill_line(in->m, l, e);
}

static int keep_record(struct inspection *in, const struct record *r, struct err *e)
{
    if (++in->n_kept > KEPT_RECORDS_MAX)
        return err_set(e, ERR_LIMIT, "%s: more than %d rows of mixed kinds", in->path,
                       (int)KEPT_RECORDS_MAX);
    struct kept_record *k = arena_alloc(&in->arena, sizeof *k);
    if (k)
        k->record = record_copy(r, &in->arena);
    if (!k || !k->record)
        return err_nomem(e);
    *in->kept_end = k;
    in->kept_end = &k->next;
    return 0;
}

static int take_record(void *ctx, const struct record *r, struct err *e)
{
    struct inspection *in = ctx;
    if (in->m->people)
        return listing_add(&in->listing, r, &in->arena, e);
    if (in->n_lists && strcmp(in->lists[in->n_lists - 1], r->kind) != 0)
        return keep_record(in, r, e);
    int rc = open_list(in, r->kind, true, e);
    return rc ? rc : emit_record(in->m, r, e);
}

/* --- the end of a file ---------------------------------------------------------------------------
 */

static int emit_kept(struct inspection *in, struct err *e)
{
    for (struct kept_record *first = in->kept; first; first = first->next) {
        if (first->emitted)
            continue;
        int rc = open_list(in, first->record->kind, true, e);
        for (struct kept_record *k = first; k && !rc; k = k->next) {
            if (k->emitted || strcmp(k->record->kind, first->record->kind) != 0)
                continue;
            rc = emit_record(in->m, k->record, e);
            k->emitted = true;
        }
        if (rc)
            return rc;
    }
    return 0;
}

int inspection_end(struct inspection *in, struct err *e)
{
    int rc = in->m->people ? 0 : flush_series(in, e);
    if (!rc)
        rc = emit_kept(in, e);
    if (in->list_open)
        emit_end(in->m);
    in->list_open = false;
    return rc;
}

int inspection_summary(struct inspection *in, struct err *e)
{
    struct emit *m = in->m;
    int rc = 0;
    if (!m->people)
        return 0;
    if (in->devices.n) {
        emit_say(m, "%s", "");
        device_summary_emit(m, &in->devices);
    }
    if (in->metrics.n) {
        emit_say(m, "%s", "");
        rc = metric_groups_summary(m, &in->metrics, e);
    }
    if (!rc && in->bill.lines) {
        emit_say(m, "%s", "");
        rc = bill_summary_emit(m, &in->bill, e);
    }
    return rc ? rc : listing_emit(m, &in->listing, &in->arena, e);
}

struct sink inspection_sink(struct inspection *in)
{
    return (struct sink){
        .ctx = in,
        .sample = take_sample,
        .snapshot = take_snapshot,
        .metric = take_metric,
        .volume = take_volume,
        .modification = take_modification,
        .bill_line = take_bill_line,
        .record = take_record,
    };
}
