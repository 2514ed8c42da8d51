/* cli/page/charts.js - a figure for each group and the host: heading, sentence, chart, readout, table of peaks.
 *
 * dygraphs scales, grids and sizes; draw.js paints.  A chart is made when it comes into sight, so that a year
 * of minutes opens at once.  Mouse: drag zooms, shift-drag pans, double click shows all.  Keys: arrows move the
 * cursor, + and - zoom, page keys pan, N goes to the next peak, 0 or Escape shows all. */
'use strict';
(function (V) {
    const view = V.view;
    const figures = [];
    const GROUP_METRIC = { throughput: 'mibps', iops: 'counted_iops' };
    const HOST_METRIC = { throughput: 'mb_s', iops: 'counted_iops' };
    const TITLES = { mibps: 'throughput', mb_s: 'throughput', counted_iops: 'counted requests' };
    let live_region = null;

    const measured = (chart, name) => chart.base.has(name) && chart.base.metric(name).total.some(V.known);

    /* Where only requests were measured, they are shown. */
    function metric_of(chart) {
        const wanted = (chart.kind === 'host' ? HOST_METRIC : GROUP_METRIC)[view.metric];
        return measured(chart, wanted) ? wanted : chart.metrics.find(name => measured(chart, name)) || wanted;
    }

    const title_of = chart => chart.kind === 'host' ? 'Host ' + chart.name : chart.name;

    /* Room for the load and for every ceiling near it; those far above are named at the top instead. */
    function top_of_scale(chart, name) {
        const peak = V.peak(chart, name, view.from, view.to);
        const values = chart.ceilings.filter(c => c.metric === name && V.known(c.value) && c.to_ms > view.from && c.from_ms < view.to).map(c => c.value);
        if (view.scale === 'all')
            return 1.12 * Math.max(peak, ...values, 1);
        const near = values.filter(v => v <= 2.2 * peak);
        return (1.12 * Math.max(peak, ...near) || 1) * (near.length < values.length ? 1.1 : 1);
    }

    function sentence(chart, name) {
        const peaks = V.top_peaks(chart, name, 1, 0);
        if (!peaks.length)
            return title_of(chart) + ': nothing was measured in this time.';
        const s = V.peak_sample(chart, name, peaks[0]);
        const least = s.state & V.AT_LEAST;
        const parts = [`${title_of(chart)} ${least ? 'peaks at no less than' : 'peaks at'} ${V.rate(s.total)} ${s.unit} ${V.known(s.read) && V.known(s.write) ? `(${V.rate(s.read)} read, ${V.rate(s.write)} written)` : '(reads and writes are not told apart)'}, ${V.stretch(s.from, s.to)} UTC.`];
        if (s.ceiling)
            parts.push(`Its ceiling then: ${V.word(s.ceiling.name)}, ${V.rate(s.ceiling.value)} ${s.unit}, ${V.pct(100 * s.total / s.ceiling.value)} % used.`);
        if (chart.ceiling_s)
            parts.push(`At a ceiling for ${V.duration(chart.ceiling_s)} in all.`);
        return V.tidy(parts.join(' '));
    }

    function readout_parts(chart, s) {
        const parts = [V.stretch(s.from, s.to)];
        if (!V.known(s.total))
            return parts.concat('not measured');
        if (V.known(s.unsplit))
            parts.push(`read or write ${V.exact(s.unsplit)}`);
        parts.push(`read ${V.exact(s.read)}`, `write ${V.exact(s.write)}`,
            `total ${V.glyph(V.grade_of(s.state))} ${V.exact(s.total)} ${s.unit}`);
        if (s.min < s.total)
            parts.push(`lowest in it ${V.exact(s.min)}`);
        if (s.ceiling)
            parts.push(`${s.binding ? 'binding' : 'nearest ceiling'}: ${V.word(s.ceiling.name)} ${V.exact(s.ceiling.value)} (${V.pct(100 * s.total / s.ceiling.value)} %)`);
        else if (s.binding)
            parts.push('binding: ' + V.word(s.binding));
        if (s.state & V.THROTTLED)
            parts.push('at a ceiling');
        if (s.state & V.WAITED)
            parts.push('the database waited for its redo');
        if (s.state & V.PLAN_THROTTLED)
            parts.push('throttled under the plan');
        if (s.state & V.ARTEFACT)
            parts.push('artefact, set aside');
        return parts;
    }

    function set_readout(figure) {
        const s = view.cursor === null ? null : V.sample(figure.chart, metric_of(figure.chart), view.cursor);
        const line = figure.line;
        const seen = s && view.cursor >= view.from && view.cursor <= view.to;
        figure.readout.textContent = seen ? readout_parts(figure.chart, s).join(' \u00b7 ') : '';
        figure.readout.classList.toggle('on', Boolean(seen));
        line.hidden = !seen || !figure.g;
        if (!line.hidden)
            line.style.transform = `translateX(${Math.round(figure.g.toDomXCoord(view.cursor))}px)`;
    }

    function say(figure) {
        clearTimeout(say.timer);
        say.timer = setTimeout(() => { live_region.textContent = title_of(figure.chart) + ': ' + figure.readout.textContent; }, 250);
    }

    function dates(ms, granularity) {
        return granularity >= Dygraph.DAILY ? V.day(ms).replace(/ (\d{4})$/, (all, y) => view.last - view.first > 300 * 86400e3 ? ' ' + y : '')
            : new Date(ms).getUTCHours() + new Date(ms).getUTCMinutes() + new Date(ms).getUTCSeconds() === 0 ? V.day(ms).replace(/ \d{4}$/, '') : V.clock(ms);
    }

    function options(figure) {
        const name = metric_of(figure.chart);
        return {
            dateWindow: [view.from, view.to],
            valueRange: [0, top_of_scale(figure.chart, name)],
            axes: {
                x: { axisLabelFormatter: dates, axisLabelWidth: 76, pixelsPerLabel: figure.plot.clientWidth < 500 ? 62 : 75 },
                y: { axisLabelFormatter: v => V.rate(Math.abs(v) < 1e-9 ? 0 : v), axisLabelWidth: 52, pixelsPerLabel: 34 }
            }
        };
    }

    function make_graph(figure) {
        const chart = figure.chart;
        figure.colours = V.palette(figure.plot);
        figure.g = new Dygraph(figure.plot, [[new Date(chart.base.from), 0], [new Date(chart.base.to), 0]], Object.assign(options(figure), {
            labels: ['time', 'load'], labelsUTC: true, legend: 'never', interactionModel: {}, showRoller: false,
            drawHighlightPointCallback: () => {}, highlightCircleSize: 0, gridLineColor: figure.colours.grid, axisLineColor: figure.colours.grid,
            gridLineWidth: 1, rightGap: 6, xRangePad: 0,
            plotter: e => V.paint(e.dygraph, e.drawingContext, chart, metric_of(chart), figure.colours)
        }));
        figure.plot.append(figure.line, figure.brush);
        place(figure);
    }

    function place(figure) {
        const area = figure.g.getArea();
        for (const node of [figure.line, figure.brush]) {
            node.style.top = area.y + 'px';
            node.style.height = area.h + 'px';
        }
        set_readout(figure);
    }

    function redraw(figure) {
        if (!figure.g)
            return;
        figure.stale = false;
        figure.colours = V.palette(figure.plot);
        figure.g.updateOptions(Object.assign(options(figure), { gridLineColor: figure.colours.grid, axisLineColor: figure.colours.grid }));
        place(figure);
    }

    /* Time under a pointer. */
    function time_at(figure, event) {
        const box = figure.plot.getBoundingClientRect();
        const area = figure.g.getArea();
        const x = Math.min(Math.max(event.clientX - box.left, area.x), area.x + area.w - 0.01);
        return figure.g.toDataXCoord(x);
    }

    function show_brush(figure, drag, now) {
        const x = [drag.t, now].sort((a, b) => a - b).map(t => figure.g.toDomXCoord(t));
        figure.brush.hidden = false;
        figure.brush.style.transform = `translateX(${x[0]}px)`;
        figure.brush.style.width = x[1] - x[0] + 'px';
    }

    function pointers(figure) {
        let drag = null;
        figure.plot.addEventListener('pointerdown', e => {
            if (e.button !== 0 || !figure.g)
                return;
            drag = { x: e.clientX, t: time_at(figure, e), from: view.from, to: view.to, pan: e.shiftKey || e.pointerType === 'touch', moved: false };
            figure.plot.setPointerCapture(e.pointerId);
        });
        figure.plot.addEventListener('pointermove', e => {
            if (!figure.g)
                return;
            if (drag && Math.abs(e.clientX - drag.x) > 4)
                drag.moved = true;
            if (drag && drag.moved && drag.pan) {
                const by = (drag.x - e.clientX) / figure.g.getArea().w * (drag.to - drag.from);
                view.set(drag.from + by, drag.to + by);
                return;
            }
            view.point(time_at(figure, e));
            if (drag && drag.moved)
                show_brush(figure, drag, view.cursor);
        });
        const end = e => {
            if (drag && drag.moved && !drag.pan && e.type === 'pointerup')
                view.set(...[drag.t, time_at(figure, e)].sort((a, b) => a - b));
            else if (drag && !drag.moved && e.type === 'pointerup')
                view.point(time_at(figure, e), true);
            drag = null;
            figure.brush.hidden = true;
        };
        figure.plot.addEventListener('pointerup', end);
        figure.plot.addEventListener('pointercancel', end);
        figure.plot.addEventListener('pointerleave', () => { if (!drag) view.point(null); });
        figure.plot.addEventListener('dblclick', view.reset);
    }

    function step(figure, by) {
        const name = metric_of(figure.chart);
        const at = view.cursor === null ? view.from : view.cursor;
        const s = V.sample(figure.chart, name, Math.min(Math.max(at, figure.chart.base.from), figure.chart.base.to - 1));
        const width = s ? s.to - s.from : 60000;
        const t = Math.min(Math.max(at + by * width, view.first), view.last - 1);
        if (t < view.from || t >= view.to)
            view.set(view.from + by * width, view.to + by * width);
        view.point(t, true);
    }

    function next_peak(figure) {
        const name = metric_of(figure.chart);
        const peaks = V.top_peaks(figure.chart, name, 10, apart(figure.chart));
        figure.peak = ((figure.peak === undefined ? -1 : figure.peak) + 1) % peaks.length;
        if (peaks.length)
            view.show(V.peak_sample(figure.chart, name, peaks[figure.peak]).from + 1);
    }

    const KEYS = {
        ArrowLeft: (f, e) => step(f, e.shiftKey ? -10 : -1), ArrowRight: (f, e) => step(f, e.shiftKey ? 10 : 1),
        '+': () => view.zoom(.5), '=': () => view.zoom(.5), '-': () => view.zoom(2),
        PageUp: () => view.pan(-.5), PageDown: () => view.pan(.5),
        Home: () => view.point(view.from, true), End: () => view.point(view.to - 1, true),
        n: next_peak, N: next_peak, 0: view.reset, Escape: view.reset
    };

    function keys(figure) {
        figure.plot.addEventListener('keydown', e => {
            if (!KEYS[e.key] || e.ctrlKey || e.metaKey || e.altKey || !figure.g)
                return;
            e.preventDefault();
            live_region.dataset.figure = String(figures.indexOf(figure));
            KEYS[e.key](figure, e);
        });
    }

    const apart = chart => Math.max(15 * 60000, (chart.base.to - chart.base.from) / 200);

    function peaks_table(chart) {
        const name = metric_of(chart);
        const unit = chart.base.metric(name).unit;
        const peaks = V.top_peaks(chart, name, 10, apart(chart));
        const least = peaks.length ? .2 * chart.base.metric(name).total[peaks[0]] : 0;
        const rows = peaks.filter(i => chart.base.metric(name).total[i] >= least).map(i => {
            const s = V.peak_sample(chart, name, i);
            const go = V.el('button', { type: 'button', class: 'link', onclick: () => view.show(s.from + 1) }, V.stretch(s.from, s.to));
            return [go, V.exact(s.read), V.exact(s.write), [V.grade(V.grade_of(s.state)), ' ', V.exact(s.total)],
                s.ceiling ? V.word(s.ceiling.name) : '-', s.ceiling ? V.exact(s.ceiling.value) : '-', s.ceiling ? V.pct(100 * s.total / s.ceiling.value) : '-'];
        });
        if (!rows.length)
            return V.el('p', { class: 'note' }, 'Nothing was measured.');
        return V.table(`Highest peaks of ${title_of(chart)}, at least ${V.duration(apart(chart) / 1000)} apart`, [
            { head: 'Time (UTC)' }, { head: 'Read', unit, number: true }, { head: 'Write', unit, number: true }, { head: 'Total', unit, number: true },
            { head: 'Ceiling' }, { head: 'Ceiling', unit, number: true }, { head: 'Used', unit: '%', number: true }], rows);
    }

    /* The table is made when it is unfolded. */
    function tell_peaks(figure) {
        if (figure.details.open && !figure.details.querySelector('summary ~ *'))
            figure.details.append(peaks_table(figure.chart));
    }

    function fill_text(figure) {
        const chart = figure.chart, name = metric_of(chart);
        figure.unit.textContent = `${TITLES[name] || V.word(name)}, ${chart.base.metric(name).unit}`;
        figure.text.textContent = sentence(chart, name);
        figure.details.replaceChildren(V.el('summary', {}, 'Highest peaks as a table'));
        tell_peaks(figure);
        figure.plot.setAttribute('aria-label', `Chart of ${title_of(chart)}: ${figure.text.textContent} Arrow keys read values, plus and minus zoom.`);
    }

    function make_figure(chart, index) {
        const f = {
            chart, unit: V.el('span', { class: 'unit' }), text: V.el('p', { class: 'says', id: 'says-' + index }),
            readout: V.el('p', { class: 'readout', 'aria-hidden': 'true' }), details: V.el('details', { class: 'peaks' }),
            line: V.el('div', { class: 'cursor', hidden: true }), brush: V.el('div', { class: 'brush', hidden: true }),
            plot: V.el('div', { class: 'plot', tabindex: '0', role: 'group', 'aria-roledescription': 'chart' })
        };
        const role = chart.kind === 'host' ? 'all volumes together' : chart.role;
        f.node = V.el('figure', { class: 'chart', id: 'chart-' + index },
            V.el('figcaption', {}, V.el('h3', {}, title_of(chart), ' ', V.el('span', { class: 'role' }, role || ''), ' ', f.unit), f.text),
            V.el('div', { class: 'frame' }, f.plot), f.readout, f.details);
        f.details.addEventListener('toggle', () => tell_peaks(f));
        pointers(f);
        keys(f);
        fill_text(f);
        return f;
    }

    const watcher = new IntersectionObserver(entries => {
        for (const e of entries)
            if (e.isIntersecting)
                ensure(figures.find(f => f.plot === e.target));
    }, { rootMargin: '300px' });

    function ensure(figure) {
        if (!figure)
            return;
        watcher.unobserve(figure.plot);
        if (!figure.g)
            make_graph(figure);
        else if (figure.stale)
            redraw(figure);
    }

    function in_sight(node) {
        const box = node.getBoundingClientRect();
        return box.width > 0 && box.bottom > 0 && box.top < innerHeight;
    }

    const of_today = chart => chart.ceilings.filter(c => c.whose === 'today');
    const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

    /* The same load under other ceilings: what is out of sight is drawn when it comes into sight. */
    function renew(figure, chart) {
        const before = Object.assign({}, figure.chart);
        figure.chart.ceilings = chart.ceilings;
        if (same(before.ceilings, chart.ceilings))
            return;
        if (!same(of_today(before), of_today(chart)))
            fill_text(figure);
        if (figure.g && in_sight(figure.plot)) {
            redraw(figure);
        } else if (figure.g) {
            figure.stale = true;
            watcher.observe(figure.plot);
        }
    }

    /* A load that is drawn already stays; else the figures of the old are taken down, their place in the page is kept. */
    function render(place_in, series, region) {
        const charts = V.unpack_charts(series);
        live_region = region;
        if (charts.length && charts.length === figures.length && charts.every((c, i) => c.base === figures[i].chart.base)) {
            charts.forEach((c, i) => renew(figures[i], c));
            return;
        }
        watcher.disconnect();
        figures.splice(0).forEach(f => f.g && f.g.destroy());
        charts.forEach((chart, i) => figures.push(make_figure(chart, i)));
        place_in.replaceChildren(...figures.map(f => f.node));
        for (const f of figures)
            if (in_sight(f.plot))
                make_graph(f);
            else
                watcher.observe(f.plot);
    }

    /* Finer levels for the stretch in sight, in place of those it overlaps. */
    function refine(packed) {
        for (const p of packed) {
            const f = figures.find(one => one.chart.name === p.name && one.chart.kind === p.kind);
            if (!f)
                continue;
            const level = V.unpack_level(p);
            f.chart.details = f.chart.details.filter(d => d.to <= level.from || d.from >= level.to).concat(level).sort((a, b) => a.from - b.from);
            redraw(f);
        }
    }

    view.listen(what => {
        for (const f of figures) {
            if (what === 'choice')
                fill_text(f);
            if (what.startsWith('cursor'))
                set_readout(f);
            else
                redraw(f);
        }
        if (what === 'cursor-said')
            say(figures[Number(live_region.dataset.figure || 0)] || figures[0]);
    });

    function repaint() {
        figures.forEach(redraw);
    }

    /* A canvas that was drawn a moment ago comes out blank on paper; a picture of it does not. */
    function picture_of(figure) {
        const canvas = figure.plot.querySelector('canvas');
        figure.picture = V.el('img', { src: canvas.toDataURL(), alt: '', width: canvas.clientWidth, height: canvas.clientHeight, class: 'paper' });
        canvas.before(figure.picture);
    }

    /* Paper has its own width (.printing), and light colours. */
    function for_print(on) {
        document.documentElement.classList.toggle('printing', on);
        for (const f of figures) {
            ensure(f);
            f.g.updateOptions({ pixelRatio: on ? 2 : null }, true);
            f.g.resize();
            redraw(f);
            if (on)
                picture_of(f);
            else if (f.picture)
                f.picture.remove();
        }
    }

    window.addEventListener('beforeprint', () => for_print(true));
    window.addEventListener('afterprint', () => for_print(false));
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint);

    Object.assign(V, { render_charts: render, refine, figures, metric_of, chart_of: name => figures.find(f => f.chart.name === name) });
})(volplan);
