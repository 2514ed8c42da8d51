/* tests/cli/render/test_text_wrap.c - lines that are no part of a page. */
#include "cli/render/text_wrap.h"

#include "models/core/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct line_case {
    const char *why, *lead, *text;
    size_t columns;
    const char *want;
} cases[] = {
    { "no terminal: one line", "volplan: ", "no store here; 'volplan ingest' makes one", 0,
      "volplan: no store here; 'volplan ingest' makes one\n" },
    { "it fits", "volplan: ", "no store here", 40, "volplan: no store here\n" },
    { "further lines stand behind the lead",
      "volplan: ", "no store here; 'volplan ingest' makes one", 40,
      "volplan: no store here; 'volplan ingest'\n         makes one\n" },
    { "without a lead they begin at the edge", "", "no prices of mars-1: what is known of it stays",
      40, "no prices of mars-1: what is known of it\nstays\n" },
    { "what steers a terminal is shown", "volplan: ", "no system '\033[2J'", 40,
      "volplan: no system '\\x1b[2J'\n" },
    { "and counts as it is shown", "", "0123456789012345678901234567890123 '\033[2J'", 40,
      "0123456789012345678901234567890123\n'\\x1b[2J'\n" },
    { "nor does a name end the line", "volplan: ", "no system 'a\nb'", 0,
      "volplan: no system 'a\\x0ab'\n" },
    { "nothing to say", "volplan: ", "", 40, "volplan: \n" },
};

static char *put(const struct line_case *c)
{
    char *text = NULL;
    size_t len;
    FILE *f = open_memstream(&text, &len);
    assert_non_null(f);
    text_put_line(f, c->lead, c->text, c->columns);
    fclose(f);
    return text;
}

static void a_line(void **state)
{
    char *text = put(*state);
    assert_string_equal(text, ((const struct line_case *)*state)->want);
    free(text);
}

/* An error is told where memory is out, too. */
static void without_memory(void **state)
{
    (void)state;
    for (long n = 1; n <= 2; n++) { /* its safe form, its lines */
        mem_calls = 0;
        mem_fail_at = n;
        char *text = put(&cases[2]);
        mem_fail_at = 0;
        assert_string_equal(text, cases[0].want);
        free(text);
    }
}

static void columns_of_a_page(void **state)
{
    (void)state;
    assert_int_equal(text_columns(0), 100);
    assert_int_equal(text_columns(1), 40);
    assert_int_equal(text_columns(80), 80);
    assert_int_equal(text_columns(300), 100);
}

int main(void)
{
    enum { N = sizeof cases / sizeof *cases };
    struct CMUnitTest tests[N + 2];
    for (size_t i = 0; i < N; i++)
        tests[i] =
            (struct CMUnitTest){ cases[i].why, a_line, NULL, NULL, (void *)(size_t)&cases[i] };
    tests[N] = (struct CMUnitTest)cmocka_unit_test(without_memory);
    tests[N + 1] = (struct CMUnitTest)cmocka_unit_test(columns_of_a_page);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
