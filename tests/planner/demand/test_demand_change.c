/* tests/planner/demand/test_demand_change.c - a measured demand after a change; file types that a
 * group holds by its role. */
#include "planner/demand/demand_change.h"

#include "models/facts/catalogue.h"
#include "planner/demand/group_files.h"
#include "tests/each_allocation.h"
#include "tests/planner/synthetic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Two groups of a device each: A reads 30 and writes 10 MiB/s in 128 KiB, B reads 8 and writes 4
 * in 1 MiB, each in two minutes, the second twice the first. */
struct system {
    struct synthetic_series rooms[2];
    struct load_series series[2];
    struct layout_group groups[2];
    const char *devices[2];
    struct layout layout;
    struct system_load load;
    struct system_demand demand;
    struct arena arena;
    struct err err;
};

static void setup(struct system *s)
{
    *s = (struct system){ .devices = { "nvme1n1", "nvme2n1" } };
    for (size_t g = 0; g < 2; g++) {
        double read = g ? 8 : 30, write = g ? 4 : 10, per_mib = g ? 1 : 8;
        s->series[g] = series_in(&s->rooms[g], SERIES_DEVICE, s->devices[g]);
        for (int i = 1; i <= 2; i++)
            sample(&s->series[g], &s->rooms[g], 60 * (i - 1), 60, read * per_mib * i,
                   write * per_mib * i, read * i, write * i);
        s->groups[g] = group_named(g ? "B" : "A", ROLE_DATA);
        s->groups[g].devices = &s->devices[g];
        s->groups[g].n_devices = 1;
    }
    s->layout = layout_of(s->groups, 2, NULL);
    s->load = (struct system_load){ .system = "PRD1", .series = s->series, .n_series = 2 };
    struct demand_options o;
    demand_options_init(&o, &builtin_catalogue);
    assert_int_equal(system_demand_build(&s->load, &s->layout, &o, &s->arena, &s->demand, &s->err),
                     0);
}

static const struct change_case {
    const char *why;
    struct load_change change; /* of A */
    double read, write, total, read_iops, counted, sum;
} changes[] = {
    /* A: 60 + 20 MiB/s at 640 requests of 128 KiB; B adds 24. */
    { "nothing changes", { 0, 1, 0, 1, 1, 1024, NULL }, 60, 20, 80, 480, 640, 104 },
    { "twice the reads", { 0, 2, 0, 1, 1, 1024, NULL }, 120, 20, 140, 960, 1120, 164 },
    { "no reads", { 0, 0, 0, 1, 1, 1024, NULL }, 0, 20, 20, 0, 160, 44 },
    { "half the writes", { 0, 1, 0, 0.5, 0.5, 1024, NULL }, 60, 10, 70, 480, 560, 94 },
    /* 20 requests of 1 MiB more: pooled with 480 of 128 KiB the mean stays below 256 KiB. */
    { "reads that follow the writes", { 0, 1, 1, 1, 1, 1024, NULL }, 80, 20, 100, 500, 660, 124 },
    /* 0 reads but 20 MiB/s of 1 MiB: 80 counted, and the 160 writes. */
    { "only reads that follow the writes", { 0, 0, 1, 1, 1, 1024, NULL }, 20, 20, 40, 20, 240, 64 },
    /* The same bytes in twice the requests. */
    { "more writes of the same bytes", { 0, 1, 0, 1, 2, 1024, NULL }, 60, 20, 80, 480, 800, 104 },
};

static void changed(void **state)
{
    const struct change_case *c = *state;
    struct system s;
    struct system_demand d;
    setup(&s);
    struct load_change both[] = { c->change, load_change_none(1) };
    assert_int_equal(demand_change(&s.demand, &s.layout, both, &s.arena, &d, &s.err), 0);
    const struct demand *a = &d.groups[0].demand;
    assert_near(a->read_mibps, c->read);
    assert_near(a->write_mibps, c->write);
    assert_near(a->total_mibps, c->total);
    assert_near(a->read_iops, c->read_iops);
    assert_near(a->counted_iops, c->counted);
    assert_near(d.groups[1].demand.total_mibps, 24);
    assert_near(d.demand.total_mibps, c->sum); /* of the instance, at the same instant */
    assert_near(s.demand.groups[0].demand.total_mibps, 80); /* what was measured stays */
    arena_release(&s.arena);
}

/* A doubled (160 MiB/s) is taken as it was; B, 24 then and tripled now, is made anew. */
static void what_is_known_is_taken(void **state)
{
    (void)state;
    struct system s;
    struct system_demand before, now;
    setup(&s);
    struct load_change were[] = { { 0, 2, 0, 2, 2, 1024, NULL }, load_change_none(1) };
    struct load_change are[] = { were[0], { 1, 3, 0, 3, 3, 1024, NULL } };
    const struct changed_demand known = { &before, were };
    assert_int_equal(demand_change(&s.demand, &s.layout, were, &s.arena, &before, &s.err), 0);
    assert_int_equal(demand_change_like(&s.demand, &s.layout, are, &known, &s.arena, &now, &s.err),
                     0);
    assert_ptr_equal(now.groups[0].points.at, before.groups[0].points.at);
    assert_near(now.groups[0].demand.total_mibps, 160);
    assert_near(now.groups[1].demand.total_mibps, 72);
    assert_near(now.demand.total_mibps, 232);
    assert_near(before.groups[1].demand.total_mibps, 24);
    assert_int_equal(demand_change_groups(&s.demand, &s.layout, are, &known, &s.arena, &now,
                                          &s.err),
                     0);
    assert_ptr_equal(now.groups[0].points.at, before.groups[0].points.at);
    assert_near(now.demand.total_mibps, 104); /* of the instance as it was measured */
    arena_release(&s.arena);
}

/* A group that is made from another has its time, not its name. */
static void other_groups_than_measured(void **state)
{
    (void)state;
    struct system s;
    struct system_demand d;
    setup(&s);
    struct layout_group groups[] = { s.groups[1], s.groups[1], s.groups[0] };
    struct layout layout = layout_of(groups, 3, NULL);
    struct load_change all[] = { load_change_none(1), load_change_none(1), load_change_none(0) };
    assert_int_equal(demand_change(&s.demand, &layout, all, &s.arena, &d, &s.err), 0);
    assert_int_equal(d.n_groups, 3);
    assert_ptr_equal(d.layout, &layout);
    assert_ptr_equal(d.groups[2].group, &groups[2]);
    assert_near(d.demand.total_mibps, 24 + 24 + 80);
    arena_release(&s.arena);
}

/* --- shapes ----------------------------------------------------------------------------------- */

static const struct load_shape as_it_is = { .all = { INFINITY, 1 }, .some = { INFINITY, 1 } };

/* What a shape of A makes of the system of setup(). */
static void shape_a(struct system *s, const struct load_shape *shape, struct system_demand *out)
{
    struct load_change both[] = { load_change_none(0), load_change_none(1) };
    both[0].shape = shape;
    setup(s);
    assert_int_equal(demand_change(&s->demand, &s->layout, both, &s->arena, out, &s->err), 0);
}

/* iostat of seven disks of one group while one lost its merges (database-investigator.com,
 * 2025-12-29): together 252 068.4 KiB/s, 246.2 MiB/s.  nvme8n1 read 35 118.8 KiB/s in 4 969.9
 * requests, of which 43.39 % were merged; 137 of 256 KiB would have done, 36.2 times fewer. */
static const double group_kib_s = 252068.4, hot_kib_s = 35118.8, hot_merged_pct = 43.39;

static const struct cut_case {
    const char *why;
    double kib, share;   /* the cut */
    double iops, mibps;  /* before */
    double want, within; /* requests/s after */
} cuts[] = {
    { "the disk that lost its merges, in 7.07 KiB", 4 / (1 - hot_merged_pct / 100), 1,
      hot_kib_s / 256, hot_kib_s / 1024, 4969.9, 1 },
    { "had it lost them all: 35 118.8 / 4", 4, 1, hot_kib_s / 256, hot_kib_s / 1024, 8779.7, 1e-6 },
    { "all seven: 252 068.4 / 4", 4, 1, group_kib_s / 256, group_kib_s / 1024, 63017.1, 1e-6 },
    /* One of seven: 984.642 + (63 017.1 - 984.642) / 7. */
    { "one of seven, as the instance sees it", 4, 1.0 / 7, group_kib_s / 256, group_kib_s / 1024,
      9846.422, 0.001 },
    /* max_sectors_kb 512: 100 requests of 1 MiB leave as 200. */
    { "1 MiB split in 512 KiB", 512, 1, 100, 100, 200, 1e-9 },
    { "requests of 8 KiB are not split", 512, 1, 128, 1, 128, 1e-9 },
    { "nor those of exactly that size", 512, 1, 2, 1, 2, 1e-9 },
    { "unknown requests are of 256 KiB", 128, 1, NAN, 1, 8, 1e-9 },
    { "4 of them and half of the 4 more", 128, 0.5, NAN, 1, 6, 1e-9 },
};

static void cut(void **state)
{
    const struct cut_case *c = *state;
    double got = request_cut_iops((struct request_cut){ c->kib, c->share }, c->iops, c->mibps);
    if (fabs(got - c->want) > c->within)
        fail_msg("%.9g, not %.9g", got, c->want);
}

static void inflation_of_the_incident(void **state)
{
    (void)state;
    struct request_cut lost = { 4 / (1 - hot_merged_pct / 100), 1 };
    double merged = hot_kib_s / 256;
    assert_true(fabs(merged - 137) < 0.5);
    double inflation = request_cut_iops(lost, merged, hot_kib_s / 1024) / merged;
    assert_true(fabs(inflation - 36.2) < 0.05);
}

static const struct shape_case {
    const char *why;
    struct request_cut all, some;
    double read_iops, counted, sum_counted; /* at the peaks; B adds 24 requests of 1 MiB: 96 */
} shapes[] = {
    /* A: 480 reads and 160 writes of 128 KiB, 60 and 20 MiB/s. */
    { "nothing is cut", { INFINITY, 1 }, { INFINITY, 1 }, 480, 640, 736 },
    { "all in 64 KiB: 80 * 16", { 64, 1 }, { INFINITY, 1 }, 960, 1280, 1376 },
    { "a limit above all requests", { 128, 1 }, { INFINITY, 1 }, 480, 640, 736 },
    /* The group needs as much as if all were cut; the instance passes 640 + 640 / 4. */
    { "a quarter of the load in 64 KiB", { INFINITY, 1 }, { 64, 0.25 }, 960, 1280, 896 },
    /* 128 to 64: 1 280; then a quarter of that to 32: 1 280 + 1 280 / 4. */
    { "both", { 64, 1 }, { 32, 0.25 }, 1920, 2560, 1696 },
};

static void shaped(void **state)
{
    const struct shape_case *c = *state;
    struct system s;
    struct system_demand d;
    struct load_shape shape = as_it_is;
    shape.all = c->all;
    shape.some = c->some;
    shape_a(&s, &shape, &d);
    assert_near(d.groups[0].demand.read_iops, c->read_iops);
    assert_near(d.groups[0].demand.counted_iops, c->counted);
    assert_near(d.demand.counted_iops, c->sum_counted);
    assert_near(d.groups[0].demand.total_mibps, 80);                    /* bytes stay */
    assert_near(d.groups[0].points.at[0].counted_iops, c->counted / 2); /* every sample */
    assert_near(d.groups[1].demand.counted_iops, 96);
    arena_release(&s.arena);
}

/* A in 64 KiB asks for 1 280, B adds 96.  Cut as a whole it is taken as it was; of a quarter of the
 * load the group needs 1 280 and the instance passes 800, and of a window the points are a sum:
 * these are made anew. */
static void known_with_a_shape(void **state)
{
    (void)state;
    struct load_point at = { .begin_ms = morning_ms(), .end_ms = morning_ms() + 60000 };
    struct load_points added = { &at, 1 };
    const struct load_shape cut = { .all = { 64, 1 }, .some = { INFINITY, 1 } };
    const struct load_shape quarter = { .all = { INFINITY, 1 }, .some = { 64, 0.25 } };
    const struct load_shape window = {
        .all = { 64, 1 }, .some = { INFINITY, 1 }, .added = &added, .n_added = 1
    };
    const struct {
        const struct load_shape *shape;
        bool taken;
        double sum_counted;
    } cases[] = { { &cut, true, 1376 }, { &quarter, false, 896 }, { &window, false, 1376 } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct system s;
        struct system_demand before, now;
        struct load_change both[] = { load_change_none(0), load_change_none(1) };
        const struct changed_demand known = { &before, both };
        both[0].shape = cases[i].shape;
        shape_a(&s, cases[i].shape, &before);
        assert_int_equal(demand_change_like(&s.demand, &s.layout, both, &known, &s.arena, &now,
                                            &s.err),
                         0);
        bool taken = now.groups[0].points.at == before.groups[0].points.at;
        assert_int_equal(taken, cases[i].taken);
        assert_near(now.groups[0].demand.counted_iops, 1280);
        assert_near(now.demand.counted_iops, cases[i].sum_counted);
        arena_release(&s.arena);
    }
}

/* One volume of two has all the requests but half of the bytes: cut to 4 KiB both ask alike.  Cut
 * to 96 KiB the group counts a third more, of which the first one asks at least what it did. */
static void unevenness_after_a_cut(void **state)
{
    (void)state;
    struct system s;
    struct system_demand d;
    struct load_change both[] = { load_change_none(0), load_change_none(1) };
    struct load_shape shape = as_it_is;
    struct group_demand groups[2];
    setup(&s);
    groups[0] = s.demand.groups[0];
    groups[1] = s.demand.groups[1];
    groups[0].hot.uneven_mibps = 1;
    groups[0].hot.uneven_iops = groups[0].hot.uneven_counted = 2;
    s.demand.groups = groups;
    both[0].shape = &shape;
    shape.all.kib = 4; /* 80 MiB/s: 20 480 for 640 */
    assert_int_equal(demand_change(&s.demand, &s.layout, both, &s.arena, &d, &s.err), 0);
    assert_near(d.groups[0].hot.uneven_counted, 1);
    shape.all.kib = 96; /* 853.3 for 640: 2 * 640 / 853.3 */
    assert_int_equal(demand_change(&s.demand, &s.layout, both, &s.arena, &d, &s.err), 0);
    assert_near(d.groups[0].hot.uneven_counted, 1.5);
    both[0].read = both[0].write = both[0].write_requests = 3; /* growth alone moves nothing */
    assert_int_equal(demand_change(&s.demand, &s.layout, both, &s.arena, &d, &s.err), 0);
    assert_near(d.groups[0].hot.uneven_counted, 1.5);
    arena_release(&s.arena);
}

/* EBS counts 1 MiB as 4 and each half as 2: the device gets more requests, EBS counts the same. */
static void split_in_512_kib(void **state)
{
    (void)state;
    struct system s;
    struct system_demand d;
    struct load_change both[] = { load_change_none(0), load_change_none(1) };
    struct load_shape shape = as_it_is;
    shape.all.kib = 512;
    both[1].shape = &shape;
    setup(&s);
    assert_int_equal(demand_change(&s.demand, &s.layout, both, &s.arena, &d, &s.err), 0);
    assert_near(s.demand.groups[1].total_iops, 24);
    assert_near(d.groups[1].total_iops, 48);
    assert_near(d.groups[1].demand.counted_iops, 96);
    shape.all.kib = 128; /* below 256 KiB each counts one: 24 MiB/s * 8 */
    assert_int_equal(demand_change(&s.demand, &s.layout, both, &s.arena, &d, &s.err), 0);
    assert_near(d.groups[1].demand.counted_iops, 192);
    arena_release(&s.arena);
}

/* A is 40 then 80 MiB/s, B 12 then 24, in the minutes from 07:00; the wrap is those two minutes. */
static void moved_a_minute_on(void **state)
{
    (void)state;
    struct system s;
    struct system_demand d;
    struct load_shape shape = as_it_is;
    shape.wrap_begin_ms = morning_ms();
    shape.wrap_end_ms = morning_ms() + 120000;
    shape.shift_ms = 60000;
    shape_a(&s, &shape, &d);
    assert_near(d.groups[0].demand.total_mibps, 80); /* its own peak, at another time */
    assert_true(d.groups[0].demand.time_of_max_ms == morning_ms());
    assert_near(d.demand.total_mibps, 80 + 12); /* was 80 + 24 */
    arena_release(&s.arena);
    shape.shift_ms = -90000; /* half a minute on: 80 40 40 80 against 12 12 24 24 */
    shape_a(&s, &shape, &d);
    assert_int_equal(d.groups[0].points.n, 3);
    assert_near(d.demand.total_mibps, 80 + 24);
    assert_true(d.demand.time_of_max_ms == morning_ms() + 90000);
    arena_release(&s.arena);
    shape.shift_ms = 240000; /* all the way round, twice */
    shape_a(&s, &shape, &d);
    assert_near(d.demand.total_mibps, 104);
    assert_int_equal(d.groups[0].points.n, 2);
    arena_release(&s.arena);
}

static struct load_point window(int64_t begin_s, int64_t end_s, double read_mibps)
{
    return (struct load_point){ .begin_ms = morning_ms() + begin_s * 1000,
                                .end_ms = morning_ms() + end_s * 1000,
                                .interval_s = 1,
                                .read_iops = read_mibps,
                                .write_iops = 0,
                                .read_mibps = read_mibps,
                                .write_mibps = 0,
                                .counted_iops = 4 * read_mibps,
                                .counted_iops_high = 4 * read_mibps,
                                .unsplit_iops = NAN,
                                .unsplit_mibps = NAN };
}

/* 30 MiB/s from 07:00:30 to 07:01:00 and from 07:02 on: 40, 70, 80 and, alone, 30. */
static void a_load_on_top(void **state)
{
    (void)state;
    struct system s;
    struct system_demand d;
    struct load_point at[] = { window(30, 60, 30), window(120, 300, 30) };
    struct load_points added = { at, 2 };
    struct load_shape shape = as_it_is;
    shape.added = &added;
    shape.n_added = 1;
    shape_a(&s, &shape, &d);
    const struct load_points *p = &d.groups[0].points;
    static const double want[] = { 40, 70, 80, 30 };
    assert_int_equal(p->n, 4);
    for (size_t i = 0; i < 4; i++)
        assert_near(point_total_mibps(&p->at[i]), want[i]);
    assert_near(d.groups[0].demand.total_mibps, 80); /* outside the window as before */
    at[0] = window(60, 120, 30);
    arena_release(&s.arena);
    shape_a(&s, &shape, &d);
    assert_near(d.groups[0].demand.total_mibps, 110);
    assert_near(d.demand.total_mibps, 134);
    assert_near(d.groups[0].demand.counted_iops, 640 + 120);
    shape.all.kib = 512; /* what is added is cut too */
    arena_release(&s.arena);
    shape_a(&s, &shape, &d);
    assert_near(d.groups[0].demand.read_iops, 480 + 60);
    arena_release(&s.arena);
}

/* The peak factor is of the average of an hour, not of a backup that runs at its rate: 10 * 40 +
 * 30, on the group and on the instance. */
static void no_factor_on_what_is_added(void **state)
{
    (void)state;
    struct synthetic_series room;
    struct load_series series = series_in(&room, SERIES_DEVICE, "nvme1n1");
    const char *device = "nvme1n1";
    struct layout_group group = group_named("A", ROLE_DATA);
    struct layout l = layout_of(&group, 1, NULL);
    struct arena a = { 0 };
    struct err e = { 0 };
    struct demand_options o;
    struct system_demand measured, d;
    sample(&series, &room, 0, 3600, 40, 0, 40, 0);
    group.devices = &device;
    group.n_devices = 1;
    struct system_load load = { .system = "PRD1", .series = &series, .n_series = 1 };
    demand_options_init(&o, &builtin_catalogue);
    assert_int_equal(system_demand_build(&load, &l, &o, &a, &measured, &e), 0);
    struct load_point at[] = { window(600, 1200, 30) };
    struct load_points added = { at, 1 };
    struct load_shape shape = as_it_is;
    struct load_change change = load_change_none(0);
    shape.added = &added;
    shape.n_added = 1;
    change.shape = &shape;
    assert_int_equal(demand_change(&measured, &l, &change, &a, &d, &e), 0);
    assert_near(d.groups[0].demand.total_mibps, 430);
    assert_int_equal(d.groups[0].demand.grade, GRADE_ASSUMED);
    assert_near(d.demand.total_mibps, 430);
    arena_release(&a);
}

/* Growth by half, and mirrored writes, reach every sample: 40 and 80 MiB/s, 10 and 20 written. */
static void every_sample_grows(void **state)
{
    (void)state;
    struct system s;
    struct system_demand d;
    struct load_change both[] = { load_change_none(0), load_change_none(1) };
    setup(&s);
    both[0].read = both[0].write = both[0].write_requests = 1.5;
    assert_int_equal(demand_change(&s.demand, &s.layout, both, &s.arena, &d, &s.err), 0);
    assert_near(point_total_mibps(&d.groups[0].points.at[0]), 60);
    assert_near(point_total_mibps(&d.groups[0].points.at[1]), 120);
    both[0] = load_change_none(0);
    both[0].write = both[0].write_requests = 2;
    assert_int_equal(demand_change(&s.demand, &s.layout, both, &s.arena, &d, &s.err), 0);
    assert_near(point_total_mibps(&d.groups[0].points.at[0]), 50);
    assert_near(point_total_mibps(&d.groups[0].points.at[1]), 100);
    arena_release(&s.arena);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    struct system s;
    struct system_demand d;
    setup(&s);
    struct load_change both[] = { changes[1].change, load_change_none(1) };
    struct load_point at[] = { window(30, 60, 30) };
    struct load_points added = { at, 1 };
    struct load_shape shape = { 60000,     morning_ms(), morning_ms() + 120000,
                                { 64, 1 }, { 32, 0.5 },  &added,
                                1 };
    both[0].shape = &shape;
    struct each_allocation it = { 0 };
    while (each_allocation(&it))
        it.rc = demand_change(&s.demand, &s.layout, both, &it.a, &d, &it.e);
    arena_release(&s.arena);
}

/* --- file types by role ----------------------------------------------------------------------- */

static void files_of_the_role(void **state)
{
    (void)state;
    struct layout_group groups[] = {
        group_named("REDO1", ROLE_REDO),  group_named("REDO2", ROLE_REDO),
        group_named("FRA", ROLE_ARCHIVE), group_named("DATA1", ROLE_DATA),
        group_named("DATA2", ROLE_DATA),  group_named("APP", ROLE_OTHER)
    };
    const struct layout_file listed[] = { { "Temp File", 100 } }, *files;
    struct layout l = layout_of(groups, 6, NULL);
    groups[0].log_member = 1;
    assert_int_equal(group_files(&l, &groups[0], &files), 1);
    assert_string_equal(files[0].name, "Log File");
    assert_int_equal(group_files(&l, &groups[1], &files), 0); /* which member is not said */
    assert_int_equal(group_files(&l, &groups[2], &files), 2);
    assert_string_equal(files[1].name, "Flashback Log");
    assert_int_equal(group_files(&l, &groups[3], &files), 0); /* two share the data files */
    assert_int_equal(group_files(&l, &groups[5], &files), 0);
    groups[2].files = listed;
    groups[2].n_files = 1;
    assert_int_equal(group_files(&l, &groups[2], &files), 1); /* what is listed counts */
    assert_string_equal(files[0].name, "Temp File");
}

/* How often redo is written to a group: once a member on it, each mirrored. */
static void copies_of_redo(void **state)
{
    (void)state;
    const struct layout_file half[] = { { "Data File", 100 }, { "Log File", 50 } };
    struct layout_group groups[] = { group_named("FRA", ROLE_ARCHIVE),
                                     group_named("LOGS", ROLE_OTHER) };
    struct layout l = layout_of(groups, 2, NULL);
    l.redo.members = 2;
    assert_true(isnan(group_redo_copies(&l, &groups[0])));
    groups[1].files = half;
    groups[1].n_files = 2;
    groups[1].redundancy = REDUNDANCY_HIGH;
    assert_near(group_redo_copies(&l, &groups[1]), 3); /* half of 2 members, 3 times */
    groups[1].log_member = 2;
    assert_near(group_redo_copies(&l, &groups[1]), 1.5); /* half of its one */
    groups[1].log_member = l.redo.members = UNKNOWN;
    groups[1].redundancy = REDUNDANCY_EXTERNAL;
    assert_near(group_redo_copies(&l, &groups[1]), 0.5); /* one at least */
}

static void members_of_the_logs(void **state)
{
    (void)state;
    struct layout_group groups[] = { group_named("A", ROLE_REDO), group_named("B", ROLE_REDO) };
    struct layout l = layout_of(groups, 2, NULL);
    assert_int_equal(group_log_members(&l), 0);
    assert_int_equal(group_read_member(&l), 1);
    groups[0].log_member = 1;
    groups[1].log_member = 2;
    assert_int_equal(group_log_members(&l), 2);
    l.redo.members = 3;
    l.redo.read_member = 2;
    assert_int_equal(group_log_members(&l), 3);
    assert_int_equal(group_read_member(&l), 2);
}

/* Two instances of a cluster write 3 and 4 MiB/s, the cluster 7: the group carries 7, not 14. */
static void a_cluster_and_its_instances(void **state)
{
    (void)state;
    static const double writes[] = { 7, 3, 4 };
    struct synthetic_series rooms[3];
    struct load_series series[3];
    struct layout_group group = group_named("REDO", ROLE_REDO);
    struct layout l = layout_of(&group, 1, NULL);
    struct system_demand d;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct demand_options o;
    for (size_t i = 0; i < 3; i++) {
        series[i] = series_in(&rooms[i], SERIES_FILETYPE, "Log File");
        series[i].instance_number = i ? (int64_t)i : UNKNOWN;
        sample(&series[i], &rooms[i], 0, 60, 0, 10, 0, writes[i]);
    }
    struct system_load load = { .system = "PRD1", .series = series, .n_series = 3 };
    demand_options_init(&o, &builtin_catalogue);
    assert_int_equal(system_demand_build(&load, &l, &o, &a, &d, &e), 0);
    assert_near(d.groups[0].demand.total_mibps, 7);
    load.n_series = 1; /* the cluster alone */
    assert_int_equal(system_demand_build(&load, &l, &o, &a, &d, &e), 0);
    assert_near(d.groups[0].demand.total_mibps, 7);
    arena_release(&a);
}

#define ROW(list, i, run)                                                                          \
    (struct CMUnitTest)                                                                            \
    {                                                                                              \
        (list)[i].why, run, NULL, NULL, (void *)(uintptr_t) & (list)[i]                            \
    }
#define LENGTH(list) (sizeof(list) / sizeof *(list))

int main(void)
{
    const struct CMUnitTest others[] = {
        cmocka_unit_test(other_groups_than_measured),
        cmocka_unit_test(what_is_known_is_taken),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(files_of_the_role),
        cmocka_unit_test(copies_of_redo),
        cmocka_unit_test(members_of_the_logs),
        cmocka_unit_test(a_cluster_and_its_instances),
        cmocka_unit_test(inflation_of_the_incident),
        cmocka_unit_test(split_in_512_kib),
        cmocka_unit_test(known_with_a_shape),
        cmocka_unit_test(unevenness_after_a_cut),
        cmocka_unit_test(moved_a_minute_on),
        cmocka_unit_test(a_load_on_top),
        cmocka_unit_test(no_factor_on_what_is_added),
        cmocka_unit_test(every_sample_grows),
    };
    struct CMUnitTest t[LENGTH(changes) + LENGTH(cuts) + LENGTH(shapes) + LENGTH(others)];
    size_t n = 0;
    for (size_t i = 0; i < LENGTH(changes); i++)
        t[n++] = ROW(changes, i, changed);
    for (size_t i = 0; i < LENGTH(cuts); i++)
        t[n++] = ROW(cuts, i, cut);
    for (size_t i = 0; i < LENGTH(shapes); i++)
        t[n++] = ROW(shapes, i, shaped);
    for (size_t i = 0; i < LENGTH(others); i++)
        t[n++] = others[i];
    return cmocka_run_group_tests_name("demand_change", t, NULL, NULL);
}
