/* cli/cmd/listing.c - see listing.h. */
#include "cli/cmd/listing.h"

#include "cli/cmd/emit_rows.h"

#include <string.h>

/* TUNING: a table wider than this would be folded. */
enum { GAP = 2, LISTING_WIDTH = 98 };

struct record *record_copy(const struct record *r, struct arena *a)
{
    struct record *copy = arena_alloc(a, sizeof *copy);
    struct record_field *fields = arena_array(a, r->n_fields, sizeof *fields);
    char *kind = arena_strdup(a, r->kind);
    if (!copy || !fields || !kind)
        return NULL;
    for (size_t i = 0; i < r->n_fields; i++) {
        const struct record_field *f = &r->fields[i];
        char *text = arena_strndup(a, f->text.len ? f->text.ptr : "", f->text.len);
        fields[i] = *f;
        fields[i].key = arena_strdup(a, f->key);
        fields[i].text.ptr = text;
        if (!fields[i].key || !text)
            return NULL;
    }
    *copy = *r;
    copy->kind = kind;
    copy->fields = fields;
    return copy;
}

int listing_add(struct listing *l, const struct record *r, struct arena *a, struct err *e)
{
    size_t i = 0;
    while (i < l->n && strcmp(l->kinds[i].name, r->kind) != 0)
        i++;
    if (i == LISTING_KINDS) {
        l->left_out++;
        return 0;
    }
    struct listing_kind *k = &l->kinds[i];
    if (i == l->n) {
        const char *name = arena_strdup(a, r->kind);
        if (!name)
            return err_nomem(e);
        *k = (struct listing_kind){ .name = name, .end = &k->first };
        l->n++;
    }
    if (k->rows++ >= LISTING_ROWS)
        return 0;
    struct listing_row *row = arena_alloc(a, sizeof *row);
    const struct record *copy = record_copy(r, a);
    if (!row || !copy)
        return err_nomem(e);
    row->record = *copy;
    *k->end = row;
    k->end = &row->next;
    return 0;
}

/* --- volumes as records --------------------------------------------------------------------------
 */

static struct record_field text_field(const char *key, struct span text)
{
    return (struct record_field){ key, UNIT_NONE, NAN, text };
}

static struct record_field num_field(const char *key, enum unit unit, int64_t v)
{
    return (struct record_field){ key, unit, v == UNKNOWN ? NAN : (double)v, { NULL, 0 } };
}

static struct span type_name(const struct volume_spec *v)
{
    return v->type < VOL_TYPE_COUNT ? span_of(volume_type_name(v->type)) : (struct span){ 0 };
}

int listing_add_volume(struct listing *l, const struct volume_config *v, struct arena *a,
                       struct err *e)
{
    const struct record_field fields[] = {
        text_field("volume_id", v->volume_id),
        text_field("type", type_name(&v->spec)),
        num_field("size_gib", UNIT_GIB, v->spec.size_gib),
        num_field("iops", UNIT_IOPS, v->spec.iops),
        num_field("throughput_mibps", UNIT_MIBPS, v->spec.throughput_mibps),
        text_field("instance_id", v->instance_id),
        text_field("device", v->device),
        text_field("name", v->name),
    };
    const struct record r = { "volumes", UNKNOWN, fields, sizeof fields / sizeof *fields, v->line };
    return listing_add(l, &r, a, e);
}

int listing_add_modification(struct listing *l, const struct volume_modification *v,
                             struct arena *a, struct err *e)
{
    char from[96], to[96];
    const struct record_field fields[] = {
        text_field("volume_id", v->volume_id),
        text_field("from", span_of(volume_spec_format(from, &v->from))),
        text_field("to", span_of(volume_spec_format(to, &v->to))),
        text_field("state", v->state),
        { "progress_pct", UNIT_PCT, v->progress_pct, { NULL, 0 } },
    };
    const struct record r = { "modifications", v->start_ms, fields, sizeof fields / sizeof *fields,
                              v->line };
    return listing_add(l, &r, a, e);
}

/* --- saying --------------------------------------------------------------------------------------
 */

/* Units that a column's key does not spell as people read them. */
static const char *suffix_of(const char *key)
{
    static const char *const suffixes[] = { "_bytes", "_kib", "_mib", "_gib",  "_mibps", "_kibps",
                                            "_pct",   "_ms",  "_us",  "_mb_s", "_s",     "_usd" };
    size_t len = strlen(key);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        size_t n = strlen(suffixes[i]);
        if (len > n && strcmp(key + len - n, suffixes[i]) == 0)
            return key + len - n;
    }
    return key + len;
}

/* "total_mib" as "total MiB". */
static const char *heading_of(const struct record_field *f, struct arena *a)
{
    const char *unit = unit_suffix(f->unit), *suffix = suffix_of(f->key);
    char *head = arena_printf(a, "%.*s%s%s", (int)(suffix - f->key), f->key,
                              *unit && *suffix ? " " : "", *suffix ? unit : "");
    for (char *p = head; p && *p; p++)
        if (*p == '_')
            *p = ' ';
    return head;
}

/* What a row is of stands first, whatever the tool's order. */
static bool is_name(const char *key)
{
    static const char *const names[] = { "name", "volume_id", "instance_id", "device", "resource" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(key, names[i]) == 0)
            return true;
    return false;
}

static bool has_column(const struct emit_col *cols, size_t n, const char *key)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(cols[i].key, key) == 0)
            return true;
    return false;
}

/* The text of a cell; buf is for numbers. */
static struct span cell_of(char buf[48], const struct record_field *f)
{
    int decimals = unit_decimals(f->unit);
    bool whole = fabs(f->num) < 1e15 && !islessgreater(f->num, floor(f->num));
    if (isfinite(f->num))
        return span_of(unit_format(buf, f->num, whole ? 0 : decimals > 2 ? decimals : 2));
    return f->text;
}

/* The widest cell that any row of the kind has there; 0 = none says anything. */
static size_t width_of(const struct listing_kind *k, const char *key)
{
    char buf[48];
    size_t widest = 0;
    for (const struct listing_row *row = k->first; row; row = row->next)
        for (size_t i = 0; i < row->record.n_fields; i++) {
            const struct record_field *f = &row->record.fields[i];
            size_t len = strcmp(f->key, key) == 0 ? cell_of(buf, f).len : 0;
            widest = len > widest ? len : widest;
        }
    return widest;
}

/* The columns of the first row: its name, then the others that say something and find room beside
 * those before. */
static int choose_columns(const struct listing_kind *k, struct emit_col cols[LISTING_COLUMNS],
                          size_t *out_n, struct arena *a, struct err *e)
{
    const struct record *r = &k->first->record;
    size_t n = 0, used = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < r->n_fields && n < LISTING_COLUMNS; i++) {
            const struct record_field *f = &r->fields[i];
            bool wanted = pass ? !has_column(cols, n, f->key) : n == 0 && is_name(f->key);
            size_t width = wanted ? width_of(k, f->key) : 0;
            if (!width)
                continue;
            const char *head = heading_of(f, a);
            if (!head)
                return err_nomem(e);
            width = strlen(head) > width ? strlen(head) : width;
            if (n && used + GAP + width > LISTING_WIDTH)
                continue;
            cols[n++] = (struct emit_col){ f->key, head, f->text.len > 0 };
            used += GAP + width;
            *out_n = n;
        }
    return 0;
}

static int emit_row(struct emit *m, const struct record *r, const struct emit_col *cols, size_t n,
                    struct err *e)
{
    char buf[48];
    int rc = 0;
    emit_begin(m, NULL, EMIT_OBJECT);
    for (size_t i = 0; i < r->n_fields && !rc; i++)
        if (has_column(cols, n, r->fields[i].key))
            rc = emit_span(m, r->fields[i].key, cell_of(buf, &r->fields[i]), e);
    emit_end(m);
    return rc;
}

int listing_emit(struct emit *m, const struct listing *l, struct arena *a, struct err *e)
{
    int rc = 0;
    for (size_t i = 0; i < l->n && !rc; i++) {
        const struct listing_kind *k = &l->kinds[i];
        struct emit_col cols[LISTING_COLUMNS];
        size_t n = 0;
        rc = choose_columns(k, cols, &n, a, e);
        if (rc)
            return rc;
        emit_say(m, "%s", "");
        emit_table(m, k->name, cols, n);
        for (const struct listing_row *row = k->first; row && !rc; row = row->next)
            rc = emit_row(m, &row->record, cols, n, e);
        emit_end(m);
        if (k->rows > LISTING_ROWS)
            emit_say(m, "%lld more %s: --json", (long long)(k->rows - LISTING_ROWS), k->name);
    }
    if (l->left_out)
        emit_say(m, "%lld rows of other kinds: --json", (long long)l->left_out);
    return rc;
}
