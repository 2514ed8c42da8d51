/* data/rollup_sums.h - rates of many series summed at the same instants, set by set. */
#ifndef DATA_ROLLUP_SUMS_H
#define DATA_ROLLUP_SUMS_H

#include "data/rollup_thin.h"

enum { ROLLUP_SETS_MAX = 64 };

struct rollup_sums;

/* NULL when memory is out. */
struct rollup_sums *rollup_sums_new(size_t n_sets);
void rollup_sums_free(struct rollup_sums *u); /* NULL does nothing */
/* A sample of a member of these sets, bit by bit. */
int rollup_sums_add(struct rollup_sums *u, const struct store_sample *s, uint64_t sets,
                    struct err *e);
/* Adds what has to be kept for the sets.  Sorts the instants: nothing can be added afterwards. */
int rollup_sums_mark(struct rollup_sums *u, struct kept_times *kept, struct err *e);

#endif
