/* cli/cmd/fetch_world.c - see fetch_world.h. */
#include "cli/cmd/fetch_world.h"

#include "data/fetch/aws_endpoint.h"

#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

static const char *variable(void *ctx, const char *name)
{
    const struct app *app = ((const struct fetch_world *)ctx)->app;
    return app->env->variable ? app->env->variable(name) : NULL;
}

static bool is_stopped(void *ctx)
{
    const struct app *app = ((const struct fetch_world *)ctx)->app;
    return app->env->stopped && app->env->stopped();
}

/* In steps, so that it ends soon after Ctrl-C. */
static void sleep_ms(void *ctx, int64_t ms)
{
    enum { STEP_MS = 50 };
    const struct app *app = ((const struct fetch_world *)ctx)->app;
    if (app->env->sleep_ms) {
        app->env->sleep_ms(ms);
        return;
    }
    for (int64_t step; ms > 0 && !is_stopped(ctx); ms -= step) {
        step = ms < STEP_MS ? ms : STEP_MS;
        nanosleep(&(struct timespec){ .tv_nsec = step * 1000000 }, NULL);
    }
}

static uint64_t any_number(void *ctx)
{
    uint64_t n = 0;
    (void)ctx;
    return getrandom(&n, sizeof n, GRND_NONBLOCK) == sizeof n ? n : 0;
}

static void tell_wait(void *ctx, int64_t ms, const char *why)
{
    const struct app *app = ((const struct fetch_world *)ctx)->app;
    if (app->verbose)
        app_note(app, "volplan: %s; asks again in %.1f s", why, (double)ms / 1000);
}

static int64_t now_ms(void *ctx)
{
    return aws_client_now_ms(&((const struct fetch_world *)ctx)->client);
}

static int find_region(struct app *app, struct aws_client *c, struct err *e)
{
    const char *region = NULL;
    c->region = app->region;
    int rc = app_value(app, OPT_REGION)->given ? 0 : aws_region(&c->env, &app->arena, &region, e);
    if (region)
        c->region = region;
    return rc;
}

static void catch_stop(const struct app *app, bool on)
{
    if (app->env->catch_stop)
        app->env->catch_stop(on);
}

int fetch_world_open(struct app *app, struct fetch_world *out, struct err *e)
{
    *out = (struct fetch_world){ .app = app };
    struct aws_client *c = &out->client;
    c->endpoint = app_text(app, OPT_ENDPOINT_URL);
    int rc = c->endpoint ? aws_endpoint_check(c->endpoint, "--endpoint-url", e) : 0;
    if (rc)
        return rc;
    c->env = (struct aws_environment){
        .ctx = out, .get = variable, .stopped = is_stopped, .ticks_ms = app->env->ticks_ms
    };
    rc = find_region(app, c, e);
    if (!rc)
        rc = http_curl_open(&(struct http_curl_options){ .stopped = is_stopped, .ctx = out },
                            &out->curl, e);
    if (rc)
        return rc;
    c->http = (struct http_client){
        .transport = http_curl_transport(out->curl),
        .world = { out, sleep_ms, any_number, tell_wait, now_ms },
    };
    c->now_ms = app->env->now_ms;
    c->ticks_ms = app->env->ticks_ms;
    c->start_ms = c->ticks_ms ? c->ticks_ms() : 0;
    catch_stop(app, true);
    return 0;
}

void fetch_world_close(struct fetch_world *w)
{
    catch_stop(w->app, false);
    aws_client_release(&w->client);
    http_curl_close(w->curl);
}
