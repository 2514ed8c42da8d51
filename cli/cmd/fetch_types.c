/* cli/cmd/fetch_types.c - see fetch_types.h. */
#include "cli/cmd/fetch_types.h"

#include <string.h>

static const struct figure {
    const char *record, *what;
    enum unit unit;
    size_t offset; /* of an int64_t of struct instance_type */
} figures[] = {
    { "vcpus", "vcpu", UNIT_COUNT, offsetof(struct instance_type, vcpu) },
    { "memory_mib", "memory_mib", UNIT_MIB, offsetof(struct instance_type, memory_mib) },
    { "baseline_bandwidth_mbps", "baseline_mbps", UNIT_MBPS,
      offsetof(struct instance_type, baseline_mbps) },
    { "maximum_bandwidth_mbps", "max_mbps", UNIT_MBPS, offsetof(struct instance_type, max_mbps) },
    { "baseline_iops", "baseline_iops", UNIT_IOPS, offsetof(struct instance_type, baseline_iops) },
    { "maximum_iops", "max_iops", UNIT_IOPS, offsetof(struct instance_type, max_iops) },
    { "maximum_ebs_attachments", "max_ebs_attachments", UNIT_COUNT,
      offsetof(struct instance_type, max_ebs_attachments) },
    { "maximum_ebs_cards", "ebs_cards", UNIT_COUNT, offsetof(struct instance_type, ebs_cards) },
};

static const struct record_field *field_of(const struct record *r, const char *key)
{
    for (size_t i = 0; i < r->n_fields; i++)
        if (strcmp(r->fields[i].key, key) == 0)
            return &r->fields[i];
    return NULL;
}

static double known_figure(const struct instance_type *t, const struct figure *f)
{
    int64_t v;
    if (!t)
        return NAN;
    memcpy(&v, (const char *)t + f->offset, sizeof v);
    return v == UNKNOWN ? NAN : (double)v;
}

int fetch_types_init(struct fetch_types *t, const struct catalogue *known, const char *region,
                     int64_t as_of_ms, struct arena *a, struct err *e)
{
    *t = (struct fetch_types){ .known = known, .as_of_ms = as_of_ms, .arena = a };
    t->rows = arena_grow(a, known->instances, known->n_instances, known->n_instances + 1,
                         sizeof *t->rows);
    t->source = arena_printf(a, "EC2 DescribeInstanceTypes %s", region);
    return t->rows && t->source ? 0 : err_nomem(e);
}

/* A figure of a row, and what follows from it. */
static void set_figure(struct fetch_types *t, struct instance_type *row, const struct figure *f,
                       double to)
{
    int64_t v = (int64_t)to;
    memcpy((char *)row + f->offset, &v, sizeof v);
    if (row->baseline_mbps != UNKNOWN)
        row->baseline_mb_s = (double)row->baseline_mbps / 8;
    if (row->max_mbps != UNKNOWN)
        row->max_mb_s = (double)row->max_mbps / 8;
    row->burst = (row->baseline_mbps != UNKNOWN && row->baseline_mbps < row->max_mbps) ||
                 (row->baseline_iops != UNKNOWN && row->baseline_iops < row->max_iops);
    row->as_of_ms = t->as_of_ms;
    row->source = t->source;
    t->n_changed++;
}

int fetch_types_take(struct fetch_types *t, const struct record *r, struct err *e)
{
    const struct record_field *type = field_of(r, "instance_type");
    if (strcmp(r->kind, "instance_types") != 0 || !type)
        return 0;
    const struct instance_type *known = instance_find(t->known, type->text);
    char *name = NULL;
    int rc = 0;
    for (size_t i = 0; !rc && i < sizeof figures / sizeof *figures; i++) {
        const struct figure *f = &figures[i];
        const struct record_field *told = field_of(r, f->record);
        double to = told ? told->num : NAN, from = known_figure(known, f);
        if (!(to >= 1 && to <= 1e12) || to == from)
            continue;
        if (!name)
            name = arena_strndup(t->arena, type->text.ptr, type->text.len);
        if (!name)
            return err_nomem(e);
        if (known)
            set_figure(t, &t->rows[known - t->known->instances], f, to);
        rc =
            fetch_differences_add(&t->differences,
                                  (struct fetch_difference){ name, f->what, f->unit, from, to, -1 },
                                  t->arena, e);
    }
    return rc;
}
