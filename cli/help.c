/* cli/help.c - see help.h. */
#include "cli/help.h"

#include "data/ingest/format.h"

#include <string.h>

enum { COLUMNS = 80, TERM_AT = 2, WORDS_AT = 26 };

const char help_quantities[] = "a bare number is in the unit of the EBS API; others are converted "
                               "(--size 2TiB, --iops 64K, --throughput 1.05GB/s).";
const char *const help_exit_status[EXIT_STATUSES] = {
    "done",      "the answer is no", "wrong usage",
    "bad input", "a bug of volplan", "memory, disk, store or network",
};

/* Words from column `at` on, further lines indented to `hang`. */
static void put_words(FILE *out, const char *s, size_t at, size_t hang)
{
    size_t column = at;
    while (*s) {
        size_t len = strcspn(s, " ");
        if (column > hang && column + len > COLUMNS) {
            fprintf(out, "\n%*s", (int)hang, "");
            column = hang;
        }
        fwrite(s, 1, len, out);
        s += len;
        column += len + 1;
        if (*s == ' ') {
            s++;
            if (*s && column + strcspn(s, " ") <= COLUMNS)
                putc(' ', out);
        }
    }
    putc('\n', out);
}

static void put_term(FILE *out, const char *term, const char *words)
{
    int used = fprintf(out, "%*s%s", TERM_AT, "", term);
    if (used >= WORDS_AT - 1)
        fprintf(out, "\n%*s", WORDS_AT, "");
    else
        fprintf(out, "%*s", WORDS_AT - used, "");
    put_words(out, words, WORDS_AT, WORDS_AT);
}

static void put_option(FILE *out, enum option_id id, const char *fallback)
{
    const struct option *o = &option_table[id];
    char usage[64], words[240];
    snprintf(words, sizeof words, "%s%s%s%s", o->help, fallback ? " (" : "",
             fallback ? fallback : "", fallback ? ")" : "");
    put_term(out, option_usage(usage, o), words);
    if (o->choices) {
        fprintf(out, "%*s", WORDS_AT, "");
        for (size_t i = 0; o->choices[i]; i++)
            fprintf(out, "%s%s", i ? "|" : "", o->choices[i]);
        putc('\n', out);
    }
}

/* The values of --format, for commands that have it. */
static void put_formats(FILE *out, const struct command *c)
{
    if (!command_takes(c, OPT_FORMAT))
        return;
    size_t n, column = TERM_AT;
    const struct format *formats = format_table(&n);
    fprintf(out, "\nFormats:\n%*s", TERM_AT, "");
    for (size_t i = 0; i < n; i++) {
        if (!command_reads(c, &formats[i]))
            continue;
        size_t len = strlen(formats[i].name);
        if (column + 1 + len > COLUMNS) {
            fprintf(out, "\n%*s", TERM_AT, "");
            column = TERM_AT;
        }
        column += (size_t)fprintf(out, "%s%s", column > TERM_AT ? " " : "", formats[i].name);
    }
    putc('\n', out);
}

static void put_globals(FILE *out)
{
    fputs("\nOptions of every command:\n", out);
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_table[i].global)
            put_option(out, (enum option_id)i, option_table[i].fallback);
}

/* "0 done, 1 the answer is no, ..." */
static char *exit_words(char buf[200])
{
    size_t at = 0;
    for (int i = 0; i < EXIT_STATUSES; i++)
        at +=
            (size_t)snprintf(buf + at, 200 - at, "%s%d %s", i ? ", " : "", i, help_exit_status[i]);
    snprintf(buf + at, 200 - at, ".");
    return buf;
}

void help_general(FILE *out)
{
    char statuses[200];
    fputs("volplan: which EBS volumes, how many, at which settings, on which instance, at what "
          "price\n\nusage: volplan COMMAND [ARGUMENT...] [OPTION...]\n\nCommands:\n",
          out);
    for (size_t i = 0; i < command_count; i++)
        put_term(out, command_table[i].name, command_table[i].help);
    put_globals(out);
    fputs("\nQuantities: ", out);
    put_words(out, help_quantities, strlen("Quantities: "), 0);
    fputs("Exit status: ", out);
    put_words(out, exit_words(statuses), strlen("Exit status: "), 0);
    fputs("\n'volplan help COMMAND' has options and examples.\n", out);
}

void help_command(FILE *out, const struct command *c)
{
    fprintf(out, "volplan %s: %s\n\nusage: volplan %s%s%s%s\n", c->name, c->help, c->name,
            *c->args ? " " : "", c->args, c->n_options ? " [OPTION...]" : "");
    if (c->text) {
        putc('\n', out);
        put_words(out, c->text, 0, 0);
    }
    if (c->n_options)
        fputs("\nOptions:\n", out);
    for (size_t i = 0; i < c->n_options; i++)
        put_option(out, c->options[i].id, c->options[i].fallback);
    put_formats(out, c);
    put_globals(out);
    if (c->n_examples)
        fputs("\nExamples:\n", out);
    for (size_t i = 0; i < c->n_examples; i++)
        fprintf(out, "  %s\n      %s\n", c->examples[i].line, c->examples[i].what);
}
