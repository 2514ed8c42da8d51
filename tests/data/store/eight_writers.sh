#!/bin/bash
# tests/data/store/eight_writers.sh VOLPLAN [ROUNDS] - eight loaders at once on archives that overlap, each killed at
# random and started again, into a file, into the store of a server and into one that is spread (tests/pg_server.sh names them).
#
# After each round every file must be there once and whole, the store be sound, and nobody hold a lock. SEED= replays.
volplan=$(realpath "${1:-build/volplan}") rounds=${2:-3} root=$(cd "$(dirname "$0")/../../.." && pwd)
seed=${SEED:-$RANDOM}
RANDOM=$seed
echo "SEED=$seed"
FILES=10 OF_EACH=6 WRITERS=8 REPORTS=20
work=$(mktemp -d) || exit 2
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 2

# ten files of twenty reports, a month each, ten devices: the first reports of the demo
awk -f "$root/data/demo/iostat.awk" | awk -v n=$REPORTS '/^[0-9][0-9]\/.* [AP]M$/ { seen++ } seen > n { exit } { print }' >reports
for i in $(seq $FILES); do sed "s|^05/18/2022|$(printf %02d $i)/18/2022|" reports >file$i.txt; done
one=$("$volplan" inspect --csv file1.txt | tail -n +2 | wc -l)
[ "$one" -gt 100 ] || { echo "eight writers: the files hold $one samples only"; exit 1; }
want=$((FILES * one))

# Loads an archive; killed up to three times, then left alone and repeated until it succeeds.
writer() { # DB SYSTEM ARCHIVE SEED
    RANDOM=$4
    for kill in 1 2 3; do
        "$volplan" --db "$1" ingest --quiet --system "$2" "$3" >/dev/null 2>&1 &
        local pid=$!
        sleep 0.0$((RANDOM % 90 + 10))
        kill -9 $pid 2>/dev/null
        wait $pid 2>/dev/null && return 0
    done
    for try in $(seq 40); do
        "$volplan" --db "$1" ingest --quiet --system "$2" "$3" >/dev/null 2>"$3.why" && return 0
        grep -q locked "$3.why" || break
    done
    cat "$3.why"
    return 1
}

fail() { echo "eight writers: round $round, ${db%%\?*}: $*"; exit 1; }

check_round() { # DB SYSTEM
    local json
    "$volplan" --db "$1" export --system "$2" | tail -n +2 >rows || fail "export fails"
    [ "$(wc -l <rows)" = $want ] || fail "$(wc -l <rows) samples, not $want"
    [ -z "$(sort rows | uniq -d | head -n 1)" ] || fail "a sample is there twice"
    "$volplan" --db "$1" store check >said || fail "$(cat said)"
    case $1 in
    postgres*) [ "$(psql -X -A -t "$1" -c "SELECT count(*) FROM pg_locks l JOIN pg_stat_activity a USING(pid)
        WHERE a.datname = current_database() AND pid <> pg_backend_pid() AND l.locktype = 'transactionid'")" = 0 ] || fail "a lock is left" ;;
    *) "$volplan" --db "$1" ingest --quiet --system "$2" file1.txt >/dev/null || fail "a lock is left" ;;
    esac
}

run_round() { # DB
    local db=$1 system=R$round w i pids="" bad=0
    for w in $(seq $WRITERS); do
        tar -cf part$w.tar $(seq $FILES | shuf -n $OF_EACH --random-source=<(yes $RANDOM) | sed 's/.*/file&.txt/')
    done
    tar -cf part1.tar file?.txt && tar -cf part2.tar file?.txt file10.txt # so that each file is in some archive
    for w in $(seq $WRITERS); do writer "$db" $system part$w.tar $RANDOM & pids="$pids $!"; done
    for i in $pids; do wait $i || bad=1; done
    [ $bad = 0 ] || fail "a writer gave up"
    check_round "$db" $system
}

for db in "$work/volplan.db" $VOLPLAN_TEST_PG $VOLPLAN_TEST_SPREAD; do
    "$volplan" --db "$db" store init $([ "$db" != "$VOLPLAN_TEST_SPREAD" ] || echo "--fdw $VOLPLAN_TEST_PARTS") >/dev/null || exit 1
    for round in $(seq "$rounds"); do run_round "$db"; done
    echo "eight writers: $rounds rounds into $(basename "${db%%\?*}"): no sample lost, none twice, no lock left"
done
