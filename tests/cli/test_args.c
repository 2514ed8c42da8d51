/* tests/cli/test_args.c - argv against the tables. */
#include "cli/args.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WORDS = 8 };

static const struct args_case {
    const char *why;
    const char *argv[WORDS]; /* without the program's name */
    const char *command;     /* NULL and says NULL: none */
    int64_t size_gib;        /* UNKNOWN: not looked at */
    size_t n_args;
    const char *says; /* refused, naming this */
} cases[] = {
    { "an option behind its command", { "vol", "gp3", "--size", "5" }, "vol", 5, 1, NULL },
    { "with an equals sign", { "vol", "gp3", "--size=5" }, "vol", 5, 1, NULL },
    { "the last one wins", { "vol", "gp3", "--size=5", "--size", "6" }, "vol", 6, 1, NULL },
    { "before the argument", { "vol", "--size", "5", "gp3" }, "vol", 5, 1, NULL },
    { "a global option before the command",
      { "--json", "vol", "gp3", "--size=5" },
      "vol",
      5,
      1,
      NULL },
    { "a global option with a value before the command",
      { "--db", "x", "vol", "gp3", "--size=5" },
      "vol",
      5,
      1,
      NULL },
    { "an option of a command before it",
      { "--size", "5", "vol" },
      NULL,
      UNKNOWN,
      0,
      "stands after it" },
    { "an option of another command",
      { "vol", "gp3", "--top", "5" },
      NULL,
      UNKNOWN,
      0,
      "vol takes no --top" },
    { "a mistyped option", { "vol", "gp3", "--siez", "5" }, NULL, UNKNOWN, 0, "'--size'" },
    { "one like nothing", { "vol", "--xyzzy" }, NULL, UNKNOWN, 0, "unknown option '--xyzzy'" },
    { "a mistyped command", { "lauout" }, NULL, UNKNOWN, 0, "'layout'" },
    { "swapped letters", { "palns" }, NULL, UNKNOWN, 0, "unknown command 'palns'" },
    { "a value is missing at the end", { "vol", "gp3", "--size" }, NULL, UNKNOWN, 0, "--size N" },
    { "an option is no value",
      { "vol", "gp3", "--size", "--json" },
      NULL,
      UNKNOWN,
      0,
      "before '--json'" },
    { "but an equals sign makes it one",
      { "ingest", "--system=--json", "x" },
      "ingest",
      UNKNOWN,
      1,
      NULL },
    { "a flag takes no value", { "vol", "--json=yes" }, NULL, UNKNOWN, 0, "takes no value" },
    { "short options are not known", { "vol", "-s", "5" }, NULL, UNKNOWN, 0, "two dashes" },
    { "a lone dash is an argument", { "ingest", "-" }, "ingest", UNKNOWN, 1, NULL },
    { "behind two dashes all are arguments",
      { "ingest", "--", "--json" },
      "ingest",
      UNKNOWN,
      1,
      NULL },
    { "too few", { "vol" }, NULL, UNKNOWN, 0, "vol needs TYPE" },
    { "too many", { "vol", "gp3", "io2" }, NULL, UNKNOWN, 0, "'io2' is one argument too many" },
    { "help needs no arguments", { "vol", "--help" }, "vol", UNKNOWN, 0, NULL },
    { "no command at all", { "--json" }, NULL, UNKNOWN, 0, NULL },
    { "a bad value names its option",
      { "vol", "gp3", "--size", "5MiB/s" },
      NULL,
      UNKNOWN,
      0,
      "--size: '5MiB/s'" },
};

/* --merge-loss stands alone or before its group; what follows is never swallowed. */
static void a_value_that_may_be_left_out(void **state)
{
    (void)state;
    static const struct {
        const char *argv[5], *text;
    } alone[] = {
        { { "volplan", "whatif", "--merge-loss", "--growth", "5" }, "" },
        { { "volplan", "whatif", "--growth=5", "--merge-loss", NULL }, "" },
        { { "volplan", "whatif", "--growth=5", "--merge-loss", "DATA:1" }, "DATA:1" },
        { { "volplan", "whatif", "--growth=5", "--merge-loss=DATA", NULL }, "DATA" },
        { { "volplan", "whatif", "--growth=5", "--merge-loss=", NULL }, "" },
    };
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++) {
        struct arena a = { 0 };
        struct invocation in;
        struct err e = { 0 };
        int argc = alone[i].argv[4] ? 5 : 4;
        assert_int_equal(args_parse(argc, alone[i].argv, &a, &in, &e), 0);
        assert_int_equal(in.n_args, 0);
        assert_true(in.values[OPT_MERGE_LOSS].given);
        assert_string_equal(in.values[OPT_MERGE_LOSS].text, alone[i].text);
        assert_string_equal(in.values[OPT_GROWTH].text, "5");
        arena_release(&a);
    }
}

static void parse(void **state)
{
    const struct args_case *c = *state;
    const char *argv[WORDS + 2] = { "volplan" };
    int argc = 1;
    for (size_t i = 0; i < WORDS && c->argv[i]; i++)
        argv[argc++] = c->argv[i];
    struct arena a = { 0 };
    struct invocation in;
    struct err e = { 0 };
    int rc = args_parse(argc, argv, &a, &in, &e);
    if (c->says) {
        assert_int_equal(rc, ERR_USAGE);
        assert_non_null(strstr(e.text, c->says));
    } else {
        assert_int_equal(rc, 0);
        assert_string_equal(in.command ? in.command->name : "", c->command ? c->command : "");
        assert_int_equal(in.n_args, c->n_args);
        if (c->size_gib != UNKNOWN)
            assert_int_equal(in.values[OPT_SIZE].whole, c->size_gib);
    }
    arena_release(&a);
}

static void defaults_are_set_but_not_given(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct invocation in;
    struct err e = { 0 };
    const char *argv[] = { "volplan", "plan" };
    assert_int_equal(args_parse(2, argv, &a, &in, &e), 0);
    assert_true(in.values[OPT_HEADROOM].set && !in.values[OPT_HEADROOM].given);
    assert_true(in.values[OPT_HEADROOM].number > 19.9 && in.values[OPT_HEADROOM].number < 20.1);
    assert_string_equal(in.values[OPT_DB].text, "volplan.db");
    assert_false(in.values[OPT_TYPES].set);
    arena_release(&a);
}

int main(void)
{
    enum { N = sizeof cases / sizeof *cases };
    struct CMUnitTest t[N + 2];
    for (size_t i = 0; i < N; i++)
        t[i] = (struct CMUnitTest){ cases[i].why, parse, NULL, NULL, (void *)(size_t)&cases[i] };
    t[N] = (struct CMUnitTest)cmocka_unit_test(defaults_are_set_but_not_given);
    t[N + 1] = (struct CMUnitTest)cmocka_unit_test(a_value_that_may_be_left_out);
    return cmocka_run_group_tests_name("args", t, NULL, NULL);
}
