/* data/store/sample_buffer.c - see sample_buffer.h.
 *
 * Tools print their devices in the same order every time, so the device after the last one
 * is tried first; the hash table serves the rest. */
#include "data/store/sample_buffer.h"

#include "models/core/mem.h"
#include "models/core/unit.h"

#include <math.h>
#include <string.h>
#include <xxhash.h>

enum { SLOTS = 2 * STORE_DEVICES_MAX, NO_DEVICE = -1 };

/* No tool prints a time outside of the years 1 to 9999. */
static const int64_t time_max_ms = INT64_C(253402300800000);
static const double interval_max_s = 86400; /* longer ones are kept, but not in hours */

struct device {
    struct span host, name; /* into text */
    char *text;
    int64_t series_id;
    struct store_sample *samples;
    size_t n, room;
    int64_t summed_to_ms; /* end of the last interval in the hours; UNKNOWN */
    struct hour_summary hour;
};

struct sample_buffer {
    struct store *store;
    struct device *devices;
    size_t n_devices, devices_room;
    size_t next;          /* the device expected next */
    size_t room;          /* of all devices together */
    int32_t slots[SLOTS]; /* index of a device, or NO_DEVICE */
};

struct sample_buffer *sample_buffer_new(struct store *s)
{
    struct sample_buffer *b = mem_zalloc(1, sizeof *b);
    if (!b)
        return NULL;
    b->store = s;
    for (size_t i = 0; i < SLOTS; i++)
        b->slots[i] = NO_DEVICE;
    return b;
}

void sample_buffer_free(struct sample_buffer *b)
{
    if (!b)
        return;
    for (size_t i = 0; i < b->n_devices; i++) {
        mem_free(b->devices[i].text);
        mem_free(b->devices[i].samples);
    }
    mem_free(b->devices);
    mem_free(b);
}

/* --- devices -----------------------------------------------------------------------------------
 */

static bool is_device(const struct device *d, const struct io_sample *s)
{
    return span_eq(d->name, s->device) && span_eq(d->host, s->host);
}

/* The slot of the device of s, or the free one where it belongs. */
static size_t slot_of(const struct sample_buffer *b, const struct io_sample *s)
{
    uint64_t hash = XXH3_64bits_withSeed(s->device.ptr, s->device.len,
                                         s->host.len ? XXH3_64bits(s->host.ptr, s->host.len) : 0);
    size_t slot = hash % SLOTS;
    while (b->slots[slot] != NO_DEVICE && !is_device(&b->devices[b->slots[slot]], s))
        slot = (slot + 1) % SLOTS;
    return slot;
}

static int check_name(struct span name, const char *what, struct err *e)
{
    if (name.len > BUFFER_NAME_MAX)
        return err_set(e, ERR_LIMIT, "the name of a %s has %zu characters, more than %d", what,
                       name.len, BUFFER_NAME_MAX);
    return 0;
}

static int grow_devices(struct sample_buffer *b, struct err *e)
{
    if (b->n_devices < b->devices_room)
        return 0;
    size_t room = b->devices_room ? b->devices_room * 2 : 64;
    struct device *grown = mem_realloc(b->devices, room * sizeof *grown);
    if (!grown)
        return err_nomem(e);
    b->devices = grown;
    b->devices_room = room;
    return 0;
}

static int add_device(struct sample_buffer *b, const struct io_sample *s, size_t slot,
                      struct err *e)
{
    if (b->n_devices == STORE_DEVICES_MAX)
        return err_set(e, ERR_LIMIT, "more than %d devices in one file", STORE_DEVICES_MAX);
    int rc = check_name(s->device, "device", e);
    if (!rc)
        rc = check_name(s->host, "host", e);
    if (!rc)
        rc = grow_devices(b, e);
    int64_t series_id = 0;
    if (!rc)
        rc = backend_device_series(b->store, s->host, s->device, &series_id, e);
    if (rc)
        return rc;

    char *text = mem_alloc(s->host.len + s->device.len + 1);
    struct store_sample *samples = mem_zalloc(BUFFER_ROOM_MIN, sizeof *samples);
    if (!text || !samples) {
        mem_free(text);
        mem_free(samples);
        return err_nomem(e);
    }
    if (s->host.len)
        memcpy(text, s->host.ptr, s->host.len);
    if (s->device.len)
        memcpy(text + s->host.len, s->device.ptr, s->device.len);

    struct device *d = &b->devices[b->n_devices];
    *d = (struct device){ .host = { text, s->host.len },
                          .name = { text + s->host.len, s->device.len },
                          .text = text,
                          .series_id = series_id,
                          .samples = samples,
                          .room = BUFFER_ROOM_MIN,
                          .summed_to_ms = UNKNOWN };
    hour_init(&d->hour);
    b->room += BUFFER_ROOM_MIN;
    b->slots[slot] = (int32_t)b->n_devices++;
    return 0;
}

static int find_device(struct sample_buffer *b, const struct io_sample *s, struct device **out,
                       struct err *e)
{
    size_t at = b->next;
    if (at >= b->n_devices || !is_device(&b->devices[at], s)) {
        size_t slot = slot_of(b, s);
        int rc = b->slots[slot] == NO_DEVICE ? add_device(b, s, slot, e) : 0;
        if (rc)
            return rc;
        at = (size_t)b->slots[slot];
    }
    b->next = at + 1 < b->n_devices ? at + 1 : 0;
    *out = &b->devices[at];
    return 0;
}

/* --- blocks ------------------------------------------------------------------------------------
 */

static int flush_device(struct sample_buffer *b, struct device *d, struct err *e)
{
    if (d->n == 0)
        return 0;
    int rc = backend_put_block(b->store, d->series_id, d->samples, d->n, e);
    d->n = 0;
    return rc;
}

/* Room for one more: a larger buffer while the bounds allow it, else an empty one. */
static int make_room(struct sample_buffer *b, struct device *d, struct err *e)
{
    if (d->n < d->room)
        return 0;
    size_t room = d->room * 4;
    if (room > STORE_BLOCK_SAMPLES || b->room + room - d->room > BUFFER_SAMPLES_MAX)
        return flush_device(b, d, e);
    struct store_sample *grown = mem_realloc(d->samples, room * sizeof *grown);
    if (!grown)
        return err_nomem(e);
    b->room += room - d->room;
    d->samples = grown;
    d->room = room;
    return 0;
}

static int64_t sane_time(int64_t t_ms)
{
    return t_ms > -time_max_ms && t_ms < time_max_ms ? t_ms : UNKNOWN;
}

static struct store_sample kept(const struct io_sample *s)
{
    int64_t end_ms = sane_time(s->time_ms), begin_ms = UNKNOWN;
    if (end_ms != UNKNOWN && s->interval_s > 0 && s->interval_s * 1000 < (double)time_max_ms)
        begin_ms = sane_time(end_ms - (int64_t)(s->interval_s * 1000 + 0.5));
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
    };
}

/* --- hours -------------------------------------------------------------------------------------
 */

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
static int sum_hours(struct sample_buffer *b, struct device *d, const struct store_sample *s,
                     struct err *e)
{
    if (s->flags || s->begin_ms == UNKNOWN ||
        (double)(s->end_ms - s->begin_ms) > interval_max_s * 1000)
        return 0;
    int64_t begin_ms = s->begin_ms > d->summed_to_ms ? s->begin_ms : d->summed_to_ms;
    if (begin_ms >= s->end_ms)
        return 0;
    d->summed_to_ms = s->end_ms;
    struct hour_target t = { b->store, d->series_id, e };
    return hour_add(&d->hour, begin_ms, s->end_ms, (s->read_kib_per_s + s->write_kib_per_s) / 1024,
                    s->reads_per_s + s->writes_per_s, put_hour, &t);
}

int sample_buffer_add(struct sample_buffer *b, const struct io_sample *sample, struct err *e)
{
    struct device *d = NULL;
    int rc = find_device(b, sample, &d, e);
    if (!rc)
        rc = make_room(b, d, e);
    if (rc)
        return rc;
    d->samples[d->n] = kept(sample);
    return sum_hours(b, d, &d->samples[d->n++], e);
}

int sample_buffer_flush(struct sample_buffer *b, struct err *e)
{
    for (size_t i = 0; i < b->n_devices; i++) {
        struct device *d = &b->devices[i];
        struct hour_target t = { b->store, d->series_id, e };
        int rc = flush_device(b, d, e);
        if (!rc)
            rc = hour_finish(&d->hour, put_hour, &t);
        if (rc)
            return rc;
    }
    return 0;
}
