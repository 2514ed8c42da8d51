/* data/ingest/awr/awr_report.c - see awr_report.h.
 *
 * Columns are found by heading, in the order of the section's list: each takes the first
 * heading that fits and is not taken yet, so that the first "Reqs per sec" is the reads' and
 * the second the writes'. */
#include "data/ingest/awr/awr_report.h"

#include "data/ingest/awr/awr_section.h"
#include "models/core/unit.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int awr_warn(struct awr_report *r, int64_t line, const char *fmt, ...)
{
    char text[400];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return r->sink->warning(r->sink->ctx, line, text, r->err);
}

int awr_list_add(struct awr_report *r, struct awr_list *list, const void *item, size_t size,
                 size_t limit)
{
    if (list->n >= limit)
        return err_set(r->err, ERR_LIMIT, "%s:%lld: more than %zu rows in one section", r->path,
                       (long long)r->line, limit);
    if (list->n == list->room) {
        size_t room = list->room ? list->room * 2 : 16;
        void *items = arena_grow(r->arena, list->items, list->n, room, size);
        if (!items)
            return err_nomem(r->err);
        list->items = items;
        list->room = room;
    }
    memcpy((char *)list->items + list->n++ * size, item, size);
    return 0;
}

void awr_report_init(struct awr_report *r, struct source *src, const struct ingest_options *o,
                     struct sink *sink, struct arena *a, struct err *e)
{
    *r = (struct awr_report){
        .path = source_path(src), .options = o, .sink = sink, .arena = a, .err = e
    };
}

/* --- titles ----------------------------------------------------------------------------------- */

enum { READ = 1 };
/* Compared without case, longest first where one begins another. */
static const struct kind {
    const char *title, *what;
    int flags;
} kinds[] = {
    { "WORKLOAD REPOSITORY COMPARE PERIOD REPORT", "an AWR compare periods report (awrddrpt)", 0 },
    { "WORKLOAD REPOSITORY REPORT (RAC)", "a global AWR report of a RAC database (awrgrpt)", 0 },
    { "WORKLOAD REPOSITORY REPORT", "an AWR report", READ },
    { "WORKLOAD REPOSITORY PDB REPORT", "an AWR report of a pluggable database", READ },
    { "WORKLOAD REPOSITORY", "an AWR report of another kind", 0 },
    { "STATSPACK REPORT", "a Statspack report", 0 },
    { "~~BEGIN-", "an AWR extract (AWR-miner, dbcsi)", 0 },
};

static const struct kind *kind_of(struct span title)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct span want = span_of(kinds[i].title);
        if (span_eq_nocase(span_cut(title, 0, want.len), want))
            return &kinds[i];
    }
    return NULL;
}

static int cut_short(struct awr_report *r, int64_t line)
{
    return err_set(r->err, ERR_PARSE,
                   "%s:%lld: the report is cut short: no \"End of Report\" up to this line",
                   r->path, (long long)line);
}

int awr_report_title(struct awr_report *r, struct span title, int64_t line)
{
    const struct kind *kind = kind_of(title);
    r->line = line;
    if (!kind)
        return 0;
    if (!(kind->flags & READ))
        return err_set(r->err, ERR_PARSE,
                       "%s:%lld: this is %s; so far only AWR reports of a single instance are read",
                       r->path, (long long)line, kind->what);
    if (r->started && !r->ended)
        return cut_short(r, line);
    r->started = true;
    r->ended = false;
    r->decimal_comma = false;
    r->sections_seen = 0;
    r->now = (struct awr_snapshot){ .db_id = UNKNOWN,
                                    .instance_number = UNKNOWN,
                                    .rac = -1,
                                    .cpus = NAN,
                                    .begin_ms = UNKNOWN,
                                    .end_ms = UNKNOWN,
                                    .elapsed_s = NAN,
                                    .db_time_s = NAN };
    r->first_snap = r->last_snap = UNKNOWN;
    r->elapsed_printed_s = NAN;
    r->filetypes = r->functions = r->events = (struct awr_list){ 0 };
    r->load_profile = r->io_profile = r->stats = (struct awr_list){ 0 };
    return 0;
}

static int name_after(struct awr_report *r, struct span title, const char *label, const char **out)
{
    ptrdiff_t at = span_find(title, label);
    struct span name;
    if (at < 0)
        return 0;
    title = span_cut(title, (size_t)at + strlen(label), title.len);
    if (span_field(&title, ',', &name) || !(name = span_trim(name)).len)
        return 0;
    *out = arena_strndup(r->arena, name.ptr, name.len);
    return *out ? 0 : err_nomem(r->err);
}

int awr_report_page_title(struct awr_report *r, struct span title)
{
    int rc = name_after(r, title, "DB:", &r->page_db);
    return rc ? rc : name_after(r, title, "Inst:", &r->page_instance);
}

/* --- tables ----------------------------------------------------------------------------------- */

/* Whether head, read word by word, is `want`. */
static bool head_is(struct span head, const char *want)
{
    struct span rest = span_of(want), word, want_word;
    while (span_word(&head, &word) == 0)
        if (span_word(&rest, &want_word) || !span_eq_nocase(word, want_word))
            return false;
    return span_word(&rest, &want_word) != 0;
}

static bool head_fits(const struct awr_column *c, const struct span *heads, size_t at)
{
    for (size_t i = 0; i < AWR_ALTERNATIVES_MAX && c->heads[i]; i++)
        if (strcmp(c->heads[i], "*") == 0 ? at == 0 : head_is(heads[at], c->heads[i]))
            return true;
    return false;
}

/* Finds the section's columns among the headings; false when a needed one is not there. */
static bool map_columns(const struct awr_section *s, const struct span *heads, size_t n,
                        int column[AWR_SECTION_COLUMNS])
{
    bool taken[AWR_COLUMNS_MAX] = { false };
    for (size_t i = 0; i < AWR_SECTION_COLUMNS; i++) {
        column[i] = -1;
        for (size_t at = 0; at < n && column[i] < 0; at++)
            if (!taken[at] && head_fits(&s->columns[i], heads, at)) {
                taken[at] = true;
                column[i] = (int)at;
            }
        if (column[i] < 0 && s->columns[i].needed)
            return false;
    }
    return true;
}

static bool has_head(const struct span *heads, size_t n, const char *want)
{
    for (size_t i = 0; i < n; i++)
        if (head_is(heads[i], want))
            return true;
    return false;
}

/* For the message that s (NULL: the table of snapshots) was not found. */
static void note_headings(struct awr_report *r, const struct awr_section *s,
                          const struct span *heads, size_t n)
{
    size_t at = 0;
    if (s)
        r->lacking = s;
    r->headings_seen[0] = '\0';
    for (size_t i = 0; i < n && at < sizeof r->headings_seen; i++) {
        int len = snprintf(r->headings_seen + at, sizeof r->headings_seen - at, "%s%.*s",
                           i ? " | " : "", SPAN_ARG(heads[i]));
        at += len > 0 ? (size_t)len : sizeof r->headings_seen;
    }
}

void awr_report_headings(struct awr_report *r, const struct span *heads, size_t n)
{
    r->section = NULL;
    if (!r->started || r->ended)
        return;
    if (n > AWR_COLUMNS_MAX)
        n = AWR_COLUMNS_MAX;
    for (size_t i = 0; i < awr_n_sections; i++) {
        const struct awr_section *s = &awr_sections[i];
        if (s->once && (r->sections_seen >> i & 1))
            continue;
        if (map_columns(s, heads, n, r->column)) {
            r->sections_seen |= 1u << i;
            r->section = s;
            r->lacking = NULL;
            return;
        }
        if (s->key && has_head(heads, n, s->key))
            note_headings(r, s, heads, n);
    }
    if (r->now.begin_ms == UNKNOWN && !r->lacking)
        note_headings(r, NULL, heads, n);
}

int awr_report_no_table(struct awr_report *r, int64_t line)
{
    r->line = line;
    if (r->lacking)
        return err_set(r->err, ERR_PARSE, "%s:%lld: '%s' lacks a heading; headings seen: %s",
                       r->path, (long long)line, r->lacking->name, r->headings_seen);
    r->n_skipped += r->started && !r->ended;
    return 0;
}

static int bad_cell(struct awr_report *r, const struct awr_row *row, struct span cell,
                    const struct awr_column *c)
{
    return err_set(r->err, ERR_PARSE,
                   "%s:%lld: %s, '%.*s': column '%s': bad value '%.*s', expected %s", r->path,
                   (long long)row->line, r->section->name, SPAN_ARG(row->cell[0]), c->heads[0],
                   SPAN_ARG(cell), awr_cell_expected(c->parse));
}

int awr_report_row(struct awr_report *r, const struct awr_row *row, bool *over)
{
    const struct awr_section *s = r->section;
    struct awr_taken t = { .name_width = row->width[0], .line = row->line };
    *over = false;
    for (size_t i = 0; i < AWR_SECTION_COLUMNS; i++) {
        t.num[i] = NAN;
        if (r->column[i] < 0 || (size_t)r->column[i] >= row->n)
            continue;
        struct span cell = row->cell[r->column[i]];
        t.text[i] = cell;
        if (i == 0 && s->colon && !span_ends(cell, ":")) {
            *over = true;
            return 0;
        }
        if (i == 0 && span_ends(cell, ":"))
            t.text[i].len--;
        if (s->columns[i].parse && s->columns[i].parse(cell, r->decimal_comma, &t.num[i]))
            return bad_cell(r, row, cell, &s->columns[i]);
    }
    return s->row(r, &t);
}

/* --- ends ------------------------------------------------------------------------------------- */

int awr_report_end(struct awr_report *r, int64_t line)
{
    r->line = line;
    r->section = NULL;
    if (!r->started || r->ended)
        return 0;
    r->ended = true;
    int rc = awr_check(r);
    return rc ? rc
              : awr_list_add(r, &r->snapshots, &r->now, sizeof(struct awr_snapshot), AWR_FEW_MAX);
}

int awr_report_close(struct awr_report *r, int64_t *rows, int64_t *skipped)
{
    if (!r->started)
        return err_set(r->err, ERR_PARSE,
                       "%s:1: no title \"WORKLOAD REPOSITORY report\": this is not an AWR report",
                       r->path);
    if (!r->ended)
        return cut_short(r, r->line);
    const struct awr_snapshot *snapshots = r->snapshots.items;
    for (size_t i = 0; i < r->snapshots.n; i++) {
        int rc = r->sink->snapshot(r->sink->ctx, &snapshots[i], r->err);
        if (rc)
            return rc;
    }
    *rows = (int64_t)r->snapshots.n;
    *skipped = r->n_skipped;
    return 0;
}
