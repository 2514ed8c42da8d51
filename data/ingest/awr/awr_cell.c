/* data/ingest/awr/awr_cell.c - see awr_cell.h.
 *
 * Data columns print a number of 7 characters without its suffix ("122.106"): it then still
 * means MiB.  A latency whose unit did not fit keeps its first letter ("1190.07m"): since
 * 1000 us would be printed as 1 ms, only ms can grow that long. */
#include "data/ingest/awr/awr_cell.h"

#include "models/core/timestamp.h"
#include "models/core/unit.h"

#include <math.h>
#include <string.h>

enum { NUMBER_MAX = 64 }; /* no report prints a longer number */

static bool is_unknown(struct span cell)
{
    if (cell.len == 0 || span_is(cell, "N/A"))
        return true;
    for (size_t i = 0; i < cell.len; i++)
        if (cell.ptr[i] != '#')
            return false;
    return true;
}

/* The number at the start of *s, moved past; non-zero when there is none. */
static int take_number(struct span *s, bool decimal_comma, double *out)
{
    if (!decimal_comma)
        return span_double_commas(s, out);
    char swapped[NUMBER_MAX];
    size_t n = s->len < sizeof swapped ? s->len : sizeof swapped;
    for (size_t i = 0; i < n; i++) {
        char c = s->ptr[i];
        swapped[i] = (char)(c == ',' ? '.' : c == '.' ? ',' : c);
    }
    struct span rest = { swapped, n };
    if (span_double_commas(&rest, out))
        return -1;
    *s = span_cut(*s, n - rest.len, s->len);
    return 0;
}

struct suffix {
    const char *text;
    double factor;
};

static const struct suffix of_count[] = {
    { "", 1 },     { "K", 1e3 },  { "M", 1e6 },  { "G", 1e9 },
    { "T", 1e12 }, { "P", 1e15 }, { "E", 1e18 }, { NULL, 0 }
};
static const struct suffix of_bytes[] = { { "", 1 },
                                          { "B", 1 },
                                          { "K", 1024.0 },
                                          { "M", 1048576.0 },
                                          { "G", 1073741824.0 },
                                          { "T", 1099511627776.0 },
                                          { "P", 1125899906842624.0 },
                                          { "E", 1152921504606846976.0 },
                                          { NULL, 0 } };
static const struct suffix of_ms[] = { { "", 1 },      { "ms", 1 },  { "m", 1 }, { "us", 1e-3 },
                                       { "ns", 1e-6 }, { "s", 1e3 }, { NULL, 0 } };
static const struct suffix of_nothing[] = { { "", 1 }, { NULL, 0 } };

static int suffixed(struct span cell, bool decimal_comma, const struct suffix *units, double bare,
                    double *out)
{
    if (is_unknown(cell)) {
        *out = NAN;
        return 0;
    }
    double v;
    if (take_number(&cell, decimal_comma, &v) || (v < 0 && units != of_nothing))
        return -1;
    cell = span_trim(cell);
    for (; units->text; units++) {
        if (!span_is(cell, units->text))
            continue;
        v *= cell.len ? units->factor : bare;
        if (!isfinite(v))
            return -1;
        *out = v;
        return 0;
    }
    return -1;
}

int awr_cell_number(struct span cell, bool decimal_comma, double *out)
{
    return suffixed(cell, decimal_comma, of_nothing, 1, out);
}

int awr_cell_count(struct span cell, bool decimal_comma, double *out)
{
    return suffixed(cell, decimal_comma, of_count, 1, out);
}

int awr_cell_bytes(struct span cell, bool decimal_comma, double *out)
{
    return suffixed(cell, decimal_comma, of_bytes, 1, out);
}

int awr_cell_bytes_per_mibs(struct span cell, bool decimal_comma, double *out)
{
    return suffixed(cell, decimal_comma, of_bytes, MIB_BYTES, out);
}

int awr_cell_ms(struct span cell, bool decimal_comma, double *out)
{
    return suffixed(cell, decimal_comma, of_ms, 1, out);
}

const char *awr_cell_expected(awr_cell_fn *parse)
{
    return parse == awr_cell_bytes            ? "a size like 392.1G"
           : parse == awr_cell_bytes_per_mibs ? "a rate like 37.323M"
           : parse == awr_cell_ms             ? "a time like 6.46ms"
           : parse == awr_cell_count          ? "a count like 521.8K"
                                              : "a number like 1,801.13";
}

/* Minutes have two decimals, so a comma before exactly two digits is a decimal comma. */
int awr_cell_minutes(struct span cell, bool *decimal_comma, double *out_s)
{
    struct span number, rest = cell;
    if (span_word(&rest, &number) || !span_is(span_trim(rest), "(mins)"))
        return -1;
    bool comma = number.len > 3 && number.ptr[number.len - 3] == ',';
    double minutes;
    if (awr_cell_number(number, comma, &minutes))
        return -1;
    *decimal_comma = *decimal_comma || comma;
    *out_s = minutes * 60;
    return 0;
}

/* --- time ------------------------------------------------------------------------------------- */

/* NLS abbreviations: English, German, French, Spanish, Portuguese, Italian; UTF-8, upper case,
 * without a dot.  Each language has its own rows only where it differs from those before. */
static const struct month {
    const char *text;
    int month;
} months[] = {
    { "JAN", 1 },
    { "FEB", 2 },
    { "MAR", 3 },
    { "APR", 4 },
    { "MAY", 5 },
    { "JUN", 6 },
    { "JUL", 7 },
    { "AUG", 8 },
    { "SEP", 9 },
    { "OCT", 10 },
    { "NOV", 11 },
    { "DEC", 12 },
    { "MRZ", 3 },
    { "M\xC3\x84RZ", 3 },
    { "M\xC3\x84R", 3 },
    { "MAI", 5 },
    { "OKT", 10 },
    { "DEZ", 12 },
    { "JANV", 1 },
    { "F\xC3\x89VR", 2 },
    { "FEVR", 2 },
    { "MARS", 3 },
    { "AVR", 4 },
    { "JUIN", 6 },
    { "JUIL", 7 },
    { "AO\xC3\x9BT", 8 },
    { "AOUT", 8 },
    { "SEPT", 9 },
    { "D\xC3\x89", 12 },
    { "D\xC3\x89"
      "C",
      12 },
    { "ENE", 1 },
    { "ABR", 4 },
    { "AGO", 8 },
    { "DIC", 12 },
    { "FEV", 2 },
    { "SET", 9 },
    { "OUT", 10 },
    { "GEN", 1 },
    { "MAG", 5 },
    { "GIU", 6 },
    { "LUG", 7 },
    { "OTT", 10 },
};

enum { MONTH_BYTES = 8 };

/* In capitals, also of letters with accents: their two bytes are C3 80 to C3 BE. */
static struct span in_capitals(struct span text, char buf[MONTH_BYTES])
{
    size_t n = text.len < MONTH_BYTES ? text.len : MONTH_BYTES;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        bool accented = i > 0 && (unsigned char)text.ptr[i - 1] == 0xC3 && c >= 0xA0 && c <= 0xBE;
        buf[i] = (char)(accented || (c >= 'a' && c <= 'z') ? c - 0x20 : c);
    }
    return (struct span){ buf, n };
}

/* "5" and the character for month, as China, Japan and Korea write it; 0 for anything else. */
static int numbered_month(struct span text)
{
    int64_t month;
    if (span_int(&text, &month) || month < 1 || month > 12 || !text.len)
        return 0;
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.ptr[i] < 0x80)
            return 0;
    return (int)month;
}

static int month_of(struct span text)
{
    char buf[MONTH_BYTES];
    text = span_trim(text);
    if (text.len && text.ptr[text.len - 1] == '.')
        text.len--;
    if (text.len && text.ptr[0] >= '0' && text.ptr[0] <= '9')
        return numbered_month(text);
    text = in_capitals(text, buf);
    for (size_t i = 0; i < sizeof months / sizeof *months; i++)
        if (span_eq(text, span_of(months[i].text)))
            return months[i].month;
    return 0;
}

/* 1 or more digits in [0, max], and nothing else in the field. */
static int small_int(struct span field, int max, int *out)
{
    int64_t v;
    if (field.len == 0 || field.ptr[0] == '-' || field.ptr[0] == '+' || span_int(&field, &v) ||
        field.len || v > max)
        return -1;
    *out = (int)v;
    return 0;
}

static int take_date(struct span date, struct civil *c)
{
    struct span day, month, year;
    if (span_field(&date, '-', &day) || span_field(&date, '-', &month) ||
        span_field(&date, '-', &year) || date.ptr)
        return -1;
    c->month = month_of(month);
    if (!c->month || small_int(day, 31, &c->day) || small_int(year, 9999, &c->year))
        return -1;
    if (year.len == 2)
        c->year += 2000;
    return year.len == 2 || year.len == 4 ? 0 : -1;
}

static int take_clock(struct span clock, struct civil *c)
{
    struct span hour, minute, second;
    if (span_field(&clock, ':', &hour) || span_field(&clock, ':', &minute) ||
        small_int(hour, 23, &c->hour) || small_int(minute, 59, &c->minute))
        return -1;
    if (!clock.ptr)
        return 0;
    return span_field(&clock, ':', &second) || clock.ptr || small_int(second, 59, &c->second) ? -1
                                                                                              : 0;
}

int awr_cell_time(struct span cell, int64_t *out_ms)
{
    struct civil c = { 0 };
    cell = span_trim(cell);
    size_t clock = cell.len; /* behind the last blank: there may be one within the date */
    while (clock > 0 && cell.ptr[clock - 1] != ' ')
        clock--;
    if (take_date(span_trim(span_cut(cell, 0, clock)), &c) ||
        take_clock(span_cut(cell, clock, cell.len), &c))
        return -1;
    int64_t t = time_from_civil(&c);
    if (t == UNKNOWN)
        return -1;
    *out_ms = t;
    return 0;
}
