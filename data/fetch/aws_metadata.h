/* data/fetch/aws_metadata.h - credentials from the container or the instance that we run on.
 *
 * The instance is asked with a session token (IMDSv2) and never through a proxy;
 * AWS_EC2_METADATA_DISABLED=true keeps away from it.  A container's address is asked as it is told,
 * over plain http only where it is this machine or its link (169.254.170.2, .23). */
#ifndef DATA_FETCH_AWS_METADATA_H
#define DATA_FETCH_AWS_METADATA_H

#include "data/fetch/aws_credentials.h"

/* *found is false where there is neither. */
int aws_metadata_credentials(const struct aws_environment *env, struct http_client *http,
                             struct arena *a, struct aws_credentials *out, bool *found,
                             struct err *e);

#endif
