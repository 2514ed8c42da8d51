/* tests/cli/render/capture.h - what an emitter writes, as a string. */
#ifndef TESTS_CLI_RENDER_CAPTURE_H
#define TESTS_CLI_RENDER_CAPTURE_H

#include "cli/render/render.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct capture {
    FILE *f;
    char *text;
    size_t len;
    struct emit *m;
};

static inline void capture_open(struct capture *c)
{
    *c = (struct capture){ 0 };
    c->f = open_memstream(&c->text, &c->len);
    assert_non_null(c->f);
}

static inline int capture_close(struct capture *c, struct err *e)
{
    int rc = emit_close(c->m, e);
    fclose(c->f);
    return rc;
}

/* Ends the document and compares; frees. */
static inline void capture_expect(struct capture *c, const char *want)
{
    struct err e = { 0 };
    assert_int_equal(capture_close(c, &e), 0);
    assert_string_equal(c->text, want);
    free(c->text);
}

#endif
