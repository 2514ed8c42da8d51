/* tests/cli/site.h - a folder of one system: its iostat, its layout, its store. */
#ifndef TESTS_CLI_SITE_H
#define TESTS_CLI_SITE_H

#include "tests/cli/run_cli.h"
#include "tests/remove_folder.h"

#include <stdio.h>
#include <unistd.h>

struct site {
    char folder[64], iostat[100], layout[100], db[100];
};

static inline void site_make(struct site *s)
{
    snprintf(s->folder, sizeof s->folder, "/tmp/volplan-site-XXXXXX");
    assert_non_null(mkdtemp(s->folder));
    snprintf(s->iostat, sizeof s->iostat, "%s/iostat.txt", s->folder);
    snprintf(s->layout, sizeof s->layout, "%s/layout.json", s->folder);
    snprintf(s->db, sizeof s->db, "%s/t.db", s->folder);
}

static inline void site_remove(const struct site *s)
{
    assert_int_equal(remove_folder(s->folder), 0);
}

static inline FILE *site_file(const char *path)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    return f;
}

/* A command on its store that must succeed; words may be followed by more words. */
static inline void site_run(const struct site *s, const char *words, const char *more)
{
    char line[600];
    assert_true((size_t)snprintf(line, sizeof line, "--db %s --quiet %s %s", s->db, words, more) <
                sizeof line);
    struct cli_result r = run_cli(line);
    if (r.status)
        print_error("%s: %s\n", line, r.err);
    assert_int_equal(r.status, 0);
    free_cli(&r);
}

#endif
