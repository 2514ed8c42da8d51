/* cli/render/printable.c - see printable.h. */
#include "cli/render/printable.h"

#include <string.h>

size_t utf8_next(const char *s, size_t len, uint32_t *out_code)
{
    static const uint32_t smallest[] = { 0, 0x80, 0x800, 0x10000 };
    const unsigned char *p = (const unsigned char *)s;
    *out_code = UTF8_BROKEN;
    if (p[0] < 0x80) {
        *out_code = p[0];
        return 1;
    }
    size_t more = p[0] >= 0xf0 ? 3 : p[0] >= 0xe0 ? 2 : 1;
    if (p[0] < 0xc2 || p[0] > 0xf4 || len <= more)
        return 1;
    uint32_t code = p[0] & (0x3fu >> more);
    for (size_t i = 1; i <= more; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 1;
        code = code << 6 | (p[i] & 0x3fu);
    }
    if (code < smallest[more] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
        return 1;
    *out_code = code;
    return 1 + more;
}

size_t utf8_put(char out[4], uint32_t code)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    size_t more = code >= 0x10000 ? 3 : code >= 0x800 ? 2 : 1;
    static const unsigned char lead[] = { 0, 0xc0, 0xe0, 0xf0 };
    for (size_t i = more; i > 0; i--) {
        out[i] = (char)(0x80 | (code & 0x3f));
        code >>= 6;
    }
    out[0] = (char)(lead[more] | code);
    return 1 + more;
}

struct range {
    uint32_t from, to;
};

static int in_ranges(uint32_t code, const struct range *r, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (code >= r[i].from && code <= r[i].to)
            return 1;
    return 0;
}
#define IN(code, table) in_ranges(code, table, sizeof(table) / sizeof *(table))

int printable_is_control(uint32_t code)
{
    /* C0, DEL and C1; zero-width and direction marks; line separators; BOM; tags. */
    static const struct range controls[] = {
        { 0, 0x1f },        { 0x7f, 0x9f },       { 0xad, 0xad },     { 0x61c, 0x61c },
        { 0x200b, 0x200f }, { 0x2028, 0x202e },   { 0x2060, 0x206f }, { 0xfeff, 0xfeff },
        { 0xfff9, 0xfffb }, { 0xe0000, 0xe007f },
    };
    return IN(code, controls);
}

/* Unicode's East Asian Width W and F, and combining marks, as far as names need them. */
static size_t columns_of(uint32_t code)
{
    static const struct range wide[] = {
        { 0x1100, 0x115f },   { 0x2e80, 0xa4cf },   { 0xac00, 0xd7a3 }, { 0xf900, 0xfaff },
        { 0xfe30, 0xfe6f },   { 0xff00, 0xff60 },   { 0xffe0, 0xffe6 }, { 0x1f300, 0x1f64f },
        { 0x1f900, 0x1f9ff }, { 0x20000, 0x3fffd },
    };
    static const struct range none[] = { { 0x300, 0x36f }, { 0x20d0, 0x20ff }, { 0xfe00, 0xfe0f } };
    return IN(code, none) ? 0 : IN(code, wide) ? 2 : 1;
}

int printable_next(const char **s, struct printable *out)
{
    if (!**s)
        return 0;
    uint32_t code;
    /* A well-formed character has at most 4 bytes; the NUL ends a broken one. */
    size_t len = utf8_next(*s, strnlen(*s, 4), &code);
    if (code == UTF8_BROKEN || (code < 0x100 && printable_is_control(code)))
        out->len = (size_t)snprintf(out->text, sizeof out->text, "\\x%02x",
                                    code == UTF8_BROKEN ? (unsigned char)**s : (unsigned)code);
    else if (printable_is_control(code))
        out->len = (size_t)snprintf(out->text, sizeof out->text, "\\u%04x", (unsigned)code);
    else {
        memcpy(out->text, *s, len);
        out->text[len] = '\0';
        out->len = len;
        out->columns = columns_of(code);
        *s += len;
        return 1;
    }
    out->columns = out->len;
    *s += len;
    return 1;
}

size_t printable_columns(const char *s, size_t len)
{
    size_t columns = 0;
    while (len) {
        uint32_t code;
        size_t n = utf8_next(s, len, &code);
        columns += code == UTF8_BROKEN ? 1 : columns_of(code);
        s += n;
        len -= n;
    }
    return columns;
}

void printable_put(FILE *f, const char *s)
{
    struct printable c;
    while (printable_next(&s, &c))
        fwrite(c.text, 1, c.len, f);
}
