/* tests/cli/serve/test_request_guard.c - only the page itself, and programs on this machine, are
 * answered. */
#include "cli/serve/request_guard.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct guard_case {
    const char *why;
    struct request_origin from;
    const char *refused; /* NULL, or part of why */
} cases[] = {
    { "curl", { "127.0.0.1:8765", NULL, NULL }, NULL },
    { "no port", { "localhost", NULL, NULL }, NULL },
    { "capitals", { "LocalHost:8765", NULL, NULL }, NULL },
    { "a forwarded port", { "localhost:9000", NULL, NULL }, NULL },
    { "the other loopback", { "[::1]:8765", NULL, NULL }, NULL },
    { "the page's own scripts",
      { "127.0.0.1:8765", "http://127.0.0.1:8765", "same-origin" },
      NULL },
    { "typed into the address bar", { "127.0.0.1:8765", NULL, "none" }, NULL },

    { "no Host", { NULL, NULL, NULL }, "Host" },
    { "an empty Host", { "", NULL, NULL }, "Host" },
    { "a name rebound to 127.0.0.1", { "evil.example:8765", NULL, NULL }, "Host" },
    { "a name that begins like ours", { "localhost.evil.example", NULL, NULL }, "Host" },
    { "an address that begins like ours", { "127.0.0.1.evil.example:8765", NULL, NULL }, "Host" },
    { "a user before the name", { "localhost:8765@evil.example", NULL, NULL }, "Host" },
    { "a port that is none", { "localhost:", NULL, NULL }, "Host" },
    { "another address of this machine", { "0.0.0.0:8765", NULL, NULL }, "Host" },
    { "a page from elsewhere", { "127.0.0.1:8765", "https://evil.example", NULL }, "Origin" },
    { "another server on this machine",
      { "127.0.0.1:8765", "http://127.0.0.1:3000", NULL },
      "Origin" },
    { "our other name", { "127.0.0.1:8765", "http://localhost:8765", NULL }, "Origin" },
    { "a page in a sandbox", { "127.0.0.1:8765", "null", NULL }, "Origin" },
    { "an empty Origin", { "127.0.0.1:8765", "", NULL }, "Origin" },
    { "an image in a page from elsewhere", { "127.0.0.1:8765", NULL, "cross-site" }, "Sec-Fetch" },
    { "from another port of localhost", { "localhost:8765", NULL, "same-site" }, "Sec-Fetch" },
};

static void a_request(void **state)
{
    const struct guard_case *c = *state;
    const char *why = request_refused(&c->from);
    assert_int_equal(why == NULL, c->refused == NULL);
    if (why && c->refused && !strstr(why, c->refused))
        fail_msg("'%s' does not speak of %s", why, c->refused);
}

int main(void)
{
    enum { N = sizeof cases / sizeof *cases };
    struct CMUnitTest tests[N];
    for (size_t i = 0; i < N; i++)
        tests[i] = (struct CMUnitTest){ cases[i].why, a_request, NULL, NULL,
                                        (void *)(uintptr_t)&cases[i] };
    return cmocka_run_group_tests_name("request_guard", tests, NULL, NULL);
}
