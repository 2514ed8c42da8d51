/* models/core/span.h - a piece of somebody else's text, and bounded parsers over it.
 *
 * A parser of this file either succeeds, moves s past what it read and writes
 * *out, or returns non-zero and changes neither.  None needs a NUL at the end,
 * none looks at the locale. */
#ifndef MODELS_CORE_SPAN_H
#define MODELS_CORE_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct span {
    const char *ptr;
    size_t len;
};

#define SPAN_LIT(s) ((struct span){ (s), sizeof(s) - 1 })
/* For printf's "%.*s"; a span longer than 80 bytes is cut there. */
#define SPAN_ARG(s) (int)((s).len > 80 ? 80 : (s).len), (s).ptr

struct span span_of(const char *s);                          /* NULL gives an empty span */
struct span span_cut(struct span s, size_t from, size_t to); /* [from, to), clipped to s */
struct span span_trim(struct span s); /* without blanks, tabs, CR and NUL at both ends */
bool span_eq(struct span a, struct span b);
bool span_eq_nocase(struct span a, struct span b); /* ASCII letters */
bool span_is(struct span s, const char *text);
bool span_starts(struct span s, const char *prefix);
bool span_ends(struct span s, const char *suffix);
/* Offset of needle in s, or -1. */
ptrdiff_t span_find(struct span s, const char *needle);

/* Takes the text up to sep (without it) into *out and moves s past sep; the
 * last field has no sep behind it.  Non-zero when s is exhausted (ptr NULL). */
int span_field(struct span *s, char sep, struct span *out);
/* Takes the next run of non-blank characters; non-zero when only blanks are left. */
int span_word(struct span *s, struct span *out);

/* [+-]digits; non-zero when there is no digit or the number does not fit. */
int span_int(struct span *s, int64_t *out);
/* [+-]digits[.digits][e[+-]digits], '.5' and '5.' too.  Finite numbers only:
 * nan, inf and what overflows a double are errors. */
int span_double(struct span *s, double *out);
/* The same with thousands separators ("4,319.92"): a comma is skipped when three
 * digits follow it and a digit stands before it. */
int span_double_commas(struct span *s, double *out);

#endif
