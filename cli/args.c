/* cli/args.c - see args.h. */
#include "cli/args.h"

#include "cli/nearest.h"

#include <string.h>

struct reader {
    int argc, at;
    const char *const *argv;
    struct invocation *in;
    struct option_use *uses; /* in->uses: room for argc */
    struct err *e;
};

static bool name_is(const char *name, size_t len, const char *want)
{
    return strlen(want) == len && memcmp(name, want, len) == 0;
}

/* The option of that letter that the command takes; OPTION_COUNT. */
static enum option_id find_letter(const struct command *c, char letter)
{
    for (size_t i = 0; c && i < c->n_options; i++)
        if (option_table[c->options[i].id].letter == letter)
            return c->options[i].id;
    return OPTION_COUNT;
}

/* The option of that name that the command takes, or a global one; OPTION_COUNT. */
static enum option_id find_option(const struct command *c, const char *name, size_t len)
{
    for (size_t i = 0; c && i < c->n_options; i++)
        if (name_is(name, len, option_table[c->options[i].id].name))
            return c->options[i].id;
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_table[i].global && name_is(name, len, option_table[i].name))
            return (enum option_id)i;
    return OPTION_COUNT;
}

static int unknown_option(const struct reader *r, const char *name, size_t len)
{
    const struct command *c = r->in->command;
    for (int i = 0; i < OPTION_COUNT; i++)
        if (name_is(name, len, option_table[i].name))
            return c ? err_set(r->e, ERR_USAGE, "%s takes no --%s (volplan help %s)", c->name,
                               option_table[i].name, c->name)
                     : err_set(r->e, ERR_USAGE, "--%s belongs to a command and stands after it",
                               option_table[i].name);

    char word[48], hint[96];
    size_t kept = len < sizeof word - 1 ? len : sizeof word - 1;
    memcpy(word, name, kept);
    word[kept] = '\0';
    struct nearest near = { .word = word };
    for (size_t i = 0; c && i < c->n_options; i++)
        nearest_try(&near, option_table[c->options[i].id].name);
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_table[i].global)
            nearest_try(&near, option_table[i].name);
    return err_set(r->e, ERR_USAGE, "unknown option '--%s'%s", word,
                   nearest_hint(hint, &near, "--"));
}

/* r->at stands on the option; value is what was joined to it, NULL = nothing. */
static int take_option(struct reader *r, enum option_id id, const char *value)
{
    const struct option *o = &option_table[id];
    char usage[64];
    if (o->kind == KIND_FLAG) {
        if (value)
            return err_set(r->e, ERR_USAGE, "--%s takes no value, got '%.80s'", o->name, value);
    } else if (!value) {
        const char *next = r->at + 1 < r->argc ? r->argv[r->at + 1] : NULL;
        bool none = !next || strncmp(next, "--", 2) == 0;
        if (none && o->kind != KIND_TEXT_OR_NONE)
            return err_set(r->e, ERR_USAGE, "%s: a value is missing%s%.80s%s",
                           option_usage(usage, o), next ? " before '" : "", next ? next : "",
                           next ? "'" : "");
        value = none ? "" : next;
        r->at += !none;
    }
    if (option_parse(o, value, &r->in->values[id], r->e))
        return err_prefix(r->e, "--%s", o->name);
    r->in->values[id].given = true;
    r->uses[r->in->n_uses++] = (struct option_use){ id, r->in->values[id] };
    return 0;
}

/* r->at stands on "--name" or "--name=value". */
static int read_option(struct reader *r)
{
    const char *name = r->argv[r->at] + 2;
    size_t len = strcspn(name, "=");
    enum option_id id = find_option(r->in->command, name, len);
    if (id == OPTION_COUNT)
        return unknown_option(r, name, len);
    return take_option(r, id, name[len] ? name + len + 1 : NULL);
}

/* r->at stands on "-o" or "-ovalue". */
static int read_letter(struct reader *r)
{
    const char *arg = r->argv[r->at];
    enum option_id id = find_letter(r->in->command, arg[1]);
    if (id == OPTION_COUNT)
        return err_set(r->e, ERR_USAGE, "unknown option '%.80s': options start with two dashes",
                       arg);
    return take_option(r, id, arg[2] ? arg + 2 : NULL);
}

static int name_command(struct reader *r, const char *name)
{
    r->in->command = command_find(name);
    if (r->in->command)
        return 0;
    struct nearest near = { .word = name };
    char hint[96];
    for (size_t i = 0; i < command_count; i++)
        nearest_try(&near, command_table[i].name);
    return err_set(r->e, ERR_USAGE, "unknown command '%.80s'%s", name,
                   near.best ? nearest_hint(hint, &near, "") : " (volplan --help lists them)");
}

static int fill_defaults(struct invocation *in, struct err *e)
{
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_table[i].global && option_table[i].fallback && !in->values[i].set)
            if (option_parse(&option_table[i], option_table[i].fallback, &in->values[i], e))
                BUG("a default that its option refuses");
    const struct command *c = in->command;
    for (size_t i = 0; c && i < c->n_options; i++) {
        const struct command_option *o = &c->options[i];
        if (o->fallback && !in->values[o->id].set)
            if (option_parse(&option_table[o->id], o->fallback, &in->values[o->id], e))
                BUG("a default that its option refuses");
    }
    return 0;
}

static int check_count(const struct invocation *in, struct err *e)
{
    const struct command *c = in->command;
    if (!c || in->values[OPT_HELP].set || in->values[OPT_VERSION].set)
        return 0;
    if (in->n_args < c->args_min)
        return err_set(e, ERR_USAGE, "%s needs %s (volplan help %s)", c->name, c->args, c->name);
    if (in->n_args > c->args_max)
        return err_set(e, ERR_USAGE, "%s: '%.80s' is one argument too many (volplan help %s)",
                       c->name, in->args[c->args_max], c->name);
    return 0;
}

int args_parse(int argc, const char *const *argv, struct arena *a, struct invocation *out,
               struct err *e)
{
    *out = (struct invocation){ 0 };
    const char **args = arena_array(a, argc > 0 ? (size_t)argc : 1, sizeof *args);
    struct option_use *uses = arena_array(a, argc > 0 ? (size_t)argc : 1, sizeof *uses);
    if (!args || !uses)
        return err_nomem(e);
    out->args = args;
    out->uses = uses;

    struct reader r = { .argc = argc, .argv = argv, .in = out, .uses = uses, .e = e };
    bool options_end = false;
    for (r.at = 1; r.at < argc; r.at++) {
        const char *arg = argv[r.at];
        int rc = 0;
        if (!options_end && strcmp(arg, "--") == 0)
            options_end = true;
        else if (!options_end && strcmp(arg, "-h") == 0)
            out->values[OPT_HELP].given = out->values[OPT_HELP].set = true;
        else if (!options_end && strncmp(arg, "--", 2) == 0)
            rc = read_option(&r);
        else if (!options_end && arg[0] == '-' && arg[1])
            rc = read_letter(&r);
        else if (!out->command)
            rc = name_command(&r, arg);
        else
            args[out->n_args++] = arg;
        if (rc)
            return rc;
    }
    fill_defaults(out, e);
    return check_count(out, e);
}
