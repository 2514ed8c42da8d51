/* tests/vectors/vector_rows.h - a CSV file for a test: rows and cells by heading.
 *
 * Header only: a unit test links its own layer and nothing else.  Trouble ends the test program
 * with status 1; whoever reads the vectors needs them. */
#ifndef TESTS_VECTORS_VECTOR_ROWS_H
#define TESTS_VECTORS_VECTOR_ROWS_H

#include "models/core/mem.h"
#include "models/facts/facts_csv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VECTOR_ROWS_MAX = 2000 };

struct vector_rows {
    struct arena arena;
    char *bytes;
    struct facts_row head, rows[VECTOR_ROWS_MAX];
    size_t n;
};

static inline void vector_rows_free(struct vector_rows *v)
{
    arena_release(&v->arena);
    mem_free(v->bytes);
    mem_free(v);
}

/* NULL when there is no such file. */
static inline struct vector_rows *vector_rows_read(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    struct vector_rows *v = mem_zalloc(1, sizeof *v);
    enum { BYTES_MAX = 1 << 20 };
    v->bytes = mem_alloc(BYTES_MAX);
    size_t len = fread(v->bytes, 1, BYTES_MAX, f);
    fclose(f);

    struct facts_csv csv;
    struct err e;
    bool end;
    facts_csv_init(&csv, path, (struct span){ v->bytes, len });
    int rc = facts_csv_next(&csv, &v->arena, &v->head, &end, &e);
    while (!rc && !end && v->n < VECTOR_ROWS_MAX) {
        rc = facts_csv_next(&csv, &v->arena, &v->rows[v->n], &end, &e);
        v->n += !end;
    }
    if (rc || len == BYTES_MAX || !end) {
        fprintf(stderr, "%s: %s\n", path, rc ? e.text : "larger than this reader takes");
        exit(1);
    }
    return v;
}

static inline struct span vector_text(const struct vector_rows *v, size_t row, const char *head)
{
    for (size_t i = 0; i < v->head.n; i++)
        if (span_is(v->head.cells[i], head) && i < v->rows[row].n)
            return v->rows[row].cells[i];
    fprintf(stderr, "row %zu has no column %s\n", row, head);
    exit(1);
}

/* NaN for a blank cell. */
static inline double vector_num(struct span text)
{
    double x;
    if (text.len == 0)
        return NAN;
    if (span_double(&text, &x) || text.len) {
        fprintf(stderr, "not a number: %.*s\n", SPAN_ARG(text));
        exit(1);
    }
    return x;
}

/* The value of "key" in "key=value;key2=value2"; ptr NULL when it is not there. */
static inline struct span vector_pair(struct span text, const char *key)
{
    struct span pair, name;
    while (span_field(&text, ';', &pair) == 0)
        if (span_field(&pair, '=', &name) == 0 && pair.ptr && span_is(name, key))
            return pair;
    return (struct span){ NULL, 0 };
}

/* Equal after rounding to the digits that want prints; a blank want is met by anything. */
static inline bool vector_meets(double got, struct span want)
{
    if (want.len == 0)
        return true;
    ptrdiff_t point = span_find(want, ".");
    double digits = point < 0 ? 0 : (double)want.len - (double)point - 1;
    return fabs(got - vector_num(want)) <= 0.5 * pow(10, -digits) * (1 + 1e-9);
}

#endif
