/* cli/page/page.h - writes the page: the template with the data in it.
 *
 * Whatever a name in the data is, it stays data: JSON with no character that ends its element, and
 * words with their markup escaped.  The files of the page are inlined at build (gen_page.c). */
#ifndef CLI_PAGE_PAGE_H
#define CLI_PAGE_PAGE_H

#include "models/core/emit.h"

#include <stdio.h>

struct page {
    const char *title;
    const char *const *verdict; /* sentences */
    size_t n_verdict;
    /* Tells the data object; NULL: the page is live and fetches it. */
    int (*data)(void *ctx, struct emit *m, struct err *e);
    void *ctx;
};

/* ERR_IO when out cannot be written, ERR_NOMEM, or what data gave. */
int page_write(FILE *out, const struct page *p, struct err *e);

#endif
