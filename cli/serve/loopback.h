/* cli/serve/loopback.h - a socket that only this machine reaches. */
#ifndef CLI_SERVE_LOOPBACK_H
#define CLI_SERVE_LOOPBACK_H

#include "models/core/err.h"

/* Listens on 127.0.0.1; port 0 = any that is free.  The caller closes *out_fd.  ERR_IO, with what
 * to do when another program has the port. */
int loopback_listen(int port, int *out_fd, int *out_port, struct err *e);

#endif
