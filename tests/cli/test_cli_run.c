/* tests/cli/test_cli_run.c - exit status, streams and forms of whole commands. */
#include "tests/cli/run_cli.h"

#include <signal.h>
#include <unistd.h>

static const struct run_case {
    const char *why, *line;
    int status;
    const char *out, *err; /* to be found there; NULL: the stream is empty */
} cases[] = {
    { "an answer", "vol gp3 --size 1", 0, "gp3 1 GiB", NULL },
    { "global options may stand in front", "--json vol gp3 --size 1", 0, "\"legal\": true", NULL },
    { "no is an answer: keys are printed, exit 1", "vol gp3 --size 4 --iops 16000 --json", 1,
      "\"legal\": false", NULL },
    { "before its launch, exit 1", "vol gp3 --size 4 --as-of 2019-01-01 --json", 1,
      "\"rule\": \"launched\"", NULL },
    { "nothing carries it, exit 1", "size --size 1 --iops 9000000 --max-count 1 --json", 1,
      "\"status\": \"none\"", NULL },
    { "no instance fits, exit 1", "instance --iops 9000000 --json", 1, "\"instances\": []", NULL },
    { "what AWS does not publish is unknown", "instance t2.micro --json", 0, "\"burst\": null",
      NULL },
    { "unknown type, exit 2", "vol gp9 --size 1", 2, NULL, "'gp3'" },
    { "size is needed", "vol gp3", 2, NULL, "--size" },
    { "io2 needs IOPS", "vol io2 --size 4", 2, NULL, "io2 needs --iops" },
    { "io1 too", "vol io1 --size 4", 2, NULL, "io1 needs --iops" },
    { "gp2 takes no IOPS", "vol gp2 --size 4 --iops 5", 2, NULL, "gp2 takes no --iops" },
    { "nor does st1", "vol st1 --size 500 --iops 5", 2, NULL, "st1 takes no --iops" },
    { "nor sc1", "vol sc1 --size 500 --iops 5", 2, NULL, "sc1 takes no --iops" },
    { "nor standard", "vol standard --size 5 --iops 5", 2, NULL, "standard takes no --iops" },
    { "only gp3 takes throughput", "vol io2 --size 4 --iops 100 --throughput 5", 2, NULL,
      "only gp3" },
    { "only standard is billed by requests", "vol gp3 --size 4 --requests 5", 2, NULL,
      "not billed" },
    { "unknown region", "vol gp3 --size 4 --region mars-1", 2, NULL, "unknown region" },
    { "unknown instance", "vol gp3 --size 4 --instance r5.8xlarg", 2, NULL, "'r5.8xlarge'" },
    { "a weighting that the type lacks", "instance r5.8xlarge --weighting ebs-1", 2, NULL,
      "r5.8xlarge" },
    { "two forms at once", "catalog --json --csv", 2, NULL, "one of them" },
    { "no list, no CSV", "vol gp3 --size 4 --csv", 2, NULL, "--csv" },
    { "a need without a size", "size --iops 5", 2, NULL, "--size" },
    { "mirroring needs the written share", "size --iops 5 --size 5 --redundancy normal", 2, NULL,
      "--write-pct" },
    { "counts the wrong way round", "size --iops 5 --size 5 --min-count 4 --max-count 2", 2, NULL,
      "--min-count" },
    { "catalog takes dates with --diff only", "catalog 2022-01-01", 2, NULL, "--diff" },
    { "--diff needs two", "catalog --diff 2022-01-01", 2, NULL, "two dates" },
    { "--diff needs dates", "catalog --diff 2022-01-01 soon", 2, NULL, "YYYY-MM-DD" },
    { "a facts folder that is not there", "catalog --facts /nonexistent", 3, NULL, "/nonexistent" },
    { "no store to read", "plan --db /nonexistent/x.db", 2, NULL, "/nonexistent/x.db" },
    { "no such file", "inspect /nonexistent/x", 3, "\n", "/nonexistent/x" },
    { "a folder is no file", "inspect tests", 2, NULL, "is a folder" },
    { "a format nobody knows", "inspect --format iostta Makefile", 2, NULL, "'iostat'" },
    { "a zone nobody knows", "inspect --tz Mars/Base Makefile", 2, NULL, "Mars/Base" },
    { "a file of no known format names file and line", "inspect Makefile", 3, "\n",
      "volplan: Makefile:1: " },
    { "help of a command", "help vol", 0, "usage: volplan vol TYPE", NULL },
    { "the same", "vol --help", 0, "usage: volplan vol TYPE", NULL },
    { "help of nothing known", "help voll", 2, NULL, "'vol'" },
    { "the version", "version", 0, "volplan ", NULL },
    { "the same", "--version", 0, "volplan ", NULL },
    { "nothing asked", "", 2, NULL, "volplan --help" },
    { "a conversion is told", "vol gp3 --size 100 --throughput 300MB/s", 0, "287 MiB/s",
      "286.10 MiB/s; 287 are ordered" },
    { "so is a part of an IOPS", "vol io2 --size 100 --iops 5000.5", 0, "5 001 IOPS",
      "5 000.50 IOPS; 5 001 are ordered" },
    { "and of a GiB", "vol gp3 --size 5GB", 0, "gp3 5 GiB", "4.66 GiB; 5 are ordered" },
    { "a need may have a part", "size --iops 27360.165 --size 4 --json", 0, "\"iops\": 27360.165,",
      NULL },
    { "a count may not", "vol gp3 --size 100 --count 2.5", 2, NULL, "'2.5' is not a whole number" },
    { "but not with --quiet", "vol gp3 --size 100 --throughput 300MB/s --quiet", 0, "287 MiB/s",
      NULL },
};

static void run_line(void **state)
{
    const struct run_case *c = *state;
    struct cli_result r = run_cli(c->line);
    if (r.status != c->status)
        print_error("out: %s\nerr: %s\n", r.out, r.err);
    assert_int_equal(r.status, c->status);
    if (!c->out)
        assert_string_equal(r.out, "");
    else if (strcmp(c->out, "\n") != 0)
        assert_non_null(strstr(r.out, c->out));
    if (!c->err)
        assert_string_equal(r.err, "");
    else
        assert_non_null(strstr(r.err, c->err));
    free_cli(&r);
}

/* Every form of output, written to out, which takes nothing: the exit status, and the words on
 * stderr. */
static void expect_no_output(FILE *(*open_out)(void), int status, const char *words)
{
    static const char *const lines[][5] = {
        { "volplan", "vol", "gp3", "--size=1", NULL },
        { "volplan", "vol", "gp3", "--size=1", "--json" },
        { "volplan", "catalog", "--csv", NULL, NULL },
        { "volplan", "catalog", "--json", NULL, NULL },
        { "volplan", "help", NULL, NULL, NULL },
        { "volplan", "--version", NULL, NULL, NULL },
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        int argc = 0;
        while (argc < 5 && lines[i][argc])
            argc++;
        char *text = NULL;
        size_t len;
        FILE *out = open_out(), *err = open_memstream(&text, &len);
        assert_non_null(out);
        assert_non_null(err);
        struct cli_env env = { .today = "2026-11-30" };
        assert_int_equal(cli_run(argc, lines[i], &env, out, err), status);
        fclose(err);
        fclose(out);
        assert_string_equal(text, words);
        free(text);
    }
}

static FILE *full_disk(void)
{
    return fopen("/dev/full", "w");
}

static FILE *pipe_without_reader(void)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    return fdopen(ends[1], "w");
}

static void output_that_cannot_be_written(void **state)
{
    (void)state;
    expect_no_output(full_disk, 5, "volplan: output cannot be written: No space left on device\n");
}

static void a_reader_that_went_away(void **state)
{
    (void)state;
    signal(SIGPIPE, SIG_IGN); /* as main does */
    expect_no_output(pipe_without_reader, 141, "");
    signal(SIGPIPE, SIG_DFL);
}

static void a_bad_today(void **state)
{
    (void)state;
    const char *argv[] = { "volplan", "vol", "gp3", "--size=1" };
    char *text = NULL;
    size_t len;
    FILE *err = open_memstream(&text, &len);
    assert_non_null(err);
    struct cli_env env = { .today = "tomorrow" };
    assert_int_equal(cli_run(4, argv, &env, stdout, err), 2);
    fclose(err);
    assert_non_null(strstr(text, "VOLPLAN_TODAY"));
    free(text);
}

/* 2022-05-31T22:00Z is still May: the day is UTC's. */
static void today_comes_from_the_clock(void **state)
{
    (void)state;
    const char *argv[] = { "volplan", "vol", "io2", "--size=500", "--iops=5000", "--json" };
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    assert_non_null(out);
    struct cli_env env = { .now_ms = INT64_C(1654034400000) };
    assert_int_equal(cli_run(6, argv, &env, out, stderr), 0);
    fclose(out);
    assert_non_null(strstr(text, "\"as_of\": \"2022-05-31\""));
    assert_non_null(strstr(text, "\"max_throughput_mibps\": 500"));
    free(text);
}

/* stderr as the answer is: of so many columns where it is a terminal, one line where it is none. */
static void errors_wrap_on_a_terminal(void **state)
{
    (void)state;
    static const char *const line = "plan --db /nonexistent/of/a/long/name/x.db";
    struct cli_env env = { .columns = 60, .out_is_terminal = true };
    struct cli_result r = run_cli_in(line, &env);
    assert_string_equal(r.err, "volplan: /nonexistent/of/a/long/name/x.db: no store here; "
                               "'volplan ingest' makes one\n");
    free_cli(&r);
    env.err_is_terminal = true;
    r = run_cli_in(line, &env);
    assert_string_equal(r.err, "volplan: /nonexistent/of/a/long/name/x.db: no store here;\n"
                               "         'volplan ingest' makes one\n");
    free_cli(&r);
}

static void the_same_twice(void **state)
{
    (void)state;
    struct cli_result a = run_cli("size --size 500 --throughput 1000 --json");
    struct cli_result b = run_cli("size --size 500 --throughput 1000 --json");
    assert_string_equal(a.out, b.out);
    free_cli(&a);
    free_cli(&b);
}

int main(void)
{
    enum { N = sizeof cases / sizeof *cases };
    struct CMUnitTest t[N + 6];
    for (size_t i = 0; i < N; i++)
        t[i] = (struct CMUnitTest){ cases[i].why, run_line, NULL, NULL, (void *)(size_t)&cases[i] };
    t[N] = (struct CMUnitTest)cmocka_unit_test(output_that_cannot_be_written);
    t[N + 1] = (struct CMUnitTest)cmocka_unit_test(a_reader_that_went_away);
    t[N + 2] = (struct CMUnitTest)cmocka_unit_test(a_bad_today);
    t[N + 3] = (struct CMUnitTest)cmocka_unit_test(today_comes_from_the_clock);
    t[N + 4] = (struct CMUnitTest)cmocka_unit_test(the_same_twice);
    t[N + 5] = (struct CMUnitTest)cmocka_unit_test(errors_wrap_on_a_terminal);
    return cmocka_run_group_tests_name("cli_run", t, cli_start, cli_stop);
}
