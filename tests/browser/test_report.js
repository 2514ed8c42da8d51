/* tests/browser/test_report.js - the page of the demo system: what is drawn is what was measured.
 *
 * Expected values come from the iostat text that the demo loads and from `peaks --json`, heights from the
 * labels of the axis, never from the page's own drawing. */
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const { after, before, test } = require('node:test');
const b = require('./browser');

const URL_ = 'file://' + process.env.REPORT;
const DB = process.env.DEMO_DB;
let browser, page;

before(async () => {
    browser = await b.launch();
    page = await b.open(browser, URL_);
});
after(() => b.end(browser));

/* The reads and writes of a device in MiB/s, one pair a sample after the first (since boot), from the text itself. */
function iostat(device) {
    const rows = fs.readFileSync(process.env.DEMO_IOSTAT, 'utf8').split('\n');
    const heads = rows.find(r => r.startsWith('Device')).trim().split(/\s+/);
    const of = (cells, name) => Number(cells[heads.indexOf(name)]) / 1024;
    return rows.filter(r => r.startsWith(device + ' ')).map(r => r.trim().split(/\s+/)).map(c => [of(c, 'rkB/s'), of(c, 'wkB/s')]).slice(1);
}

/* Two labels of the value axis give the scale: value -> y in the plot. */
async function scale(index) {
    const labels = await page.evaluate(i => {
        const plot = volplan.figures[i].plot, top = plot.getBoundingClientRect().top;
        return [...plot.querySelectorAll('.dygraph-axis-label-y')].map(l => {
            const box = l.getBoundingClientRect();
            return [Number(l.textContent.replace(/[^\d.]/g, '')), (box.top + box.bottom) / 2 - top];
        });
    }, index);
    const [low, high] = [labels.reduce((a, l) => l[0] < a[0] ? l : a), labels.reduce((a, l) => l[0] > a[0] ? l : a)];
    return v => low[1] + (v - low[0]) * (high[1] - low[1]) / (high[0] - low[0]);
}

const x_of = (index, ms) => page.evaluate(([i, t]) => volplan.figures[i].g.toDomXCoord(t), [index, ms]);

test('the verdict, every part and every chart are there', async () => {
    const data = b.ask(DB, 'report');
    assert.deepEqual(await page.locator('#verdict p').count(), data.verdict.length);
    const said = (await page.locator('#verdict').innerText()).replace(/[\u202f\u00a0]/g, ' ');
    assert.ok(said.includes(data.verdict[0].slice(0, 60)), said);
    assert.equal(await page.locator('figure.chart').count(), data.series.charts.length);
    for (const id of ['plan', 'options', 'redo', 'findings', 'change', 'bill', 'sources'])
        assert.ok(await page.locator(`#${id} .body > *`).count() > 0, id);
    assert.equal(await page.locator('svg.redo.wide text', { hasText: 'onprem3' }).count(), 1);
});

test('dollars are rounded as the program rounds them', async () => {
    const shown = await page.evaluate(() => [883.145, 824.815, 0.005, 1.005, 0, -0.125, 1234.5, null].map(volplan.usd));
    assert.deepEqual(shown, ['883.15', '824.82', '0.01', '1.01', '0.00', '\u22120.13', '1\u202f234.50', '-']);
});

test('what is saved is what a reader gets who subtracts', async () => {
    const shown = (await page.locator('#keys .big').allInnerTexts()).slice(0, 3).map(t => Number(t.replace(/\u202f/g, '')));
    assert.equal((shown[0] - shown[1]).toFixed(2), shown[2].toFixed(2));
    assert.ok((await page.locator('#bill .body').innerText()).replace(/\u202f/g, '').includes(`${shown[2].toFixed(2)} less a month`));
});

test('without scripts the verdict is there, and no empty parts', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto(URL_);
    const said = await plain.locator('body').innerText();
    assert.ok(said.startsWith(b.ask(DB, 'report').verdict[0]), said.slice(0, 200));
    assert.match(said, /need JavaScript/);
    assert.doesNotMatch(said, /Load over time/);
    await context.close();
});

test('pixels stand where data is, none above it', async () => {
    const { index } = await b.chart(page, 'REDO1');
    const y = await scale(index);
    const start = await page.evaluate(() => volplan.view.first);
    const samples = iostat('nvme8n1');
    const blue = await b.colour(page, 'read');
    let tall = 0;
    for (let i = 30; i < samples.length; i += 37) {
        const total = samples[i][0] + samples[i][1];
        const x = await x_of(index, start + i * 60000 + 30000);
        assert.equal((await b.pixel(page, index, x, y(total) - 12))[3] > 200, false, `minute ${i}: nothing above ${total}`);
        if (total < 100)
            continue;
        tall++;
        assert.ok(b.near(await b.pixel(page, index, x, y(samples[i][0] / 2)), blue, 12), `minute ${i}: read`);
    }
    for (const i of samples.keys())
        if (samples[i][0] > 300 && i % 7 === 0) {
            const x = await x_of(index, start + i * 60000 + 30000);
            assert.ok(b.near(await b.pixel(page, index, x, y(samples[i][0] / 2)), blue, 12), `minute ${i}: read`);
            tall++;
        }
    assert.ok(tall >= 3, 'the sample has peaks');
});

test('a ceiling is a line at its height', async () => {
    const { index } = await b.chart(page, 'REDO1');
    const y = await scale(index);
    const data = b.ask(DB, 'report');
    const chart = data.series.charts.find(c => c.name === 'REDO1');
    const [from, to] = await page.evaluate(i => volplan.figures[i].g.yAxisRange(), index);
    const lines = chart.ceilings.filter(c => c.metric === 'mibps' && c.value > from && c.value < to && c.whose === 'today');
    assert.ok(lines.length, 'today has a ceiling in sight');
    const x = await x_of(index, data.series.from_ms + 15 * 60000);
    for (const line of lines) {
        const today = await b.colour(page, line.whose);
        assert.ok(b.near(await b.pixel(page, index, x, y(line.value)), today, 40), `${line.name} at ${line.value}`);
        for (const off of [-7, 7])
            assert.equal(b.near(await b.pixel(page, index, x, y(line.value) + off), today, 40), false);
    }
});

/* Every label touches its own line, and covers no other. */
test('a chart says how long it was at its own ceiling, not at that of another', async () => {
    const plan = b.ask(DB, 'plan'), minutes = plan.groups.find(g => g.name === 'REDO1').ceiling_s / 60;
    const says = (await page.locator('.chart .says').allInnerTexts()).map(t => t.replace(/[\u202f\u00a0]/g, ' '));
    assert.ok(says[0].endsWith(`At a ceiling for ${minutes} min in all.`), says[0]);
    assert.equal(says.filter(t => /At a ceiling/.test(t)).length, 1, 'the host carries 797 of its 850 MB/s');
    const { index } = await b.chart(page, 'PRD1');
    assert.equal(await page.evaluate(i => volplan.figures[i].chart.base.state.some(s => s & volplan.THROTTLED), index), false, 'nothing is shaded on it');
});

test('labels of ceilings stand at their lines, however close those are', async () => {
    const wrong = await page.evaluate(() => {
        const out = [], area = { x: 60, y: 8, w: 760, h: 150 };
        let seed = 7;
        const chance = n => (seed = (seed * 48271) % 2147483647) % n;
        for (let i = 0; i < 500; i++) {
            const labels = Array.from({ length: 1 + chance(5) }, (_, k) => ({ text: `label ${k}`, y_line: area.y - 20 + chance(170), x1: area.x + area.w }));
            const set = volplan.place_labels(area, labels, () => 150);
            for (const l of set) {
                const far = l.y_line >= area.y ? Math.abs(l.y - l.y_line) : l.y - area.y;
                if (far > 13 || l.left < area.x || l.y > area.y + area.h || l.y < area.y + 11)
                    out.push(`set ${i}: ${l.text} at ${l.y}, its line at ${l.y_line}`);
                if (set.some(o => o !== l && Math.abs(o.y - l.y) < 14 && o.left < l.right && l.left < o.right))
                    out.push(`set ${i}: ${l.text} is covered`);
            }
            if (set.length < Math.min(labels.length, 4))
                out.push(`set ${i}: ${set.length} of ${labels.length} labels`);
        }
        return out;
    });
    assert.deepEqual(wrong, []);
    const host = await page.evaluate(() => {
        const chart = volplan.figures.find(f => f.chart.kind === 'host').chart;
        const seen = chart.ceilings.filter(c => c.metric === 'mb_s' && c.what === 'baseline').map(c => ({ c, y: 20, x1: 700 }));
        return volplan.labels_of(seen, 'MB/s', false).map(l => l.text.replace(/\u202f/g, ' '));
    });
    assert.deepEqual(host, ['today and plan 850 MB/s \u00b7 instance throughput']);
});

test('hover shows the value of the store and moves all cursors', async () => {
    const { index, plot, box } = await b.chart(page, 'REDO1');
    const row = b.ask(DB, 'peaks').rows.find(r => r.name === 'REDO1');
    await page.mouse.move(box.x + await x_of(index, Date.parse(row.time_of_max) + 30000), box.y + 60);
    const readout = page.locator(`#chart-${index} .readout`);
    const text = await readout.textContent();
    for (const part of [`read ${row.read_mibps.max}`, `write ${row.write_mibps.max}`, `total >= ${row.total_mibps.max} MiB/s`, '07:42', 'throughput'])
        assert.ok(text.includes(part), `${part} in ${text}`);
    const other = await page.evaluate(i => volplan.figures.findIndex((f, k) => k !== i && f.g), index);
    assert.match(await page.locator(`#chart-${other} .readout`).textContent(), /07:42/);
    const minute = 20, quiet = iostat('nvme8n1')[minute];
    await page.mouse.move(box.x + await x_of(index, await page.evaluate(() => volplan.view.first) + minute * 60000 + 30000), box.y + 60);
    assert.ok((await readout.textContent()).includes(`read ${quiet[0].toFixed(2)} \u00b7 write ${quiet[1].toFixed(2)}`), await readout.textContent());
    await plot.blur();
});

test('zoom is shared by mouse, keys and findings, and kept in the address', async () => {
    const { index, plot, box } = await b.chart(page, 'REDO1');
    const windows = () => page.evaluate(() => volplan.figures.filter(f => f.g).map(f => f.g.xAxisRange().join()));
    await page.mouse.move(box.x + 300, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + 500, box.y + 60, { steps: 4 });
    await page.mouse.up();
    const seen = await windows();
    assert.ok(seen.length > 1 && new Set(seen).size === 1, seen.join(' '));
    const [from, to] = seen[0].split(',').map(Number);
    assert.ok(to - from < 3 * 3600e3 && to - from > 3600e3, 'two hours or so');
    assert.match(page.url(), /#t=\d/);
    await plot.focus();
    await page.keyboard.press('+');
    const nearer = (await windows())[0].split(',').map(Number);
    assert.ok(Math.abs((nearer[1] - nearer[0]) * 2 - (to - from)) < 2);
    await page.keyboard.press('ArrowRight');
    await b.until(page, () => document.getElementById('said').textContent.startsWith('REDO1'));
    await page.keyboard.press('0');
    assert.equal(await page.evaluate(() => volplan.view.zoomed()), false);
    await page.locator('.finding button.link').first().click();
    const shown = await page.evaluate(() => [volplan.view.from, volplan.view.to, volplan.view.cursor]);
    const seen_at = Date.parse(b.ask(DB, 'diagnose').findings[0].evidence[0].time);
    assert.ok(shown[0] < seen_at && seen_at < shown[1] && shown[2] === seen_at - 1);
    const again = await b.open(browser, page.url());
    assert.deepEqual(await again.evaluate(() => [volplan.view.from, volplan.view.to]), shown.slice(0, 2));
    await again.context().close();
    await page.evaluate(() => volplan.view.reset());
    void index;
});

test('nothing overflows at 1280 and 390, in light and dark', async () => {
    for (const colorScheme of ['light', 'dark'])
        for (const width of [1280, 390]) {
            const p = await b.open(browser, URL_, { viewport: { width, height: 800 }, colorScheme });
            await p.evaluate(() => document.querySelectorAll('details').forEach(d => { d.open = true; }));
            await b.until(p, () => document.querySelectorAll('details.peaks table').length === document.querySelectorAll('figure.chart').length);
            assert.equal(await p.evaluate(() => document.documentElement.scrollWidth), width, `${width} ${colorScheme}`);
            assert.equal(await p.locator('.glance tbody tr:last-child td:visible').count(), width < 500 ? 2 : 7, 'on a card no line without a value');
            const paper = (await b.colour(p, 'paper'))[0];
            assert.ok(colorScheme === 'dark' ? paper < 60 : paper > 240, 'paper');
            assert.deepEqual(p.wrong, []);
            await p.context().close();
        }
});

test('a reader of headings and tables finds everything', async () => {
    const gaps = await page.evaluate(() => ({
        charts: [...document.querySelectorAll('.plot')].filter(p => !/peaks at|nothing was measured/.test(p.getAttribute('aria-label') || '')).length,
        tables: [...document.querySelectorAll('table')].filter(t => !t.caption || !t.caption.textContent).length,
        buttons: [...document.querySelectorAll('button')].filter(x => !(x.getAttribute('aria-label') || x.textContent).trim()).length,
        heads: [...document.querySelectorAll('main section')].filter(s => !s.getAttribute('aria-label') && !document.getElementById(s.getAttribute('aria-labelledby'))).length,
        ids: [...document.querySelectorAll('[id]')].map(e => e.id).filter((id, i, all) => all.indexOf(id) !== i).length
    }));
    assert.deepEqual(gaps, { charts: 0, tables: 0, buttons: 0, heads: 0, ids: 0 });
});

test('it prints with every chart drawn', async () => {
    const p = await b.open(browser, URL_, { colorScheme: 'dark' });
    const pdf = await p.pdf({ format: 'A4' });
    const pictures = pdf.toString('latin1').match(/\/Subtype \/Image/g) || [];
    assert.ok(pictures.length >= 6, `${pictures.length} charts on paper`);
    assert.equal(await p.evaluate(() => volplan.figures.every(f => f.g)), true);
    await p.emulateMedia({ media: 'print' });
    await p.evaluate(() => dispatchEvent(new Event('beforeprint')));
    for (const part of ['#sources .sources', '#change .steps', '#options .group:last-child table'])
        assert.equal(await p.locator(part).first().isVisible(), true, `${part} on paper`);
    await p.evaluate(() => dispatchEvent(new Event('afterprint')));
    assert.equal(await p.locator('details.group[open]').count(), 1, 'folded again');
    await p.context().close();
});

test('nothing went wrong and nothing was fetched', () => assert.deepEqual(page.wrong, []));
