/* planner/change/change.h - the way from today's volumes to a plan: dated, ordered steps.
 *
 * Each group that changes has up to seven ways (CHANGE_TABLE).  Ways of the whole system follow
 * from them: one for each kind that some group has, in which each group takes that kind where it
 * can, else its own best, and one in which each takes its best.  Best first: the least price in the
 * end, then those that never stop the database, then the least that moves, then the shortest.
 *
 * The calendar.  Groups are moved one after another, since rebalances share the instance; volumes
 * that are modified in place do not wait for each other.  A modification begins as soon as the
 * rule of its day lets it (vol_modify.h), counted from what was done to the volume before.
 * Moving takes what the measured load leaves (change_window.h); without a start of its own a way
 * begins at the full hour (UTC) at which it is over soonest.  What a person has to do has no
 * duration: it counts as 0 in the calendar and is null in the answer.
 *
 * Overlap: what is paid above the price in the end from the creation of the new volumes until
 * everything has moved.
 *
 * Limits of knowledge: that disk groups are ASM's is taken from the roles (data, redo, archive,
 * temp); how the database slows the rebalance below what volumes and instance leave, and how a
 * power limit does, is not known: times are the least. */
#ifndef PLANNER_CHANGE_CHANGE_H
#define PLANNER_CHANGE_CHANGE_H

#include "models/core/unit.h"
#include "models/ec2/instance_caps.h"
#include "planner/demand/system_demand.h"

/* X(name, its name, what it is, changes without stopping the database) */
#define CHANGE_TABLE(X)                                                                            \
    X(CHANGE_MODIFY, "modify", "modify the volumes in place", true)                                \
    X(CHANGE_NEW_LOGS, "new_logs", "new log groups on new volumes, the old ones dropped", true)    \
    X(CHANGE_ASM_REPLACE, "asm_replace", "add new volumes in ASM and drop the old ones", true)     \
    X(CHANGE_ASM_KEEP, "asm_keep", "keep the old volumes, add or drop some, modify the rest",      \
      true)                                                                                        \
    X(CHANGE_RMAN_COPY, "rman_copy", "RMAN image copies on new volumes, then switch", false)       \
    X(CHANGE_SNAPSHOT, "snapshot", "new volumes from snapshots", false)                            \
    X(CHANGE_COPY, "copy", "copy the files to new volumes", false)

enum change_kind {
#define X(name, text, words, online) name,
    CHANGE_TABLE(X)
#undef X
        CHANGE_KIND_COUNT,
    /* Of ways of a system only: */
    CHANGE_BEST = CHANGE_KIND_COUNT, /* each group its own best */
    CHANGE_INSTANCE                  /* no volume changes, only the instance */
};
const char *change_kind_name(enum change_kind k);
const char *change_kind_words(enum change_kind k);

/* What a group is to become. */
struct change_target {
    bool kept; /* as it is; else: */
    struct volume_spec spec;
};

struct change_options {
    const struct catalogue *catalogue;
    const char *region;
    int64_t as_of_ms, start_ms;              /* start UNKNOWN = the best hour of the day of as_of */
    const struct instance_type *instance;    /* that the moves run on; NULL = not known */
    const struct instance_type *instance_to; /* what it becomes at the end; NULL = it stays */
    enum weighting weighting;
    const struct change_target *targets; /* one a group of the demand */
};

/* Who does a step: what language its command is in. */
enum change_by { BY_AWS, BY_ASM, BY_DATABASE, BY_RMAN, BY_HOST };
const char *change_by_name(enum change_by by); /* "aws" "asm" "database" "rman" "host" */

struct change_step {
    int64_t at_ms;
    enum change_by by;
    const char *group;   /* NULL = the host */
    const char *action;  /* a sentence */
    const char *command; /* may have several lines */
    const char *volume;  /* its ID, or the name that the command has for it; NULL */
    double seconds;      /* infinite = never over under the measured load; NaN = not known */
    double alone_s;      /* when nothing else runs; NaN likewise */
    double moved_gib;    /* NaN = moves nothing */
    const char *risk;    /* NULL */
    bool reversible;
    const char *back;      /* how to go back; NULL = cannot be undone */
    int64_t back_from_ms;  /* the first time that is possible */
    int64_t slots_left;    /* modifications the volume takes after it; UNKNOWN = no modification */
    const char *meanwhile; /* what it performs while this lasts; NULL */
};

/* What a way does with one group. */
struct change_part {
    const struct group_demand *of;
    bool changes;
    enum change_kind kind;
    struct volume_spec to;  /* in the end */
    int64_t total_microusd; /* of to; UNKNOWN */
    double moved_gib;
    const char *const *kept_ids; /* of today's volumes that stay: an ID, or NULL where not known */
    size_t n_kept;
};

/* What both sets together need of a volume type beyond what AWS allows unasked. */
struct change_quota {
    enum volume_type type;
    enum unit unit; /* IOPS or GiB */
    double needed;
    int64_t allowed;
};

struct change_way {
    enum change_kind kind;
    int64_t total_microusd; /* of all groups in the end; UNKNOWN */
    double moved_gib;
    const struct change_step *steps;
    size_t n_steps;
    const struct change_part *parts; /* one a group */
    int64_t begin_ms;
    double hours;                            /* first step to the end of the last; NaN, infinite */
    int64_t overlap_microusd, both_microusd; /* above; all that is paid meanwhile; UNKNOWN */
    bool online;                             /* the database is never stopped */
    const struct change_quota *over;         /* quotas that may have to be raised first */
    size_t n_over;
};

/* Why a group cannot go a way. */
struct change_refusal {
    const char *group;
    enum change_kind kind;
    const char *why;
};

/* Least times of RMAN for the data files of a group: a backup beside the measured load, begun at
 * the best hour, and when nothing else runs; a restore while nothing does; a duplicate to another
 * host beside the load. */
struct change_rman {
    const char *group;
    double gib;
    int64_t backup_begin_ms;
    double backup_s, backup_alone_s, restore_s, duplicate_s;
};

struct change {
    const struct system_demand *demand;
    struct change_options options_used;
    int64_t today_microusd; /* UNKNOWN */
    size_t n_changed;       /* groups */
    const char *stuck;      /* a group without any way; NULL */
    const struct change_way *ways;
    size_t n_ways; /* 0 when nothing changes, or a group is stuck */
    const struct change_refusal *refused;
    size_t n_refused;
    const struct change_rman *rman;
    size_t n_rman;
};

/* 0 also when a group is stuck.  ERR_USAGE for a weighting that the instance has not; ERR_NOMEM.
 * Everything in *out lives in a, or is borrowed. */
int change_build(const struct system_demand *d, const struct change_options *o, struct arena *a,
                 struct change *out, struct err *e);

/* "REDO1 new_logs, DATA modify"; of one group that changes what its way is.  NULL when memory is
 * out. */
char *change_way_words(struct arena *a, const struct change *c, const struct change_way *w);

#endif
