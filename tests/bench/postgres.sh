#!/bin/bash
# tests/bench/postgres.sh VOLPLAN - a million rows of iostat into a private PostgreSQL server.
#
# COPY into the temporary tables, and with it the move into the tables and COMMIT, against `psql \copy` of the same rows into
# the same tables, all by the server's own log of statements, the median of three      goal: COPY takes at most 1.2 times as long
# Then the whole of ingest, and of export, into a store of one server and one that is spread over three.
# The server keeps everything in memory or a temporary folder and syncs nothing: what is compared is its work.
set -euo pipefail
volplan=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
[ -n "${VOLPLAN_TEST_PG:-}" ] || exec env VOLPLAN_NEED_PG=1 PARTS=3 "$here/../pg_server.sh" "$0" "$volplan"
rows=${ROWS:-1000000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work"
log=${VOLPLAN_TEST_PG##*host=}/data.log
sql() { psql -qAt "$VOLPLAN_TEST_PG" "$@"; }

awk -v reports=$((rows / 60)) 'BEGIN {
    srand(7)
    printf "Linux 5.4.17-2136.el8uek.x86_64 (bench1) \t05/18/22 \t_x86_64_\t(32 CPU)\n\n"
    for (i = 0; i < reports; i++) {
        printf "05/%02d/2022 %02d:%02d:%02d\n", 18 + int(i / 86400), int(i / 3600) % 24, int(i / 60) % 60, i % 60
        print "Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   wrqm/s  %wrqm w_await wareq-sz  aqu-sz  %util"
        for (d = 0; d < 60; d++) {
            r = int(rand() * 400000) / 100; w = int(rand() * 200000) / 100; a = int(rand() * 200) / 100
            printf "nvme%dn1 %.2f %.2f 0.00 0.00 %.2f 16.00 %.2f %.2f 0.00 0.00 %.2f 32.00 %.2f %.2f\n", d, r, r * 16, 0.3 + a, w, w * 32, 0.4 + a, \
                (r + w) / 1200, (r + w) / 65
        }
        print ""
    }
}' >iostat.txt
"$volplan" store init --db "$VOLPLAN_TEST_PG" >/dev/null
database=$(sql -c "SELECT current_database()")
sql -c "ALTER DATABASE $database SET log_min_duration_statement = 0" -c "ALTER DATABASE $database SET log_min_messages = log"

# logged COMMAND...: what the server logs of its statements, in new.log
logged() {
    local from
    from=$(wc -l <"$log")
    "$@" >/dev/null 2>&1
    tail -n +$((from + 1)) "$log" >new.log
}
# statements_ms PATTERN: milliseconds of the statements in new.log that match
statements_ms() {
    grep -E "$1" new.log | sed -n 's/.*duration: \([0-9.]*\) ms.*/\1/p' | awk '{ t += $1 } END { printf "%.0f\n", t }'
}
median() { sort -n | sed -n 2p; }
empty() { sql -c "TRUNCATE volplan.file, volplan.series, volplan.chunk, volplan.hourly, volplan.warning, volplan.system"; }
ingest() { "$volplan" --db "${1:-$VOLPLAN_TEST_PG}" --quiet ingest iostat.txt; }
copy() { psql -q "$VOLPLAN_TEST_PG" -c '\copy volplan.chunk from chunk.copy' -c '\copy volplan.hourly from hourly.copy'; }

ingest >/dev/null
sql -c '\copy volplan.chunk to chunk.copy' -c '\copy volplan.hourly to hourly.copy'
samples=$(sql -c "SELECT sum(n_samples) FROM volplan.chunk")
bytes=$(sql -c "SELECT pg_total_relation_size('volplan.chunk') + pg_total_relation_size('volplan.hourly')")
for _ in 1 2 3; do
    empty
    logged ingest
    statements_ms 'COPY new_' >>ours
    statements_ms 'COPY new_|INSERT INTO|COMMIT' >>moved
    empty
    logged copy
    statements_ms 'COPY +volplan' >>theirs
done
empty
# seconds COMMAND...
seconds() {
    local from
    from=$(date +%s%N)
    "$@" >/dev/null
    awk -v ns=$(($(date +%s%N) - from)) 'BEGIN { print ns / 1e9 }'
}
export_all() { "$volplan" --db "$1" export; }
in_all=$(seconds ingest)
awk -v n="$samples" -v b="$bytes" -v o="$(median <ours)" -v m="$(median <moved)" -v t="$(median <theirs)" -v w="$in_all" 'BEGIN {
    printf "postgres: COPY of %d rows %.2f s (%.0f rows/s), psql \\copy of the same %.2f s, ratio %.2f; with the move into the tables %.2f s, %.2f; ", \
        n, o / 1e3, n / o * 1e3, t / 1e3, o / t, m / 1e3, m / t
    printf "ingest in all %.2f s (%.0f rows/s); %.1f bytes a row\n", w, n / w, b / n
}'
sql -c "ALTER DATABASE $database RESET log_min_duration_statement" -c "ALTER DATABASE $database RESET log_min_messages"
"$volplan" store init --db "$VOLPLAN_TEST_SPREAD" --fdw "$VOLPLAN_TEST_PARTS" >/dev/null
spread=$(seconds ingest "$VOLPLAN_TEST_SPREAD")
awk -v i="$in_all" -v s="$spread" -v e="$(seconds export_all "$VOLPLAN_TEST_PG")" -v f="$(seconds export_all "$VOLPLAN_TEST_SPREAD")" 'BEGIN {
    printf "postgres: spread over three servers ingest takes %.2f s, %.2f times one server; export %.2f s of %.2f s, %.2f times\n", s, s / i, f, e, f / e
}'
