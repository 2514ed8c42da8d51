/* cli/cmd/cmd_report.c - volplan report: everything about a system on one page. */
#include "cli/cmd/cmd.h"

#include "cli/page/page.h"
#include "cli/report/out_file.h"
#include "cli/report/report_data.h"

struct telling {
    struct app *app;
    const struct report_data *data;
};

static int tell(void *ctx, struct emit *m, struct err *e)
{
    const struct telling *t = ctx;
    return report_data_emit(t->app, t->data, m, e);
}

static int write_page(struct app *app, const struct report_data *d, const char *path,
                      int64_t *out_bytes, struct err *e)
{
    struct telling t = { app, d };
    struct page page = { .title = arena_printf(&app->arena, "%s: volplan report",
                                               d->in.system.load.system),
                         .verdict = d->verdict.said,
                         .n_verdict = d->verdict.n,
                         .data = tell,
                         .ctx = &t };
    struct out_file file;
    if (!page.title)
        return err_nomem(e);
    int rc = out_file_open(&file, path, &app->arena, e);
    if (rc)
        return rc;
    rc = page_write(file.f, &page, e);
    *out_bytes = rc ? 0 : ftell(file.f);
    return out_file_close(&file, rc, e);
}

/* What the page says first, and where it is. */
static void say_page(struct emit *m, const struct report_data *d, const char *path, int64_t bytes)
{
    char kib[48];
    for (size_t i = 0; i < d->verdict.n; i++)
        emit_say(m, "%s", d->verdict.said[i]);
    emit_say(m, "%s", "");
    emit_label(m, "page", "%s (%s KiB; needs no network)", path,
               unit_format(kib, (double)bytes / 1024, 0));
    for (size_t i = 0; i < d->n_missing; i++)
        emit_label(m, "missing", "%s: %s", d->missing[i].part, d->missing[i].text);
    emit_label(m, "next", "open it in a browser    volplan report --json");
}

static int answer(struct app *app, const struct report_data *d, struct err *e)
{
    const char *path = app_text(app, OPT_OUT_FILE);
    int64_t bytes = 0;
    int rc = path ? write_page(app, d, path, &bytes, e) : 0;
    if (rc)
        return rc;
    struct emit *m = app_emit(app);
    if (!m)
        return err_nomem(e);
    if (path)
        say_page(m, d, path, bytes);
    else
        rc = report_data_emit(app, d, m, e);
    return app_finish(m, rc, e);
}

int cmd_report(struct app *app, struct err *e)
{
    bool json = app_flag(app, OPT_JSON), page = app_flag(app, OPT_OUT_FILE);
    if (!json && !page)
        return err_set(e, ERR_USAGE, "where is the page to go? -o report.html");
    if (json && page)
        return err_set(e, ERR_USAGE,
                       "-o writes the page, --json prints what is in it: one of them");
    struct report_data *d = arena_alloc(&app->arena, sizeof *d);
    if (!d)
        return err_nomem(e);
    int rc = report_data_build(app, d, e);
    return rc ? rc : answer(app, d, e);
}
