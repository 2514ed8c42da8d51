/* cli/page/live.js - the live page: asks the server anew at each change and draws what it says.
 *
 * What does not change the load (system, time, rules, options of the plan) is asked of /api/report; changes of
 * the load are asked of /api/whatif on top, whose scenario takes the place of the plan. */
'use strict';
(function (V) {
    const CHANGES = ['standbys', 'add-standby', 'drop-standby', 'cascade', 'growth', 'merge-loss', 'redo-block'];
    const MEASURED_ONLY = ['from', 'to'];
    const SOON_MS = 120;
    const POINTS = 1600;
    let systems = [], render = null, asking = null, base = null;

    function address_of(pairs) {
        return pairs.map(([name, value]) => encodeURIComponent(name) + (value === '' ? '' : '=' + encodeURIComponent(value))).join('&');
    }

    async function get(what, pairs) {
        const answer = await fetch(`api/${what}?${address_of(pairs)}`, { signal: asking.signal });
        const object = await answer.json();
        if (!answer.ok)
            throw new Error(object.error || `the server answered ${answer.status}`);
        return { object, command: answer.headers.get('X-Volplan-Command') || object.command || '' };
    }

    /* The report without changes of the load is kept: most changes leave it as it is. */
    async function report(pairs) {
        const key = address_of(pairs);
        if (!base || base.key !== key) {
            const got = await get('report', pairs);
            base = { key, data: got.object, command: got.command || got.object.report.command };
        }
        return base;
    }

    function plan_ceilings(plan, chart) {
        const host = chart.kind === 'host';
        const group = plan.groups.find(g => g.name === chart.name);
        const values = host ? { mb_s: plan.instance.baseline_throughput_mb_s, counted_iops: plan.instance.baseline_iops }
            : group && group.chosen ? { mibps: group.chosen.group_max_throughput_mibps, counted_iops: group.chosen.group_max_iops } : {};
        const names = host ? { mb_s: 'instance_throughput', counted_iops: 'instance_iops' } : { mibps: 'throughput', counted_iops: 'iops' };
        return Object.keys(values).map(metric => ({ metric, name: names[metric], whose: 'plan', what: 'baseline', value: values[metric] }));
    }

    /* The peak of a group with the changes; the average where no peak was measured. */
    function scenario_lines(answer, chart) {
        const mine = answer.groups.filter(g => g.name === chart.name);
        const g = mine.find(one => one.basis === 'peak') || mine[0];
        if (!g || chart.kind === 'host')
            return [];
        return [['mibps', 'total_mibps'], ['counted_iops', 'counted_iops']].flatMap(([metric, key]) => ['central', 'upper'].map(bound => ({
            metric, name: g.basis === 'peak' ? 'peak with the changes' : 'average with the changes', whose: 'whatif', what: bound, value: g[bound][key]
        }))).filter(line => line.what === 'central' || line.value > g.central[line.metric === 'mibps' ? 'total_mibps' : 'counted_iops']);
    }

    function with_lines(series, answer) {
        if (!series || !series.charts)
            return series;
        const whole = { from_ms: series.from_ms, to_ms: series.to_ms };
        const charts = series.charts.map(chart => Object.assign({}, chart, {
            ceilings: chart.ceilings.filter(c => c.whose !== 'plan')
                .concat([...plan_ceilings(answer.scenario, chart), ...scenario_lines(answer, chart)].map(c => Object.assign(c, whole)))
        }));
        return Object.assign({}, series, { charts });
    }

    function changed_data(data, answer) {
        return Object.assign({}, data, {
            plan: answer.scenario, redo: answer, verdict: answer.verdict, series: with_lines(data.series, answer), change: null, changes: answer.changes,
            missing: (data.missing || []).concat({ part: 'change', text: 'The calendar is made for the plan without changes: undo them to see it.' })
        });
    }

    /* The line for a person: text instead of JSON, and the page itself for a report. */
    const for_people = line => line.replace(/ --json$/, /^\S+ report /.test(line) ? ' -o report.html' : '');

    function show(data, line) {
        const command = for_people(line);
        render(Object.assign({}, data, { report: Object.assign({}, data.report, { command }) }));
        V.controls.command(V.command(command));
    }

    async function ask() {
        if (asking)
            asking.abort();
        asking = new AbortController();
        const mine = asking;
        const pairs = V.controls.asked();
        const changes = pairs.filter(p => CHANGES.includes(p[0]));
        const begun = performance.now();
        document.documentElement.classList.add('busy');
        V.controls.status('Planning \u2026');
        try {
            const plain = await report(pairs.filter(p => !CHANGES.includes(p[0])));
            const answer = changes.length ? await get('whatif', pairs.filter(p => !MEASURED_ONLY.includes(p[0]))) : null;
            const answered = performance.now();
            show(answer ? changed_data(plain.data, answer.object) : plain.data, answer ? answer.command : plain.command);
            V.redraw_ms = { planned: answered - begun, drawn: performance.now() - answered };
            V.controls.status(`Planned and drawn in ${V.fixed(performance.now() - begun, 0)} ms.`);
        } catch (e) {
            if (mine === asking)
                V.controls.status(e.name === 'TypeError' ? 'The server does not answer: is volplan serve still running?' : e.message, true);
        } finally {
            if (mine === asking)
                document.documentElement.classList.remove('busy');
        }
    }

    function offer_system() {
        V.controls.offer(systems.find(s => s.system === V.controls.system()) || {});
    }

    function changed(name) {
        if (name === 'system') {
            offer_system();
            V.controls.fill([['system', V.controls.system()]]);
        }
        V.address.asked(address_of(V.controls.asked()));
        clearTimeout(changed.timer);
        changed.timer = setTimeout(ask, SOON_MS);
    }

    function from_address() {
        const pairs = [...V.address.query()];
        V.controls.fill(pairs);
        offer_system();
        V.controls.fill(pairs);
    }

    /* A zoom closer than the envelope shows asks for what was measured there. */
    function finer() {
        clearTimeout(finer.timer);
        finer.timer = setTimeout(async () => {
            const { from, to } = V.view;
            const coarse = V.figures.length && V.figures[0].chart.base;
            if (!coarse || coarse.exact || !V.view.zoomed() || V.bucket(coarse, to - 1) - V.bucket(coarse, from) > POINTS / 4)
                return;
            const iso = ms => new Date(ms).toISOString().replace('.000Z', 'Z');
            const scope = V.controls.asked().filter(p => p[0] === 'system');
            try {
                const answer = await fetch(`api/series?${address_of([...scope, ['from', iso(Math.floor(from))], ['to', iso(Math.ceil(to))], ['points', String(POINTS)]])}`);
                if (answer.ok)
                    V.refine((await answer.json()).charts || []);
            } catch (e) { /* the envelope stays */ }
        }, 200);
    }

    V.live = async function (draw) {
        render = draw;
        document.body.classList.add('live');
        document.head.append(V.el('link', { rel: 'icon', href: 'data:,' }));
        const side = document.getElementById('controls');
        side.hidden = false;
        asking = new AbortController();
        try {
            systems = (await get('systems', [])).object.systems;
        } catch (e) {
            side.replaceChildren(V.el('p', { role: 'alert' }, 'The server does not answer: ' + e.message));
            return;
        }
        side.replaceChildren(V.controls.build(systems, changed));
        from_address();
        window.addEventListener('popstate', () => { from_address(); ask(); });
        V.view.listen(what => { if (what === 'window') finer(); });
        await ask();
    };
})(volplan);
