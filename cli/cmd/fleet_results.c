/* cli/cmd/fleet_results.c - see fleet_results.h. */
#include "cli/cmd/fleet_results.h"

#include "cli/cmd/fleet_line_json.h"
#include "models/core/timestamp.h"

#include <string.h>

enum { RESULTS_WAIT_MS = 60000 };

/* Defaults are the version's, and to give one may be another question: --weighting default. */
static bool is_asked(const struct app *app, enum option_id id)
{
    return id != OPT_ALL && id != OPT_SHOW && app_value(app, id)->given;
}

int fleet_asked_of(const struct app *app, struct arena *a, struct fleet_asked *out, struct err *e)
{
    const struct command *c = app->in.command;
    const char *question =
        app_value(app, OPT_REGION)->given ? arena_printf(a, "--region %s", app->region) : "plan";
    for (size_t i = 0; i < c->n_options && question; i++)
        if (is_asked(app, c->options[i].id))
            question = arena_printf(a, "%s --%s %s", question, option_table[c->options[i].id].name,
                                    app_text(app, c->options[i].id));
    char day[32], instances[32];
    const char *world =
        arena_printf(a, "%s volplan %s, instances of %s", time_format_date(day, app->as_of_ms),
                     volplan_version,
                     time_format_date(instances, app->catalogue->instances_as_of_ms));
    if (!question || !world)
        return err_nomem(e);
    *out = (struct fleet_asked){ question, world };
    return 0;
}

int fleet_results_open(const struct app *app, struct store **out, struct err *e)
{
    struct store_options o = { .mode = STORE_WRITE, .wait_ms = RESULTS_WAIT_MS };
    struct store *s = NULL;
    int rc = store_open(app->db, &o, &s, e);
    if (!rc)
        rc = store_claims_open(s, e);
    if (rc) {
        store_close(s);
        return rc;
    }
    *out = s;
    return 0;
}

int fleet_result_get(struct store *s, const char *system, const struct fleet_asked *asked,
                     struct arena *a, enum fleet_found *out, struct fleet_line *line,
                     const char **out_state, struct err *e)
{
    struct store_result r;
    const char *input = NULL;
    int rc = store_result_state(s, system, a, &input, e);
    const char *state = rc ? NULL : arena_printf(a, "%s %s", input, asked->world);
    if (!rc && !state)
        rc = err_nomem(e);
    if (!rc)
        rc = store_result_get(s, system, asked->question, a, &r, e);
    if (rc)
        return rc;
    *out_state = state;
    *out = r.json ? FLEET_OUT_OF_DATE : FLEET_NONE;
    if (!r.json || strcmp(r.state, state) != 0)
        return 0;
    rc = fleet_line_read(r.json, system, a, line, e);
    if (!rc)
        *out = FLEET_CURRENT;
    return rc == ERR_PARSE ? 0 : rc; /* what cannot be read is made anew */
}

int fleet_result_keep(struct store *s, const struct fleet_asked *asked, const char *state,
                      const struct fleet_line *line, struct arena *scratch, struct err *e)
{
    struct store_result r = { .state = state };
    int rc = fleet_line_write(line, scratch, &r.json, e);
    return rc ? rc : store_result_keep(s, line->system, asked->question, &r, e);
}
