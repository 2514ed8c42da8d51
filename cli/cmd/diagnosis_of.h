/* cli/cmd/diagnosis_of.h - findings of a system whose demand is known. */
#ifndef CLI_CMD_DIAGNOSIS_OF_H
#define CLI_CMD_DIAGNOSIS_OF_H

#include "cli/cmd/system_input.h"
#include "planner/diagnose/diagnose.h"

/* A layout that was given as a file; the last one of a system counts. */
struct layout_path {
    const char *system, *path;
};

/* Layouts of its standbys are those of the store. */
int diagnosis_of(struct app *app, const struct system_input *of, const struct system_demand *demand,
                 const struct layout_path *paths, size_t n, struct diagnosis *out, struct err *e);

#endif
