/* cli/cmd/fetch_world.h - environment, clock, sleep and chance, as data/fetch wants them. */
#ifndef CLI_CMD_FETCH_WORLD_H
#define CLI_CMD_FETCH_WORLD_H

#include "cli/app.h"
#include "data/fetch/aws_call.h"
#include "data/fetch/http_curl.h"

struct fetch_world {
    struct app *app;
    struct http_curl *curl;
    struct aws_client client;
};

/* The region is that of --region, else the environment's or profile's, else the default of
 * --region. */
int fetch_world_open(struct app *app, struct fetch_world *out, struct err *e);
/* From open to close Ctrl-C ends a request with ERR_STOPPED, not the program. */
void fetch_world_close(struct fetch_world *w);

#endif
