/* models/core/emit_words.h - an emitter that keeps sentences: the paragraphs that report code says,
 * without values, labels and tables. */
#ifndef MODELS_CORE_EMIT_WORDS_H
#define MODELS_CORE_EMIT_WORDS_H

#include "models/core/arena.h"
#include "models/core/emit.h"

enum { EMIT_WORDS_MAX = 16 }; /* paragraphs; more are left out */

/* Hand &w.emit to a say_ function; emit_close is not needed.  emit.failed is ERR_NOMEM when memory
 * ran out. */
struct emit_words {
    struct emit emit;
    struct arena *arena; /* the paragraphs live here */
    const char *said[EMIT_WORDS_MAX];
    size_t n;
};
void emit_words_init(struct emit_words *w, struct arena *a);
/* The paragraphs as a list; m fails as w did. */
void emit_words_list(struct emit *m, const char *key, const struct emit_words *w);

#endif
