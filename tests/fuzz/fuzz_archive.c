/* tests/fuzz/fuzz_archive.c - any bytes as a file that may be packed.
 *
 * Beyond "no crash": the work ends, no more bytes come out than the limit, every path begins
 * with that of the file, and the words of an error begin with the path they are about. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "data/ingest/archive/expand.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_BYTES (INT64_C(2) << 20)

static void demand(bool holds)
{
    if (!holds)
        abort();
}

static int on_note(void *ctx, const char *text, struct err *e)
{
    (void)ctx, (void)e;
    demand(strncmp(text, "f", 1) == 0);
    return 0;
}

static void check_error(int rc, const char *path, const struct err *e)
{
    demand(rc == ERR_PARSE || rc == ERR_LIMIT);
    demand(e->code == rc);
    demand(strncmp(path, "f", 1) == 0 && strncmp(e->text, path, strnlen(path, 400)) == 0);
}

static void read_member(struct source *s)
{
    struct span head, line;
    struct err e = { 0 };
    int rc = source_head(s, &head, &e);
    while (!rc && (rc = source_line(s, &line, &e)) > 0)
        rc = 0;
    demand(source_bytes(s) <= MAX_BYTES || rc);
    if (rc)
        demand(rc == ERR_PARSE || rc == ERR_LIMIT);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct source *outer = source_of_span("f", (struct span){ (const char *)data, size });
    struct expand_options o = { MAX_BYTES, on_note, NULL };
    struct expander *x = outer ? expand_open(outer, &o) : NULL;
    demand(x != NULL);
    int64_t n = 0;
    for (;;) {
        struct source *s = NULL;
        struct err e = { 0 };
        int rc = expand_next(x, &s, &e);
        if (rc == 0)
            break;
        demand(++n <= 2 * EXPAND_MEMBERS);
        if (rc < 0)
            check_error(rc, expand_path(x), &e);
        else if (n % 4) /* every fourth is not wanted */
            read_member(s);
    }
    expand_close(x);
    source_close(outer);
    return 0;
}
