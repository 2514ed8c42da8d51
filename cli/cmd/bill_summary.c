/* cli/cmd/bill_summary.c - see bill_summary.h. */
#include "cli/cmd/bill_summary.h"

#include "cli/cmd/emit_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add(struct bill_sum *s, bool known, money v)
{
    if (!known || s->overflow)
        return;
    s->overflow = __builtin_add_overflow(s->v, v, &s->v);
    s->known = !s->overflow;
}

static bool is_kind(const struct bill_kind *k, const struct bill_line *l)
{
    return span_eq(k->usage_type, l->usage_type) && span_eq(k->unit, l->unit) &&
           span_eq(k->line_type, l->line_type);
}

static int keep(struct arena *a, struct span s, struct span *out)
{
    char *copy = arena_strndup(a, s.len ? s.ptr : "", s.len);
    *out = (struct span){ copy, s.len };
    return copy ? 0 : ERR_NOMEM;
}

static int add_kind(struct bill_summary *b, const struct bill_line *l, struct arena *a,
                    struct err *e)
{
    if (b->n == b->room) {
        size_t room = b->room ? 2 * b->room : 16;
        struct bill_kind *grown = arena_grow(a, b->kinds, b->n, room, sizeof *grown);
        if (!grown)
            return err_nomem(e);
        b->kinds = grown;
        b->room = room;
    }
    struct bill_kind k = { 0 };
    if (keep(a, l->usage_type, &k.usage_type) || keep(a, l->unit, &k.unit) ||
        keep(a, l->line_type, &k.line_type))
        return err_nomem(e);
    b->kinds[b->n++] = k;
    return 0;
}

int bill_summary_add(struct bill_summary *b, const struct bill_line *l, struct arena *a,
                     struct err *e)
{
    if (!b->currency && l->currency.len) {
        b->currency = arena_strndup(a, l->currency.ptr, l->currency.len);
        if (!b->currency)
            return err_nomem(e);
    }
    b->lines++;
    add(&b->cost, l->has_cost, l->cost);
    size_t at = b->last;
    if (at >= b->n || !is_kind(&b->kinds[at], l))
        for (at = 0; at < b->n && !is_kind(&b->kinds[at], l); at++)
            continue;
    if (at == BILL_KINDS_MAX) {
        b->left_out++;
        return 0;
    }
    int rc = at == b->n ? add_kind(b, l, a, e) : 0;
    if (rc)
        return rc;
    b->last = at;
    struct bill_kind *k = &b->kinds[at];
    k->lines++;
    add(&k->amount, l->has_amount, l->amount);
    add(&k->cost, l->has_cost, l->cost);
    return 0;
}

static int by_cost(const void *va, const void *vb)
{
    const struct bill_kind *a = va, *b = vb;
    if (a->cost.v != b->cost.v)
        return a->cost.v > b->cost.v ? -1 : 1;
    size_t n = a->usage_type.len < b->usage_type.len ? a->usage_type.len : b->usage_type.len;
    int c = n ? memcmp(a->usage_type.ptr, b->usage_type.ptr, n) : 0;
    return c ? c
             : (a->usage_type.len > b->usage_type.len) - (a->usage_type.len < b->usage_type.len);
}

static void emit_sum(struct emit *m, const char *key, const struct bill_sum *s, int decimals)
{
    emit_num_digits(m, key, UNIT_NONE, s->known ? money_double(s->v) : NAN, decimals);
}

int bill_summary_emit(struct emit *m, struct bill_summary *b, struct err *e)
{
    char cost_head[24], total[48];
    snprintf(cost_head, sizeof cost_head, "%s", b->currency ? b->currency : "cost");
    const struct emit_col cols[] = {
        { "usage_type", "usage type", true },
        { "line_type", "line type", true },
        { "lines", "lines", false },
        { "amount", "amount", false },
        { "unit", "unit", true },
        { "cost", cost_head, false },
    };
    int rc = 0;
    if (b->n)
        qsort(b->kinds, b->n, sizeof *b->kinds, by_cost);
    size_t shown = b->n < BILL_KINDS_SHOWN ? b->n : BILL_KINDS_SHOWN;
    emit_table(m, "usage", cols, sizeof cols / sizeof *cols);
    for (size_t i = 0; i < shown && !rc; i++) {
        const struct bill_kind *k = &b->kinds[i];
        emit_begin(m, NULL, EMIT_OBJECT);
        rc = emit_span(m, "usage_type", k->usage_type, e);
        if (!rc && k->line_type.len)
            rc = emit_span(m, "line_type", k->line_type, e);
        emit_int(m, "lines", UNIT_COUNT, k->lines);
        emit_sum(m, "amount", &k->amount, 3);
        if (!rc)
            rc = emit_span(m, "unit", k->unit, e);
        emit_sum(m, "cost", &k->cost, 2);
        emit_end(m);
    }
    emit_end(m);
    if (shown < b->n || b->left_out)
        emit_say(m, "%s%zu more usage types: --json", b->left_out ? "at least " : "", b->n - shown);
    emit_say(m, "%s", "");
    emit_label(m, "total", "%s %s",
               unit_format(total, b->cost.known ? money_double(b->cost.v) : NAN, 2), cost_head);
    return rc;
}
