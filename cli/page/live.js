/* cli/page/live.js - the live page: asks the server anew at each change and draws what it says.
 *
 * A system and a stretch of time are asked of /api/report. Then each change asks the least that gives the new plan,
 * one request: changes of the load /api/whatif, whose scenario takes the place of the plan, and options of the plan
 * /api/plan. What else hangs on the options (findings, calendar, bill) is asked once nothing more is changed; until
 * then it stands there as late. */
'use strict';
(function (V) {
    const CHANGES = ['standbys', 'add-standby', 'drop-standby', 'cascade', 'growth', 'merge-loss', 'redo-block'];
    const SCOPE = ['system', 'from', 'to'];
    const REST_MS = 500; /* how long nothing is changed before the rest is asked */
    const POINTS = 1600;
    const PARTS_OF_OPTIONS = ['redo', 'findings', 'change', 'bill', 'sources'];
    let systems = [], render = null;
    let base = null; /* the last report: of which system and time (scope), with which options (key) */
    let running = false, again = false, resting = null;

    function address_of(pairs) {
        return pairs.map(([name, value]) => encodeURIComponent(name) + (value === '' ? '' : '=' + encodeURIComponent(value))).join('&');
    }

    async function get(what, pairs, signal) {
        const answer = await fetch(`api/${what}?${address_of(pairs)}`, { signal });
        const text = await answer.text();
        const came = performance.now();
        const object = JSON.parse(text);
        if (!answer.ok)
            throw new Error(object.error || `the server answered ${answer.status}`);
        return { object, came, command: answer.headers.get('X-Volplan-Command') || object.command || '' };
    }

    const without = (pairs, names) => pairs.filter(p => !names.includes(p[0]));
    const scope_of = pairs => address_of(pairs.filter(p => SCOPE.includes(p[0])));
    const key_of = pairs => address_of(without(pairs, CHANGES));

    async function get_base(pairs, signal) {
        const got = await get('report', without(pairs, CHANGES), signal);
        base = { scope: scope_of(pairs), key: key_of(pairs), data: got.object, command: got.command };
        return got.came;
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

    function planned_data(data, plan) {
        return Object.assign({}, data, {
            report: Object.assign({}, data.report, { as_of: plan.as_of, region: plan.region }),
            plan, verdict: plan.verdict, series: with_lines(data.series, { scenario: plan, groups: [] })
        });
    }

    function changed_data(data, answer) {
        return Object.assign({}, data, {
            report: Object.assign({}, data.report, { as_of: answer.scenario.as_of, region: answer.scenario.region }),
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

    /* What is shown of the report at hand with the answer of a change on top (null: as it is). */
    function drawn_from(answer, is_whatif, late) {
        const data = !answer ? base.data : is_whatif ? changed_data(base.data, answer.object) : planned_data(base.data, answer.object);
        const line = !answer ? base.command : is_whatif ? answer.command : answer.command.replace(' plan ', ' report ');
        show(late ? Object.assign({}, data, { late: PARTS_OF_OPTIONS.filter(id => id !== 'redo' || !is_whatif) }) : data, line);
    }

    /* The parts that hang on the options of the plan, once nothing more is changed. */
    function rest_later(pairs, answer) {
        resting = new AbortController();
        const { signal } = resting;
        setTimeout(async () => {
            try {
                if (!signal.aborted) {
                    await get_base(pairs, signal);
                    drawn_from(answer, Boolean(answer), false);
                }
            } catch (e) {
                if (!signal.aborted)
                    V.controls.status(e.message, true);
            }
        }, REST_MS);
    }

    /* Server: until the answer was there; page: until its parts stood; painted: until they were seen. */
    function measure(begun, came) {
        const drawn = performance.now();
        const took = { server: came - begun, page: drawn - came };
        V.controls.status(`Planned and drawn in ${V.fixed(drawn - begun, 0)} ms.`);
        requestAnimationFrame(() => setTimeout(() => { V.redraw_ms = Object.assign(took, { painted: performance.now() - drawn }); }));
    }

    async function ask_once(begun) {
        const pairs = V.controls.asked();
        const is_whatif = pairs.some(p => CHANGES.includes(p[0]));
        if (resting)
            resting.abort();
        let came = begun, answer = null;
        if (!base || base.scope !== scope_of(pairs))
            came = await get_base(pairs);
        const late = base.key !== key_of(pairs);
        if (is_whatif)
            answer = await get('whatif', pairs);
        else if (late)
            answer = await get('plan', pairs);
        if (again)
            return;
        drawn_from(answer, is_whatif, late);
        measure(begun, answer ? answer.came : came);
        if (late)
            rest_later(pairs, is_whatif ? answer : null);
    }

    /* One question after the other: what is changed meanwhile is asked when the answer is there. */
    async function ask() {
        again = true;
        if (running)
            return;
        running = true;
        document.documentElement.classList.add('busy');
        V.controls.status('Planning \u2026');
        while (again) {
            again = false;
            try {
                await ask_once(performance.now());
            } catch (e) {
                if (!again)
                    V.controls.status(e.name === 'TypeError' ? 'The server does not answer: is volplan serve still running?' : e.message, true);
            }
        }
        running = false;
        document.documentElement.classList.remove('busy');
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
        ask();
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
