/* data/ingest/json/json_kind.c - see json_kind.h. */
#include "data/ingest/json/json_kind.h"

#include "data/ingest/json/json_scan.h"

#define BUILT_IN "; prices are built in (volplan catalog), --facts DIR brings others"

static const struct kind {
    const char *key, *other_key; /* both must be there; other_key may be NULL */
    const char *what;
} kinds[] = {
    { "terraform_version", "planned_values", "a Terraform plan; load describe-volumes instead" },
    { "terraform_version", "lineage", "a Terraform state; load describe-volumes instead" },
    { "terraform_version", "values", "a Terraform state; load describe-volumes instead" },
    { "PriceList", NULL, "an AWS price list (get-products)" BUILT_IN },
    { "products", NULL, "an AWS price list" BUILT_IN },
    { "product", "terms", "an AWS price list (one product)" BUILT_IN },
    { "Error", "ResponseMetadata", "an error that AWS answered instead of data" },
    { "metricset", "event", "an event of Metricbeat: averages over an unstated period, no rates" },
};

const char *json_kind(struct span head)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (json_head_has(head, kinds[i].key) &&
            (!kinds[i].other_key || json_head_has(head, kinds[i].other_key)))
            return kinds[i].what;
    return "JSON";
}
