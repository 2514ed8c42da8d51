/* cli/page/bill.js - what was billed, what of it is explained, and what the measured load would have needed. */
'use strict';
(function (V) {
    function totals(b) {
        const t = b.totals;
        const months = [...new Set([b.first_month, b.last_month].filter(Boolean))].join(' to ');
        return V.table(`EBS in the bill of ${months}`, [{ head: 'Of the bill' }, { head: 'USD', number: true }], [
            ['Billed for EBS', V.usd(t.billed_usd)], ['Explained', V.usd(t.explained_usd)], ['Unexplained', V.usd(t.unexplained_usd)],
            ['Not priced', V.usd(t.not_priced_usd)], ['Needed for the measured load', V.usd(t.needed_usd)], ['More than was needed', V.usd(t.overprovisioned_usd)]], 'short');
    }

    function spec_text(s) {
        return typeof s === 'string' ? s : V.spec(s && Object.assign({ count: 1 }, s));
    }

    function volumes(list) {
        return V.table('Volumes: paid for and needed', [{ head: 'Volume' }, { head: 'Paid for' }, { head: 'Would do' }, { head: 'Saves', unit: 'USD/month', number: true }],
            list.map(v => [v.volume_id, spec_text(v.spec), spec_text(v.needed), [V.grade(v.grade), ' ', V.usd(v.saving_usd)]]));
    }

    function lines(list) {
        return V.table('Lines of the bill, rebuilt', [{ head: 'Resource' }, { head: 'Usage' }, { head: 'Billed', unit: 'USD', number: true },
            { head: 'Rebuilt', unit: 'USD', number: true }, { head: 'Difference', unit: 'USD', number: true }, { head: 'Cause' }],
        list.map(l => [l.resource || '-', l.usage_type, V.usd(l.billed_usd), V.usd(l.expected_usd), V.usd(l.difference_usd), V.tidy(l.cause || '-')]));
    }

    /* What the plan saves of today's volumes stands here with or without a bill. */
    function savings(plan) {
        if (!plan || !V.known(plan.today_usd) || !V.known(plan.total_usd))
            return null;
        const less = V.usd_less(plan.today_usd, plan.total_usd);
        return V.el('p', {}, `Today\u2019s volumes cost ${V.usd(plan.today_usd)} USD a month at list price, the plan\u2019s ${V.usd(plan.total_usd)}: ` +
            (less >= 0 ? `${V.usd(less)} less a month, ${V.fixed(12 * less, 0)} a year.` : `${V.usd(-less)} more a month.`) +
            ` Prices of ${plan.price_as_of}, ${plan.region}; a month is 730 hours.`);
    }

    function bill(data) {
        const b = data.bill;
        if (!b)
            return [savings(data.plan)];
        const shown = (b.lines || []).slice().sort((x, y) => Math.abs(y.billed_usd) - Math.abs(x.billed_usd));
        return [savings(data.plan), totals(b), b.volumes && b.volumes.length ? volumes(b.volumes) : null,
            shown.length ? V.more(`${shown.length} lines of the bill`, lines(shown.slice(0, 200))) : null];
    }

    V.bill = bill;
})(volplan);
