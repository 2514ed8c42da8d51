/* planner/report/report_change_answer.c - see report_change_answer.h. */
#include "planner/report/report_change_answer.h"

#include "planner/report/replay_words.h"

#include <math.h>
#include <stdio.h>

enum { HOUR_S = 3600 };

/* What a way does, around the names of the groups it is done to. */
static const struct {
    const char *before, *after;
} deeds[CHANGE_KIND_COUNT] = {
    [CHANGE_MODIFY] = { "modify the volumes of ", " in place" },
    [CHANGE_NEW_LOGS] = { "put the logs of ", " on new volumes" },
    [CHANGE_ASM_REPLACE] = { "move ", " to new volumes by ASM" },
    [CHANGE_ASM_KEEP] = { "change number and settings of the volumes of ", "" },
    [CHANGE_RMAN_COPY] = { "copy ", " to new volumes by RMAN" },
    [CHANGE_SNAPSHOT] = { "make new volumes of ", " from snapshots" },
    [CHANGE_COPY] = { "copy the files of ", " to new volumes" },
};

static bool is_done_by(const struct change_part *p, enum change_kind k)
{
    return p->changes && p->kind == k;
}

static size_t count_done_by(const struct change *c, const struct change_way *w, enum change_kind k)
{
    size_t n = 0;
    for (size_t g = 0; g < c->demand->n_groups; g++)
        n += is_done_by(&w->parts[g], k);
    return n;
}

static const char *joint(size_t i, size_t n)
{
    return !i ? "" : i + 1 == n ? " and " : ", ";
}

/* "DATA, FRA and ROOT"; NULL when memory is out. */
static char *groups_words(struct arena *a, const struct change *c, const struct change_way *w,
                          enum change_kind k, size_t n)
{
    char *words = arena_strdup(a, "");
    for (size_t g = 0, i = 0; g < c->demand->n_groups && words; g++)
        if (is_done_by(&w->parts[g], k))
            words = arena_printf(a, "%s%s%s", words, joint(i++, n), w->parts[g].of->group->name);
    return words;
}

/* "modify the volumes of REDO1 and REDO2 in place and move DATA to new volumes by ASM"; NULL when
 * memory is out. */
static char *deeds_words(struct arena *a, const struct change *c, const struct change_way *w)
{
    size_t of[CHANGE_KIND_COUNT], n = 0, i = 0;
    for (int k = 0; k < CHANGE_KIND_COUNT; k++) {
        of[k] = count_done_by(c, w, (enum change_kind)k);
        n += of[k] > 0;
    }
    char *words = arena_strdup(a, n ? "" : change_kind_words(w->kind));
    for (int k = 0; k < CHANGE_KIND_COUNT && words; k++) {
        if (!of[k])
            continue;
        const char *groups = groups_words(a, c, w, (enum change_kind)k, of[k]);
        words = groups ? arena_printf(a, "%s%s%s%s%s", words, joint(i++, n), deeds[k].before,
                                      groups, deeds[k].after)
                       : NULL;
    }
    return words;
}

/* A move that falls behind the load ends only when there is none. */
static char *time_words(char buf[80], double hours)
{
    char time[48];
    if (isinf(hours))
        snprintf(buf, 80, "only when its load pauses,");
    else if (isnan(hours))
        snprintf(buf, 80, "in a time not known, as the load was not measured all day,");
    else
        snprintf(buf, 80, "in %s", seconds_words(time, hours * HOUR_S));
    return buf;
}

int say_change_answer(struct emit *m, const struct change_told *t, struct arena *a, struct err *e)
{
    const struct change *c = t->change;
    const char *system = c->demand->load->system;
    char usd[48], today[48], time[80];
    if (c->stuck) {
        emit_say(m, "%s: there is no way from today's volumes of %s to the plan.", system,
                 c->stuck);
        return 0;
    }
    if (!t->shown) {
        emit_say(m, "%s has the volumes of the plan already: nothing is to be changed.", system);
        return 0;
    }
    const char *words = deeds_words(a, c, t->shown);
    if (!words)
        return err_nomem(e);
    emit_say(m,
             "%s gets to the plan %s %s: %s; the volumes then cost %s USD a month instead of %s.",
             system, time_words(time, t->shown->hours),
             t->shown->online ? "without stopping the database" : "by stopping the database", words,
             unit_format_usd(usd, t->shown->total_microusd),
             unit_format_usd(today, c->today_microusd));
    return 0;
}
