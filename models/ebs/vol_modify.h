/* models/ebs/vol_modify.h - how often a volume may be modified, how long that takes.
 *
 * Size only grows; type, IOPS and throughput change freely, all in one request.  The price is that
 * of the new configuration from the start of the modification; the change itself is free, and a
 * request cannot be cancelled.  While a volume is `optimizing` it performs between what it was and
 * what it becomes, and no worse than the lesser of the two.
 * Source: EBS User Guide, "Modify a volume" (facts read 2026-08): 6 h between modifications before
 * 2026-01-15; four in a rolling 24 h since, each after the one before is complete. */
#ifndef MODELS_EBS_VOL_MODIFY_H
#define MODELS_EBS_VOL_MODIFY_H

#include "models/facts/catalogue.h"

struct vol_modify_rule {
    int64_t valid_from_ms; /* UNKNOWN = always before the next */
    int64_t wait_s;        /* between two modifications; 0 = the one before must be complete */
    int64_t in_24_h;       /* most in a rolling day */
    const char *words;
};

const struct vol_modify_rule *vol_modify_rule_at(int64_t time_ms);

/* What was done to a volume: when each modification began, ascending, and when the last was
 * complete (UNKNOWN: it is). */
struct vol_modify_history {
    const int64_t *starts_ms;
    size_t n;
    int64_t complete_ms;
};

/* The first time at or after from_ms at which it may be modified once more. */
int64_t vol_modify_next_ms(const struct vol_modify_history *h, int64_t from_ms);
/* Modifications that it takes after one at at_ms without a wait but for that one's completion: of
 * the four of a day what is left; none where the rule is a wait. */
int64_t vol_modify_slots_left(const struct vol_modify_history *before, int64_t at_ms);

/* How long a volume is `optimizing` at most: "a volume of 1 TiB up to about 6 hours", taken in
 * proportion to its size; more than a day where its blocks still come from a snapshot. */
double vol_optimizing_s(int64_t size_gib);

/* What a volume becomes when gp3 is asked for without figures: what gp2 gave, and no less than gp3
 * comes with.  Rules of the day; false where they know no such volume. */
bool vol_modify_to_gp3(const struct catalogue *c, const struct volume_spec *gp2, int64_t as_of_ms,
                       struct volume_spec *out);

#endif
