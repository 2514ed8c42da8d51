/* cli/cmd/listing.h - the first rows of listings, for people: volumes, their modifications, and
 * records of any kind. */
#ifndef CLI_CMD_LISTING_H
#define CLI_CMD_LISTING_H

#include "models/core/arena.h"
#include "models/core/emit.h"
#include "models/vocab/record.h"
#include "models/vocab/volume_config.h"

enum { LISTING_ROWS = 30, LISTING_COLUMNS = 10, LISTING_KINDS = 16 };

struct listing_row {
    struct listing_row *next;
    struct record record;
};

struct listing_kind {
    const char *name;
    struct listing_row *first, **end;
    int64_t rows;
};

struct listing {
    struct listing_kind kinds[LISTING_KINDS];
    size_t n;
    int64_t left_out; /* rows of further kinds */
};

/* Copies what will be shown into the arena.  ERR_NOMEM. */
int listing_add(struct listing *l, const struct record *r, struct arena *a, struct err *e);
int listing_add_volume(struct listing *l, const struct volume_config *v, struct arena *a,
                       struct err *e);
int listing_add_modification(struct listing *l, const struct volume_modification *v,
                             struct arena *a, struct err *e);
/* A table per kind. */
int listing_emit(struct emit *m, const struct listing *l, struct arena *a, struct err *e);

/* A copy that outlives the callback; NULL when memory is out. */
struct record *record_copy(const struct record *r, struct arena *a);

#endif
