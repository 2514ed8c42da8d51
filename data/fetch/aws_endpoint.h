/* data/fetch/aws_endpoint.h - where credentials may be sent. */
#ifndef DATA_FETCH_AWS_ENDPOINT_H
#define DATA_FETCH_AWS_ENDPOINT_H

#include "models/core/err.h"

/* https, or http to this machine or a link-local address of containers.  ERR_USAGE names `what`. */
int aws_endpoint_check(const char *url, const char *what, struct err *e);

#endif
