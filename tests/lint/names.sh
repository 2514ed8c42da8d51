#!/bin/sh
# tests/lint/names.sh - file names are unique, files open with their path, none grows past 700 lines,
# no function is more complex than 50 (pmccabe).
bad=0
sources=$(find models data planner cli -name '*.[ch]' | sort)

for name in $(find models data planner cli tests -name '*.[ch]' -exec basename {} \; | sort | uniq -d); do
    echo "file name used twice: $name"
    bad=1
done
for f in $sources; do
    case $(head -n 1 "$f") in
    "/* $f - "* | "/* $f: "*) ;;
    *) echo "$f:1: does not open with '/* $f - purpose'"; bad=1 ;;
    esac
    lines=$(wc -l <"$f")
    if [ "$lines" -gt 700 ]; then
        echo "$f: $lines lines; split it"
        bad=1
    fi
done
if ! complex=$(pmccabe $sources); then
    echo "pmccabe failed"
    exit 1
fi
echo "$complex" | awk '$1 > 50 { print $6 ": complexity " $1 " of " $7; n++ } END { exit n > 0 }' || bad=1
[ "$bad" -eq 0 ] && echo "lint: names and sizes hold"
