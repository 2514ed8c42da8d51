/* data/store/sample_buffer.c - see sample_buffer.h: samples of devices. */
#include "data/store/sample_buffer.h"

#include "data/store/block_buffer.h"
#include "models/core/mem.h"
#include "models/core/unit.h"

#include <math.h>

static const int64_t time_max_ms = INT64_C(253402300800000);
static const double interval_max_s = 86400; /* longer ones are kept, but not in hours */

/* TUNING: 8 MiB for 60 devices.  Four times as many save 4 % of the store's size, and cost more
 * time in waiting for memory than they save in statements. */
enum { BLOCK_SAMPLES = 1024 };

enum { KEY_HOST, KEY_DEVICE, KEY_PARTS };

/* The hour a device is in. */
struct device_hour {
    int64_t summed_to_ms; /* end of the last interval in the hours; UNKNOWN */
    struct hour_summary hour;
};

struct sample_buffer {
    struct store *store;
    struct block_buffer *blocks;
    struct device_hour *hours; /* by number of the series in blocks */
    size_t hours_room;
};

static int put_block(void *ctx, int64_t series_id, const void *samples, size_t n, struct err *e)
{
    return backend_put_block(ctx, series_id, samples, n, e);
}

struct sample_buffer *sample_buffer_new(struct store *s)
{
    struct block_buffer_options o = { .sample_bytes = sizeof(struct store_sample),
                                      .key_parts = KEY_PARTS,
                                      .series_max = STORE_DEVICES_MAX,
                                      .samples_max = (size_t)STORE_DEVICES_MAX * BLOCK_ROOM_MIN,
                                      .block_max = BLOCK_SAMPLES,
                                      .put = put_block,
                                      .ctx = s };
    struct sample_buffer *b = mem_zalloc(1, sizeof *b);
    if (!b)
        return NULL;
    b->store = s;
    b->blocks = block_buffer_new(&o);
    if (!b->blocks) {
        mem_free(b);
        return NULL;
    }
    return b;
}

void sample_buffer_free(struct sample_buffer *b)
{
    if (!b)
        return;
    block_buffer_free(b->blocks);
    mem_free(b->hours);
    mem_free(b);
}

/* --- devices -----------------------------------------------------------------------------------
 */

static int check_name(struct span name, const char *what, struct err *e)
{
    if (name.len > BUFFER_NAME_MAX)
        return err_set(e, ERR_LIMIT, "the name of a %s has %zu characters, more than %d", what,
                       name.len, BUFFER_NAME_MAX);
    return 0;
}

static int grow_hours(struct sample_buffer *b, size_t n, struct err *e)
{
    struct device_hour *hours = mem_room(b->hours, n, 1, &b->hours_room, sizeof *hours);
    if (!hours)
        return err_nomem(e);
    b->hours = hours;
    return 0;
}

static int add_device(struct sample_buffer *b, const struct span *key, struct err *e)
{
    size_t n = block_buffer_count(b->blocks);
    if (n == STORE_DEVICES_MAX)
        return err_set(e, ERR_LIMIT, "more than %d devices in one file", STORE_DEVICES_MAX);
    int rc = check_name(key[KEY_DEVICE], "device", e);
    if (!rc)
        rc = check_name(key[KEY_HOST], "host", e);
    if (!rc)
        rc = grow_hours(b, n, e);
    int64_t series_id = 0;
    if (!rc)
        rc = backend_device_series(b->store, key[KEY_HOST], key[KEY_DEVICE], &series_id, e);
    if (!rc)
        rc = block_buffer_open(b->blocks, key, series_id, e);
    if (rc)
        return rc;
    b->hours[n].summed_to_ms = UNKNOWN;
    hour_init(&b->hours[n].hour);
    return 0;
}

/* --- samples -----------------------------------------------------------------------------------
 */

int64_t buffer_sane_time(int64_t t_ms)
{
    return t_ms > -time_max_ms && t_ms < time_max_ms ? t_ms : UNKNOWN;
}

static struct store_sample kept(const struct io_sample *s)
{
    int64_t end_ms = buffer_sane_time(s->time_ms), begin_ms = UNKNOWN;
    if (end_ms != UNKNOWN && s->interval_s > 0 && s->interval_s * 1000 < (double)time_max_ms)
        begin_ms = buffer_sane_time(end_ms - (int64_t)(s->interval_s * 1000 + 0.5));
    bool iops_split = isfinite(s->reads_per_s) && isfinite(s->writes_per_s);
    bool bytes_split = isfinite(s->read_kib_per_s) && isfinite(s->write_kib_per_s);
    return (struct store_sample){
        .begin_ms = begin_ms,
        .end_ms = end_ms,
        .line = s->line,
        .flags = (s->since_boot ? STORE_SINCE_BOOT : 0) | (s->artefact ? STORE_ARTEFACT : 0),
        .reads_per_s = s->reads_per_s,
        .writes_per_s = s->writes_per_s,
        .read_kib_per_s = s->read_kib_per_s,
        .write_kib_per_s = s->write_kib_per_s,
        .read_merge_pct = s->read_merge_pct,
        .write_merge_pct = s->write_merge_pct,
        .read_await_ms = s->read_await_ms,
        .write_await_ms = s->write_await_ms,
        .await_ms = s->await_ms,
        .queue = s->queue,
        .util_pct = s->util_pct,
        .total_per_s = iops_split ? NAN : s->total_per_s,
        .total_kib_per_s = bytes_split ? NAN : s->total_kib_per_s,
        .longest_ms = UNKNOWN,
    };
}

struct hour_target {
    struct store *store;
    int64_t series_id;
    struct err *e;
};

static int put_hour(void *ctx, const struct hour_summary *h)
{
    const struct hour_target *t = ctx;
    return backend_put_hour(t->store, t->series_id, h, t->e);
}

/* Averages since boot and artefacts say nothing of their hour; a clock that was set back
 * must not count a time twice. */
static int sum_hours(struct sample_buffer *b, size_t device, const struct store_sample *s,
                     struct err *e)
{
    if (s->flags || s->begin_ms == UNKNOWN ||
        (double)(s->end_ms - s->begin_ms) > interval_max_s * 1000)
        return 0;
    struct device_hour *d = &b->hours[device];
    int64_t begin_ms = s->begin_ms > d->summed_to_ms ? s->begin_ms : d->summed_to_ms;
    if (begin_ms >= s->end_ms)
        return 0;
    d->summed_to_ms = s->end_ms;
    double kib_per_s =
        isnan(s->total_kib_per_s) ? s->read_kib_per_s + s->write_kib_per_s : s->total_kib_per_s;
    double iops = isnan(s->total_per_s) ? s->reads_per_s + s->writes_per_s : s->total_per_s;
    struct hour_target t = { b->store, block_buffer_series_id(b->blocks, device), e };
    return hour_add(&d->hour, begin_ms, s->end_ms, kib_per_s / 1024, iops, put_hour, &t);
}

int sample_buffer_add(struct sample_buffer *b, const struct io_sample *sample, struct err *e)
{
    const struct span key[KEY_PARTS] = { [KEY_HOST] = sample->host, [KEY_DEVICE] = sample->device };
    size_t device = block_buffer_count(b->blocks);
    int rc = block_buffer_find(b->blocks, key, &device) ? 0 : add_device(b, key, e);
    void *slot = NULL;
    if (!rc)
        rc = block_buffer_slot(b->blocks, device, &slot, e);
    if (rc)
        return rc;
    struct store_sample *s = slot;
    *s = kept(sample);
    return sum_hours(b, device, s, e);
}

int sample_buffer_flush(struct sample_buffer *b, struct err *e)
{
    int rc = block_buffer_flush(b->blocks, e);
    for (size_t i = 0; i < block_buffer_count(b->blocks) && !rc; i++) {
        struct hour_target t = { b->store, block_buffer_series_id(b->blocks, i), e };
        rc = hour_finish(&b->hours[i].hour, put_hour, &t);
    }
    return rc;
}
