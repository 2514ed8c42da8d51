/* cli/gen_man.c - at build: gen_man FOLDER writes the manual pages into it. */
#include "cli/man.h"

#include <string.h>

/* c is NULL for volplan(1).  Non-zero when the page cannot be written. */
static int write_page(const char *folder, const struct command *c)
{
    char path[4096];
    if ((size_t)snprintf(path, sizeof path, "%s/volplan%s%s.1", folder, c ? "-" : "",
                         c ? c->name : "") >= sizeof path)
        return 1;
    FILE *out = fopen(path, "w");
    if (!out)
        return 1;
    if (c)
        man_command(out, c);
    else
        man_general(out);
    int failed = ferror(out);
    return fclose(out) == EOF || failed;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: gen_man FOLDER\n", stderr);
        return 2;
    }
    int failed = write_page(argv[1], NULL);
    for (size_t i = 0; i < command_count && !failed; i++)
        failed = write_page(argv[1], &command_table[i]);
    if (failed)
        fprintf(stderr, "gen_man: %s: a page cannot be written\n", argv[1]);
    return failed ? 5 : 0;
}
