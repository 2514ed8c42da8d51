/* planner/demand/redo_waits.c - see redo_waits.h. */
#include "planner/demand/redo_waits.h"

#include <string.h>

/* AWR cuts event names at 30 characters or fewer.
 * TUNING: an event below 0.1 % of the database's time is noise that a top list is filled up with.
 */
static bool is_redo_wait(const struct awr_event *ev)
{
    static const char *const names[] = { "log buffer space", "log file switch (archiving",
                                         "log file switch (checkpoint" };
    if (!ev->name || ev->pct_db_time < 0.1 || ev->time_s <= 0)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(ev->name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

bool redo_waited(const struct awr_snapshot *s)
{
    for (size_t i = 0; i < s->n_events; i++)
        if (is_redo_wait(&s->events[i]))
            return true;
    return false;
}
