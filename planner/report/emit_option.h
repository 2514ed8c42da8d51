/* planner/report/emit_option.h - what reports of sizes and plans say alike. */
#ifndef PLANNER_REPORT_EMIT_OPTION_H
#define PLANNER_REPORT_EMIT_OPTION_H

#include "models/core/emit.h"
#include "planner/solve/size.h"

/* "1 000", "614.4": no more digits than there are. */
char *rate_words(char buf[48], double v);
/* "4 x gp3 1000G 4 100/130". */
char *short_spec(char buf[96], const struct volume_spec *v);
/* A cell with a rate, the digits as rate_words chooses them. */
void emit_rate(struct emit *m, const char *key, enum unit unit, double v);

/* volume_type, count, size_gib, iops, throughput_mibps. */
void emit_spec_values(struct emit *m, const struct volume_spec *v);
/* The keys of an option, rank apart; into the object that is open. */
void emit_option_values(struct emit *m, const struct size_option *o);
/* "alternatives" or "options": options whose spec is not `without` (NULL = all). */
void emit_options(struct emit *m, const char *key, const struct size_option *options, size_t n,
                  const struct volume_spec *without);
void emit_rejected(struct emit *m, const struct size_rejected *rejected, size_t n);
/* "io2 500 GiB 5 000 IOPS (throughput 500 < 600; 3 598.50 when it carries)". */
enum { REJECTED_WORDS = 320 };
char *rejected_words(char buf[REJECTED_WORDS], const struct size_rejected *r);
/* One line that names the first n_said of them; of: the group they lost in, or NULL; hint says how
 * to see the rest. */
void say_why_not(struct emit *m, const char *of, const struct size_rejected *rejected, size_t n,
                 size_t n_said, const char *hint);

#endif
