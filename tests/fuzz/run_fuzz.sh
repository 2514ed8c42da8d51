#!/bin/sh
# tests/fuzz/run_fuzz.sh TARGET SECONDS BUILD LIBRARY... - runs one libFuzzer target under ASan and UBSan.
# New inputs go to BUILD-fuzz/corpus; a crash stops the run, and its input is kept there.
set -eu
target=$1 seconds=$2 build=$3-fuzz
shift 3
libs="$build/libcli.a $build/libplanner.a $build/libdata.a $build/libmodels.a"
# shellcheck disable=SC2086
make --no-print-directory CC=clang SAN=address,undefined B="$build" $libs CFLAGS=-fsanitize=fuzzer-no-link
mkdir -p "$build/corpus/$target"
# shellcheck disable=SC2086
clang -std=c11 -D_GNU_SOURCE -I. -isystem /usr/include/libxml2 -isystem /usr/include/postgresql -g -O1 -fsanitize=fuzzer,address,undefined \
    "tests/fuzz/$target.c" $libs "$@" -pthread -o "$build/$target"
echo "fuzz: $target for $seconds s"
"$build/$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -max_len=65536 \
    -artifact_prefix="$build/$target-" -print_final_stats=1 \
    "$build/corpus/$target" "tests/fuzz/corpus/${target#fuzz_}" >"$build/$target.log" 2>&1 ||
    { tail -n 40 "$build/$target.log"; exit 1; }
sed -n 's/^stat::number_of_executed_units: */  inputs run: /p' "$build/$target.log"
