#!/bin/sh
# tests/cli/serve/load.sh VOLPLAN - 10 000 requests to `volplan serve`, 32 at once, without an error; what it has
# in memory after them is within 1 MiB of what it had after 1 000.  Needs ab (apache2-utils).
set -eu
volplan=$(realpath "$1")
demo=$(realpath "$(dirname "$0")/../../../data/demo")
requests=${REQUESTS:-10000}
command -v ab >/dev/null || { echo "load: skipped, there is no ab (apache2-utils)"; exit 0; }
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work"

export VOLPLAN_DB=demo.db VOLPLAN_TODAY=2026-11-30
awk -f "$demo/iostat.awk" >iostat.txt
"$volplan" ingest --quiet --system PRD1 "$demo/awr_prd1_0700_0959.txt" iostat.txt >/dev/null
"$volplan" layout --quiet --set "$demo/layout.json" >/dev/null
"$volplan" serve --port 0 >said &
server=$!
while [ ! -s said ] && kill -0 $server; do sleep 0.05; done
url=$(grep -o 'http://[^ ]*' said)

resident_kib() { sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' /proc/$server/status; }

# ask N PATH OPTION...: N requests, 32 at once, all of them answered with 200
ask() {
    n=$1 path=$2
    shift 2
    ab -q -n "$n" -c 32 "$@" "$url$path" >ab.txt 2>&1 || { cat ab.txt; exit 1; }
    if ! grep -q "^Complete requests: *$n\$" ab.txt || ! grep -q '^Failed requests: *0$' ab.txt || grep -q '^Non-2xx' ab.txt; then
        cat ab.txt
        exit 1
    fi
    sed -n "s|^Requests per second: *\([0-9]*\).*|load: $n of /${path%%\?*}${*:+ kept open}: \1 a second|p" ab.txt
}

# a tenth of the requests, then the others: one connection each and kept open, small and large answers
round() {
    ask $(($1 * 4 / 10)) "api/plan?system=PRD1"
    ask $(($1 * 2 / 10)) "api/systems" -k
    ask $(($1 * 2 / 10)) "" -k
    ask $(($1 * 2 / 10)) "api/peaks?system=PRD1&by=device"
}
round $((requests / 10))
before=$(resident_kib)
round $((requests - requests / 10))
after=$(resident_kib)
echo "load: $before KiB resident after $((requests / 10)) requests, $after after $requests"
[ "$((after - before))" -le 1024 ] || { echo "load: it grew by more than 1 MiB"; exit 1; }

kill -TERM $server
wait $server || { echo "load: exit $? after SIGTERM"; exit 1; }
server=
[ "$(ls | tr '\n' ' ')" = "ab.txt demo.db iostat.txt said " ] || { echo "load: files were written:"; ls; exit 1; }
