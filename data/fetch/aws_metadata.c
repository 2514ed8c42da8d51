/* data/fetch/aws_metadata.c - see aws_metadata.h. */
#include "data/fetch/aws_metadata.h"

#include "data/fetch/aws_endpoint.h"
#include "data/ingest/source.h"

#include <string.h>

enum { ANSWER_MAX = 64 * 1024, TOKEN_MAX = 8 * 1024 };

static const char role_path[] = "/latest/meta-data/iam/security-credentials/";

/* --- containers --------------------------------------------------------------------------------
 */

/* "Authorization: TOKEN" where one is asked for; *out NULL where none is. */
static int authorization(const struct aws_environment *env, struct arena *a, const char **out,
                         struct err *e)
{
    const char *file = aws_variable(env, "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
    const char *token = aws_variable(env, "AWS_CONTAINER_AUTHORIZATION_TOKEN");
    struct source *src = NULL;
    struct span text = span_of(token);
    *out = NULL;
    if (file) {
        int rc = source_open(file, &src, e);
        if (!rc)
            rc = source_all(src, TOKEN_MAX, &text, e);
        if (rc) {
            source_close(src);
            return rc;
        }
        text = span_trim(text);
    }
    int rc = 0;
    if (text.len > TOKEN_MAX || memchr(text.len ? text.ptr : "", '\n', text.len))
        rc = err_set(e, ERR_NET_FINAL, "the authorization token of the container is malformed");
    else if (text.len && !(*out = arena_printf(a, "Authorization: %.*s", (int)text.len, text.ptr)))
        rc = err_nomem(e);
    source_close(src);
    return rc;
}

static int from_container(const struct aws_environment *env, struct http_client *http,
                          const char *url, struct arena *a, struct aws_credentials *out,
                          struct err *e)
{
    struct http_request q = {
        .method = HTTP_GET, .url = url, .local = true, .body_max = ANSWER_MAX
    };
    struct http_reply r;
    const char *header = NULL;
    int rc = authorization(env, a, &header, e);
    if (header)
        q.headers[q.n_headers++] = header;
    if (!rc)
        rc = http_call(http, &q, a, &r, e);
    if (rc)
        return rc;
    if (r.status != 200)
        return err_set(e, ERR_NET_FINAL, "the container's credentials: status %d", r.status);
    return aws_credentials_json((struct span){ r.body, r.n_bytes }, "the container", a, out, e);
}

/* --- instances ---------------------------------------------------------------------------------
 */

static int ask(struct http_client *http, const char *base, const char *path, const char *role,
               const char *header, enum http_method method, struct arena *a, struct http_reply *out,
               struct err *e)
{
    char *url = arena_printf(a, "%s%s%s", base, path, role);
    if (!url)
        return err_nomem(e);
    struct http_request q = { .method = method,
                              .url = url,
                              .headers = { header },
                              .n_headers = 1,
                              .local = true,
                              .body_max = ANSWER_MAX };
    return http_call(http, &q, a, out, e);
}

/* One line of plain text, as tokens and role names are. */
static bool is_line(const struct http_reply *r)
{
    if (r->status != 200 || !r->n_bytes || r->n_bytes > TOKEN_MAX)
        return false;
    for (size_t i = 0; i < r->n_bytes; i++)
        if (r->body[i] <= ' ' || r->body[i] > '~')
            return false;
    return true;
}

static int from_instance(const struct aws_environment *env, struct http_client *http,
                         struct arena *a, struct aws_credentials *out, bool *found, struct err *e)
{
    const char *base = aws_variable(env, "AWS_EC2_METADATA_SERVICE_ENDPOINT");
    struct http_reply token, role, keys;
    struct err why = { 0 };
    if (!base)
        base = "http://169.254.169.254";
    *found = false;
    int rc = ask(http, base, "/latest/api/token", "", "X-aws-ec2-metadata-token-ttl-seconds: 21600",
                 HTTP_PUT, a, &token, &why);
    if (rc == ERR_NOMEM || rc == ERR_STOPPED)
        return err_set(e, rc, "%s", why.text);
    if (rc || !is_line(&token))
        return 0; /* nobody there, or not an instance */
    char *header = arena_printf(a, "X-aws-ec2-metadata-token: %s", token.body);
    if (!header)
        return err_nomem(e);
    rc = ask(http, base, role_path, "", header, HTTP_GET, a, &role, e);
    if (rc)
        return rc;
    if (!is_line(&role))
        return err_set(e, ERR_NET_FINAL,
                       "this instance has no role (instance profile), and there "
                       "are no other AWS credentials");
    rc = ask(http, base, role_path, role.body, header, HTTP_GET, a, &keys, e);
    if (rc)
        return rc;
    *found = true;
    return aws_credentials_json((struct span){ keys.body, keys.n_bytes }, "the instance's role", a,
                                out, e);
}

int aws_metadata_credentials(const struct aws_environment *env, struct http_client *http,
                             struct arena *a, struct aws_credentials *out, bool *found,
                             struct err *e)
{
    const char *relative = aws_variable(env, "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
    const char *full = aws_variable(env, "AWS_CONTAINER_CREDENTIALS_FULL_URI");
    const char *off = aws_variable(env, "AWS_EC2_METADATA_DISABLED");
    *found = relative || full;
    if (relative && relative[0] != '/') /* would go on with the name of the host */
        return err_set(e, ERR_NET_FINAL,
                       "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: a path begins with /");
    if (relative) {
        char *url = arena_printf(a, "http://169.254.170.2%s", relative);
        return url ? from_container(env, http, url, a, out, e) : err_nomem(e);
    }
    if (full) {
        int rc = aws_endpoint_check(full, "AWS_CONTAINER_CREDENTIALS_FULL_URI", e);
        return rc ? rc : from_container(env, http, full, a, out, e);
    }
    if (off && span_eq_nocase(span_of(off), SPAN_LIT("true")))
        return 0;
    return from_instance(env, http, a, out, found, e);
}
