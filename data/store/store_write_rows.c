/* data/store/store_write_rows.c - what is kept as plain rows of the file that is being written:
 * volumes, their modifications, bill lines and records. */
#include "data/store/store_driver.h"

#include "models/core/unit.h"

/* The row's number, its file and line. */
static struct query start_row(struct store *s, enum sql id, int64_t line)
{
    struct query q = query_start(s, id);
    query_int(&q, 1, s->file_id);
    query_int(&q, 2, ++s->n_rows);
    query_int(&q, 3, line > 0 ? line : UNKNOWN);
    return q;
}

/* --- volumes -----------------------------------------------------------------------------------
 */

static void query_spec(struct query *q, int at, const struct volume_spec *v)
{
    query_text(q, at, v->type < VOL_TYPE_COUNT ? volume_type_name(v->type) : NULL);
    query_int(q, at + 1, v->size_gib);
    query_int(q, at + 2, v->iops);
    query_int(q, at + 3, v->throughput_mibps);
}

int store_file_volume(struct store *s, const struct volume_config *v, struct err *e)
{
    struct query q = start_row(s, SQL_VOLUME_ADD, v->line);
    query_span(&q, 4, v->volume_id);
    query_spec(&q, 5, &v->spec);
    query_span(&q, 9, v->state);
    query_span(&q, 10, v->instance_id);
    query_span(&q, 11, v->device);
    query_span(&q, 12, v->zone);
    query_span(&q, 13, v->name);
    query_span(&q, 14, v->snapshot_id);
    query_int(&q, 15, v->created_ms);
    query_int(&q, 16, v->attached_ms);
    query_int(&q, 17, v->attachments);
    query_int(&q, 18, v->ebs_card);
    query_int(&q, 19, v->multi_attach);
    return query_run(&q, e);
}

int store_file_modification(struct store *s, const struct volume_modification *m, struct err *e)
{
    struct query q = start_row(s, SQL_MODIFICATION_ADD, m->line);
    query_span(&q, 4, m->volume_id);
    query_span(&q, 5, m->state);
    query_spec(&q, 6, &m->from);
    query_spec(&q, 10, &m->to);
    query_int(&q, 14, m->start_ms);
    query_int(&q, 15, m->end_ms);
    query_num(&q, 16, m->progress_pct);
    return query_run(&q, e);
}

/* --- bills -------------------------------------------------------------------------------------
 */

/* The exact text, and the integer of 10^-12 where it fits. */
static void query_money(struct query *q, int at, bool known, money m, char buf[64])
{
    query_text(q, at, known ? money_exact(buf, m) : NULL);
    query_int(q, at + 1, known && m <= INT64_MAX && m > INT64_MIN ? (int64_t)m : UNKNOWN);
}

int store_file_bill_line(struct store *s, const struct bill_line *l, struct err *e)
{
    char amount[64], cost[64], list_cost[64];
    struct query q = start_row(s, SQL_BILL_LINE_ADD, l->line);
    query_int(&q, 4, l->start_ms);
    query_int(&q, 5, l->end_ms);
    query_span(&q, 6, l->account);
    query_span(&q, 7, l->region);
    query_span(&q, 8, l->resource);
    query_span(&q, 9, l->usage_type);
    query_span(&q, 10, l->operation);
    query_span(&q, 11, l->unit);
    query_span(&q, 12, l->currency);
    query_span(&q, 13, l->line_type);
    query_money(&q, 14, l->has_amount, l->amount, amount);
    query_money(&q, 16, l->has_cost, l->cost, cost);
    query_money(&q, 18, l->has_list_cost, l->list_cost, list_cost);
    query_int(&q, 20, l->has_cost ? l->cost_decimals : UNKNOWN);
    return query_run(&q, e);
}

/* --- records -----------------------------------------------------------------------------------
 */

static int add_field(struct store *s, size_t field_no, const struct record_field *f, struct err *e)
{
    struct query q = query_start(s, SQL_RECORD_FIELD_ADD);
    const char *unit = unit_suffix(f->unit);
    query_int(&q, 1, s->file_id);
    query_int(&q, 2, s->n_rows);
    query_int(&q, 3, (int64_t)field_no);
    query_text(&q, 4, f->key);
    query_text(&q, 5, *unit ? unit : NULL);
    query_num(&q, 6, f->num);
    query_span(&q, 7, f->text);
    return query_run(&q, e);
}

int store_file_record(struct store *s, const struct record *r, struct err *e)
{
    struct query q = start_row(s, SQL_RECORD_ADD, r->line);
    query_text(&q, 4, r->kind);
    query_int(&q, 5, r->time_ms);
    int rc = query_run(&q, e);
    for (size_t i = 0; i < r->n_fields && !rc; i++)
        rc = add_field(s, i + 1, &r->fields[i], e);
    return rc;
}
