/* tests/cli/run_cli.h - whole commands in the test's own process. */
#ifndef TESTS_CLI_RUN_CLI_H
#define TESTS_CLI_RUN_CLI_H

#include "cli/app.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct cli_result {
    int status;
    char *out, *err;
};

/* Around a group of tests that run commands. */
static inline int cli_start(void **state)
{
    (void)state;
    return cli_global_init(stderr);
}

static inline int cli_stop(void **state)
{
    (void)state;
    cli_global_release();
    return 0;
}

/* One command line: words between blanks. */
static inline int run_words(const char *line, const struct cli_env *env, FILE *out, FILE *err)
{
    enum { WORDS = 40 };
    char copy[1000];
    const char *argv[WORDS + 1] = { "volplan" };
    int argc = 1;
    assert_true(strlen(line) < sizeof copy);
    strcpy(copy, line);
    for (char *rest = copy, *word; (word = strsep(&rest, " ")) != NULL;) {
        assert_true(argc < WORDS);
        if (*word)
            argv[argc++] = word;
    }
    return cli_run(argc, argv, env, out, err);
}

/* To be freed with free_cli. */
static inline struct cli_result run_cli_in(const char *line, const struct cli_env *env)
{
    struct cli_result r = { 0 };
    size_t out_len, err_len;
    FILE *out = open_memstream(&r.out, &out_len), *err = open_memstream(&r.err, &err_len);
    assert_non_null(out);
    assert_non_null(err);
    r.status = run_words(line, env, out, err);
    fclose(out);
    fclose(err);
    return r;
}

static inline struct cli_result run_cli(const char *line)
{
    const struct cli_env env = { .today = "2026-11-30" };
    return run_cli_in(line, &env);
}

static inline void free_cli(struct cli_result *r)
{
    free(r->out);
    free(r->err);
}

#endif
