/* data/fetch/cw_resources.c - which volumes and instances belong to a system: see cw_fetch.h. */
#include "data/fetch/cw_fetch.h"

#include "data/ingest/layout/layout_json.h"

#include <stdlib.h>
#include <string.h>

struct ids {
    struct cw_resource *at;
    size_t n, room;
    struct arena *arena;
};

static bool has(const struct ids *l, struct span id)
{
    for (size_t i = 0; i < l->n; i++)
        if (span_is(id, l->at[i].id))
            return true;
    return false;
}

static int add(struct ids *l, struct span id, bool is_instance, struct err *e)
{
    if (!id.len || has(l, id))
        return 0;
    if (l->n == l->room) {
        size_t room = l->room ? 2 * l->room : 32;
        struct cw_resource *grown = arena_grow(l->arena, l->at, l->n, room, sizeof *grown);
        if (!grown)
            return err_nomem(e);
        l->at = grown;
        l->room = room;
    }
    char *copy = arena_strndup(l->arena, id.ptr, id.len);
    if (!copy)
        return err_nomem(e);
    l->at[l->n++] = (struct cw_resource){ copy, is_instance, false };
    return 0;
}

static int add_of_layout(struct store *s, const char *system, struct ids *l, struct err *e)
{
    const char *json = NULL;
    struct layout layout;
    int rc = store_layout_get(s, system, l->arena, &json, e);
    if (rc || !json)
        return rc;
    rc = layout_parse(span_of(json), l->arena, &layout, e);
    for (size_t i = 0; !rc && i < layout.n_groups; i++)
        for (size_t k = 0; !rc && k < layout.groups[i].n_volume_ids; k++)
            rc = add(l, span_of(layout.groups[i].volume_ids[k]), false, e);
    return rc;
}

static bool is_there(const struct volume_config *v, const char *region)
{
    return !v->zone.len || span_starts(v->zone, region);
}

/* Which instances have detailed monitoring, as last described. */
static int mark_detailed(struct store *s, const char *system, struct ids *l, struct err *e)
{
    const struct stored_record *r;
    size_t n;
    int rc = store_records(s, system, l->arena, &r, &n, e);
    for (size_t i = 0; !rc && i < n; i++) {
        const char *id = stored_record_text(&r[i], "instance_id");
        const char *monitoring = stored_record_text(&r[i], "monitoring");
        if (strcmp(r[i].kind, "instances") != 0 || !id || !monitoring)
            continue;
        for (size_t k = 0; k < l->n; k++)
            if (strcmp(l->at[k].id, id) == 0)
                l->at[k].detailed = strcmp(monitoring, "enabled") == 0;
    }
    return rc;
}

/* Of the volumes that the store has: those named and what hangs on their instances, or all. */
static int add_of_store(struct store *s, const char *system, const char *region, struct ids *l,
                        struct err *e)
{
    const struct stored_volume *v;
    size_t n, n_named = l->n;
    struct ids instances = { .arena = l->arena };
    int rc = store_volumes(s, system, l->arena, &v, &n, e);
    for (size_t i = 0; !rc && i < n; i++)
        if (is_there(&v[i].config, region) && (!n_named || has(l, v[i].config.volume_id)))
            rc = add(&instances, v[i].config.instance_id, true, e);
    for (size_t i = 0; !rc && i < n; i++)
        if (is_there(&v[i].config, region) &&
            (!n_named || has(&instances, v[i].config.instance_id)))
            rc = add(l, v[i].config.volume_id, false, e);
    for (size_t i = 0; !rc && i < instances.n; i++)
        rc = add(l, span_of(instances.at[i].id), true, e);
    return rc;
}

static int by_id(const void *x, const void *y)
{
    const struct cw_resource *a = x, *b = y;
    return strcmp(a->id, b->id);
}

int cw_resources_of(struct store *s, const char *system, const char *region, struct arena *a,
                    struct cw_resource **out, size_t *out_n, struct err *e)
{
    struct ids l = { .arena = a };
    int rc = add_of_layout(s, system, &l, e);
    if (!rc)
        rc = add_of_store(s, system, region, &l, e);
    if (!rc)
        rc = mark_detailed(s, system, &l, e);
    if (rc)
        return rc;
    if (!l.n)
        return err_set(
            e, ERR_USAGE,
            "no volumes of %.80s in %.30s are known: volplan fetch volumes --system %.80s, "
            "or volume_ids in its layout",
            system, region, system);
    qsort(l.at, l.n, sizeof *l.at, by_id);
    *out = l.at;
    *out_n = l.n;
    return 0;
}
