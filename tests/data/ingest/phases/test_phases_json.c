/* tests/data/ingest/phases/test_phases_json.c - what is read of a phases file, and what is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <string.h>

#include "data/ingest/layout/layout_json.h"
#include "data/ingest/phases/phases_json.h"
#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "tests/each_allocation.h"

#define N(a) (sizeof(a) / sizeof *(a))

static const char three[] =
    "[{\"from\":\"2026-03-01\",\"changes\":[\"--standbys 12\",\"--growth 10\"]},\n"
    " {\"changes\":[],\"from\":\"2026-04-01\"},\n"
    " {\"from\":\"2026-06-01\",\"to\":\"2026-12-01\",\"changes\":[\"--drop-standby "
    "d\\u00fcs\"]}]\n";

static int64_t day(int year, int month)
{
    return time_from_civil(&(struct civil){ .year = year, .month = month, .day = 1 });
}

static void phases_in_order(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct phase_list p;
    struct err e = { 0 };
    if (phases_parse(span_of(three), &a, &p, &e))
        fail_msg("%s", e.text);
    assert_int_equal(p.n, 3);
    assert_int_equal(p.at[0].from_ms, day(2026, 3));
    assert_int_equal(p.at[0].to_ms, UNKNOWN);
    assert_int_equal(p.at[0].n_changes, 2);
    assert_string_equal(p.at[0].changes[1], "--growth 10");
    assert_int_equal(p.at[1].n_changes, 0);
    assert_int_equal(p.at[2].to_ms, day(2026, 12));
    assert_string_equal(p.at[2].changes[0], "--drop-standby d\xc3\xbcs");
    arena_release(&a);
}

static const struct bad_case {
    const char *why, *json, *want;
} bad_cases[] = {
    { "nothing", "", "empty: expected a list of phases" },
    { "blanks", " \n ", "empty: expected a list of phases" },
    { "an object", "{\"from\":\"2026-03-01\"}", "expected a list of phases" },
    { "cut short", "[{\"from\":", "line 1, column" },
    { "something behind", "[] x", "line 1, column 4: not valid JSON" },
    { "no phase", "[]", "an empty list: expected a phase" },
    { "not an object", "[7]", "[0]: 7: expected an object" },
    { "no beginning", "[{\"changes\":[]}]", "[0].from: missing, but needed" },
    { "no date", "[{\"from\":\"1 March\"}]", "[0].from: 1 March: expected a date, YYYY-MM-DD" },
    { "a number for a date", "[{\"from\":20260301}]", "[0].from: 20260301: expected text" },
    { "no such day", "[{\"from\":\"2026-02-30\"}]", "[0].from: 2026-02-30: expected a date" },
    { "an unknown key", "[{\"from\":\"2026-03-01\",\"until\":\"2026-04-01\"}]",
      "[0].until: unknown key; known here: from, to, changes" },
    { "a key twice", "[{\"from\":\"2026-03-01\",\"from\":\"2026-03-02\"}]",
      "[0].from: \"2026-03-02\": expected each key once" },
    { "the same day", "[{\"from\":\"2026-03-01\"},{\"from\":\"2026-03-01\"}]",
      "[1].from: expected a day after that of [0]" },
    { "going back", "[{\"from\":\"2026-03-01\"},{\"from\":\"2026-02-01\"}]",
      "[1].from: expected a day after that of [0]" },
    { "an end before the beginning", "[{\"from\":\"2026-03-01\",\"to\":\"2026-03-01\"}]",
      "[0].to: expected a day after \"from\"" },
    { "an end in the middle",
      "[{\"from\":\"2026-03-01\",\"to\":\"2026-04-01\"},{\"from\":\"2026-05-01\"}]",
      "[0].to: expected only in the last phase" },
    { "changes that are no list", "[{\"from\":\"2026-03-01\",\"changes\":\"--standbys 3\"}]",
      "[0].changes: \"--standbys 3\": expected a list of changes" },
    { "a change that is no text", "[{\"from\":\"2026-03-01\",\"changes\":[3]}]",
      "[0].changes[0]: 3: expected text of 1 to 255 bytes" },
    { "an empty change", "[{\"from\":\"2026-03-01\",\"changes\":[\"\"]}]",
      "[0].changes[0]: \"\": expected text" },
};

static void refused(void **state)
{
    const struct bad_case *c = *state;
    struct arena a = { 0 };
    struct phase_list p;
    struct err e = { 0 };
    assert_int_equal(phases_parse(span_of(c->json), &a, &p, &e), ERR_PARSE);
    if (!strstr(e.text, c->want))
        fail_msg("'%s' does not say '%s'", e.text, c->want);
    arena_release(&a);
}

/* One more than there may be. */
static void too_many(void **state)
{
    (void)state;
    static char json[8192];
    struct arena a = { 0 };
    struct phase_list p;
    struct err e = { 0 };
    size_t at = 0;
    for (int i = 0; i <= PHASES_MAX; i++)
        at += (size_t)snprintf(json + at, sizeof json - at, "%s{\"from\":\"20%02d-01-01\"}",
                               i ? "," : "[", 26 + i);
    snprintf(json + at, sizeof json - at, "]");
    assert_int_equal(phases_parse(span_of(json), &a, &p, &e), ERR_PARSE);
    assert_non_null(strstr(e.text, "more than 24 phases"));
    at = (size_t)snprintf(json, sizeof json, "[{\"from\":\"2026-01-01\",\"changes\":[");
    for (int i = 0; i <= PHASE_CHANGES_MAX; i++)
        at += (size_t)snprintf(json + at, sizeof json - at, "%s\"--growth 1\"", i ? "," : "");
    snprintf(json + at, sizeof json - at, "]}]");
    assert_int_equal(phases_parse(span_of(json), &a, &p, &e), ERR_PARSE);
    assert_non_null(strstr(e.text, "expected no more than 64 changes"));
    arena_release(&a);
}

static void memory_may_end(void **state)
{
    (void)state;
    struct each_allocation it = { 0 };
    struct phase_list p;
    while (each_allocation(&it))
        it.rc = phases_parse(span_of(three), &it.a, &p, &it.e);
}

int main(void)
{
    struct CMUnitTest tests[3 + N(bad_cases)] = {
        cmocka_unit_test(phases_in_order),
        cmocka_unit_test(too_many),
        cmocka_unit_test(memory_may_end),
    };
    layout_init();
    for (size_t i = 0; i < N(bad_cases); i++)
        tests[3 + i] = (struct CMUnitTest){ bad_cases[i].why, refused, NULL, NULL,
                                            (void *)(uintptr_t)&bad_cases[i] };
    return _cmocka_run_group_tests("phases", tests, N(tests), NULL, NULL);
}
