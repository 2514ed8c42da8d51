/* data/intake.c - see intake.h. */
#include "data/intake.h"

#include "models/core/unit.h"

#include <string.h>

/* AWR in text form cuts a host name here. */
enum { AWR_HOST_CUT = 16 };

/* --- warnings ------------------------------------------------------------------------------------
 */

int warning_list_add(struct warning_list *l, int64_t line, const char *text, struct err *e)
{
    if (l->n >= l->most) {
        l->n_unlisted++;
        return 0;
    }
    if (l->n + 1 >= l->room) { /* one is kept for the count of the rest */
        size_t room = l->room ? l->room * 2 : 8;
        struct ingest_warning *grown = arena_grow(l->arena, l->item, l->n, room, sizeof *grown);
        if (!grown)
            return err_nomem(e);
        l->item = grown;
        l->room = room;
    }
    char *copy = arena_strdup(l->arena, text);
    if (!copy)
        return err_nomem(e);
    l->item[l->n++] = (struct ingest_warning){ line, copy };
    return 0;
}

int warning_list_count_rest(struct warning_list *l, struct err *e)
{
    if (!l->n_unlisted)
        return 0;
    char *text = arena_printf(l->arena, "%zu more warnings", l->n_unlisted);
    if (text && !l->room) /* most is 0 */
        l->item = arena_array(l->arena, l->room = 1, sizeof *l->item);
    if (!text || !l->item)
        return err_nomem(e);
    l->item[l->most] = (struct ingest_warning){ 0, text };
    l->n = l->most + 1;
    return 0;
}

/* --- the sink ------------------------------------------------------------------------------------
 */

/* TUNING: a block of work between two reports of progress. */
enum { PROGRESS_SAMPLES = 4096 };

void intake_progress(const struct intake *t)
{
    const struct ingest_files_options *o = t->options;
    if (o->progress)
        o->progress(o->progress_ctx, source_path(t->outer), source_bytes(t->outer));
}

static void widen(struct intake *t, int64_t begin_ms, int64_t end_ms)
{
    if (begin_ms != UNKNOWN && (t->first_ms == UNKNOWN || begin_ms < t->first_ms))
        t->first_ms = begin_ms;
    if (end_ms > t->last_ms) /* UNKNOWN is the smallest integer */
        t->last_ms = end_ms;
}

/* The system of a host: one of that name; else, for a name that may be cut, the only one that
 * begins with it; else a new one. */
static int system_of_host(struct intake *t, struct span host, bool may_be_cut, struct err *e)
{
    struct arena *a = t->arena;
    const char *const *names = NULL;
    size_t n = 0, n_longer = 0;
    char *name = arena_strndup(a, host.ptr, host.len);
    if (!name)
        return err_nomem(e);
    int rc = store_systems(t->store, a, &names, &n, e);
    if (rc)
        return rc;
    const char *longer = NULL;
    t->system = name;
    for (size_t i = 0; i < n; i++) {
        if (strcmp(names[i], name) == 0)
            return 0;
        if (may_be_cut && strncmp(names[i], name, host.len) == 0) {
            longer = names[i];
            n_longer++;
        }
    }
    if (n_longer == 1)
        t->system = longer;
    return 0;
}

/* Before the first thing that is stored. */
static int start_file(struct intake *t, struct span host, bool may_be_cut, struct err *e)
{
    const struct ingest_files_options *o = t->options;
    int rc = 0;
    if (o->system)
        t->system = o->system;
    else if (host.len)
        rc = system_of_host(t, host, may_be_cut, e);
    else
        rc = err_set(e, ERR_USAGE, "%s: names no host; say whose load it is with --system NAME",
                     t->path);
    if (rc)
        return rc;
    struct store_file_start start = { .system = t->system,
                                      .path = t->path,
                                      .format = t->format,
                                      .zone = o->zone_name,
                                      .date_ms = o->parse.date_ms };
    return store_file_begin(t->store, &start, e);
}

/* TUNING: samples of a file before a second thread is worth its start. */
enum { QUEUE_AFTER_SAMPLES = 4096 };

/* May run in the thread of the queue: of t only what stays as it is. */
static int keep_sample(void *ctx, const struct io_sample *s, struct err *e)
{
    const struct intake *t = ctx;
    int rc = store_file_sample(t->store, s, e);
    if (rc == ERR_LIMIT)
        err_prefix(e, "%s:%lld", t->path, (long long)s->line);
    return rc;
}

static int pass_on(struct intake *t, const struct io_sample *s, struct err *e)
{
    int rc = 0;
    if (!t->queue && t->options->jobs > 1 && t->n_timed + t->n_untimed == QUEUE_AFTER_SAMPLES)
        rc = sample_queue_open(keep_sample, t, &t->queue, e);
    if (rc)
        return rc;
    return t->queue ? sample_queue_put(t->queue, s, e) : keep_sample(t, s, e);
}

int intake_end(struct intake *t, int rc, struct err *why)
{
    int rc_queue = t->queue ? sample_queue_drain(t->queue, why) : 0;
    sample_queue_close(t->queue);
    t->queue = NULL;
    return rc_queue ? rc_queue : rc;
}

static int take_sample(void *ctx, const struct io_sample *s, struct err *e)
{
    struct intake *t = ctx;
    const struct sink *tap = t->options->tap;
    int rc = tap && tap->sample ? tap->sample(tap->ctx, s, e) : 0;
    bool has_interval = s->time_ms != UNKNOWN && s->interval_s > 0 && s->interval_s < 1e9;
    widen(t, has_interval ? s->time_ms - (int64_t)(s->interval_s * 1000 + 0.5) : s->time_ms,
          s->time_ms);
    if (!s->since_boot)
        *(s->time_ms == UNKNOWN ? &t->n_untimed : &t->n_timed) += 1;
    if ((t->n_timed + t->n_untimed) % PROGRESS_SAMPLES == 0)
        intake_progress(t);
    if (rc || !t->store)
        return rc;
    if (!t->system)
        rc = start_file(t, s->host, false, e);
    return rc ? rc : pass_on(t, s, e);
}

/* Before what is no sample is stored: the samples before it are, and the store is ours. */
static int settle(struct intake *t, struct span host, bool may_be_cut, struct err *e)
{
    if (!t->system)
        return start_file(t, host, may_be_cut, e);
    return t->queue ? sample_queue_drain(t->queue, e) : 0;
}

static int take_snapshot(void *ctx, const struct awr_snapshot *w, struct err *e)
{
    struct intake *t = ctx;
    const struct sink *tap = t->options->tap;
    int rc = tap && tap->snapshot ? tap->snapshot(tap->ctx, w, e) : 0;
    widen(t, w->begin_ms, w->end_ms);
    if (rc || !t->store)
        return rc;
    struct span host = span_of(w->host);
    rc = settle(t, host, host.len == AWR_HOST_CUT, e);
    return rc ? rc : store_file_snapshot(t->store, w, e);
}

/* Before what is neither sample nor snapshot goes into the store. */
static int start_row(struct intake *t, struct span host, int64_t begin_ms, int64_t end_ms,
                     struct err *e)
{
    widen(t, begin_ms, end_ms);
    if (++t->n_rows % PROGRESS_SAMPLES == 0)
        intake_progress(t);
    return t->store ? settle(t, host, false, e) : 0;
}

static int take_metric(void *ctx, const struct metric_sample *m, struct err *e)
{
    struct intake *t = ctx;
    const struct sink *tap = t->options->tap;
    int rc = tap && tap->metric ? tap->metric(tap->ctx, m, e) : 0;
    bool has_period = m->time_ms != UNKNOWN && m->period_s > 0 && m->period_s < 1e9;
    if (!rc)
        rc = start_row(t, m->system, m->time_ms,
                       has_period ? m->time_ms + (int64_t)(m->period_s * 1000) : m->time_ms, e);
    if (!rc && t->store)
        rc = store_file_metric(t->store, m, e);
    if (rc == ERR_LIMIT)
        err_prefix(e, "%s:%lld", t->path, (long long)m->line);
    return rc;
}

/* Of a bill only EBS matters; what else a parser hands over is not kept. */
static int take_bill_line(void *ctx, const struct bill_line *l, struct err *e)
{
    struct intake *t = ctx;
    const struct sink *tap = t->options->tap;
    int rc = tap && tap->bill_line ? tap->bill_line(tap->ctx, l, e) : 0;
    if (!rc && t->store && span_find(l->usage_type, "EBS:") < 0) {
        t->n_not_ebs++;
        return 0;
    }
    if (!rc)
        rc = start_row(t, (struct span){ 0 }, l->start_ms, l->end_ms, e);
    return rc || !t->store ? rc : store_file_bill_line(t->store, l, e);
}

#define TAKE_ROW(member, type, time_ms)                                                            \
    static int take_##member(void *ctx, const struct type *v, struct err *e)                       \
    {                                                                                              \
        struct intake *t = ctx;                                                                    \
        const struct sink *tap = t->options->tap;                                                  \
        int rc = tap && tap->member ? tap->member(tap->ctx, v, e) : 0;                             \
        if (!rc)                                                                                   \
            rc = start_row(t, (struct span){ 0 }, time_ms, time_ms, e);                            \
        return rc || !t->store ? rc : store_file_##member(t->store, v, e);                         \
    }
TAKE_ROW(volume, volume_config, UNKNOWN)
TAKE_ROW(modification, volume_modification, UNKNOWN)
TAKE_ROW(record, record, v->time_ms)

static int take_warning(void *ctx, int64_t line, const char *text, struct err *e)
{
    struct intake *t = ctx;
    const struct sink *tap = t->options->tap;
    int rc = tap && tap->warning ? tap->warning(tap->ctx, line, text, e) : 0;
    if (!rc)
        rc = warning_list_add(t->warnings, line, text, e);
    if (!rc && !line && !t->warnings->n_unlisted)
        t->said = t->warnings->item[t->warnings->n - 1].text;
    return rc;
}

struct sink intake_sink(struct intake *t)
{
    return (struct sink){
        .ctx = t,
        .sample = take_sample,
        .snapshot = take_snapshot,
        .metric = take_metric,
        .volume = take_volume,
        .modification = take_modification,
        .bill_line = take_bill_line,
        .record = take_record,
        .warning = take_warning,
    };
}
