/* data/ingest/lsblk/lsblk.c - see lsblk.h.
 *
 * In a table every word belongs to the column whose heading begins where it begins (texts) or ends
 * where it ends (numbers); a word of which neither is true goes on with the cell before it, so that
 * models and mount points may have blanks, and any cell may be empty.  Places are counted in
 * characters: the glyphs of the tree are three bytes each. */
#include "data/ingest/lsblk/lsblk.h"

#include "data/ingest/json/json_doc.h"
#include "data/ingest/lsblk/lsblk_column.h"
#include "data/ingest/text/text_line.h"

#include <math.h>
#include <string.h>

enum { COLUMNS_MAX = 60, DEPTH_MAX = 32 };

struct reader {
    struct feed *f;
    struct lsblk_column column[COLUMNS_MAX];
    size_t begin[COLUMNS_MAX], end[COLUMNS_MAX]; /* of the heading, in characters */
    size_t n_columns;
    bool raw, raw_settled;
    struct text_name above[DEPTH_MAX]; /* the device at each depth of the tree */
};

static int64_t line_no(const struct reader *r)
{
    return source_line_no(r->f->src);
}

static int hand_over(struct reader *r, const struct fields *fields, int64_t line)
{
    struct record rec = { .kind = "devices",
                          .time_ms = UNKNOWN,
                          .fields = fields->at,
                          .n_fields = fields->n,
                          .line = line };
    return feed_record(r->f, &rec);
}

/* --- tables ----------------------------------------------------------------------------------- */

/* The next run of non-blanks and where it stands; at counts characters. */
static bool next_word(struct span *s, size_t *at, struct span *word, size_t *begin, size_t *end)
{
    size_t i = 0;
    while (i < s->len && (s->ptr[i] == ' ' || s->ptr[i] == '\t'))
        i++;
    size_t from = i, c = *at + i;
    *begin = c;
    while (i < s->len && s->ptr[i] != ' ' && s->ptr[i] != '\t') {
        c += ((unsigned char)s->ptr[i] & 0xC0) != 0x80;
        i++;
    }
    *end = *at = c;
    *word = span_cut(*s, from, i);
    *s = span_cut(*s, i, s->len);
    return i > from;
}

static bool take_heading(struct reader *r, struct span line)
{
    struct span word;
    size_t at = 0;
    bool has_name = false, single = span_find(span_trim(line), "  ") < 0;
    r->n_columns = 0;
    while (r->n_columns < COLUMNS_MAX &&
           next_word(&line, &at, &word, &r->begin[r->n_columns], &r->end[r->n_columns])) {
        if (!lsblk_column_of(word, &r->column[r->n_columns]))
            return false;
        has_name = has_name || r->column[r->n_columns].is_name;
        r->n_columns++;
    }
    r->raw = single;
    r->raw_settled = !single;
    return has_name && r->n_columns >= 2;
}

/* Leads of a tree: blanks, "|", "|-", "`-", and the same as glyphs of box drawing. */
static struct span without_tree(struct span name, size_t *depth)
{
    size_t i = 0, chars = 0;
    while (i < name.len) {
        unsigned char c = (unsigned char)name.ptr[i];
        bool box = c == 0xE2 && i + 2 < name.len && (unsigned char)name.ptr[i + 1] >= 0x94 &&
                   (unsigned char)name.ptr[i + 1] <= 0x95;
        bool dash = c == '-' && i && (name.ptr[i - 1] == '|' || name.ptr[i - 1] == '`');
        if (!box && !dash && c != ' ' && c != '|' && c != '`')
            break;
        i += box ? 3 : 1;
        chars++;
    }
    *depth = chars / 2;
    return span_trim(span_cut(name, i, name.len));
}

/* The column that a word is a value of, or n_columns: it goes on with the cell before. */
static size_t column_at(const struct reader *r, size_t from, struct span word, size_t begin,
                        size_t end)
{
    for (size_t i = from; i < r->n_columns; i++) {
        const struct lsblk_column *c = &r->column[i];
        bool numbers = word.ptr[0] >= '0' && word.ptr[0] <= '9';
        if (strcmp(c->key, "maj_min") == 0 ? numbers && span_find(word, ":") > 0
            : c->right                     ? end == r->end[i]
                                           : begin == r->begin[i])
            return i;
    }
    return r->n_columns;
}

static void split_aligned(const struct reader *r, struct span line, struct span cells[COLUMNS_MAX])
{
    struct span word, rest = line;
    size_t at = 0, begin, end, last = 0; /* the first column begins the line */
    while (next_word(&rest, &at, &word, &begin, &end)) {
        size_t c = column_at(r, cells[0].ptr ? last + 1 : 0, word, begin, end);
        if (c == r->n_columns)
            c = last;
        const char *from = cells[c].ptr ? cells[c].ptr : c ? word.ptr : line.ptr; /* the tree */
        cells[c] = (struct span){ from, (size_t)(word.ptr + word.len - from) };
        last = c;
    }
}

static void split_raw(const struct reader *r, struct span line, struct span cells[COLUMNS_MAX])
{
    for (size_t i = 0; i < r->n_columns && span_field(&line, ' ', &cells[i]) == 0; i++)
        ;
}

static int on_row(struct reader *r, struct span line)
{
    struct span cells[COLUMNS_MAX] = { { NULL, 0 } };
    struct fields fields = { .n = 0 };
    size_t depth = 0;
    if (!r->raw_settled) { /* -r has one blank between cells, tables pad theirs */
        r->raw = span_find(span_trim(line), "  ") < 0;
        r->raw_settled = true;
    }
    if (r->raw)
        split_raw(r, line, cells);
    else
        split_aligned(r, line, cells);
    for (size_t i = 0; i < r->n_columns; i++) {
        if (r->column[i].is_name && !r->raw)
            cells[i] = without_tree(cells[i], &depth);
        if (r->column[i].is_name && !cells[i].len) {
            r->f->skipped++;
            return feed_warn(r->f, line_no(r), "row skipped: no name in '%.*s'", SPAN_ARG(line));
        }
        lsblk_field(&fields, &r->column[i], cells[i]);
    }
    for (size_t i = 0; i < r->n_columns; i++)
        if (r->column[i].is_name && depth < DEPTH_MAX) {
            text_name_set(&r->above[depth], cells[i]);
            fields_text(&fields, "parent",
                        depth ? text_name_span(&r->above[depth - 1]) : (struct span){ NULL, 0 });
        }
    return hand_over(r, &fields, line_no(r));
}

/* --- pairs ------------------------------------------------------------------------------------ */

/* KEY="value"; false at the end of the line, or when it is none. */
static bool next_pair(struct span *s, struct span *key, struct span *value)
{
    *s = span_trim(*s);
    ptrdiff_t equals = span_find(*s, "=\"");
    if (equals <= 0)
        return false;
    *key = span_cut(*s, 0, (size_t)equals);
    struct span rest = span_cut(*s, (size_t)equals + 2, s->len);
    ptrdiff_t close = span_find(rest, "\"");
    if (close < 0)
        return false;
    *value = span_cut(rest, 0, (size_t)close);
    *s = span_cut(rest, (size_t)close + 1, rest.len);
    return true;
}

static int on_pairs(struct reader *r, struct span line)
{
    struct fields fields = { .n = 0 };
    struct span key, value, rest = line;
    size_t n = 0;
    r->n_columns = 0; /* its own take the place of a table's */
    while (n < COLUMNS_MAX && next_pair(&rest, &key, &value))
        if (lsblk_column_of(key, &r->column[n]))
            lsblk_field(&fields, &r->column[n++], value);
    if (!n || span_trim(rest).len) {
        r->f->skipped++;
        return feed_warn(r->f, line_no(r), "line skipped: '%.*s'", SPAN_ARG(line));
    }
    return hand_over(r, &fields, line_no(r));
}

/* --- JSON ------------------------------------------------------------------------------------- */

/* Older versions quote their numbers, newer ones say true and false. */
static int json_cell(struct reader *r, struct fields *fields, const cJSON *item, size_t i,
                     int64_t line)
{
    struct lsblk_column *c = &r->column[i];
    if (!lsblk_column_of(span_of(item->string), c))
        return 0;
    if (cJSON_IsNumber(item) && !isfinite(item->valuedouble)) {
        fields_text(fields, c->key, (struct span){ NULL, 0 });
        return feed_warn(r->f, line, "'%.80s': the number is too large, taken as unknown",
                         item->string);
    }
    if (cJSON_IsNumber(item))
        fields_num(fields, c->key, c->unit, item->valuedouble);
    else if (cJSON_IsBool(item))
        fields_num(fields, c->key, c->unit, cJSON_IsTrue(item));
    else if (cJSON_IsString(item))
        lsblk_field(fields, c, span_of(item->valuestring));
    else if (cJSON_IsArray(item) && cJSON_IsString(item->child)) /* mountpoints */
        fields_text(fields, c->key, span_of(item->child->valuestring));
    else
        fields_text(fields, c->key, (struct span){ NULL, 0 });
    return 0;
}

static int on_device(struct reader *r, const cJSON *device, const char *parent, int64_t line,
                     int depth)
{
    struct fields fields = { .n = 0 };
    size_t n = 0;
    int rc = 0;
    const cJSON *item;
    if (depth > DEPTH_MAX) {
        r->f->skipped++;
        return feed_warn(r->f, line, "a device more than %d levels deep is skipped",
                         (int)DEPTH_MAX);
    }
    cJSON_ArrayForEach(item, device) if (!rc && n < COLUMNS_MAX && item->string &&
                                         strcmp(item->string, "children") != 0) rc =
        json_cell(r, &fields, item, n++, line);
    if (rc)
        return rc;
    if (!n) {
        r->f->skipped++;
        return 0;
    }
    fields_text(&fields, "parent", span_of(parent));
    rc = hand_over(r, &fields, line);
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(device, "name");
    const cJSON *children = cJSON_GetObjectItemCaseSensitive(device, "children");
    if (!cJSON_IsArray(children))
        return rc;
    cJSON_ArrayForEach(item, children) if (!rc) rc =
        on_device(r, item, cJSON_GetStringValue(name), line, depth + 1);
    return rc;
}

static int on_top_device(struct feed *f, const cJSON *element, int64_t line, void *ctx)
{
    (void)f;
    return on_device(ctx, element, NULL, line, 0);
}

/* --- the file --------------------------------------------------------------------------------- */

static bool is_pairs(struct span line)
{
    return span_find(line, "NAME=\"") >= 0 &&
           (span_find(line, "TYPE=\"") >= 0 || span_find(line, "MAJ:MIN=\"") >= 0 ||
            span_find(line, "SIZE=\"") >= 0);
}

static bool is_heading(struct span line)
{
    static const char *const others[] = { "MAJ:MIN", "SIZE",    "TYPE",   "FSTYPE",
                                          "PHY-SEC", "ROTA",    "MODEL",  "ALIGNMENT",
                                          "UUID",    "LOG-SEC", "SERIAL", "MOUNTPOINT" };
    struct span word, rest = line;
    bool name = false, other = false;
    while (span_word(&rest, &word) == 0) {
        name = name || span_is(word, "NAME");
        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
            other = other || span_is(word, others[i]);
    }
    return name && other;
}

static int read_lines(struct reader *r)
{
    struct text_lines lines = { .src = r->f->src, .a = r->f->arena };
    struct span line;
    bool any = false;
    int rc;
    while ((rc = text_line_next(&lines, &line, r->f->err)) == 1) {
        if (!span_trim(line).len || span_starts(line, "lsblk:"))
            continue;
        if (is_pairs(line))
            rc = on_pairs(r, line);
        else if (is_heading(line))
            rc = take_heading(r, line) ? 0 : feed_fault(r->f, line_no(r), "not headings of lsblk");
        else if (r->n_columns)
            rc = on_row(r, line);
        else
            rc = 0; /* a prompt, a command */
        if (rc)
            return rc;
        any = any || r->f->rows > 0;
    }
    return rc || any ? rc : feed_fault(r->f, 1, "no device of lsblk in it");
}

static int read_body(struct feed *f)
{
    struct reader *r = arena_alloc(f->arena, sizeof *r);
    struct span head;
    if (!r)
        return err_nomem(f->err);
    r->f = f;
    int rc = source_head(f->src, &head, f->err);
    if (rc)
        return rc;
    return json_head_has(head, "blockdevices")
               ? json_each_of_list(f, "blockdevices", NULL, on_top_device, r)
               : read_lines(r);
}

int lsblk_read(struct source *src, const struct ingest_options *o, struct sink *sink,
               struct arena *a, int64_t *rows, int64_t *skipped, struct err *e)
{
    return feed_run(src, o, sink, a, rows, skipped, e, read_body);
}

int lsblk_detect(struct span head)
{
    struct span line;
    if (json_head_has(head, "blockdevices"))
        return 100;
    for (int n = 0; n < 20 && span_field(&head, '\n', &line) == 0; n++)
        if (is_pairs(line) || is_heading(line))
            return 90;
    return 0;
}
