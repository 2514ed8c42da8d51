/* data/ingest/awr/awr_report.c - see awr_report.h.
 *
 * Columns are found by heading, in the order of the section's list: each takes the first
 * heading that fits and is not taken yet, so that the first "Reqs per sec" is the reads' and
 * the second the writes'. */
#include "data/ingest/awr/awr_report.h"

#include "data/ingest/awr/awr_diff.h"
#include "data/ingest/awr/awr_rac.h"
#include "data/ingest/awr/awr_section.h"
#include "data/ingest/statspack/statspack.h"
#include "models/core/unit.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { GARBLED_TOLD = 3 };

#define FINE_RATE    (0.001 * MIB_BYTES)
#define COARSE_RATE  (0.1 * MIB_BYTES)
#define NO_FILETYPES "no table \"IOStat by Filetype summary\""

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

/* Compared without case, longest first where one begins another. */
static const struct awr_kind kinds[] = {
    { "WORKLOAD REPOSITORY COMPARE PERIOD REPORT", "an AWR compare periods report (awrddrpt)",
      awr_diff_sections, "no table \"IOStat by File Type\"", awr_diff_finish, FINE_RATE, true },
    { "WORKLOAD REPOSITORY REPORT (RAC)", "a global AWR report of a RAC database (awrgrpt)",
      awr_rac_sections, "no table \"IOStat by File Type\"", awr_rac_finish, FINE_RATE, false },
    { "WORKLOAD REPOSITORY REPORT", "an AWR report", awr_sections, NO_FILETYPES, NULL, FINE_RATE,
      false },
    { "WORKLOAD REPOSITORY PDB REPORT", "an AWR report of a pluggable database", awr_sections,
      NO_FILETYPES, NULL, FINE_RATE, false },
    { "WORKLOAD REPOSITORY", "an AWR report of another kind", NULL, NULL, NULL, 0, false },
    { "STATSPACK REPORT", "a Statspack report", statspack_sections,
      "Statspack has no table by file type", NULL, COARSE_RATE, false },
    { "~~BEGIN-", "an AWR extract (its formats are awr_miner and dbcsi)", NULL, NULL, NULL, 0,
      false },
};

static const struct awr_kind *kind_of(struct span title)
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

size_t awr_part_count(const struct awr_report *r)
{
    return r->parts.n;
}

struct awr_part *awr_part_at(const struct awr_report *r, size_t i)
{
    struct awr_part *const *parts = r->parts.items;
    return parts[i];
}

struct awr_part *awr_part_add(struct awr_report *r)
{
    struct awr_part *p = arena_alloc(r->arena, sizeof *p);
    if (!p) {
        err_nomem(r->err);
        return NULL;
    }
    *p = (struct awr_part){ .now = { .db_id = UNKNOWN,
                                     .instance_number = UNKNOWN,
                                     .rac = -1,
                                     .cpus = NAN,
                                     .begin_ms = UNKNOWN,
                                     .end_ms = UNKNOWN,
                                     .elapsed_s = NAN,
                                     .db_time_s = NAN },
                            .first_snap = UNKNOWN,
                            .last_snap = UNKNOWN,
                            .elapsed_printed_s = NAN,
                            .elapsed_step_s = 0.6,
                            .times_step_s = 1 };
    return awr_list_add(r, &r->parts, &p, sizeof(void *), AWR_PARTS_MAX) ? NULL : p;
}

static int start_report(struct awr_report *r, const struct awr_kind *kind, int64_t line)
{
    if (!kind->sections)
        return err_set(r->err, ERR_PARSE,
                       "%s:%lld: this is %s; read are AWR reports (awrrpt, "
                       "awrgrpt, awrddrpt) and Statspack",
                       r->path, (long long)line, kind->what);
    r->kind = kind;
    r->started = true;
    r->ended = r->cut_in_table = false;
    r->decimal_comma = false;
    r->sections_seen = 0;
    r->section = r->lacking = NULL;
    r->headings_seen[0] = r->caption[0] = '\0';
    r->n_garbled = 0;
    r->parts = (struct awr_list){ 0 };
    r->part = awr_part_add(r);
    return r->part ? 0 : r->err->code;
}

/* Names of the heads of pages: "... DB/Inst: PRD1/prd11  Snaps: 812-815". */
static int page_head(struct awr_report *r, struct span text)
{
    static const char label[] = "DB/Inst: ";
    ptrdiff_t at = span_find(text, label);
    if (at < 0)
        return 0;
    struct span db, rest = span_cut(text, (size_t)at + sizeof label - 1, text.len);
    if (span_field(&rest, '/', &db) || !rest.ptr)
        return 0;
    db = span_trim(db);
    if (!db.len || (r->page_db && span_is(db, r->page_db)))
        return 0;
    return awr_keep(r, db, &r->page_db);
}

int awr_report_title(struct awr_report *r, struct span title, int64_t line)
{
    const struct awr_kind *kind = kind_of(title);
    r->line = line;
    if (kind && r->started && !r->ended && !r->kind->has_no_end)
        return cut_short(r, line);
    if (kind && r->started && !r->ended) {
        int rc = awr_report_end(r, line);
        if (rc)
            return rc;
    }
    if (kind)
        return start_report(r, kind, line);
    if (!r->started || r->ended)
        return 0;
    if (span_starts(title, "IOStat by "))
        snprintf(r->caption, sizeof r->caption, "%.*s", (int)(title.len < 79 ? title.len : 79),
                 title.ptr);
    if (r->kind->sections == awr_diff_sections)
        awr_diff_caption(r, title);
    return page_head(r, title);
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
    for (size_t i = 0; r->kind->sections[i].name; i++) {
        const struct awr_section *s = &r->kind->sections[i];
        if (s->once && (r->sections_seen >> i & 1))
            continue;
        if (s->caption && !span_starts(span_of(r->caption), s->caption))
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
    if (r->part->now.begin_ms == UNKNOWN && !r->lacking)
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

/* Refuses the file, or leaves out the row where its table matters less. */
static int bad_cell(struct awr_report *r, const struct awr_row *row, struct span cell,
                    const struct awr_column *c)
{
    if (!r->section->minor)
        return err_set(r->err, ERR_PARSE,
                       "%s:%lld: %s, '%.*s': column '%s': bad value '%.*s', expected %s", r->path,
                       (long long)row->line, r->section->name, SPAN_ARG(row->cell[0]), c->heads[0],
                       SPAN_ARG(cell), awr_cell_expected(c->parse));
    r->n_skipped++;
    if (r->n_garbled++ >= GARBLED_TOLD)
        return 0;
    return awr_warn(r, row->line,
                    "%s, '%.*s': column '%s': bad value '%.*s', expected %s; the row is left out",
                    r->section->name, SPAN_ARG(row->cell[0]), c->heads[0], SPAN_ARG(cell),
                    awr_cell_expected(c->parse));
}

int awr_report_row(struct awr_report *r, const struct awr_row *row, bool *over)
{
    const struct awr_section *s = r->section;
    struct awr_taken t = { .name_width = row->width[0], .whole = row->text, .line = row->line };
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
    int rc = r->kind->finish ? r->kind->finish(r) : 0;
    if (!rc && r->n_garbled > GARBLED_TOLD)
        rc = awr_warn(r, 0, "%lld more rows with a bad value are left out",
                      (long long)(r->n_garbled - GARBLED_TOLD));
    for (size_t i = 0; i < awr_part_count(r) && !rc; i++) {
        struct awr_part *p = awr_part_at(r, i);
        rc = awr_check(r, p);
        if (!rc)
            rc = awr_list_add(r, &r->snapshots, &p->now, sizeof p->now, AWR_ROWS_MAX);
    }
    return rc;
}

int awr_report_close(struct awr_report *r, int64_t *rows, int64_t *skipped)
{
    if (!r->started)
        return err_set(
            r->err, ERR_PARSE,
            "%s:1: no title \"WORKLOAD REPOSITORY report\": this is not an AWR report, or a "
            "piece of one without its head",
            r->path);
    if (!r->ended && r->kind->has_no_end && !r->cut_in_table) {
        int rc = awr_report_end(r, r->line);
        if (rc)
            return rc;
    }
    if (!r->ended && r->kind->has_no_end)
        return err_set(r->err, ERR_PARSE,
                       "%s:%lld: the report is cut short: the input stops within a table", r->path,
                       (long long)r->line);
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
