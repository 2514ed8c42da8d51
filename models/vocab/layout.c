/* models/vocab/layout.c - see layout.h. */
#include "models/vocab/layout.h"

#include "models/core/unit.h"

#include <math.h>
#include <string.h>

const struct layout layout_unknown = {
    .network_interfaces = 1,
    .redo = { .members = UNKNOWN,
              .block_bytes = UNKNOWN,
              .groups = UNKNOWN,
              .archive_copies = UNKNOWN,
              .read_member = UNKNOWN,
              .filesystem_block_bytes = UNKNOWN,
              .log_gib = NAN,
              .buffer_mib = NAN,
              .other_archive_readers = NAN,
              .other_online_readers = NAN },
};

const struct layout_group layout_group_unknown = {
    .role = ROLE_OTHER,
    .log_member = UNKNOWN,
    .redundancy = REDUNDANCY_EXTERNAL,
    .skew = 1,
    .au_mib = UNKNOWN,
    .need_gib = UNKNOWN,
    .used_gib = UNKNOWN,
    .policy = { .min_count = 1,
                .max_count = UNKNOWN,
                .min_durability_pct = NAN,
                .equal_size = true,
                .size_step_gib = 1 },
};

const char *group_role_name(enum group_role r)
{
    static const char *const names[] = { "data", "redo", "archive", "temp", "binaries", "other" };
    return names[r];
}

const char *redundancy_name(enum redundancy r)
{
    static const char *const names[] = { "external", "normal", "high" };
    return names[r];
}

int redundancy_copies(enum redundancy r)
{
    return (int)r + 1;
}

bool layout_names_volume(const struct layout_group *g, struct span volume_id)
{
    for (size_t i = 0; i < g->n_volume_ids; i++)
        if (span_is(volume_id, g->volume_ids[i]))
            return true;
    return false;
}

int64_t layout_volume_count(const struct layout_group *g)
{
    int64_t n = 0;
    for (size_t i = 0; i < g->n_volumes; i++)
        n += g->volumes[i].spec.count;
    return n;
}

int64_t layout_volumes_gib(const struct layout_group *g)
{
    int64_t sum = 0;
    for (size_t i = 0; i < g->n_volumes; i++)
        if (g->volumes[i].spec.size_gib > 0)
            sum += g->volumes[i].spec.size_gib * g->volumes[i].spec.count;
    return sum;
}

int64_t layout_usable_gib(const struct layout_group *g)
{
    int64_t gib = layout_volumes_gib(g), copies = redundancy_copies(g->redundancy);
    if (g->need_gib > 0)
        return g->need_gib;
    return gib > 0 ? (gib + copies - 1) / copies : UNKNOWN;
}

bool layout_volumes_alike(const struct layout_group *g)
{
    for (size_t i = 1; i < g->n_volumes; i++)
        if (!volume_spec_alike(&g->volumes[0].spec, &g->volumes[i].spec))
            return false;
    return true;
}

/* '*' in pattern[0..len) matches any run of characters. */
static bool glob_match(const char *pattern, size_t len, const char *text)
{
    const char *end = pattern + len, *star = NULL, *star_text = NULL;
    while (*text) {
        if (pattern < end && *pattern == '*') {
            star = pattern++;
            star_text = text;
        } else if (pattern < end && *pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star + 1;
            text = ++star_text;
        } else {
            return false;
        }
    }
    while (pattern < end && *pattern == '*')
        pattern++;
    return pattern == end;
}

static const char *without_dev(const char *name)
{
    return strncmp(name, "/dev/", 5) == 0 ? name + 5 : name;
}

bool layout_match_device(const char *pattern, const char *host, const char *device)
{
    const char *colon = strchr(pattern, ':');
    if (colon && (!host || !glob_match(pattern, (size_t)(colon - pattern), host)))
        return false;
    pattern = without_dev(colon ? colon + 1 : pattern);
    return glob_match(pattern, strlen(pattern), without_dev(device));
}
