/* cli/nearest.c - see nearest.h.
 *
 * Optimal string alignment distance: insert, delete, replace, swap of neighbours. */
#include "cli/nearest.h"

#include <stdio.h>
#include <string.h>

enum { WORD_MAX = 40 };

static size_t least(size_t a, size_t b, size_t c)
{
    size_t m = a < b ? a : b;
    return m < c ? m : c;
}

static size_t distance_of(const char *a, size_t n, const char *b, size_t m)
{
    size_t rows[3][WORD_MAX + 1];
    size_t *before = rows[0], *above = rows[1], *row = rows[2];
    for (size_t j = 0; j <= m; j++)
        above[j] = j;
    for (size_t i = 1; i <= n; i++) {
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            row[j] = least(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                before[j - 2] + 1 < row[j])
                row[j] = before[j - 2] + 1;
        }
        size_t *free_row = before;
        before = above;
        above = row;
        row = free_row;
    }
    return above[m];
}

static size_t common_prefix(const char *a, const char *b)
{
    size_t n = 0;
    while (a[n] && a[n] == b[n])
        n++;
    return n;
}

void nearest_try(struct nearest *n, const char *name)
{
    size_t len = strlen(n->word), name_len = strlen(name);
    if (len > WORD_MAX || name_len > WORD_MAX)
        return;
    size_t far = len / 3 ? len / 3 : 1;
    size_t d = distance_of(n->word, len, name, name_len);
    if (d > far || d >= name_len)
        return;
    if (!n->best || d < n->distance ||
        (d == n->distance && common_prefix(n->word, name) > common_prefix(n->word, n->best))) {
        n->best = name;
        n->distance = d;
    }
}

char *nearest_hint(char buf[96], const struct nearest *n, const char *prefix)
{
    if (n->best)
        snprintf(buf, 96, "; did you mean '%s%s'?", prefix, n->best);
    else
        buf[0] = '\0';
    return buf;
}
