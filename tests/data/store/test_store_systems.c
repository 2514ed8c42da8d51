/* tests/data/store/test_store_systems.c - the systems of a store, their layouts, and which one is
 * meant. */
#include "tests/data/store/store_fixture.h"

static void test_layout(void **state)
{
    (void)state;
    struct err e = { 0 };
    struct arena a = { 0 };
    const char *json = "?", *system = NULL;
    struct store *s = fixture_open(STORE_CREATE);
    assert_int_equal(store_layout_get(s, "PRD1", &a, &json, &e), 0);
    assert_null(json);
    assert_int_equal(store_layout_set(s, "PRD1", "{\"system\":\"PRD1\"}", &e), 0);
    assert_int_equal(store_layout_set(s, "PRD1", "{\"system\":\"PRD1\",\"groups\":[]}", &e), 0);
    assert_int_equal(store_layout_set(s, "ABC", "{}", &e), 0);
    store_close(s);

    s = fixture_open(STORE_READ);
    assert_int_equal(store_layout_get(s, "PRD1", &a, &json, &e), 0);
    assert_string_equal(json, "{\"system\":\"PRD1\",\"groups\":[]}");
    const char *const *names = NULL;
    size_t n = 0;
    assert_int_equal(store_systems(s, &a, &names, &n, &e), 0);
    assert_int_equal(n, 2);
    assert_string_equal(names[0], "ABC");
    assert_string_equal(names[1], "PRD1");

    assert_int_equal(store_system_resolve(s, "PRD1", &a, &system, &e), 0);
    assert_string_equal(system, "PRD1");
    assert_int_equal(store_system_resolve(s, NULL, &a, &system, &e), ERR_USAGE);
    assert_non_null(strstr(e.text, "ABC, PRD1"));
    assert_int_equal(store_system_resolve(s, "PRD", &a, &system, &e), ERR_USAGE);
    assert_non_null(strstr(e.text, "no system 'PRD'"));
    assert_int_equal(store_layout_set(s, "PRD1", "{}", &e), ERR_STORE);
    store_close(s);
    arena_release(&a);
}

static void test_resolve_the_only_one(void **state)
{
    (void)state;
    struct err e = { 0 };
    struct arena a = { 0 };
    const char *system = NULL;
    struct store *s = fixture_open(STORE_CREATE);
    assert_int_equal(store_system_resolve(s, NULL, &a, &system, &e), ERR_USAGE);
    assert_non_null(strstr(e.text, "holds no system yet"));
    assert_int_equal(store_layout_set(s, "PRD1", "{}", &e), 0);
    assert_int_equal(store_system_resolve(s, NULL, &a, &system, &e), 0);
    assert_string_equal(system, "PRD1");
    store_close(s);
    arena_release(&a);
}

int main(void)
{
    const struct CMUnitTest t[] = {
        FIXTURE_TEST(test_layout),
        FIXTURE_TEST(test_resolve_the_only_one),
    };
    return fixture_run(t, sizeof t / sizeof *t);
}
