#!/bin/bash
# tests/data/store/part_stops.sh VOLPLAN - a store that is spread over three servers (tests/pg_server.sh starts them), one of
# which stops while a file is written to it.
#
# The loader says what to do and leaves nothing; systems of the other servers go on; when the server is back, the same command
# completes.  All along, what is answered is what a store in a file answers.
volplan=$(realpath "${1:-build/volplan}") root=$(cd "$(dirname "$0")/../../.." && pwd)
if [ -z "$VOLPLAN_TEST_PARTS" ]; then
    echo "not run: a server of a spread store that stops: VOLPLAN_TEST_PARTS names none"
    exit 0
fi
part=$(cut -d, -f2 <<<"$VOLPLAN_TEST_PARTS")
work=$(mktemp -d) || exit 2
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 2
export VOLPLAN_TODAY=2026-11-30
SYSTEMS=9 REPORTS=40
spread=$VOLPLAN_TEST_SPREAD file=$work/volplan.db

fail() { echo "a part stops: $*"; exit 1; }
ask_part() { psql -X -A -t -h "$part" -U postgres spread -c "$1"; }
load() { # SYSTEM FILE
    "$volplan" --db "$spread" ingest --quiet --system "$1" "$2" >said 2>why
}
answers() { # DB SYSTEM
    "$volplan" --db "$1" plan --system "$2" --json && "$volplan" --db "$1" export --system "$2"
}
same() { # SYSTEM...
    local s
    for s in "$@"; do
        answers "$spread" "$s" >of_servers 2>&1 || fail "$s: $(tail -n 1 of_servers)"
        answers "$file" "$s" >of_file || fail "$s, in a file"
        cmp of_servers of_file || fail "$s: another answer than of a file"
    done
}
# As `pg_ctl start` does it, with the options of before.
start_part() {
    local owner
    owner=$(stat -c %U "$part")
    (cd "$part" && if [ "$owner" = "$(id -un)" ]; then "$@"; else runuser -u "$owner" -- "$@"; fi) >/dev/null 2>&1
}

# --- nine systems; two reports of each, of which the second one comes later
awk -f "$root/data/demo/iostat.awk" | awk -v n=$REPORTS '/^[0-9][0-9]\/.* [AP]M$/ { seen++ } seen > n { exit } { print }' >first.txt
sed 's|^05/18/2022|05/19/2022|' first.txt >second.txt
"$volplan" --db "$spread" store init --fdw "$VOLPLAN_TEST_PARTS" >/dev/null || fail "no store"
for s in $(seq $SYSTEMS); do
    sed "s/\"PRD1\"/\"S$s\"/" "$root/data/demo/layout.json" >layout.json
    for db in "$spread" "$file"; do
        "$volplan" --db "$db" ingest --quiet --system "S$s" first.txt >/dev/null && "$volplan" --db "$db" layout --set layout.json >/dev/null || fail "S$s does not load"
    done
done
mine='' others=''
for s in $(seq $SYSTEMS); do
    id=$(psql -X -A -t "$spread" -c "SELECT system_id FROM volplan.system WHERE name = 'S$s'")
    [ "$(ask_part "SELECT count(*) FROM volplan.file WHERE system_id = $id")" = 0 ] && others="$others S$s" || mine="$mine S$s"
done
[ -n "$mine" ] && [ -n "$others" ] || fail "all systems are in one part"
one=$(echo $mine | cut -d' ' -f1)
same $mine $others

# --- the part stops while the loader waits in it for a lock, in the middle of what it writes
psql -X -q -h "$part" -U postgres spread -c "BEGIN; LOCK TABLE volplan.chunk; SELECT pg_sleep(60)" >/dev/null 2>&1 &
until [ "$(ask_part "SELECT count(*) FROM pg_locks WHERE granted AND mode = 'AccessExclusiveLock' AND relation = 'volplan.chunk'::regclass")" = 1 ]; do sleep 0.05; done
load "$one" second.txt & loader=$!
until [ "$(ask_part "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'volplan.chunk'::regclass")" -ge 1 ]; do
    kill -0 $loader 2>/dev/null || fail "the loader did not wait: $(cat why)"
    sleep 0.05
done
bin=$(dirname "$(readlink "/proc/$(head -n 1 "$part/postmaster.pid")/exe")")
kill -QUIT "$(head -n 1 "$part/postmaster.pid")"
wait $loader
[ $? = 5 ] || fail "the loader ends with another status than 5: $(cat why)"
grep -q 'run the command again when it is back' why || fail "the loader says: $(cat why)"
while [ -f "$part/postmaster.pid" ] && kill -0 "$(head -n 1 "$part/postmaster.pid")" 2>/dev/null; do sleep 0.05; done

# --- without it
same $others
answers "$spread" "$one" >of_servers 2>why
[ $? = 5 ] || fail "$one is answered without its server"
grep -q 'keeps a part of the store does not answer' why || fail "of $one is said: $(cat why)"
load "$one" second.txt
[ $? = 5 ] || fail "$one loads without its server"
for db in "$spread" "$file"; do
    "$volplan" --db "$db" ingest --quiet --system "$(echo $others | cut -d' ' -f1)" second.txt >/dev/null || fail "another system does not load"
done
same $others

# --- and when it is back
start_part "$bin/pg_ctl" -D "$part" -w restart || fail "the server does not come back"
same $mine $others
load "$one" second.txt || fail "$one: $(cat why)"
"$volplan" --db "$file" ingest --quiet --system "$one" second.txt >/dev/null
same $mine $others
load "$one" second.txt || fail "$one, once more: $(cat why)"
same "$one"
"$volplan" --db "$spread" store check >said || fail "$(cat said)"
echo "a part stops: nothing of the file is kept, $(wc -w <<<"$others") systems go on without it, the file loads when it is back"
