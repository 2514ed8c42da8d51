/* models/vocab/phase.h - a dated part of a plan: what changes from a day on. */
#ifndef MODELS_VOCAB_PHASE_H
#define MODELS_VOCAB_PHASE_H

#include <stddef.h>
#include <stdint.h>

enum { PHASES_MAX = 24, PHASE_CHANGES_MAX = 64 };

/* Changes are those of whatif, "--standbys 12", on top of the phases before. */
struct phase {
    int64_t from_ms, to_ms; /* ascending; to is UNKNOWN but perhaps for the last */
    const char *const *changes;
    size_t n_changes;
};

struct phase_list {
    const struct phase *at;
    size_t n;
};

#endif
