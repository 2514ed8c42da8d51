/* data/fetch/aws_process.c - see aws_process.h. */
#include "data/fetch/aws_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUTPUT_MAX = 64 * 1024, WAIT_MS = 60000 };

/* Starts it with its stdout in *out_fd and nothing on its stdin. */
static int start(char *command, pid_t *pid, int *out_fd)
{
    char shell[] = "/bin/sh", option[] = "-c", *words[] = { shell, option, command, NULL };
    posix_spawn_file_actions_t actions;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
        return errno;
    int rc = posix_spawn_file_actions_init(&actions);
    if (!rc) {
        rc = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        if (!rc)
            rc = posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
        if (!rc)
            rc = posix_spawn(pid, shell, &actions, NULL, words, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    close(ends[1]);
    if (rc)
        close(ends[0]);
    *out_fd = ends[0];
    return rc;
}

/* Number of bytes, or -1: too many, too late, or an error. */
static ptrdiff_t read_all(int fd, char *buf, size_t room)
{
    size_t n = 0;
    while (n < room) {
        struct pollfd wait = { .fd = fd, .events = POLLIN };
        if (poll(&wait, 1, WAIT_MS) <= 0)
            return -1;
        ssize_t got = read(fd, buf + n, room - n);
        if (got < 0)
            return -1;
        if (got == 0)
            return (ptrdiff_t)n;
        n += (size_t)got;
    }
    return -1;
}

int aws_process_credentials(const char *command, struct arena *a, struct aws_credentials *out,
                            struct err *e)
{
    char output[OUTPUT_MAX];
    pid_t pid = -1;
    int fd = -1, status = 0;
    char *copy = arena_strdup(a, command);
    if (!copy)
        return err_nomem(e);
    int rc = start(copy, &pid, &fd);
    if (rc)
        return err_set(e, ERR_NET_FINAL, "credential_process cannot be started: %s", strerror(rc));
    ptrdiff_t n = read_all(fd, output, sizeof output);
    close(fd);
    if (n < 0)
        kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (n < 0)
        rc = err_set(e, ERR_NET_FINAL,
                     "credential_process prints too much, or is not done in a minute");
    else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        rc = err_set(e, ERR_NET_FINAL, "credential_process failed (status %d)",
                     WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    else
        rc = aws_credentials_json((struct span){ output, (size_t)n }, "credential_process", a, out,
                                  e);
    explicit_bzero(output, sizeof output);
    return rc;
}
