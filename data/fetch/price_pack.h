/* data/fetch/price_pack.h - rows of price lists onto a catalogue: a facts pack of prices and
 * instances.
 *
 * Of a region the prices of a volume type are taken when all its components and tiers are in the
 * list: half a set would price half a volume.  Tiers are those that us-east-1 has in the catalogue,
 * as the list does not tell them.  Instances are priced in us-east-1 only, as in the catalogue.
 * What was known before stays, for its dates. */
#ifndef DATA_FETCH_PRICE_PACK_H
#define DATA_FETCH_PRICE_PACK_H

#include "data/fetch/price_list.h"
#include "models/facts/catalogue.h"

/* An instance type that the catalogue does not know. */
struct price_new_type {
    const char *name;
    double vcpu; /* NaN */
};

struct price_pack {
    const struct catalogue *known;
    struct arena *arena;
    const char *region;    /* of the list that is being read */
    int64_t *picousd;      /* of each row of known->usage_types in this list; UNKNOWN */
    int64_t *effective_ms; /* of the same */
    int64_t *hourly;       /* of each known instance; UNKNOWN */
    struct price *prices;  /* the new rows */
    size_t n_prices, prices_room;
    struct price_new_type *types;
    size_t n_types, types_room;
    size_t n_types_before; /* of the lists before */
    int64_t newest_ms;     /* publication; UNKNOWN */
    int64_t instances_ms;
    const char *instances_source;
    size_t n_skipped_types; /* volume types with a part missing */
};

int price_pack_init(struct price_pack *p, const struct catalogue *known, struct arena *a,
                    struct err *e);
/* The list of a region begins; its rows go to the sink; it was read to its end. */
void price_pack_region(struct price_pack *p, const char *region);
struct price_list_sink price_pack_sink(struct price_pack *p);
int price_pack_keep(struct price_pack *p, const struct price_list *l, struct err *e);

/* The catalogue with the new figures; rows live in the pack's arena. */
int price_pack_build(const struct price_pack *p, struct catalogue *out, struct err *e);
/* Writes prices.csv, and instances.csv where there are prices of them, into dir, which is made. */
int price_pack_write(const struct price_pack *p, const struct catalogue *built, const char *dir,
                     struct err *e);

#endif
