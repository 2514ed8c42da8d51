#!/bin/sh
# tests/browser/short.sh VOLPLAN - opens the page of the demo in chromium, without npm: it must come up whole and without
# a word on the console. Where there is no chromium it says so and passes; `make check-browser` has the rest.
set -eu
chromium=${CHROMIUM:-chromium}
command -v "$chromium" >/dev/null || { echo "browser: skipped, there is no chromium here (apt-get install chromium)"; exit 0; }
volplan=$(realpath "$1")
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
"$root/data/demo/demo.sh" "$volplan" "$work" >/dev/null 2>&1
"$volplan" --db "$work/demo.db" report -o "$work/report.html" --quiet >/dev/null

# A second page with an error in it shows that this test would see one.
sed 's|^<title>|<script>console.error("planted")</script>&|' "$work/report.html" >"$work/planted.html"
show() {
    timeout 60 "$chromium" --headless --no-sandbox --disable-gpu --disable-background-networking --disable-component-update \
        --disable-sync --no-first-run --user-data-dir="$work/profile" --window-size=1280,2000 --virtual-time-budget=3000 \
        --enable-logging=stderr --v=0 --dump-dom "file://$work/$1.html" >"$work/$1.dom" 2>"$work/$1.log"
    grep CONSOLE "$work/$1.log" >"$work/$1.console" || true
}
fail() { echo "browser: FAILED: $1"; cat "$work/report.console"; exit 1; }
show report
show planted
[ -s "$work/planted.console" ] || fail "a planted error was not seen"
[ -s "$work/report.console" ] && fail "words on the console"
grep -q '<html[^>]* data-ready="1"' "$work/report.dom" || fail "the page did not come up"
grep -q '<div id="verdict"><p>[^<]*REDO1 is at its throughput ceiling in 41' "$work/report.dom" || fail "no verdict"
charts=$(grep -o '<figure class="chart"' "$work/report.dom" | wc -l)
drawn=$(grep -o '<canvas' "$work/report.dom" | wc -l)
[ "$charts" -eq 6 ] || fail "$charts charts, not those of 5 groups and the host"
[ "$drawn" -ge 2 ] || fail "no chart is drawn"
echo "browser: the page of the demo comes up, $charts charts, nothing on the console"
