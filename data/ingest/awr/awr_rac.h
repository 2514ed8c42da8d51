/* data/ingest/awr/awr_rac.h - global reports of a RAC database (awrgrpt). */
#ifndef DATA_INGEST_AWR_AWR_RAC_H
#define DATA_INGEST_AWR_AWR_RAC_H

#include "data/ingest/awr/awr_report.h"

/* Fills the first part, the cluster, from the instances where the report does not sum up itself,
 * and puts it behind them. */
int awr_rac_finish(struct awr_report *r);

#endif
