/* cli/page/page.js - puts the parts together, from the data inlined in a report or fetched by the live page. */
'use strict';
(function (V) {
    const at = id => document.getElementById(id);
    /* Each with what it is made from: it stays while that does. */
    const PARTS = [
        { id: 'plan', of: d => [d.plan, d.series && d.series.from_ms], make: d => d.plan && V.glance(d.plan), todo: 'No plan: load the devices of the disk groups and set a layout (volplan layout --init).' },
        { id: 'options', of: d => [d.plan], make: d => d.plan && V.options(d.plan), todo: 'No options, for there is no plan.' },
        { id: 'redo', of: d => [d.redo, d.plan], make: V.redo, todo: 'The redo path needs an AWR report with IOStat by Filetype: volplan ingest AWRRPT.' },
        { id: 'findings', of: d => [d.diagnose, d.series && d.series.from_ms, d.series && d.series.to_ms], make: d => V.findings(d.diagnose), measured: 'Of the load as it was measured: the changes above are not in it.', todo: 'Nothing was diagnosed: volplan diagnose says what it needs.' },
        { id: 'change', of: d => [d.change], make: d => V.calendar(d.change), todo: 'No change calendar: it needs today\u2019s volumes in the layout (volplan layout).' },
        { id: 'bill', of: d => [d.bill, d.plan], make: V.bill, todo: 'No bill was loaded: volplan ingest takes cost and usage reports and FOCUS exports.', part: true, measured: 'A bill is of the load as it was measured: the changes above are only in what the plan costs.' },
        { id: 'sources', of: d => [d.provenance], make: d => V.provenance(d.provenance), measured: 'Of the plan without the changes above, which the measured figures lead to.', todo: 'No sources are known of these figures.' }];

    function figure(value, unit, label, tone) {
        return V.el('div', { class: 'key ' + (tone || '') }, V.el('dt', {}, label), V.el('dd', {}, V.el('span', { class: 'big' }, value), ' ', V.el('span', { class: 'unit' }, unit)));
    }

    /* Four figures that a manager asks for. */
    function keys(data) {
        const plan = data.plan;
        if (!plan)
            return [];
        const held = plan.groups.filter(g => g.ceiling_s > 0).sort((a, b) => b.ceiling_s - a.ceiling_s)[0];
        const out = [figure(V.usd(plan.today_usd), 'USD/month', 'Volumes today'), figure(V.usd(plan.total_usd), 'USD/month', 'Volumes in the plan')];
        if (V.known(plan.today_usd) && V.known(plan.total_usd)) {
            const less = V.usd_less(plan.today_usd, plan.total_usd);
            out.push(figure(V.usd(Math.abs(less)), 'USD/month', less >= 0 ? 'Saved' : 'More to pay', less >= 0 ? 'good' : 'bad'));
        }
        out.push(held ? figure(V.fixed(held.ceiling_s / 60, 0), 'minutes', `${held.name} at its ceiling`, 'bad') : figure('0', 'minutes', 'at a ceiling', 'good'));
        return out;
    }

    function head(data) {
        const r = data.report;
        at('system').textContent = r.system || 'volplan';
        const parts = [r.host_type, r.from && r.to ? V.stretch(Date.parse(r.from), Date.parse(r.to)) + ' UTC' : null, r.region,
            r.as_of ? `rules of ${r.as_of}` : null, data.plan && data.plan.price_as_of ? `prices of ${data.plan.price_as_of}` : null];
        at('about').textContent = parts.filter(Boolean).join(' \u00b7 ');
        at('verdict').replaceChildren(...(data.verdict || []).map(s => V.el('p', {}, V.tidy(s))));
        at('keys').replaceChildren(...keys(data));
        document.title = `${r.system || ''}: volplan report`;
        at('made').textContent = `Made by volplan ${r.version || ''}${r.made ? ' on ' + r.made : ''}.`;
        at('command').replaceChildren(...(r.command ? [V.el('p', {}, 'The same on the command line:'), V.command(r.command)] : []));
    }

    const sentence = text => V.tidy(text.charAt(0).toUpperCase() + text.slice(1));

    function missing(data, id) {
        return (data.missing || []).filter(m => m.part === id || m.part === (id === 'sources' ? 'provenance' : id)).map(m => V.el('p', { class: 'missing' }, sentence(m.text)));
    }

    const drawn_of = new Map();

    /* Whether a part was drawn from other data than these. */
    function is_new(data, part, said) {
        const now = [...part.of(data), Boolean(data.changes), ...said.map(p => p.textContent)], before = drawn_of.get(part.id);
        drawn_of.set(part.id, now);
        return !before || before.length !== now.length || now.some((x, i) => x !== before[i]);
    }

    function section(data, part) {
        const said = missing(data, part.id);
        const late = (data.late || []).includes(part.id);
        at(part.id).classList.toggle('late', late);
        at(part.id).setAttribute('aria-busy', String(late));
        if (!is_new(data, part, said))
            return;
        const made = [part.make(data)].flat().filter(Boolean);
        if (data.changes && part.measured)
            made.unshift(V.el('p', { class: 'note' }, part.measured));
        if (!said.length && (!made.length || part.part && !data[part.id]))
            said.push(V.el('p', { class: 'missing' }, part.todo));
        at(part.id).querySelector('.body').replaceChildren(...made, ...said);
    }

    function legend(changed) {
        const unsplit = V.figures.some(f => f.chart.base.metric(V.metric_of(f.chart)).unsplit.some(v => v > 0));
        legend.changed = changed;
        V.legend(at('legend'), [changed ? 'changes' : '', unsplit ? 'unsplit' : '']);
    }

    function loads(data) {
        const s = data.series;
        const given = s && s.charts && s.charts.length;
        at('load').querySelector('.tools').hidden = !given;
        at('keys-help').hidden = !given;
        if (given)
            V.view.range(s.from_ms, s.to_ms);
        V.render_charts(at('charts'), given ? s : null, at('said'));
        if (!given)
            at('charts').replaceChildren(...missing(data, 'series').concat(V.el('p', { class: 'missing' }, 'No load over time is in the store: volplan ingest takes iostat, sar, nmon, CloudWatch and more.')).slice(0, 1));
        legend(Boolean(data.changes));
        window_text();
    }

    function window_text() {
        at('window').textContent = V.stretch(V.view.from, V.view.to) + ' UTC';
        at('reset').disabled = !V.view.zoomed();
    }

    /* What a reader unfolded stays so when the page is drawn anew. */
    function fold_name(details) {
        const owner = details.parentElement.closest('figure, details.group');
        const head = owner && owner.querySelector('h3'), summary = details.querySelector('summary');
        return [details.closest('section').id, head ? head.textContent : '', (summary.querySelector('h3') || summary).textContent].join('\n');
    }

    function render(data) {
        const all = () => [...document.querySelectorAll('main details')];
        const before = new Map(all().map(d => [fold_name(d), d.open]));
        document.body.classList.add('drawn');
        head(data);
        loads(data);
        PARTS.forEach(part => section(data, part));
        all().forEach(d => { d.open = before.has(fold_name(d)) ? before.get(fold_name(d)) : d.open; });
    }

    function press(group, key) {
        for (const b of at(group).querySelectorAll('button'))
            b.setAttribute('aria-pressed', String(b.value === V.view[key]));
    }

    function tools() {
        const on = (id, act) => at(id).addEventListener('click', act);
        on('zoom-in', () => V.view.zoom(.5));
        on('zoom-out', () => V.view.zoom(2));
        on('earlier', () => V.view.pan(-.5));
        on('later', () => V.view.pan(.5));
        on('reset', V.view.reset);
        for (const [group, key] of [['metric', 'metric'], ['scale', 'scale']]) {
            at(group).addEventListener('click', e => {
                if (e.target.value) {
                    V.view.choose(key, e.target.value);
                    press(group, key);
                }
            });
            press(group, key);
        }
        V.view.listen(what => {
            if (what === 'window')
                window_text();
            if (what === 'choice')
                legend(legend.changed);
        });
    }

    /* Folded parts that paper has too: the options of each group, the steps of the change, the sources. */
    const ON_PAPER = ['details.group', '#change .body > details', '#sources .body > details'];

    function folds() {
        let closed = [];
        window.addEventListener('beforeprint', () => {
            closed = [...document.querySelectorAll(ON_PAPER.map(d => d + ':not([open])').join())];
            closed.forEach(d => { d.open = true; });
        });
        window.addEventListener('afterprint', () => closed.forEach(d => { d.open = false; }));
    }

    function start() {
        const data = JSON.parse(at('volplan-data').textContent);
        tools();
        folds();
        if (data.report && data.report.live)
            V.live(render);
        else
            render(data);
        document.documentElement.dataset.ready = '1';
    }

    V.start = start;
})(volplan);

volplan.start();
