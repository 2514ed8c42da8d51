/* cli/cmd/cmd_store.c - volplan store: looking after the store. */
#include "cli/cmd/cmd.h"

#include "cli/nearest.h"
#include "data/rollup.h"
#include "data/store/store_copy.h"
#include "data/store/store_upkeep.h"
#include "models/core/timestamp.h"

#include <string.h>

/* What is said in the end. */
struct answer {
    struct store *from; /* of a copy; NULL */
    const char *action;
    const struct store_table *tables;
    size_t n_tables;
    const char *rows_head; /* whose rows they are; NULL = those that are there */
    const char *const *problems;
    size_t n_problems;
    const struct rollup_counts *rollup; /* NULL */
    const struct store_copied *copied;  /* NULL */
    int schema, schema_was;
    char words[400];
};

/* --- saying ------------------------------------------------------------------------------------
 */

static void emit_tables(struct emit *m, const struct answer *a)
{
    const struct emit_col cols[] = {
        { "name", "table", true },
        { "rows", a->rows_head ? a->rows_head : "rows", false },
        { "bytes", "bytes", false },
    };
    emit_table(m, "tables", cols, sizeof cols / sizeof *cols);
    for (size_t i = 0; i < a->n_tables; i++) {
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_text(m, "name", a->tables[i].name);
        emit_int(m, "rows", UNIT_COUNT, a->tables[i].rows);
        emit_int(m, "bytes", UNIT_BYTES, a->tables[i].bytes);
        emit_end(m);
    }
    emit_end(m);
}

static void emit_counts(struct emit *m, const struct answer *a)
{
    if (a->rollup) {
        emit_begin(m, "samples", EMIT_OBJECT);
        emit_int(m, "before", UNIT_COUNT, a->rollup->samples_before);
        emit_int(m, "after", UNIT_COUNT, a->rollup->samples_after);
        emit_end(m);
        emit_begin(m, "values", EMIT_OBJECT);
        emit_int(m, "before", UNIT_COUNT, a->rollup->values_before);
        emit_int(m, "after", UNIT_COUNT, a->rollup->values_after);
        emit_end(m);
    }
    if (a->copied) {
        emit_begin(m, "copied", EMIT_OBJECT);
        emit_int(m, "systems", UNIT_COUNT, a->copied->systems);
        emit_int(m, "layouts", UNIT_COUNT, a->copied->layouts);
        emit_int(m, "files", UNIT_COUNT, a->copied->files);
        emit_int(m, "known", UNIT_COUNT, a->copied->known);
        emit_end(m);
    }
}

static int say(struct app *app, const struct answer *a, struct err *e)
{
    struct emit *m = app_emit(app);
    if (!m)
        return err_nomem(e);
    emit_say(m, "%s", a->words);
    emit_say(m, "%s", "");
    for (size_t i = 0; i < a->n_problems; i++)
        emit_say(m, "- %s", a->problems[i]);
    if (a->n_problems)
        emit_say(m, "%s", "");
    emit_text(m, "action", a->action);
    emit_int(m, "schema", UNIT_COUNT, a->schema);
    emit_int(m, "schema_was", UNIT_COUNT, a->schema_was);
    emit_counts(m, a);
    emit_tables(m, a);
    emit_begin(m, "problems", EMIT_LIST);
    for (size_t i = 0; i < a->n_problems; i++)
        emit_text(m, NULL, a->problems[i]);
    emit_end(m);
    return app_finish(m, a->n_problems ? ERR_NO : 0, e);
}

/* --- actions -----------------------------------------------------------------------------------
 */

static int list_tables(struct app *app, struct answer *a, struct err *e)
{
    struct store_table *tables = NULL;
    int rc = store_tables(app->store, &app->arena, &tables, &a->n_tables, e);
    a->tables = tables;
    return rc;
}

static int64_t rows_of(const struct answer *a, const char *table)
{
    for (size_t i = 0; i < a->n_tables; i++)
        if (strcmp(a->tables[i].name, table) == 0)
            return a->tables[i].rows;
    return 0;
}

static int run_init(struct app *app, struct answer *a, struct err *e)
{
    snprintf(a->words, sizeof a->words, "%.200s is ready: schema %d. volplan ingest loads files.",
             store_path(app->store), a->schema);
    return list_tables(app, a, e);
}

static int run_upgrade(struct app *app, struct answer *a, struct err *e)
{
    if (a->schema_was < a->schema)
        snprintf(a->words, sizeof a->words, "%.200s has schema %d now; it had %d.",
                 store_path(app->store), a->schema, a->schema_was);
    else
        snprintf(a->words, sizeof a->words, "%.200s has schema %d, the newest: nothing to do.",
                 store_path(app->store), a->schema);
    return list_tables(app, a, e);
}

static int run_check(struct app *app, struct answer *a, struct err *e)
{
    int rc = store_read_begin(app->store, e);
    if (rc)
        return rc;
    rc = store_check(app->store, &app->arena, &a->problems, &a->n_problems, e);
    if (!rc)
        rc = list_tables(app, a, e);
    store_read_end(app->store);
    if (a->n_problems)
        snprintf(a->words, sizeof a->words,
                 "%.200s has %zu %s. Restore a copy, or load its files again into a new store.",
                 store_path(app->store), a->n_problems,
                 a->n_problems == 1 ? "problem" : "problems");
    else
        snprintf(a->words, sizeof a->words, "%.200s is sound: every block was read.",
                 store_path(app->store));
    return rc;
}

static int prune(struct app *app, struct answer *a, struct err *e)
{
    struct store_table *tables = NULL;
    char date[32], files[48], blocks[48];
    int64_t before_ms = app_whole(app, OPT_BEFORE);
    int rc = store_prune(app->store, before_ms, &app->arena, &tables, &a->n_tables, e);
    a->tables = tables;
    a->rows_head = app_flag(app, OPT_DRY_RUN) ? "rows to remove" : "rows removed";
    if (rc)
        return rc;
    int64_t n_files = rows_of(a, "file"), n_blocks = rows_of(a, "chunk");
    snprintf(a->words, sizeof a->words,
             "What ends before %s %s from %.200s: %s whole %s, %s %s of samples.",
             time_format_iso(date, before_ms),
             app_flag(app, OPT_DRY_RUN) ? "would be removed" : "was removed",
             store_path(app->store), unit_format(files, (double)n_files, 0),
             n_files == 1 ? "file" : "files", unit_format(blocks, (double)n_blocks, 0),
             n_blocks == 1 ? "block" : "blocks");
    return 0;
}

static int rollup(struct app *app, struct answer *a, struct err *e)
{
    static const char was[] = "were", would[] = "would be";
    const char *const *systems = NULL;
    size_t n = 0;
    struct rollup_counts *counts = arena_alloc(&app->arena, sizeof *counts);
    char date[32], samples[2][48], values[2][48];
    int64_t before_ms = app_whole(app, OPT_BEFORE);
    if (!counts)
        return err_nomem(e);
    int rc = store_systems(app->store, &app->arena, &systems, &n, e);
    for (size_t i = 0; i < n && !rc; i++)
        rc = rollup_system(app->store, systems[i], before_ms, counts, e);
    if (!rc)
        rc = list_tables(app, a, e);
    a->rollup = counts;
    a->rows_head = "rows after it";
    snprintf(
        a->words, sizeof a->words,
        "Before %s, %s samples %s thinned out to %s, %s values of metrics to %s. The highest of "
        "every hour, of each device, volume and group, is as it was measured.",
        time_format_iso(date, before_ms),
        unit_format(samples[0], (double)counts->samples_before, 0),
        app_flag(app, OPT_DRY_RUN) ? would : was,
        unit_format(samples[1], (double)counts->samples_after, 0),
        unit_format(values[0], (double)counts->values_before, 0),
        unit_format(values[1], (double)counts->values_after, 0));
    return rc;
}

/* One transaction; --dry-run ends it without keeping anything. */
static int change(struct app *app, struct answer *a, struct err *e,
                  int (*work)(struct app *, struct answer *, struct err *))
{
    int rc = store_change_begin(app->store, e);
    if (rc)
        return rc;
    rc = work(app, a, e);
    int rc_end = store_change_end(app->store, !rc && !app_flag(app, OPT_DRY_RUN), e);
    return rc ? rc : rc_end;
}

static int run_prune(struct app *app, struct answer *a, struct err *e)
{
    return change(app, a, e, prune);
}

static int run_rollup(struct app *app, struct answer *a, struct err *e)
{
    return change(app, a, e, rollup);
}

static int run_copy(struct app *app, struct answer *a, struct err *e)
{
    struct store_copied *copied = arena_alloc(&app->arena, sizeof *copied);
    char new[48], known[48];
    if (!copied)
        return err_nomem(e);
    int rc = store_copy(a->from, app->store, copied, e);
    if (!rc)
        rc = list_tables(app, a, e);
    a->copied = copied;
    snprintf(a->words, sizeof a->words, "%s %s copied from %.120s to %.120s, %s known already.",
             unit_format(new, (double)copied->files, 0), copied->files == 1 ? "file" : "files",
             store_path(a->from), store_path(app->store),
             unit_format(known, (double)copied->known, 0));
    return rc;
}

/* --- which -------------------------------------------------------------------------------------
 */

static const struct action {
    const char *name;
    size_t n_args; /* with its own name */
    enum store_mode mode;
    bool dated; /* takes --before and --dry-run */
    bool makes; /* the schema, on a server too */
    int (*run)(struct app *, struct answer *, struct err *);
} actions[] = {
    { "check", 1, STORE_READ, false, false, run_check },
    { "copy", 3, STORE_CREATE, false, false, run_copy },
    { "init", 1, STORE_CREATE, false, true, run_init },
    { "prune", 1, STORE_WRITE, true, false, run_prune },
    { "rollup", 1, STORE_WRITE, true, false, run_rollup },
    { "upgrade", 1, STORE_WRITE, false, true, run_upgrade },
};
enum { N_ACTIONS = sizeof actions / sizeof *actions };

/* NULL where there is none. */
static const struct action *find_action(const char *name, struct err *e)
{
    char hint[96];
    struct nearest near = { .word = name };
    for (size_t i = 0; i < N_ACTIONS; i++) {
        nearest_try(&near, actions[i].name);
        if (strcmp(actions[i].name, name) == 0)
            return &actions[i];
    }
    err_set(e, ERR_USAGE, "store: '%.80s' is none of check, copy, init, prune, rollup, upgrade%s",
            name, nearest_hint(hint, &near, ""));
    return NULL;
}

static int check_usage(const struct app *app, const struct action *x, struct err *e)
{
    if (app->in.n_args != x->n_args)
        return x->n_args == 1 ? err_set(e, ERR_USAGE, "store %s takes no further argument", x->name)
                              : err_set(e, ERR_USAGE, "store copy takes two stores: FROM and TO");
    if (x->dated && !app_flag(app, OPT_BEFORE))
        return err_set(e, ERR_USAGE, "store %s needs --before TIME", x->name);
    if (!x->dated && (app_flag(app, OPT_BEFORE) || app_flag(app, OPT_DRY_RUN)))
        return err_set(e, ERR_USAGE, "--before and --dry-run go with store prune and rollup");
    if (strcmp(x->name, "init") != 0 && (app_text(app, OPT_FDW) || app_flag(app, OPT_CITUS)))
        return err_set(e, ERR_USAGE, "--fdw and --citus go with store init");
    if (app_text(app, OPT_FDW) && app_flag(app, OPT_CITUS))
        return err_set(e, ERR_USAGE, "--fdw and --citus are two ways to spread a store: give one");
    if (x->n_args == 3 && strcmp(app->in.args[1], app->in.args[2]) == 0)
        return err_set(e, ERR_USAGE, "store copy: FROM and TO are the same store");
    return 0;
}

/* The store of a copy is the one it goes to; the other one must be there first. */
static int open_stores(struct app *app, const struct action *x, struct answer *a, struct err *e)
{
    int rc = 0;
    if (x->n_args == 3) {
        rc =
            store_open(app->in.args[1], &(struct store_options){ .mode = STORE_READ }, &a->from, e);
        app->db = app->in.args[2];
    }
    struct store_spread spread = { app_text(app, OPT_FDW), app_flag(app, OPT_CITUS) };
    bool spreads = spread.hosts || spread.citus;
    if (!rc && x->makes && (spreads || store_is_server(app->db)))
        rc = store_init(app->db, spreads ? &spread : NULL, e);
    if (!rc)
        rc = app_store_open(app, x->mode, e);
    if (!rc)
        a->schema = store_schema(app->store, &a->schema_was);
    return rc;
}

int cmd_store(struct app *app, struct err *e)
{
    const struct action *x = find_action(app->in.args[0], e);
    struct answer a = { 0 };
    int rc = x ? check_usage(app, x, e) : ERR_USAGE;
    if (rc)
        return rc;
    a.action = x->name;
    rc = open_stores(app, x, &a, e);
    if (!rc)
        rc = x->run(app, &a, e);
    if (!rc)
        rc = say(app, &a, e);
    store_close(a.from);
    return rc;
}
