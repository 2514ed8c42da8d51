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

int fetch_types_compare(const struct catalogue *c, const struct record *r, struct arena *a,
                        struct fetch_differences *l, struct err *e)
{
    const struct record_field *type = field_of(r, "instance_type");
    if (strcmp(r->kind, "instance_types") != 0 || !type)
        return 0;
    const struct instance_type *known = instance_find(c, type->text);
    char *name = NULL;
    int rc = 0;
    for (size_t i = 0; !rc && i < sizeof figures / sizeof *figures; i++) {
        const struct figure *f = &figures[i];
        const struct record_field *told = field_of(r, f->record);
        double to = told ? told->num : NAN, from = known_figure(known, f);
        if (isnan(to) || to == from)
            continue;
        if (!name)
            name = arena_strndup(a, type->text.ptr, type->text.len);
        if (!name)
            return err_nomem(e);
        rc =
            fetch_differences_add(l,
                                  (struct fetch_difference){ name, f->what, f->unit, from, to, -1 },
                                  a, e);
    }
    return rc;
}
