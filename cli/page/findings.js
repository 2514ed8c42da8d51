/* cli/page/findings.js - findings, the worst first as the program ranks them; a time leads to its sample in the charts. */
'use strict';
(function (V) {
    const MARKS = { error: '\u25b2', warning: '\u25c6', info: '\u25cf' };

    function where(e) {
        if (!e.file)
            return e.row ? V.el('span', { class: 'where' }, e.row) : null;
        const line = e.line ? ':' + e.line : '';
        return V.el('span', { class: 'where', title: e.file + line }, V.breakable(e.file.replace(/^.*\//, '') + line));
    }

    /* A sample closes its interval, so its time is that of the interval's end. */
    function to_sample(e) {
        if (!e.time || !V.figures.length)
            return null;
        const t = Date.parse(e.time);
        const seen = V.view.first <= t && t <= V.view.last;
        return V.el('button', {
            type: 'button', class: 'link', disabled: !seen,
            onclick: () => {
                V.view.show(t - 1);
                document.getElementById('load').scrollIntoView();
            }
        }, V.moment(t) + ' UTC');
    }

    function evidence(e) {
        return V.el('li', {}, V.tidy(e.value), ' ', V.el('span', { class: 'source' }, where(e), ' ', to_sample(e)));
    }

    function row(term, ...what) {
        return what.flat().filter(Boolean).length ? [V.el('dt', {}, term), V.el('dd', {}, what)] : [];
    }

    function finding(f) {
        return V.el('li', { class: 'finding ' + f.severity },
            V.el('h3', {}, V.el('span', { class: 'mark', 'aria-hidden': 'true' }, MARKS[f.severity] || ''), ' ',
                V.el('span', { class: 'severity' }, f.severity), ' ', V.tidy(f.title), ' ', V.el('span', { class: 'sure' }, f.verdict)),
            V.el('dl', {},
                row('Seen', V.el('ul', {}, (f.evidence || []).map(evidence))),
                row('Do', f.advice && V.tidy(f.advice)), row('Not', f.not_this && f.not_this.length ? V.el('ul', {}, f.not_this.map(n => V.el('li', {}, V.tidy(n)))) : null),
                row('Needs', f.missing)));
    }

    /* Errors and warnings stand open; what is for information is folded. */
    function findings(diagnosis) {
        if (!diagnosis)
            return null;
        const list = diagnosis.findings || [];
        if (!list.length)
            return [V.el('p', {}, `None of the ${diagnosis.rules_run || ''} rules that could be tried found a fault.`)];
        const count = s => list.filter(f => f.severity === s).length;
        const words = ['error', 'warning', 'info'].filter(count).map(s => `${count(s)} ${s}${s !== 'info' && count(s) > 1 ? 's' : ''}`).join(', ');
        const loud = list.filter(f => f.severity !== 'info'), quiet = list.filter(f => f.severity === 'info');
        return [V.el('p', {}, `${words}; ${diagnosis.rules_run} of ${diagnosis.rules} rules had what they need. A time leads to its sample in the charts.`),
            V.el('ol', { class: 'findings' }, loud.map(finding)),
            quiet.length ? V.more(`${quiet.length} for information`, V.el('ol', { class: 'findings' }, quiet.map(finding))) : null];
    }

    V.findings = findings;
})(volplan);
