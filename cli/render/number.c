/* cli/render/number.c - see number.h. */
#include "cli/render/number.h"

#include "models/core/span.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void strip_zeros(char *s)
{
    if (!strchr(s, '.'))
        return;
    char *end = s + strlen(s);
    while (end[-1] == '0')
        end--;
    if (end[-1] == '.')
        end--;
    *end = '\0';
    if (strcmp(s, "-0") == 0)
        memmove(s, s + 1, 2);
}

static double read_back(const char *text)
{
    struct span s = span_of(text);
    double v = NAN;
    span_double(&s, &v);
    return v;
}

/* From here on six decimals are more digits than a double has. */
static const double LARGE = 1e9;

/* The fewest decimals that read back as the same number. */
static void format_large(char buf[NUMBER_ROOM], double v)
{
    if (fabs(v) >= 0x1p53) {
        for (int digits = 15; digits <= 17; digits++) {
            snprintf(buf, NUMBER_ROOM, "%.*g", digits, v);
            if (!islessgreater(read_back(buf), v))
                return;
        }
        return;
    }
    for (int decimals = 0; decimals <= 6; decimals++) {
        snprintf(buf, NUMBER_ROOM, "%.*f", decimals, v);
        if (!islessgreater(read_back(buf), v))
            return;
    }
}

char *number_format(char buf[NUMBER_ROOM], const struct emit_value *v)
{
    if (v->kind == EMIT_INT) {
        snprintf(buf, NUMBER_ROOM, "%" PRId64, v->integer);
        return buf;
    }
    if (v->kind == EMIT_USD) {
        /* At most 4 decimals: micro-dollars rounded half away from zero to 100. */
        bool negative = v->integer < 0;
        uint64_t micro = negative ? 0 - (uint64_t)v->integer : (uint64_t)v->integer;
        uint64_t tenths = (micro + 50) / 100;
        snprintf(buf, NUMBER_ROOM, "%s%" PRIu64 ".%04" PRIu64, negative && tenths ? "-" : "",
                 tenths / 10000, tenths % 10000);
        strip_zeros(buf);
        return buf;
    }
    bool money = v->unit == UNIT_USD || v->unit == UNIT_USD_HOUR;
    if (fabs(v->num) >= LARGE && !money)
        format_large(buf, v->num);
    else {
        snprintf(buf, NUMBER_ROOM, "%.*f", money ? 4 : 6, v->num);
        strip_zeros(buf);
    }
    return buf;
}
