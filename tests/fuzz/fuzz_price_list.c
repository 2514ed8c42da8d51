/* tests/fuzz/fuzz_price_list.c - any bytes as a price list, whole and in pieces: the same rows and
 * the same end, whatever the pieces. */
#include "data/fetch/price_list.h"
#include "models/core/unit.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct seen {
    int rc;
    int64_t rows, published_ms;
    uint64_t sum; /* of lines, cells and prices */
};

static void begin(void *ctx)
{
    ((struct seen *)ctx)->rows = 0;
    ((struct seen *)ctx)->sum = 0;
}

static int on_row(void *ctx, const struct price_list_row *row, struct err *e)
{
    struct seen *seen = ctx;
    (void)e;
    if (row->price < 0 || row->line < 2)
        abort();
    seen->rows++;
    seen->sum = seen->sum * 31 + (uint64_t)row->line + (uint64_t)row->price;
    for (int c = 0; c < PRICE_COLUMNS; c++)
        for (size_t i = 0; i < row->cells[c].len; i++)
            seen->sum = seen->sum * 31 + (unsigned char)row->cells[c].ptr[i];
    return 0;
}

static struct seen read_in_pieces(struct span text, size_t piece)
{
    struct seen seen = { 0 };
    struct err e = { 0 };
    struct price_list_sink sink = { &seen, begin, on_row };
    struct price_list *l = price_list_open(&sink);
    if (!l)
        abort();
    int rc = price_list_begin(l, &e);
    for (size_t at = 0; !rc && at < text.len; at += piece)
        rc = price_list_put(l, span_cut(text, at, at + piece), &e);
    if (!rc)
        rc = price_list_end(l, &e);
    if (rc &&
        !(e.code == rc && *e.text && (rc == ERR_PARSE || rc == ERR_LIMIT || rc == ERR_NET_FINAL)))
        abort();
    seen.rc = rc;
    seen.published_ms = rc ? 0 : price_list_published_ms(l);
    price_list_close(l);
    return seen;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span text = { (const char *)data, size };
    struct seen whole = read_in_pieces(text, size ? size : 1);
    for (size_t piece = 1; piece < 200; piece = piece * 3 + 1) {
        struct seen p = read_in_pieces(text, piece);
        if (p.rc != whole.rc || p.rows != whole.rows || p.sum != whole.sum ||
            p.published_ms != whole.published_ms)
            abort();
    }
    return 0;
}
