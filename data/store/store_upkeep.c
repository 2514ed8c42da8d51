/* data/store/store_upkeep.c - see store_upkeep.h. */
#include "data/store/store_upkeep.h"

#include "data/store/store_driver.h"
#include "models/core/arena.h"
#include "models/core/unit.h"

#include <stdio.h>
#include <string.h>

enum { SQL_MAX = 640 };

int store_schema(const struct store *s, int *out_opened_with)
{
    *out_opened_with = s->opened_with;
    return s->schema;
}

/* --- statements that are not prepared ----------------------------------------------------------
 */

/* ?1 is a time, ?2 a system. */
struct condition {
    const char *where; /* NULL = all rows */
    int64_t before_ms, system_id;
};

static struct query ask(struct store *s, const char *verb, const char *table,
                        const struct condition *c)
{
    char sql[SQL_MAX];
    int len = snprintf(sql, sizeof sql, "%s FROM %s%s%s", verb, table, c->where ? " WHERE " : "",
                       c->where ? c->where : "");
    if (len < 0 || (size_t)len >= sizeof sql)
        BUG("a statement of upkeep is too long");
    struct query q = query_start_text(s, sql);
    query_int(&q, 1, c->before_ms);
    query_int(&q, 2, c->system_id);
    return q;
}

static int count(struct store *s, const char *table, const struct condition *c, int64_t *out,
                 struct err *e)
{
    struct query q = ask(s, "SELECT count(*)", table, c);
    return query_find(&q, out, e);
}

/* --- tables ------------------------------------------------------------------------------------
 */

int store_tables(struct store *s, struct arena *a, struct store_table **out, size_t *out_n,
                 struct err *e)
{
    static const struct condition all = { 0 };
    const struct upkeep_table *tables = s->driver->tables;
    size_t n = 0;
    while (tables[n].name)
        n++;
    struct store_table *t = arena_array(a, n, sizeof *t);
    int rc = t ? 0 : err_nomem(e);
    for (size_t i = 0; i < n && !rc; i++) {
        t[i].name = tables[i].name;
        rc = count(s, tables[i].name, &all, &t[i].rows, e);
        if (!rc)
            rc = s->driver->table_bytes(s, tables[i].name, &t[i].bytes, e);
    }
    if (rc)
        return rc;
    *out = t;
    *out_n = n;
    return 0;
}

/* --- changes -----------------------------------------------------------------------------------
 */

/* Until the end nobody completes a file, so that what is decided for some samples holds for all. */
static int lock_systems(struct store *s, struct err *e)
{
    const char *const *systems = NULL;
    size_t n = 0;
    struct arena a = { 0 };
    int64_t unused = 0;
    int rc = store_systems(s, &a, &systems, &n, e);
    for (size_t i = 0; i < n && !rc; i++)
        rc = store_system_need(s, systems[i], &unused, e);
    arena_release(&a);
    return rc;
}

int store_change_begin(struct store *s, struct err *e)
{
    store_file_rollback(s);
    int rc = s->driver->begin(s, SQL_BEGIN_WRITE, e);
    if (!rc)
        rc = lock_systems(s, e);
    if (rc)
        s->driver->rollback(s);
    return rc;
}

int store_change_end(struct store *s, bool keep, struct err *e)
{
    int rc = keep ? store_run(s, SQL_COMMIT, e) : 0;
    store_file_rollback(s);
    return rc;
}

/* Of one system; adds to gone[] by table. */
static int prune_system(struct store *s, int64_t system_id, int64_t before_ms, int64_t *gone,
                        struct err *e)
{
    const struct upkeep_table *tables = s->driver->tables;
    int rc = 0;
    for (size_t i = 0; tables[i].name && !rc; i++) {
        struct condition c = { tables[i].gone, before_ms, system_id };
        int64_t n = 0;
        if (!c.where)
            continue;
        rc = count(s, tables[i].name, &c, &n, e);
        if (!rc && n) {
            struct query q = ask(s, "DELETE", tables[i].name, &c);
            rc = query_run(&q, e);
        }
        gone[i] += n;
    }
    return rc;
}

int store_prune(struct store *s, int64_t before_ms, struct arena *a, struct store_table **out,
                size_t *out_n, struct err *e)
{
    struct store_table *t = NULL;
    const char *const *systems = NULL;
    size_t n = 0, n_systems = 0;
    int rc = store_tables(s, a, &t, &n, e);
    if (!rc)
        rc = store_systems(s, a, &systems, &n_systems, e);
    int64_t *gone = rc ? NULL : arena_array(a, n, sizeof *gone);
    if (!rc && !gone)
        rc = err_nomem(e);
    for (size_t i = 0; i < n_systems && !rc; i++) {
        int64_t system_id = UNKNOWN;
        rc = store_system_need(s, systems[i], &system_id, e);
        if (!rc)
            rc = prune_system(s, system_id, before_ms, gone, e);
    }
    for (size_t i = 0; i < n && !rc; i++) {
        double share = t[i].rows ? (double)gone[i] / (double)t[i].rows : 0;
        if (t[i].bytes != UNKNOWN)
            t[i].bytes = (int64_t)((double)t[i].bytes * share);
        t[i].rows = gone[i];
    }
    if (rc)
        return rc;
    *out = t;
    *out_n = n;
    return 0;
}

/* --- checking ----------------------------------------------------------------------------------
 */

struct problems {
    struct store *store;
    struct arena *arena;
    const char **item;
    size_t n;
};

static int add_problem(struct problems *p, const char *text, struct err *e)
{
    if (p->n == STORE_PROBLEMS_MAX)
        return 0;
    p->item[p->n] = text ? arena_strdup(p->arena, text) : NULL;
    return p->item[p->n++] ? 0 : err_nomem(e);
}

/* What the tables say of each other. */
static int check_rules(struct problems *p, struct err *e)
{
    const struct upkeep_rule *rules = p->store->driver->rules;
    int rc = 0;
    for (size_t i = 0; rules[i].table && !rc; i++) {
        struct condition c = { .where = rules[i].broken };
        int64_t n = 0;
        rc = count(p->store, rules[i].table, &c, &n, e);
        if (!rc && n)
            rc = add_problem(p,
                             arena_printf(p->arena, "%lld rows of %s %s", (long long)n,
                                          rules[i].table, rules[i].words),
                             e);
    }
    return rc;
}

static int pass_samples(void *ctx, int64_t file_id, const struct store_sample *samples, size_t n,
                        struct err *e)
{
    (void)ctx, (void)file_id, (void)samples, (void)n, (void)e;
    return 0;
}

static int pass_values(void *ctx, int64_t file_id, const struct store_metric_value *values,
                       size_t n, struct err *e)
{
    (void)ctx, (void)file_id, (void)values, (void)n, (void)e;
    return 0;
}

/* Every block is decoded.  What is damaged is a problem; what else goes wrong ends the check. */
static int check_blocks(struct problems *p, const char *system, struct err *e)
{
    struct store_series *series = NULL;
    struct store_metric *metrics = NULL;
    size_t n_series = 0, n_metrics = 0;
    int rc = store_series(p->store, system, p->arena, &series, &n_series, e);
    if (!rc)
        rc = store_metrics(p->store, system, p->arena, &metrics, &n_metrics, e);
    for (size_t i = 0; i < n_series + n_metrics && !rc; i++) {
        struct err why = { 0 };
        rc = i < n_series
                 ? store_samples(p->store, &series[i], pass_samples, NULL, &why)
                 : store_metric_values(p->store, &metrics[i - n_series], pass_values, NULL, &why);
        if (rc == ERR_STORE && strstr(why.text, "damaged"))
            rc = add_problem(p, why.text, e);
        else if (rc)
            *e = why;
    }
    return rc;
}

static int check_systems(struct problems *p, struct err *e)
{
    const char *const *systems = NULL;
    size_t n = 0;
    int rc = store_systems(p->store, p->arena, &systems, &n, e);
    for (size_t i = 0; i < n && !rc; i++)
        rc = check_blocks(p, systems[i], e);
    return rc;
}

static int note_problem(void *ctx, const char *text, struct err *e)
{
    return add_problem(ctx, text, e);
}

int store_check(struct store *s, struct arena *a, const char *const **out, size_t *out_n,
                struct err *e)
{
    struct problems p = { s, a, arena_array(a, STORE_PROBLEMS_MAX, sizeof *p.item), 0 };
    int rc = p.item ? s->driver->check(s, note_problem, &p, e) : err_nomem(e);
    if (!rc)
        rc = check_rules(&p, e);
    if (!rc)
        rc = check_systems(&p, e);
    if (rc)
        return rc;
    *out = p.item;
    *out_n = p.n;
    return 0;
}
