/* tests/data/fetch/test_aws_call.c - signed requests against a server on this machine that checks
 * every signature and misbehaves in the ways that networks do. */
#include "models/core/unit.h"
#include "tests/data/fetch/aws_caller.h"

/* --- signatures --------------------------------------------------------------------------------
 */

static void signatures_agree(void **state)
{
    const struct aws_request *const all[] = { &form, &json };
    const char *const tokens[] = { NULL, FAKE_TOKEN };
    (void)state;
    for (int i = 0; i < 4; i++) {
        struct outcome o = call(says_ok, all[i / 2], tokens[i % 2]);
        assert_string_equal(o.first_wrong, "");
        assert_int_equal(o.rc, 0);
        assert_int_equal(o.requests, 1);
    }
}

/* --- trouble on the way ------------------------------------------------------------------------
 */

/* The first answers are bad, the third is right. */
#define TWICE(name, ...)                                                                           \
    static void name(struct fake_aws *f, const struct received *r, int n, int conn)                \
    {                                                                                              \
        if (n < 2) {                                                                               \
            __VA_ARGS__;                                                                           \
        } else {                                                                                   \
            says_ok(f, r, n, conn);                                                                \
        }                                                                                          \
    }
TWICE(throttles_503, fake_text(f, conn, 503, xml_type,
                               "<Response><Errors><Error><Code>RequestLimitExceeded</Code></Error>"
                               "</Errors></Response>"))
TWICE(throttles_400,
      fake_text(f, conn, 400, json_type,
                "{\"__type\":\"com.amazonaws#ThrottlingException\",\"message\":\"x\"}"))
TWICE(throttles_429, fake_text(f, conn, 429, "Retry-After: 7\r\n", ""))
TWICE(until_a_date, fake_text(f, conn, 429,
                              "Retry-After: Mon, 30 Nov 2026 18:00:07 GMT\r\n"
                              "Date: Mon, 30 Nov 2026 18:00:00 GMT\r\n",
                              ""))
TWICE(until_a_date_by_our_clock,
      fake_text(f, conn, 429, "Retry-After: Mon, 30 Nov 2026 18:30:20 GMT\r\n", ""))
TWICE(until_a_date_gone_by, fake_text(f, conn, 503,
                                      "Date: Mon, 30 Nov 2026 18:00:00 GMT\r\n"
                                      "Retry-After: Sunday, 29-Nov-26 18:00:00 GMT\r\n",
                                      ""))
TWICE(until_no_date, fake_text(f, conn, 503, "Retry-After: soon\r\n", ""))
TWICE(breaks_500, fake_text(f, conn, 500, xml_type, "<oops/>"))
#define RAW(text) fake_send(f, conn, text, sizeof(text) - 1)
TWICE(cuts_in_mid_body, RAW("HTTP/1.1 200 X\r\nContent-Length: 90\r\n\r\n<ok>"))
TWICE(too_long, RAW("HTTP/1.1 200 X\r\nContent-Length: 6\r\n\r\n<ok/>"))
TWICE(too_short, RAW("HTTP/1.1 200 X\r\nContent-Length: 4\r\n\r\n<ok/>"))
TWICE(too_short_tag, RAW("HTTP/1.1 200 X\r\nContent-Length: 8\r\n\r\n<a><b/></a>"))
TWICE(too_short_json, RAW("HTTP/1.1 200 X\r\nContent-Length: 9\r\n\r\n{\"a\":[{}]}"))
TWICE(length_of_nothing, RAW("HTTP/1.1 200 X\r\nContent-Length: 0\r\n\r\n<ok/>"))
TWICE(sends_nothing, (void)0)
TWICE(drips, fake_send(f, conn, "HTTP/1.1 200 X\r\nContent-Length: 900\r\n\r\n", 40);
      for (int i = 0; i < 40 && fake_send(f, conn, "x", 1); i++) usleep(100000))
TWICE(breaks_gzip, fake_reply(f, conn, 200, "Content-Encoding: gzip\r\n",
                              "\x1f\x8b\x08\0\0\0\0\0\0\3garbage", 17))

static const struct trouble {
    const char *why;
    void (*answer)(struct fake_aws *, const struct received *, int, int);
    int64_t slept_ms; /* jitter at its most: 500 + 1000, and what Retry-After asks for */
} troubles[] = {
    { "503 with a throttling code", throttles_503, 1500 },
    { "400 with a throttling code", throttles_400, 1500 },
    { "429 with Retry-After", throttles_429, 1500 + 14000 },
    { "429 until a date, 7 s ahead of the server's", until_a_date, 1500 + 14000 },
    { "429 until a date, 20 s ahead of our clock", until_a_date_by_our_clock, 1500 + 40000 },
    { "503 until a date that has gone by", until_a_date_gone_by, 1500 },
    { "503 until a date that is none", until_no_date, 1500 },
    { "500", breaks_500, 1500 },
    { "cut in the middle of the body", cuts_in_mid_body, 1500 },
    { "a length that is one too long", too_long, 1500 },
    { "a length that is one too short", too_short, 1500 },
    { "a length that ends with a tag, but not the last", too_short_tag, 1500 },
    { "a length that cuts JSON at a bracket", too_short_json, 1500 },
    { "a length of 0", length_of_nothing, 1500 },
    { "closed without an answer", sends_nothing, 1500 },
    { "slower than 100 bytes a second", drips, 1500 },
    { "gzip that is none", breaks_gzip, 1500 },
};

static void asks_again(void **state)
{
    const struct trouble *t = *state;
    struct outcome o = call(t->answer, &form, NULL);
    assert_string_equal(o.words[0] && o.rc ? o.words : "", "");
    assert_int_equal(o.requests, 3);
    assert_int_equal(slept_ms, t->slept_ms);
    assert_string_equal(o.body, "<ok/>");
    assert_int_equal(o.wrong, 0);
}

static void always_503(struct fake_aws *f, const struct received *r, int n, int conn)
{
    (void)r, (void)n;
    fake_text(f, conn, 503, "", "");
}

static void gives_up_after_seven(void **state)
{
    (void)state;
    struct outcome o = call(always_503, &form, NULL);
    assert_int_equal(o.rc, ERR_NET);
    assert_int_equal(o.requests, HTTP_ATTEMPTS_MAX);
    assert_int_equal(slept_ms, 500 + 1000 + 2000 + 4000 + 8000 + 16000);
    assert_non_null(strstr(o.words, "asked 7 times, still status 503"));
}

static void quotes_the_secret(struct fake_aws *f, const struct received *r, int n, int conn)
{
    (void)r, (void)n;
    fake_text(f, conn, 503, xml_type, XML_ERROR("canary/secret", "x"));
}

static void a_code_nobody_knows_is_not_told(void **state)
{
    (void)state;
    struct outcome o = call(quotes_the_secret, &form, NULL);
    assert_int_equal(o.rc, ERR_NET);
    assert_non_null(strstr(o.words, "asked 7 times, still status 503"));
    assert_null(strstr(o.words, "canary"));
}

/* A proxy would get the headers in clear; nobody listens at this one. */
static void no_proxy_without_tls(void **state)
{
    (void)state;
    assert_int_equal(setenv("http_proxy", "http://127.0.0.1:1", 1), 0);
    struct outcome o = call(says_ok, &form, NULL);
    unsetenv("http_proxy");
    assert_string_equal(o.rc ? o.words : "", "");
    assert_string_equal(o.body, "<ok/>");
}

static void wants_an_hour(struct fake_aws *f, const struct received *r, int n, int conn)
{
    (void)r, (void)n;
    fake_text(f, conn, 503, "Retry-After: 3600\r\n", "");
}

static void wants_an_hour_by_date(struct fake_aws *f, const struct received *r, int n, int conn)
{
    (void)r, (void)n;
    fake_text(f, conn, 503,
              "Retry-After: Mon, 30 Nov 2026 19:00:00 GMT\r\n"
              "Date: Mon, 30 Nov 2026 18:00:00 GMT\r\n",
              "");
}

static void believes_a_long_retry_after(void **state)
{
    (void)state;
    struct outcome o = call(wants_an_hour, &form, NULL);
    assert_int_equal(o.rc, ERR_NET);
    assert_int_equal(o.requests, 1);
    o = call(wants_an_hour_by_date, &form, NULL);
    assert_int_equal(o.rc, ERR_NET);
    assert_int_equal(o.requests, 1);
    assert_non_null(strstr(o.words, "it wants to be left alone for 3600 s"));
}

/* "<ok/>" as gzip: made with `printf '<ok/>' | gzip -n | od -tx1`. */
static void sends_gzip(struct fake_aws *f, const struct received *r, int n, int conn)
{
    static const char bytes[] = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xb3\xc9\xcf\xd6\xb7\x03"
                                "\x00\xc8\x44\x49\x56\x05\x00\x00\x00";
    (void)r, (void)n;
    fake_reply(f, conn, 200, "Content-Type: text/xml\r\nContent-Encoding: gzip\r\n", bytes,
               sizeof bytes - 1);
}

static void gzip_is_read(void **state)
{
    (void)state;
    struct outcome o = call(sends_gzip, &form, NULL);
    assert_string_equal(o.rc ? o.words : "", "");
    assert_string_equal(o.body, "<ok/>");
}

/* --- bounds ------------------------------------------------------------------------------------
 */

static void a_reply_is_bounded(void **state)
{
    (void)state;
    struct aws_request q = form;
    q.body_max = 4; /* "<ok/>" has 5 */
    assert_int_equal(call(says_ok, &q, NULL).rc, ERR_LIMIT);
    q.body_max = 5;
    assert_int_equal(call(says_ok, &q, NULL).rc, 0);
}

/* Each attempt begins with nothing of the one before. */
static int fails_twice(void *ctx, const struct http_request *q, struct arena *a,
                       struct http_reply *out, struct err *e)
{
    int *n = ctx;
    (void)q, (void)e;
    assert_null(a->top);
    *out = (struct http_reply){ .status = ++*n < 3 ? 503 : 200,
                                .body = arena_strdup(a, "<ok/>"),
                                .n_bytes = 5,
                                .retry_after_s = UNKNOWN,
                                .retry_at_ms = UNKNOWN,
                                .date_ms = UNKNOWN };
    return 0;
}

static void what_failed_is_not_kept(void **state)
{
    int n = 0;
    struct http_client c = {
        { &n, fails_twice }, { .sleep_ms = no_sleep, .random = largest, .now_ms = half_past }, 0, 0
    };
    struct http_request q = { .method = HTTP_GET, .url = "http://127.0.0.1/", .body_max = 10 };
    struct arena a = { 0 };
    struct http_reply r;
    struct err e = { 0 };
    (void)state;
    const char *before = arena_strdup(&a, "what the caller has stays");
    assert_int_equal(http_call(&c, &q, &a, &r, &e), 0);
    assert_int_equal(n, 3);
    assert_string_equal(r.body, "<ok/>");
    assert_string_equal(before, "what the caller has stays");
    arena_release(&a);
}

/* libcurl takes no line of more than 100 KB. */
static void sends_a_long_header(struct fake_aws *f, const struct received *r, int n, int conn)
{
    static char line[120000];
    (void)r, (void)n;
    memset(line, 'a', sizeof line);
    fake_send(f, conn, "HTTP/1.1 200 X\r\nX-A: ", 21);
    fake_send(f, conn, line, sizeof line);
    fake_send(f, conn, "\r\n\r\n<ok/>", 9);
}

static void a_header_is_bounded(void **state)
{
    (void)state;
    struct outcome o = call(sends_a_long_header, &form, NULL);
    assert_int_equal(o.rc, ERR_NET_FINAL);
    assert_non_null(strstr(o.words, "a header of its answer is too long"));
}

static void nobody_there(void **state)
{
    (void)state;
    struct http_curl *curl;
    struct err e = { 0 };
    struct arena a = { 0 };
    struct http_reply r;
    slept_ms = n_sleeps = 0;
    assert_int_equal(http_curl_open(&(struct http_curl_options){ .connect_ms = 500, .stall_s = 1 },
                                    &curl, &e),
                     0);
    struct http_client c = client_of(curl);
    /* A port of this machine that nothing listens on: bound, and closed again. */
    struct fake_aws f = { .answer = says_ok };
    fake_start(&f);
    fake_stop(&f);
    char url[64];
    snprintf(url, sizeof url, "http://127.0.0.1:%d/", f.port);
    struct http_request q = { .method = HTTP_GET, .url = url, .body_max = 10 };
    assert_int_equal(http_call(&c, &q, &a, &r, &e), ERR_NET);
    assert_int_equal(n_sleeps, HTTP_ATTEMPTS_MAX - 1);
    q.url = "file:///etc/passwd";
    assert_int_equal(http_call(&c, &q, &a, &r, &e), ERR_USAGE);
    http_curl_close(curl);
    arena_release(&a);
}

/* The answer comes ten bytes at a time for ever; the user stops it after the 20th. */
static atomic_int n_pieces;

static void never_ends(struct fake_aws *f, const struct received *r, int n, int conn)
{
    (void)r, (void)n;
    RAW("HTTP/1.1 200 X\r\n\r\n");
    while (!atomic_load(&f->stop) && RAW("<ok><ok/>\n"))
        if (atomic_fetch_add(&n_pieces, 1) > 20)
            usleep(1000);
}

static bool after_20_pieces(void *ctx)
{
    (void)ctx;
    return atomic_load(&n_pieces) > 20;
}

static void stops_in_a_transfer(void **state)
{
    struct fake_aws f = { .answer = never_ends };
    struct http_curl *curl;
    struct http_reply r;
    struct arena a = { 0 };
    struct err e = { 0 };
    char url[64];
    (void)state;
    fake_start(&f);
    snprintf(url, sizeof url, "http://127.0.0.1:%d/", f.port);
    const struct http_curl_options o = { .stopped = after_20_pieces };
    assert_int_equal(http_curl_open(&o, &curl, &e), 0);
    struct http_client c = client_of(curl);
    struct http_request q = { .method = HTTP_GET, .url = url, .body_max = SIZE_MAX / 2 };
    assert_int_equal(http_call(&c, &q, &a, &r, &e), ERR_STOPPED);
    assert_int_equal(http_call(&c, &q, &a, &r, &e), ERR_STOPPED); /* nor does another begin */
    http_curl_close(curl);
    fake_stop(&f);
    assert_int_equal(atomic_load(&f.n_requests), 1);
    arena_release(&a);
}

/* A container's keys: asked for again when they end within five minutes, not when in an hour. */
static const char *keys_end;
static int n_keys;

static void gives_keys(struct fake_aws *f, const struct received *r, int n, int conn)
{
    char keys[500];
    if (strcmp(r->method, "GET") != 0) {
        says_ok(f, r, n, conn);
        return;
    }
    n_keys++;
    snprintf(keys, sizeof keys,
             "{\"AccessKeyId\":\"" FAKE_KEY "\",\"SecretAccessKey\":\"" FAKE_SECRET
             "\",\"Token\":\"" FAKE_TOKEN "\",\"Expiration\":\"%s\"}",
             keys_end);
    fake_text(f, conn, 200, json_type, keys);
}

static void keys_are_renewed(void **state)
{
    static const struct {
        const char *end;
        int n_keys;
    } all[] = { { "2026-11-30T18:04:00Z", 3 }, { "2026-11-30T19:00:00Z", 1 } };
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct fake_aws f = { .answer = gives_keys };
        struct http_curl *curl;
        struct err e = { 0 };
        char url[64], full[80];
        fake_start(&f);
        snprintf(url, sizeof url, "http://127.0.0.1:%d", f.port);
        snprintf(full, sizeof full, "%s/keys", url);
        memset(variables, 0, sizeof variables);
        variables[0][0] = "AWS_CONTAINER_CREDENTIALS_FULL_URI", variables[0][1] = full;
        keys_end = all[i].end;
        n_keys = 0;
        assert_int_equal(http_curl_open(&(struct http_curl_options){ .connect_ms = 2000 }, &curl,
                                        &e),
                         0);
        struct aws_client c = aws_at(curl, url);
        for (int call = 0; call < 3; call++) {
            struct arena a = { 0 };
            struct http_reply r;
            int rc = aws_call(&c, &form, &a, &r, &e);
            assert_string_equal(rc ? e.text : "", "");
            arena_release(&a);
        }
        fake_stop(&f);
        assert_int_equal(n_keys, all[i].n_keys);
        aws_client_release(&c);
        http_curl_close(curl);
    }
}

int main(void)
{
    enum { T = sizeof troubles / sizeof *troubles, N = 12 };
    struct CMUnitTest t[N + T] = {
        cmocka_unit_test(signatures_agree),
        cmocka_unit_test(gives_up_after_seven),
        cmocka_unit_test(a_code_nobody_knows_is_not_told),
        cmocka_unit_test(no_proxy_without_tls),
        cmocka_unit_test(gzip_is_read),
        cmocka_unit_test(believes_a_long_retry_after),
        cmocka_unit_test(a_reply_is_bounded),
        cmocka_unit_test(stops_in_a_transfer),
        cmocka_unit_test(keys_are_renewed),
        cmocka_unit_test(nobody_there),
        cmocka_unit_test(what_failed_is_not_kept),
        cmocka_unit_test(a_header_is_bounded),
    };
    for (size_t i = 0; i < T; i++)
        t[N + i] = (struct CMUnitTest){ troubles[i].why, asks_again, NULL, NULL,
                                        (void *)(uintptr_t)&troubles[i] };
    return aws_caller_run(t, sizeof t / sizeof *t);
}
