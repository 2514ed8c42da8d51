/* data/store/store_query.c - statements on whatever backend there is; see store_driver.h. */
#include "data/store/store_driver.h"

#include "models/core/unit.h"

#include <math.h>
#include <string.h>

int store_run(struct store *s, enum sql id, struct err *e)
{
    struct query q = query_start(s, id);
    return query_run(&q, e);
}

struct query query_start(struct store *s, enum sql id)
{
    struct query q = { .store = s };
    s->driver->start(&q, id);
    return q;
}

struct query query_start_text(struct store *s, const char *sql)
{
    struct query q = { .store = s, .once = true };
    s->driver->start_text(&q, sql);
    return q;
}

void query_int(struct query *q, int at, int64_t v)
{
    if (v == UNKNOWN)
        q->store->driver->bind_null(q, at);
    else
        q->store->driver->bind_int(q, at, v);
}

void query_num(struct query *q, int at, double v)
{
    if (isnan(v))
        q->store->driver->bind_null(q, at);
    else
        q->store->driver->bind_num(q, at, v);
}

void query_text(struct query *q, int at, const char *v)
{
    if (v)
        q->store->driver->bind_text(q, at, span_of(v));
    else
        q->store->driver->bind_null(q, at);
}

void query_span(struct query *q, int at, struct span v)
{
    if (v.len)
        q->store->driver->bind_text(q, at, v);
    else
        q->store->driver->bind_null(q, at);
}

void query_blob(struct query *q, int at, const void *v, size_t n_bytes)
{
    q->store->driver->bind_blob(q, at, (struct span){ v, n_bytes });
}

bool query_step(struct query *q)
{
    return !q->rc && !q->no_memory && q->store->driver->step(q);
}

int query_end(struct query *q, struct err *e)
{
    int rc = q->store->driver->end(q, e);
    return !rc && q->no_memory ? err_nomem(e) : rc;
}

int query_run(struct query *q, struct err *e)
{
    while (query_step(q)) {
    }
    return query_end(q, e);
}

int query_add(struct query *q, int64_t *out_id, struct err *e)
{
    int rc = query_run(q, e);
    if (!rc)
        *out_id = q->store->driver->added_id(q);
    return rc;
}

int query_find(struct query *q, int64_t *out_id, struct err *e)
{
    int64_t id = query_step(q) ? query_get_int(q, 0) : UNKNOWN;
    int rc = query_end(q, e);
    if (!rc)
        *out_id = id;
    return rc;
}

int64_t query_get_int(struct query *q, int at)
{
    const struct store_driver *d = q->store->driver;
    return d->is_null(q, at) ? UNKNOWN : d->get_int(q, at);
}

double query_get_num(struct query *q, int at)
{
    const struct store_driver *d = q->store->driver;
    return d->is_null(q, at) ? NAN : d->get_num(q, at);
}

const char *query_get_text(struct query *q, int at, struct arena *a)
{
    const struct store_driver *d = q->store->driver;
    if (d->is_null(q, at))
        return NULL;
    struct span text = d->get_text(q, at);
    char *copy = text.ptr ? arena_strndup(a, text.ptr, text.len) : NULL;
    if (!copy)
        q->no_memory = true;
    return copy;
}

struct span query_get_span(struct query *q, int at)
{
    const struct store_driver *d = q->store->driver;
    if (d->is_null(q, at))
        return (struct span){ NULL, 0 };
    struct span text = d->get_text(q, at);
    if (!text.ptr)
        q->no_memory = true;
    return text;
}

struct span query_get_blob(struct query *q, int at)
{
    return q->store->driver->get_blob(q, at);
}

/* --- names of enumerations ---------------------------------------------------------------------
 */

static const char *const counts_names[] = {
    [COUNT_ORACLE] = "oracle",
    [COUNT_BLOCK] = "block",
    [COUNT_EBS] = "ebs",
};

const char *store_counts_name(enum count_kind c)
{
    return counts_names[c];
}

enum count_kind store_counts_of(const char *name)
{
    for (size_t i = 0; i < sizeof counts_names / sizeof *counts_names; i++)
        if (name && strcmp(name, counts_names[i]) == 0)
            return (enum count_kind)i;
    return COUNT_BLOCK;
}

/* --- systems -----------------------------------------------------------------------------------
 */

/* *out_id is UNKNOWN when there is no such system. */
static int system_find(struct store *s, enum sql id, const char *system, int64_t *out_id,
                       struct err *e)
{
    struct query q = query_start(s, id);
    query_text(&q, 1, system);
    return query_find(&q, out_id, e);
}

int store_query_system(struct store *s, enum sql id, const char *system, struct query *out,
                       struct err *e)
{
    int64_t system_id = UNKNOWN;
    int rc = system_find(s, SQL_SYSTEM_ID, system, &system_id, e);
    if (rc)
        return rc;
    *out = query_start(s, id);
    query_int(out, 1, system_id);
    return 0;
}

int store_system_need(struct store *s, const char *system, int64_t *out_id, struct err *e)
{
    int rc = system_find(s, SQL_SYSTEM_LOCK, system, out_id, e);
    if (rc || *out_id != UNKNOWN)
        return rc;
    struct query q = query_start(s, SQL_SYSTEM_ADD);
    query_text(&q, 1, system);
    rc = query_run(&q, e);
    return rc ? rc : system_find(s, SQL_SYSTEM_LOCK, system, out_id, e);
}
