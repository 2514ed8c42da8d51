/* tests/browser/make_minutes.js FOLDER DAYS - minutes from 1 January 2025 on of a host with eleven disks, as nmon text, and its layout.
 *
 * Loads follow the hour with one minute of 10 500 KiB/s times its number at noon of the 20th, the
 * highest there is.
 * Prints nothing; writes minutes.nmon and layout.json. */
'use strict';
const fs = require('node:fs');
const path = require('node:path');

const DISKS = 11, MINUTES = 1440 * Number(process.argv[3]), FIRST = Date.UTC(2025, 0, 1);
const PEAK = (Date.UTC(2025, 0, 20, 12) - FIRST) / 60000;
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const disks = Array.from({ length: DISKS }, (_, i) => 'sd' + String.fromCharCode(97 + i));

let seed = 1;
const random = () => { seed = (Math.imul(seed, 1103515245) + 12345) >>> 0; return seed / 4294967296; };

function minute(m) {
    const d = new Date(FIRST + m * 60000), two = n => String(n).padStart(2, '0');
    const t = 'T' + String(m + 1).padStart(6, '0');
    const wave = 1 + Math.sin((d.getUTCHours() - 6) / 24 * 2 * Math.PI);
    const rates = (share, peak) => disks.map((_, i) => m === PEAK ? peak * (i + 1) : (share * (i + 1) * (wave + random() * .5)).toFixed(1));
    return [`ZZZZ,${t},${two(d.getUTCHours())}:${two(d.getUTCMinutes())}:00,${two(d.getUTCDate())}-${MONTHS[d.getUTCMonth()]}-${d.getUTCFullYear()}`,
        `DISKREAD,${t},${rates(2000, 6500).join(',')}`, `DISKWRITE,${t},${rates(1000, 4000).join(',')}`, `DISKXFER,${t},${rates(30, 200).join(',')}`, ''].join('\n');
}

const folder = process.argv[2];
const out = fs.openSync(path.join(folder, 'minutes.nmon'), 'w');
fs.writeSync(out, `AAA,progname,nmon\nAAA,version,16n\nAAA,host,minutes\nAAA,interval,60\nAAA,snapshots,${MINUTES}\nAAA,time,00:00:00\nAAA,date,01-JAN-2025\n` +
    ['DISKREAD,Disk Read KB/s', 'DISKWRITE,Disk Write KB/s', 'DISKXFER,Disk transfers per second'].map(h => `${h} minutes,${disks.join(',')}\n`).join(''));
for (let m = 0; m < MINUTES; m += 1440)
    fs.writeSync(out, Array.from({ length: 1440 }, (_, i) => minute(m + i)).join(''));
fs.closeSync(out);
fs.writeFileSync(path.join(folder, 'layout.json'), JSON.stringify({
    system: 'MINUTES', region: 'us-east-1', instance_type: 'r5.8xlarge',
    groups: disks.map(d => ({ name: d.toUpperCase(), role: 'data', devices: [d], volumes: [{ type: 'gp3', count: 1, size_gib: 500, iops: 3000, throughput_mibps: 250 }] }))
}));
