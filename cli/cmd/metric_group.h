/* cli/cmd/metric_group.h - values of metrics, gathered by series in the order in which these
 * first appear.
 *
 * Files that are streams give a value of each metric by turns.  For machines the values wait until
 * GROUP_POINTS_MAX of them are there; then all series are said, and a series may come again.
 * For people there is a line per metric and statistic, whatever the number of series. */
#ifndef CLI_CMD_METRIC_GROUP_H
#define CLI_CMD_METRIC_GROUP_H

#include "models/core/arena.h"
#include "models/core/emit.h"
#include "models/vocab/metric_sample.h"

enum { GROUP_SERIES_MAX = 16384, GROUP_POINTS_MAX = 200000, GROUP_ROWS_SHOWN = 40 };

struct metric_point {
    int64_t time_ms;
    double value;
};

struct metric_group {
    struct metric_sample key; /* spans in the arena */
    struct metric_point *points;
    size_t n, room; /* n counts values also where points are not kept */
    double max;     /* NaN */
};

struct metric_groups {
    bool keep_points;
    struct arena arena;
    struct metric_group *item;
    size_t n, room, next; /* next: the group that probably comes */
    int32_t *slots;       /* hash table of indexes into item */
    size_t n_points;
    int64_t left_out; /* values of series beyond GROUP_SERIES_MAX, for people */
};

void metric_groups_release(struct metric_groups *g);
/* ERR_NOMEM.  With keep_points: must not be full. */
int metric_groups_add(struct metric_groups *g, const struct metric_sample *s, struct err *e);
/* Whether the groups must be said and released before s is added. */
bool metric_groups_full(const struct metric_groups *g);
/* Elements of the list series[]. */
int metric_groups_emit(struct emit *m, const struct metric_groups *g, struct err *e);
/* A table for people. */
int metric_groups_summary(struct emit *m, const struct metric_groups *g, struct err *e);

#endif
