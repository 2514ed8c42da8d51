#!/bin/bash
# tests/bench/fleet.sh VOLPLAN - plan --all of 10, 100 and 1 000 systems of ten devices, and of all of them once more, when their
# plans are kept.       goal: the time a system takes is the same within 10 %
# The least of three runs with one worker. What is compared is the time of the processor: most of the rest is the disk, a commit a
# system, which others use as well.
set -euo pipefail
volplan=$(realpath "$1")
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work"
export VOLPLAN_TODAY=2026-11-30
awk -f "$root/data/demo/iostat.awk" >iostat.txt

systems=0
fill() { # up to N systems
    while [ $systems -lt "$1" ]; do
        systems=$((systems + 1))
        "$volplan" ingest --quiet --system S$systems iostat.txt >/dev/null
        sed "s/\"PRD1\"/\"S$systems\"/" "$root/data/demo/layout.json" >layout.json
        "$volplan" layout --set layout.json >/dev/null
    done
}
TIMEFORMAT='%R %U %S'
seconds() { # of the clock, of the processor
    { time "$volplan" plan --all --quiet --jobs 1 >/dev/null; } 2>&1 | awk '{ print $1, $2 + $3 }'
}
least() { sort -n -k 2 | head -n 1; }

for n in 10 100 1000; do
    fill $n
    for _ in 1 2 3; do
        sqlite3 volplan.db 'DELETE FROM plan_result'
        seconds
    done >planned
    echo "$n $(least <planned) $(seconds)"
done | awk '{
    each[NR] = $3 / $1
    printf "fleet: %4d systems planned in %.2f s, %.2f s of it the processor (%.2f ms each); kept ones in %.2f s\n", $1, $2, $3, $3 / $1 * 1e3, $4
} END { printf "fleet: a system of 1 000 takes %.2f times the processor of one of 100 (goal: at most 1.10)\n", each[3] / each[2] }'
