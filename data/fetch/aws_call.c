/* data/fetch/aws_call.c - see aws_call.h. */
#include "data/fetch/aws_call.h"

#include "data/fetch/reply_whole.h"
#include "models/core/unit.h"

#include <ctype.h>
#include <string.h>

enum { RENEW_BEFORE_MS = 5 * 60 * 1000, CLOCK_MAX_MS = 4 * 60 * 1000 };

void aws_client_release(struct aws_client *c)
{
    arena_release(&c->arena);
}

int64_t aws_client_now_ms(const struct aws_client *c)
{
    return c->ticks_ms ? c->now_ms + c->ticks_ms() - c->start_ms : c->now_ms;
}

static int renew(struct aws_client *c, struct err *e)
{
    arena_release(&c->arena);
    c->has_credentials = false;
    int rc = aws_credentials_find(&c->env, &c->http, &c->arena, &c->credentials, e);
    c->has_credentials = !rc;
    return rc;
}

static int need_credentials(struct aws_client *c, struct err *e)
{
    bool runs_out = c->has_credentials && c->credentials.expires_ms != UNKNOWN &&
                    c->credentials.expires_ms - aws_client_now_ms(c) < RENEW_BEFORE_MS;
    return !c->has_credentials || runs_out ? renew(c, e) : 0;
}

/* --- refusals ----------------------------------------------------------------------------------
 */

static bool is_one_of(struct span code, const char *const *names)
{
    for (; *names; names++)
        if (span_is(code, *names))
            return true;
    return false;
}

static const char *const expired[] = { "ExpiredToken", "ExpiredTokenException",
                                       "TokenRefreshRequired", NULL };
static const char *const denied[] = { "UnauthorizedOperation", "AccessDenied",
                                      "AccessDeniedException", "UnauthorizedException", NULL };
static const char *const unknown_key[] = { "InvalidClientTokenId", "AuthFailure",
                                           "UnrecognizedClientException", "InvalidAccessKeyId",
                                           NULL };
static const char *const wrong_signature[] = { "SignatureDoesNotMatch",
                                               "InvalidSignatureException",
                                               "IncompleteSignature",
                                               "IncompleteSignatureException",
                                               "RequestTimeTooSkewed",
                                               "MissingAuthenticationToken",
                                               NULL };
/* EC2: the time stamp is too old, or the session's keys have run out. */
static const char *const late[] = { "RequestExpired", NULL };
static const char *const no_region[] = { "OptInRequired", "InvalidRegion", NULL };

/* AWS refuses what is signed five minutes early or late. */
static bool clock_is_wrong(const struct aws_client *c, const struct http_reply *r, int64_t *off_ms)
{
    if (r->date_ms == UNKNOWN)
        return false;
    *off_ms = aws_client_now_ms(c) - r->date_ms;
    return *off_ms > CLOCK_MAX_MS || *off_ms < -CLOCK_MAX_MS;
}

static bool is_expired(const struct aws_client *c, const struct http_reply *r)
{
    int64_t off_ms;
    struct span code = http_error_code(r);
    return r->status >= 400 &&
           (is_one_of(code, expired) || (is_one_of(code, late) && c->credentials.session_token &&
                                         !clock_is_wrong(c, r, &off_ms)));
}

static bool is_html(const struct http_reply *r)
{
    return span_find(span_of(r->content_type), "text/html") >= 0 ||
           reply_is_html((struct span){ r->body, r->n_bytes });
}

static bool is_whole(const struct http_reply *r)
{
    return is_html(r) || reply_is_whole((struct span){ r->body, r->n_bytes });
}

/* Whether the service's own sentence may be quoted. */
static bool holds_signature(struct span text)
{
    enum { SHA256_HEX = 64 };
    size_t run = 0;
    for (size_t i = 0; i < text.len && run < SHA256_HEX; i++)
        run = isxdigit((unsigned char)text.ptr[i]) ? run + 1 : 0;
    return run >= SHA256_HEX;
}

/* Without anything of the credentials: as they are, or in per cent signs as in a URL. */
static bool is_clean(const struct aws_client *c, struct span text)
{
    const struct aws_credentials *k = &c->credentials;
    const char *const secrets[] = { k->access_key, k->secret_key, k->session_token,
                                    "Signature",   "Credential",  "%" };
    for (size_t i = 0; i < sizeof secrets / sizeof *secrets; i++)
        if (secrets[i] && span_find(text, secrets[i]) >= 0)
            return false;
    return !holds_signature(text);
}

/* The code of an error reply, where it looks like one; empty. */
static struct span plain_code(const struct aws_client *c, struct span code)
{
    enum { CODE_MAX = 64 };
    bool plain = code.len <= CODE_MAX && is_clean(c, code);
    for (size_t i = 0; plain && i < code.len; i++)
        plain = isalnum((unsigned char)code.ptr[i]) || code.ptr[i] == '.';
    return plain ? code : (struct span){ 0 };
}

static int refuse(const struct aws_client *c, const struct aws_request *q,
                  const struct http_reply *r, struct err *e)
{
    struct span code = http_error_code(r), text = http_error_message(r);
    int64_t off_ms;
    if (is_expired(c, r))
        return err_set(e, ERR_NET_FINAL,
                       "the session of %s has expired: sign in again (aws sso login, or new keys)",
                       c->credentials.from);
    if (is_one_of(code, denied))
        return err_set(e, ERR_NET_FINAL,
                       "the permission %s is missing; volplan fetch --iam-policy prints the policy "
                       "that fetch needs",
                       q->permission);
    bool is_late = is_one_of(code, late);
    if ((is_late || is_one_of(code, wrong_signature)) && clock_is_wrong(c, r, &off_ms))
        return err_set(e, ERR_NET_FINAL,
                       "the clock of this machine is %.0f minutes %s: AWS refuses what is signed "
                       "more than 5 minutes off",
                       (double)(off_ms < 0 ? -off_ms : off_ms) / 60000,
                       off_ms < 0 ? "slow" : "fast");
    if (is_late)
        return err_set(e, ERR_NET_FINAL,
                       "AWS got the request too late (RequestExpired)%s: is the clock of this "
                       "machine right, and the network not held up?",
                       r->date_ms == UNKNOWN ? "" : ", though the clocks agree");
    if (is_one_of(code, wrong_signature))
        return err_set(e, ERR_NET_FINAL,
                       "AWS does not accept the signature (%.*s): is the secret key of %s the one "
                       "of its access key, and the clock right?",
                       SPAN_ARG(code), c->credentials.from);
    if (is_one_of(code, unknown_key))
        return err_set(e, ERR_NET_FINAL, "AWS does not know the access key of %s in %s (%.*s)",
                       c->credentials.from, c->region, SPAN_ARG(code));
    if (is_one_of(code, no_region))
        return err_set(e, ERR_NET_FINAL, "the account has no access to region %s (%.*s)", c->region,
                       SPAN_ARG(code));
    code = plain_code(c, code);
    if (!is_clean(c, text))
        text = (struct span){ 0 };
    return err_set(e, ERR_NET_FINAL, "%s: status %d%s%.*s%s%.*s", q->permission, r->status,
                   code.len ? " " : "", SPAN_ARG(code), text.len ? ": " : "", SPAN_ARG(text));
}

static int judge(const struct aws_client *c, const struct aws_request *q, const char *url,
                 const struct http_reply *r, struct err *e)
{
    if (r->status >= 300 && r->status < 400)
        return err_set(e, ERR_NET_FINAL,
                       "%.100s: sends elsewhere (status %d, %.100s): not followed with "
                       "credentials. A captive portal or proxy in between?",
                       url, r->status,
                       !*r->location                       ? "nowhere"
                       : is_clean(c, span_of(r->location)) ? r->location
                                                           : "to an address that is not told");
    if (is_html(r))
        return err_set(e, ERR_NET_FINAL,
                       "%.100s: answered with a web page, not as AWS does: a captive portal or "
                       "proxy in between?",
                       url);
    return r->status == 200 ? 0 : refuse(c, q, r, e);
}

/* --- asking ------------------------------------------------------------------------------------
 */

/* China has a domain of its own. */
static char *url_of(const struct aws_client *c, const struct aws_request *q, struct arena *a)
{
    const char *domain =
        span_starts(span_of(c->region), "cn-") ? "amazonaws.com.cn" : "amazonaws.com";
    if (!c->endpoint)
        return arena_printf(a, "https://%s.%s.%s/", q->service, c->region, domain);
    size_t n = strlen(c->endpoint);
    while (n && c->endpoint[n - 1] == '/')
        n--;
    return arena_printf(a, "%.*s/", (int)n, c->endpoint);
}

static int ask(struct aws_client *c, const struct aws_request *q, const char *url, struct arena *a,
               struct http_reply *out, struct err *e)
{
    int rc = need_credentials(c, e);
    if (rc)
        return rc;
    const struct aws_credentials *k = &c->credentials;
    struct http_signer signer = { k->access_key, k->secret_key, k->session_token, c->region,
                                  q->service };
    struct http_request h = {
        .method = HTTP_POST,
        .url = url,
        .body = q->body,
        .sign = &signer,
        .body_max = q->body_max,
        .is_whole = is_whole,
    };
    h.headers[h.n_headers++] = arena_printf(a, "Content-Type: %s", q->content_type);
    if (q->target)
        h.headers[h.n_headers++] = arena_printf(a, "X-Amz-Target: %s", q->target);
    if (!h.headers[0] || (q->target && !h.headers[1]))
        return err_nomem(e);
    return http_call(&c->http, &h, a, out, e);
}

int aws_call(struct aws_client *c, const struct aws_request *q, struct arena *a,
             struct http_reply *out, struct err *e)
{
    char *url = url_of(c, q, a);
    if (!url)
        return err_nomem(e);
    int rc = ask(c, q, url, a, out, e);
    if (!rc && is_expired(c, out)) {
        rc = renew(c, e);
        if (!rc)
            rc = ask(c, q, url, a, out, e);
    }
    return rc ? rc : judge(c, q, url, out, e);
}
