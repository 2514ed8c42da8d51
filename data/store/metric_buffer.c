/* data/store/metric_buffer.c - see sample_buffer.h: values of metrics.
 *
 * A stream of a whole account names more metrics than may be in memory.  When the buffer is full of
 * them everything is written out and all are forgotten: the next value of one finds its row again.
 */
#include "data/store/sample_buffer.h"

#include "data/store/block_buffer.h"
#include "models/core/mem.h"

enum {
    METRICS_MAX = 16384,
    VALUES_MAX = METRICS_MAX * BLOCK_ROOM_MIN, /* 8 MiB */
    KEY_BYTES_MAX = 8 << 20,
};

enum {
    KEY_DIMENSION,
    KEY_ACCOUNT,
    KEY_REGION,
    KEY_NAMESPACE,
    KEY_SYSTEM,
    KEY_UNIT,
    KEY_STATISTIC_TEXT,
    KEY_NUMBERS,
    KEY_METRIC,
    KEY_PARTS
};

struct metric_buffer {
    struct store *store;
    struct block_buffer *blocks;
    size_t key_bytes; /* of all metrics in blocks */
};

static int put_values(void *ctx, int64_t metric_id, const void *values, size_t n, struct err *e)
{
    return backend_put_values(ctx, metric_id, values, n, e);
}

struct metric_buffer *metric_buffer_new(struct store *s)
{
    struct block_buffer_options o = { .sample_bytes = sizeof(struct store_metric_value),
                                      .key_parts = KEY_PARTS,
                                      .series_max = METRICS_MAX,
                                      .samples_max = VALUES_MAX,
                                      .block_max = STORE_BLOCK_SAMPLES,
                                      .put = put_values,
                                      .ctx = s };
    struct metric_buffer *b = mem_zalloc(1, sizeof *b);
    if (!b)
        return NULL;
    b->store = s;
    b->blocks = block_buffer_new(&o);
    if (!b->blocks) {
        mem_free(b);
        return NULL;
    }
    return b;
}

void metric_buffer_free(struct metric_buffer *b)
{
    if (!b)
        return;
    block_buffer_free(b->blocks);
    mem_free(b);
}

/* Makes room for one more metric. */
static int need_room(struct metric_buffer *b, size_t key_bytes, struct err *e)
{
    if (block_buffer_count(b->blocks) < METRICS_MAX && b->key_bytes + key_bytes <= KEY_BYTES_MAX)
        return 0;
    int rc = block_buffer_flush(b->blocks, e);
    block_buffer_clear(b->blocks);
    b->key_bytes = 0;
    return rc;
}

static int add_metric(struct metric_buffer *b, const struct span *key,
                      const struct metric_sample *sample, struct err *e)
{
    size_t key_bytes = 0;
    for (size_t i = 0; i < KEY_PARTS; i++)
        key_bytes += i == KEY_NUMBERS ? 0 : key[i].len;
    if (key_bytes > STORE_METRIC_TEXT_MAX)
        return err_set(e, ERR_LIMIT, "name and dimension of a metric have %zu characters",
                       key_bytes);
    int64_t metric_id = 0;
    int rc = need_room(b, key_bytes, e);
    if (!rc)
        rc = backend_metric(b->store, sample, &metric_id, e);
    if (!rc)
        rc = block_buffer_open(b->blocks, key, metric_id, e);
    if (!rc)
        b->key_bytes += key_bytes;
    return rc;
}

int metric_buffer_add(struct metric_buffer *b, const struct metric_sample *sample, struct err *e)
{
    const int64_t numbers[] = { sample->instance_number, sample->statistic, sample->counts };
    const struct span key[KEY_PARTS] = {
        [KEY_DIMENSION] = sample->dimension,
        [KEY_ACCOUNT] = sample->account,
        [KEY_REGION] = sample->region,
        [KEY_NAMESPACE] = sample->namespace_name,
        [KEY_SYSTEM] = sample->system,
        [KEY_UNIT] = sample->unit,
        [KEY_STATISTIC_TEXT] = sample->statistic_text,
        [KEY_NUMBERS] = { (const char *)numbers, sizeof numbers },
        [KEY_METRIC] = sample->metric,
    };
    size_t metric = 0;
    int rc = 0;
    if (!block_buffer_find(b->blocks, key, &metric)) {
        rc = add_metric(b, key, sample, e);
        if (!rc)
            metric = block_buffer_count(b->blocks) - 1;
    }
    void *slot = NULL;
    if (!rc)
        rc = block_buffer_slot(b->blocks, metric, &slot, e);
    if (!rc) /* a value without a line would pass for a mean */
        *(struct store_metric_value *)slot =
            (struct store_metric_value){ .time_ms = buffer_sane_time(sample->time_ms),
                                         .line = sample->line == UNKNOWN ? 0 : sample->line,
                                         .period_s = sample->period_s,
                                         .value = sample->value };
    return rc;
}

int metric_buffer_flush(struct metric_buffer *b, struct err *e)
{
    return block_buffer_flush(b->blocks, e);
}
