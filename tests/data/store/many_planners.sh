#!/bin/bash
# tests/data/store/many_planners.sh VOLPLAN - many `plan --all` at once on one store of 40 systems: a file, a server's, and one
# that is spread over servers (tests/pg_server.sh names them).
#
# Two and eight planners: each system is planned once, none is lost, and every answer is what one planner computes by itself, as
# is that of --show. Then one planner is stopped in the middle and killed: what it was at is planned by the others.
volplan=$(realpath "${1:-build/volplan}") root=$(cd "$(dirname "$0")/../../.." && pwd)
SYSTEMS=40 REPORTS=40
work=$(mktemp -d) || exit 2
trap 'kill -9 $(jobs -p) 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 2
export VOLPLAN_TODAY=2026-11-30

fail() { echo "many planners: ${db%%\?*}: $*"; exit 1; }
ask() { # SQL
    case $db in
    postgres*) psql -X -A -t "$db" -c "SET search_path = volplan" -c "$1" | tail -n 1 ;;
    *) sqlite3 -cmd '.timeout 300' "$db" "$1" 2>/dev/null ;;
    esac
}
kept() { ask "SELECT count(*) FROM plan_result WHERE question LIKE '%--headroom $1%' AND plans > 0"; }
plan() { "$volplan" --db "$db" plan --all --json "$@"; }

fill() {
    "$volplan" --db "$db" store init $([ "$db" != "$VOLPLAN_TEST_SPREAD" ] || echo "--fdw $VOLPLAN_TEST_PARTS") >/dev/null || exit 1
    for s in $(seq 101 $((100 + SYSTEMS))); do
        "$volplan" --db "$db" ingest --quiet --system S$s reports.txt >/dev/null || fail "ingest fails"
        sed "s/\"PRD1\"/\"S$s\"/" "$root/data/demo/layout.json" >layout.json
        "$volplan" --db "$db" layout --set layout.json >/dev/null || fail "no layout"
    done
}

# All that were started give what one gives by itself; every system was planned once.
check() { # HEADROOM WORKER...
    local headroom=$1 w
    shift
    for w in "$@"; do
        wait "${pid[$w]}" || fail "planner $w: $(cat "why$w")"
        cmp "alone.$headroom" "said$w" || fail "planner $w says something else"
    done
    plan --headroom "$headroom" --show >shown || fail "--show: status $?"
    cmp "alone.$headroom" shown || fail "--show says something else"
    [ "$(kept "$headroom")" = $SYSTEMS ] || fail "$(kept "$headroom") results, not $SYSTEMS"
    [ "$(ask "SELECT max(plans) FROM plan_result")" = 1 ] || fail "a system was planned twice"
}

start() { # HEADROOM WORKER; not by plan(), whose shell would be what is stopped and killed
    "$volplan" --db "$db" plan --all --json --headroom "$1" --jobs 1 >"said$2" 2>"why$2" &
    pid[$2]=$!
}

together() { # HEADROOM PLANNERS
    local w all
    all=$(seq "$2")
    for w in $all; do start "$1" "$w"; done
    check "$1" $all
}

# Stops planner 1 when it has some plans and not all; not while it holds the whole file.
stop_first() { # HEADROOM
    local n try
    for try in $(seq 30); do
        ask "DELETE FROM plan_result WHERE question LIKE '%--headroom $1%'" >/dev/null
        start "$1" 1
        while n=$(kept "$1") && [ "${n:-0}" = 0 ] && kill -0 "${pid[1]}" 2>/dev/null; do :; done
        kill -STOP "${pid[1]}" 2>/dev/null && n=$(kept "$1") && [ "${n:-0}" -gt 0 ] && [ "$n" -lt $SYSTEMS ] && return
        kill -9 "${pid[1]}" 2>/dev/null
        wait "${pid[1]}" 2>/dev/null
    done
    fail "the planner was never stopped in the middle"
}

killed() { # HEADROOM
    stop_first "$1"
    for w in 2 3; do start "$1" $w; done
    sleep 1
    kill -9 "${pid[1]}"
    wait "${pid[1]}" 2>/dev/null
    [ $? = 137 ] || fail "the planner that was to die was done"
    check "$1" 2 3
}

awk -f "$root/data/demo/iostat.awk" | awk -v n=$REPORTS '/^[0-9][0-9]\/.* [AP]M$/ { seen++ } seen > n { exit } { print }' >reports.txt
for db in "$work/volplan.db" $VOLPLAN_TEST_PG $VOLPLAN_TEST_SPREAD; do
    fill
    if [ "$db" = "$work/volplan.db" ]; then # a store beside which nothing can be claimed keeps nothing
        cp volplan.db alone.db && mkdir alone.db-claims
        for headroom in 21 22 23; do db=alone.db plan --headroom $headroom >alone.$headroom 2>why || fail "$(cat why)"; done
        grep -q 'plans are not kept' why || fail "alone.db keeps plans"
    fi
    together 21 2
    together 22 8
    killed 23
    echo "many planners: 2, 8 and 3 of which one dies, $(basename "${db%%\?*}"): each system planned once, none lost"
done
