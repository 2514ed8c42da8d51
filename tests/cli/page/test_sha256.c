/* tests/cli/page/test_sha256.c - the examples of FIPS 180-4 (NIST's "SHA-256" examples) and lengths
 * around a block, as sha256sum gives them. */
#include "cli/page/sha256.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct hash_case {
    const char *why;
    char fill; /* n of it; 0 = text */
    size_t n;
    const char *text, *want;
} cases[] = {
    { "nothing", 0, 0, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
    { "one block", 0, 3, "abc",
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
    { "two blocks", 0, 56, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
    { "the last length of one block", 'a', 55, NULL,
      "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318" },
    { "a full block", 'a', 64, NULL,
      "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb" },
    { "a million", 'a', 1000000, NULL,
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0" },
};

static char filled[1000000];

static void hash(void **state)
{
    const struct hash_case *c = *state;
    unsigned char got[SHA256_BYTES];
    char hex[2 * SHA256_BYTES + 1];
    memset(filled, c->fill, sizeof filled);
    sha256_of(c->fill ? filled : c->text, c->n, got);
    for (size_t i = 0; i < SHA256_BYTES; i++)
        snprintf(hex + 2 * i, 3, "%02x", got[i]);
    assert_string_equal(hex, c->want);
}

int main(void)
{
    enum { N = sizeof cases / sizeof *cases };
    struct CMUnitTest t[N];
    for (size_t i = 0; i < N; i++)
        t[i] = (struct CMUnitTest){ cases[i].why, hash, NULL, NULL, (void *)(uintptr_t)&cases[i] };
    return _cmocka_run_group_tests("sha256", t, N, NULL, NULL);
}
