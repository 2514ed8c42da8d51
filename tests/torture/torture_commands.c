/* tests/torture/torture_commands.c - every allocation of every command fails in turn.
 *
 * Allocation 1, 2, 3 ... and all after it fail until the command succeeds.  Each failure must end
 * with status 5 and the standard words on stderr, print nothing that reads as a whole JSON
 * document, and leave the store byte for byte as far as its content goes (a dump of all tables) as
 * it was.  FULL=1 counts every allocation; else the first 300 and then every seventh, so that the
 * run stays short. */
#include "cli/app.h"
#include "models/core/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cjson/cJSON.h>
#include <sqlite3.h>

#include <cmocka.h>

static char dir[] = "/tmp/volplan-torture-XXXXXX";
static char db[64], awr[128], iostat[64], layout[128], page[64];

static void append(char **text, size_t *n, const char *more)
{
    size_t m = more ? strlen(more) : 4;
    *text = realloc(*text, *n + m + 2);
    assert_non_null(*text);
    memcpy(*text + *n, more ? more : "NULL", m);
    (*text)[*n + m] = '|';
    (*text)[*n + m + 1] = '\0';
    *n += m + 1;
}

/* Every cell of every table, in order; "" when there is no store. */
static char *dump(void)
{
    char *text = calloc(1, 1);
    size_t n = 0;
    sqlite3 *c;
    sqlite3_stmt *tables, *rows;
    assert_int_equal(sqlite3_open_v2(db, &c, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK ||
                         access(db, F_OK) != 0,
                     1);
    if (access(db, F_OK) != 0 ||
        sqlite3_prepare_v2(c, "select name from sqlite_schema where type = 'table' order by name",
                           -1, &tables, NULL) != SQLITE_OK) {
        sqlite3_close(c);
        return text;
    }
    while (sqlite3_step(tables) == SQLITE_ROW) {
        char sql[160];
        snprintf(sql, sizeof sql, "select * from \"%s\"",
                 (const char *)sqlite3_column_text(tables, 0));
        append(&text, &n, sql);
        assert_int_equal(sqlite3_prepare_v2(c, sql, -1, &rows, NULL), SQLITE_OK);
        while (sqlite3_step(rows) == SQLITE_ROW)
            for (int i = 0; i < sqlite3_column_count(rows); i++)
                append(&text, &n, (const char *)sqlite3_column_text(rows, i));
        sqlite3_finalize(rows);
    }
    sqlite3_finalize(tables);
    sqlite3_close(c);
    return text;
}

/* Runs the words of a command line; its stdout and stderr in *out and *err, to be freed. */
static int run(const char *const *words, char **out, char **err)
{
    size_t out_n, err_n;
    FILE *out_f = open_memstream(out, &out_n), *err_f = open_memstream(err, &err_n);
    struct cli_env env = { .today = "2026-11-30", .db = db };
    int argc = 0;
    while (words[argc])
        argc++;
    int status = cli_run(argc, words, &env, out_f, err_f);
    fclose(out_f);
    fclose(err_f);
    return status;
}

static long next_allocation(long n)
{
    return n < 300 || getenv("FULL") ? n + 1 : n + 7;
}

/* inspect streams, so a failed run may have begun a document; it must not look like a whole one. */
static void expect_no_half_answer(const char *out)
{
    cJSON *json = out[0] == '{' ? cJSON_Parse(out) : NULL;
    cJSON_Delete(json);
    if (json)
        fail_msg("a failed command printed a whole JSON document: %s", out);
}

#define METRICS       "tests/cli/fixtures/stream.jsonl"
#define VOLUMES       "tests/cli/fixtures/volumes.json"
#define MODIFICATIONS "tests/cli/fixtures/modifications.json"
#define BILL          "tests/cli/fixtures/cur.csv"
#define PHASES        "tests/cli/fixtures/phases.json"
#define REQUEST       "tests/cli/fixtures/request.json"
#define PLAN          "tests/cli/fixtures/plan.json"

struct torture_case {
    const char *why;
    const char *words[12];
    int status; /* when memory lasts */
    bool fresh; /* start from no store at all */
};

static const struct torture_case cases[] = {
    { "vol", { "volplan", "vol", "io2", "--size", "500", "--iops", "5000", "--json" }, 0, false },
    { "vol, refused", { "volplan", "vol", "gp3", "--size", "4", "--iops", "16000" }, 1, false },
    { "size",
      { "volplan", "size", "--throughput", "1000", "--iops", "417", "--size", "500", "--json" },
      0,
      false },
    { "size, for people",
      { "volplan", "size", "--throughput", "1000", "--size", "500" },
      0,
      false },
    { "instance", { "volplan", "instance", "r5.8xlarge", "--json" }, 0, false },
    { "catalog", { "volplan", "catalog", "--csv" }, 0, false },
    { "inspect AWR", { "volplan", "inspect", awr, "--json" }, 0, false },
    { "inspect iostat", { "volplan", "inspect", iostat, "--json" }, 0, false },
    { "inspect metrics", { "volplan", "inspect", METRICS, "--json" }, 0, false },
    { "inspect metrics, volumes and a bill, for people",
      { "volplan", "inspect", METRICS, VOLUMES, MODIFICATIONS, BILL },
      0,
      false },
    { "inspect volumes", { "volplan", "inspect", VOLUMES, MODIFICATIONS, "--json" }, 0, false },
    { "inspect a bill", { "volplan", "inspect", BILL, "--json" }, 0, false },
    { "inspect records", { "volplan", "inspect", REQUEST }, 0, false },
    { "inspect a layout and a plan", { "volplan", "inspect", layout, PLAN, "--json" }, 0, false },
    { "ingest metrics", { "volplan", "ingest", "--system", "PRD1", METRICS }, 0, true },
    { "ingest volumes",
      { "volplan", "ingest", "--system", "PRD1", VOLUMES, MODIFICATIONS },
      0,
      true },
    { "ingest a bill", { "volplan", "ingest", "--system", "PRD1", BILL }, 0, true },
    { "ingest records", { "volplan", "ingest", "--system", "PRD1", REQUEST }, 0, true },
    { "ingest AWR", { "volplan", "ingest", "--system", "PRD1", awr }, 0, true },
    { "ingest iostat", { "volplan", "ingest", "--system", "PRD1", iostat }, 0, true },
    { "layout --set", { "volplan", "layout", "--system", "PRD1", "--set", layout }, 0, true },
    { "diagnose", { "volplan", "diagnose", "--system", "PRD1", "--json" }, 1, false },
    { "diagnose files, for people", { "volplan", "diagnose", awr, iostat, METRICS }, 1, false },
    { "diagnose records and a layout", { "volplan", "diagnose", VOLUMES, layout }, 0, false },
    { "peaks", { "volplan", "peaks", "--json" }, 0, false },
    { "completion of bash", { "volplan", "completion", "bash" }, 0, false },
    { "completion of zsh", { "volplan", "completion", "zsh", "--json" }, 0, false },
    { "completion of fish", { "volplan", "completion", "fish" }, 0, false },
    { "export", { "volplan", "export", "--system", "PRD1" }, 0, false },
    { "store init on other servers",
      { "volplan", "store", "init", "--fdw", "db1,[::1]:5433" },
      2,
      false },
    { "store check", { "volplan", "store", "check", "--json" }, 0, false },
    { "store rollup",
      { "volplan", "store", "rollup", "--before", "2030-01-01", "--dry-run" },
      0,
      false },
    { "export of metrics",
      { "volplan", "export", "--system", "PRD1", "--metrics", "--json" },
      0,
      false },
    { "plan", { "volplan", "plan", "--as-of", "2022-06-01", "--json" }, 0, false },
    { "plan, for people", { "volplan", "plan" }, 0, false },
    { "plan with its instance", { "volplan", "plan", "--instance", "auto" }, 0, false },
    { "reconcile", { "volplan", "reconcile", "--bill", BILL, "--json" }, 0, false },
    { "reconcile, for people", { "volplan", "reconcile", "--bill", BILL }, 0, false },
    { "report", { "volplan", "report", "--json" }, 0, false },
    { "series", { "volplan", "series", "--points", "100", "--json" }, 0, false },
    { "series, for people", { "volplan", "series", "--group", "DATA" }, 0, false },
    { "report, the page", { "volplan", "report", "-o", page }, 0, false },
    { "replay", { "volplan", "replay", "--json", "--verbose" }, 0, false },
    { "replay of other volumes, for people",
      { "volplan", "replay", "--group", "DATA=2xgp2:100", "--instance", "r6i.large", "--verbose" },
      1,
      false },
    { "replay of a plan", { "volplan", "replay", "--plan", PLAN, "--csv" }, 0, false },
    { "change",
      { "volplan", "change", "--as-of", "2022-06-01", "--script", "aws", "--json" },
      0,
      false },
    { "change, for people", { "volplan", "change", "--instance", "r5.12xlarge" }, 0, false },
    { "change to a plan, in SQL",
      { "volplan", "change", "--plan", PLAN, "--script", "asm" },
      0,
      false },
    { "change to a plan, in Terraform",
      { "volplan", "change", "--plan", PLAN, "--way", "snapshot", "--script", "terraform" },
      1,
      false },
    { "plan of all systems", { "volplan", "plan", "--all", "--jobs", "1", "--json" }, 0, false },
    { "plans that are kept",
      { "volplan", "plan", "--all", "--show", "--jobs", "1", "--json" },
      0,
      false },
    { "plan of all systems, for people, on threads",
      { "volplan", "plan", "--all", "--jobs", "2" },
      0,
      false },
    { "plan by percentile",
      { "volplan", "plan", "--percentile", "95", "--types", "gp2,gp3", "--json" },
      0,
      false },
    { "plan for what may wait",
      { "volplan", "plan", "--max-throttled-s", "600", "--max-delay-ms", "9000" },
      0,
      false },
    { "systems", { "volplan", "systems", "--json" }, 0, false },
    { "plan of phases", { "volplan", "plan", "--phases", PHASES, "--json" }, 0, false },
    { "plan of phases, for people", { "volplan", "plan", "--phases", PHASES }, 0, false },
    { "whatif", { "volplan", "whatif", "--standbys", "8", "--json" }, 0, false },
    { "whatif on the load itself",
      { "volplan", "whatif", "--rman", "08:00,2,200,FRA", "--merge-loss", "DATA:1", "--shift",
        "REDO1=3", "--split=64", "--json" },
      0,
      false },
    { "whatif on the load itself, for people",
      { "volplan", "whatif", "--restore", "08:00,2,200", "--merge-loss", "--shift", "FRA=3" },
      0,
      false },
    { "whatif, for people",
      { "volplan", "whatif", "--cascade", "dr2=dr1", "--phase", "2026-03-01:members=3" },
      0,
      false },
    { "peaks of two systems",
      { "volplan", "peaks", "--with", "PRD2", "--system", "PRD1" },
      0,
      false },
    { "peaks of two systems, by device",
      { "volplan", "peaks", "--with", "PRD2", "--system", "PRD1", "--by", "device", "--json" },
      0,
      false },
    { "plan of two systems",
      { "volplan", "plan", "--with", "PRD2", "--system", "PRD1", "--json" },
      0,
      false },
    { "replay of two systems, for people",
      { "volplan", "replay", "--with", "PRD2", "--system", "PRD1", "--verbose" },
      0,
      false },
    { "whatif of two systems",
      { "volplan", "whatif", "--with", "PRD2", "--system", "PRD1", "--growth", "20", "--json" },
      0,
      false },
};

static void fill_store(void)
{
    const char *const ingest[] = { "volplan", "ingest", "--system", "PRD1", awr,
                                   iostat,    METRICS,  BILL,       NULL };
    const char *const set[] = { "volplan", "layout", "--system", "PRD1", "--set", layout, NULL };
    char *out, *err;
    unlink(db);
    assert_int_equal(run(ingest, &out, &err), 0);
    free(out);
    free(err);
    assert_int_equal(run(set, &out, &err), 0);
    free(out);
    free(err);
}

/* For commands that begin with --with. */
static void add_other_system(void)
{
    const char *const ingest[] = { "volplan", "ingest", "--system", "PRD2", awr, NULL };
    char *out, *err;
    assert_int_equal(run(ingest, &out, &err), 0);
    free(out);
    free(err);
}

/* Plans that plan --all keeps: each is a transaction of its own, and would spare the next run the
 * work. */
static void forget_plans(void)
{
    sqlite3 *c;
    assert_int_equal(sqlite3_open(db, &c), SQLITE_OK);
    assert_int_equal(sqlite3_exec(c, "DELETE FROM plan_result", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(c);
}

static void keep_plans(void)
{
    const char *const plan[] = { "volplan", "plan", "--all", NULL };
    char *out, *err;
    assert_int_equal(run(plan, &out, &err), 0);
    free(out);
    free(err);
}

static void test_command(void **state)
{
    const struct torture_case *c = *state;
    char *before, *after, *out, *err;
    int status = -1;
    if (c->fresh)
        unlink(db);
    else
        fill_store();
    if (c->words[2] && strcmp(c->words[2], "--with") == 0)
        add_other_system();
    bool plans = c->words[2] && strcmp(c->words[2], "--all") == 0;
    bool shows = plans && strcmp(c->words[3], "--show") == 0;
    if (shows)
        keep_plans();
    before = dump();
    for (long n = 1;; n = next_allocation(n)) {
        atomic_store(&mem_calls, 0);
        atomic_store(&mem_fail_at, n);
        status = run(c->words, &out, &err);
        bool failed = atomic_load(&mem_calls) >= n;
        atomic_store(&mem_fail_at, 0);
        if (!failed) {
            free(out);
            free(err);
            break;
        }
        if (status != 5 || !strstr(err, "memory"))
            fail_msg("allocation %ld: status %d, stderr '%s'", n, status, err);
        expect_no_half_answer(out);
        free(out);
        free(err);
        if (c->fresh) {
            /* an empty store may have been made by then; nothing of the file may be in it */
            sqlite3 *db_handle;
            sqlite3_stmt *q;
            if (access(db, F_OK) == 0 && sqlite3_open(db, &db_handle) == SQLITE_OK) {
                if (sqlite3_prepare_v2(
                        db_handle,
                        "select (select count(*) from file) + (select count(*) from layout)", -1,
                        &q, NULL) == SQLITE_OK) {
                    assert_int_equal(sqlite3_step(q), SQLITE_ROW);
                    assert_int_equal(sqlite3_column_int(q, 0), 0);
                    sqlite3_finalize(q);
                }
                sqlite3_close(db_handle);
            }
        } else {
            if (plans && !shows)
                forget_plans();
            after = dump();
            assert_string_equal(after, before);
            free(after);
        }
    }
    assert_int_equal(status, c->status);
    free(before);
}

static int setup(void **state)
{
    (void)state;
    if (!mkdtemp(dir) || cli_global_init(stderr))
        return -1;
    snprintf(db, sizeof db, "%s/t.db", dir);
    snprintf(page, sizeof page, "%s/page.html", dir);
    snprintf(iostat, sizeof iostat, "%s/iostat.txt", dir);
    snprintf(awr, sizeof awr, "data/demo/awr_prd1_0700_0959.txt");
    snprintf(layout, sizeof layout, "data/demo/layout.json");
    char make[160];
    snprintf(make, sizeof make, "awk -f data/demo/iostat.awk | head -n 64 > %s", iostat);
    return system(make);
}

static int teardown(void **state)
{
    (void)state;
    char claims[80];
    snprintf(claims, sizeof claims, "%s-claims", db);
    const char *const made[] = { db, claims, page, iostat };
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        unlink(made[i]);
    cli_global_release();
    return rmdir(dir); /* fails where something else was left */
}

int main(void)
{
    struct CMUnitTest t[sizeof cases / sizeof *cases];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        t[i] = (struct CMUnitTest){ cases[i].why, test_command, NULL, NULL,
                                    (void *)(uintptr_t)&cases[i] };
    return _cmocka_run_group_tests("torture", t, sizeof t / sizeof *t, setup, teardown);
}
