/* cli/cmd/plan_file_input.h - a plan from a file, and volumes that somebody names. */
#ifndef CLI_CMD_PLAN_FILE_INPUT_H
#define CLI_CMD_PLAN_FILE_INPUT_H

#include "cli/app.h"
#include "models/ec2/instance_caps.h"
#include "models/vocab/layout.h"
#include "models/vocab/plan_file.h"

/* The plan of --plan; *out_path is NULL where none is given, and *out untouched.  ERR_USAGE for a
 * plan of another system. */
int plan_file_input(struct app *app, const char *system, struct plan_file *out,
                    const char **out_path, struct err *e);
/* Its weighting; ERR_PARSE for an unknown one. */
int plan_file_weighting(const struct plan_file *p, const char *path, enum weighting *out,
                        struct err *e);
/* Index of a disk group; ERR_USAGE with what may have been meant. */
int layout_find_group(const struct layout *l, struct span name, size_t *out, struct err *e);
/* Fills in what the type comes with, under the rules of a day; ERR_USAGE for what cannot be
 * ordered. */
int volume_spec_check(const struct app *app, const struct instance_type *instance, int64_t as_of_ms,
                      struct volume_spec *v, struct err *e);

#endif
