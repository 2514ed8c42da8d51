#!/bin/sh
# tests/installed.sh BUILD - what `make install` puts into a folder runs there, and README finds beside itself what it names.
set -eu
build=$1
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
make -s -C "$root" B="$build" DESTDIR="$work" PREFIX=/usr install >/dev/null
[ "$("$work/usr/bin/volplan" --version)" = "$("$root/$build/volplan" --version)" ] || { echo "installed: the program does not run"; exit 1; }
doc="$work/usr/share/doc/volplan"
named=$(grep -oE '(docs|data/sql)/[a-z_]+\.(md|png|sql)' "$doc/README.md" | sort -u)
[ -n "$named" ] || { echo "installed: README names no file, so nothing was compared"; exit 1; }
for f in $named; do
    [ -f "$doc/$f" ] || { echo "installed: README names $f, which is not there"; exit 1; }
done
echo "installed: it runs, and README finds its $(echo "$named" | wc -l) files"
