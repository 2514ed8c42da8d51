/* models/core/mem.h - the only caller of malloc.
 *
 * SQLite, cJSON, libcurl and libxml2 are given these functions, so that one
 * counter can make the n-th allocation of the whole program fail. */
#ifndef MODELS_CORE_MEM_H
#define MODELS_CORE_MEM_H

#include <stdatomic.h>
#include <stddef.h>

/* Calls of mem_alloc, mem_zalloc and mem_realloc so far. */
extern atomic_long mem_calls;
/* The call with this number fails, and every later one too; 0 = none fails. */
extern atomic_long mem_fail_at;

/* NULL when memory is out (or n_bytes is 0). mem_free(NULL) does nothing. */
void *mem_alloc(size_t n_bytes);
void *mem_zalloc(size_t n, size_t size); /* n * size zeroed bytes; NULL on overflow */
void *mem_realloc(void *p, size_t n_bytes);
void mem_free(void *p);
/* The array items, of n elements of size bytes with room for *room, with room for `more` besides:
 * where it is full it doubles, and may move.  NULL when memory is out; nothing has changed then. */
void *mem_room(void *items, size_t n, size_t more, size_t *room, size_t size);

/* From now on memory that is freed stays with the process, up to n_bytes: for one that does much
 * the same again and again, whose pages the system would else have to clear each time. */
void mem_keep_freed(size_t n_bytes);

/* Usable size of a block, as SQLite asks for it. */
size_t mem_size(void *p);

#endif
