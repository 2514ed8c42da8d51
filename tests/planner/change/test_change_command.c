/* tests/planner/change/test_change_command.c - names that are data stay data in every language. */
#include "planner/change/change_command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct quoting_case {
    const char *why, *text, *want;
    char *(*quote)(struct arena *, const char *);
} cases[] = {
    { "a plain word of sh", "us-east-1", "us-east-1", shell_word },
    { "nothing is a word too", "", "''", shell_word },
    { "an option", "--help", "'--help'", shell_word },
    { "commands in sh", "$(id);`id`", "'$(id);`id`'", shell_word },
    { "the quote itself", "a'b", "'a'\\''b'", shell_word },
    { "a plain name of Oracle", "DATA_1$", "DATA_1$", asm_name },
    { "a name with blanks", "my data", "\"my data\"", asm_name },
    { "begins with a digit", "1DATA", "\"1DATA\"", asm_name },
    { "the quote of names", "a\"b", "\"?\"", asm_name },
    { "a variable of SQL*Plus", "a&b", "\"?\"", asm_name },
    { "a line of its own", "a\n/", "\"?\"", asm_name },
    { "turns the reading direction around", "a\xe2\x80\xae", "\"?\"", asm_name },
    { "longer than Oracle takes", "abcdefghijabcdefghijabcdefghij1", "\"?\"", asm_name },
    { "nothing", "", "\"?\"", asm_name },
    { "a new name of plain characters", "my data", "my_data_N", asm_new_name },
    { "no longer than 30", "abcdefghijabcdefghijabcdefghij1", "abcdefghijabcdefghijabcdefgh_N",
      asm_new_name },
    { "the quote of literals", "it's", "'it''s'", sql_literal },
    { "neither lines nor variables in a literal", "a\n&b", "'a??b'", sql_literal },
    { "HCL: quotes, backslashes", "a\"b\\", "\"a\\\"b\\\\\"", hcl_literal },
    { "HCL: templates", "${x} %{y} $z", "\"$${x} %%{y} $z\"", hcl_literal },
    { "HCL: a control character", "\n", "\"\\u000a\"", hcl_literal },
    { "a comment ends with its line", "a\nb\033", "a?b?", comment_line },
    { "a resource", "1 a-b", "g1_a_b", plain_name },
};

static void quoted(void **state)
{
    const struct quoting_case *c = *state;
    struct arena a = { 0 };
    assert_string_equal(c->quote(&a, c->text), c->want);
    arena_release(&a);
}

static void volume_ids(void **state)
{
    (void)state;
    assert_true(is_volume_id("vol-0abc1234"));
    assert_false(is_volume_id("vol-"));
    assert_false(is_volume_id("vol-0ABC"));
    assert_false(is_volume_id("vol-0abc; rm"));
    assert_false(is_volume_id("snap-0abc"));
    assert_false(is_volume_id(""));
}

int main(void)
{
    enum { N = sizeof cases / sizeof *cases };
    struct CMUnitTest t[N + 1];
    for (size_t i = 0; i < N; i++)
        t[i] = (struct CMUnitTest){ cases[i].why, quoted, NULL, NULL, (void *)(size_t)&cases[i] };
    t[N] = (struct CMUnitTest)cmocka_unit_test(volume_ids);
    return cmocka_run_group_tests_name("change commands", t, NULL, NULL);
}
