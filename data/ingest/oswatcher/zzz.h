/* data/ingest/oswatcher/zzz.h - the line that OSWatcher and ExaWatcher put before each snapshot.
 *
 *     zzz ***Wed Feb 29 11:01:52 EST 2012 Sample interval: 5 seconds
 *     zzz ***Mo 30. Nov 12:26:34 UTC 2026
 *     zzz <01/17/2015 09:02:39> Count:720
 *
 * The first two are what date(1) prints in the locale of the collector. */
#ifndef DATA_INGEST_OSWATCHER_ZZZ_H
#define DATA_INGEST_OSWATCHER_ZZZ_H

#include "models/core/span.h"

#include <stdbool.h>
#include <stdint.h>

struct zzz {
    int64_t day_ms, clock_ms; /* of the clock on the wall; UNKNOWN when they cannot be read */
    int64_t offset_ms; /* of that clock from UTC, where told as UTC, GMT or +hh[mm]; UNKNOWN */
    struct span zone;  /* a name that is no offset: EST is American or Australian; or empty */
    double interval_s; /* NaN */
};

/* Non-zero for any other line. */
int zzz_parse(struct span line, struct zzz *out);
/* What date(1) prints, alone; non-zero when no day and clock are in it. */
int zzz_parse_date(struct span text, struct zzz *out);

/* Day of the first such line of a text; UNKNOWN. */
int64_t zzz_first_day_ms(struct span text);

/* "Sample interval: 5", "# Sample Interval(s):   5"; NaN for any other line. */
double zzz_interval_s(struct span line);

#endif
