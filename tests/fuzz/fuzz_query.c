/* tests/fuzz/fuzz_query.c - any bytes as the query of an address, for every command that is served.
 *
 * Whatever it says, the words are options that are served, and args_parse, if it takes them, finds
 * no arguments among them; the line that is shown has no byte that could end a header. */
#include "cli/args.h"
#include "cli/serve/query_words.h"
#include "cli/serve/served.h"
#include "cli/shell_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool holds)
{
    if (!holds)
        abort();
}

static void demand_line(const char *const *words, size_t n)
{
    struct buf line = { 0 };
    for (size_t i = 0; i < n; i++)
        shell_line_add(&line, words[i]);
    demand(!line.failed);
    for (size_t i = 0; i < line.len; i++)
        demand(line.ptr[i] >= ' ' && line.ptr[i] <= '~');
    buf_release(&line);
}

static void demand_served(const struct command *c, const struct invocation *in)
{
    demand(in->command == c && in->n_args == 0);
    for (size_t i = 0; i < in->n_uses; i++) {
        const char *name = option_table[in->uses[i].id].name;
        demand(strcmp(name, "json") == 0 || option_served(c, span_of(name)));
    }
    demand(!in->values[OPT_DB].given && !in->values[OPT_FACTS].given &&
           !in->values[OPT_PLAN].given);
    demand(!in->values[OPT_OUT].given && !in->values[OPT_OUT_FILE].given);
    demand(!in->values[OPT_HELP].given && !in->values[OPT_VERSION].given);
}

static void try_command(const struct command *c, struct span query)
{
    const char *argv[3 + QUERY_WORDS_MAX] = { "volplan", c->name };
    const char *const *words;
    struct invocation in;
    struct arena a = { 0 };
    struct err e = { 0 };
    size_t n;
    int rc = query_words(query, c, &a, &words, &n, &e);
    demand(rc == 0 || (rc == ERR_USAGE && e.text[0]));
    if (!rc) {
        demand(n <= QUERY_WORDS_MAX);
        for (size_t i = 0; i < n; i++) {
            demand(strncmp(words[i], "--", 2) == 0 && words[i][2] && words[i][2] != '-');
            argv[2 + i] = words[i];
        }
        argv[2 + n] = "--json";
        demand_line(argv, 3 + n);
        rc = args_parse((int)(3 + n), argv, &a, &in, &e);
        demand(rc == 0 || (rc == ERR_USAGE && e.text[0]));
        if (!rc)
            demand_served(c, &in);
    }
    arena_release(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < command_count; i++) {
        char path[64];
        snprintf(path, sizeof path, "/api/%s", command_table[i].name);
        if (command_served(span_of(path)))
            try_command(&command_table[i], (struct span){ (const char *)data, size });
    }
    return 0;
}
