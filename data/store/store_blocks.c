/* data/store/store_blocks.c - see store_blocks.h. */
#include "data/store/store_blocks.h"

#include "data/store/sample_column.h"
#include "data/store/store_driver.h"
#include "models/core/mem.h"

void store_blocks_release(struct store_blocks *b)
{
    mem_free(b->block);
    mem_free(b->sample);
    *b = (struct store_blocks){ 0 };
}

static int make_room(struct store_blocks *b, struct err *e)
{
    struct store_block *block = mem_room(b->block, b->n_blocks, 1, &b->blocks_room, sizeof *block);
    if (!block)
        return err_nomem(e);
    b->block = block;
    struct store_sample *sample =
        mem_room(b->sample, b->n_samples, STORE_BLOCK_SAMPLES, &b->samples_room, sizeof *sample);
    if (!sample)
        return err_nomem(e);
    b->sample = sample;
    return 0;
}

static int take_block(struct query *q, int64_t series_id, struct store_blocks *b, struct err *e)
{
    int rc = make_room(b, e);
    if (rc)
        return rc;
    int64_t file_id = query_get_int(q, 0);
    size_t n = query_get_samples(q, &b->sample[b->n_samples]);
    if (!n && q->no_memory)
        return err_nomem(e);
    if (!n)
        return err_set(e, ERR_STORE, "%s: damaged (file %lld, samples of series %lld)",
                       q->store->path, (long long)file_id, (long long)series_id);
    b->block[b->n_blocks++] = (struct store_block){ .file_id = file_id,
                                                    .block_no = query_get_int(q, 2 + COLUMN_COUNT),
                                                    .n = n };
    b->n_samples += n;
    return 0;
}

int store_blocks_read(struct store *s, const struct store_series *series, int64_t before_ms,
                      struct store_blocks *b, struct err *e)
{
    struct query q = query_start(s, SQL_BLOCK_LIST);
    query_int(&q, 1, series->series_id);
    query_int(&q, 2, before_ms);
    query_int(&q, 3, series->system_id);
    int stop = 0;
    b->n_blocks = b->n_samples = 0;
    while (!stop && query_step(&q))
        stop = take_block(&q, series->series_id, b, e);
    int rc = query_end(&q, stop ? NULL : e);
    return stop ? stop : rc;
}

static int delete_block(struct store *s, const struct store_series *series,
                        const struct store_block *block, struct err *e)
{
    struct query q = query_start(s, SQL_BLOCK_DELETE);
    query_int(&q, 1, series->series_id);
    query_int(&q, 2, block->file_id);
    query_int(&q, 3, block->block_no);
    query_int(&q, 4, series->system_id);
    return query_run(&q, e);
}

int store_blocks_write(struct store *s, const struct store_series *series,
                       const struct store_blocks *b, struct err *e)
{
    int rc = 0;
    const struct store_sample *samples = b->sample;
    for (size_t i = 0; i < b->n_blocks && !rc; i++) {
        const struct store_block *block = &b->block[i];
        if (block->changed && block->n)
            rc = store_set_block(s, series, block, samples, e);
        else if (block->changed)
            rc = delete_block(s, series, block, e);
        samples += block->n;
    }
    return rc;
}
