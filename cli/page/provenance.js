/* cli/page/provenance.js - where each number comes from: file and line, or rule and date. */
'use strict';
(function (V) {
    /* File and line, then by what rule; a figure without a file has its rule alone. */
    function source(p) {
        const file = p.file ? V.el('span', { class: 'where' }, V.breakable(p.file + (p.line ? ':' + p.line : ''))) : null;
        return [file, file && p.rule ? V.el('br') : null, p.rule ? V.tidy(p.rule) : file ? null : '-'];
    }

    function row(p) {
        const value = typeof p.value === 'number' ? V.full(p.value) : V.known(p.value) ? String(p.value) : '-';
        const date = p.date ? String(p.date).replace('T', ' ').replace(/:00Z$|Z$/, '') : '-';
        return [V.tidy(p.what), value, p.unit || '', source(p), date];
    }

    function provenance(list) {
        if (!list || !list.length)
            return null;
        return [V.el('p', {}, `${list.length} figures of this page, each with what it was read from or worked out by.`),
            V.more('Show the sources', V.table('Provenance', [{ head: 'Figure' }, { head: 'Value', number: true }, { head: 'Unit' }, { head: 'Source' }, { head: 'Date' }], list.map(row), 'sources'))];
    }

    V.provenance = provenance;
})(volplan);
