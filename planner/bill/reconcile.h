/* planner/bill/reconcile.h - what a bill should have been, and a cause for every difference.
 *
 * Each sum of the bill (bill_sums.h) is rebuilt as
 *
 *     expected = held amount * list price of its region, type and tier * (1 - discount)
 *
 * The held amount is what the volume was provisioned as over the month by its history
 * (volume_history.h) where that agrees with the bill or contradicts it, else what the bill itself
 * shows: whole levels by the hours they were held, of the hours of that month.  Prices are those in
 * force at the start of the month.
 *
 * A difference is rounding when it is within half of the last decimal of each line's cost and
 * amount.  Any other needs a cause: a discount that the bill itself shows (its list price) or that
 * all its lines share, a price older than the catalogue (one rate for all volumes of a Region, with
 * at most 5 decimals, within a factor of 2), a description that is younger than the bill.  What
 * has none is unexplained.  Credits, taxes and fees stand apart; what has no price in the
 * catalogue is not priced. */
#ifndef PLANNER_BILL_RECONCILE_H
#define PLANNER_BILL_RECONCILE_H

#include "planner/bill/bill_sums.h"
#include "planner/bill/volume_history.h"

enum bill_verdict { BILL_EXPLAINED, BILL_UNEXPLAINED, BILL_NOT_PRICED, BILL_APART };

struct bill_entry {
    const struct bill_sum *sum;
    const struct price *price; /* list; NULL = none */
    enum bill_verdict verdict;
    money expected_amount;           /* in the bill's unit */
    money expected_cost, difference; /* billed less expected; 0 where not priced */
    bool by_history;                 /* expected_amount is by the volume's history */
    const char *cause;               /* NULL = nothing to say */
};

/* A volume in one month. */
struct bill_volume {
    const char *account, *region, *resource;
    int64_t month_ms, month_length_ms;
    size_t first, n;           /* its entries */
    int64_t first_ms, last_ms; /* of its storage in the month; UNKNOWN */
    /* At its end; fields UNKNOWN, type VOL_TYPE_COUNT where the bill does not show them. */
    struct volume_spec spec;
    /* Of usage that has a price: billed, or expected where that is not explained; and expected
     * without discount. */
    money cost, list_cost;
};

struct reconcile_options {
    const struct catalogue *catalogue;
    const struct volume_histories *histories; /* NULL = none */
    double discount_pct;                      /* agreed; 0 = none */
    int64_t today_ms;                         /* a month that is over is billed to its end */
};

struct reconciliation {
    const struct bill_sums *sums;
    struct reconcile_options options_used;
    const struct bill_entry *entries; /* by month, account, resource, usage type */
    size_t n_entries;
    const struct bill_volume *volumes; /* likewise */
    size_t n_volumes;
    int decimals; /* of the costs: what the bill needs, 2 at least, 12 at most */
    money billed, explained, unexplained, not_priced, credits, taxes, other;
    money unbilled;             /* of the unexplained: expected, and missing from the bill */
    double shared_discount_pct; /* that all priced lines show without --discount; NaN */
    int64_t price_as_of_ms;     /* newest of the prices used; UNKNOWN = none was */
    int64_t first_month_ms, last_month_ms; /* UNKNOWN where no line has a time */
    bool answer_is_no;                     /* more than half a cent unexplained */
};

/* ERR_NOMEM.  *out borrows from sums. */
int reconcile(const struct bill_sums *sums, const struct reconcile_options *o, struct arena *a,
              struct reconciliation *out, struct err *e);

/* --- for bill_cause.c -------------------------------------------------------------------------
 */

/* The rates that all lines of one usage type in one Region were billed at. */
struct bill_rate {
    const struct usage_type *usage;
    const char *region;
    double low, high; /* billed per unit of the price */
};

struct bill_context {
    const struct reconciliation *r;
    const struct bill_rate *rates;
    size_t n_rates;
    int64_t bill_end_ms;  /* last instant that anything was held in the last month */
    size_t n_end_at_once; /* volumes that end there */
    size_t n_volumes;     /* of that month */
};

/* What rounding of each line's cost and amount can make of an entry. */
money bill_rounding(const struct reconciliation *r, const struct bill_entry *x);
/* Sets verdict and cause of an entry that has a price; v NULL = of no volume. */
int bill_cause_find(const struct bill_context *c, const struct bill_volume *v,
                    const struct volume_past *past, struct bill_entry *x, struct arena *a,
                    struct err *e);
/* The same for one without a price, and for credits, taxes and fees. */
int bill_cause_unpriced(const struct reconciliation *r, struct bill_entry *x, struct arena *a,
                        struct err *e);

#endif
