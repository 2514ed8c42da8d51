/* tests/planner/report/test_report_change_answer.c - the sentence of the way to a plan: groups by
 * what is done to them, how long, and what could not be known. */
#include "planner/report/report_change_answer.h"

#include "models/core/emit_words.h"
#include "tests/each_allocation.h"

#include <math.h>

enum { GROUPS = 4 };

static const struct layout_group layout_groups[GROUPS] = {
    { .name = "REDO1" }, { .name = "DATA" }, { .name = "FRA" }, { .name = "ROOT" }
};
static const struct group_demand groups[GROUPS] = { { .group = &layout_groups[0] },
                                                    { .group = &layout_groups[1] },
                                                    { .group = &layout_groups[2] },
                                                    { .group = &layout_groups[3] } };
static const struct system_load load = { .system = "PRD1" };
static const struct system_demand demand = { .load = &load, .n_groups = GROUPS };

enum { NO = CHANGE_KIND_COUNT }; /* a group that stays as it is */

static struct say_case {
    const char *why;
    int kinds[GROUPS];
    double hours;
    bool online;
    const char *said;
} cases[] = {
    { "one group",
      { CHANGE_NEW_LOGS, NO, NO, NO },
      0.045,
      true,
      "PRD1 gets to the plan in 162 s without stopping the database: put the logs of REDO1 on new "
      "volumes; the volumes then cost 100.00 USD a month instead of 250.00." },
    { "groups with the same way are named together",
      { CHANGE_MODIFY, CHANGE_MODIFY, NO, CHANGE_MODIFY },
      2,
      true,
      "PRD1 gets to the plan in 2 h 0 min without stopping the database: modify the volumes of "
      "REDO1, "
      "DATA and ROOT in place; the volumes then cost 100.00 USD a month instead of 250.00." },
    { "each way once; the load leaves no room",
      { CHANGE_SNAPSHOT, CHANGE_ASM_REPLACE, CHANGE_ASM_KEEP, CHANGE_COPY },
      INFINITY,
      false,
      "PRD1 gets to the plan only when its load pauses, by stopping the database: move DATA to new "
      "volumes by ASM, change number and settings of the volumes of FRA, make new volumes of REDO1 "
      "from snapshots and copy the files of ROOT to new volumes; the volumes then cost 100.00 USD "
      "a "
      "month instead of 250.00." },
    { "nobody measured the load",
      { NO, CHANGE_RMAN_COPY, NO, NO },
      NAN,
      false,
      "PRD1 gets to the plan in a time not known, as the load was not measured all day, by "
      "stopping the database: "
      "copy DATA to new volumes by RMAN; the volumes then cost 100.00 USD a month instead of "
      "250.00." },
};

static void expect_said(const struct change *c, const struct change_way *shown, const char *said)
{
    struct arena a = { 0 };
    struct err e = { 0 };
    struct emit_words w;
    struct change_told told = { .change = c, .shown = shown };
    emit_words_init(&w, &a);
    assert_int_equal(say_change_answer(&w.emit, &told, &a, &e), 0);
    assert_int_equal(w.n, 1);
    assert_string_equal(w.said[0], said);
    arena_release(&a);
}

static void make_way(const struct say_case *c, struct change_part parts[GROUPS],
                     struct change_way *way)
{
    for (size_t g = 0; g < GROUPS; g++)
        parts[g] = (struct change_part){ .of = &groups[g],
                                         .changes = c->kinds[g] != NO,
                                         .kind = (enum change_kind)c->kinds[g] };
    *way = (struct change_way){
        .parts = parts, .hours = c->hours, .online = c->online, .total_microusd = 100000000
    };
}

static void is_said(void **state)
{
    const struct say_case *c = *state;
    struct change_part parts[GROUPS];
    struct change_way way;
    struct change change = { .demand = &demand, .today_microusd = 250000000, .n_changed = 1 };
    make_way(c, parts, &way);
    expect_said(&change, &way, c->said);
}

static void no_way(void **state)
{
    struct change change = { .demand = &demand, .stuck = "DATA" };
    (void)state;
    expect_said(&change, NULL, "PRD1: there is no way from today's volumes of DATA to the plan.");
    change.stuck = NULL;
    expect_said(&change, NULL,
                "PRD1 has the volumes of the plan already: nothing is to be changed.");
}

static void the_instance_alone(void **state)
{
    static const struct say_case none = { .kinds = { NO, NO, NO, NO }, .hours = 0.25 };
    struct change_part parts[GROUPS];
    struct change_way way;
    struct change change = { .demand = &demand, .today_microusd = 100000000 };
    (void)state;
    make_way(&none, parts, &way);
    way.kind = CHANGE_INSTANCE;
    expect_said(
        &change, &way,
        "PRD1 gets to the plan in 15 min by stopping the database: change the instance type; "
        "the volumes then cost 100.00 USD a month instead of 100.00.");
}

static void memory_runs_out(void **state)
{
    struct each_allocation it = { 0 };
    struct change_part parts[GROUPS];
    struct change_way way;
    struct change change = { .demand = &demand, .today_microusd = 250000000, .n_changed = 4 };
    struct change_told told = { .change = &change, .shown = &way };
    (void)state;
    make_way(&cases[2], parts, &way);
    while (each_allocation(&it)) {
        struct emit_words w;
        emit_words_init(&w, &it.a);
        it.rc = say_change_answer(&w.emit, &told, &it.a, &it.e);
        it.rc = it.rc ? it.rc : emit_close(&w.emit, &it.e);
    }
}

int main(void)
{
    enum { N = sizeof cases / sizeof *cases };
    struct CMUnitTest tests[N + 3];
    for (size_t i = 0; i < N; i++)
        tests[i] = (struct CMUnitTest){ cases[i].why, is_said, NULL, NULL, &cases[i] };
    tests[N] = (struct CMUnitTest)cmocka_unit_test(no_way);
    tests[N + 1] = (struct CMUnitTest)cmocka_unit_test(the_instance_alone);
    tests[N + 2] = (struct CMUnitTest)cmocka_unit_test(memory_runs_out);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
