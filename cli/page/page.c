/* cli/page/page.c - see page.h. */
#include "cli/page/page.h"

#include "cli/page/page_pieces.h"
#include "cli/render/output.h"
#include "cli/render/printable.h"
#include "cli/render/render.h"

#include <errno.h>
#include <string.h>

static void put_escaped(FILE *out, const char *text)
{
    struct printable c;
    while (printable_next(&text, &c)) {
        if (c.len != 1 || !strchr("<>&\"'", c.text[0]))
            fwrite(c.text, 1, c.len, out);
        else
            fprintf(out, "&#%d;", c.text[0]);
    }
}

static void put_verdict(FILE *out, const struct page *p)
{
    for (size_t i = 0; i < p->n_verdict; i++) {
        fputs("<p>", out);
        put_escaped(out, p->verdict[i]);
        fputs("</p>\n", out);
    }
}

static int tell_live(struct emit *m)
{
    emit_begin(m, "report", EMIT_OBJECT);
    emit_bool(m, "live", true);
    emit_end(m);
    return 0;
}

static int put_data(FILE *out, const struct page *p, struct err *e)
{
    struct emit *m = render_json_in_page(out);
    if (!m)
        return err_nomem(e);
    int rc = p->data ? p->data(p->ctx, m, e) : tell_live(m);
    if (rc && !m->failed)
        m->failed = rc;
    struct err own = { 0 };
    int close_rc = emit_close(m, rc ? &own : e);
    return rc ? rc : close_rc;
}

static int put_piece(FILE *out, const struct page_piece *piece, const struct page *p, struct err *e)
{
    switch (piece->slot) {
    case PAGE_TEXT:
        fwrite(piece->text, 1, piece->len, out);
        return 0;
    case PAGE_TITLE:
        put_escaped(out, p->title);
        return 0;
    case PAGE_VERDICT:
        put_verdict(out, p);
        return 0;
    case PAGE_DATA:
        return put_data(out, p, e);
    case PAGE_CONNECT:
        fputs(p->data ? "'none'" : "'self'", out);
        return 0;
    }
    return 0;
}

int page_write(FILE *out, const struct page *p, struct err *e)
{
    int rc = 0;
    for (size_t i = 0; i < page_piece_count && !rc; i++)
        rc = put_piece(out, &page_pieces[i], p, e);
    if (!rc && (fflush(out) == EOF || ferror(out)))
        rc = output_failed(e, errno);
    return rc;
}
