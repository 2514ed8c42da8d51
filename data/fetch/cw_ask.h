/* data/fetch/cw_ask.h - GetMetricData: the metrics of some volumes and instances over one window.
 *
 * The answer is a text that data/ingest/cloudwatch reads as cw_data: the request, then its pages.
 * It is whole or an error: what CloudWatch calls PartialData is asked for page by page, and again
 * when the pages end before it is complete.
 *
 * Monitoring that has become detailed leaves the points before as they were, one for five minutes,
 * and GetMetricData gives these for any shorter period too: a sum over five minutes that would pass
 * for one of a minute.  *out_basic says that an instance's answer holds such points, or too few to
 * tell; then it is worth nothing, and 300 s are to be asked. */
#ifndef DATA_FETCH_CW_ASK_H
#define DATA_FETCH_CW_ASK_H

#include "data/fetch/aws_call.h"
#include "data/fetch/cw_windows.h"

enum { CW_QUERIES_MAX = 500 }; /* of one call */

extern const char cw_permission[]; /* "cloudwatch:GetMetricData" */

/* How many metrics a resource is asked for. */
size_t cw_metrics_of(const struct cw_resource *r);

/* windows have the same times and period, and no more than CW_QUERIES_MAX metrics together.
 * *out_text lives in a. */
int cw_ask(struct aws_client *c, const struct cw_window *windows, size_t n,
           const struct cw_resource *resources, struct arena *a, struct span *out_text,
           bool *out_basic, struct err *e);

#endif
