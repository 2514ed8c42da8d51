/* tests/data/ingest/json/test_json_scan.c - the walk over JSON text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/ingest/json/json_scan.h"

#define N(a) (sizeof(a) / sizeof *(a))

static const struct scan_case {
    const char *why, *in;
    const char *fault; /* NULL = well-formed */
    int64_t line;
    size_t column, n_values;
} cases[] = {
    { "a number", "12.5e-3", NULL, 0, 0, 1 },
    { "an empty object", " {} ", NULL, 0, 0, 1 },
    { "an empty array inside one", "[[]]", NULL, 0, 0, 2 },
    { "values count, keys do not", "{\"a\":[1,2,{\"b\":null}],\"c\":true}", NULL, 0, 0, 7 },
    { "every escape", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\\uDE00\"", NULL, 0, 0, 1 },
    { "a brace inside a text", "[\"}\"]", NULL, 0, 0, 2 },
    { "nothing", "", "the input ends where a value should be", 1, 1, 0 },
    { "a missing quote: the line break inside the text tells it", "{\n \"a\": \"x,\n \"b\": 1}",
      "the text is not closed by '\"' on its line", 2, 7, 0 },
    { "cut inside a text", "[\"abc", "the input ends inside a text", 1, 2, 0 },
    { "cut inside an array", "[1,", "the input ends where a value should be", 1, 4, 0 },
    { "cut inside an object", "{\"a\":1", "the input ends inside an object", 1, 7, 0 },
    { "cut behind a key", "{\"a\":", "the input ends where a value should be", 1, 6, 0 },
    { "no comma", "[1 2]", "expected ',' or ']'", 1, 4, 0 },
    { "no comma between members", "{\"a\":1 \"b\":2}", "expected ',' or '}'", 1, 8, 0 },
    { "a comma too many", "[1,]", "expected a value", 1, 4, 0 },
    { "a key without quotes", "{a:1}", "expected a key in '\"'", 1, 2, 0 },
    { "no colon", "{\"a\" 1}", "expected ':' after a key", 1, 6, 0 },
    { "the wrong bracket", "[1}", "expected ',' or ']'", 1, 3, 0 },
    { "nan", "[nan]", "expected a value", 1, 2, 0 },
    { "a number without digits", "[-]", "malformed number", 1, 3, 0 },
    { "a number that ends in a point", "[1.]", "malformed number", 1, 4, 0 },
    { "a number with an empty exponent", "[1e+]", "malformed number", 1, 5, 0 },
    { "a control character", "[\"a\tb\"]", "control character inside a text", 1, 2, 0 },
    { "half a surrogate pair", "[\"\\uD83Dx\"]", "half of a surrogate pair in a \\u escape", 1, 9,
      0 },
    { "an escape nobody knows", "[\"\\q\"]", "unknown escape after '\\'", 1, 4, 0 },
    { "a byte that starts nothing", "[\x01]", "expected a value", 1, 2, 0 },
};

static void scan(void **state)
{
    const struct scan_case *c = *state;
    struct json_cursor at;
    struct json_value v = { .n_values = 0 };
    json_start(&at, span_of(c->in), 1);
    int rc = json_skip(&at, &v);
    assert_int_equal(rc, c->fault ? -1 : 0);
    if (!c->fault) {
        assert_int_equal(v.n_values, c->n_values);
        assert_int_equal(json_at_value(&at), 0);
        return;
    }
    assert_string_equal(at.fault.what, c->fault);
    assert_int_equal(at.fault.line, c->line);
    assert_int_equal(at.fault.column, c->column);
}

/* What the walk calls well-formed, cJSON must take: a NULL of cJSON then means memory. */
static void agrees_with_cjson(void **state)
{
    (void)state;
    for (size_t i = 0; i < N(cases); i++) {
        cJSON *tree = cJSON_ParseWithLength(cases[i].in, strlen(cases[i].in));
        if (!cases[i].fault)
            assert_non_null(tree);
        cJSON_Delete(tree);
    }
}

static void number_of_400_digits(void **state)
{
    (void)state;
    char text[402];
    struct json_cursor c;
    struct json_value v;
    memset(text, '7', sizeof text);
    json_start(&c, (struct span){ text, sizeof text }, 1);
    assert_int_equal(json_skip(&c, &v), -1);
    assert_string_equal(c.fault.what, "number of more than 60 characters");
}

/* cJSON itself nests 1 000 deep; ours must stop before and must not recurse. */
static void nesting(void **state)
{
    (void)state;
    enum { DEEP = 100000 };
    struct json_cursor c;
    struct json_value v;
    char *text = malloc(2 * DEEP);
    assert_non_null(text);
    memset(text, '[', DEEP);
    memset(text + DEEP, ']', DEEP);
    json_start(&c, (struct span){ text, 2 * DEEP }, 1);
    assert_int_equal(json_skip(&c, &v), -1);
    assert_string_equal(c.fault.what, "nested more than 900 deep");
    json_start(&c, (struct span){ text + DEEP - JSON_DEPTH_MAX, 2 * JSON_DEPTH_MAX }, 1);
    assert_int_equal(json_skip(&c, &v), 0);
    cJSON *tree = cJSON_ParseWithLength(v.text.ptr, v.text.len);
    assert_non_null(tree);
    cJSON_Delete(tree);
    free(text);
}

static void members(void **state)
{
    (void)state;
    struct json_value doc = { SPAN_LIT("{\"a\":{\"b\":1},\n \"b\":[2],\"c\":\"x\"}"), 5, 0 }, v;
    assert_true(json_member(doc, "b", &v));
    assert_true(json_is_array(v));
    assert_int_equal(v.line, 6); /* the document starts on line 5 */
    assert_false(json_member(doc, "d", &v));
    assert_false(json_member(v, "a", &v));
}

static const struct head_case {
    const char *why, *head, *key;
    bool want;
} heads[] = {
    { "a key of the object", "{\"Messages\":[],\"Volumes\":[", "Volumes", true },
    { "its value is cut, the key is not", "{\"Volumes\": [{\"VolumeId\": \"vol-0a", "Volumes",
      true },
    { "a key further in is none of the document", "{\"a\":{\"Volumes\":1}}", "Volumes", false },
    { "an SDK recording is looked through", "{\"status_code\":200,\"data\":{\"Volumes\":[",
      "Volumes", true },
    { "the first element of an array", "[{\"Id\":\"m1\",\"Values\":[", "Values", true },
    { "the second element is not looked at", "[{\"Id\":\"m1\"},{\"Values\":[]}]", "Values", false },
    { "no JSON", "Volumes", "Volumes", false },
    { "nothing", "", "Volumes", false },
};

static void head(void **state)
{
    const struct head_case *c = *state;
    assert_int_equal(json_head_has(span_of(c->head), c->key), c->want);
}

int main(void)
{
    struct CMUnitTest t[N(cases) + N(heads) + 4];
    size_t n = 0;
    for (size_t i = 0; i < N(cases); i++)
        t[n++] =
            (struct CMUnitTest){ cases[i].why, scan, NULL, NULL, (void *)(uintptr_t)&cases[i] };
    for (size_t i = 0; i < N(heads); i++)
        t[n++] =
            (struct CMUnitTest){ heads[i].why, head, NULL, NULL, (void *)(uintptr_t)&heads[i] };
    t[n++] = (struct CMUnitTest)cmocka_unit_test(agrees_with_cjson);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(number_of_400_digits);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(nesting);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(members);
    return _cmocka_run_group_tests("json_scan", t, n, NULL, NULL);
}
