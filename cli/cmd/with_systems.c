/* cli/cmd/with_systems.c - see with_systems.h. */
#include "cli/cmd/with_systems.h"

#include <string.h>

enum { SYSTEMS_MAX = 1000 };

struct names {
    const char *name[SYSTEMS_MAX];
    size_t n;
};

static int add_name(struct app *app, struct span name, struct names *out, struct err *e)
{
    name = span_trim(name);
    if (!name.len || out->n == SYSTEMS_MAX)
        return err_set(e, ERR_USAGE, "--with: %s", name.len ? "too many systems" : "an empty name");
    const char *kept = arena_strndup(&app->arena, name.ptr, name.len);
    if (!kept)
        return err_nomem(e);
    for (size_t i = 0; i < out->n; i++)
        if (strcmp(out->name[i], kept) == 0)
            return err_set(e, ERR_USAGE, "--with: %.80s is named twice", kept);
    out->name[out->n++] = kept;
    return 0;
}

static int add_list(struct app *app, const char *text, struct names *out, struct err *e)
{
    struct span rest = span_of(text), name;
    int rc = 0;
    do {
        if (span_field(&rest, ',', &name))
            name = rest;
        rc = add_name(app, name, out, e);
    } while (!rc && rest.len);
    return rc;
}

static int names_of(struct app *app, struct names *out, struct err *e)
{
    const struct invocation *in = &app->in;
    int rc = 0;
    for (size_t i = 0; i < in->n_uses && !rc; i++)
        if (in->uses[i].id == OPT_WITH)
            rc = add_list(app, in->uses[i].value.text, out, e);
    for (size_t i = 0; i < in->n_args && !rc; i++)
        rc = app_flag(app, OPT_WITH)
                 ? add_list(app, in->args[i], out, e)
                 : err_set(e, ERR_USAGE, "%s: '%.80s' is one argument too many (volplan help %s)",
                           in->command->name, in->args[i], in->command->name);
    return rc;
}

int with_systems(struct app *app, const struct system_input *target,
                 const struct demand_source **out, size_t *out_n, struct err *e)
{
    struct names *names = arena_alloc(&app->arena, sizeof *names);
    if (!names)
        return err_nomem(e);
    names->name[names->n++] = target->load.system;
    int rc = names_of(app, names, e);
    if (rc)
        return rc;
    struct demand_source *sources = arena_array(&app->arena, names->n, sizeof *sources);
    struct system_input *in = arena_array(&app->arena, names->n, sizeof *in);
    if (!sources || !in)
        return err_nomem(e);
    in[0] = *target;
    for (size_t i = 0; i < names->n; i++) {
        if (i)
            rc = system_input_named(app, names->name[i], false, &in[i], e);
        if (rc)
            return err_prefix(e, "--with");
        sources[i] = (struct demand_source){ &in[i].load, in[i].has_layout ? &in[i].layout : NULL };
    }
    *out = sources;
    *out_n = names->n;
    return 0;
}
