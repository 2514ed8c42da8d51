/* data/sample_queue.h - samples on their way to a second thread, so that a file is read while what
 * was read of it is stored.
 *
 * One thread puts, the other takes, in the same order; a few batches lie between them, so that
 * memory is bounded and the faster one waits.  Once a sample could not be taken the later ones are
 * dropped, and every further call returns that error.
 *
 *   sample_queue_open     starts the thread
 *   sample_queue_put      hands over a copy
 *   sample_queue_drain    waits until all was taken; the thread then rests until the next put
 *   sample_queue_close    drops what waits, ends the thread */
#ifndef DATA_SAMPLE_QUEUE_H
#define DATA_SAMPLE_QUEUE_H

#include "models/core/err.h"
#include "models/vocab/io_sample.h"

struct sample_queue;

/* Called in the second thread; ctx is its own until sample_queue_drain has returned. */
typedef int sample_take_fn(void *ctx, const struct io_sample *s, struct err *e);

/* *out is NULL where the system has no thread to give.  ERR_NOMEM. */
int sample_queue_open(sample_take_fn *take, void *ctx, struct sample_queue **out, struct err *e);
int sample_queue_put(struct sample_queue *q, const struct io_sample *s, struct err *e);
int sample_queue_drain(struct sample_queue *q, struct err *e);
void sample_queue_close(struct sample_queue *q); /* NULL does nothing */

#endif
