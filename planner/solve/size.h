/* planner/solve/size.h - the cheapest ways to carry a given need with one disk group.
 *
 * A group is count equal volumes striped evenly, so each carries need / count.  For every
 * allowed (type, count) the cheapest legal spec is found; they are ranked by
 *
 *     rank_usd = total_usd + per_volume_usd * (count - 1)
 *
 * ties: fewer volumes, lower latency class, type name, larger size.  The need is met when,
 * within 1e-9 relative, the group's IOPS carry the counted requests and its throughput the
 * MiB/s, both with headroom.  Bursting types (gp2, st1, sc1) count with their baseline, unless
 * the load over time is given: then what its replay says counts (size_replay.h).
 *
 * Counted requests: SSD max(iops, MiB/s * 4), HDD max(iops, MiB/s); a request of a known
 * size counts ceil(size / cap).  Mirrored writes (copies 2 or 3) multiply the written
 * share of the load, and the size. */
#ifndef PLANNER_SOLVE_SIZE_H
#define PLANNER_SOLVE_SIZE_H

#include "models/core/arena.h"
#include "models/facts/catalogue.h"
#include "planner/demand/load_points.h"

#include <stdbool.h>

enum plan_status {
    PLAN_UNSOLVED, /* zero value */
    PLAN_BEST,     /* proved cheapest */
    PLAN_GOOD,     /* meets the demand, search was cut short */
    PLAN_NONE,     /* proved that nothing meets it: an answer */
};
const char *plan_status_name(enum plan_status s); /* "best", "good", "none" */

/* What can stand in the way of a spec. */
enum ceiling {
    CEILING_NONE,
    CEILING_IOPS,
    CEILING_THROUGHPUT,
    CEILING_SIZE,
    CEILING_LATENCY,     /* the policy asks for a lower latency class */
    CEILING_DURABILITY,  /* the policy asks for more */
    CEILING_TYPES,       /* the type is not allowed */
    CEILING_LAUNCH,      /* the type did not exist on that day */
    CEILING_PRICE,       /* it meets the need and costs more; or is not sold in the region */
    CEILING_ATTACHMENTS, /* of the instance */
    CEILING_INSTANCE_IOPS,
    CEILING_INSTANCE_THROUGHPUT,
    CEILING_EBS_CARD, /* of an instance whose bandwidth lies on several cards */
    CEILING_VCPU,     /* no instance type has as many, with the rest that is asked for */
    CEILING_MEMORY,
    CEILING_WAITS, /* of the database: no figure, see domain of censoring */
};
const char *ceiling_name(enum ceiling c); /* "throughput", "instance_throughput" */

/* Loads as the database issues them, before mirroring and headroom; NaN = not asked for. */
struct size_need {
    double iops, throughput_mibps;
    double io_kib;                          /* size of every request; NaN = unknown */
    double counted_iops, counted_iops_high; /* NaN = derived from the three above */
    int64_t size_gib;                       /* usable */
    double write_pct;                       /* written share of the load; used when copies > 1 */
};

/* The load behind a need, over time, and what of it may wait.  Borrowed; points NULL = not known:
 * only the figures count. */
struct size_load {
    const struct load_points *points;
    double factor;                        /* on its rates: headroom and skew */
    double cap_mibps, cap_iops;           /* what is above is not asked for; infinite = all is */
    double max_throttled_s, max_delay_ms; /* NaN = no such limit */
    bool tolerant; /* something may wait: all types are judged by replay, not only those that burst
                    */
};

struct size_options {
    const struct catalogue *catalogue;
    const char *region;
    int64_t as_of_ms;
    const char *instance_type; /* NULL; decides the io2 era and the Xen caps */
    unsigned types;            /* bit 1 << enum volume_type */
    int64_t min_count, max_count;
    double headroom_pct;
    int copies; /* 1, 2, 3: ASM external, normal, high */
    int64_t per_volume_microusd;
    size_t top;                    /* options to keep; the rest is counted */
    int64_t min_iops;              /* the group's IOPS whatever the load */
    int64_t size_step_gib;         /* sizes are multiples of it */
    double min_durability_pct;     /* NaN = any */
    const char *max_latency_class; /* NULL = any */
    struct size_load load;
};
/* The defaults of INTERFACE.md: gp3 and io2, 1 to 16 volumes, no headroom, top 10. */
void size_options_init(struct size_options *o, const struct catalogue *c, int64_t as_of_ms);

enum { SIZE_NOTES_MAX = 6 };

struct size_option {
    struct volume_spec spec;
    const struct vol_rule *rule;
    double group_max_iops, group_max_throughput_mibps; /* baseline of bursting types */
    enum ceiling binding; /* highest use of the need with headroom; throughput on a tie */
    int64_t total_microusd, rank_microusd;
    double iops_headroom_pct, throughput_headroom_pct, size_headroom_pct; /* above the need */
    const char *latency_class;
    double durability_pct;
    bool bursts;    /* could do more for a while */
    bool by_replay; /* carries the need in replay only: by its bursts, or letting some of it wait */
    const char *risk; /* a sentence */
    const char *notes[SIZE_NOTES_MAX];
    size_t n_notes;
};

/* A spec that lost, one per (type, count) at most: the one that the request rate alone would
 * ask for, or the largest there is, or (CEILING_PRICE) an option beyond the top. */
struct size_rejected {
    struct volume_spec spec;
    enum ceiling ceiling;
    double needed, offered;    /* in the ceiling's unit; NaN where it has none */
    int64_t meets_at_microusd; /* what (type, count) costs when it does meet the need; UNKNOWN =
                                  never */
};

struct size_result {
    enum plan_status status;
    struct size_need need; /* as asked, missing figures derived */
    double load_factor;    /* mirrored writes and headroom */
    /* what the volumes must carry: mirrored, with headroom */
    double need_iops, need_iops_hdd, need_throughput_mibps;
    double counted_iops, counted_iops_high; /* mirrored, without headroom (256 KiB requests) */
    double counted_iops_hdd;                /* the same in 1 MiB requests */
    int64_t need_gib;                       /* mirrored */
    struct size_options options_used;
    int64_t price_as_of_ms;            /* UNKNOWN when nothing was priced */
    const struct size_option *options; /* ranked */
    size_t n_options, n_options_total; /* kept, found */
    const struct size_rejected *rejected;
    size_t n_rejected;
};

/* 0 also when nothing meets the need (status PLAN_NONE).  ERR_USAGE for an unknown region or
 * instance type or a senseless number; ERR_NOMEM.  Everything in *out lives in a. */
int size_solve(const struct size_need *need, const struct size_options *o, struct arena *a,
               struct size_result *out, struct err *e);

/* The cheapest option for each count, max_count + 1 of them, index = count; spec.count 0 =
 * nothing of that count meets the need.  What the attachment knapsack chooses from. */
int size_by_count(const struct size_need *need, const struct size_options *o, struct arena *a,
                  const struct size_option **out, struct err *e);

#endif
