/* data/facts.h - a directory of figures that replaces the built-in ones (--facts DIR). */
#ifndef DATA_FACTS_H
#define DATA_FACTS_H

#include "models/facts/catalogue.h"

/* Reads the files of facts_file_names that are in dir; the others keep the built-in rows.
 * ERR_FILE when dir cannot be read or has none of them; else as facts_parse. */
int facts_open(const char *dir, struct arena *a, struct catalogue *out, struct err *e);

#endif
