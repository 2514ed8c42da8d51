/* planner/bill/bill_sums.h - lines of a bill, summed as they come: per month, account, region,
 * volume and usage type, never per line.
 *
 * An hour's amount is what was provisioned, times the hour over the hours of the month: so
 *
 *     level = amount * length of the month / length of the line
 *
 * is a whole number of GiB, IOPS or MiB/s while a volume stays as it is.  A sum keeps how long each
 * level was held and from when to when, in whatever order the lines come; lines of no whole level
 * (an hour in which the volume was made, changed or deleted) are kept apart.
 *
 * Memory is bounded: BILL_SUMS_MAX sums with a resource of their own (things that are no volumes
 * are folded from BILL_OTHERS_MAX on); what comes beyond is folded into sums without resource. */
#ifndef PLANNER_BILL_BILL_SUMS_H
#define PLANNER_BILL_BILL_SUMS_H

#include "models/core/arena.h"
#include "models/core/err.h"
#include "models/facts/catalogue.h"
#include "models/vocab/bill_line.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BILL_LEVELS_MAX = 6,
    BILL_SUMS_MAX = 131072,
    BILL_OTHERS_MAX = 16384,
    BILL_FOLDED_MAX = 8192 /* sums without resource, on top */
};

enum bill_line_kind { BILL_USAGE, BILL_CREDIT, BILL_TAX, BILL_OTHER_LINE, BILL_LINE_KINDS };

struct bill_level {
    int64_t value; /* GiB, IOPS or MiB/s; above what is included for gp3 */
    int64_t held_ms, first_ms, last_ms;
};

struct bill_sum {
    /* what makes it one */
    int64_t month_ms, month_length_ms; /* start of the month; UNKNOWN where lines have no time */
    const char *account, *resource, *usage_type, *unit, *line_type; /* "" = not told */
    const char *region_column;
    enum bill_line_kind kind;
    int cost_decimals; /* that some line of it needed */
    /* what follows from that */
    const char *region;             /* NULL: a prefix nobody knows */
    const struct usage_type *usage; /* NULL: not known */
    int64_t per_unit;               /* MiB/s in a unit of the bill, 1 for all else */
    bool local_zone;                /* prices of its own */
    bool folded;                    /* of several resources */
    /* sums */
    size_t n_levels;
    struct bill_level levels[BILL_LEVELS_MAX];
    int64_t n_lines, n_without_amount, n_without_cost, n_without_list;
    int64_t n_rest;            /* lines that are of no level above */
    int64_t first_ms, last_ms; /* of lines that held something; UNKNOWN */
    int64_t longest_ms;        /* the longest line: an hour, a day, a month; 0 = no times */
    money amount, cost, list_cost;
    money rest; /* amount of the lines of no level */
};

struct bill_sums {
    const struct catalogue *catalogue;
    const char *default_region; /* where neither prefix nor column names one */
    int64_t month_ms;           /* the only one that counts; UNKNOWN = all */
    const char *account;        /* likewise; NULL = all */
    struct bill_sum **blocks;
    size_t n_blocks, room_blocks;
    size_t n, n_folded;
    uint32_t *slots; /* index + 1 into the sums */
    size_t n_slots;
    char currency[16];
    int amount_decimals, cost_decimals; /* that some line needed: zeros at the end apart */
    int cost_decimals_written;
    int64_t n_lines, n_left_out; /* left out: of other months and accounts */
};

void bill_sums_init(struct bill_sums *b, const struct catalogue *c, const char *default_region);
/* ERR_PARSE for a second currency, ERR_LIMIT for sums beyond any bill, ERR_NOMEM. */
int bill_sums_add(struct bill_sums *b, const struct bill_line *l, struct arena *a, struct err *e);
struct bill_sum *bill_sums_at(const struct bill_sums *b, size_t i);

#endif
