/* planner/report/report_catalog.c - see report_catalog.h. */
#include "planner/report/report_catalog.h"

#include "models/core/timestamp.h"
#include "models/ebs/vol_rule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- what is there ----------------------------------------------------------------------------
 */

static void emit_packs(struct emit *m, const struct catalogue *c)
{
    static const struct emit_col cols[] = {
        { "volume_type", "type", true }, { "rule_pack", "rules", true },
        { "valid_from", "from", true },  { "valid_to", "to", true },
        { "max_iops", "IOPS", false },   { "max_throughput_mibps", "MiB/s", false },
        { "max_gib", "GiB", false },
    };
    emit_table(m, "packs", cols, sizeof cols / sizeof *cols);
    for (size_t i = 0; i < c->n_rules; i++) {
        const struct vol_rule *r = &c->rules[i];
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_text(m, "volume_type", volume_type_name(r->type));
        emit_text(m, "rule_pack", r->rule_pack);
        emit_date(m, "valid_from", r->valid_from_ms);
        emit_date(m, "valid_to", r->valid_to_ms);
        emit_int(m, "max_iops", UNIT_IOPS, r->max_iops);
        emit_int(m, "max_throughput_mibps", UNIT_MIBPS, r->max_mibps);
        emit_int(m, "max_gib", UNIT_GIB, r->max_gib);
        emit_text(m, "source", r->source);
        emit_end(m);
    }
    emit_end(m);
}

static int by_region(const void *a, const void *b)
{
    const struct price *x = *(const struct price *const *)a, *y = *(const struct price *const *)b;
    int order = strcmp(x->region, y->region);
    if (!order && x->as_of_ms != y->as_of_ms)
        order = x->as_of_ms < y->as_of_ms ? -1 : 1;
    return order ? order : strcmp(x->source, y->source);
}

/* Pointers to all prices, by region, day and source. */
static const struct price **sorted_prices(const struct catalogue *c, struct arena *a)
{
    const struct price **p = arena_array(a, c->n_prices ? c->n_prices : 1, sizeof(void *));
    for (size_t i = 0; p && i < c->n_prices; i++)
        p[i] = &c->prices[i];
    if (p)
        qsort(p, c->n_prices, sizeof(void *), by_region);
    return p;
}

static void emit_prices(struct emit *m, const struct price *const *p, size_t n)
{
    static const struct emit_col cols[] = {
        { "region", "prices of", true },
        { "as_of", "as of", true },
        { "prices", "figures", false },
    };
    emit_table(m, "prices", cols, sizeof cols / sizeof *cols);
    for (size_t i = 0, next; i < n; i = next) {
        next = i + 1;
        while (next < n && by_region(&p[i], &p[next]) == 0)
            next++;
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_text(m, "region", p[i]->region);
        emit_date(m, "as_of", p[i]->as_of_ms);
        emit_int(m, "prices", UNIT_COUNT, (int64_t)(next - i));
        emit_text(m, "source", p[i]->source);
        emit_end(m);
    }
    emit_end(m);
}

int report_catalog(struct emit *m, const struct catalogue *c, struct arena *a, struct err *e)
{
    char b1[48], b2[48], b3[48], day[32];
    const struct price **prices = sorted_prices(c, a);
    if (!prices)
        return err_nomem(e);
    emit_say(m, "%s volume rules, %s prices, %s instance types (as of %s).",
             unit_format(b1, (double)c->n_rules, 0), unit_format(b2, (double)c->n_prices, 0),
             unit_format(b3, (double)c->n_instances, 0),
             time_format_date(day, c->instances_as_of_ms));
    emit_say(m, "%s", "");
    emit_packs(m, c);
    emit_say(m, "%s", "");
    emit_prices(m, prices, c->n_prices);
    emit_begin(m, "instances", EMIT_OBJECT);
    emit_int(m, "count", UNIT_COUNT, (int64_t)c->n_instances);
    emit_date(m, "as_of", c->instances_as_of_ms);
    emit_end(m);
    emit_say(m, "%s", "");
    emit_label(m, "sources", "volplan catalog --json");
    emit_label(m, "changes", "volplan catalog --diff 2022-06-01 2026-01-01");
    return 0;
}

/* --- what differs -----------------------------------------------------------------------------
 */

static void begin_change(struct emit *m, enum volume_type type, const char *region,
                         const char *what)
{
    emit_begin(m, NULL, EMIT_OBJECT);
    emit_text(m, "volume_type", volume_type_name(type));
    emit_text(m, "region", region);
    if (!region)
        emit_cell(m, "region", "%s", "");
    emit_text(m, "what", what);
}

/* What a person compares two rules of a type by. */
static const struct {
    const char *name;
    enum unit unit;
    size_t offset;
} figures[] = {
#define FIGURE(field, unit)                                                                        \
    {                                                                                              \
#field, unit, offsetof(struct vol_rule, field)                                             \
    }
    FIGURE(min_gib, UNIT_GIB),
    FIGURE(max_gib, UNIT_GIB),
    FIGURE(min_iops, UNIT_IOPS),
    FIGURE(max_iops, UNIT_IOPS),
    FIGURE(iops_per_gib_max, UNIT_COUNT),
    FIGURE(included_iops, UNIT_IOPS),
    FIGURE(included_mibps, UNIT_MIBPS),
    FIGURE(max_mibps, UNIT_MIBPS),
#undef FIGURE
};

static int64_t figure_of(const struct vol_rule *r, size_t i)
{
    int64_t v = UNKNOWN;
    if (r)
        memcpy(&v, (const char *)r + figures[i].offset, sizeof v);
    return v;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static void change_of_text(struct emit *m, enum volume_type type, const char *what,
                           const char *from, const char *to, size_t *changes)
{
    if (same_text(from, to))
        return;
    ++*changes;
    begin_change(m, type, NULL, what);
    emit_text(m, "from", from);
    emit_text(m, "to", to);
    emit_end(m);
}

/* The corners as the facts write them, "2000:500 32000:500"; NULL without any. */
static const char *graph_words(char buf[256], const struct vol_rule *r)
{
    size_t at = 0;
    for (size_t i = 0; r && i < r->n_mibps_by_iops; i++) {
        int put = snprintf(buf + at, 256 - at, "%s%.0f:%.0f", i ? " " : "", r->mibps_by_iops[i].x,
                           r->mibps_by_iops[i].mibps);
        at += put > 0 && (size_t)put < 256 - at ? (size_t)put : 0;
    }
    return at ? buf : NULL;
}

static void diff_rules(struct emit *m, const struct catalogue *c, int64_t from_ms, int64_t to_ms,
                       size_t *changes)
{
    for (int t = 0; t < VOL_TYPE_COUNT; t++) {
        enum volume_type type = (enum volume_type)t;
        const struct vol_rule *from = vol_rule_at(c, type, from_ms, NULL, UNKNOWN);
        const struct vol_rule *to = vol_rule_at(c, type, to_ms, NULL, UNKNOWN);
        if (from == to)
            continue;
        change_of_text(m, type, "rule_pack", from ? from->rule_pack : NULL,
                       to ? to->rule_pack : NULL, changes);
        for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
            int64_t a = figure_of(from, i), b = figure_of(to, i);
            if (a == b)
                continue;
            ++*changes;
            begin_change(m, type, NULL, figures[i].name);
            emit_int(m, "from", figures[i].unit, a);
            emit_int(m, "to", figures[i].unit, b);
            emit_end(m);
        }
        char graph_from[256], graph_to[256];
        change_of_text(m, type, "mibps_by_iops", graph_words(graph_from, from),
                       graph_words(graph_to, to), changes);
        change_of_text(m, type, "latency_class", from ? from->latency_class : NULL,
                       to ? to->latency_class : NULL, changes);
    }
}

static bool same_item(const struct price *a, const struct price *b)
{
    return a->type == b->type && a->component == b->component && a->tier_from == b->tier_from &&
           strcmp(a->region, b->region) == 0;
}

/* The row of p's item in force on a day: the newest at or before it, else the oldest. */
static const struct price *price_on(const struct catalogue *c, const struct price *p, int64_t day)
{
    const struct price *best = NULL;
    for (size_t i = 0; i < c->n_prices; i++) {
        const struct price *q = &c->prices[i];
        if (!same_item(p, q))
            continue;
        bool before = q->as_of_ms <= day;
        if (!best || (before && (best->as_of_ms > day || q->as_of_ms > best->as_of_ms)) ||
            (!before && best->as_of_ms > day && q->as_of_ms < best->as_of_ms))
            best = q;
    }
    return best;
}

static void diff_prices(struct emit *m, const struct catalogue *c, int64_t from_ms, int64_t to_ms,
                        size_t *changes)
{
    static const char *const names[PRICE_COMPONENT_COUNT] = {
        [PRICE_STORAGE] = "storage_gib_month",
        [PRICE_IOPS] = "iops_month",
        [PRICE_THROUGHPUT] = "mibps_month",
        [PRICE_REQUESTS] = "request",
    };
    for (size_t i = 0; i < c->n_prices; i++) {
        const struct price *p = &c->prices[i];
        if (p->as_of_ms <= from_ms || price_on(c, p, to_ms) != p)
            continue; /* in force on the first day already, or not on the second */
        const struct price *was = price_on(c, p, from_ms);
        if (was->picousd == p->picousd)
            continue;
        ++*changes;
        begin_change(m, p->type, p->region, names[p->component]);
        emit_num_digits(m, "from", UNIT_NONE, (double)was->picousd / 1e12, 6);
        emit_num_digits(m, "to", UNIT_NONE, (double)p->picousd / 1e12, 6);
        emit_end(m);
    }
}

void report_catalog_diff(struct emit *m, const struct catalogue *c, int64_t from_ms, int64_t to_ms)
{
    static const struct emit_col cols[] = {
        { "volume_type", "type", true }, { "region", "region", true }, { "what", "what", true },
        { "from", "then", true },        { "to", "now", true },
    };
    char from[32], to[32];
    size_t changes = 0;
    emit_say(m, "From %s to %s:", time_format_date(from, from_ms), time_format_date(to, to_ms));
    emit_say(m, "%s", "");
    emit_date(m, "from", from_ms);
    emit_date(m, "to", to_ms);
    emit_table(m, "changes", cols, sizeof cols / sizeof *cols);
    diff_rules(m, c, from_ms, to_ms, &changes);
    diff_prices(m, c, from_ms, to_ms, &changes);
    emit_end(m);
    if (!changes)
        emit_say(m, "no rule and no price that is known has changed");
}
