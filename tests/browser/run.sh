#!/bin/sh
# tests/browser/run.sh VOLPLAN DEMO - looks at the page of the demo in Debian's chromium.
#
# playwright-core comes from npm into tests/browser/node_modules, which is never committed.
set -eu
VOLPLAN=$(realpath "$1")
demo=$(realpath "$2")
cd "$(dirname "$0")"
for p in chromium node npm; do
    command -v $p >/dev/null || { echo "please install what Debian calls: chromium nodejs npm"; exit 1; }
done
[ -d node_modules/playwright-core ] || npm ci --no-audit --no-fund --silent
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
export VOLPLAN DEMO_DB="$demo/demo.db" DEMO_IOSTAT="$demo/iostat_prd1.txt" REPORT="$work/report.html" WORK="$work"
"$VOLPLAN" --db "$DEMO_DB" report -o "$REPORT" --quiet >/dev/null
node --test --test-concurrency=1 --test-reporter="${REPORTER:-spec}" test_*.js
