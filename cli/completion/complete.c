/* cli/completion/complete.c - see complete.h. */
#include "cli/completion/complete.h"

#include "data/ingest/format.h"
#include "models/vocab/volume.h"

#include <stdio.h>
#include <string.h>

static void add_word(struct complete *c, const char *word, size_t len)
{
    size_t at = strlen(c->words);
    int put =
        snprintf(c->words + at, sizeof c->words - at, "%s%.*s", at ? " " : "", (int)len, word);
    if (put < 0 || (size_t)put >= sizeof c->words - at)
        BUG("too many words to complete");
}

static void add_volume_types(struct complete *c)
{
    for (int t = 0; t < VOL_TYPE_COUNT; t++)
        add_word(c, volume_type_name((enum volume_type)t),
                 strlen(volume_type_name((enum volume_type)t)));
}

static bool is_letter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* "FILE" in "[FILE...]", not in "PROFILE". */
static bool names(const char *usage, const char *word)
{
    size_t len = strlen(word);
    for (const char *at = usage; (at = strstr(at, word)) != NULL; at += len)
        if ((at == usage || !is_letter(at[-1])) && !is_letter(at[len]))
            return true;
    return false;
}

/* "a|b C|[d]" has the words a and b, and d none of them: what is in brackets belongs to another. */
static void add_alternatives(struct complete *c, const char *usage)
{
    size_t whole = strlen(usage);
    if (usage[0] == '[' && strcspn(usage, "]") == whole - 1)
        usage++;
    int depth = 0;
    bool fresh = true;
    if (!strchr(usage, '|'))
        return;
    for (const char *s = usage; *s; s++) {
        depth += (*s == '[') - (*s == ']');
        if (*s == '|' && depth <= 0)
            fresh = true;
        else if (fresh && *s != ' ') {
            size_t len = strspn(s, "abcdefghijklmnopqrstuvwxyz-");
            if (len && *s != '-')
                add_word(c, s, len);
            fresh = false;
        }
    }
}

struct complete complete_value(const struct command *c, enum option_id id)
{
    const struct option *o = &option_table[id];
    struct complete out = { COMPLETE_NOTHING, "" };
    if (o->kind == KIND_CHOICE) {
        out.kind = COMPLETE_WORDS;
        for (size_t i = 0; o->choices[i]; i++)
            add_word(&out, o->choices[i], strlen(o->choices[i]));
    } else if (o->kind == KIND_TYPES) {
        out.kind = COMPLETE_LIST;
        add_volume_types(&out);
    } else if (id == OPT_FORMAT) {
        size_t n;
        const struct format *formats = format_table(&n);
        out.kind = COMPLETE_WORDS;
        for (size_t i = 0; i < n; i++)
            if (command_reads(c, &formats[i]))
                add_word(&out, formats[i].name, strlen(formats[i].name));
    } else if (o->arg && names(o->arg, "FILE"))
        out.kind = COMPLETE_PATHS;
    else if (o->arg && names(o->arg, "DIR"))
        out.kind = COMPLETE_FOLDERS;
    return out;
}

struct complete complete_argument(const struct command *c)
{
    struct complete out = { COMPLETE_NOTHING, "" };
    if (names(c->args, "COMMAND"))
        return complete_command();
    if (names(c->args, "FILE") || names(c->args, "PATH"))
        out.kind = COMPLETE_PATHS;
    else if (strcmp(c->name, "vol") == 0) /* its TYPE; that of others is an instance type */
        add_volume_types(&out);
    else
        add_alternatives(&out, c->args);
    if (*out.words)
        out.kind = COMPLETE_WORDS;
    return out;
}

struct complete complete_command(void)
{
    struct complete out = { COMPLETE_WORDS, "" };
    for (size_t i = 0; i < command_count; i++)
        add_word(&out, command_table[i].name, strlen(command_table[i].name));
    return out;
}
