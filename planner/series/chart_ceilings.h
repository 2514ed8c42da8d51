/* planner/series/chart_ceilings.h - the ceilings of a load as lines in a chart: those of a group's
 * volumes, of today and of a plan, and those of the instance, by the time in which they hold.
 *
 * They are the ceilings of the replay, so a line and what binds have one name and one figure.
 * Volumes without a bucket have one, called their baseline; gp2, st1 and sc1 have a burst, and the
 * baseline that they earn.  An instance that bursts has both. */
#ifndef PLANNER_SERIES_CHART_CEILINGS_H
#define PLANNER_SERIES_CHART_CEILINGS_H

#include "planner/replay/replay_setup.h"
#include "planner/series/envelope.h"

enum chart_whose { CHART_TODAY, CHART_PLAN };

struct chart_ceiling {
    enum envelope_metric metric;
    enum replay_ceiling name;
    enum chart_whose whose;
    bool burst;
    int64_t from_ms, to_ms;
    double value;     /* MiB/s, of an instance MB/s; or requests/s */
    const char *spec; /* what it is of: "2 x io2 250 GiB 1 200 IOPS", "r5.8xlarge" */
};

/* In the order in which they were added, and in time. */
struct chart_ceilings {
    struct chart_ceiling *at;
    size_t n, room;
    bool counts_mib; /* requests of the chart count in 1 MiB; figures that do not are left out */
};

/* What all lines of one call have alike. */
struct chart_span {
    enum chart_whose whose;
    int64_t from_ms, to_ms;
    const char *spec;
};

/* Those of group g of the eras, which begin at s->from_ms.  ERR_NOMEM. */
int chart_ceilings_add_group(struct chart_ceilings *c, const struct chart_span *s,
                             const struct replay_era *eras, size_t n_eras, size_t g,
                             struct arena *a, struct err *e);
int chart_ceilings_add_instance(struct chart_ceilings *c, const struct chart_span *s,
                                const struct instance_caps *caps, struct arena *a, struct err *e);

#endif
