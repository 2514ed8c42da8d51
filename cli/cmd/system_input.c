/* cli/cmd/system_input.c - see system_input.h. */
#include "cli/cmd/system_input.h"

#include "cli/cmd/kept_systems.h"

static int find_layout(struct store *s, const char *system, struct arena *a, struct layout *out,
                       bool *found, struct err *e)
{
    const char *json = NULL;
    int rc = store_layout_get(s, system, a, &json, e);
    *found = !rc && json;
    if (!*found)
        return rc;
    rc = layout_parse(span_of(json), a, out, e);
    return rc ? err_prefix(e, "layout of %.100s", system) : 0;
}

static int no_layout(const char *system, struct err *e)
{
    return err_set(e, ERR_USAGE,
                   "%.100s has no layout yet: volplan layout --init >layout.json makes a first "
                   "one, volplan layout --set layout.json keeps it",
                   system);
}

int system_layout(struct store *s, const char *system, struct arena *a, struct layout *out,
                  struct err *e)
{
    bool found;
    int rc = find_layout(s, system, a, out, &found, e);
    return rc || found ? rc : no_layout(system, e);
}

int system_input_of(struct store *s, const char *system, bool layout_needed, struct arena *a,
                    struct system_input *out, struct err *e)
{
    *out = (struct system_input){ 0 };
    int rc = load_system(s, system, a, &out->load, e);
    if (!rc && layout_needed) {
        rc = system_layout(s, out->load.system, a, &out->layout, e);
        out->has_layout = true;
    } else if (!rc)
        rc = find_layout(s, out->load.system, a, &out->layout, &out->has_layout, e);
    return rc;
}

int system_input_named(struct app *app, const char *system, bool layout_needed,
                       struct system_input *out, struct err *e)
{
    if (!app->kept)
        return system_input_of(app->store, system, layout_needed, &app->arena, out, e);
    int rc = kept_systems_get(app->kept, app->store, system, &app->arena, out, e);
    if (!rc && layout_needed && !out->has_layout)
        rc = no_layout(out->load.system, e);
    return rc;
}

int system_input_demand(struct app *app, const struct system_input *in,
                        const struct demand_options *o, struct system_demand *out, struct err *e)
{
    return app->kept ? kept_systems_demand(app->kept, in, o, &app->arena, out, e)
                     : system_demand_build(&in->load, &in->layout, o, &app->arena, out, e);
}

int system_input(struct app *app, bool layout_needed, struct system_input *out, struct err *e)
{
    return system_input_named(app, app_text(app, OPT_SYSTEM), layout_needed, out, e);
}
