/* planner/solve/card_deal.h - odd volumes dealt to the EBS cards of an instance.
 *
 * A group whose number of volumes the cards do not divide has one more on some of them; on which is
 * free.  Loads are parts of what one card passes, 1 = full: MB/s and IOPS go with the volume, so
 * one deal has to do for both. */
#ifndef PLANNER_SOLVE_CARD_DEAL_H
#define PLANNER_SOLVE_CARD_DEAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EBS_CARDS_MAX = 16, CARD_ODD_MAX = 128 };

/* Of one card, or beyond what the others have. */
struct card_share {
    double mb_s, iops;
};

struct card_odd {
    struct card_share each;
    int64_t volumes; /* on as many cards, fewer than there are */
};

struct card_use {
    double use;  /* of the busiest card; at most 1 when some deal is found that does */
    bool proved; /* above 1: no deal does */
};

/* even: on every card already.  At most CARD_ODD_MAX odd.  *steps: how many more to take, lessened
 * by those that were; at 0 nothing more is proved. */
struct card_use card_deal(const struct card_odd *odd, size_t n, struct card_share even,
                          int64_t cards, int64_t *steps);
/* Whether a card is not overloaded, within 1e-9. */
bool card_holds(double use);

#endif
