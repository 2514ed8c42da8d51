/* cli/serve/query_words.h - the query of an address, as words of a command line.
 *
 *   system=PRD1&add-standby=dr3%3Asend%3D60&merge-loss
 *   --system=PRD1 --add-standby=dr3:send=60 --merge-loss
 *
 * Every parameter becomes one word that begins with two dashes, so none can stand as an argument
 * (a file, say).  What the words mean is for args_parse to say. */
#ifndef CLI_SERVE_QUERY_WORDS_H
#define CLI_SERVE_QUERY_WORDS_H

#include "cli/command.h"
#include "models/core/span.h"

enum { QUERY_WORDS_MAX = 256 };

/* query is what stands behind the "?".  ERR_USAGE for an option that is not served, a name that can
 * be none, a broken escape, a NUL, more than QUERY_WORDS_MAX parameters. */
int query_words(struct span query, const struct command *c, struct arena *a,
                const char *const **out, size_t *out_n, struct err *e);

#endif
