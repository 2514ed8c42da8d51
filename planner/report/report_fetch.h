/* planner/report/report_fetch.h - what a fetch brought, and what it changes. */
#ifndef PLANNER_REPORT_REPORT_FETCH_H
#define PLANNER_REPORT_REPORT_FETCH_H

#include "models/core/arena.h"
#include "models/core/emit.h"

/* One figure of the catalogue that AWS gives otherwise; from NaN = new, to NaN = gone. */
struct fetch_difference {
    const char *name; /* "r5.large", "gp3 eu-west-1" */
    const char *what; /* "baseline_iops"; with the unit at its end */
    enum unit unit;
    double from, to;
    int decimals; /* shown in text; -1 = those of the unit */
};

struct fetch_part {
    const char *what; /* "volumes": ends in an s, which one has not */
    int64_t rows;
};

enum { FETCH_PARTS_MAX = 4 };

struct fetch_summary {
    const char *action, *system, *region, *into; /* system NULL = none */
    struct fetch_part parts[FETCH_PARTS_MAX];
    size_t n_parts;
    int64_t requests, bytes, elapsed_ms; /* the last UNKNOWN where there is no clock */
    bool resumed;                        /* some of it was there already */
    const char *already;                 /* and that in words; NULL */
    const struct fetch_difference *differences;
    size_t n_differences;
    const char *next; /* command to try; NULL */
};

/* Appends; the texts must outlive the list, which is in a. */
struct fetch_differences {
    struct fetch_difference *item;
    size_t n, room;
};
int fetch_differences_add(struct fetch_differences *l, struct fetch_difference d, struct arena *a,
                          struct err *e);

void report_fetch(struct emit *m, const struct fetch_summary *s);

#endif
