/* data/ingest/json/json_kind.h - names JSON files of AWS and of tools around it that no format
 * reads. */
#ifndef DATA_INGEST_JSON_JSON_KIND_H
#define DATA_INGEST_JSON_JSON_KIND_H

#include "models/core/span.h"

/* "a Terraform plan; ..."; "JSON" for one that is not known. */
const char *json_kind(struct span head);

#endif
