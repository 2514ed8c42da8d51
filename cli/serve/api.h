/* cli/serve/api.h - an address is a command line, its answer what the command prints as JSON.
 *
 *   /api/plan?system=PRD1&headroom=30     volplan plan --system PRD1 --headroom 30 --json
 *
 * Commands run one after the other in this process, with a store that stays open and the systems
 * that were read last: until another process writes to the store, or puts another in its place. */
#ifndef CLI_SERVE_API_H
#define CLI_SERVE_API_H

#include "cli/app.h"
#include "cli/cmd/kept_systems.h"
#include "cli/render/buf.h"

struct api {
    const struct app *server; /* its options, catalogue and world */
    int64_t started_ticks_ms;
    FILE *nowhere;       /* for what a command says besides its answer */
    struct arena arena;  /* of the command at hand */
    struct buf command;  /* its line */
    struct store *store; /* NULL = to be opened */
    struct store_mark mark;
    struct kept_systems kept;
};

struct api_answer {
    int http_status;
    struct buf body;     /* a JSON object, the caller's to release */
    const char *command; /* the line that gives the same, until the next answer; NULL = none */
};

/* app is that of `serve`, and outlives it.  The store is opened. */
int api_open(struct api *api, const struct app *app, struct err *e);
void api_close(struct api *api);

/* The answer to path and query (what stands behind the "?").  An error is an answer too: {"error":
 * words, "status": exit status}. */
void api_answer(struct api *api, struct span path, struct span query, struct api_answer *out);
/* An answer of that kind; body is empty where memory is out. */
void api_answer_error(struct api_answer *out, int http_status, int code, const char *words);

#endif
