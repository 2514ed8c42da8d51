/* planner/report/report_change.c - see report_change.h. */
#include "planner/report/report_change.h"

#include "models/core/timestamp.h"
#include "models/ebs/vol_modify.h"
#include "planner/change/change_command.h"
#include "planner/report/emit_option.h"
#include "planner/report/replay_words.h"
#include "planner/report/report_change_answer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { HOUR_S = 3600, SAYINGS_MAX = 32 };

static void emit_known(struct emit *m, const char *key, enum unit unit, double v)
{
    emit_num(m, key, unit, isfinite(v) ? v : NAN);
}

static char *hours_words(char buf[48], double hours)
{
    if (isinf(hours))
        snprintf(buf, 48, "never ends");
    else if (isnan(hours))
        snprintf(buf, 48, "-");
    else
        seconds_words(buf, hours * HOUR_S);
    return buf;
}

/* "2022-06-01 03:00" */
static char *minute_words(char buf[32], int64_t t_ms)
{
    time_format_iso(buf, t_ms);
    if (t_ms != UNKNOWN) {
        buf[10] = ' ';
        buf[16] = '\0';
    }
    return buf;
}

/* --- steps ------------------------------------------------------------------------------------ */

static void emit_step(struct emit *m, const struct change_step *s, size_t number, bool shown)
{
    char at[32], takes[48];
    emit_begin(m, NULL, EMIT_OBJECT);
    emit_int(m, "n", UNIT_COUNT, (int64_t)number);
    if (shown) {
        emit_cell(m, "at", "%s", minute_words(at, s->at_ms));
        emit_cell(m, "seconds", "%s", hours_words(takes, s->seconds / HOUR_S));
        emit_cell(m, "reversible", "%s", s->reversible ? "yes" : "no");
    }
    emit_time(m, "at", s->at_ms);
    emit_text(m, "group", s->group);
    emit_text(m, "by", change_by_name(s->by));
    emit_text(m, "action", s->action);
    emit_text(m, "command", s->command);
    emit_text(m, "volume", s->volume);
    emit_known(m, "seconds", UNIT_S, s->seconds);
    emit_known(m, "alone_seconds", UNIT_S, s->alone_s);
    emit_bool(m, "never_ends", isinf(s->seconds) || isinf(s->alone_s));
    emit_num(m, "moved_gib", UNIT_GIB, s->moved_gib);
    emit_text(m, "risk", s->risk);
    emit_text(m, "meanwhile", s->meanwhile);
    emit_bool(m, "reversible", s->reversible);
    emit_text(m, "back", s->back);
    emit_time(m, "back_from", s->back_from_ms);
    emit_int(m, "modification_slots_left", UNIT_COUNT, s->slots_left);
    emit_end(m);
}

static void emit_steps(struct emit *m, const struct change_way *w, bool shown)
{
    static const struct emit_col cols[] = {
        { "n", "step", false },         { "at", "not before (UTC)", true },
        { "group", "group", true },     { "by", "by", true },
        { "action", "what", true },     { "seconds", "takes", false },
        { "moved_gib", "GiB", false },  { "modification_slots_left", "slots", false },
        { "reversible", "undo", true },
    };
    if (shown) {
        emit_say(m, "%s", "");
        emit_say(m, "Steps of %s:", change_kind_name(w->kind));
        emit_table(m, "steps", cols, sizeof cols / sizeof *cols);
    } else
        emit_begin(m, "steps", EMIT_LIST);
    for (size_t i = 0; i < w->n_steps; i++)
        emit_step(m, &w->steps[i], i + 1, shown);
    emit_end(m);
}

/* --- ways ------------------------------------------------------------------------------------- */

static void emit_parts(struct emit *m, const struct change *c, const struct change_way *w)
{
    emit_begin(m, "groups", EMIT_LIST);
    for (size_t g = 0; g < c->demand->n_groups; g++) {
        const struct change_part *p = &w->parts[g];
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_text(m, "name", p->of->group->name);
        emit_bool(m, "changes", p->changes);
        emit_text(m, "way", p->changes ? change_kind_name(p->kind) : NULL);
        if (p->changes)
            emit_spec_values(m, &p->to);
        emit_usd(m, "total_usd", p->total_microusd);
        emit_num(m, "moved_gib", UNIT_GIB, p->moved_gib);
        emit_end(m);
    }
    emit_end(m);
}

static void emit_quotas(struct emit *m, const struct change_way *w)
{
    emit_begin(m, "over_quota", EMIT_LIST);
    for (size_t i = 0; i < w->n_over; i++) {
        const struct change_quota *q = &w->over[i];
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_text(m, "volume_type", volume_type_name(q->type));
        emit_text(m, "unit", unit_suffix(q->unit));
        emit_num(m, "needed", q->unit, q->needed);
        emit_int(m, "allowed", q->unit, q->allowed);
        emit_end(m);
    }
    emit_end(m);
}

static int emit_way(struct emit *m, const struct change_told *t, const struct change_way *w,
                    struct arena *a, struct err *e)
{
    char takes[48];
    const char *title = change_way_words(a, t->change, w);
    if (!title)
        return err_nomem(e);
    emit_begin(m, NULL, EMIT_OBJECT);
    emit_text(m, "name", change_kind_name(w->kind));
    emit_text(m, "title", title);
    emit_usd(m, "total_usd", w->total_microusd);
    emit_num(m, "moved_gib", UNIT_GIB, w->moved_gib);
    emit_bool(m, "online", w->online);
    emit_time(m, "begin", w->begin_ms);
    emit_cell(m, "takes", "%s", hours_words(takes, w->hours));
    char usd[48];
    emit_cell(m, "overlap", "%s", unit_format_usd(usd, w->overlap_microusd));
    emit_parts(m, t->change, w);
    emit_steps(m, w, w == t->shown);
    emit_begin(m, "totals", EMIT_OBJECT);
    emit_known(m, "hours", UNIT_NONE, w->hours);
    emit_usd(m, "overlap_usd", w->overlap_microusd);
    emit_usd(m, "both_sets_usd", w->both_microusd);
    emit_end(m);
    emit_quotas(m, w);
    emit_end(m);
    return 0;
}

static int emit_ways(struct emit *m, const struct change_told *t, struct arena *a, struct err *e)
{
    static const struct emit_col cols[] = {
        { "name", "way", true },
        { "title", "what it is", true },
        { "total_usd", "USD/month", false },
        { "moved_gib", "GiB", false },
        { "takes", "takes", false },
        { "overlap", "overlap USD", false },
        { "online", "online", true },
    };
    emit_table(m, "ways", cols, sizeof cols / sizeof *cols);
    int rc = 0;
    for (size_t i = 0; i < t->change->n_ways && !rc; i++)
        rc = emit_way(m, t, &t->change->ways[i], a, e);
    emit_end(m);
    return rc;
}

static void emit_refused(struct emit *m, const struct change *c)
{
    emit_begin(m, "refused", EMIT_LIST);
    for (size_t i = 0; i < c->n_refused; i++) {
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_text(m, "group", c->refused[i].group);
        emit_text(m, "way", change_kind_name(c->refused[i].kind));
        emit_text(m, "why", c->refused[i].why);
        emit_end(m);
    }
    emit_end(m);
}

static void emit_rman(struct emit *m, const struct change *c)
{
    emit_begin(m, "rman", EMIT_LIST);
    for (size_t i = 0; i < c->n_rman; i++) {
        const struct change_rman *r = &c->rman[i];
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_text(m, "group", r->group);
        emit_num(m, "data_gib", UNIT_GIB, r->gib);
        emit_time(m, "backup_begin", r->backup_begin_ms);
        emit_known(m, "backup_seconds", UNIT_S, r->backup_s);
        emit_known(m, "backup_alone_seconds", UNIT_S, r->backup_alone_s);
        emit_known(m, "restore_seconds", UNIT_S, r->restore_s);
        emit_known(m, "duplicate_seconds", UNIT_S, r->duplicate_s);
        emit_end(m);
    }
    emit_end(m);
}

/* --- words ------------------------------------------------------------------------------------ */

/* How much data moves, and how long that takes of it all. */
static void say_moving(struct emit *m, const struct change_way *w)
{
    double seconds = 0, alone_s = 0;
    char gib[48], takes[48], alone[48];
    if (!(w->moved_gib > 0))
        return;
    unit_format(gib, w->moved_gib, 0);
    for (size_t i = 0; i < w->n_steps; i++)
        if (w->steps[i].moved_gib > 0) {
            seconds += w->steps[i].seconds;
            alone_s += w->steps[i].alone_s;
        }
    seconds_words(alone, alone_s);
    if (isnan(seconds))
        emit_label(m, "moves", "%s GiB, in at least %s: the load was not measured", gib, alone);
    else if (isinf(seconds))
        emit_label(m, "moves",
                   "%s GiB, in %s when nothing else runs, never under the measured load", gib,
                   alone);
    else
        emit_label(m, "moves", "%s GiB, in %s when nothing else runs, %s under the measured load",
                   gib, alone, seconds_words(takes, seconds));
}

/* What is said of several steps is said once: "back 1-2, 5". */
static const char *risk_of(const struct change_step *s)
{
    return s->risk;
}

static const char *meanwhile_of(const struct change_step *s)
{
    return s->meanwhile;
}

static const char *back_of(const struct change_step *s)
{
    return s->back ? s->back : "none";
}

/* The numbers of the steps that have these words, as "1-2, 5". */
static void step_numbers(char buf[64], const struct change_way *w,
                         const char *(*words_of)(const struct change_step *), const char *words)
{
    size_t at = 0;
    buf[0] = '\0';
    for (size_t i = 0; i < w->n_steps && at < 40; i++) {
        const char *own = words_of(&w->steps[i]);
        if (!own || strcmp(own, words) != 0)
            continue;
        size_t first = i;
        while (i + 1 < w->n_steps && (own = words_of(&w->steps[i + 1])) && strcmp(own, words) == 0)
            i++;
        int n = first == i
                    ? snprintf(buf + at, 64 - at, "%s%zu", at ? ", " : "", first + 1)
                    : snprintf(buf + at, 64 - at, "%s%zu-%zu", at ? ", " : "", first + 1, i + 1);
        at += n > 0 ? (size_t)n : 0;
    }
}

/* The first SAYINGS_MAX different words. */
static void say_of_steps(struct emit *m, const struct change_way *w, const char *what,
                         const char *(*words_of)(const struct change_step *))
{
    const char *said[SAYINGS_MAX];
    size_t n = 0;
    for (size_t i = 0; i < w->n_steps && n < SAYINGS_MAX; i++) {
        const char *words = words_of(&w->steps[i]);
        char numbers[64], label[80];
        size_t k = 0;
        while (words && k < n && strcmp(said[k], words) != 0)
            k++;
        if (!words || k < n)
            continue;
        said[n++] = words;
        step_numbers(numbers, w, words_of, words);
        snprintf(label, sizeof label, "%s %s", what, numbers);
        emit_label(m, label, "%s", words);
    }
}

/* When a volume may be modified back, for that is not at once. */
static void say_slots(struct emit *m, const struct change_way *w)
{
    int64_t last_ms = UNKNOWN;
    char at[32];
    for (size_t i = 0; i < w->n_steps; i++)
        if (w->steps[i].slots_left != UNKNOWN && w->steps[i].back_from_ms > last_ms)
            last_ms = w->steps[i].back_from_ms;
    emit_label(m, "rule", "modifications of a volume on that day: %s%s%s%s",
               vol_modify_rule_at(w->begin_ms)->words,
               last_ms == UNKNOWN
                   ? ""
                   : " (slots: how many it has left); all can be modified back from ",
               last_ms == UNKNOWN ? "" : minute_words(at, last_ms),
               last_ms == UNKNOWN ? "" : " UTC");
}

static void say_not_these(struct emit *m, const struct change *c)
{
    for (size_t i = 0; i < c->n_refused; i++)
        if (c->stuck || (c->n_changed == 1 && c->refused[i].kind == CHANGE_MODIFY))
            emit_label(m, "not", "%s, %s: %s", c->refused[i].group,
                       change_kind_words(c->refused[i].kind), c->refused[i].why);
}

static void say_quotas(struct emit *m, const struct change_way *w)
{
    char needed[48], allowed[48];
    for (size_t i = 0; i < w->n_over; i++)
        emit_label(
            m, "quota",
            "up to %s %s of %s while both sets are there; AWS allows %s in a Region before it "
            "is asked",
            unit_format(needed, w->over[i].needed, 0), unit_suffix(w->over[i].unit),
            volume_type_name(w->over[i].type), unit_format(allowed, (double)w->over[i].allowed, 0));
}

/* What was measured at a ceiling may want more than the plan gives it. */
static void say_lower_bounds(struct emit *m, const struct change *c, const struct change_way *w)
{
    for (size_t g = 0; g < c->demand->n_groups; g++)
        if (w->parts[g].changes && w->parts[g].of->censored_by)
            emit_label(
                m, "at least",
                "%s was measured at a ceiling: on the new volumes measure a peak before what "
                "cannot be undone, and step up where it stays at theirs",
                w->parts[g].of->group->name);
}

static void say_rman(struct emit *m, const struct change *c)
{
    char backup[48], alone[48], restore[48], duplicate[48], gib[48], at[32];
    for (size_t i = 0; i < c->n_rman; i++) {
        const struct change_rman *r = &c->rman[i];
        emit_label(
            m, "RMAN",
            "%s, %s GiB, at least: backup %s from %s UTC (%s when nothing else runs), restore "
            "%s, duplicate %s",
            r->group, unit_format(gib, r->gib, 0), hours_words(backup, r->backup_s / HOUR_S),
            minute_words(at, r->backup_begin_ms), hours_words(alone, r->backup_alone_s / HOUR_S),
            hours_words(restore, r->restore_s / HOUR_S),
            hours_words(duplicate, r->duplicate_s / HOUR_S));
    }
}

static int say_sure(struct emit *m, const struct change_told *t, struct arena *a, struct err *e)
{
    const struct change *c = t->change;
    const struct change_way *w = t->shown;
    char usd[48], both[48], day[32];
    for (size_t g = 0; g < c->demand->n_groups; g++) {
        if (!w->parts[g].changes)
            continue;
        const char *reason = change_reason(a, w->parts[g].of);
        if (!reason)
            return err_nomem(e);
        emit_label(m, "why", "%s", reason);
    }
    say_moving(m, w);
    if (w->both_microusd != 0 && w->both_microusd != UNKNOWN)
        emit_label(m, "overlap",
                   "%s USD above the price in the end while both sets are there, %s "
                   "in all",
                   unit_format_usd(usd, w->overlap_microusd),
                   unit_format_usd(both, w->both_microusd));
    say_slots(m, w);
    emit_label(
        m, "sure",
        "times of moving are the least that volumes and instance allow, with the busiest day "
        "at each minute; prices of %s on %s",
        c->options_used.region, time_format_date(day, c->options_used.as_of_ms));
    return 0;
}

static void say_next(struct emit *m, const struct change_told *t)
{
    emit_label(m, "next", "volplan change --way %s --script aws%s%s    and --script asm, terraform",
               change_kind_name(t->shown->kind), t->plan_path ? " --plan " : "",
               t->plan_path ? t->plan_path : "");
}

int report_change(struct emit *m, const struct change_told *t, struct arena *a, struct err *e)
{
    const struct change *c = t->change;
    int rc = say_change_answer(m, t, a, e);
    if (rc)
        return rc;
    emit_say(m, "%s", "");
    emit_text(m, "system", c->demand->load->system);
    emit_date(m, "as_of", c->options_used.as_of_ms);
    emit_text(m, "region", c->options_used.region);
    emit_text(m, "instance_type", c->options_used.instance ? c->options_used.instance->name : NULL);
    emit_text(m, "status", c->stuck ? "none" : c->n_ways ? "ways" : "nothing to change");
    emit_usd(m, "today_usd", c->today_microusd);
    rc = emit_ways(m, t, a, e);
    if (rc)
        return rc;
    emit_refused(m, c);
    emit_rman(m, c);
    emit_text(m, "script_kind", t->script_name);
    emit_text(m, "script", t->script);
    say_not_these(m, c);
    if (!t->shown)
        return 0;
    emit_say(m, "%s", "");
    say_of_steps(m, t->shown, "back", back_of);
    say_of_steps(m, t->shown, "risk", risk_of);
    say_of_steps(m, t->shown, "while", meanwhile_of);
    say_lower_bounds(m, c, t->shown);
    say_quotas(m, t->shown);
    say_rman(m, c);
    rc = say_sure(m, t, a, e);
    say_next(m, t);
    return rc;
}
