/* tests/data/fetch/test_aws_process.c - credential_process that does not end, does not stop
 * printing, or leaves children: a deadline for all of it, and nothing is left running. */
#include "data/fetch/aws_process.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define KEYS "echo '{\"AccessKeyId\":\"AK\",\"SecretAccessKey\":\"canary\"}'"

static char folder[] = "/tmp/volplan-process-XXXXXX";

static bool never(void *ctx)
{
    (void)ctx;
    return false;
}

static int n_asked;

static bool at_the_third_time(void *ctx)
{
    (void)ctx;
    return ++n_asked == 3;
}

static const struct process_case {
    const char *why, *command;
    int rc;
    const char *words;
    bool (*stopped)(void *ctx);
} cases[] = {
    { "keys", KEYS, 0, NULL, never },
    { "says what it will on stderr", "echo canary >&2; " KEYS, 0, NULL, never },
    { "closes its output and goes on", KEYS "; exec >&-; sleep 60", ERR_NET_FINAL,
      "credential_process is not done in 0.5 s", never },
    { "drips without end", "while :; do printf c; sleep 0.02; done", ERR_NET_FINAL,
      "credential_process is not done in 0.5 s", never },
    { "leaves a child that holds the output", "sleep 60 & " KEYS, ERR_NET_FINAL,
      "credential_process is not done in 0.5 s", never },
    { "prints without end", "yes canary", ERR_NET_FINAL,
      "credential_process prints more than 65536 bytes", never },
    { "fails, and tells secrets", "echo canary >&2; " KEYS "; exit 3", ERR_NET_FINAL,
      "credential_process failed (status 3)", never },
    { "dies", "kill -9 $$", ERR_NET_FINAL, "credential_process failed (status 137)", never },
    { "is stopped", "sleep 60", ERR_STOPPED, "stopped", at_the_third_time },
};

/* "/proc/N/stat": N (NAME) STATE PARENT GROUP ... */
static bool is_of_group(const char *pid, long group)
{
    char path[300], text[400] = "", state;
    long parent, pgid;
    snprintf(path, sizeof path, "/proc/%s/stat", pid);
    FILE *f = fopen(path, "r");
    if (!f)
        return false; /* it has just ended */
    size_t n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    const char *end = n ? strrchr(text, ')') : NULL;
    return end && sscanf(end + 1, " %c %ld %ld", &state, &parent, &pgid) == 3 && pgid == group &&
           state != 'Z'; /* ended, and nobody has waited for it yet */
}

static bool group_lives(long group)
{
    DIR *all = opendir("/proc");
    bool lives = false;
    assert_non_null(all);
    for (const struct dirent *d; (d = readdir(all)) != NULL;)
        lives =
            lives || (d->d_name[0] >= '1' && d->d_name[0] <= '9' && is_of_group(d->d_name, group));
    closedir(all);
    return lives;
}

static int64_t ticks_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static long read_group(const char *path)
{
    char text[40] = "";
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_non_null(fgets(text, sizeof text, f));
    fclose(f);
    return strtol(text, NULL, 10);
}

static size_t size_of(const char *path)
{
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    long n = ftell(f);
    fclose(f);
    return (size_t)n;
}

static void runs(void **state)
{
    const struct process_case *x = *state;
    const struct aws_environment env = { .stopped = x->stopped,
                                         .ticks_ms = ticks_ms,
                                         .process_ms = 500 };
    struct aws_credentials c;
    struct arena a = { 0 };
    struct err e = { 0 };
    char command[400], group[60], err[60];
    snprintf(group, sizeof group, "%s/group", folder);
    snprintf(err, sizeof err, "%s/stderr", folder);
    snprintf(command, sizeof command, "echo $$ >%s; %s", group, x->command);
    n_asked = 0;
    int ours = dup(STDERR_FILENO), theirs = open(err, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(ours >= 0 && theirs >= 0 && dup2(theirs, STDERR_FILENO) >= 0);
    int64_t began_ms = ticks_ms();
    int rc = aws_process_credentials(&env, command, &a, &c, &e);
    int64_t took_ms = ticks_ms() - began_ms;
    dup2(ours, STDERR_FILENO);
    close(ours);
    close(theirs);
    assert_int_equal(rc, x->rc);
    if (x->words && !strstr(e.text, x->words))
        fail_msg("said: %s", e.text);
    if (!rc)
        assert_string_equal(c.access_key, "AK");
    assert_null(strstr(e.text, "canary"));
    assert_int_equal(size_of(err), 0);
    assert_true(took_ms < 10000);  /* half a second, on a busy machine */
    long gone = read_group(group); /* a killed one takes its time */
    for (int i = 0; i < 500 && group_lives(gone); i++)
        usleep(10000);
    assert_false(group_lives(gone));
    arena_release(&a);
    remove(group);
    remove(err);
}

int main(void)
{
    enum { N = sizeof cases / sizeof *cases };
    struct CMUnitTest t[N];
    if (!mkdtemp(folder))
        return 1;
    for (size_t i = 0; i < N; i++)
        t[i] = (struct CMUnitTest){ cases[i].why, runs, NULL, NULL, (void *)(uintptr_t)&cases[i] };
    int failed = cmocka_run_group_tests(t, NULL, NULL);
    remove(folder);
    return failed;
}
