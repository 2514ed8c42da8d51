/* planner/solve/plan.h - volumes for all disk groups of a system, and the verdict on its
 * instance.
 *
 * Every group is sized at its peak with headroom (size.h); groups meet in the attachment
 * limit of the instance, where an exact knapsack over counts chooses.  A censored peak is
 * planned at its lower bound.  The instance is held against its baseline caps. */
#ifndef PLANNER_SOLVE_PLAN_H
#define PLANNER_SOLVE_PLAN_H

#include "models/ec2/instance_caps.h"
#include "models/oracle/log_switch.h"
#include "planner/demand/system_demand.h"
#include "planner/diagnose/finding.h"
#include "planner/solve/size.h"

struct plan_options {
    const struct catalogue *catalogue;
    const char *region; /* NULL = the layout's, else us-east-1 */
    int64_t as_of_ms, today_ms;
    const char *instance_type; /* NULL = the layout's */
    /* The cheapest type that carries it all instead (instance_auto.h), with at least: */
    bool instance_auto;
    int64_t vcpu, memory_mib; /* UNKNOWN = as the layout's instance */
    const char *arch;         /* NULL = as the layout's instance */
    enum weighting weighting; /* WEIGHTING_DEFAULT and not fixed: ebs-1 too where it helps */
    bool weighting_fixed;
    double headroom_pct;
    /* What is sized for instead of the maximum; NaN = not asked for.  A percentile of the load by
     * time, or what may wait in replay of the load with headroom; not both. */
    double percentile, max_throttled_s, max_delay_ms;
    bool figures_only; /* neither under_today nor peak_price nor what waits today */
    unsigned types;    /* 0 = the group's policy, else gp3 and io2 */
    int64_t per_volume_microusd;
    size_t top;
};
/* The defaults of INTERFACE.md: headroom 20, 5 USD a volume, top 10, as of today. */
void plan_options_init(struct plan_options *o, const struct catalogue *c, int64_t today_ms);
/* Whether both ask for the same plan of a demand. */
bool plan_options_alike(const struct plan_options *x, const struct plan_options *y);

/* Today's volumes of a group, under the rules of the plan's day. */
struct plan_today {
    bool known;
    bool mixed; /* several types: the layout's volumes say which, spec.type is VOL_TYPE_COUNT */
    struct volume_spec spec; /* UNKNOWN in fields where the volumes differ; count is the sum */
    double group_max_iops, group_max_throughput_mibps;
    enum ceiling binding; /* highest use by the measured demand */
    int64_t total_microusd, rank_microusd;
    bool carries; /* the demand with headroom */
    /* Replay of what was measured on them, on the layout's instance and without headroom; NaN. */
    double throttled_s;
};

struct plan_step {
    struct size_option option;
    double carries_mibps;
    const char *stop_when;
};

/* The measured load through the chosen volumes of a group alone, full at the start: as measured,
 * and with headroom (and above a percentile that was planned for, all of it). */
struct plan_replay {
    bool known;
    double throttled_s, worst_delay_ms;
    double headroom_throttled_s, headroom_worst_delay_ms;
    /* As measured; NaN without a bucket.  Below 100 at the end: day after day they would not last.
     */
    double lowest_credits_pct, end_credits_pct;
};

struct plan_other; /* planner/solve/plan_others.h */

struct plan_group {
    const struct layout_group *group;
    const struct group_demand *demand;
    struct size_result size;   /* options ranked, rejected: today's volumes and types not allowed
                                  come first */
    struct size_option chosen; /* spec.count 0 = none */
    bool kept; /* chosen are today's volumes, by policy or for want of a measurement */
    bool lower_bound;
    struct plan_today today;
    const struct plan_step *steps_up;
    size_t n_steps_up;
    struct plan_replay replay;
    const struct plan_other *others; /* by plan_others_add, else NULL */
    size_t n_others;
};

/* A plan that no other of the front beats in price, headroom and number of volumes together
 * (plan_pareto.h). */
struct plan_point {
    double headroom_pct; /* least of IOPS and MiB/s over the measured groups that are not kept */
    int64_t count;       /* volumes of all groups */
    int64_t total_microusd, rank_microusd;
    const struct size_option *options; /* one a group; spec.count 0 = kept as it is */
};

enum instance_verdict { INSTANCE_UNKNOWN, INSTANCE_FITS, INSTANCE_TOO_SMALL, INSTANCE_BURST };

/* A demand above the baseline of an instance, with headroom, replayed under either bound of its
 * burst (replay.h).  The verdict is INSTANCE_BURST when nothing waits under the lower one. */
struct plan_burst {
    bool known;
    double minutes_throttled_s, credits_throttled_s; /* lower bound, upper bound of the burst */
    double over_baseline_s;                          /* demand with headroom above the baseline */
};

struct plan_instance {
    const struct instance_type *type; /* NULL = not known */
    struct instance_caps caps;
    enum instance_verdict verdict;
    enum ceiling ceiling;            /* the one exceeded, or with the highest use */
    double demand_mb_s, demand_iops; /* peak of the sum, without headroom */
    enum grade grade;
    bool lower_bound;
    enum weighting weighting; /* that caps are those of */
    double card_use;          /* of the busiest EBS card, 1 = full; NaN with one card */
    bool spread;         /* groups have other numbers of volumes than is cheapest, for the cards */
    int64_t attachments; /* volumes of the plan and the root volume */
    int64_t monthly_microusd; /* 730 h; UNKNOWN outside us-east-1 */
    struct plan_burst burst;
    /* When too small, else false and NULL: whether the same type does with weighting ebs-1; the
     * cheapest type of the same architecture with no less vCPU and memory that fits, of
     * its family and of all. */
    bool ebs_1_fits;
    const struct instance_type *larger_of_family, *larger;
    /* Of --instance auto: types that were looked at, and what choosing it cost in the ranking. */
    bool automatic;
    size_t n_tried, n_pruned; /* priced with their volumes; dearer than the bound */
    int64_t objective_microusd;
};

/* What a group of an Oracle database carries on average, and, where it holds logs, how long one
 * lasts and how long its archiving takes on the planned volumes.  NaN = not known. */
struct plan_redo_group {
    double average_read_mibps, average_write_mibps;
    bool holds_logs; /* and the redo rate is known; else nothing below */
    double redo_mibps, peak_redo_mibps;
    struct log_switch average, peak;
};

/* What not planning for the maximum saves, and what then waits: against the plan for it. */
struct plan_peak_price {
    bool known;
    double percentile; /* 99 unless another was asked for; NaN = a tolerance was */
    int64_t saving_microusd;
    double throttled_s; /* any group, of the load as measured */
};

struct redo_path;   /* planner/whatif/redo_path.h */
struct plan_phases; /* planner/whatif/plan_phases.h */

struct plan {
    const char *system, *region;
    enum plan_status status;
    int64_t as_of_ms, price_as_of_ms;
    double headroom_pct;
    const struct system_demand *demand;
    struct plan_options options_used;
    const struct plan_group *groups;
    size_t n_groups;
    struct plan_instance instance;
    /* When status is PLAN_NONE. */
    struct {
        const char *group;
        enum ceiling ceiling;
        double demand, offered;
        /* Of a group: the one that comes nearest, and what it lacks; others lack other things, and
         * may have more of this.  count 0 = no such figure, or a host: nothing offers more. */
        struct volume_spec nearest;
    } certificate;
    int64_t total_microusd, today_microusd; /* UNKNOWN when a group has none */
    const struct finding *findings;
    size_t n_findings;
    const struct plan_point *pareto; /* cheapest first; by plan_pareto_add, else NULL */
    size_t n_pareto;
    struct plan_peak_price peak_price;
    /* By planner/whatif; else NULL. */
    const struct redo_path *redo;
    const struct plan_phases *phases;
    const struct plan_redo_group *redo_groups; /* one a group */
    const struct plan_other *others; /* of volumes that no group names; by plan_others_add */
    size_t n_others;
    const struct plan *under_today; /* the same under the rules of today_ms when as_of_ms is
                                       another day; else NULL */
};

/* 0 also when the status is PLAN_NONE.  ERR_USAGE for a group whose size nobody gave, an
 * unknown instance type or region; ERR_NOMEM.  Everything in *out lives in a, or is borrowed. */
int plan_build(const struct system_demand *d, const struct plan_options *o, struct arena *a,
               struct plan *out, struct err *e);

#endif
