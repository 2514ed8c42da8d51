/* tests/planner/whatif/redo_system.h - the six-standby incident as the planner gets it.
 *
 * The figures are those of its IOStat by Filetype table (database-investigator.com 2026-06-14), per
 * second: log files read 37.323 and written 23.111 MiB, two members; archived logs 22.135 and
 * 11.683; flashback logs written 9.854; 10 762 s. */
#ifndef TESTS_PLANNER_WHATIF_REDO_SYSTEM_H
#define TESTS_PLANNER_WHATIF_REDO_SYSTEM_H

#include "models/facts/catalogue.h"
#include "planner/whatif/whatif.h"
#include "tests/each_allocation.h"
#include "tests/planner/synthetic.h"

#define MIB 1048576.0
#define R   11.5555 /* 23.111 / 2 */

enum { FILES_MAX = 6, STATS_MAX = 12, STANDBYS_OF_LAYOUT = 8, GROUPS_OF_SYSTEM = 4 };

struct redo_system {
    struct awr_io_row files[FILES_MAX];
    struct awr_stat stats[STATS_MAX];
    struct awr_event events[2];
    struct awr_snapshot snapshot;
    const struct awr_snapshot *snapshots[4];
    struct layout_standby standbys[STANDBYS_OF_LAYOUT];
    struct layout_volumes volumes[GROUPS_OF_SYSTEM];
    struct layout_group groups[GROUPS_OF_SYSTEM];
    const char *devices[GROUPS_OF_SYSTEM];
    struct layout layout;
    struct synthetic_series rooms[GROUPS_OF_SYSTEM + FILES_MAX];
    struct load_series series[GROUPS_OF_SYSTEM + FILES_MAX];
    struct system_load load;
    struct arena arena;
    struct err err;
    struct system_demand demand;
    struct redo_path path;
};

static inline struct awr_io_row file_row(const char *name, double read_mibps, double write_mibps,
                                         double read_per_s, double write_per_s)
{
    return (struct awr_io_row){ .name = name,
                                .read_bytes = NAN,
                                .write_bytes = NAN,
                                .read_bytes_per_s = read_mibps * MIB,
                                .write_bytes_per_s = write_mibps * MIB,
                                .read_requests_per_s = read_per_s,
                                .write_requests_per_s = write_per_s,
                                .small_read_ms = NAN,
                                .large_read_ms = NAN };
}

static inline struct layout_standby standby_named(const char *name)
{
    return (struct layout_standby){
        .name = name, .send_mibps = NAN, .rtt_ms = NAN, .window_kib = NAN, .apply_mibps = NAN
    };
}

static inline void add_file_series(struct redo_system *s, size_t i)
{
    const struct awr_io_row *f = &s->files[i];
    struct load_series *x = &s->series[s->load.n_series];
    struct synthetic_series *room = &s->rooms[s->load.n_series++];
    *x = series_in(room, SERIES_FILETYPE, f->name);
    sample(x, room, 0, 10762, f->read_requests_per_s, f->write_requests_per_s,
           f->read_bytes_per_s / MIB, f->write_bytes_per_s / MIB);
}

/* Another row for file type i, in the report and in the series made of it. */
static inline void set_file(struct redo_system *s, size_t i, struct awr_io_row row)
{
    s->files[i] = row;
    s->rooms[i].read_mibps[0] = row.read_bytes_per_s / MIB;
    s->rooms[i].write_mibps[0] = row.write_bytes_per_s / MIB;
    s->rooms[i].read_iops[0] = row.read_requests_per_s;
    s->rooms[i].write_iops[0] = row.write_requests_per_s;
}

/* REDO1 and REDO2 with a member each, FRA, DATA; six standbys; the report alone. */
static inline void incident(struct redo_system *s)
{
    static const char *const names[] = { "dr1", "dr2", "dr3", "dr4", "dr5", "dr6" };
    *s = (struct redo_system){ 0 };
    s->files[0] = file_row("Log File", 37.323, 23.111, 37.9, 60.5);
    s->files[1] = file_row("Archive Log", 22.135, 11.683, 22.1, 11.7);
    s->files[2] = file_row("Flashback Log", 0, 9.854, 0, 21.8);
    s->files[3] = file_row("Data File", 21.58, 6.347, 1244, 489.6);
    s->snapshot = (struct awr_snapshot){ .db_name = "PRD1",
                                         .instance = "PRD1",
                                         .instance_number = 1,
                                         .db_id = UNKNOWN,
                                         .rac = 0,
                                         .begin_ms = morning_ms(),
                                         .end_ms = morning_ms() + 10762000,
                                         .elapsed_s = 10762,
                                         .filetypes = s->files,
                                         .n_filetypes = 4,
                                         .stats = s->stats,
                                         .events = s->events };
    s->snapshots[0] = &s->snapshot;
    s->groups[0] = group_named("REDO1", ROLE_REDO);
    s->groups[0].log_member = 1;
    s->groups[1] = group_named("REDO2", ROLE_REDO);
    s->groups[1].log_member = 2;
    s->groups[2] = group_named("FRA", ROLE_ARCHIVE);
    s->groups[3] = group_named("DATA", ROLE_DATA);
    for (size_t i = 0; i < GROUPS_OF_SYSTEM; i++)
        s->groups[i].need_gib = 500;
    for (size_t i = 0; i < 6; i++)
        s->standbys[i] = standby_named(names[i]);
    s->layout = layout_of(s->groups, GROUPS_OF_SYSTEM, NULL);
    s->layout.redo.members = 2;
    s->layout.redo.log_gib = 4;
    s->layout.redo.buffer_mib = s->layout.redo.other_archive_readers =
        s->layout.redo.other_online_readers = NAN;
    s->layout.standbys = s->standbys;
    s->layout.n_standbys = 6;
    s->load = (struct system_load){
        .system = "PRD1", .series = s->series, .snapshots = s->snapshots, .n_snapshots = 1
    };
    for (size_t i = 0; i < s->snapshot.n_filetypes; i++)
        add_file_series(s, i);
}

/* One device a group, n minutes from 07:00, all alike until a test changes some. */
static inline void add_minutes(struct redo_system *s, size_t group, size_t n, double read_mibps,
                               double write_mibps)
{
    static const char *const devices[] = { "nvme1n1", "nvme2n1", "nvme3n1", "nvme4n1" };
    struct load_series *x = &s->series[s->load.n_series];
    struct synthetic_series *room = &s->rooms[s->load.n_series++];
    s->devices[group] = devices[group];
    s->groups[group].devices = &s->devices[group];
    s->groups[group].n_devices = 1;
    *x = series_in(room, SERIES_DEVICE, devices[group]);
    for (size_t i = 0; i < n; i++)
        sample(x, room, 60.0 * (double)i, 60, read_mibps, write_mibps, read_mibps, write_mibps);
}

static inline void add_stat(struct redo_system *s, const char *name, double per_s)
{
    s->stats[s->snapshot.n_stats++] = (struct awr_stat){ name, NAN, per_s, 1 };
}

/* Demand and path; peak_factor 1 makes the peak of averages the average. */
static inline int calibrate_system(struct redo_system *s, double peak_factor)
{
    struct demand_options o;
    demand_options_init(&o, &builtin_catalogue);
    o.peak_factor = peak_factor;
    int rc = system_demand_build(&s->load, &s->layout, &o, &s->arena, &s->demand, &s->err);
    if (!rc)
        rc = redo_path_build(&s->demand, &s->arena, &s->path, &s->err);
    return rc;
}

static inline struct whatif_options plain_options(void)
{
    struct whatif_options o = { .network_efficiency = 0.7 };
    plan_options_init(&o.plan, &builtin_catalogue, day_ms("2026-11-30"));
    return o;
}

/* "standbys 8", "cascade dr2=dr1"; NULL ends the list. */
static inline int parse_changes(struct arena *a, const char *const *texts,
                                struct whatif_change *out, size_t *out_n, struct err *e)
{
    *out_n = 0;
    for (size_t i = 0; texts[i]; i++) {
        struct span rest = span_of(texts[i]), name;
        if (span_field(&rest, ' ', &name))
            return ERR_USAGE;
        int rc = whatif_change_parse(name, rest, a, &out[*out_n], e);
        if (rc)
            return rc;
        ++*out_n;
    }
    return 0;
}

static inline int whatif_of(struct redo_system *s, const struct whatif_options *o,
                            const char *const *texts, struct whatif *out)
{
    enum { CHANGES_MAX = 8 };
    size_t n;
    struct whatif_change *changes = arena_array(&s->arena, CHANGES_MAX, sizeof *changes);
    if (!changes)
        return err_nomem(&s->err);
    int rc = parse_changes(&s->arena, texts, changes, &n, &s->err);
    return rc ? rc : whatif_build(&s->demand, &s->path, changes, n, o, &s->arena, out, &s->err);
}

/* whatif_of with each allocation failing once; how many there were, and one more. */
static inline long whatif_each_allocation(struct redo_system *s, const char *const *texts)
{
    struct whatif_options o = plain_options();
    struct whatif w;
    struct arena own = s->arena;
    struct each_allocation it = { 0 };
    while (each_allocation(&it)) {
        s->arena = (struct arena){ 0 };
        it.rc = whatif_of(s, &o, texts, &w);
        arena_release(&s->arena);
    }
    s->arena = own;
    return it.n;
}

static inline const struct whatif_group *row_named(const struct whatif *w, const char *name)
{
    for (size_t i = 0; i < w->n_groups; i++)
        if (strcmp(w->groups[i].group->name, name) == 0)
            return &w->groups[i];
    return NULL;
}

static inline double mib_of(const struct load_points *p)
{
    double sum = 0;
    for (size_t i = 0; i < p->n; i++)
        sum += point_total_mibps(&p->at[i]) * (double)(p->at[i].end_ms - p->at[i].begin_ms) / 1e3;
    return sum;
}

#endif
