/* cli/serve/http_server.h - HTTP on a listening socket, until SIGINT or SIGTERM.
 *
 * One thread does all, one request after the other.  Bounded: HTTP_CONNECTIONS_MAX connections, the
 * length of an address, the bytes of a request's headers, the time in which a request must have
 * come in and its answer been taken.  Answers GET and HEAD; every answer forbids the browser to
 * keep it, to guess its type and to let another page have it. */
#ifndef CLI_SERVE_HTTP_SERVER_H
#define CLI_SERVE_HTTP_SERVER_H

#include "models/core/err.h"
#include "models/core/span.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    HTTP_CONNECTIONS_MAX = 64,
    HTTP_TARGET_MAX = 8192,      /* bytes of an address: longer ones get 414 */
    HTTP_HEADERS_MAX = 32 << 10, /* bytes of a request's headers: more get 431 */
    /* Memory of a connection.  libmicrohttpd takes every parameter of an address apart, some 45
     * bytes each, before it asks anybody, and closes without a word where that does not fit: half
     * of this holds 6 000, so any address of HTTP_TARGET_MAX and half as much again. */
    HTTP_MEMORY_MAX = 512 << 10,
    HTTP_REQUEST_MS = 15 * 1000, /* for a request to come in, from the end of the one before */
    HTTP_ANSWER_MS = 60 * 1000,  /* for its answer to be taken */
};

struct http_answer {
    int status;
    const char *type;    /* Content-Type */
    const char *policy;  /* Content-Security-Policy */
    const char *command; /* X-Volplan-Command; NULL = none; not kept */
    char *body;          /* of mem_alloc; the server frees it, unless it is kept */
    size_t len;
    bool kept; /* outlives the server */
};

struct http_handler {
    void *ctx;
    /* Called once, when requests and signals will be taken. */
    int (*ready)(void *ctx, struct err *e);
    /* path and query (behind the "?") as they came. */
    void (*get)(void *ctx, struct span path, struct span query, struct http_answer *out);
    /* refused before it was asked for: words for people */
    void (*refuse)(void *ctx, int status, const char *words, struct http_answer *out);
    int64_t (*ticks_ms)(void); /* a clock that only goes forward; NULL = nothing is ever late */
};

/* fd is closed in any case.  Returns 0 after a signal. */
int http_server_run(int fd, const struct http_handler *handler, struct err *e);

#endif
