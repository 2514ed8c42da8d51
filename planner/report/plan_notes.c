/* planner/report/plan_notes.c - see plan_notes.h. */
#include "planner/report/plan_notes.h"

#include "models/ebs/vol_service.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NOTE_WORDS = 400 };

static int64_t queue_depth(const struct plan_group *g)
{
    const struct volume_spec *v = &g->chosen.spec;
    if (v->count < 1)
        return UNKNOWN;
    return vol_queue_depth(v->type, g->chosen.group_max_iops / (double)v->count);
}

void emit_group_notes(struct emit *m, const struct plan_group *g)
{
    const struct volume_spec *v = &g->chosen.spec;
    emit_int(m, "queue_depth", UNIT_COUNT, queue_depth(g));
    emit_num(m, "short_each_day_s", UNIT_S, v->count ? 60 * vol_short_minutes_a_day(v->type) : NAN);
}

/* False when no group has such a rule. */
static bool queue_words(char buf[NOTE_WORDS], const struct plan *p)
{
    size_t at = 0;
    buf[0] = '\0';
    for (size_t i = 0; i < p->n_groups && at < NOTE_WORDS - 120; i++) {
        int64_t depth = queue_depth(&p->groups[i]);
        if (depth == UNKNOWN)
            continue;
        int put = snprintf(buf + at, NOTE_WORDS - at, "%s%.60s %lld", at ? ", " : "",
                           p->groups[i].group->name, (long long)depth);
        at += put > 0 ? (size_t)put : 0;
    }
    if (at)
        snprintf(
            buf + at, NOTE_WORDS - at,
            ": requests in flight on each volume, on average, that its IOPS take (1 for 1 000)");
    return at > 0;
}

/* Volumes of the plan whose type is promised that part of the time. */
static int64_t volumes_with(const struct plan *p, double minutes)
{
    int64_t n = 0;
    for (size_t i = 0; i < p->n_groups; i++) {
        const struct volume_spec *v = &p->groups[i].chosen.spec;
        double own = v->count ? vol_short_minutes_a_day(v->type) : NAN;
        n += fabs(own - minutes) < 1e-6 ? v->count : 0;
    }
    return n;
}

/* The more volumes, the more often one of them is slow. */
static bool delivery_words(char buf[NOTE_WORDS], const struct plan *p)
{
    double of_gp = vol_short_minutes_a_day(VOL_GP3), of_io = vol_short_minutes_a_day(VOL_IO2);
    int64_t n_gp = volumes_with(p, of_gp), n_io = volumes_with(p, of_io);
    char gp[160] = "", io[160] = "";
    if (n_gp)
        snprintf(gp, sizeof gp, "1 %% of a day is %.1f minutes, times %lld volumes is %.1f", of_gp,
                 (long long)n_gp, of_gp * (double)n_gp);
    if (n_io)
        snprintf(io, sizeof io, "%s0.1 %% (io1, io2) is %.2f, times %lld is %.1f", n_gp ? "; " : "",
                 of_io, (long long)n_io, of_io * (double)n_io);
    snprintf(buf, NOTE_WORDS,
             "%s%s: volume-minutes of a day in which AWS does not promise 90 %% of what is sold",
             gp, io);
    return n_gp || n_io;
}

static const struct note {
    const char *id, *label;
    bool (*words)(char buf[NOTE_WORDS], const struct plan *p);
} notes[] = {
    { "queue_depth", "in flight", queue_words },
    { "delivery", "delivery", delivery_words },
};

void emit_plan_notes(struct emit *m, const struct plan *p)
{
    char text[NOTE_WORDS];
    emit_begin(m, "notes", EMIT_LIST);
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
        if (!notes[i].words(text, p))
            continue;
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_text(m, "id", notes[i].id);
        emit_text(m, "text", text);
        emit_end(m);
    }
    emit_end(m);
}

void say_plan_notes(struct emit *m, const struct plan *p)
{
    char text[NOTE_WORDS];
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
        if (notes[i].words(text, p))
            emit_label(m, notes[i].label, "%s", text);
}
