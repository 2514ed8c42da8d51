/* tests/planner/report/told.h - an emitter that keeps the values that report code tells, in order.
 */
#ifndef TESTS_PLANNER_REPORT_TOLD_H
#define TESTS_PLANNER_REPORT_TOLD_H

#include "models/core/emit.h"

#include <stdio.h>
#include <string.h>

enum { TOLD_MAX = 4096 };

struct told {
    char key[32], text[240];
    struct emit_value value;
};

static struct told told[TOLD_MAX];
static size_t n_told;

static inline void told_value(struct emit *m, const char *key, const struct emit_value *v)
{
    (void)m;
    if (n_told == TOLD_MAX)
        BUG("a test is told too much");
    struct told *t = &told[n_told++];
    t->value = *v;
    snprintf(t->key, sizeof t->key, "%s", key ? key : "");
    snprintf(t->text, sizeof t->text, "%s", v->kind == EMIT_TEXT ? v->text : "");
}

/* An object or a list is told as its key, with the value null. */
static inline void told_begin(struct emit *m, const char *key, enum emit_kind kind,
                              const struct emit_col *cols, size_t n)
{
    (void)kind, (void)cols, (void)n;
    told_value(m, key, &(struct emit_value){ .kind = EMIT_NULL });
}

static inline void told_end(struct emit *m)
{
    (void)m;
}

static inline struct emit told_emitter(void)
{
    static const struct emit_ops ops = { .begin = told_begin,
                                         .end = told_end,
                                         .value = told_value };
    n_told = 0;
    return (struct emit){ .ops = &ops };
}

/* The next value of a key from *at on, and *at behind it; NULL. */
static inline const struct told *told_next(const char *key, size_t *at)
{
    while (*at < n_told) {
        const struct told *t = &told[(*at)++];
        if (strcmp(t->key, key) == 0)
            return t;
    }
    return NULL;
}

#endif
