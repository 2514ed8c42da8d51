/* data/ingest/text/text_places.c - see text_places.h.
 *
 * The eight bytes of a number are one integer, the first byte lowest: "  123.45" has its point in
 * byte 5.  Every step below is the same for every number of a row. */
#include "data/ingest/text/text_places.h"

#include "data/ingest/text/text_number.h"

static const uint64_t each = UINT64_C(0x0101010101010101);
static const uint64_t blanks = UINT64_C(0x2020202020202020);

enum {
    STEP = 8,      /* numbers that are read at a time */
    WIDTH_MIN = 5, /* " 0.00" */
    WIDTH_MAX = 16 /* two integers */
};

/* Bytes from on, before to. */
static uint64_t bytes_between(size_t from, size_t to)
{
    return from < to ? UINT64_MAX << 8 * from & UINT64_MAX >> 8 * (8 - to) : 0;
}

/* False where that is no place for a number. */
static bool set_place(struct text_places *p, size_t i, size_t from, size_t to)
{
    size_t width = to - from;
    if (from > to || to < 8 || to > UINT32_MAX || width < WIDTH_MIN || width > WIDTH_MAX)
        return false;
    size_t own = width < 8 ? 8 - width : 0, lead_at = to < 16 ? 0 : to - 16;
    p->to[i] = (uint32_t)to;
    p->lead_at[i] = (uint32_t)lead_at;
    p->mine[i] = bytes_between(own, 8);
    p->gap[i] = width <= 8 ? bytes_between(own, own + 1) : 0;
    p->lead[i] = bytes_between(from - lead_at, to - 8 - lead_at);
    return true;
}

void text_places_set(struct text_places *p, const size_t *ends, size_t n)
{
    p->n = 0;
    if (!n || n > TEXT_PLACES_MAX || ends[0] < WIDTH_MIN)
        return;
    bool ok = set_place(p, 0, ends[0] - WIDTH_MIN, ends[0]);
    for (size_t i = 1; i < n && ok; i++)
        ok = set_place(p, i, ends[i - 1], ends[i]);
    p->n = ok ? n : 0;
}

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#define MAY_BE_WIDE __attribute__((target_clones("avx2", "default"))) /* four at a time, or two */
#else
#define MAY_BE_WIDE
#endif

/* The numbers that STEP integers are, and what of them is none. */
MAY_BE_WIDE static void read_step(const uint64_t *restrict text, const uint64_t *restrict gap,
                                  double *restrict out, uint64_t *restrict bad)
{
    const uint64_t zeros = UINT64_C(0x30302E3030303030), point = UINT64_C(0xFF) << 40;
    const uint64_t no_blank = UINT64_C(0xFFFFFFFF) << 32;
    for (size_t i = 0; i < STEP; i++) {
        uint64_t x = text[i] ^ zeros;               /* a digit is its value now, the point 0 */
        uint64_t high = x & each << 4;              /* of a blank, all that is left */
        uint64_t blank = (high << 4) - (high >> 4); /* 0xFF for each */
        uint64_t digits = x & ~blank;
        bad[i] |= ((x ^ high) & blank)                              /* no blank after all */
                  | (blank & (blank + 1))                           /* one behind a digit */
                  | (blank & no_blank) | (gap[i] & ~blank)          /* where none may be, or must */
                  | ((digits | (digits + each * 0x76)) & each << 7) /* above 9 */
                  | (x & point);
        /* the point goes out, a zero comes in as the first byte */
        uint64_t d = (digits & UINT64_C(0xFFFF) << 48) | (digits << 8 & UINT64_C(0xFFFFFFFFFF00));
        /* two digits in every second byte, four in every fourth, then all eight */
        uint64_t two = ((d << 3) + (d << 1) + (d >> 8)) & UINT64_C(0x00FF00FF00FF00FF);
        uint64_t four =
            ((two << 6) + (two << 5) + (two << 2) + (two >> 16)) & UINT64_C(0x0000FFFF0000FFFF);
        uint64_t eight = (uint64_t)(uint32_t)four * 10000 + (four >> 32);
        /* as a double: the fraction of 2^52 + n is n */
        uint64_t bits = eight | UINT64_C(0x4330000000000000);
        double n;
        memcpy(&n, &bits, sizeof n);
        out[i] = (n - 0x1p52) / 100;
    }
}

bool text_places_read(struct text_places *p, const char *line, size_t from,
                      double out[TEXT_PLACES_MAX], uint64_t bad[TEXT_PLACES_MAX])
{
    while (p->to[0] > from + WIDTH_MAX && line[from] == ' ')
        from++;
    bool has_first = set_place(p, 0, from, p->to[0]);
    uint64_t text[TEXT_PLACES_MAX];
    for (size_t i = 0; i < p->n; i++) {
        text[i] = (text_eight(line + p->to[i] - 8) & p->mine[i]) | (blanks & ~p->mine[i]);
        bad[i] = (text_eight(line + p->lead_at[i]) ^ blanks) & p->lead[i];
    }
    bad[0] |= !has_first;
    size_t n = (p->n + STEP - 1) / STEP * STEP;
    for (size_t i = p->n; i < n; i++)
        text[i] = bad[i] = 0;
    for (size_t i = 0; i < n; i += STEP)
        read_step(text + i, p->gap + i, out + i, bad + i);
    uint64_t all_bad = 0;
    for (size_t i = 0; i < p->n; i++)
        all_bad |= bad[i];
    return !all_bad;
}
