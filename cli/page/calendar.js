/* cli/page/calendar.js - the ways from today's volumes to the plan: compared, and the best one drawn step by step. */
'use strict';
(function (V) {
    const LABEL = 92, ROW = 26;

    const title_of = way => (way.title || way.name).replace(/_/g, ' ');

    function ways_table(ways) {
        return V.table('Ways from today to the plan, best first', [{ head: 'Way' }, { head: 'Takes', number: true }, { head: 'Moves', unit: 'GiB', number: true },
            { head: 'Paid twice', unit: 'USD', number: true }, { head: 'Database stays up' }],
        ways.map(w => [title_of(w), V.duration(w.totals.hours * 3600), V.fixed(w.moved_gib, 0), V.usd(w.totals.overlap_usd), w.online === false ? 'no' : 'yes']));
    }

    function bars(way) {
        const timed = way.steps.filter(s => s.at).map(s => ({ s, at: Date.parse(s.at), end: Date.parse(s.at) + 1000 * (s.seconds || 0) }));
        const groups = [...new Set(timed.map(b => b.s.group || 'host'))];
        const from = Math.min(...timed.map(b => b.at)), to = Math.max(from + 3600e3, ...timed.map(b => b.end));
        return { timed, groups, from, to };
    }

    /* Round hours or days along the top, at most `most` of them. */
    function ticks(from, to, most) {
        const step = [1, 3, 6, 12, 24, 48, 168, 720].map(h => h * 3600e3).find(s => (to - from) / s <= most) || (to - from);
        const out = [];
        for (let t = Math.ceil(from / step) * step; t <= to; t += step)
            out.push(t);
        return out;
    }

    function gantt(way, width) {
        const { timed, groups, from, to } = bars(way);
        const x = t => LABEL + (width - LABEL - 8) * (t - from) / (to - from);
        const height = 34 + groups.length * ROW;
        const svg = V.el('svg:svg', { viewBox: `0 0 ${width} ${height}`, class: 'gantt ' + (width > 500 ? 'wide' : 'narrow'), 'aria-hidden': 'true' });
        for (const t of ticks(from, to, width > 500 ? 9 : 3))
            svg.append(V.el('svg:path', { class: 'grid', d: `M${x(t)},20V${height}` }), V.el('svg:text', { x: x(t), y: 13, class: 'soft', 'text-anchor': t - from < (to - from) / 20 ? 'start' : 'middle' },
                new Date(t).getUTCHours() ? V.clock(t) : V.day(t).replace(/ \d{4}$/, '')));
        groups.forEach((g, i) => {
            const y = 28 + i * ROW;
            svg.append(V.el('svg:text', { x: 0, y: y + 13, class: 'strong' }, g.length > 11 ? g.slice(0, 10) + '\u2026' : g));
            timed.filter(b => (b.s.group || 'host') === g).forEach(b => {
                svg.append(V.el('svg:rect', { x: x(b.at), y: y + 2, width: Math.max(3, x(b.end) - x(b.at) - 1), height: ROW - 10, rx: 3, class: 'step ' + (b.s.reversible === false ? 'final' : 'open') },
                    V.el('svg:title', {}, `${b.s.n}. ${b.s.action}`)));
            });
        });
        return svg;
    }

    function step_text(s) {
        const notes = [s.risk, s.meanwhile, s.reversible === false ? 'no way back' + (s.back ? ': ' + s.back : '') : s.back ? 'back: ' + s.back : null,
            V.known(s.modification_slots_left) ? `${s.modification_slots_left} changes of this volume left in 24 h` : null].filter(Boolean);
        return [V.el('div', {}, s.action), s.command ? V.more('command', V.el('pre', {}, s.command)) : null,
            notes.length ? V.el('ul', { class: 'notes' }, notes.map(n => V.el('li', {}, n))) : null];
    }

    function steps_table(way) {
        return V.table(`Steps of ${title_of(way)}`, [{ head: 'Step', number: true }, { head: 'Begins (UTC)' }, { head: 'Takes', number: true }, { head: 'Group' }, { head: 'What' }],
            way.steps.map(s => [String(s.n), V.moment(Date.parse(s.at)), s.never_ends ? 'never ends' : V.duration(s.seconds), s.group || '-', step_text(s)]), 'steps');
    }

    function calendar(change) {
        if (!change)
            return null;
        if (!change.ways || !change.ways.length)
            return [V.el('p', {}, change.status === 'none' ? 'No way leads from today\u2019s volumes to the plan.' : 'There is nothing to change: the plan is what runs today.')];
        const best = change.ways[0];
        const end = Date.parse(best.begin || best.steps[0].at) + best.totals.hours * 3600e3;
        return [V.el('p', {}, `The best of ${change.ways.length} ways takes ${V.duration(best.totals.hours * 3600)}, until ${V.moment(end)} UTC when it begins ${V.moment(Date.parse(best.begin || best.steps[0].at))}; ` +
            `the database ${best.online === false ? 'goes down meanwhile' : 'stays up'}.`),
        V.el('figure', { class: 'picture' }, gantt(best, 960), gantt(best, 350), V.el('figcaption', {}, 'Filled bars cannot be taken back; open ones can.')),
        ways_table(change.ways), V.more(`The ${best.steps.length} steps of the best way`, steps_table(best))];
    }

    V.calendar = calendar;
})(volplan);
