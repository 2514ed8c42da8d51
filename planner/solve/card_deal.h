/* planner/solve/card_deal.h - odd volumes dealt to the EBS cards of an instance.
 *
 * A group whose number of volumes the cards do not divide has one more on some of them; on which is
 * free.  What a card gets is bounded in two ways, and the lower bound holds:
 *
 *     the even part of the instance's peak, and what groups put on it beyond an even part
 *     the peaks of what lies on it, as if they met
 *
 * Loads are parts of what one card passes, 1 = full.  MB/s and IOPS go with the volume, so one deal
 * has to do for both. */
#ifndef PLANNER_SOLVE_CARD_DEAL_H
#define PLANNER_SOLVE_CARD_DEAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EBS_CARDS_MAX = 16, CARD_ODD_MAX = 128 };

/* Of one card. */
struct card_load {
    double mb_s, iops;             /* even part and what is beyond */
    double peaks_mb_s, peaks_iops; /* sum of peaks */
};

struct card_odd {
    struct card_load each;
    int64_t volumes; /* on as many cards, fewer than there are */
};

struct card_use {
    double use;  /* of the busiest card; at most 1 when some deal is found that does */
    bool proved; /* above 1: no deal does */
};

/* even: on every card already.  At most CARD_ODD_MAX odd.  *steps: how many more to take, lessened
 * by those that were; at 0 nothing more is proved. */
struct card_use card_deal(const struct card_odd *odd, size_t n, struct card_load even,
                          int64_t cards, int64_t *steps);
/* Whether a card is not overloaded, within 1e-9. */
bool card_holds(double use);

#endif
