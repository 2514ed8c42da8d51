/* cli/serve/api.c - see api.h.
 *
 *   api_answer
 *     command_served     path -> command
 *     keep_store         opens it again when it has changed
 *     words_of           the server's own options, then query_words
 *     app_run            the command, printing into the answer */
#include "cli/serve/api.h"

#include "cli/render/render.h"
#include "cli/serve/query_words.h"
#include "cli/serve/served.h"
#include "cli/shell_line.h"
#include "models/core/mem.h"

#include <string.h>

/* TUNING: memory that is kept for the next command; what is beyond goes back to the system. */
enum { FREED_KEPT_BYTES = 512 << 20 };

/* --- the store ---------------------------------------------------------------------------------
 */

static void give_up_store(struct api *api)
{
    kept_systems_release(&api->kept);
    store_close(api->store);
    api->store = NULL;
}

static int open_store(struct api *api, struct err *e)
{
    int rc =
        store_open(api->server->db, &(struct store_options){ .mode = STORE_READ }, &api->store, e);
    return rc ? rc : store_mark(api->store, &api->mark, e);
}

/* The store as it is now. */
static int keep_store(struct api *api, struct err *e)
{
    struct store_mark now = { 0 };
    int rc = api->store ? store_mark(api->store, &now, e) : 0;
    if (!rc && api->store && memcmp(&now, &api->mark, sizeof now) == 0)
        return 0;
    give_up_store(api);
    return open_store(api, e);
}

int api_open(struct api *api, const struct app *app, struct err *e)
{
    *api = (struct api){ .server = app };
    mem_keep_freed(FREED_KEPT_BYTES);
    api->started_ticks_ms = app->env->ticks_ms ? app->env->ticks_ms() : 0;
    api->nowhere = buf_stream(NULL);
    return api->nowhere ? open_store(api, e) : err_nomem(e);
}

void api_close(struct api *api)
{
    give_up_store(api);
    arena_release(&api->arena);
    buf_release(&api->command);
    if (api->nowhere)
        fclose(api->nowhere);
}

/* --- command lines -----------------------------------------------------------------------------
 */

/* Options of the server's own line that are said again in each command. */
static const enum option_id inherited[] = { OPT_DB, OPT_FACTS, OPT_AS_OF, OPT_REGION };
enum { N_INHERITED = sizeof inherited / sizeof *inherited };

static int add_inherited(struct api *api, const char **words, size_t *n, struct err *e)
{
    for (size_t i = 0; i < N_INHERITED; i++) {
        const struct option_value *v = app_value(api->server, inherited[i]);
        const char *name = option_table[inherited[i]].name;
        if (!v->given)
            continue;
        words[*n] = arena_printf(&api->arena, "--%s=%s", name, v->text);
        if (!words[(*n)++])
            return err_nomem(e);
    }
    return 0;
}

static int words_of(struct api *api, const struct command *c, struct span query,
                    const char *const **out, size_t *out_n, struct err *e)
{
    const char *const *asked;
    size_t n_asked, n = 0;
    int rc = query_words(query, c, &api->arena, &asked, &n_asked, e);
    const char **words = arena_array(&api->arena, 3 + N_INHERITED + QUERY_WORDS_MAX, sizeof *words);
    if (!rc && !words)
        rc = err_nomem(e);
    if (rc)
        return rc;
    words[n++] = "volplan";
    words[n++] = c->name;
    rc = add_inherited(api, words, &n, e);
    for (size_t i = 0; i < n_asked; i++)
        words[n++] = asked[i];
    words[n++] = "--json";
    *out = words;
    *out_n = n;
    return rc;
}

static const char *tell_command(struct buf *line, const char *const *words, size_t n)
{
    buf_clear(line);
    for (size_t i = 0; i < n; i++)
        shell_line_add(line, words[i]);
    buf_put(line, "", 1);
    return line->failed ? NULL : line->ptr;
}

/* --- answers -----------------------------------------------------------------------------------
 */

static int http_status_of(int code)
{
    switch (err_exit_status(code)) {
    case 0:
        return 200;
    case 2:
        return 400;
    case 5:
        return 503;
    default:
        return 422;
    }
}

void api_answer_error(struct api_answer *out, int http_status, int code, const char *words)
{
    out->http_status = http_status;
    buf_clear(&out->body);
    FILE *f = buf_stream(&out->body);
    struct emit *m = f ? render_json(f) : NULL;
    if (m) {
        emit_text(m, "error", words);
        emit_int(m, "status", UNIT_NONE, err_exit_status(code));
        emit_close(m, NULL);
    }
    if (f)
        fclose(f);
}

/* The run of one command in the server's world, at the time of day that it is now. */
static int run_words(struct api *api, const char *const *words, size_t n, FILE *out, struct err *e)
{
    const struct app *server = api->server;
    struct cli_env env = { .now_ms = server->env->now_ms, .today = server->env->today };
    if (server->env->ticks_ms)
        env.now_ms += server->env->ticks_ms() - api->started_ticks_ms;
    struct app run = { .env = &env,
                       .out = out,
                       .err = api->nowhere,
                       .arena = api->arena,
                       .catalogue = server->catalogue,
                       .store = api->store,
                       .kept = &api->kept };
    kept_systems_next(&api->kept);
    int rc = app_run(&run, (int)n, words, e);
    api->arena = run.arena;
    if (fflush(out) == EOF && (!rc || rc == ERR_NO))
        rc = err_nomem(e);
    return rc;
}

static int answer(struct api *api, const struct command *c, struct span query,
                  struct api_answer *out, struct err *e)
{
    const char *const *words;
    size_t n;
    int rc = keep_store(api, e);
    if (!rc)
        rc = words_of(api, c, query, &words, &n, e);
    if (rc)
        return rc;
    out->command = tell_command(&api->command, words, n);
    FILE *f = buf_stream(&out->body);
    if (!f)
        return err_nomem(e);
    rc = run_words(api, words, n, f, e);
    fclose(f);
    return rc == ERR_NO && out->body.len ? 0 : rc; /* no is an answer, in the object */
}

void api_answer(struct api *api, struct span path, struct span query, struct api_answer *out)
{
    struct err e = { 0 };
    const struct command *c = command_served(path);
    *out = (struct api_answer){ .http_status = 200 };
    if (!c) {
        api_answer_error(out, 404, ERR_USAGE, "there is nothing here: docs/api.md lists what is");
        return;
    }
    int rc = answer(api, c, query, out, &e);
    if (rc)
        api_answer_error(out, http_status_of(rc), rc, *e.text ? e.text : err_meaning(rc));
    arena_release(&api->arena);
}
