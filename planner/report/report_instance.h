/* planner/report/report_instance.h - what instance types pass to EBS, or which are the cheapest
 * that carry a need. */
#ifndef PLANNER_REPORT_REPORT_INSTANCE_H
#define PLANNER_REPORT_REPORT_INSTANCE_H

#include "models/core/emit.h"
#include "models/ec2/instance_caps.h"

/* NaN, UNKNOWN, NULL = not asked for. */
struct instance_need {
    double throughput_mb_s, iops, memory_gib;
    int64_t vcpu, volumes;
    const char *arch;
    bool allow_burst; /* the maximum counts, not the baseline */
};

struct instance_question {
    const struct catalogue *catalogue;
    const struct instance_type *const *types; /* to look at; NULL = all that can be launched */
    size_t n_types;
    struct instance_need need;
    enum weighting weighting;
    const char *region; /* hourly prices are known in us-east-1 only */
    size_t top;         /* rows shown of a search */
};

/* 0; ERR_NO without words when none carries the need, which was then said; ERR_USAGE when a named
 * type does not offer the weighting; ERR_NOMEM. */
int report_instance(struct emit *m, const struct instance_question *q, struct arena *a,
                    struct err *e);

#endif
