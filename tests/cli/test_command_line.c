/* tests/cli/test_command_line.c - an invocation as a line that gives the same answer. */
#include "cli/command_line.h"

#include "tests/each_allocation.h"

static const struct line_case {
    const char *why;
    const char *argv[10];
    const char *system; /* that was resolved; NULL */
    const char *want;
} cases[] = {
    { "as typed",
      { "volplan", "plan", "--headroom=30", "--json" },
      NULL,
      "volplan plan --headroom 30 --json" },
    { "with the system that was meant",
      { "volplan", "plan", "--json" },
      "PRD 1",
      "volplan plan --system 'PRD 1' --json" },
    { "but not twice",
      { "volplan", "plan", "--system", "PRD1" },
      "PRD1",
      "volplan plan --system PRD1" },
    { "of the same store",
      { "volplan", "plan", "--db", "postgresql://u@h/d?sslmode=verify-full" },
      NULL,
      "volplan plan --db 'postgresql://u@h/d?sslmode=verify-full'" },
    { "a letter stays one",
      { "volplan", "report", "--out=it's.html" },
      NULL,
      "volplan report -o 'it'\\''s.html'" },
    { "every use of an option, and what follows it",
      { "volplan", "peaks", "--with", "A", "B", "--group", "$(reboot)" },
      NULL,
      "volplan peaks --with A --group '$(reboot)' B" },
    { "an option without its value",
      { "volplan", "whatif", "--merge-loss", "--standbys", "8" },
      NULL,
      "volplan whatif --merge-loss --standbys 8" },
};

static void line(void **state)
{
    const struct line_case *c = *state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct invocation in;
    int argc = 0;
    while (c->argv[argc])
        argc++;
    assert_int_equal(args_parse(argc, c->argv, &a, &in, &e), 0);
    assert_string_equal(command_line_of(&in, c->system, &a), c->want);
    arena_release(&a);
}

static void memory_runs_out(void **state)
{
    static const char *const argv[] = { "volplan", "report", "-o", "it's.html", NULL };
    struct each_allocation it = { 0 };
    struct invocation in;
    (void)state;
    while (each_allocation(&it)) {
        it.rc = args_parse(4, argv, &it.a, &in, &it.e);
        if (!it.rc && !command_line_of(&in, "PRD1", &it.a))
            it.rc = ERR_NOMEM;
    }
}

int main(void)
{
    enum { N = sizeof cases / sizeof *cases };
    struct CMUnitTest t[N + 1];
    for (size_t i = 0; i < N; i++)
        t[i] = (struct CMUnitTest){ cases[i].why, line, NULL, NULL, (void *)(uintptr_t)&cases[i] };
    t[N] = (struct CMUnitTest)cmocka_unit_test(memory_runs_out);
    return _cmocka_run_group_tests("command_line", t, N + 1, NULL, NULL);
}
