/* planner/diagnose/finding.c - see finding.h. */
#include "planner/diagnose/finding.h"

const char *severity_name(enum severity s)
{
    static const char *const names[] = { "info", "warning", "error" };
    return names[s];
}

const char *verdict_name(enum verdict v)
{
    static const char *const names[] = { "undetermined", "likely", "certain" };
    return names[v];
}
