/* data/ingest/cloudwatch/cw_points.h - the points of one series, before they are handed over.
 *
 * Answers come unsorted, stitched together with overlaps, and with several periods in one
 * series; README.md says what becomes of each. */
#ifndef DATA_INGEST_CLOUDWATCH_CW_POINTS_H
#define DATA_INGEST_CLOUDWATCH_CW_POINTS_H

#include "data/ingest/json/feed.h"

struct cw_point {
    int64_t time_ms, line;
    size_t series; /* for readers that collect several series in one array */
    size_t order;  /* in the file */
    double value;
};

struct cw_points {
    struct cw_point *at;
    size_t n, room;
};

int cw_points_add(struct cw_points *p, size_t series, int64_t time_ms, double value, int64_t line,
                  struct err *e);
void cw_points_release(struct cw_points *p);
/* By series, time and place in the file. */
void cw_points_sort(struct cw_points *p);

/* Hands over n sorted points of one series.  s says everything but time, value, line and period.
 * Of points for the same moment the last in the file is kept.  period_s: as the request or the
 * user states it, NaN when nobody does: then it is inferred, with a warning. */
int cw_series_hand_over(struct feed *f, struct metric_sample *s, struct cw_point *points, size_t n,
                        double period_s);

#endif
