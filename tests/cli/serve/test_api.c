/* tests/cli/serve/test_api.c - what is kept between answers: memory, the store, systems; and what
 * happens when memory is out. */
#include "cli/serve/api.h"
#include "models/core/mem.h"
#include "tests/cli/site.h"
#include "tests/each_allocation.h"

static struct site site;
static const struct cli_env env = { .today = "2026-11-30" };
static struct app app;
static struct api api;

static int start_all(void **state)
{
    char line[200];
    if (cli_start(state))
        return -1;
    site_make(&site);
    snprintf(line, sizeof line, "awk -f data/demo/iostat.awk | head -n 900 >%s", site.iostat);
    assert_int_equal(system(line), 0);
    for (char s[] = "ingest --system PRD1 data/demo/awr_prd1_0700_0959.txt"; s[19] < '4'; s[19]++)
        site_run(&site, s, site.iostat);
    site_run(&site, "layout --set data/demo/layout.json", "");
    return 0;
}

static int stop_all(void **state)
{
    site_remove(&site);
    return cli_stop(state);
}

static int open_api(void **state)
{
    (void)state;
    struct err e = { 0 };
    app = (struct app){ .env = &env, .catalogue = &builtin_catalogue, .db = site.db };
    return api_open(&api, &app, &e);
}

static int close_api(void **state)
{
    (void)state;
    api_close(&api);
    return 0;
}

static struct api_answer ask(const char *path, const char *query)
{
    struct api_answer a;
    api_answer(&api, span_of(path), span_of(query), &a);
    return a;
}

/* The answer is what the command prints in a world. */
static void expect_in(const struct cli_env *world, const char *path, const char *query,
                      const char *command)
{
    struct cli_env with_db = *world;
    with_db.db = site.db;
    struct cli_result r = run_cli_in(command, &with_db);
    struct api_answer a = ask(path, query);
    assert_int_equal(a.http_status, 200);
    assert_int_equal(a.body.len, strlen(r.out));
    assert_memory_equal(a.body.ptr, r.out, a.body.len);
    buf_release(&a.body);
    free_cli(&r);
}

static void expect(const char *path, const char *query, const char *command)
{
    expect_in(&env, path, query, command);
}

static const struct kept_system *kept(const char *system)
{
    for (size_t i = 0; i < KEPT_SYSTEMS; i++)
        if (api.kept.item[i].used_by && strcmp(api.kept.item[i].input.load.system, system) == 0)
            return &api.kept.item[i];
    return NULL;
}

static void a_system_is_read_once(void **state)
{
    (void)state;
    expect("/api/plan", "system=PRD1", "plan --system PRD1 --json");
    const struct kept_system *prd1 = kept("PRD1");
    assert_non_null(prd1);
    const struct arena_block *block = prd1->arena.top;
    expect("/api/whatif", "system=PRD1&growth=20", "whatif --system PRD1 --growth 20 --json");
    expect("/api/peaks", "system=PRD1&by=device", "peaks --system PRD1 --by device --json");
    assert_ptr_equal(kept("PRD1"), prd1);
    assert_ptr_equal(prd1->arena.top, block);
}

/* One demand a system: what asks for the same, or for less, is answered from it. */
static void a_demand_is_made_once(void **state)
{
    (void)state;
    expect("/api/diagnose", "system=PRD1", "diagnose --system PRD1 --json"); /* percentiles too */
    const struct kept_system *prd1 = kept("PRD1");
    assert_non_null(prd1);
    const struct arena_block *block = prd1->of_demand.top;
    assert_non_null(block);
    expect("/api/plan", "system=PRD1", "plan --system PRD1 --json");
    expect("/api/whatif", "system=PRD1&growth=20", "whatif --system PRD1 --growth 20 --json");
    expect("/api/diagnose", "system=PRD1", "diagnose --system PRD1 --json");
    assert_ptr_equal(prd1->of_demand.top, block);

    static const char *const others[][2] = {
        { "system=PRD1&from=2022-05-18T06:20:00Z",
          "plan --system PRD1 --from 2022-05-18T06:20:00Z --json" },
        { "system=PRD1&to=2022-05-18T06:20:00Z",
          "plan --system PRD1 --to 2022-05-18T06:20:00Z --json" },
        { "system=PRD1&peak-factor=4", "plan --system PRD1 --peak-factor 4 --json" },
        { "system=PRD1", "plan --system PRD1 --json" },
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        expect("/api/plan", others[i][0], others[i][1]);
    expect("/api/diagnose", "system=PRD1", "diagnose --system PRD1 --json");
}

/* One plan a system, until a demand or an option is another; a what-if and a report begin with it.
 */
static void a_plan_is_made_once(void **state)
{
    (void)state;
    static const char *const others[][2] = {
        { "headroom=30", "--headroom 30" },
        { "types=gp3", "--types gp3" },
        { "instance=r5.24xlarge", "--instance r5.24xlarge" },
        { "instance=auto", "--instance auto" },
        { "instance=auto&vcpu=96", "--instance auto --vcpu 96" },
        { "instance=auto&memory=700", "--instance auto --memory 700" },
        { "instance=auto&arch=arm64", "--instance auto --arch arm64" },
        { "region=eu-west-1", "--region eu-west-1" },
        { "as-of=2022-06-01", "--as-of 2022-06-01" },
        { "percentile=95", "--percentile 95" },
        { "max-throttled-s=60", "--max-throttled-s 60" },
        { "max-delay-ms=50", "--max-delay-ms 50" },
        { "per-volume-usd=0", "--per-volume-usd 0" },
        { "top=2", "--top 2" },
        { "peak-factor=4", "--peak-factor 4" },
    };
    expect("/api/plan", "system=PRD1", "plan --system PRD1 --json");
    const struct kept_system *prd1 = kept("PRD1");
    assert_non_null(prd1);
    const struct arena_block *block = prd1->of_plan.top;
    assert_non_null(block);
    expect("/api/whatif", "system=PRD1&growth=20", "whatif --system PRD1 --growth 20 --json");
    expect("/api/whatif", "system=PRD1&instance=r5.24xlarge",
           "whatif --system PRD1 --instance r5.24xlarge --json");
    expect("/api/plan", "system=PRD1", "plan --system PRD1 --json");
    assert_ptr_equal(prd1->of_plan.top, block);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char query[80], command[80];
        snprintf(query, sizeof query, "system=PRD1&%s", others[i][0]);
        snprintf(command, sizeof command, "plan --system PRD1 %s --json", others[i][1]);
        expect("/api/plan", query, command);
    }
    expect("/api/plan", "system=PRD1&with=PRD2", "plan --system PRD1 --with PRD2 --json");
    expect("/api/plan", "system=PRD1", "plan --system PRD1 --json");
}

static void the_last_ones_are_kept(void **state)
{
    (void)state;
    expect("/api/peaks", "system=PRD1&by=device", "peaks --system PRD1 --by device --json");
    expect("/api/peaks", "system=PRD2&by=device", "peaks --system PRD2 --by device --json");
    expect("/api/peaks", "system=PRD1&by=device", "peaks --system PRD1 --by device --json");
    expect("/api/peaks", "system=PRD3&by=device", "peaks --system PRD3 --by device --json");
    assert_non_null(kept("PRD1"));
    assert_null(kept("PRD2"));
    assert_non_null(kept("PRD3"));
}

/* Three at once: none that is in use may be given up for the next. */
static void more_than_are_kept_at_once(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++)
        expect("/api/peaks", "system=PRD1&with=PRD2,PRD3",
               "peaks --system PRD1 --with PRD2,PRD3 --json");
    assert_non_null(kept("PRD1"));
    assert_non_null(kept("PRD2"));
}

static void what_changed_is_read_again(void **state)
{
    (void)state;
    expect("/api/systems", "", "systems --json");
    expect("/api/plan", "system=PRD1", "plan --system PRD1 --json");
    site_run(&site, "ingest --system PRD1 tests/cli/fixtures/plateau_iostat.txt", "");
    expect("/api/systems", "", "systems --json");
    expect("/api/plan", "system=PRD1", "plan --system PRD1 --json");
}

/* What the server's own line says holds for each command, where the query does not say otherwise.
 */
static void options_of_the_server_hold(void **state)
{
    (void)state;
    app.in.values[OPT_REGION] =
        (struct option_value){ .given = true, .set = true, .text = "eu-west-1" };
    app.in.values[OPT_AS_OF] =
        (struct option_value){ .given = true, .set = true, .text = "2022-06-01" };
    expect("/api/plan", "system=PRD1",
           "plan --system PRD1 --region eu-west-1 --as-of 2022-06-01 --json");
    expect("/api/plan", "system=PRD1&region=us-east-1",
           "plan --system PRD1 --region us-east-1 --as-of 2022-06-01 --json");
}

static const char *command_with_db(const char *db)
{
    app.in.values[OPT_DB] = (struct option_value){ .given = true, .set = true, .text = db };
    struct api_answer a = ask("/api/systems", "");
    assert_int_equal(a.http_status, 200);
    buf_release(&a.body);
    assert_non_null(a.command);
    return a.command;
}

/* The line answers the same: from the same store.  A URL with a password opens none. */
static void the_command_names_the_store(void **state)
{
    (void)state;
    assert_string_equal(command_with_db("prd.db"), "volplan systems --db prd.db --json");
    assert_string_equal(
        command_with_db("postgresql://planner@db1/volplan?sslmode=require"),
        "volplan systems --db 'postgresql://planner@db1/volplan?sslmode=require' --json");
}

static int64_t ticks;

static int64_t tell_ticks(void)
{
    return ticks;
}

/* Started on 2022-06-01 at 23:00; two hours later it is the next day. */
static void the_day_goes_on(void **state)
{
    (void)state;
    struct err e = { 0 };
    struct cli_env world = { .now_ms = INT64_C(1654124400000), .ticks_ms = tell_ticks };
    static const struct cli_env first = { .today = "2022-06-01" }, next = { .today = "2022-06-02" };
    api_close(&api);
    app.env = &world;
    ticks = 5000;
    assert_int_equal(api_open(&api, &app, &e), 0);
    expect_in(&first, "/api/plan", "system=PRD1", "plan --system PRD1 --json");
    ticks += 2 * 3600000;
    expect_in(&next, "/api/plan", "system=PRD1", "plan --system PRD1 --json");
}

static void memory_is_given_back(void **state)
{
    (void)state;
    expect("/api/plan", "system=PRD1", "plan --system PRD1 --json");
    assert_null(api.arena.top);
    assert_null(api.arena.spare);
    struct api_answer a = ask("/api/plan", "system=PRD9");
    assert_int_equal(a.http_status, 400);
    assert_null(api.arena.top);
    buf_release(&a.body);
}

/* Each allocation fails once, then memory is there again. */
static void every_allocation_fails(void **state)
{
    (void)state;
    bool whole = false;
    for (long n = 1; !whole; n += n < 200 ? 1 : 7) {
        mem_calls = 0;
        mem_fail_at = n;
        struct api_answer a = ask("/api/peaks", "system=PRD1&by=device");
        whole = mem_calls < n;
        mem_fail_at = 0;
        assert_true(whole ? a.http_status == 200 : a.http_status == 503 || a.body.failed);
        buf_release(&a.body);
        if (n % 10 == 1)
            expect("/api/peaks", "system=PRD1&by=device", "peaks --system PRD1 --by device --json");
    }
}

static void opening_fails_cleanly(void **state)
{
    (void)state;
    struct each_allocation it = { 0 };
    while (each_allocation(&it)) {
        struct api one;
        it.rc = api_open(&one, &app, &it.e);
        mem_fail_at = 0;
        api_close(&one);
    }
}

int main(void)
{
#define WITH_API(test) cmocka_unit_test_setup_teardown(test, open_api, close_api)
    static const struct CMUnitTest tests[] = {
        WITH_API(a_system_is_read_once),
        WITH_API(a_demand_is_made_once),
        WITH_API(a_plan_is_made_once),
        WITH_API(the_last_ones_are_kept),
        WITH_API(more_than_are_kept_at_once),
        WITH_API(what_changed_is_read_again),
        WITH_API(options_of_the_server_hold),
        WITH_API(the_command_names_the_store),
        WITH_API(the_day_goes_on),
        WITH_API(memory_is_given_back),
        WITH_API(every_allocation_fails),
        WITH_API(opening_fails_cleanly),
    };
    return cmocka_run_group_tests_name("api", tests, start_all, stop_all);
}
