/* models/core/unit.c - see unit.h. */
#include "models/core/unit.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *suffix;
    int decimals;
} units[] = {
#define X(name, suffix, decimals) [name] = { suffix, decimals },
    UNIT_TABLE(X)
#undef X
};

const char *unit_suffix(enum unit u)
{
    return units[u].suffix;
}

int unit_decimals(enum unit u)
{
    return units[u].decimals;
}

enum kind { KIND_NONE, KIND_COUNT, KIND_SIZE, KIND_RATE, KIND_TIME, KIND_PCT, KIND_USD };

/* What `want` measures and how much of the kind's base unit (1, byte, byte/s, s) it is. */
static enum kind unit_kind(enum unit want, double *base)
{
    *base = 1;
    switch (want) {
    case UNIT_IOPS:
    case UNIT_COUNT:
    case UNIT_PER_S:
        return KIND_COUNT;
    case UNIT_BYTES:
        return KIND_SIZE;
    case UNIT_KIB:
        *base = 1024;
        return KIND_SIZE;
    case UNIT_MIB:
        *base = MIB_BYTES;
        return KIND_SIZE;
    case UNIT_GIB:
        *base = 1024 * MIB_BYTES;
        return KIND_SIZE;
    case UNIT_BYTES_PER_S:
        return KIND_RATE;
    case UNIT_KIBPS:
        *base = 1024;
        return KIND_RATE;
    case UNIT_MIBPS:
        *base = MIB_BYTES;
        return KIND_RATE;
    case UNIT_MB_S:
        *base = 1e6;
        return KIND_RATE;
    case UNIT_S:
        return KIND_TIME;
    case UNIT_PCT:
        return KIND_PCT;
    case UNIT_USD:
        return KIND_USD;
    default:
        return KIND_NONE;
    }
}

static const struct suffix {
    const char *text;
    enum kind kind;
    double factor;
} suffixes[] = {
    { "K", KIND_COUNT, 1e3 },       { "M", KIND_COUNT, 1e6 },       { "G", KIND_COUNT, 1e9 },
    { "IOPS", KIND_COUNT, 1 },      { "B", KIND_SIZE, 1 },          { "KiB", KIND_SIZE, 0x1p10 },
    { "MiB", KIND_SIZE, 0x1p20 },   { "GiB", KIND_SIZE, 0x1p30 },   { "TiB", KIND_SIZE, 0x1p40 },
    { "KB", KIND_SIZE, 1e3 },       { "MB", KIND_SIZE, 1e6 },       { "GB", KIND_SIZE, 1e9 },
    { "TB", KIND_SIZE, 1e12 },      { "B/s", KIND_RATE, 1 },        { "KiB/s", KIND_RATE, 0x1p10 },
    { "MiB/s", KIND_RATE, 0x1p20 }, { "GiB/s", KIND_RATE, 0x1p30 }, { "KB/s", KIND_RATE, 1e3 },
    { "MB/s", KIND_RATE, 1e6 },     { "GB/s", KIND_RATE, 1e9 },     { "s", KIND_TIME, 1 },
    { "m", KIND_TIME, 60 },         { "h", KIND_TIME, 3600 },       { "d", KIND_TIME, 86400 },
    { "%", KIND_PCT, 1 },           { "USD", KIND_USD, 1 },
};

static const struct suffix *find_suffix(struct span text, enum kind kind)
{
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (suffixes[i].kind == kind && span_eq_nocase(text, span_of(suffixes[i].text)))
            return &suffixes[i];
    return NULL;
}

int unit_parse(struct span text, enum unit want, double *out, struct err *e)
{
    struct span rest = span_trim(text);
    double v;
    if (span_double(&rest, &v))
        return err_set(e, ERR_USAGE, "'%.*s' is not a number", SPAN_ARG(text));
    if (v < 0)
        return err_set(e, ERR_USAGE, "'%.*s' is below 0, expected 0 or more", SPAN_ARG(text));
    if (v > 1e15)
        return err_set(e, ERR_USAGE, "'%.*s' is beyond 1e15, expected less", SPAN_ARG(text));
    rest = span_trim(rest);
    if (rest.len) {
        double base;
        enum kind kind = unit_kind(want, &base);
        const struct suffix *s = find_suffix(rest, kind);
        if (!s)
            return err_set(e, ERR_USAGE, "'%.*s': unit '%.*s' does not fit, expected %s",
                           SPAN_ARG(text), SPAN_ARG(rest),
                           kind == KIND_NONE    ? "none"
                           : kind == KIND_COUNT ? "K or M"
                                                : unit_suffix(want));
        v = v * s->factor / base;
    }
    *out = v;
    return 0;
}

char *unit_format(char buf[48], double value, int decimals)
{
    if (!isfinite(value) || fabs(value) >= 1e18)
        return memcpy(buf, "-", sizeof "-");
    char plain[48];
    int n = snprintf(plain, sizeof plain, "%.*f", decimals > 9 ? 9 : decimals, value);
    char *dot = memchr(plain, '.', (size_t)n);
    int whole = (int)(dot ? dot - plain : n);
    int sign = plain[0] == '-';
    char *to = buf;
    for (int i = 0; i < n; i++) {
        int left = whole - i;
        if (i > sign && left > 0 && left % 3 == 0)
            *to++ = ' ';
        *to++ = plain[i];
    }
    *to = '\0';
    return buf;
}

char *unit_format_usd(char buf[48], int64_t microusd)
{
    if (microusd == UNKNOWN)
        return unit_format(buf, NAN, 2);
    int64_t cents = microusd / 10000 + (microusd % 10000 >= 5000) - (microusd % 10000 <= -5000);
    return unit_format(buf, (double)cents / 100, 2);
}
