/* cli/page/provenance.js - where each number comes from: file and line, or rule and date. */
'use strict';
(function (V) {
    function source(p) {
        if (p.file)
            return V.breakable(p.file + (p.line ? ':' + p.line : ''));
        return p.rule || '-';
    }

    function row(p) {
        const value = typeof p.value === 'number' ? V.exact(p.value) : V.known(p.value) ? String(p.value) : '-';
        return [p.what, value, p.unit || '', source(p), p.file && p.rule ? p.rule : '', p.date ? String(p.date).replace('T', ' ').replace(/:00Z$|Z$/, '') : ''];
    }

    function provenance(list) {
        if (!list || !list.length)
            return null;
        return [V.el('p', {}, `${list.length} figures of this page, each with what it was read from or worked out by.`),
            V.more('Show the sources', V.table('Provenance', [{ head: 'Figure' }, { head: 'Value', number: true }, { head: 'Unit' }, { head: 'Source' }, { head: 'Rule' }, { head: 'Date' }], list.map(row)))];
    }

    V.provenance = provenance;
})(volplan);
