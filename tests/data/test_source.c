/* tests/data/test_source.c - lines, heads, hashes and limits of a source. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/ingest/source.h"
#include "models/core/mem.h"
#include "tests/remove_folder.h"
#include "tests/row_tests.h"

#define N(a) (sizeof(a) / sizeof *(a))

static char dir[] = "/tmp/volplan-source-XXXXXX";

static const char *write_file(const char *name, struct span bytes)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes.ptr, 1, bytes.len, f), bytes.len);
    assert_int_equal(fclose(f), 0);
    return path;
}

static int make_dir(void **state)
{
    (void)state;
    return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
    (void)state;
    return remove_folder(dir);
}

static struct source *open_as(bool file, struct span bytes)
{
    struct source *s = NULL;
    struct err e;
    if (!file)
        return source_of_span("memory", bytes);
    assert_int_equal(source_open(write_file("input", bytes), &s, &e), 0);
    return s;
}

#define BYTES(s)                                                                                   \
    {                                                                                              \
        (s), sizeof(s) - 1                                                                         \
    }

static const struct lines_case {
    const char *why;
    struct span text;
    const char *want; /* '|' behind each line */
    bool open_end;
} lines_cases[] = {
    { "two lines", BYTES("a\nbc\n"), "a|bc|", false },
    { "CRLF is one line end", BYTES("a\r\nbc\r\n"), "a|bc|", false },
    { "the last line needs no end", BYTES("a\nbc"), "a|bc|", true },
    { "CR within a line stays", BYTES("a\rb\n"), "a\rb|", false },
    { "CR ends lines where there is no LF", BYTES("a\rb\r\rc"), "a|b||c|", true },
    { "a lone CR at the very end", BYTES("a\r"), "a|", false },
    { "a form feed stays", BYTES("\fa\n"), "\fa|", false },
    { "a NUL stays", BYTES("a\0b\n"), "a\0b|", false },
    { "GBK and broken UTF-8 stay", BYTES("\xB4\xC5\xC5\xCC\n\xC3(\xFF\n"),
      "\xB4\xC5\xC5\xCC|\xC3(\xFF|", false },
    { "empty lines count", BYTES("\n\nx\n"), "||x|", false },
    { "nothing has no line", BYTES(""), "", false },
    { "a byte order mark is no text",
      BYTES("\xEF\xBB\xBF"
            "a\n"),
      "a|", false },
    { "half a byte order mark is", BYTES("\xEF\xBB\n"), "\xEF\xBB|", false },
    { "only a byte order mark", BYTES("\xEF\xBB\xBF"), "", false },
    { "UTF-16, low byte first",
      BYTES("\xFF\xFE"
            "a\0\n\0b\0c\0\r\0\n\0"),
      "a|bc|", false },
    { "UTF-16, high byte first",
      BYTES("\xFE\xFF"
            "\0a\0\n\0b"),
      "a|b|", true },
    { "UTF-16 with CR only",
      BYTES("\xFF\xFE"
            "a\0\r\0b\0\r\0"),
      "a|b|", false },
    { "only the mark of UTF-16", BYTES("\xFF\xFE"), "", false },
    { "half a character of UTF-16",
      BYTES("\xFF\xFE"
            "a\0b"),
      "a\xEF\xBF\xBD|", true },
};

static void lines(void **state)
{
    const struct lines_case *c = *state;
    for (int file = 0; file < 2; file++) {
        struct source *s = open_as(file, c->text);
        char got[64] = "";
        size_t n = 0;
        int64_t count = 0;
        struct span line;
        struct err e;
        int rc;
        while ((rc = source_line(s, &line, &e)) == 1) {
            memcpy(got + n, line.ptr, line.len);
            n += line.len;
            got[n++] = '|';
            assert_int_equal(source_line_no(s), ++count);
        }
        assert_int_equal(rc, 0);
        assert_memory_equal(got, c->want, n + 1);
        assert_int_equal(source_line_is_open(s), c->open_end);
        assert_int_equal(source_bytes(s), c->text.len);
        assert_int_equal(source_line(s, &line, &e), 0);
        source_close(s);
    }
}

/* Lines of 7 and 8 bytes ("0000123\n") past several windows of a file. */
static void long_files_slide(void **state)
{
    (void)state;
    enum { LINES = 200000 };
    char *text = malloc(LINES * 9 + 1);
    assert_non_null(text);
    size_t len = 0;
    for (int i = 0; i < LINES; i++)
        len += (size_t)sprintf(text + len, "%07d%s", i, i % 3 ? "\n" : "\r\n");
    struct source *s = open_as(true, (struct span){ text, len });
    struct span line;
    struct err e;
    for (int i = 0; i < LINES; i++) {
        char want[16];
        snprintf(want, sizeof want, "%07d", i);
        assert_int_equal(source_line(s, &line, &e), 1);
        assert_true(span_is(line, want));
    }
    assert_int_equal(source_line(s, &line, &e), 0);
    assert_int_equal(source_bytes(s), len);
    source_close(s);
    free(text);
}

static void the_head_comes_before_the_lines(void **state)
{
    (void)state;
    enum { LEN = SOURCE_HEAD + 1000 };
    char *text = malloc(LEN);
    assert_non_null(text);
    memset(text, 'x', LEN);
    text[3] = '\n';
    for (int file = 0; file < 2; file++) {
        struct source *s = open_as(file, (struct span){ text, LEN });
        struct span head, line;
        struct err e;
        assert_int_equal(source_head(s, &head, &e), 0);
        assert_int_equal(head.len, SOURCE_HEAD);
        assert_memory_equal(head.ptr, text, SOURCE_HEAD);
        assert_int_equal(source_line(s, &line, &e), 1);
        assert_true(span_is(line, "xxx"));
        source_close(s);
    }
    free(text);
}

static void a_line_has_a_limit(void **state)
{
    (void)state;
    char *text = malloc(SOURCE_LINE_MAX + 16);
    assert_non_null(text);
    memset(text, 'x', SOURCE_LINE_MAX + 16);
    text[1] = '\n';
    struct span line;
    struct err e;
    for (int file = 0; file < 2; file++) {
        struct source *s = open_as(file, (struct span){ text, SOURCE_LINE_MAX + 2 });
        assert_int_equal(source_line(s, &line, &e), 1);
        assert_int_equal(source_line(s, &line, &e), 1);
        assert_int_equal(line.len, SOURCE_LINE_MAX);
        source_close(s);

        s = open_as(file, (struct span){ text, SOURCE_LINE_MAX + 3 });
        assert_int_equal(source_line(s, &line, &e), 1);
        assert_int_equal(source_line(s, &line, &e), ERR_LIMIT);
        assert_non_null(strstr(e.text, ":2: line longer than 1048576 bytes"));
        source_close(s);
    }
    free(text);
}

static void all_that_is_left(void **state)
{
    (void)state;
    struct span all, line;
    struct err e;
    for (int file = 0; file < 2; file++) {
        struct source *s = open_as(file, SPAN_LIT("first\nsecond\nthird"));
        assert_int_equal(source_line(s, &line, &e), 1);
        assert_int_equal(source_all(s, 12, &all, &e), 0);
        assert_true(span_is(all, "second\nthird"));
        assert_int_equal(source_line(s, &line, &e), 0);
        source_close(s);

        s = open_as(file, SPAN_LIT("0123456789"));
        assert_int_equal(source_all(s, 9, &all, &e), ERR_LIMIT);
        assert_non_null(strstr(e.text, "larger than 9 bytes"));
        if (file)
            assert_int_equal(source_all(s, 10, &all, &e), 0); /* the size was enough to tell */
        source_close(s);
    }
}

static void hash_of(struct source *s, unsigned char out[16])
{
    struct err e;
    assert_int_equal(source_drain(s, &e), 0);
    source_hash(s, out);
    source_close(s);
}

/* Equal answers about two volumes are two inputs. */
static void what_identifies_goes_into_the_hash(void **state)
{
    (void)state;
    static const char *const by[] = { "", "VolumeId=vol-0a", "VolumeId=vol-0b" };
    unsigned char hash[3][2][16];
    for (int i = 0; i < 3; i++)
        for (int file = 0; file < 2; file++) {
            struct source *s = open_as(file, SPAN_LIT("{}\n"));
            source_identify(s, span_of(by[i]));
            hash_of(s, hash[i][file]);
        }
    for (int i = 0; i < 3; i++) {
        assert_memory_equal(hash[i][0], hash[i][1], 16);
        assert_memory_not_equal(hash[i][0], hash[(i + 1) % 3][0], 16);
    }
}

/* XXH3-128 of nothing, from the test vectors of the xxHash specification (seed 0). */
static void the_hash_is_that_of_the_content(void **state)
{
    (void)state;
    static const unsigned char of_nothing[16] = { 0x99, 0xAA, 0x06, 0xD3, 0x01, 0x47, 0x98, 0xD8,
                                                  0x60, 0x01, 0xC3, 0x24, 0x46, 0x8D, 0x49, 0x7F };
    unsigned char a[16], b[16];
    hash_of(open_as(false, SPAN_LIT("")), a);
    assert_memory_equal(a, of_nothing, 16);
    hash_of(open_as(true, SPAN_LIT("")), a);
    assert_memory_equal(a, of_nothing, 16);

    enum { LEN = 3 * 1024 * 1024 + 17 };
    char *text = malloc(LEN);
    assert_non_null(text);
    for (size_t i = 0; i < LEN; i++)
        text[i] = (char)(i * 31 % 251);
    struct span bytes = { text, LEN };
    hash_of(open_as(false, bytes), a);
    hash_of(open_as(true, bytes), b);
    assert_memory_equal(a, b, 16);

    text[LEN - 1] ^= 1;
    hash_of(open_as(true, bytes), b);
    assert_memory_not_equal(a, b, 16);
    free(text);
}

/* A line of "0123456" in UTF-16 is 16 bytes, of snow (U+2603, 3 bytes in UTF-8) likewise: the text
 * grows while the window slides. */
static void long_utf16_slides(void **state)
{
    (void)state;
    enum { LINES = 100000 };
    char *text = malloc(2 + LINES * 16);
    assert_non_null(text);
    memcpy(text, "\xFE\xFF", 2);
    for (int i = 0; i < LINES; i++)
        memcpy(text + 2 + i * 16,
               i % 2 ? "\0"
                       "0\0"
                       "1\0"
                       "2\0"
                       "3\0"
                       "4\0"
                       "5\0"
                       "6\0\n"
                     : "\x26\x03\x26\x03\x26\x03\x26\x03\x26\x03\x26\x03\x26\x03\0\n",
               16);
    unsigned char hashes[2][16];
    for (int file = 0; file < 2; file++) {
        struct source *s = open_as(file, (struct span){ text, 2 + LINES * 16 });
        struct span line;
        struct err e;
        for (int i = 0; i < LINES; i++) {
            assert_int_equal(source_line(s, &line, &e), 1);
            assert_true(span_is(line, i % 2 ? "0123456"
                                            : "\xE2\x98\x83\xE2\x98\x83\xE2\x98\x83\xE2\x98"
                                              "\x83\xE2\x98\x83\xE2\x98\x83\xE2\x98\x83"));
        }
        assert_int_equal(source_line(s, &line, &e), 0);
        assert_int_equal(source_bytes(s), 2 + LINES * 16);
        source_hash(s, hashes[file]);
        source_close(s);
    }
    assert_memory_equal(hashes[0], hashes[1], 16); /* of the bytes as they are */
    free(text);
}

/* Where no LF is in reach at the start, CR ends lines until an LF shows that the input has them. */
static void cr_until_there_is_lf(void **state)
{
    (void)state;
    enum { CRS = 300 * 1024 / 2 };
    char *text = malloc(CRS * 2 + 7);
    assert_non_null(text);
    for (int i = 0; i < CRS; i++)
        memcpy(text + i * 2, "x\r", 2);
    memcpy(text + CRS * 2, "y\r\na\rb\n", 7);
    for (int file = 0; file < 2; file++) {
        struct source *s = open_as(file, (struct span){ text, CRS * 2 + 7 });
        struct span line;
        struct err e;
        for (int i = 0; i < CRS; i++) {
            assert_int_equal(source_line(s, &line, &e), 1);
            assert_true(span_is(line, "x"));
        }
        assert_int_equal(source_line(s, &line, &e), 1);
        assert_true(span_is(line, "y"));
        assert_int_equal(source_line(s, &line, &e), 1);
        assert_true(span_is(line, "a\rb"));
        assert_int_equal(source_line(s, &line, &e), 0);
        source_close(s);
    }
    free(text);
}

/* A first line of exactly SOURCE_HEAD bytes that ends in CRLF: its CR is the last in reach. */
static void cr_at_the_edge_of_the_head(void **state)
{
    (void)state;
    char *text = malloc(SOURCE_HEAD + 8);
    assert_non_null(text);
    memset(text, 'x', SOURCE_HEAD);
    memcpy(text + SOURCE_HEAD - 1, "\r\ny\rz\n", 7);
    for (int file = 0; file < 2; file++) {
        struct source *s = open_as(file, (struct span){ text, SOURCE_HEAD + 6 });
        struct span line;
        struct err e;
        assert_int_equal(source_line(s, &line, &e), 1);
        assert_int_equal(line.len, SOURCE_HEAD - 1);
        assert_int_equal(source_line(s, &line, &e), 1);
        assert_true(span_is(line, "y\rz"));
        source_close(s);
    }
    free(text);
}

static int64_t drip(void *ctx, char *buf, size_t room, struct err *e)
{
    struct span *left = ctx;
    (void)room;
    if (!left->len)
        return err_set(e, ERR_FILE, "the tap is closed");
    *buf = *left->ptr;
    *left = span_cut(*left, 1, left->len);
    return 1;
}

/* An input that gives one byte at a time and then fails: bytes first, then text. */
static void any_input(void **state)
{
    (void)state;
    struct span left = SPAN_LIT("PK\xEF\xBB\xBF"
                                "a\nb\n"),
                seen, line;
    struct err e;
    struct source *s = source_of_input("tap", (struct source_input){ &left, drip });
    assert_non_null(s);
    assert_int_equal(source_peek(s, 2, &seen, &e), 0);
    assert_true(span_is(seen, "PK"));
    source_skip(s, 2);
    assert_int_equal(source_skipped(s), 2);
    assert_int_equal(source_peek(s, 1, &seen, &e), 0);
    assert_int_equal(seen.ptr[0], '\xEF');
    assert_int_equal(source_line(s, &line, &e), 1);
    assert_true(span_is(line, "a"));
    assert_int_equal(source_line(s, &line, &e), 1);
    assert_true(span_is(line, "b"));
    assert_int_equal(source_bytes(s), 9);
    assert_int_equal(source_line(s, &line, &e), ERR_FILE);
    assert_string_equal(e.text, "tap: the tap is closed");
    source_close(s);
}

static void drained_so_far(void **state)
{
    (void)state;
    enum { LEN = 3 << 20 };
    char *text = malloc(LEN);
    assert_non_null(text);
    memset(text, 'x', LEN);
    struct source *s = open_as(true, (struct span){ text, LEN });
    struct err e;
    assert_int_equal(source_drain_some(s, 1 << 20, &e), 0);
    assert_in_range(source_bytes(s), 1 << 20, 2 << 20);
    assert_int_equal(source_drain(s, &e), 0);
    assert_int_equal(source_bytes(s), LEN);
    source_close(s);
    free(text);
}

static void what_is_no_file_is_refused(void **state)
{
    (void)state;
    struct source *s = NULL;
    struct err e;
    char path[128];
    assert_int_equal(source_open("/nonexistent/x", &s, &e), ERR_FILE);
    assert_string_equal(e.text, "/nonexistent/x: cannot be opened: No such file or directory");
    assert_int_equal(source_open(dir, &s, &e), ERR_FILE);
    assert_non_null(strstr(e.text, "is a directory"));
    assert_int_equal(source_open("/dev/null", &s, &e), ERR_FILE);
    assert_non_null(strstr(e.text, "is not a regular file"));
    snprintf(path, sizeof path, "%s/fifo", dir);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(source_open(path, &s, &e), ERR_FILE); /* and does not hang */
    source_close(NULL);
}

static void without_memory(void **state)
{
    (void)state;
    enum { LEN = 700 * 1024 }; /* grows twice */
    char *text = malloc(LEN);
    assert_non_null(text);
    memset(text, 'x', LEN);
    char path[128];
    snprintf(path, sizeof path, "%s", write_file("long", (struct span){ text, LEN }));
    int rc;
    long n = 0;
    do {
        struct source *s = NULL;
        struct span line;
        struct err e;
        mem_calls = 0;
        mem_fail_at = ++n;
        rc = source_open(path, &s, &e);
        if (!rc)
            rc = source_line(s, &line, &e);
        mem_fail_at = 0;
        assert_true(rc == 1 || rc == ERR_NOMEM);
        source_close(s);
    } while (rc != 1);
    assert_true(n > 4); /* the source, its window, two growths */
    mem_calls = 0;
    mem_fail_at = 1;
    assert_null(source_of_span("x", SPAN_LIT("y")));
    for (n = 1; n <= 3; n++) { /* the two windows of UTF-16 */
        struct source *s = NULL;
        struct span line;
        struct err e;
        mem_fail_at = 0;
        assert_non_null(s = source_of_span("x", SPAN_LIT("\xFF\xFEy\0")));
        mem_calls = 0;
        mem_fail_at = n;
        assert_int_equal(source_line(s, &line, &e), n < 3 ? ERR_NOMEM : 1);
        source_close(s);
    }
    for (n = 1; n <= 2; n++) {
        struct span left = { 0 };
        mem_calls = 0;
        mem_fail_at = n;
        assert_null(source_of_input("x", (struct source_input){ &left, drip }));
    }
    mem_fail_at = 0;
    free(text);
}

int main(void)
{
    struct CMUnitTest t[N(lines_cases) + 13];
    size_t n = 0;
    ADD_ROW_TESTS(t, n, lines_cases, lines);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(long_files_slide);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(the_head_comes_before_the_lines);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(a_line_has_a_limit);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(all_that_is_left);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(the_hash_is_that_of_the_content);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(what_identifies_goes_into_the_hash);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(long_utf16_slides);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(cr_until_there_is_lf);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(cr_at_the_edge_of_the_head);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(any_input);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(drained_so_far);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(what_is_no_file_is_refused);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(without_memory);
    return _cmocka_run_group_tests("source", t, n, make_dir, remove_dir);
}
