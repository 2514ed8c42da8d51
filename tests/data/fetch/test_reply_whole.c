/* tests/data/fetch/test_reply_whole.c - what came: all of it, and no web page? */
#include "data/fetch/reply_whole.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct reply_case {
    const char *why, *body;
    bool whole, html;
} cases[] = {
    { "nothing", "", false, false },
    { "JSON", " {\"a\":[1]}\n", true, false },
    { "JSON, cut", "{\"a\":[1", false, false },
    { "XML", "<?xml version=\"1.0\"?>\n<A x=\"1\"><B/></A>\n", true, false },
    { "XML, cut", "<A><B/></", false, false },
    { "XML, cut in its declaration", "<?xml version=", false, false },
    { "a document type that is not of HTML", "<!DOCTYPE A [<!ENTITY x SYSTEM \"f\">]><A>&x;</A>",
      true, false },
    { "the same behind a declaration", "<?xml version=\"1.0\"?>\n<!DOCTYPE A><A/>", true, false },
    { "a name that only begins so", "<!DOCTYPE htmlx><htmlx/>", true, false },
    { "a page", "<!DOCTYPE html><h1>Log in</h1>", true, true },
    { "a page, as some write it", "\r\n <!doctype\n HTML PUBLIC \"x\"><p>", true, true },
    { "a page of XHTML", "<?xml version=\"1.0\"?><!DOCTYPE html PUBLIC \"x\"><html></html>", true,
      true },
    { "a page without a document type", "<HTML><body>Log in</body>", false, true },
    { "its shortest", "<html", false, true },
    { "an element that only begins so", "<htmlx/>", true, false },
};

static void a_reply(void **state)
{
    const struct reply_case *c = *state;
    assert_int_equal(reply_is_whole(span_of(c->body)), c->whole);
    assert_int_equal(reply_is_html(span_of(c->body)), c->html);
}

int main(void)
{
    enum { N = sizeof cases / sizeof *cases };
    struct CMUnitTest t[N];
    for (size_t i = 0; i < N; i++)
        t[i] =
            (struct CMUnitTest){ cases[i].why, a_reply, NULL, NULL, (void *)(uintptr_t)&cases[i] };
    return cmocka_run_group_tests_name("reply_whole", t, NULL, NULL);
}
