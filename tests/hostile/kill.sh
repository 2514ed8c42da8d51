#!/bin/sh
# tests/hostile/kill.sh VOLPLAN [N] - kills a large ingest with SIGKILL at N random moments (10). Every time the
# store must open, be sound and hold whole files only, and loading again must give what an undisturbed run
# gives, byte for byte. SEED=S replays the moments of a run; ROWS=R sets how much is loaded.
set -eu
volplan=$(realpath "$1") n=${2:-10} rows=${ROWS:-400000}
seed=${SEED:-$(date +%s)}
echo "kill: seed $seed"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work"
mkdir in pack

fail() {
    echo "kill: FAILED (SEED=$seed): $*" >&2
    exit 1
}

# HOST ROWS: reports of 20 devices, a second apart.
iostat() {
    awk -v host="$1" -v reports=$(($2 / 20)) 'BEGIN {
        srand(3)
        printf "Linux 5.4.17 (%s) \t05/18/2022 \t_x86_64_\t(32 CPU)\n\n", host
        for (i = 0; i < reports; i++) {
            printf "05/18/2022 %02d:%02d:%02d AM\n", 1 + int(i / 3600), int(i / 60) % 60, i % 60
            print "Device            r/s     w/s     rkB/s     wkB/s  %util"
            for (d = 0; d < 20; d++)
                printf "nvme%dn1 %.2f %.2f %.2f %.2f %.2f\n", d, rand() * 900, rand() * 500, rand() * 9000, rand() * 9000, rand() * 99
            print ""
        }
    }'
}
# Ten files: four plain, one compressed, five in one archive.
for i in 1 2 3 4; do iostat "host$i" $((rows / 10)) >"in/$i.txt"; done
iostat host5 $((rows / 10)) | gzip -1 >in/5.gz
for i in 6 7 8 9 10; do iostat "host$i" $((rows / 10)) >"pack/$i.txt"; done
tar -c -f - pack | gzip -1 >in/6.tar.gz

ms() { echo $(($(date +%s%N) / 1000000)); }
load() { "$volplan" --db "$1" --quiet ingest in >/dev/null; }
ask() { sqlite3 "$1" "$2"; }
sound() {
    [ "$(ask "$1" 'PRAGMA integrity_check')" = ok ] || fail "$2: $(ask "$1" 'PRAGMA integrity_check' | head -n 3)"
    # killed before there were tables
    [ "$(ask "$1" "SELECT count(*) FROM sqlite_schema WHERE name = 'file'")" = 1 ] || return 0
    half=$(ask "$1" 'SELECT count(*) FROM file WHERE rows <> (SELECT total(n_samples) FROM chunk WHERE chunk.file_id = file.file_id)')
    [ "$half" = 0 ] || fail "$2: $half files are half there"
    stray=$(ask "$1" 'SELECT count(*) FROM chunk WHERE file_id NOT IN (SELECT file_id FROM file)')
    [ "$stray" = 0 ] || fail "$2: $stray blocks of samples belong to no file"
}

load warm.db # into the page cache
from=$(ms)
load whole.db
took=$(($(ms) - from))
sound whole.db "undisturbed"
[ "$(ask whole.db 'SELECT count(*) FROM file')" = 10 ] || fail "the undisturbed run did not load ten files"
ask whole.db .dump >whole.sql

awk -v seed="$seed" -v n="$n" -v ms="$took" 'BEGIN { srand(seed); for (i = 0; i < 5 * n; i++) printf "%.4f\n", rand() * ms / 1000 }' >moments
killed=0 open=0 files=0
while [ "$killed" -lt "$n" ] && read -r moment; do
    rm -f s.db s.db-journal
    "$volplan" --db s.db --quiet ingest in >/dev/null 2>&1 &
    pid=$!
    sleep "$moment"
    kill -KILL "$pid" 2>/dev/null || true
    status=0
    { wait "$pid" || status=$?; } 2>/dev/null
    [ "$status" = 137 ] || continue # it was done before: another moment
    killed=$((killed + 1))
    if [ -s s.db ]; then
        [ -s s.db-journal ] && open=$((open + 1))
        # 2: killed before there was a system
        "$volplan" --db s.db --quiet peaks --system host1 --by device >/dev/null 2>words || [ $? = 2 ] ||
            fail "after $moment s the store does not open: $(cat words)"
        sound s.db "after $moment s"
        files=$((files + $(ask s.db 'SELECT count(*) FROM file' 2>/dev/null || echo 0)))
    fi
    load s.db || fail "after $moment s loading again fails"
    sound s.db "after $moment s and loading again"
    ask s.db .dump | cmp -s - whole.sql || fail "after $moment s loading again gives other rows"
done <moments
[ "$killed" = "$n" ] || fail "only $killed runs were still at work when they were to be killed"
echo "kill: $killed runs killed within $took ms, $open of them in a transaction, $files whole files found"
