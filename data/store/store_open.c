/* data/store/store_open.c - opening and closing; systems and layouts. */
#include "data/store/store_driver.h"

#include "models/core/mem.h"

#include <stdio.h>
#include <string.h>

bool store_is_server(const char *path)
{
    struct span s = span_of(path);
    return span_starts(s, "postgresql://") || span_starts(s, "postgres://");
}

/* A handle on which the driver has not opened anything yet. */
static int new_store(const char *path, int64_t wait_ms, struct store **out, struct err *e)
{
    if (path[0] == '\0') {
        err_set(e, ERR_USAGE, "the store has an empty name");
        return ERR_USAGE;
    }
    struct store *s = mem_zalloc(1, sizeof *s);
    size_t n_bytes = strlen(path) + 1;
    if (s)
        s->path = mem_alloc(n_bytes);
    if (!s || !s->path) {
        mem_free(s);
        return err_nomem(e);
    }
    memcpy(s->path, path, n_bytes);
    s->wait_ms = wait_ms > 0 && wait_ms < INT32_MAX ? wait_ms : 0;
    s->driver = store_is_server(path) ? &postgres_driver : &sqlite_driver;
    *out = s;
    return 0;
}

int store_open(const char *path, const struct store_options *o, struct store **out, struct err *e)
{
    struct store *s = NULL;
    int rc = new_store(path, o->wait_ms, &s, e);
    if (rc)
        return rc;
    rc = s->driver->open(s, o->mode, e);
    if (rc) {
        store_close(s);
        return rc;
    }
    *out = s;
    return 0;
}

int store_init(const char *path, const struct store_spread *spread, struct err *e)
{
    struct store *s = NULL;
    int rc = new_store(path, 0, &s, e);
    if (rc)
        return rc;
    rc = s->driver->init(s, spread, e);
    store_close(s);
    return rc;
}

void store_close(struct store *s)
{
    if (!s)
        return;
    store_file_rollback(s);
    s->driver->close(s);
    mem_free(s->path);
    mem_free(s);
}

const char *store_path(const struct store *s)
{
    return s->path;
}

int store_mark(struct store *s, struct store_mark *out, struct err *e)
{
    return s->driver->mark(s, out, e);
}

/* --- systems and layouts -----------------------------------------------------------------------
 */

int store_systems(struct store *s, struct arena *a, const char *const **out, size_t *out_n,
                  struct err *e)
{
    const char **names = NULL;
    size_t n = 0, room = 0;
    struct query q = query_start(s, SQL_SYSTEM_LIST);
    while (query_step(&q)) {
        if (n == room) {
            room = room ? room * 2 : 16;
            names = arena_grow(a, names, n, room, sizeof *names);
            if (!names) {
                query_end(&q, NULL);
                return err_nomem(e);
            }
        }
        names[n] = query_get_text(&q, 0, a);
        n++;
    }
    int rc = query_end(&q, e);
    if (rc)
        return rc;
    *out = names;
    *out_n = n;
    return 0;
}

/* "A, B, C"; what does not fit is left out. */
static void list_names(char *buf, size_t room, const char *const *names, size_t n)
{
    size_t at = 0;
    buf[0] = '\0';
    for (size_t i = 0; i < n; i++) {
        int len = snprintf(buf + at, room - at, "%s%s", i ? ", " : "", names[i]);
        if (len < 0 || (size_t)len >= room - at) {
            buf[at] = '\0';
            return;
        }
        at += (size_t)len;
    }
}

int store_system_resolve(struct store *s, const char *given, struct arena *a, const char **out,
                         struct err *e)
{
    const char *const *names = NULL;
    size_t n = 0;
    int rc = store_systems(s, a, &names, &n, e);
    if (rc)
        return rc;
    if (n == 0)
        return err_set(e, ERR_USAGE, "%s: holds no system yet; 'volplan ingest' loads one",
                       s->path);
    if (!given && n == 1) {
        *out = names[0];
        return 0;
    }
    for (size_t i = 0; given && i < n; i++)
        if (strcmp(names[i], given) == 0) {
            *out = names[i];
            return 0;
        }
    char list[240];
    list_names(list, sizeof list, names, n);
    if (given)
        return err_set(e, ERR_USAGE, "%s: no system '%.80s' (there is: %s)", s->path, given, list);
    return err_set(e, ERR_USAGE, "%s: holds %zu systems, say which with --system: %s", s->path, n,
                   list);
}

int store_layout_get(struct store *s, const char *system, struct arena *a, const char **out_json,
                     struct err *e)
{
    struct query q;
    int rc = store_query_system(s, SQL_LAYOUT_GET, system, &q, e);
    if (rc)
        return rc;
    const char *json = query_step(&q) ? query_get_text(&q, 0, a) : NULL;
    rc = query_end(&q, e);
    if (!rc)
        *out_json = json;
    return rc;
}

int store_layout_set(struct store *s, const char *system, const char *json, struct err *e)
{
    int64_t system_id = UNKNOWN;
    int rc = s->driver->begin(s, SQL_BEGIN_WRITE, e);
    if (rc)
        return rc;
    rc = store_system_need(s, system, &system_id, e);
    if (!rc) {
        struct query q = query_start(s, SQL_LAYOUT_SET);
        query_int(&q, 1, system_id);
        query_text(&q, 2, json);
        rc = query_run(&q, e);
    }
    if (!rc)
        rc = store_run(s, SQL_COMMIT, e);
    if (rc)
        s->driver->rollback(s);
    return rc;
}
