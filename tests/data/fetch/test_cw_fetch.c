/* tests/data/fetch/test_cw_fetch.c - questions to CloudWatch through a transport of the test: how
 * they are cut, and answers that are not whole. */
#include "data/fetch/cw_fetch.h"
#include "tests/data/fetch/still_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char path[] = "/tmp/volplan-cw-XXXXXX";
static const int64_t now_ms = INT64_C(1796061600000); /* 2026-11-30T18:00:00Z */

static int n_requests, n_queries, most_queries;
static const char *const *replies; /* one after the other, the last one for ever */

static int perform(void *ctx, const struct http_request *q, struct arena *a, struct http_reply *out,
                   struct err *e)
{
    int n = 0;
    (void)ctx;
    for (const char *p = q->body.ptr; (p = strstr(p, "\"Id\":\"m")) != NULL; p++)
        n++;
    n_queries += n;
    most_queries = n > most_queries ? n : most_queries;
    const char *reply = replies[n_requests];
    n_requests += replies[n_requests + 1] != NULL;
    return still_answer(span_of(reply), a, out, e);
}

static const char *variable(void *ctx, const char *name)
{
    (void)ctx;
    return strncmp(name, "AWS_ACCESS_KEY_ID", 17) == 0 || strstr(name, "SECRET") ? "x" : NULL;
}

static int fetch(const char *const *with, const struct cw_resource *r, size_t n, int64_t hours,
                 struct err *e)
{
    struct aws_client c = { .http = { { NULL, perform }, still_world(), 0, 0 },
                            .env = { .get = variable },
                            .region = "eu-west-1",
                            .now_ms = now_ms };
    struct cw_range range = { now_ms - hours * 3600000, now_ms, now_ms, 0 };
    struct cw_fetched got;
    struct store *s;
    replies = with;
    n_requests = n_queries = most_queries = 0;
    remove(path);
    assert_int_equal(store_open(path, &(struct store_options){ .mode = STORE_CREATE }, &s, e), 0);
    int rc = store_layout_set(s, "PRD1", "{}", e);
    if (!rc)
        rc = cw_fetch(&c, s, "PRD1", r, n, &range, NULL, NULL, &got, e);
    store_close(s);
    aws_client_release(&c);
    return rc;
}

static void at_most_500_metrics_a_call(void **state)
{
    static const char *const with[] = { "{\"MetricDataResults\":[]}", NULL };
    struct cw_resource r[61];
    char ids[61][16];
    struct err e = { 0 };
    (void)state;
    for (int i = 0; i < 60; i++) {
        snprintf(ids[i], sizeof ids[i], "vol-%04d", i);
        r[i] = (struct cw_resource){ ids[i], false, false };
    }
    r[60] = (struct cw_resource){ "i-1", true, false };
    assert_int_equal(fetch(with, r, 61, 30, &e), 0);
    /* Two days for each of 60 volumes with 18 metrics, one stretch for the instance with 8: once
     * each. */
    assert_int_equal(n_queries, 2 * 60 * 18 + 8);
    assert_int_equal(most_queries, 27 * 18); /* a 28th volume would make 504 */
}

#define RESULT(id, status)                                                                         \
    "{\"Id\":\"" id "\",\"Label\":\"x\",\"StatusCode\":\"" status                                  \
    "\",\"Timestamps\":[],\"Values\":[]}"
#define PAGE(results, more) "{\"MetricDataResults\":[" results "]" more "}"
#define TOKEN(text)         ",\"NextToken\":\"" text "\""

static const struct reply_case {
    const char *why;
    const char *replies[5];
    int rc;
    const char *words;
} cases[] = {
    { "PartialData that the next page ends",
      { PAGE(RESULT("m0", "PartialData"), TOKEN("a")), PAGE(RESULT("m0", "Complete"), "") },
      0,
      "" },
    { "PartialData without a next page: asked again, and whole",
      { PAGE(RESULT("m0", "PartialData"), ""), PAGE(RESULT("m0", "Complete"), "") },
      0,
      "" },
    { "InternalError, for ever",
      { PAGE(RESULT("m0", "InternalError"), "") },
      ERR_NET,
      "CloudWatch gave only a part of the points, 3 times" },
    { "Forbidden",
      { PAGE(RESULT("m0", "Forbidden"), "") },
      ERR_NET_FINAL,
      "the permission cloudwatch:GetMetricData is missing" },
    { "pages without end", { PAGE("", TOKEN("a")) }, ERR_PARSE, "the pages do not end" },
    { "an Id that was not asked for",
      { PAGE(RESULT("m18", "Complete"), "") },
      ERR_PARSE,
      "an Id that was not asked for" },
    { "no results", { "{}" }, ERR_PARSE, "the answer has no MetricDataResults" },
    { "cut JSON, for ever", { "{\"MetricDataResults\":[" }, ERR_NET, "the answer is cut short" },
    { "cut JSON, then the whole",
      { "{\"MetricDataResults\":[", PAGE(RESULT("m0", "Complete"), "") },
      0,
      "" },
    { "times without values",
      { "{\"MetricDataResults\":[{\"Id\":\"m0\",\"StatusCode\":\"Complete\",\"Timestamps\":[1],"
        "\"Values\":[]}]}" },
      ERR_PARSE,
      "1 Timestamps, but 0 Values" },
};

static void answers(void **state)
{
    const struct reply_case *x = *state;
    const struct cw_resource r[] = { { "vol-1", false, false } };
    struct err e = { 0 };
    int rc = fetch(x->replies, r, 1, 2, &e);
    assert_int_equal(rc, x->rc);
    if (rc && !strstr(e.text, x->words))
        fail_msg("said: %s", e.text);
}

/* Pages whose tokens differ, each with a label that nobody asked for. */
static void more_than_was_asked_for(void **state)
{
    enum { LABEL = 3 * 1000 * 1000 };
    static char pages[3][LABEL + 200];
    const char *const with[] = { pages[0], pages[1], pages[2], NULL };
    const struct cw_resource r[] = { { "vol-1", false, false } };
    struct err e = { 0 };
    (void)state;
    for (int i = 0; i < 3; i++)
        snprintf(pages[i], sizeof pages[i],
                 "{\"MetricDataResults\":[{\"Id\":\"m0\",\"Label\":\"%0*d\","
                 "\"StatusCode\":\"Complete\",\"Timestamps\":[],\"Values\":[]}]%s}",
                 (int)LABEL, i,
                 i == 0   ? TOKEN("a")
                 : i == 1 ? TOKEN("b")
                          : "");
    assert_int_equal(fetch(with, r, 1, 2, &e), ERR_LIMIT);
    assert_string_equal(e.text, "GetMetricData: the answer holds more than was asked for");
}

static int set_up(void **state)
{
    (void)state;
    int fd = mkstemp(path);
    if (fd >= 0)
        fclose(fdopen(fd, "w"));
    struct err e;
    return fd < 0 ? -1 : store_global_init(&e);
}

static int tear_down(void **state)
{
    (void)state;
    return remove(path);
}

int main(void)
{
    enum { N = sizeof cases / sizeof *cases };
    struct CMUnitTest t[N + 2] = { cmocka_unit_test(at_most_500_metrics_a_call),
                                   cmocka_unit_test(more_than_was_asked_for) };
    for (size_t i = 0; i < N; i++)
        t[i + 2] =
            (struct CMUnitTest){ cases[i].why, answers, NULL, NULL, (void *)(uintptr_t)&cases[i] };
    return cmocka_run_group_tests(t, set_up, tear_down);
}
