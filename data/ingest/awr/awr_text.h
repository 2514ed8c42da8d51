/* data/ingest/awr/awr_text.h - lines of a text report to titles, headings and cells. */
#ifndef DATA_INGEST_AWR_AWR_TEXT_H
#define DATA_INGEST_AWR_AWR_TEXT_H

#include "data/ingest/awr/awr_report.h"

int awr_text_read(struct awr_report *r, struct source *src);

#endif
