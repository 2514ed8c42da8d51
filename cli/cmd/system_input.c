/* cli/cmd/system_input.c - see system_input.h. */
#include "cli/cmd/system_input.h"

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

int system_layout(struct store *s, const char *system, struct arena *a, struct layout *out,
                  struct err *e)
{
    bool found;
    int rc = find_layout(s, system, a, out, &found, e);
    if (!rc && !found)
        rc = err_set(e, ERR_USAGE,
                     "%.100s has no layout yet: volplan layout --init >layout.json makes a first "
                     "one, volplan layout --set layout.json keeps it",
                     system);
    return rc;
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

int system_input(struct app *app, bool layout_needed, struct system_input *out, struct err *e)
{
    return system_input_of(app->store, app_text(app, OPT_SYSTEM), layout_needed, &app->arena, out,
                           e);
}
