#!/bin/bash
# tests/bench/ingest.sh VOLPLAN - ingest of `iostat -xkt` text of a million device rows (60 devices a report), in the
# columns and widths of sysstat 12.6 (197 characters a row, discards and flushes too),
# against three peers on the same rows in the same run, after one warm-up each, the median of three:
#   sqlite3 .import of the rows already cut to nine CSV columns       goal: at most 0.5 times its time
#   wc -l of the text                                                 how far from only reading it
#   a plain Python loop that splits lines and converts to float       goal: at least 10 times faster
set -euo pipefail
volplan=$(realpath "$1")
rows=${ROWS:-1000000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work"

awk -v reports=$((rows / 60)) 'BEGIN {
    srand(7)
    printf "Linux 5.4.17-2136.el8uek.x86_64 (bench1) \t05/18/22 \t_x86_64_\t(32 CPU)\n\n"
    for (i = 0; i <= reports; i++) {
        t = i
        printf "05/%02d/2022 %02d:%02d:%02d %s\n", 18 + int(t / 86400), (int(t / 3600) % 12) ? int(t / 3600) % 12 : 12, \
            int(t / 60) % 60, t % 60, (int(t / 3600) % 24) < 12 ? "AM" : "PM"
        print "avg-cpu:  %user   %nice %system %iowait  %steal   %idle"
        print "          11.20    0.00    2.10    3.40    0.00   83.30\n"
        print "Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   wrqm/s  %wrqm w_await wareq-sz     d/s     dkB/s   drqm/s  %drqm d_await dareq-sz     f/s f_await  aqu-sz  %util"
        for (d = 0; d < 60; d++) {
            r = int(rand() * 400000) / 100; w = int(rand() * 200000) / 100; m = int(rand() * 4000) / 100
            f = int(rand() * 500) / 100; a = int(rand() * 200) / 100
            printf "nvme%dn1%s %7.2f %9.2f     0.00   0.00 %7.2f    16.00 %7.2f %9.2f %8.2f %6.2f %7.2f    32.00    0.00      0.00     0.00   0.00    0.00     0.00 %7.2f %7.2f %7.2f %6.2f\n", \
                d, d < 10 ? "      " : "     ", r, r * 16, 0.3 + a, w, w * 32, m, (w + m > 0 ? 100 * m / (w + m) : 0), 0.4 + a, f, a / 2, (r + w) / 1200, (r + w) / 65
        }
        print ""
    }
}' >iostat.txt
awk -v OFS=, '/ [AP]M$/ { t = $1 " " $2 " " $3 } /^nvme/ { print t, $1, $2, $3, $8, $9, $6, $12, $22 }' iostat.txt >rows.csv
# every number of a device row, as volplan reads them; stamps and headings are not even looked at
cat >loop.py <<'PY'
import sys
n = 0
total = 0.0
with open(sys.argv[1]) as f:
    for line in f:
        if line.startswith("nvme"):
            cells = line.split()
            values = [float(c) for c in cells[1:]]
            total += values[1] + values[7]
            n += 1
print(n, total)
PY

# seconds COMMAND...: median of three after one warm-up, each without the databases of the one before
seconds() {
    rm -f ./*.db*
    "$@" >/dev/null 2>&1
    for _ in 1 2 3; do
        local from to
        rm -f ./*.db*
        from=$(date +%s%N)
        "$@" >/dev/null 2>&1
        to=$(date +%s%N)
        echo $((to - from))
    done | sort -n | sed -n 2p
}
one_ingest() { "$volplan" --db v.db --jobs "$1" --quiet ingest iostat.txt; }
one_import() { sqlite3 s.db 'create table io(t, device, r real, rkb real, w real, wkb real, ra real, wa real, util real)' '.mode csv' '.import rows.csv io'; }

one_ingest 1 >/dev/null
got=$("$volplan" --db v.db --csv peaks --by device | wc -l)
[ "$got" -ge 60 ] || { echo "ingest: lost devices ($got)"; exit 1; }
import=$(seconds one_import)
one=$(seconds one_ingest 1)
two=$(seconds one_ingest 2)
lines=$(seconds wc -l iostat.txt)
bytes=$(stat -c %s iostat.txt)
python=-
command -v python3 >/dev/null && python=$(seconds python3 loop.py iostat.txt)
awk -v rows="$rows" -v b="$bytes" -v s="$import" -v o="$one" -v t="$two" -v l="$lines" -v p="$python" 'BEGIN {
    printf "ingest: %.2f s for %d rows (%.0f MB, %.0f MB/s); sqlite3 .import %.2f s, ratio %.2f on one core, %.2f with two; %.1f times wc -l; ", \
        o / 1e9, rows, b / 1e6, b / o * 1e3, s / 1e9, o / s, t / s, o / l
    if (p == "-") print "no python3 to compare with"
    else printf "%.1f times faster than a Python split-and-float loop on one core, %.1f with two\n", p / o, p / t
}'
