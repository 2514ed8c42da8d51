/* tests/cli/page/test_page.c - whatever words and names are, they stay words and names of the page.
 */
#include "cli/page/page.h"

#include "models/core/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include <cmocka.h>

/* What would end the element that it stands in, begin one, or break a line of a script. */
static const char *const evil[] = {
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "]]>\xe2\x80\xa8\xe2\x80\xa9&lt;\"'\\",
    "\xff\xfe<b>\r\n\t\x1b[31m",
};
enum { N_EVIL = sizeof evil / sizeof *evil };

static int tell_evil(void *ctx, struct emit *m, struct err *e)
{
    (void)ctx, (void)e;
    emit_begin(m, "names", EMIT_LIST);
    for (size_t i = 0; i < N_EVIL; i++)
        emit_text(m, NULL, evil[i]);
    emit_end(m);
    emit_text(m, evil[0], "a key too");
    return 0;
}

static int tell_nothing(void *ctx, struct emit *m, struct err *e)
{
    (void)ctx, (void)m;
    return err_set(e, ERR_LIMIT, "too much");
}

static char *page_of(const struct page *p, int want)
{
    char *text = NULL;
    size_t n = 0;
    struct err e = { 0 };
    FILE *f = open_memstream(&text, &n);
    assert_non_null(f);
    assert_int_equal(page_write(f, p, &e), want);
    fclose(f);
    return text;
}

static const struct page page_of_evil = {
    .title = "<i>&</i>", .verdict = evil, .n_verdict = N_EVIL, .data = tell_evil
};

static size_t count_of(const char *text, const char *word)
{
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; at += strlen(word))
        n++;
    return n;
}

/* The JSON of the page, ended. */
static char *data_of(const char *page)
{
    static const char begin[] = "id=\"volplan-data\">";
    const char *at = strstr(page, begin);
    assert_non_null(at);
    at += sizeof begin - 1;
    const char *end = strstr(at, "</script>");
    assert_non_null(end);
    return strndup(at, (size_t)(end - at));
}

static void names_are_no_markup(void **state)
{
    (void)state;
    const struct page plain = { .title = "PRD1" };
    char *live = page_of(&plain, 0), *page = page_of(&page_of_evil, 0);
    assert_int_equal(count_of(page, "<script"), count_of(live, "<script"));
    assert_int_equal(count_of(page, "</script"), count_of(live, "</script"));
    assert_int_equal(count_of(page, "<!--"), count_of(live, "<!--"));
    assert_int_equal(count_of(page, "<b>"), count_of(live, "<b>"));
    assert_non_null(strstr(page, "<title>&#60;i&#62;&#38;&#60;/i&#62;"));
    assert_non_null(
        strstr(page, "<p>&#60;/script&#62;&#60;script&#62;alert(1)&#60;/script&#62;</p>"));
    free(live);
    free(page);
}

static void data_comes_back(void **state)
{
    (void)state;
    char *page = page_of(&page_of_evil, 0), *data = data_of(page);
    assert_null(strpbrk(data, "<>&"));
    assert_null(strstr(data, "\xe2\x80\xa8"));
    cJSON *json = cJSON_Parse(data);
    assert_non_null(json);
    cJSON *names = cJSON_GetObjectItem(json, "names");
    for (int i = 0; i < 3; i++) /* the last one is no UTF-8, so it cannot come back */
        assert_string_equal(cJSON_GetArrayItem(names, i)->valuestring, evil[i]);
    cJSON_Delete(json);
    free(data);
    free(page);
}

static void a_live_page_holds_no_data(void **state)
{
    (void)state;
    char *page = page_of(&(struct page){ .title = "volplan" }, 0), *data = data_of(page);
    cJSON *json = cJSON_Parse(data), *report = cJSON_GetObjectItem(json, "report");
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(report, "live")));
    assert_int_equal(cJSON_GetArraySize(json), 1);
    assert_non_null(strstr(page, "connect-src 'self'"));
    assert_null(strstr(page, "connect-src 'none'"));
    cJSON_Delete(json);
    free(data);
    free(page);
}

static void a_page_with_data_connects_to_nothing(void **state)
{
    (void)state;
    char *page = page_of(&page_of_evil, 0);
    assert_non_null(strstr(page, "default-src 'none'"));
    assert_null(strstr(page, "connect-src 'self'"));
    assert_null(strstr(page, "sourceMappingURL"));
    assert_non_null(strstr(page, "script-src 'sha256-")); /* its own scripts, and no other */
    assert_null(strstr(page, "script-src 'unsafe-inline'"));
    free(page);
}

static void what_goes_wrong_is_told(void **state)
{
    (void)state;
    free(page_of(&(struct page){ .title = "PRD1", .data = tell_nothing }, ERR_LIMIT));
    struct err e = { 0 };
    FILE *full = fopen("/dev/full", "w");
    assert_non_null(full);
    assert_int_equal(page_write(full, &page_of_evil, &e), ERR_IO);
    assert_non_null(strstr(e.text, "cannot be written"));
    fclose(full);
    mem_calls = 0;
    mem_fail_at = 1;
    free(page_of(&page_of_evil, ERR_NOMEM));
    mem_fail_at = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_no_markup),
        cmocka_unit_test(data_comes_back),
        cmocka_unit_test(a_live_page_holds_no_data),
        cmocka_unit_test(a_page_with_data_connects_to_nothing),
        cmocka_unit_test(what_goes_wrong_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
