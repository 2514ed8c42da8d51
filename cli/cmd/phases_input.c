/* cli/cmd/phases_input.c - see phases_input.h. */
#include "cli/cmd/phases_input.h"

#include "cli/cmd/whole_file.h"
#include "data/ingest/phases/phases_json.h"

#include <string.h>

enum { PHASES_FILE_MAX = 1024 * 1024 };

/* All changes of a phase as one text: "--standbys 12 --growth 10". */
static char *join(struct app *app, const struct phase *p)
{
    size_t room = 1, at = 0;
    for (size_t i = 0; i < p->n_changes; i++)
        room += strlen(p->changes[i]) + 1;
    char *text = arena_alloc(&app->arena, room);
    for (size_t i = 0; text && i < p->n_changes; i++) {
        size_t n = strlen(p->changes[i]);
        memcpy(text + at, p->changes[i], n);
        text[at + n] = ' ';
        at += n + 1;
    }
    return text;
}

static int changes_of(struct app *app, const struct phase *p, struct phase_change *out,
                      struct err *e)
{
    const char *text = join(app, p);
    if (!text)
        return err_nomem(e);
    out->from_ms = p->from_ms;
    out->to_ms = p->to_ms;
    return whatif_changes_parse(span_of(text), &app->arena, &out->changes, &out->n_changes, e);
}

int phases_input(struct app *app, const struct phase_change **out, size_t *out_n, struct err *e)
{
    const char *path = app_text(app, OPT_PHASES);
    struct phase_list list = { NULL, 0 };
    struct span json;
    *out = NULL;
    *out_n = 0;
    if (!path)
        return 0;
    int rc = whole_file(path, PHASES_FILE_MAX, &app->arena, &json, e);
    if (rc)
        return rc;
    rc = phases_parse(json, &app->arena, &list, e);
    struct phase_change *changes = rc ? NULL : arena_array(&app->arena, list.n, sizeof *changes);
    if (!rc && !changes)
        return err_nomem(e);
    for (size_t i = 0; i < list.n && !rc; i++) {
        rc = changes_of(app, &list.at[i], &changes[i], e);
        if (rc)
            err_prefix(e, "[%zu].changes", i);
    }
    if (rc)
        return err_prefix(e, "%.200s", path), rc;
    *out = changes;
    *out_n = list.n;
    return 0;
}
