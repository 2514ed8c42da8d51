/* tests/cli/test_terminal.c - peaks and plan on a terminal: charts there, and nowhere else. */
#include "cli/render/printable.h"
#include "tests/cli/site.h"

static struct site site;

/* Reports of iostat at minutes [from, to] of the day; the first is an average since boot. */
static void ingest_minutes(int from, int to)
{
    FILE *f = site_file(site.iostat);
    fputs("Linux 5.4.17 (prd1) \t05/18/2022 \t_x86_64_\t(32 CPU)\n\n", f);
    for (int end = from; end <= to; end++) {
        fprintf(f, "05/18/2022 %02d:%02d:00 AM\nDevice r/s w/s rkB/s wkB/s %%util\n", end / 60,
                end % 60);
        fprintf(f, "redo 100.00 0.00 %d.00 0.00 0.0\n", (end - 1) / 60 == 7 ? 512000 : 25600);
        fprintf(f, "data 100.00 0.00 %d.00 0.00 0.0\n\n", end == to ? 102400 : 0);
    }
    fclose(f);
    site_run(&site, "ingest --system PRD1", site.iostat);
}

/* Ten devices d0 to d9 that read 10 to 1 MiB/s, d5 as much as d4; nothing at a ceiling. */
static void ingest_ten(void)
{
    FILE *f = site_file(site.iostat);
    fputs("Linux 5.4.17 (prd2) \t05/18/2022 \t_x86_64_\t(32 CPU)\n\n", f);
    for (int minute = 0; minute <= 10; minute++) {
        fprintf(f, "05/18/2022 07:%02d:00 AM\nDevice r/s w/s rkB/s wkB/s %%util\n", minute);
        for (int d = 0; d < 10; d++)
            fprintf(f, "d%d 100.00 0.00 %d.00 0.00 0.0\n", d, 1024 * (d == 5 ? 6 : 10 - d));
    }
    fclose(f);
    f = site_file(site.layout);
    fputs("{\"system\":\"PRD2\",\"groups\":["
          "{\"name\":\"FAST\",\"devices\":[\"d0\"],\"need_gib\":10},"
          "{\"name\":\"LARGE\",\"devices\":[\"d9\"],\"need_gib\":4000}]}",
          f);
    fclose(f);
    site_run(&site, "ingest --system PRD2", site.iostat);
    site_run(&site, "layout --system PRD2 --set", site.layout);
}

/* Four hours of minutes: io2 of 500 MiB/s at its ceiling in the second, DATA idle but for the last
 * minutes before and after the third hour, in which nobody measured. */
static int write_site(void **state)
{
    (void)state;
    if (cli_start(state))
        return 1;
    site_make(&site);
    ingest_minutes(6 * 60, 8 * 60);
    ingest_minutes(9 * 60, 10 * 60);
    FILE *f = site_file(site.layout);
    fputs("{\"system\":\"PRD1\",\"instance_type\":\"r5.8xlarge\",\"groups\":["
          "{\"name\":\"REDO1\",\"role\":\"redo\",\"devices\":[\"redo\"],\"volumes\":[{\"type\":"
          "\"io2\",\"count\":1,\"size_gib\":500,\"iops\":5000}]},"
          "{\"name\":\"DATA\",\"role\":\"data\",\"devices\":[\"data\"],\"volumes\":[{\"type\":"
          "\"gp3\",\"count\":1,\"size_gib\":500,\"iops\":3000,\"throughput_mibps\":125}]}]}",
          f);
    fclose(f);
    site_run(&site, "layout --system PRD1 --set", site.layout);
    ingest_ten();
    return 0;
}

static int drop_site(void **state)
{
    site_remove(&site);
    return cli_stop(state);
}

static struct cli_result show(const char *words, struct cli_env env)
{
    char line[300];
    env.today = "2026-11-30";
    snprintf(line, sizeof line, "--db %s %s%s", site.db, words,
             strstr(words, "--system") ? "" : " --system PRD1");
    struct cli_result r = run_cli_in(line, &env);
    if (r.status)
        print_error("%s: %s\n", line, r.err);
    assert_int_equal(r.status, 0);
    return r;
}

static void expect_lines(const char *words, struct cli_env env, const char *lines)
{
    struct cli_result r = show(words, env);
    if (!strstr(r.out, lines))
        fail_msg("%s: not there:\n%s\nin:\n%s", words, lines, r.out);
    free_cli(&r);
}

/* 80 columns give 27 bars over 240 minutes, 8.89 a bar: the second hour, minutes 60 to 119, lies in
 * bars 6 to 13, the third in 13 to 20, of which 14 to 19 have nothing else; minute 119 in bar 13.
 */
static void a_wide_terminal(void **state)
{
    (void)state;
    static const char blocks[] =
        "  06:00 ▁▁▁▁▁▁████████      ▁▁▁▁▁▁▁ 10:00   REDO1, peak 500, ceiling 500\n"
        "              ^^^^^^^^\n"
        "  06:00 ▁▁▁▁▁▁▁▁▁▁▁▁▁█      ▁▁▁▁▁▁█ 10:00   DATA, peak 100, ceiling 125\n";
    struct cli_env env = { .out_is_terminal = true, .utf8 = true, .no_color = true, .columns = 80 };
    expect_lines("peaks", env, blocks);
    env.no_color = false;
    expect_lines("peaks --no-color", env, blocks);
    expect_lines("peaks", env, "        \033[31m      ^^^^^^^^\033[0m\n");
    expect_lines("plan --no-color --as-of 2022-06-01", env,
                 "ceiling:\n"
                 "  06:00 ▁▁▁▁▁▁████████      ▁▁▁▁▁▁▁ 10:00   REDO1, peak 500, ceiling 500\n"
                 "              ^^^^^^^^\n\n");
}

static void without_utf8(void **state)
{
    (void)state;
    struct cli_env env = { .out_is_terminal = true, .no_color = true, .columns = 80 };
    expect_lines("peaks", env,
                 "  06:00 ______########      _______ 10:00   REDO1, peak 500, ceiling 500\n"
                 "              ^^^^^^^^\n"
                 "  06:00 _____________#      ______# 10:00   DATA, peak 100, ceiling 125\n");
}

/* 26 bars, 9.23 minutes each: the second hour in bars 6 to 12, nothing known from 13 to 18; 46 bars
 * at 60 columns, 5.22 each: 11 to 22, and 23 to 33. */
static void narrow_terminals(void **state)
{
    (void)state;
    struct cli_env env = { .out_is_terminal = true, .no_color = true, .columns = 40 };
    expect_lines("peaks", env,
                 "  REDO1, peak 500, ceiling 500\n"
                 "  06:00 ______#######      _______ 10:00\n"
                 "              ^^^^^^^\n");
    env.columns = 60;
    expect_lines("peaks --group REDO1", env,
                 "  REDO1, peak 500, ceiling 500\n"
                 "  06:00 ___________############           ____________ 10:00\n"
                 "                   ^^^^^^^^^^^^\n");
    for (env.columns = 40; env.columns <= 80; env.columns += 20) {
        struct cli_result r = show("plan", env);
        for (const char *line = r.out; *line; line += strcspn(line, "\n") + 1)
            assert_true(printable_columns(line, strcspn(line, "\n")) <= (size_t)env.columns);
        free_cli(&r);
    }
}

static void devices_are_drawn_too(void **state)
{
    (void)state;
    struct cli_env env = { .out_is_terminal = true, .no_color = true, .columns = 80 };
    expect_lines("peaks --by device", env,
                 "  06:00 ______########      _______ 10:00   redo, peak 500\n"
                 "              ^^^^^^^^\n"
                 "  06:00 _____________#      ______# 10:00   data, peak 100\n");
}

/* The names behind "10   ": of the charts, in order. */
static void expect_charts(const char *words, const char *names)
{
    struct cli_env env = { .out_is_terminal = true, .no_color = true, .columns = 100 };
    struct cli_result r = show(words, env);
    char drawn[200] = "";
    for (const char *s = r.out; (s = strstr(s, "# 07:10   ")) != NULL; s++) {
        const char *name = s + strlen("# 07:10   ");
        snprintf(drawn + strlen(drawn), sizeof drawn - strlen(drawn), "%.*s ",
                 (int)strcspn(name, ","), name);
    }
    assert_string_equal(drawn, names);
    free_cli(&r);
}

static void the_largest_eight_are_drawn(void **state)
{
    (void)state;
    expect_charts("peaks --system PRD2 --by device", "d0 d1 d2 d3 d4 d5 d6 d7 ");
}

/* No group was at a ceiling: 4 000 GiB cost more than 10 MiB/s. */
static void a_plan_without_ceilings_draws_the_dearest(void **state)
{
    (void)state;
    expect_charts("plan --system PRD2", "LARGE ");
}

static void not_for_machines_or_pipes(void **state)
{
    (void)state;
    static const char *const words[] = { "peaks", "peaks --json", "peaks --csv",
                                         "plan",  "plan --json",  "plan --csv" };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        bool for_people = !strstr(words[i], "--");
        struct cli_env env = { .out_is_terminal = !for_people, .utf8 = true, .columns = 100 };
        struct cli_result r = show(words[i], env);
        assert_null(strstr(r.out, "▁"));
        assert_null(strstr(r.out, "over time"));
        assert_null(strstr(r.out, "\033"));
        struct cli_result in_pipe = show(words[i], (struct cli_env){ 0 });
        assert_string_equal(r.out, in_pipe.out);
        free_cli(&in_pipe);
        free_cli(&r);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wide_terminal),
        cmocka_unit_test(without_utf8),
        cmocka_unit_test(narrow_terminals),
        cmocka_unit_test(devices_are_drawn_too),
        cmocka_unit_test(the_largest_eight_are_drawn),
        cmocka_unit_test(a_plan_without_ceilings_draws_the_dearest),
        cmocka_unit_test(not_for_machines_or_pipes),
    };
    return cmocka_run_group_tests_name("terminal", tests, write_site, drop_site);
}
