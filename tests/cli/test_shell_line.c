/* tests/cli/test_shell_line.c - the line that is shown is read by a shell as the words it was
 * made of. */
#include "cli/shell_line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct line_case {
    const char *why;
    const char *words[4];
    const char *want;
} cases[] = {
    { "plain words", { "volplan", "plan", "--json" }, "volplan plan --json" },
    { "a value of its own", { "volplan", "--system=PRD1" }, "volplan --system PRD1" },
    { "the first equals sign ends the name", { "--group=A=2xgp3:5" }, "--group A=2xgp3:5" },
    { "a value that looks like an option", { "--system=--db" }, "--system=--db" },
    { "blanks", { "--system=a b" }, "--system 'a b'" },
    { "nothing", { "" }, "''" },
    { "what a shell would run", { "--system=$(id)`id`;id|id>x" }, "--system '$(id)`id`;id|id>x'" },
    { "a quote", { "--system=it's" }, "--system 'it'\\''s'" },
    { "markup", { "--system=<script>alert(1)</script>" }, "--system '<script>alert(1)</script>'" },
    { "a newline, which a header must not have", { "--system=a\nX: y" }, "--system $'a\\012X: y'" },
    { "a digit behind an escape", { "--system=\r1" }, "--system $'\\0151'" },
    { "UTF-8, as bytes", { "--system=\xc3\xa9" }, "--system $'\\303\\251'" },
    { "a quote and a backslash beside one", { "--system='\\\x1b" }, "--system $'\\047\\134\\033'" },
};

static void a_line(void **state)
{
    const struct line_case *c = *state;
    struct buf line = { 0 };
    for (size_t i = 0; i < 4 && c->words[i]; i++)
        shell_line_add(&line, c->words[i]);
    assert_false(line.failed);
    assert_int_equal(line.len, strlen(c->want));
    assert_memory_equal(line.ptr, c->want, line.len);
    buf_release(&line);
}

/* All bytes that a word can have, through bash: printf %s gives the word back. */
static void bash_reads_it_so(void **state)
{
    (void)state;
    char word[256], got[600] = "";
    for (int i = 1; i < 256; i++)
        word[i - 1] = (char)i;
    word[255] = '\0';
    struct buf line = { 0 };
    buf_puts(&line, "bash -c \"$(cat <<'END'\nprintf %s");
    shell_line_add(&line, word);
    buf_puts(&line, "\nEND\n)\"");
    buf_put(&line, "", 1);
    FILE *p = popen(line.ptr, "r");
    assert_non_null(p);
    size_t n = fread(got, 1, sizeof got, p);
    assert_int_equal(pclose(p), 0);
    assert_int_equal(n, 255);
    assert_memory_equal(got, word, 255);
    buf_release(&line);
}

int main(void)
{
    enum { N = sizeof cases / sizeof *cases, MORE = 1 };
    struct CMUnitTest tests[N + MORE] = { cmocka_unit_test(bash_reads_it_so) };
    for (size_t i = 0; i < N; i++)
        tests[MORE + i] =
            (struct CMUnitTest){ cases[i].why, a_line, NULL, NULL, (void *)(uintptr_t)&cases[i] };
    return cmocka_run_group_tests_name("shell_line", tests, NULL, NULL);
}
