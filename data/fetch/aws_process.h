/* data/fetch/aws_process.h - credentials that a program prints (credential_process). */
#ifndef DATA_FETCH_AWS_PROCESS_H
#define DATA_FETCH_AWS_PROCESS_H

#include "data/fetch/aws_credentials.h"

/* Runs the command in a shell, as AWS tools do; its stderr is ours.  Waits a minute at most. */
int aws_process_credentials(const char *command, struct arena *a, struct aws_credentials *out,
                            struct err *e);

#endif
