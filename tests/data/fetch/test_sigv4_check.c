/* tests/data/fetch/test_sigv4_check.c - the verifier itself, by what AWS published. */
#include "tests/data/fetch/sigv4_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* AWS's Signature Version 4 test suite: its key, region us-east-1, service "service". */
static const struct example {
    const char *why, *request, *token;
} examples[] = {
    { "post-vanilla",
      "POST / HTTP/1.1\r\nHost: example.amazonaws.com\r\nX-Amz-Date: 20150830T123600Z\r\n"
      "Authorization: AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/"
      "aws4_request, SignedHeaders=host;x-amz-date, "
      "Signature=5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b\r\n\r\n",
      NULL },
    { "post-x-www-form-urlencoded",
      "POST / HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
      "Host: example.amazonaws.com\r\nX-Amz-Date: 20150830T123600Z\r\n"
      "Authorization: AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/"
      "aws4_request, SignedHeaders=content-type;host;x-amz-date, "
      "Signature=ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a\r\n\r\n"
      "Param1=value1",
      NULL },
    { "post-sts-header-before",
      "POST / HTTP/1.1\r\nHost: example.amazonaws.com\r\nX-Amz-Date: 20150830T123600Z\r\n"
      "X-Amz-Security-Token: AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQ"
      "WLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2"
      "wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xV"
      "qr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxB"
      "A==\r\n"
      "Authorization: AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/"
      "aws4_request, SignedHeaders=host;x-amz-date;x-amz-security-token, "
      "Signature=85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead\r\n\r\n",
      "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmx"
      "fpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KP"
      "kyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqB"
      "Az+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==" },
};

static const char *check(const char *request, const char *token)
{
    const struct sigv4_keys keys = { "AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
                                     token, "us-east-1", "service" };
    const char *wrong = sigv4_check(request, strlen(request), &keys);
    return wrong ? wrong : "right";
}

static void published(void **state)
{
    const struct example *x = *state;
    assert_string_equal(check(x->request, x->token), "right");
}

/* A byte of the body or of a header that changes is noticed. */
static void a_changed_byte(void **state)
{
    (void)state;
    char copy[2048];
    snprintf(copy, sizeof copy, "%s", examples[1].request);
    copy[strlen(copy) - 1] ^= 1;
    assert_string_equal(check(copy, NULL), "the signature is another");
    snprintf(copy, sizeof copy, "%s", examples[1].request);
    strstr(copy, "example.amazonaws")[0] ^= 1;
    assert_string_equal(check(copy, NULL), "the signature is another");
}

/* A request that is signed rightly, but not as it must be. */
static void other_faults(void **state)
{
    char copy[2048];
    (void)state;
    assert_string_equal(check(examples[2].request, NULL), "the session token is not as it must be");
    assert_string_equal(check(examples[0].request, "another"),
                        "the session token is not as it must be");
    snprintf(copy, sizeof copy, "POST / HTTP/1.1\r\nX-Amz-Target: x%s",
             strstr(examples[0].request, "\r\n"));
    assert_string_equal(check(copy, NULL), "x-amz-target is not signed");
    snprintf(copy, sizeof copy, "POST / HTTP/1.1\r\nHost: x%s",
             strstr(examples[0].request, "\r\n"));
    assert_string_equal(check(copy, NULL), "host is not there once");
    snprintf(copy, sizeof copy, "%s", examples[0].request);
    memcpy(strstr(copy, "us-east-1"), "eu-west-1", 9);
    assert_string_equal(check(copy, NULL), "the scope is another");
    assert_string_equal(check("POST /\r\n\r\n", NULL), "this is no request");
}

int main(void)
{
    enum { N = sizeof examples / sizeof *examples };
    struct CMUnitTest t[N + 2] = { cmocka_unit_test(a_changed_byte),
                                   cmocka_unit_test(other_faults) };
    for (size_t i = 0; i < N; i++)
        t[i + 2] = (struct CMUnitTest){ examples[i].why, published, NULL, NULL,
                                        (void *)(uintptr_t)&examples[i] };
    return cmocka_run_group_tests(t, NULL, NULL);
}
