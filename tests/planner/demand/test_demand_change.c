/* tests/planner/demand/test_demand_change.c - a measured demand after a change; file types that a
 * group holds by its role. */
#include "planner/demand/demand_change.h"

#include "models/core/mem.h"
#include "models/facts/catalogue.h"
#include "planner/demand/group_files.h"
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

static void every_allocation_may_fail(void **state)
{
    (void)state;
    int rc;
    long n = 0;
    do {
        struct system s;
        struct system_demand d;
        setup(&s);
        struct arena a = { 0 };
        struct load_change both[] = { changes[1].change, load_change_none(1) };
        atomic_store(&mem_calls, 0);
        atomic_store(&mem_fail_at, ++n);
        rc = demand_change(&s.demand, &s.layout, both, &a, &d, &s.err);
        atomic_store(&mem_fail_at, 0);
        assert_true(rc == 0 || rc == ERR_NOMEM);
        arena_release(&a);
        arena_release(&s.arena);
    } while (rc);
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

int main(void)
{
    enum { N = sizeof changes / sizeof *changes, OTHERS = 5 };
    struct CMUnitTest t[N + OTHERS];
    for (size_t i = 0; i < N; i++)
        t[i] = (struct CMUnitTest){ changes[i].why, changed, NULL, NULL,
                                    (void *)(uintptr_t)&changes[i] };
    t[N] = (struct CMUnitTest)cmocka_unit_test(other_groups_than_measured);
    t[N + 1] = (struct CMUnitTest)cmocka_unit_test(every_allocation_may_fail);
    t[N + 2] = (struct CMUnitTest)cmocka_unit_test(files_of_the_role);
    t[N + 3] = (struct CMUnitTest)cmocka_unit_test(members_of_the_logs);
    t[N + 4] = (struct CMUnitTest)cmocka_unit_test(a_cluster_and_its_instances);
    return cmocka_run_group_tests_name("demand_change", t, NULL, NULL);
}
