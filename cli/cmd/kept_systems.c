/* cli/cmd/kept_systems.c - see kept_systems.h. */
#include "cli/cmd/kept_systems.h"

#include <string.h>

void kept_systems_next(struct kept_systems *k)
{
    k->command++;
}

static struct kept_system *find(struct kept_systems *k, const char *system)
{
    for (size_t i = 0; i < KEPT_SYSTEMS; i++)
        if (k->item[i].used_by && strcmp(k->item[i].input.load.system, system) == 0)
            return &k->item[i];
    return NULL;
}

/* The one that was not used for the longest; NULL when the command at hand uses all. */
static struct kept_system *least_used(struct kept_systems *k)
{
    struct kept_system *least = &k->item[0];
    for (size_t i = 1; i < KEPT_SYSTEMS; i++)
        if (k->item[i].used_by < least->used_by)
            least = &k->item[i];
    return least->used_by < k->command ? least : NULL;
}

static int read_into(struct kept_system *to, struct store *s, const char *system, struct err *e)
{
    to->used_by = 0;
    arena_release(&to->arena);
    return system_input_of(s, system, false, &to->arena, &to->input, e);
}

int kept_systems_get(struct kept_systems *k, struct store *s, const char *system, struct arena *a,
                     struct system_input *out, struct err *e)
{
    int rc = store_system_resolve(s, system, a, &system, e);
    if (rc)
        return rc;
    struct kept_system *kept = find(k, system);
    if (!kept) {
        kept = least_used(k);
        if (!kept)
            return system_input_of(s, system, false, a, out, e);
        rc = read_into(kept, s, system, e);
    }
    if (rc)
        return rc;
    kept->used_by = k->command;
    *out = kept->input;
    return 0;
}

void kept_systems_release(struct kept_systems *k)
{
    for (size_t i = 0; i < KEPT_SYSTEMS; i++)
        arena_release(&k->item[i].arena);
    *k = (struct kept_systems){ .command = k->command };
}
