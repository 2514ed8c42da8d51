/* cli/serve/http_server.c - see http_server.h.
 *
 *   http_server_run
 *     signals_open             SIGINT and SIGTERM become readable
 *     loop                     polls the sockets and the signals
 *       on_connection          a slot for each connection
 *       on_target              keeps the address as it came
 *       on_request             guard, method, then handler->get
 *       on_done                waits for the next request
 *       end_late               shuts down connections that take too long: dripped bytes keep a
 *                              connection busy, so a timeout of idleness alone would not bound them
 */
#include "cli/serve/http_server.h"

#include "cli/serve/request_guard.h"
#include "models/core/mem.h"

#include <errno.h>
#include <microhttpd.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

struct http_slot {
    bool used, begun; /* begun: on_request was called for the request at hand */
    int fd;
    int64_t until_ms;
    size_t target_len; /* HTTP_TARGET_MAX + 1: it was longer */
    char target[HTTP_TARGET_MAX];
};

struct http_server {
    const struct http_handler *handler;
    struct MHD_Daemon *daemon;
    int signals; /* readable when one has come */
    sigset_t mask_before;
    struct http_slot *slots; /* HTTP_CONNECTIONS_MAX */
};

static int64_t now_ms(const struct http_server *s)
{
    return s->handler->ticks_ms ? s->handler->ticks_ms() : 0;
}

static struct http_slot *slot_of(struct MHD_Connection *c)
{
    const union MHD_ConnectionInfo *i =
        MHD_get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return i ? i->socket_context : NULL;
}

/* --- connections -------------------------------------------------------------------------------
 */

static void wait_for_request(const struct http_server *s, struct http_slot *slot)
{
    slot->begun = false;
    slot->target_len = 0;
    slot->until_ms = now_ms(s) + HTTP_REQUEST_MS;
}

static struct http_slot *free_slot(const struct http_server *s)
{
    for (size_t i = 0; i < HTTP_CONNECTIONS_MAX; i++)
        if (!s->slots[i].used)
            return &s->slots[i];
    return NULL;
}

static void on_connection(void *ctx, struct MHD_Connection *c, void **out_slot,
                          enum MHD_ConnectionNotificationCode what)
{
    const struct http_server *s = ctx;
    struct http_slot *slot = *out_slot;
    if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
        if (slot)
            slot->used = false;
        return;
    }
    slot = free_slot(s);
    const union MHD_ConnectionInfo *i =
        MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD);
    *out_slot = slot;
    if (!slot || !i)
        return;
    slot->used = true;
    slot->fd = i->connect_fd;
    wait_for_request(s, slot);
}

static void on_done(void *ctx, struct MHD_Connection *c, void **request,
                    enum MHD_RequestTerminationCode why)
{
    (void)request;
    (void)why;
    struct http_slot *slot = slot_of(c);
    if (slot)
        wait_for_request(ctx, slot);
}

/* A connection that is shut down is closed by the daemon when it looks at it next. */
static void end_late(const struct http_server *s)
{
    int64_t now = now_ms(s);
    for (size_t i = 0; i < HTTP_CONNECTIONS_MAX; i++)
        if (s->slots[i].used && now > s->slots[i].until_ms)
            shutdown(s->slots[i].fd, SHUT_RDWR);
}

/* --- requests ----------------------------------------------------------------------------------
 */

static void *on_target(void *ctx, const char *target, struct MHD_Connection *c)
{
    (void)ctx;
    struct http_slot *slot = slot_of(c);
    size_t len = strlen(target);
    if (!slot)
        return NULL;
    slot->target_len = len > HTTP_TARGET_MAX ? HTTP_TARGET_MAX + 1 : len;
    memcpy(slot->target, target, len > HTTP_TARGET_MAX ? HTTP_TARGET_MAX : len);
    return NULL;
}

struct head {
    struct request_origin origin;
    bool has_body, doubled;
    size_t len; /* of all names and values */
};

static void take_header(const char *name, const char *value, const char *want, const char **at,
                        bool *doubled)
{
    if (strcasecmp(name, want) != 0)
        return;
    *doubled |= *at != NULL;
    *at = value ? value : "";
}

static enum MHD_Result on_header(void *ctx, enum MHD_ValueKind kind, const char *name,
                                 const char *value)
{
    (void)kind;
    struct head *h = ctx;
    h->len += strlen(name) + (value ? strlen(value) : 0);
    take_header(name, value, "Host", &h->origin.host, &h->doubled);
    take_header(name, value, "Origin", &h->origin.origin, &h->doubled);
    take_header(name, value, "Sec-Fetch-Site", &h->origin.fetch_site, &h->doubled);
    h->has_body |= strcasecmp(name, "Transfer-Encoding") == 0 ||
                   (strcasecmp(name, "Content-Length") == 0 && value && strcmp(value, "0") != 0);
    return MHD_YES;
}

static struct MHD_Response *response_of(struct http_answer *a)
{
    if (!a->len)
        return NULL;
    return a->kept ? MHD_create_response_from_buffer(a->len, a->body, MHD_RESPMEM_PERSISTENT)
                   : MHD_create_response_from_buffer_with_free_callback(a->len, a->body, mem_free);
}

static enum MHD_Result send_answer(struct MHD_Connection *c, struct http_answer *a)
{
    struct MHD_Response *r = response_of(a);
    if (!r) { /* no memory for an answer: the connection ends without one */
        if (!a->kept)
            mem_free(a->body);
        return MHD_NO;
    }
    const char *const headers[][2] = {
        { "Content-Type", a->type },
        { "Content-Security-Policy", a->policy },
        { "X-Volplan-Command", a->command },
        { "Allow", a->status == 405 ? "GET, HEAD" : NULL },
        { "Connection", a->status == 200 ? NULL : "close" },
        { "Cache-Control", "no-store" },
        { "Cross-Origin-Opener-Policy", "same-origin" },
        { "Cross-Origin-Resource-Policy", "same-origin" },
        { "Referrer-Policy", "no-referrer" },
        { "X-Content-Type-Options", "nosniff" },
        { "X-Frame-Options", "DENY" },
    };
    enum MHD_Result ok = MHD_YES;
    for (size_t i = 0; i < sizeof headers / sizeof *headers && ok; i++)
        if (headers[i][1])
            ok = MHD_add_response_header(r, headers[i][0], headers[i][1]);
    if (ok)
        ok = MHD_queue_response(c, (unsigned)a->status, r);
    MHD_destroy_response(r);
    return ok;
}

static enum MHD_Result refuse(struct http_server *s, struct MHD_Connection *c, int status,
                              const char *words)
{
    struct http_answer a = { 0 };
    s->handler->refuse(s->handler->ctx, status, words, &a);
    return send_answer(c, &a);
}

static enum MHD_Result answer(struct http_server *s, struct MHD_Connection *c,
                              const struct http_slot *slot)
{
    struct span query = { slot->target, slot->target_len }, path;
    struct http_answer a = { 0 };
    span_field(&query, '?', &path);
    if (!query.ptr)
        query = (struct span){ "", 0 };
    s->handler->get(s->handler->ctx, path, query, &a);
    return send_answer(c, &a);
}

/* Called when the head of a request is there, and again (begun) when all of it is. */
static enum MHD_Result on_request(void *ctx, struct MHD_Connection *c, const char *url,
                                  const char *method, const char *version, const char *upload,
                                  /* NOLINTNEXTLINE(readability-non-const-parameter): MHD's type */
                                  size_t *upload_size, void **request)
{
    (void)url, (void)version, (void)upload, (void)upload_size, (void)request;
    struct http_server *s = ctx;
    struct http_slot *slot = slot_of(c);
    struct head head = { 0 };
    if (!slot)
        return MHD_NO;
    if (slot->begun)
        return answer(s, c, slot);

    slot->begun = true;
    slot->until_ms = now_ms(s) + HTTP_ANSWER_MS;
    MHD_get_connection_values(c, MHD_HEADER_KIND, on_header, &head);
    const char *why = head.doubled ? "a header stands twice" : request_refused(&head.origin);
    if (why)
        return refuse(s, c, 403, why);
    if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
        return refuse(s, c, 405, "only GET and HEAD: the server only reads");
    if (head.has_body)
        return refuse(s, c, 413, "a request must have no body");
    if (slot->target_len > HTTP_TARGET_MAX)
        return refuse(s, c, 414, "the address is too long");
    if (head.len > HTTP_HEADERS_MAX)
        return refuse(s, c, 431, "the headers are too long");
    return MHD_YES;
}

/* --- the server --------------------------------------------------------------------------------
 */

static int signals_open(struct http_server *s, struct err *e)
{
    sigset_t wanted;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGINT);
    sigaddset(&wanted, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &wanted, &s->mask_before);
    s->signals = signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
    return s->signals < 0 ? err_set(e, ERR_IO, "no signals: %s", strerror(errno)) : 0;
}

/* Takes the signals that have come: they would end the process once they are let through again. */
static void signals_close(struct http_server *s)
{
    struct signalfd_siginfo taken;
    while (s->signals >= 0 && read(s->signals, &taken, sizeof taken) == (ssize_t)sizeof taken) {
    }
    if (s->signals >= 0)
        close(s->signals);
    pthread_sigmask(SIG_SETMASK, &s->mask_before, NULL);
}

static int loop(struct http_server *s, struct err *e)
{
    enum { LOOK_MS = 1000 };
    const union MHD_DaemonInfo *epoll = MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_EPOLL_FD);
    struct pollfd fds[] = { { .fd = epoll->epoll_fd, .events = POLLIN },
                            { .fd = s->signals, .events = POLLIN } };
    while (!fds[1].revents) {
        MHD_UNSIGNED_LONG_LONG timeout;
        int wait_ms = LOOK_MS;
        if (MHD_run(s->daemon) != MHD_YES)
            return err_set(e, ERR_IO, "the server cannot go on: %s", strerror(errno));
        if (MHD_get_timeout(s->daemon, &timeout) == MHD_YES && timeout < LOOK_MS)
            wait_ms = (int)timeout;
        if (poll(fds, 2, wait_ms) < 0 && errno != EINTR)
            return err_set(e, ERR_IO, "the server cannot wait: %s", strerror(errno));
        end_late(s);
    }
    return 0;
}

static int start(struct http_server *s, int fd, struct err *e)
{
    s->slots = mem_zalloc(HTTP_CONNECTIONS_MAX, sizeof *s->slots);
    if (!s->slots)
        return err_nomem(e);
    s->daemon =
        MHD_start_daemon(MHD_USE_EPOLL, 0, NULL, NULL, on_request, s, MHD_OPTION_LISTEN_SOCKET, fd,
                         MHD_OPTION_CONNECTION_LIMIT, (unsigned)HTTP_CONNECTIONS_MAX,
                         MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HTTP_MEMORY_MAX,
                         MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)(HTTP_ANSWER_MS / 1000),
                         MHD_OPTION_NOTIFY_CONNECTION, on_connection, s,
                         MHD_OPTION_NOTIFY_COMPLETED, on_done, s, MHD_OPTION_URI_LOG_CALLBACK,
                         on_target, s, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
    return s->daemon ? 0 : err_set(e, ERR_IO, "the server does not start: %s", strerror(errno));
}

int http_server_run(int fd, const struct http_handler *handler, struct err *e)
{
    struct http_server s = { .handler = handler, .signals = -1 };
    int rc = signals_open(&s, e);
    if (!rc)
        rc = start(&s, fd, e);
    if (!rc)
        rc = handler->ready(handler->ctx, e);
    if (!rc)
        rc = loop(&s, e);
    if (s.daemon)
        MHD_stop_daemon(s.daemon); /* closes fd */
    else
        close(fd);
    mem_free(s.slots);
    signals_close(&s);
    return rc;
}
