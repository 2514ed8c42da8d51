#!/bin/sh
# tests/planner/solve/glpk.sh GLPK_SYSTEMS - 200 random systems, planned and as mixed-integer programs solved by
# GLPK (Debian: glpk-utils): the same least ranking cost, to the micro-dollar, or no plan for both.
# SEED= tries others. BENCH=1 instead solves one system of 20 groups with 7 types and 32 counts each and prints the
# times of both: GLPK's own figure against that of the plan.
set -eu
program=$1
command -v glpsol >/dev/null || { echo "not run: no glpsol (Debian: glpk-utils)"; [ "${BENCH:-0}" = 1 ]; exit; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# compare N GROUPS TYPES COUNTS: a line "NUMBER PLANNED GLPK PLAN_S GLPK_S" for each that was solved
compare() {
    rm -f "$work"/*
    "$program" "$work" "$@" >"$work/planned"
    while read -r n planned plan_s; do
        glpsol --lp "$work/$n.lp" --tmlim 600 -w "$work/$n.sol" >"$work/$n.log" 2>&1 || { cat "$work/$n.log"; exit 1; }
        status=$(awk '$1 == "s" { print $5 }' "$work/$n.sol")
        case $status in
        o) found=$(awk '$1 == "s" { printf "%.0f", $6 }' "$work/$n.sol") ;;
        n | u) grep -q 'NO .*FEASIBLE SOLUTION' "$work/$n.log" && found=none || found=unsolved ;;
        *) found=unsolved ;;
        esac
        echo "$n $planned $found $plan_s $(awk '/^Time used/ { print $3 }' "$work/$n.log")"
    done <"$work/planned"
}

if [ "${BENCH:-0}" = 1 ]; then
    compare 1 20 7 32 2>/dev/null | awk '{
        printf "solve: 20 groups, 7 types and 32 counts each: planned in %.3f s, GLPK %.1f s (its own figure) for %s, ", $4, $5,
            $2 == $3 ? "the same cost" : "ANOTHER COST"
        printf "%.0f times (goal 100)\n", $5 / $4
        bad = $2 != $3 }
        END { if (!NR) print "solve: no system came to be compared"; exit !NR || bad }'
    exit
fi
{
    compare 120 3 4 4
    compare 60 5 7 8
    compare 20 8 7 12
} >"$work.lines"
awk '$2 != $3 { print "system " $1 ": planned " $2 ", GLPK " $3; bad++ }
     { n++; none += $2 == "none" }
     END { printf "glpk: %d systems, %d with the same cost (%d with no plan for both), %d not\n", n, n - bad, none, bad; exit bad > 0 || n != 200 }' "$work.lines" || bad=1
rm -f "$work.lines"
exit "${bad:-0}"
