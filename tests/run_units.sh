#!/bin/sh
# tests/run_units.sh PROGRAM... - runs cmocka programs and adds up what they counted.
# A program that fails makes the run fail, and so does one that counts no test, unless it says with a line
# "not run: ..." which folder it lacks; the output of a failure and every such line are shown.
passed=0 failed=0 skipped=0
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT
trap 'exit 130' INT TERM
for program in "$@"; do
    "$program" >"$log" 2>&1
    status=$?
    n=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test(s).*/\1/p' "$log" | awk '{ n += $1 } END { print n + 0 }')
    passed=$((passed + n))
    k=$(sed -n 's/^\[  SKIPPED \] \([0-9]*\) test(s).*/\1/p' "$log" | awk '{ n += $1 } END { print n + 0 }')
    skipped=$((skipped + k))
    if [ "$status" -ne 0 ] || { [ "$n" -eq 0 ] && ! grep -q '^not run: ' "$log"; }; then
        failed=$((failed + 1))
        echo "FAILED: $program (exit $status, $n passed)"
        grep -v -e '^\[ RUN' -e '^\[       OK' "$log" | tail -n 60
    else
        grep -e '^not run: ' -e '^seed ' "$log"
    fi
done
echo "units: $passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
