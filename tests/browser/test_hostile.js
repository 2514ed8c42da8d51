/* tests/browser/test_hostile.js - names made to break out of text: of the system, a group, a standby, a device, a file. */
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const { execFileSync } = require('node:child_process');
const { after, before, test } = require('node:test');
const b = require('./browser');

const SYSTEM = '<script>alert(1)</script>';
const GROUP = '"><img src=x onerror=alert(2)>';
const STANDBY = '</svg><script>alert(3)</script>';
const DEVICE = 'sd"\'&lt;a';
const FILE = '<b onclick=alert(4)>&amp;.txt';
let browser, server;
const db = path.join(process.env.WORK, 'hostile.db');

before(async () => {
    browser = await b.launch();
    const root = path.join(__dirname, '..', '..');
    const text = fs.readFileSync(process.env.DEMO_IOSTAT, 'utf8').replaceAll('nvme8n1', DEVICE);
    fs.writeFileSync(path.join(process.env.WORK, FILE), text);
    const layout = JSON.parse(fs.readFileSync(path.join(root, 'data/demo/layout.json'), 'utf8'));
    layout.system = SYSTEM;
    layout.groups[0].name = GROUP;
    layout.groups[0].devices = [DEVICE];
    layout.standbys[0].name = STANDBY;
    fs.writeFileSync(path.join(process.env.WORK, 'hostile.json'), JSON.stringify(layout));
    const run = (...words) => execFileSync(process.env.VOLPLAN, ['--db', db, '--quiet', ...words], { cwd: process.env.WORK, stdio: 'ignore' });
    run('ingest', '--system', SYSTEM, FILE, path.join(root, 'data/demo/awr_prd1_0700_0959.txt'));
    run('layout', '--system', SYSTEM, '--set', 'hostile.json');
    run('report', '-o', 'hostile.html');
});
after(() => b.end(browser));

/* Names stand as text where they belong, and nothing else came of them. */
async function look(page) {
    assert.equal(await page.locator('#system').innerText(), SYSTEM);
    assert.ok((await page.title()).includes(SYSTEM));
    assert.ok((await page.locator('figure.chart h3').allInnerTexts()).some(h => h.startsWith(GROUP)));
    assert.ok((await page.locator('svg.redo.wide text').allTextContents()).includes(STANDBY));
    assert.ok((await page.locator('.where').allTextContents()).some(w => w.startsWith(FILE)));
    assert.ok((await page.locator('.finding').allInnerTexts()).some(f => f.includes(DEVICE)));
    await page.evaluate(() => document.querySelectorAll('details').forEach(d => { d.open = true; }));
    assert.equal(await page.locator('img, [onerror], [onclick], main script, svg script, iframe').count(), 0);
    assert.equal(await page.locator('b').count(), await page.locator('footer b').count());
    assert.deepEqual(page.wrong, []);
}

test('hostile names stay text in a report', async () => look(await b.open(browser, 'file://' + path.join(process.env.WORK, 'hostile.html'))));

test('hostile names stay text in the live page, its form and its address', async () => {
    server = await b.serve(db);
    const page = await b.open(browser, server.url, { viewport: { width: 1440, height: 1000 } });
    await b.planned(page);
    await look(page);
    await b.change(page, () => page.locator('#standbys li').first().getByRole('button').click());
    assert.ok(page.url().includes('drop-standby=' + encodeURIComponent(STANDBY)));
    assert.equal(await page.locator('img, main script').count(), 0);
    assert.deepEqual(page.wrong, []);
});

test('the page runs no script but its own', async () => {
    const planted = path.join(process.env.WORK, 'planted.html');
    const text = fs.readFileSync(path.join(process.env.WORK, 'hostile.html'), 'utf8');
    fs.writeFileSync(planted, text.replace('</body>', '<script>window.ran = true;</script></body>'));
    const page = await b.open(browser, 'file://' + planted);
    assert.equal(await page.evaluate(() => window.ran), undefined);
    assert.ok(page.wrong.some(w => /Content Security Policy/.test(w)), page.wrong.join());
});
