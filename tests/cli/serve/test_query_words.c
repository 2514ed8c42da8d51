/* tests/cli/serve/test_query_words.c - an address becomes the words that somebody would have typed,
 * and never more than options that are served. */
#include "cli/serve/query_words.h"
#include "cli/serve/served.h"
#include "tests/each_allocation.h"

#include <stdio.h>
#include <string.h>

static const struct query_case {
    const char *why, *command, *query;
    const char *want;    /* the words, a blank between them */
    const char *refused; /* NULL, or part of why it is */
} cases[] = {
    { "nothing is asked", "plan", "", "", NULL },
    { "one option", "plan", "system=PRD1", "--system=PRD1", NULL },
    { "several, in order, and repeated", "whatif", "growth=20&standbys=8&growth=10",
      "--growth=20 --standbys=8 --growth=10", NULL },
    { "a flag stands alone", "instance", "allow-burst&top=3", "--allow-burst --top=3", NULL },
    { "an empty value is none", "whatif", "merge-loss=", "--merge-loss", NULL },
    { "empty pieces are nothing", "plan", "&&system=A&", "--system=A", NULL },
    { "a value holds the second equals sign", "replay", "group=A=gp3:5", "--group=A=gp3:5", NULL },
    { "escapes, in both cases", "plan", "system=%41%2f%2F", "--system=A//", NULL },
    { "a plus is a blank", "plan", "system=a+b", "--system=a b", NULL },
    { "a percent sign of its own", "plan", "system=5%25", "--system=5%", NULL },
    { "markup is a value", "plan", "system=%3Cscript%3E", "--system=<script>", NULL },
    { "a newline is a value", "plan", "system=a%0Ab", "--system=a\nb", NULL },
    { "a value with dashes stays in its word", "plan", "system=--db=/etc/passwd",
      "--system=--db=/etc/passwd", NULL },
    { "a name that is no option is for args_parse", "plan", "headrom=5", "--headrom=5", NULL },

    { "a NUL would end the word", "plan", "system=a%00b", NULL, "system: broken escape" },
    { "an escape that ends early", "plan", "system=a%4", NULL, "broken escape" },
    { "an escape that is none", "plan", "system=a%zz", NULL, "broken escape" },
    { "an escaped equals sign in a name", "plan", "db%3Dx=1", NULL, "names no parameter" },
    { "a name of nothing would end the options", "plan", "=x", NULL, "names no parameter" },
    { "a name with dashes", "plan", "--system=x", NULL, "names no parameter" },
    { "a name with a blank", "plan", "system+x=1", NULL, "names no parameter" },
    { "a name in capitals", "plan", "SYSTEM=x", NULL, "names no parameter" },
    { "the store is the server's", "plan", "db=other.db", NULL, "db is not served" },
    { "so are the facts", "plan", "facts=/tmp", NULL, "facts is not served" },
    { "no file of phases", "plan", "phases=p.json", NULL, "phases is not served" },
    { "no file of a plan", "replay", "plan=p.json", NULL, "plan is not served" },
    { "nor for change", "change", "plan=p.json", NULL, "plan is not served" },
    { "no page is written", "report", "out=p.html", NULL, "out is not served" },
    { "an answer is JSON", "plan", "csv", NULL, "csv is not served" },
    { "no threads", "plan", "jobs=200", NULL, "jobs is not served" },
    { "not all systems at once", "plan", "all", NULL, "all is not served" },
    { "no help", "plan", "help", NULL, "help is not served" },
};

static const char *join(const char *const *words, size_t n, char *room, size_t size)
{
    size_t len = 0;
    room[0] = '\0';
    for (size_t i = 0; i < n; i++)
        len += (size_t)snprintf(room + len, size - len, "%s%s", i ? " " : "", words[i]);
    return room;
}

static void a_query(void **state)
{
    const struct query_case *c = *state;
    const struct command *command = command_find(c->command);
    struct arena a = { 0 };
    struct err e = { 0 };
    const char *const *words;
    size_t n;
    char text[400];
    assert_non_null(command);
    int rc = query_words(span_of(c->query), command, &a, &words, &n, &e);
    if (c->refused) {
        assert_int_equal(rc, ERR_USAGE);
        if (!strstr(e.text, c->refused))
            fail_msg("'%s' does not say '%s'", e.text, c->refused);
    } else {
        assert_int_equal(rc, 0);
        assert_string_equal(join(words, n, text, sizeof text), c->want);
    }
    arena_release(&a);
}

/* What stands behind the end of a query is not read, and a NUL ends no name: "db" is not served. */
static void a_query_ends_where_it_ends(void **state)
{
    (void)state;
    static const char behind[] = "system=a%41", nul[] = "db\0x=1";
    const char *const *words;
    struct arena a = { 0 };
    struct err e = { 0 };
    size_t n;
    struct span cut = { behind, sizeof behind - 2 }, name = { nul, sizeof nul - 1 };
    assert_int_equal(query_words(cut, command_find("plan"), &a, &words, &n, &e), ERR_USAGE);
    assert_non_null(strstr(e.text, "broken escape"));
    assert_int_equal(query_words(name, command_find("plan"), &a, &words, &n, &e), ERR_USAGE);
    assert_non_null(strstr(e.text, "names no parameter"));
    arena_release(&a);
}

static void parameters_are_bounded(void **state)
{
    (void)state;
    char query[2 * (QUERY_WORDS_MAX + 1) * 6 + 1] = "";
    const char *const *words;
    struct arena a = { 0 };
    struct err e = { 0 };
    size_t n, len = 0;
    for (int i = 0; i < QUERY_WORDS_MAX; i++)
        len += (size_t)snprintf(query + len, sizeof query - len, "top=1&");
    assert_int_equal(query_words(span_of(query), command_find("plan"), &a, &words, &n, &e), 0);
    assert_int_equal(n, QUERY_WORDS_MAX);
    snprintf(query + len, sizeof query - len, "top=1");
    assert_int_equal(query_words(span_of(query), command_find("plan"), &a, &words, &n, &e),
                     ERR_USAGE);
    arena_release(&a);
}

static void every_allocation_fails(void **state)
{
    (void)state;
    const char *const *words;
    size_t n;
    struct each_allocation it = { 0 };
    char query[3000] = "system=";
    memset(query + 7, 'A', sizeof query - 8); /* does not fit beside the list of words */
    while (each_allocation(&it))
        it.rc = query_words(span_of(query), command_find("plan"), &it.a, &words, &n, &it.e);
    arena_release(&it.a);
}

/* Whatever an option is called: what stands for its value in help tells what it takes. */
static void nothing_served_takes_a_path(void **state)
{
    (void)state;
    static const char *const places[] = { "FILE", "DIR", "URL", "PATH" };
    for (size_t c = 0; c < command_count; c++) {
        char path[64];
        snprintf(path, sizeof path, "/api/%s", command_table[c].name);
        const struct command *served = command_served(span_of(path));
        if (!served)
            continue;
        assert_ptr_equal(served, &command_table[c]);
        assert_false(served->needs & NEED_STORE_CREATE);
        for (int i = 0; i < OPTION_COUNT; i++) {
            const struct option *o = &option_table[i];
            for (size_t p = 0; o->arg && p < sizeof places / sizeof *places; p++)
                if (strstr(o->arg, places[p]) && option_served(served, span_of(o->name)))
                    for (size_t k = 0; k < served->n_options; k++)
                        assert_int_not_equal((int)served->options[k].id, i);
        }
    }
}

static void what_writes_is_not_served(void **state)
{
    (void)state;
    static const char *const paths[] = {
        "/api/ingest", "/api/layout",   "/api/fetch", "/api/inspect",
        "/api/serve",  "/api/store",    "/api/help",  "/api/",
        "/api",        "/api/plan/",    "/api//plan", "/api/../plan",
        "/api/PLAN",   "/api/pl%61n",   "/plan",      "",
        "/index.html", "/api/plan.json"
    };
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        assert_null(command_served(span_of(paths[i])));
    assert_non_null(command_served(span_of("/api/plan")));
}

int main(void)
{
    enum { N = sizeof cases / sizeof *cases, MORE = 5 };
    struct CMUnitTest tests[N + MORE] = {
        cmocka_unit_test(a_query_ends_where_it_ends), cmocka_unit_test(parameters_are_bounded),
        cmocka_unit_test(every_allocation_fails),     cmocka_unit_test(nothing_served_takes_a_path),
        cmocka_unit_test(what_writes_is_not_served),
    };
    for (size_t i = 0; i < N; i++)
        tests[MORE + i] =
            (struct CMUnitTest){ cases[i].why, a_query, NULL, NULL, (void *)(uintptr_t)&cases[i] };
    return cmocka_run_group_tests_name("query_words", tests, NULL, NULL);
}
