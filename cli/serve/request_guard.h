/* cli/serve/request_guard.h - whether a request comes from the page itself.
 *
 * A page on the web can make a browser send requests to 127.0.0.1, and with a name of its own that
 * resolves to 127.0.0.1 (DNS rebinding) it could read the answers.  Such a request carries that
 * name as Host, the foreign page as Origin, or Sec-Fetch-Site.  The port of Host is not looked at,
 * so that a port may be forwarded (ssh -L). */
#ifndef CLI_SERVE_REQUEST_GUARD_H
#define CLI_SERVE_REQUEST_GUARD_H

/* Headers of a request; NULL = not sent. */
struct request_origin {
    const char *host, *origin, *fetch_site;
};

/* NULL when it may be answered, else why not. */
const char *request_refused(const struct request_origin *r);

#endif
