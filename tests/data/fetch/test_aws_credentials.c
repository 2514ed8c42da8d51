/* tests/data/fetch/test_aws_credentials.c - where credentials and region are taken from, in which
 * order, and what is said where there are none. */
#include "data/fetch/aws_credentials.h"
#include "data/fetch/aws_endpoint.h"
#include "tests/data/fetch/still_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char home[] = "/tmp/volplan-aws-XXXXXX";

enum { VARIABLES = 8 };
static const char *const (*variables)[2];

static const char *variable(void *ctx, const char *name)
{
    (void)ctx;
    if (strcmp(name, "HOME") == 0)
        return home;
    for (size_t i = 0; i < VARIABLES && variables[i][0]; i++)
        if (strcmp(variables[i][0], name) == 0)
            return variables[i][1];
    return NULL;
}

/* The metadata services: answers by the end of the address, and what the request must bring. */
static const struct answer {
    const char *url, *header, *body;
} answers[] = {
    { "http://169.254.169.254/latest/api/token", "X-aws-ec2-metadata-token-ttl-seconds: 21600",
      "tokenT" },
    { "http://169.254.169.254/latest/meta-data/iam/security-credentials/",
      "X-aws-ec2-metadata-token: tokenT", "roleR" },
    { "http://169.254.169.254/latest/meta-data/iam/security-credentials/roleR",
      "X-aws-ec2-metadata-token: tokenT",
      "{\"Code\":\"Success\",\"AccessKeyId\":\"AKIMDS\",\"SecretAccessKey\":\"s\","
      "\"Token\":\"imdsT\",\"Expiration\":\"2026-11-30T20:00:00Z\"}" },
    { "http://169.254.170.2/v2/x", "",
      "{\"AccessKeyId\":\"AKECS\",\"SecretAccessKey\":\"s\","
      "\"Token\":\"ecsT\"}" },
    { "http://127.0.0.1:9/pod", "Authorization: podA",
      "{\"AccessKeyId\":\"AKPOD\",\"SecretAccessKey\":\"s\",\"Token\":\"podT\"}" },
    { "http://127.0.0.1:9/bad", "", "{\"secret\":\"canary\"" },
};
static bool metadata_answers;

static int perform(void *ctx, const struct http_request *q, struct arena *a, struct http_reply *out,
                   struct err *e)
{
    (void)ctx;
    *out = (struct http_reply){ .status = 404, .body = arena_strdup(a, "") };
    assert_true(q->local); /* never through a proxy */
    if (!metadata_answers)
        return err_set(e, ERR_NET, "nobody");
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        if (strcmp(answers[i].url, q->url) == 0 &&
            strcmp(answers[i].header, q->n_headers ? q->headers[0] : "") == 0) {
            out->status = 200;
            out->body = arena_strdup(a, answers[i].body);
            out->n_bytes = strlen(answers[i].body);
        }
    return 0;
}

static const struct credentials_case {
    const char *why;
    const char *variables[VARIABLES][2];
    const char *credentials, *config; /* files; NULL = none */
    bool metadata;
    const char *key, *token; /* what comes; NULL: refused, with these words */
    const char *words;
} cases[] = {
    { "the environment first",
      { { "AWS_ACCESS_KEY_ID", "AKENV" },
        { "AWS_SECRET_ACCESS_KEY", "s" },
        { "AWS_SESSION_TOKEN", "envT" } },
      "[default]\naws_access_key_id = AKFILE\naws_secret_access_key = s\n",
      NULL,
      true,
      "AKENV",
      "envT",
      NULL },
    { "an empty variable is none",
      { { "AWS_ACCESS_KEY_ID", "AKENV" },
        { "AWS_SECRET_ACCESS_KEY", "s" },
        { "AWS_SESSION_TOKEN", "" } },
      NULL,
      NULL,
      false,
      "AKENV",
      NULL,
      NULL },
    { "half a pair",
      { { "AWS_ACCESS_KEY_ID", "AKENV" } },
      NULL,
      NULL,
      true,
      NULL,
      NULL,
      "AWS_ACCESS_KEY_ID is set, but AWS_SECRET_ACCESS_KEY is not" },
    { "the default profile",
      { { NULL, NULL } },
      "# mine\r\n[default]\r\naws_access_key_id=AKFILE\r\naws_secret_access_key = a=b/c+\r\n"
      "aws_session_token = fileT\r\n[other]\naws_access_key_id = AKNO\n",
      NULL,
      true,
      "AKFILE",
      "fileT",
      NULL },
    { "a named profile of both files, credentials first",
      { { "AWS_PROFILE", "work" } },
      "[default]\naws_access_key_id = AKNO\n[work]\naws_access_key_id = AKWORK\n",
      "[work]\naws_secret_access_key = not a profile\n[profile work]\naws_access_key_id = AKNO\n"
      "aws_secret_access_key = s\ns3 =\n  aws_session_token = nested\n",
      false,
      "AKWORK",
      NULL,
      NULL },
    { "credential_process",
      { { "AWS_PROFILE", "p" } },
      NULL,
      "[profile p]\ncredential_process = echo '{\"Version\":1,\"AccessKeyId\":\"AKPROC\","
      "\"SecretAccessKey\":\"s\",\"SessionToken\":\"procT\"}'\n",
      false,
      "AKPROC",
      "procT",
      NULL },
    { "credential_process fails",
      { { NULL, NULL } },
      NULL,
      "[default]\ncredential_process = exit 3\n",
      true,
      NULL,
      NULL,
      "credential_process failed (status 3)" },
    { "credential_process prints no JSON, and it is not quoted",
      { { NULL, NULL } },
      NULL,
      "[default]\ncredential_process = echo canary\n",
      true,
      NULL,
      NULL,
      "credential_process gives no credentials: not JSON" },
    { "SSO",
      { { "AWS_PROFILE", "s" } },
      NULL,
      "[profile s]\nsso_session = x\nsso_account_id = 1\n",
      true,
      NULL,
      NULL,
      "aws configure export-credentials --profile s --format env" },
    { "a role",
      { { NULL, NULL } },
      NULL,
      "[default]\nrole_arn = arn:x\nsource_profile = y\n",
      true,
      NULL,
      NULL,
      "another role (role_arn)" },
    { "a role, whose keys are for taking it only",
      { { NULL, NULL } },
      "[default]\naws_access_key_id = AKNO\naws_secret_access_key = s\n",
      "[default]\nrole_arn = arn:x\nsource_profile = default\n",
      true,
      NULL,
      NULL,
      "another role (role_arn)" },
    { "a name in quotes, a comment behind the bracket, a byte order mark",
      { { "AWS_PROFILE", "my work" } },
      NULL,
      "\xef\xbb\xbf[profile \"my work\"] # mine\r\naws_access_key_id = AKWORK\r\n"
      "aws_secret_access_key = s\r\n",
      false,
      "AKWORK",
      NULL,
      NULL },
    { "a session token that would begin another header",
      { { "AWS_ACCESS_KEY_ID", "AKENV" },
        { "AWS_SECRET_ACCESS_KEY", "s" },
        { "AWS_SESSION_TOKEN", "canary\r\nX-Other: y" } },
      NULL,
      NULL,
      false,
      NULL,
      NULL,
      "the session token of the environment holds a blank" },
    { "an access key that does",
      { { "AWS_ACCESS_KEY_ID", "canary\nX-Other: y" }, { "AWS_SECRET_ACCESS_KEY", "s" } },
      NULL,
      NULL,
      false,
      NULL,
      NULL,
      "the access key of the environment holds a blank" },
    { "a secret key of a file whose lines end in CR",
      { { "AWS_ACCESS_KEY_ID", "AKENV" }, { "AWS_SECRET_ACCESS_KEY", "canary\r" } },
      NULL,
      NULL,
      false,
      NULL,
      NULL,
      "the secret key of the environment holds a blank" },
    { "a process that gives such a token",
      { { NULL, NULL } },
      NULL,
      "[default]\ncredential_process = echo '{\"AccessKeyId\":\"AKPROC\","
      "\"SecretAccessKey\":\"s\",\"SessionToken\":\"can\\u000aary\"}'\n",
      false,
      NULL,
      NULL,
      "holds a blank" },
    { "a web identity",
      { { "AWS_WEB_IDENTITY_TOKEN_FILE", "/x" } },
      NULL,
      NULL,
      true,
      NULL,
      NULL,
      "a web identity" },
    { "a profile that is nowhere",
      { { "AWS_PROFILE", "nobody" } },
      "[default]\n",
      NULL,
      true,
      NULL,
      NULL,
      "profile 'nobody' is in neither file" },
    { "a container, by relative address",
      { { "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "/v2/x" } },
      NULL,
      NULL,
      true,
      "AKECS",
      "ecsT",
      NULL },
    { "a relative address that goes on with the host's name",
      { { "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "@example.com/v2/x" } },
      NULL,
      NULL,
      true,
      NULL,
      NULL,
      "a path begins with /" },
    { "a pod, by full address and with a token",
      { { "AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://127.0.0.1:9/pod" },
        { "AWS_CONTAINER_AUTHORIZATION_TOKEN", "podA" } },
      NULL,
      NULL,
      true,
      "AKPOD",
      "podT",
      NULL },
    { "a container elsewhere is not asked over http",
      { { "AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://example.com/pod" } },
      NULL,
      NULL,
      true,
      NULL,
      NULL,
      "credentials go over https only" },
    { "a container that answers badly",
      { { "AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://127.0.0.1:9/bad" } },
      NULL,
      NULL,
      true,
      NULL,
      NULL,
      "the container gives no credentials: not JSON" },
    { "the instance, with its token (IMDSv2)",
      { { NULL, NULL } },
      NULL,
      NULL,
      true,
      "AKIMDS",
      "imdsT",
      NULL },
    { "the instance is not asked where that is off",
      { { "AWS_EC2_METADATA_DISABLED", "TRUE" } },
      NULL,
      NULL,
      true,
      NULL,
      NULL,
      "no AWS credentials" },
    { "nothing anywhere", { { NULL, NULL } }, NULL, NULL, false, NULL, NULL, "no AWS credentials" },
};

static void write_file(const char *name, const char *text)
{
    char path[100];
    snprintf(path, sizeof path, "%s/.aws/%s", home, name);
    remove(path);
    if (!text)
        return;
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void finds(void **state)
{
    const struct credentials_case *x = *state;
    struct aws_environment env = { .get = variable };
    struct http_client http = { { NULL, perform }, still_world(), 0, 0 };
    struct aws_credentials c;
    struct arena a = { 0 };
    struct err e = { 0 };
    variables = x->variables;
    metadata_answers = x->metadata;
    write_file("credentials", x->credentials);
    write_file("config", x->config);
    int rc = aws_credentials_find(&env, &http, &a, &c, &e);
    if (x->key) {
        assert_string_equal(rc ? e.text : "", "");
        assert_string_equal(c.access_key, x->key);
        assert_true(x->token ? c.session_token && strcmp(c.session_token, x->token) == 0
                             : !c.session_token);
    } else {
        assert_true(rc == ERR_NET_FINAL || rc == ERR_USAGE);
        if (!strstr(e.text, x->words))
            print_error("said: %s\n", e.text);
        assert_non_null(strstr(e.text, x->words));
        assert_null(strstr(e.text, "canary"));
    }
    arena_release(&a);
}

static void regions(void **state)
{
    static const struct {
        const char *variables[VARIABLES][2], *config, *want;
    } all[] = {
        { { { "AWS_REGION", "r-1" }, { "AWS_DEFAULT_REGION", "r-2" } },
          "[default]\nregion = r-3\n",
          "r-1" },
        { { { "AWS_DEFAULT_REGION", "r-2" } }, "[default]\nregion = r-3\n", "r-2" },
        { { { NULL, NULL } }, "[default]\nregion = r-3\n", "r-3" },
        { { { "AWS_PROFILE", "w" } }, "[default]\nregion = r-3\n[profile w]\nregion=r-4\n", "r-4" },
        { { { NULL, NULL } }, NULL, NULL },
    };
    struct aws_environment env = { .get = variable };
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct arena a = { 0 };
        struct err e = { 0 };
        const char *region;
        variables = all[i].variables;
        write_file("credentials", NULL);
        write_file("config", all[i].config);
        assert_int_equal(aws_region(&env, &a, &region, &e), 0);
        assert_string_equal(region ? region : "", all[i].want ? all[i].want : "");
        arena_release(&a);
    }
}

static void where_credentials_may_go(void **state)
{
    static const struct {
        const char *url;
        int rc;
    } all[] = {
        { "https://vpce-1.ec2.eu-west-1.vpce.amazonaws.com", 0 },
        { "http://127.0.0.1:8080", 0 },
        { "http://localhost/x", 0 },
        { "http://[::1]:80/", 0 },
        { "http://169.254.170.23/v1/credentials", 0 },
        { "http://example.com", ERR_USAGE },
        { "http://127.0.0.1.example.com", ERR_USAGE },
        { "http://127.0.0.1@example.com/", ERR_USAGE }, /* a user name, not a host */
        { "http://localhost:80@example.com/", ERR_USAGE },
        { "http://[::1]@example.com/", ERR_USAGE },
        { "http://[::1]:80@example.com/", ERR_USAGE },
        { "https://", ERR_USAGE },
        { "https://x y", ERR_USAGE },
        { "https://x/?q=1", ERR_USAGE },
        { "ftp://x", ERR_USAGE },
        { "", ERR_USAGE },
    };
    struct err e;
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (aws_endpoint_check(all[i].url, "it", &e) != all[i].rc)
            fail_msg("%s", all[i].url);
}

static int set_up(void **state)
{
    char path[100];
    (void)state;
    if (!mkdtemp(home))
        return -1;
    snprintf(path, sizeof path, "mkdir %s/.aws", home);
    return system(path);
}

static int tear_down(void **state)
{
    char path[100];
    (void)state;
    write_file("credentials", NULL);
    write_file("config", NULL);
    snprintf(path, sizeof path, "%s/.aws", home);
    remove(path);
    return remove(home);
}

int main(void)
{
    enum { N = sizeof cases / sizeof *cases };
    struct CMUnitTest t[N + 2] = { cmocka_unit_test(regions),
                                   cmocka_unit_test(where_credentials_may_go) };
    for (size_t i = 0; i < N; i++)
        t[i + 2] =
            (struct CMUnitTest){ cases[i].why, finds, NULL, NULL, (void *)(uintptr_t)&cases[i] };
    return cmocka_run_group_tests(t, set_up, tear_down);
}
