/* planner/diagnose/group_words.h - what is seen of a group, or of all of them, at one instant. */
#ifndef PLANNER_DIAGNOSE_GROUP_WORDS_H
#define PLANNER_DIAGNOSE_GROUP_WORDS_H

#include "models/ebs/vol_rule.h"
#include "planner/diagnose/disk_frames.h"

/* Provisioned IOPS of the group's volumes together; NaN where a type has none. */
double group_provisioned_iops(const struct group_demand *g);
/* What a volume reaches on a day; all NaN where no rule is known, or its size is not. */
struct vol_limits volume_limits(const struct run *r, const struct volume_spec *v, int64_t time_ms,
                                int64_t since_ms);
/* What a group's volumes carry together; NaN without any. */
struct group_ceiling group_carries(const struct run *r, const struct layout_group *g,
                                   int64_t time_ms);

/* The member with most MiB/s at that instant. */
void see_group(struct run *r, struct draft *d, const struct group_demand *g, int64_t time_ms);
/* The member with most requests. */
void see_group_requests(struct run *r, struct draft *d, const struct group_demand *g,
                        int64_t time_ms);
/* That member. */
void see_group_member(struct run *r, struct draft *d, const struct group_demand *g,
                      const char *name, int64_t time_ms);
/* Of the members of all groups the `shown` with most MiB/s at that instant. */
enum { SEE_ALL = 4, SEE_SOME = 2 };
void see_host(struct run *r, struct draft *d, int64_t time_ms, int shown);
/* The volumes of the layout. */
void see_volumes(struct run *r, struct draft *d, const struct group_demand *g);
/* A neighbour of what the reader left out: the first sample of the group. */
void see_left_out(struct run *r, struct draft *d, const struct group_demand *g);

/* "2022-05-18 10:42"; NULL when memory is out. */
const char *time_words(struct run *r, int64_t time_ms);
/* "14 minutes", "1 minute", below that "30 seconds"; NULL when memory is out. */
const char *minutes_words(struct run *r, double seconds);

#endif
