/* cli/cmd/cmd_fetch.c - volplan fetch: read AWS directly, into the store. */
#include "cli/cmd/cmd.h"

#include "cli/cmd/fetch_prices.h"
#include "cli/cmd/fetch_types.h"
#include "cli/cmd/fetch_world.h"
#include "cli/progress.h"
#include "cli/render/render.h"
#include "data/fetch/cw_fetch.h"
#include "data/fetch/ec2.h"
#include "data/fetch/facts_pack.h"
#include "data/fetch/fetch_keep.h"

#include "models/core/timestamp.h"

#include <string.h>

static int print_policy(struct app *app, struct err *e)
{
    struct emit *m = render_json(app->out); /* a policy is a JSON document, whatever the output */
    if (!m)
        return err_nomem(e);
    emit_text(m, "Version", "2012-10-17");
    emit_begin(m, "Statement", EMIT_LIST);
    emit_begin(m, NULL, EMIT_OBJECT);
    emit_text(m, "Sid", "VolplanFetch");
    emit_text(m, "Effect", "Allow");
    emit_begin(m, "Action", EMIT_LIST);
    for (int l = 0; l < EC2_LIST_COUNT; l++)
        emit_text(m, NULL, ec2_permission((enum ec2_list)l));
    emit_text(m, NULL, cw_permission);
    emit_end(m);
    emit_text(m, "Resource", "*"); /* none of these can be narrowed to a resource */
    emit_end(m);
    emit_end(m);
    return app_finish(m, 0, e);
}

/* --- describing --------------------------------------------------------------------------------
 */

static int take_type(void *ctx, const struct record *r, struct err *e)
{
    return fetch_types_take(ctx, r, e);
}

/* A store that is not there is made once there is something to keep. */
static int keep_list(struct app *app, const struct fetch_file *f, int64_t *out_rows, struct err *e)
{
    int rc = app->store ? 0 : app_store_open(app, STORE_CREATE, e);
    return rc ? rc : fetch_keep(app->store, f, out_rows, e);
}

static int describe(struct app *app, struct aws_client *c, enum ec2_list l, struct fetch_summary *s,
                    struct fetch_types *types, struct err *e)
{
    struct arena a = { 0 };
    struct sink sink = { .ctx = types, .record = take_type };
    struct fetch_file f = { .system = s->system, .format = ec2_format(l), .tap = &sink };
    struct fetch_part *part = &s->parts[s->n_parts++];
    bool empty = false;
    int rc = ec2_describe(c, l, &a, &f.text, &empty, e);
    f.path = arena_printf(&a, "aws:%s/%s", c->region, f.format);
    if (!rc && !f.path)
        rc = err_nomem(e);
    static const char *const words[EC2_LIST_COUNT] = {
        [EC2_VOLUMES] = "volumes",
        [EC2_MODIFICATIONS] = "modifications",
        [EC2_INSTANCES] = "instance rows", /* what hangs on them too */
        [EC2_INSTANCE_TYPES] = "instance types",
    };
    part->what = words[l];
    if (!rc && !empty)
        rc = keep_list(app, &f, &part->rows, e);
    arena_release(&a);
    return rc;
}

static int find_system(struct app *app, const char **out, struct err *e)
{
    *out = app_text(app, OPT_SYSTEM);
    if (*out)
        return 0;
    int rc = app_store_open(app, STORE_WRITE, e);
    return rc ? rc : store_system_resolve(app->store, NULL, &app->arena, out, e);
}

static int fetch_lists(struct app *app, struct aws_client *c, const enum ec2_list *lists, size_t n,
                       struct fetch_types *types, struct fetch_summary *s, struct err *e)
{
    struct progress progress;
    int rc = app_region(app, c->region, e);
    if (!rc)
        rc = find_system(app, &s->system, e);
    if (!rc)
        rc = fetch_types_init(types, app->catalogue, c->region, app->today_ms, &app->arena, e);
    progress_start_items(&progress, app, n);
    for (size_t i = 0; !rc && i < n; i++) {
        progress_item(&progress, ec2_format(lists[i]), i);
        rc = describe(app, c, lists[i], s, types, e);
        if (rc == ERR_STOPPED)
            err_set(e, rc,
                    "stopped: %zu of %zu lists are kept; the same command asks for all again", i,
                    n);
    }
    progress_stop(&progress);
    s->differences = types->differences.item;
    s->n_differences = types->differences.n;
    return rc;
}

static int fetch_volumes(struct app *app, struct aws_client *c, struct fetch_summary *s,
                         struct err *e)
{
    static const enum ec2_list lists[] = { EC2_VOLUMES, EC2_MODIFICATIONS, EC2_INSTANCES };
    struct fetch_types types = { 0 };
    s->next = "volplan fetch cloudwatch";
    return fetch_lists(app, c, lists, sizeof lists / sizeof *lists, &types, s, e);
}

/* What differs of known types, where --out says. */
static int write_types(struct app *app, const struct fetch_types *types, struct fetch_summary *s,
                       struct err *e)
{
    const char *dir = app_text(app, OPT_OUT);
    if (!dir || !types->n_changed) {
        s->already = s->n_differences
                         ? "Nothing uses them: --out writes a folder for --facts. They "
                           "differ:"
                         : "They are as known.";
        return 0;
    }
    s->already = arena_printf(&app->arena,
                              "%s has them for --facts, but types that are not known. "
                              "They differ:",
                              dir);
    s->next = arena_printf(&app->arena, "volplan instance --facts %s", dir);
    return s->already && s->next ? facts_pack_write(dir, FACTS_INSTANCES, types->rows,
                                                    types->known->n_instances, &app->arena, e)
                                 : err_nomem(e);
}

static int fetch_instance_types(struct app *app, struct aws_client *c, struct fetch_summary *s,
                                struct err *e)
{
    static const enum ec2_list lists[] = { EC2_INSTANCE_TYPES };
    struct fetch_types types = { 0 };
    int rc = fetch_lists(app, c, lists, 1, &types, s, e);
    return rc ? rc : write_types(app, &types, s, e);
}

/* --- metrics -----------------------------------------------------------------------------------
 */

struct steps {
    struct progress progress;
    size_t done, total;
};

static void step(void *ctx, size_t done, size_t total)
{
    struct steps *s = ctx;
    s->done = done;
    s->total = total;
    s->progress.total_bytes = (int64_t)total;
    progress_item(&s->progress, "cloudwatch", done);
}

static int range_of(const struct app *app, struct cw_range *out, struct err *e)
{
    static const int64_t periods_s[] = { 60, 300, 3600 }; /* of OPT_PERIOD */
    enum { DAYS = 14 };
    int64_t now_ms = app->env->now_ms;
    *out = (struct cw_range){ .now_ms = now_ms,
                              .from_ms = app_whole(app, OPT_FROM),
                              .to_ms = app_whole(app, OPT_TO) };
    if (out->from_ms == UNKNOWN)
        out->from_ms = now_ms - DAYS * DAY_MS;
    if (out->to_ms == UNKNOWN)
        out->to_ms = now_ms;
    if (app_flag(app, OPT_PERIOD))
        out->period_s = periods_s[app_whole(app, OPT_PERIOD)];
    if (out->from_ms >= out->to_ms || out->from_ms >= cw_windows_end(now_ms))
        return err_set(e, ERR_USAGE,
                       "--from must lie before --to, and before the last 15 minutes: "
                       "their points are not complete yet");
    return 0;
}

static int fetch_cloudwatch(struct app *app, struct aws_client *c, struct fetch_summary *s,
                            struct err *e)
{
    struct cw_range range;
    struct cw_resource *resources;
    struct cw_fetched got;
    struct steps steps = { .done = 0 };
    size_t n;
    int rc = app_region(app, c->region, e);
    if (!rc)
        rc = range_of(app, &range, e);
    if (!rc)
        rc = app_store_open(app, STORE_WRITE, e);
    if (!rc)
        rc =
            store_system_resolve(app->store, app_text(app, OPT_SYSTEM), &app->arena, &s->system, e);
    if (!rc)
        rc = cw_resources_of(app->store, s->system, c->region, &app->arena, &resources, &n, e);
    if (rc)
        return rc;
    progress_start_items(&steps.progress, app, n);
    rc = cw_fetch(c, app->store, s->system, resources, n, &range, step, &steps, &got, e);
    progress_stop(&steps.progress);
    if (rc == ERR_STOPPED)
        return err_set(e, rc,
                       "stopped: %zu of %zu stretches of volumes and instances are kept; the same "
                       "command asks for the rest",
                       steps.done, steps.total);
    if (rc)
        return rc;
    s->parts[s->n_parts++] = (struct fetch_part){ "points", got.rows };
    s->resumed = got.resumed;
    if (got.resumed)
        s->already = "What the store had of this time was not asked for again.";
    s->next = "volplan peaks";
    return 0;
}

/* --- the command -------------------------------------------------------------------------------
 */

static const struct action {
    const char *name;
    int (*run)(struct app *, struct aws_client *, struct fetch_summary *, struct err *);
} actions[] = {
    { "cloudwatch", fetch_cloudwatch },
    { "instance-types", fetch_instance_types },
    { "prices", fetch_prices },
    { "volumes", fetch_volumes },
};

static const struct action *action_of(const char *name)
{
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (strcmp(actions[i].name, name) == 0)
            return &actions[i];
    return NULL;
}

/* An option that an action has no use for is a mistake. */
static int check_options(const struct app *app, const struct action *x, struct err *e)
{
    static const enum option_id of_metrics[] = { OPT_FROM, OPT_TO, OPT_PERIOD };
    bool is_metrics = strcmp(x->name, "cloudwatch") == 0;
    for (size_t i = 0; !is_metrics && i < sizeof of_metrics / sizeof *of_metrics; i++)
        if (app_flag(app, of_metrics[i]))
            return err_set(e, ERR_USAGE, "--%s is for fetch cloudwatch only",
                           option_table[of_metrics[i]].name);
    if (app_flag(app, OPT_OUT) && (is_metrics || strcmp(x->name, "volumes") == 0))
        return err_set(e, ERR_USAGE, "--out is for fetch prices and instance-types only");
    if (app_flag(app, OPT_SYSTEM) && strcmp(x->name, "prices") == 0)
        return err_set(e, ERR_USAGE, "prices are of no system: leave --system out");
    return 0;
}

static int run(struct app *app, const struct action *x, struct fetch_summary *s, struct err *e)
{
    struct fetch_world world;
    int64_t (*ticks_ms)(void) = app->env->ticks_ms;
    int64_t start_ms = ticks_ms ? ticks_ms() : UNKNOWN;
    int rc = fetch_world_open(app, &world, e);
    *s = (struct fetch_summary){ .action = x->name, .into = app->db };
    s->region = world.client.region;
    if (!rc)
        rc = x->run(app, &world.client, s, e);
    s->requests = world.client.http.requests;
    s->bytes = world.client.http.bytes;
    s->elapsed_ms = ticks_ms ? ticks_ms() - start_ms : UNKNOWN;
    fetch_world_close(&world);
    return rc;
}

int cmd_fetch(struct app *app, struct err *e)
{
    if (app_flag(app, OPT_IAM_POLICY))
        return app->in.n_args
                   ? err_set(e, ERR_USAGE, "--iam-policy fetches nothing: leave '%.40s' out",
                             app->in.args[0])
                   : print_policy(app, e);
    const struct action *x = app->in.n_args ? action_of(app->in.args[0]) : NULL;
    if (!x)
        return err_set(e, ERR_USAGE, "fetch what? volumes, cloudwatch, instance-types or prices");
    struct fetch_summary s;
    int rc = check_options(app, x, e);
    if (!rc)
        rc = run(app, x, &s, e);
    if (rc)
        return rc;
    struct emit *m = app_emit(app);
    if (!m)
        return err_nomem(e);
    report_fetch(m, &s);
    return app_finish(m, 0, e);
}
