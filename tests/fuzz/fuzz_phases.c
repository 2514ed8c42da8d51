/* tests/fuzz/fuzz_phases.c - any bytes as a phases file.
 *
 * What is accepted has phases in the order of their days, an end only in the last, and changes that
 * are texts. */
#include <stdint.h>
#include <stdlib.h>

#include "data/ingest/phases/phases_json.h"
#include "models/core/unit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool holds)
{
    if (!holds)
        abort();
}

static void demand_phases(const struct phase_list *p)
{
    demand(p->n >= 1 && p->n <= PHASES_MAX);
    for (size_t i = 0; i < p->n; i++) {
        const struct phase *q = &p->at[i];
        demand(q->from_ms != UNKNOWN && q->n_changes <= PHASE_CHANGES_MAX);
        demand(!i || q->from_ms > p->at[i - 1].from_ms);
        demand(q->to_ms == UNKNOWN || (i + 1 == p->n && q->to_ms > q->from_ms));
        for (size_t k = 0; k < q->n_changes; k++)
            demand(q->changes[k] && *q->changes[k]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a = { 0 };
    struct phase_list p;
    struct err e = { 0 };
    int rc = phases_parse((struct span){ (const char *)data, size }, &a, &p, &e);
    demand(rc == 0 || (rc == ERR_PARSE && e.text[0]));
    if (!rc)
        demand_phases(&p);
    arena_release(&a);
    return 0;
}
