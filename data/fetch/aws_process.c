/* data/fetch/aws_process.c - see aws_process.h. */
#include "data/fetch/aws_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { OUTPUT_MAX = 64 * 1024, MINUTE_MS = 60000, STEP_MS = 50 };

struct running {
    const struct aws_environment *env;
    pid_t pid; /* of the shell, and its group */
    int fd;    /* its stdout */
    int64_t end_ms;
};

static int64_t ticks_ms(const struct running *r)
{
    return r->env->ticks_ms ? r->env->ticks_ms() : 0;
}

static int64_t limit_ms(const struct running *r)
{
    return r->env->process_ms ? r->env->process_ms : MINUTE_MS;
}

/* --- starting ----------------------------------------------------------------------------------
 */

static int spawn(const posix_spawn_file_actions_t *actions, char *command, pid_t *out_pid)
{
    char shell[] = "/bin/sh", option[] = "-c", *words[] = { shell, option, command, NULL };
    posix_spawnattr_t attributes;
    sigset_t usual;
    int rc = posix_spawnattr_init(&attributes);
    if (rc)
        return rc;
    sigemptyset(&usual); /* what we ignore is not for it to ignore */
    sigaddset(&usual, SIGPIPE);
    rc = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    if (!rc)
        rc = posix_spawnattr_setpgroup(&attributes, 0);
    if (!rc)
        rc = posix_spawnattr_setsigdefault(&attributes, &usual);
    if (!rc)
        rc = posix_spawn(out_pid, shell, actions, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    return rc;
}

/* Its stdout is ours to read, its stdin and stderr are nothing. */
static int start(char *command, struct running *r)
{
    posix_spawn_file_actions_t actions;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
        return errno;
    int rc = posix_spawn_file_actions_init(&actions);
    if (!rc) {
        rc = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        if (!rc)
            rc =
                posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
        if (!rc)
            rc = posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
        if (!rc)
            rc = spawn(&actions, command, &r->pid);
        posix_spawn_file_actions_destroy(&actions);
    }
    close(ends[1]);
    if (rc)
        close(ends[0]);
    r->fd = ends[0];
    return rc;
}

/* --- waiting -----------------------------------------------------------------------------------
 */

/* 0 while it may go on. */
static int check_time(const struct running *r, struct err *e)
{
    if (r->env->stopped && r->env->stopped(r->env->ctx))
        return err_set(e, ERR_STOPPED, "%s", err_meaning(ERR_STOPPED));
    if (ticks_ms(r) < r->end_ms)
        return 0;
    return err_set(e, ERR_NET_FINAL,
                   "credential_process is not done in %.3g s, and was ended: run it by hand to see "
                   "what it waits for",
                   (double)limit_ms(r) / 1000);
}

static int read_all(const struct running *r, char *buf, size_t *out_n, struct err *e)
{
    size_t n = 0;
    int rc;
    while ((rc = check_time(r, e)) == 0) {
        struct pollfd wait = { .fd = r->fd, .events = POLLIN };
        if (poll(&wait, 1, STEP_MS) <= 0)
            continue;
        if (n == OUTPUT_MAX)
            return err_set(e, ERR_NET_FINAL, "credential_process prints more than %d bytes",
                           (int)OUTPUT_MAX);
        ssize_t got = read(r->fd, buf + n, OUTPUT_MAX - n);
        if (got < 0 && errno != EINTR)
            return err_set(e, ERR_NET_FINAL, "credential_process cannot be read: %m");
        n += got > 0 ? (size_t)got : 0;
        *out_n = n;
        if (got == 0)
            return 0;
    }
    return rc;
}

/* It may close its output and go on. */
static int wait_end(const struct running *r, int *out_status, struct err *e)
{
    int rc;
    while ((rc = check_time(r, e)) == 0) {
        pid_t ended = waitpid(r->pid, out_status, WNOHANG);
        if (ended == r->pid)
            return 0;
        if (ended < 0 && errno != EINTR)
            return err_set(e, ERR_NET_FINAL, "credential_process cannot be waited for: %m");
        nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    }
    return rc;
}

/* All of its group: a shell's children outlive it.  The group is ours to kill for as long as the
 * shell has not been waited for. */
static void kill_group(const struct running *r)
{
    int status;
    kill(-r->pid, SIGKILL);
    while (waitpid(r->pid, &status, 0) < 0 && errno == EINTR)
        continue;
}

int aws_process_credentials(const struct aws_environment *env, const char *command, struct arena *a,
                            struct aws_credentials *out, struct err *e)
{
    char output[OUTPUT_MAX];
    struct running r = { .env = env };
    int status = 0;
    size_t n = 0;
    char *copy = arena_strdup(a, command);
    if (!copy)
        return err_nomem(e);
    r.end_ms = ticks_ms(&r) + limit_ms(&r);
    int rc = start(copy, &r);
    if (rc)
        return err_set(e, ERR_NET_FINAL, "credential_process cannot be started: %s", strerror(rc));
    rc = read_all(&r, output, &n, e);
    close(r.fd);
    if (!rc)
        rc = wait_end(&r, &status, e);
    if (rc)
        kill_group(&r);
    else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        rc = err_set(e, ERR_NET_FINAL,
                     "credential_process failed (status %d): run it by hand to see why",
                     WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    else
        rc = aws_credentials_json((struct span){ output, n }, "credential_process", a, out, e);
    explicit_bzero(output, sizeof output);
    return rc;
}
