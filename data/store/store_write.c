/* data/store/store_write.c - one source file in one transaction.
 *
 *   store_file_begin     the driver opens the transaction
 *   store_file_sample    sample_buffer_add -> backend_put_block, backend_put_hour
 *   store_file_metric    metric_buffer_add -> backend_put_values
 *   store_file_snapshot  rows of the snapshot
 *   (store_write_rows.c: volumes, modifications, bill lines, records)
 *   store_file_commit    known already? nothing : the rest of the buffers, the driver commits */
#include "data/store/sample_column.h"
#include "data/store/store_blocks.h"
#include "data/store/store_driver.h"

#include "models/core/mem.h"
#include "models/core/unit.h"

static void forget_file(struct store *s)
{
    sample_buffer_free(s->buffer);
    metric_buffer_free(s->metrics);
    mem_free(s->columns);
    s->buffer = NULL;
    s->metrics = NULL;
    s->columns = NULL;
    s->file_id = s->system_id = 0;
    s->n_blocks = s->n_warnings = s->n_rows = 0;
}

void store_file_rollback(struct store *s)
{
    s->driver->rollback(s);
    forget_file(s);
}

int store_file_begin(struct store *s, const struct store_file_start *f, struct err *e)
{
    store_file_rollback(s);
    int rc = s->driver->file_begin(s, f, e);
    if (rc)
        store_file_rollback(s);
    return rc;
}

/* What waits in the buffers, then the file's own row. */
static int finish_file(struct store *s, const struct store_file_end *f, struct err *e)
{
    int rc = s->buffer ? sample_buffer_flush(s->buffer, e) : 0;
    if (!rc && s->metrics)
        rc = metric_buffer_flush(s->metrics, e);
    return rc ? rc : s->driver->file_end(s, f, e);
}

int store_file_commit(struct store *s, const struct store_file_end *f, bool *out_known,
                      struct err *e)
{
    bool known = false;
    int rc = s->driver->file_known(s, f, &known, e);
    if (!rc && !known)
        rc = finish_file(s, f, e);
    store_file_rollback(s);
    if (!rc)
        *out_known = known;
    return rc;
}

int store_file_warning(struct store *s, int64_t line, const char *text, struct err *e)
{
    struct query q = query_start(s, SQL_WARNING_ADD);
    query_int(&q, 1, s->file_id);
    query_int(&q, 2, ++s->n_warnings);
    query_int(&q, 3, line > 0 ? line : UNKNOWN);
    query_text(&q, 4, text);
    return query_run(&q, e);
}

/* --- samples -----------------------------------------------------------------------------------
 */

int store_file_sample(struct store *s, const struct io_sample *sample, struct err *e)
{
    if (!s->buffer)
        s->buffer = sample_buffer_new(s);
    if (!s->buffer)
        return err_nomem(e);
    return sample_buffer_add(s->buffer, sample, e);
}

static void bind_series(struct query *q, const struct store *s, struct span host,
                        struct span device)
{
    query_int(q, 1, s->system_id);
    query_span(q, 2, host);
    if (device.len)
        query_span(q, 3, device);
    else
        query_text(q, 3, "");
    query_text(q, 4, "device");
    query_text(q, 5, store_counts_name(COUNT_BLOCK));
    query_int(q, 6, s->file_id);
}

int backend_device_series(struct store *s, struct span host, struct span device,
                          int64_t *out_series_id, struct err *e)
{
    struct query q = query_start(s, SQL_SERIES_ID);
    bind_series(&q, s, host, device);
    int rc = query_find(&q, out_series_id, e);
    if (rc || *out_series_id != UNKNOWN)
        return rc;
    q = query_start(s, SQL_SERIES_ADD);
    bind_series(&q, s, host, device);
    return query_add(&q, out_series_id, e);
}

struct time_range {
    int64_t first_ms, last_ms; /* UNKNOWN when no sample has a time */
};

static struct time_range range_of(const struct store_sample *samples, size_t n)
{
    struct time_range r = { UNKNOWN, UNKNOWN };
    for (size_t i = 0; i < n; i++) {
        int64_t begin_ms = samples[i].begin_ms == UNKNOWN ? samples[i].end_ms : samples[i].begin_ms;
        if (begin_ms == UNKNOWN)
            continue;
        if (r.first_ms == UNKNOWN || begin_ms < r.first_ms)
            r.first_ms = begin_ms;
        if (samples[i].end_ms > r.last_ms) /* UNKNOWN is the smallest integer */
            r.last_ms = samples[i].end_ms;
    }
    return r;
}

static int need_columns(struct store *s, struct err *e)
{
    if (!s->columns)
        s->columns = mem_alloc((size_t)COLUMN_COUNT * COLUMN_BYTES_MAX);
    return s->columns ? 0 : err_nomem(e);
}

/* A chunk's row but for its columns. */
static int start_chunk(struct store *s, enum sql id, int64_t series_id, size_t n,
                       struct time_range range, struct query *out, struct err *e)
{
    int rc = need_columns(s, e);
    if (rc)
        return rc;
    struct query q = query_start(s, id);
    query_int(&q, 1, s->file_id);
    query_int(&q, 2, series_id);
    query_int(&q, 3, ++s->n_blocks);
    query_int(&q, 4, (int64_t)n);
    query_int(&q, 5, range.first_ms);
    query_int(&q, 6, range.last_ms);
    *out = q;
    return 0;
}

/* The columns of a block, from parameter 7 on. */
static void bind_columns(struct query *q, const struct store_sample *samples, size_t n)
{
    for (int c = 0; c < COLUMN_COUNT; c++) {
        unsigned char *bytes = q->store->columns + (size_t)c * COLUMN_BYTES_MAX;
        query_blob(q, 7 + c, bytes, column_put(bytes, (enum sample_column)c, samples, n));
    }
}

int backend_put_block(struct store *s, int64_t series_id, const struct store_sample *samples,
                      size_t n, struct err *e)
{
    struct query q;
    int rc = start_chunk(s, SQL_CHUNK_ADD, series_id, n, range_of(samples, n), &q, e);
    if (rc)
        return rc;
    bind_columns(&q, samples, n);
    return query_run(&q, e);
}

/* A block's row but for its columns. */
static int start_set(struct store *s, enum sql id, int64_t series_id,
                     const struct store_block *block, struct time_range range, struct query *out,
                     struct err *e)
{
    int rc = need_columns(s, e);
    if (rc)
        return rc;
    struct query q = query_start(s, id);
    query_int(&q, 1, series_id);
    query_int(&q, 2, block->file_id);
    query_int(&q, 3, block->block_no);
    query_int(&q, 4, (int64_t)block->n);
    query_int(&q, 5, range.first_ms);
    query_int(&q, 6, range.last_ms);
    *out = q;
    return 0;
}

int store_set_block(struct store *s, const struct store_series *series,
                    const struct store_block *block, const struct store_sample *samples,
                    struct err *e)
{
    struct query q;
    int rc =
        start_set(s, SQL_BLOCK_SET, series->series_id, block, range_of(samples, block->n), &q, e);
    if (rc)
        return rc;
    bind_columns(&q, samples, block->n);
    query_int(&q, 7 + COLUMN_COUNT, series->system_id);
    return query_run(&q, e);
}

static void bind_rate(struct query *q, int at, const struct hour_rate *r)
{
    query_num(q, at, r->min);
    query_num(q, at + 1, r->max);
    query_num(q, at + 2, hour_rate_mean(r));
    query_num(q, at + 3, r->worst_minute);
}

int backend_put_hour(struct store *s, int64_t series_id, const struct hour_summary *h,
                     struct err *e)
{
    struct query q = query_start(s, SQL_HOURLY_ADD);
    query_int(&q, 1, series_id);
    query_int(&q, 2, h->hour_ms);
    query_int(&q, 3, s->file_id);
    query_int(&q, 4, h->n_samples);
    query_int(&q, 5, h->covered_ms);
    bind_rate(&q, 6, &h->mibps);
    bind_rate(&q, 10, &h->iops);
    return query_run(&q, e);
}

/* --- metrics -----------------------------------------------------------------------------------
 */

int store_file_metric(struct store *s, const struct metric_sample *sample, struct err *e)
{
    if (!s->metrics)
        s->metrics = metric_buffer_new(s);
    if (!s->metrics)
        return err_nomem(e);
    return metric_buffer_add(s->metrics, sample, e);
}

static void bind_metric(struct query *q, const struct store *s, const struct metric_sample *m)
{
    query_int(q, 1, s->system_id);
    if (m->metric.len)
        query_span(q, 2, m->metric);
    else
        query_text(q, 2, "");
    query_span(q, 3, m->dimension);
    query_text(q, 4, metric_statistic_name(m->statistic));
    query_span(q, 5, m->statistic_text);
    query_span(q, 6, m->system);
    query_int(q, 7, m->instance_number);
    query_span(q, 8, m->account);
    query_span(q, 9, m->region);
    query_span(q, 10, m->namespace_name);
    query_span(q, 11, m->unit);
    query_text(q, 12, store_counts_name(m->counts));
    query_int(q, 13, s->file_id);
}

int backend_metric(struct store *s, const struct metric_sample *sample, int64_t *out_metric_id,
                   struct err *e)
{
    struct query q = query_start(s, SQL_METRIC_ID);
    bind_metric(&q, s, sample);
    int rc = query_find(&q, out_metric_id, e);
    if (rc || *out_metric_id != UNKNOWN)
        return rc;
    q = query_start(s, SQL_METRIC_ADD);
    bind_metric(&q, s, sample);
    return query_add(&q, out_metric_id, e);
}

/* A time stamp opens its period. */
static struct time_range range_of_values(const struct store_metric_value *values, size_t n)
{
    struct time_range r = { UNKNOWN, UNKNOWN };
    for (size_t i = 0; i < n; i++) {
        int64_t t_ms = values[i].time_ms;
        if (t_ms != UNKNOWN && (r.first_ms == UNKNOWN || t_ms < r.first_ms))
            r.first_ms = t_ms;
        if (t_ms > r.last_ms)
            r.last_ms = t_ms;
    }
    return r;
}

/* The columns of a block, from parameter 7 on. */
static void bind_value_columns(struct query *q, const struct store_metric_value *values, size_t n)
{
    for (int c = 0; c < VALUE_COLUMN_COUNT; c++) {
        unsigned char *bytes = q->store->columns + (size_t)c * COLUMN_BYTES_MAX;
        query_blob(q, 7 + c, bytes, value_column_put(bytes, (enum value_column)c, values, n));
    }
}

int backend_put_values(struct store *s, int64_t metric_id, const struct store_metric_value *values,
                       size_t n, struct err *e)
{
    struct query q;
    int rc = start_chunk(s, SQL_METRIC_CHUNK_ADD, metric_id, n, range_of_values(values, n), &q, e);
    if (rc)
        return rc;
    bind_value_columns(&q, values, n);
    return query_run(&q, e);
}

int store_set_value_block(struct store *s, const struct store_metric *metric,
                          const struct store_block *block, const struct store_metric_value *values,
                          struct err *e)
{
    struct query q;
    int rc = start_set(s, SQL_VALUE_BLOCK_SET, metric->metric_id, block,
                       range_of_values(values, block->n), &q, e);
    if (rc)
        return rc;
    bind_value_columns(&q, values, block->n);
    query_int(&q, 7 + VALUE_COLUMN_COUNT, metric->system_id);
    return query_run(&q, e);
}

/* --- snapshots ---------------------------------------------------------------------------------
 */

static int add_snapshot(struct store *s, const struct awr_snapshot *w, int64_t *out_id,
                        struct err *e)
{
    struct query q = query_start(s, SQL_SNAPSHOT_ADD);
    query_int(&q, 1, s->file_id);
    query_text(&q, 2, w->db_name);
    query_int(&q, 3, w->db_id);
    query_text(&q, 4, w->instance);
    query_int(&q, 5, w->instance_number);
    query_text(&q, 6, w->host);
    query_text(&q, 7, w->release);
    query_text(&q, 8, w->platform);
    query_int(&q, 9, w->rac < 0 ? UNKNOWN : w->rac);
    query_num(&q, 10, w->cpus);
    query_int(&q, 11, w->begin_ms);
    query_int(&q, 12, w->end_ms);
    query_num(&q, 13, w->elapsed_s);
    query_num(&q, 14, w->db_time_s);
    return query_add(&q, out_id, e);
}

static int add_io_rows(struct store *s, int64_t snapshot_id, const char *kind,
                       const struct awr_io_row *rows, size_t n, struct err *e)
{
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++) {
        const struct awr_io_row *r = &rows[i];
        struct query q = query_start(s, SQL_SNAPSHOT_IO_ADD);
        query_int(&q, 1, snapshot_id);
        query_text(&q, 2, kind);
        query_int(&q, 3, (int64_t)i + 1);
        query_text(&q, 4, r->name);
        query_num(&q, 5, r->read_bytes);
        query_num(&q, 6, r->write_bytes);
        query_num(&q, 7, r->read_requests_per_s);
        query_num(&q, 8, r->write_requests_per_s);
        query_num(&q, 9, r->read_bytes_per_s);
        query_num(&q, 10, r->write_bytes_per_s);
        query_num(&q, 11, r->small_read_ms);
        query_num(&q, 12, r->large_read_ms);
        query_num(&q, 13, r->waits);
        query_num(&q, 14, r->wait_avg_ms);
        query_int(&q, 15, r->line > 0 ? r->line : UNKNOWN);
        query_int(&q, 16, s->file_id);
        rc = query_run(&q, e);
    }
    return rc;
}

static int add_events(struct store *s, int64_t snapshot_id, const struct awr_event *events,
                      size_t n, struct err *e)
{
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++) {
        const struct awr_event *v = &events[i];
        struct query q = query_start(s, SQL_SNAPSHOT_EVENT_ADD);
        query_int(&q, 1, snapshot_id);
        query_int(&q, 2, (int64_t)i + 1);
        query_text(&q, 3, v->name);
        query_text(&q, 4, v->wait_class);
        query_num(&q, 5, v->waits);
        query_num(&q, 6, v->time_s);
        query_num(&q, 7, v->avg_ms);
        query_num(&q, 8, v->pct_db_time);
        query_int(&q, 9, v->line > 0 ? v->line : UNKNOWN);
        query_int(&q, 10, s->file_id);
        rc = query_run(&q, e);
    }
    return rc;
}

static int add_stats(struct store *s, int64_t snapshot_id, const char *kind,
                     const struct awr_stat *stats, size_t n, struct err *e)
{
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++) {
        struct query q = query_start(s, SQL_SNAPSHOT_STAT_ADD);
        query_int(&q, 1, snapshot_id);
        query_text(&q, 2, kind);
        query_int(&q, 3, (int64_t)i + 1);
        query_text(&q, 4, stats[i].name);
        query_num(&q, 5, stats[i].total);
        query_num(&q, 6, stats[i].per_s);
        query_int(&q, 7, stats[i].line > 0 ? stats[i].line : UNKNOWN);
        query_int(&q, 8, s->file_id);
        rc = query_run(&q, e);
    }
    return rc;
}

int store_file_snapshot(struct store *s, const struct awr_snapshot *w, struct err *e)
{
    int64_t id = 0;
    int rc = add_snapshot(s, w, &id, e);
    if (!rc)
        rc = add_io_rows(s, id, "filetype", w->filetypes, w->n_filetypes, e);
    if (!rc)
        rc = add_io_rows(s, id, "function", w->functions, w->n_functions, e);
    if (!rc)
        rc = add_events(s, id, w->events, w->n_events, e);
    if (!rc)
        rc = add_stats(s, id, "load_profile", w->load_profile, w->n_load_profile, e);
    if (!rc)
        rc = add_stats(s, id, "io_profile", w->io_profile, w->n_io_profile, e);
    if (!rc)
        rc = add_stats(s, id, "activity", w->stats, w->n_stats, e);
    return rc;
}
