/* models/core/timestamp.c - see timestamp.h.
 *
 * Days from civil date: H. Hinnant's algorithm over 400-year eras of 146 097 days. */
#include "models/core/timestamp.h"

#include "models/core/unit.h"

#include <stdio.h>
#include <string.h>

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

static int64_t days_from_civil(int64_t y, int m, int d)
{
    y -= m <= 2;
    int64_t era = floor_div(y, 400);
    int64_t yoe = y - era * 400;
    int64_t doy = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
    int64_t doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;
    return era * 146097 + doe - 719468;
}

static int days_in_month(int year, int month)
{
    static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && leap);
}

int64_t time_from_civil(const struct civil *c)
{
    if (c->year < 1 || c->year > 9999 || c->month < 1 || c->month > 12 || c->day < 1 ||
        c->day > days_in_month(c->year, c->month) || c->hour < 0 || c->hour > 23 || c->minute < 0 ||
        c->minute > 59 || c->second < 0 || c->second > 59 || c->ms < 0 || c->ms > 999)
        return UNKNOWN;
    int64_t s = days_from_civil(c->year, c->month, c->day) * 86400 + c->hour * INT64_C(3600) +
                c->minute * INT64_C(60) + c->second;
    return s * 1000 + c->ms;
}

struct civil time_to_civil(int64_t t_ms)
{
    int64_t days = floor_div(t_ms, DAY_MS);
    int64_t in_day = t_ms - days * DAY_MS;

    int64_t z = days + 719468;
    int64_t era = floor_div(z, 146097);
    int64_t doe = z - era * 146097;
    int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    int64_t mp = (5 * doy + 2) / 153;
    int month = (int)(mp < 10 ? mp + 3 : mp - 9);
    return (struct civil){
        .year = (int)(yoe + era * 400 + (month <= 2)),
        .month = month,
        .day = (int)(doy - (153 * mp + 2) / 5 + 1),
        .hour = (int)(in_day / 3600000),
        .minute = (int)(in_day / 60000 % 60),
        .second = (int)(in_day / 1000 % 60),
        .ms = (int)(in_day % 1000),
    };
}

int64_t time_floor(int64_t t_ms, int64_t step_ms)
{
    return floor_div(t_ms, step_ms) * step_ms;
}

int64_t time_month_start(int64_t t_ms)
{
    struct civil c = time_to_civil(t_ms);
    return time_from_civil(&(struct civil){ .year = c.year, .month = c.month, .day = 1 });
}

int64_t time_month_end(int64_t t_ms)
{
    struct civil c = time_to_civil(t_ms);
    return time_from_civil(
        &(struct civil){ .year = c.year + c.month / 12, .month = c.month % 12 + 1, .day = 1 });
}

int time_weekday(int64_t t_ms)
{
    int64_t days = floor_div(t_ms, DAY_MS) + 3; /* 1970-01-01 was a Thursday */
    return (int)(days - floor_div(days, 7) * 7);
}

/* Exactly n digits. */
static int take_digits(struct span *s, int n, int *out)
{
    int v = 0;
    if (s->len < (size_t)n)
        return -1;
    for (int i = 0; i < n; i++) {
        char c = s->ptr[i];
        if (c < '0' || c > '9')
            return -1;
        v = v * 10 + (c - '0');
    }
    *out = v;
    *s = span_cut(*s, (size_t)n, s->len);
    return 0;
}

static bool take_char(struct span *s, char c)
{
    if (!s->len || s->ptr[0] != c)
        return false;
    *s = span_cut(*s, 1, s->len);
    return true;
}

static int take_date(struct span *s, struct civil *c)
{
    return take_digits(s, 4, &c->year) || !take_char(s, '-') || take_digits(s, 2, &c->month) ||
           !take_char(s, '-') || take_digits(s, 2, &c->day);
}

int time_parse_date(struct span *s, int64_t *out_ms)
{
    struct span rest = *s;
    struct civil c = { 0 };
    if (take_date(&rest, &c))
        return -1;
    int64_t t = time_from_civil(&c);
    if (t == UNKNOWN)
        return -1;
    *out_ms = t;
    *s = rest;
    return 0;
}

static int take_clock(struct span *s, struct civil *c)
{
    if (take_digits(s, 2, &c->hour) || !take_char(s, ':') || take_digits(s, 2, &c->minute))
        return -1;
    if (!take_char(s, ':'))
        return 0;
    if (take_digits(s, 2, &c->second))
        return -1;
    if (s->len > 1 && (s->ptr[0] == '.' || s->ptr[0] == ',') && s->ptr[1] >= '0' &&
        s->ptr[1] <= '9') {
        *s = span_cut(*s, 1, s->len);
        for (int scale = 100; s->len && s->ptr[0] >= '0' && s->ptr[0] <= '9'; scale /= 10) {
            c->ms += (s->ptr[0] - '0') * scale;
            *s = span_cut(*s, 1, s->len);
        }
    }
    return 0;
}

static int take_zone(struct span *s, int64_t *offset_ms, bool *zoned)
{
    *offset_ms = 0;
    *zoned = take_char(s, 'Z');
    if (*zoned || !s->len || (s->ptr[0] != '+' && s->ptr[0] != '-'))
        return 0;
    int sign = s->ptr[0] == '-' ? -1 : 1;
    int hour, minute = 0;
    *s = span_cut(*s, 1, s->len);
    if (take_digits(s, 2, &hour))
        return -1;
    take_char(s, ':');
    if (s->len && s->ptr[0] >= '0' && s->ptr[0] <= '9' && take_digits(s, 2, &minute))
        return -1;
    if (hour > 14 || minute > 59)
        return -1;
    *offset_ms = sign * (hour * INT64_C(3600) + minute * INT64_C(60)) * 1000;
    *zoned = true;
    return 0;
}

int time_parse_iso(struct span *s, int64_t *out_ms, bool *zoned)
{
    struct span rest = *s;
    struct civil c = { 0 };
    int64_t offset_ms = 0;
    bool has_zone = false;
    if (take_date(&rest, &c))
        return -1;
    if (rest.len > 1 && (rest.ptr[0] == 'T' || rest.ptr[0] == ' ') && rest.ptr[1] >= '0' &&
        rest.ptr[1] <= '9') {
        rest = span_cut(rest, 1, rest.len);
        if (take_clock(&rest, &c) || take_zone(&rest, &offset_ms, &has_zone))
            return -1;
    }
    int64_t t = time_from_civil(&c);
    if (t == UNKNOWN)
        return -1;
    *out_ms = t - offset_ms;
    *zoned = has_zone;
    *s = rest;
    return 0;
}

char *time_format_iso(char buf[32], int64_t t_ms)
{
    if (t_ms == UNKNOWN)
        return memcpy(buf, "-", sizeof "-");
    struct civil c = time_to_civil(t_ms);
    int n = snprintf(buf, 32, "%04d-%02d-%02dT%02d:%02d:%02d", c.year % 10000, c.month, c.day,
                     c.hour, c.minute, c.second);
    if (c.ms)
        snprintf(buf + n, 32 - (size_t)n, ".%03dZ", c.ms);
    else
        snprintf(buf + n, 32 - (size_t)n, "Z");
    return buf;
}

char *time_format_date(char buf[32], int64_t t_ms)
{
    if (t_ms == UNKNOWN)
        return memcpy(buf, "-", sizeof "-");
    struct civil c = time_to_civil(t_ms);
    snprintf(buf, 32, "%04d-%02d-%02d", c.year % 10000, c.month, c.day);
    return buf;
}
