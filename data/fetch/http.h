/* data/fetch/http.h - one request and its reply, over a transport that tests replace.
 *
 * http_curl.h is the transport that the program uses; http_call (http_retry.h) is how everything
 * else asks.  Replies are bounded: more than body_max bytes, decoded, is ERR_LIMIT. */
#ifndef DATA_FETCH_HTTP_H
#define DATA_FETCH_HTTP_H

#include "models/core/arena.h"
#include "models/core/err.h"
#include "models/core/span.h"

#include <stdbool.h>
#include <stdint.h>

enum http_method { HTTP_GET, HTTP_POST, HTTP_PUT };
enum { HTTP_HEADERS_MAX = 6 };

/* With what a request is signed (AWS Signature Version 4). */
struct http_signer {
    const char *access_key, *secret_key;
    const char *session_token; /* NULL = none */
    const char *region, *service;
};

/* Takes a body piece by piece instead of keeping it. */
struct http_body_sink {
    void *ctx;
    /* Before the first byte, and again before those of another attempt. */
    int (*begin)(void *ctx, struct err *e);
    int (*put)(void *ctx, struct span bytes, struct err *e);
};

struct http_reply;

struct http_request {
    enum http_method method;
    const char *url; /* without a query where it is signed */
    struct span body;
    const char *headers[HTTP_HEADERS_MAX]; /* "Name: value", never an empty value */
    size_t n_headers;
    const struct http_signer *sign;    /* NULL = not signed */
    bool local;                        /* the host itself answers: no proxy, short time-outs */
    size_t body_max;                   /* of what is kept */
    const struct http_body_sink *sink; /* gets the body of a reply with status 200; NULL = kept */
    bool (*is_whole)(const struct http_reply *r); /* of one that is kept with status 200; NULL = any
                                                   * is.  One that is not is a broken transfer. */
};

struct http_reply {
    int status;
    char *body; /* NUL behind it; in the arena of the call */
    size_t n_bytes;
    int64_t received_bytes; /* of the body, kept or not */
    int64_t retry_after_s;  /* UNKNOWN */
    int64_t retry_at_ms;    /* Retry-After as a date; UNKNOWN */
    int64_t date_ms;        /* of the server; UNKNOWN */
    char content_type[64];
    char location[200]; /* of a redirect; never followed */
};

struct http_transport {
    void *ctx;
    /* 0 with a status, or a code: ERR_NET for what another attempt may cure, ERR_NET_FINAL for
     * what it cannot, ERR_STOPPED, ERR_LIMIT, ERR_NOMEM, and what the sink returned. */
    int (*perform)(void *ctx, const struct http_request *q, struct arena *a, struct http_reply *out,
                   struct err *e);
};

#endif
