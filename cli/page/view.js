/* cli/page/view.js - the stretch of time that every chart shows, and the cursor that all share.
 *
 * Whoever zooms tells the view; the view tells every chart. The stretch is kept in the address (#t=from,to),
 * so that it can be mailed. */
'use strict';
(function (V) {
    const LEAST_MS = 60 * 1000;
    const listeners = [];
    const view = { first: 0, last: 0, from: 0, to: 0, cursor: null, metric: 'throughput', scale: 'load' };

    function tell(what) {
        listeners.forEach(f => f(what));
    }

    function clamp(from, to) {
        const whole = view.last - view.first;
        const span = Math.min(whole, Math.max(LEAST_MS, to - from));
        const begin = Math.min(Math.max(view.first, from), view.last - span);
        return [begin, begin + span];
    }

    function set(from, to) {
        const [a, b] = clamp(from, to);
        if (a === view.from && b === view.to)
            return;
        view.from = a;
        view.to = b;
        tell('window');
        V.address.zoomed(zoomed() ? a + ',' + b : null);
    }

    const zoomed = () => view.from !== view.first || view.to !== view.last;
    const reset = () => set(view.first, view.last);

    /* Zooms about the cursor where it is seen, else about the middle. */
    function zoom(factor) {
        const seen = view.cursor !== null && view.cursor >= view.from && view.cursor <= view.to;
        const centre = seen ? view.cursor : (view.from + view.to) / 2;
        set(centre - (centre - view.from) * factor, centre + (view.to - centre) * factor);
    }

    function pan(share) {
        const by = (view.to - view.from) * share;
        set(view.from + by, view.to + by);
    }

    function point(t, said) {
        view.cursor = t;
        tell(said ? 'cursor-said' : 'cursor');
    }

    /* Brings t into sight with some room, no wider than two hours, and puts the cursor there. */
    function show(t) {
        const span = Math.min(view.to - view.from, 2 * 3600 * 1000);
        set(t - span / 2, t + span / 2);
        point(t, true);
    }

    function choose(key, value) {
        if (view[key] === value)
            return;
        view[key] = value;
        tell('choice');
    }

    /* The whole range of new data; a zoom stays where it still fits. */
    function range(first, last) {
        const keep = view.last > 0 && zoomed();
        view.first = first;
        view.last = last;
        const wanted = keep ? [view.from, view.to] : V.address.zoom() || [first, last];
        const fits = wanted[0] < last && wanted[1] > first;
        [view.from, view.to] = fits ? clamp(wanted[0], wanted[1]) : [first, last];
    }

    Object.assign(V, { view: Object.assign(view, { set, reset, zoom, pan, point, show, choose, range, zoomed, listen: f => listeners.push(f) }) });
})(volplan);
