/* planner/diagnose/rule.h - a rule of diagnosis, and what its test writes down.
 *
 * Rules are rows of the tables in rules_*.c; docs/findings.md tells each with its source.  A test
 * looks at the input and drafts a finding for every fault it sees; the words come from the row,
 * with {name} where the test fills something in.  Everything lives in the arena of the run.  When
 * memory is out a draft is NULL, which all functions here accept, and the run fails in the end. */
#ifndef PLANNER_DIAGNOSE_RULE_H
#define PLANNER_DIAGNOSE_RULE_H

#include "models/facts/catalogue.h"
#include "models/vocab/layout.h"
#include "models/vocab/metric_series.h"
#include "models/vocab/record.h"
#include "models/vocab/volume_config.h"
#include "planner/demand/system_demand.h"
#include "planner/diagnose/finding.h"
#include "planner/solve/size.h"

/* What has to be there before a rule can say anything. */
enum rule_need {
    NEED_SERIES = 1 << 0,    /* devices or volumes measured over time */
    NEED_SNAPSHOTS = 1 << 1, /* AWR or Statspack */
    NEED_METRICS = 1 << 2,   /* CloudWatch beside the volumes' rates, sysmetrics */
    NEED_RECORDS = 1 << 3,   /* lsblk, lsdg, blkparse, strace, nvme, volumes */
    NEED_LAYOUT = 1 << 4,    /* a layout that a person gave, with volumes */
    NEED_INSTANCE = 1 << 5,  /* the instance type */
};

struct run;
struct rule {
    const char *id;
    unsigned needs;         /* of enum rule_need: all of them */
    enum severity severity; /* at most; a test may lower it */
    void (*test)(struct run *, const struct rule *);
    const char *title, *advice;
    const char *const *yields_to; /* ids that explain the same subject, or the whole system, better;
                                   NULL-ended, NULL */
};

/* In which order findings of the same severity are shown. */
enum rule_rank {
    RANK_CEILINGS,
    RANK_BURSTS,
    RANK_SHAPE,
    RANK_WAITS,
    RANK_NOT_STORAGE,
    RANK_REDO,
    RANK_VERDICT,
    RANK_BOUNDS,
    RANK_READING,
    RANK_RISK
};

struct rule_table {
    const struct rule *rules;
    size_t n;
    enum rule_rank rank;
};
#define RULE_TABLE(a, rank)                                                                        \
    {                                                                                              \
        (a), sizeof(a) / sizeof *(a), (rank)                                                       \
    }

extern const struct rule_table rules_ceilings, rules_bursts, rules_shape, rules_waits,
    rules_not_storage, rules_redo, rules_verdict, rules_bounds, rules_reading, rules_risk;
/* Those that a plan tells too. */
extern const struct rule_table rules_of_demand;

enum { EVIDENCE_MAX = 6, NOT_THIS_MAX = 4 };

struct draft {
    struct finding finding;
    const struct rule *rule;
    const struct rule_table *table;
    double weight; /* of two of one rank and severity the heavier comes first */
    size_t order;  /* in which it was drafted */
    struct finding_evidence evidence[EVIDENCE_MAX];
    const char *not_this[NOT_THIS_MAX];
};

/* A layout of the store that belongs to a standby of this system. */
struct standby_layout {
    const char *name;
    const char *file; /* NULL = it is in the store */
    struct layout layout;
};

struct run {
    const struct system_load *load;
    const struct layout *layout; /* given, or guessed */
    bool layout_given;
    const char *layout_file; /* that it was given in; NULL = it is in the store */
    const struct system_demand *demand;
    const struct catalogue *catalogue;
    int64_t as_of_ms;
    const struct standby_layout *standbys;
    size_t n_standbys;
    unsigned has; /* of enum rule_need */
    struct arena *arena;
    const struct rule_table *table; /* that is being run */
    struct draft **drafts;
    size_t n_drafts, room;
    bool failed; /* memory was out */
};

/* Runs the rules whose needs are met. */
void run_rules(struct run *r, const struct rule_table *t);
/* Sorts the drafts: errors first, then by rank, then by weight. */
void run_sort(struct run *r);
/* The drafts as findings, in the order they stand in, without those that yield and those that
 * nothing was seen of.  ERR_NOMEM. */
int run_findings(struct run *r, const struct finding **out, size_t *out_n, struct err *e);

/* words: name, text, name, text ..., ended by NULL; a NULL text means that memory was out. */
struct draft *draft_add(struct run *r, const struct rule *rule, enum verdict v, const char *subject,
                        const char *const *words);
/* Evidence beyond EVIDENCE_MAX and the same line twice are left out. */
void draft_see(struct run *r, struct draft *d, int64_t file_id, int64_t line, int64_t time_ms,
               const char *fmt, ...) __attribute__((format(printf, 6, 7)));
/* file: of the layout; NULL = it is in the store. */
void draft_see_layout(struct run *r, struct draft *d, const char *file, const char *row,
                      const char *fmt, ...) __attribute__((format(printf, 5, 6)));
/* What a naive reader would conclude, and why it is not so. */
void draft_not(struct run *r, struct draft *d, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void draft_missing(struct draft *d, const char *text);
void draft_ceiling(struct draft *d, const char *ceiling);
void draft_severity(struct draft *d, enum severity s);

/* Whether a finding of that rule and subject was drafted; subject NULL = any. */
bool run_found(const struct run *r, const char *id, const char *subject);

/* A figure as a file has it: the fewest digits that tell it to 10 places.  Returns buf. */
char *figure(char buf[32], double v);
/* For words: in the arena, NULL when memory is out. */
const char *number_words(struct run *r, double v, int decimals);

#endif
