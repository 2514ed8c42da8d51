/* data/handover.h - whose turn it is at a ring of slots that lies between two threads.
 *
 * The giver fills slots and gives them, the taker takes them in the same order; each counts the
 * slots itself, and knows by its own count which one is next.  What the giver wrote to a slot
 * before handover_give is seen by the taker, and the other way round with handover_take.
 *
 * Waking a thread costs more than a slot's work is worth: who has to wait may therefore wait for
 * several slots.  It does not while the other one waits as well. */
#ifndef DATA_HANDOVER_H
#define DATA_HANDOVER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct handover {
    pthread_mutex_t lock;
    pthread_cond_t given, taken;
    /* under the lock */
    size_t n_between;   /* slots that are given and not yet taken */
    size_t least;       /* of them, that a waiting taker cannot do without */
    size_t enough, few; /* of them, what a waiting taker or giver waits for */
    bool taker_waits, giver_waits, closed;
};

void handover_init(struct handover *h);
void handover_release(struct handover *h);

/* The taker: until `least` slots are there for it; where it has to wait for them, until `enough`
 * are.  False, and at once, when it was closed. */
bool handover_wait_given(struct handover *h, size_t least, size_t enough);
void handover_take(struct handover *h);
/* The giver: until no more than `most` are not yet taken; where it has to wait for that, no more
 * than `few`. */
bool handover_wait_taken(struct handover *h, size_t most, size_t few);
void handover_give(struct handover *h);
/* The other thread need not go on. */
void handover_close(struct handover *h);

#endif
