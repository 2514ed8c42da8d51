/* data/store/store_copy.c - see store_copy.h.
 *
 * A row is read with its columns in the order of the parameters of the statement that adds one.
 * Numbers of series, metrics and snapshots are those of the store they are in. */
#include "data/store/store_copy.h"

#include "data/store/sample_column.h"
#include "data/store/store_driver.h"
#include "models/core/unit.h"

#include <stdio.h>
#include <string.h>

enum { SQL_MAX = 1024, PARAMETERS_MAX = 32 };

#define COLUMN_NAME(field, kind)  ", " #field
#define EVERY_COLUMN(field, kind) "b"

/* What becomes of a column: i, n, t, b as it is (integer, number, text, bytes); S series, M metric,
 * P snapshot: the number in the other store.  F is the file's number there, and no column. */
struct copied_table {
    const char *table, *columns, *order, *kinds;
    enum sql add;
    bool of_snapshot;
};

static const struct copied_table tables[] = {
    { "warning", "warning_no, line, text", "warning_no", "Fiit", SQL_WARNING_ADD, false },
    { "chunk", "series_id, block_no, n_samples, first_ms, last_ms" SAMPLE_COLUMNS(COLUMN_NAME),
      "block_no", "FSiiii" SAMPLE_COLUMNS(EVERY_COLUMN), SQL_CHUNK_ADD, false },
    { "metric_chunk",
      "metric_id, block_no, n_samples, first_ms, last_ms" VALUE_COLUMNS(COLUMN_NAME), "block_no",
      "FMiiii" VALUE_COLUMNS(EVERY_COLUMN), SQL_METRIC_CHUNK_ADD, false },
    { "hourly",
      "series_id, hour_ms, n_samples, covered_ms, min_mibps, max_mibps, mean_mibps,"
      " worst_minute_mibps, min_iops, max_iops, mean_iops, worst_minute_iops",
      "series_id, hour_ms", "SiFiinnnnnnnn", SQL_HOURLY_ADD, false },
    { "volume_config",
      "row_no, line, volume_id, volume_type, size_gib, iops, throughput_mibps, state,"
      " instance_id, device, zone, name, snapshot_id, created_ms, attached_ms, attachments,"
      " ebs_card, multi_attach",
      "row_no", "Fiittiiittttttiiiii", SQL_VOLUME_ADD, false },
    { "volume_modification",
      "row_no, line, volume_id, state, from_volume_type, from_size_gib, from_iops,"
      " from_throughput_mibps, to_volume_type, to_size_gib, to_iops, to_throughput_mibps,"
      " start_ms, end_ms, progress_pct",
      "row_no", "Fiitttiiitiiiiin", SQL_MODIFICATION_ADD, false },
    { "bill_line",
      "row_no, line, start_ms, end_ms, account, region, resource, usage_type, operation, unit,"
      " currency, line_type, amount, amount_pico, cost, cost_pico, list_cost, list_cost_pico,"
      " cost_decimals",
      "row_no",
      "Fiiii"
      "tttttttt"
      "tititii",
      SQL_BILL_LINE_ADD, false },
    { "record", "row_no, line, kind, time_ms", "row_no", "Fiiti", SQL_RECORD_ADD, false },
    { "record_field", "row_no, field_no, key, unit, num, text", "row_no, field_no", "Fiittnt",
      SQL_RECORD_FIELD_ADD, false },
    { "snapshot_io",
      "snapshot_id, kind, row_no, name, read_bytes, write_bytes, read_requests_per_s,"
      " write_requests_per_s, read_bytes_per_s, write_bytes_per_s, small_read_ms,"
      " large_read_ms, waits, wait_avg_ms, line",
      "kind, row_no",
      "Ptit"
      "nnnnnnnnnn"
      "iF",
      SQL_SNAPSHOT_IO_ADD, true },
    { "snapshot_event",
      "snapshot_id, row_no, name, wait_class, waits, time_s, avg_ms, pct_db_time, line", "row_no",
      "PittnnnniF", SQL_SNAPSHOT_EVENT_ADD, true },
    { "snapshot_stat", "snapshot_id, kind, row_no, name, total, per_s, line", "kind, row_no",
      "PtitnniF", SQL_SNAPSHOT_STAT_ADD, true },
};

static const struct copied_table snapshot_table = {
    "snapshot",
    "db_name, db_id, instance, instance_number, host, release, platform, rac, cpus, begin_ms,"
    " end_ms, elapsed_s, db_time_s",
    "snapshot_id",
    "Ftititttiniinn",
    SQL_SNAPSHOT_ADD,
    true,
};

struct file_row {
    int64_t file_id, system_id;
    const char *system;
    struct store_file_start start;
    struct store_file_end end;
};

/* The numbers of one kind of thing in both stores. */
struct numbers {
    int64_t *from, *to; /* to: UNKNOWN until the file under way needs it */
    size_t n;
};

struct copy {
    struct store *from, *to;
    struct arena arena; /* of the whole */
    struct arena system_arena;
    const struct file_row *file; /* under way */
    const char *system;          /* whose series and metrics are here */
    struct store_series *series;
    struct store_metric *metrics;
    struct numbers series_no, metric_no;
    int64_t snapshot_from, snapshot_to;
};

/* --- numbers -----------------------------------------------------------------------------------
 */

static size_t find_number(const struct numbers *l, int64_t id)
{
    size_t i = 0;
    while (i < l->n && l->from[i] != id)
        i++;
    return i;
}

static int numbers_init(struct numbers *l, size_t n, struct arena *a, struct err *e)
{
    *l =
        (struct numbers){ arena_array(a, n, sizeof *l->from), arena_array(a, n, sizeof *l->to), n };
    return l->from && l->to ? 0 : err_nomem(e);
}

/* Series and metrics of a file's system. */
static int enter_system(struct copy *c, const char *system, struct err *e)
{
    size_t n_series = 0, n_metrics = 0;
    if (c->system && strcmp(c->system, system) == 0)
        return 0;
    arena_reuse(&c->system_arena);
    c->system = system;
    int rc = store_series(c->from, system, &c->system_arena, &c->series, &n_series, e);
    if (!rc)
        rc = store_metrics(c->from, system, &c->system_arena, &c->metrics, &n_metrics, e);
    if (!rc)
        rc = numbers_init(&c->series_no, n_series, &c->system_arena, e);
    if (!rc)
        rc = numbers_init(&c->metric_no, n_metrics, &c->system_arena, e);
    for (size_t i = 0; i < n_series && !rc; i++)
        c->series_no.from[i] = c->series[i].series_id;
    for (size_t i = 0; i < n_metrics && !rc; i++)
        c->metric_no.from[i] = c->metrics[i].metric_id;
    return rc;
}

static void forget_numbers(struct numbers *l)
{
    for (size_t i = 0; i < l->n; i++)
        l->to[i] = UNKNOWN;
}

static int lost_number(const struct copy *c, const char *what, struct err *e)
{
    return err_set(e, ERR_STORE, "%s: damaged (file %lld names a %s that is not there)",
                   c->from->path, (long long)c->file->file_id, what);
}

static int series_number(struct copy *c, int64_t id, int64_t *out, struct err *e)
{
    size_t i = find_number(&c->series_no, id);
    if (i == c->series_no.n)
        return lost_number(c, "series", e);
    int rc = 0;
    if (c->series_no.to[i] == UNKNOWN)
        rc = backend_device_series(c->to, span_of(c->series[i].host), span_of(c->series[i].name),
                                   &c->series_no.to[i], e);
    *out = c->series_no.to[i];
    return rc;
}

static int metric_number(struct copy *c, int64_t id, int64_t *out, struct err *e)
{
    size_t i = find_number(&c->metric_no, id);
    if (i == c->metric_no.n)
        return lost_number(c, "metric", e);
    int rc = 0;
    if (c->metric_no.to[i] == UNKNOWN) {
        struct metric_sample m = metric_series_sample(&c->metrics[i].head);
        rc = backend_metric(c->to, &m, &c->metric_no.to[i], e);
    }
    *out = c->metric_no.to[i];
    return rc;
}

/* --- rows --------------------------------------------------------------------------------------
 */

/* Numbers that the row names, by place; before anything is bound, since finding one asks the other
 * store. */
static int map_numbers(struct copy *c, struct query *q, const char *kinds, int64_t *mapped,
                       struct err *e)
{
    int rc = 0;
    for (int i = 0, column = 0; kinds[i] && !rc; column += kinds[i++] != 'F')
        if (kinds[i] == 'S')
            rc = series_number(c, query_get_int(q, column), &mapped[i], e);
        else if (kinds[i] == 'M')
            rc = metric_number(c, query_get_int(q, column), &mapped[i], e);
        else if (kinds[i] == 'P')
            mapped[i] = c->snapshot_to;
        else
            mapped[i] = c->to->file_id;
    return rc;
}

static void bind_bytes(struct query *from, int column, struct query *to, int at, bool is_text)
{
    const struct store_driver *d = from->store->driver;
    if (d->is_null(from, column)) {
        query_int(to, at, UNKNOWN);
        return;
    }
    struct span bytes = is_text ? d->get_text(from, column) : d->get_blob(from, column);
    if (!bytes.ptr && is_text)
        from->no_memory = true;
    else if (is_text)
        to->store->driver->bind_text(to, at, bytes);
    else
        query_blob(to, at, bytes.ptr ? bytes.ptr : "", bytes.len);
}

static void bind_row(struct query *from, const char *kinds, const int64_t *mapped, struct query *to)
{
    for (int i = 0, column = 0; kinds[i]; column += kinds[i++] != 'F')
        switch (kinds[i]) {
        case 'i':
            query_int(to, i + 1, query_get_int(from, column));
            break;
        case 'n':
            query_num(to, i + 1, query_get_num(from, column));
            break;
        case 't':
        case 'b':
            bind_bytes(from, column, to, i + 1, kinds[i] == 't');
            break;
        default:
            query_int(to, i + 1, mapped[i]);
        }
}

static int copy_row(struct copy *c, struct query *from, const struct copied_table *t,
                    int64_t *out_id, struct err *e)
{
    int64_t mapped[PARAMETERS_MAX] = { 0 };
    int rc = map_numbers(c, from, t->kinds, mapped, e);
    if (rc)
        return rc;
    struct query to = query_start(c->to, t->add);
    bind_row(from, t->kinds, mapped, &to);
    rc = out_id ? query_add(&to, out_id, e) : query_run(&to, e);
    return !rc && from->no_memory ? err_nomem(e) : rc;
}

static struct query select_rows(const struct copy *c, const struct copied_table *t,
                                const char *columns)
{
    char sql[SQL_MAX];
    const struct store_driver *d = c->from->driver;
    bool one = t->of_snapshot && c->snapshot_from != UNKNOWN;
    int len = snprintf(sql, sizeof sql, "SELECT %s FROM %s WHERE %s ORDER BY %s", columns, t->table,
                       one ? d->of_snapshot : d->of_file, t->order);
    if (len < 0 || (size_t)len >= sizeof sql)
        BUG("a statement of copy is too long");
    struct query q = query_start_text(c->from, sql);
    query_int(&q, 1, c->file->file_id);
    query_int(&q, 2, c->file->system_id);
    if (one)
        query_int(&q, 3, c->snapshot_from);
    return q;
}

static int copy_table(struct copy *c, const struct copied_table *t, int64_t *out_id, struct err *e)
{
    struct query q = select_rows(c, t, t->columns);
    int stop = 0;
    while (!stop && query_step(&q))
        stop = copy_row(c, &q, t, out_id, e);
    int rc = query_end(&q, stop ? NULL : e);
    return stop ? stop : rc;
}

static int list_snapshots(struct copy *c, struct arena *a, int64_t **out, size_t *out_n,
                          struct err *e)
{
    int64_t *ids = NULL;
    size_t n = 0, room = 0;
    c->snapshot_from = UNKNOWN;
    struct query q = select_rows(c, &snapshot_table, "snapshot_id");
    while (query_step(&q)) {
        if (n == room) {
            room = room ? 2 * room : 16;
            ids = arena_grow(a, ids, n, room, sizeof *ids);
        }
        if (!ids) {
            query_end(&q, NULL);
            return err_nomem(e);
        }
        ids[n++] = query_get_int(&q, 0);
    }
    *out = ids;
    *out_n = n;
    return query_end(&q, e);
}

static int copy_snapshots(struct copy *c, struct err *e)
{
    struct arena a = { 0 };
    int64_t *ids = NULL;
    size_t n = 0;
    int rc = list_snapshots(c, &a, &ids, &n, e);
    for (size_t i = 0; i < n && !rc; i++) {
        c->snapshot_from = ids[i];
        rc = copy_table(c, &snapshot_table, &c->snapshot_to, e);
        for (size_t t = 0; t < sizeof tables / sizeof *tables && !rc; t++)
            if (tables[t].of_snapshot)
                rc = copy_table(c, &tables[t], NULL, e);
    }
    arena_release(&a);
    return rc;
}

/* --- files -------------------------------------------------------------------------------------
 */

static int copy_rows(struct copy *c, struct err *e)
{
    int rc = enter_system(c, c->file->system, e);
    forget_numbers(&c->series_no);
    forget_numbers(&c->metric_no);
    for (size_t t = 0; t < sizeof tables / sizeof *tables && !rc; t++)
        if (!tables[t].of_snapshot)
            rc = copy_table(c, &tables[t], NULL, e);
    return rc ? rc : copy_snapshots(c, e);
}

static int copy_file(struct copy *c, const struct file_row *f, struct store_copied *out,
                     struct err *e)
{
    bool known = false;
    c->file = f;
    int rc = store_file_begin(c->to, &f->start, e);
    if (!rc)
        rc = c->to->driver->file_known(c->to, &f->end, &known, e);
    if (!rc && !known)
        rc = copy_rows(c, e);
    if (!rc && !known)
        rc = store_file_commit(c->to, &f->end, &known, e);
    store_file_rollback(c->to);
    if (!rc)
        *(known ? &out->known : &out->files) += 1;
    return rc;
}

static void file_row(struct query *q, struct arena *a, struct file_row *f)
{
    *f = (struct file_row){
        .file_id = query_get_int(q, 0),
        .system_id = query_get_int(q, 1),
        .system = query_get_text(q, 2, a),
        .start = { .path = query_get_text(q, 3, a),
                   .format = query_get_text(q, 4, a),
                   .zone = query_get_text(q, 5, a),
                   .date_ms = query_get_int(q, 6) },
        .end = { .rows = query_get_int(q, 7),
                 .skipped = query_get_int(q, 8),
                 .bytes = query_get_int(q, 9),
                 .first_ms = query_get_int(q, 10),
                 .last_ms = query_get_int(q, 11) },
    };
    f->start.system = f->system;
    struct span hash = query_get_blob(q, 12);
    if (hash.len == sizeof f->end.content_hash)
        memcpy(f->end.content_hash, hash.ptr, hash.len);
}

static int list_files(struct copy *c, struct file_row **out, size_t *out_n, struct err *e)
{
    static const char sql[] =
        "SELECT f.file_id, f.system_id, s.name, path, format, zone, date_ms, rows, skipped, bytes,"
        " first_ms, last_ms, content_hash FROM file f JOIN system s ON s.system_id = f.system_id"
        " ORDER BY f.file_id";
    struct file_row *files = NULL;
    size_t n = 0, room = 0;
    struct query q = query_start_text(c->from, sql);
    while (query_step(&q)) {
        if (n == room) {
            room = room ? 2 * room : 64;
            files = arena_grow(&c->arena, files, n, room, sizeof *files);
        }
        if (!files) {
            query_end(&q, NULL);
            return err_nomem(e);
        }
        file_row(&q, &c->arena, &files[n++]);
    }
    *out = files;
    *out_n = n;
    return query_end(&q, e);
}

/* --- all of it ---------------------------------------------------------------------------------
 */

/* Systems without files too, in their order. */
static int copy_layouts(struct copy *c, struct store_copied *out, struct err *e)
{
    const char *const *systems = NULL;
    size_t n = 0;
    int rc = store_systems(c->from, &c->arena, &systems, &n, e);
    for (size_t i = 0; i < n && !rc; i++) {
        const char *json = NULL;
        rc = store_layout_get(c->from, systems[i], &c->arena, &json, e);
        if (!rc && json) {
            rc = store_layout_set(c->to, systems[i], json, e);
            out->layouts++;
        }
    }
    out->systems = (int64_t)n;
    return rc;
}

int store_copy(struct store *from, struct store *to, struct store_copied *out, struct err *e)
{
    struct copy c = { .from = from, .to = to };
    struct file_row *files = NULL;
    size_t n = 0;
    *out = (struct store_copied){ 0 };
    int rc = store_read_begin(from, e);
    if (rc)
        return rc;
    rc = list_files(&c, &files, &n, e);
    for (size_t i = 0; i < n && !rc; i++)
        rc = copy_file(&c, &files[i], out, e);
    if (!rc)
        rc = copy_layouts(&c, out, e);
    store_read_end(from);
    arena_release(&c.system_arena);
    arena_release(&c.arena);
    return rc;
}
