/* planner/diagnose/awr_find.h - rows of AWR snapshots by name.
 *
 * AWR cuts names, so a name fits when it begins with the prefix. */
#ifndef PLANNER_DIAGNOSE_AWR_FIND_H
#define PLANNER_DIAGNOSE_AWR_FIND_H

#include "planner/diagnose/rule.h"

/* NULL when there is no such row. */
const struct awr_event *awr_event_find(const struct awr_snapshot *w, const char *prefix);
const struct awr_stat *awr_stat_find(const struct awr_snapshot *w, const char *name); /* exactly */
const struct awr_io_row *awr_function_find(const struct awr_snapshot *w, const char *prefix);
const struct awr_io_row *awr_filetype_find(const struct awr_snapshot *w, const char *prefix);

/* Of the database's time; from the wait and DB time where the report leaves the column out; NaN. */
double awr_event_pct(const struct awr_snapshot *w, const struct awr_event *ev);
/* NaN without waits. */
double awr_event_avg_ms(const struct awr_event *ev);

/* "log buffer space: 4575 waits, 43700 s, 40 % of DB time" */
void draft_see_event(struct run *r, struct draft *d, const struct awr_snapshot *w,
                     const struct awr_event *ev);
/* "redo size: 11730577 a second" */
void draft_see_stat(struct run *r, struct draft *d, const struct awr_snapshot *w,
                    const struct awr_stat *s);
/* "Log File: 37.323 MiB/s read, 23.111 MiB/s written" and, for a function, the requests written. */
void draft_see_io(struct run *r, struct draft *d, const struct awr_snapshot *w,
                  const struct awr_io_row *row);

/* Database and instance, for words. */
const char *awr_name(const struct awr_snapshot *w);

#endif
