/* data/ingest/awr/awr_html.c - see awr_html.h.
 *
 * libxml2's HTML parser is fed in pieces and calls back for each element: no tree is built, no
 * DTD or entity is loaded, nothing is fetched.  A table is known by the texts of its rows of <th>,
 * whatever its title or summary says: one row after the other until one fits, a later one also with
 * the cells above it that span several columns before it ("Total Reads 1st").  Documents are
 * bounded in size (DOCUMENT_MAX) and nesting (DEPTH_MAX), texts by the buffers here. */
#include "data/ingest/awr/awr_html.h"

#include "data/ingest/awr/awr.h"
#include "models/core/mem.h"

#include <libxml/HTMLparser.h>
#include <libxml/xmlerror.h>

#include <stdio.h>
#include <string.h>

enum {
    DOCUMENT_MAX = 256 * 1024 * 1024,
    DEPTH_MAX = 256,
    PIECE = 16 * 1024,
    TAG_MAX = 4096,      /* a longer one is text */
    NAME_MAX_BYTES = 16, /* of an element */
    COLSPAN_BYTES = 16,  /* of its attribute */
    TEXT_MAX = 512,
    GROUP_MAX = 64, /* bytes of the heading of a group */
    COLSPAN_MAX = 99,
    BLOCKS_MAX = 64, /* allocations of a new parser: about 15 */
};

struct html_reader {
    struct awr_report *r;
    htmlParserCtxtPtr parser;
    int rc;
    int depth;
    bool creating; /* the parser; its blocks are noted, for libxml2 2.9 leaks when it fails */
    void *block[BLOCKS_MAX];
    size_t n_blocks;

    char text[TEXT_MAX]; /* between two tags, outside of tables */
    size_t text_len;

    bool in_table, in_cell;
    bool has_section;  /* or is one that is not read: no more headings are looked at */
    int64_t head_line; /* of the headings that were tried; 0 = none */
    char group[AWR_COLUMNS_MAX][GROUP_MAX]; /* over each column, from earlier rows of headings */
    size_t group_len[AWR_COLUMNS_MAX];
    size_t span[AWR_COLUMNS_MAX]; /* columns under a cell */
    bool is_head[AWR_COLUMNS_MAX];
    char cell[AWR_COLUMNS_MAX][AWR_CELL_MAX];
    size_t cell_len[AWR_COLUMNS_MAX];
    size_t n_cells, n_head_cells;
    int64_t row_line;
};

/* --- memory ----------------------------------------------------------------------------------- */

/* The reader at work in this thread.  libxml2 2.9 tries a name again and again when it cannot be
 * stored, so a failed allocation moves it to the end of what it has. */
static _Thread_local struct html_reader *at_work;

/* Index of p among the noted blocks; n_blocks when it is not there. */
static size_t find_block(const void *p)
{
    size_t i = 0;
    while (i < at_work->n_blocks && at_work->block[i] != p)
        i++;
    return i;
}

static void *checked(void *p)
{
    if (!at_work)
        return p;
    if (!p) {
        at_work->rc = err_nomem(at_work->r->err);
        if (at_work->parser && at_work->parser->input)
            at_work->parser->input->cur = at_work->parser->input->end;
    } else if (at_work->creating && at_work->n_blocks < BLOCKS_MAX) {
        at_work->block[at_work->n_blocks++] = p;
    }
    return p;
}

static void *xml_alloc(size_t n_bytes)
{
    return checked(mem_alloc(n_bytes));
}

static void *xml_realloc(void *p, size_t n_bytes)
{
    bool noted = at_work && at_work->creating && p;
    size_t at = noted ? find_block(p) : 0;
    void *grown = mem_realloc(p, n_bytes);
    if (!grown || !noted || at == at_work->n_blocks)
        return checked(grown);
    return at_work->block[at] = grown;
}

static void xml_free(void *p)
{
    if (at_work && at_work->creating && p) {
        size_t at = find_block(p);
        if (at < at_work->n_blocks)
            at_work->block[at] = at_work->block[--at_work->n_blocks];
    }
    mem_free(p);
}

static char *xml_strdup(const char *s)
{
    size_t n = strlen(s) + 1;
    char *copy = xml_alloc(n);
    return copy ? memcpy(copy, s, n) : NULL;
}

void awr_html_global_init(void)
{
    xmlMemSetup(xml_free, xml_alloc, xml_realloc, xml_strdup);
    xmlInitParser();
}

void awr_html_global_release(void)
{
    xmlCleanupParser();
}

static void stop(struct html_reader *h, int rc)
{
    if (!rc)
        return;
    h->rc = rc;
    xmlStopParser(h->parser);
}

static int64_t line_of(const struct html_reader *h)
{
    return h->parser->input ? h->parser->input->line : h->r->line;
}

/* --- text ------------------------------------------------------------------------------------- */

/* Appends with line ends and no-break spaces (U+00A0) as blanks; what does not fit is dropped. */
static void append(char *buf, size_t room, size_t *len, const char *s, size_t n)
{
    for (size_t i = 0; i < n && *len < room; i++) {
        unsigned char c = (unsigned char)s[i];
        if (c == 0xC2 && i + 1 < n && (unsigned char)s[i + 1] == 0xA0) {
            i++;
            c = ' ';
        }
        buf[(*len)++] = (char)(c == '\n' || c == '\r' || c == '\t' ? ' ' : c);
    }
}

static void on_characters(void *ctx, const xmlChar *s, int len)
{
    struct html_reader *h = ctx;
    const char *text = (const char *)s;
    if (h->rc || len <= 0)
        return;
    if (h->in_cell && h->n_cells <= AWR_COLUMNS_MAX)
        append(h->cell[h->n_cells - 1], AWR_CELL_MAX, &h->cell_len[h->n_cells - 1], text,
               (size_t)len);
    else if (!h->in_table)
        append(h->text, TEXT_MAX, &h->text_len, text, (size_t)len);
}

static void flush_text(struct html_reader *h)
{
    struct span text = span_trim((struct span){ h->text, h->text_len });
    h->text_len = 0;
    if (!text.len)
        return;
    int64_t line = line_of(h);
    int rc = awr_report_title(h->r, text, line);
    /* whatever a spool file has behind </html> is part of the same text */
    if (!rc && span_starts(text, "End of Report"))
        rc = awr_report_end(h->r, line);
    if (!rc && span_starts(text, "AWR Report for"))
        rc = awr_report_page_title(h->r, text);
    stop(h, rc);
}

/* --- tables ----------------------------------------------------------------------------------- */

static void start_row(struct html_reader *h)
{
    h->n_cells = h->n_head_cells = 0;
    h->in_cell = false;
    h->row_line = line_of(h);
}

static void start_cell(struct html_reader *h, bool is_head, size_t span)
{
    h->in_cell = true;
    if (h->n_cells < AWR_COLUMNS_MAX) {
        h->cell_len[h->n_cells] = 0;
        h->span[h->n_cells] = span;
        h->is_head[h->n_cells] = is_head;
    }
    h->n_cells++;
    h->n_head_cells += is_head;
}

/* Headings with the groups of earlier rows before them. */
static void try_groups(struct html_reader *h, const struct awr_row *row)
{
    struct span grouped[AWR_COLUMNS_MAX];
    char text[AWR_COLUMNS_MAX][GROUP_MAX + 1 + GROUP_MAX];
    for (size_t i = 0; i < row->n; i++) {
        size_t n = row->cell[i].len < GROUP_MAX ? row->cell[i].len : GROUP_MAX;
        grouped[i] = row->cell[i];
        if (!h->group_len[i])
            continue;
        memcpy(text[i], h->group[i], h->group_len[i]);
        text[i][h->group_len[i]] = ' ';
        memcpy(text[i] + h->group_len[i] + 1, row->cell[i].ptr, n);
        grouped[i] = (struct span){ text[i], h->group_len[i] + 1 + n };
    }
    awr_report_headings(h->r, grouped, row->n);
}

/* A row of headings that did not fit: its cells are the groups of those below.  False when none of
 * them spans several columns. */
static bool keep_groups(struct html_reader *h, const struct awr_row *row)
{
    size_t at = 0;
    bool spans = false;
    for (size_t i = 0; i < row->n; i++) {
        size_t n = row->cell[i].len < GROUP_MAX ? row->cell[i].len : GROUP_MAX;
        spans = spans || h->span[i] > 1;
        for (size_t k = 0; k < h->span[i] && at < AWR_COLUMNS_MAX; k++, at++) {
            memcpy(h->group[at], row->cell[i].ptr, n);
            h->group_len[at] = n;
        }
    }
    return spans;
}

static void take_headings(struct html_reader *h, const struct awr_row *row)
{
    if (h->head_line)
        try_groups(h, row);
    if (!h->r->section)
        awr_report_headings(h->r, row->cell, row->n);
    h->has_section = h->r->section || !keep_groups(h, row);
    h->head_line = h->row_line;
}

/* No row of headings did fit: says so once. */
static int settle_headings(struct html_reader *h)
{
    int64_t line = h->head_line;
    h->head_line = 0;
    h->has_section = true;
    return line && !h->r->section ? awr_report_no_table(h->r, line) : 0;
}

/* A row of <th>, or before the table is known one that has blank <td> beside them. */
static bool is_headings(const struct html_reader *h, const struct awr_row *row)
{
    if (h->n_head_cells == h->n_cells)
        return true;
    if (h->has_section || !h->n_head_cells)
        return false;
    for (size_t i = 0; i < row->n; i++)
        if (row->cell[i].len && !h->is_head[i])
            return false;
    return true;
}

static int take_row(struct html_reader *h)
{
    struct awr_row row = { .line = h->row_line };
    row.n = h->n_cells < AWR_COLUMNS_MAX ? h->n_cells : AWR_COLUMNS_MAX;
    for (size_t i = 0; i < row.n; i++)
        row.cell[i] = span_trim((struct span){ h->cell[i], h->cell_len[i] });
    h->r->line = h->row_line;
    bool over = false;
    int rc = 0;
    if (!is_headings(h, &row)) {
        rc = settle_headings(h);
        if (!rc && h->r->section)
            rc = awr_report_row(h->r, &row, &over);
    } else if (!h->has_section) {
        take_headings(h, &row);
    }
    if (over)
        h->r->section = NULL;
    return rc;
}

static void end_row(struct html_reader *h)
{
    h->in_cell = false;
    if (h->n_cells)
        stop(h, take_row(h));
    h->n_cells = h->n_head_cells = 0;
}

/* Of an outer table too: what follows an inner one is not read as its rows. */
static void start_or_end_table(struct html_reader *h, bool is_start)
{
    stop(h, settle_headings(h));
    h->in_table = is_start;
    h->has_section = false;
    memset(h->group_len, 0, sizeof h->group_len);
    h->in_cell = false;
    h->n_cells = h->n_head_cells = 0;
    h->r->section = NULL;
}

/* --- elements --------------------------------------------------------------------------------- */

static bool is_tag(const xmlChar *name, const char *want)
{
    return strcmp((const char *)name, want) == 0;
}

/* The feed leaves at most one attribute: colspan, in digits. */
static size_t span_of_cell(const xmlChar **attributes)
{
    int64_t n;
    struct span value =
        attributes && attributes[0] ? span_of((const char *)attributes[1]) : (struct span){ 0 };
    return span_int(&value, &n) == 0 && n > 1 && n <= COLSPAN_MAX ? (size_t)n : 1;
}

static void on_start(void *ctx, const xmlChar *name, const xmlChar **attributes)
{
    struct html_reader *h = ctx;
    if (h->rc)
        return;
    if (++h->depth > DEPTH_MAX) {
        stop(h, err_set(h->r->err, ERR_LIMIT, "%s:%lld: elements nested deeper than %d", h->r->path,
                        (long long)line_of(h), DEPTH_MAX));
        return;
    }
    flush_text(h);
    if (is_tag(name, "table"))
        start_or_end_table(h, true);
    else if (h->in_table && is_tag(name, "tr"))
        start_row(h);
    else if (h->in_table && (is_tag(name, "td") || is_tag(name, "th")))
        start_cell(h, is_tag(name, "th"), span_of_cell(attributes));
}

static void on_end(void *ctx, const xmlChar *name)
{
    struct html_reader *h = ctx;
    if (h->rc)
        return;
    h->depth -= h->depth > 0;
    flush_text(h);
    if (is_tag(name, "table"))
        start_or_end_table(h, false);
    else if (h->in_table && is_tag(name, "tr"))
        end_row(h);
    else if (h->in_table && (is_tag(name, "td") || is_tag(name, "th")))
        h->in_cell = false;
}

/* --- the document ----------------------------------------------------------------------------- */

static void on_error(void *ctx, xmlErrorPtr error)
{
    struct html_reader *h = ctx;
    if (error && error->code == XML_ERR_NO_MEMORY)
        h->rc = err_nomem(h->r->err);
}

static bool is_utf8(struct span s)
{
    size_t more = 0;
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.ptr[i];
        if (more) {
            if ((c & 0xC0) != 0x80)
                return false;
            more--;
        } else if (c >= 0x80) {
            more = (c & 0xE0) == 0xC0 ? 1 : (c & 0xF0) == 0xE0 ? 2 : (c & 0xF8) == 0xF0 ? 3 : 0;
            if (!more)
                return false;
        }
    }
    return true;
}

/* --- feeding ---------------------------------------------------------------------------------- */

/* The document as it is passed on: without attributes but colspan, and without elements that HTML
 * does not know.  Nothing here needs them, and libxml2 takes time by the square of their number.
 * Quotes that a CSV field has doubled go with the attributes. */
struct feed {
    struct span document;
    size_t at;
    size_t next_gt; /* where the next '>' is, unless `at` has passed it */
};

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The end of the tag that starts at f->at, behind its '>'; 0 when no tag starts there. */
static size_t tag_end(struct feed *f)
{
    struct span d = f->document;
    size_t name = f->at + 1;
    if (name < d.len && d.ptr[name] == '/')
        name++;
    if (name >= d.len || !is_letter(d.ptr[name]))
        return 0;
    if (f->next_gt < name) {
        const char *gt = memchr(d.ptr + name, '>', d.len - name);
        f->next_gt = gt ? (size_t)(gt - d.ptr) : d.len;
    }
    return f->next_gt < d.len && f->next_gt - f->at < TAG_MAX ? f->next_gt + 1 : 0;
}

/* The name of the element in lower case; empty for one that HTML does not know. */
static struct span element_of(struct span tag, char name[NAME_MAX_BYTES + 1])
{
    size_t from = tag.ptr[1] == '/' ? 2 : 1, n = 0;
    while (n < NAME_MAX_BYTES && (is_letter(tag.ptr[from + n]) ||
                                  (tag.ptr[from + n] >= '0' && tag.ptr[from + n] <= '9'))) {
        name[n] = (char)(tag.ptr[from + n] | 0x20); /* digits have this bit */
        n++;
    }
    name[n] = '\0';
    return (struct span){ name, htmlTagLookup((const xmlChar *)name) ? n : 0 };
}

/* The number behind "colspan=", with or without quotes (perhaps doubled); 0 when there is none. */
static int colspan_of(struct span tag)
{
    static const char name[] = "colspan=";
    int64_t n;
    for (size_t i = 0; i + sizeof name - 1 < tag.len; i++) {
        if (!span_eq_nocase(span_cut(tag, i, i + sizeof name - 1), SPAN_LIT("colspan=")))
            continue;
        i += sizeof name - 1;
        while (i < tag.len && (tag.ptr[i] == '"' || tag.ptr[i] == '\'' || tag.ptr[i] == ' '))
            i++;
        struct span digits = span_cut(tag, i, tag.len);
        return span_int(&digits, &n) == 0 && n > 1 && n <= COLSPAN_MAX ? (int)n : 0;
    }
    return 0;
}

/* Writes "<name>", "</name>" or "<name/>", and all line ends of the tag, so that lines are
 * counted right; the number of bytes. */
static size_t slim_tag(struct span tag, char *out)
{
    char room[NAME_MAX_BYTES + 1];
    struct span name = element_of(tag, room);
    size_t n = 0;
    if (name.len) {
        out[n++] = '<';
        if (tag.ptr[1] == '/')
            out[n++] = '/';
        memcpy(out + n, name.ptr, name.len);
        n += name.len;
    }
    for (size_t i = 0; i < tag.len; i++)
        if (tag.ptr[i] == '\n')
            out[n++] = '\n';
    if (span_is(name, "th") && tag.ptr[1] != '/') {
        int columns = colspan_of(tag);
        if (columns)
            n += (size_t)snprintf(out + n, COLSPAN_BYTES, " colspan=\"%d\"", columns);
    }
    if (name.len) {
        if (tag.ptr[1] != '/' && tag.ptr[tag.len - 2] == '/')
            out[n++] = '/';
        out[n++] = '>';
    }
    return n;
}

/* The next piece in buf; its length, 0 at the end. */
static int next_piece(struct feed *f, char buf[PIECE])
{
    size_t n = 0;
    while (n < PIECE - TAG_MAX - NAME_MAX_BYTES - COLSPAN_BYTES && f->at < f->document.len) {
        char c = f->document.ptr[f->at];
        size_t end = c == '<' ? tag_end(f) : 0;
        if (end) {
            n += slim_tag(span_cut(f->document, f->at, end), buf + n);
            f->at = end;
            continue;
        }
        /* a '<' that starts neither a tag nor a comment is text */
        bool lone = c == '<' && !(f->at + 1 < f->document.len && f->document.ptr[f->at + 1] == '!');
        buf[n++] = lone ? ' ' : c;
        f->at++;
    }
    return (int)n;
}

static void parse(struct html_reader *h, struct span document)
{
    struct feed feed = { document, 0, 0 };
    char buf[PIECE];
    int n;
    while (!h->rc && (n = next_piece(&feed, buf)) > 0)
        htmlParseChunk(h->parser, buf, n, 0);
    h->r->cut_in_table = h->in_table;
    if (!h->rc)
        htmlParseChunk(h->parser, buf, 0, 1);
    if (!h->rc)
        flush_text(h);
    if (!h->rc && h->parser->errNo == XML_ERR_NO_MEMORY)
        h->rc = err_nomem(h->r->err);
}

/* Sets h->parser, or h->rc. */
static void create_parser(struct html_reader *h, xmlCharEncoding encoding)
{
    htmlSAXHandler sax = { .startElement = on_start,
                           .endElement = on_end,
                           .characters = on_characters,
                           .ignorableWhitespace = on_characters };
    h->creating = true;
    h->parser = htmlCreatePushParserCtxt(&sax, h, NULL, 0, NULL, encoding);
    h->creating = false;
    if (!h->parser) {
        xmlResetLastError();
        while (h->n_blocks)
            mem_free(h->block[--h->n_blocks]);
        h->rc = err_nomem(h->r->err);
        return;
    }
    htmlCtxtUseOptions(h->parser, HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING |
                                      HTML_PARSE_NONET | HTML_PARSE_IGNORE_ENC);
}

int awr_html_read(struct awr_report *r, struct source *src)
{
    struct span document;
    int rc = source_all(src, DOCUMENT_MAX, &document, r->err);
    if (rc)
        return rc;
    struct html_reader *h = arena_alloc(r->arena, sizeof *h);
    if (!h)
        return err_nomem(r->err);
    h->r = r;
    at_work = h;
    xmlSetStructuredErrorFunc(h, on_error);
    create_parser(h, is_utf8(document) ? XML_CHAR_ENCODING_UTF8 : XML_CHAR_ENCODING_8859_1);
    if (h->parser) {
        parse(h, document);
        r->line = r->ended ? r->line : line_of(h);
        htmlFreeParserCtxt(h->parser);
    }
    xmlSetStructuredErrorFunc(NULL, NULL);
    xmlResetLastError();
    at_work = NULL;
    return h->rc;
}
