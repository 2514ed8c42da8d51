/* cli/report/out_file.h - a file that is there whole or not at all: written beside its name, and
 * given it at the end. */
#ifndef CLI_REPORT_OUT_FILE_H
#define CLI_REPORT_OUT_FILE_H

#include "models/core/arena.h"
#include "models/core/err.h"

#include <stdio.h>

struct out_file {
    FILE *f;
    const char *path, *draft;
};

/* ERR_USAGE for what is no file (a terminal, a folder) and for a folder that is not there; ERR_IO.
 */
int out_file_open(struct out_file *o, const char *path, struct arena *a, struct err *e);
/* rc 0: gives the file its name; else drops it.  Returns rc, or ERR_IO. */
int out_file_close(struct out_file *o, int rc, struct err *e);

#endif
