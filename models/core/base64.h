/* models/core/base64.h - bytes as text: RFC 4648, with padding. */
#ifndef MODELS_CORE_BASE64_H
#define MODELS_CORE_BASE64_H

#include "models/core/arena.h"

/* The text, ended; NULL when memory is out. */
char *base64_of(const unsigned char *bytes, size_t n, struct arena *a);

#endif
