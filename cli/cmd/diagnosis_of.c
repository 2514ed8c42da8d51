/* cli/cmd/diagnosis_of.c - see diagnosis_of.h. */
#include "cli/cmd/diagnosis_of.h"

#include <string.h>

/* The file that a system's layout was given in; NULL = it is in the store. */
static const char *path_of_layout(const struct layout_path *paths, size_t n, const char *system)
{
    const char *path = NULL;
    for (size_t i = 0; i < n; i++) /* the last one counts */
        if (strcmp(paths[i].system, system) == 0)
            path = paths[i].path;
    return path;
}

/* Layouts of the standbys that are systems of the store. */
static int standbys_of(struct app *app, const struct layout_path *paths, size_t n,
                       const struct layout *l, struct diagnose_input *in, struct err *e)
{
    struct standby_layout *s = arena_array(&app->arena, l->n_standbys, sizeof *s);
    if (!s)
        return err_nomem(e);
    in->standbys = s;
    for (size_t i = 0; i < l->n_standbys; i++) {
        struct standby_layout *one = &s[in->n_standbys];
        one->name = l->standbys[i].name;
        one->file = path_of_layout(paths, n, one->name);
        struct err own = { 0 };
        int rc = system_layout(app->store, one->name, &app->arena, &one->layout, &own);
        if (rc && rc != ERR_USAGE)
            return err_set(e, rc, "%s", own.text);
        in->n_standbys += !rc;
    }
    return 0;
}

int diagnosis_of(struct app *app, const struct system_input *of, const struct system_demand *demand,
                 const struct layout_path *paths, size_t n, struct diagnosis *out, struct err *e)
{
    struct diagnose_input in = { .demand = demand,
                                 .catalogue = app->catalogue,
                                 .as_of_ms = app->as_of_ms,
                                 .layout_given = of->has_layout,
                                 .layout_file = path_of_layout(paths, n, of->load.system) };
    int rc = standbys_of(app, paths, n, &of->layout, &in, e);
    return rc ? rc : diagnose_build(&in, &app->arena, out, e);
}
