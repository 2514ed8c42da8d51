/* data/ingest/awr/awr_text.c - see awr_text.h.
 *
 * A table is known by its ruler (a line of dashes), whose runs give the columns, and by the one
 * to HEADINGS_MAX lines above it, which cut at the same columns give the headings:
 *
 *                     Reads:  Reqs    Data
 *     Filetype Name     Data per sec per sec     -> "Filetype Name", "Reads: Data", ...
 *     -------------- ------- ------- -------
 *     Flashback Log       2M     0.0      0M     cells by column: a blank one stays blank
 *
 * A ruler directly below the headings of another is that of the columns, the one above it that of
 * groups: then a column is also tried as "Group Column" ("Total Reads 1st").
 *
 * Rows go on up to an empty line, a form feed, or a single run of dashes.  Prints through
 * SQL*Plus put an empty line and "OUTPUT" anywhere, even above a ruler: both are left out.
 * Some tools turn a form feed into a line "?". */
#include "data/ingest/awr/awr_text.h"

#include <string.h>

enum { HEADINGS_MAX = 5, HEADING_BYTES = 512, GROUP_BYTES = 64 };

struct text_column {
    size_t from, width; /* in characters; width 0 = left of the ruler's first run */
};

struct text_reader {
    struct awr_report *r;
    struct source *src;
    struct span rest; /* of a source line with lone CRs in it */
    struct span held; /* a line read ahead */
    bool has_held;
    int64_t line, held_line;

    char above[HEADINGS_MAX][HEADING_BYTES]; /* lines above a ruler, the newest last */
    size_t above_len[HEADINGS_MAX];
    size_t n_above;

    struct text_column column[AWR_COLUMNS_MAX];
    size_t n_columns;
    struct text_column group[AWR_COLUMNS_MAX]; /* of the ruler above, when no table was under it */
    size_t n_groups;
    char group_head[AWR_COLUMNS_MAX][GROUP_BYTES];
    size_t group_head_len[AWR_COLUMNS_MAX];
    int64_t rows_left; /* of a table "Top N ..."; 0 = as many as there are */
};

/* --- lines ------------------------------------------------------------------------------------ */

/* 1 = a line, 0 = end. */
static int read_line(struct text_reader *t, struct span *out)
{
    if (!t->rest.ptr) {
        int rc = source_line(t->src, &t->rest, t->r->err);
        if (rc <= 0)
            return rc;
        while (t->r->doubled_cr && span_ends(t->rest, "\r"))
            t->rest.len--;
    }
    t->line = source_line_no(t->src);
    span_field(&t->rest, '\r', out);
    return 1;
}

static bool is_blank_line(struct span line)
{
    return span_trim(line).len == 0;
}

/* The same without the "OUTPUT" headings of SQL*Plus and the empty line above each. */
static int next_line(struct text_reader *t, struct span *out)
{
    for (;;) {
        if (t->has_held) {
            *out = t->held;
            t->line = t->held_line;
            t->has_held = false;
        } else {
            int rc = read_line(t, out);
            if (rc <= 0)
                return rc;
        }
        if (!is_blank_line(*out) || span_find(*out, "\f") >= 0)
            return 1;
        int64_t line = t->line;
        int rc = read_line(t, &t->held);
        if (rc < 0)
            return rc;
        if (rc == 0 || !span_is(span_trim(t->held), "OUTPUT")) {
            t->has_held = rc == 1;
            t->held_line = t->line;
            t->line = line;
            *out = (struct span){ "", 0 };
            return 1;
        }
    }
}

/* --- columns ---------------------------------------------------------------------------------- */

/* Bytes of the first n characters; UTF-8 continuation bytes belong to the character before. */
static size_t bytes_of(struct span s, size_t n)
{
    size_t at = 0;
    for (; at < s.len; at++)
        if (((unsigned char)s.ptr[at] & 0xC0) != 0x80 && n-- == 0)
            return at;
    return at;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\0';
}

/* Cuts a line at the columns.  A word across the gap between two columns is a figure that is
 * wider than its own: it belongs to the column in which it ends. */
static size_t cut(const struct text_reader *t, struct span line, struct span *cell)
{
    size_t from = 0;
    for (size_t i = 0; i < t->n_columns; i++) {
        size_t to = line.len;
        if (i + 1 < t->n_columns) {
            to = bytes_of(line, t->column[i + 1].from);
            if (to < from)
                to = from;
            if (to && to < line.len && !is_space(line.ptr[to - 1]) && !is_space(line.ptr[to]))
                while (to > from && !is_space(line.ptr[to - 1]))
                    to--;
        }
        cell[i] = span_trim(span_cut(line, from, to));
        if (cell[i].len > AWR_CELL_MAX)
            cell[i].len = AWR_CELL_MAX;
        from = to;
    }
    return t->n_columns;
}

enum ruler { NO_RULER, END_MARK, RULER };

/* Finds the runs of dashes of a line that has nothing else; a run of '~' before them underlines
 * a title.  What stands left of the first run is a column without heading. */
static enum ruler read_ruler(struct span line, struct text_column column[AWR_COLUMNS_MAX],
                             size_t *n_columns)
{
    size_t i = 0, n = 0, runs = 0;
    while (i < line.len && (line.ptr[i] == '~' || is_space(line.ptr[i])))
        i++;
    if (i == line.len || line.ptr[i] != '-')
        return NO_RULER;
    for (size_t k = i; k < line.len; k++)
        if (line.ptr[k] != '-' && !is_space(line.ptr[k]))
            return NO_RULER;
    if (i > 0)
        column[n++] = (struct text_column){ 0, 0 };
    while (i < line.len) {
        size_t from = i;
        while (i < line.len && line.ptr[i] == '-')
            i++;
        if (n < AWR_COLUMNS_MAX)
            column[n++] = (struct text_column){ from, i - from };
        runs++;
        while (i < line.len && is_space(line.ptr[i]))
            i++;
    }
    *n_columns = n;
    return runs < 2 ? END_MARK : RULER;
}

/* --- headings --------------------------------------------------------------------------------- */

static void remember(struct text_reader *t, struct span line)
{
    if (t->n_above == HEADINGS_MAX) {
        memmove(t->above[0], t->above[1], sizeof t->above[0] * (HEADINGS_MAX - 1));
        memmove(t->above_len, t->above_len + 1, sizeof t->above_len[0] * (HEADINGS_MAX - 1));
        t->n_above--;
    }
    size_t n = line.len < HEADING_BYTES ? line.len : HEADING_BYTES;
    memcpy(t->above[t->n_above], line.ptr, n);
    t->above_len[t->n_above++] = n;
}

/* The headings from the last n lines, each a join of its pieces with a blank between. */
static size_t join_headings(const struct text_reader *t, size_t n, char *room,
                            struct span head[AWR_COLUMNS_MAX])
{
    struct span piece[HEADINGS_MAX][AWR_COLUMNS_MAX];
    for (size_t k = 0; k < n; k++) {
        size_t at = t->n_above - n + k;
        cut(t, (struct span){ t->above[at], t->above_len[at] }, piece[k]);
    }
    for (size_t i = 0; i < t->n_columns; i++) {
        head[i] = (struct span){ room, 0 };
        for (size_t k = 0; k < n; k++) {
            if (!piece[k][i].len)
                continue;
            if (head[i].len)
                *room++ = ' ';
            memcpy(room, piece[k][i].ptr, piece[k][i].len);
            room += piece[k][i].len;
            head[i].len = (size_t)(room - head[i].ptr);
        }
    }
    return t->n_columns;
}

/* The last line above a ruler as the heads of groups for the ruler to come. */
static void keep_groups(struct text_reader *t)
{
    struct span head[AWR_COLUMNS_MAX];
    char room[HEADING_BYTES + AWR_COLUMNS_MAX];
    t->n_groups = t->n_above ? join_headings(t, 1, room, head) : 0;
    for (size_t i = 0; i < t->n_groups; i++) {
        size_t n = head[i].len < GROUP_BYTES ? head[i].len : GROUP_BYTES;
        memcpy(t->group_head[i], head[i].ptr, n);
        t->group_head_len[i] = n;
        t->group[i] = t->column[i];
    }
}

/* The head of the group above a column; empty when it has none. */
static struct span group_of(const struct text_reader *t, const struct text_column *c)
{
    size_t middle = c->from + c->width / 2;
    for (size_t i = 0; i < t->n_groups; i++)
        if (middle >= t->group[i].from && middle < t->group[i].from + t->group[i].width)
            return (struct span){ t->group_head[i], t->group_head_len[i] };
    return (struct span){ 0 };
}

/* Headings with their groups before them. */
static void try_groups(struct text_reader *t, const struct span *head, size_t n)
{
    struct span grouped[AWR_COLUMNS_MAX];
    char room[AWR_COLUMNS_MAX * (GROUP_BYTES + 1) + HEADINGS_MAX * HEADING_BYTES];
    char *at = room, *end = room + sizeof room;
    for (size_t i = 0; i < n; i++) {
        struct span group = group_of(t, &t->column[i]);
        grouped[i] = head[i];
        if (!group.len || (size_t)(end - at) < group.len + 1 + head[i].len)
            continue;
        grouped[i] = (struct span){ at, group.len + 1 + head[i].len };
        memcpy(at, group.ptr, group.len);
        at += group.len;
        *at++ = ' ';
        memcpy(at, head[i].ptr, head[i].len);
        at += head[i].len;
    }
    awr_report_headings(t->r, grouped, n);
}

/* Statspack through a narrow terminal wraps the headings of its host table, not the ruler:
 *     Host                 Name             Platform                CPUs
 *     Cores Sockets   Memory (G)
 *     ~~~~ ---------------- ---------------------- ----- ----- ------- ------------ */
static void try_wrapped_host(struct text_reader *t)
{
    static const char *const words[] = { "Host",  "Name",    "Platform", "CPUs",
                                         "Cores", "Sockets", "Memory" };
    enum { N_WORDS = sizeof words / sizeof *words };
    struct span head[N_WORDS], word;
    size_t n = 0;
    for (size_t k = t->n_above < 2 ? 0 : t->n_above - 2; k < t->n_above; k++) {
        struct span line = { t->above[k], t->above_len[k] };
        while (n < N_WORDS && span_word(&line, &word) == 0) {
            if (!span_is(word, words[n]))
                return;
            head[n++] = word;
        }
    }
    if (n == N_WORDS && t->n_columns == N_WORDS)
        awr_report_headings(t->r, head, n);
}

/* N of "Top N ..." among the lines above a ruler; 0 = not said. */
static int64_t top_n(const struct text_reader *t)
{
    for (size_t i = 0; i < t->n_above; i++) {
        struct span line = { t->above[i], t->above_len[i] };
        int64_t n;
        if (!span_starts(line, "Top "))
            continue;
        line = span_cut(line, 4, line.len);
        if (span_int(&line, &n) == 0)
            return n;
    }
    return 0;
}

static int start_table(struct text_reader *t)
{
    struct span head[AWR_COLUMNS_MAX];
    char room[HEADINGS_MAX * (HEADING_BYTES + AWR_COLUMNS_MAX)];
    t->rows_left = top_n(t);
    for (size_t n = 1; n <= t->n_above && !t->r->section; n++) {
        size_t n_heads = join_headings(t, n, room, head);
        if (t->n_groups)
            try_groups(t, head, n_heads);
        if (!t->r->section)
            awr_report_headings(t->r, head, n_heads);
    }
    if (!t->r->section)
        try_wrapped_host(t);
    if (t->r->section) {
        t->n_groups = 0;
        return 0;
    }
    keep_groups(t);
    return awr_report_no_table(t->r, t->line);
}

/* --- the machine ------------------------------------------------------------------------------ */

/* *over when the line belongs to what follows the table. */
static int table_row(struct text_reader *t, struct span line, bool *over)
{
    struct awr_row row = { .text = line, .line = t->line };
    row.n = cut(t, line, row.cell);
    for (size_t i = 0; i < row.n; i++)
        row.width[i] = t->column[i].width;
    int rc = awr_report_row(t->r, &row, over);
    if (*over || (t->rows_left && --t->rows_left == 0))
        t->r->section = NULL;
    return rc;
}

/* Statspack adds the name of its file: "End of Report ( sp_101_102.lst )". */
static bool is_end_of_report(struct span text)
{
    static const char end[] = "End of Report";
    struct span rest = span_trim(span_cut(text, sizeof end - 1, text.len));
    return span_starts(text, end) && (!rest.len || rest.ptr[0] == '(');
}

static int outside_table(struct text_reader *t, struct span line)
{
    struct span text = span_trim(line);
    if (is_end_of_report(text))
        return awr_report_end(t->r, t->line);
    struct text_column column[AWR_COLUMNS_MAX];
    size_t n_columns;
    enum ruler ruler = read_ruler(line, column, &n_columns);
    if (ruler == NO_RULER) {
        remember(t, line);
        return awr_report_title(t->r, text, t->line);
    }
    int rc = 0;
    if (ruler == RULER) {
        memcpy(t->column, column, sizeof column[0] * n_columns);
        t->n_columns = n_columns;
        rc = start_table(t);
    }
    t->n_above = 0;
    return rc;
}

/* Nothing but '~' and '-': "  ~~~~~~~ ~~~~~~~~". */
static bool is_underline(struct span line)
{
    for (size_t i = 0; i < line.len; i++)
        if (line.ptr[i] != '~' && line.ptr[i] != '-' && !is_space(line.ptr[i]))
            return false;
    return true;
}

/* An end mark, the ruler of a table that follows without an empty line between, or the title
 * of the next page ("Instance Activity Stats    DB/Inst: PRD1/prd1  Snaps: 1-2"). */
static bool ends_table(struct span line)
{
    return is_underline(line) || span_find(line, "DB/Inst: ") > 0;
}

static int take_line(struct text_reader *t, struct span line)
{
    bool page = line.len && line.ptr[0] == '\f';
    if (page)
        line = span_cut(line, 1, line.len);
    struct span text = span_trim(line);
    bool blank = text.len == 0 || span_is(text, "?");
    if (page || blank) {
        t->r->section = NULL;
        t->n_above = t->n_groups = 0;
    }
    if (blank)
        return 0;
    if (t->r->section && ends_table(line))
        t->r->section = NULL;
    if (t->r->section) {
        bool over;
        int rc = table_row(t, line, &over);
        if (rc || !over)
            return rc;
    }
    return outside_table(t, line);
}

int awr_text_read(struct awr_report *r, struct source *src)
{
    struct text_reader t = { .r = r, .src = src };
    struct span line;
    int rc;
    while ((rc = next_line(&t, &line)) > 0) {
        r->line = t.line;
        rc = take_line(&t, line);
        if (rc)
            return rc;
    }
    r->cut_in_table = r->section != NULL;
    return rc;
}
