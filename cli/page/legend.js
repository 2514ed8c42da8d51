/* cli/page/legend.js - what the tones, lines and marks of the charts mean, drawn as they are drawn there. */
'use strict';
(function (V) {
    const line = css => V.el('svg:path', { d: 'M1,7H29', class: 'line ' + css });
    const ENTRIES = [
        ['read', () => [V.el('svg:rect', { width: 30, height: 14, class: 'fill-read' })]],
        ['write', () => [V.el('svg:rect', { width: 30, height: 14, class: 'fill-write' }), V.el('svg:path', { d: 'M-2,12L8,2M6,16L20,2M18,16L32,2', class: 'hatch' })]],
        ['read or write', () => [V.el('svg:rect', { width: 30, height: 14, class: 'fill-unsplit' })], 'unsplit'],
        ['reached only at its peak', () => [V.el('svg:rect', { width: 15, height: 14, class: 'fill-read light' }), V.el('svg:rect', { x: 15, width: 15, height: 14, class: 'fill-write light' })]],
        ['ceiling today', () => [line('today')]],
        ['its burst', () => [line('today burst')]],
        ['ceiling in the plan', () => [line('plan')]],
        ['peak with the changes', () => [line('whatif')], 'changes'],
        ['at a ceiling', () => [V.el('svg:rect', { width: 30, height: 14, class: 'fill-throttled' }), V.el('svg:rect', { y: 10, width: 30, height: 4, class: 'fill-today' })]],
        ['at least: it was held back', () => [V.el('svg:path', { d: 'M1,10H29', class: 'line ink' }), V.el('svg:path', { d: 'M11,8L15,2L19,8Z', class: 'fill-ink' })]],
        ['averaged or assumed', () => [V.el('svg:path', { d: 'M1,7H29', class: 'line ink dashed' })]],
        ['artefact, set aside', () => [V.el('svg:path', { d: 'M11,3L19,11M11,11L19,3', class: 'line ink' })]],
        ['not measured', () => [V.el('svg:path', { d: 'M0,14L14,0M8,14L22,0M16,14L30,0', class: 'line hole' })]]];

    /* shown: what else is drawn, of "changes" (a what-if) and "unsplit". */
    V.legend = (place, shown) => place.replaceChildren(...ENTRIES.filter(e => !e[2] || shown.includes(e[2])).map(([words, draw]) => V.el('li', {},
        V.el('svg:svg', { viewBox: '0 0 30 14', width: 30, height: 14, 'aria-hidden': 'true' }, draw()), words)));
})(volplan);
