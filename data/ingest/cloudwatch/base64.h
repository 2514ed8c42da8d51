/* data/ingest/cloudwatch/base64.h - RFC 4648 base 64, for Firehose envelopes. */
#ifndef DATA_INGEST_CLOUDWATCH_BASE64_H
#define DATA_INGEST_CLOUDWATCH_BASE64_H

#include "models/core/span.h"

/* Room that the bytes of len characters need at most. */
size_t base64_room(size_t len);
/* Decodes; padding may be missing.  Non-zero for a character or a length that is none. */
int base64_decode(struct span text, char *out, size_t *n);

#endif
