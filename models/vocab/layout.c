/* models/vocab/layout.c - see layout.h. */
#include "models/vocab/layout.h"

#include <string.h>

const char *group_role_name(enum group_role r)
{
    static const char *const names[] = { "data", "redo", "archive", "temp", "binaries", "other" };
    return names[r];
}

const char *redundancy_name(enum redundancy r)
{
    static const char *const names[] = { "external", "normal", "high" };
    return names[r];
}

int redundancy_copies(enum redundancy r)
{
    return (int)r + 1;
}

/* '*' in pattern[0..len) matches any run of characters. */
static bool glob_match(const char *pattern, size_t len, const char *text)
{
    const char *end = pattern + len, *star = NULL, *star_text = NULL;
    while (*text) {
        if (pattern < end && *pattern == '*') {
            star = pattern++;
            star_text = text;
        } else if (pattern < end && *pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star + 1;
            text = ++star_text;
        } else {
            return false;
        }
    }
    while (pattern < end && *pattern == '*')
        pattern++;
    return pattern == end;
}

static const char *without_dev(const char *name)
{
    return strncmp(name, "/dev/", 5) == 0 ? name + 5 : name;
}

bool layout_match_device(const char *pattern, const char *host, const char *device)
{
    const char *colon = strchr(pattern, ':');
    if (colon && (!host || !glob_match(pattern, (size_t)(colon - pattern), host)))
        return false;
    pattern = without_dev(colon ? colon + 1 : pattern);
    return glob_match(pattern, strlen(pattern), without_dev(device));
}
