/* data/ingest/cloudwatch/base64.c - see base64.h. */
#include "data/ingest/cloudwatch/base64.h"

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
