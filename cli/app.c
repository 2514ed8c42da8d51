/* cli/app.c - see app.h. */
#include "cli/app.h"

#include "cli/help.h"
#include "cli/nearest.h"
#include "cli/render/output.h"
#include "cli/render/render.h"
#include "cli/render/text_wrap.h"
#include "data/facts.h"
#include "data/fetch/http_curl.h"
#include "data/ingest/awr/awr.h"
#include "data/ingest/layout/layout_json.h"
#include "models/core/timestamp.h"

#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <string.h>

const char volplan_version[] = "0.1.0";

const struct option_value *app_value(const struct app *app, enum option_id id)
{
    return &app->in.values[id];
}

bool app_flag(const struct app *app, enum option_id id)
{
    return app->in.values[id].set;
}

const char *app_text(const struct app *app, enum option_id id)
{
    return app->in.values[id].text;
}

double app_number(const struct app *app, enum option_id id)
{
    return app->in.values[id].set ? app->in.values[id].number : NAN;
}

int64_t app_whole(const struct app *app, enum option_id id)
{
    return app->in.values[id].set ? app->in.values[id].whole : UNKNOWN;
}

int app_jobs(const struct app *app)
{
    enum { JOBS_MAX = 4 };
    if (app_flag(app, OPT_JOBS))
        return (int)app_whole(app, OPT_JOBS);
    cpu_set_t ours;
    int n = sched_getaffinity(0, sizeof ours, &ours) ? 1 : CPU_COUNT(&ours);
    return n < JOBS_MAX ? n : JOBS_MAX;
}

int64_t app_microusd(const struct app *app, enum option_id id)
{
    return (int64_t)floor(app->in.values[id].number * 1e6 + 0.5); /* the option's max is 1e6 */
}

struct emit *app_emit(struct app *app)
{
    if (app_flag(app, OPT_JSON))
        return render_json(app->out);
    if (app_flag(app, OPT_CSV))
        return render_csv(app->out);
    const struct cli_env *env = app->env;
    struct text_page page = { 0 };
    if (env->out_is_terminal) {
        page.columns = env->columns > 0 ? (size_t)env->columns : 0;
        page.colour = !env->no_color && !app_flag(app, OPT_NO_COLOR);
        page.charts = env->utf8 ? CHARTS_BLOCKS : CHARTS_ASCII;
    }
    return render_text(app->out, page);
}

int app_finish(struct emit *m, int rc, struct err *e)
{
    bool answered = !rc || rc == ERR_NO;
    if (!answered && !m->failed)
        m->failed = rc;
    struct err own = { 0 };
    int close_rc = emit_close(m, answered || !*e->text ? e : &own);
    return answered && close_rc ? close_rc : rc;
}

int app_store_open(struct app *app, enum store_mode mode, struct err *e)
{
    if (app->store)
        return 0;
    return store_open(app->db, &(struct store_options){ .mode = mode }, &app->store, e);
}

int app_region(const struct app *app, const char *name, struct err *e)
{
    if (region_known(app->catalogue, name))
        return 0;
    struct nearest near = { .word = name };
    char hint[96];
    for (size_t i = 0; i < app->catalogue->n_prices; i++)
        nearest_try(&near, app->catalogue->prices[i].region);
    return err_set(e, ERR_USAGE, "unknown region '%.80s'%s", name,
                   near.best ? nearest_hint(hint, &near, "") : " (volplan catalog lists them)");
}

int app_instance(const struct app *app, const char *name, const struct instance_type **out,
                 struct err *e)
{
    *out = name ? instance_find(app->catalogue, span_of(name)) : NULL;
    if (!name || *out)
        return 0;
    struct nearest near = { .word = name };
    char hint[96];
    for (size_t i = 0; i < app->catalogue->n_instances; i++)
        nearest_try(&near, app->catalogue->instances[i].name);
    return err_set(e, ERR_USAGE, "unknown instance type '%.80s'%s", name,
                   nearest_hint(hint, &near, ""));
}

static void put_line(const struct app *app, const char *lead, const char *text)
{
    const struct cli_env *env = app->env;
    size_t columns = env->columns > 0 ? (size_t)env->columns : 0;
    text_put_line(app->err, lead, text, env->err_is_terminal ? text_columns(columns) : 0);
}

void app_complain(const struct app *app, const char *text)
{
    put_line(app, "volplan: ", text);
}

void app_note(const struct app *app, const char *fmt, ...)
{
    if (app->quiet)
        return;
    char text[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    put_line(app, "", text);
}

static int set_days(struct app *app, struct err *e)
{
    const struct cli_env *env = app->env;
    app->today_ms = env->now_ms - ((env->now_ms % DAY_MS) + DAY_MS) % DAY_MS;
    if (env->today && *env->today) {
        struct span s = span_of(env->today);
        if (time_parse_date(&s, &app->today_ms) || s.len)
            return err_set(e, ERR_USAGE, "VOLPLAN_TODAY: '%.80s' is no date: write YYYY-MM-DD",
                           env->today);
    }
    app->as_of_ms = app_flag(app, OPT_AS_OF) ? app_whole(app, OPT_AS_OF) : app->today_ms;
    return 0;
}

static int check_form(const struct app *app, struct err *e)
{
    const struct command *c = app->in.command;
    if (app_flag(app, OPT_CSV) && app_flag(app, OPT_JSON))
        return err_set(e, ERR_USAGE, "--json and --csv: one of them");
    if (app_flag(app, OPT_CSV) && !(c->needs & CAN_CSV))
        return err_set(e, ERR_USAGE, "%s has no --csv: its answer is not a list", c->name);
    return 0;
}

static int set_catalogue(struct app *app, struct err *e)
{
    if (app->catalogue)
        return 0;
    app->catalogue = &builtin_catalogue;
    if (!app_flag(app, OPT_FACTS))
        return 0;
    app->catalogue = &app->facts;
    return facts_open(app_text(app, OPT_FACTS), &app->arena, &app->facts, e);
}

static int prepare(struct app *app, struct err *e)
{
    const struct command *c = app->in.command;
    int rc = check_form(app, e);
    if (!rc)
        rc = set_days(app, e);
    if (!rc)
        rc = set_catalogue(app, e);
    if (rc)
        return rc;
    app->quiet = app_flag(app, OPT_QUIET);
    app->verbose = app_flag(app, OPT_VERBOSE);
    app->region = app_text(app, OPT_REGION);
    app->db = app_text(app, OPT_DB);
    if (!app_value(app, OPT_DB)->given && app->env->db && *app->env->db)
        app->db = app->env->db;
    rc = c->needs & OWN_REGION ? 0 : app_region(app, app->region, e);
    if (!rc && c->needs & NEED_STORE_READ)
        rc = app_store_open(app, STORE_READ, e);
    else if (!rc && c->needs & NEED_STORE_CREATE)
        rc = app_store_open(app, STORE_CREATE, e);
    return rc;
}

int app_run(struct app *app, int argc, const char *const *argv, struct err *e)
{
    int rc = args_parse(argc, argv, &app->arena, &app->in, e);
    if (rc)
        return rc;
    const struct command *c = app->in.command;
    if (app_flag(app, OPT_VERSION)) {
        fprintf(app->out, "volplan %s\n", volplan_version);
        return 0;
    }
    if (app_flag(app, OPT_HELP)) {
        if (c)
            help_command(app->out, c);
        else
            help_general(app->out);
        return 0;
    }
    if (!c)
        return err_set(e, ERR_USAGE, "no command was given; volplan --help lists them");
    rc = prepare(app, e);
    return rc ? rc : c->run(app, e);
}

int cli_run(int argc, const char *const *argv, const struct cli_env *env, FILE *out, FILE *err)
{
    struct app app = { .env = env, .out = out, .err = err };
    struct err e = { 0 };
    int rc = app_run(&app, argc, argv, &e);
    store_close(app.store);
    arena_release(&app.arena);
    if ((fflush(out) == EOF || ferror(out)) && (!rc || rc == ERR_NO))
        rc = output_failed(&e, errno);
    if (rc && *e.text)
        app_complain(&app, e.text);
    return err_exit_status(rc);
}

int cli_global_init(FILE *err)
{
    struct err e = { 0 };
    int rc = store_global_init(&e);
    if (rc)
        fprintf(err, "volplan: %s\n", e.text);
    awr_html_global_init();
    layout_init();
    if (!rc && (rc = http_curl_global_init(&e)) != 0)
        fprintf(err, "volplan: %s\n", e.text);
    return err_exit_status(rc);
}

void cli_global_release(void)
{
    http_curl_global_release();
    awr_html_global_release();
}
