/* tests/data/store/cut_wire.h - a wire to a PostgreSQL server that is cut after so many bytes.
 *
 * A thread stands between, on a Unix socket in a folder of its own, and serves one connection after
 * the other.  When a direction has carried its bytes, both ends are closed, and so is every
 * connection until there is more to carry. */
#ifndef TESTS_DATA_STORE_CUT_WIRE_H
#define TESTS_DATA_STORE_CUT_WIRE_H

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum wire_direction { WIRE_TO_SERVER, WIRE_FROM_SERVER, WIRE_DIRECTIONS };

static const long wire_uncut = 1L << 40;

struct cut_wire {
    struct sockaddr_un here, there;
    int listener;
    pthread_t thread;
    atomic_bool stop;
    atomic_long left[WIRE_DIRECTIONS]; /* bytes */
};

/* All that has come, as far as it may pass.  False: cut, or an end has closed. */
static inline bool wire_carry(struct cut_wire *w, enum wire_direction d, int from, int to)
{
    char bytes[4096];
    long left = atomic_load(&w->left[d]);
    size_t most = left < (long)sizeof bytes ? (size_t)left : sizeof bytes;
    ssize_t n = read(from, bytes, most);
    bool goes_on = n > 0 && atomic_fetch_sub(&w->left[d], n) > n; /* before anybody knows of them */
    for (ssize_t at = 0, more; at < n; at += more)
        if ((more = send(to, bytes + at, (size_t)(n - at), MSG_NOSIGNAL)) <= 0)
            return false;
    return goes_on;
}

static inline bool wire_is_whole(const struct cut_wire *w)
{
    return atomic_load(&w->left[WIRE_TO_SERVER]) > 0 && atomic_load(&w->left[WIRE_FROM_SERVER]) > 0;
}

static inline void wire_connection(struct cut_wire *w, int client)
{
    int server = socket(AF_UNIX, SOCK_STREAM, 0);
    const struct sockaddr *there = (const struct sockaddr *)&w->there;
    bool on = wire_is_whole(w) && connect(server, there, sizeof w->there) == 0;
    while (on && !atomic_load(&w->stop)) {
        struct pollfd ends[] = { { client, POLLIN, 0 }, { server, POLLIN, 0 } };
        poll(ends, 2, 50);
        if (ends[0].revents)
            on = wire_carry(w, WIRE_TO_SERVER, client, server);
        if (on && ends[1].revents)
            on = wire_carry(w, WIRE_FROM_SERVER, server, client);
    }
    close(server);
    close(client);
}

static inline void *wire_run(void *wire)
{
    struct cut_wire *w = wire;
    while (!atomic_load(&w->stop)) {
        struct pollfd comes = { w->listener, POLLIN, 0 };
        if (poll(&comes, 1, 50) == 1)
            wire_connection(w, accept(w->listener, NULL, NULL));
    }
    return NULL;
}

static inline void wire_set(struct cut_wire *w, enum wire_direction d, long bytes)
{
    atomic_store(&w->left[WIRE_TO_SERVER], wire_uncut);
    atomic_store(&w->left[WIRE_FROM_SERVER], wire_uncut);
    atomic_store(&w->left[d], bytes);
}

/* From `folder` to the server whose socket is in `server_folder`. */
static inline bool wire_start(struct cut_wire *w, const char *folder, const char *server_folder)
{
    static const char name[] = ".s.PGSQL.5432";
    *w = (struct cut_wire){ .here = { .sun_family = AF_UNIX }, .there = { .sun_family = AF_UNIX } };
    snprintf(w->here.sun_path, sizeof w->here.sun_path, "%.80s/%s", folder, name);
    snprintf(w->there.sun_path, sizeof w->there.sun_path, "%.80s/%s", server_folder, name);
    wire_set(w, WIRE_TO_SERVER, wire_uncut);
    w->listener = socket(AF_UNIX, SOCK_STREAM, 0);
    return bind(w->listener, (const struct sockaddr *)&w->here, sizeof w->here) == 0 &&
           listen(w->listener, 8) == 0 && pthread_create(&w->thread, NULL, wire_run, w) == 0;
}

static inline void wire_stop(struct cut_wire *w)
{
    atomic_store(&w->stop, true);
    pthread_join(w->thread, NULL);
    close(w->listener);
    unlink(w->here.sun_path);
}

#endif
