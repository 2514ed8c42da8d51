/* models/core/emit.h - report code says a thing once; backends render it.
 *
 * An emitter receives two kinds of utterance:
 *   values  (emit_int, emit_num, ...): a key, a unit and a value.  The machine
 *           backends (JSON, CSV) print them under their key.  The text backend
 *           prints a value only as a cell of a table that has a heading for its key.
 *   words   (emit_say, emit_label, emit_cell): sentences, labelled lines and
 *           table cells laid out for people.  Only the text backend prints them.
 *
 * The whole document is one object; EMIT_LIST holds values or objects.  A list
 * begun with columns is a table in text: one line per object in it.  CSV prints
 * the first list that has columns: one line per object, every scalar value of it.
 *
 * A chart (emit_chart) is drawn by the text backend where it draws (m->charts); nobody else
 * takes note of it, so whatever it shows is said in values or words too.
 *
 * Errors are sticky: after one, every call does nothing, and emit_close returns it.
 * Backends live in cli/render. */
#ifndef MODELS_CORE_EMIT_H
#define MODELS_CORE_EMIT_H

#include "models/core/err.h"
#include "models/core/unit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum emit_kind { EMIT_OBJECT, EMIT_LIST };

enum emit_value_kind {
    EMIT_NULL,
    EMIT_BOOL,
    EMIT_INT,
    EMIT_NUM,
    EMIT_DECIMAL,
    EMIT_TEXT,
    EMIT_TIME,
    EMIT_USD
};

struct emit_value {
    enum emit_value_kind kind;
    enum unit unit;
    int decimals; /* shown in text; -1 = those of the unit */
    union {
        bool flag;
        int64_t integer; /* EMIT_INT; EMIT_TIME in ms; EMIT_USD in micro-dollars */
        double num;
        const char *text; /* EMIT_TEXT; EMIT_DECIMAL: the digits */
    };
};

/* One column of a table in text. */
struct emit_col {
    const char *key;  /* of the values, or of the emit_cell words, that stand in it */
    const char *head; /* heading, with the unit */
    bool left;        /* aligned left; numbers are aligned right */
};

/* A stretch of time in a chart. */
struct emit_step {
    int64_t begin_ms, end_ms;
    double value; /* NaN = not known */
    bool marked;
};

/* A series over [begin_ms, end_ms).  However few columns there are, each shows the highest value
 * of its time, and nothing where nothing is known. */
struct emit_chart {
    const char *label;
    int64_t begin_ms, end_ms;
    size_t n;
    void (*step)(const void *series, size_t i, struct emit_step *out);
    const void *series;
};

struct emit;
struct emit_ops {
    void (*begin)(struct emit *, const char *key, enum emit_kind, const struct emit_col *,
                  size_t n_cols);
    void (*end)(struct emit *);
    void (*value)(struct emit *, const char *key, const struct emit_value *);
    void (*words)(struct emit *, const char *label, const char *text, bool is_cell);
    int (*close)(struct emit *, struct err *);
    void (*chart)(struct emit *, const struct emit_chart *); /* NULL: never drawn */
};

struct emit {
    const struct emit_ops *ops;
    int failed;  /* sticky error code */
    bool people; /* the backend prints words: report code may skip making them otherwise */
    bool charts; /* it draws: the same for charts */
};

/* key is NULL for an element of a list and for nothing else. */
void emit_begin(struct emit *m, const char *key, enum emit_kind kind);
void emit_table(struct emit *m, const char *key, const struct emit_col *cols, size_t n_cols);
void emit_end(struct emit *m);

/* NaN, UNKNOWN and NULL become null ("-" in text). */
void emit_null(struct emit *m, const char *key);
void emit_bool(struct emit *m, const char *key, bool v);
void emit_int(struct emit *m, const char *key, enum unit unit, int64_t v);
void emit_num(struct emit *m, const char *key, enum unit unit, double v);
/* The same with the number of decimals that text shows. */
void emit_num_digits(struct emit *m, const char *key, enum unit unit, double v, int decimals);
/* A number of more digits than a double has, as the text of it: "-0.0000000116". */
void emit_decimal(struct emit *m, const char *key, const char *digits);
void emit_text(struct emit *m, const char *key, const char *v);
void emit_time(struct emit *m, const char *key, int64_t t_ms);
void emit_date(struct emit *m, const char *key, int64_t t_ms); /* as the text YYYY-MM-DD */
void emit_usd(struct emit *m, const char *key, int64_t microusd);

/* A paragraph; an empty one is a blank line. */
void emit_say(struct emit *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* "  label   words", aligned with the labels around it. */
void emit_label(struct emit *m, const char *label, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* A cell of the current row in words: for the column whose key it names. */
void emit_cell(struct emit *m, const char *key, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void emit_chart(struct emit *m, const struct emit_chart *chart);

/* Ends the document, flushes and frees the emitter; returns the first error. */
int emit_close(struct emit *m, struct err *e);

#endif
