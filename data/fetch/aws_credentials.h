/* data/fetch/aws_credentials.h - credentials from where AWS tools take them, in their order:
 *
 *   environment       AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN
 *   profile           AWS_PROFILE or "default", of the files credentials and config
 *                     (aws_profile.h): keys, or what its credential_process prints
 *   container         AWS_CONTAINER_CREDENTIALS_RELATIVE_URI or _FULL_URI
 *   instance          the metadata service of EC2, with a token (IMDSv2)
 *
 * Profiles that need a sign-in or another role (sso_*, role_arn, web identity) are refused with the
 * command that turns them into keys.  Nothing of this is logged, stored or put into an error. */
#ifndef DATA_FETCH_AWS_CREDENTIALS_H
#define DATA_FETCH_AWS_CREDENTIALS_H

#include "data/fetch/http_retry.h"

struct aws_environment {
    void *ctx;
    const char *(*get)(void *ctx, const char *name); /* NULL = not set */
    bool (*stopped)(void *ctx);                      /* the user wants no more; NULL = never */
    int64_t (*ticks_ms)(void); /* a clock that only goes forward; NULL = it stands still */
    int64_t process_ms;        /* how long credential_process may take; 0 = a minute */
};

struct aws_credentials {
    const char *access_key, *secret_key, *session_token; /* the last NULL = none */
    int64_t expires_ms;                                  /* UNKNOWN = not told */
    const char *from;                                    /* "the profile default", for words */
};

/* An environment variable that is set and not empty; else NULL. */
const char *aws_variable(const struct aws_environment *env, const char *name);
/* AWS_REGION, AWS_DEFAULT_REGION, the profile's region; *out is NULL when none says. */
int aws_region(const struct aws_environment *env, struct arena *a, const char **out, struct err *e);
/* ERR_NET_FINAL when there are none, saying where they were looked for. */
int aws_credentials_find(const struct aws_environment *env, struct http_client *http,
                         struct arena *a, struct aws_credentials *out, struct err *e);
/* The keys in a JSON answer of a process or a metadata service; names as in
 * {"AccessKeyId":..,"SecretAccessKey":..,"SessionToken" or "Token":..,"Expiration":..}.  `from`
 * names it in errors, which quote nothing of the answer. */
int aws_credentials_json(struct span json, const char *from, struct arena *a,
                         struct aws_credentials *out, struct err *e);

#endif
