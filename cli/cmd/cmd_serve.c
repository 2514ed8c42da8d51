/* cli/cmd/cmd_serve.c - volplan serve: the report as a live page, and the commands over HTTP. */
#include "cli/cmd/cmd.h"

#include "cli/page/page.h"
#include "cli/render/output.h"
#include "cli/serve/api.h"
#include "cli/serve/http_server.h"
#include "cli/serve/loopback.h"

#include <errno.h>

static const char data_policy[] = "default-src 'none'; frame-ancestors 'none'";
/* What the page may load it says itself. */
static const char page_policy[] = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

struct serving {
    struct app *app;
    struct api api;
    struct buf page;
    int port;
};

static void take(struct api_answer *from, struct http_answer *out)
{
    *out = (struct http_answer){ .status = from->http_status,
                                 .type = "application/json",
                                 .policy = data_policy,
                                 .command = from->command,
                                 .body = from->body.ptr,
                                 .len = from->body.failed ? 0 : from->body.len };
}

/* Always the same: the state of the page is in its query, which is for its own scripts to read. */
static int make_page(struct buf *out, struct err *e)
{
    struct page page = { .title = "volplan" };
    FILE *f = buf_stream(out);
    if (!f)
        return err_nomem(e);
    int rc = page_write(f, &page, e);
    if (fclose(f) == EOF && !rc)
        rc = err_nomem(e);
    return rc;
}

static void get(void *ctx, struct span path, struct span query, struct http_answer *out)
{
    struct serving *s = ctx;
    struct api_answer a;
    if (span_is(path, "/")) {
        *out = (struct http_answer){ .status = 200,
                                     .type = "text/html; charset=utf-8",
                                     .policy = page_policy,
                                     .body = s->page.ptr,
                                     .len = s->page.len,
                                     .kept = true };
        return;
    }
    api_answer(&s->api, path, query, &a);
    take(&a, out);
}

static void refuse(void *ctx, int status, const char *words, struct http_answer *out)
{
    (void)ctx;
    struct api_answer a = { 0 };
    api_answer_error(&a, status, ERR_USAGE, words);
    take(&a, out);
}

static int say_where(void *ctx, struct err *e)
{
    const struct serving *s = ctx;
    struct app *app = s->app;
    char url[64];
    snprintf(url, sizeof url, "http://127.0.0.1:%d/", s->port);
    struct emit *m = app_emit(app);
    if (!m)
        return err_nomem(e);
    emit_say(m, "Open %s (Ctrl-C ends it).", url);
    emit_text(m, "url", url);
    emit_int(m, "port", UNIT_NONE, s->port);
    int rc = app_finish(m, 0, e);
    return !rc && fflush(app->out) == EOF ? output_failed(e, errno) : rc;
}

int cmd_serve(struct app *app, struct err *e)
{
    struct serving s = { .app = app };
    struct http_handler h = { &s, say_where, get, refuse, app->env->ticks_ms };
    int fd = -1;
    int rc = api_open(&s.api, app, e);
    if (!rc)
        rc = make_page(&s.page, e);
    if (!rc)
        rc = loopback_listen((int)app_whole(app, OPT_PORT), &fd, &s.port, e);
    if (!rc)
        rc = http_server_run(fd, &h, e);
    buf_release(&s.page);
    api_close(&s.api);
    return rc;
}
