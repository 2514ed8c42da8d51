/* data/ingest/oraclecsv/spool_cell.h - cells of spooled CSV: padded, possibly blank. */
#ifndef DATA_INGEST_ORACLECSV_SPOOL_CELL_H
#define DATA_INGEST_ORACLECSV_SPOOL_CELL_H

#include "data/ingest/format.h"

/* Blank or an overflow of '#' is NaN; non-zero for what is no number. */
int spool_number(struct span cell, double *out);
/* The same of a whole number; blank is UNKNOWN. */
int spool_integer(struct span cell, int64_t *out);
/* yyyy?mm?dd?hh24:mi[:ss] with any single character for '?': the wall clock as if it were UTC. */
int spool_time(struct span cell, int64_t *out_ms);

/* Warnings of one kind: the first three are told, the rest counted. */
struct spool_warnings {
    int64_t n;
};
int spool_warn(struct spool_warnings *w, struct sink *sink, int64_t line, const char *text,
               struct err *e);
/* "N more ..." when there were more. */
int spool_warnings_end(const struct spool_warnings *w, struct sink *sink, const char *what,
                       struct err *e);

#endif
