/* cli/cmd/plan_fleet.c - see plan_fleet.h.
 *
 * Workers take the next system each, with a store connection, an error and two arenas of their
 * own: one for the system at hand, emptied after each, so that memory is bounded by the largest
 * systems and not by their number; one for the lines, which live until they are reported.
 *
 * Where the store can be written, a worker claims a system before it plans it, among all workers
 * of all processes, takes the plan that is kept when it is current, and keeps a new one.  What
 * another worker is at comes last: by then its plan is kept, or it has died and its claim is
 * free. */
#include "cli/cmd/plan_fleet.h"

#include "cli/cmd/fleet_results.h"
#include "cli/cmd/plan_input.h"
#include "cli/progress.h"
#include "planner/report/report_fleet.h"
#include "planner/whatif/redo_path.h"

#include <pthread.h>
#include <time.h>

/* What all workers share.  next, done, stop, unkept and the progress are used under the lock. */
struct fleet_run {
    const struct app *app;
    struct plan_options options;
    struct fleet_asked asked;
    bool show;  /* what is kept only */
    bool keeps; /* plans are kept */
    const char *const *names;
    size_t n;
    struct fleet_line *lines; /* one a name */
    int *answers;             /* 0, or the error code of each */
    pthread_mutex_t lock;
    struct progress progress;
    size_t next, done;
    bool stop;
    struct err unkept; /* why plans are not kept, once they cannot be */
};

struct fleet_worker {
    struct fleet_run *run;
    struct arena keep, scratch;
    struct store *store, *results; /* read, written; results is NULL where nothing is kept */
    size_t *later;                 /* systems that others are at */
    size_t n_later;
    struct err e;
    int rc; /* what ended it */
    pthread_t thread;
    bool started;
};

static int answer_of(const struct fleet_line *l)
{
    return l->status == PLAN_NONE || l->redo_refused ? ERR_NO : 0;
}

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
    return rc ? rc : answer_of(out);
}

static int show_system(struct fleet_worker *w, const char *name, struct fleet_line *out)
{
    enum fleet_found found;
    const char *state;
    int rc = fleet_result_get(w->store, name, &w->run->asked, &w->keep, &found, out, &state, &w->e);
    if (rc)
        return rc;
    if (found == FLEET_CURRENT)
        return answer_of(out);
    *out = (struct fleet_line){ .system = name,
                                .why_not = found == FLEET_NONE
                                               ? "no plan is kept: volplan plan --all makes one"
                                               : "the plan that is kept is out of date: volplan "
                                                 "plan --all makes a new one" };
    return ERR_NO;
}

/* rc of what was done for keeping.  What cannot be kept is told all the same: when it was the store
 * that failed, this worker only plans from here on. */
static int keeping(struct fleet_worker *w, int rc)
{
    struct fleet_run *run = w->run;
    if (rc != ERR_STORE)
        return rc;
    pthread_mutex_lock(&run->lock);
    if (!run->unkept.code)
        run->unkept = w->e;
    pthread_mutex_unlock(&run->lock);
    store_close(w->results);
    w->results = NULL;
    w->e = (struct err){ 0 };
    return 0;
}

/* The plan that is kept, or a new one. */
static int plan_claimed(struct fleet_worker *w, const char *name, struct fleet_line *out)
{
    const struct fleet_asked *asked = &w->run->asked;
    enum fleet_found found;
    const char *state;
    int rc = fleet_result_get(w->results, name, asked, &w->keep, &found, out, &state, &w->e);
    rc = keeping(w, rc);
    if (rc)
        return rc;
    if (w->results && found == FLEET_CURRENT)
        return answer_of(out);
    int answer = plan_system(w, name, out);
    if (!w->results || (answer && answer != ERR_NO))
        return answer;
    rc = fleet_result_keep(w->results, asked, state, out, &w->scratch, &w->e);
    rc = keeping(w, rc);
    return rc ? rc : answer;
}

static int answer_system(struct fleet_worker *w, const char *name, struct fleet_line *out,
                         bool *out_busy)
{
    bool mine = true;
    *out_busy = false;
    if (w->run->show)
        return show_system(w, name, out);
    int rc = w->results ? keeping(w, store_claim(w->results, name, &mine, &w->e)) : 0;
    if (rc)
        return rc;
    if (!w->results)
        return plan_system(w, name, out);
    *out_busy = !mine;
    if (!mine)
        return 0;
    rc = plan_claimed(w, name, out);
    if (w->results)
        store_claim_end(w->results);
    return rc;
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

static bool is_stopped(struct fleet_run *run)
{
    pthread_mutex_lock(&run->lock);
    bool stop = run->stop;
    pthread_mutex_unlock(&run->lock);
    return stop;
}

static void work_one(struct fleet_worker *w, size_t i)
{
    struct fleet_run *run = w->run;
    struct fleet_line *line = &run->lines[i];
    bool busy;
    w->e = (struct err){ 0 };
    int rc = answer_system(w, run->names[i], line, &busy);
    if (busy) {
        w->later[w->n_later++] = i;
        return;
    }
    if (rc && rc != ERR_NO && !is_fatal(rc)) {
        *line = (struct fleet_line){ .system = run->names[i],
                                     .why_not = arena_strdup(&w->keep, w->e.text) };
        if (!line->why_not)
            rc = err_nomem(&w->e);
    }
    run->answers[i] = rc;
    arena_reuse(&w->scratch);
    w->rc = is_fatal(rc) ? rc : 0;
    tell_done(run, run->names[i], w->rc != 0);
}

/* The systems that others were at, until they are not. */
static void work_later(struct fleet_worker *w)
{
    static const struct timespec pause = { .tv_nsec = 20000000 };
    while (w->n_later && !w->rc && !is_stopped(w->run)) {
        size_t n = w->n_later;
        w->n_later = 0;
        for (size_t k = 0; k < n && !w->rc; k++)
            work_one(w, w->later[k]);
        if (w->n_later)
            nanosleep(&pause, NULL);
    }
}

static int open_stores(struct fleet_worker *w)
{
    const struct app *app = w->run->app;
    int rc = store_open(app->db, &(struct store_options){ .mode = STORE_READ }, &w->store, &w->e);
    return rc || !w->run->keeps ? rc : keeping(w, fleet_results_open(app, &w->results, &w->e));
}

static void *work(void *ctx)
{
    struct fleet_worker *w = ctx;
    struct fleet_run *run = w->run;
    size_t i;
    w->rc = open_stores(w);
    if (w->rc)
        tell_done(run, "", true);
    while (!w->rc && take_next(run, &i))
        work_one(w, i);
    work_later(w);
    store_close(w->results);
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
    for (size_t i = 0; i < n_workers; i++) {
        workers[i].run = run;
        workers[i].later = arena_array(&app->arena, run->n, sizeof *workers[i].later);
        if (!workers[i].later)
            return err_nomem(e);
    }
    progress_start_items(&run->progress, app, run->n);
    int rc = run_workers(workers, n_workers, e);
    progress_stop(&run->progress);
    if (run->unkept.code)
        app_note(app, "the plans are not kept: %s", run->unkept.text);
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
    struct fleet_run run = { .app = app,
                             .lock = PTHREAD_MUTEX_INITIALIZER,
                             .show = app_flag(app, OPT_SHOW) };
    bool own_figures = app_text(app, OPT_FACTS) != NULL; /* have no version */
    run.keeps = !run.show && !own_figures;
    if (app_flag(app, OPT_SYSTEM))
        return err_set(e, ERR_USAGE, "--all and --system: one of them");
    if (app_flag(app, OPT_WITH) || app->in.n_args)
        return err_set(e, ERR_USAGE, "--all plans every system by itself: not with --with");
    if (run.show && own_figures)
        return err_set(e, ERR_USAGE, "--show: plans by figures of --facts are not kept");
    int rc = plan_input_options(app, &run.options, e);
    if (!rc)
        rc = fleet_asked_of(app, &app->arena, &run.asked, e);
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
