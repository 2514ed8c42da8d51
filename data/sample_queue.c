/* data/sample_queue.c - see sample_queue.h.
 *
 * A ring of batches.  The one behind the last given belongs to the thread that puts, those given
 * and not yet taken to the one that takes.  Why a batch could not be taken stands in it. */
#include "data/sample_queue.h"

#include "data/handover.h"
#include "models/core/mem.h"

#include <pthread.h>
#include <string.h>

/* TUNING: a batch stays in the cache of a core, and is long enough that handing it over costs
 * nothing beside filling it. */
enum { BATCHES = 8, BATCH_SAMPLES = 512, BATCH_NAME_BYTES = 32 * 1024 };

struct batch {
    struct io_sample samples[BATCH_SAMPLES];
    char names[BATCH_NAME_BYTES]; /* which the samples point to */
    size_t n, n_name_bytes;
    struct err why; /* of the thread that takes; code 0 = nothing failed */
};

struct sample_queue {
    sample_take_fn *take;
    void *ctx;
    pthread_t thread;
    struct handover turns;

    /* of the thread that puts */
    size_t n_given, n_checked; /* batches; of the first n_checked it is known what became of them */
    struct err why;            /* code 0 = nothing failed */

    struct batch batches[BATCHES];
};

/* --- the thread that takes ----------------------------------------------------------------------
 */

static int take_batch(const struct sample_queue *q, struct batch *b)
{
    int rc = 0;
    for (size_t i = 0; i < b->n && !rc; i++)
        rc = q->take(q->ctx, &b->samples[i], &b->why);
    b->why.code = rc;
    return rc;
}

static void *taker(void *ctx)
{
    struct sample_queue *q = ctx;
    int rc = 0;
    for (size_t n_taken = 0; handover_wait_given(&q->turns, 1, BATCHES / 2); n_taken++) {
        if (!rc)
            rc = take_batch(q, &q->batches[n_taken % BATCHES]);
        handover_take(&q->turns);
    }
    return NULL;
}

/* --- the thread that puts -----------------------------------------------------------------------
 */

static struct batch *next_batch(struct sample_queue *q)
{
    return &q->batches[q->n_given % BATCHES];
}

static void empty_batch(struct batch *b)
{
    b->n = b->n_name_bytes = 0;
    b->why.code = 0;
}

int sample_queue_open(sample_take_fn *take, void *ctx, struct sample_queue **out, struct err *e)
{
    struct sample_queue *q = mem_alloc(sizeof *q);
    if (!q)
        return err_nomem(e);
    q->take = take;
    q->ctx = ctx;
    q->n_given = q->n_checked = 0;
    q->why.code = 0;
    empty_batch(next_batch(q));
    handover_init(&q->turns);
    if (pthread_create(&q->thread, NULL, taker, q)) {
        handover_release(&q->turns);
        mem_free(q);
        q = NULL;
    }
    *out = q;
    return 0;
}

/* Gives the batch away and waits until no more than `most` are given and not taken. */
static int give(struct sample_queue *q, size_t most, struct err *e)
{
    if (next_batch(q)->n) {
        q->n_given++;
        handover_give(&q->turns);
    }
    handover_wait_taken(&q->turns, most, most / 2);
    for (; q->n_checked + most < q->n_given; q->n_checked++)
        if (!q->why.code)
            q->why = q->batches[q->n_checked % BATCHES].why;
    empty_batch(next_batch(q));
    if (q->why.code && e)
        *e = q->why;
    return q->why.code;
}

static struct span keep_name(struct batch *b, struct span name)
{
    struct span kept = { b->names + b->n_name_bytes, name.len };
    if (name.len)
        memcpy(b->names + b->n_name_bytes, name.ptr, name.len);
    b->n_name_bytes += name.len;
    return kept;
}

int sample_queue_put(struct sample_queue *q, const struct io_sample *s, struct err *e)
{
    size_t n_bytes = s->host.len + s->device.len;
    if (n_bytes > BATCH_NAME_BYTES) { /* in its turn, but here */
        int rc = sample_queue_drain(q, e);
        return rc ? rc : q->take(q->ctx, s, e);
    }
    struct batch *b = next_batch(q);
    if (b->n == BATCH_SAMPLES || b->n_name_bytes + n_bytes > BATCH_NAME_BYTES) {
        int rc = give(q, BATCHES - 1, e);
        if (rc)
            return rc;
        b = next_batch(q);
    }
    struct io_sample *to = &b->samples[b->n];
    *to = *s;
    bool same_host = b->n && span_eq(to[-1].host, s->host);
    to->host = same_host ? to[-1].host : keep_name(b, s->host);
    to->device = keep_name(b, s->device);
    b->n++;
    return 0;
}

int sample_queue_drain(struct sample_queue *q, struct err *e)
{
    return give(q, 0, e);
}

void sample_queue_close(struct sample_queue *q)
{
    if (!q)
        return;
    handover_close(&q->turns);
    pthread_join(q->thread, NULL);
    handover_release(&q->turns);
    mem_free(q);
}
