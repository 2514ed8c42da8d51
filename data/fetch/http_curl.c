/* data/fetch/http_curl.c - see http_curl.h. */
#include "data/fetch/http_curl.h"

#include "models/core/mem.h"
#include "models/core/unit.h"

#include <curl/curl.h>
#include <string.h>

enum { STALL_BYTES_PER_S = 100, LOCAL_MS = 2000 };

struct http_curl {
    CURL *easy;
    struct http_curl_options options;
};

/* --- memory ------------------------------------------------------------------------------------
 */

/* Not every failure of libcurl that memory causes is called so. */
static _Thread_local bool memory_ran_out;

static void *noted(void *p)
{
    memory_ran_out = memory_ran_out || !p;
    return p;
}

static void *curl_alloc(size_t n)
{
    return noted(mem_alloc(n ? n : 1));
}

static void *curl_zalloc(size_t n, size_t size)
{
    return noted(n && size ? mem_zalloc(n, size) : mem_zalloc(1, 1));
}

static void *curl_realloc(void *p, size_t n)
{
    return noted(mem_realloc(p, n ? n : 1));
}

static char *curl_copy(const char *text)
{
    size_t n = strlen(text) + 1;
    char *copy = noted(mem_alloc(n));
    if (copy)
        memcpy(copy, text, n);
    return copy;
}

int http_curl_global_init(struct err *e)
{
    if (curl_global_init_mem(CURL_GLOBAL_DEFAULT, curl_alloc, mem_free, curl_realloc, curl_copy,
                             curl_zalloc))
        return err_set(e, ERR_NOMEM, "libcurl cannot be started");
    return 0;
}

void http_curl_global_release(void)
{
    curl_global_cleanup();
}

int http_curl_open(const struct http_curl_options *o, struct http_curl **out, struct err *e)
{
    struct http_curl *h = mem_zalloc(1, sizeof *h);
    if (h)
        h->easy = curl_easy_init();
    if (!h || !h->easy) {
        mem_free(h);
        return err_nomem(e);
    }
    h->options = *o;
    if (!h->options.connect_ms)
        h->options.connect_ms = 10000;
    if (!h->options.stall_s)
        h->options.stall_s = 30;
    *out = h;
    return 0;
}

void http_curl_close(struct http_curl *h)
{
    if (!h)
        return;
    curl_easy_cleanup(h->easy);
    mem_free(h);
}

/* --- what comes back ---------------------------------------------------------------------------
 */

struct transfer {
    CURL *easy;
    const struct http_request *q;
    struct http_reply *reply;
    char *body; /* grows by doubling; of models/core/mem */
    size_t n, room;
    int rc; /* why a callback stopped the transfer */
    struct err *err;
};

static int keep_bytes(struct transfer *t, struct span bytes)
{
    if (bytes.len > t->q->body_max - t->n)
        return err_set(t->err, ERR_LIMIT, "the reply is longer than %zu bytes", t->q->body_max);
    if (t->n + bytes.len + 1 > t->room) {
        size_t room = t->n + bytes.len + 1 > 2 * t->room ? t->n + bytes.len + 1 : 2 * t->room;
        char *grown = mem_realloc(t->body, room);
        if (!grown)
            return err_nomem(t->err);
        t->body = grown;
        t->room = room;
    }
    memcpy(t->body + t->n, bytes.ptr, bytes.len);
    t->n += bytes.len;
    t->body[t->n] = '\0';
    return 0;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): libcurl gives the type */
static size_t on_body(char *ptr, size_t size, size_t n, void *ctx)
{
    struct transfer *t = ctx;
    struct span bytes = { ptr, size * n };
    long status = 0;
    t->reply->received_bytes += (int64_t)bytes.len;
    curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &status);
    bool streamed = t->q->sink && status == 200;
    t->rc = streamed ? t->q->sink->put(t->q->sink->ctx, bytes, t->err) : keep_bytes(t, bytes);
    return t->rc ? 0 : bytes.len;
}

static bool header_value(struct span line, const char *name, struct span *out)
{
    struct span head = span_cut(line, 0, strlen(name));
    if (!span_eq_nocase(head, span_of(name)))
        return false;
    *out = span_trim(span_cut(line, head.len, line.len));
    while (out->len && (out->ptr[out->len - 1] == '\n' || out->ptr[out->len - 1] == '\r'))
        out->len--;
    return true;
}

static void copy_text(char *to, size_t room, struct span from)
{
    size_t n = from.len < room - 1 ? from.len : room - 1;
    memcpy(to, from.ptr, n);
    to[n] = '\0';
}

/* UNKNOWN where it is none. */
static int64_t http_date_ms(struct span value)
{
    char text[64];
    copy_text(text, sizeof text, value);
    time_t date = curl_getdate(text, NULL);
    return date > 0 ? (int64_t)date * 1000 : UNKNOWN;
}

static void take_retry_after(struct transfer *t, struct span value)
{
    struct span rest = value;
    int64_t seconds;
    if (span_int(&rest, &seconds) == 0 && !rest.len && seconds >= 0)
        t->reply->retry_after_s = seconds;
    else
        t->reply->retry_at_ms = http_date_ms(value);
}

/* NOLINTNEXTLINE(readability-non-const-parameter): libcurl gives the type */
static size_t on_header(char *ptr, size_t size, size_t n, void *ctx)
{
    struct transfer *t = ctx;
    struct span line = { ptr, size * n }, value;
    if (header_value(line, "content-type:", &value)) {
        copy_text(t->reply->content_type, sizeof t->reply->content_type, value);
    } else if (header_value(line, "location:", &value)) {
        copy_text(t->reply->location, sizeof t->reply->location, value);
    } else if (header_value(line, "date:", &value)) {
        t->reply->date_ms = http_date_ms(value);
    } else if (header_value(line, "retry-after:", &value)) {
        take_retry_after(t, value);
    }
    return line.len;
}

/* --- stopping ----------------------------------------------------------------------------------
 */

static bool is_stopped(const struct http_curl *h)
{
    return h->options.stopped && h->options.stopped(h->options.ctx);
}

/* Called all the time, at least once a second. */
static int on_progress(void *ctx, curl_off_t down_all, curl_off_t down, curl_off_t up_all,
                       curl_off_t up)
{
    (void)down_all, (void)down, (void)up_all, (void)up;
    return is_stopped(ctx);
}

/* --- the request -------------------------------------------------------------------------------
 */

/* Room for "X-Amz-Security-Token: " and the longest token that AWS gives, with a reserve. */
enum { TOKEN_MAX = 16 * 1024 };

static int add_header(struct curl_slist **list, const char *line, struct err *e)
{
    struct curl_slist *longer = curl_slist_append(*list, line);
    if (!longer)
        return err_nomem(e);
    *list = longer;
    return 0;
}

static int headers_of(const struct http_request *q, struct curl_slist **list, struct err *e)
{
    int rc = 0;
    for (size_t i = 0; !rc && i < q->n_headers; i++)
        rc = add_header(list, q->headers[i], e);
    if (rc || !q->sign || !q->sign->session_token)
        return rc;
    char line[TOKEN_MAX + 32];
    if ((size_t)snprintf(line, sizeof line, "X-Amz-Security-Token: %s", q->sign->session_token) >=
        sizeof line)
        rc = err_set(e, ERR_USAGE, "the session token is longer than %d bytes", (int)TOKEN_MAX);
    else
        rc = add_header(list, line, e);
    explicit_bzero(line, sizeof line);
    return rc;
}

static CURLcode set_method(CURL *c, const struct http_request *q)
{
    CURLcode rc = CURLE_OK;
    if (q->method == HTTP_GET)
        return curl_easy_setopt(c, CURLOPT_HTTPGET, 1L);
    rc = curl_easy_setopt(c, CURLOPT_POST, 1L);
    if (!rc)
        rc = curl_easy_setopt(c, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)q->body.len);
    if (!rc)
        rc = curl_easy_setopt(c, CURLOPT_POSTFIELDS, q->body.len ? q->body.ptr : "");
    if (!rc && q->method == HTTP_PUT)
        rc = curl_easy_setopt(c, CURLOPT_CUSTOMREQUEST, "PUT");
    return rc;
}

static CURLcode set_signer(CURL *c, const struct http_signer *s)
{
    char provider[160];
    if (!s)
        return CURLE_OK;
    snprintf(provider, sizeof provider, "aws:amz:%s:%s", s->region, s->service);
    CURLcode rc = curl_easy_setopt(c, CURLOPT_AWS_SIGV4, provider);
    if (!rc)
        rc = curl_easy_setopt(c, CURLOPT_USERNAME, s->access_key);
    if (!rc)
        rc = curl_easy_setopt(c, CURLOPT_PASSWORD, s->secret_key);
    return rc;
}

#define SET(option, value)                                                                         \
    if (!rc)                                                                                       \
    rc = curl_easy_setopt(h->easy, option, value)

static CURLcode set_options(struct http_curl *h, struct transfer *t, struct curl_slist *headers,
                            char *words)
{
    const struct http_request *q = t->q;
    long connect_ms = q->local ? LOCAL_MS : (long)h->options.connect_ms;
    CURLcode rc = set_method(h->easy, q);
    SET(CURLOPT_URL, q->url);
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_SSL_VERIFYPEER, 1L);
    SET(CURLOPT_SSL_VERIFYHOST, 2L);
    SET(CURLOPT_CONNECTTIMEOUT_MS, connect_ms);
    SET(CURLOPT_LOW_SPEED_LIMIT, (long)STALL_BYTES_PER_S);
    SET(CURLOPT_LOW_SPEED_TIME, (long)h->options.stall_s);
    SET(CURLOPT_ACCEPT_ENCODING, "gzip");
    SET(CURLOPT_HTTPHEADER, headers);
    SET(CURLOPT_ERRORBUFFER, words);
    SET(CURLOPT_WRITEFUNCTION, on_body);
    SET(CURLOPT_WRITEDATA, (void *)t);
    SET(CURLOPT_HEADERFUNCTION, on_header);
    SET(CURLOPT_HEADERDATA, (void *)t);
    SET(CURLOPT_NOPROGRESS, 0L);
    SET(CURLOPT_XFERINFOFUNCTION, on_progress);
    SET(CURLOPT_XFERINFODATA, (void *)h);
    if (q->local || strncmp(q->url, "http:", 5) == 0) /* what is not encrypted stays here */
        SET(CURLOPT_NOPROXY, "*");
    if (q->local)
        SET(CURLOPT_TIMEOUT_MS, (long)LOCAL_MS);
    return rc ? rc : set_signer(h->easy, q->sign);
}

/* "https://ec2.eu-west-1.amazonaws.com/..." -> its host. */
static struct span host_of(const char *url)
{
    struct span s = span_of(url), host;
    ptrdiff_t at = span_find(s, "://");
    s = span_cut(s, at < 0 ? 0 : (size_t)at + 3, s.len);
    span_field(&s, '/', &host);
    return host;
}

static int refuse(CURLcode code, const struct http_request *q, const char *words, struct err *e)
{
    struct span host = host_of(q->url);
    const char *why = *words ? words : curl_easy_strerror(code);
    if (memory_ran_out)
        return err_nomem(e);
    switch (code) {
    case CURLE_OUT_OF_MEMORY: /* though there is memory: what libcurl says of a long line */
        return err_set(e, ERR_NET_FINAL, "%.*s: a header of its answer is too long: not from AWS",
                       SPAN_ARG(host));
    case CURLE_ABORTED_BY_CALLBACK:
        return err_set(e, ERR_STOPPED, "%s", err_meaning(ERR_STOPPED));
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
        return err_set(e, ERR_NET_FINAL,
                       "%.*s: its certificate is not valid here (%s): a proxy that opens TLS, or "
                       "the wrong host?",
                       SPAN_ARG(host), why);
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
        return err_set(e, ERR_USAGE, "'%.200s' is no http or https address", q->url);
    case CURLE_COULDNT_RESOLVE_HOST:
        return err_set(e, ERR_NET,
                       "%.*s: no such host: no network, or no such region or service there",
                       SPAN_ARG(host));
    case CURLE_OPERATION_TIMEDOUT:
        return err_set(e, ERR_NET, "%.*s: no answer in time (%s)", SPAN_ARG(host), why);
    default:
        return err_set(e, ERR_NET, "%.*s: %s", SPAN_ARG(host), why);
    }
}

static int keep_body(struct transfer *t, struct arena *a)
{
    t->reply->body = arena_strndup(a, t->n ? t->body : "", t->n);
    t->reply->n_bytes = t->n;
    return t->reply->body ? 0 : err_nomem(t->err);
}

static int perform(void *ctx, const struct http_request *q, struct arena *a, struct http_reply *out,
                   struct err *e)
{
    struct http_curl *h = ctx;
    *out =
        (struct http_reply){ .retry_after_s = UNKNOWN, .retry_at_ms = UNKNOWN, .date_ms = UNKNOWN };
    struct transfer t = { .easy = h->easy, .q = q, .reply = out, .err = e };
    struct curl_slist *headers = NULL;
    char words[CURL_ERROR_SIZE] = "";
    curl_easy_reset(h->easy); /* keeps the connections */
    memory_ran_out = false;
    int rc = is_stopped(h) ? err_set(e, ERR_STOPPED, "%s", err_meaning(ERR_STOPPED))
                           : headers_of(q, &headers, e);
    if (!rc && q->sink)
        rc = q->sink->begin(q->sink->ctx, e);
    if (!rc) {
        CURLcode code = set_options(h, &t, headers, words);
        if (!code)
            code = curl_easy_perform(h->easy);
        long status = 0;
        curl_easy_getinfo(h->easy, CURLINFO_RESPONSE_CODE, &status);
        out->status = (int)status;
        rc = t.rc ? t.rc : code ? refuse(code, q, words, e) : keep_body(&t, a);
    }
    curl_easy_reset(h->easy); /* forgets the secret, and where words are */
    for (struct curl_slist *p = headers; p; p = p->next)
        explicit_bzero(p->data, strlen(p->data));
    curl_slist_free_all(headers);
    mem_free(t.body);
    return rc;
}

struct http_transport http_curl_transport(struct http_curl *h)
{
    return (struct http_transport){ h, perform };
}
