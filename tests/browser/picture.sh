#!/bin/sh
# tests/browser/picture.sh VOLPLAN DEMO OUT.png - the picture of the demo's report that README shows.
set -eu
volplan=$(realpath "$1")
demo=$(realpath "$2")
out=$(realpath -m "$3")
for p in "${CHROMIUM:-chromium}" pngquant; do
    command -v "$p" >/dev/null || { echo "please install what Debian calls: chromium pngquant"; exit 1; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
"$volplan" --db "$demo/demo.db" report -o "$work/report.html" --quiet >/dev/null
"${CHROMIUM:-chromium}" --headless --no-sandbox --disable-gpu --disable-background-networking --disable-component-update --disable-sync \
    --no-first-run --hide-scrollbars --user-data-dir="$work/profile" --virtual-time-budget=3000 --force-device-scale-factor=0.8 --window-size=1120,1500 \
    --screenshot="$work/report.png" "file://$work/report.html" >/dev/null 2>&1
pngquant --force --speed 1 --output "$out" 64 "$work/report.png"
echo "$out: $(($(stat -c %s "$out") / 1024)) KiB"
