/* tests/cli/test_fetch_refused.c - runs of volplan fetch that fail, at --verbose, against servers
 * and programs that say every secret back: none of it is told, whatever goes wrong, and no store is
 * made.
 *
 * Everything that reaches stdout, stderr (by stdio or not) and the folder of the store is searched.
 */
#include "tests/cli/fake_account.h"

#include <dirent.h>

static char config[80], caught[80];

/* --- what goes wrong ---------------------------------------------------------------------------
 */

/* All secrets of a request, and how AWS quotes them: the keys, the headers as they came. */
static const char *echo_of(const struct received *r)
{
    static char text[8000];
    const char *authorization = received_header(r, "authorization");
    snprintf(text, sizeof text,
             "%s %s %s canaryToken%%2F%%2F %s The request signature we calculated does not match. "
             "The Canonical String for this request should have been 'POST / "
             "x-amz-security-token:%s'",
             FAKE_KEY, FAKE_SECRET, FAKE_TOKEN, authorization ? authorization : "", FAKE_TOKEN);
    return text;
}

static void answer_xml(struct fake_aws *f, const struct received *r, int conn, int status,
                       const char *code)
{
    char body[9000];
    snprintf(body, sizeof body,
             "<?xml version=\"1.0\"?><Response><Errors><Error><Code>%s</Code><Message>%s</Message>"
             "</Error></Errors><RequestID>1</RequestID></Response>",
             code, echo_of(r));
    fake_text(f, conn, status, "Date: Mon, 30 Nov 2026 18:00:05 GMT\r\n", body);
}

static void answer_json(struct fake_aws *f, const struct received *r, int conn, int status,
                        const char *code)
{
    char body[9000];
    snprintf(body, sizeof body, "{\"__type\":\"com.amazonaws#%s\",\"message\":\"%s\"}", code,
             echo_of(r));
    fake_text(f, conn, status, "Content-Type: application/x-amz-json-1.0\r\n", body);
}

#define REFUSES(name, format, status, code)                                                        \
    static void name(struct fake_aws *f, const struct received *r, int n, int conn)                \
    {                                                                                              \
        (void)n;                                                                                   \
        format(f, r, conn, status, code);                                                          \
    }
REFUSES(denies, answer_xml, 403, "UnauthorizedOperation")
REFUSES(denies_json, answer_json, 400, "AccessDeniedException")
REFUSES(calls_expired, answer_xml, 400, "ExpiredToken")
REFUSES(calls_expired_json, answer_json, 400, "ExpiredTokenException")
REFUSES(calls_late, answer_xml, 400, "RequestExpired")
REFUSES(throttles, answer_xml, 503, "RequestLimitExceeded")
REFUSES(throttles_json, answer_json, 400, "ThrottlingException")
REFUSES(finds_another_signature, answer_xml, 403, "SignatureDoesNotMatch")
REFUSES(finds_another_signature_json, answer_json, 403, "InvalidSignatureException")
REFUSES(knows_no_key, answer_xml, 401, "AuthFailure")
REFUSES(is_broken, answer_xml, 500, "InternalError")
REFUSES(says_the_key, answer_xml, 400, FAKE_KEY)
REFUSES(says_the_secret_for_ever, answer_xml, 503, FAKE_SECRET)

static void is_a_portal(struct fake_aws *f, const struct received *r, int n, int conn)
{
    char body[9000];
    (void)n;
    snprintf(body, sizeof body, "<!DOCTYPE html><title>Log in</title><pre>%s</pre>", echo_of(r));
    fake_text(f, conn, 200, "Content-Type: text/html\r\n", body);
}

static void reads_a_file(struct fake_aws *f, const struct received *r, int n, int conn)
{
    (void)r, (void)n;
    fake_text(f, conn, 200, "Content-Type: text/xml\r\n",
              "<!DOCTYPE DescribeVolumesResponse [<!ENTITY a SYSTEM \"file:///etc/passwd\">]>"
              "<DescribeVolumesResponse><nextToken>&a;</nextToken></DescribeVolumesResponse>");
}

static void sends_elsewhere(struct fake_aws *f, const struct received *r, int n, int conn)
{
    char headers[1000];
    (void)r, (void)n;
    snprintf(headers, sizeof headers, "Location: http://127.0.0.1:%d/?X-Amz-Security-Token=%s\r\n",
             f->port, FAKE_TOKEN);
    fake_text(f, conn, 307, headers, echo_of(r));
}

static void cuts(struct fake_aws *f, const struct received *r, int n, int conn)
{
    (void)n;
    fake_send(f, conn, "HTTP/1.1 200 X\r\nContent-Length: 9000\r\n\r\n<", 41);
    fake_send(f, conn, echo_of(r), 200);
}

/* As a proxy: sees where to, and nothing else. */
static void is_a_proxy(struct fake_aws *f, const struct received *r, int n, int conn)
{
    (void)n;
    if (strcmp(r->method, "CONNECT") != 0 || received_header(r, "x-amz-security-token") ||
        strstr(echo_of(r), "AWS4-HMAC") || !received_header(r, "proxy-authorization"))
        snprintf(f->wrong, sizeof f->wrong, "the proxy was sent '%s'", r->method);
    fake_text(f, conn, 407, "Proxy-Authenticate: Basic realm=\"canary\"\r\n", echo_of(r));
}

/* --- running and searching ---------------------------------------------------------------------
 */

static void expect_clean(const char *why, const char *what, const char *bytes, size_t n)
{
    static const char *const secrets[] = { "canary", FAKE_KEY, "AWS4-HMAC",
                                           "Signature=", "X-Amz-Security-Token" };
    for (size_t i = 0; i < sizeof secrets / sizeof *secrets; i++)
        if (memmem(bytes, n, secrets[i], strlen(secrets[i])))
            fail_msg("%s: %s tells '%s': %.*s", why, what, secrets[i], (int)n, bytes);
}

static void search_file(const char *why, const char *path)
{
    static char bytes[8 * 1024 * 1024];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t n = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_true(n < sizeof bytes);
    expect_clean(why, path, bytes, n);
}

/* Every file of the folder but the profile, which holds a program that tells secrets. */
static size_t search_folder(const char *why)
{
    char path[600];
    size_t n = 0;
    DIR *d = opendir(folder);
    assert_non_null(d);
    for (const struct dirent *x; (x = readdir(d)) != NULL;) {
        snprintf(path, sizeof path, "%s/%s", folder, x->d_name);
        if (x->d_name[0] == '.' || strcmp(path, config) == 0 || strcmp(path, caught) == 0)
            continue;
        search_file(why, path);
        n++;
    }
    closedir(d);
    return n;
}

static void no_sleep(int64_t ms)
{
    (void)ms;
}

static const char *process; /* of the profile; NULL = keys of the environment */

static const char *variable_of_case(const char *name)
{
    if (!process)
        return variable(name);
    if (strcmp(name, "AWS_CONFIG_FILE") == 0)
        return config;
    if (strcmp(name, "AWS_EC2_METADATA_DISABLED") == 0)
        return "true";
    return strcmp(name, "AWS_REGION") == 0 ? "eu-west-1" : NULL;
}

/* The command, with all that any part of it or of its children writes to descriptor 2 caught. */
static struct cli_result run_caught(const char *line)
{
    const struct cli_env with = {
        .now_ms = now_ms, .db = db, .variable = variable_of_case, .sleep_ms = no_sleep
    };
    fflush(stderr);
    int ours = dup(STDERR_FILENO), theirs = open(caught, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(ours >= 0 && theirs >= 0 && dup2(theirs, STDERR_FILENO) >= 0);
    struct cli_result r = run_cli_in(line, &with);
    dup2(ours, STDERR_FILENO);
    close(ours);
    close(theirs);
    return r;
}

#define CLOUDWATCH "fetch cloudwatch --system PRD1 --from 2026-11-30"

static const struct refused_case {
    const char *why, *line;
    void (*answer)(struct fake_aws *, const struct received *, int, int);
    const char *words;
    const char *process;
    bool by_proxy;
} cases[] = {
    { "403", "fetch volumes --system PRD1", denies, "the permission ec2:DescribeVolumes is missing",
      NULL, false },
    { "403 of types", "fetch instance-types --system PRD1", denies,
      "the permission ec2:DescribeInstanceTypes is missing", NULL, false },
    { "403, JSON", CLOUDWATCH, denies_json, "the permission cloudwatch:GetMetricData is missing",
      NULL, false },
    { "expired", "fetch volumes --system PRD1", calls_expired, "has expired: sign in again", NULL,
      false },
    { "expired, JSON", CLOUDWATCH, calls_expired_json, "has expired: sign in again", NULL, false },
    { "too late", "fetch volumes --system PRD1", calls_late, "has expired: sign in again", NULL,
      false },
    { "throttled until given up", "fetch volumes --system PRD1", throttles,
      "asked 7 times, still status 503 RequestLimitExceeded", NULL, false },
    { "throttled, JSON", CLOUDWATCH, throttles_json,
      "asked 7 times, still status 400 ThrottlingException", NULL, false },
    { "wrong signature", "fetch volumes --system PRD1", finds_another_signature,
      "does not accept the signature (SignatureDoesNotMatch)", NULL, false },
    { "wrong signature, JSON", CLOUDWATCH, finds_another_signature_json,
      "does not accept the signature (InvalidSignatureException)", NULL, false },
    { "unknown key", "fetch volumes --system PRD1", knows_no_key, "does not know the access key",
      NULL, false },
    { "500 for ever", "fetch volumes --system PRD1", is_broken, "asked 7 times, still status 500",
      NULL, false },
    { "an error code that is the key", "fetch volumes --system PRD1", says_the_key,
      "ec2:DescribeVolumes: status 400", NULL, false },
    { "an error code that is the secret, for ever", "fetch volumes --system PRD1",
      says_the_secret_for_ever, "asked 7 times, still status 503", NULL, false },
    { "captive portal", "fetch volumes --system PRD1", is_a_portal, "a captive portal", NULL,
      false },
    { "captive portal, metrics", CLOUDWATCH, is_a_portal, "a captive portal", NULL, false },
    { "a document type", "fetch volumes --system PRD1", reads_a_file,
      "DescribeVolumes: the reply has a document type, as no answer of EC2 has", NULL, false },
    { "redirect", "fetch volumes --system PRD1", sends_elsewhere,
      "to an address that is not told): not followed with credentials", NULL, false },
    { "redirect, metrics", CLOUDWATCH, sends_elsewhere,
      "to an address that is not told): not followed with credentials", NULL, false },
    { "cut for ever", "fetch volumes --system PRD1", cuts, "127.0.0.1", NULL, false },
    { "a proxy that refuses", "fetch volumes --system PRD1", is_a_proxy, "127.0.0.1", NULL, true },
    { "credential_process fails", "fetch volumes --system PRD1", denies,
      "credential_process failed (status 3)",
      "echo canary >&2; echo '{\"SecretAccessKey\":\"canary\"}'; exit 3", false },
    { "credential_process prints no JSON", "fetch volumes --system PRD1", denies,
      "credential_process gives no credentials: not JSON", "env | tee /dev/stderr; echo canary",
      false },
    { "credential_process gives half", "fetch volumes --system PRD1", denies,
      "credential_process gives no credentials: JSON with",
      "echo '{\"SecretAccessKey\":\"canary\"}'", false },
    { "credential_process is not there", "fetch volumes --system PRD1", denies,
      "credential_process failed (status 127)", "/nowhere/canary --secret canary", false },
};

static void write_profile(const char *command)
{
    FILE *f = fopen(config, "w");
    assert_non_null(f);
    fprintf(f, "[default]\ncredential_process = %s\n", command ? command : "false");
    fclose(f);
}

static void set_proxy(const struct fake_aws *f)
{
    char proxy[100];
    snprintf(proxy, sizeof proxy, "http://canaryUser:canaryWord@127.0.0.1:%d", f->port);
    assert_int_equal(setenv("https_proxy", proxy, 1), 0);
}

static void tells_nothing(void **state)
{
    const struct refused_case *x = *state;
    bool is_metrics = strcmp(x->line, CLOUDWATCH) == 0;
    char line[400];
    struct fake_aws f;
    fresh(&f);
    if (is_metrics)
        load_volumes(&f);
    f.answer = x->answer;
    if (x->by_proxy) {
        set_proxy(&f);
        f.service = NULL; /* what a proxy is sent is not signed */
    }
    process = x->process;
    write_profile(process);
    snprintf(line, sizeof line, "%s --verbose --endpoint-url %s://127.0.0.1:%d", x->line,
             x->by_proxy ? "https" : "http", f.port);
    struct cli_result r = run_caught(line);
    unsetenv("https_proxy");
    stop(&f);
    if (!strstr(r.err, x->words))
        fail_msg("%s: said %s", x->why, r.err);
    assert_int_equal(r.status, 5);
    expect_clean(x->why, "stdout", r.out, strlen(r.out));
    expect_clean(x->why, "stderr", r.err, strlen(r.err));
    search_file(x->why, caught);
    assert_int_equal(search_folder(x->why), is_metrics ? 1 : 0); /* no store was made */
    assert_true(x->process || atomic_load(&f.n_requests) > 0);
    free_cli(&r);
}

static void without_credentials(void **state)
{
    (void)state;
    static const char *const lines[] = { "fetch volumes --system PRD1",
                                         "fetch instance-types --system PRD1",
                                         "fetch cloudwatch --system PRD1" };
    for (size_t i = 0; i < 3; i++) {
        remove(db);
        process = "false";
        write_profile(process);
        struct cli_result r = run_caught(lines[i]);
        assert_int_equal(r.status, i == 2 ? 2 : 5);
        assert_int_equal(search_folder(lines[i]), 0);
        free_cli(&r);
    }
}

static int set_up(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(db, sizeof db, "%s/v.db", folder);
    snprintf(config, sizeof config, "%s/config", folder);
    snprintf(caught, sizeof caught, "%s/caught", folder);
    return cli_global_init(stderr);
}

static int tear_down(void **state)
{
    (void)state;
    remove(db);
    remove(config);
    remove(caught);
    cli_global_release();
    return remove(folder);
}

int main(void)
{
    enum { N = sizeof cases / sizeof *cases };
    struct CMUnitTest t[N + 1] = { cmocka_unit_test(without_credentials) };
    for (size_t i = 0; i < N; i++)
        t[1 + i] = (struct CMUnitTest){ cases[i].why, tells_nothing, NULL, NULL,
                                        (void *)(uintptr_t)&cases[i] };
    return cmocka_run_group_tests(t, set_up, tear_down);
}
