/* tests/browser/test_year.js - a year of minutes, twelve charts: bytes of the page, time until it stands, and that no
 * peak is lost; thirty days of minutes: time from a change in the live page to the new drawing.
 *
 * Times are printed beside their goals; only what is far beyond a goal fails, for the machine may be busy. */
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const { execFileSync } = require('node:child_process');
const { after, before, test } = require('node:test');
const b = require('./browser');

const GOALS = { bytes: 10e6, open_ms: 2000, redraw_ms: 200 };
const PEAK_MIBPS = 10500 / 1024; /* of the first disk, at noon of 20 January: make_minutes.js */
let browser;

/* A store of that many days; answers its path. */
function store(days) {
    const folder = path.join(process.env.WORK, `minutes_${days}`);
    const db = path.join(folder, 'minutes.db');
    fs.mkdirSync(folder, { recursive: true });
    execFileSync('node', [path.join(__dirname, 'make_minutes.js'), folder, String(days)]);
    const run = (...words) => execFileSync(process.env.VOLPLAN, ['--db', db, '--quiet', ...words], { stdio: 'ignore' });
    run('ingest', '--system', 'MINUTES', path.join(folder, 'minutes.nmon'));
    run('layout', '--system', 'MINUTES', '--set', path.join(folder, 'layout.json'));
    fs.unlinkSync(path.join(folder, 'minutes.nmon'));
    return db;
}

/* What a change took until it was seen, in ms: of the server, of the page, of painting. */
async function redraw(page, field, value) {
    await page.evaluate(() => { volplan.redraw_ms = null; });
    await b.change(page, async () => { await page.locator(`[name=${field}]`).fill(value); await page.keyboard.press('Tab'); });
    await b.until(page, () => Boolean(volplan.redraw_ms));
    return page.evaluate(() => volplan.redraw_ms);
}

before(async () => { browser = await b.launch(); });
after(() => b.end(browser));

test('a year of minutes is small, opens fast and keeps its peak', async t => {
    const db = store(365), file = path.join(process.env.WORK, 'year.html');
    execFileSync(process.env.VOLPLAN, ['--db', db, '--quiet', 'report', '-o', file], { stdio: 'ignore' });
    const bytes = fs.statSync(file).size;
    const page = await b.open(browser, 'file://' + file);
    const opened = await page.evaluate(() => performance.getEntriesByType('navigation')[0].loadEventEnd);
    t.diagnostic(`page ${(bytes / 1e6).toFixed(2)} MB (goal ${GOALS.bytes / 1e6}), open ${opened.toFixed(0)} ms (goal ${GOALS.open_ms})`);
    assert.equal(await page.locator('figure.chart').count(), 12);
    assert.ok(bytes < GOALS.bytes, `${bytes} bytes`);
    assert.ok(opened < 5 * GOALS.open_ms, `${opened} ms`);
    const { index } = await b.chart(page, 'SDA');
    const begun = Date.now();
    await page.evaluate(() => volplan.view.zoom(.5));
    t.diagnostic(`zoom of all charts in sight ${Date.now() - begun} ms`);
    const seen = await page.evaluate(i => {
        const f = volplan.figures[i];
        const t_ = Date.UTC(2025, 0, 20, 12) - 30000;
        return { peak: volplan.peak(f.chart, 'mibps', volplan.view.first, volplan.view.last), at: volplan.sample(f.chart, 'mibps', t_).total };
    }, index);
    assert.ok(Math.abs(seen.peak - PEAK_MIBPS) < .01 && Math.abs(seen.at - PEAK_MIBPS) < .01, JSON.stringify(seen));
    assert.match(await page.locator(`#says-${index}`).innerText(), /peaks at 10\.3\sMiB\/s \(6\.35 read, 3\.91 written\), 20 Jan 2025 11:59\u201312:00 UTC/);
    assert.deepEqual(page.wrong, []);
});

test('a change of thirty days of minutes is planned and drawn in time, and a zoom shows its minutes', async t => {
    const server = await b.serve(store(30));
    const page = await b.open(browser, server.url, { viewport: { width: 1440, height: 1000 } });
    await b.planned(page);
    for (const [field, values] of [['growth', ['11', '12', '13', '14', '15']], ['headroom', ['25', '26', '27', '28', '29']]]) {
        const took = [];
        for (const value of values)
            took.push(await redraw(page, field, value));
        const median = key => took.map(x => x[key]).sort((x, y) => x - y)[2];
        const whole = median('server') + median('page') + median('painted');
        t.diagnostic(`${field}: seen ${whole.toFixed(0)} ms after the change (goal ${GOALS.redraw_ms}): server ${median('server').toFixed(0)}, page ${median('page').toFixed(0)}, paint ${median('painted').toFixed(0)}`);
        assert.ok(median('page') + median('painted') < 2 * GOALS.redraw_ms, `the page alone takes ${median('page')} and ${median('painted')} ms`);
        assert.ok(median('server') < 50 * GOALS.redraw_ms, `the answer takes ${median('server')} ms`);
        await b.change(page, () => page.getByRole('button', { name: 'Undo all' }).click());
    }
    const from = Date.UTC(2025, 0, 11, 3), at = from + 3600e3;
    const finest = () => page.evaluate(t_ => volplan.figures[0].chart.details.some(d => d.from <= t_ && t_ < d.to && d.exact), at);
    assert.equal(await finest(), false);
    await page.evaluate(([a, z]) => volplan.view.set(a, z), [from, from + 5 * 3600e3]);
    await b.until(page, t_ => volplan.figures[0].chart.details.some(d => d.from <= t_ && t_ < d.to && d.exact), at);
    assert.equal(await page.evaluate(t_ => { const s = volplan.sample(volplan.figures[0].chart, 'mibps', t_); return s.to - s.from; }, at + 1), 60000);
    assert.deepEqual(page.wrong, []);
});
