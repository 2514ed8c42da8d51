/* data/ingest/text/text_places.c - see text_places.h.
 *
 * The eight bytes of a number are one integer, the first byte lowest: "  123.45" has its point in
 * byte 5.  Every step below is the same for every number of a row. */
#include "data/ingest/text/text_places.h"

#include "data/ingest/text/text_number.h"
#include "models/core/wide.h"

enum {
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
    if (n < 2 || n > TEXT_PLACES_MAX || ends[0] < WIDTH_MIN)
        return;
    p->first_from = ends[0] - WIDTH_MIN;
    bool ok = set_place(p, 0, p->first_from, ends[0]);
    for (size_t i = 1; i < n && ok; i++)
        ok = set_place(p, i, ends[i - 1], ends[i]);
    for (size_t i = n; i % WIDE && ok; i++) /* the last one again, which is not the first */
        ok = set_place(p, i, ends[n - 2], ends[n - 1]);
    p->n = ok ? n : 0;
}

#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/* The digits of the numbers that stand there, a byte for each, without the point and behind a zero;
 * and what of each number is none: true when nothing is. */
MAY_BE_WIDE static bool find_digits(const struct text_places *p, const char *line, uint64_t *out,
                                    uint64_t *bad)
{
    const uint64_t zeros = UINT64_C(0x30302E3030303030), no_blank = UINT64_C(0xFFFFFFFF) << 32;
    /* added to a byte it gives 0x80 and more when that is above 9; to the point, when above 0 */
    const uint64_t to_limit = UINT64_C(0x76767F7676767676);
    wide_u64 all_bad = { 0 };
    for (size_t i = 0; i < p->n; i += WIDE) {
        const uint32_t *to = p->to + i, *at = p->lead_at + i;
        wide_u64 text = { text_eight(line + to[0] - 8), text_eight(line + to[1] - 8),
                          text_eight(line + to[2] - 8), text_eight(line + to[3] - 8) };
        wide_u64 lead = { text_eight(line + at[0]), text_eight(line + at[1]),
                          text_eight(line + at[2]), text_eight(line + at[3]) };
        wide_u64 mine = *(const wide_u64 *)(p->mine + i), gap = *(const wide_u64 *)(p->gap + i);
        /* a digit is its value now, the point 0, a blank 0x10 */
        wide_u64 x = (((text ^ EACH(' ')) & mine) ^ (zeros ^ EACH(' ')));
        wide_u64 high = x & EACH(0x10);
        wide_u64 blank = (high << 4) - (high >> 4); /* 0xFF for each */
        wide_u64 digits = x ^ high;                 /* of a blank, nothing may be left */
        wide_u64 over = digits + (to_limit + (blank & EACH(0x09)));
        wide_u64 is_bad = ((digits | over) & EACH(0x80)) |
                          (blank & (blank + 1))                /* one behind a digit */
                          | ((blank ^ gap) & (gap | no_blank)) /* where none may be, or must */
                          | ((lead ^ EACH(' ')) & *(const wide_u64 *)(p->lead + i));
        all_bad |= is_bad;
        *(wide_u64 *)(bad + i) = is_bad;
        *(wide_u64 *)(out + i) =
            (digits & UINT64_C(0xFFFF) << 48) | (digits << 8 & UINT64_C(0xFFFFFFFFFF00));
    }
    return !(all_bad[0] | all_bad[1] | all_bad[2] | all_bad[3]);
}

/* The numbers of n times eight digits, the last two of them decimals. */
MAY_BE_WIDE static void join_digits(const uint64_t *digits, size_t n, double *out)
{
    for (size_t i = 0; i < n; i += WIDE) {
        wide_u64 each = *(const wide_u64 *)(digits + i);
        /* two digits in every second byte, four in every fourth, then all eight: the product
         * has a digit's tenfold in the place of the one behind it, and above that only */
        wide_u16 two = (wide_u16)each * (uint16_t)(10 << 8 | 1) >> 8;
        wide_u32 four = (wide_u32)two * (uint32_t)(100 << 16 | 1) >> 16;
        wide_u64 high_four = (wide_u64)four >> 32;
        wide_u64 eight = ((wide_u64)(four * (uint32_t)10000) + high_four) & UINT64_C(0xFFFFFFFF);
        /* as a double: the fraction of 2^52 + n is n */
        *(wide_f64 *)(out + i) = ((wide_f64)(eight | UINT64_C(0x4330000000000000)) - 0x1p52) / 100;
    }
}

bool text_places_read(struct text_places *p, const char *line, size_t from,
                      double out[TEXT_PLACES_MAX], uint64_t bad[TEXT_PLACES_MAX])
{
    while (p->to[0] > from + WIDTH_MAX && line[from] == ' ')
        from++;
    bool has_first = from == p->first_from || set_place(p, 0, from, p->to[0]);
    if (has_first)
        p->first_from = from;
    uint64_t digits[TEXT_PLACES_MAX];
    bool ok = find_digits(p, line, digits, bad);
    join_digits(digits, p->n, out);
    bad[0] |= !has_first;
    return ok && has_first;
}
