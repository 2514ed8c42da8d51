/* data/handover.c - see handover.h.
 *
 * The lock is let go before the other thread is woken, which would else only wait for it. */
#include "data/handover.h"

void handover_init(struct handover *h)
{
    pthread_mutex_init(&h->lock, NULL); /* these three cannot fail on Linux */
    pthread_cond_init(&h->given, NULL);
    pthread_cond_init(&h->taken, NULL);
    h->n_between = h->least = h->enough = h->few = 0;
    h->taker_waits = h->giver_waits = h->closed = false;
}

void handover_release(struct handover *h)
{
    pthread_cond_destroy(&h->taken);
    pthread_cond_destroy(&h->given);
    pthread_mutex_destroy(&h->lock);
}

bool handover_wait_given(struct handover *h, size_t least, size_t enough)
{
    pthread_mutex_lock(&h->lock);
    if (h->n_between < least) {
        h->taker_waits = true;
        h->least = least;
        h->enough = h->giver_waits ? least : enough;
        while (h->n_between < h->enough && !h->closed)
            pthread_cond_wait(&h->given, &h->lock);
        h->taker_waits = false;
    }
    bool open = !h->closed;
    pthread_mutex_unlock(&h->lock);
    return open;
}

bool handover_wait_taken(struct handover *h, size_t most, size_t few)
{
    pthread_mutex_lock(&h->lock);
    if (h->n_between > most) {
        h->giver_waits = true;
        h->few = few;
        if (h->taker_waits) {
            h->enough = h->least;
            pthread_cond_signal(&h->given);
        }
        while (h->n_between > h->few && !h->closed)
            pthread_cond_wait(&h->taken, &h->lock);
        h->giver_waits = false;
    }
    bool open = !h->closed;
    pthread_mutex_unlock(&h->lock);
    return open;
}

void handover_give(struct handover *h)
{
    pthread_mutex_lock(&h->lock);
    h->n_between++;
    bool wake = h->taker_waits && h->n_between >= h->enough;
    pthread_mutex_unlock(&h->lock);
    if (wake)
        pthread_cond_signal(&h->given);
}

void handover_take(struct handover *h)
{
    pthread_mutex_lock(&h->lock);
    h->n_between--;
    bool wake = h->giver_waits && h->n_between <= h->few;
    pthread_mutex_unlock(&h->lock);
    if (wake)
        pthread_cond_signal(&h->taken);
}

void handover_close(struct handover *h)
{
    pthread_mutex_lock(&h->lock);
    h->closed = true;
    pthread_mutex_unlock(&h->lock);
    pthread_cond_signal(&h->given);
    pthread_cond_signal(&h->taken);
}
