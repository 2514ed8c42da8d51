/* cli/nearest.h - what a mistyped word may have meant. */
#ifndef CLI_NEAREST_H
#define CLI_NEAREST_H

#include <stddef.h>

/* = { .word = "..." }; best is NULL while nothing is near. */
struct nearest {
    const char *word;
    const char *best;
    size_t distance;
};

/* Takes name when it is nearer than what there was: fewer letters to change, add, drop or
 * swap, and at most a third of the word; of equal ones the longer common beginning. */
void nearest_try(struct nearest *n, const char *name);

/* "; did you mean 'X'?" or "".  Returns buf. */
char *nearest_hint(char buf[96], const struct nearest *n, const char *prefix);

#endif
