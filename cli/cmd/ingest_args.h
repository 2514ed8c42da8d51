/* cli/cmd/ingest_args.h - what ingest and inspect share. */
#ifndef CLI_CMD_INGEST_ARGS_H
#define CLI_CMD_INGEST_ARGS_H

#include "cli/app.h"
#include "data/ingest_files.h"

/* --format, --date, --interval, --tz, --max-expand. */
int ingest_args(struct app *app, struct ingest_files_options *out, struct err *e);

/* warnings[] of a file. */
void emit_ingest_warnings(struct emit *m, const struct ingest_result *r);

/* Every failed file as a line on stderr.  The code that the command ends with: 0, ERR_PARSE, or
 * ERR_USAGE when nothing worse happened. */
int ingest_failures(const struct app *app, const struct ingest_results *r);

#endif
