/* data/fetch/http_curl.h - the transport over libcurl: TLS verified, no redirects, time-outs.
 *
 * Signing is CURLOPT_AWS_SIGV4's.  libcurl 7.88 (Debian 12) signs wrongly what these rules keep
 * away from it: signed requests are POSTs with an empty query and a body in memory; no header is
 * repeated, empty, or meant to take one of libcurl's own away; X-Amz-Date is libcurl's; the
 * session token is a header and left out where there is none. */
#ifndef DATA_FETCH_HTTP_CURL_H
#define DATA_FETCH_HTTP_CURL_H

#include "data/fetch/http.h"

struct http_curl_options {
    int64_t connect_ms; /* 0 = 10 s */
    int64_t stall_s;    /* gives up after so long below 100 bytes a second; 0 = 30 s */
    /* Asked before and during a transfer, which it ends with ERR_STOPPED; NULL = never. */
    bool (*stopped)(void *ctx);
    void *ctx;
};

struct http_curl;

/* Once per process, before the first thread: libcurl's memory is models/core/mem's. */
int http_curl_global_init(struct err *e);
void http_curl_global_release(void);

int http_curl_open(const struct http_curl_options *o, struct http_curl **out, struct err *e);
void http_curl_close(struct http_curl *h); /* NULL does nothing */
struct http_transport http_curl_transport(struct http_curl *h);

#endif
