/* data/ingest/blktrace/size_count.c - see size_count.h. */
#include "data/ingest/blktrace/size_count.h"

#include "models/core/unit.h"

#include <stdlib.h>

const char *io_direction_name(enum io_direction d)
{
    static const char *const names[IO_DIRECTIONS] = { "read", "write", "discard", NULL };
    return names[d];
}

void size_counts_add(struct size_counts *t, uint32_t group, enum io_direction d, int64_t bytes,
                     int64_t line)
{
    uint64_t h = ((uint64_t)bytes * 31 + group) * 4 + (uint64_t)d;
    size_t n_slots = sizeof t->slot / sizeof *t->slot;
    size_t at = (size_t)((h * UINT64_C(0x9E3779B97F4A7C15)) >> 32) % n_slots;
    while (t->slot[at].n &&
           (t->slot[at].bytes != bytes || t->slot[at].group != group || t->slot[at].direction != d))
        at = (at + 1) % n_slots;
    if (!t->slot[at].n && t->n == SIZES_MAX) {
        t->n_beyond++;
        return;
    }
    if (!t->slot[at].n)
        t->slot[at].line = line;
    t->n += !t->slot[at].n;
    t->slot[at].bytes = bytes;
    t->slot[at].group = group;
    t->slot[at].direction = d;
    t->slot[at].n++;
}

static int by_group_and_size(const void *a, const void *b)
{
    const struct size_count *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->direction != y->direction)
        return x->direction < y->direction ? -1 : 1;
    return x->bytes < y->bytes ? -1 : x->bytes > y->bytes;
}

static void sort_counts(struct size_counts *t)
{
    size_t n = 0;
    for (size_t i = 0; i < sizeof t->slot / sizeof *t->slot; i++)
        if (t->slot[i].n)
            t->slot[n++] = t->slot[i];
    qsort(t->slot, n, sizeof *t->slot, by_group_and_size);
}

int size_counts_tell(struct size_counts *t, struct feed *f, const char *group_key,
                     struct span (*name)(const void *ctx, uint32_t group), const void *ctx)
{
    int rc = 0;
    sort_counts(t);
    for (size_t i = 0; i < t->n && !rc; i++) {
        const struct size_count *s = &t->slot[i];
        struct fields fields = { .n = 0 };
        fields_text(&fields, group_key, name(ctx, s->group));
        fields_text(&fields, "direction", span_of(io_direction_name(s->direction)));
        fields_num(&fields, "request_kib", UNIT_KIB, (double)s->bytes / 1024);
        fields_num(&fields, "requests", UNIT_COUNT, (double)s->n);
        rc = trace_record(f, "sizes", s->line, &fields);
    }
    if (!rc && t->n_beyond)
        rc = feed_warn(f, 0, "%lld requests of further sizes are in the totals only",
                       (long long)t->n_beyond);
    return rc;
}

int name_table_find(struct name_table *t, struct arena *a, struct span name, size_t *out,
                    struct err *e)
{
    name = span_cut(name, 0, TEXT_NAME_MAX);
    for (size_t i = 0; i < t->n; i++)
        if (span_eq(text_name_span(&t->name[i]), name)) {
            *out = i;
            return 0;
        }
    if (t->n == t->max) {
        *out = t->max - 1;
        return 0;
    }
    if (t->n == t->room) {
        size_t room = t->room ? t->room * 2 : 16;
        struct text_name *grown = arena_grow(a, t->name, t->n, room, sizeof *grown);
        if (!grown) {
            err_nomem(e);
            return ERR_NOMEM;
        }
        t->name = grown;
        t->room = room;
    }
    text_name_set(&t->name[t->n], t->n + 1 == t->max ? SPAN_LIT("(others)") : name);
    *out = t->n++;
    return 0;
}

int trace_record(struct feed *f, const char *kind, int64_t line, const struct fields *fields)
{
    struct record rec = {
        .kind = kind, .time_ms = UNKNOWN, .fields = fields->at, .n_fields = fields->n, .line = line
    };
    return feed_record(f, &rec);
}
