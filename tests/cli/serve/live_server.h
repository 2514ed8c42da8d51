/* tests/cli/serve/live_server.h - `volplan serve` in a process of its own, and raw requests to it.
 */
#ifndef TESTS_CLI_SERVE_LIVE_SERVER_H
#define TESTS_CLI_SERVE_LIVE_SERVER_H

#include "tests/cli/site.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct live_server {
    pid_t pid;
    int port;
};

static inline int64_t real_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Twenty times as fast, for what takes many seconds. */
static inline int64_t fast_ms(void)
{
    return real_ms() * 20;
}

static inline _Noreturn void live_child(const struct cli_env *env, int argc,
                                        const char *const *argv, int out)
{
    FILE *f = fdopen(out, "w");
    signal(SIGPIPE, SIG_IGN);
    _exit(f ? cli_run(argc, argv, env, f, stderr) : 99);
}

/* Ready when it returns. */
static inline struct live_server live_start(const struct cli_env *env, const char *more)
{
    const char *argv[] = { "volplan", "serve", "--port=0", "--json", more };
    struct live_server s = { 0 };
    char said[200] = "";
    int ends[2];
    size_t len = 0;
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    s.pid = fork();
    assert_true(s.pid >= 0);
    if (s.pid == 0) {
        close(ends[0]);
        live_child(env, more ? 5 : 4, argv, ends[1]);
    }
    close(ends[1]);
    while (len < sizeof said - 1 && !strstr(said, "}")) {
        ssize_t n = read(ends[0], said + len, sizeof said - 1 - len);
        assert_true(n > 0);
        len += (size_t)n;
        said[len] = '\0';
    }
    close(ends[0]);
    const char *port = strstr(said, "\"port\": ");
    assert_non_null(port);
    s.port = (int)strtol(port + 8, NULL, 10);
    assert_true(s.port > 1023);
    return s;
}

/* Its exit status. */
static inline int live_stop(const struct live_server *s, int signal_no)
{
    int status = -1;
    assert_int_equal(kill(s->pid, signal_no), 0);
    assert_int_equal(waitpid(s->pid, &status, 0), s->pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static inline int live_connect(const struct live_server *s)
{
    struct sockaddr_in at = { .sin_family = AF_INET,
                              .sin_port = htons((uint16_t)s->port),
                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(fd >= 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&at, sizeof at), 0);
    return fd;
}

static inline void live_send(int fd, const char *text)
{
    size_t left = strlen(text);
    while (left) {
        ssize_t n = send(fd, text, left, MSG_NOSIGNAL);
        assert_true(n > 0);
        text += n;
        left -= (size_t)n;
    }
}

/* All that comes until the server closes, to be freed; NULL when it has not closed in 10 s. */
static inline char *live_read_all(int fd)
{
    char *text = calloc(1, 1);
    size_t len = 0;
    for (;;) {
        char block[65536];
        struct pollfd p = { .fd = fd, .events = POLLIN };
        ssize_t n = poll(&p, 1, 10000) == 1 ? recv(fd, block, sizeof block, 0) : -2;
        if (n == -2) {
            free(text);
            return NULL;
        }
        if (n <= 0) /* closed, or reset */
            return text;
        text = realloc(text, len + (size_t)n + 1);
        assert_non_null(text);
        memcpy(text + len, block, (size_t)n);
        len += (size_t)n;
        text[len] = '\0';
    }
}

/* The whole answer to a request on a connection of its own. */
static inline char *live_ask(const struct live_server *s, const char *request)
{
    int fd = live_connect(s);
    live_send(fd, request);
    char *answer = live_read_all(fd);
    close(fd);
    assert_non_null(answer);
    return answer;
}

/* The whole answer to GET target, with more lines of the head (each ended by CR LF). */
static inline char *live_get(const struct live_server *s, const char *target, const char *more)
{
    size_t room = strlen(target) + strlen(more) + 200;
    char *request = malloc(room);
    assert_non_null(request);
    snprintf(request, room, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%sConnection: close\r\n\r\n",
             target, s->port, more);
    char *answer = live_ask(s, request);
    free(request);
    return answer;
}

static inline int live_status(const char *answer)
{
    return strncmp(answer, "HTTP/1.1 ", 9) == 0 ? (int)strtol(answer + 9, NULL, 10) : 0;
}

static inline const char *live_body(const char *answer)
{
    const char *end = strstr(answer, "\r\n\r\n");
    return end ? end + 4 : "";
}

/* The value of a header, in room; "" when there is none. */
static inline const char *live_header(const char *answer, const char *name, char *room, size_t size)
{
    char line[80];
    snprintf(line, sizeof line, "\r\n%s: ", name);
    const char *at = strstr(answer, line);
    room[0] = '\0';
    if (at && at < live_body(answer)) {
        at += strlen(line);
        snprintf(room, size, "%.*s", (int)strcspn(at, "\r"), at);
    }
    return room;
}

#endif
