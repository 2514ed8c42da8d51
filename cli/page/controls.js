/* cli/page/controls.js - the form of the live page: what may be changed, as options of volplan and back.
 *
 * The form's state is a list of [option, value] in the words of the command line; the address holds the same. */
'use strict';
(function (V) {
    const TYPES = ['gp3', 'gp2', 'io2', 'io1', 'st1', 'sc1'];
    const SIMPLE = ['system', 'from', 'to', 'as-of', 'instance', 'headroom', 'growth', 'redo-block', 'standbys'];
    const form = { node: null, standbys: null, known: [], dropped: new Set(), via: new Map(), links: new Map(), added: [], changed: () => {} };
    const field = name => form.node.elements.namedItem(name);

    function label(words, control, over) {
        return V.el('label', { class: over ? 'over' : null }, words, control);
    }

    function number(name, place, step, least) {
        return V.el('input', { type: 'number', name, placeholder: place, step: step || 'any', min: least === undefined ? 0 : least, inputmode: 'decimal' });
    }

    function select(name, options) {
        return V.el('select', { name }, options.map(([value, words]) => V.el('option', { value }, words)));
    }

    /* "dr3:send=60,rtt=80" -> { name, send, rtt }, and back. */
    function parse_standby(text) {
        const [name, options] = text.split(/:(.*)/s);
        return Object.assign({ name }, Object.fromEntries((options || '').split(',').filter(Boolean).map(o => o.split('='))));
    }

    function standby_text(s) {
        const options = Object.entries(s).filter(([key, value]) => key !== 'name' && value).map(o => o.join('='));
        return options.length ? `${s.name}:${options.join(',')}` : s.name;
    }

    const all_names = () => [...form.known, ...form.added.map(s => s.name)];

    /* Who feeds a standby: the primary or another. */
    function feeder(name) {
        const others = all_names().filter(n => n !== name && !form.dropped.has(n));
        const feed = V.el('select', { 'aria-label': `${name} is fed by`, disabled: form.dropped.has(name) },
            V.el('option', { value: '' }, 'primary'), others.map(n => V.el('option', { value: n }, n)));
        feed.value = form.via.get(name) || '';
        feed.addEventListener('change', () => {
            if (feed.value)
                form.via.set(name, feed.value);
            else
                form.via.delete(name);
            form.changed();
        });
        return feed;
    }

    /* The speed of the line to a standby: of one in the layout, by dropping it and adding it anew. */
    function link(name) {
        const own = form.added.find(s => s.name === name);
        const input = V.el('input', { type: 'number', min: 0, step: 'any', placeholder: 'MiB/s', 'aria-label': `Line to ${name}, MiB/s`, disabled: form.dropped.has(name) });
        input.value = (own ? own.send : form.links.get(name)) || '';
        input.addEventListener('change', () => {
            if (own)
                own.send = input.value;
            else if (input.value)
                form.links.set(name, input.value);
            else
                form.links.delete(name);
            form.changed();
        });
        return input;
    }

    function standby_row(name) {
        const gone = form.dropped.has(name);
        const drop = V.el('button', { type: 'button', class: 'small', 'aria-pressed': String(gone), 'aria-label': `${gone ? 'Keep' : 'Drop'} ${name}`, onclick: () => toggle(name) }, gone ? 'Keep' : 'Drop');
        return V.el('li', { class: gone ? 'gone' : null, 'data-name': name }, V.el('span', { class: 'name', title: name }, name), link(name), feeder(name), drop);
    }

    function toggle(name) {
        const own = form.added.findIndex(s => s.name === name);
        if (own >= 0)
            form.added.splice(own, 1);
        else if (!form.dropped.delete(name))
            form.dropped.add(name);
        form.links.delete(name);
        form.via.delete(name);
        for (const [who, via] of form.via)
            if (via === name)
                form.via.delete(who);
        list_standbys();
        (form.standbys.querySelector(`[data-name="${CSS.escape(name)}"] button`) || form.node.querySelector('#add-standby')).focus();
        form.changed();
    }

    function list_standbys() {
        form.standbys.replaceChildren(...all_names().map(standby_row));
    }

    function add_standby() {
        const name = field('new-name').value.trim() || free_name();
        form.added.push({ name, send: field('new-send').value, rtt: field('new-rtt').value });
        field('new-name').value = '';
        list_standbys();
        form.changed();
    }

    function free_name() {
        let n = 1;
        while (all_names().includes('new' + n))
            n++;
        return 'new' + n;
    }

    function scope_fields() {
        return V.el('fieldset', {}, V.el('legend', {}, 'System'),
            label('System', select('system', [])), label('From (UTC)', V.el('input', { type: 'datetime-local', name: 'from', step: 60 }), true),
            label('To (UTC)', V.el('input', { type: 'datetime-local', name: 'to', step: 60 }), true),
            label('Rules and prices of', V.el('input', { type: 'date', name: 'as-of' }), true));
    }

    function standby_fields() {
        form.standbys = V.el('ul', { id: 'standbys' });
        return V.el('fieldset', {}, V.el('legend', {}, 'Standbys'), form.standbys, label('Standbys in all', number('standbys', 'as listed', 1)),
            label('Add: name', V.el('input', { type: 'text', name: 'new-name', placeholder: 'new1', maxlength: 30 })),
            label('Link, MiB/s', number('new-send', 'any')), label('Round trip, ms', number('new-rtt', 'any')),
            V.el('button', { type: 'button', class: 'small', id: 'add-standby', onclick: add_standby }, 'Add standby'));
    }

    function load_fields() {
        return V.el('fieldset', {}, V.el('legend', {}, 'Load'), label('Growth, %', number('growth', '0', 'any', -99)),
            label('Merge loss', select('merge-loss', [])),
            label('Redo block', select('redo-block', [['', 'as it is'], ['512', '512 B'], ['1024', '1 KiB'], ['4096', '4 KiB']])));
    }

    function plan_fields() {
        return V.el('fieldset', {}, V.el('legend', {}, 'Plan'), label('Headroom, %', number('headroom', '20')),
            label('Instance', V.el('input', { type: 'text', name: 'instance', placeholder: 'as it is', spellcheck: 'false', maxlength: 40 })),
            V.el('div', { class: 'types', role: 'group', 'aria-label': 'Allowed volume types; none ticked: the policy of each group' },
                TYPES.map(t => V.el('label', {}, V.el('input', { type: 'checkbox', name: 'types', value: t }), t))));
    }

    /* What is asked, in the words of the command line. */
    function asked() {
        const out = [];
        for (const name of SIMPLE) {
            const value = field(name).value.trim();
            if (value)
                out.push([name, name === 'from' || name === 'to' ? value + (value.length === 16 ? ':00Z' : 'Z') : value]);
        }
        const types = [...form.node.querySelectorAll('[name=types]:checked')].map(b => b.value);
        if (types.length)
            out.push(['types', types.join(',')]);
        if (field('merge-loss').value)
            out.push(['merge-loss', field('merge-loss').value === '*' ? '' : field('merge-loss').value]);
        form.dropped.forEach(n => out.push(['drop-standby', n]));
        form.links.forEach((send, name) => out.push(['drop-standby', name], ['add-standby', standby_text({ name, send })]));
        form.added.forEach(s => out.push(['add-standby', standby_text(s)]));
        form.via.forEach((via, name) => out.push(['cascade', `${name}=${via}`]));
        return out;
    }

    function fill(pairs) {
        const one = name => (pairs.find(p => p[0] === name) || [])[1];
        const many = name => pairs.filter(p => p[0] === name).map(p => p[1]);
        const system = one('system'); /* one that is not there is asked for too: the server says so */
        if (system && ![...field('system').options].some(o => o.value === system))
            field('system').append(V.el('option', { value: system }, system));
        for (const name of SIMPLE)
            if (name !== 'system' || one(name))
                field(name).value = (one(name) || '').replace(/(:00)?Z$/, '');
        const types = (one('types') || '').split(',');
        form.node.querySelectorAll('[name=types]').forEach(b => { b.checked = types.includes(b.value); });
        const lost = pairs.find(p => p[0] === 'merge-loss');
        field('merge-loss').value = lost ? lost[1] || '*' : '';
        form.dropped = new Set(many('drop-standby'));
        form.links = new Map();
        form.added = [];
        for (const s of many('add-standby').map(parse_standby))
            if (form.dropped.delete(s.name))
                form.links.set(s.name, s.send);
            else
                form.added.push(s);
        form.via = new Map(many('cascade').map(c => c.split('=')));
        list_standbys();
    }

    /* The lists that depend on the system: its standbys, groups and measured time. */
    function offer(system) {
        form.known = system.standbys || [];
        field('merge-loss').replaceChildren(...[['', 'none'], ['*', 'everywhere'], ...(system.groups || []).map(g => [g, g])].map(([value, words]) => V.el('option', { value }, words)));
        for (const name of ['from', 'to'])
            if (system.from && system.to)
                Object.assign(field(name), { min: system.from.slice(0, 16), max: system.to.slice(0, 16) });
        field('instance').placeholder = system.instance_type || 'as it is';
        list_standbys();
    }

    function build(systems, changed) {
        const fold = V.el('details', { open: matchMedia('(min-width: 1000px)').matches }, V.el('summary', {}, V.el('h2', {}, 'What if')));
        form.node = V.el('form', { autocomplete: 'off' }, V.el('p', { class: 'status', role: 'status' }), V.el('div', { class: 'line' }),
            standby_fields(), load_fields(), plan_fields(), scope_fields(), V.el('button', { type: 'reset', class: 'small' }, 'Undo all'));
        fold.append(form.node);
        form.changed = changed;
        field('system').replaceChildren(...systems.map(s => V.el('option', { value: s.system }, s.system)));
        form.node.addEventListener('submit', e => e.preventDefault());
        form.node.addEventListener('change', e => {
            if (e.target.name && !e.target.name.startsWith('new-'))
                changed(e.target.name);
        });
        form.node.addEventListener('reset', e => {
            e.preventDefault();
            fill([['system', field('system').value]]);
            changed();
        });
        return fold;
    }

    V.controls = {
        build, asked, fill, offer, system: () => field('system').value,
        /* What is wrong is seen, and that what is drawn is not what is asked. */
        status: (words, wrong) => {
            const line = form.node.querySelector('.status');
            line.textContent = words;
            line.classList.toggle('wrong', Boolean(wrong));
            document.documentElement.classList.toggle('stale', Boolean(wrong));
            if (wrong)
                form.node.closest('details').open = true;
        },
        command: node => form.node.querySelector('.line').replaceChildren(node)
    };
})(volplan);
