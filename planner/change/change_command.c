/* planner/change/change_command.c - see change_command.h. */
#include "planner/change/change_command.h"

#include "models/core/timestamp.h"
#include "models/core/unit.h"

#include <stdio.h>
#include <string.h>

enum { ORACLE_NAME_MAX = 30, ESCAPE_MAX = 6 };

static bool is_alnum(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* A control character, or a byte of one that might turn the reading direction around. */
static bool is_unsafe(char c)
{
    return (unsigned char)c < 0x20 || (unsigned char)c >= 0x7f;
}

/* Room for every byte escaped, and the quotes. */
static char *room_for(struct arena *a, const char *text)
{
    return arena_array(a, strlen(text) + 1, ESCAPE_MAX);
}

char *shell_word(struct arena *a, const char *text)
{
    bool plain = *text && *text != '-' &&
                 !text[strspn(text, "abcdefghijklmnopqrstuvwxyz"
                                    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                    "0123456789-_./")];
    if (plain)
        return arena_strdup(a, text);
    char *word = room_for(a, text), *to = word;
    if (!word)
        return NULL;
    *to++ = '\'';
    for (; *text; text++)
        if (*text == '\'')
            for (const char *c = "'\\''"; *c; c++)
                *to++ = *c;
        else
            *to++ = *text;
    *to = '\'';
    return word;
}

bool is_volume_id(const char *text)
{
    size_t digits = strlen(text) > 4 ? strspn(text + 4, "0123456789abcdef") : 0;
    return strncmp(text, "vol-", 4) == 0 && digits > 0 && !text[4 + digits];
}

static bool is_oracle_name(const char *text)
{
    size_t n = 0;
    for (; text[n]; n++)
        if (!is_alnum(text[n]) && !strchr("_$#", text[n]))
            return false;
    return n > 0 && n <= ORACLE_NAME_MAX && is_alnum(text[0]) &&
           !(text[0] >= '0' && text[0] <= '9');
}

char *asm_name(struct arena *a, const char *group)
{
    size_t n = strlen(group);
    bool quotable = n > 0 && n <= ORACLE_NAME_MAX;
    for (size_t i = 0; i < n; i++) /* & would be a variable of SQL*Plus */
        quotable &= !is_unsafe(group[i]) && !strchr("\"'&", group[i]);
    return is_oracle_name(group) ? arena_strdup(a, group)
           : quotable            ? arena_printf(a, "\"%s\"", group)
                                 : arena_strdup(a, "\"?\"");
}

char *plain_name(struct arena *a, const char *text)
{
    bool letter = is_alnum(*text) && !(*text >= '0' && *text <= '9');
    char *name = arena_printf(a, "%s%s", letter ? "" : "g", text);
    for (char *c = name; c && *c; c++)
        if (!is_alnum(*c))
            *c = '_';
    return name;
}

char *asm_new_name(struct arena *a, const char *group)
{
    char *name = plain_name(a, group);
    return name ? arena_printf(a, "%.*s_N", ORACLE_NAME_MAX - 2, name) : NULL;
}

char *sql_literal(struct arena *a, const char *text)
{
    char *literal = room_for(a, text), *to = literal;
    if (!literal)
        return NULL;
    *to++ = '\'';
    for (; *text; text++) {
        if (*text == '\'')
            *to++ = '\'';
        *to++ = is_unsafe(*text) || *text == '&' ? '?' : *text;
    }
    *to = '\'';
    return literal;
}

char *comment_line(struct arena *a, const char *text)
{
    char *line = arena_strdup(a, text);
    for (char *c = line; c && *c; c++)
        if (is_unsafe(*c))
            *c = '?';
    return line;
}

char *hcl_literal(struct arena *a, const char *text)
{
    char *literal = room_for(a, text), *to = literal;
    if (!literal)
        return NULL;
    *to++ = '"';
    for (; *text; text++) {
        bool starts_template = (*text == '$' || *text == '%') && text[1] == '{';
        if (is_unsafe(*text)) {
            to += snprintf(to, ESCAPE_MAX + 1, "\\u%04x", (unsigned char)*text);
            continue;
        }
        if (*text == '"' || *text == '\\')
            *to++ = '\\';
        if (starts_template)
            *to++ = *text;
        *to++ = *text;
    }
    *to = '"';
    return literal;
}

char *aws_spec(struct arena *a, const struct volume_spec *v)
{
    char iops[40] = "", mibps[40] = "";
    if (v->iops != UNKNOWN)
        snprintf(iops, sizeof iops, " --iops %lld", (long long)v->iops);
    if (v->throughput_mibps != UNKNOWN)
        snprintf(mibps, sizeof mibps, " --throughput %lld", (long long)v->throughput_mibps);
    return arena_printf(a, " --volume-type %s --size %lld%s%s", volume_type_name(v->type),
                        (long long)v->size_gib, iops, mibps);
}

char *change_reason(struct arena *a, const struct group_demand *g)
{
    const struct demand *d = &g->demand;
    char mibps[48], iops[48], at[32];
    if (d->grade == GRADE_NONE)
        return arena_printf(a, "%s was not measured", g->group->name);
    return arena_printf(a, "%s was measured at %s MiB/s and %s counted IOPS at most, at %s (%s%s)",
                        g->group->name, unit_format(mibps, d->total_mibps, 0),
                        unit_format(iops, d->counted_iops, 0),
                        time_format_iso(at, d->time_of_max_ms), grade_name(d->grade),
                        g->censored_by ? ": a lower bound" : "");
}
