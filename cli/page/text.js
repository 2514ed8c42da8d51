/* cli/page/text.js - words, numbers and elements of the page.
 *
 * Numbers carry no more digits than are known, thousands are set apart by a thin space, unknown is "-".
 * Elements are made here alone: what a file says becomes text, never markup. */
'use strict';
const volplan = {};

(function (V) {
    const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
    const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
    const THIN = '\u202f', NBSP = '\u00a0';
    const GLYPHS = { measured: '=', averaged: '~', censored: '>=', assumed: '?' };
    const GRADE_WORDS = { measured: 'measured', averaged: 'averaged', censored: 'at least', assumed: 'assumed' };
    const WORDS = {
        iops: 'IOPS', throughput: 'throughput', redo_waits: 'redo waits', size: 'size', types: 'not an allowed type',
        group: 'group', count: 'number of volumes', latency: 'latency', durability: 'durability', keep: 'kept as it is',
        volume_iops: 'volume IOPS', volume_throughput: 'volume throughput', burst: 'burst bucket',
        instance_iops: 'instance IOPS', instance_throughput: 'instance throughput',
        instance_burst: 'instance burst', ebs_card: 'EBS card', attachments: 'attachments', price: 'price'
    };

    const known = value => value !== null && value !== undefined && !Number.isNaN(value);

    /* 1234.5 with `digits` decimals -> "1 234.5". */
    function fixed(value, digits) {
        if (!known(value))
            return '-';
        const [whole, rest] = Math.abs(value).toFixed(digits).split('.');
        const grouped = whole.length > 3 ? whole.replace(/\B(?=(\d{3})+$)/g, THIN) : whole;
        const sign = value < 0 && Number(value.toFixed(digits)) !== 0 ? '\u2212' : '';
        return sign + grouped + (rest ? '.' + rest : '');
    }

    /* A rate: three digits are what a reader compares; a round one stays round. */
    function rate(value) {
        if (!known(value))
            return '-';
        const size = Math.abs(value);
        if (size >= 100 || Number.isInteger(value))
            return fixed(value, 0);
        return fixed(value, size >= 10 ? 1 : 2);
    }

    const exact = value => !known(value) ? '-' : fixed(value, Number.isInteger(value) ? 0 : Math.abs(value) >= 1000 ? 1 : 2);
    /* Every digit that a figure has, as prices need. */
    function full(value) {
        const digits = (String(Number(value.toFixed(9))).split('.')[1] || '').length;
        return fixed(value, Math.min(digits, 9));
    }

    /* Money comes with four decimals at most; half a cent is rounded up, as the program does, whatever its binary form. */
    const cents = value => Math.sign(value) * Math.round(Math.round(Math.abs(value) * 1e4) / 100);
    const usd = value => known(value) ? fixed(cents(value) / 100, 2) : '-';
    /* What a reader who subtracts two amounts of the page gets. */
    const usd_less = (a, b) => (cents(a) - cents(b)) / 100;
    const pct = value => !known(value) ? '-' : fixed(value, Math.abs(value) < 10 && !Number.isInteger(value) ? 1 : 0);
    const two = n => String(n).padStart(2, '0');

    function day(ms) {
        const d = new Date(ms);
        return d.getUTCDate() + ' ' + MONTHS[d.getUTCMonth()] + ' ' + d.getUTCFullYear();
    }

    function clock(ms) {
        const d = new Date(ms);
        const seconds = d.getUTCSeconds();
        return two(d.getUTCHours()) + ':' + two(d.getUTCMinutes()) + (seconds ? ':' + two(seconds) : '');
    }

    const weekday = ms => WEEKDAYS[new Date(ms).getUTCDay()];
    const moment = ms => !known(ms) ? '-' : day(ms) + ' ' + clock(ms);

    /* A stretch of time; the second day is said only where it differs. */
    function stretch(from, to) {
        return moment(from) + '\u2013' + (day(from) === day(to) ? clock(to) : moment(to));
    }

    function duration(seconds) {
        if (!known(seconds))
            return '-';
        if (seconds < 100)
            return fixed(seconds, seconds < 10 && !Number.isInteger(seconds) ? 1 : 0) + ' s';
        if (seconds < 6000)
            return fixed(seconds / 60, 0) + ' min';
        return seconds < 360000 ? fixed(seconds / 3600, 1) + ' h' : fixed(seconds / 86400, 1) + ' days';
    }

    function word(name) {
        if (!name)
            return '-';
        return WORDS[name] || name.replace(/_/g, ' ');
    }

    /* { volume_type, count, ... } -> "2 × io2 250 GiB 1 200 IOPS 130 MiB/s"; null -> "-". */
    function spec(volumes) {
        if (!volumes || !volumes.volume_type)
            return '-';
        const parts = [volumes.count + NBSP + '\u00d7' + NBSP + volumes.volume_type, fixed(volumes.size_gib, 0) + NBSP + 'GiB'];
        if (known(volumes.iops))
            parts.push(fixed(volumes.iops, 0) + NBSP + 'IOPS');
        if (known(volumes.throughput_mibps))
            parts.push(fixed(volumes.throughput_mibps, 0) + NBSP + 'MiB/s');
        return parts.join(' ');
    }

    /* An element: attributes by name, text by textContent; children are elements or strings. */
    function el(tag, attributes, ...children) {
        const svg = tag.startsWith('svg:');
        const node = svg ? document.createElementNS('http://www.w3.org/2000/svg', tag.slice(4)) : document.createElement(tag);
        for (const [name, value] of Object.entries(attributes || {})) {
            if (value === null || value === undefined || value === false)
                continue;
            if (name.startsWith('on'))
                node.addEventListener(name.slice(2), value);
            else
                node.setAttribute(name, value === true ? '' : value);
        }
        for (const child of children.flat())
            if (child !== null && child !== undefined && child !== false)
                node.append(child);
        return node;
    }

    /* The glyph of a grade, read out as its word. */
    function grade(name) {
        if (!GLYPHS[name])
            return '';
        return el('span', { class: 'grade', title: GRADE_WORDS[name] }, el('span', { 'aria-hidden': 'true' }, GLYPHS[name]),
            el('span', { class: 'unseen' }, GRADE_WORDS[name] + ' '));
    }

    /* A sentence of the planner: a number keeps together with its sign, its thousands and its unit. */
    function tidy(sentence) {
        return String(sentence).replace(/(?<![\w.])\d{1,3}(?: \d{3})+(?!\d)/g, n => n.replace(/ /g, THIN)).replace(/(>=|<=|=|~|\?) (?=\d)/g, '$1' + NBSP)
            .replace(/(\d) (?=(%|GiB|MiB|MB\/s|KiB|USD|IOPS|min|ms|s|h)(?![a-z]))/g, '$1' + NBSP);
    }

    /* A path may break after / and _. */
    function breakable(text) {
        const node = el('span');
        String(text).split(/(?<=[/_])/).forEach((part, i) => {
            if (i)
                node.append(document.createElement('wbr'));
            node.append(part);
        });
        return node;
    }

    async function copy(text, button) {
        const said = button.textContent;
        try {
            await navigator.clipboard.writeText(text);
            button.textContent = 'Copied';
        } catch (e) {
            const area = el('textarea', { class: 'unseen', readonly: true });
            area.value = text;
            document.body.append(area);
            area.select();
            button.textContent = document.execCommand('copy') ? 'Copied' : 'Select it and press Ctrl+C';
            area.remove();
        }
        setTimeout(() => { button.textContent = said; }, 2000);
    }

    /* A command line with its copy button. */
    function command(text) {
        const button = el('button', { type: 'button', class: 'small' }, 'Copy');
        button.addEventListener('click', () => copy(text, button));
        return el('div', { class: 'command' }, el('code', {}, text), button);
    }

    Object.assign(V, {
        known, fixed, rate, exact, full, usd, usd_less, pct, day, clock, weekday, moment, stretch, duration, word, spec, el, grade,
        glyph: name => GLYPHS[name] || '', tidy, breakable, command
    });
})(volplan);
