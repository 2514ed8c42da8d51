/* models/core/arena.c - see arena.h.
 *
 * Blocks form a stack; the newest has the free room.  A request larger than a
 * block gets one of its own below the top, so that the top's room is kept. */
#include "models/core/arena.h"

#include "models/core/mem.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { ALIGN = alignof(max_align_t), FIRST_BLOCK = 4096, LARGEST_BLOCK = 1 << 20 };

struct arena_block {
    struct arena_block *below;
    size_t used, room;
    alignas(max_align_t) unsigned char bytes[];
};

/* The first spare block that is large enough and not wasted on so little, taken out; NULL. */
static struct arena_block *take_spare(struct arena *a, size_t room)
{
    for (struct arena_block **at = &a->spare; *at; at = &(*at)->below) {
        struct arena_block *b = *at;
        if (b->room < room || b->room / 2 > room)
            continue;
        *at = b->below;
        return b;
    }
    return NULL;
}

static struct arena_block *block_new(struct arena *a, size_t room)
{
    if (room > SIZE_MAX - sizeof(struct arena_block))
        return NULL;
    struct arena_block *b = take_spare(a, room);
    size_t has = b ? b->room : room;
    if (!b)
        b = mem_alloc(sizeof *b + room);
    if (b)
        *b = (struct arena_block){ .room = has };
    return b;
}

static size_t next_room(const struct arena *a)
{
    if (!a->top)
        return FIRST_BLOCK;
    size_t room = a->top->room * 2;
    return room > LARGEST_BLOCK ? LARGEST_BLOCK : room;
}

void *arena_alloc(struct arena *a, size_t n_bytes)
{
    if (n_bytes > SIZE_MAX - ALIGN)
        return NULL;
    size_t n = (n_bytes + ALIGN - 1) / ALIGN * ALIGN;
    if (n == 0)
        n = ALIGN;

    struct arena_block *b = a->top;
    if (!b || b->room - b->used < n) {
        size_t room = next_room(a);
        b = block_new(a, n > room / 2 ? n : room);
        if (!b)
            return NULL;
        if (a->top && n > room / 2) {
            b->below = a->top->below;
            a->top->below = b;
        } else {
            b->below = a->top;
            a->top = b;
        }
    }
    void *p = b->bytes + b->used;
    b->used += n;
    return memset(p, 0, n);
}

void *arena_array(struct arena *a, size_t n, size_t size)
{
    if (size && n > SIZE_MAX / size)
        return NULL;
    return arena_alloc(a, n * size);
}

void *arena_grow(struct arena *a, const void *old, size_t n_old, size_t n_new, size_t size)
{
    void *p = arena_array(a, n_new, size);
    if (p && n_old)
        memcpy(p, old, n_old * size);
    return p;
}

char *arena_strndup(struct arena *a, const char *s, size_t len)
{
    if (len == SIZE_MAX)
        return NULL;
    char *p = arena_alloc(a, len + 1);
    if (p && len)
        memcpy(p, s, len);
    return p;
}

char *arena_strdup(struct arena *a, const char *s)
{
    return arena_strndup(a, s, strlen(s));
}

char *arena_vprintf(struct arena *a, const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    char *p = n < 0 ? NULL : arena_alloc(a, (size_t)n + 1);
    if (p)
        vsnprintf(p, (size_t)n + 1, fmt, again);
    va_end(again);
    return p;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *p = arena_vprintf(a, fmt, ap);
    va_end(ap);
    return p;
}

void arena_adopt(struct arena *a, struct arena *from)
{
    struct arena_block **end = a->top ? &a->top->below : &a->top, *rest = *end;
    *end = from->top;
    while (*end)
        end = &(*end)->below;
    *end = rest;
    from->top = NULL;
    arena_release(from);
}

void arena_reuse(struct arena *a)
{
    while (a->top) {
        struct arena_block *b = a->top;
        a->top = b->below;
        b->below = a->spare;
        a->spare = b;
    }
}

void arena_release(struct arena *a)
{
    arena_reuse(a);
    while (a->spare) {
        struct arena_block *below = a->spare->below;
        mem_free(a->spare);
        a->spare = below;
    }
}
