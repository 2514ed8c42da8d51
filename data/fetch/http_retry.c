/* data/fetch/http_retry.c - see http_retry.h. */
#include "data/fetch/http_retry.h"

#include "models/core/unit.h"

#include <stdio.h>

enum { FIRST_MS = 500, MOST_MS = 20000, RETRY_AFTER_MAX_S = 120 };

/* What stands between two marks; empty. */
static struct span between(struct span s, const char *before, const char *after)
{
    ptrdiff_t at = span_find(s, before);
    if (at < 0)
        return (struct span){ 0 };
    s = span_cut(s, (size_t)at + span_of(before).len, s.len);
    ptrdiff_t end = span_find(s, after);
    return span_cut(s, 0, end < 0 ? 0 : (size_t)end);
}

/* The text of a JSON member, as it is written; empty. */
static struct span member(struct span json, const char *quoted_key)
{
    ptrdiff_t at = span_find(json, quoted_key);
    if (at < 0)
        return (struct span){ 0 };
    json = span_cut(json, (size_t)at + span_of(quoted_key).len, json.len);
    return between(json, "\"", "\"");
}

struct span http_error_code(const struct http_reply *r)
{
    struct span body = { r->body, r->n_bytes };
    struct span code = between(body, "<Code>", "</Code>");
    if (code.len)
        return code;
    code = member(body, "\"__type\"");
    if (!code.len)
        code = member(body, "\"code\"");
    ptrdiff_t hash = span_find(code, "#"); /* "com.amazonaws.cloudwatch#Throttling" */
    return hash < 0 ? code : span_cut(code, (size_t)hash + 1, code.len);
}

struct span http_error_message(const struct http_reply *r)
{
    struct span body = { r->body, r->n_bytes };
    struct span text = between(body, "<Message>", "</Message>");
    if (!text.len)
        text = member(body, "\"message\"");
    return text.len ? text : member(body, "\"Message\"");
}

static bool is_throttled(struct span code)
{
    static const char *const codes[] = {
        "Throttling",
        "ThrottlingException",
        "ThrottledException",
        "RequestLimitExceeded",
        "RequestThrottled",
        "RequestThrottledException",
        "TooManyRequests",
        "TooManyRequestsException",
        "BandwidthLimitExceeded",
        "SlowDown",
        "PriorRequestNotComplete",
        "LimitExceededException",
        "LimitExceeded",
        "EC2ThrottledException",
    };
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (span_is(code, codes[i]))
            return true;
    return false;
}

static bool may_ask_again(const struct http_reply *r)
{
    return r->status == 429 || r->status >= 500 ||
           (r->status >= 400 && is_throttled(http_error_code(r)));
}

/* Full jitter: anything up to the limit, which doubles. */
static int64_t pause_ms(struct http_client *c, int attempt, int64_t retry_after_s)
{
    int64_t most = (int64_t)FIRST_MS << attempt;
    if (most > MOST_MS)
        most = MOST_MS;
    double part = (double)(c->world.random(c->world.ctx) >> 11) / 9007199254740992.0; /* 2^53 */
    int64_t ms = (int64_t)(part * (double)(most + 1));
    return retry_after_s != UNKNOWN ? retry_after_s * 1000 + ms : ms;
}

/* UNKNOWN where the server does not say.  A date is held against the server's own clock first. */
static int64_t retry_after_s(const struct http_client *c, const struct http_reply *r)
{
    int64_t now_ms = r->date_ms;
    if (now_ms == UNKNOWN && c->world.now_ms)
        now_ms = c->world.now_ms(c->world.ctx);
    if (r->retry_after_s != UNKNOWN || r->retry_at_ms == UNKNOWN || now_ms == UNKNOWN)
        return r->retry_after_s;
    return r->retry_at_ms > now_ms ? (r->retry_at_ms - now_ms + 999) / 1000 : 0;
}

/* The path of a metadata service may be a secret. */
static const char *name_of(const struct http_request *q)
{
    return q->local ? "the metadata service" : q->url;
}

static int give_up(const struct http_reply *r, const struct http_request *q, int attempts,
                   struct err *e)
{
    struct span code = http_error_code(r);
    if (!is_throttled(code)) /* another may hold anything, of the request too */
        code = (struct span){ 0 };
    return err_set(e, ERR_NET, "%.120s: asked %d times, still status %d%s%.*s", name_of(q),
                   attempts, r->status, code.len ? " " : "", SPAN_ARG(code));
}

/* A length that is too short cuts an answer without breaking the transfer. */
static int perform(struct http_client *c, const struct http_request *q, struct arena *a,
                   struct http_reply *out, struct err *e)
{
    int rc = c->transport.perform(c->transport.ctx, q, a, out, e);
    if (!rc && out->status == 200 && q->is_whole && !q->is_whole(out))
        rc = err_set(e, ERR_NET, "%.120s: the answer is cut short", name_of(q));
    return rc;
}

static int ask(struct http_client *c, const struct http_request *q, struct arena *a,
               struct http_reply *out, struct err *e)
{
    int most = q->local ? 2 : HTTP_ATTEMPTS_MAX;
    for (int attempt = 0;; attempt++) {
        arena_release(a); /* what failed is not kept */
        c->requests++;
        int rc = perform(c, q, a, out, e);
        c->bytes += out->received_bytes;
        if (rc ? rc != ERR_NET : !may_ask_again(out))
            return rc;
        int64_t after_s = rc ? UNKNOWN : retry_after_s(c, out);
        if (after_s > RETRY_AFTER_MAX_S)
            return err_set(e, ERR_NET, "%.120s: status %d; it wants to be left alone for %lld s",
                           name_of(q), out->status, (long long)after_s);
        if (attempt + 1 >= most)
            return rc ? rc : give_up(out, q, attempt + 1, e);
        int64_t ms = pause_ms(c, attempt, after_s);
        if (c->world.waits) {
            char why[40];
            snprintf(why, sizeof why, "status %d", out->status);
            c->world.waits(c->world.ctx, ms, rc ? e->text : why);
        }
        c->world.sleep_ms(c->world.ctx, ms);
    }
}

int http_call(struct http_client *c, const struct http_request *q, struct arena *a,
              struct http_reply *out, struct err *e)
{
    struct arena last = { 0 }; /* of the last attempt */
    int rc = ask(c, q, &last, out, e);
    arena_adopt(a, &last);
    return rc;
}
