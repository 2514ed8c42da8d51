/* tests/cli/test_nearest.c - what a mistyped word may have meant. */
#include "cli/nearest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const struct near_case {
    const char *why, *word;
    const char *names[4];
    const char *want; /* NULL = nothing is near */
} cases[] = {
    { "a letter is missing", "iop", { "iops", "io-size" }, "iops" },
    { "two are swapped", "szie", { "size", "set" }, "size" },
    { "one is wrong", "gp4", { "io2", "gp3" }, "gp3" },
    { "too far", "xyzzy", { "iops", "size" }, NULL },
    { "of equal ones the longer common beginning",
      "r5.9xlarge",
      { "c5.9xlarge", "r5.8xlarge" },
      "r5.8xlarge" },
    { "the nearest, wherever it stands", "instancd", { "instances", "instance" }, "instance" },
    { "a word that is longer than any name",
      "averyveryveryveryveryveryveryverylongwordthatisnoname",
      { "size" },
      NULL },
    { "nothing", "", { "size", "db" }, NULL },
    { "another script does no harm", "\xff\xfe", { "db" }, NULL },
};

static void near_word(void **state)
{
    const struct near_case *c = *state;
    struct nearest n = { .word = c->word };
    for (size_t i = 0; i < 4 && c->names[i]; i++)
        nearest_try(&n, c->names[i]);
    char hint[96];
    nearest_hint(hint, &n, "--");
    if (!c->want) {
        assert_null(n.best);
        assert_string_equal(hint, "");
        return;
    }
    assert_non_null(n.best);
    assert_string_equal(n.best, c->want);
    assert_non_null(strstr(hint, c->want));
}

int main(void)
{
    enum { N = sizeof cases / sizeof *cases };
    struct CMUnitTest t[N];
    for (size_t i = 0; i < N; i++)
        t[i] =
            (struct CMUnitTest){ cases[i].why, near_word, NULL, NULL, (void *)(size_t)&cases[i] };
    return cmocka_run_group_tests_name("nearest", t, NULL, NULL);
}
