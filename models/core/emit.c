/* models/core/emit.c - the part of the emitter that all backends share. */
#include "models/core/emit.h"

#include "models/core/timestamp.h"

#include <stdarg.h>
#include <stdio.h>

void emit_begin(struct emit *m, const char *key, enum emit_kind kind)
{
    if (!m->failed)
        m->ops->begin(m, key, kind, NULL, 0);
}

void emit_table(struct emit *m, const char *key, const struct emit_col *cols, size_t n_cols)
{
    if (!m->failed)
        m->ops->begin(m, key, EMIT_LIST, cols, n_cols);
}

void emit_end(struct emit *m)
{
    if (!m->failed)
        m->ops->end(m);
}

static void put(struct emit *m, const char *key, struct emit_value v)
{
    if (!m->failed)
        m->ops->value(m, key, &v);
}

void emit_null(struct emit *m, const char *key)
{
    put(m, key, (struct emit_value){ .kind = EMIT_NULL });
}

void emit_bool(struct emit *m, const char *key, bool v)
{
    put(m, key, (struct emit_value){ .kind = EMIT_BOOL, .flag = v });
}

void emit_int(struct emit *m, const char *key, enum unit unit, int64_t v)
{
    if (v == UNKNOWN)
        emit_null(m, key);
    else
        put(m, key, (struct emit_value){ EMIT_INT, unit, 0, { .integer = v } });
}

void emit_num(struct emit *m, const char *key, enum unit unit, double v)
{
    emit_num_digits(m, key, unit, v, -1);
}

void emit_num_digits(struct emit *m, const char *key, enum unit unit, double v, int decimals)
{
    if (!isfinite(v))
        emit_null(m, key);
    else
        put(m, key, (struct emit_value){ EMIT_NUM, unit, decimals, { .num = v } });
}

void emit_decimal(struct emit *m, const char *key, const char *digits)
{
    if (!digits)
        emit_null(m, key);
    else
        put(m, key, (struct emit_value){ .kind = EMIT_DECIMAL, .text = digits });
}

void emit_text(struct emit *m, const char *key, const char *v)
{
    if (!v)
        emit_null(m, key);
    else
        put(m, key, (struct emit_value){ .kind = EMIT_TEXT, .text = v });
}

void emit_time(struct emit *m, const char *key, int64_t t_ms)
{
    if (t_ms == UNKNOWN)
        emit_null(m, key);
    else
        put(m, key, (struct emit_value){ .kind = EMIT_TIME, .integer = t_ms });
}

void emit_date(struct emit *m, const char *key, int64_t t_ms)
{
    char buf[32];
    emit_text(m, key, t_ms == UNKNOWN ? NULL : time_format_date(buf, t_ms));
}

void emit_usd(struct emit *m, const char *key, int64_t microusd)
{
    if (microusd == UNKNOWN)
        emit_null(m, key);
    else
        put(m, key, (struct emit_value){ EMIT_USD, UNIT_USD, 2, { .integer = microusd } });
}

/* Words longer than this are cut: names in them come from files and may be anything. */
enum { WORDS_MAX = 2048 };

__attribute__((format(printf, 4, 0))) static void
put_words(struct emit *m, const char *label, bool is_cell, const char *fmt, va_list ap)
{
    if (m->failed || !m->people)
        return;
    char text[WORDS_MAX];
    vsnprintf(text, sizeof text, fmt, ap);
    m->ops->words(m, label, text, is_cell);
}

void emit_say(struct emit *m, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    put_words(m, NULL, false, fmt, ap);
    va_end(ap);
}

void emit_label(struct emit *m, const char *label, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    put_words(m, label, false, fmt, ap);
    va_end(ap);
}

void emit_cell(struct emit *m, const char *key, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    put_words(m, key, true, fmt, ap);
    va_end(ap);
}

void emit_chart(struct emit *m, const struct emit_chart *chart)
{
    if (!m->failed && m->charts)
        m->ops->chart(m, chart);
}

int emit_close(struct emit *m, struct err *e)
{
    return m->ops->close(m, e);
}
