/* cli/cmd/cmd_help.c - volplan help, volplan version. */
#include "cli/cmd/cmd.h"

#include "cli/help.h"
#include "cli/nearest.h"

int cmd_help(struct app *app, struct err *e)
{
    if (!app->in.n_args) {
        help_general(app->out);
        return 0;
    }
    const char *name = app->in.args[0];
    const struct command *c = command_find(name);
    if (!c) {
        struct nearest near = { .word = name };
        char hint[96];
        for (size_t i = 0; i < command_count; i++)
            nearest_try(&near, command_table[i].name);
        return err_set(e, ERR_USAGE, "there is no command '%.80s'%s", name,
                       nearest_hint(hint, &near, ""));
    }
    help_command(app->out, c);
    return 0;
}

int cmd_version(struct app *app, struct err *e)
{
    struct emit *m = app_emit(app);
    if (!m)
        return err_nomem(e);
    emit_text(m, "version", volplan_version);
    emit_say(m, "volplan %s", volplan_version);
    return app_finish(m, 0, e);
}
