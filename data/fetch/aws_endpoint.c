/* data/fetch/aws_endpoint.c - see aws_endpoint.h. */
#include "data/fetch/aws_endpoint.h"

#include "models/core/span.h"

/* The host of what follows "http://", without port and path; a user name makes it no host. */
static struct span host_of(struct span rest)
{
    struct span authority, host;
    span_field(&rest, '/', &authority);
    if (span_find(authority, "@") >= 0)
        return (struct span){ 0 };
    if (span_starts(authority, "[")) {
        ptrdiff_t end = span_find(authority, "]");
        return span_cut(authority, 0, end < 0 ? 0 : (size_t)end + 1);
    }
    host = (struct span){ 0 };
    span_field(&authority, ':', &host);
    return host;
}

int aws_endpoint_check(const char *url, const char *what, struct err *e)
{
    static const char *const near[] = { "127.0.0.1",     "localhost",      "[::1]",
                                        "169.254.170.2", "169.254.170.23", "[fd00:ec2::23]" };
    struct span s = span_of(url);
    for (size_t i = 0; i < s.len; i++)
        if (s.ptr[i] <= ' ' || s.ptr[i] == '?' || s.ptr[i] == '#')
            return err_set(e, ERR_USAGE, "%s: no blanks, '?' or '#' in an address", what);
    if (span_starts(s, "https://"))
        return host_of(span_cut(s, 8, s.len)).len
                   ? 0
                   : err_set(e, ERR_USAGE, "%s: the address has no host", what);
    if (span_starts(s, "http://")) {
        struct span host = host_of(span_cut(s, 7, s.len));
        for (size_t i = 0; i < sizeof near / sizeof *near; i++)
            if (span_is(host, near[i]))
                return 0;
        return err_set(e, ERR_USAGE,
                       "%s: credentials go over https only, but to this machine itself", what);
    }
    return err_set(e, ERR_USAGE, "%s: an address begins with https://", what);
}
