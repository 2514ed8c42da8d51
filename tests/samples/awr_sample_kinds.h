/* tests/samples/awr_sample_kinds.h - clusters, compared periods and Statspack against their truths.
 */
#ifndef TESTS_SAMPLES_AWR_SAMPLE_KINDS_H
#define TESTS_SAMPLES_AWR_SAMPLE_KINDS_H

#include "tests/samples/awr_sample.h"

static inline double io_figure(const struct awr_io_row *rows, size_t n, const char *name,
                               size_t offset)
{
    double v = NAN;
    for (size_t i = 0; i < n; i++)
        if (strncmp(rows[i].name, name, strlen(name)) == 0)
            memcpy(&v, (const char *)&rows[i] + offset, sizeof v);
    return v;
}

#define READ_RATE      offsetof(struct awr_io_row, read_bytes_per_s)
#define WRITE_RATE     offsetof(struct awr_io_row, write_bytes_per_s)
#define READ_REQUESTS  offsetof(struct awr_io_row, read_requests_per_s)
#define WRITE_REQUESTS offsetof(struct awr_io_row, write_requests_per_s)

/* A time without seconds, too. */
static inline void compare_time(struct sample *x, const char *what, int64_t got_ms,
                                const cJSON *want)
{
    int64_t want_ms = UNKNOWN;
    if (!cJSON_IsString(want))
        return;
    assert_int_equal(awr_cell_time(span_of(want->valuestring), &want_ms), 0);
    x->n_compared++;
    n_figures++;
    if (got_ms != want_ms)
        wrong(x, "period", what, "another time", want->valuestring);
}

static inline void compare_number_if(struct sample *x, const char *where, const char *what,
                                     double got, const cJSON *want)
{
    if (want)
        compare_num(x, where, what, got, want);
}

static inline void compare_identity(struct sample *x, const struct awr_snapshot *s, const cJSON *t)
{
    const char *dbid = text_of(t, "dbid", "");
    if (at(t, "release"))
        compare_text(x, "release", s->release, at(t, "release"));
    if (at(t, "host"))
        compare_text(x, "host", s->host, at(t, "host"));
    if (at(t, "instance"))
        compare_text(x, "instance", s->instance, at(t, "instance"));
    compare_number_if(x, "header", "cpus", s->cpus, at(t, "cpus"));
    x->n_compared++;
    if (*dbid && s->db_id != strtoll(dbid, NULL, 10))
        wrong(x, "header", "dbid", "another", dbid);
    /* "DBM11203 (from the DB/Inst: title lines ...)" */
    const char *db_name = text_of(t, "db_name", "");
    size_t n = strcspn(db_name, " ");
    x->n_compared++;
    if (n && (!s->db_name || strncmp(s->db_name, db_name, n) != 0 || s->db_name[n]))
        wrong(x, "header", "db_name", s->db_name ? s->db_name : "nothing", db_name);
    compare_time(x, "begin", s->begin_ms, at(t, "begin_time"));
    compare_time(x, "end", s->end_ms, at(t, "end_time"));
}

static inline void compare_redo(struct sample *x, const struct awr_snapshot *s, const cJSON *want,
                                double unit_bytes)
{
    double got = find_stat(s->load_profile, s->n_load_profile, "redo_bytes_per_s");
    /* the truth rounds bytes to 0.1 */
    x->n_compared++;
    n_figures++;
    if (!(fabs(got - want->valuedouble * unit_bytes) <= 0.05 + 1e-9 * got))
        wrong(x, "load_profile", "redo", "another", "as printed");
}

static inline void compare_statspack(struct sample *x)
{
    const cJSON *t = x->truth, *row;
    size_t i = 0;
    compare_identity(x, &x->s, t);
    compare_num(x, "period", "elapsed_s", x->s.elapsed_s, at(t, "elapsed_s_from_times"));
    cJSON *db_time_s = cJSON_CreateNumber(at(t, "db_time_min")->valuedouble * 60);
    compare_num(x, "period", "db_time_s", x->s.db_time_s, db_time_s);
    cJSON_Delete(db_time_s);
    compare_redo(x, &x->s, at(t, "redo_bytes_per_s"), 1);
    cJSON_ArrayForEach(row, at(t, "iostat_function"))
    {
        static const struct {
            const char *key;
            size_t offset;
            double unit;
        } figures[] = {
            { "read_bytes", offsetof(struct awr_io_row, read_bytes), 1 },
            { "read_reqs_s", READ_REQUESTS, 1 },
            { "read_mib_s", READ_RATE, MIB_BYTES },
            { "write_bytes", offsetof(struct awr_io_row, write_bytes), 1 },
            { "write_reqs_s", WRITE_REQUESTS, 1 },
            { "write_mib_s", WRITE_RATE, MIB_BYTES },
            { "waits", offsetof(struct awr_io_row, waits), 1 },
            { "avg_ms", offsetof(struct awr_io_row, wait_avg_ms), 1 },
        };
        const char *name = text_of(row, "name", "");
        for (size_t k = 0; k < sizeof figures / sizeof *figures; k++)
            compare_number_if(x, name, figures[k].key,
                              io_figure(x->s.functions, x->s.n_functions, name, figures[k].offset) /
                                  figures[k].unit,
                              at(row, figures[k].key));
    }
    cJSON_ArrayForEach(row, at(t, "top_events"))
    {
        assert_true(i < x->s.n_events);
        const struct awr_event *v = &x->s.events[i++];
        const char *name = text_of(row, "event", "");
        if (strcmp(v->name, name) != 0)
            wrong(x, "event", "name", v->name, name);
        compare_num(x, name, "waits", v->waits, at(row, "waits"));
        compare_num(x, name, "time_s", v->time_s, at(row, "time_s"));
        compare_num(x, name, "avg_ms", v->avg_ms, at(row, "avg_ms"));
        compare_num(x, name, "pct", v->pct_db_time, at(row, "pct"));
    }
    cJSON_ArrayForEach(row, at(t, "instance_activity"))
    {
        const struct awr_stat *stat = NULL;
        for (size_t k = 0; k < x->s.n_stats; k++)
            if (strcmp(x->s.stats[k].name, row->string) == 0)
                stat = &x->s.stats[k];
        compare_number_if(x, row->string, "total", stat ? stat->total : NAN, at(row, "total"));
        compare_number_if(x, row->string, "per_s", stat ? stat->per_s : NAN, at(row, "per_s"));
        compare_number_if(x, row->string, "line", stat ? (double)stat->line : NAN, at(row, "line"));
    }
}

static inline void compare_periods(struct sample *x)
{
    static const struct {
        const char *key, *name;
        size_t offset;
        double unit;
    } figures[] = {
        { "read_mib_s_total", "TOTAL", READ_RATE, MIB_BYTES },
        { "write_mib_s_total", "TOTAL", WRITE_RATE, MIB_BYTES },
        { "read_reqs_s_total", "TOTAL", READ_REQUESTS, 1 },
        { "datafile_read_reqs_s", "Data File", READ_REQUESTS, 1 },
        { "datafile_write_reqs_s", "Data File", WRITE_REQUESTS, 1 },
        { "logfile_write_reqs_s", "Log File", WRITE_REQUESTS, 1 },
        { "datafile_read_mib_s", "Data File", READ_RATE, MIB_BYTES },
        { "datafile_write_mib_s", "Data File", WRITE_RATE, MIB_BYTES },
        { "logfile_write_mib_s", "Log File", WRITE_RATE, MIB_BYTES },
    };
    const cJSON *t;
    int i = 0;
    assert_int_equal(x->n_snapshots, 2);
    cJSON_ArrayForEach(t, at(x->truth, "periods"))
    {
        const struct awr_snapshot *s = &x->all[i++];
        const char *set = text_of(t, "set", "");
        compare_identity(x, s, t);
        compare_num(x, set, "elapsed_s", s->elapsed_s, at(t, "elapsed_s"));
        compare_num(x, set, "db_time_s", s->db_time_s, at(t, "db_time_s"));
        compare_redo(x, s, at(t, "redo_bytes_per_s"), 1);
        for (size_t k = 0; k < sizeof figures / sizeof *figures; k++)
            compare_num(x, set, figures[k].key,
                        io_figure(s->filetypes, s->n_filetypes, figures[k].name,
                                  figures[k].offset) /
                            figures[k].unit,
                        at(t, figures[k].key));
        compare_num(x, set, "write_reqs_s_total",
                    io_figure(s->functions, s->n_functions, "TOTAL", WRITE_REQUESTS),
                    at(t, "write_reqs_s_total"));
    }
}

/* {"read_mb_s": {"Total": null, "Data File": 552.73}, ...} */
static inline void compare_wide(struct sample *x, const struct awr_io_row *rows, size_t n,
                                const cJSON *groups)
{
    static const struct {
        const char *key;
        size_t offset;
        double unit;
    } kinds[] = { { "read_mb_s", READ_RATE, MIB_BYTES },
                  { "write_mb_s", WRITE_RATE, MIB_BYTES },
                  { "read_reqs_s", READ_REQUESTS, 1 },
                  { "write_reqs_s", WRITE_REQUESTS, 1 } };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const cJSON *figure;
        cJSON_ArrayForEach(figure, at(groups, kinds[k].key))
        {
            const char *name = strcmp(figure->string, "Total") == 0 ? "TOTAL" : figure->string;
            compare_num(x, kinds[k].key, figure->string,
                        io_figure(rows, n, name, kinds[k].offset) / kinds[k].unit, figure);
        }
    }
}

static inline void compare_cluster_rows(struct sample *x, const struct awr_snapshot *s)
{
    const cJSON *row;
    cJSON_ArrayForEach(row, at(x->truth, "iostat_filetype_star"))
    {
        const char *name = text_of(row, "name", "");
        const char *ours = strcmp(name, "Total") == 0 ? "TOTAL" : name;
        const struct {
            const char *key;
            size_t offset;
            double unit;
        } figures[] = { { "reads_s", READ_REQUESTS, 1 },
                        { "writes_s", WRITE_REQUESTS, 1 },
                        { "read_mb_s", READ_RATE, MIB_BYTES },
                        { "write_mb_s", WRITE_RATE, MIB_BYTES } };
        for (size_t k = 0; k < 4; k++)
            compare_num(x, name, figures[k].key,
                        io_figure(s->filetypes, s->n_filetypes, ours, figures[k].offset) /
                            figures[k].unit,
                        at(row, figures[k].key));
        /* the sums of both directions, as the table rounds them */
        double both = io_figure(s->filetypes, s->n_filetypes, ours, READ_REQUESTS) +
                      io_figure(s->filetypes, s->n_filetypes, ours, WRITE_REQUESTS);
        double both_mib = (io_figure(s->filetypes, s->n_filetypes, ours, READ_RATE) +
                           io_figure(s->filetypes, s->n_filetypes, ours, WRITE_RATE)) /
                          MIB_BYTES;
        assert_true(fabs(both - at(row, "ios_s")->valuedouble) < 0.011);
        assert_true(fabs(both_mib - at(row, "mb_s")->valuedouble) < 0.011);
        x->n_compared += 2;
        n_figures += 2;
    }
}

static inline void compare_cluster(struct sample *x)
{
    const cJSON *t = x->truth, *one;
    int i = 1;
    const struct awr_snapshot *cluster = &x->all[0];
    assert_int_equal(x->n_snapshots, 1 + cJSON_GetArraySize(at(t, "instances")));
    assert_null(cluster->instance);
    assert_true(cluster->instance_number == UNKNOWN);
    compare_identity(x, cluster, t);
    compare_redo(x, cluster, at(t, "redo_bytes_per_s"), 1);
    cJSON_ArrayForEach(one, at(t, "instances"))
    {
        const struct awr_snapshot *s = &x->all[i++];
        compare_text(x, "instance", s->instance, at(one, "name"));
        compare_text(x, "host", s->host, at(one, "host"));
        compare_text(x, "release", s->release, at(one, "release"));
        compare_num(x, "instance", "number", (double)s->instance_number, at(one, "inst"));
        compare_num(x, "instance", "cpus", s->cpus, at(one, "cpus"));
        compare_num(x, "instance", "db_time_min", s->db_time_s / 60, at(one, "db_time_min"));
        compare_num(x, "instance", "elapsed_min", s->elapsed_s / 60, at(one, "elapsed_min"));
        compare_redo(x, s, at(one, "redo_kb_s"), 1024);
    }
    compare_number_if(x, "period", "elapsed_min", cluster->elapsed_s / 60, at(t, "elapsed_min"));
    compare_number_if(x, "period", "db_time_min", cluster->db_time_s / 60, at(t, "db_time_min"));
    compare_io_profile_of(x, cluster);
    compare_cluster_rows(x, cluster);
    compare_wide(x, cluster->filetypes, cluster->n_filetypes, at(t, "iostat_filetype"));
    compare_wide(x, cluster->functions, cluster->n_functions, at(t, "iostat_function"));
    if (at(t, "traps") && strstr(text_of(t, "traps", ""), "corrupt"))
        for (size_t k = 0; k < cluster->n_functions; k++) {
            const struct awr_io_row *row = &cluster->functions[k];
            assert_true(!(row->read_requests_per_s > 2371.89 * 1.1 + 1));
            assert_true(row->read_bytes_per_s >= 0);
        }
}

#endif
