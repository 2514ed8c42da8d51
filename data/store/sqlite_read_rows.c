/* data/store/sqlite_read_rows.c - what is kept as plain rows, out of the store again: records. */
#include "data/store/sqlite_list.h"

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

static int read_fields(struct store *s, struct arena *a, struct record_row *r, struct err *e)
{
    struct list fields = { .arena = a, .size = sizeof(struct stored_field) };
    struct query q = query_start(s, SQL_RECORD_FIELD_LIST);
    query_int(&q, 1, r->record.file_id);
    query_int(&q, 2, r->row_no);
    int rc = read_list(&q, &fields, field_row, e);
    r->record.fields = fields.items;
    r->record.n_fields = fields.n;
    return rc;
}

int store_records(struct store *s, const char *system, struct arena *a,
                  const struct stored_record **out, size_t *out_n, struct err *e)
{
    struct list rows = { .arena = a, .size = sizeof(struct record_row) };
    struct query q = query_start(s, SQL_RECORD_LIST);
    query_text(&q, 1, system);
    int rc = read_list(&q, &rows, record_row, e);
    if (rc)
        return rc;
    struct record_row *row = rows.items;
    struct stored_record *records = arena_array(a, rows.n, sizeof *records);
    if (!records)
        return err_nomem(e);
    for (size_t i = 0; i < rows.n && !rc; i++) {
        rc = read_fields(s, a, &row[i], e);
        records[i] = row[i].record;
    }
    if (rc)
        return rc;
    *out = records;
    *out_n = rows.n;
    return 0;
}
