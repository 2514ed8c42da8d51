/* tests/cli/test_in_step.c - help, manual and completion say what the tables of options and
 * commands say: every command and option of them, and nothing else.
 *
 * Each form is read back into the names that it shows.  That a name left out, or one too many,
 * would be seen is tested too: a renamed one is both. */
#include "cli/completion/completion.h"
#include "cli/help.h"
#include "cli/man.h"
#include "tests/cli/run_cli.h"

#include <ctype.h>

/* --- names ------------------------------------------------------------------------------------ */

enum { NAMES = 200 };

struct names {
    char at[NAMES][40];
    size_t n;
};

/* s up to the first character that no name has; roff's "\-" is a dash. */
static void add_name(struct names *names, const char *s)
{
    char *to = names->at[names->n];
    size_t len = 0;
    assert_true(names->n < NAMES);
    for (; islower((unsigned char)*s) || isdigit((unsigned char)*s) || *s == '-' || *s == '\\'; s++)
        if (*s != '\\') {
            assert_true(len < sizeof names->at[0] - 1);
            to[len++] = *s;
        }
    to[len] = '\0';
    assert_true(len > 0);
    names->n++;
}

static bool has_name(const struct names *names, const char *name)
{
    for (size_t i = 0; i < names->n; i++)
        if (strcmp(names->at[i], name) == 0)
            return true;
    return false;
}

/* Names that only one of them has; a name that stands twice counts too. */
static size_t differences(const char *what, const struct names *want, const struct names *found)
{
    size_t n = 0;
    for (size_t i = 0; i < want->n; i++)
        if (!has_name(found, want->at[i])) {
            if (what)
                print_error("%s: '%s' is missing\n", what, want->at[i]);
            n++;
        }
    for (size_t i = 0; i < found->n; i++)
        if (!has_name(want, found->at[i])) {
            if (what)
                print_error("%s: '%s' is in no table\n", what, found->at[i]);
            n++;
        }
    return n ? n : found->n > want->n ? found->n - want->n : 0;
}

/* "out", and "-o" where that is the same. */
static struct names options_of(const struct command *c)
{
    struct names names = { .n = 0 };
    for (int i = 0; i < OPTION_COUNT; i++) {
        const struct option *o = &option_table[i];
        if (!command_takes(c, (enum option_id)i))
            continue;
        add_name(&names, o->name);
        if (o->letter)
            add_name(&names, (const char[]){ '-', o->letter, '\0' });
    }
    return names;
}

static struct names all_commands(void)
{
    struct names names = { .n = 0 };
    for (size_t i = 0; i < command_count; i++)
        add_name(&names, command_table[i].name);
    return names;
}

/* --- reading a form back ---------------------------------------------------------------------- */

/* What follows `before` at the beginning of each line in [text, end). */
static void names_of_lines(struct names *names, const char *text, const char *end,
                           const char *before)
{
    size_t len = strlen(before);
    while (text < end) {
        if (strncmp(text, before, len) == 0)
            add_name(names, text + len);
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
}

/* What follows each `before` in [text, end). */
static void names_in(struct names *names, const char *text, const char *end, const char *before)
{
    for (const char *s = text; (s = strstr(s, before)) != NULL && s < end; s += strlen(before))
        add_name(names, s + strlen(before));
}

static const char *end_of(const char *text)
{
    return text + strlen(text);
}

/* The part behind `from` and before the next `to`; asserts that both are there. */
static const char *part(const char *text, const char *from, const char *to, const char **out_end)
{
    const char *begin = strstr(text, from);
    if (!begin)
        fail_msg("no '%s'", from);
    begin += strlen(from);
    *out_end = strstr(begin, to);
    if (!*out_end)
        fail_msg("no '%s' behind '%s'", to, from);
    return begin;
}

/* "  -o, --out FILE" behind the indent, or "--size N" */
static void add_usage(struct names *names, const char *usage)
{
    if (usage[1] != '-') {
        add_name(names, (const char[]){ '-', usage[1], '\0' });
        usage += strlen("-o, ");
    }
    add_name(names, usage + strlen("--"));
}

static void help_options(const char *text, const struct command *c, struct names *names)
{
    (void)c;
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        if (strncmp(line, "  -", 3) == 0)
            add_usage(names, line + 2);
}

static void help_commands(const char *text, struct names *names)
{
    const char *end, *begin = part(text, "\nCommands:\n", "\n\n", &end);
    for (const char *line = begin; line < end; line += strcspn(line, "\n") + 1)
        if (line[2] != ' ')
            add_name(names, line + 2);
}

static void man_options(const char *text, const struct command *c, struct names *names)
{
    (void)c;
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
        const char *tag = line + (line[2] == 'I' ? strlen(".BI \"") : strlen(".B \""));
        if (strncmp(line, ".B \"", 4) != 0 && strncmp(line, ".BI \"", 5) != 0)
            continue;
        char usage[60];
        size_t len = 0;
        for (; *tag != '"' && *tag != '\n'; tag++)
            if (*tag != '\\')
                usage[len++] = *tag;
        usage[len] = '\0';
        add_usage(names, usage);
    }
}

static void man_commands(const char *text, struct names *names)
{
    names_of_lines(names, text, end_of(text), ".BR volplan\\-");
}

/* " --out -o" */
static void bash_words(struct names *names, const char *begin, const char *end)
{
    for (const char *s = begin; s < end; s += 1 + strcspn(s + 1, " '"))
        add_name(names, s + (s[2] == '-' ? strlen(" --") : strlen(" ")));
}

static void bash_options(const char *text, const struct command *c, struct names *names)
{
    const char *end, *begin = part(text, "local words='", "'", &end);
    char before[60];
    bash_words(names, begin, end);
    if (!c || !c->n_options)
        return;
    snprintf(before, sizeof before, "\n    %s) words+='", c->name);
    begin = part(text, before, "'", &end);
    bash_words(names, begin, end);
}

static void bash_commands(const char *text, struct names *names)
{
    const char *end, *begin = part(text, "'') _volplan_words", "\n", &end);
    names_in(names, begin, begin + 2, "'");
    names_in(names, begin + 2, strchr(begin + 2, '\''), " ");
}

static void zsh_options(const char *text, const struct command *c, struct names *names)
{
    const char *end, *begin;
    char before[60] = "_arguments -C";
    if (c)
        snprintf(before, sizeof before, "\n    %s) _arguments", c->name);
    begin = part(text, before, c ? " ;;\n" : "':command:", &end);
    for (const char *line = begin; line < end; line += strcspn(line, "\n") + 1)
        if (strncmp(line, "        '*-", 11) == 0)
            add_name(names, line + (line[11] == '-' ? 12 : 10));
}

static void zsh_commands(const char *text, struct names *names)
{
    const char *end, *begin = part(text, "local -a commands=(", "\n    )", &end);
    names_of_lines(names, begin, end, "        '");
}

/* "out -s o -r ..." behind the -l of each line that begins so. */
static void fish_lines(struct names *names, const char *text, const char *before)
{
    size_t len = strlen(before);
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
        if (strncmp(line, before, len) != 0)
            continue;
        const char *rest = line + len + strcspn(line + len, " ");
        add_name(names, line + len);
        if (strncmp(rest, " -s ", 4) == 0)
            add_name(names, (const char[]){ '-', rest[4], '\0' });
    }
}

static void fish_options(const char *text, const struct command *c, struct names *names)
{
    char before[80];
    fish_lines(names, text, "complete -c volplan -l ");
    if (!c)
        return;
    snprintf(before, sizeof before, "complete -c volplan -n '__volplan_is %s' -l ", c->name);
    fish_lines(names, text, before);
}

static void fish_commands(const char *text, struct names *names)
{
    names_of_lines(names, text, end_of(text), "complete -c volplan -n '__volplan_is \"\"' -a ");
}

/* --- the forms -------------------------------------------------------------------------------- */

static char *page_of(const struct command *c, void (*general)(FILE *),
                     void (*of_command)(FILE *, const struct command *))
{
    char *text;
    size_t len;
    FILE *f = open_memstream(&text, &len);
    assert_non_null(f);
    if (c)
        of_command(f, c);
    else
        general(f);
    fclose(f);
    return text;
}

static char *script_of(void (*write)(struct buf *))
{
    struct buf b = { 0 };
    write(&b);
    assert_false(b.failed);
    char *text = strndup(b.ptr, b.len);
    buf_release(&b);
    return text;
}

static char *help_text(const struct command *c)
{
    return page_of(c, help_general, help_command);
}

static char *man_text(const struct command *c)
{
    return page_of(c, man_general, man_command);
}

static char *bash_text(const struct command *c)
{
    (void)c;
    return script_of(completion_bash);
}

static char *zsh_text(const struct command *c)
{
    (void)c;
    return script_of(completion_zsh);
}

static char *fish_text(const struct command *c)
{
    (void)c;
    return script_of(completion_fish);
}

static const struct form {
    const char *name;
    char *(*text)(const struct command *c); /* NULL: what stands for all commands */
    void (*options)(const char *text, const struct command *c, struct names *out);
    void (*commands)(const char *text, struct names *out);
} forms[] = {
    { "help", help_text, help_options, help_commands },
    { "man", man_text, man_options, man_commands },
    { "bash", bash_text, bash_options, bash_commands },
    { "zsh", zsh_text, zsh_options, zsh_commands },
    { "fish", fish_text, fish_options, fish_commands },
};
enum { FORMS = sizeof forms / sizeof *forms };

static size_t wrong_options(const char *what, const struct form *form, const char *text,
                            const struct command *c)
{
    struct names want = options_of(c), found = { .n = 0 };
    form->options(text, c, &found);
    return differences(what, &want, &found);
}

static size_t wrong_commands(const char *what, const struct form *form, const char *text)
{
    struct names want = all_commands(), found = { .n = 0 };
    form->commands(text, &found);
    return differences(what, &want, &found);
}

static void every_form_has_what_the_tables_have(void **state)
{
    const struct form *form = *state;
    char what[80];
    char *text = form->text(NULL);
    assert_int_equal(wrong_commands(form->name, form, text), 0);
    assert_int_equal(wrong_options(form->name, form, text, NULL), 0);
    free(text);
    for (size_t i = 0; i < command_count; i++) {
        const struct command *c = &command_table[i];
        text = form->text(c);
        snprintf(what, sizeof what, "%s of %s", form->name, c->name);
        assert_int_equal(wrong_options(what, form, text, c), 0);
        free(text);
    }
}

/* Every `name` of the text becomes one that no table has. */
static void rename_all(char *text, const char *name)
{
    size_t n = 0;
    for (char *s = text; (s = strstr(s, name)) != NULL; s += strlen(name), n++)
        s[strlen(name) - 1] = 'x';
    assert_true(n > 0);
}

static void one_left_out_is_seen(void **state)
{
    const struct form *form = *state;
    static const char *const options[] = { "percentile", "no\\-color" };
    const struct command *plan = command_find("plan");
    for (size_t i = 0; i < 2; i++) {
        char *text = form->text(plan);
        rename_all(text, form->text == man_text || i == 0 ? options[i] : "no-color");
        assert_int_equal(wrong_options(NULL, form, text, plan), 2);
        free(text);
    }
    char *text = form->text(NULL);
    rename_all(text, "catalog");
    assert_int_equal(wrong_commands(NULL, form, text), 2);
    free(text);
}

/* The words of help stand in the manual, with defaults and choices: where no table says it, no page
 * does. */
static void the_manual_has_the_words(void **state)
{
    (void)state;
    char *text = man_text(command_find("plan"));
    static const char *const lines[] = {
        "\n.TH \"VOLPLAN\\-PLAN\" 1 ",
        "\nvolplan\\-plan \\- volumes for every disk group of a system, and what they cost\n",
        "\n.BI \"\\-\\-headroom\" \" PCT\"\nCapacity above the need, of IOPS and throughput.\n"
        "Default: 20.\n",
        "\n.BI \"\\-\\-arch\" \" ARCH\"\nOnly instances of this processor architecture.\n"
        "One of x86_64, arm64.\n",
        "\n.B volplan plan \\-\\-all \\-\\-csv\nEvery system of the store, as a list.\n",
        "\n.B 1\nThe answer is no.\n",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (!strstr(text, lines[i]))
            fail_msg("not in the manual: %s\n%s", lines[i], text);
    free(text);
    text = man_text(command_find("ingest"));
    assert_non_null(strstr(text, ",\ncur2,\n"));
    assert_null(strstr(text, ",\nplan")); /* ingest refuses it */
    free(text);
}

/* A line that begins with . or ' is a request to roff; a bare backslash begins an escape. */
static void the_manual_is_only_its_macros(void **state)
{
    (void)state;
    static const char *const macros[] = { ".\\\"", ".TH ", ".nh\n", ".ad l\n", ".SH ", ".TP\n",
                                          ".PP\n", ".B ",  ".BI ",  ".BR ",    ".RI ", ".I " };
    static const char escapes[] = "-e&(\"";
    for (size_t i = 0; i <= command_count; i++) {
        char *text = man_text(i < command_count ? &command_table[i] : NULL);
        for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
            bool known = *line != '.' && *line != '\'';
            for (size_t k = 0; k < sizeof macros / sizeof *macros; k++)
                known |= strncmp(line, macros[k], strlen(macros[k])) == 0;
            if (!known)
                fail_msg("no macro of ours: %.60s", line);
        }
        for (const char *s = text; (s = strchr(s, '\\')) != NULL; s += 2)
            assert_non_null(strchr(escapes, s[1]));
        free(text);
    }
}

int main(void)
{
    struct CMUnitTest t[2 * FORMS + 2];
    size_t n = 0;
    for (size_t i = 0; i < FORMS; i++) {
        void *form = (void *)(uintptr_t)&forms[i];
        t[n++] = (struct CMUnitTest){ forms[i].name, every_form_has_what_the_tables_have, NULL,
                                      NULL, form };
        t[n++] =
            (struct CMUnitTest){ "one left out is seen", one_left_out_is_seen, NULL, NULL, form };
    }
    t[n++] = (struct CMUnitTest)cmocka_unit_test(the_manual_has_the_words);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(the_manual_is_only_its_macros);
    return cmocka_run_group_tests_name("in_step", t, cli_start, cli_stop);
}
