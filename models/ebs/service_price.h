/* models/ebs/service_price.h - list prices of what is sold beside volumes: snapshots, fast
 * restores, initialization, clones.
 *
 * Known for us-east-1, and (initialization, clones) for an example Region of AWS's price page:
 * elsewhere there is none. */
#ifndef MODELS_EBS_SERVICE_PRICE_H
#define MODELS_EBS_SERVICE_PRICE_H

#include "models/core/money.h"
#include "models/facts/catalogue.h"

/* The names of service_prices.csv; the unit ends the name. */
#define SERVICE_SNAPSHOT          "snapshot_gib_month"
#define SERVICE_SNAPSHOT_ARCHIVE  "snapshot_archive_gib_month"
#define SERVICE_ARCHIVE_RETRIEVAL "snapshot_archive_retrieval_gib"
#define SERVICE_FAST_RESTORE      "fast_restore_dsu_hour"
#define SERVICE_INITIALIZATION    "volume_initialization_gib"
#define SERVICE_CLONE             "volume_clone_gib"

/* The newest price of a service in a region at or before the day, else its oldest; a price of an
 * example Region holds everywhere that has none of its own.  NULL where there is none. */
const struct service_price *service_price_find(const struct catalogue *c, const char *service,
                                               const char *region, int64_t as_of_ms);

/* Exact, in 10^-12 USD.  units: GiB, or GiB-months (GiB times hours over the hours of the month).
 */
money service_price_of(const struct service_price *p, double units);
/* Fast restores: snapshots in availability zones for hours, each charged its minimum. */
money fast_restore_price(const struct service_price *p, int64_t snapshots, int64_t zones,
                         double hours);

#endif
