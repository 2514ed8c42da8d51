/* models/ebs/vol_rule.h - which EBS rule holds when, and what it lets a volume do. */
#ifndef MODELS_EBS_VOL_RULE_H
#define MODELS_EBS_VOL_RULE_H

#include "models/facts/catalogue.h"

/* The rule of a type on a day; NULL before its launch (and where the tables leave a gap).  A type
 * whose launch is older than its rules (gp2, io1, standard) has its first known rule before.  For
 * io2 between 2021-07-19 and 2023-11-20 the era depends on the instance family (instance NULL = not
 * a listed one); between 2023-11-21 and 2025-04-29 on whether the volume was created or modified
 * since then (since_ms UNKNOWN = a new volume). Source: DESIGN.md section 4,
 * io2_block_express_families.csv.
 */
const struct vol_rule *vol_rule_at(const struct catalogue *c, enum volume_type type,
                                   int64_t as_of_ms, const char *instance, int64_t since_ms);

/* First day of a type; UNKNOWN when it has always been there. */
int64_t vol_launch_ms(const struct catalogue *c, enum volume_type type);

/* What one volume of this spec (fields filled, see vol_fill_defaults) can do.  NaN = not
 * applicable. */
struct vol_limits {
    double limit_iops, limit_throughput_mibps; /* the most that may be provisioned at this size */
    double max_iops,
        max_throughput_mibps; /* what this spec is sold to reach; burst maximum of bursting types */
    double baseline_iops,
        baseline_throughput_mibps; /* sustained with an empty bucket; equal max where no bucket
                                      (standard: what its rule gives as sustained) */
    double burst_seconds,
        refill_seconds; /* full bucket to empty at full burst, and back; NaN = no bucket */
};

/* xen: attached to a non-Nitro instance; lowers what is reached, not what may be provisioned. */
struct vol_limits vol_limits(const struct vol_rule *r, const struct volume_spec *v, bool xen);

/* gp3 without figures gets 3 000 IOPS and 125 MiB/s (its rule's included ones). */
void vol_fill_defaults(const struct vol_rule *r, struct volume_spec *v);

/* Why a spec is refused. */
struct vol_problem {
    char text[160];             /* "16 000 IOPS on 4 GiB: at most 500 IOPS per GiB, so 2 000" */
    const char *rule;           /* "iops_per_gib_max", the column of volume_rules.csv */
    int64_t since_ms;           /* day since when it holds; UNKNOWN = always */
    struct volume_spec nearest; /* legal: keeps the asked performance, raises the cheapest other
                                   field; lowers the asked figure only beyond the type's maximum */
};
enum { VOL_PROBLEMS_MAX = 6 };
/* Number of problems written to out; 0 = legal. */
size_t vol_check(const struct vol_rule *r, const struct volume_spec *v,
                 struct vol_problem out[VOL_PROBLEMS_MAX]);

/* What a volume reaches with requests of one size, sustained maximum (burst included). */
enum vol_binding { VOL_BOUND_IOPS, VOL_BOUND_THROUGHPUT };
struct vol_at {
    double iops, throughput_mibps;
    enum vol_binding binding;
};
struct vol_at vol_at_size(const struct vol_rule *r, const struct volume_spec *v, bool xen,
                          double io_kib);

/* 0 "sub-ms", 1 "single-digit ms", 2 "HDD"; -1 for any other name and for NULL. */
int vol_latency_rank(const char *latency_class);
/* The name of that rank; NULL for any other. */
const char *vol_latency_name(int rank);

#endif
