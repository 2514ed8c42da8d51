/* tests/data/fetch/still_world.h - a world in which nobody sleeps and chance always says 0, and the
 * answer of a transport that a test plays itself. */
#ifndef TESTS_DATA_FETCH_STILL_WORLD_H
#define TESTS_DATA_FETCH_STILL_WORLD_H

#include "data/fetch/http_retry.h"
#include "models/core/unit.h"

static inline void still_sleep(void *ctx, int64_t ms)
{
    (void)ctx, (void)ms;
}

static inline uint64_t still_random(void *ctx)
{
    (void)ctx;
    return 0;
}

static inline struct http_world still_world(void)
{
    return (struct http_world){ .sleep_ms = still_sleep, .random = still_random };
}

/* 200 with this body, kept in a. */
static inline int still_answer(struct span body, struct arena *a, struct http_reply *out,
                               struct err *e)
{
    *out = (struct http_reply){ .status = 200,
                                .body = arena_strndup(a, body.ptr, body.len),
                                .n_bytes = body.len,
                                .retry_after_s = UNKNOWN,
                                .retry_at_ms = UNKNOWN,
                                .date_ms = UNKNOWN };
    return out->body ? 0 : err_nomem(e);
}

#endif
