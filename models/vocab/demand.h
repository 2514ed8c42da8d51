/* models/vocab/demand.h - what a disk group must carry.
 *
 * Grades: measured (interval <= 60 s), averaged (longer), censored (at a ceiling
 * while measured: a lower bound), assumed (a factor was applied). */
#ifndef MODELS_VOCAB_DEMAND_H
#define MODELS_VOCAB_DEMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum grade { GRADE_NONE, GRADE_MEASURED, GRADE_AVERAGED, GRADE_CENSORED, GRADE_ASSUMED };

const char *grade_name(enum grade g);  /* "measured"; "none" when nothing was measured */
const char *grade_glyph(enum grade g); /* "=" "~" ">=" "?" "-" */

/* The load of a group at its worst.  Each figure is the maximum of its own series,
 * at the instant when the sum over the group's members is largest; they need not
 * fall together.  NaN = not measured. */
struct demand {
    double read_mibps, write_mibps, total_mibps;
    double read_iops, write_iops;
    double counted_iops, counted_iops_high; /* EBS requests: likely, and upper bound */
    enum grade grade;
    int64_t time_of_max_ms;       /* of total_mibps */
    double low_mibps, high_mibps; /* the range in which the true peak of total_mibps lies */
};

#endif
