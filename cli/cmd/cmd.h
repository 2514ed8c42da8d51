/* cli/cmd/cmd.h - the commands: one file each, one row each in cli/command.c.
 *
 * Each returns 0, or a code of ERR_TABLE with words in e; ERR_NO with no words is an answer
 * that was already given. */
#ifndef CLI_CMD_CMD_H
#define CLI_CMD_CMD_H

#include "cli/app.h"

int cmd_catalog(struct app *app, struct err *e);
int cmd_change(struct app *app, struct err *e);
int cmd_completion(struct app *app, struct err *e);
int cmd_diagnose(struct app *app, struct err *e);
int cmd_export(struct app *app, struct err *e);
int cmd_fetch(struct app *app, struct err *e);
int cmd_help(struct app *app, struct err *e);
int cmd_ingest(struct app *app, struct err *e);
int cmd_inspect(struct app *app, struct err *e);
int cmd_instance(struct app *app, struct err *e);
int cmd_layout(struct app *app, struct err *e);
int cmd_peaks(struct app *app, struct err *e);
int cmd_plan(struct app *app, struct err *e);
int cmd_reconcile(struct app *app, struct err *e);
int cmd_replay(struct app *app, struct err *e);
int cmd_report(struct app *app, struct err *e);
int cmd_serve(struct app *app, struct err *e);
int cmd_series(struct app *app, struct err *e);
int cmd_size(struct app *app, struct err *e);
int cmd_store(struct app *app, struct err *e);
int cmd_systems(struct app *app, struct err *e);
int cmd_version(struct app *app, struct err *e);
int cmd_vol(struct app *app, struct err *e);
int cmd_whatif(struct app *app, struct err *e);

#endif
