/* models/core/base64.c - see base64.h. */
#include "models/core/base64.h"

#include <stdint.h>

char *base64_encode(const unsigned char *bytes, size_t n, struct arena *a)
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

size_t base64_room(size_t len)
{
    return len / 4 * 3 + 3;
}

static int value_of(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

int base64_decode(struct span text, char *out, size_t *n)
{
    for (int pads = 0; pads < 2 && text.len && text.ptr[text.len - 1] == '='; pads++)
        text.len--;
    if (text.len % 4 == 1)
        return -1;
    uint32_t bits = 0;
    int n_bits = 0;
    size_t at = 0;
    for (size_t i = 0; i < text.len; i++) {
        int v = value_of(text.ptr[i]);
        if (v < 0)
            return -1;
        bits = (bits << 6 | (uint32_t)v) & 0xFFFFFF;
        n_bits += 6;
        if (n_bits >= 8) {
            n_bits -= 8;
            out[at++] = (char)(bits >> n_bits & 0xFF);
        }
    }
    *n = at;
    return 0;
}
