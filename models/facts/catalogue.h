/* models/facts/catalogue.h - the figures, parsed: volume rules by date, prices, instance types.
 *
 * One immutable struct.  The built-in one is made at build time from the CSV files here by
 * the same parser (facts_parse) that reads a --facts directory at run time.  Rows keep
 * the order of their files; each has its source.  Dates are milliseconds at 00:00 UTC. */
#ifndef MODELS_FACTS_CATALOGUE_H
#define MODELS_FACTS_CATALOGUE_H

#include "models/core/arena.h"
#include "models/core/err.h"
#include "models/vocab/volume.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A corner of a line graph: linear between corners, flat after the last, from (0, 0). */
struct vol_corner {
    double x, mibps;
};
enum { VOL_CORNERS_MAX = 6 };

/* Which volumes a rule is for.  On one day a rule with a condition goes before one without. */
enum rule_condition {
    RULE_ALL,
    RULE_LISTED_FAMILY, /* attached to an instance of a bx_family of that day */
    RULE_UNMODIFIED,    /* created, and not modified since, before the rule's first day */
};

/* The figures that a spec is checked against: fields of vol_rule and columns of volume_rules.csv.
 */
#define VOL_FIGURE_TABLE(X)                                                                        \
    X(FIGURE_MIN_GIB, min_gib)                                                                     \
    X(FIGURE_MAX_GIB, max_gib)                                                                     \
    X(FIGURE_MIN_IOPS, min_iops)                                                                   \
    X(FIGURE_MAX_IOPS, max_iops)                                                                   \
    X(FIGURE_IOPS_PER_GIB_MAX, iops_per_gib_max)                                                   \
    X(FIGURE_INCLUDED_MIBPS, included_mibps) /* also the least that may be provisioned */          \
    X(FIGURE_MAX_MIBPS, max_mibps)                                                                 \
    X(FIGURE_MIBPS_PER_IOPS_MAX, mibps_per_iops_max)                                               \
    X(FIGURE_ONLY_PROVISIONED, only_provisioned)

enum vol_figure {
#define X(name, field) name,
    VOL_FIGURE_TABLE(X)
#undef X
        FIGURE_COUNT
};

/* One volume type over one era: a row of volume_rules.csv.  UNKNOWN/NaN where a type has no such
 * rule. */
struct vol_rule {
    enum volume_type type;
    const char *rule_pack; /* "io2 before Block Express" */
    enum rule_condition condition;
    int64_t valid_from_ms, valid_to_ms; /* last day included; UNKNOWN = open */
    int64_t launched_ms;                /* first day of the type; UNKNOWN = older than its rules */
    int64_t since_ms[FIGURE_COUNT];     /* first day with the same figure; UNKNOWN = always */
    int64_t min_gib, max_gib;
    int64_t min_iops, max_iops;            /* provisioned (gp3, io1, io2) or delivered */
    int64_t iops_per_gib_max;              /* ratio; UNKNOWN = none */
    int64_t included_iops, included_mibps; /* free with every volume (gp3) */
    int64_t max_mibps;
    double mibps_per_iops_max; /* gp3: throughput that may be provisioned per IOPS */
    struct vol_corner mibps_by_iops[VOL_CORNERS_MAX]; /* io1, io2 */
    size_t n_mibps_by_iops;
    /* gp2: baseline_iops_per_gib with floor min_iops, cap max_iops, burst_iops from io_credits */
    double baseline_iops_per_gib;
    int64_t burst_iops, io_credits;
    int64_t small_gib, small_mibps; /* gp2: up to small_gib the cap is small_mibps */
    /* standard: what AWS gives as average, and as the low end; max_* are the high end */
    double sustained_iops, sustained_mibps;
    /* st1, sc1: MiB/s per TiB; bucket of 1 TiB per TiB */
    double base_mibps_per_tib, burst_mibps_per_tib, max_base_mibps;
    int64_t io_cap_kib;        /* largest request that counts as one */
    double durability_pct;     /* the lower figure printed; NaN where none is stated */
    const char *latency_class; /* a name of vol_latency_rank; NULL where none is stated */
    bool only_provisioned;     /* takes IOPS and cannot do without (io1, io2) */
    int64_t xen_max_iops;      /* reached on a Xen instance; UNKNOWN = no such cap */
    double xen_max_mibps;
    int64_t as_of_ms; /* when the source was read */
    const char *source;
};

enum price_component {
    PRICE_STORAGE,    /* per GiB-month */
    PRICE_IOPS,       /* per IOPS-month, in tiers per volume */
    PRICE_THROUGHPUT, /* per MiB/s-month above what is included */
    PRICE_REQUESTS,   /* per request */
    PRICE_COMPONENT_COUNT
};

extern const char *const price_component_words[PRICE_COMPONENT_COUNT]; /* "iops_month" */

/* 10^-12 USD a month (per request for PRICE_REQUESTS): unit prices are exact. */
struct price {
    const char *region;
    enum volume_type type;
    enum price_component component;
    int64_t tier_from, tier_to; /* exclusive, inclusive; UNKNOWN = no end */
    int64_t picousd;
    int64_t as_of_ms;
    const char *source;
};

struct instance_type {
    const char *name;
    int64_t vcpu, memory_mib;       /* UNKNOWN where not published, so below */
    const char *hypervisor, *arch;  /* nitro|xen|metal, x86_64|arm64 */
    const char *ebs_optimized;      /* default|supported|unsupported */
    double baseline_mb_s, max_mb_s; /* decimal MB/s; NaN */
    int64_t baseline_mbps, max_mbps, baseline_iops, max_iops;
    int64_t max_ebs_attachments;
    const char *attachment_kind; /* shared|dedicated; NULL */
    int64_t ebs_cards;
    bool burst; /* baseline below maximum; false also where no figures are published */
    bool nitro_system, in_latest_api;
    int current_generation;         /* 1, 0; -1 where not stated */
    int64_t instance_store_volumes; /* 0 = none; UNKNOWN when only "yes" is known */
    int64_t hourly_picousd;         /* Linux On-Demand us-east-1; UNKNOWN */
    int64_t as_of_ms;
    const char *source;
};

struct bandwidth_weighting {
    const char *instance_type;
    int64_t default_baseline_mbps, default_burst_mbps;
    int64_t vpc1_baseline_mbps, vpc1_burst_mbps;
    int64_t ebs1_baseline_mbps, ebs1_burst_mbps;
    int64_t as_of_ms;
    const char *source;
};

/* An instance family on which io2 was Block Express before 2023-11-21. */
struct bx_family {
    const char *family; /* "r5b" */
    int64_t valid_from_ms, valid_to_ms;
    const char *source;
};

/* What all volumes of a type in an account and Region may add up to before AWS is asked. */
struct region_quota {
    enum volume_type type;
    int64_t max_iops, max_gib; /* provisioned; UNKNOWN = none stated */
    int64_t as_of_ms;
    const char *source;
};

/* What AWS sells beside volumes.  region NULL: the page gives an example Region. */
struct service_price {
    const char *service; /* a name of service_price.h */
    const char *region;
    int64_t minimum; /* least that is charged, in the service's unit; UNKNOWN = none stated */
    int64_t picousd; /* 10^-12 USD per unit, which ends the service's name */
    int64_t as_of_ms;
    const char *source;
};

/* A usage type of bills, without its region. */
struct usage_type {
    const char *name;               /* "EBS:VolumeP-IOPS.io2.tier2" */
    const char *what;               /* "io2 IOPS from 32 001 to 64 000" */
    enum volume_type type;          /* VOL_TYPE_COUNT: of no volume */
    enum price_component component; /* PRICE_COMPONENT_COUNT likewise */
    int64_t tier_from;              /* of the price; UNKNOWN likewise */
    const char *service;            /* of a service_price; NULL = none */
    const char *unit;               /* as reports write it; NULL = not known */
    int64_t as_of_ms;
    const char *source;
};

/* What stands before a usage type: "EU" for eu-west-1; nothing for us-east-1. */
struct billing_code {
    const char *prefix, *region;
    int64_t as_of_ms;
    const char *source;
};

struct catalogue {
    const struct vol_rule *rules;
    size_t n_rules;
    const struct price *prices;
    size_t n_prices;
    const struct instance_type *instances; /* sorted by name */
    size_t n_instances;
    const struct bandwidth_weighting *weightings; /* sorted by instance_type */
    size_t n_weightings;
    const struct bx_family *bx_families;
    size_t n_bx_families;
    const struct region_quota *quotas; /* one a type */
    size_t n_quotas;
    const struct service_price *services;
    size_t n_services;
    const struct usage_type *usage_types;
    size_t n_usage_types;
    const struct billing_code *billing_codes;
    size_t n_billing_codes;
    int64_t instances_as_of_ms; /* the newest of their rows */
};

extern const struct catalogue builtin_catalogue;

/* The files of a facts directory; ptr NULL = not given: the rows of `fallback` are used, or
 * ERR_PARSE where there is no fallback. */
enum facts_file {
    FACTS_VOLUME_RULES,
    FACTS_PRICES,
    FACTS_INSTANCES,
    FACTS_WEIGHTING,
    FACTS_BX_FAMILIES,
    FACTS_REGION_QUOTAS,
    FACTS_SERVICE_PRICES,
    FACTS_USAGE_TYPES,
    FACTS_BILLING_CODES,
    FACTS_FILE_COUNT
};
extern const char *const facts_file_names[FACTS_FILE_COUNT]; /* "volume_rules.csv", ... */

/* Parses; rows live in a (or in fallback).  Errors: ERR_PARSE with file, line, column, value,
 * expectation; ERR_LIMIT for more rows than any such file has; ERR_NOMEM. */
int facts_parse(const struct span files[FACTS_FILE_COUNT], const struct catalogue *fallback,
                struct arena *a, struct catalogue *out, struct err *e);

/* The rows of FACTS_PRICES or FACTS_INSTANCES as the text that facts_parse reads back; in a.
 * ERR_NOMEM. */
int facts_format(enum facts_file file, const void *rows, size_t n, struct arena *a,
                 struct span *out, struct err *e);

/* NULL when there is no such type. */
const struct instance_type *instance_find(const struct catalogue *c, struct span name);
bool region_known(const struct catalogue *c, const char *region);

#endif
