/* data/store/store_results.h - plans of systems that are kept, and whose turn it is to make one.
 *
 * A result belongs to a system and a question (what was asked of it, in words of the caller's).  It
 * carries the state of the system that it was computed from: when that is another now, the result
 * is out of date.  Whoever is to compute one claims the system first; a process that ends, however
 * it ends, gives its claims back. */
#ifndef DATA_STORE_STORE_RESULTS_H
#define DATA_STORE_STORE_RESULTS_H

#include "data/store/store.h"

struct store_result {
    const char *state, *json;
};

/* Hexadecimal digits that differ when files, layout, or the number of samples, values or reports
 * of a system do; in the arena. */
int store_result_state(struct store *s, const char *system, struct arena *a, const char **out,
                       struct err *e);
/* In the arena; state and json are NULL where there is none. */
int store_result_get(struct store *s, const char *system, const char *question, struct arena *a,
                     struct store_result *out, struct err *e);

/* Before the first claim.  ERR_STORE when the store cannot be written. */
int store_claims_open(struct store *s, struct err *e);
/* One claim at a time and handle.  *out_mine is false when another handle has it. */
int store_claim(struct store *s, const char *system, bool *out_mine, struct err *e);
/* Replaces the result of the system that is claimed, and gives the claim back. */
int store_result_keep(struct store *s, const char *system, const char *question,
                      const struct store_result *r, struct err *e);
void store_claim_end(struct store *s); /* nothing claimed: does nothing */

#endif
