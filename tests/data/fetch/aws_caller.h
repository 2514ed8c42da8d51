/* tests/data/fetch/aws_caller.h - one signed request against a server on this machine, and what
 * came of it; no word of it has a secret. */
#ifndef TESTS_DATA_FETCH_AWS_CALLER_H
#define TESTS_DATA_FETCH_AWS_CALLER_H

#include "data/fetch/aws_call.h"
#include "data/fetch/http_curl.h"
#include "tests/data/fetch/fake_aws.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static const char json_type[] = "Content-Type: application/x-amz-json-1.0\r\n";
static const char xml_type[] = "Content-Type: text/xml;charset=UTF-8\r\n";

static int64_t slept_ms;
static int n_sleeps;

static inline void no_sleep(void *ctx, int64_t ms)
{
    (void)ctx;
    slept_ms += ms;
    n_sleeps++;
}

static inline uint64_t largest(void *ctx)
{
    (void)ctx;
    return UINT64_MAX;
}

static inline int64_t half_past(void *ctx)
{
    (void)ctx;
    return INT64_C(1796063400000); /* 2026-11-30T18:30:00Z */
}

static const char *variables[8][2];

static inline const char *variable(void *ctx, const char *name)
{
    (void)ctx;
    for (size_t i = 0; i < 8 && variables[i][0]; i++)
        if (strcmp(variables[i][0], name) == 0)
            return variables[i][1];
    return NULL;
}

#define BODY(text)                                                                                 \
    {                                                                                              \
        text, sizeof(text) - 1                                                                     \
    }

/* A form (EC2) and JSON with a target (CloudWatch). */
static const struct aws_request form = {
    .service = "ec2",
    .permission = "ec2:DescribeVolumes",
    .content_type = "application/x-www-form-urlencoded; charset=utf-8",
    .body = BODY("Action=DescribeVolumes&NextToken=a%2Bb%3D&Version=2016-11-15"),
    .body_max = 100000,
};
static const struct aws_request json = {
    .service = "monitoring",
    .permission = "cloudwatch:GetMetricData",
    .content_type = "application/x-amz-json-1.0",
    .target = "GraniteServiceVersion20100801.GetMetricData",
    .body = BODY("{\"StartTime\":1,\"x\":\"\303\251\"}"),
    .body_max = 100000,
};

static inline struct http_client client_of(struct http_curl *curl)
{
    return (struct http_client){
        .transport = http_curl_transport(curl),
        .world = { .sleep_ms = no_sleep, .random = largest, .now_ms = half_past },
    };
}

static inline struct aws_client aws_at(struct http_curl *curl, const char *url)
{
    return (struct aws_client){
        .http = client_of(curl),
        .env = { .get = variable },
        .region = "eu-west-1",
        .endpoint = url,
        .now_ms = INT64_C(1796061600000), /* 2026-11-30T18:00:00Z */
    };
}

struct outcome {
    int rc, status, requests, wrong;
    char words[500], body[400], first_wrong[200];
};

static inline struct outcome call(void (*answer)(struct fake_aws *, const struct received *, int,
                                                 int),
                                  const struct aws_request *q, const char *token)
{
    struct fake_aws f = {
        .answer = answer, .token = token, .region = "eu-west-1", .service = q->service
    };
    struct outcome o = { 0 };
    struct http_curl *curl;
    struct err e = { 0 };
    struct arena a = { 0 };
    struct http_reply r = { 0 };
    char url[64];
    variables[0][0] = "AWS_ACCESS_KEY_ID", variables[0][1] = FAKE_KEY;
    variables[1][0] = "AWS_SECRET_ACCESS_KEY", variables[1][1] = FAKE_SECRET;
    variables[2][0] = "AWS_SESSION_TOKEN", variables[2][1] = token;
    slept_ms = n_sleeps = 0;
    fake_start(&f);
    snprintf(url, sizeof url, "http://127.0.0.1:%d", f.port);
    assert_int_equal(http_curl_open(&(struct http_curl_options){ .connect_ms = 2000, .stall_s = 1 },
                                    &curl, &e),
                     0);
    struct aws_client c = aws_at(curl, url);
    o.rc = aws_call(&c, q, &a, &r, &e);
    o.status = r.status;
    o.requests = atomic_load(&f.n_requests);
    snprintf(o.words, sizeof o.words, "%s", e.text);
    if (!o.rc)
        snprintf(o.body, sizeof o.body, "%s", r.body);
    fake_stop(&f);
    o.wrong = atomic_load(&f.n_wrong);
    snprintf(o.first_wrong, sizeof o.first_wrong, "%s", f.wrong);
    aws_client_release(&c);
    http_curl_close(curl);
    arena_release(&a);
    assert_null(strstr(o.words, FAKE_SECRET));
    assert_null(strstr(o.words, FAKE_KEY));
    assert_null(strstr(o.words, FAKE_TOKEN));
    return o;
}

#define XML_ERROR(code, text)                                                                      \
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Response><Errors><Error><Code>" code             \
    "</Code><Message>" text "</Message></Error></Errors><RequestID>1</RequestID></Response>"

static inline void says_ok(struct fake_aws *f, const struct received *r, int n, int conn)
{
    (void)n;
    bool is_json = received_header(r, "x-amz-target") != NULL;
    fake_text(f, conn, 200, is_json ? json_type : xml_type, is_json ? "{}" : "<ok/>");
}

/* Runs the tests with libcurl at hand. */
static inline int aws_caller_run(const struct CMUnitTest *t, size_t n)
{
    struct err e;
    if (http_curl_global_init(&e))
        return 1;
    int failed = _cmocka_run_group_tests("aws", t, n, NULL, NULL);
    http_curl_global_release();
    return failed;
}

#endif
