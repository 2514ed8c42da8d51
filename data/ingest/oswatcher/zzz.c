/* data/ingest/oswatcher/zzz.c - see zzz.h. */
#include "data/ingest/oswatcher/zzz.h"

#include "models/core/timestamp.h"
#include "models/core/unit.h"

#include <math.h>
#include <string.h>

/* Beginnings of the months' names where date(1) prints others than the English ones. */
static const struct {
    const char *begins;
    int month;
} months[] = {
    { "Jan", 1 },
    { "Ene", 1 },
    { "Gen", 1 },
    { "Feb", 2 },
    { "Fev", 2 },
    { "F\xC3\xA9v", 2 },
    { "Mar", 3 },
    { "M\xC3\xA4r", 3 },
    { "Mrz", 3 },
    { "Apr", 4 },
    { "Abr", 4 },
    { "Avr", 4 },
    { "May", 5 },
    { "Mai", 5 },
    { "Mag", 5 },
    { "Jun", 6 },
    { "Juin", 6 },
    { "Giu", 6 },
    { "Jul", 7 },
    { "Juil", 7 },
    { "Lug", 7 },
    { "Aug", 8 },
    { "Ago", 8 },
    { "Ao\xC3\xBB", 8 },
    { "Sep", 9 },
    { "Set", 9 },
    { "Oct", 10 },
    { "Okt", 10 },
    { "Out", 10 },
    { "Ott", 10 },
    { "Nov", 11 },
    { "Dec", 12 },
    { "Dez", 12 },
    { "Dic", 12 },
    { "D\xC3\xA9"
      "c",
      12 },
};

static int month_of(struct span w)
{
    for (size_t i = 0; i < sizeof months / sizeof *months; i++)
        if (span_eq_nocase(span_cut(w, 0, strlen(months[i].begins)), span_of(months[i].begins)))
            return months[i].month;
    return 0;
}

struct parts {
    struct civil c;
    bool clock, pm, am;
};

/* "+03", "-0330": the offset in ms, or UNKNOWN. */
static int64_t offset_of(struct span w)
{
    int64_t v;
    struct span s = w;
    if (!w.len || (w.ptr[0] != '+' && w.ptr[0] != '-') || (w.len != 3 && w.len != 5) ||
        span_int(&s, &v) || s.len)
        return UNKNOWN;
    int64_t minutes = w.len == 3 ? v * 60 : v / 100 * 60 + v % 100;
    return minutes > -1000 && minutes < 1000 ? minutes * 60000 : UNKNOWN;
}

/* hh:mm:ss; non-zero when it is none. */
static int take_clock(struct span w, struct civil *c)
{
    int64_t h, m, s;
    if (span_int(&w, &h) || !span_starts(w, ":"))
        return -1;
    w = span_cut(w, 1, w.len);
    if (span_int(&w, &m) || !span_starts(w, ":"))
        return -1;
    w = span_cut(w, 1, w.len);
    if (span_int(&w, &s) || w.len || h < 0 || h > 23 || m < 0 || m > 59 || s < 0 || s > 60)
        return -1;
    c->hour = (int)h;
    c->minute = (int)m;
    c->second = s == 60 ? 59 : (int)s;
    return 0;
}

/* A number, or one with a point or the sign for year, month or day behind it. */
static bool take_number(struct span w, struct civil *c)
{
    int64_t v;
    size_t n_digits = w.len;
    if (!w.len || w.ptr[0] < '0' || w.ptr[0] > '9' || span_int(&w, &v))
        return false;
    n_digits -= w.len;
    bool sign = w.len && (unsigned char)w.ptr[0] >= 0x80;
    if (w.len && !sign && !span_is(w, ".") && !span_is(w, ","))
        return false;
    if (n_digits == 4)
        c->year = (int)v;
    else if (n_digits <= 2 && sign && !c->month)
        c->month = (int)v;
    else if (n_digits <= 2)
        c->day = (int)v;
    return true;
}

static void take_word(struct span w, struct parts *p, struct zzz *out)
{
    int month = month_of(w);
    int64_t offset_ms = offset_of(w);
    if (take_clock(w, &p->c) == 0)
        p->clock = true;
    else if (span_is(w, "AM") || span_is(w, "PM"))
        *(w.ptr[0] == 'P' ? &p->pm : &p->am) = true;
    else if (offset_ms != UNKNOWN)
        out->offset_ms = offset_ms;
    else if (take_number(w, &p->c))
        return;
    else if (month && (!p->clock || !p->c.month))
        p->c.month = month;
    else if (p->clock && (span_is(w, "UTC") || span_is(w, "GMT")))
        out->offset_ms = 0;
    else if (p->clock && !out->zone.len && w.ptr[0] >= 'A' && w.ptr[0] <= 'Z')
        out->zone = w;
}

static void settle(struct parts *p, struct zzz *out)
{
    if (p->am || p->pm)
        p->c.hour = p->c.hour % 12 + (p->pm ? 12 : 0);
    struct civil day = { .year = p->c.year, .month = p->c.month, .day = p->c.day };
    int64_t day_ms = time_from_civil(&day);
    if (!p->clock || day_ms == UNKNOWN)
        return;
    out->day_ms = day_ms;
    out->clock_ms = (p->c.hour * 3600 + p->c.minute * 60 + p->c.second) * INT64_C(1000);
}

/* <MM/DD/YYYY HH:MM:SS> */
static void parse_exawatcher(struct span s, struct parts *p)
{
    int64_t v[3];
    struct span word;
    for (int i = 0; i < 3; i++) {
        if (span_int(&s, &v[i]) || v[i] < 0 || v[i] > 9999 || (i < 2 && !span_starts(s, "/")))
            return;
        s = span_cut(s, i < 2, s.len);
    }
    p->c = (struct civil){ .year = (int)v[2], .month = (int)v[0], .day = (int)v[1] };
    if (span_word(&s, &word) == 0) {
        ptrdiff_t close = span_find(word, ">");
        p->clock = take_clock(span_cut(word, 0, close < 0 ? word.len : (size_t)close), &p->c) == 0;
    }
}

static struct zzz nothing_told(double interval_s)
{
    return (struct zzz){
        .day_ms = UNKNOWN, .clock_ms = UNKNOWN, .offset_ms = UNKNOWN, .interval_s = interval_s
    };
}

int zzz_parse_date(struct span text, struct zzz *out)
{
    struct parts p = { 0 };
    struct span word;
    struct zzz z = nothing_told((double)NAN);
    for (int i = 0; i < 12 && span_word(&text, &word) == 0; i++)
        take_word(word, &p, &z);
    settle(&p, &z);
    if (z.day_ms == UNKNOWN)
        return -1;
    *out = z;
    return 0;
}

int zzz_parse(struct span line, struct zzz *out)
{
    struct span s = span_trim(line);
    if (!span_starts(s, "zzz") || (s.len > 3 && s.ptr[3] != ' ' && s.ptr[3] != '\t'))
        return -1;
    struct zzz z = nothing_told(zzz_interval_s(s));
    double interval_s = z.interval_s;
    ptrdiff_t note = span_find(s, "Sample");
    s = span_trim(span_cut(s, 3, note < 0 ? s.len : (size_t)note));
    if (span_starts(s, "<")) {
        struct parts p = { 0 };
        parse_exawatcher(span_cut(s, 1, s.len), &p);
        settle(&p, &z);
    } else {
        while (s.len && s.ptr[0] == '*')
            s = span_cut(s, 1, s.len);
        if (zzz_parse_date(s, &z) == 0)
            z.interval_s = interval_s;
    }
    *out = z;
    return 0;
}

int64_t zzz_first_day_ms(struct span text)
{
    struct span line;
    struct zzz z;
    while (span_field(&text, '\n', &line) == 0)
        if (line.len && line.ptr[0] == 'z' && zzz_parse(line, &z) == 0 && z.day_ms != UNKNOWN)
            return z.day_ms;
    return UNKNOWN;
}

double zzz_interval_s(struct span line)
{
    ptrdiff_t at = span_find(line, "Sample ");
    struct span s = span_cut(line, at < 0 ? line.len : (size_t)at + 7, line.len);
    double v;
    if (!span_eq_nocase(span_cut(s, 0, 8), SPAN_LIT("interval")))
        return (double)NAN;
    ptrdiff_t colon = span_find(s, ":");
    s = span_trim(span_cut(s, colon < 0 ? s.len : (size_t)colon + 1, s.len));
    return span_double(&s, &v) == 0 && v > 0 && v < 1e6 ? v : (double)NAN;
}
