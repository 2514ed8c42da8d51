/* data/store/store_blocks.c - see store_blocks.h. */
#include "data/store/store_blocks.h"

#include "data/store/sample_column.h"
#include "data/store/store_driver.h"
#include "models/core/mem.h"

void store_blocks_release(struct store_blocks *b)
{
    mem_free(b->block);
    mem_free(b->row);
    *b = (struct store_blocks){ 0 };
}

/* Whose blocks they are. */
struct owner {
    const struct store_series *series; /* NULL = of the metric */
    const struct store_metric *metric;
    int64_t id, system_id;
};

static struct owner of_series(const struct store_series *x)
{
    return (struct owner){ .series = x, .id = x->series_id, .system_id = x->system_id };
}

static struct owner of_metric(const struct store_metric *x)
{
    return (struct owner){ .metric = x, .id = x->metric_id, .system_id = x->system_id };
}

/* --- reading -----------------------------------------------------------------------------------
 */

static int make_room(struct store_blocks *b, struct err *e)
{
    struct store_block *block = mem_room(b->block, b->n_blocks, 1, &b->blocks_room, sizeof *block);
    if (!block)
        return err_nomem(e);
    b->block = block;
    void *row = mem_room(b->row, b->n_rows, STORE_BLOCK_SAMPLES, &b->rows_room, b->row_bytes);
    if (!row)
        return err_nomem(e);
    b->row = row;
    return 0;
}

static int take_block(struct query *q, const struct owner *o, struct store_blocks *b, struct err *e)
{
    int rc = make_room(b, e);
    if (rc)
        return rc;
    int64_t file_id = query_get_int(q, 0);
    size_t n = o->series ? query_get_samples(q, b->sample + b->n_rows)
                         : query_get_values(q, b->value + b->n_rows);
    if (!n && q->no_memory)
        return err_nomem(e);
    if (!n)
        return err_set(e, ERR_STORE, "%s: damaged (file %lld, %s %lld)", q->store->path,
                       (long long)file_id, o->series ? "samples of series" : "values of metric",
                       (long long)o->id);
    int n_columns = o->series ? (int)COLUMN_COUNT : (int)VALUE_COLUMN_COUNT;
    b->block[b->n_blocks++] = (struct store_block){ .file_id = file_id,
                                                    .block_no = query_get_int(q, 2 + n_columns),
                                                    .n = n };
    b->n_rows += n;
    return 0;
}

static int read_blocks(struct store *s, const struct owner *o, int64_t before_ms,
                       struct store_blocks *b, struct err *e)
{
    struct query q = query_start(s, o->series ? SQL_BLOCK_LIST : SQL_VALUE_BLOCK_LIST);
    query_int(&q, 1, o->id);
    query_int(&q, 2, before_ms);
    query_int(&q, 3, o->system_id);
    int stop = 0;
    b->row_bytes = o->series ? sizeof *b->sample : sizeof *b->value;
    b->n_blocks = b->n_rows = 0;
    while (!stop && query_step(&q))
        stop = take_block(&q, o, b, e);
    int rc = query_end(&q, stop ? NULL : e);
    return stop ? stop : rc;
}

int store_blocks_read(struct store *s, const struct store_series *series, int64_t before_ms,
                      struct store_blocks *b, struct err *e)
{
    struct owner o = of_series(series);
    return read_blocks(s, &o, before_ms, b, e);
}

int store_value_blocks_read(struct store *s, const struct store_metric *metric, int64_t before_ms,
                            struct store_blocks *b, struct err *e)
{
    struct owner o = of_metric(metric);
    return read_blocks(s, &o, before_ms, b, e);
}

/* --- writing -----------------------------------------------------------------------------------
 */

static int delete_block(struct store *s, const struct owner *o, const struct store_block *block,
                        struct err *e)
{
    struct query q = query_start(s, o->series ? SQL_BLOCK_DELETE : SQL_VALUE_BLOCK_DELETE);
    query_int(&q, 1, o->id);
    query_int(&q, 2, block->file_id);
    query_int(&q, 3, block->block_no);
    query_int(&q, 4, o->system_id);
    return query_run(&q, e);
}

static int write_blocks(struct store *s, const struct owner *o, const struct store_blocks *b,
                        struct err *e)
{
    int rc = 0;
    size_t at = 0;
    for (size_t i = 0; i < b->n_blocks && !rc; i++) {
        const struct store_block *block = &b->block[i];
        if (block->changed && !block->n)
            rc = delete_block(s, o, block, e);
        else if (block->changed && o->series)
            rc = store_set_block(s, o->series, block, b->sample + at, e);
        else if (block->changed)
            rc = store_set_value_block(s, o->metric, block, b->value + at, e);
        at += block->n;
    }
    return rc;
}

int store_blocks_write(struct store *s, const struct store_series *series,
                       const struct store_blocks *b, struct err *e)
{
    struct owner o = of_series(series);
    return write_blocks(s, &o, b, e);
}

int store_value_blocks_write(struct store *s, const struct store_metric *metric,
                             const struct store_blocks *b, struct err *e)
{
    struct owner o = of_metric(metric);
    return write_blocks(s, &o, b, e);
}
