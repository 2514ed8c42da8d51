/* tests/browser/test_live.js - the page of `volplan serve`: what it shows after a change is what `whatif` prints. */
'use strict';
const assert = require('node:assert');
const { execFileSync } = require('node:child_process');
const { after, before, test } = require('node:test');
const b = require('./browser');

const DB = process.env.DEMO_DB;
let browser, page, server;

const change = act => b.change(page, act);
const total = p => p.locator('.glance tbody tr:last-child td').nth(5).innerText();
const lines = (p, name) => p.evaluate(n => volplan.chart_of(n).chart.ceilings.filter(c => c.metric === 'mibps' && c.whose !== 'today').map(c => [c.whose, c.what, c.value]), name);

before(async () => {
    server = await b.serve(DB);
    browser = await b.launch();
    page = await b.open(browser, server.url, { viewport: { width: 1440, height: 1000 } });
    await b.planned(page);
});
after(() => b.end(browser));

test('it opens with the plan of the demo', async () => {
    assert.equal(await total(page), b.usd(b.ask(DB, 'plan').total_usd));
    assert.equal(await page.locator('#standbys li').count(), 6);
});

test('two more standbys change the redo chart, the picture and the plan as whatif says', async () => {
    const before_ = await lines(page, 'REDO1');
    await change(() => page.locator('#add-standby').click());
    await change(() => page.locator('#add-standby').click());
    const answer = b.ask(DB, 'whatif', '--add-standby', 'new1', '--add-standby', 'new2');
    const peak = answer.groups.find(g => g.name === 'REDO1' && g.basis === 'peak');
    const chosen = answer.scenario.groups.find(g => g.name === 'REDO1').chosen;
    assert.equal(await total(page), b.usd(answer.scenario.total_usd));
    const after_ = await lines(page, 'REDO1');
    assert.notDeepEqual(after_, before_);
    assert.deepEqual(after_, [['plan', 'baseline', chosen.group_max_throughput_mibps],
        ['whatif', 'central', peak.central.total_mibps], ['whatif', 'upper', peak.upper.total_mibps]]);
    const row = await page.locator('.glance tbody tr', { hasText: 'REDO1' }).innerText();
    assert.ok(row.replace(/\u202f/g, '').replace(/\u00a0/g, ' ').includes(`${chosen.iops} IOPS`), row);
    assert.deepEqual(await page.locator('#verdict p').evaluateAll(all => all.map(p => p.textContent.replace(/[\u202f\u00a0]/g, ' '))), answer.verdict);
    for (const id of ['findings', 'sources'])
        assert.match(await page.locator(`#${id} .body`).innerText(), /^Of the .*without|not in it/, `${id}: the changes are not in it`);
    assert.equal(await page.locator('svg.redo.wide text', { hasText: /^new[12]$/ }).count(), 2);
    const { index } = await b.chart(page, 'REDO1');
    const y = await page.evaluate(([i, v]) => volplan.figures[i].g.toDomYCoord(v), [index, peak.central.total_mibps]);
    const x = await page.evaluate(i => volplan.figures[i].g.getArea().x + 6, index);
    assert.ok(b.near(await b.pixel(page, index, x, y), await b.colour(page, 'whatif'), 60), 'the line of the changed peak');
});

test('what was unfolded stays so when it is drawn anew', async () => {
    await page.locator('#chart-1 details.peaks summary').click();
    await b.until(page, () => Boolean(document.querySelector('#chart-1 details.peaks table')));
    await change(async () => { await page.locator('[name=growth]').fill('3'); await page.keyboard.press('Tab'); });
    await b.until(page, () => Boolean(document.querySelector('#chart-1 details.peaks table')));
    assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll('details.peaks')].map(d => d.open)), [false, true, false, false, false, false]);
    await change(() => page.goBack());
});

test('the line that is shown gives the same answer', async () => {
    const words = (await page.locator('#controls .command code').innerText()).split(' ');
    assert.equal(words[0], 'volplan');
    const printed = JSON.parse(execFileSync(process.env.VOLPLAN, [...words.slice(1), '--json'], { maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] }));
    assert.equal(b.usd(printed.scenario.total_usd), await total(page));
});

test('the address holds the state, and back undoes a change', async () => {
    const two = await total(page), plan = b.usd(b.ask(DB, 'plan').total_usd);
    assert.match(page.url(), /\?system=PRD1&add-standby=new1&add-standby=new2$/);
    const other = await b.open(browser, page.url(), { viewport: { width: 1440, height: 1000 } });
    await b.planned(other);
    assert.equal(await total(other), two);
    assert.deepEqual(await lines(other, 'REDO1'), await lines(page, 'REDO1'));
    assert.equal(await other.locator('#standbys li').count(), 8);
    assert.deepEqual(other.wrong, []);
    await other.context().close();
    await change(() => page.goBack());
    assert.match(page.url(), /\?system=PRD1&add-standby=new1$/);
    assert.equal(await total(page), b.usd(b.ask(DB, 'whatif', '--add-standby', 'new1').scenario.total_usd));
    await change(() => page.goBack());
    assert.equal(await total(page), plan);
    await change(() => page.goForward());
    assert.equal(await page.locator('#standbys li').count(), 7);
});

test('every other control re-plans as the option of its name', async () => {
    const cases = [
        [async () => page.locator('[name=growth]').fill('20'), 'growth', ['--growth', '20']],
        [async () => page.locator('[name=merge-loss]').selectOption('FRA'), 'merge-loss', ['--merge-loss', 'FRA']],
        [async () => page.locator('[name=redo-block]').selectOption('4096'), 'redo-block', ['--redo-block', '4096']],
        [async () => page.locator('[name=standbys]').fill('8'), 'standbys', ['--standbys', '8']],
        [async () => page.getByLabel('Drop dr3').click(), 'drop-standby', ['--drop-standby', 'dr3']],
        [async () => page.getByLabel('dr2 is fed by').selectOption('dr1'), 'cascade', ['--cascade', 'dr2=dr1']],
        [async () => page.getByLabel('Line to dr1, MiB/s').fill('5'), 'drop-standby', ['--drop-standby', 'dr1', '--add-standby', 'dr1:send=5']],
        [async () => page.locator('[name=headroom]').fill('50'), 'headroom', ['--headroom', '50']],
        [async () => page.locator('[name=types][value=gp3]').check(), 'types', ['--types', 'gp3']],
        [async () => page.locator('[name=as-of]').fill('2022-06-01'), 'as-of', ['--as-of', '2022-06-01']],
        [async () => page.locator('[name=instance]').fill('r5.12xlarge'), 'instance', ['--instance', 'r5.12xlarge']]];
    const changes = ['growth', 'merge-loss', 'redo-block', 'standbys', 'drop-standby', 'cascade'];
    for (const [act, name, words] of cases) {
        await change(() => page.getByRole('button', { name: 'Undo all' }).click());
        await change(async () => { await act(); await page.keyboard.press('Tab'); });
        const answer = changes.includes(name) ? b.ask(DB, 'whatif', ...words).scenario : b.ask(DB, 'plan', ...words);
        assert.equal((await total(page)).replace(/\u202f/g, ''), b.usd(answer.total_usd), name);
        assert.ok(page.url().includes(`${name}=`), page.url());
    }
});

test('a change asks for one answer; what else hangs on the options follows', async () => {
    const asked = [], settled = () => b.until(page, () => !document.querySelector('main .late'));
    const hear = r => asked.push(new URL(r.url()).pathname);
    const undo = () => change(() => page.getByRole('button', { name: 'Undo all' }).click());
    await undo();
    await settled();
    page.on('request', hear);
    await change(async () => { await page.locator('[name=growth]').fill('10'); await page.keyboard.press('Tab'); });
    assert.deepEqual(asked.splice(0), ['/api/whatif']);
    await undo();
    assert.deepEqual(asked.splice(0), [], 'the report at hand is drawn again');
    await change(async () => { await page.locator('[name=headroom]').fill('50'); await page.keyboard.press('Tab'); });
    assert.deepEqual(asked, ['/api/plan']);
    assert.equal(await page.locator('main .late').count(), 5);
    assert.match(await page.locator('#controls .command code').innerText(), /^volplan report .*--system PRD1 --headroom 50 -o report.html$/);
    await settled();
    assert.deepEqual(asked.splice(0), ['/api/plan', '/api/report']);
    const report = b.ask(DB, 'report', '--headroom', '50');
    assert.equal(await total(page), report.plan.total_usd.toFixed(2));
    assert.deepEqual(await page.locator('#verdict p').allTextContents(), await page.evaluate(said => said.map(volplan.tidy), report.verdict));
    assert.match(await page.locator('#controls .command code').innerText(), /^volplan report .*--system PRD1 --headroom 50 -o report.html$/);
    page.off('request', hear);
});

test('changes and a stretch of time hold together', async () => {
    await change(() => page.getByRole('button', { name: 'Undo all' }).click());
    await change(async () => { await page.locator('[name=from]').fill('2022-05-18T08:30'); await page.keyboard.press('Tab'); });
    await change(async () => { await page.locator('[name=to]').fill('2022-05-18T10:00'); await page.keyboard.press('Tab'); });
    const words = ['--from', '2022-05-18T08:30:00Z', '--to', '2022-05-18T10:00:00Z'];
    assert.equal(await total(page), b.usd(b.ask(DB, 'plan', ...words).total_usd));
    await change(() => page.locator('#add-standby').click());
    const answer = b.ask(DB, 'whatif', '--add-standby', 'new1', ...words);
    assert.notEqual(b.usd(answer.scenario.total_usd), b.usd(b.ask(DB, 'whatif', '--add-standby', 'new1').scenario.total_usd));
    assert.equal(await total(page), b.usd(answer.scenario.total_usd));
    assert.match(await page.locator('#controls .command code').innerText(), /--from/);
});

test('the sentences of a plan are those of the program, before and after the rest has come', async () => {
    await change(() => page.getByRole('button', { name: 'Undo all' }).click());
    const said = () => page.locator('#verdict p').allInnerTexts().then(all => all.map(t => t.replace(/[\u202f\u00a0]/g, ' ')));
    await change(async () => { await page.locator('[name=headroom]').fill('60'); await page.keyboard.press('Tab'); });
    const wanted = b.ask(DB, 'report', '--headroom', '60').verdict;
    for (const s of await said())
        assert.ok(wanted.includes(s), s);
});

test('a wrong value is told, and what is drawn stays', async () => {
    await change(() => page.getByRole('button', { name: 'Undo all' }).click());
    const plan = await total(page);
    await page.locator('[name=instance]').fill('r99.huge');
    await page.keyboard.press('Tab');
    await b.until(page, () => document.querySelector('#controls .status').classList.contains('wrong'));
    assert.match(await page.locator('#controls .status').innerText(), /r99\.huge/);
    assert.equal(await page.locator('html.stale').count(), 1, 'what is drawn is not what is asked');
    assert.equal(await total(page), plan);
    await change(() => page.getByRole('button', { name: 'Undo all' }).click());
    page.wrong = page.wrong.filter(w => !/status of 400/.test(w));
});

test('an address that cannot be answered says so on a phone too, without empty parts', async () => {
    const phone = await b.open(browser, server.url + '?system=NOPE', { viewport: { width: 390, height: 800 } });
    const status = phone.locator('#controls .status.wrong');
    await status.waitFor({ state: 'visible' });
    assert.match(await status.innerText(), /NOPE|PRD1/);
    assert.equal(await phone.locator('#load').isVisible(), false);
    await phone.context().close();
});

test('nothing went wrong and nothing foreign was fetched', () => assert.deepEqual(page.wrong, []));
