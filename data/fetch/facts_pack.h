/* data/fetch/facts_pack.h - a file of a facts folder, as --facts reads it. */
#ifndef DATA_FETCH_FACTS_PACK_H
#define DATA_FETCH_FACTS_PACK_H

#include "models/facts/catalogue.h"

/* Writes the rows of FACTS_PRICES or FACTS_INSTANCES into dir, which is made: whole or not at all.
 */
int facts_pack_write(const char *dir, enum facts_file file, const void *rows, size_t n,
                     struct arena *a, struct err *e);

#endif
