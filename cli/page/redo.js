/* cli/page/redo.js - the path of the redo as a picture: who writes it, from where each standby reads it.
 *
 * Bands are as wide as what flows: the redo rate R into the log buffer and the members, and out of the three places
 * the copies that standbys read (buffer, online log, archived log).  A wide page has the standbys at the right, a
 * narrow one below. */
'use strict';
(function (V) {
    const PLACES = [
        { key: 'buffer', copies: 'buffer_copies', title: 'Log buffer', colour: 'buffer' },
        { key: 'online', copies: 'online_copies', title: 'Online logs', colour: 'read' },
        { key: 'archive', copies: 'archived_copies', title: 'Archived logs', colour: 'write' }];

    function places(cal) {
        const all = PLACES.reduce((sum, p) => sum + (cal[p.copies] || 0), 0);
        return PLACES.map(p => Object.assign({}, p, {
            n: cal[p.copies] || 0, mibps: (cal[p.copies] || 0) * cal.redo_mibps, pct: all ? 100 * (cal[p.copies] || 0) / all : 0
        }));
    }

    function text(x, y, words, css, anchor) {
        return V.el('svg:text', { x, y, class: css || null, 'text-anchor': anchor || null }, words);
    }

    function box(x, y, w, h, css) {
        return V.el('svg:rect', { x, y, width: w, height: h, rx: 6, class: css });
    }

    /* A band from (x0, y0..y0+w) to (x1, y1..y1+w), running right. */
    function band(x0, y0, x1, y1, w, css) {
        const m = (x0 + x1) / 2;
        return V.el('svg:path', { class: 'band ' + css, d: `M${x0},${y0}C${m},${y0} ${m},${y1} ${x1},${y1}V${y1 + w}C${m},${y1 + w} ${m},${y0 + w} ${x0},${y0 + w}Z` });
    }

    const standby_note = s => [s.via ? `behind ${s.via}` : s.mode || 'async', V.known(s.network_mbps) ? `${V.rate(s.network_mbps)} Mbit/s` : null].filter(Boolean).join(' \u00b7 ');

    /* Direct standbys in order, each followed by those that cascade from it. */
    function ordered(standbys) {
        const out = [];
        const add = (via, depth) => standbys.filter(s => (s.via || null) === via).forEach(s => {
            if (out.some(o => o.s === s))
                return;
            out.push({ s, depth });
            add(s.name, depth + 1);
        });
        add(null, 0);
        standbys.filter(s => !out.some(o => o.s === s)).forEach(s => out.push({ s, depth: 0 }));
        return out;
    }

    function named(cal, groups) {
        const redo = groups.filter(g => g.role === 'redo').map(g => g.name);
        const archive = groups.filter(g => g.role === 'archive').map(g => g.name);
        return { online: redo.join(', '), archive: archive.join(', '), buffer: 'memory of the instance' };
    }

    /* An arrow downward from one place to the next, and what flows there. */
    function down(x, y0, y1, words) {
        return [V.el('svg:path', { class: 'flow', d: `M${x - 4},${y0}V${y1 - 9}H${x - 9}L${x},${y1}L${x + 9},${y1 - 9}H${x + 4}V${y0}Z` }),
            text(x + 16, (y0 + y1) / 2 + 4, words, 'soft')];
    }

    function place_box(p, x, y, w, h, cal, names) {
        return [box(x, y, w, h, 'node ' + p.colour), text(x + 14, y + 23, p.title, 'strong'), text(x + w - 14, y + 23, V.pct(p.pct) + ' %', 'strong', 'end'),
            text(x + 14, y + 43, names[p.key], 'soft'), text(x + 14, y + 62, `${V.rate(p.mibps)} MiB/s read, ${V.fixed(p.n, 2)} copies`)];
    }

    /* Places down the middle, redo coming in at the left, standbys at the right. */
    function wide(cal, standbys, names) {
        const list = ordered(standbys), direct = list.filter(o => !o.s.via);
        const row = 36, h = 76, gap = 38, left = 212, w = 232, right = 690;
        const height = Math.max(3 * h + 2 * gap + 4, list.length * row);
        const top = (height - 3 * h - 2 * gap) / 2, list_top = (height - list.length * row) / 2;
        const all = places(cal);
        const most = Math.max(...all.map(p => p.mibps), cal.redo_mibps, 1e-9);
        const scale = h * .82 / most, share = (row - 12) / 3;
        const svg = V.el('svg:svg', { viewBox: `0 0 960 ${height}`, class: 'redo wide', 'aria-hidden': 'true' });
        const thick = Math.max(3, cal.redo_mibps * scale);
        svg.append(band(132, top + h / 2 - thick / 2, left, top + h / 2 - thick / 2, thick, 'flow'));
        all.forEach((p, i) => {
            const y = top + i * (h + gap), each = p.mibps * scale / Math.max(1, direct.length);
            direct.forEach((o, k) => {
                const thin = Math.min(share, each);
                const to = list_top + list.indexOf(o) * row + 6 + i * share + (share - thin) / 2;
                svg.append(band(left + w, y + h / 2 - p.mibps * scale / 2 + k * each, right, to, Math.max(.75, thin), p.colour));
            });
            svg.append(...place_box(p, left, y, w, h, cal, names));
        });
        svg.append(box(0, top, 132, h, 'node'), text(66, top + 23, 'Redo', 'strong', 'middle'), text(66, top + 43, V.rate(cal.redo_mibps) + ' MiB/s', null, 'middle'),
            text(66, top + 62, V.known(cal.redo_peak_mibps) ? `peak ${V.rate(cal.redo_peak_mibps)}` : '', 'soft', 'middle'),
            ...down(left + 30, top + h + 3, top + h + gap - 3, `log writer, to ${V.fixed(cal.members, 0)} members`),
            ...down(left + 30, top + 2 * h + gap + 3, top + 2 * h + 2 * gap - 3, `archiver, ${V.rate(cal.archive_write_mibps)} MiB/s`));
        list.forEach((o, k) => {
            const y = list_top + k * row, x = right + 22 * Math.min(o.depth, 3);
            if (o.depth)
                svg.append(V.el('svg:path', { class: 'via', d: `M${x - 12},${y - 6}V${y + row / 2}H${x}` }));
            svg.append(box(x, y + 3, 959 - x, row - 6, 'node'), text(x + 12, y + row / 2 + 5, o.s.name, 'strong'),
                text(948, y + row / 2 + 4, standby_note(o.s), 'soft', 'end'));
        });
        return svg;
    }

    function narrow(cal, standbys, names) {
        const list = ordered(standbys);
        const svg = V.el('svg:svg', { viewBox: `0 0 350 ${276 + Math.ceil(list.length / 2) * 34}`, class: 'redo narrow', 'aria-hidden': 'true' });
        svg.append(box(0, 0, 350, 34, 'node'), text(12, 22, 'Redo', 'strong'), text(338, 22, V.rate(cal.redo_mibps) + ' MiB/s', null, 'end'));
        const bar = 326;
        places(cal).forEach((p, i) => {
            const y = 48 + i * 68;
            svg.append(box(0, y, 350, 58, 'node ' + p.colour), text(12, y + 20, p.title, 'strong'), text(338, y + 20, V.pct(p.pct) + ' %', 'strong', 'end'),
                text(12, y + 38, `${V.rate(p.mibps)} MiB/s \u00b7 ${names[p.key]}`, 'soft'),
                V.el('svg:rect', { x: 12, y: y + 46, width: Math.max(1, bar * p.pct / 100), height: 6, class: 'band ' + p.colour }));
        });
        svg.append(text(0, 270, 'read by', 'soft'));
        list.forEach((o, k) => {
            const x = (k % 2) * 178, y = 278 + Math.floor(k / 2) * 34;
            svg.append(box(x, y, 172, 28, 'node'), text(x + 10, y + 19, o.s.name, 'strong'), text(x + 162, y + 19, o.s.via ? 'behind ' + o.s.via : o.s.mode || '', 'soft', 'end'));
        });
        return svg;
    }

    function says(cal, standbys) {
        const p = places(cal);
        const from = p.map(one => `${V.pct(one.pct)} % from the ${one.title.toLowerCase()} (${V.rate(one.mibps)} MiB/s)`);
        return `${standbys.length} standby${standbys.length === 1 ? '' : 's'} read the redo of ${V.glyph(cal.grade)} ${V.rate(cal.redo_mibps)} MiB/s (average${cal.begin_time ? ' of ' + V.stretch(Date.parse(cal.begin_time), Date.parse(cal.end_time)) + ' UTC' : ''}): ` +
            from.join(', ') + '. What comes from a log is load on its volumes; what comes from the buffer is not.';
    }

    const range = (x, key) => x ? `${V.rate(x.lower[key])} \u2013 ${V.rate(x.central[key])} \u2013 ${V.rate(x.upper[key])}` : '-';

    function standby_table(standbys) {
        const names = standbys.length ? standbys[0].groups.map(g => g.name) : [];
        const columns = [{ head: 'Standby' }, { head: 'Sends' }, { head: 'Network', unit: 'Mbit/s', number: true },
            ...names.map(n => ({ head: `Reads of ${n}`, unit: 'MiB/s, lower \u2013 central \u2013 upper', number: true })),
            { head: 'Costs here', unit: 'USD/month', number: true }, { head: 'Its own host', unit: 'USD/month', number: true }];
        return V.table('What each standby brings', columns, standbys.map(s => [s.name, s.via ? 'behind ' + s.via : s.mode || '-', V.rate(s.network_mbps),
            ...names.map(n => range(s.groups.find(g => g.name === n), 'read_mibps')), V.usd(s.per_standby_usd), V.usd(s.standby_host ? s.standby_host.total_usd : null)]));
    }

    function effect_table(groups) {
        const cell = x => x ? V.rate(x.total_mibps) : '-';
        return V.table('Load of the groups with these standbys', [{ head: 'Group' }, { head: 'Basis' }, { head: 'Now', unit: 'MiB/s', number: true },
            { head: 'Lower', unit: 'MiB/s', number: true }, { head: 'Central', unit: 'MiB/s', number: true }, { head: 'Upper', unit: 'MiB/s', number: true }],
        groups.map(g => [g.name, g.basis || '-', cell(g.base), cell(g.lower), cell(g.central), cell(g.upper)]));
    }

    function redo(data) {
        const cal = data.redo && data.redo.calibration || data.plan && data.plan.calibration;
        if (!cal || !V.known(cal.redo_mibps))
            return null;
        const standbys = data.redo && data.redo.standbys || [];
        if (cal.feasible === false)
            return [V.el('p', {}, 'The split between buffer, online and archived logs cannot be told: ' + (cal.reason || 'the figures contradict each other') + '.')];
        const names = named(cal, data.plan.groups);
        const parts = [V.el('figure', { class: 'picture' }, wide(cal, standbys, names), narrow(cal, standbys, names),
            V.el('figcaption', {}, says(cal, standbys)))];
        if (standbys.length)
            parts.push(V.more(`${standbys.length} standbys one by one`, standby_table(standbys)));
        if (data.redo && data.redo.groups && data.redo.groups.length)
            parts.push(effect_table(data.redo.groups.filter(g => g.role === 'redo' || g.role === 'archive' || g.base && g.central && g.base.total_mibps !== g.central.total_mibps)));
        return parts;
    }

    V.redo = redo;
})(volplan);
