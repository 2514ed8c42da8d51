/* data/fetch/cw_fetch.h - the metrics of a system's volumes and instances, into the store.
 *
 * Each question is one transaction, together with a record of what was asked for (kind
 * "fetched_metrics"): a run that is broken off anywhere has lost or doubled nothing, and the next
 * asks for the rest. */
#ifndef DATA_FETCH_CW_FETCH_H
#define DATA_FETCH_CW_FETCH_H

#include "data/fetch/cw_ask.h"
#include "data/store/store.h"

/* Which volumes and instances belong to a system: those of its layout's volume_ids and all that
 * hangs on the same instances, or without such ids all that the store has of it; in region, as far
 * as a volume's zone is known.  ERR_USAGE says how to give some. */
int cw_resources_of(struct store *s, const char *system, const char *region, struct arena *a,
                    struct cw_resource **out, size_t *out_n, struct err *e);

struct cw_fetched {
    int64_t rows;
    bool resumed; /* some of the range was known */
};

/* progress is told the number of windows done, and of all; NULL = nobody. */
int cw_fetch(struct aws_client *c, struct store *s, const char *system,
             const struct cw_resource *resources, size_t n, const struct cw_range *range,
             void (*progress)(void *ctx, size_t done, size_t total), void *ctx,
             struct cw_fetched *out, struct err *e);

#endif
