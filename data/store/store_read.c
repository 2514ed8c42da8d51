/* data/store/store_read.c - files, samples, metrics and snapshots out of the store. */
#include "data/store/row_list.h"
#include "data/store/sample_column.h"
#include "data/store/store_driver.h"

#include "models/core/mem.h"
#include "models/core/unit.h"

#include <stdlib.h>
#include <string.h>

int store_read_begin(struct store *s, struct err *e)
{
    return s->driver->begin(s, SQL_BEGIN_READ, e);
}

void store_read_end(struct store *s)
{
    s->driver->rollback(s);
}

/* --- files -------------------------------------------------------------------------------------
 */

static void file_row(struct query *q, struct arena *a, void *item)
{
    *(struct store_file *)item = (struct store_file){
        .file_id = query_get_int(q, 0),
        .path = query_get_text(q, 1, a),
        .format = query_get_text(q, 2, a),
        .zone = query_get_text(q, 3, a),
        .date_ms = query_get_int(q, 4),
        .rows = query_get_int(q, 5),
        .skipped = query_get_int(q, 6),
        .bytes = query_get_int(q, 7),
        .first_ms = query_get_int(q, 8),
        .last_ms = query_get_int(q, 9),
    };
}

static void warning_row(struct query *q, struct arena *a, void *item)
{
    *(struct store_warning *)item = (struct store_warning){
        .line = query_get_int(q, 0),
        .text = query_get_text(q, 1, a),
    };
}

static int read_warnings(struct store *s, const char *system, struct arena *a,
                         struct store_file *files, size_t n, struct err *e)
{
    struct list *warnings = arena_array(a, n, sizeof *warnings);
    struct row_owner *owners = arena_array(a, n, sizeof *owners);
    if (!warnings || !owners)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++) {
        warnings[i] = (struct list){ .arena = a, .size = sizeof(struct store_warning) };
        owners[i] = (struct row_owner){ files[i].file_id, 0, &warnings[i] };
    }
    struct query q;
    int rc = store_query_system(s, SQL_WARNING_LIST, system, &q, e);
    if (!rc)
        rc = read_owned(&q, owners, n, 2, warning_row, e);
    for (size_t i = 0; i < n; i++) {
        files[i].warnings = warnings[i].items;
        files[i].n_warnings = warnings[i].n;
    }
    return rc;
}

int store_files(struct store *s, const char *system, struct arena *a, struct store_file **out,
                size_t *out_n, struct err *e)
{
    struct list files = { .arena = a, .size = sizeof(struct store_file) };
    struct query q;
    int rc = store_query_system(s, SQL_FILE_LIST, system, &q, e);
    if (!rc)
        rc = read_list(&q, &files, file_row, e);
    if (!rc)
        rc = read_warnings(s, system, a, files.items, files.n, e);
    if (rc)
        return rc;
    *out = files.items;
    *out_n = files.n;
    return 0;
}

/* --- series and samples ------------------------------------------------------------------------
 */

static enum series_kind kind_of(const char *name)
{
    static const char *const names[] = {
        [SERIES_DEVICE] = "device",
        [SERIES_FILETYPE] = "filetype",
        [SERIES_VOLUME] = "volume",
        [SERIES_INSTANCE] = "instance",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (name && strcmp(name, names[i]) == 0)
            return (enum series_kind)i;
    return SERIES_DEVICE;
}

static void series_row(struct query *q, struct arena *a, void *item)
{
    *(struct store_series *)item = (struct store_series){
        .series_id = query_get_int(q, 0),
        .kind = kind_of(query_get_text(q, 1, a)),
        .counts = store_counts_of(query_get_text(q, 2, a)),
        .host = query_get_text(q, 3, a),
        .name = query_get_text(q, 4, a),
        .instance_number = query_get_int(q, 5),
        .n_samples = query_get_int(q, 6),
        .system_id = query_get_int(q, 7),
    };
}

int store_series(struct store *s, const char *system, struct arena *a, struct store_series **out,
                 size_t *out_n, struct err *e)
{
    struct list series = { .arena = a, .size = sizeof(struct store_series) };
    struct query q;
    int rc = store_query_system(s, SQL_SERIES_LIST, system, &q, e);
    if (!rc)
        rc = read_list(&q, &series, series_row, e);
    if (rc)
        return rc;
    *out = series.items;
    *out_n = series.n;
    return 0;
}

/* Column c of the chunk the query stands on, of n samples, into rows; non-zero when it is damaged
 * or memory is out. */
typedef int decode_fn(const unsigned char *bytes, size_t n_bytes, int c, void *rows, size_t n);

static int decode_sample(const unsigned char *bytes, size_t n_bytes, int c, void *rows, size_t n)
{
    return column_get(bytes, n_bytes, (enum sample_column)c, rows, n);
}

static int decode_value(const unsigned char *bytes, size_t n_bytes, int c, void *rows, size_t n)
{
    return value_column_get(bytes, n_bytes, (enum value_column)c, rows, n);
}

/* Decodes the chunk the query stands on; the number of samples, or 0 when it is damaged. */
static size_t decode_chunk(struct query *q, decode_fn *decode, int n_columns, void *rows)
{
    int64_t n = query_get_int(q, 1);
    if (n < 1 || n > STORE_BLOCK_SAMPLES)
        return 0;
    for (int c = 0; c < n_columns; c++) {
        struct span bytes = query_get_blob(q, 2 + c);
        if (!bytes.ptr || decode((const unsigned char *)bytes.ptr, bytes.len, c, rows, (size_t)n))
            return 0;
    }
    return (size_t)n;
}

size_t query_get_samples(struct query *q, struct store_sample *samples)
{
    return decode_chunk(q, decode_sample, COLUMN_COUNT, samples);
}

size_t query_get_values(struct query *q, struct store_metric_value *values)
{
    return decode_chunk(q, decode_value, VALUE_COLUMN_COUNT, values);
}

static int damaged(struct query *q, const char *what, int64_t id, struct err *e)
{
    return err_set(e, ERR_STORE, "%s: damaged (file %lld, %s %lld)", q->store->path,
                   (long long)query_get_int(q, 0), what, (long long)id);
}

int store_samples(struct store *s, const struct store_series *series, store_block_fn *fn, void *ctx,
                  struct err *e)
{
    struct store_sample *samples = mem_zalloc(STORE_BLOCK_SAMPLES, sizeof *samples);
    if (!samples)
        return err_nomem(e);
    struct query q = query_start(s, SQL_CHUNK_LIST);
    query_int(&q, 1, series->series_id);
    query_int(&q, 2, series->system_id);
    int stop = 0;
    while (!stop && query_step(&q)) {
        size_t n = query_get_samples(&q, samples);
        if (n)
            stop = fn(ctx, query_get_int(&q, 0), samples, n, e);
        else if (!q.no_memory)
            stop = damaged(&q, "samples of series", series->series_id, e);
    }
    int rc = query_end(&q, stop ? NULL : e);
    mem_free(samples);
    return stop ? stop : rc;
}

/* --- metrics -----------------------------------------------------------------------------------
 */

static enum metric_statistic statistic_of(const char *name)
{
    for (int i = 0; i < STATISTIC_OTHER; i++)
        if (name && strcmp(name, metric_statistic_name((enum metric_statistic)i)) == 0)
            return (enum metric_statistic)i;
    return STATISTIC_OTHER;
}

static void metric_row(struct query *q, struct arena *a, void *item)
{
    *(struct store_metric *)item = (struct store_metric){
        .metric_id = query_get_int(q, 0),
        .head = { .metric = query_get_text(q, 1, a),
                  .dimension = query_get_text(q, 2, a),
                  .statistic = statistic_of(query_get_text(q, 3, a)),
                  .statistic_text = query_get_text(q, 4, a),
                  .host = query_get_text(q, 5, a),
                  .instance_number = query_get_int(q, 6),
                  .account = query_get_text(q, 7, a),
                  .region = query_get_text(q, 8, a),
                  .namespace_name = query_get_text(q, 9, a),
                  .unit = query_get_text(q, 10, a),
                  .counts = store_counts_of(query_get_text(q, 11, a)),
                  .n = (size_t)query_get_int(q, 12) },
        .system_id = query_get_int(q, 13),
    };
}

int store_metrics(struct store *s, const char *system, struct arena *a, struct store_metric **out,
                  size_t *out_n, struct err *e)
{
    struct list metrics = { .arena = a, .size = sizeof(struct store_metric) };
    struct query q;
    int rc = store_query_system(s, SQL_METRIC_LIST, system, &q, e);
    if (!rc)
        rc = read_list(&q, &metrics, metric_row, e);
    if (rc)
        return rc;
    *out = metrics.items;
    *out_n = metrics.n;
    return 0;
}

int store_metric_values(struct store *s, const struct store_metric *metric, store_values_fn *fn,
                        void *ctx, struct err *e)
{
    struct store_metric_value *values = mem_zalloc(STORE_BLOCK_SAMPLES, sizeof *values);
    if (!values)
        return err_nomem(e);
    struct query q = query_start(s, SQL_METRIC_CHUNK_LIST);
    query_int(&q, 1, metric->metric_id);
    query_int(&q, 2, metric->system_id);
    int stop = 0;
    while (!stop && query_step(&q)) {
        size_t n = query_get_values(&q, values);
        if (n)
            stop = fn(ctx, query_get_int(&q, 0), values, n, e);
        else if (!q.no_memory)
            stop = damaged(&q, "values of metric", metric->metric_id, e);
    }
    int rc = query_end(&q, stop ? NULL : e);
    mem_free(values);
    return stop ? stop : rc;
}

/* --- snapshots ---------------------------------------------------------------------------------
 */

/* Number of the list in the row_owner of a snapshot; the statements know them too. */
enum { IO_FILETYPES, IO_FUNCTIONS };
enum { STAT_LOAD_PROFILE, STAT_IO_PROFILE, STAT_ACTIVITY };

struct snapshot_row {
    int64_t snapshot_id;
    struct awr_snapshot *snapshot;
    struct list io[2], events[1], stats[3];
};

static void snapshot_row(struct query *q, struct arena *a, void *item)
{
    struct awr_snapshot *w = arena_alloc(a, sizeof *w);
    struct list io = { .arena = a, .size = sizeof(struct awr_io_row) };
    struct list events = { .arena = a, .size = sizeof(struct awr_event) };
    struct list stats = { .arena = a, .size = sizeof(struct awr_stat) };
    *(struct snapshot_row *)item = (struct snapshot_row){
        query_get_int(q, 0), w, { io, io }, { events }, { stats, stats, stats }
    };
    if (!w) {
        q->no_memory = true;
        return;
    }
    w->file_id = query_get_int(q, 1);
    w->db_name = query_get_text(q, 2, a);
    w->db_id = query_get_int(q, 3);
    w->instance = query_get_text(q, 4, a);
    w->instance_number = query_get_int(q, 5);
    w->host = query_get_text(q, 6, a);
    w->release = query_get_text(q, 7, a);
    w->platform = query_get_text(q, 8, a);
    w->rac = (int)query_get_int(q, 9);
    w->cpus = query_get_num(q, 10);
    w->begin_ms = query_get_int(q, 11);
    w->end_ms = query_get_int(q, 12);
    w->elapsed_s = query_get_num(q, 13);
    w->db_time_s = query_get_num(q, 14);
}

static void io_row(struct query *q, struct arena *a, void *item)
{
    *(struct awr_io_row *)item = (struct awr_io_row){
        .name = query_get_text(q, 0, a),
        .read_bytes = query_get_num(q, 1),
        .write_bytes = query_get_num(q, 2),
        .read_requests_per_s = query_get_num(q, 3),
        .write_requests_per_s = query_get_num(q, 4),
        .read_bytes_per_s = query_get_num(q, 5),
        .write_bytes_per_s = query_get_num(q, 6),
        .small_read_ms = query_get_num(q, 7),
        .large_read_ms = query_get_num(q, 8),
        .waits = query_get_num(q, 9),
        .wait_avg_ms = query_get_num(q, 10),
        .line = query_get_int(q, 11),
    };
}

static void event_row(struct query *q, struct arena *a, void *item)
{
    *(struct awr_event *)item = (struct awr_event){
        .name = query_get_text(q, 0, a),
        .wait_class = query_get_text(q, 1, a),
        .waits = query_get_num(q, 2),
        .time_s = query_get_num(q, 3),
        .avg_ms = query_get_num(q, 4),
        .pct_db_time = query_get_num(q, 5),
        .line = query_get_int(q, 6),
    };
}

static void stat_row(struct query *q, struct arena *a, void *item)
{
    *(struct awr_stat *)item = (struct awr_stat){
        .name = query_get_text(q, 0, a),
        .total = query_get_num(q, 1),
        .per_s = query_get_num(q, 2),
        .line = query_get_int(q, 3),
    };
}

/* By file and number, as the statements give what belongs to them. */
static int by_owner(const void *a, const void *b)
{
    const struct snapshot_row *x = *(struct snapshot_row *const *)a,
                              *y = *(struct snapshot_row *const *)b;
    if (x->snapshot->file_id != y->snapshot->file_id)
        return x->snapshot->file_id < y->snapshot->file_id ? -1 : 1;
    return (x->snapshot_id > y->snapshot_id) - (x->snapshot_id < y->snapshot_id);
}

/* The rows of one table that belong to the snapshots; `lists` is where a snapshot_row has its
 * lists of them. */
static int read_snapshot_rows(struct store *s, const char *system, enum sql id,
                              struct snapshot_row *const *sorted, struct row_owner *owners,
                              size_t n, size_t lists, int key_at, row_fn *row, struct err *e)
{
    for (size_t i = 0; i < n; i++)
        owners[i] = (struct row_owner){ sorted[i]->snapshot->file_id, sorted[i]->snapshot_id,
                                        (struct list *)((char *)sorted[i] + lists) };
    struct query q;
    int rc = store_query_system(s, id, system, &q, e);
    return rc ? rc : read_owned(&q, owners, n, key_at, row, e);
}

static void finish_snapshot(const struct snapshot_row *r)
{
    struct awr_snapshot *w = r->snapshot;
    w->filetypes = r->io[IO_FILETYPES].items;
    w->n_filetypes = r->io[IO_FILETYPES].n;
    w->functions = r->io[IO_FUNCTIONS].items;
    w->n_functions = r->io[IO_FUNCTIONS].n;
    w->events = r->events[0].items;
    w->n_events = r->events[0].n;
    w->load_profile = r->stats[STAT_LOAD_PROFILE].items;
    w->n_load_profile = r->stats[STAT_LOAD_PROFILE].n;
    w->io_profile = r->stats[STAT_IO_PROFILE].items;
    w->n_io_profile = r->stats[STAT_IO_PROFILE].n;
    w->stats = r->stats[STAT_ACTIVITY].items;
    w->n_stats = r->stats[STAT_ACTIVITY].n;
}

/* One statement for each table, whatever the number of snapshots. */
static int fill_snapshots(struct store *s, const char *system, struct snapshot_row *rows, size_t n,
                          struct arena *a, struct err *e)
{
    struct snapshot_row **sorted = arena_array(a, n, sizeof(void *));
    struct row_owner *owners = arena_array(a, n, sizeof *owners);
    if (!sorted || !owners)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++)
        sorted[i] = &rows[i];
    if (n)
        qsort(sorted, n, sizeof(void *), by_owner);
    int rc = read_snapshot_rows(s, system, SQL_SNAPSHOT_IO_LIST, sorted, owners, n,
                                offsetof(struct snapshot_row, io), 12, io_row, e);
    if (!rc)
        rc = read_snapshot_rows(s, system, SQL_SNAPSHOT_EVENT_LIST, sorted, owners, n,
                                offsetof(struct snapshot_row, events), 7, event_row, e);
    if (!rc)
        rc = read_snapshot_rows(s, system, SQL_SNAPSHOT_STAT_LIST, sorted, owners, n,
                                offsetof(struct snapshot_row, stats), 4, stat_row, e);
    for (size_t i = 0; i < n; i++)
        finish_snapshot(&rows[i]);
    return rc;
}

int store_snapshots(struct store *s, const char *system, struct arena *a,
                    const struct awr_snapshot *const **out, size_t *out_n, struct err *e)
{
    struct list rows = { .arena = a, .size = sizeof(struct snapshot_row) };
    struct query q;
    int rc = store_query_system(s, SQL_SNAPSHOT_LIST, system, &q, e);
    if (!rc)
        rc = read_list(&q, &rows, snapshot_row, e);
    if (!rc)
        rc = fill_snapshots(s, system, rows.items, rows.n, a, e);
    if (rc)
        return rc;
    const struct awr_snapshot **snapshots = arena_array(a, rows.n, sizeof(void *));
    if (!snapshots)
        return err_nomem(e);
    const struct snapshot_row *row = rows.items;
    for (size_t i = 0; i < rows.n; i++)
        snapshots[i] = row[i].snapshot;
    *out = snapshots;
    *out_n = rows.n;
    return 0;
}
