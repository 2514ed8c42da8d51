#!/bin/sh
# tests/run_valgrind.sh BUILD - the unit tests and one run of every command under valgrind memcheck.
set -eu
build=$1
export UNDER_VALGRIND=1
check="valgrind --quiet --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite,possible --track-origins=no"
n=0
for t in $(find "$build/tests/models" "$build/tests/data" "$build/tests/planner" "$build/tests/cli" -type f -name 'test_*' \
    ! -name '*.o' ! -name '*.d' ! -name test_acceptance | sort); do
    $check "$t" >/dev/null 2>"$build/valgrind.log" || { cat "$build/valgrind.log"; echo "valgrind: $t"; exit 1; }
    n=$((n + 1))
done
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
awk -f data/demo/iostat.awk | head -n 400 >"$work/iostat.txt"
run() {
    status=0
    $check "$build/volplan" --db "$work/v.db" "$@" >/dev/null 2>"$build/valgrind.log" || status=$?
    [ "$status" -le 1 ] || { cat "$build/valgrind.log"; echo "valgrind: volplan $*"; exit 1; } # 1: the answer is no
    n=$((n + 1))
}
# A live page: each address once, known or not, and the end by a signal.
serve() {
    $check "$build/volplan" --db "$work/v.db" serve --port 0 >"$work/said" 2>"$build/valgrind.log" &
    server=$!
    while [ ! -s "$work/said" ] && kill -0 $server 2>/dev/null; do sleep 0.2; done
    url=$(grep -o 'http://[^ ]*' "$work/said" || true)
    for address in "" api/systems "api/plan?system=PRD1" "api/series?points=100" "api/report" "api/whatif?standbys=8" \
        "api/plan?types=gp9" "api/plan?%zz" nothing; do
        curl -s -o /dev/null "$url$address" || break
    done
    status=0
    kill -TERM $server && wait $server || status=$?
    server=
    [ "$status" -eq 0 ] || { cat "$build/valgrind.log"; echo "valgrind: volplan serve, exit $status"; exit 1; }
    n=$((n + 1))
}
run vol io2 --size 500 --iops 5000 --io-size 256
run size --throughput 1000 --iops 417 --size 500
run instance r5.8xlarge
run catalog
run inspect data/demo/awr_prd1_0700_0959.txt
run ingest --system PRD1 data/demo/awr_prd1_0700_0959.txt "$work/iostat.txt"
run layout --system PRD1 --set data/demo/layout.json
run peaks
run plan --as-of 2022-06-01
run plan --json
run plan --instance auto --percentile 99
run plan --types gp2,st1,gp3 --max-throttled-s 60
run plan --all --jobs 2
run whatif --standbys 8 --merge-loss REDO1:1 --rman 07:00,1,100
run replay --instance r6i.large --json --verbose
run diagnose
run change --as-of 2022-06-01
run fetch --iam-policy
run catalog --diff 2022-06-01 2026-01-01
run systems
run reconcile --bill tests/cli/fixtures/cur.csv
run series --points 100
run series --group REDO1 --json
run report -o "$work/page.html"
run report --json
run export
run export --metrics --json
for shell in bash zsh fish; do
    run completion $shell
done
run help plan
serve
run store check
run store copy "$work/v.db" "$work/copy.db"
run store rollup --before 2030-01-01 --dry-run
run store rollup --before 2030-01-01
run store prune --before 2030-01-01
run store upgrade
echo "valgrind: $n programs clean"
