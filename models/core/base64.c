/* models/core/base64.c - see base64.h. */
#include "models/core/base64.h"

#include <stdint.h>

char *base64_of(const unsigned char *bytes, size_t n, struct arena *a)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *out = arena_alloc(a, (n + 2) / 3 * 4 + 1), *at = out;
    for (size_t i = 0; i < n && out; i += 3) {
        size_t left = n - i;
        uint32_t three = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                         (left > 2 ? (uint32_t)bytes[i + 2] : 0);
        at[0] = digits[three >> 18];
        at[1] = digits[three >> 12 & 63];
        at[2] = left > 1 ? digits[three >> 6 & 63] : '=';
        at[3] = left > 2 ? digits[three & 63] : '=';
        at += 4;
    }
    return out;
}
