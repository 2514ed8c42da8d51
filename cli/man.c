/* cli/man.c - see man.h. */
#include "cli/man.h"

#include "cli/app.h"
#include "cli/help.h"
#include "data/ingest/format.h"
#include "models/core/timestamp.h"

#include <ctype.h>
#include <string.h>

static const struct {
    const char *name, *what;
} variables[] = {
    { "VOLPLAN_DB", "The store, where --db does not name one." },
    { "VOLPLAN_TODAY", "Today's date, YYYY-MM-DD." },
    { "NO_COLOR", "Where it is set and not empty, no colour on a terminal." },
    { "COLUMNS", "Width of the page, where it is not that of the terminal." },
    { "LC_ALL, LC_CTYPE, LANG",
      "The first that is not empty says whether the terminal shows UTF-8: charts and progress are "
      "drawn in "
      "blocks there, else in ASCII. Nothing else depends on the locale." },
};

/* A character as roff shows it: a dash that can be copied, no escape.  Returns the bytes. */
static size_t put_char(FILE *out, char c)
{
    static const struct {
        char c;
        const char *roff;
    } special[] = { { '-', "\\-" },   { '\\', "\\e" },  { '\'', "\\(aq" }, { '"', "\\(dq" },
                    { '~', "\\(ti" }, { '^', "\\(ha" }, { '`', "\\(ga" } };
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        if (special[i].c == c) {
            fputs(special[i].roff, out);
            return strlen(special[i].roff);
        }
    putc(c, out);
    return 1;
}

static size_t put_part(FILE *out, const char *s, size_t len)
{
    size_t bytes = 0;
    for (size_t i = 0; i < len; i++)
        bytes += put_char(out, s[i]);
    return bytes;
}

static void put_words(FILE *out, const char *s)
{
    put_part(out, s, strlen(s));
}

/* A paragraph: a new line after each sentence, as roff spaces them, and before long ones end. */
static void put_text(FILE *out, const char *s)
{
    enum { COLUMNS = 72 };
    size_t column = 0;
    for (char last = '\0'; *s;) {
        size_t len = strcspn(s, " ");
        if (column && (last == '.' || column + 1 + len > COLUMNS)) {
            putc('\n', out);
            column = 0;
        }
        if (column)
            putc(' ', out);
        else if (*s == '.')
            fputs("\\&", out);
        column += 1 + put_part(out, s, len);
        last = len ? s[len - 1] : last;
        s += len + (s[len] == ' ');
    }
    putc('\n', out);
}

/* "the version" as a sentence. */
static void put_sentence(FILE *out, const char *words)
{
    char text[400];
    snprintf(text, sizeof text, "%s.", words);
    text[0] = (char)toupper((unsigned char)text[0]);
    put_text(out, text);
}

static void put_line(FILE *out, const char *macro, const char *s)
{
    fprintf(out, "%s ", macro);
    put_words(out, s);
    putc('\n', out);
}

static void put_head(FILE *out, const char *command, const char *purpose)
{
    char day[32];
    const char *dash = command ? "-" : "", *name = command ? command : "";
    fputs(".\\\" Made from the tables of options and commands; do not edit.\n.TH \"VOLPLAN", out);
    put_words(out, dash);
    for (const char *s = name; *s; s++)
        put_char(out, (char)toupper((unsigned char)*s));
    fprintf(out, "\" 1 %s \"volplan %s\" \"volplan manual\"\n.nh\n.ad l\n.SH NAME\nvolplan",
            time_format_date(day, builtin_catalogue.instances_as_of_ms), volplan_version);
    put_words(out, dash);
    put_words(out, name);
    fputs(" \\- ", out);
    put_words(out, purpose);
    putc('\n', out);
}

static void put_option(FILE *out, enum option_id id, const char *fallback)
{
    const struct option *o = &option_table[id];
    fprintf(out, ".TP\n%s \"", o->arg ? ".BI" : ".B");
    if (o->letter)
        fprintf(out, "\\-%c, ", o->letter);
    fputs("\\-\\-", out);
    put_words(out, o->name);
    putc('"', out);
    if (o->arg) {
        fputs(" \" ", out);
        put_words(out, o->arg);
        putc('"', out);
    }
    putc('\n', out);
    put_sentence(out, o->help);
    if (o->choices) {
        fputs("One of", out);
        for (size_t i = 0; o->choices[i]; i++) {
            fputs(i ? ", " : " ", out);
            put_words(out, o->choices[i]);
        }
        fputs(".\n", out);
    }
    if (fallback) {
        fputs("Default: ", out);
        put_words(out, fallback);
        fputs(".\n", out);
    }
}

static void put_globals(FILE *out, const char *heading)
{
    fprintf(out, ".SH %s\n", heading);
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_table[i].global)
            put_option(out, (enum option_id)i, option_table[i].fallback);
}

static void put_formats(FILE *out, const struct command *c)
{
    size_t n, shown = 0;
    const struct format *formats = format_table(&n);
    if (!command_takes(c, OPT_FORMAT))
        return;
    fputs(".SH FORMATS\n", out);
    for (size_t i = 0; i < n; i++)
        if (command_reads(c, &formats[i]))
            fprintf(out, "%s%s", shown++ ? ",\n" : "", formats[i].name);
    fputs(".\n", out);
}

static void put_exit_status(FILE *out)
{
    fputs(".SH EXIT STATUS\n", out);
    for (int i = 0; i < EXIT_STATUSES; i++) {
        fprintf(out, ".TP\n.B %d\n", i);
        put_sentence(out, help_exit_status[i]);
    }
    fputs(
        ".TP\n.B 128 and more\nended by a signal: 130 by Ctrl-C, 143 by SIGTERM, 141 where nobody "
        "reads the output any more.\n",
        out);
}

/* The page of a command, for SEE ALSO. */
static void put_page(FILE *out, const char *command, const char *behind)
{
    fputs(".BR volplan", out);
    if (command) {
        fputs("\\-", out);
        put_words(out, command);
    }
    fprintf(out, " (1)%s\n", behind);
}

void man_general(FILE *out)
{
    put_head(out, NULL, "EBS volumes and EC2 instances for Oracle databases");
    fputs(".SH SYNOPSIS\n.B volplan\n.I COMMAND\n.RI [ ARGUMENT ...]\n.RI [ OPTION ...]\n"
          ".SH DESCRIPTION\n",
          out);
    put_text(out, "From what was measured (AWR reports, iostat, CloudWatch and more) volplan says "
                  "which EBS volumes, how many, at which settings, on which instance, and at what "
                  "price. Options of a command stand behind it, those of every command anywhere.");
    fputs(".PP\n", out);
    char quantities[300];
    snprintf(quantities, sizeof quantities, "Quantities: %s", help_quantities);
    put_text(out, quantities);
    fputs(".SH COMMANDS\n", out);
    for (size_t i = 0; i < command_count; i++) {
        fputs(".TP\n", out);
        put_page(out, command_table[i].name, "");
        put_sentence(out, command_table[i].help);
    }
    put_globals(out, "OPTIONS");
    fputs(".SH ENVIRONMENT\n", out);
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        fputs(".TP\n", out);
        put_line(out, ".B", variables[i].name);
        put_text(out, variables[i].what);
    }
    put_exit_status(out);
}

void man_command(FILE *out, const struct command *c)
{
    put_head(out, c->name, c->help);
    fputs(".SH SYNOPSIS\n.B volplan ", out);
    put_words(out, c->name);
    putc('\n', out);
    if (*c->args)
        put_text(out, c->args);
    fputs(".RI [ OPTION ...]\n.SH DESCRIPTION\n", out);
    put_sentence(out, c->help);
    if (c->text) {
        fputs(".PP\n", out);
        put_text(out, c->text);
    }
    if (c->n_options)
        fputs(".SH OPTIONS\n", out);
    for (size_t i = 0; i < c->n_options; i++)
        put_option(out, c->options[i].id, c->options[i].fallback);
    put_formats(out, c);
    put_globals(out, "OPTIONS OF EVERY COMMAND");
    if (c->n_examples)
        fputs(".SH EXAMPLES\n", out);
    for (size_t i = 0; i < c->n_examples; i++) {
        fputs(".TP\n", out);
        put_line(out, ".B", c->examples[i].line);
        put_sentence(out, c->examples[i].what);
    }
    put_exit_status(out);
    fputs(".SH SEE ALSO\n", out);
    put_page(out, NULL, "");
}
