/* cli/app.h - one run of the program.
 *
 * cli_run is the whole program apart from main: no state outlives it, so tests run commands
 * in their own process, again and again, with any allocation failing. */
#ifndef CLI_APP_H
#define CLI_APP_H

#include "cli/args.h"
#include "data/store/store.h"
#include "models/core/emit.h"
#include "models/facts/catalogue.h"

#include <stdio.h>

/* What main learns from the world.  = { .now_ms = ... } is enough. */
struct cli_env {
    int64_t now_ms;    /* since the epoch */
    const char *today; /* VOLPLAN_TODAY: wins over now_ms; NULL */
    const char *db;    /* VOLPLAN_DB: default of --db; NULL */
    bool no_color;     /* NO_COLOR is set and not empty */
    bool utf8;         /* the locale says that the terminal shows it */
    int columns;       /* of the terminal; 0 = not known */
    bool out_is_terminal, err_is_terminal;
    int64_t (*ticks_ms)(void); /* a clock that only goes forward, for progress; NULL = none */
    const char *(*variable)(
        const char *name); /* of the environment, for fetch; NULL = none is set */
    /* For commands that have something to put in order first: while it is on, Ctrl-C and SIGTERM
     * only make stopped() true, a second one ends the program.  NULL = they always end it. */
    void (*catch_stop)(bool on);
    bool (*stopped)(void);
    void (*sleep_ms)(int64_t ms); /* NULL = really waits */
};

/* Runs argv; returns the exit status.  Writes to out and err only. */
int cli_run(int argc, const char *const *argv, const struct cli_env *env, FILE *out, FILE *err);

/* Hands the allocator to the libraries, once per process, before any thread.  Exit status. */
int cli_global_init(FILE *err);
void cli_global_release(void);

/* --- for commands ------------------------------------------------------------------------------
 */

struct kept_systems;

struct app {
    const struct cli_env *env;
    FILE *out, *err;
    struct arena arena; /* of the command */
    struct invocation in;
    struct catalogue facts; /* of --facts */
    const struct catalogue *catalogue;
    int64_t today_ms, as_of_ms;
    const char *region, *db;
    struct store *store;       /* where the command's row asks for it */
    struct kept_systems *kept; /* what earlier commands have read of it; NULL = nothing */
    bool quiet, verbose;
};

/* One command line.  env, out and err are set; a catalogue and a store that are set as well are
 * used, and stay the caller's.  The code, with words in e. */
int app_run(struct app *app, int argc, const char *const *argv, struct err *e);

extern const char volplan_version[];

const struct option_value *app_value(const struct app *app, enum option_id id);
bool app_flag(const struct app *app, enum option_id id);
const char *app_text(const struct app *app, enum option_id id); /* NULL when not set */
double app_number(const struct app *app, enum option_id id);    /* NaN when not set */
int64_t app_whole(const struct app *app, enum option_id id);    /* UNKNOWN when not set */
int app_jobs(const struct app *app); /* --jobs, else the processors we may use, at most 4 */
int64_t app_microusd(const struct app *app, enum option_id id); /* of a KIND_QUANTITY in USD */

/* The emitter that the user asked for; NULL when memory is out. */
struct emit *app_emit(struct app *app);
/* Closes it; after an error (ERR_NO is an answer) what it still holds is dropped.  Returns rc, or
 * the emitter's own error. */
int app_finish(struct emit *m, int rc, struct err *e);
/* Opens app->store, unless it is, in another mode than the command's row says. */
int app_store_open(struct app *app, enum store_mode mode, struct err *e);
/* ERR_USAGE with what may have been meant when the catalogue has no price of it. */
int app_region(const struct app *app, const char *name, struct err *e);
/* The type of --instance, NULL when not given; ERR_USAGE for an unknown one. */
int app_instance(const struct app *app, const char *name, const struct instance_type **out,
                 struct err *e);

/* Lines on stderr: made safe to show, and wrapped where it is a terminal.  What went wrong, behind
 * "volplan: "; and a note, unless --quiet. */
void app_complain(const struct app *app, const char *text);
void app_note(const struct app *app, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
