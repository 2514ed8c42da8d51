/* planner/solve/card_counts.h - the cheapest numbers of volumes with which no EBS card is
 * overloaded.
 *
 * What is cheapest for each group may leave an odd volume on one card.  The counts of all groups
 * are then searched together: exactly, unless the search gets too long (CARD_COUNTS_TRIED). */
#ifndef PLANNER_SOLVE_CARD_COUNTS_H
#define PLANNER_SOLVE_CARD_COUNTS_H

#include "planner/solve/attachments.h"
#include "planner/solve/host_need.h"

/* TUNING: sums of counts, and volumes dealt to cards, before the search gives up. */
enum { CARD_COUNTS_TRIED = 1 << 15, CARD_STEPS = 1 << 20 };

struct card_question {
    const struct system_demand *demand;
    const struct host_need *need;
    const struct instance_type *type; /* of several cards */
    const struct instance_caps *caps;
    const struct free_groups *groups;
    int64_t slots; /* for them */
    int64_t tried; /* CARD_COUNTS_TRIED */
};

struct card_counts {
    const struct size_option **chosen; /* one a free group; NULL = none were found */
    int64_t rank_microusd;             /* their sum */
    bool proved;                       /* that nothing is cheaper, or that nothing does */
};

/* Ties: fewer volumes.  ERR_NOMEM; everything in *out lives in a, or is borrowed. */
int card_counts_find(const struct card_question *q, struct arena *a, struct card_counts *out,
                     struct err *e);

/* What each group has when it is kept; a free one has no volumes yet.  specs: one a group. */
void card_kept_specs(const struct system_demand *d, const struct free_groups *f,
                     struct volume_spec *specs);

#endif
