/* tests/cli/test_fleet_line_json.c - a line of plan --all that is kept comes back as it was; what
 * is no such line is refused. */
#include "cli/app.h"
#include "cli/cmd/fleet_line_json.h"
#include "tests/each_allocation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct fleet_group groups[] = {
    { .name = "DATA \"1\"",
      .role = ROLE_REDO,
      .grade = GRADE_CENSORED,
      .total_mibps = 797.25,
      .counted_iops = 12000.5,
      .lower_bound = true,
      .chosen = { VOL_GP3, 2, 500, 6000, 480 },
      .binding = CEILING_WAITS,
      .total_microusd = 123456700 },
    { .name = "ARCH",
      .role = ROLE_OTHER,
      .grade = GRADE_NONE,
      .total_mibps = NAN,
      .counted_iops = NAN,
      .total_microusd = UNKNOWN },
};
static const struct fleet_line planned = { .system = "PRD1",
                                           .region = "us-east-1",
                                           .status = PLAN_GOOD,
                                           .price_as_of_ms = INT64_C(1761609600000),
                                           .instance = "r5.8xlarge",
                                           .verdict = INSTANCE_BURST,
                                           .instance_ceiling = CEILING_INSTANCE_IOPS,
                                           .instance_microusd = 1471680000,
                                           .demand_mb_s = 797.1421081234567,
                                           .grade = GRADE_CENSORED,
                                           .lower_bound = true,
                                           .volumes = 2,
                                           .total_microusd = 123456789,
                                           .today_microusd = UNKNOWN,
                                           .groups = groups,
                                           .n_groups = 2 };
static const struct fleet_line none = { .system = "WIDE",
                                        .redo_refused = "no redo",
                                        .status = PLAN_NONE,
                                        .price_as_of_ms = UNKNOWN,
                                        .instance_microusd = UNKNOWN,
                                        .demand_mb_s = NAN,
                                        .volumes = UNKNOWN,
                                        .total_microusd = UNKNOWN,
                                        .today_microusd = 2513000001,
                                        .none_group = "DATA",
                                        .none_ceiling = CEILING_SIZE,
                                        .none_demand = 40960000,
                                        .none_offered = 1048576,
                                        .none_words = "nothing carries DATA" };

static const char *written(const struct fleet_line *l, struct arena *a)
{
    struct err e = { 0 };
    const char *json = NULL;
    assert_int_equal(fleet_line_write(l, a, &json, &e), 0);
    return json;
}

static void comes_back(void **state)
{
    const struct fleet_line *l = *state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct fleet_line back;
    const char *json = written(l, &a);
    if (fleet_line_read(json, l->system, &a, &back, &e))
        fail_msg("%s", e.text);
    assert_string_equal(written(&back, &a), json);
    assert_true(back.total_microusd == l->total_microusd);
    assert_true(back.today_microusd == l->today_microusd);
    assert_true(back.demand_mb_s == l->demand_mb_s || isnan(l->demand_mb_s));
    assert_int_equal(back.status, l->status);
    assert_int_equal(back.n_groups, l->n_groups);
    assert_int_equal(back.verdict, l->verdict);
    assert_int_equal(back.none_ceiling, l->none_ceiling);
    if (l->n_groups)
        assert_int_equal(back.groups[0].binding, l->groups[0].binding);
    arena_release(&a);
}

/* Cut anywhere, or with any byte another: an error or a line, never a crash. */
static void damaged_is_refused(void **state)
{
    (void)state;
    struct arena a = { 0 }, scratch = { 0 };
    struct err e = { 0 };
    struct fleet_line back;
    char *json = arena_strdup(&a, written(&planned, &a));
    size_t n = strlen(json);
    assert_int_equal(fleet_line_read("", "PRD1", &scratch, &back, &e), ERR_PARSE);
    assert_int_equal(fleet_line_read("{}", "PRD1", &scratch, &back, &e), ERR_PARSE);
    assert_int_equal(fleet_line_read("[1]", "PRD1", &scratch, &back, &e), ERR_PARSE);
    for (size_t i = 0; i < n; i++) {
        char was = json[i];
        int rc;
        json[i] = '[';
        rc = fleet_line_read(json, "PRD1", &scratch, &back, &e);
        assert_true(rc == 0 || rc == ERR_PARSE);
        json[i] = '\0';
        rc = fleet_line_read(json, "PRD1", &scratch, &back, &e);
        /* only the line break at the end can be spared */
        assert_int_equal(rc, i + 1 < n ? ERR_PARSE : 0);
        json[i] = was;
        arena_reuse(&scratch);
    }
    arena_release(&scratch);
    arena_release(&a);
}

/* Well-formed, and no line that was ever written: sums of it would overflow. */
static void impossible_is_refused(void **state)
{
    (void)state;
    static const struct {
        const struct fleet_line *line;
        const char *was, *now;
    } rows[] = {
        { &planned, "\"volumes\": 2", "\"volumes\": 9223372036854775807" },
        { &planned, "\"volumes\": 2", "\"volumes\": null" },
        { &planned, "\"count\": 2", "\"count\": -2" },
        { &planned, "\"total_microusd\": 123456789", "\"total_microusd\": 1000000000000000001" },
        { &planned, "\"today_microusd\": null", "\"today_microusd\": -1" },
        { &none, "\"nothing carries DATA\"", "null" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena a = { 0 };
        struct err e = { 0 };
        struct fleet_line back;
        char *json = arena_strdup(&a, written(rows[i].line, &a));
        char *at = strstr(json, rows[i].was);
        assert_non_null(at);
        *at = '\0';
        const char *other = arena_printf(&a, "%s%s%s", json, rows[i].now, at + strlen(rows[i].was));
        if (fleet_line_read(other, "PRD1", &a, &back, &e) != ERR_PARSE)
            fail_msg("%s is taken", rows[i].now);
        arena_release(&a);
    }
}

static void every_allocation_fails(void **state)
{
    (void)state;
    struct each_allocation it = { 0 };
    struct fleet_line back;
    while (each_allocation(&it)) {
        const char *json = NULL;
        it.rc = fleet_line_write(&planned, &it.a, &json, &it.e);
        if (!it.rc)
            it.rc = fleet_line_read(json, "PRD1", &it.a, &back, &it.e);
    }
}

int main(void)
{
    const struct CMUnitTest t[] = {
        { "a plan comes back", comes_back, NULL, NULL, (void *)(uintptr_t)&planned },
        { "what nothing carries comes back", comes_back, NULL, NULL, (void *)(uintptr_t)&none },
        cmocka_unit_test(damaged_is_refused),
        cmocka_unit_test(impossible_is_refused),
        cmocka_unit_test(every_allocation_fails),
    };
    if (cli_global_init(stderr))
        return 1;
    return cmocka_run_group_tests(t, NULL, NULL);
}
