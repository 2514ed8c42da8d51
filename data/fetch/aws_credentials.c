/* data/fetch/aws_credentials.c - see aws_credentials.h. */
#include "data/fetch/aws_credentials.h"

#include "data/fetch/aws_metadata.h"
#include "data/fetch/aws_process.h"
#include "data/fetch/aws_profile.h"
#include "data/fetch/json_reply.h"
#include "models/core/timestamp.h"
#include "models/core/unit.h"

#include <string.h>

const char *aws_variable(const struct aws_environment *env, const char *name)
{
    const char *value = env->get(env->ctx, name);
    return value && *value ? value : NULL;
}

int aws_region(const struct aws_environment *env, struct arena *a, const char **out, struct err *e)
{
    struct aws_profile p;
    *out = aws_variable(env, "AWS_REGION");
    if (!*out)
        *out = aws_variable(env, "AWS_DEFAULT_REGION");
    if (*out)
        return 0;
    int rc = aws_profile_read(env, a, &p, e);
    if (!rc)
        *out = p.region;
    return rc;
}

static int copy_text(const cJSON *json, const char *key, struct arena *a, const char **out,
                     struct err *e)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(json, key));
    if (!text || !*text)
        return 0;
    *out = arena_strdup(a, text);
    return *out ? 0 : err_nomem(e);
}

int aws_credentials_json(struct span json, const char *from, struct arena *a,
                         struct aws_credentials *out, struct err *e)
{
    struct aws_credentials c = { .from = from, .expires_ms = UNKNOWN };
    const char *expiration = NULL;
    cJSON *tree = NULL;
    int rc = json_reply_parse(json, from, &tree, e);
    if (rc == ERR_PARSE)
        return err_set(e, ERR_NET_FINAL, "%s gives no credentials: not JSON", from);
    if (!rc)
        rc = copy_text(tree, "AccessKeyId", a, &c.access_key, e);
    if (!rc)
        rc = copy_text(tree, "SecretAccessKey", a, &c.secret_key, e);
    if (!rc)
        rc = copy_text(tree, "SessionToken", a, &c.session_token, e);
    if (!rc && !c.session_token)
        rc = copy_text(tree, "Token", a, &c.session_token, e);
    if (!rc)
        rc = copy_text(tree, "Expiration", a, &expiration, e);
    cJSON_Delete(tree);
    if (rc)
        return rc;
    if (!c.access_key || !c.secret_key)
        return err_set(e, ERR_NET_FINAL,
                       "%s gives no credentials: JSON with AccessKeyId and SecretAccessKey was "
                       "expected",
                       from);
    struct span when = span_of(expiration);
    bool zoned;
    if (expiration && (time_parse_iso(&when, &c.expires_ms, &zoned) || when.len))
        c.expires_ms = UNKNOWN;
    *out = c;
    return 0;
}

static int refuse_profile(const struct aws_profile *p, struct err *e)
{
    const char *what = p->sso    ? "a sign-in (SSO)"
                       : p->role ? "another role (role_arn)"
                                 : "a web identity";
    return err_set(e, ERR_NET_FINAL,
                   "profile '%.80s' needs %s, which volplan does not do itself. Let the AWS CLI: "
                   "eval \"$(aws configure export-credentials --profile %.80s --format env)\"",
                   p->name, what, p->name);
}

/* *found is false where the profile says nothing of credentials. */
static int from_profile(const struct aws_environment *env, struct arena *a,
                        struct aws_credentials *out, bool *found, struct err *e)
{
    struct aws_profile p;
    int rc = aws_profile_read(env, a, &p, e);
    if (rc)
        return rc;
    *found = true;
    if (p.role) /* its keys are for taking the role, perhaps in another account */
        return refuse_profile(&p, e);
    if (p.access_key && p.secret_key) {
        *out = (struct aws_credentials){ p.access_key, p.secret_key, p.session_token, UNKNOWN,
                                         "the profile" };
        return 0;
    }
    if (p.sso || p.web)
        return refuse_profile(&p, e);
    if (p.process)
        return aws_process_credentials(env, p.process, a, out, e);
    if (p.access_key || p.secret_key)
        return err_set(e, ERR_NET_FINAL, "profile '%.80s' has %s only", p.name,
                       p.access_key ? "aws_access_key_id" : "aws_secret_access_key");
    *found = false;
    return 0;
}

/* Keys go into headers, where the end of a line would begin another. */
static int check_keys(const struct aws_credentials *k, struct err *e)
{
    const struct {
        const char *name, *text;
    } all[] = { { "access key", k->access_key },
                { "secret key", k->secret_key },
                { "session token", k->session_token } };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (const char *c = all[i].text; c && *c; c++)
            if (*c <= ' ' || *c > '~')
                return err_set(e, ERR_NET_FINAL,
                               "the %s of %s holds a blank, the end of a line or a letter that no "
                               "key has: set it again",
                               all[i].name, k->from);
    return 0;
}

static int find(const struct aws_environment *env, struct http_client *http, struct arena *a,
                struct aws_credentials *out, struct err *e)
{
    const char *key = aws_variable(env, "AWS_ACCESS_KEY_ID");
    const char *secret = aws_variable(env, "AWS_SECRET_ACCESS_KEY");
    if (key && secret) {
        *out = (struct aws_credentials){ key, secret, aws_variable(env, "AWS_SESSION_TOKEN"),
                                         UNKNOWN, "the environment" };
        return 0;
    }
    if (key || secret)
        return err_set(e, ERR_NET_FINAL, "%s is set, but %s is not",
                       key ? "AWS_ACCESS_KEY_ID" : "AWS_SECRET_ACCESS_KEY",
                       key ? "AWS_SECRET_ACCESS_KEY" : "AWS_ACCESS_KEY_ID");
    bool found = false;
    int rc = from_profile(env, a, out, &found, e);
    if (rc || found)
        return rc;
    if (aws_variable(env, "AWS_WEB_IDENTITY_TOKEN_FILE"))
        return refuse_profile(&(struct aws_profile){ .name = "default", .web = "" }, e);
    rc = aws_metadata_credentials(env, http, a, out, &found, e);
    if (rc || found)
        return rc;
    return err_set(e, ERR_NET_FINAL,
                   "no AWS credentials: none in the environment (AWS_ACCESS_KEY_ID), the files of "
                   "~/.aws, a container or an instance. aws configure sets them up");
}

int aws_credentials_find(const struct aws_environment *env, struct http_client *http,
                         struct arena *a, struct aws_credentials *out, struct err *e)
{
    int rc = find(env, http, a, out, e);
    return rc ? rc : check_keys(out, e);
}
