#!/bin/sh
# tests/run_valgrind.sh BUILD - the unit tests and one run of every command under valgrind memcheck.
set -eu
build=$1
check="valgrind --quiet --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite,possible --track-origins=no"
n=0
for t in $(find "$build/tests/models" "$build/tests/data" "$build/tests/planner" "$build/tests/cli" -type f -name 'test_*' \
    ! -name '*.o' ! -name '*.d' ! -name test_acceptance | sort); do
    $check "$t" >/dev/null 2>"$build/valgrind.log" || { cat "$build/valgrind.log"; echo "valgrind: $t"; exit 1; }
    n=$((n + 1))
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
awk -f data/demo/iostat.awk | head -n 400 >"$work/iostat.txt"
run() {
    status=0
    $check "$build/volplan" --db "$work/v.db" "$@" >/dev/null 2>"$build/valgrind.log" || status=$?
    [ "$status" -le 1 ] || { cat "$build/valgrind.log"; echo "valgrind: volplan $*"; exit 1; } # 1: the answer is no
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
echo "valgrind: $n programs clean"
