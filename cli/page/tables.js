/* cli/page/tables.js - tables: one builder, the plan at a glance, the options that were weighed. */
'use strict';
(function (V) {
    /* columns: { head, unit, number }; rows: arrays of cells, each a string, an element or a list of both.
     * On a narrow page a row becomes a card: every cell carries its heading, and the roles keep it a table. */
    function table(caption, columns, rows, name) {
        const head = c => [c.head, c.unit ? V.el('span', { class: 'unit' }, ' ' + c.unit) : null];
        const cell = (value, c, i) => V.el(i === 0 ? 'th' : 'td', {
            role: i === 0 ? 'rowheader' : 'cell', scope: i === 0 ? 'row' : null, class: c.number ? 'number' : null,
            'data-head': c.unit ? `${c.head} ${c.unit}` : c.head
        }, V.el('span', { class: 'cell' }, [value].flat()));
        return V.el('div', { class: 'scroll' + (name ? ' ' + name : '') },
            V.el('table', { role: 'table' }, V.el('caption', {}, caption),
                V.el('thead', { role: 'rowgroup' }, V.el('tr', { role: 'row' },
                    columns.map(c => V.el('th', { role: 'columnheader', scope: 'col', class: c.number ? 'number' : null }, head(c))))),
                V.el('tbody', { role: 'rowgroup' }, rows.map(r => V.el('tr', { role: 'row' }, r.map((v, i) => cell(v, columns[i], i)))))));
    }

    const same_spec = (a, b) => Boolean(a && b) && ['volume_type', 'count', 'size_gib', 'iops', 'throughput_mibps'].every(k => a[k] === b[k]);

    /* The smallest headroom that counts: size is bought, not carried. */
    function headroom(chosen) {
        const all = Object.entries(chosen.headroom_pct || {}).filter(([k, v]) => k !== 'size' && V.known(v)).map(e => e[1]);
        return all.length ? Math.min(...all) : null;
    }

    function ceiling_words(group) {
        if (group.censored_by && group.censored_by.length)
            return group.censored_by.map(V.word).join(', ');
        return '-';
    }

    function glance_row(g) {
        const kept = g.chosen && (g.chosen.kept || same_spec(g.chosen, g.today));
        const room = g.chosen ? headroom(g.chosen) : null;
        const chart = V.chart_of(g.name);
        const name = chart ? V.el('a', { href: '#' + chart.node.id }, g.name) : g.name;
        return [name, V.spec(g.today), V.known(g.demand.total_mibps) ? [V.grade(g.demand.grade), ' ', V.rate(g.demand.total_mibps)] : '-', ceiling_words(g),
            g.chosen ? kept ? 'keep' : V.spec(g.chosen) : 'none carries it', V.usd(g.today ? g.today.total_usd : null),
            V.usd(g.chosen ? g.chosen.total_usd : null), room === null ? '-' : room > 999 ? '> 999' : (g.lower_bound ? '\u2264 ' : '') + V.pct(room)];
    }

    /* The host's line is in decimal MB/s, so it stands below the table, not in a column of MiB/s. */
    function host_line(host) {
        if (!host || !host.type)
            return null;
        const verdicts = { fits: 'carries it', too_small: 'is too small', fits_by_burst: 'carries it by its burst' };
        const text = [`The instance ${host.type} ${verdicts[host.verdict] || V.word(host.verdict)}: `, V.grade(host.grade),
            ` ${V.rate(host.demand_mb_s)} of ${V.rate(host.baseline_throughput_mb_s)} MB/s at the peak of all groups together, ` +
            `${V.fixed(host.demand_iops, 0)} of ${V.fixed(host.baseline_iops, 0)} IOPS, ${host.attachments} of ${host.max_attachments} attachments.`];
        if (host.larger_type)
            text.push(` ${host.larger_of_family ? host.larger_of_family + ' is the cheapest of its family that holds, ' : ''}${host.larger_type} the cheapest of all.`);
        return V.el('p', { class: 'host' }, text);
    }

    function glance(plan) {
        const rows = plan.groups.map(glance_row);
        rows.push(['Together', '', '', '', '', V.usd(plan.today_usd), V.usd(plan.total_usd), '']);
        return [table('Each disk group today and in the plan', [
            { head: 'Group' }, { head: 'Today' }, { head: 'Peak', unit: 'MiB/s', number: true }, { head: 'Held at' }, { head: 'Plan' },
            { head: 'Today', unit: 'USD/month', number: true }, { head: 'Plan', unit: 'USD/month', number: true },
            { head: 'Headroom', unit: '%', number: true }], rows, 'glance'), host_line(plan.instance)];
    }

    const OPTION_COLUMNS = [{ head: 'Volumes' }, { head: 'Carries', unit: 'MiB/s', number: true }, { head: 'Carries', unit: 'IOPS', number: true },
        { head: 'Headroom', unit: '%', number: true }, { head: 'Latency' }, { head: 'USD/month', number: true }, { head: 'Why not' }];

    /* Options rank by price and a charge for each volume more. */
    function beaten_by(option, chosen) {
        const dearer = option.total_usd - chosen.total_usd, charge = option.rank_usd - option.total_usd;
        if (dearer >= .005)
            return `${V.usd(dearer)} dearer` + (option.count > chosen.count ? ', more volumes' : '');
        if (charge > 0)
            return (dearer <= -.005 ? `${V.usd(-dearer)} cheaper` : 'same price') + `, but more volumes (counted ${V.usd(charge)})`;
        return 'same price, ranks lower';
    }

    function option_row(option, chosen) {
        const room = headroom(option);
        const why = option === chosen ? V.el('strong', {}, 'chosen') : beaten_by(option, chosen);
        return [V.spec(option), V.rate(option.group_max_throughput_mibps), V.fixed(option.group_max_iops, 0), V.pct(room),
            option.latency_class || '-', V.usd(option.total_usd), why];
    }

    /* "iops: needs 2 400, has 501"; what it would cost so that it does. */
    function why_not(r) {
        const need = V.known(r.needed) ? `${V.word(r.ceiling)}: needs ${V.rate(r.needed)}, has ${V.rate(r.offered)}` : V.word(r.ceiling);
        return V.known(r.meets_at_usd) ? `${need}; ${V.usd(r.meets_at_usd)} USD/month would do` : need;
    }

    const count_of = r => r.count > 1 || !/^\d+ x /.test(r.spec) ? r.spec.replace(/^(\d+) x /, '$1 \u00d7 ').replace(/^(?!\d+ \u00d7)/, '1 \u00d7 ') : r.spec;

    function other_rows(others) {
        return others.map(o => [V.word(o.source), o.volume_id || '-', o.spec || '-', V.usd(o.total_usd)]);
    }

    const SHOWN = 4;
    const more = (summary, node) => V.el('details', { class: 'more' }, V.el('summary', {}, summary), node);

    function options_of(group) {
        const chosen = group.chosen;
        const parts = [];
        if (chosen) {
            const all = [chosen, ...(group.alternatives || [])];
            parts.push(table(`What carries ${group.name}, cheapest first`, OPTION_COLUMNS, all.slice(0, SHOWN).map(o => option_row(o, chosen))));
            if (chosen.risk)
                parts.push(V.el('p', { class: 'note' }, 'Risk of the chosen: ' + chosen.risk + '.'));
            if (all.length > SHOWN)
                parts.push(more(`${all.length - SHOWN} more that carry it`, table(`More that carry ${group.name}`, OPTION_COLUMNS, all.slice(SHOWN).map(o => option_row(o, chosen)))));
        }
        if (group.steps_up && group.steps_up.length)
            parts.push(table(`${group.name} was measured at a ceiling: steps up to find its true peak`, [{ head: 'Step' }, { head: 'Carries', unit: 'MiB/s', number: true },
                { head: 'USD/month', number: true }, { head: 'Stop when' }], group.steps_up.map(s => [V.tidy(s.spec), V.rate(s.carries_mibps), V.usd(s.total_usd), V.tidy(s.stop_when)])));
        if (group.others && group.others.length)
            parts.push(table(`What other advisers say of ${group.name}`, [{ head: 'Adviser' }, { head: 'Volume' }, { head: 'Advice' }, { head: 'USD/month', number: true }], other_rows(group.others)));
        const lost = group.rejected || [];
        if (lost.length)
            parts.push(more(`${lost.length} that do not carry it, and why`, table(`Rejected for ${group.name}`, [{ head: 'Volumes' }, { head: 'Why not' }],
                lost.map(r => [V.tidy(count_of(r)), why_not(r)]))));
        return parts;
    }

    function options(plan) {
        return plan.groups.map((g, i) => V.el('details', { class: 'group', open: i === 0 },
            V.el('summary', {}, V.el('h3', {}, g.name), V.el('span', { class: 'gist' }, g.chosen ? `${V.spec(g.chosen)}, ${V.usd(g.chosen.total_usd)} USD a month` : 'nothing carries it')),
            options_of(g)));
    }

    Object.assign(V, { table, glance, options, more });
})(volplan);
