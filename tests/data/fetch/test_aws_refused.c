/* tests/data/fetch/test_aws_refused.c - what AWS, a proxy or a captive portal refuses is told in
 * words that say what to do, and without a secret. */
#include "tests/data/fetch/aws_caller.h"

static const char *refusal_headers, *refusal_body;
static int refusal_status;

static void refuses(struct fake_aws *f, const struct received *r, int n, int conn)
{
    (void)r, (void)n;
    fake_text(f, conn, refusal_status, refusal_headers, refusal_body);
}

static const struct refusal {
    const char *why;
    int status;
    const char *headers, *body, *words;
    int requests;
} refusals[] = {
    { "a missing permission names the action", 403, xml_type,
      XML_ERROR("UnauthorizedOperation", "You are not authorized"),
      "the permission ec2:DescribeVolumes is missing", 1 },
    { "CloudWatch's words for it", 400, json_type,
      "{\"__type\":\"AccessDeniedException\",\"Message\":\"User is not authorized\"}",
      "the permission ec2:DescribeVolumes is missing", 1 },
    { "an expired session: asked once more with new credentials", 400, json_type,
      "{\"__type\":\"com.amazon.coral.service#ExpiredTokenException\",\"message\":\"x\"}",
      "the session of the environment has expired", 2 },
    { "a clock that is half an hour slow: Date says 18:30 where we say 18:00", 403,
      "Date: Mon, 30 Nov 2026 18:30:00 GMT\r\n",
      XML_ERROR("SignatureDoesNotMatch", "Signature expired"),
      "the clock of this machine is 30 minutes slow", 1 },
    { "a wrong secret, and a message that quotes the signature", 403,
      "Date: Mon, 30 Nov 2026 18:00:05 GMT\r\n",
      XML_ERROR("SignatureDoesNotMatch", "Credential=" FAKE_KEY " Signature=abc"),
      "AWS does not accept the signature (SignatureDoesNotMatch)", 1 },
    { "too late by a clock that is 30 minutes slow", 400, "Date: Mon, 30 Nov 2026 18:30:00 GMT\r\n",
      XML_ERROR("RequestExpired", "Request has expired."),
      "the clock of this machine is 30 minutes slow", 1 },
    { "too late by a right clock: the session has run out", 400,
      "Date: Mon, 30 Nov 2026 18:00:05 GMT\r\n",
      XML_ERROR("RequestExpired", "Request has expired."),
      "the session of the environment has expired", 2 },
    { "an unknown key", 401, xml_type, XML_ERROR("AuthFailure", "not able to validate " FAKE_KEY),
      "AWS does not know the access key of the environment in eu-west-1", 1 },
    { "a region that is not opted in", 400, xml_type, XML_ERROR("OptInRequired", "x"),
      "the account has no access to region eu-west-1", 1 },
    { "a message that quotes the key is left out", 400, xml_type,
      XML_ERROR("InvalidParameterValue", "bad " FAKE_KEY),
      "ec2:DescribeVolumes: status 400 InvalidParameterValue", 1 },
    { "a code that is the key is left out", 400, xml_type, XML_ERROR(FAKE_KEY, "x"),
      "ec2:DescribeVolumes: status 400: x", 1 },
    { "a message with the token as in a URL", 400, xml_type,
      XML_ERROR("InvalidParameterValue", "canaryToken%2F%2F%2F%2F"),
      "ec2:DescribeVolumes: status 400 InvalidParameterValue", 1 },
    { "a message with 64 digits of a signature", 400, xml_type,
      XML_ERROR("InvalidParameterValue",
                "0123456789abcdef0123456789abcdef0123456789abcdef0123456789"
                "abcdef"),
      "ec2:DescribeVolumes: status 400 InvalidParameterValue", 1 },
    { "an address with the token is not told", 302,
      "Location: http://127.0.0.2:9/?t=canaryToken%2F%2F\r\n", "",
      "(status 302, to an address that is not told): not followed with credentials", 1 },
    { "another message is told", 400, xml_type,
      XML_ERROR("InvalidParameterValue", "bad MaxResults"),
      "ec2:DescribeVolumes: status 400 InvalidParameterValue: bad MaxResults", 1 },
    { "a captive portal", 200, "Content-Type: text/html\r\n", "<!DOCTYPE html><h1>Welcome</h1>",
      "a captive portal or proxy in between?", 1 },
    { "a captive portal of XHTML", 200, xml_type,
      "<?xml version=\"1.0\"?>\n<!DOCTYPE html PUBLIC \"x\"><html></html>",
      "a captive portal or proxy in between?", 1 },
    { "HTML that calls itself XML", 200, xml_type, "\n<HTML><body>login</body>",
      "answered with a web page, not as AWS does", 1 },
    { "a redirect is not followed", 302, "Location: http://127.0.0.2:9/steal\r\n", "",
      "sends elsewhere (status 302, http://127.0.0.2:9/steal): not followed with credentials", 1 },
};

static void is_refused(void **state)
{
    const struct refusal *x = *state;
    refusal_status = x->status;
    refusal_headers = x->headers;
    refusal_body = x->body;
    struct outcome o = call(refuses, &form, FAKE_TOKEN);
    assert_int_equal(o.rc, ERR_NET_FINAL);
    if (!strstr(o.words, x->words))
        print_error("said: %s\n", o.words);
    assert_non_null(strstr(o.words, x->words));
    assert_null(strstr(o.words, "canaryToken"));
    assert_null(strstr(o.words, "0123456789abcdef"));
    assert_int_equal(o.requests, x->requests);
}

/* Keys without a session cannot run out. */
static void too_late_without_a_session(void **state)
{
    static const struct {
        const char *headers, *words;
    } all[] = {
        { "Date: Mon, 30 Nov 2026 18:00:05 GMT\r\n",
          "too late (RequestExpired), though the clocks agree: is the clock" },
        { "", "too late (RequestExpired): is the clock of this machine right" },
        { "Date: Mon, 30 Nov 2026 17:30:00 GMT\r\n", "30 minutes fast" },
    };
    (void)state;
    refusal_status = 400;
    refusal_body = XML_ERROR("RequestExpired", "Request has expired.");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        refusal_headers = all[i].headers;
        struct outcome o = call(refuses, &form, NULL);
        assert_int_equal(o.rc, ERR_NET_FINAL);
        assert_int_equal(o.requests, 1);
        assert_null(strstr(o.words, "secret key"));
        if (!strstr(o.words, all[i].words))
            fail_msg("said: %s", o.words);
    }
}

int main(void)
{
    enum { R = sizeof refusals / sizeof *refusals };
    struct CMUnitTest t[1 + R] = { cmocka_unit_test(too_late_without_a_session) };
    for (size_t i = 0; i < R; i++)
        t[1 + i] = (struct CMUnitTest){ refusals[i].why, is_refused, NULL, NULL,
                                        (void *)(uintptr_t)&refusals[i] };
    return aws_caller_run(t, sizeof t / sizeof *t);
}
