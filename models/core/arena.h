/* models/core/arena.h - memory that is released all at once.
 *
 * One arena per command and thread.  What a parser, a demand, a plan or a
 * report points to lives here; nobody frees single pieces. */
#ifndef MODELS_CORE_ARENA_H
#define MODELS_CORE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena_block;
struct arena {
    struct arena_block *top, *spare;
}; /* = {0} is a valid, empty arena */

/* n_bytes zeroed bytes aligned for any type; NULL when memory is out. */
void *arena_alloc(struct arena *a, size_t n_bytes);
/* n elements of size bytes each; NULL when memory is out or n * size overflows. */
void *arena_array(struct arena *a, size_t n, size_t size);
/* A grown copy of old (n_old elements) with room for n_new; the old bytes stay valid. */
void *arena_grow(struct arena *a, const void *old, size_t n_old, size_t n_new, size_t size);
/* Copies; NULL when memory is out. */
char *arena_strndup(struct arena *a, const char *s, size_t len);
char *arena_strdup(struct arena *a, const char *s);
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *a, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));

/* Takes over all that the other one holds, which is then empty. */
void arena_adopt(struct arena *a, struct arena *from);
/* Empties it and keeps the memory for what is allocated next: for work that repeats. */
void arena_reuse(struct arena *a);
/* Frees everything; the arena is then empty and may be used again. */
void arena_release(struct arena *a);

#endif
