/* data/ingest/iostat/iostat_stamp.c - see iostat_stamp.h. */
#include "data/ingest/iostat/iostat_stamp.h"

#include "models/core/timestamp.h"
#include "models/core/unit.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\0';
}

/* Up to max_digits digits, no more behind them. */
static int take_number(struct span *s, size_t max_digits, int *out, size_t *n_digits)
{
    size_t n = 0;
    int v = 0;
    for (; n < s->len && is_digit(s->ptr[n]); n++) {
        if (n == max_digits)
            return -1;
        v = v * 10 + (s->ptr[n] - '0');
    }
    if (n == 0)
        return -1;
    *out = v;
    *n_digits = n;
    *s = span_cut(*s, n, s->len);
    return 0;
}

/* One of the marks, or a run of non-ASCII bytes (the CJK words for year, hour ...) with the
 * blanks after it.  '\0' when neither is there, 'w' for the words. */
static char take_mark(struct span *s, const char *marks)
{
    if (!s->len)
        return '\0';
    for (const char *m = marks; *m; m++)
        if (s->ptr[0] == *m) {
            *s = span_cut(*s, 1, s->len);
            return *m;
        }
    size_t n = 0;
    while (n < s->len && (unsigned char)s->ptr[n] >= 0x80)
        n++;
    if (n == 0)
        return '\0';
    while (n < s->len && is_blank(s->ptr[n]))
        n++;
    *s = span_cut(*s, n, s->len);
    return 'w';
}

static int take_date(struct span *s, struct iostat_date *out)
{
    struct iostat_date d = { 0 };
    size_t n_first, n;
    if (take_number(s, 4, &d.a, &n_first))
        return -1;
    char mark = take_mark(s, "/.-");
    if (!mark || take_number(s, 2, &d.b, &n) || take_mark(s, "/.-") != mark ||
        take_number(s, 4, &d.c, &n))
        return -1;
    if (mark != '/')
        take_mark(s, "."); /* "2022. 05. 18." and the sign for day */
    d.year_first = n_first == 4;
    d.slashes = mark == '/' && !d.year_first;
    if (n_first == 3 || n == 3 || n == 1)
        return -1;
    *out = d;
    return 0;
}

static void skip_blanks(struct span *s)
{
    size_t n = 0;
    while (n < s->len && is_blank(s->ptr[n]))
        n++;
    *s = span_cut(*s, n, s->len);
}

int iostat_date_parse(struct span text, struct iostat_date *out)
{
    struct span s = span_trim(text);
    return s.len && is_digit(s.ptr[0]) ? take_date(&s, out) : -1;
}

int iostat_clock_take(struct span *from, int64_t *clock_ms, bool *twelve_hours)
{
    struct span s = *from, rest, word;
    int h, m, sec;
    size_t n;
    if (take_number(&s, 2, &h, &n) || !take_mark(&s, ":.") || take_number(&s, 2, &m, &n) ||
        !take_mark(&s, ":.") || take_number(&s, 2, &sec, &n))
        return -1;
    take_mark(&s, "");
    rest = s;
    bool pm = false, twelve = false;
    if (span_word(&rest, &word) == 0) {
        pm = span_eq_nocase(word, SPAN_LIT("PM"));
        twelve = pm || span_eq_nocase(word, SPAN_LIT("AM"));
    }
    if (twelve) {
        if (h < 1 || h > 12)
            return -1;
        h = h % 12 + (pm ? 12 : 0);
        s = rest;
    }
    if (h > 23 || m > 59 || sec > 59)
        return -1;
    *clock_ms = (h * 3600 + m * 60 + sec) * INT64_C(1000);
    *twelve_hours = twelve;
    *from = s;
    return 0;
}

/* A clock, a zone's name where AM or PM came before it, and nothing else. */
static int take_clock(struct span *s, struct iostat_stamp *out)
{
    struct span word;
    if (iostat_clock_take(s, &out->clock_ms, &out->twelve_hours))
        return -1;
    if (out->twelve_hours)
        out->zone_word = span_word(s, &word) == 0;
    return span_trim(*s).len ? -1 : 0;
}

int iostat_stamp_parse(struct span line, struct iostat_stamp *out)
{
    struct span s = span_trim(line);
    struct iostat_stamp st = { .utc_ms = UNKNOWN };
    bool zoned;
    if (!s.len)
        return -1;
    if (span_starts(s, "Time:")) {
        s = span_cut(s, 5, s.len);
    } else if (!is_digit(s.ptr[0])) {
        return -1;
    } else {
        struct span iso = s;
        int64_t t_ms;
        if (time_parse_iso(&iso, &t_ms, &zoned) == 0 && zoned && !iso.len)
            st.utc_ms = t_ms;
        if (take_date(&s, &st.date))
            return -1;
        if (s.len && s.ptr[0] == 'T')
            s = span_cut(s, 1, s.len);
        if (st.utc_ms != UNKNOWN) {
            *out = st;
            return 0;
        }
    }
    skip_blanks(&s);
    if (take_clock(&s, &st))
        return -1;
    *out = st;
    return 0;
}

int iostat_linux_line(struct span line, struct span *host, struct iostat_date *date)
{
    if (!span_starts(line, "Linux "))
        return -1;
    ptrdiff_t open = span_find(line, " (");
    struct span s = span_cut(line, open < 0 ? line.len : (size_t)open + 2, line.len);
    ptrdiff_t close = span_find(s, ")");
    if (open < 0 || close < 0)
        return -1;
    *host = span_cut(s, 0, (size_t)close);
    s = span_cut(s, (size_t)close + 1, s.len);
    skip_blanks(&s);
    *date = (struct iostat_date){ 0 };
    if (s.len)
        take_date(&s, date);
    return 0;
}

void date_evidence_add(struct date_evidence *v, const struct iostat_date *d)
{
    if (!d->slashes)
        return;
    if (!v->first.a)
        v->first = *d;
    if (v->certain)
        return;
    if (d->a > 12 && d->b <= 12)
        v->certain = ORDER_DAY_FIRST;
    else if (d->b > 12 && d->a <= 12)
        v->certain = ORDER_MONTH_FIRST;
}

void date_evidence_add_stamp(struct date_evidence *v, const struct iostat_stamp *st)
{
    if (st->twelve_hours && !v->likely)
        v->likely = st->zone_word ? ORDER_DAY_FIRST : ORDER_MONTH_FIRST;
    date_evidence_add(v, &st->date);
}

enum date_order date_evidence_order(const struct date_evidence *v)
{
    return v->certain ? v->certain : v->likely;
}

void date_evidence_of_lines(struct date_evidence *v, struct span head)
{
    struct span line, host;
    struct iostat_date d;
    struct iostat_stamp st;
    while (!v->certain && span_field(&head, '\n', &line) == 0) {
        line = span_trim(line);
        if (iostat_stamp_parse(line, &st) == 0)
            date_evidence_add_stamp(v, &st);
        else if (iostat_linux_line(line, &host, &d) == 0)
            date_evidence_add(v, &d);
    }
}

int64_t iostat_day_ms(const struct iostat_date *d, enum date_order order)
{
    struct civil c = { .year = d->c, .month = d->a, .day = d->b };
    if (d->year_first)
        c = (struct civil){ .year = d->a, .month = d->b, .day = d->c };
    else if (!d->slashes || order == ORDER_DAY_FIRST)
        c = (struct civil){ .year = d->c, .month = d->b, .day = d->a };
    if (c.year < 100)
        c.year += c.year < 70 ? 2000 : 1900;
    return time_from_civil(&c);
}
