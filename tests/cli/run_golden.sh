#!/bin/sh
# tests/cli/run_golden.sh [VOLPLAN] - runs every case of tests/cli/golden and compares what it prints.
#
# A case is a folder: `cmd` is a shell script that calls `volplan`; `stdout`, `stderr` and `exit` are what it
# must give. It runs in an empty folder with $ROOT naming the repository. BLESS=1 writes what came instead
# of comparing it: look at the diff before committing. ONLY=NAME runs one case. A case with a script `needs`
# that fails is not run, for the reason that it prints.
root=$(cd "$(dirname "$0")/../.." && pwd)
volplan=$(realpath "${1:-${VOLPLAN:-$root/build/volplan}}")
[ -x "$volplan" ] || { echo "golden: no program at $volplan"; exit 1; }

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
mkdir "$work/bin" "$work/out"
ln -s "$volplan" "$work/bin/volplan"

run_case() {
    rm -rf "$work/in"
    mkdir "$work/in"
    (
        cd "$work/in" || exit 1
        env -i PATH="$work/bin:$PATH" HOME="$work" ROOT="$root" LC_ALL=C TZ=UTC VOLPLAN_TODAY=2026-11-30 \
            ${ASAN_OPTIONS:+ASAN_OPTIONS="$ASAN_OPTIONS"} sh "$1/cmd" >"$work/out/stdout" 2>"$work/out/stderr"
        echo $? >"$work/out/exit"
    ) </dev/null
}

passed=0 failed=0
for case in "$root"/tests/cli/golden/*/; do
    case=${case%/}
    name=$(basename "$case")
    [ -f "$case/cmd" ] || continue
    [ -z "${ONLY:-}" ] || [ "$ONLY" = "$name" ] || continue
    if [ -f "$case/needs" ] && ! why=$(sh "$case/needs"); then
        echo "not run: $name: $why"
        continue
    fi
    run_case "$case"
    if [ "${BLESS:-0}" = 1 ]; then
        cp "$work/out/stdout" "$work/out/stderr" "$work/out/exit" "$case/"
    fi
    ok=1
    for part in stdout stderr exit; do
        if ! diff -u "$case/$part" "$work/out/$part" >"$work/diff" 2>&1; then
            [ $ok = 1 ] && echo "FAILED: $name"
            ok=0
            head -n 40 "$work/diff"
        fi
    done
    if [ $ok = 1 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
done
echo "golden: $passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
