/* tests/data/store/postgres_steps.h - opening a store on the server, and loading files into it. */
#ifndef TESTS_DATA_STORE_POSTGRES_STEPS_H
#define TESTS_DATA_STORE_POSTGRES_STEPS_H

#include "tests/data/store/store_fixture.h"

static inline int open_url(const char *url, enum store_mode mode, struct store **out, struct err *e)
{
    return store_open(url, &(struct store_options){ .mode = mode, .wait_ms = 200 }, out, e);
}

static inline void expect_words(const struct err *e, const char *words)
{
    if (!strstr(e->text, words))
        fail_msg("'%s' is not in: %s", words, e->text);
}

static inline void expect_refused(const char *url, enum store_mode mode, int code,
                                  const char *words)
{
    struct err e = { 0 };
    struct store *s = NULL;
    assert_int_equal(open_url(url, mode, &s, &e), code);
    expect_words(&e, words);
}

/* The server's URL with more behind it. */
static inline const char *url_with(char buf[400], const char *more)
{
    snprintf(buf, 400, "%s&%s", fixture_db, more);
    return buf;
}

/* Of two devices. */
static inline int put_samples(struct store *s, int n, struct err *e)
{
    int rc = 0;
    for (int i = 0; i < n && !rc; i++) {
        struct io_sample a = fixture_sample("sda", i), b = fixture_sample("sdb", i);
        rc = store_file_sample(s, &a, e);
        if (!rc)
            rc = store_file_sample(s, &b, e);
    }
    return rc;
}

static inline int put_file(struct store *s, unsigned char hash, int n, bool *out_known,
                           struct err *e)
{
    struct store_file_start start = fixture_start("PRD1");
    struct store_file_end end = fixture_end(hash);
    int rc = store_file_begin(s, &start, e);
    if (!rc)
        rc = put_samples(s, n, e);
    if (!rc)
        return store_file_commit(s, &end, out_known, e);
    store_file_rollback(s);
    return rc;
}

static inline void put_good_file(struct store *s, unsigned char hash, bool want_known)
{
    struct err e = { 0 };
    bool known = !want_known;
    if (put_file(s, hash, 30, &known, &e))
        fail_msg("%s", e.text);
    assert_int_equal(known, want_known);
}

#endif
