/* data/ingest/utf16.c - see utf16.h. */
#include "data/ingest/utf16.h"

enum { REPLACEMENT = 0xFFFD };

static size_t put(char *out, unsigned c)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (char)(0xC0 | c >> 6);
        out[1] = (char)(0x80 | (c & 0x3F));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (char)(0xE0 | c >> 12);
        out[1] = (char)(0x80 | (c >> 6 & 0x3F));
        out[2] = (char)(0x80 | (c & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | c >> 18);
    out[1] = (char)(0x80 | (c >> 12 & 0x3F));
    out[2] = (char)(0x80 | (c >> 6 & 0x3F));
    out[3] = (char)(0x80 | (c & 0x3F));
    return 4;
}

static size_t put_unit(struct utf16 *u, unsigned unit, char *out)
{
    bool is_high = unit >= 0xD800 && unit < 0xDC00;
    bool is_low = unit >= 0xDC00 && unit < 0xE000;
    size_t n = 0;
    if (u->high && is_low) {
        n = put(out, 0x10000 + ((u->high - 0xD800) << 10) + (unit - 0xDC00));
        u->high = 0;
        return n;
    }
    if (u->high)
        n = put(out, REPLACEMENT);
    u->high = is_high ? unit : 0;
    if (is_high)
        return n;
    return n + put(out + n, is_low ? REPLACEMENT : unit);
}

size_t utf16_decode(struct utf16 *u, struct span in, char *out)
{
    size_t n = 0;
    for (size_t i = 0; i < in.len; i++) {
        unsigned char c = (unsigned char)in.ptr[i];
        if (!u->has_half) {
            u->half = c;
            u->has_half = true;
            continue;
        }
        u->has_half = false;
        n += put_unit(u, u->big_endian ? (unsigned)u->half << 8 | c : (unsigned)c << 8 | u->half,
                      out + n);
    }
    return n;
}

size_t utf16_finish(struct utf16 *u, char *out)
{
    size_t n = 0;
    if (u->high)
        n += put(out + n, REPLACEMENT);
    if (u->has_half)
        n += put(out + n, REPLACEMENT);
    u->high = 0;
    u->has_half = false;
    return n;
}
