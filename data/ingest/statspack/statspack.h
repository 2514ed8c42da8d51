/* data/ingest/statspack/statspack.h - Statspack reports (spreport.sql), 9i to 19c, text.
 *
 * The reader is that of AWR reports (data/ingest/awr), with the tables of Statspack. */
#ifndef DATA_INGEST_STATSPACK_STATSPACK_H
#define DATA_INGEST_STATSPACK_STATSPACK_H

#include "data/ingest/awr/awr_section.h"

int statspack_detect(struct span head);

extern const struct awr_section statspack_sections[];

#endif
