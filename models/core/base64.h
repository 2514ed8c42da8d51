/* models/core/base64.h - bytes as text and back: RFC 4648. */
#ifndef MODELS_CORE_BASE64_H
#define MODELS_CORE_BASE64_H

#include "models/core/arena.h"
#include "models/core/span.h"

/* The text, padded and ended; NULL when memory is out. */
char *base64_encode(const unsigned char *bytes, size_t n, struct arena *a);

/* Room that the bytes of len characters need at most. */
size_t base64_room(size_t len);
/* Decodes; padding may be missing.  Non-zero for a character or a length that is none. */
int base64_decode(struct span text, char *out, size_t *n);

#endif
