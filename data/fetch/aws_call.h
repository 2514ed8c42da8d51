/* data/fetch/aws_call.h - one signed request to AWS, and what its refusals mean.
 *
 * Credentials are found at the first request, and again when they run out or AWS calls them
 * expired, where their source gives new ones.  Errors name the permission that is missing, the
 * clock that is wrong, the session that has ended; they quote no key, token or signature. */
#ifndef DATA_FETCH_AWS_CALL_H
#define DATA_FETCH_AWS_CALL_H

#include "data/fetch/aws_credentials.h"

struct aws_client {
    struct http_client http;
    struct aws_environment env;
    const char *region;
    const char *endpoint; /* of --endpoint-url: for every service; NULL = AWS's own */
    int64_t now_ms;       /* when ticks_ms was start_ms */
    int64_t (*ticks_ms)(void);
    int64_t start_ms;
    struct arena arena; /* of the credentials */
    struct aws_credentials credentials;
    bool has_credentials;
};

void aws_client_release(struct aws_client *c);
int64_t aws_client_now_ms(const struct aws_client *c);

struct aws_request {
    const char *service;               /* as it is signed, "monitoring" */
    const char *permission;            /* "cloudwatch:GetMetricData" */
    const char *content_type, *target; /* X-Amz-Target; NULL = none */
    struct span body;
    size_t body_max;
};

/* A reply with status 200 that is no HTML and is whole; its body lives in a. */
int aws_call(struct aws_client *c, const struct aws_request *q, struct arena *a,
             struct http_reply *out, struct err *e);

#endif
