#!/bin/bash
# tests/pg_server.sh COMMAND... - runs a command beside a PostgreSQL server of its own.
#
# The server lives in a new temporary folder and listens on a Unix socket there only.  The command finds it in
#   VOLPLAN_TEST_PG      postgresql://postgres@/volplan?host=FOLDER, an empty UTF-8 database
# and with PARTS=3 in the environment, for a store that is spread,
#   VOLPLAN_TEST_PARTS   FOLDER,FOLDER,FOLDER: where three more servers listen that have the same databases
#   VOLPLAN_TEST_SPREAD  another empty database of the first server
# With TCP=1 it listens on a free port of 127.0.0.1 too, which its socket and the URL then have.
# and without that variable when no server could be started, in which case "not run: ..." is printed with the reason; under
# VOLPLAN_NEED_PG=1 that is a failure.  A variable that is set already is used: somebody runs a server for several commands.
# PostgreSQL refuses to run as root: then it runs as the user `postgres` that Debian's package makes.
[ -z "$VOLPLAN_TEST_PG" ] || exec "$@"

# in memory where there is room: the server makes many files
place=/tmp
[ "$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }')" -gt 4000000 ] 2>/dev/null && [ -w /dev/shm ] && place=/dev/shm
folder=$(mktemp -d "$place/volplan-pg-XXXXXX") || exit 2
bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
bin=${bin:-$(pg_config --bindir 2>/dev/null)}
as_server() { (cd "$folder" && if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi); }
control() { as_server "$bin/pg_ctl" -D "$folder/$1" -l "$folder/$1.log" "${@:2}"; }
stop() {
    for pid in "$folder"/*/postmaster.pid; do
        [ ! -f "$pid" ] || control "$(basename "$(dirname "$pid")")" -m immediate -w stop >/dev/null 2>&1
    done
    rm -rf "$folder"
}
trap stop EXIT
trap 'exit 130' INT TERM

# what is lost when the machine fails does not matter here
settings="-c listen_addresses='' -c fsync=off -c synchronous_commit=off -c full_page_writes=off -c autovacuum=off
    -c max_wal_size=2GB -c checkpoint_timeout=1h -c shared_buffers=64MB -c jit=off -c log_min_messages=fatal
    -c max_connections=60"
port=5432 tcp=
if [ "${TCP:-0}" = 1 ]; then
    port=$(perl -MIO::Socket::INET -e 'print IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1")->sockport')
    tcp="-c listen_addresses=127.0.0.1 -c port=$port"
fi
# start_server NAME SOCKET_FOLDER [SETTINGS]
start_server() { control "$1" -o "$(echo $settings) -c unix_socket_directories=$2 $3" -w -t 30 start >>"$folder/log" 2>&1; }
create() { as_server "$bin/createdb" -h "$folder" -p "$port" -U postgres "$1" >>"$folder/log" 2>&1; }
parts=
[ "${PARTS:-0}" = 0 ] || parts=$(seq -f part_%g "$PARTS")
start() {
    [ -x "$bin/initdb" ] || { echo "initdb is not installed (Debian: postgresql)"; return 1; }
    if [ "$(id -u)" = 0 ]; then
        id postgres >/dev/null 2>&1 || { echo "there is no user 'postgres', and root may not run a server"; return 1; }
        chown postgres "$folder" || return 1
    fi
    chmod 755 "$folder"
    as_server "$bin/initdb" -D "$folder/data" -U postgres -A trust -E UTF8 --locale=C --no-sync >"$folder/log" 2>&1 &&
        start_server data "$folder" "$tcp" && create volplan && { [ -z "$parts" ] || create spread; } &&
        { [ -z "$parts" ] || start_parts; } && return 0
    tail -n 3 "$folder/log" "$folder"/*.log 2>/dev/null
    return 1
}
# Each is a copy of the first, made while that one stands still.
start_parts() {
    control data -w stop >>"$folder/log" 2>&1 || return 1
    for part in $parts; do
        as_server cp -a "$folder/data" "$folder/$part" && start_server "$part" "$folder/$part" || return 1
    done
    start_server data "$folder" "$tcp"
}
if why=$(start | tr '\n' ' '; exit "${PIPESTATUS[0]}"); then
    at="host=$folder${tcp:+&port=$port}"
    export VOLPLAN_TEST_PG="postgresql://postgres@/volplan?$at"
    if [ -n "$parts" ]; then
        export VOLPLAN_TEST_SPREAD="postgresql://postgres@/spread?$at"
        export VOLPLAN_TEST_PARTS="$(echo $parts | sed "s,part_,$folder/&,g; s/ /,/g")"
    fi
else
    echo "not run: what needs a PostgreSQL server: $why"
    [ "$VOLPLAN_NEED_PG" != 1 ] || exit 1
fi
"$@"
