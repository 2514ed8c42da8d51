/* data/zone.c - see zone.h.
 *
 * A zone is a list of segments of constant offset.  Segment k ends at the instant at_s[k]; on
 * the wall that is at_s[k] + offset_s[k], and those ends ascend.  The first segment that ends
 * after a wall time is therefore its first occurrence; when that segment also starts after it,
 * the time was skipped.  The POSIX rule at the end of a TZif file (RFC 8536 section 3.3) is
 * written out as segments up to RULE_UNTIL_YEAR, so that one search serves all. */
#include "data/zone.h"

#include "data/ingest/source.h"
#include "models/core/timestamp.h"
#include "models/core/unit.h"

#include <stdbool.h>
#include <string.h>

#define ZONEINFO "/usr/share/zoneinfo/"

enum {
    ZONE_FILE_MAX = 1024 * 1024,
    RULE_UNTIL_YEAR = 2150,
    RULE_SEGMENTS = 2 * (RULE_UNTIL_YEAR - 1970),
    OFFSET_MAX_S = 26 * 3600,
    HEADER_BYTES = 44,
};
/* zic writes -2^59 for "since ever"; whatever is further away is cut to this. */
static const int64_t FAR_S = INT64_C(1) << 59;

struct zone {
    size_t n; /* ends; there are n + 1 offsets */
    const int64_t *at_s;
    const int32_t *offset_s;
};

/* --- fixed offsets ---------------------------------------------------------------------------- */

static int two_digits(struct span *s, int *out)
{
    if (s->len < 2 || s->ptr[0] < '0' || s->ptr[0] > '9' || s->ptr[1] < '0' || s->ptr[1] > '9')
        return -1;
    *out = (s->ptr[0] - '0') * 10 + (s->ptr[1] - '0');
    *s = span_cut(*s, 2, s->len);
    return 0;
}

/* {+|-}h, hh, hhmm or hh:mm. */
static int parse_offset(struct span s, int32_t *out)
{
    if (s.len < 2 || (s.ptr[0] != '+' && s.ptr[0] != '-'))
        return -1;
    bool west = s.ptr[0] == '-';
    s = span_cut(s, 1, s.len);
    int hours, minutes = 0;
    if (s.len == 1 && s.ptr[0] >= '0' && s.ptr[0] <= '9') {
        hours = s.ptr[0] - '0';
        s.len = 0;
    } else if (two_digits(&s, &hours)) {
        return -1;
    }
    if (s.len && s.ptr[0] == ':')
        s = span_cut(s, 1, s.len);
    if (s.len && two_digits(&s, &minutes))
        return -1;
    if (s.len || hours > 14 || minutes > 59)
        return -1;
    int32_t seconds = hours * 3600 + minutes * 60;
    *out = west ? -seconds : seconds;
    return 0;
}

static int make_fixed(int32_t offset_s, struct arena *a, const struct zone **out, struct err *e)
{
    struct zone *z = arena_alloc(a, sizeof *z);
    int32_t *offset = arena_alloc(a, sizeof *offset);
    if (!z || !offset)
        return err_nomem(e);
    *offset = offset_s;
    z->offset_s = offset;
    *out = z;
    return 0;
}

/* --- the POSIX rule ------------------------------------------------------------------------- */

struct rule_day {
    char kind; /* 'M' month.week.day, 'J' day 1..365 without 29 February, 'n' day 0..365 */
    int month, week, day;
    int32_t time_s;
};

struct rule {
    int32_t std_s, dst_s;
    bool has_dst;
    struct rule_day to_dst, to_std;
};

static bool take(struct span *s, char c)
{
    if (!s->len || s->ptr[0] != c)
        return false;
    *s = span_cut(*s, 1, s->len);
    return true;
}

static int take_number(struct span *s, int max, int *out)
{
    int64_t v;
    if (!s->len || s->ptr[0] < '0' || s->ptr[0] > '9' || span_int(s, &v) || v > max)
        return -1;
    *out = (int)v;
    return 0;
}

/* "CEST" or "<+03>" */
static int take_zone_name(struct span *s)
{
    size_t n = 0;
    if (take(s, '<')) {
        while (n < s->len && s->ptr[n] != '>')
            n++;
        *s = span_cut(*s, n, s->len);
        return take(s, '>') ? 0 : -1;
    }
    while (n < s->len && ((s->ptr[n] | 32) >= 'a' && (s->ptr[n] | 32) <= 'z'))
        n++;
    *s = span_cut(*s, n, s->len);
    return n ? 0 : -1;
}

/* [+-]h[:mm[:ss]] in seconds. */
static int take_time(struct span *s, int max_hours, int32_t *out)
{
    bool neg = take(s, '-');
    if (!neg)
        take(s, '+');
    int h, m = 0, sec = 0;
    if (take_number(s, max_hours, &h) || (take(s, ':') && take_number(s, 59, &m)) ||
        (take(s, ':') && take_number(s, 59, &sec)))
        return -1;
    int32_t v = h * 3600 + m * 60 + sec;
    *out = neg ? -v : v;
    return 0;
}

static int take_rule_day(struct span *s, struct rule_day *out)
{
    struct rule_day d = { .kind = 'n', .time_s = 2 * 3600 };
    if (take(s, 'M')) {
        d.kind = 'M';
        if (take_number(s, 12, &d.month) || !take(s, '.') || take_number(s, 5, &d.week) ||
            !take(s, '.') || take_number(s, 6, &d.day) || d.month < 1 || d.week < 1)
            return -1;
    } else {
        if (take(s, 'J'))
            d.kind = 'J';
        if (take_number(s, 365, &d.day) || (d.kind == 'J' && d.day < 1))
            return -1;
    }
    if (take(s, '/') && take_time(s, 167, &d.time_s))
        return -1;
    *out = d;
    return 0;
}

static int parse_rule(struct span s, struct rule *out)
{
    struct rule r = { 0 };
    int32_t west;
    if (take_zone_name(&s) || take_time(&s, 24, &west))
        return -1;
    r.std_s = -west;
    if (s.len) {
        r.has_dst = true;
        r.dst_s = r.std_s + 3600;
        if (take_zone_name(&s))
            return -1;
        if (s.len && s.ptr[0] != ',') {
            if (take_time(&s, 24, &west))
                return -1;
            r.dst_s = -west;
        }
        if (!take(&s, ',') || take_rule_day(&s, &r.to_dst) || !take(&s, ',') ||
            take_rule_day(&s, &r.to_std))
            return -1;
    }
    if (s.len)
        return -1;
    *out = r;
    return 0;
}

static int64_t day_number(int year, int month, int day)
{
    struct civil c = { .year = year, .month = month, .day = day };
    return time_from_civil(&c) / DAY_MS;
}

/* Wall clock of a rule in a year, in seconds as if UTC. */
static int64_t rule_wall_s(const struct rule_day *d, int year)
{
    int64_t day = day_number(year, 1, 1) + d->day;
    if (d->kind == 'J') {
        bool leap = day_number(year, 3, 1) - day_number(year, 2, 1) == 29;
        day += d->day >= 60 && leap ? 0 : -1;
    } else if (d->kind == 'M') {
        int64_t first = day_number(year, d->month, 1);
        int64_t next_month =
            d->month == 12 ? day_number(year + 1, 1, 1) : day_number(year, d->month + 1, 1);
        int first_weekday = (time_weekday(first * DAY_MS) + 1) % 7; /* 0 = Sunday */
        int days = (d->day - first_weekday + 7) % 7 + (d->week - 1) * 7;
        day = first + days;
        if (day >= next_month)
            day -= 7;
    }
    return day * 86400 + d->time_s;
}

/* --- TZif ------------------------------------------------------------------------------------- */

struct tzif_block {
    size_t n_utc, n_std, n_leap, n_times, n_types, n_chars;
    size_t time_bytes; /* 4 in version 1 blocks, 8 in the others */
    const unsigned char *body;
    size_t len; /* of the body */
};

static uint32_t be32(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static int64_t be_time(const unsigned char *p, size_t n_bytes)
{
    if (n_bytes == 4)
        return (int32_t)be32(p);
    int64_t v = (int64_t)((uint64_t)be32(p) << 32 | be32(p + 4));
    return v > FAR_S ? FAR_S : v < -FAR_S ? -FAR_S : v;
}

/* Takes one header and its block off s. */
static int take_block(struct span *s, size_t time_bytes, int *version, struct tzif_block *out)
{
    const unsigned char *p = (const unsigned char *)s->ptr;
    if (s->len < HEADER_BYTES || memcmp(p, "TZif", 4) != 0)
        return -1;
    *version = p[4] ? p[4] - '0' : 1;
    struct tzif_block b = { be32(p + 20),
                            be32(p + 24),
                            be32(p + 28),
                            be32(p + 32),
                            be32(p + 36),
                            be32(p + 40),
                            .time_bytes = time_bytes };
    b.body = p + HEADER_BYTES;
    b.len = b.n_times * (time_bytes + 1) + b.n_types * 6 + b.n_chars + b.n_leap * (time_bytes + 4) +
            b.n_std + b.n_utc; /* seven products of 32-bit counts: no overflow in 64 bits */
    if (b.len > s->len - HEADER_BYTES || b.n_types == 0)
        return -1;
    *s = span_cut(*s, HEADER_BYTES + b.len, s->len);
    *out = b;
    return 0;
}

struct builder {
    size_t n, room;
    int64_t *at_s;
    int32_t *offset_s;
};

static void add_segment(struct builder *b, int64_t at_s, int32_t offset_s)
{
    if (b->n == b->room || (b->n && at_s <= b->at_s[b->n - 1]) || offset_s == b->offset_s[b->n])
        return;
    b->at_s[b->n] = at_s;
    b->offset_s[++b->n] = offset_s;
}

/* Offset of local time type i; non-zero when there is none or it is absurd. */
static int type_offset(const struct tzif_block *b, size_t i, int32_t *out)
{
    if (i >= b->n_types)
        return -1;
    int32_t v = (int32_t)be32(b->body + b->n_times * (b->time_bytes + 1) + i * 6);
    if (v > OFFSET_MAX_S || v < -OFFSET_MAX_S)
        return -1;
    *out = v;
    return 0;
}

static int add_transitions(struct builder *b, const struct tzif_block *t)
{
    if (type_offset(t, 0, &b->offset_s[0]))
        return -1;
    for (size_t i = 0; i < t->n_times; i++) {
        int32_t offset;
        if (type_offset(t, t->body[t->n_times * t->time_bytes + i], &offset))
            return -1;
        add_segment(b, be_time(t->body + i * t->time_bytes, t->time_bytes), offset);
    }
    return 0;
}

static void add_rule(struct builder *b, const struct rule *r)
{
    for (int year = 1970; r->has_dst && year < RULE_UNTIL_YEAR; year++) {
        int64_t to_dst = rule_wall_s(&r->to_dst, year) - r->std_s;
        int64_t to_std = rule_wall_s(&r->to_std, year) - r->dst_s;
        bool north = to_dst < to_std;
        add_segment(b, north ? to_dst : to_std, north ? r->dst_s : r->std_s);
        add_segment(b, north ? to_std : to_dst, north ? r->std_s : r->dst_s);
    }
}

int zone_parse_tzif(const char *path, struct span bytes, struct arena *a, const struct zone **out,
                    struct err *e)
{
    struct tzif_block t;
    int version;
    struct span rest = bytes;
    if (take_block(&rest, 4, &version, &t) || (version >= 2 && take_block(&rest, 8, &version, &t)))
        return err_set(e, ERR_FILE, "%s: not a time zone file (TZif)", path);
    if (t.n_leap)
        return err_set(e, ERR_FILE,
                       "%s: counts leap seconds; take the zone of the same name "
                       "without 'right/'",
                       path);
    struct rule rule = { 0 };
    struct span footer;
    if (t.time_bytes == 8 && take(&rest, '\n') && span_field(&rest, '\n', &footer) == 0 &&
        footer.len && parse_rule(footer, &rule))
        return err_set(e, ERR_FILE, "%s: rule '%.*s' is not understood", path, SPAN_ARG(footer));

    struct builder b = { .room = t.n_times + RULE_SEGMENTS };
    b.at_s = arena_array(a, b.room, sizeof *b.at_s);
    b.offset_s = arena_array(a, b.room + 1, sizeof *b.offset_s);
    struct zone *z = arena_alloc(a, sizeof *z);
    if (!b.at_s || !b.offset_s || !z)
        return err_nomem(e);
    if (add_transitions(&b, &t))
        return err_set(e, ERR_FILE, "%s: damaged time zone file", path);
    add_rule(&b, &rule);
    *z = (struct zone){ b.n, b.at_s, b.offset_s };
    *out = z;
    return 0;
}

/* --- names ------------------------------------------------------------------------------------ */

static bool is_zone_name(struct span s)
{
    if (!s.len || s.len > 64 || s.ptr[0] == '/' || span_find(s, "..") >= 0)
        return false;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        bool letter = (c | 32) >= 'a' && (c | 32) <= 'z';
        if (!letter && !(c >= '0' && c <= '9') && c != '_' && c != '+' && c != '-' && c != '/')
            return false;
    }
    return true;
}

static int read_zoneinfo(const char *path, struct arena *a, const struct zone **out, struct err *e)
{
    struct source *src;
    struct span bytes;
    int rc = source_open(path, &src, e);
    if (rc)
        return rc;
    rc = source_all(src, ZONE_FILE_MAX, &bytes, e);
    if (!rc)
        rc = zone_parse_tzif(path, bytes, a, out, e);
    source_close(src);
    return rc;
}

int zone_open(struct span name, struct arena *a, const struct zone **out, struct err *e)
{
    int32_t offset_s = 0;
    if (span_is(name, "Z") || span_is(name, "UTC") || parse_offset(name, &offset_s) == 0)
        return make_fixed(offset_s, a, out, e);
    if (!is_zone_name(name))
        return err_set(e, ERR_USAGE,
                       "time zone '%.*s': expected an offset (+02:00), UTC or an IANA name "
                       "(Europe/Berlin)",
                       SPAN_ARG(name));
    char path[sizeof ZONEINFO + 64] = ZONEINFO;
    memcpy(path + sizeof ZONEINFO - 1, name.ptr, name.len);
    int rc = read_zoneinfo(path, a, out, e);
    if (rc == ERR_FILE && e) {
        e->code = ERR_USAGE;
        err_prefix(e, "time zone '%.*s'", SPAN_ARG(name));
    }
    return rc == ERR_FILE ? ERR_USAGE : rc;
}

/* --- from the wall to UTC --------------------------------------------------------------------- */

/* The first segment that ends after a wall clock. */
static size_t first_segment(const struct zone *z, int64_t wall_s)
{
    size_t lo = 0, hi = z->n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (z->at_s[mid] + z->offset_s[mid] > wall_s)
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo;
}

int64_t zone_to_utc_after(const struct zone *z, int64_t wall_ms, int64_t after_ms)
{
    if (!z || wall_ms == UNKNOWN)
        return wall_ms;
    int64_t wall_s = wall_ms / 1000 - (wall_ms % 1000 < 0);
    size_t k = first_segment(z, wall_s);
    bool skipped = k > 0 && wall_s - z->offset_s[k] < z->at_s[k - 1];
    int64_t first_ms = wall_ms - z->offset_s[skipped ? k - 1 : k] * INT64_C(1000);
    if (after_ms == UNKNOWN || first_ms >= after_ms || k == z->n)
        return first_ms;
    int64_t second_s = wall_s - z->offset_s[k + 1];
    int64_t second_ms = wall_ms - z->offset_s[k + 1] * INT64_C(1000);
    return second_s >= z->at_s[k] && second_ms >= after_ms ? second_ms : first_ms;
}

int64_t zone_to_utc(const struct zone *z, int64_t wall_ms)
{
    return zone_to_utc_after(z, wall_ms, UNKNOWN);
}

size_t zone_folds(const struct zone *z, int64_t from_ms, int64_t to_ms)
{
    size_t n = 0;
    for (size_t k = 0; z && k < z->n; k++)
        n += z->offset_s[k + 1] < z->offset_s[k] && z->at_s[k] > from_ms / 1000 &&
             z->at_s[k] < to_ms / 1000;
    return n;
}
