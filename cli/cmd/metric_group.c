/* cli/cmd/metric_group.c - see metric_group.h. */
#include "cli/cmd/metric_group.h"

#include "cli/cmd/emit_rows.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS = 2 * GROUP_SERIES_MAX, N_TEXTS = 8, NO_GROUP = -1 };
/* TUNING: what is cut of a long list of dimensions, so that a metric stays on its line; a volume's
 * id has this length. */
enum { OWNER_MAX = 21 };

void metric_groups_release(struct metric_groups *g)
{
    arena_release(&g->arena);
    *g = (struct metric_groups){ .keep_points = g->keep_points };
}

bool metric_groups_full(const struct metric_groups *g)
{
    return g->n == GROUP_SERIES_MAX || g->n_points == GROUP_POINTS_MAX;
}

/* --- finding -------------------------------------------------------------------------------------
 */

/* The texts that tell series apart; those that differ most often first. */
static void list_texts(struct metric_sample *s, struct span *out[N_TEXTS])
{
    struct span *texts[N_TEXTS] = { &s->metric,         &s->dimension, &s->statistic_text,
                                    &s->namespace_name, &s->system,    &s->region,
                                    &s->account,        &s->unit };
    memcpy(out, texts, sizeof texts);
}

static bool is_same(const struct metric_sample *a, const struct metric_sample *b)
{
    struct metric_sample x = *a, y = *b;
    struct span *xs[N_TEXTS], *ys[N_TEXTS];
    list_texts(&x, xs);
    list_texts(&y, ys);
    for (size_t i = 0; i < N_TEXTS; i++)
        if (!span_eq(*xs[i], *ys[i]))
            return false;
    return a->statistic == b->statistic && a->instance_number == b->instance_number &&
           a->counts == b->counts && !islessgreater(a->period_s, b->period_s) &&
           isnan(a->period_s) == isnan(b->period_s);
}

/* FNV-1a. */
static uint64_t hash_bytes(uint64_t hash, const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ (unsigned char)p[i]) * UINT64_C(1099511628211);
    return hash;
}

static size_t slot_of(const struct metric_groups *g, const struct metric_sample *s)
{
    uint64_t hash = UINT64_C(14695981039346656037) ^ (uint64_t)s->statistic;
    struct metric_sample copy = *s;
    struct span *texts[N_TEXTS];
    list_texts(&copy, texts);
    for (size_t i = 0; i < N_TEXTS; i++)
        hash = hash_bytes(hash, texts[i]->ptr, texts[i]->len);
    size_t slot = hash % SLOTS;
    while (g->slots[slot] != NO_GROUP && !is_same(&g->item[g->slots[slot]].key, s))
        slot = (slot + 1) % SLOTS;
    return slot;
}

/* --- adding --------------------------------------------------------------------------------------
 */

static int add_group(struct metric_groups *g, const struct metric_sample *s, size_t slot,
                     struct err *e)
{
    if (g->n == g->room) {
        size_t room = g->room ? 2 * g->room : 32;
        struct metric_group *grown = arena_grow(&g->arena, g->item, g->n, room, sizeof *grown);
        if (!grown)
            return err_nomem(e);
        g->item = grown;
        g->room = room;
    }
    struct metric_group *group = &g->item[g->n];
    *group = (struct metric_group){ .key = *s, .max = NAN };
    struct span *texts[N_TEXTS];
    list_texts(&group->key, texts);
    for (size_t i = 0; i < N_TEXTS; i++) {
        texts[i]->ptr = arena_strndup(&g->arena, texts[i]->len ? texts[i]->ptr : "", texts[i]->len);
        if (!texts[i]->ptr)
            return err_nomem(e);
    }
    g->slots[slot] = (int32_t)g->n++;
    return 0;
}

static int add_point(struct metric_groups *g, struct metric_group *group, struct metric_point p,
                     struct err *e)
{
    if (group->n == group->room) {
        size_t room = group->room ? 2 * group->room : 4;
        struct metric_point *grown =
            arena_grow(&g->arena, group->points, group->n, room, sizeof *grown);
        if (!grown)
            return err_nomem(e);
        group->points = grown;
        group->room = room;
    }
    group->points[group->n] = p;
    g->n_points++;
    return 0;
}

static int find(struct metric_groups *g, const struct metric_sample *s, size_t *out, struct err *e)
{
    if (!g->slots) {
        g->slots = arena_array(&g->arena, SLOTS, sizeof *g->slots);
        if (!g->slots)
            return err_nomem(e);
        for (size_t i = 0; i < SLOTS; i++)
            g->slots[i] = NO_GROUP;
    }
    size_t at = g->next;
    if (at && is_same(&g->item[at - 1].key, s))
        at--; /* the same again: most files give one series after the other */
    else if (at >= g->n || !is_same(&g->item[at].key, s)) {
        size_t slot = slot_of(g, s);
        if (g->slots[slot] == NO_GROUP && g->n == GROUP_SERIES_MAX) {
            *out = g->n;
            return 0;
        }
        int rc = g->slots[slot] == NO_GROUP ? add_group(g, s, slot, e) : 0;
        if (rc)
            return rc;
        at = (size_t)g->slots[slot];
    }
    g->next = at + 1;
    *out = at;
    return 0;
}

int metric_groups_add(struct metric_groups *g, const struct metric_sample *s, struct err *e)
{
    size_t at = 0;
    int rc = find(g, s, &at, e);
    if (!rc && at == g->n) {
        g->left_out++;
        return 0;
    }
    if (rc)
        return rc;
    struct metric_group *group = &g->item[at];
    if (g->keep_points)
        rc = add_point(g, group, (struct metric_point){ s->time_ms, s->value }, e);
    if (rc)
        return rc;
    group->n++;
    group->max = fmax(group->max, s->value);
    return 0;
}

/* --- saying --------------------------------------------------------------------------------------
 */

int metric_groups_emit(struct emit *m, const struct metric_groups *g, struct err *e)
{
    for (size_t i = 0; i < g->n; i++) {
        const struct metric_group *group = &g->item[i];
        emit_begin(m, NULL, EMIT_OBJECT);
        int rc = emit_metric_keys(m, &group->key, e);
        emit_begin(m, "points", EMIT_LIST);
        for (size_t p = 0; p < group->n; p++) {
            emit_begin(m, NULL, EMIT_LIST);
            emit_time(m, NULL, group->points[p].time_ms);
            emit_num(m, NULL, UNIT_NONE, group->points[p].value);
            emit_end(m);
        }
        emit_end(m);
        emit_end(m);
        if (rc || m->failed)
            return rc ? rc : m->failed;
    }
    return 0;
}

/* As many decimals as tell values of this size apart. */
static int digits_of(double v)
{
    double size = fabs(v);
    bool whole = size < 1e15 && !islessgreater(size, floor(size));
    if (whole || size >= 1000)
        return 0;
    return size >= 10 ? 1 : size >= 0.1 ? 3 : 6;
}

/* All series of one metric, statistic and period. */
struct metric_row {
    const struct metric_group *first, *largest; /* the one that came first; that has the maximum */
    size_t series, points;
};

static int compare_spans(struct span a, struct span b)
{
    size_t n = a.len < b.len ? a.len : b.len;
    int c = n ? memcmp(a.ptr, b.ptr, n) : 0;
    return c ? c : (a.len > b.len) - (a.len < b.len);
}

static int compare_rows(const struct metric_sample *a, const struct metric_sample *b)
{
    double x = isnan(a->period_s) ? -1 : a->period_s, y = isnan(b->period_s) ? -1 : b->period_s;
    int c = compare_spans(a->metric, b->metric);
    if (!c)
        c = compare_spans(a->namespace_name, b->namespace_name);
    if (!c)
        c = (a->statistic > b->statistic) - (a->statistic < b->statistic);
    if (!c)
        c = compare_spans(a->statistic_text, b->statistic_text);
    return c ? c : (x > y) - (x < y);
}

static int by_row(const void *va, const void *vb)
{
    const struct metric_group *a = *(const struct metric_group *const *)va;
    const struct metric_group *b = *(const struct metric_group *const *)vb;
    int c = compare_rows(&a->key, &b->key);
    return c ? c : (a > b) - (a < b);
}

static int by_appearance(const void *va, const void *vb)
{
    const struct metric_row *a = va, *b = vb;
    return (a->first > b->first) - (a->first < b->first);
}

static int make_rows(const struct metric_groups *g, struct arena *a, struct metric_row **out,
                     size_t *out_n, struct err *e)
{
    const struct metric_group **sorted = arena_array(a, g->n, sizeof(struct metric_group *));
    struct metric_row *rows = arena_array(a, g->n, sizeof *rows);
    if (!sorted || !rows)
        return err_nomem(e);
    for (size_t i = 0; i < g->n; i++)
        sorted[i] = &g->item[i];
    qsort(sorted, g->n, sizeof(struct metric_group *), by_row);
    size_t n = 0;
    for (size_t i = 0; i < g->n; i++) {
        if (i == 0 || compare_rows(&sorted[i - 1]->key, &sorted[i]->key) != 0)
            rows[n++] = (struct metric_row){ .first = sorted[i], .largest = sorted[i] };
        struct metric_row *r = &rows[n - 1];
        r->series++;
        r->points += sorted[i]->n;
        if (!(sorted[i]->max <= r->largest->max))
            r->largest = sorted[i];
    }
    qsort(rows, n, sizeof *rows, by_appearance);
    *out = rows;
    *out_n = n;
    return 0;
}

/* "vol-0abc" of "VolumeId=vol-0abc"; other dimensions as they are. */
static struct span owner_of(struct span dimension)
{
    static const char *const names[] = { "VolumeId=", "InstanceId=" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct span rest = span_cut(dimension, strlen(names[i]), dimension.len);
        if (span_starts(dimension, names[i]) && !memchr(dimension.ptr, ',', dimension.len))
            return rest;
    }
    return dimension;
}

int metric_groups_summary(struct emit *m, const struct metric_groups *g, struct err *e)
{
    static const struct emit_col cols[] = {
        { "metric", "metric", true },      { "statistic", "statistic", true },
        { "period_s", "period s", false }, { "series", "series", false },
        { "points", "points", false },     { "max", "max", false },
        { "owner", "of", true },
    };
    struct arena a = { 0 };
    struct metric_row *rows = NULL;
    size_t n = 0;
    int rc = make_rows(g, &a, &rows, &n, e);
    size_t shown = n < GROUP_ROWS_SHOWN ? n : GROUP_ROWS_SHOWN;
    emit_table(m, "metrics", cols, sizeof cols / sizeof *cols);
    for (size_t i = 0; i < shown && !rc; i++) {
        const struct metric_sample *k = &rows[i].first->key;
        struct span owner = owner_of(rows[i].largest->key.dimension);
        emit_begin(m, NULL, EMIT_OBJECT);
        rc = emit_span(m, "metric", k->metric, e);
        if (!rc)
            rc = emit_span(m, "statistic",
                           k->statistic_text.len ? k->statistic_text
                                                 : span_of(metric_statistic_name(k->statistic)),
                           e);
        emit_num(m, "period_s", UNIT_S, k->period_s);
        emit_int(m, "series", UNIT_COUNT, (int64_t)rows[i].series);
        emit_int(m, "points", UNIT_COUNT, (int64_t)rows[i].points);
        double max = rows[i].largest->max;
        emit_num_digits(m, "max", UNIT_NONE, max, digits_of(max));
        if (owner.len)
            emit_cell(m, "owner", "%.*s%s",
                      (int)(owner.len > OWNER_MAX ? OWNER_MAX - 3 : owner.len), owner.ptr,
                      owner.len > OWNER_MAX ? "..." : "");
        emit_end(m);
    }
    emit_end(m);
    if (shown < n)
        emit_say(m, "%zu more metrics: --json", n - shown);
    if (g->left_out)
        emit_say(m, "%lld points of further series: --json", (long long)g->left_out);
    arena_release(&a);
    return rc;
}
