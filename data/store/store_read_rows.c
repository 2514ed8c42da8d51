/* data/store/store_read_rows.c - what is kept as plain rows, out of the store again: volumes,
 * their modifications, records. */
#include "data/store/row_list.h"

/* --- volumes -----------------------------------------------------------------------------------
 */

static struct span text_span(struct query *q, int at, struct arena *a)
{
    const char *text = query_get_text(q, at, a);
    return text ? span_of(text) : (struct span){ NULL, 0 };
}

static struct volume_spec spec_at(struct query *q, int at, struct arena *a)
{
    struct volume_spec v = { VOL_TYPE_COUNT, 1, query_get_int(q, at + 1), query_get_int(q, at + 2),
                             query_get_int(q, at + 3) };
    volume_type_parse(text_span(q, at, a), &v.type);
    return v;
}

static void volume_row(struct query *q, struct arena *a, void *item)
{
    *(struct stored_volume *)item = (struct stored_volume){
        .file_id = query_get_int(q, 0),
        .config = { .line = query_get_int(q, 1),
                    .volume_id = text_span(q, 2, a),
                    .spec = spec_at(q, 3, a),
                    .state = text_span(q, 7, a),
                    .instance_id = text_span(q, 8, a),
                    .device = text_span(q, 9, a),
                    .zone = text_span(q, 10, a),
                    .name = text_span(q, 11, a),
                    .snapshot_id = text_span(q, 12, a),
                    .created_ms = query_get_int(q, 13),
                    .attached_ms = query_get_int(q, 14),
                    .attachments = query_get_int(q, 15),
                    .ebs_card = query_get_int(q, 16),
                    .multi_attach = query_get_int(q, 17) == 1 },
    };
}

static void modification_row(struct query *q, struct arena *a, void *item)
{
    *(struct stored_modification *)item = (struct stored_modification){
        .file_id = query_get_int(q, 0),
        .change = { .line = query_get_int(q, 1),
                    .volume_id = text_span(q, 2, a),
                    .from = spec_at(q, 3, a),
                    .to = spec_at(q, 7, a),
                    .state = text_span(q, 11, a),
                    .start_ms = query_get_int(q, 12),
                    .end_ms = query_get_int(q, 13),
                    .progress_pct = query_get_num(q, 14) },
    };
}

/* All rows of a table that belong to a system. */
static int read_rows(struct store *s, enum sql id, const char *system, struct list *rows,
                     row_fn *row, struct err *e)
{
    struct query q;
    int rc = store_query_system(s, id, system, &q, e);
    return rc ? rc : read_list(&q, rows, row, e);
}

int store_volumes(struct store *s, const char *system, struct arena *a,
                  const struct stored_volume **out, size_t *out_n, struct err *e)
{
    struct list rows = { .arena = a, .size = sizeof **out };
    int rc = read_rows(s, SQL_VOLUME_LIST, system, &rows, volume_row, e);
    if (rc)
        return rc;
    *out = rows.items;
    *out_n = rows.n;
    return 0;
}

int store_modifications(struct store *s, const char *system, struct arena *a,
                        const struct stored_modification **out, size_t *out_n, struct err *e)
{
    struct list rows = { .arena = a, .size = sizeof **out };
    int rc = read_rows(s, SQL_MODIFICATION_LIST, system, &rows, modification_row, e);
    if (rc)
        return rc;
    *out = rows.items;
    *out_n = rows.n;
    return 0;
}

/* --- bills -------------------------------------------------------------------------------------
 */

/* False where the store holds no number. */
static bool money_at(struct query *q, int at, money *out)
{
    struct span text = query_get_span(q, at);
    return text.len && money_parse(&text, out, NULL, NULL) == 0;
}

static struct bill_line bill_line_at(struct query *q)
{
    struct bill_line l = { .line = query_get_int(q, 0),
                           .start_ms = query_get_int(q, 1),
                           .end_ms = query_get_int(q, 2),
                           .account = query_get_span(q, 3),
                           .region = query_get_span(q, 4),
                           .resource = query_get_span(q, 5),
                           .usage_type = query_get_span(q, 6),
                           .operation = query_get_span(q, 7),
                           .unit = query_get_span(q, 8),
                           .currency = query_get_span(q, 9),
                           .line_type = query_get_span(q, 10) };
    l.has_amount = money_at(q, 11, &l.amount);
    l.has_cost = money_at(q, 12, &l.cost);
    l.has_list_cost = money_at(q, 13, &l.list_cost);
    l.cost_decimals = l.has_cost ? (int)query_get_int(q, 14) : 0;
    return l;
}

int store_bill_lines(struct store *s, const char *system, store_bill_line_fn *fn, void *ctx,
                     struct err *e)
{
    struct query q;
    int rc = store_query_system(s, SQL_BILL_LINE_LIST, system, &q, e);
    if (rc)
        return rc;
    int fn_rc = 0;
    while (!fn_rc && query_step(&q)) {
        struct bill_line l = bill_line_at(&q);
        if (!q.no_memory)
            fn_rc = fn(ctx, query_get_int(&q, 15), &l, e);
    }
    struct err own = { 0 };
    rc = query_end(&q, fn_rc ? &own : e);
    return fn_rc ? fn_rc : rc;
}

/* --- records -----------------------------------------------------------------------------------
 */

struct record_row {
    struct stored_record record;
    int64_t row_no;
};

static void record_row(struct query *q, struct arena *a, void *item)
{
    *(struct record_row *)item = (struct record_row){
        .record = { .kind = query_get_text(q, 2, a),
                    .file_id = query_get_int(q, 0),
                    .time_ms = query_get_int(q, 3),
                    .line = query_get_int(q, 4) },
        .row_no = query_get_int(q, 1),
    };
}

static void field_row(struct query *q, struct arena *a, void *item)
{
    *(struct stored_field *)item = (struct stored_field){
        .key = query_get_text(q, 0, a),
        .num = query_get_num(q, 1),
        .text = query_get_text(q, 2, a),
    };
}

/* Both statements choose the same records. */
static int start_records(struct store *s, enum sql id, const char *system, struct query *out,
                         struct err *e)
{
    int rc = store_query_system(s, id, system, out, e);
    if (rc)
        return rc;
    query_int(out, 2, STORE_READINGS_MAX);
    query_int(out, 3, STORE_RECORDS_MAX);
    return 0;
}

static int read_fields(struct store *s, const char *system, struct record_row *rows, size_t n,
                       struct arena *a, struct err *e)
{
    struct list *fields = arena_array(a, n, sizeof *fields);
    struct row_owner *owners = arena_array(a, n, sizeof *owners);
    if (!fields || !owners)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++) {
        fields[i] = (struct list){ .arena = a, .size = sizeof(struct stored_field) };
        owners[i] = (struct row_owner){ rows[i].record.file_id, rows[i].row_no, &fields[i] };
    }
    struct query q;
    int rc = start_records(s, SQL_RECORD_FIELD_LIST, system, &q, e);
    if (!rc)
        rc = read_owned(&q, owners, n, 3, field_row, e);
    for (size_t i = 0; i < n; i++) {
        rows[i].record.fields = fields[i].items;
        rows[i].record.n_fields = fields[i].n;
    }
    return rc;
}

int store_records(struct store *s, const char *system, struct arena *a,
                  const struct stored_record **out, size_t *out_n, struct err *e)
{
    struct list rows = { .arena = a, .size = sizeof(struct record_row) };
    struct query q;
    int rc = start_records(s, SQL_RECORD_LIST, system, &q, e);
    if (!rc)
        rc = read_list(&q, &rows, record_row, e);
    if (!rc)
        rc = read_fields(s, system, rows.items, rows.n, a, e);
    if (rc)
        return rc;
    const struct record_row *row = rows.items;
    struct stored_record *records = arena_array(a, rows.n, sizeof *records);
    if (!records)
        return err_nomem(e);
    for (size_t i = 0; i < rows.n; i++)
        records[i] = row[i].record;
    *out = records;
    *out_n = rows.n;
    return 0;
}
