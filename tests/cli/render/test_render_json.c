/* tests/cli/render/test_render_json.c - JSON that every reader accepts. */
#include "models/core/mem.h"
#include "tests/cli/render/capture.h"
#include "tests/row_tests.h"

#include <cjson/cJSON.h>

static void open_json(struct capture *c)
{
    capture_open(c);
    c->m = render_json(c->f);
    assert_non_null(c->m);
}

static const struct number_case {
    const char *why;
    double v;
    const char *want;
} numbers[] = {
    { "a whole number has no point", 500, "500" },
    { "no trailing zeros", 81.25, "81.25" },
    { "at most six decimals", 1.0 / 3, "0.333333" },
    { "binary dust of a sum disappears", 0.1 + 0.2, "0.3" },
    { "0.6 millionth rounds up at the sixth decimal", 0.0000006, "0.000001" },
    { "below half a millionth is 0, never -0", -0.0000001, "0" },
    { "negative", -1.5, "-1.5" },
    { "392.1 GiB in bytes: no more decimals than tell the double from its neighbours",
      421014169190.4, "421014169190.4" },
    { "2^53, from where on doubles are whole numbers", 9007199254740992.0, "9007199254740992" },
    { "1e21", 1e21, "1e+21" },
    { "not measured", NAN, "null" },
    { "infinite is not measured either", INFINITY, "null" },
};

static void number(void **state)
{
    const struct number_case *n = *state;
    char want[100];
    struct capture c;
    open_json(&c);
    emit_num(c.m, "v", UNIT_NONE, n->v);
    snprintf(want, sizeof want, "{\n  \"v\": %s\n}\n", n->want);
    capture_expect(&c, want);
}

static const struct money_case {
    const char *why;
    int64_t microusd;
    const char *want;
} money[] = {
    { "cents", 387500000, "387.5" },
    { "whole dollars", 40000000, "40" },
    { "four decimals", 123456700, "123.4567" },
    { "the fifth is rounded half up", 123456750, "123.4568" },
    { "below half of the fourth is 0", 49, "0" },
    { "a saving", -1500000, "-1.5" },
    { "no -0", -49, "0" },
    { "unknown", UNKNOWN, "null" },
    { "the largest", INT64_MAX, "9223372036854.7758" },
};

static void usd(void **state)
{
    const struct money_case *n = *state;
    char want[100];
    struct capture c;
    open_json(&c);
    emit_usd(c.m, "total_usd", n->microusd);
    snprintf(want, sizeof want, "{\n  \"total_usd\": %s\n}\n", n->want);
    capture_expect(&c, want);
}

/* Digits that no double holds come through. */
static void decimal(void **state)
{
    (void)state;
    struct capture c;
    open_json(&c);
    emit_decimal(c.m, "cost_usd", "123456789012.000000000001");
    emit_decimal(c.m, "list_cost_usd", NULL);
    capture_expect(&c, "{\n  \"cost_usd\": 123456789012.000000000001,\n"
                       "  \"list_cost_usd\": null\n}\n");
}

static const struct text_case {
    const char *why, *in, *want;
} texts[] = {
    { "plain", "Log File", "Log File" },
    { "quotes and backslashes", "a\"b\\c", "a\\\"b\\\\c" },
    { "line break and tab have short forms", "a\nb\tc", "a\\nb\\tc" },
    { "escape sequences", "\033[2J", "\\u001b[2J" },
    { "DEL and C1 would act on a terminal", "\x7f\xc2\x9b", "\\u007f\\u009b" },
    { "direction marks", "\xe2\x80\xae", "\\u202e" },
    { "UTF-8 stays", "d\xc3\xbcsk", "d\xc3\xbcsk" },
    { "broken UTF-8 becomes U+FFFD, byte by byte", "a\xff\xe2\x82", "a\\ufffd\\ufffd\\ufffd" },
    { "beyond the basic plane", "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80" },
    { "empty", "", "" },
};

static void text(void **state)
{
    const struct text_case *t = *state;
    char want[100];
    struct capture c;
    open_json(&c);
    emit_text(c.m, "name", t->in);
    snprintf(want, sizeof want, "{\n  \"name\": \"%s\"\n}\n", t->want);
    capture_expect(&c, want);
}

static void keys_are_escaped_too(void **state)
{
    (void)state;
    struct capture c;
    open_json(&c);
    emit_int(c.m, "redo \"size\"\n", UNIT_NONE, 1);
    capture_expect(&c, "{\n  \"redo \\\"size\\\"\\n\": 1\n}\n");
}

static void nests(void **state)
{
    (void)state;
    struct capture c;
    open_json(&c);
    emit_begin(c.m, "empty", EMIT_LIST);
    emit_end(c.m);
    emit_begin(c.m, "days", EMIT_LIST);
    emit_int(c.m, NULL, UNIT_NONE, 1);
    emit_int(c.m, NULL, UNIT_NONE, UNKNOWN);
    emit_end(c.m);
    emit_begin(c.m, "rows", EMIT_LIST);
    for (int i = 0; i < 2; i++) {
        emit_begin(c.m, NULL, EMIT_OBJECT);
        emit_bool(c.m, "ok", i);
        emit_begin(c.m, "in", EMIT_OBJECT);
        emit_time(c.m, "at", 1652857200000); /* 2022-05-18 07:00 */
        emit_date(c.m, "day", 1652857200000);
        emit_end(c.m);
        emit_end(c.m);
    }
    emit_end(c.m);
    emit_say(c.m, "words are for people");
    emit_label(c.m, "label", "so are labels");
    capture_expect(&c, "{\n"
                       "  \"empty\": [],\n"
                       "  \"days\": [1, null],\n"
                       "  \"rows\": [\n"
                       "    {\"ok\": false, \"in\": {\"at\": \"2022-05-18T07:00:00Z\", \"day\": "
                       "\"2022-05-18\"}},\n"
                       "    {\"ok\": true, \"in\": {\"at\": \"2022-05-18T07:00:00Z\", \"day\": "
                       "\"2022-05-18\"}}\n"
                       "  ]\n}\n");
}

static void an_empty_document_is_an_object(void **state)
{
    (void)state;
    struct capture c;
    open_json(&c);
    capture_expect(&c, "{}\n");
}

/* A document made of hostile pieces must come back from a parser. */
static void a_parser_takes_it(void **state)
{
    (void)state;
    struct capture c;
    struct err e = { 0 };
    open_json(&c);
    char bytes[257];
    for (int i = 1; i < 256; i++)
        bytes[i - 1] = (char)i;
    bytes[255] = '\0';
    emit_text(c.m, bytes, bytes);
    assert_int_equal(capture_close(&c, &e), 0);
    cJSON *doc = cJSON_Parse(c.text);
    assert_non_null(doc);
    assert_int_equal(cJSON_GetArraySize(doc), 1);
    cJSON_Delete(doc);
    free(c.text);
}

static void a_full_disk_is_an_error(void **state)
{
    (void)state;
    FILE *full = fopen("/dev/full", "w");
    assert_non_null(full);
    struct err e = { 0 };
    struct emit *m = render_json(full);
    assert_non_null(m);
    emit_int(m, "v", UNIT_NONE, 1);
    assert_int_equal(emit_close(m, &e), ERR_IO);
    assert_non_null(strstr(e.text, "No space left"));
    fclose(full);
}

/* After an error in the making of the report nothing more is written. */
static void a_failed_document_stays_unfinished(void **state)
{
    (void)state;
    struct capture c;
    struct err e = { 0 };
    open_json(&c);
    c.m->failed = ERR_NOMEM;
    emit_int(c.m, "v", UNIT_NONE, 1);
    assert_int_equal(capture_close(&c, &e), ERR_NOMEM);
    assert_string_equal(c.text, "");
    free(c.text);
}

static void no_memory(void **state)
{
    (void)state;
    mem_fail_at = mem_calls + 1;
    assert_null(render_json(stdout));
    mem_fail_at = 0;
}

int main(void)
{
    struct CMUnitTest t[80];
    size_t n = 0;
    ADD_ROW_TESTS(t, n, numbers, number);
    ADD_ROW_TESTS(t, n, money, usd);
    ADD_ROW_TESTS(t, n, texts, text);
    static const struct CMUnitTest more[] = {
        cmocka_unit_test(decimal),
        cmocka_unit_test(keys_are_escaped_too),
        cmocka_unit_test(nests),
        cmocka_unit_test(an_empty_document_is_an_object),
        cmocka_unit_test(a_parser_takes_it),
        cmocka_unit_test(a_full_disk_is_an_error),
        cmocka_unit_test(a_failed_document_stays_unfinished),
        cmocka_unit_test(no_memory),
    };
    memcpy(t + n, more, sizeof more);
    n += sizeof more / sizeof *more;
    return _cmocka_run_group_tests("render_json", t, n, NULL, NULL);
}
