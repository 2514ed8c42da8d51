/* tests/data/fetch/fake_aws.h - a server on 127.0.0.1 that plays AWS, in a thread of the test.
 *
 * One request a connection.  Every request is kept as the bytes that came and its signature
 * checked by sigv4_check.pl; the test's own function then answers. */
#ifndef TESTS_DATA_FETCH_FAKE_AWS_H
#define TESTS_DATA_FETCH_FAKE_AWS_H

#include "tests/data/fetch/received.h"
#include "tests/data/fetch/sigv4_check.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <unistd.h>

#define FAKE_KEY    "AKIAFAKEFAKEFAKE0001"
#define FAKE_SECRET "canary/secret+0123456789abcdefghijklmno"
#define FAKE_TOKEN  "canaryToken//////////wEaCXVzLWVhc3QtMSJHMEUCIQ=="

struct fake_aws {
    int listener, port;
    pthread_t thread;
    atomic_bool stop;
    /* Answers one request on conn; n counts from 0. */
    void (*answer)(struct fake_aws *f, const struct received *r, int n, int conn);
    void *ctx;
    const char *token, *region; /* what signatures are held against */
    const char
        *service; /* NULL = nothing is checked; "*" = ec2, or monitoring where there is a target */
    atomic_int n_requests, n_wrong;
    char wrong[200]; /* of the first wrong signature */
    atomic_llong bytes_out;
};

static inline bool fake_send(struct fake_aws *f, int conn, const char *bytes, size_t n)
{
    while (n) {
        ssize_t sent = send(conn, bytes, n, MSG_NOSIGNAL);
        if (sent <= 0)
            return false;
        atomic_fetch_add(&f->bytes_out, sent);
        bytes += sent;
        n -= (size_t)sent;
    }
    return true;
}

/* A whole answer; headers are lines that end with \r\n. */
static inline void fake_reply(struct fake_aws *f, int conn, int status, const char *headers,
                              const char *body, size_t n)
{
    char head[2048];
    int head_n = snprintf(head, sizeof head,
                          "HTTP/1.1 %d X\r\nConnection: close\r\nContent-Length: %zu\r\n%s\r\n",
                          status, n, headers);
    if (fake_send(f, conn, head, (size_t)head_n))
        fake_send(f, conn, body, n);
}

static inline void fake_text(struct fake_aws *f, int conn, int status, const char *headers,
                             const char *body)
{
    fake_reply(f, conn, status, headers, body, strlen(body));
}

/* A whole request as it came; NULL when the peer went away. */
static inline char *fake_receive(int conn, size_t *out_n)
{
    size_t room = 4 * 1024 * 1024, n = 0, want = 0;
    char *buf = malloc(room);
    for (;;) {
        ssize_t got = recv(conn, buf + n, room - 1 - n, 0);
        if (got <= 0)
            break;
        n += (size_t)got;
        buf[n] = '\0';
        char *end = strstr(buf, "\r\n\r\n"), *length = strcasestr(buf, "\r\nContent-Length:");
        if (!end)
            continue;
        want = (size_t)(end + 4 - buf);
        if (length && length < end)
            want += strtoul(length + 17, NULL, 10);
        if (n >= want) {
            *out_n = n;
            return buf;
        }
    }
    free(buf);
    return NULL;
}

static inline void fake_serve(struct fake_aws *f, int conn)
{
    size_t n = 0;
    char *bytes = fake_receive(conn, &n);
    struct received r;
    if (!bytes)
        return;
    if (received_parse(bytes, n, &r)) {
        const char *service = f->service;
        if (service && strcmp(service, "*") == 0)
            service = received_header(&r, "x-amz-target") ? "monitoring" : "ec2";
        const struct sigv4_keys keys = { FAKE_KEY, FAKE_SECRET, f->token, f->region, service };
        const char *wrong = service ? sigv4_check(bytes, n, &keys) : NULL;
        if (wrong && !atomic_fetch_add(&f->n_wrong, 1))
            snprintf(f->wrong, sizeof f->wrong, "%s", wrong);
        f->answer(f, &r, atomic_fetch_add(&f->n_requests, 1), conn);
    }
    received_release(&r);
    free(bytes);
}

static inline void *fake_run(void *ctx)
{
    struct fake_aws *f = ctx;
    while (!atomic_load(&f->stop)) {
        struct pollfd p = { .fd = f->listener, .events = POLLIN };
        if (poll(&p, 1, 20) <= 0)
            continue;
        int conn = accept(f->listener, NULL, NULL);
        if (conn < 0)
            continue;
        fake_serve(f, conn);
        shutdown(conn, SHUT_WR);
        close(conn);
    }
    return NULL;
}

/* Aborts where there is no port to be had: nothing could be tested. */
static inline void fake_start(struct fake_aws *f)
{
    struct sockaddr_in to = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t n = sizeof to;
    f->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (f->listener < 0 || bind(f->listener, (struct sockaddr *)&to, sizeof to) ||
        listen(f->listener, 64) || getsockname(f->listener, (struct sockaddr *)&to, &n))
        abort();
    f->port = ntohs(to.sin_port);
    if (pthread_create(&f->thread, NULL, fake_run, f))
        abort();
}

/* Returns once all that was asked before is answered: connections are served one by one. */
static inline void fake_settle(const struct fake_aws *f)
{
    struct sockaddr_in to = { .sin_family = AF_INET,
                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                              .sin_port = htons((uint16_t)f->port) };
    char byte;
    int conn = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (conn < 0 || connect(conn, (struct sockaddr *)&to, sizeof to))
        abort();
    shutdown(conn, SHUT_WR);
    while (recv(conn, &byte, 1, 0) > 0)
        continue;
    close(conn);
}

static inline void fake_stop(struct fake_aws *f)
{
    atomic_store(&f->stop, true);
    pthread_join(f->thread, NULL);
    close(f->listener);
}

#endif
