#!/bin/bash
# tests/hostile/gigabytes.sh VOLPLAN - inputs of a gigabyte and more, made to hurt or only large. Each ends as it
# must, within its time and memory (VmHWM of the process). GIB=N sets the size of the large ones (1).
# Needs some 3 GiB under TMPDIR.
set -eu
volplan=$(realpath "$1") gib=${GIB:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work"
failed=0
size=$((gib << 30))

# NAME MIB SECONDS EXIT WORDS ARGUMENT...: one ingest; WORDS is an extended regular expression over all it prints.
try() {
    local name=$1 mib=$2 seconds=$3 want=$4 words=$5 hwm=0 got=0 from took rate=
    shift 5
    rm -f s.db s.db-journal
    from=$(date +%s%N)
    # address space is bounded too: what is gone too soon for VmHWM to be seen cannot have been large
    (ulimit -v $(((mib + 512) << 10)) && exec timeout "$seconds" "$volplan" --db s.db ingest "$@") >out 2>&1 &
    local timer=$! pid=
    while kill -0 $timer 2>/dev/null; do
        [ -n "$pid" ] || pid=$(cat /proc/$timer/task/$timer/children 2>/dev/null || true)
        [ -z "$pid" ] || hwm=$(awk -v old="$hwm" '/^VmHWM/ { old = $2 > old ? $2 : old } END { print old }' "/proc/${pid% }/status" 2>/dev/null || echo "$hwm")
        sleep 0.02
    done
    wait $timer || got=$?
    took=$((($(date +%s%N) - from) / 1000000))
    [ $took -lt 1000 ] || rate=$(awk -v b="$(stat -c %s "${@: -1}")" -v ms=$took 'BEGIN { printf ", %.0f MB/s of the file", b / ms / 1000 }')
    printf 'gigabytes: %-34s exit %d, %d MiB, %d.%03d s%s\n' "$name" "$got" $((hwm >> 10)) $((took / 1000)) $((took % 1000)) "$rate"
    if [ "$got" != "$want" ] || [ $((hwm >> 10)) -gt "$mib" ] || ! grep -qE "$words" out; then
        echo "FAILED: $name: want exit $want, at most $mib MiB and $seconds s, and '$words'"
        head -c 600 out
        failed=1
    fi
    [ ! -e s.db ] || [ "$(sqlite3 s.db 'PRAGMA integrity_check')" = ok ] || { echo "FAILED: $name: the store is not sound"; failed=1; }
}

fill() { head -c "$2" /dev/zero | tr '\0' "$1"; } # CHARACTER BYTES
# Reports of 60 devices, a second apart, BYTES long; the rates come again after a thousand reports.
iostat() {
    awk 'BEGIN {
        srand(5)
        for (r = 0; r < 1000; r++)
            for (d = 0; d < 60; d++) {
                x = rand() * 4000; y = rand() * 2000
                rows[r] = rows[r] sprintf("nvme%dn1 %7.2f %9.2f     0.00   0.00    0.61    16.00 %7.2f %9.2f     1.00   0.10    0.83    32.00 %7.2f %6.2f\n", d, x, x * 16, y, y * 32, (x + y) / 1200, rand() * 99)
            }
        printf "Linux 5.4.17 (db1) \t05/18/2022 \t_x86_64_\t(32 CPU)\n\n"
        for (i = 0; i < 2592000; i++) {
            printf "05/%02d/2022 %02d:%02d:%02d %s\n", 1 + int(i / 86400), (int(i / 3600) % 12) ? int(i / 3600) % 12 : 12, int(i / 60) % 60, i % 60, int(i / 3600) % 24 < 12 ? "AM" : "PM"
            print "Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   wrqm/s  %wrqm w_await wareq-sz  aqu-sz  %util\n" rows[i % 1000]
        }
    }' 2>/dev/null | head -c "$1"
}

# --- large and sound ---------------------------------------------------------------------------------------
iostat $size >text
rows=$(grep -c '^nvme.* [0-9]*\.[0-9][0-9]$' text)
loaded="1 file loaded into s.db, .* rows"
try "iostat, $gib GiB" 64 300 0 "$loaded" text
whole=$(sqlite3 s.db 'SELECT rows FROM file')
[ "$whole" -ge $((rows - 1)) ] || { echo "FAILED: $whole of $rows rows"; failed=1; }
if command -v xz >/dev/null && command -v zstd >/dev/null && command -v bzip2 >/dev/null; then
    # Small dictionaries: those of xz -9 (64 MiB) and zstd -19 (8 MiB) are libarchive's own memory, on top.
    xz -T0 -0 -c text >text.xz
    try "the same in xz" 64 300 0 "$loaded" text.xz
    rm text.xz
    zstd -q -3 -c text >text.zst
    try "the same in zstd" 64 300 0 "$loaded" text.zst
    rm text.zst
    head -c $((size / 4)) text | bzip2 -1 >text.bz2
    try "a quarter of it in bzip2" 64 300 0 "$loaded" text.bz2
    rm text.bz2
else
    echo "not run: xz, zstd and bzip2 are not all there"
fi
gzip -1 -c text >text.gz
try "the same in gzip" 64 300 0 "$loaded" text.gz
[ "$(sqlite3 s.db 'SELECT rows FROM file')" = "$whole" ] || { echo "FAILED: other rows from gzip"; failed=1; }
head -c $(($(stat -c %s text.gz) - 100000)) text.gz >cut.gz
try "gzip cut short near its end" 64 300 3 'cut.gz: the gzip data is cut short' cut.gz
rm text.gz cut.gz
mkdir tree
for i in 1 2 3 4; do head -c $((size / 4 - i)) text >tree/$i; done
tar -c -f - tree | gzip -1 >tree.tgz
rm -r tree
try "four files in a compressed tar" 64 300 0 '4 files loaded' tree.tgz
rm tree.tgz
tr '\n' '\r' <text >cr
try "CR as the only line end" 64 300 0 "$loaded" cr
rm cr
{ printf '\377\376'; head -c $((size / 2)) text | iconv -f UTF-8 -t UTF-16LE; } >utf16
try "UTF-16" 64 300 0 "$loaded" utf16
rm utf16

# --- absurd ------------------------------------------------------------------------------------------------
{ head -n 3000 text; fill x $size; } >line
try "a line of $gib GiB in iostat" 64 60 3 'line longer than 1048576 bytes' line
fill x $size >line
try "nothing but a line of $gib GiB" 64 60 3 'looks like text of another kind' line
fill 9 $size >line
try "a number of $gib G digits" 64 60 3 'looks like' line
{ printf '{"MetricDataResults": '; fill '[' $size; } >line
try "JSON nested $gib G deep" 64 60 3 'line:1: |larger than .* bytes, the most this format may have' line
{ printf '{"Label": "VolumeReadOps", "Datapoints": [{"Timestamp": "'; fill 2 $size; } >line
try "a JSON string of $gib GiB" 64 60 3 'larger than .* bytes, the most this format may have' line
head -c $((256 << 20)) line >part
try "one of 256 MiB" 300 60 3 'part:1: ' part
rm part
{ printf '<html><head><title>AWR Report for DB: PRD1</title></head><body><h1>WORKLOAD REPOSITORY report for</h1>'; yes '<table><tr><td>' | head -c $size; } >line
try "HTML tables nested without end" 64 60 3 'larger than .* bytes, the most this format may have' line
head -c $((128 << 20)) line >part
try "128 MiB of them" 200 60 3 'nested deeper than' part
rm part
{ printf 'bill/BillingPeriodStartDate,lineItem/UsageAmount,"'; fill , $size; } >line
try "a CSV cell of $gib GiB" 64 60 3 'line' line
rm line
truncate -s $size zeros
try "$gib GiB of zeros" 64 60 3 'looks like binary data' zeros
rm zeros text

# --- bombs -------------------------------------------------------------------------------------------------
head -c $((1 << 30)) /dev/zero | gzip -9 >one
for _ in 1 2 3 4 5 6 7 8 9 10; do cat one; done >bomb.gz # members behind each other
try "10 GiB of zeros in gzip" 64 60 3 'more than 1 000 times' bomb.gz
try "the same, allowed 4 GiB" 64 300 3 'looks like binary data' --max-expand 4GiB bomb.gz
gzip -9 -c bomb.gz >twice.gz
try "the same packed twice" 64 60 3 'more than 1 000 times' twice.gz
head -c $((1 << 30)) /dev/zero >zeros
tar -c -f - zeros | gzip -9 >bomb.tgz
rm zeros
try "a compressed tar of zeros" 64 60 3 'more than 1 000 times' bomb.tgz
{ echo "Linux 5.4.17 (db1) 	05/18/2022 	_x86_64_	(32 CPU)"; echo; echo "Device r/s w/s rkB/s wkB/s %util"; yes 'sda 1 2 3 4 5' | head -c $((256 << 20)); } | gzip -9 >rows.gz
try "256 MiB of the same row, a ratio of 300" 64 300 0 "$loaded" --date 2022-05-18 --interval 1 rows.gz
rm -f rows.gz
truncate -s 1T hole
echo end >>hole
tar -S -c -f hole.tar hole
rm hole
try "a hole of 1 TiB in a tar" 64 60 3 'more than 1 000 times' hole.tar
mkdir many
(cd many && seq 100001 | xargs touch)
tar -c -f many.tar many
rm -r many
try "100 001 members in a tar" 64 120 3 'holds more than 100000 members, the limit; --max-expand SIZE raises it' many.tar

[ $failed = 0 ] && echo "gigabytes: all as they should be"
exit $failed
