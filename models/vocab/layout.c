/* models/vocab/layout.c - see layout.h. */
#include "models/vocab/layout.h"

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
