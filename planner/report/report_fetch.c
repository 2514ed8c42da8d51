/* planner/report/report_fetch.c - see report_fetch.h. */
#include "planner/report/report_fetch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int fetch_differences_add(struct fetch_differences *l, struct fetch_difference d, struct arena *a,
                          struct err *e)
{
    if (l->n == l->room) {
        size_t room = l->room ? 2 * l->room : 32;
        struct fetch_difference *grown = arena_grow(a, l->item, l->n, room, sizeof *grown);
        if (!grown)
            return err_nomem(e);
        l->item = grown;
        l->room = room;
    }
    l->item[l->n++] = d;
    return 0;
}

/* "12 volumes, 3 modifications and 2 instances" */
static void list_parts(char *buf, size_t size, const struct fetch_summary *s)
{
    size_t at = 0;
    buf[0] = '\0';
    for (size_t i = 0; i < s->n_parts && at < size; i++) {
        char number[48];
        const char *between = !i ? "" : i + 1 == s->n_parts ? " and " : ", ";
        int len = (int)strlen(s->parts[i].what) - (s->parts[i].rows == 1);
        at += (size_t)snprintf(buf + at, size - at, "%s%s %.*s", between,
                               unit_format(number, (double)s->parts[i].rows, 0), len,
                               s->parts[i].what);
    }
}

static void say_answer(struct emit *m, const struct fetch_summary *s)
{
    char parts[300], requests[48];
    if (!s->requests && s->already) {
        emit_say(m, "%s: nothing was left to ask of %s. %s", s->system ? s->system : s->into,
                 s->region, s->already);
        return;
    }
    list_parts(parts, sizeof parts, s);
    emit_say(m, "%s of %s loaded into %s%s%s, with %s %s.", parts, s->region, s->into,
             s->system ? " for " : "", s->system ? s->system : "",
             unit_format(requests, (double)s->requests, 0),
             s->requests == 1 ? "request" : "requests");
    if (s->already)
        emit_say(m, "%s", s->already);
}

static void emit_differences(struct emit *m, const struct fetch_summary *s)
{
    static const struct emit_col cols[] = {
        { "name", "differs from what is known", true },
        { "what", "figure", true },
        { "from", "known", false },
        { "to", "AWS says", false },
    };
    if (s->n_differences)
        emit_say(m, "%s", "");
    emit_table(m, "differences", cols, sizeof cols / sizeof *cols);
    for (size_t i = 0; i < s->n_differences; i++) {
        const struct fetch_difference *d = &s->differences[i];
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_text(m, "name", d->name);
        emit_text(m, "what", d->what);
        emit_num_digits(m, "from", d->unit, d->from, d->decimals);
        emit_num_digits(m, "to", d->unit, d->to, d->decimals);
        emit_end(m);
    }
    emit_end(m);
}

void report_fetch(struct emit *m, const struct fetch_summary *s)
{
    int64_t rows = 0;
    for (size_t i = 0; i < s->n_parts; i++)
        rows += s->parts[i].rows;
    say_answer(m, s);
    emit_text(m, "action", s->action);
    emit_text(m, "system", s->system);
    emit_text(m, "region", s->region);
    emit_int(m, "requests", UNIT_COUNT, s->requests);
    emit_int(m, "rows", UNIT_COUNT, rows);
    emit_int(m, "bytes", UNIT_BYTES, s->bytes);
    emit_num(m, "seconds", UNIT_S, s->elapsed_ms == UNKNOWN ? NAN : (double)s->elapsed_ms / 1000);
    emit_bool(m, "resumed", s->resumed);
    emit_differences(m, s);
    if (s->next) {
        emit_say(m, "%s", "");
        emit_label(m, "next", "%s", s->next);
    }
}
