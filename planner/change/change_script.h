/* planner/change/change_script.h - a way as a script that a person reads and then runs.
 *
 * aws        a shell script of `aws ec2` commands; steps that others do stand in comments, and the
 *            script asks whether they are done, and before what cannot be undone
 * asm        SQL of ASM and the database for SQL*Plus, likewise
 * terraform  the volumes in the end, as aws_ebs_volume blocks
 * Each says why in a comment.  Nothing is run. */
#ifndef PLANNER_CHANGE_CHANGE_SCRIPT_H
#define PLANNER_CHANGE_CHANGE_SCRIPT_H

#include "planner/change/change.h"

enum change_script { SCRIPT_AWS, SCRIPT_ASM, SCRIPT_TERRAFORM, SCRIPT_COUNT };

/* ERR_NOMEM.  The text lives in a. */
int change_script_build(const struct change *c, const struct change_way *w, enum change_script kind,
                        struct arena *a, const char **out, struct err *e);

#endif
