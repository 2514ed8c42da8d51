/* cli/serve/loopback.c - see loopback.h. */
#include "cli/serve/loopback.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 128 };

static int fail(int port, struct err *e)
{
    if (errno == EADDRINUSE)
        return err_set(e, ERR_IO,
                       "port %d is in use, maybe by another volplan serve: stop that one, or take "
                       "another with --port N (--port 0 takes any that is free)",
                       port);
    if (errno == EACCES)
        return err_set(e, ERR_IO, "port %d is not ours to listen on: take one above 1023, --port N",
                       port);
    return err_set(e, ERR_IO, "cannot listen on 127.0.0.1, port %d: %s", port, strerror(errno));
}

int loopback_listen(int port, int *out_fd, int *out_port, struct err *e)
{
    struct sockaddr_in at = { .sin_family = AF_INET,
                              .sin_port = htons((uint16_t)port),
                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t len = sizeof at;
    int yes = 1; /* a port whose last server has ended is free at once */
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return fail(port, e);
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) ||
        bind(fd, (struct sockaddr *)&at, sizeof at) || listen(fd, BACKLOG) ||
        getsockname(fd, (struct sockaddr *)&at, &len)) {
        int rc = fail(port, e);
        close(fd);
        return rc;
    }
    *out_fd = fd;
    *out_port = ntohs(at.sin_port);
    return 0;
}
