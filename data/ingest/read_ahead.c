/* data/ingest/read_ahead.c - see read_ahead.h. */
#include "data/ingest/read_ahead.h"

#include "data/handover.h"
#include "models/core/mem.h"

#include <pthread.h>

/* TUNING: what is read is still in the cache of a core when it is used. */
enum { BLOCKS = 24, BLOCK_BYTES = 64 * 1024 };

struct block {
    int64_t n;      /* bytes; 0 = the end, or a negative code */
    struct err why; /* of that code */
    char room[READ_AHEAD_ROOM];
    char bytes[BLOCK_BYTES];
};

struct read_ahead {
    struct source_input in;
    pthread_t thread;
    struct handover turns;
    size_t n_got, n_held; /* by read_ahead_next: blocks, and how many of the last it holds */
    struct block blocks[BLOCKS];
};

static void *reader(void *ctx)
{
    struct read_ahead *r = ctx;
    bool more = true;
    for (size_t i = 0; more && handover_wait_taken(&r->turns, BLOCKS - 1, BLOCKS / 2); i++) {
        struct block *b = &r->blocks[i % BLOCKS];
        b->n = r->in.read(r->in.ctx, b->bytes, sizeof b->bytes, &b->why);
        more = b->n > 0;
        handover_give(&r->turns);
    }
    return NULL;
}

int read_ahead_open(struct source_input in, struct read_ahead **out, struct err *e)
{
    struct read_ahead *r = mem_alloc(sizeof *r);
    if (!r)
        return err_nomem(e);
    r->in = in;
    r->n_got = r->n_held = 0;
    handover_init(&r->turns);
    if (pthread_create(&r->thread, NULL, reader, r)) {
        handover_release(&r->turns);
        mem_free(r);
        r = NULL;
    }
    *out = r;
    return 0;
}

static struct block *last_block(struct read_ahead *r)
{
    return &r->blocks[(r->n_got - 1) % BLOCKS];
}

int64_t read_ahead_next(struct read_ahead *r, char **out, struct err *e)
{
    if (r->n_got == 0 || last_block(r)->n > 0) {
        if (r->n_held == 2) {
            handover_take(&r->turns);
            r->n_held--;
        }
        handover_wait_given(&r->turns, r->n_held + 1, r->n_held + 1);
        r->n_held++;
        r->n_got++;
    }
    struct block *b = last_block(r);
    if (b->n < 0 && e)
        *e = b->why;
    *out = b->bytes;
    return b->n;
}

void read_ahead_close(struct read_ahead *r)
{
    if (!r)
        return;
    handover_close(&r->turns);
    pthread_join(r->thread, NULL);
    handover_release(&r->turns);
    mem_free(r);
}
