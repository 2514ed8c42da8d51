/* tests/data/ingest/test_read_ahead.c - bytes read by another thread: the same, in their order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/ingest/read_ahead.h"
#include "models/core/mem.h"

/* --- an input of our own ------------------------------------------------------------------------
 */

/* Gives 1, 2, 3 ... bytes at a time, each the number of the read, then what `last` says. */
struct counted {
    int reads, most;
    int last; /* 0, or an error */
};

static int64_t read_counted(void *ctx, char *buf, size_t room, struct err *e)
{
    struct counted *c = ctx;
    if (c->reads == c->most)
        return c->last ? err_set(e, c->last, "broke at read %d", c->reads) : 0;
    size_t n = (size_t)++c->reads;
    assert_true(n <= room);
    memset(buf, c->reads, n);
    return (int64_t)n;
}

/* Every read comes once, in order, and stays with what is written in front of it; the end and an
 * error come again. */
static void in_order_to_the(int last)
{
    struct counted c = { .most = 1000, .last = last };
    struct read_ahead *r = NULL;
    struct err e = { 0 };
    assert_int_equal(read_ahead_open((struct source_input){ &c, read_counted }, &r, &e), 0);
    char *before = NULL, *bytes = NULL;
    for (int i = 1; i <= 1000; i++) {
        assert_int_equal(read_ahead_next(r, &bytes, &e), i);
        memset(bytes - READ_AHEAD_ROOM, 'r', READ_AHEAD_ROOM);
        for (int at = 0; at < i; at++)
            assert_int_equal(bytes[at], (char)i);
        if (before) {
            assert_int_equal(before[0], (char)(i - 1));
            assert_int_equal(before[-1], 'r');
        }
        before = bytes;
    }
    for (int again = 0; again < 20; again++) {
        assert_int_equal(read_ahead_next(r, &bytes, &e), last);
        if (last)
            assert_string_equal(e.text, "broke at read 1000");
    }
    read_ahead_close(r);
}

static void to_the_end(void **state)
{
    (void)state;
    in_order_to_the(0);
    in_order_to_the(ERR_FILE);
}

/* Closed while the thread waits for room, or before anything was asked for. */
static void closed_early(void **state)
{
    (void)state;
    for (int asked = 0; asked < 12; asked++) {
        struct counted c = { .most = 1000 };
        struct read_ahead *r = NULL;
        struct err e;
        char *bytes;
        assert_int_equal(read_ahead_open((struct source_input){ &c, read_counted }, &r, &e), 0);
        for (int i = 0; i < asked; i++)
            assert_int_equal(read_ahead_next(r, &bytes, &e), i + 1);
        read_ahead_close(r);
        assert_true(c.reads < 1000);
    }
    read_ahead_close(NULL);
}

/* --- a source -----------------------------------------------------------------------------------
 */

enum { TEXT_BYTES = 6 * 1024 * 1024 };

static char path[] = "/tmp/volplan-ahead-XXXXXX";
static char *text;

/* Lines of every length up to 300, and now and then one that is longer than what fits in front of a
 * block, than a block, and nearly the longest there may be. */
static int write_text(void **state)
{
    (void)state;
    text = malloc(TEXT_BYTES);
    int fd = mkstemp(path);
    if (!text || fd < 0)
        return -1;
    for (size_t i = 0; i < TEXT_BYTES; i++)
        text[i] = (char)('a' + i % 26);
    static const size_t more[] = { 5000, 4096, 200000, 70000, 1048576 };
    size_t n = 0;
    for (size_t at = 0; at < TEXT_BYTES; n++) {
        at += n % 4000 == 3999 ? more[n / 4000 % 5] : n % 300;
        if (at < TEXT_BYTES)
            text[at++] = '\n';
    }
    bool ok = write(fd, text, TEXT_BYTES) == TEXT_BYTES;
    close(fd);
    return ok ? 0 : -1;
}

static int remove_text(void **state)
{
    (void)state;
    free(text);
    return unlink(path);
}

static struct source *open_ahead(void)
{
    struct source *s = NULL;
    struct err e;
    assert_int_equal(source_open(path, &s, &e), 0);
    source_read_ahead(s);
    return s;
}

/* Line by line as from memory, up to that many lines; then the rest at once. */
static void same_lines(int most)
{
    struct source *want = source_of_span("memory", (struct span){ text, TEXT_BYTES });
    struct source *got = open_ahead();
    struct span a, b;
    struct err e;
    int rc = 1;
    for (int n = 0; n < most && rc == 1; n++) {
        rc = source_line(want, &a, &e);
        assert_int_equal(source_line(got, &b, &e), rc);
        if (rc == 1 && (a.len != b.len || memcmp(a.ptr, b.ptr, a.len) != 0))
            fail_msg("line %lld differs", (long long)source_line_no(want));
    }
    assert_int_equal(source_line_no(got), source_line_no(want));
    assert_int_equal(source_line_is_open(got), source_line_is_open(want));
    unsigned char hash_a[16], hash_b[16];
    assert_int_equal(source_drain(want, &e), 0);
    assert_int_equal(source_drain(got, &e), 0);
    assert_int_equal(source_bytes(got), TEXT_BYTES);
    source_hash(want, hash_a);
    source_hash(got, hash_b);
    assert_memory_equal(hash_a, hash_b, sizeof hash_a);
    source_close(want);
    source_close(got);
}

static void a_source(void **state)
{
    (void)state;
    same_lines(1000000);
    same_lines(20000); /* in the middle, behind the start of the thread */
    same_lines(10);    /* before it */
}

static void all_that_is_left(void **state)
{
    (void)state;
    struct source *s = open_ahead();
    struct span line, all;
    struct err e;
    size_t at = 0;
    while (at < 3 * 1024 * 1024) {
        assert_int_equal(source_line(s, &line, &e), 1);
        at += line.len + 1;
    }
    assert_int_equal(source_all(s, TEXT_BYTES, &all, &e), 0);
    assert_int_equal(all.len, TEXT_BYTES - at);
    assert_memory_equal(all.ptr, text + at, all.len);
    source_close(s);
}

static void without_memory(void **state)
{
    (void)state;
    int failed = 0;
    for (long n = 1;; n++) {
        struct source *s = open_ahead();
        struct span line;
        struct err e = { 0 };
        int rc;
        atomic_store(&mem_calls, 0);
        atomic_store(&mem_fail_at, n);
        while ((rc = source_line(s, &line, &e)) == 1) {
        }
        atomic_store(&mem_fail_at, 0);
        source_close(s);
        if (!rc)
            break;
        assert_int_equal(rc, ERR_NOMEM);
        failed++;
    }
    assert_true(failed >= 3); /* the ring, and the window that grows for long lines */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(to_the_end),     cmocka_unit_test(closed_early),
        cmocka_unit_test(a_source),       cmocka_unit_test(all_that_is_left),
        cmocka_unit_test(without_memory),
    };
    return cmocka_run_group_tests_name("read_ahead", tests, write_text, remove_text);
}
