/* tests/browser/browser.js - Debian's chromium through playwright-core, and what every test needs of it. */
'use strict';
const { execFileSync, spawn } = require('node:child_process');
const { chromium } = require('playwright-core');

const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];

const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ARGS });

/* A page whose console errors, exceptions, dialogs and foreign requests are kept in page.wrong. */
async function open(browser, url, options) {
    const context = await browser.newContext(Object.assign({ viewport: { width: 1280, height: 900 } }, options));
    const page = await context.newPage();
    page.wrong = [];
    page.on('console', m => { if (['error', 'warning'].includes(m.type())) page.wrong.push('console: ' + m.text()); });
    page.on('pageerror', e => page.wrong.push('exception: ' + e.message));
    page.on('dialog', d => { page.wrong.push('dialog: ' + d.message()); d.dismiss(); });
    page.on('request', r => { if (new URL(r.url()).origin !== new URL(url).origin && !r.url().startsWith('data:')) page.wrong.push('request: ' + r.url()); });
    await page.goto(url);
    await page.waitForSelector('html[data-ready="1"]', { timeout: 15000 });
    return page;
}

/* The program's answer to a command line, as an object; an answer of "no" (exit 1) is one too. */
function ask(db, ...words) {
    const run = () => execFileSync(process.env.VOLPLAN, ['--db', db, ...words, '--json'], { maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });
    try {
        return JSON.parse(run());
    } catch (e) {
        if (e.status !== 1)
            throw e;
        return JSON.parse(e.stdout);
    }
}

/* Waits until fn holds in the page. (waitForFunction of playwright would need eval, which the page forbids.) */
async function until(page, fn, arg) {
    for (const end = Date.now() + 10000; Date.now() < end;) {
        if (await page.evaluate(fn, arg))
            return;
        await new Promise(done => setTimeout(done, 20));
    }
    throw new Error(`never came true: ${fn}`);
}

/* Brings a chart into sight and waits until it is drawn; answers where its plot lies. */
async function chart(page, name) {
    const index = await page.evaluate(n => volplan.figures.findIndex(f => f.chart.name === n), name);
    const plot = page.locator(`#chart-${index} .plot`);
    await plot.scrollIntoViewIfNeeded();
    await until(page, i => Boolean(volplan.figures[i].g), index);
    return { index, plot, box: await plot.boundingBox() };
}

/* The pixel of a chart's canvas at (x, y) of its plot, as [r, g, b, a]. */
const pixel = (page, index, x, y) => page.evaluate(([i, px, py]) => {
    const canvas = volplan.figures[i].plot.querySelector('canvas');
    const ratio = canvas.width / canvas.clientWidth;
    const copy = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    copy.drawImage(canvas, -Math.floor(px * ratio), -Math.floor(py * ratio));
    return [...copy.getImageData(0, 0, 1, 1).data];
}, [index, x, y]);

/* The colour of a variable of the style sheet, as [r, g, b]. */
const colour = (page, name) => page.evaluate(n => {
    const probe = document.createElement('i');
    probe.style.color = `var(--${n})`;
    document.body.append(probe);
    const text = getComputedStyle(probe).color;
    probe.remove();
    return text.match(/\d+/g).slice(0, 3).map(Number);
}, name);

const near = (a, b, by) => a[3] > 200 && b.every((v, i) => Math.abs(v - a[i]) <= by);

/* Dollars as the program prints them: half a cent up. (883.145 is less in binary, so toFixed would round it down.) */
const usd = value => (Math.round(Math.round(value * 1e4) / 100) / 100).toFixed(2);

const servers = [];

/* `volplan serve` on a free port: where it listens. */
function serve(db) {
    const server = spawn(process.env.VOLPLAN, ['--db', db, 'serve', '--port', '0'], { stdio: ['ignore', 'pipe', 'pipe'] });
    return new Promise((found, failed) => {
        let said = '';
        const hear = text => {
            said += text;
            const match = /http:\/\/127\.0\.0\.1:\d+\//.exec(said);
            if (match)
                found({ url: match[0] });
        };
        server.stdout.on('data', hear);
        server.stderr.on('data', hear);
        server.on('exit', () => failed(new Error('serve ended: ' + said)));
        servers.push(server);
    });
}

/* Closes the browser and every server, so that a failed test ends too. */
async function end(browser) {
    servers.splice(0).forEach(s => s.kill('SIGTERM'));
    await browser.close();
}

const planned = page => until(page, () => /^Planned/.test((document.querySelector('#controls .status') || {}).textContent || ''));

/* Acts in a live page, then waits until it is planned and drawn anew. */
async function change(page, act) {
    await page.evaluate(() => { document.querySelector('#controls .status').textContent = ''; });
    await act();
    await planned(page);
}

module.exports = { launch, open, until, ask, serve, end, planned, change, chart, pixel, colour, near, usd };
