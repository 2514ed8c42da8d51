/* models/core/emit_words.c - see emit_words.h. */
#include "models/core/emit_words.h"

static void no_begin(struct emit *m, const char *key, enum emit_kind kind,
                     const struct emit_col *cols, size_t n_cols)
{
    (void)m, (void)key, (void)kind, (void)cols, (void)n_cols;
}

static void no_end(struct emit *m)
{
    (void)m;
}

static void no_value(struct emit *m, const char *key, const struct emit_value *v)
{
    (void)m, (void)key, (void)v;
}

static void keep_words(struct emit *m, const char *label, const char *text, bool is_cell)
{
    struct emit_words *w = (struct emit_words *)m;
    if (label || is_cell || !*text || w->n == EMIT_WORDS_MAX)
        return;
    const char *kept = arena_strdup(w->arena, text);
    if (!kept)
        m->failed = ERR_NOMEM;
    else
        w->said[w->n++] = kept;
}

static int no_close(struct emit *m, struct err *e)
{
    return m->failed ? err_nomem(e) : 0;
}

void emit_words_init(struct emit_words *w, struct arena *a)
{
    static const struct emit_ops ops = {
        .begin = no_begin, .end = no_end, .value = no_value, .words = keep_words, .close = no_close
    };
    *w = (struct emit_words){ .emit = { .ops = &ops, .people = true }, .arena = a };
}

void emit_words_list(struct emit *m, const char *key, const struct emit_words *w)
{
    emit_begin(m, key, EMIT_LIST);
    for (size_t i = 0; i < w->n; i++)
        emit_text(m, NULL, w->said[i]);
    emit_end(m);
    if (w->emit.failed && !m->failed)
        m->failed = w->emit.failed;
}
