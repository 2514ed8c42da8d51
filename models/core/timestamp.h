/* models/core/timestamp.h - instants as milliseconds since 1970-01-01 00:00 UTC.
 *
 * Proleptic Gregorian calendar, no leap seconds, no zone data: a zone is an
 * offset that the caller knows (data/zone.c reads zoneinfo). UNKNOWN is unknown. */
#ifndef MODELS_CORE_TIMESTAMP_H
#define MODELS_CORE_TIMESTAMP_H

#include "models/core/span.h"

#include <stdint.h>

#define DAY_MS INT64_C(86400000)

struct civil {
    int year, month, day, hour, minute, second, ms; /* month 1..12, day 1..31 */
};

/* Milliseconds since the epoch; UNKNOWN when a field is out of range (years 1..9999). */
int64_t time_from_civil(const struct civil *c);
struct civil time_to_civil(int64_t t_ms);
/* The last multiple of step_ms that is not after t_ms, which is known. */
int64_t time_floor(int64_t t_ms, int64_t step_ms);
/* First instant of the month of t_ms, and of the next: UNKNOWN after December 9999. */
int64_t time_month_start(int64_t t_ms);
int64_t time_month_end(int64_t t_ms);
/* 0 = Monday ... 6 = Sunday. */
int time_weekday(int64_t t_ms);

/* YYYY-MM-DD; non-zero for anything else or a day that does not exist. */
int time_parse_date(struct span *s, int64_t *out_ms);
/* YYYY-MM-DD[{T| }hh:mm[:ss[.fff]][Z|{+|-}hh[:]mm]].  *zoned tells whether a zone was
 * given (then *out_ms is UTC); without one *out_ms is the wall clock read as UTC. */
int time_parse_iso(struct span *s, int64_t *out_ms, bool *zoned);

/* "2022-05-18T07:00:00Z" (with .fff when not on a whole second); "-" for UNKNOWN. */
char *time_format_iso(char buf[32], int64_t t_ms);
/* "2022-05-18"; "-" for UNKNOWN. */
char *time_format_date(char buf[32], int64_t t_ms);

#endif
