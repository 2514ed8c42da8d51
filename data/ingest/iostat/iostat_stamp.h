/* data/ingest/iostat/iostat_stamp.h - the dates and times that iostat prints.
 *
 * They follow the locale it ran in: 05/18/2022 07:00:00 AM, 18/05/22 07:00:00, 18.05.2022,
 * 2022-05-18T07:00:00+0000, 2022(year sign)05(month sign)18..., or "Time: 07:00:00" alone. */
#ifndef DATA_INGEST_IOSTAT_IOSTAT_STAMP_H
#define DATA_INGEST_IOSTAT_IOSTAT_STAMP_H

#include "models/core/span.h"

#include <stdbool.h>
#include <stdint.h>

/* Which comes first in dates with slashes. */
enum date_order { ORDER_UNDECIDED, ORDER_MONTH_FIRST, ORDER_DAY_FIRST };

struct iostat_date {
    int a, b, c;     /* as printed, from the left; all 0 = no date */
    bool year_first; /* four digits on the left */
    bool slashes;    /* only these need a date_order */
};

struct iostat_stamp {
    struct iostat_date date; /* none in "Time: " lines */
    int64_t clock_ms;        /* since midnight */
    bool twelve_hours;       /* had AM or PM */
    bool zone_word;          /* had a word such as UTC behind AM or PM (en_IN) */
    int64_t utc_ms;          /* of a stamp with its offset; UNKNOWN */
};

/* A whole line; non-zero when it is no stamp. */
int iostat_stamp_parse(struct span line, struct iostat_stamp *out);

/* "Linux KERNEL (HOST) DATE ...": non-zero for any other line.  The date may be absent. */
int iostat_linux_line(struct span line, struct span *host, struct iostat_date *date);

/* A date alone, in any of the forms above; non-zero when it is none. */
int iostat_date_parse(struct span text, struct iostat_date *out);
/* hh:mm:ss or the same with words, with AM or PM behind it; s is moved past it. */
int iostat_clock_take(struct span *s, int64_t *clock_ms, bool *twelve_hours);

/* What dates and clocks prove about the order of day and month.  Certain: a number above 12 says
 * which one is the day.  Likely: AM and PM are American, with a zone's name behind them Indian. */
struct date_evidence {
    enum date_order certain, likely;
    struct iostat_date first; /* the first date with slashes; none: a = 0 */
};
void date_evidence_add(struct date_evidence *v, const struct iostat_date *d);
void date_evidence_add_stamp(struct date_evidence *v, const struct iostat_stamp *st);
enum date_order date_evidence_order(const struct date_evidence *v);
/* From all stamps and Linux lines of a text. */
void date_evidence_of_lines(struct date_evidence *v, struct span head);

/* Midnight of that day as milliseconds of a wall clock; UNKNOWN when there is no such day.
 * UNDECIDED is read month first. */
int64_t iostat_day_ms(const struct iostat_date *d, enum date_order order);

#endif
