/* planner/demand/group_files.c - see group_files.h. */
#include "planner/demand/group_files.h"

#include "models/core/unit.h"

#include <math.h>
#include <string.h>

enum { FILES_OF_ROLE = 2 };

static const struct role_files {
    size_t n;
    struct layout_file files[FILES_OF_ROLE];
} of_role[] = {
    [ROLE_DATA] = { 1, { { "Data File", 100 } } },
    [ROLE_REDO] = { 1, { { "Log File", 100 } } },
    [ROLE_ARCHIVE] = { 2, { { "Archive Log", 100 }, { "Flashback Log", 100 } } },
    [ROLE_TEMP] = { 1, { { "Temp File", 100 } } },
    [ROLE_BINARIES] = { 0, { { 0 } } },
    [ROLE_OTHER] = { 0, { { 0 } } },
};

static bool holds_its_role(const struct layout *l, const struct layout_group *g)
{
    size_t same = 0;
    if (g->role == ROLE_REDO && g->log_member != UNKNOWN)
        return true;
    for (size_t i = 0; i < l->n_groups; i++)
        same += l->groups[i].role == g->role;
    return same == 1;
}

size_t group_files(const struct layout *l, const struct layout_group *g,
                   const struct layout_file **out)
{
    *out = g->files;
    if (g->n_files || !holds_its_role(l, g))
        return g->n_files;
    *out = of_role[g->role].files;
    return of_role[g->role].n;
}

int64_t group_log_members(const struct layout *l)
{
    int64_t n = 0;
    for (size_t i = 0; i < l->n_groups; i++)
        n += l->groups[i].log_member != UNKNOWN;
    return l->redo.members > 0 ? l->redo.members : n;
}

int64_t group_read_member(const struct layout *l)
{
    return l->redo.read_member > 0 ? l->redo.read_member : 1;
}

double group_redo_copies(const struct layout *l, const struct layout_group *g)
{
    const struct layout_file *files;
    size_t n = group_files(l, g, &files);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(files[i].name, "Log File") != 0)
            continue;
        double members = g->log_member != UNKNOWN ? 1 : fmax(1, (double)group_log_members(l));
        return files[i].share_pct / 100 * members * redundancy_copies(g->redundancy);
    }
    return NAN;
}
