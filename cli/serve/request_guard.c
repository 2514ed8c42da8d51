/* cli/serve/request_guard.c - see request_guard.h. */
#include "cli/serve/request_guard.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

static bool is_port(const char *s)
{
    return !*s || (*s == ':' && s[1] && strspn(s + 1, "0123456789") == strlen(s + 1));
}

static bool is_loopback(const char *host)
{
    static const char *const names[] = { "127.0.0.1", "localhost", "[::1]" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t len = strlen(names[i]);
        if (strncasecmp(host, names[i], len) == 0 && is_port(host + len))
            return true;
    }
    return false;
}

/* The page's own origin is "http://" and the host that it was asked of. */
static bool is_own(const char *origin, const char *host)
{
    static const char scheme[] = "http://";
    return strncmp(origin, scheme, sizeof scheme - 1) == 0 &&
           strcasecmp(origin + sizeof scheme - 1, host) == 0;
}

const char *request_refused(const struct request_origin *r)
{
    if (!r->host || !is_loopback(r->host))
        return "the Host of a request must be 127.0.0.1 or localhost";
    if (r->origin && !is_own(r->origin, r->host))
        return "requests of pages from elsewhere are refused (Origin)";
    if (r->fetch_site && strcmp(r->fetch_site, "same-origin") != 0 &&
        strcmp(r->fetch_site, "none") != 0)
        return "requests of pages from elsewhere are refused (Sec-Fetch-Site)";
    return NULL;
}
