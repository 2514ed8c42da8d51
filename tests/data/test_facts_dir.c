/* tests/data/test_facts_dir.c - a directory of figures in place of the built-in ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/facts.h"
#include "tests/each_allocation.h"
#include "tests/remove_folder.h"

static char dir[] = "/tmp/volplan-facts-XXXXXX";

static int make_dir(void **state)
{
    (void)state;
    return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
    (void)state;
    return remove_folder(dir);
}

static void write_file(const char *name, const char *text)
{
    char path[160];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static void remove_file(const char *name)
{
    char path[160];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    assert_int_equal(unlink(path), 0);
}

/* The first two lines of the file that is built in: its headings and one row. */
static char *two_lines(enum facts_file file)
{
    static char text[8192];
    char path[160];
    snprintf(path, sizeof path, "models/facts/%s", facts_file_names[file]);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    text[n] = '\0';
    char *end = strchr(text, '\n');
    assert_non_null(end);
    end = strchr(end + 1, '\n');
    assert_non_null(end);
    end[1] = '\0';
    return text;
}

static void what_is_there_replaces_what_is_built_in(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct catalogue c;
    struct err e = { 0 };
    write_file(facts_file_names[FACTS_WEIGHTING], two_lines(FACTS_WEIGHTING));
    if (facts_open(dir, &a, &c, &e))
        fail_msg("%s", e.text);
    assert_int_equal(c.n_weightings, 1);
    assert_true(builtin_catalogue.n_weightings > 1);
    assert_int_equal(c.n_rules, builtin_catalogue.n_rules);
    assert_int_equal(c.n_prices, builtin_catalogue.n_prices);
    assert_int_equal(c.n_instances, builtin_catalogue.n_instances);
    assert_string_equal(c.rules[0].rule_pack, builtin_catalogue.rules[0].rule_pack);
    assert_non_null(c.weightings[0].instance_type); /* lives on after the file is closed */
    assert_true(strlen(c.weightings[0].instance_type) > 0);
    arena_release(&a);
    remove_file(facts_file_names[FACTS_WEIGHTING]);
}

static void an_error_names_the_path(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct catalogue c;
    struct err e = { 0 };
    char want[200];
    write_file(facts_file_names[FACTS_PRICES], "");
    assert_int_equal(facts_open(dir, &a, &c, &e), ERR_PARSE);
    snprintf(want, sizeof want, "%s/%s:1: ", dir, facts_file_names[FACTS_PRICES]);
    assert_int_equal(strncmp(e.text, want, strlen(want)), 0);
    arena_release(&a);
    remove_file(facts_file_names[FACTS_PRICES]);
}

static void a_directory_without_figures_is_an_error(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct catalogue c;
    struct err e = { 0 };
    assert_int_equal(facts_open(dir, &a, &c, &e), ERR_FILE);
    assert_non_null(strstr(e.text, "none of the files of figures is there (volume_rules.csv, "));
    assert_int_equal(facts_open("/nonexistent", &a, &c, &e), ERR_FILE);
    assert_string_equal(e.text, "/nonexistent: cannot be opened: No such file or directory");
    assert_int_equal(facts_open("/dev/null", &a, &c, &e), ERR_FILE);
    assert_string_equal(e.text, "/dev/null: is not a directory");
    arena_release(&a);
}

static void without_memory(void **state)
{
    (void)state;
    write_file(facts_file_names[FACTS_WEIGHTING], two_lines(FACTS_WEIGHTING));
    struct each_allocation it = { 0 };
    struct catalogue c;
    while (each_allocation(&it)) {
        it.rc = facts_open(dir, &it.a, &c, &it.e);
        assert_int_equal(it.e.code, it.rc);
    }
    assert_true(it.n > 3);
    remove_file(facts_file_names[FACTS_WEIGHTING]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_directory_without_figures_is_an_error),
        cmocka_unit_test(what_is_there_replaces_what_is_built_in),
        cmocka_unit_test(an_error_names_the_path),
        cmocka_unit_test(without_memory),
    };
    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
