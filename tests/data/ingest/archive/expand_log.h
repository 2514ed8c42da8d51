/* tests/data/ingest/archive/expand_log.h - what expand_next gives, written down a line each:
 *   PATH=content      a file
 *   !PATH: words      an error, be it told by the file's source or by expand_next
 *   ~text             a note */
#ifndef TESTS_DATA_INGEST_ARCHIVE_EXPAND_LOG_H
#define TESTS_DATA_INGEST_ARCHIVE_EXPAND_LOG_H

#include "data/ingest/archive/expand.h"
#include "tests/data/ingest/archive/packer.h"
#include "tests/seeded.h"

#include <stdio.h>

#define LIT(bytes) ((struct span){ (bytes), sizeof(bytes) - 1 })

enum { LOG_ROOM = 8192, LINES_MAX = 40 };

struct log {
    char text[LOG_ROOM];
    size_t len;
    int lines;
    bool skim; /* files are looked at, but not read */
};

static inline void say(struct log *l, const char *path, const char *sign, struct span text)
{
    int n = snprintf(l->text + l->len, LOG_ROOM - l->len, "%s%s%.*s\n", path, sign, (int)text.len,
                     text.ptr);
    assert_true(n > 0 && (size_t)n < LOG_ROOM - l->len);
    l->len += (size_t)n;
    assert_true(l->lines++ < LINES_MAX);
}

static inline int on_note(void *ctx, const char *text, struct err *e)
{
    (void)e;
    say(ctx, "", "~", span_of(text));
    return 0;
}

/* The file as text when it is short, its size when not. */
static inline void read_member(struct log *l, struct source *s)
{
    struct span all = { NULL, 0 };
    struct err e = { 0 };
    char size[40];
    int rc = l->skim ? 0 : source_all(s, 200, &all, &e);
    if (rc == ERR_LIMIT && strstr(e.text, "the most this format may have")) {
        e.code = 0;
        rc = source_drain(s, &e);
        snprintf(size, sizeof size, "%lld bytes", (long long)source_bytes(s));
        all = span_of(size);
    }
    if (rc) {
        assert_int_equal(e.code, rc);
        assert_memory_equal(e.text, source_path(s), strlen(source_path(s)));
        say(l, "", "!", span_of(e.text));
    } else
        say(l, source_path(s), "=", all);
}

static inline void expand_bytes(struct log *l, struct span bytes, int64_t max_bytes)
{
    struct source *outer = source_of_span("f", bytes);
    struct expand_options o = { max_bytes, on_note, l };
    struct expander *x = outer ? expand_open(outer, &o) : NULL;
    assert_non_null(x);
    for (;;) {
        struct source *s = NULL;
        struct err e = { 0 };
        int rc = expand_next(x, &s, &e);
        if (rc == 0)
            break;
        if (rc > 0) {
            read_member(l, s);
            continue;
        }
        assert_int_equal(e.code, rc);
        assert_memory_equal(e.text, expand_path(x), strlen(expand_path(x)));
        say(l, "", "!", span_of(e.text));
    }
    struct source *s;
    struct err e;
    assert_int_equal(expand_next(x, &s, &e), 0); /* the end stays the end */
    expand_close(x);
    source_close(outer);
}

static inline void check_limited(struct bytes b, int64_t max_bytes, const char *want)
{
    struct log l = { .len = 0 };
    expand_bytes(&l, span_of_bytes(b), max_bytes);
    free(b.ptr);
    assert_string_equal(l.text, want);
}

static inline void check(struct bytes b, const char *want)
{
    check_limited(b, 0, want);
}

/* Bytes that do not pack. */
static inline struct bytes noise(size_t n)
{
    struct bytes b = { malloc(n), n };
    assert_non_null(b.ptr);
    struct seeded x = seeded_case(2463534242, 0);
    for (size_t i = 0; i < n; i++)
        b.ptr[i] = (char)(seeded_next(&x) >> 56);
    return b;
}

/* Three files, one of them empty. */
static inline struct bytes three(enum pack_kind kind, const char *options)
{
    struct packer p = pack_begin(kind, options, NULL);
    pack_open(&p);
    pack_file(&p, "a", LIT("one"));
    pack_file(&p, "d/b", LIT(""));
    pack_file(&p, "d/c", LIT("three"));
    return pack_end(&p);
}

#endif
