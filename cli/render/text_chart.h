/* cli/render/text_chart.h - a chart as one line of characters.
 *
 *   07:00 ▁▁▁▂▇▇▇█▂▁▁    ▁▁▂▇▇█ 15:00   REDO1, peak 500
 *                ^            ^
 *
 * A column shows the highest value of its time, in eighths of the highest of all, rounded up: a
 * peak is never hidden, and only what is above seven eighths of it looks like it.  A blank is a
 * time of which nothing is known; a measured 0 is the lowest character.  ^ stands below a column
 * with a mark.  The label stands beside where the page has room for it and MIN_BARS columns,
 * else above.  Without UTF-8 the characters are _ . , - = + * # instead. */
#ifndef CLI_RENDER_TEXT_CHART_H
#define CLI_RENDER_TEXT_CHART_H

#include "cli/render/text_wrap.h"
#include "models/core/emit.h"

/* label: that of the chart, made safe to show.  A chart of which nothing is known writes
 * nothing. */
void text_chart_put(struct buf *b, const struct emit_chart *chart, const char *label,
                    const struct text_page *page);

#endif
