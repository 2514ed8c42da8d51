/* tests/cli/test_fetch_stop.c - volplan fetch, the program itself, stopped by Ctrl-C and SIGTERM:
 * what it says, what it leaves, and that the next run asks for the rest only. */
#include "tests/cli/fake_account.h"

#include <dirent.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>

static char program[300];

/* The program beside this test's folder: build/tests/cli/X -> build/volplan. */
static void find_program(void)
{
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 20);
    assert_true(n > 0);
    program[n] = '\0';
    for (int up = 0; up < 3; up++)
        *strrchr(program, '/') = '\0';
    strcat(program, "/volplan");
}

static void wait_ms(int ms)
{
    usleep((useconds_t)ms * 1000);
}

/* --- the server --------------------------------------------------------------------------------
 */

/* The question that gets no answer, but a byte every 50 ms; none. */
enum { NONE = -1 };
static atomic_int held, n_metrics, is_holding;

static void hold(struct fake_aws *f, int conn)
{
    atomic_store(&is_holding, 1);
    fake_send(f, conn, "HTTP/1.1 200 X\r\nContent-Length: 900000\r\n\r\n", 41);
    while (!atomic_load(&f->stop) && fake_send(f, conn, "xxxxxxxxxx", 10))
        wait_ms(50);
}

static void answer_or_hold(struct fake_aws *f, const struct received *r, int n, int conn)
{
    bool is_metrics = received_header(r, "x-amz-target") != NULL;
    if (is_metrics && atomic_fetch_add(&n_metrics, 1) == atomic_load(&held))
        hold(f, conn);
    else
        answer(f, r, n, conn);
}

static void only_holds(struct fake_aws *f, const struct received *r, int n, int conn)
{
    (void)r, (void)n;
    hold(f, conn);
}

static void wants_patience(struct fake_aws *f, const struct received *r, int n, int conn)
{
    (void)r, (void)n;
    fake_text(f, conn, 503, "Retry-After: 100\r\n", "");
    atomic_store(&is_holding, 1);
}

/* --- the program -------------------------------------------------------------------------------
 */

struct run {
    pid_t pid;
    char err_path[80];
};

/* Keys, or a file with a profile. */
static void set_environment(const char *profile)
{
    const char *const names[] = { "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY",
                                  "AWS_SESSION_TOKEN" };
    const char *const values[] = { FAKE_KEY, FAKE_SECRET, FAKE_TOKEN };
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(profile ? unsetenv(names[i]) : setenv(names[i], values[i], 1), 0);
    assert_int_equal(setenv("AWS_CONFIG_FILE", profile ? profile : "/nowhere", 1), 0);
    assert_int_equal(setenv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere", 1), 0);
    assert_int_equal(setenv("AWS_EC2_METADATA_DISABLED", "true", 1), 0);
    assert_int_equal(setenv("AWS_REGION", "eu-west-1", 1), 0);
}

/* Not ignored, as they are for what a shell runs in the background. */
static void take_signals(posix_spawnattr_t *attributes)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    posix_spawnattr_init(attributes);
    posix_spawnattr_setsigdefault(attributes, &signals);
    posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGDEF);
}

static struct run start(const char *line, const char *profile)
{
    char copy[600], *words[40] = { program };
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    struct run run;
    int n = 1;
    snprintf(copy, sizeof copy, "%s --verbose --db %s", line, db);
    set_environment(profile);
    for (char *rest = copy, *word; n < 39 && (word = strsep(&rest, " ")) != NULL;)
        words[n++] = word;
    snprintf(run.err_path, sizeof run.err_path, "%s/stderr", folder);
    take_signals(&attributes);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, run.err_path,
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_int_equal(posix_spawn(&run.pid, program, &actions, &attributes, words, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return run;
}

/* Its exit status, and what it said on stderr. */
static int finish(const struct run *run, char *err, size_t room)
{
    int status;
    assert_int_equal(waitpid(run->pid, &status, 0), run->pid);
    FILE *f = fopen(run->err_path, "r");
    assert_non_null(f);
    err[fread(err, 1, room - 1, f)] = '\0';
    fclose(f);
    remove(run->err_path);
    const char *const secrets[] = { FAKE_KEY, "canary", "Signature" };
    for (size_t i = 0; i < 3; i++)
        assert_null(strstr(err, secrets[i]));
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static int stop_when_held(const struct run *run, int signal_number, char *err, size_t room)
{
    for (int i = 0; i < 2000 && !atomic_load(&is_holding); i++)
        wait_ms(10);
    assert_true(atomic_load(&is_holding));
    wait_ms(20);
    assert_int_equal(kill(run->pid, signal_number), 0);
    time_t began = time(NULL);
    int status = finish(run, err, room);
    assert_true(time(NULL) - began <= 10); /* about a second */
    return status;
}

static void expect_words(const char *said, const char *words)
{
    if (!strstr(said, words))
        fail_msg("said: %s", said);
}

static void begin(struct fake_aws *f,
                  void (*with)(struct fake_aws *, const struct received *, int, int))
{
    atomic_store(&is_holding, 0);
    atomic_store(&n_metrics, 0);
    atomic_store(&held, NONE);
    fresh(f);
    f->answer = with;
}

/* The folder holds what it is said to, and nothing else. */
static void expect_only(const char *dir, const char *name)
{
    DIR *d = opendir(dir);
    assert_non_null(d);
    for (const struct dirent *x; (x = readdir(d)) != NULL;)
        if (strcmp(x->d_name, ".") != 0 && strcmp(x->d_name, "..") != 0 &&
            strcmp(x->d_name, name) != 0)
            fail_msg("left behind: %s/%s", dir, x->d_name);
    closedir(d);
}

/* --- tests -------------------------------------------------------------------------------------
 */

static char *day(char out[20], time_t t)
{
    struct tm tm;
    strftime(out, 20, "%Y-%m-%d", gmtime_r(&t, &tm));
    return out;
}

/* Two days in the world's own time, since the program has no other.  The first question is of both
 * volumes' first day, two pages; the second gets no answer. */
static void cloudwatch_goes_on(void **state)
{
    const int *signal_number = *state;
    enum { DAY_S = 86400 };
    struct fake_aws f;
    char line[300], from[20], to[20], err[4000];
    time_t today = time(NULL) / DAY_S * DAY_S;
    begin(&f, answer_or_hold);
    load_volumes(&f);
    snprintf(line, sizeof line,
             "fetch cloudwatch --system PRD1 --from %s --to %s --endpoint-url http://127.0.0.1:%d",
             day(from, today - 3 * DAY_S), day(to, today - DAY_S), f.port);
    atomic_store(&held, 2);
    struct run run = start(line, NULL);
    int status = stop_when_held(&run, *signal_number, err, sizeof err);
    assert_int_equal(status, 128 + *signal_number);
    expect_words(err, "stopped: 2 of ");
    expect_words(err, "are kept; the same command asks for the rest");
    assert_int_equal(seconds_stored(), 2 * DAY_S);
    assert_int_equal(seconds_asked(0), 2 * DAY_S);
    expect_only(folder, "v.db");

    atomic_store(&held, NONE);
    atomic_store(&f.stop, true); /* the question that is held ends */
    fake_stop(&f);
    atomic_store(&f.stop, false);
    fake_start(&f);
    snprintf(strstr(line, "127.0.0.1:"), 20, "127.0.0.1:%d", f.port);
    run = start(line, NULL);
    status = finish(&run, err, sizeof err);
    if (status)
        fail_msg("status %d: %s", status, err);
    assert_int_equal(seconds_stored(), 3 * 2 * DAY_S); /* two volumes and an instance */
    assert_int_equal(seconds_asked(0), 3 * 2 * DAY_S); /* nothing twice */
    stop(&f);
}

static const struct stop_case {
    const char *why, *line, *words;
    void (*answer)(struct fake_aws *, const struct received *, int, int);
} cases[] = {
    { "volumes: no store was made", "fetch volumes --system PRD1",
      "stopped: 0 of 3 lists are kept; the same command asks for all again", only_holds },
    { "instance types", "fetch instance-types --system PRD1", "stopped: 0 of 1 lists are kept",
      only_holds },
    { "prices: no folder and no draft was made", "fetch prices --region us-east-1 --out PACK",
      "stopped: nothing was written; the same command begins again", only_holds },
    { "while it waits to ask again", "fetch volumes --system PRD1",
      "stopped: 0 of 3 lists are kept", wants_patience },
};

static void is_stopped(void **state)
{
    const struct stop_case *x = *state;
    struct fake_aws f;
    char line[300], err[4000];
    begin(&f, x->answer);
    const char *pack = strstr(x->line, "PACK");
    snprintf(line, sizeof line, "%.*s%s%s --endpoint-url http://127.0.0.1:%d",
             (int)(pack ? pack - x->line : (ptrdiff_t)strlen(x->line)), x->line, pack ? folder : "",
             pack ? "/pack" : "", f.port);
    if (pack)
        f.service = NULL; /* the public list needs no signature */
    struct run run = start(line, NULL);
    assert_int_equal(stop_when_held(&run, SIGINT, err, sizeof err), 128 + SIGINT);
    expect_words(err, x->words);
    expect_only(folder, "");
    stop(&f);
}

static void while_credentials_are_made(void **state)
{
    char config[80], mark[80], err[4000];
    (void)state;
    remove(db);
    snprintf(config, sizeof config, "%s/config", folder);
    snprintf(mark, sizeof mark, "%s/mark", folder);
    FILE *f = fopen(config, "w");
    assert_non_null(f);
    fprintf(f, "[default]\ncredential_process = echo canary >&2; touch %s; sleep 60\n", mark);
    fclose(f);
    struct run run = start("fetch volumes --system PRD1 --endpoint-url http://127.0.0.1:9", config);
    for (int i = 0; i < 1000 && access(mark, F_OK) != 0; i++)
        wait_ms(10);
    remove(config);
    assert_int_equal(remove(mark), 0);
    atomic_store(&is_holding, 1);
    assert_int_equal(stop_when_held(&run, SIGINT, err, sizeof err), 128 + SIGINT);
    expect_words(err, "stopped: 0 of 3 lists are kept");
    expect_only(folder, "");
}

static int set_up(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    find_program();
    snprintf(db, sizeof db, "%s/v.db", folder);
    return cli_global_init(stderr);
}

static int tear_down(void **state)
{
    (void)state;
    remove(db);
    cli_global_release();
    return remove(folder);
}

int main(void)
{
    enum { N = sizeof cases / sizeof *cases };
    static const int signals[] = { SIGINT, SIGTERM };
    struct CMUnitTest t[N + 3] = {
        { "Ctrl-C", cloudwatch_goes_on, NULL, NULL, (void *)(uintptr_t)&signals[0] },
        { "SIGTERM", cloudwatch_goes_on, NULL, NULL, (void *)(uintptr_t)&signals[1] },
        cmocka_unit_test(while_credentials_are_made),
    };
    for (size_t i = 0; i < N; i++)
        t[3 + i] = (struct CMUnitTest){ cases[i].why, is_stopped, NULL, NULL,
                                        (void *)(uintptr_t)&cases[i] };
    return cmocka_run_group_tests(t, set_up, tear_down);
}
