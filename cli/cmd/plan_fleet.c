/* cli/cmd/plan_fleet.c - see plan_fleet.h.
 *
 * Workers take the next system each, with a store connection, an error and two arenas of their
 * own: one for the system at hand, emptied after each, so that memory is bounded by the largest
 * systems and not by their number; one for the lines, which live until they are reported. */
#include "cli/cmd/plan_fleet.h"

#include "cli/cmd/plan_input.h"
#include "cli/progress.h"
#include "planner/report/report_fleet.h"
#include "planner/whatif/redo_path.h"

#include <pthread.h>

/* What all workers share.  next, done, stop and the progress are used under the lock. */
struct fleet_run {
    const struct app *app;
    struct plan_options options;
    const char *const *names;
    size_t n;
    struct fleet_line *lines; /* one a name */
    int *answers;             /* 0, or the error code of each */
    pthread_mutex_t lock;
    struct progress progress;
    size_t next, done;
    bool stop;
};

struct fleet_worker {
    struct fleet_run *run;
    struct arena keep, scratch;
    struct store *store;
    struct err e;
    int rc; /* what ended it */
    pthread_t thread;
    bool started;
};

static int plan_system(struct fleet_worker *w, const char *name, struct fleet_line *out)
{
    const struct fleet_run *run = w->run;
    struct plan_input in = { .options = run->options };
    struct redo_path path;
    struct plan plan;
    int rc = system_input_of(w->store, name, true, &w->scratch, &in.system, &w->e);
    if (!rc)
        rc = plan_input_demand(run->app, &in, &w->scratch, &w->e);
    if (!rc)
        rc = redo_path_build(&in.demand, &w->scratch, &path, &w->e);
    if (!rc)
        rc = plan_build(&in.demand, &in.options, &w->scratch, &plan, &w->e);
    if (!rc)
        rc = fleet_line_of(&plan, path.refused, &w->keep, out, &w->e);
    if (rc)
        return rc;
    return plan.status == PLAN_NONE || path.refused ? ERR_NO : 0;
}

/* What ends the whole run: it is not the system's fault. */
static bool is_fatal(int rc)
{
    return rc == ERR_NOMEM || rc == ERR_STORE || rc == ERR_IO;
}

static bool take_next(struct fleet_run *run, size_t *out)
{
    pthread_mutex_lock(&run->lock);
    bool any = !run->stop && run->next < run->n;
    *out = any ? run->next++ : 0;
    pthread_mutex_unlock(&run->lock);
    return any;
}

static void tell_done(struct fleet_run *run, const char *name, bool stop)
{
    pthread_mutex_lock(&run->lock);
    run->stop |= stop;
    run->done++;
    progress_item(&run->progress, name, run->done);
    pthread_mutex_unlock(&run->lock);
}

static int work_one(struct fleet_worker *w, size_t i)
{
    struct fleet_run *run = w->run;
    struct fleet_line *line = &run->lines[i];
    w->e = (struct err){ 0 };
    int rc = plan_system(w, run->names[i], line);
    if (rc && rc != ERR_NO && !is_fatal(rc)) {
        *line = (struct fleet_line){ .system = run->names[i],
                                     .why_not = arena_strdup(&w->keep, w->e.text) };
        if (!line->why_not)
            rc = err_nomem(&w->e);
    }
    run->answers[i] = rc;
    arena_reuse(&w->scratch);
    return is_fatal(rc) ? rc : 0;
}

static void *work(void *ctx)
{
    struct fleet_worker *w = ctx;
    struct fleet_run *run = w->run;
    size_t i;
    w->rc =
        store_open(run->app->db, &(struct store_options){ .mode = STORE_READ }, &w->store, &w->e);
    if (w->rc)
        tell_done(run, "", true);
    while (!w->rc && take_next(run, &i)) {
        w->rc = work_one(w, i);
        tell_done(run, run->names[i], w->rc != 0);
    }
    store_close(w->store);
    return NULL;
}

/* The first worker is this thread: where no other can be had it does all. */
static int run_workers(struct fleet_worker *workers, size_t n, struct err *e)
{
    for (size_t i = 1; i < n; i++)
        workers[i].started = !pthread_create(&workers[i].thread, NULL, work, &workers[i]);
    work(&workers[0]);
    for (size_t i = 1; i < n; i++)
        if (workers[i].started)
            pthread_join(workers[i].thread, NULL);
    for (size_t i = 0; i < n; i++)
        if (workers[i].rc) {
            *e = workers[i].e;
            return workers[i].rc;
        }
    return 0;
}

/* ERR_NO, or what ends with a higher status; the words tell how many. */
static int worst_of(const struct fleet_run *run, struct err *e)
{
    int worst = 0;
    size_t failed = 0;
    for (size_t i = 0; i < run->n; i++) {
        failed += run->answers[i] != 0 && run->answers[i] != ERR_NO;
        if (run->answers[i] &&
            (!worst || err_exit_status(run->answers[i]) > err_exit_status(worst)))
            worst = run->answers[i];
    }
    if (failed)
        err_set(e, worst, "%zu of %zu systems cannot be planned; their lines say why", failed,
                run->n);
    return worst;
}

static int report(struct app *app, const struct fleet_run *run, struct err *e)
{
    struct emit *m = app_emit(app);
    if (!m)
        return err_nomem(e);
    struct fleet f = { app->as_of_ms, run->lines, run->n };
    report_fleet(m, &f);
    int rc = app_finish(m, 0, e);
    return rc ? rc : worst_of(run, e);
}

static int run_fleet(struct app *app, struct fleet_run *run, struct err *e)
{
    size_t n_workers = (size_t)app_jobs(app);
    n_workers = n_workers < run->n ? n_workers : run->n;
    struct fleet_worker *workers = arena_array(&app->arena, n_workers, sizeof *workers);
    run->lines = arena_array(&app->arena, run->n, sizeof *run->lines);
    run->answers = arena_array(&app->arena, run->n, sizeof *run->answers);
    if (!workers || !run->lines || !run->answers)
        return err_nomem(e);
    for (size_t i = 0; i < n_workers; i++)
        workers[i].run = run;
    progress_start_items(&run->progress, app, run->n);
    int rc = run_workers(workers, n_workers, e);
    progress_stop(&run->progress);
    if (!rc)
        rc = report(app, run, e);
    for (size_t i = 0; i < n_workers; i++) {
        arena_release(&workers[i].keep);
        arena_release(&workers[i].scratch);
    }
    return rc;
}

int plan_fleet(struct app *app, struct err *e)
{
    struct fleet_run run = { .app = app, .lock = PTHREAD_MUTEX_INITIALIZER };
    if (app_flag(app, OPT_SYSTEM))
        return err_set(e, ERR_USAGE, "--all and --system: one of them");
    if (app_flag(app, OPT_WITH) || app->in.n_args)
        return err_set(e, ERR_USAGE, "--all plans every system by itself: not with --with");
    int rc = plan_input_options(app, &run.options, e);
    run.options.figures_only = true;
    if (!rc)
        rc = store_systems(app->store, &app->arena, &run.names, &run.n, e);
    if (!rc && !run.n)
        rc = err_set(e, ERR_USAGE, "%s holds no system yet: volplan ingest loads some", app->db);
    if (!rc)
        rc = run_fleet(app, &run, e);
    pthread_mutex_destroy(&run.lock);
    return rc;
}
