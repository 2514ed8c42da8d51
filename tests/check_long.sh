#!/bin/sh
# tests/check_long.sh - everything that `make test` has no time for: both compilers, ASan+UBSan, valgrind,
# GLPK, gcc -fanalyzer, clang-tidy, cppcheck, clang-format, full counts (500 stores on both backends too), the samples, the page in a browser, 200 killed ingests,
# inputs of gigabytes, a minute of every fuzzer.
set -eu
need="apache2-utils curl glpk-utils xz-utils zstd bzip2 gcc clang clang-tidy clang-format cppcheck valgrind libclang-rt-14-dev chromium zsh fish mandoc man-db groff"
command -v npm >/dev/null || need="$need nodejs npm"
missing=$(for p in $need; do dpkg-query -W -f '${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || echo "$p"; done)
if [ -n "$missing" ]; then
    sudo=
    [ "$(id -u)" = 0 ] || sudo=sudo
    $sudo apt-get update -qq
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $missing >/dev/null
fi
jobs=$(nproc)
step() { printf '\n== %s\n' "$1"; }

step "gcc, full counts"
FULL=1 make -j"$jobs" --output-sync test
step "200 systems against GLPK"
make -j"$jobs" build/tests/planner/solve/glpk_systems
tests/planner/solve/glpk.sh build/tests/planner/solve/glpk_systems
step "clang"
make -j"$jobs" --output-sync CC=clang test
step "gcc, ASan and UBSan"
make -j"$jobs" --output-sync SAN=address,undefined test
step "gcc -fanalyzer"
make -j"$jobs" --output-sync B=build-analyzer HOT= CFLAGS=-fanalyzer all
step "valgrind"
tests/run_valgrind.sh build
step "clang-tidy"
# One file a run: with several, clang 14 takes every va_list for uninitialized.
find models data planner cli -name '*.c' ! -name gen_facts.c -print0 |
    xargs -0 -n 1 -P "$jobs" sh -c 'clang-tidy --quiet "$1" -- -std=c11 -D_GNU_SOURCE -I. -isystem /usr/include/libxml2 -isystem /usr/include/postgresql' tidy 2>/dev/null
step "cppcheck"
cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 -j "$jobs" \
    --suppress=missingIncludeSystem -D_GNU_SOURCE -I. models data planner cli
step "clang-format"
find models data planner cli tests -name '*.[ch]' -print0 | xargs -0 clang-format --dry-run --Werror
step "samples"
make check-samples
step "the page in a browser"
make check-browser
step "200 killed ingests"
ROWS=1000000 tests/hostile/kill.sh build/volplan 200
step "eight writers at once, 50 rounds"
VOLPLAN_NEED_PG=1 PARTS=3 tests/pg_server.sh tests/data/store/eight_writers.sh build/volplan 50
step "500 rollups"
ROUNDS=500 build/tests/data/test_rollup
ROUNDS=500 build/tests/data/test_rollup_metrics
step "gigabytes"
tests/hostile/gigabytes.sh build/volplan
step "10 000 requests"
tests/cli/serve/load.sh build/volplan
step "fuzzers"
make fuzz FUZZ_S="${FUZZ_S:-60}"
printf '\ncheck-long: clean\n'
