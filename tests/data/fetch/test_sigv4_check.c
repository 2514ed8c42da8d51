/* tests/data/fetch/test_sigv4_check.c - the verifier itself, by what AWS and NIST published. */
#include "tests/data/fetch/sigv4_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void sha256_of_abc(void **state)
{
    char hash[65];
    unsigned char digest[32];
    (void)state;
    sha256("abc", 3, digest); /* FIPS 180-4's example */
    assert_string_equal(hex_of(digest, hash),
                        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56, digest); /* two blocks */
    assert_string_equal(hex_of(digest, hash),
                        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

static void hmac_of_rfc4231(void **state)
{
    char hash[65];
    unsigned char digest[32];
    (void)state;
    hmac((const unsigned char *)"Jefe", 4, "what do ya want for nothing?",
         digest); /* test case 2 */
    assert_string_equal(hex_of(digest, hash),
                        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

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
    struct received r;
    assert_true(received_parse(request, strlen(request), &r));
    const char *wrong = sigv4_check(&r, "AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
                                    token, "us-east-1", "service");
    received_release(&r);
    return wrong;
}

static void published(void **state)
{
    const struct example *x = *state;
    const char *wrong = check(x->request, x->token);
    assert_string_equal(wrong ? wrong : "right", "right");
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

int main(void)
{
    enum { N = sizeof examples / sizeof *examples };
    struct CMUnitTest t[N + 3] = { cmocka_unit_test(sha256_of_abc),
                                   cmocka_unit_test(hmac_of_rfc4231),
                                   cmocka_unit_test(a_changed_byte) };
    for (size_t i = 0; i < N; i++)
        t[i + 3] = (struct CMUnitTest){ examples[i].why, published, NULL, NULL,
                                        (void *)(uintptr_t)&examples[i] };
    return cmocka_run_group_tests(t, NULL, NULL);
}
