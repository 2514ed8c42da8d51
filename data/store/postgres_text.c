/* data/store/postgres_text.c - any bytes as UTF-8 and back; see postgres_db.h. */
#include "data/store/postgres_db.h"

#include <string.h>

/* U+10FE00 to U+10FEFF are F4 8F B8 80 to F4 8F BB BF. */
static bool is_stand_in(const unsigned char *p, size_t n)
{
    return n >= 4 && p[0] == 0xf4 && p[1] == 0x8f && p[2] >= 0xb8 && p[2] <= 0xbb && p[3] >= 0x80 &&
           p[3] <= 0xbf;
}

static bool is_tail(const unsigned char *p, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if ((p[i] & 0xc0) != 0x80)
            return false;
    return true;
}

/* Bytes of the character at p that can be kept as it is; 0 when it must be replaced. */
static size_t kept_length(const unsigned char *p, size_t n)
{
    if (p[0] > 0 && p[0] < 0x80)
        return 1;
    if (p[0] >= 0xc2 && p[0] < 0xe0)
        return n >= 2 && is_tail(p, 2) ? 2 : 0;
    if (p[0] >= 0xe0 && p[0] < 0xf0) {
        bool odd = n >= 2 && ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] >= 0xa0));
        return n >= 3 && !odd && is_tail(p, 3) ? 3 : 0;
    }
    if (p[0] >= 0xf0 && p[0] <= 0xf4) {
        bool odd = n >= 2 && ((p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] >= 0x90));
        return n >= 4 && !odd && is_tail(p, 4) && !is_stand_in(p, n) ? 4 : 0;
    }
    return 0;
}

struct span postgres_text_encode(struct arena *a, struct span text)
{
    const unsigned char *p = (const unsigned char *)text.ptr;
    size_t good = 0, len = 0;
    while (good < text.len && (len = kept_length(p + good, text.len - good)) > 0)
        good += len;
    if (good == text.len)
        return text;
    char *out = arena_array(a, text.len - good + 1, 4 + good / (text.len - good));
    if (!out)
        return (struct span){ NULL, 0 };
    memcpy(out, p, good);
    size_t at = good;
    for (size_t i = good; i < text.len; i += len) {
        len = kept_length(p + i, text.len - i);
        if (len) {
            memcpy(out + at, p + i, len);
            at += len;
            continue;
        }
        unsigned char stand_in[4] = { 0xf4, 0x8f, (unsigned char)(0xb8 + (p[i] >> 6)),
                                      (unsigned char)(0x80 + (p[i] & 0x3f)) };
        memcpy(out + at, stand_in, 4);
        at += 4;
        len = 1;
    }
    return (struct span){ out, at };
}

struct span postgres_text_decode(struct arena *a, struct span text)
{
    const unsigned char *p = (const unsigned char *)text.ptr;
    size_t i = 0, at = 0;
    while (i < text.len && !is_stand_in(p + i, text.len - i))
        i++;
    if (i == text.len)
        return text;
    char *out = arena_alloc(a, text.len);
    if (!out)
        return (struct span){ NULL, 0 };
    for (i = 0; i < text.len; i++)
        if (is_stand_in(p + i, text.len - i)) {
            out[at++] = (char)((p[i + 2] - 0xb8) << 6 | (p[i + 3] & 0x3f));
            i += 3;
        } else {
            out[at++] = (char)p[i];
        }
    return (struct span){ out, at };
}
