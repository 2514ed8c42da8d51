/* models/core/mem.c - see mem.h.  No other file may call malloc. */
#include "models/core/mem.h"

#include <limits.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

atomic_long mem_calls;
atomic_long mem_fail_at;

static bool must_fail(void)
{
    long n = atomic_fetch_add(&mem_calls, 1) + 1;
    long at = atomic_load(&mem_fail_at);
    return at > 0 && n >= at;
}

void *mem_alloc(size_t n_bytes)
{
    if (must_fail() || n_bytes == 0)
        return NULL;
    return malloc(n_bytes);
}

void *mem_zalloc(size_t n, size_t size)
{
    if (must_fail() || n == 0 || size == 0)
        return NULL;
    return calloc(n, size);
}

void *mem_realloc(void *p, size_t n_bytes)
{
    if (must_fail() || n_bytes == 0)
        return NULL;
    return realloc(p, n_bytes);
}

void mem_free(void *p)
{
    free(p);
}

void *mem_room(void *items, size_t n, size_t more, size_t *room, size_t size)
{
    enum { ROOM_MIN = 64 };
    if (items && more <= *room - n)
        return items;
    size_t most = SIZE_MAX / 2 / size;
    if (more > most || n > most - more)
        return NULL;
    size_t wanted = 2 * *room > n + more ? 2 * *room : n + more;
    if (wanted < ROOM_MIN)
        wanted = ROOM_MIN;
    void *grown = mem_realloc(items, wanted * size);
    if (grown)
        *room = wanted;
    return grown;
}

void mem_keep_freed(size_t n_bytes)
{
    mallopt(M_TRIM_THRESHOLD, n_bytes < INT_MAX ? (int)n_bytes : INT_MAX);
    mallopt(M_MMAP_MAX, 0); /* a mapping of its own is given back whole */
}

size_t mem_size(void *p)
{
    return p ? malloc_usable_size(p) : 0;
}
