/* data/sample_queue.c - see sample_queue.h.
 *
 * A ring of batches.  The one behind the last given belongs to the thread that puts, those given
 * and not yet taken to the one that takes; only the two counts and the error are shared. */
#include "data/sample_queue.h"

#include "models/core/mem.h"

#include <pthread.h>
#include <string.h>

/* TUNING: a batch stays in the cache of a core, and is long enough that handing it over costs
 * nothing beside filling it. */
enum { BATCHES = 4, BATCH_SAMPLES = 512, BATCH_NAME_BYTES = 32 * 1024 };

struct batch {
    struct io_sample samples[BATCH_SAMPLES];
    char names[BATCH_NAME_BYTES]; /* which the samples point to */
    size_t n, n_name_bytes;
};

struct sample_queue {
    sample_take_fn *take;
    void *ctx;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* under the lock */
    size_t n_given, n_taken; /* batches */
    bool closing;
    struct err why; /* code 0 = nothing failed */

    struct batch batches[BATCHES];
};

/* --- the thread that takes ----------------------------------------------------------------------
 */

static void take_batch(const struct sample_queue *q, const struct batch *b, struct err *why)
{
    int rc = 0;
    for (size_t i = 0; i < b->n && !rc; i++)
        rc = q->take(q->ctx, &b->samples[i], why);
    why->code = rc;
}

static void *taker(void *ctx)
{
    struct sample_queue *q = ctx;
    pthread_mutex_lock(&q->lock);
    for (;;) {
        while (q->n_taken == q->n_given && !q->closing)
            pthread_cond_wait(&q->changed, &q->lock);
        if (q->closing)
            break;
        if (!q->why.code) {
            const struct batch *b = &q->batches[q->n_taken % BATCHES];
            struct err why = { 0 };
            pthread_mutex_unlock(&q->lock);
            take_batch(q, b, &why);
            pthread_mutex_lock(&q->lock);
            q->why = why;
        }
        q->n_taken++;
        pthread_cond_broadcast(&q->changed);
    }
    pthread_mutex_unlock(&q->lock);
    return NULL;
}

/* --- the thread that puts -----------------------------------------------------------------------
 */

int sample_queue_open(sample_take_fn *take, void *ctx, struct sample_queue **out, struct err *e)
{
    struct sample_queue *q = mem_alloc(sizeof *q);
    if (!q)
        return err_nomem(e);
    q->take = take;
    q->ctx = ctx;
    q->n_given = q->n_taken = 0;
    q->closing = false;
    q->why = (struct err){ 0 };
    q->batches[0].n = q->batches[0].n_name_bytes = 0;
    pthread_mutex_init(&q->lock, NULL); /* these two cannot fail on Linux */
    pthread_cond_init(&q->changed, NULL);
    if (pthread_create(&q->thread, NULL, taker, q)) {
        pthread_cond_destroy(&q->changed);
        pthread_mutex_destroy(&q->lock);
        mem_free(q);
        q = NULL;
    }
    *out = q;
    return 0;
}

/* Gives the batch away and waits until no more than `most` are given and not taken. */
static int give(struct sample_queue *q, size_t most, struct err *e)
{
    pthread_mutex_lock(&q->lock);
    if (q->batches[q->n_given % BATCHES].n) {
        q->n_given++;
        pthread_cond_broadcast(&q->changed);
    }
    while (q->n_given - q->n_taken > most)
        pthread_cond_wait(&q->changed, &q->lock);
    struct batch *next = &q->batches[q->n_given % BATCHES];
    next->n = next->n_name_bytes = 0;
    int rc = q->why.code;
    if (rc && e)
        *e = q->why;
    pthread_mutex_unlock(&q->lock);
    return rc;
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
    /* n_given changes in this thread alone, and what was not given is its own */
    struct batch *b = &q->batches[q->n_given % BATCHES];
    if (b->n == BATCH_SAMPLES || b->n_name_bytes + n_bytes > BATCH_NAME_BYTES) {
        int rc = give(q, BATCHES - 1, e);
        if (rc)
            return rc;
        b = &q->batches[q->n_given % BATCHES];
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
    pthread_mutex_lock(&q->lock);
    q->closing = true;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
    pthread_join(q->thread, NULL);
    pthread_cond_destroy(&q->changed);
    pthread_mutex_destroy(&q->lock);
    mem_free(q);
}
