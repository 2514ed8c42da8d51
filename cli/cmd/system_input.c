/* cli/cmd/system_input.c - see system_input.h. */
#include "cli/cmd/system_input.h"

static int find_layout(struct app *app, const char *system, struct layout *out, bool *found,
                       struct err *e)
{
    const char *json = NULL;
    int rc = store_layout_get(app->store, system, &app->arena, &json, e);
    *found = !rc && json;
    if (!*found)
        return rc;
    rc = layout_parse(span_of(json), &app->arena, out, e);
    return rc ? err_prefix(e, "layout of %.100s", system) : 0;
}

int system_layout(struct app *app, const char *system, struct layout *out, struct err *e)
{
    bool found;
    int rc = find_layout(app, system, out, &found, e);
    if (!rc && !found)
        rc = err_set(e, ERR_USAGE,
                     "%.100s has no layout yet: volplan layout --init >layout.json makes a first "
                     "one, volplan layout --set layout.json keeps it",
                     system);
    return rc;
}

int system_input(struct app *app, bool layout_needed, struct system_input *out, struct err *e)
{
    *out = (struct system_input){ 0 };
    int rc = load_system(app->store, app_text(app, OPT_SYSTEM), &app->arena, &out->load, e);
    if (!rc && layout_needed) {
        rc = system_layout(app, out->load.system, &out->layout, e);
        out->has_layout = true;
    } else if (!rc)
        rc = find_layout(app, out->load.system, &out->layout, &out->has_layout, e);
    return rc;
}
