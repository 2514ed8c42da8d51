/* data/ingest/awr/awr_html.h - elements of an HTML report to titles, headings and cells. */
#ifndef DATA_INGEST_AWR_AWR_HTML_H
#define DATA_INGEST_AWR_AWR_HTML_H

#include "data/ingest/awr/awr_report.h"

int awr_html_read(struct awr_report *r, struct source *src);

#endif
