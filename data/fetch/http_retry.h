/* data/fetch/http_retry.h - asks until there is an answer, or no sense in asking again.
 *
 * Asked again are 429, 5xx, replies whose code says throttling, and broken transfers: at most
 * HTTP_ATTEMPTS_MAX times, after a random part of 0.5, 1, 2, 4 ... s (at most 20), and never before
 * Retry-After; a server that wants more than two minutes is believed and not asked again. */
#ifndef DATA_FETCH_HTTP_RETRY_H
#define DATA_FETCH_HTTP_RETRY_H

#include "data/fetch/http.h"

enum { HTTP_ATTEMPTS_MAX = 7 };

/* What a client takes from the world: tests replace it. */
struct http_world {
    void *ctx;
    void (*sleep_ms)(void *ctx, int64_t ms);
    uint64_t (*random)(void *ctx); /* any 64 bits */
    /* Told in words why it waits; NULL = nobody. */
    void (*waits)(void *ctx, int64_t ms, const char *why);
    /* For a server that names a date but not its own; NULL = its date is passed over. */
    int64_t (*now_ms)(void *ctx);
};

struct http_client {
    struct http_transport transport;
    struct http_world world;
    int64_t requests, bytes; /* sent so far, received so far */
};

/* The code of an error reply ("Throttling"), from its JSON or XML; empty when it has none. */
struct span http_error_code(const struct http_reply *r);
/* Its sentence; empty. */
struct span http_error_message(const struct http_reply *r);

/* A reply below 500 that is no throttling, or the last error.  The body lives in a. */
int http_call(struct http_client *c, const struct http_request *q, struct arena *a,
              struct http_reply *out, struct err *e);

#endif
