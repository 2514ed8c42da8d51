/* data/fetch/aws_process.h - credentials that a program prints (credential_process). */
#ifndef DATA_FETCH_AWS_PROCESS_H
#define DATA_FETCH_AWS_PROCESS_H

#include "data/fetch/aws_credentials.h"

/* Runs the command in a shell, as AWS tools do, and in a process group of its own; what it says on
 * stderr is dropped, since it may hold anything.  env->process_ms is for all of it: printing,
 * closing its output, ending.  When that is over, when it prints too much or the user stops, the
 * whole group is killed. */
int aws_process_credentials(const struct aws_environment *env, const char *command, struct arena *a,
                            struct aws_credentials *out, struct err *e);

#endif
