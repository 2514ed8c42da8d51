/* cli/page/address.js - the state of the page in its address: #t=from,to for the stretch of time seen, and in the
 * live page ?option=value for what was asked. A page that may not change its address (some mail readers) works
 * without. */
'use strict';
(function (V) {
    function go(how, query, zoom) {
        const url = location.pathname + (query ? '?' + query : '') + (zoom ? '#t=' + zoom : '');
        try {
            history[how]({}, '', location.protocol === 'file:' ? (zoom ? '#t=' + zoom : '#') : url);
        } catch (e) { /* the state stays in the page */ }
    }

    const hash = () => (/^#t=(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)$/.exec(location.hash) || []).slice(1).map(Number);

    V.address = {
        zoom: () => hash().length === 2 ? hash() : null,
        zoomed: zoom => go('replaceState', location.search.slice(1), zoom),
        asked: query => go('pushState', query, hash().length ? hash().join(',') : null),
        query: () => new URLSearchParams(location.search)
    };
})(volplan);
