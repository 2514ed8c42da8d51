/* data/ingest/awr/awr_cell.h - the figures in the cells of an AWR report.
 *
 * Each takes one whole trimmed cell and returns 0, or non-zero for what it cannot be;
 * *out is written on success only.  Blank, "N/A" and an overflow of '#' are unknown: NaN.
 * With decimal_comma set the roles of '.' and ',' are exchanged ("1.801,13"). */
#ifndef DATA_INGEST_AWR_AWR_CELL_H
#define DATA_INGEST_AWR_AWR_CELL_H

#include "models/core/span.h"

#include <stdbool.h>
#include <stdint.h>

typedef int awr_cell_fn(struct span cell, bool decimal_comma, double *out);

awr_cell_fn awr_cell_number;         /* 1,801.13   1.56683817E+09   .041   -69 */
awr_cell_fn awr_cell_count;          /* 521.8K: K M G T P are powers of 1000 */
awr_cell_fn awr_cell_bytes;          /* 392.1G: powers of 1024; no suffix = bytes */
awr_cell_fn awr_cell_bytes_per_mibs; /* 37.323M 1.5G 122.106: no suffix = MiB; in bytes */
awr_cell_fn awr_cell_ms;             /* 6.46ms 356.68us .00ns 52.86 s 1190.07m; no suffix = ms */

/* "a size like 392.1G": what a cell of that kind holds, for a message. */
const char *awr_cell_expected(awr_cell_fn *parse);

/* "60.08 (mins)" in seconds; *decimal_comma is set when the figure shows that the report
 * writes it so. */
int awr_cell_minutes(struct span cell, bool *decimal_comma, double *out_s);

/* dd-Mon-yy hh:mi[:ss], month names of several languages; the wall clock as if it were UTC. */
int awr_cell_time(struct span cell, int64_t *out_ms);

#endif
