/* data/store/store_copy.h - everything of one store into another, whatever their backends. */
#ifndef DATA_STORE_STORE_COPY_H
#define DATA_STORE_STORE_COPY_H

#include "data/store/store.h"

struct store_copied {
    int64_t systems, layouts, files, known; /* known: files that were there already */
};

/* Files in their order, a transaction each: what is there already is left alone, so that a copy
 * that was broken off goes on when it is asked for again.  Layouts of `from` replace those of `to`.
 * A store that held nothing answers as `from` does afterwards.  Blocks are copied one by one. */
int store_copy(struct store *from, struct store *to, struct store_copied *out, struct err *e);

#endif
