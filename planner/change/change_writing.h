/* planner/change/change_writing.h - the steps of one group on their way into the calendar.
 *
 * Shared by change_steps.c, which knows the ways, and change_oracle.c, which knows what ASM and the
 * database are told. */
#ifndef PLANNER_CHANGE_CHANGE_WRITING_H
#define PLANNER_CHANGE_CHANGE_WRITING_H

#include "planner/change/change_steps.h"

struct change_writing {
    struct change_calendar *c;
    const struct change_group *g;
    const struct change_option *o;
    const char *region;
    size_t first_new; /* number of its first new volume */
    int64_t t_ms;     /* of the next step */
    int64_t paid_ms;  /* until then today's configuration is paid for */
    int64_t done_ms;  /* the last of its modifications is complete */
    struct err *e;
};

/* Appends; a step whose action or command is NULL is memory that was out, so that callers need not
 * look.  ERR_NOMEM, like all below. */
int change_put(struct change_writing *w, struct change_step s);
/* A step at w->t_ms that nobody knows the time of. */
struct change_step change_step_at(const struct change_writing *w, enum change_by by,
                                  const char *action, const char *command);
struct change_step change_undoable(struct change_step s, const char *back);
/* The step in which data moves, for as long as so many GiB take; what follows begins after it. */
int change_put_move(struct change_writing *w, struct change_step s, double gib_of_time);

int change_rebalance(struct change_writing *w);
/* A disk group of the new volumes alone. */
int change_create_diskgroup(struct change_writing *w, const char *new_name);
int change_drop_diskgroup(struct change_writing *w);
int change_add_logs(struct change_writing *w, const char *new_name);
int change_switch_logs(struct change_writing *w);
int change_image_copies(struct change_writing *w, const char *new_name);
int change_switch_to_copy(struct change_writing *w);

#endif
