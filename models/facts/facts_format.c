/* models/facts/facts_format.c - rows of a catalogue as a facts file: see catalogue.h.
 *
 * Driven by the tables that facts_parse reads with, so that what is written is read back the same.
 */
#include "models/core/money.h"
#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "models/facts/catalogue.h"
#include "models/facts/facts_table.h"

#include <stdio.h>
#include <string.h>

struct text {
    char *ptr;
    size_t n, room;
    struct arena *arena;
    bool failed;
};

static void put(struct text *t, const char *bytes, size_t n)
{
    if (!n)
        return;
    if (!t->failed && t->n + n > t->room) {
        size_t room = 2 * (t->n + n) + 1024;
        char *grown = arena_grow(t->arena, t->ptr, t->n, room, 1);
        t->failed = !grown;
        t->ptr = grown;
        t->room = room;
    }
    if (t->failed)
        return;
    memcpy(t->ptr + t->n, bytes, n);
    t->n += n;
}

/* In quotes where it must be; a quote inside is doubled. */
static void put_cell(struct text *t, const char *cell)
{
    if (!strpbrk(cell, ",\"\r\n")) {
        put(t, cell, strlen(cell));
        return;
    }
    put(t, "\"", 1);
    for (const char *c = cell; *c; c++) {
        put(t, c, 1);
        if (*c == '"')
            put(t, "\"", 1);
    }
    put(t, "\"", 1);
}

/* The fewest digits that give the same double. */
static void format_rate(char buf[64], double v)
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(buf, 64, "%.*g", digits, v);
        struct span s = span_of(buf);
        double back;
        if (span_double(&s, &back) == 0 && back == v)
            return;
    }
}

/* A field, by the kind of its column. */
union value {
    const char *text;
    double rate;
    bool yes;
    int three_way;
    enum volume_type type;
    enum price_component component;
    int64_t number;
};

/* A whole number, money or a day. */
static const char *number_cell(enum facts_kind kind, int64_t number, char buf[64])
{
    if (number == UNKNOWN)
        return kind == FACTS_STORE ? "yes" : "";
    if (kind == FACTS_DATE)
        return time_format_date(buf, number);
    if (kind == FACTS_USD)
        return money_exact(buf, number);
    snprintf(buf, 64, "%lld", (long long)number);
    return buf;
}

/* The cell of a field, in buf or borrowed; "" where it is unknown. */
static const char *cell_of(const struct facts_col *c, const void *field, char buf[64])
{
    union value v;
    buf[0] = '\0';
    switch (c->kind) {
    case FACTS_TEXT:
        memcpy(&v.text, field, sizeof v.text);
        return v.text ? v.text : "";
    case FACTS_RATE:
        memcpy(&v.rate, field, sizeof v.rate);
        if (!isnan(v.rate))
            format_rate(buf, v.rate);
        return buf;
    case FACTS_BOOL:
        memcpy(&v.yes, field, sizeof v.yes);
        return v.yes ? "yes" : "no";
    case FACTS_YES_NO:
        memcpy(&v.three_way, field, sizeof v.three_way);
        return v.three_way < 0 ? "" : v.three_way ? "yes" : "no";
    case FACTS_VOLUME_TYPE:
        memcpy(&v.type, field, sizeof v.type);
        return volume_type_name(v.type);
    case FACTS_COMPONENT:
        memcpy(&v.component, field, sizeof v.component);
        return price_component_words[v.component];
    default:
        memcpy(&v.number, field, sizeof v.number);
        return number_cell(c->kind, v.number, buf);
    }
}

int facts_format(enum facts_file file, const void *rows, size_t n, struct arena *a,
                 struct span *out, struct err *e)
{
    const struct facts_table *table = &facts_tables[file];
    struct text t = { .arena = a };
    if (file != FACTS_PRICES && file != FACTS_INSTANCES)
        BUG("only prices and instances are written");
    for (size_t k = 0; k < table->n_cols; k++) {
        put(&t, ",", k > 0);
        put_cell(&t, table->cols[k].head);
    }
    put(&t, "\n", 1);
    for (size_t i = 0; i < n; i++) {
        const char *row = (const char *)rows + i * table->row_bytes;
        for (size_t k = 0; k < table->n_cols; k++) {
            char buf[64];
            put(&t, ",", k > 0);
            put_cell(&t, cell_of(&table->cols[k], row + table->cols[k].offset, buf));
        }
        put(&t, "\n", 1);
    }
    if (t.failed)
        return err_nomem(e);
    *out = (struct span){ t.ptr, t.n };
    return 0;
}
