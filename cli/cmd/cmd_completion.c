/* cli/cmd/cmd_completion.c - volplan completion: the script for a shell. */
#include "cli/cmd/cmd.h"

#include "cli/completion/completion.h"
#include "cli/nearest.h"

#include <string.h>

static const struct shell {
    const char *name;
    void (*write)(struct buf *out);
} shells[] = { { "bash", completion_bash },
               { "zsh", completion_zsh },
               { "fish", completion_fish } };

/* NULL for an unknown name. */
static const struct shell *find_shell(const char *name, struct err *e)
{
    struct nearest near = { .word = name };
    char hint[96];
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
        if (strcmp(shells[i].name, name) == 0)
            return &shells[i];
        nearest_try(&near, shells[i].name);
    }
    err_set(e, ERR_USAGE, "there is no completion for '%.80s': bash, zsh, fish%s", name,
            nearest_hint(hint, &near, ""));
    return NULL;
}

/* The script itself, also as the text of one JSON object. */
static int put_script(struct app *app, const struct shell *shell, const struct buf *script,
                      struct err *e)
{
    if (!app_flag(app, OPT_JSON)) {
        fwrite(script->ptr, 1, script->len - 1, app->out);
        return 0;
    }
    struct emit *m = app_emit(app);
    if (!m)
        return err_nomem(e);
    emit_text(m, "shell", shell->name);
    emit_text(m, "script", script->ptr);
    return app_finish(m, 0, e);
}

int cmd_completion(struct app *app, struct err *e)
{
    const struct shell *shell = find_shell(app->in.args[0], e);
    struct buf script = { 0 };
    if (!shell)
        return ERR_USAGE;
    shell->write(&script);
    buf_put(&script, "", 1);
    int rc = script.failed ? err_nomem(e) : put_script(app, shell, &script, e);
    buf_release(&script);
    return rc;
}
