/* planner/replay/replay_setup.h - ceilings of a replay from volumes, rules of a day, and an
 * instance.
 *
 * Planned volumes are replayed under the rules of one day, today's under those of each sample's
 * day: an era for each day on which something changes. */
#ifndef PLANNER_REPLAY_REPLAY_SETUP_H
#define PLANNER_REPLAY_REPLAY_SETUP_H

#include "models/ec2/instance_caps.h"
#include "models/vocab/layout.h"
#include "planner/replay/replay.h"

/* No ceiling at all. */
struct replay_group replay_group_unknown(void);
struct replay_instance replay_instance_unknown(void);

/* The group whose volumes fill by size, so that each carries size / total of the load, and the
 * hottest skew times that.  What binds first is the group's ceiling; where unequal volumes have
 * buckets, the group has the least of each figure.  Types without a bucket count with what they
 * sustain.  A row without since_ms has always been there; instance_type may be NULL.
 *
 * False and replay_group_unknown where a volume was not there in this form on that day, a figure
 * is missing, or there is none. */
bool replay_group_at(const struct catalogue *c, const struct layout_volumes *rows, size_t n,
                     double skew, const char *instance_type, int64_t time_ms,
                     struct replay_group *out);

/* What a group is replayed on. */
struct replay_volumes {
    const struct layout_volumes *rows;
    size_t n;
    double skew;
    int64_t rules_ms; /* the day whose rules hold; UNKNOWN = of each sample */
};

/* Today's, under the rules of each sample's day. */
struct replay_volumes replay_volumes_of(const struct layout_group *g);

struct replay_instance replay_instance_of(const struct instance_caps *caps, int64_t ebs_cards,
                                          enum replay_burst burst);

/* Sets card_share as if the volumes of all groups, counts[] of them, were dealt out to the cards
 * in turn, the volume the instance boots from first. */
void replay_deal_cards(struct replay_group *groups, const int64_t *counts, size_t n,
                       size_t n_cards);

/* Eras of the groups' volumes over [from_ms, to_ms): 0 s is from_ms.  The instance is the same in
 * all.  ERR_NOMEM. */
int replay_eras(const struct catalogue *c, const struct replay_volumes *groups, size_t n,
                const char *instance_type, const struct replay_instance *instance, int64_t from_ms,
                int64_t to_ms, struct arena *a, const struct replay_era **out, size_t *out_n,
                struct err *e);

#endif
