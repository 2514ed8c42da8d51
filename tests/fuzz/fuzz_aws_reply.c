/* tests/fuzz/fuzz_aws_reply.c - any bytes as what AWS, a metadata service or a credential_process
 * says: credentials, an error, and the answer of GetMetricData on its way to the parser of files.
 */
#include "data/fetch/cw_ask.h"
#include "data/fetch/reply_whole.h"
#include "tests/data/fetch/still_world.h"
#include "tests/fuzz/fuzz_formats.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct span reply;
static int replies_left;

/* The same answer to every question. */
static int perform(void *ctx, const struct http_request *q, struct arena *a, struct http_reply *out,
                   struct err *e)
{
    (void)ctx, (void)q;
    demand(replies_left-- > 0);
    return still_answer(reply, a, out, e);
}

static const char *variable(void *ctx, const char *name)
{
    (void)ctx;
    return strstr(name, "ACCESS_KEY") ? "x" : NULL;
}

static void as_metrics(void)
{
    static const struct cw_resource r[] = { { "i-1", true, true } };
    static const struct cw_window w = { INT64_C(1795996800000), INT64_C(1796083200000), 60, 0 };
    struct aws_client c = { .http = { .transport = { NULL, perform }, .world = still_world() },
                            .env = { .get = variable },
                            .region = "eu-west-1" };
    struct arena a = { 0 };
    struct err e = { 0 };
    struct span text;
    bool basic;
    replies_left = 8; /* one that is not whole: seven times; three times two pages */
    int rc = cw_ask(&c, &w, 1, r, &a, &text, &basic, &e);
    demand(!rc || (e.code == rc && *e.text && rc != ERR_NOMEM));
    if (!rc) {
        const char *const name[] = { "cw_data" };
        read_as_each(name, 1, (const uint8_t *)text.ptr, text.len);
    }
    aws_client_release(&c);
    arena_release(&a);
}

static void as_credentials(void)
{
    struct aws_credentials c;
    struct arena a = { 0 };
    struct err e = { 0 };
    int rc = aws_credentials_json(reply, "it", &a, &c, &e);
    demand(rc == 0 || ((rc == ERR_NET_FINAL || rc == ERR_LIMIT) && *e.text));
    if (!rc)
        demand(*c.access_key && *c.secret_key && (!c.session_token || *c.session_token));
    arena_release(&a);
}

static void demand_inside(struct span part)
{
    demand(!part.len || (part.ptr >= reply.ptr && part.ptr + part.len <= reply.ptr + reply.len));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char empty[1];
    reply = (struct span){ size ? (const char *)data : empty, size };
    struct http_reply r = { .status = 400, .body = (char *)(uintptr_t)reply.ptr, .n_bytes = size };
    demand_inside(http_error_code(&r));
    demand_inside(http_error_message(&r));
    reply_is_whole(reply);
    reply_is_html(reply);
    as_credentials();
    as_metrics();
    return 0;
}
