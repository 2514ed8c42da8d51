/* data/fetch/aws_profile.h - a profile of ~/.aws/credentials and ~/.aws/config.
 *
 * Sections are [NAME] in the first and [profile NAME] or [default] in the second;
 * AWS_SHARED_CREDENTIALS_FILE and AWS_CONFIG_FILE name other files.  Keys of the first file win. Of
 * the file only what is listed here is kept. */
#ifndef DATA_FETCH_AWS_PROFILE_H
#define DATA_FETCH_AWS_PROFILE_H

#include "data/fetch/aws_credentials.h"

struct aws_profile {
    const char *name;
    bool found; /* in either file */
    /* NULL where the profile does not say */
    const char *access_key, *secret_key, *session_token, *region, *process, *sso, *role, *web;
};

int aws_profile_read(const struct aws_environment *env, struct arena *a, struct aws_profile *out,
                     struct err *e);

#endif
