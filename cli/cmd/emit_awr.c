/* cli/cmd/emit_awr.c - see emit_awr.h. */
#include "cli/cmd/emit_awr.h"

#include "models/core/timestamp.h"

#include <stdlib.h>
#include <string.h>

static void emit_io_rows(struct emit *m, const char *key, const struct emit_col *cols,
                         size_t n_cols, const struct awr_io_row *rows, size_t n, bool functions)
{
    emit_table(m, key, cols, n_cols);
    for (size_t i = 0; i < n; i++) {
        const struct awr_io_row *r = &rows[i];
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_text(m, "name", r->name);
        emit_num(m, "read_bytes", UNIT_BYTES, r->read_bytes);
        emit_num(m, "read_requests_per_s", UNIT_PER_S, r->read_requests_per_s);
        emit_num(m, "read_bytes_per_s", UNIT_BYTES_PER_S, r->read_bytes_per_s);
        emit_num(m, "write_bytes", UNIT_BYTES, r->write_bytes);
        emit_num(m, "write_requests_per_s", UNIT_PER_S, r->write_requests_per_s);
        emit_num(m, "write_bytes_per_s", UNIT_BYTES_PER_S, r->write_bytes_per_s);
        if (functions) {
            emit_num(m, "waits", UNIT_COUNT, r->waits);
            emit_num(m, "wait_avg_ms", UNIT_MS, r->wait_avg_ms);
        } else {
            emit_num(m, "small_read_ms", UNIT_MS, r->small_read_ms);
            emit_num(m, "large_read_ms", UNIT_MS, r->large_read_ms);
        }
        char number[48];
        emit_cell(m, "read_mibps", "%s", unit_format(number, r->read_bytes_per_s / MIB_BYTES, 3));
        emit_cell(m, "write_mibps", "%s", unit_format(number, r->write_bytes_per_s / MIB_BYTES, 3));
        emit_int(m, "line", UNIT_COUNT, r->line);
        emit_end(m);
    }
    emit_end(m);
}

static void emit_filetypes(struct emit *m, const struct awr_snapshot *s)
{
    static const struct emit_col cols[] = {
        { "name", "file type", true },
        { "read_mibps", "read MiB/s", false },
        { "read_requests_per_s", "reads/s", false },
        { "write_mibps", "write MiB/s", false },
        { "write_requests_per_s", "writes/s", false },
        { "small_read_ms", "small ms", false },
        { "large_read_ms", "large ms", false },
    };
    emit_io_rows(m, "filetypes", cols, sizeof cols / sizeof *cols, s->filetypes, s->n_filetypes,
                 false);
}

static void emit_functions(struct emit *m, const struct awr_snapshot *s)
{
    static const struct emit_col cols[] = {
        { "name", "function", true },
        { "read_mibps", "read MiB/s", false },
        { "read_requests_per_s", "reads/s", false },
        { "write_mibps", "write MiB/s", false },
        { "write_requests_per_s", "writes/s", false },
        { "waits", "waits", false },
        { "wait_avg_ms", "wait ms", false },
    };
    emit_io_rows(m, "functions", cols, sizeof cols / sizeof *cols, s->functions, s->n_functions,
                 true);
}

static void emit_events(struct emit *m, const struct awr_snapshot *s)
{
    static const struct emit_col cols[] = {
        { "name", "event", true },
        { "waits", "waits", false },
        { "time_s", "s", false },
        { "avg_ms", "avg ms", false },
        { "pct_db_time", "% DB time", false },
        { "class", "class", true },
    };
    emit_table(m, "events", cols, sizeof cols / sizeof *cols);
    for (size_t i = 0; i < s->n_events; i++) {
        const struct awr_event *v = &s->events[i];
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_text(m, "name", v->name);
        emit_num(m, "waits", UNIT_COUNT, v->waits);
        emit_num_digits(m, "time_s", UNIT_S, v->time_s, 1);
        emit_num(m, "avg_ms", UNIT_MS, v->avg_ms);
        emit_num_digits(m, "pct_db_time", UNIT_PCT, v->pct_db_time, 1);
        emit_text(m, "class", v->wait_class);
        emit_int(m, "line", UNIT_COUNT, v->line);
        emit_end(m);
    }
    emit_end(m);
}

static int by_name(const void *a, const void *b)
{
    const struct awr_stat *x = *(const struct awr_stat *const *)a;
    const struct awr_stat *y = *(const struct awr_stat *const *)b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x > y) - (x < y);
}

/* {"name": {total, per_s}} or {"name": per_s}, by name; a name printed twice keeps its first. */
static int emit_stats(struct emit *m, const char *key, const struct awr_stat *stats, size_t n,
                      bool totals, struct arena *a, struct err *e)
{
    const struct awr_stat **sorted = arena_array(a, n ? n : 1, sizeof(void *));
    if (!sorted)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++)
        sorted[i] = &stats[i];
    if (n)
        qsort(sorted, n, sizeof(void *), by_name);
    emit_begin(m, key, EMIT_OBJECT);
    for (size_t i = 0; i < n; i++) {
        if (i && strcmp(sorted[i - 1]->name, sorted[i]->name) == 0)
            continue;
        if (!totals) {
            emit_num(m, sorted[i]->name, UNIT_NONE, sorted[i]->per_s);
            continue;
        }
        emit_begin(m, sorted[i]->name, EMIT_OBJECT);
        emit_num(m, "total", UNIT_NONE, sorted[i]->total);
        emit_num(m, "per_s", UNIT_NONE, sorted[i]->per_s);
        emit_end(m);
    }
    emit_end(m);
    return 0;
}

static void say_snapshot(struct emit *m, const struct awr_snapshot *s)
{
    char from[32], to[32], elapsed[48], db_time[48];
    emit_say(m, "%s", "");
    emit_label(m, "database", "%s%s%s on %s, release %s, %s", s->db_name ? s->db_name : "-",
               s->instance ? ", instance " : "", s->instance ? s->instance : "",
               s->host ? s->host : "-", s->release ? s->release : "-",
               s->platform ? s->platform : "-");
    emit_label(m, "period", "%s to %s: %s s, DB time %s s", time_format_iso(from, s->begin_ms),
               time_format_iso(to, s->end_ms), unit_format(elapsed, s->elapsed_s, 0),
               unit_format(db_time, s->db_time_s, 0));
    emit_say(m, "%s", "");
}

int emit_awr_snapshot(struct emit *m, const struct awr_snapshot *s, struct arena *a, struct err *e)
{
    emit_begin(m, NULL, EMIT_OBJECT);
    emit_text(m, "db_name", s->db_name);
    emit_int(m, "db_id", UNIT_NONE, s->db_id);
    emit_text(m, "instance", s->instance);
    emit_int(m, "instance_number", UNIT_NONE, s->instance_number);
    emit_text(m, "host", s->host);
    emit_text(m, "release", s->release);
    if (s->rac < 0)
        emit_null(m, "rac");
    else
        emit_bool(m, "rac", s->rac);
    emit_text(m, "platform", s->platform);
    emit_num(m, "cpus", UNIT_COUNT, s->cpus);
    emit_time(m, "begin_time", s->begin_ms);
    emit_time(m, "end_time", s->end_ms);
    emit_num(m, "elapsed_s", UNIT_S, s->elapsed_s);
    emit_num(m, "db_time_s", UNIT_S, s->db_time_s);
    say_snapshot(m, s);
    emit_filetypes(m, s);
    emit_say(m, "%s", "");
    emit_functions(m, s);
    emit_say(m, "%s", "");
    emit_events(m, s);
    int rc = emit_stats(m, "load_profile", s->load_profile, s->n_load_profile, false, a, e);
    if (!rc)
        rc = emit_stats(m, "io_profile", s->io_profile, s->n_io_profile, false, a, e);
    if (!rc)
        rc = emit_stats(m, "stats", s->stats, s->n_stats, true, a, e);
    emit_label(m, "also", "%zu lines of the load profile and %zu statistics: --json",
               s->n_load_profile, s->n_stats);
    emit_end(m);
    return rc;
}
