/* tests/data/store/test_store_results.c - plans that are kept, what makes them out of date, and
 * claims: of one handle at a time, and free when the handle is gone. */
#include "data/store/store_results.h"
#include "tests/data/store/store_fixture.h"
#include "tests/each_allocation.h"

#include "models/core/mem.h"

static struct store *open_results(void)
{
    struct err e = { 0 };
    struct store *s = fixture_open(STORE_WRITE);
    if (store_claims_open(s, &e))
        fail_msg("%s", e.text);
    return s;
}

static void make_systems(void)
{
    struct err e = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    assert_int_equal(store_layout_set(s, "PRD1", "{}", &e), 0);
    assert_int_equal(store_layout_set(s, "PRD2", "{}", &e), 0);
    store_close(s);
}

static bool claim(struct store *s, const char *system)
{
    struct err e = { 0 };
    bool mine = false;
    if (store_claim(s, system, &mine, &e))
        fail_msg("%s", e.text);
    return mine;
}

static void test_claims(void **state)
{
    (void)state;
    make_systems();
    struct store *a = open_results(), *b = open_results();
    assert_true(claim(a, "PRD1"));
    assert_false(claim(b, "PRD1"));
    assert_true(claim(b, "PRD2"));
    store_claim_end(a);
    store_claim_end(b);
    assert_true(claim(b, "PRD1"));
    assert_false(claim(a, "PRD1"));
    store_close(b);
    assert_true(claim(a, "PRD1"));
    store_close(a);
}

static void test_claim_of_no_system(void **state)
{
    (void)state;
    make_systems();
    struct store *s = open_results();
    assert_false(claim(s, "PRD3"));
    store_close(s);
}

/* A claim holds up nobody who loads. */
static void test_loading_goes_on(void **state)
{
    (void)state;
    make_systems();
    struct store *a = open_results(), *b = fixture_open(STORE_WRITE);
    assert_true(claim(a, "PRD1"));
    fixture_put_file(b, 1, "sda", 0, 3);
    store_close(b);
    store_close(a);
}

static void keep(struct store *s, const char *question, const char *state, const char *json)
{
    struct err e = { 0 };
    struct store_result r = { state, json };
    assert_true(claim(s, "PRD1"));
    if (store_result_keep(s, "PRD1", question, &r, &e))
        fail_msg("%s", e.text);
}

static void expect_result(struct store *s, const char *question, const char *state,
                          const char *json)
{
    struct err e = { 0 };
    struct arena a = { 0 };
    struct store_result r;
    assert_int_equal(store_result_get(s, "PRD1", question, &a, &r, &e), 0);
    if (state) {
        assert_string_equal(r.state, state);
        assert_string_equal(r.json, json);
    } else
        assert_null(r.json);
    arena_release(&a);
}

static void test_results(void **state)
{
    (void)state;
    make_systems();
    struct arena a = { 0 };
    struct store *s = open_results(), *other = open_results();
    expect_result(s, "plan", NULL, NULL);
    keep(s, "plan", "one", "{\"a\": 1}");
    keep(s, "plan --headroom 30", "one", "{\"a\": 2}");
    expect_result(s, "plan", "one", "{\"a\": 1}");
    keep(s, "plan", "two", "{\"a\": 3}");
    expect_result(other, "plan", "two", "{\"a\": 3}");
    expect_result(other, "plan --headroom 30", "one", "{\"a\": 2}");
    assert_true(claim(other, "PRD1")); /* keeping gave the claim back */
    assert_string_equal(fixture_ask(&a, "SELECT plans FROM plan_result ORDER BY question"),
                        "2\n1\n");
    store_close(other);
    store_close(s);
    arena_release(&a);
}

static const char *state_of(struct store *s, struct arena *a)
{
    struct err e = { 0 };
    const char *hex;
    if (store_result_state(s, "PRD1", a, &hex, &e))
        fail_msg("%s", e.text);
    assert_int_equal(strlen(hex), 32);
    return hex;
}

static void test_state(void **state)
{
    (void)state;
    make_systems();
    struct err e = { 0 };
    struct arena a = { 0 };
    struct store *s = fixture_open(STORE_WRITE);
    const char *empty = state_of(s, &a);
    assert_string_equal(state_of(s, &a), empty);
    fixture_put_file(s, 1, "sda", 0, 3);
    const char *loaded = state_of(s, &a);
    assert_string_not_equal(loaded, empty);
    fixture_begin(s);
    fixture_put(s, "sda", 0, 3);
    fixture_commit_as(s, 1, true);
    assert_string_equal(state_of(s, &a), loaded);
    assert_int_equal(store_layout_set(s, "PRD1", "{ }", &e), 0);
    assert_string_not_equal(state_of(s, &a), loaded);
    assert_int_equal(store_layout_set(s, "PRD1", "{}", &e), 0);
    assert_int_equal(store_layout_set(s, "PRD2", "{ }", &e), 0); /* another system */
    assert_string_equal(state_of(s, &a), loaded);
    fixture_put_file(s, 2, "sda", 0, 3);
    assert_string_not_equal(state_of(s, &a), loaded);
    store_close(s);
    arena_release(&a);
}

/* Whatever a plan may depend on makes its state another one. */
static void test_state_of_each_thing(void **state)
{
    (void)state;
    static const char *const changes[] = {
        "UPDATE file SET content_hash = substr(content_hash, 2)",
        "UPDATE file SET date_ms = 86400000",
        "UPDATE file SET rows = rows + 1",
        "UPDATE file SET zone = 'Europe/Berlin'", /* its times are read otherwise */
        "UPDATE chunk SET n_samples = n_samples - 1",
        "DELETE FROM chunk",
    };
    struct arena a = { 0 };
    make_systems();
    struct store *s = fixture_open(STORE_WRITE);
    fixture_put_file(s, 1, "sda", 0, 3);
    const char *was = state_of(s, &a);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        fixture_ask(&a, changes[i]);
        const char *is = state_of(s, &a);
        if (strcmp(is, was) == 0)
            fail_msg("%s: the state stays", changes[i]);
        was = is;
    }
    store_close(s);
    arena_release(&a);
}

static void test_store_that_is_only_read(void **state)
{
    (void)state;
    make_systems();
    struct err e = { 0 };
    struct store_result r = { "one", "{}" };
    struct store *s = fixture_open(STORE_READ);
    int rc = store_claims_open(s, &e);
    if (!rc)
        rc = store_result_keep(s, "PRD1", "plan", &r, &e);
    assert_int_equal(rc, ERR_STORE);
    store_close(s);
}

static void test_each_allocation(void **state)
{
    (void)state;
    make_systems();
    struct each_allocation ask = { 0 }, give = { 0 };
    struct store_result r = { "one", "{}" };
    struct store *s = open_results();
    const char *hex;
    while (each_allocation(&ask)) {
        ask.rc = store_result_state(s, "PRD1", &ask.a, &hex, &ask.e);
        if (!ask.rc)
            ask.rc = store_result_get(s, "PRD1", "plan", &ask.a, &r, &ask.e);
    }
    r = (struct store_result){ "one", "{}" };
    while (!fixture_on_server && each_allocation(&give)) {
        bool mine = false;
        give.rc = store_claim(s, "PRD1", &mine, &give.e);
        if (!give.rc)
            give.rc = store_result_keep(s, "PRD1", "plan", &r, &give.e);
        store_claim_end(s);
    }
    mem_fail_at = 0;
    store_close(s);
}

int main(void)
{
    const struct CMUnitTest t[] = {
        FIXTURE_TEST(test_claims),
        FIXTURE_TEST(test_claim_of_no_system),
        FIXTURE_TEST(test_loading_goes_on),
        FIXTURE_TEST(test_results),
        FIXTURE_TEST(test_state),
        FIXTURE_TEST(test_store_that_is_only_read),
        FIXTURE_TEST(test_state_of_each_thing),
        FIXTURE_TEST(test_each_allocation),
    };
    return fixture_run(t, sizeof t / sizeof *t);
}
