/* data/store/store_upkeep.h - looking after a store: how large it is, whether it is sound, and
 * leaving out what is old.
 *
 * These statements go over all systems; they are no part of loading or planning. */
#ifndef DATA_STORE_STORE_UPKEEP_H
#define DATA_STORE_STORE_UPKEEP_H

#include "data/store/store.h"

struct store_table {
    const char *name;
    int64_t rows, bytes; /* bytes with its indexes; UNKNOWN where the database does not tell */
};

/* Every table, in an order in which what refers to another comes first; in the arena. */
int store_tables(struct store *s, struct arena *a, struct store_table **out, size_t *out_n,
                 struct err *e);

/* One transaction for changes of what is stored; store_change_end with keep false, or a process
 * that dies, leaves everything as it was. */
int store_change_begin(struct store *s, struct err *e);
int store_change_end(struct store *s, bool keep, struct err *e);

/* Removes what ends by before_ms: whole files, of other files the blocks, hours, snapshots and bill
 * lines that do, and series and metrics of which nothing is left.  Says what of each table went,
 * bytes by its share of the rows.  Inside of store_change_begin. */
int store_prune(struct store *s, int64_t before_ms, struct arena *a, struct store_table **out,
                size_t *out_n, struct err *e);

enum { STORE_PROBLEMS_MAX = 100 };

/* What is wrong, in words, the first STORE_PROBLEMS_MAX; in the arena.  0 also when there are
 * problems. */
int store_check(struct store *s, struct arena *a, const char *const **out, size_t *out_n,
                struct err *e);

/* The number of its schema, and the one it had when it was opened. */
int store_schema(const struct store *s, int *out_opened_with);

#endif
