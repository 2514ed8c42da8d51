/* tests/cli/test_backends.c - a store on a PostgreSQL server answers what a SQLite file answers,
 * byte for byte; so does one that is spread over several servers, in every second round.
 *
 * Each round makes a store of random files on both: the corpora of the fuzzers, which hold good and
 * bad files of every format, the demo's incident with random figures, bills and volumes.  It loads
 * some of them twice, sets a layout, and asks every command that reads the store, with random
 * changes.  Output, messages (but for the store's name) and exit status must be the same.  Then the
 * file is copied to the server, and the server to a file, and they must answer the same again.  The
 * seed is printed; SEED=N replays, FULL=1 runs 500 rounds. */
#include "tests/cli/run_cli.h"
#include "tests/remove_folder.h"
#include "tests/seeded.h"

#include <dirent.h>
#include <libpq-fe.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- chance ------------------------------------------------------------------------------------
 */

static struct seeded chance;

static uint64_t dice(uint64_t sides)
{
    return seeded_next(&chance) % sides;
}

/* --- files -------------------------------------------------------------------------------------
 */

enum { FILES_MAX = 600, NAME_MAX_BYTES = 512 };
static char files[FILES_MAX][NAME_MAX_BYTES];
static size_t n_files;

static char dir[] = "/tmp/test-backends-XXXXXX";
static char file_db[64];
static const char *server_db; /* one of those that tests/pg_server.sh names */

/* Files of a folder and its folders; no name with a blank, at which run_cli cuts. */
static void list_files(const char *folder)
{
    DIR *d = opendir(folder);
    assert_non_null(d);
    for (struct dirent *entry; (entry = readdir(d)) != NULL;) {
        char path[NAME_MAX_BYTES];
        struct stat st;
        int n = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] == '.' || strchr(entry->d_name, ' ') || n >= (int)sizeof path ||
            stat(path, &st))
            continue;
        if (S_ISDIR(st.st_mode))
            list_files(path);
        else if (n_files < FILES_MAX)
            strcpy(files[n_files++], path);
    }
    closedir(d);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

static int shell(const char *command)
{
    return system(command);
}

/* The demo's incident, each device row scaled by a factor of the round. */
static void write_iostat(const char *path)
{
    char command[512];
    double factor = 0.5 + (double)dice(100) / 100;
    snprintf(
        command, sizeof command,
        "awk -f data/demo/iostat.awk | awk -v f=%.2f '/^nvme/ { for (i = 2; i <= 5; i++) if ($i ~ "
        "/^[0-9.]+$/) $i = sprintf(\"%%.2f\", $i * f) } { print }' >%s",
        factor, path);
    assert_int_equal(shell(command), 0);
}

/* --- both stores -------------------------------------------------------------------------------
 */

static void drop_schema(const char *host)
{
    const char *const keywords[] = { "dbname", host ? "host" : NULL, NULL };
    const char *const values[] = { server_db, host, NULL };
    PGconn *c = PQconnectdbParams(keywords, values, 1);
    PGresult *r =
        PQexec(c, "SET client_min_messages = error; DROP SCHEMA IF EXISTS volplan CASCADE");
    if (PQresultStatus(r) != PGRES_COMMAND_OK)
        fail_msg("%s", PQerrorMessage(c));
    PQclear(r);
    PQfinish(c);
}

static void new_server(bool spreads)
{
    struct err e = { 0 };
    char host[128];
    struct store_spread spread = { .hosts = spreads ? getenv("VOLPLAN_TEST_PARTS") : NULL };
    server_db = getenv(spreads ? "VOLPLAN_TEST_SPREAD" : "VOLPLAN_TEST_PG");
    drop_schema(NULL);
    for (struct span rest = span_of(spread.hosts), part; span_field(&rest, ',', &part) == 0;) {
        snprintf(host, sizeof host, "%.*s", (int)part.len, part.ptr);
        drop_schema(host);
    }
    if (store_init(server_db, spreads ? &spread : NULL, &e))
        fail_msg("%s", e.text);
}

static void new_stores(bool spreads)
{
    unlink(file_db);
    new_server(spreads);
}

/* Takes out what may differ: the name of the store, and how long it took. */
static void neutral(char *text, const char *db)
{
    for (char *p = text; (p = strstr(p, db)) != NULL;)
        memmove(p, p + strlen(db), strlen(p + strlen(db)) + 1);
    char *seconds = strstr(text, "\"seconds\": ");
    if (seconds)
        *seconds = '\0';
}

static size_t n_answers, n_good;

static char *ask_both(const char *line)
{
    struct cli_result got[2];
    const char *dbs[] = { file_db, server_db };
    for (int i = 0; i < 2; i++) {
        const struct cli_env env = { .today = "2026-11-30", .db = dbs[i] };
        got[i] = run_cli_in(line, &env);
        neutral(got[i].out, dbs[i]);
        neutral(got[i].err, dbs[i]);
    }
    if (got[0].status != got[1].status || strcmp(got[0].out, got[1].out) != 0 ||
        strcmp(got[0].err, got[1].err) != 0)
        fail_msg("%s: on the file %d, on the server %d\n%.2000s\n%.2000s\n%.600s\n%.600s", line,
                 got[0].status, got[1].status, got[0].out, got[1].out, got[0].err, got[1].err);
    n_answers++;
    n_good += got[0].status <= 1;
    char *out = got[0].out;
    free(got[0].err);
    free_cli(&got[1]);
    return out;
}

static void ask(const char *line)
{
    free(ask_both(line));
}

static void run_on(const char *db, const char *line)
{
    const struct cli_env env = { .today = "2026-11-30", .db = db };
    struct cli_result r = run_cli_in(line, &env);
    if (r.status != 0)
        fail_msg("%s: %.600s", line, r.err);
    free_cli(&r);
}

/* --- rounds ------------------------------------------------------------------------------------
 */

static void ingest(const char *system)
{
    char line[900];
    size_t at = (size_t)snprintf(line, sizeof line, "ingest --json --quiet --system %s", system);
    for (uint64_t n = 1 + dice(6); n > 0; n--) {
        const char *file = files[dice(n_files)];
        if (at + strlen(file) + 2 < sizeof line)
            at += (size_t)snprintf(line + at, sizeof line - at, " %s", file);
    }
    ask(line);
    if (dice(3) == 0)
        ask(line); /* known */
}

static void make_system(const char *system)
{
    char line[900], path[128], iostat[128];
    snprintf(iostat, sizeof iostat, "%s/iostat.txt", dir);
    snprintf(path, sizeof path, "%s/layout.json", dir);
    ingest(system);
    if (dice(4) == 0)
        return;
    write_iostat(iostat);
    snprintf(line, sizeof line, "ingest --json --quiet --system %s %s%s", system, iostat,
             dice(2) ? " data/demo/awr_prd1_0700_0959.txt" : "");
    ask(line);
    snprintf(line, sizeof line, "sed s/PRD1/%s/ data/demo/layout.json >%s", system, path);
    assert_int_equal(shell(line), 0);
    snprintf(line, sizeof line, "layout --set %s", path);
    ask(line);
}

static void ask_everything(const char *system)
{
    static const char *const commands[] = {
        "peaks --json",
        "peaks --by device --json",
        "peaks --by volume --json",
        "layout --json",
        "layout --init",
        "plan --json",
        "plan --json --instance auto",
        "whatif --json --standbys 2",
        "whatif --json --growth 20%",
        "whatif --json --members 3 --redo-block 4096",
        "replay --json",
        "change --json",
        "diagnose --json",
        "reconcile --json --bill tests/cli/fixtures/cur.csv",
        "report --json",
        "series --json",
        "export",
        "export --metrics --json",
    };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char line[200];
        if (dice(3) == 0)
            continue;
        snprintf(line, sizeof line, "%s --system %s", commands[i], system);
        ask(line);
    }
}

static void ask_the_most(const char *system)
{
    static const char *const commands[] = { "layout", "peaks", "plan", "series" };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char line[64];
        snprintf(line, sizeof line, "%s --json --system %s", commands[i], system);
        ask(line);
    }
}

static void copy_store(const char *from, const char *to)
{
    char line[600];
    snprintf(line, sizeof line, "store copy --quiet %s %s", from, to);
    run_on(from, line);
}

static void ask_of_copies(void)
{
    ask("systems --json");
    ask("plan --all --json");
    ask_the_most("OTHER");
    ask_the_most("PRD1");
    ask_the_most("PRD2");
}

/* Of the systems one is the server's first and the file's last, so that their numbers differ. */
static void copy_and_ask(bool spreads)
{
    static const char ingest_other[] =
        "ingest --quiet --system OTHER data/demo/awr_prd1_0700_0959.txt";
    new_server(spreads);
    run_on(file_db, ingest_other);
    run_on(server_db, ingest_other);
    copy_store(file_db, server_db);
    ask_of_copies();
    unlink(file_db);
    copy_store(server_db, file_db);
    ask_of_copies();
}

static void test_same_answers(void **state)
{
    (void)state;
    const char *full = getenv("FULL");
    chance.state = seed_of_run((uint64_t)getpid());
    int rounds = full && *full == '1' ? 500 : 6;
    printf("%d rounds\n", rounds);
    for (int i = 0; i < rounds; i++) {
        bool spreads = i % 2 == 1 && getenv("VOLPLAN_TEST_SPREAD");
        new_stores(spreads);
        make_system("PRD1");
        if (dice(2))
            make_system("PRD2");
        ask("systems --json");
        ask("plan --all --json");
        ask_everything("PRD1");
        ask_everything("PRD2");
        copy_and_ask(spreads);
    }
    printf("%zu answers, %zu of them good\n", n_answers, n_good);
    assert_true(n_good * 3 > n_answers);
}

static int start(void **state)
{
    list_files("tests/fuzz/corpus");
    list_files("tests/cli/fixtures");
    qsort(files, n_files, sizeof *files, by_name);
    if (!mkdtemp(dir))
        return -1;
    snprintf(file_db, sizeof file_db, "%s/store.db", dir);
    return cli_start(state);
}

static int stop(void **state)
{
    return remove_folder(dir) || cli_stop(state);
}

int main(void)
{
    if (!getenv("VOLPLAN_TEST_PG")) {
        printf("not run: answers of both backends: VOLPLAN_TEST_PG names no server\n");
        return 0;
    }
    const struct CMUnitTest t[] = { cmocka_unit_test(test_same_answers) };
    return cmocka_run_group_tests(t, start, stop);
}
