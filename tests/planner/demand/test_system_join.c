/* tests/planner/demand/test_system_join.c - several systems, and several instances, on one host. */
#include "planner/demand/system_join.h"

#include "tests/each_allocation.h"
#include "tests/planner/synthetic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { SYSTEMS = 3, SERIES = 4, GROUPS = 4 };

static struct world {
    struct synthetic_series room[SYSTEMS][SERIES];
    struct load_series series[SYSTEMS][SERIES];
    struct layout_group groups[SYSTEMS][GROUPS];
    struct system_load load[SYSTEMS];
    struct layout layout[SYSTEMS];
    struct arena a;
} w;

static const char *const names[SYSTEMS] = { "PRD1", "PRD2", "PRD3" };

static void begin(void)
{
    memset(&w, 0, sizeof w);
    for (size_t s = 0; s < SYSTEMS; s++) {
        w.load[s] = (struct system_load){ .system = names[s], .series = w.series[s] };
        w.layout[s] = layout_of(w.groups[s], 0, NULL);
        w.layout[s].system = names[s];
    }
}

/* A minute at 07:00 and one at 07:01, MiB/s read in requests of 256 KiB. */
static void device(size_t s, const char *name, double first, double second)
{
    size_t i = w.load[s].n_series++;
    w.series[s][i] = series_in(&w.room[s][i], SERIES_DEVICE, name);
    w.series[s][i].host = names[s];
    sample(&w.series[s][i], &w.room[s][i], 0, 60, first * 4, 0, first, 0);
    sample(&w.series[s][i], &w.room[s][i], 60, 60, second * 4, 0, second, 0);
}

static struct layout_group *group(size_t s, const char *name, enum group_role role,
                                  const char *const *its_device)
{
    struct layout_group *g = &w.groups[s][w.layout[s].n_groups++];
    *g = group_named(name, role);
    g->devices = its_device;
    g->n_devices = its_device ? 1 : 0;
    return g;
}

static struct system_demand join(size_t n, bool layouts)
{
    struct demand_source sources[SYSTEMS];
    struct demand_options o;
    struct system_demand own, d;
    struct err e = { 0 };
    demand_options_init(&o, &builtin_catalogue);
    for (size_t s = 0; s < n; s++)
        sources[s] = (struct demand_source){ &w.load[s], s == 0 || layouts ? &w.layout[s] : NULL };
    if (system_demand_of_sources(sources, n, &o, &w.a, &own, &d, &e))
        fail_msg("%s", e.text);
    assert_int_equal(own.n_groups, w.layout[0].n_groups);
    return d;
}

static const char *const one[] = { "nvme1n1" }, *const two[] = { "nvme2n1" },
                         *const hosted[] = { "PRD2:nvme1n1" };

/* 100 + 30 and 20 + 90: the peak of the sum is 130, the sum of the peaks 190. */
static void the_same_name(void **state)
{
    (void)state;
    begin();
    device(0, "nvme1n1", 100, 20);
    device(1, "nvme1n1", 30, 90);
    group(0, "DATA", ROLE_DATA, one)->need_gib = 400;
    group(1, "DATA", ROLE_OTHER, one)->need_gib = 250; /* by name, whatever its role */
    struct system_demand d = join(2, true);
    assert_int_equal(d.n_groups, 1);
    assert_near(d.groups[0].demand.total_mibps, 130);
    assert_near(d.groups[0].demand.counted_iops, 520);
    assert_near(d.profile.metrics[METRIC_TOTAL_MIBPS].max, 130);
    assert_int_equal(d.groups[0].group->need_gib, 650);
    assert_int_equal(d.n_joined, 1);
    assert_int_equal(d.joined[0].by, JOIN_BY_NAME);
    assert_near(d.joined[0].together_pct, 100);
    assert_int_equal(d.groups[0].demand.grade, GRADE_MEASURED);
    arena_release(&w.a);
}

/* What a system was measured at its own ceiling is a lower bound here too: PRD2's gp3 of 125 MiB/s
 * was full, though the volumes here have room.  Its size is that of its volumes. */
static void a_ceiling_elsewhere(void **state)
{
    (void)state;
    static const struct layout_volumes large[] = { { { VOL_GP3, 1, 500, 4000, 1000 }, UNKNOWN } },
                                       small[] = { { { VOL_GP3, 1, 200, 3000, 125 }, UNKNOWN } };
    begin();
    device(0, "nvme1n1", 10, 10);
    device(1, "nvme1n1", 125, 20);
    struct layout_group *here = group(0, "DATA", ROLE_DATA, one);
    here->volumes = large;
    here->n_volumes = 1;
    struct layout_group *there = group(1, "DATA", ROLE_DATA, one);
    there->volumes = small;
    there->n_volumes = 1;
    struct system_demand d = join(2, true);
    assert_near(d.groups[0].demand.total_mibps, 135);
    assert_int_equal(d.groups[0].demand.grade, GRADE_CENSORED);
    assert_int_equal(d.groups[0].group->need_gib, 700);
    assert_int_equal(d.groups[0].group->volumes[0].spec.throughput_mibps, 1000);
    assert_near(d.groups[0].profile.peak_second.high_mibps, 1125);
    arena_release(&w.a);
}

/* PRD2's first volume carries 100 of 120 MiB/s, 100 / 60 of the mean and 80 % of its 125; PRD1's
 * two are alike at 50 %. */
static void the_hottest_volume_of_all(void **state)
{
    (void)state;
    static const struct layout_volumes gp3[] = { { { VOL_GP3, 2, 200, 3000, 125 }, UNKNOWN } };
    static const char *const pair[] = { "nvme1n1", "nvme2n1" };
    begin();
    device(0, "nvme1n1", 62.5, 10);
    device(0, "nvme2n1", 62.5, 10);
    device(1, "nvme1n1", 100, 10);
    device(1, "nvme2n1", 20, 10);
    for (size_t s = 0; s < 2; s++) {
        struct layout_group *g = group(s, "DATA", ROLE_DATA, pair);
        g->n_devices = 2;
        g->volumes = gp3;
        g->n_volumes = 1;
    }
    struct system_demand d = join(2, true);
    const struct hot_volume *h = &d.groups[0].hot;
    assert_int_equal(h->n_volumes, 4);
    assert_near(h->used_pct, 80);
    assert_near(h->mibps, 100);
    assert_near(h->skew, 100.0 / 60);
    arena_release(&w.a);
}

static const struct place_case {
    const char *why;
    enum group_role role;
    int64_t member; /* of the other's group */
    const char *want;
    enum join_by by;
} places[] = {
    { "the only archive group takes archives", ROLE_ARCHIVE, UNKNOWN, "FRA", JOIN_BY_ROLE },
    { "of redo the group of the same member", ROLE_REDO, 2, "LOG2", JOIN_BY_ROLE },
    { "redo of no known member fits none of two", ROLE_REDO, UNKNOWN, "PRD2:X", JOIN_OWN },
    { "a role that is not here", ROLE_TEMP, UNKNOWN, "PRD2:X", JOIN_OWN },
    { "other is no role to meet by", ROLE_OTHER, UNKNOWN, "PRD2:X", JOIN_OWN },
};

static void place(void **state)
{
    const struct place_case *c = *state;
    begin();
    device(0, "nvme1n1", 1, 1);
    device(1, "nvme1n1", 1, 1);
    group(0, "LOG1", ROLE_REDO, one)->log_member = 1;
    group(0, "LOG2", ROLE_REDO, two)->log_member = 2;
    group(0, "FRA", ROLE_ARCHIVE, NULL);
    group(0, "REST", ROLE_OTHER, NULL);
    group(1, "X", c->role, one)->log_member = c->member;
    struct system_demand d = join(2, true);
    assert_int_equal(d.n_joined, 1);
    assert_string_equal(d.joined[0].into, c->want);
    assert_int_equal(d.joined[0].by, c->by);
    assert_false(d.joined[0].size_known);
    assert_int_equal(d.n_groups, c->by == JOIN_OWN ? 5 : 4);
    assert_near(d.demand.total_mibps, 2);
    arena_release(&w.a);
}

/* Without a layout of its own only what the target's names with the host: nvme1n1 of PRD2 would
 * otherwise be taken for the target's. */
static void no_layout(void **state)
{
    (void)state;
    begin();
    device(0, "nvme2n1", 5, 5);
    device(1, "nvme1n1", 7, 7);
    device(1, "nvme2n1", 100, 100);
    group(0, "DATA", ROLE_DATA, hosted);
    group(0, "LOG", ROLE_REDO, two);
    struct system_demand d = join(2, false);
    assert_int_equal(d.n_groups, 2);
    assert_near(d.groups[0].demand.total_mibps, 7);
    assert_near(d.groups[1].demand.total_mibps, 5);
    assert_int_equal(d.n_unclaimed, 1);
    assert_string_equal(d.unclaimed[0]->name, "nvme2n1");
    arena_release(&w.a);
}

/* Three systems; the third was measured an hour later and meets nobody. */
static void not_at_the_same_time(void **state)
{
    (void)state;
    begin();
    device(0, "nvme1n1", 10, 10);
    device(1, "nvme1n1", 20, 20);
    w.series[2][0] = series_in(&w.room[2][0], SERIES_DEVICE, "nvme1n1");
    w.load[2].n_series = 1;
    sample(&w.series[2][0], &w.room[2][0], 3600, 60, 160, 0, 40, 0);
    for (size_t s = 0; s < SYSTEMS; s++)
        group(s, "DATA", ROLE_DATA, one);
    struct system_demand d = join(3, true);
    assert_near(d.groups[0].demand.total_mibps, 40); /* 10 + 20, and later 40 alone */
    assert_near(d.joined[0].together_pct, 100);
    assert_near(d.joined[1].together_pct, 0);
    arena_release(&w.a);
}

/* The instances of a cluster are series of one system: 60 + 15 in the first hour, 20 + 70 in the
 * second; its groups hold what both say at the same time. */
static void instances_of_a_cluster(void **state)
{
    (void)state;
    static const struct layout_file data[] = { { "Data File", 100 } };
    static const int64_t both[] = { 1, 2 };
    begin();
    for (size_t i = 0; i < 2; i++) {
        struct load_series *s = &w.series[0][i];
        *s = series_in(&w.room[0][i], SERIES_FILETYPE, "Data File");
        s->instance_number = (int64_t)i + 1;
        double first = i ? 15 : 60, second = i ? 70 : 20;
        sample(s, &w.room[0][i], 0, 3600, first * 4, 0, first, 0);
        sample(s, &w.room[0][i], 3600, 3600, second * 4, 0, second, 0);
    }
    w.load[0].n_series = 2;
    w.layout[0].instances = both;
    w.layout[0].n_instances = 2;
    struct layout_group *g = group(0, "DATA", ROLE_DATA, NULL);
    g->files = data;
    g->n_files = 1;
    struct system_demand d = join(1, true);
    assert_near(d.groups[0].profile.metrics[METRIC_TOTAL_MIBPS].max, 90);
    assert_near(d.groups[0].demand.total_mibps, 900); /* an hour's average: ten times */
    assert_int_equal(d.n_joined, 0);
    arena_release(&w.a);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    begin();
    device(0, "nvme1n1", 100, 20);
    device(1, "nvme1n1", 30, 90);
    group(0, "DATA", ROLE_DATA, one);
    group(1, "X", ROLE_TEMP, one);
    struct demand_source sources[] = { { &w.load[0], &w.layout[0] }, { &w.load[1], NULL } };
    struct demand_options o;
    demand_options_init(&o, &builtin_catalogue);
    for (size_t layouts = 0; layouts < 2; layouts++) {
        struct each_allocation it = { 0 };
        struct system_demand own, d;
        sources[1].layout = layouts ? &w.layout[1] : NULL;
        while (each_allocation(&it))
            it.rc = system_demand_of_sources(sources, 2, &o, &it.a, &own, &d, &it.e);
    }
}

int main(void)
{
    enum { N = sizeof places / sizeof *places };
    struct CMUnitTest t[N + 7] = {
        cmocka_unit_test(the_same_name),
        cmocka_unit_test(a_ceiling_elsewhere),
        cmocka_unit_test(the_hottest_volume_of_all),
        cmocka_unit_test(no_layout),
        cmocka_unit_test(not_at_the_same_time),
        cmocka_unit_test(instances_of_a_cluster),
        cmocka_unit_test(every_allocation_may_fail),
    };
    for (size_t i = 0; i < N; i++)
        t[7 + i] =
            (struct CMUnitTest){ places[i].why, place, NULL, NULL, (void *)(size_t)&places[i] };
    return cmocka_run_group_tests(t, NULL, NULL);
}
