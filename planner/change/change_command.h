/* planner/change/change_command.h - what a person would type, in the language of its shell.
 *
 * Names come from layouts and files and may hold anything.  What goes into a command is a plain
 * word of its language, or is quoted by it; where it cannot be, a name stands there that no command
 * finds.  All functions return NULL when memory is out. */
#ifndef PLANNER_CHANGE_CHANGE_COMMAND_H
#define PLANNER_CHANGE_CHANGE_COMMAND_H

#include "planner/change/change.h"

/* A word of sh: itself where it is plain, else in single quotes. */
char *shell_word(struct arena *a, const char *text);
/* The ID of a volume where EC2 could have given it ("vol-" and hexadecimal digits). */
bool is_volume_id(const char *text);
/* A disk group in SQL: itself where it is a plain name of Oracle, in double quotes where these can
 * hold it, else "?". */
char *asm_name(struct arena *a, const char *group);
/* A name for a new disk group beside it: at most 30 plain characters. */
char *asm_new_name(struct arena *a, const char *group);
/* A literal of SQL, quotes included; what is not printable ASCII becomes "?". */
char *sql_literal(struct arena *a, const char *text);
/* One line for a comment: what is not printable ASCII, and could end it or steer a terminal,
 * becomes "?". */
char *comment_line(struct arena *a, const char *text);
/* A literal of HCL (Terraform), quotes included. */
char *hcl_literal(struct arena *a, const char *text);
/* Letters, digits and "_" only, begins with a letter: for tags and resource names. */
char *plain_name(struct arena *a, const char *text);

/* " --volume-type io2 --size 250 --iops 5000" */
char *aws_spec(struct arena *a, const struct volume_spec *v);
/* "REDO1 was measured at 500 MiB/s and 417 IOPS at most, at 2022-05-18T08:14:00Z (at least)" */
char *change_reason(struct arena *a, const struct group_demand *g);

#endif
