/* tests/data/test_format.c - formats are told by content; what is not known is described. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "data/ingest/format.h"
#include "models/core/unit.h"
#include "tests/row_tests.h"

#define N(a) (sizeof(a) / sizeof *(a))
#define BYTES(s)                                                                                   \
    {                                                                                              \
        (s), sizeof(s) - 1                                                                         \
    }

#define IOSTAT "Device r/s rkB/s w/s wkB/s %util\nsda 1.00 8.00 0.00 0.00 0.10\n"

static const struct told_case {
    const char *why;
    struct span bytes;
    const char *want; /* a format's name, or the beginning of the error */
    bool known;
} told_cases[] = {
    { "iostat", BYTES(IOSTAT), "iostat", true },
    { "iostat behind a byte order mark", BYTES("\xEF\xBB\xBF" IOSTAT), "iostat", true },
    { "iostat with CRLF", BYTES("Device r/s rkB/s w/s wkB/s %util\r\nsda 1 8 0 0 1\r\n"), "iostat",
      true },
    { "an empty file", BYTES(""), "f.txt:1: the file is empty", false },
    { "only a byte order mark", BYTES("\xEF\xBB\xBF"), "f.txt:1: the file is empty", false },
    { "only blanks", BYTES(" \n\n \n"), "f.txt:1: looks like nothing but blanks", false },
    { "UTF-16 with its mark, decoded",
      BYTES("\xFF\xFE"
            "D\0e\0a\0r\0"),
      "f.txt:1: looks like text of another kind, beginning 'Dear'", false },
    { "UTF-16 without mark", BYTES("D\0e\0v\0i\0c\0e\0 \0r\0/\0s\0"),
      "f.txt:1: looks like UTF-16 text; convert it to UTF-8", false },
    { "7z", BYTES("7z\xBC\xAF\x27\x1C\0\4"), "f.txt:1: looks like a 7z archive; unpack it", false },
    { "an SQLite database", BYTES("SQLite format 3\0\x10"),
      "f.txt:1: looks like an SQLite database", false },
    { "other bytes", BYTES("\x01\x02\x03\x04\x05\x80\x90\0\0\0\0abc"),
      "f.txt:1: looks like binary data; not one of the formats that 'volplan help inspect' lists",
      false },
    { "the JSON of sysstat", BYTES("{\"sysstat\": {\n"),
      "f.txt:1: looks like the JSON of sysstat (iostat -o JSON, sadf -j); collect iostat's text",
      false },
    { "HTML", BYTES("<html><body>hello</body></html>"), "f.txt:1: looks like HTML or XML", false },
    { "prose", BYTES("\nDear all,\nplease find attached\n"),
      "f.txt:1: looks like text of another kind, beginning 'Dear all,'; not one of the formats that"
      " 'volplan help inspect' lists",
      false },
};

static void told(void **state)
{
    const struct told_case *c = *state;
    static const struct ingest_options o = { .date_ms = UNKNOWN, .interval_s = NAN };
    struct source *s = source_of_span("f.txt", c->bytes);
    const struct format *f = NULL;
    struct err e = { 0 };
    assert_non_null(s);
    int rc = format_of(s, &o, &f, &e);
    if (c->known) {
        assert_int_equal(rc, 0);
        assert_string_equal(f->name, c->want);
    } else {
        assert_int_equal(rc, ERR_PARSE);
        assert_int_equal(e.code, ERR_PARSE);
        if (strncmp(e.text, c->want, strlen(c->want)) != 0)
            fail_msg("'%s' does not begin with '%s'", e.text, c->want);
    }
    source_close(s);
}

static void the_name_the_user_gave_wins(void **state)
{
    (void)state;
    struct ingest_options o = { .format = "iostat", .date_ms = UNKNOWN, .interval_s = NAN };
    struct source *s = source_of_span("f.txt", SPAN_LIT("whatever\n"));
    const struct format *f = NULL;
    struct err e = { 0 };
    assert_int_equal(format_of(s, &o, &f, &e), 0);
    assert_string_equal(f->name, "iostat");
    o.format = "excel";
    assert_int_equal(format_of(s, &o, &f, &e), ERR_USAGE);
    assert_string_equal(e.text,
                        "unknown format 'excel': not one that 'volplan help inspect' lists");
    source_close(s);

    o.format = "iostat"; /* an empty file is no iostat either */
    s = source_of_span("f.txt", SPAN_LIT(""));
    assert_int_equal(format_of(s, &o, &f, &e), ERR_PARSE);
    source_close(s);
}

static void every_format_is_found_by_its_name(void **state)
{
    (void)state;
    size_t n;
    const struct format *t = format_table(&n);
    assert_true(n >= 2);
    for (size_t i = 0; i < n; i++) {
        assert_ptr_equal(format_find(t[i].name), &t[i]);
        assert_int_equal(t[i].detect(SPAN_LIT("")), 0);
        assert_int_equal(t[i].detect(SPAN_LIT("nothing of the kind\n")), 0);
    }
    assert_null(format_find("excel"));
}

int main(void)
{
    struct CMUnitTest t[N(told_cases) + 2];
    size_t n = 0;
    ADD_ROW_TESTS(t, n, told_cases, told);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(the_name_the_user_gave_wins);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(every_format_is_found_by_its_name);
    return _cmocka_run_group_tests("format", t, n, NULL, NULL);
}
