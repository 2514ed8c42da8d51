/* tests/data/fetch/test_ec2_xml.c - replies of EC2 as the CLI's JSON, and what is refused. */
#include "data/fetch/ec2.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define VOLUMES(inner)                                                                             \
    "<?xml version=\"1.0\"?>\n<DescribeVolumesResponse xmlns=\"http://ec2.amazonaws.com/doc/"      \
    "2016-11-15/\">" inner "</DescribeVolumesResponse>"

static const struct xml_case {
    const char *why, *xml;
    int rc;
    const char *json, *token; /* or the words of the error */
} cases[] = {
    { "an item; numbers are numbers, a tag stays text, an empty element is not told",
      VOLUMES("<requestId>x</requestId><volumeSet><item><volumeId>vol-1</volumeId><size>8</size>"
              "<iops/><tagSet><item><key>Name</key><value>007</value></item></tagSet>"
              "<multiAttachEnabled>false</multiAttachEnabled></item></volumeSet>"),
      0,
      "{\"Volumes\":[{\"VolumeId\":\"vol-1\",\"Size\":8,\"Tags\":[{\"Key\":\"Name\",\"Value\":"
      "\"007\"}],\"MultiAttachEnabled\":false}]}",
      "" },
    { "text is decoded, and encoded for JSON",
      VOLUMES("<volumeSet><item><tagSet><item><value>a&lt;&amp;&#34;\\</value></item></tagSet>"
              "</item></volumeSet><nextToken>a+b=</nextToken>"),
      0, "{\"Volumes\":[{\"Tags\":[{\"Value\":\"a<&\\\"\\\\\"}]}]}", "a+b=" },
    { "an empty list", VOLUMES("<volumeSet/>"), 0, "{\"Volumes\":[]}", "" },
    { "what is not asked for is not carried over",
      VOLUMES("<volumeSet><item><kmsKeyId>arn:secret</kmsKeyId><volumeId>vol-1</volumeId></item>"
              "</volumeSet>"),
      0, "{\"Volumes\":[{\"VolumeId\":\"vol-1\"}]}", "" },
    { "an element twice: the first counts",
      VOLUMES("<volumeSet><item><volumeId>vol-1</volumeId><volumeId>vol-2</volumeId></item>"
              "</volumeSet>"),
      0, "{\"Volumes\":[{\"VolumeId\":\"vol-1\"}]}", "" },
    { "a number that is none", VOLUMES("<volumeSet><item><size>8G</size></item></volumeSet>"),
      ERR_PARSE, "DescribeVolumes: <size>: '8G' is no number", NULL },
    { "another reply", "<DescribeInstancesResponse/>", ERR_PARSE,
      "DescribeVolumes: the reply is <DescribeInstancesResponse>, expected "
      "<DescribeVolumesResponse>",
      NULL },
    { "a document type, whatever it does",
      "<!DOCTYPE x [<!ENTITY a \"b\">]><DescribeVolumesResponse/>", ERR_NET_FINAL,
      "DescribeVolumes: the reply has a document type, as no answer of EC2 has: refused", NULL },
    { "an entity of a file",
      "<?xml version=\"1.0\"?>\n<!DOCTYPE x [<!ENTITY a SYSTEM \"file:///etc/passwd\">]>"
      "<DescribeVolumesResponse><nextToken>&a;</nextToken></DescribeVolumesResponse>",
      ERR_NET_FINAL, "DescribeVolumes: the reply has a document type, as no answer of EC2 has",
      NULL },
    { "an entity that nobody declared", VOLUMES("<volumeSet>&a;</volumeSet>"), ERR_PARSE,
      "DescribeVolumes: the reply is no whole XML (line 2)", NULL },
    { "cut", "<DescribeVolumesResponse><volumeSet>", ERR_PARSE,
      "DescribeVolumes: the reply is no whole XML (line 1)", NULL },
    { "nothing", "", ERR_PARSE, "DescribeVolumes: the reply is no whole XML", NULL },
};

static void converts(void **state)
{
    const struct xml_case *x = *state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct span json, token;
    int rc = ec2_page(EC2_VOLUMES, (struct span){ x->xml, strlen(x->xml) }, &a, &json, &token, &e);
    assert_int_equal(rc, x->rc);
    if (rc) {
        if (strncmp(e.text, x->json, strlen(x->json)) != 0)
            fail_msg("said: %s", e.text);
    } else {
        assert_string_equal(json.ptr, x->json);
        assert_true(span_is(token, x->token));
    }
    arena_release(&a);
}

static void is_not_deep(void **state)
{
    static char xml[4000] = "<DescribeVolumesResponse>";
    struct arena a = { 0 };
    struct err e = { 0 };
    struct span json, token;
    size_t n = strlen(xml);
    (void)state;
    for (int i = 0; i < 40; i++)
        n += (size_t)snprintf(xml + n, sizeof xml - n, "<volumeSet><item>");
    for (int i = 0; i < 40; i++)
        n += (size_t)snprintf(xml + n, sizeof xml - n, "</item></volumeSet>");
    n += (size_t)snprintf(xml + n, sizeof xml - n, "</DescribeVolumesResponse>");
    assert_int_equal(ec2_page(EC2_VOLUMES, (struct span){ xml, n }, &a, &json, &token, &e),
                     ERR_LIMIT);
    arena_release(&a);
}

/* 64 MiB of "<a/>" would be two GiB of nodes. */
static void is_not_wide(void **state)
{
    static const char head[] = "<DescribeVolumesResponse>", tail[] = "</DescribeVolumesResponse>";
    enum { TAGS = 4 * 1000 * 1000 };
    size_t n = strlen(head);
    char *xml = malloc(n + TAGS * strlen("<a/>") + sizeof tail);
    struct arena a = { 0 };
    struct err e = { 0 };
    struct span json, token;
    (void)state;
    assert_non_null(xml);
    memcpy(xml, head, n);
    for (int i = 0; i < TAGS; i++, n += 4)
        memcpy(xml + n, "<a/>", 4);
    memcpy(xml + n, tail, strlen(tail));
    n += strlen(tail);
    assert_int_equal(ec2_page(EC2_VOLUMES, (struct span){ xml, n }, &a, &json, &token, &e),
                     ERR_LIMIT);
    assert_string_equal(e.text, "DescribeVolumes: the reply has more than 4000000 tags");
    arena_release(&a);
    free(xml);
}

int main(void)
{
    enum { N = sizeof cases / sizeof *cases };
    struct CMUnitTest t[N + 2] = { cmocka_unit_test(is_not_deep), cmocka_unit_test(is_not_wide) };
    for (size_t i = 0; i < N; i++)
        t[i + 2] =
            (struct CMUnitTest){ cases[i].why, converts, NULL, NULL, (void *)(uintptr_t)&cases[i] };
    return cmocka_run_group_tests(t, NULL, NULL);
}
