/* tests/data/ingest/plan/test_plan_json.c - what is read of a plan, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "data/ingest/layout/layout_json.h"
#include "data/ingest/plan/plan_json.h"
#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "tests/each_allocation.h"
#include "tests/row_tests.h"

#define N(a) (sizeof(a) / sizeof *(a))

#define HEAD                                                                                       \
    "{\"system\":\"PRD1\",\"as_of\":\"2022-06-01\",\"region\":\"eu-west-1\",\"status\":\"best\","
#define IO2                                                                                        \
    "{\"volume_type\":\"io2\",\"count\":2,\"size_gib\":250,\"iops\":1200,"                         \
    "\"throughput_mibps\":null,\"notes\":[]}"
#define INSTANCE                                                                                   \
    "\"instance\":{\"type\":\"r5.8xlarge\",\"verdict\":\"fits\",\"weighting\":\"ebs-1\"}"

static const char full[] =
    HEAD "\"groups\":[{\"name\":\"REDO1\",\"chosen\":" IO2 ",\"rejected\":[{\"chosen\":7}]},\n"
         " {\"name\":\"R\\u00f6st\",\"chosen\":{\"volume_type\":\"-\",\"count\":3,"
         "\"size_gib\":null,\"iops\":null,\"throughput_mibps\":null,\"kept\":true}}],\n" INSTANCE
         ",\"newer\":{\"key\":[1,{}]}}\n";

static void the_choice(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct plan_file p;
    struct err e = { 0 };
    struct civil day = { .year = 2022, .month = 6, .day = 1 };
    if (plan_json_parse(span_of(full), &a, &p, &e))
        fail_msg("%s", e.text);
    assert_string_equal(p.system, "PRD1");
    assert_string_equal(p.region, "eu-west-1");
    assert_int_equal(p.as_of_ms, time_from_civil(&day));
    assert_string_equal(p.instance_type, "r5.8xlarge");
    assert_string_equal(p.weighting, "ebs-1");
    assert_int_equal(p.n_groups, 2);
    assert_string_equal(p.groups[0].name, "REDO1");
    assert_false(p.groups[0].kept);
    assert_int_equal(p.groups[0].spec.type, VOL_IO2);
    assert_int_equal(p.groups[0].spec.count, 2);
    assert_int_equal(p.groups[0].spec.size_gib, 250);
    assert_int_equal(p.groups[0].spec.iops, 1200);
    assert_int_equal(p.groups[0].spec.throughput_mibps, UNKNOWN);
    assert_string_equal(p.groups[1].name, "R\xc3\xb6st");
    assert_true(p.groups[1].kept);
    arena_release(&a);
}

static void an_instance_that_is_not_known(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct plan_file p;
    struct err e = { 0 };
    static const char json[] =
        HEAD "\"groups\":[{\"name\":\"A\",\"chosen\":" IO2 "}],\"instance\":{\"type\":null}}";
    if (plan_json_parse(span_of(json), &a, &p, &e))
        fail_msg("%s", e.text);
    assert_null(p.instance_type);
    assert_null(p.weighting);
    arena_release(&a);
}

#define CHOSEN(members) HEAD "\"groups\":[{\"name\":\"A\",\"chosen\":{" members "}}]," INSTANCE "}"

static const struct bad_case {
    const char *why, *json, *says;
} bad_cases[] = {
    { "nothing", " \n", "empty: expected what volplan plan --json writes" },
    { "no JSON", "PRD1 on r5.8xlarge:", "line 1, column 1: not valid JSON: expected a value" },
    { "cut off", HEAD "\n\"groups\":[", "line 2, column 11: not valid JSON: the input ends" },
    { "two documents", HEAD "\"groups\":[]," INSTANCE "} {}", "something follows the document" },
    { "a list", "[1]", "system: missing: expected what volplan plan --json writes" },
    { "a layout", "{\"system\":\"A\",\"groups\":[]}", "region: missing" },
    { "several systems", "{\"systems\":[],\"totals\":{}}", "system: missing: expected what" },
    { "system is a number", "{\"system\":1}", "system: 1: expected text of 1 to 255 bytes" },
    { "system is empty", "{\"system\":\"\"}", "system: \"\": expected text" },
    { "no day", "{\"system\":\"A\",\"region\":null,\"as_of\":\"soon\"}",
      "as_of: soon: expected a date, YYYY-MM-DD" },
    { "no groups", HEAD INSTANCE "}", "groups: missing" },
    { "no instance", HEAD "\"groups\":[]}", "instance: missing" },
    { "weighting is a number", HEAD "\"groups\":[],\"instance\":{\"type\":null,\"weighting\":1}}",
      "instance.weighting: 1: expected text" },
    { "groups are none", HEAD "\"groups\":[]," INSTANCE "}", "groups: []: expected a list" },
    { "groups are text", HEAD "\"groups\":\"A\"," INSTANCE "}", "groups: \"A\": expected a list" },
    { "a group is no object", HEAD "\"groups\":[7]," INSTANCE "}", "groups[0].name: missing" },
    { "what peaks writes", HEAD "\"groups\":[{\"name\":\"A\"}]," INSTANCE "}",
      "groups[0].chosen: missing" },
    { "a plan without a solution",
      HEAD "\"groups\":[{\"name\":\"A\",\"chosen\":null}]," INSTANCE "}",
      "groups[0].chosen: null: the plan found no volumes for A" },
    { "no type", CHOSEN("\"count\":1"), "groups[0].chosen.volume_type: missing" },
    { "unknown type",
      CHOSEN(
          "\"volume_type\":\"gp9\",\"count\":1,\"size_gib\":1,\"iops\":1,\"throughput_mibps\":1"),
      "groups[0].chosen.volume_type: gp9: expected gp3" },
    { "half a volume", CHOSEN("\"volume_type\":\"gp3\",\"count\":1.5"),
      "groups[0].chosen.count: 1.5: expected a whole number" },
    { "no volume", CHOSEN("\"volume_type\":\"gp3\",\"count\":0"),
      "groups[0].chosen.count: 0: expected a whole number" },
    { "a count that is not known",
      CHOSEN("\"volume_type\":\"gp3\",\"count\":null,\"size_gib\":1,\"iops\":1,"
             "\"throughput_mibps\":1"),
      "groups[0].chosen.count: null: expected a whole number" },
    { "a size that is not known",
      CHOSEN("\"volume_type\":\"gp3\",\"count\":1,\"size_gib\":null,\"iops\":1,"
             "\"throughput_mibps\":1"),
      "groups[0].chosen.size_gib: null: expected a whole number" },
    { "absurd IOPS", CHOSEN("\"volume_type\":\"gp3\",\"count\":1,\"size_gib\":1,\"iops\":1e300"),
      "groups[0].chosen.iops: 1e300: expected a whole number up to 1e9" },
    { "negative", CHOSEN("\"volume_type\":\"gp3\",\"count\":1,\"size_gib\":-5"),
      "groups[0].chosen.size_gib: -5: expected" },
    { "a name twice",
      HEAD "\"groups\":[{\"name\":\"A\",\"chosen\":" IO2 "},{\"name\":\"A\",\"chosen\":" IO2
           "}]," INSTANCE "}",
      "groups[1].name: 'A': expected another name than groups[0]" },
};

static void bad(void **state)
{
    const struct bad_case *c = *state;
    struct arena a = { 0 };
    struct plan_file p = { .n_groups = 77 };
    struct err e = { 0 };
    assert_int_equal(plan_json_parse(span_of(c->json), &a, &p, &e), ERR_PARSE);
    if (!strstr(e.text, c->says))
        fail_msg("says: %s", e.text);
    assert_int_equal(p.n_groups, 77);
    arena_release(&a);
}

static void cut_at_any_byte(void **state)
{
    (void)state;
    for (size_t n = 0; n + 3 < sizeof full; n++) {
        struct arena a = { 0 };
        struct plan_file p;
        struct err e = { 0 };
        assert_int_equal(plan_json_parse((struct span){ full, n }, &a, &p, &e), ERR_PARSE);
        arena_release(&a);
    }
}

static void without_memory(void **state)
{
    (void)state;
    struct each_allocation it = { 0 };
    struct plan_file p;
    while (each_allocation(&it))
        it.rc = plan_json_parse(span_of(full), &it.a, &p, &it.e);
    assert_true(it.n > 10);
}

int main(void)
{
    struct CMUnitTest t[N(bad_cases) + 4];
    size_t n = 0;
    ADD_ROW_TESTS(t, n, bad_cases, bad);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(the_choice);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(an_instance_that_is_not_known);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(cut_at_any_byte);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(without_memory);
    layout_init();
    return _cmocka_run_group_tests("plan_json", t, n, NULL, NULL);
}
