/* models/facts/catalogue.c - looking things up in a catalogue: see catalogue.h. */
#include "models/facts/catalogue.h"

#include <stdlib.h>
#include <string.h>

static int compare_name(const void *key, const void *element)
{
    const struct span *name = key;
    const struct instance_type *t = element;
    struct span other = span_of(t->name);
    size_t common = name->len < other.len ? name->len : other.len;
    int order = common ? memcmp(name->ptr, other.ptr, common) : 0;
    if (order)
        return order;
    return (name->len > other.len) - (name->len < other.len);
}

const struct instance_type *instance_find(const struct catalogue *c, struct span name)
{
    if (c->n_instances == 0)
        return NULL;
    return bsearch(&name, c->instances, c->n_instances, sizeof *c->instances, compare_name);
}

bool region_known(const struct catalogue *c, const char *region)
{
    for (size_t i = 0; i < c->n_prices; i++)
        if (!strcmp(c->prices[i].region, region))
            return true;
    return false;
}
