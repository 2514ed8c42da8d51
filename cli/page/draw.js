/* cli/page/draw.js - what a chart paints: loads stacked, ceilings, shades and marks, on the canvas of dygraphs.
 *
 * Full tone is what was always there in a bucket (its minimum), light tone what was reached (its peak); with
 * one interval to a bucket both are the same.  Colours are those of Okabe and Ito, told apart by the common
 * kinds of colour blindness; writes are hatched, ceilings dashed by kind, so nothing hangs on colour alone. */
'use strict';
(function (V) {
    const EDGES_UP_TO = 1 / 3; /* columns a pixel: closer ones would be all edge */
    const DASHES = { 'today baseline': [], 'today burst': [2, 3], 'plan baseline': [9, 4], 'plan burst': [9, 3, 2, 3], 'whatif central': [14, 3], 'whatif upper': [1, 4] };

    function palette(node) {
        const css = getComputedStyle(node);
        const of = name => css.getPropertyValue('--' + name).trim();
        return {
            ink: of('ink'), quiet: of('quiet'), paper: of('paper'), read: of('read'), write: of('write'), unsplit: of('unsplit'),
            today: of('today'), plan: of('plan'), whatif: of('whatif'), shade: of('throttled'), hole: of('hole'), grid: of('line'), dark: of('dark') === '1'
        };
    }

    /* Diagonal lines of a colour on a fill of it. */
    function hatch(ctx, line, fill, step) {
        const ratio = window.devicePixelRatio || 1;
        const tile = document.createElement('canvas');
        tile.width = tile.height = step * ratio;
        const t = tile.getContext('2d');
        t.scale(ratio, ratio);
        if (fill) {
            t.fillStyle = fill;
            t.fillRect(0, 0, step, step);
        }
        t.strokeStyle = line;
        t.lineWidth = 1;
        t.beginPath();
        for (const d of [-step, 0, step]) {
            t.moveTo(d - 1, step + 1);
            t.lineTo(d + step + 1, -1);
        }
        t.stroke();
        const pattern = ctx.createPattern(tile, 'repeat');
        pattern.setTransform(new DOMMatrix().scale(1 / ratio));
        return pattern;
    }

    /* Buckets in sight as columns of whole pixels; those narrower than one are joined, the highest total wins. */
    function columns(chart, name, from, to, to_x) {
        const out = [];
        for (const p of V.pieces(chart, from, to)) {
            const lv = p.level, m = lv.metric(name);
            const begin = Math.max(0, V.bucket(lv, Math.max(p.from, lv.from)));
            for (let i = begin; i < lv.n && lv.t[i] < p.to; i++) {
                const x0 = Math.round(to_x(Math.max(lv.t[i], p.from)));
                const x1 = Math.max(x0 + 1, Math.round(to_x(Math.min(lv.t[i + 1], p.to))));
                const last = out[out.length - 1];
                if (last && x0 < last.x1) {
                    join(last, m, i, lv.state[i]);
                    last.x1 = Math.max(last.x1, x1);
                } else {
                    out.push({ x0, x1, read: m.read[i] || 0, write: m.write[i] || 0, total: m.total[i], min: m.min[i], state: lv.state[i] });
                }
            }
        }
        return out;
    }

    function join(column, m, i, state) {
        column.state |= state & ~V.HOLE;
        if (!V.known(m.total[i]))
            return;
        if (!(column.total >= m.total[i])) {
            column.read = m.read[i] || 0;
            column.write = m.write[i] || 0;
            column.total = m.total[i];
            column.state &= ~V.HOLE;
        }
        column.min = column.min <= m.min[i] ? column.min : m.min[i];
    }

    /* Runs of neighbouring columns that carry a state, each with where it is highest. */
    function runs(cols, bit) {
        const out = [];
        for (const c of cols) {
            if (!(c.state & bit))
                continue;
            const last = out[out.length - 1];
            if (last && c.x0 <= last.x1 + 1) {
                last.x1 = c.x1;
                if (c.total > last.total)
                    Object.assign(last, { total: c.total, top0: c.x0, top1: c.x1 });
                else if (c.total === last.total && c.x0 <= last.top1 + 1)
                    last.top1 = c.x1;
            } else {
                out.push({ x0: c.x0, x1: c.x1, total: c.total || 0, top0: c.x0, top1: c.x1 });
            }
        }
        return out;
    }

    function shades(ctx, area, cols, colours) {
        ctx.fillStyle = hatch(ctx, colours.hole, null, 7);
        for (const r of runs(cols, V.HOLE))
            ctx.fillRect(r.x0, area.y, r.x1 - r.x0, area.h);
        ctx.fillStyle = colours.shade;
        for (const r of runs(cols, V.THROTTLED))
            ctx.fillRect(r.x0, area.y, Math.max(2, r.x1 - r.x0), area.h);
    }

    function fill(ctx, cols, style, alpha, low, high) {
        ctx.globalAlpha = alpha;
        ctx.fillStyle = style;
        ctx.beginPath();
        for (const c of cols) {
            const y0 = low(c), y1 = high(c);
            if (y0 > y1)
                ctx.rect(c.x0, y1, c.x1 - c.x0, y0 - y1);
        }
        ctx.fill();
        ctx.globalAlpha = 1;
    }

    /* The upper edge of neighbouring columns. */
    function edge(ctx, cols, style, width, y) {
        ctx.strokeStyle = style;
        ctx.lineWidth = width;
        ctx.beginPath();
        let last = null;
        for (const c of cols) {
            if (last && c.x0 <= last.x1)
                ctx.lineTo(c.x0, y(c));
            else
                ctx.moveTo(c.x0, y(c));
            ctx.lineTo(c.x1, y(c));
            last = c;
        }
        ctx.stroke();
    }

    /* A line on top of each column, without the steps between them. */
    function caps(ctx, cols, style, width, y) {
        ctx.strokeStyle = style;
        ctx.lineWidth = width;
        ctx.beginPath();
        for (const c of cols) {
            ctx.moveTo(c.x0, y(c));
            ctx.lineTo(c.x1, y(c));
        }
        ctx.stroke();
    }

    function loads(ctx, cols, width, to_y, colours) {
        const seen = cols.filter(c => V.known(c.total));
        const writes = hatch(ctx, colours.dark ? 'rgba(0,0,0,.38)' : 'rgba(255,255,255,.55)', colours.write, 5);
        /* each layer: its fill, its lower and its upper edge as a value; full tone ends at the minimum */
        const both = c => Math.min(c.read + c.write, c.total);
        const layers = [[colours.read, colours.read, () => 0, c => c.read], [colours.write, writes, c => c.read, both], [colours.unsplit, colours.unsplit, both, c => c.total]];
        for (const [light, full, low, high] of layers) {
            fill(ctx, seen, light, .5, c => to_y(low(c)), c => to_y(high(c)));
            fill(ctx, seen, full, 1, c => to_y(Math.min(low(c), c.min)), c => to_y(Math.min(high(c), c.min)));
        }
        const read_top = c => to_y(c.read), top = c => to_y(c.total);
        const outline = cols.length < EDGES_UP_TO * width ? edge : caps;
        outline(ctx, seen, colours.write, 1, top);
        outline(ctx, seen, colours.read, 1, read_top);
    }

    /* At least: a thick lid, with an upward mark where a ceiling was seen; artefact: a cross; averaged: a dashed lid. */
    function marks(ctx, area, cols, to_y, colours) {
        const known = cols.filter(c => V.known(c.total)), top = c => to_y(c.total);
        caps(ctx, known.filter(c => c.state & V.AT_LEAST), colours.ink, 2, top);
        ctx.fillStyle = colours.ink;
        let free = -Infinity;
        for (const r of runs(cols, V.CENSORED)) {
            const x = (r.top0 + r.top1) / 2, y = Math.max(area.y + 8, to_y(r.total) - 3);
            if (x < free)
                continue;
            free = x + 14;
            ctx.beginPath();
            ctx.moveTo(x - 4, y);
            ctx.lineTo(x, y - 6);
            ctx.lineTo(x + 4, y);
            ctx.fill();
        }
        ctx.setLineDash([2, 2]);
        caps(ctx, known.filter(c => c.state & (V.AVERAGED | V.ASSUMED)), colours.ink, 1.25, top);
        ctx.setLineDash([]);
        ctx.strokeStyle = colours.ink;
        ctx.lineWidth = 1.75;
        for (const r of runs(cols, V.ARTEFACT)) {
            const x = (r.top0 + r.top1) / 2, y = Math.max(area.y + 6, to_y(r.total));
            ctx.beginPath();
            ctx.moveTo(x - 4, y - 4);
            ctx.lineTo(x + 4, y + 4);
            ctx.moveTo(x - 4, y + 4);
            ctx.lineTo(x + 4, y - 4);
            ctx.stroke();
        }
    }

    /* Stretches at a ceiling, on the floor of the chart: today's solid, the plan's open. */
    function floor(ctx, area, cols, colours) {
        const y = area.y + area.h;
        ctx.fillStyle = colours.today;
        for (const r of runs(cols, V.THROTTLED))
            ctx.fillRect(r.x0, y - 4, Math.max(2, r.x1 - r.x0), 4);
        ctx.strokeStyle = colours.plan;
        ctx.lineWidth = 1.5;
        for (const r of runs(cols, V.PLAN_THROTTLED))
            ctx.strokeRect(r.x0, y - 9, Math.max(2, r.x1 - r.x0), 4);
    }

    const kind_of = ceiling => ceiling.whose + ' ' + (ceiling.what || 'baseline');

    function ceiling_text(ceiling, unit, narrow) {
        const value = V.rate(ceiling.value) + (narrow ? '' : '\u202f' + unit);
        const what = ceiling.what === 'burst' || ceiling.what === 'upper' ? ' ' + ceiling.what : '';
        const whose = ceiling.whose.replace('whatif', 'what if');
        return whose + what + ' ' + value + (narrow ? '' : ' \u00b7 ' + V.word(ceiling.name));
    }

    /* One line a height: the ceilings of one value and whose are one label. */
    function together(ceilings) {
        const out = [];
        for (const c of ceilings) {
            const same = out.find(o => o.value === c.value && o.whose === c.whose && o.what === c.what && o.from_ms === c.from_ms);
            if (same)
                same.name = same.name.includes(V.word(c.name)) ? same.name : same.name + ', ' + V.word(c.name);
            else
                out.push(Object.assign({}, c, { name: V.word(c.name) }));
        }
        return out;
    }

    function label(ctx, text, x, y, colour, colours) {
        ctx.lineJoin = 'round';
        ctx.lineWidth = 4;
        ctx.strokeStyle = colours.paper;
        ctx.strokeText(text, x, y);
        ctx.fillStyle = colour;
        ctx.fillText(text, x, y);
    }

    /* Ceilings that lie on one line have one label: "today and plan 850". */
    function labels_of(seen, unit, narrow) {
        const out = [];
        for (const s of seen) {
            const same = out.find(o => o.c.value === s.c.value && o.c.what === s.c.what && o.c.name === s.c.name && o.x1 === s.x1);
            if (same)
                same.whose.push(s.c.whose);
            else
                out.push({ c: s.c, whose: [s.c.whose], y_line: s.y, x1: s.x1 });
        }
        return out.map(o => Object.assign(o, { text: ceiling_text(Object.assign({}, o.c, { whose: o.whose.join(' and ') }), unit, narrow) }));
    }

    /* Where labels go, from the top down: at the right end of its line, above it or else below, and so far to the left that it
     * covers no other.  What is above the scale gets an arrow at the top. */
    function place_labels(area, labels, width_of) {
        const taken = [];
        for (const l of labels.slice().sort((p, q) => p.y_line - q.y_line)) {
            const over = l.y_line < area.y;
            l.text = over ? '\u2191 ' + l.text : l.text;
            const width = width_of(l.text), top = area.y + 11;
            const heights = over ? [top] : [l.y_line - 5, l.y_line + 13].filter(y => y >= top && y <= area.y + area.h);
            const blocked = (right, y) => taken.find(t => Math.abs(t.y - y) < 14 && right > t.left - 12 && right - width < t.right + 12);
            let right = Math.min(area.x + area.w, l.x1) - 4, y;
            while ((y = heights.find(h => !blocked(right, h))) === undefined && right - width > area.x)
                right = Math.max(...heights.map(h => blocked(right, h).left)) - 12;
            if (y === undefined || right - width < area.x)
                continue;
            taken.push(Object.assign(l, { y, left: right - width, right }));
        }
        return taken;
    }

    function ceilings(ctx, area, list, unit, to_x, to_y, colours) {
        const right = area.x + area.w;
        ctx.font = '600 11.5px ' + getComputedStyle(document.body).fontFamily;
        ctx.textAlign = 'right';
        const seen = together(list).map(c => ({ c, y: to_y(c.value), x0: Math.max(area.x, to_x(c.from_ms)), x1: Math.min(right, to_x(c.to_ms)) }))
            .filter(s => s.x1 > s.x0);
        for (const s of seen.filter(one => one.y >= area.y)) {
            ctx.strokeStyle = colours[s.c.whose];
            ctx.lineWidth = 2;
            ctx.setLineDash(DASHES[kind_of(s.c)] || []);
            ctx.beginPath();
            ctx.moveTo(s.x0, s.y);
            ctx.lineTo(s.x1, s.y);
            ctx.stroke();
        }
        ctx.setLineDash([]);
        for (const l of place_labels(area, labels_of(seen, unit, area.w < 420), text => ctx.measureText(text).width))
            label(ctx, l.text, l.right, l.y, colours[l.c.whose], colours);
    }

    /* Paints a chart: what is e of a dygraphs plotter, plus the chart and its metric. */
    function paint(g, ctx, chart, name, colours) {
        const area = g.getArea();
        const [from, to] = g.xAxisRange();
        const to_x = t => area.x + (t - from) / (to - from) * area.w;
        const to_y = v => g.toDomYCoord(v);
        const cols = columns(chart, name, from, to, to_x);
        ctx.save();
        ctx.beginPath();
        ctx.rect(area.x, area.y, area.w, area.h);
        ctx.clip();
        shades(ctx, area, cols, colours);
        loads(ctx, cols, area.w, to_y, colours);
        floor(ctx, area, cols, colours);
        ceilings(ctx, area, chart.ceilings.filter(c => c.metric === name && V.known(c.value)), chart.base.metric(name).unit, to_x, to_y, colours);
        marks(ctx, area, cols, to_y, colours);
        ctx.restore();
    }

    Object.assign(V, { palette, paint, columns, ceiling_text, labels_of, place_labels, DASHES });
})(volplan);
