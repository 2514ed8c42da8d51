/* planner/change/change_script.c - see change_script.h. */
#include "planner/change/change_script.h"

#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "planner/change/change_command.h"

#include <stdio.h>
#include <string.h>

/* Grows at its end; failed = memory was out. */
struct script {
    struct arena *a;
    char *text;
    size_t n, room;
    bool failed;
};

static void put(struct script *s, const char *text)
{
    size_t n = text ? strlen(text) : 0;
    s->failed |= !text;
    if (s->failed)
        return;
    if (s->n + n + 1 > s->room) {
        size_t room = 2 * (s->n + n + 1);
        char *more = arena_grow(s->a, s->text, s->n, room, 1);
        s->failed |= !more;
        if (!more)
            return;
        s->text = more;
        s->room = room;
    }
    memcpy(s->text + s->n, text, n + 1);
    s->n += n;
}

static void putf(struct script *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void putf(struct script *s, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    put(s, arena_vprintf(s->a, fmt, ap));
    va_end(ap);
}

/* Every line of text as a comment.  SQL*Plus looks for variables (&) in its comments too. */
static void put_comment(struct script *s, const char *mark, const char *text)
{
    s->failed |= !text;
    while (text) {
        size_t n = strcspn(text, "\n");
        char *line = arena_strndup(s->a, text, n);
        line = line ? comment_line(s->a, line) : NULL;
        for (char *c = line; c && *c; c++)
            if (*c == '&' && *mark == '-')
                *c = '?';
        put(s, mark);
        put(s, line);
        put(s, "\n");
        text = text[n] ? text + n + 1 : NULL;
    }
}

/* What it is, and what was measured. */
static void put_head(struct script *s, const char *mark, const struct change *c,
                     const struct change_way *w)
{
    char usd[48], day[32];
    char *words = change_way_words(s->a, c, w);
    char *title = arena_printf(s->a, "%s: %s; %s USD a month in the end, prices of %s on %s",
                               c->demand->load->system, words ? words : "",
                               unit_format_usd(usd, w->total_microusd), c->options_used.region,
                               time_format_date(day, c->options_used.as_of_ms));
    s->failed |= !words;
    put_comment(s, mark, title);
    for (size_t g = 0; g < c->demand->n_groups; g++)
        if (w->parts[g].changes)
            put_comment(s, mark, change_reason(s->a, w->parts[g].of));
    put_comment(s, mark, "Written by volplan; nothing was run. Read it before you do.");
}

static void put_step_head(struct script *s, const char *mark, const struct change_step *step,
                          size_t number)
{
    char at[32];
    put(s, "\n");
    put_comment(s, mark,
                arena_printf(s->a, "%zu. %s, not before %s: %s", number,
                             step->group ? step->group : "the host",
                             time_format_iso(at, step->at_ms), step->action));
    if (step->risk)
        put_comment(s, mark, arena_printf(s->a, "   risk: %s", step->risk));
    put_comment(s, mark,
                step->back ? arena_printf(s->a, "   way back: %s", step->back)
                           : "   way back: none");
}

/* --- aws -------------------------------------------------------------------------------------- */

static void put_variables(struct script *s, const struct change_way *w)
{
    bool creates = false, names_host = false;
    for (size_t i = 0; i < w->n_steps; i++) {
        const char *v = w->steps[i].volume;
        names_host |= strstr(w->steps[i].command, "$INSTANCE") != NULL;
        if (!v || w->steps[i].by != BY_AWS)
            continue;
        if (strncmp(v, "NEW_", 4) == 0) {
            creates = true;
            putf(s, ": \"${DEVICE_%s:?a free device name for this new volume, as /dev/sdf}\"\n",
                 v + 4);
        } else if (strncmp(v, "OLD_", 4) == 0)
            putf(s, ": \"${%s:?the ID of this volume of today}\"\n", v);
    }
    if (creates)
        put(s, ": \"${ZONE:?the availability zone of the instance}\"\n");
    if (names_host)
        put(s, ": \"${INSTANCE:?the ID of the instance}\"\n");
}

static void put_aws(struct script *s, const struct change *c, const struct change_way *w)
{
    put(s, "#!/bin/sh\n");
    put_head(s, "# ", c, w);
    put(s, "set -eu\n");
    put_variables(s, w);
    put(s, "confirm() { printf '%s [yes] ' \"$1\"; read -r answer; [ \"$answer\" = yes ] || exit "
           "1; }\n");
    for (size_t i = 0; i < w->n_steps; i++) {
        const struct change_step *step = &w->steps[i];
        put_step_head(s, "# ", step, i + 1);
        if (step->by != BY_AWS) {
            put_comment(s, "#   ", step->command);
            putf(s, "confirm 'Is step %zu (%s) done?'\n", i + 1, change_by_name(step->by));
            continue;
        }
        if (!step->reversible)
            putf(s, "confirm 'Step %zu cannot be undone. Go on?'\n", i + 1);
        put(s, step->command);
        put(s, "\n");
    }
}

/* --- asm -------------------------------------------------------------------------------------- */

/* Asks for each variable of the commands of ASM; a disk stands in one of them only. */
static void put_accepts(struct script *s, const struct change_way *w)
{
    for (size_t i = 0; i < w->n_steps; i++) {
        if (w->steps[i].by != BY_ASM)
            continue;
        for (const char *at = strstr(w->steps[i].command, "&&"); at; at = strstr(at + 2, "&&")) {
            int n = (int)strspn(at + 2, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
            putf(s, "ACCEPT %.*s PROMPT '%.*s, %s of v$asm_disk: '\n", n, at + 2, n, at + 2,
                 strncmp(at + 2, "NEW", 3) == 0 ? "PATH" : "NAME");
        }
    }
}

static void put_asm(struct script *s, const struct change *c, const struct change_way *w)
{
    put_head(s, "-- ", c, w);
    put(s, "WHENEVER SQLERROR EXIT FAILURE\nSET DEFINE ON VERIFY OFF\n");
    put_accepts(s, w);
    for (size_t i = 0; i < w->n_steps; i++) {
        const struct change_step *step = &w->steps[i];
        put_step_head(s, "-- ", step, i + 1);
        if (step->by == BY_ASM || step->by == BY_DATABASE) {
            put(s, step->by == BY_ASM ? "-- connected to ASM, as SYSASM\n"
                                      : "-- connected to the database, as SYSDBA\n");
            put(s, step->command);
            put(s, "\n");
            continue;
        }
        put_comment(s, "--   ", step->command);
        putf(s, "PAUSE Step %zu (%s) must be done. Return goes on\n", i + 1,
             change_by_name(step->by));
    }
}

/* --- terraform -------------------------------------------------------------------------------- */

static void put_volume(struct script *s, const struct change *c, const struct change_part *p,
                       size_t number, const char *id)
{
    const char *group = p->of->group->name;
    char *name = plain_name(s->a, group), *tag = hcl_literal(s->a, group);
    char *region = hcl_literal(s->a, c->options_used.region);
    s->failed |= !name || !tag || !region;
    if (s->failed)
        return;
    if (id)
        putf(s, "\nimport {\n  to = aws_ebs_volume.%s_%zu\n  id = \"%s\"\n}\n", name, number, id);
    putf(s,
         "\nresource \"aws_ebs_volume\" \"%s_%zu\" {\n  availability_zone = "
         "var.availability_zone\n  type = \"%s\"\n  size = %lld\n",
         name, number, volume_type_name(p->to.type), (long long)p->to.size_gib);
    if (p->to.iops != UNKNOWN)
        putf(s, "  iops = %lld\n", (long long)p->to.iops);
    if (p->to.throughput_mibps != UNKNOWN)
        putf(s, "  throughput = %lld\n", (long long)p->to.throughput_mibps);
    putf(s, "  tags = { Name = %s }\n}\n", tag);
}

static void put_terraform(struct script *s, const struct change *c, const struct change_way *w)
{
    put_head(s, "# ", c, w);
    put_comment(s, "# ",
                "Volumes that hold the data today and are not below stay until the steps of "
                "--script aws and asm are done.");
    put(s, "variable \"availability_zone\" {\n  type = string\n}\n");
    size_t number = 0;
    for (size_t g = 0; g < c->demand->n_groups; g++) {
        const struct change_part *p = &w->parts[g];
        if (!p->changes)
            continue;
        put(s, "\n");
        put_comment(s, "# ", change_reason(s->a, p->of));
        for (size_t i = 0; i < (size_t)p->to.count; i++)
            put_volume(s, c, p, ++number, i < p->n_kept ? p->kept_ids[i] : NULL);
    }
}

int change_script_build(const struct change *c, const struct change_way *w, enum change_script kind,
                        struct arena *a, const char **out, struct err *e)
{
    struct script s = { .a = a };
    if (kind == SCRIPT_AWS)
        put_aws(&s, c, w);
    else if (kind == SCRIPT_ASM)
        put_asm(&s, c, w);
    else
        put_terraform(&s, c, w);
    if (s.failed)
        return err_nomem(e);
    *out = s.text;
    return 0;
}
