/* cli/render/text_chart.c - see text_chart.h. */
#include "cli/render/text_chart.h"

#include "cli/render/printable.h"
#include "models/core/timestamp.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* TUNING: beside fewer columns than MIN_BARS a label costs more than it tells. */
enum { MIN_BARS = 24, LABEL_COLUMNS = 36, INDENT = 2, GAP = 3, LEVELS = 8 };

static const char *const characters[][LEVELS] = {
    [CHARTS_ASCII] = { "_", ".", ",", "-", "=", "+", "*", "#" },
    [CHARTS_BLOCKS] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" },
};

/* What the columns show. */
struct bars {
    size_t n;
    double top;                   /* NaN = nothing is known */
    double value[RENDER_COLUMNS]; /* NaN = not known */
    bool marked[RENDER_COLUMNS], any_marked;
};

static size_t bar_at(const struct emit_chart *c, size_t n, int64_t time_ms)
{
    double begin_ms = (double)c->begin_ms, span_ms = (double)c->end_ms - begin_ms;
    double at = floor(((double)time_ms - begin_ms) * (double)n / span_ms);
    return at < 0 ? 0 : at >= (double)n ? n - 1 : (size_t)at;
}

static void fill(struct bars *bars, const struct emit_chart *c, size_t n)
{
    *bars = (struct bars){ .n = n, .top = NAN };
    for (size_t i = 0; i < n; i++)
        bars->value[i] = NAN;
    for (size_t i = 0; i < c->n; i++) {
        struct emit_step s;
        c->step(c->series, i, &s);
        if (isnan(s.value) || s.end_ms <= c->begin_ms || s.begin_ms >= c->end_ms)
            continue;
        for (size_t k = bar_at(c, n, s.begin_ms); k <= bar_at(c, n, s.end_ms - 1); k++) {
            bars->value[k] = fmax(bars->value[k], s.value);
            bars->marked[k] |= s.marked;
        }
        bars->top = fmax(bars->top, s.value);
        bars->any_marked |= s.marked;
    }
}

static size_t level_of(double value, double top)
{
    double eighths = top > 0 ? ceil(value / top * LEVELS) : 0;
    return eighths < 1 ? 0 : eighths >= LEVELS ? LEVELS - 1 : (size_t)eighths - 1;
}

static void put_bars(struct buf *b, const struct bars *bars, enum text_charts form)
{
    for (size_t i = 0; i < bars->n; i++)
        buf_puts(b, isnan(bars->value[i]) ? " "
                                          : characters[form][level_of(bars->value[i], bars->top)]);
}

static void put_marks(struct buf *b, const struct bars *bars, size_t at,
                      const struct text_page *page)
{
    char line[RENDER_COLUMNS + 1];
    size_t len = 0;
    for (size_t i = 0; i < bars->n; i++) {
        line[i] = bars->marked[i] ? '^' : ' ';
        if (bars->marked[i])
            len = i + 1;
    }
    line[len] = '\0';
    buf_pad(b, at);
    text_put_style(b, page, STYLE_ALARM, line);
    buf_puts(b, "\n");
}

/* The hour where the chart is a day or less, else the day. */
static void edge_words(char buf[32], const struct emit_chart *c, int64_t time_ms)
{
    char iso[32];
    if (c->end_ms - c->begin_ms <= DAY_MS) {
        time_format_iso(iso, time_ms);
        snprintf(buf, 32, "%.5s", iso + strlen("2022-05-18T"));
    } else
        time_format_date(buf, time_ms);
}

void text_chart_put(struct buf *b, const struct emit_chart *chart, const char *label,
                    const struct text_page *page)
{
    struct bars bars;
    char from[32], to[32];
    if (chart->end_ms <= chart->begin_ms)
        return;
    edge_words(from, chart, chart->begin_ms);
    edge_words(to, chart, chart->end_ms);
    size_t around = INDENT + strlen(from) + 1 + 1 + strlen(to);
    size_t label_columns = printable_columns(label, strlen(label));
    bool beside =
        label_columns <= LABEL_COLUMNS && page->columns >= around + MIN_BARS + GAP + LABEL_COLUMNS;
    fill(&bars, chart, page->columns - around - (beside ? GAP + LABEL_COLUMNS : 0));
    if (isnan(bars.top))
        return;
    buf_pad(b, INDENT);
    if (!beside) {
        text_wrap(b, label, INDENT, page->columns);
        buf_pad(b, INDENT);
    }
    buf_puts(b, from);
    buf_puts(b, " ");
    put_bars(b, &bars, page->charts);
    buf_puts(b, " ");
    buf_puts(b, to);
    if (beside) {
        buf_pad(b, GAP);
        buf_puts(b, label);
    }
    buf_puts(b, "\n");
    if (bars.any_marked)
        put_marks(b, &bars, INDENT + strlen(from) + 1, page);
}
