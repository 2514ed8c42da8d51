/* data/ingest/cloudwatch/cw_request.h - request documents inside a reader (cloudwatch.h has the
 * rest). */
#ifndef DATA_INGEST_CLOUDWATCH_CW_REQUEST_H
#define DATA_INGEST_CLOUDWATCH_CW_REQUEST_H

#include "data/ingest/cloudwatch/cloudwatch.h"
#include "data/ingest/json/json_doc.h"

/* The list of queries in a document, or false when it is no request. */
bool cw_request_list(struct json_value doc, struct json_value *queries);
/* Adds the queries of such a list, all or none. */
int cw_request_add_list(struct feed *f, struct json_value queries, struct cw_request *io);

/* The query was a SEARCH(...) whose text tells metric, statistic and period. */
bool cw_query_is_search(const struct cw_query *q);

#endif
