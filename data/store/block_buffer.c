/* data/store/block_buffer.c - see block_buffer.h. */
#include "data/store/block_buffer.h"

#include "models/core/mem.h"

#include <string.h>
#include <xxhash.h>

enum { NO_SERIES = -1, CACHE_LINE_BYTES = 64 };

struct series {
    char *key; /* the parts one after the other */
    size_t part_end[BLOCK_KEY_PARTS];
    int64_t series_id;
    char *samples;
    size_t n, room;
    size_t full; /* n at which its block is put, at most room */
};

struct block_buffer {
    struct block_buffer_options o;
    struct series *series;
    size_t n_series, series_room;
    size_t next;    /* the series expected next */
    size_t room;    /* of all series together */
    size_t n_slots; /* twice the series, so that probing stays short */
    int32_t *slots; /* index of a series, or NO_SERIES */
};

struct block_buffer *block_buffer_new(const struct block_buffer_options *o)
{
    struct block_buffer *b = mem_zalloc(1, sizeof *b);
    if (!b)
        return NULL;
    b->o = *o;
    b->n_slots = 2 * o->series_max;
    b->slots = mem_zalloc(b->n_slots, sizeof *b->slots);
    if (!b->slots) {
        mem_free(b);
        return NULL;
    }
    block_buffer_clear(b);
    return b;
}

void block_buffer_clear(struct block_buffer *b)
{
    for (size_t i = 0; i < b->n_series; i++) {
        mem_free(b->series[i].key);
        mem_free(b->series[i].samples);
    }
    for (size_t i = 0; i < b->n_slots; i++)
        b->slots[i] = NO_SERIES;
    b->n_series = b->next = b->room = 0;
}

void block_buffer_free(struct block_buffer *b)
{
    if (!b)
        return;
    block_buffer_clear(b);
    mem_free(b->series);
    mem_free(b->slots);
    mem_free(b);
}

size_t block_buffer_count(const struct block_buffer *b)
{
    return b->n_series;
}

int64_t block_buffer_series_id(const struct block_buffer *b, size_t series)
{
    return b->series[series].series_id;
}

/* --- keys --------------------------------------------------------------------------------------
 */

static bool has_key(const struct block_buffer *b, size_t series, const struct span *key)
{
    const struct series *s = &b->series[series];
    size_t at = 0;
    for (size_t i = b->o.key_parts; i-- > 0;) { /* the last part differs most often */
        at = i ? s->part_end[i - 1] : 0;
        size_t len = s->part_end[i] - at;
        if (len != key[i].len || (len && memcmp(s->key + at, key[i].ptr, len) != 0))
            return false;
    }
    return true;
}

/* The slot of the series with this key, or the free one where it belongs. */
static size_t slot_of(const struct block_buffer *b, const struct span *key)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < b->o.key_parts; i++)
        if (key[i].len)
            hash = XXH3_64bits_withSeed(key[i].ptr, key[i].len, hash + i);
    size_t slot = hash % b->n_slots;
    while (b->slots[slot] != NO_SERIES && !has_key(b, (size_t)b->slots[slot], key))
        slot = (slot + 1) % b->n_slots;
    return slot;
}

bool block_buffer_find(struct block_buffer *b, const struct span *key, size_t *out)
{
    size_t at = b->next;
    if (at >= b->n_series || !has_key(b, at, key)) {
        size_t slot = slot_of(b, key);
        if (b->slots[slot] == NO_SERIES)
            return false;
        at = (size_t)b->slots[slot];
    }
    b->next = at + 1 < b->n_series ? at + 1 : 0;
    *out = at;
    return true;
}

static int grow_series(struct block_buffer *b, struct err *e)
{
    struct series *series = mem_room(b->series, b->n_series, 1, &b->series_room, sizeof *series);
    if (!series)
        return err_nomem(e);
    b->series = series;
    return 0;
}

int block_buffer_open(struct block_buffer *b, const struct span *key, int64_t series_id,
                      struct err *e)
{
    int rc = grow_series(b, e);
    if (rc)
        return rc;
    struct series s = { .series_id = series_id, .room = BLOCK_ROOM_MIN, .full = BLOCK_ROOM_MIN };
    size_t len = 0;
    for (size_t i = 0; i < b->o.key_parts; i++) {
        len += key[i].len;
        s.part_end[i] = len;
    }
    s.key = mem_alloc(len + 1);
    s.samples = mem_zalloc(BLOCK_ROOM_MIN, b->o.sample_bytes);
    if (!s.key || !s.samples) {
        mem_free(s.key);
        mem_free(s.samples);
        return err_nomem(e);
    }
    for (size_t i = 0; i < b->o.key_parts; i++)
        if (key[i].len)
            memcpy(s.key + s.part_end[i] - key[i].len, key[i].ptr, key[i].len);
    b->slots[slot_of(b, key)] = (int32_t)b->n_series;
    b->series[b->n_series++] = s;
    b->next = 0;
    b->room += BLOCK_ROOM_MIN;
    return 0;
}

/* --- blocks ------------------------------------------------------------------------------------
 */

static int flush_series(struct block_buffer *b, struct series *s, struct err *e)
{
    if (s->n == 0)
        return 0;
    int rc = b->o.put(b->o.ctx, s->series_id, s->samples, s->n, e);
    s->n = 0;
    s->full = s->room;
    return rc;
}

/* How much earlier than the others a series puts its first whole block.  Without it all devices of
 * a file, which have as many samples, would put theirs at once, and who reads the file would wait
 * for it. */
static size_t head_start(const struct block_buffer *b, const struct series *s)
{
    const size_t golden = 40503, whole = 65536; /* their ratio spreads any number of series */
    size_t most = b->o.block_max / 4 * 3, number = (size_t)(s - b->series);
    return number * golden % whole * most / whole;
}

/* Room for one more: a larger buffer while the bounds allow it, else an empty one. */
static int make_room(struct block_buffer *b, struct series *s, struct err *e)
{
    size_t room = s->room * 4;
    if (room > b->o.block_max || b->room + room - s->room > b->o.samples_max)
        return flush_series(b, s, e);
    char *grown = mem_realloc(s->samples, room * b->o.sample_bytes);
    if (!grown)
        return err_nomem(e);
    b->room += room - s->room;
    s->samples = grown;
    s->room = room;
    s->full = room == b->o.block_max ? room - head_start(b, s) : room;
    return 0;
}

int block_buffer_slot(struct block_buffer *b, size_t series, void **out, struct err *e)
{
    struct series *s = &b->series[series];
    int rc = s->n < s->full ? 0 : make_room(b, s, e);
    if (rc)
        return rc;
    *out = s->samples + b->o.sample_bytes * s->n++;
    /* the turn of the next but one is near, its memory far: without this every sample waits */
    const struct series *next = &b->series[(b->next + 1) % b->n_series];
    for (size_t at = 0; at < b->o.sample_bytes && next->n < next->room; at += CACHE_LINE_BYTES)
        __builtin_prefetch(next->samples + b->o.sample_bytes * next->n + at, 1);
    return 0;
}

int block_buffer_flush(struct block_buffer *b, struct err *e)
{
    int rc = 0;
    for (size_t i = 0; i < b->n_series && !rc; i++)
        rc = flush_series(b, &b->series[i], e);
    return rc;
}
