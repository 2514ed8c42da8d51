#!/bin/sh
# tests/lint/man.sh FOLDER - the manual pages in it, as mandoc and groff read them: not a warning.
# Says which of the two is not there.
bad=0 read_by=
pages=$(ls "$1"/*.1) || exit 1
if command -v mandoc >/dev/null; then
    read_by=mandoc
    # shellcheck disable=SC2086
    mandoc -T lint -W warning $pages || bad=1
else
    echo "not run: there is no mandoc"
fi
if command -v man >/dev/null && command -v groff >/dev/null; then
    read_by="$read_by groff"
    for page in $pages; do
        said=$(man --warnings -E UTF-8 -l -Tutf8 "$page" 2>&1 >/dev/null)
        [ -z "$said" ] || { echo "$page: $said"; bad=1; }
    done
else
    echo "not run: there is no man with groff"
fi
[ "$bad" -eq 0 ] && [ "$read_by" ] && echo "lint: the manual is clean ($read_by)"
exit "$bad"
