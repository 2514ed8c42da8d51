/* models/ebs/vol_modify.h - how often a volume may be modified.
 *
 * Size only grows; type, IOPS and throughput change freely.  The price is that of the new
 * configuration from the start of the modification; the change itself is free.
 * Source: EBS User Guide, "Modify a volume" (facts read 2026-08). */
#ifndef MODELS_EBS_VOL_MODIFY_H
#define MODELS_EBS_VOL_MODIFY_H

#include <stdint.h>

struct vol_modify_rule {
    int64_t valid_from_ms; /* UNKNOWN = always before the next */
    int64_t wait_s;        /* between two modifications; 0 = the one before must be complete */
    int64_t in_24_h;       /* most in a rolling day */
    const char *words;
};

const struct vol_modify_rule *vol_modify_rule_at(int64_t time_ms);

#endif
