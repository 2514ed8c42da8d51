#!/bin/bash
# tests/data/store/tls.sh VOLPLAN - a store on a server that is reached by TLS and a password, from 127.0.0.1: what is let
# in, what is refused and with which advice, and that no message and no table holds a password.
#
# Needs TCP=1 tests/pg_server.sh, whose server it gives a certificate of its own.
volplan=$(realpath "${1:-build/volplan}") root=$(cd "$(dirname "$0")/../../.." && pwd)
ask() { psql -X -q -A -t -v ON_ERROR_STOP=1 "$VOLPLAN_TEST_PG" -c "$1"; }
[ -n "$VOLPLAN_TEST_PG" ] && [ "$(ask 'SHOW listen_addresses')" = 127.0.0.1 ] || { echo "not run: TLS: no server on 127.0.0.1"; exit 0; }
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 2

right=canary-$RANDOM$RANDOM wrong=kestrel-$RANDOM$RANDOM
port=$(ask 'SHOW port') data=$(ask 'SHOW data_directory')
checks=0

fail() { echo "tls: $*"; exit 1; }

# reach STATUS WORDS PASSWORD HOST QUERY COMMAND...: the server as `dba`; HOST is the name the certificate is held against
reach() {
    local status=0 want=$1 words=$2 password=$3 url="postgresql://dba@$4:$port/volplan?hostaddr=127.0.0.1&$5"
    shift 5
    env -u PGPASSWORD HOME="$work" ${password:+PGPASSWORD="$password"} "$volplan" --verbose --db "$url" "$@" >said 2>&1 || status=$?
    cat said >>all_said
    [ $status = "$want" ] || fail "$url $*: status $status, not $want: $(cat said)"
    grep -qF "$words" said || fail "$url $*: '$words' is not in: $(cat said)"
    checks=$((checks + 1))
}
refused() { reach 5 "$@" systems; } # WORDS PASSWORD HOST QUERY
certificate() { # NAME HOST
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "/CN=$2" -addext "subjectAltName=DNS:$2" \
        -keyout "$1.key" -out "$1.pem" 2>openssl.log || fail "openssl: $(cat openssl.log)"
}
let_in() { # WAY: host with and without TLS, hostssl with it only
    printf 'local all all trust\n%s all dba 127.0.0.1/32 scram-sha-256\n' "$1" >"$data/pg_hba.conf"
    ask 'SELECT pg_reload_conf()' >/dev/null
}
# a reload is a signal: until new connections see it
await() { # SETTING VALUE
    for try in $(seq 50); do
        [ "$(ask "SHOW $1")" = "$2" ] && return
        sleep 0.1
    done
    fail "$1 does not become $2"
}

certificate server localhost
certificate other localhost
ask "SET password_encryption = 'scram-sha-256'; CREATE ROLE dba LOGIN PASSWORD '$right'; ALTER DATABASE volplan OWNER TO dba" || exit 1
advice="check sslmode and the certificates that the URL names"

let_in host
reach 0 "" "$right" localhost sslmode=disable store init
refused "$advice" "$right" localhost sslmode=require

install -o "$(stat -c %U "$data")" -m 600 server.key server.pem "$data" || exit 1
let_in hostssl
ask "ALTER SYSTEM SET ssl_cert_file = 'server.pem'" && ask "ALTER SYSTEM SET ssl_key_file = 'server.key'" && ask "ALTER SYSTEM SET ssl = on" || exit 1
ask 'SELECT pg_reload_conf()' >/dev/null
await ssl on
checked="sslmode=verify-full&sslrootcert=$work/server.pem"
reach 0 "" "$right" localhost "$checked" ingest --system PRD1 "$root/data/demo/awr_prd1_0700_0959.txt"
reach 0 "PRD1" "$right" localhost "$checked" systems
reach 0 "PRD1" "$right" localhost sslmode=require systems
refused "$advice" "$right" localhost "sslmode=verify-full&sslrootcert=$work/other.pem"
refused "$advice" "$right" elsewhere.invalid "$checked"
reach 0 "PRD1" "$right" elsewhere.invalid "sslmode=verify-ca&sslrootcert=$work/server.pem" systems
refused "$advice" "$right" localhost "sslmode=verify-full&sslrootcert=$work/absent.pem"
refused "pg_hba.conf does not let this user in from here" "$right" localhost sslmode=disable
refused "check user and password" "$wrong" localhost "$checked"
refused "put the password into ~/.pgpass" "" localhost "$checked"

# a file of passwords, which only its owner may read
(umask 077 && echo "localhost:$port:volplan:dba:$right" >pass)
reach 0 "PRD1" "" localhost "$checked&passfile=$work/pass" systems
sed -i "s/$right/$wrong/" pass
refused "check user and password" "" localhost "$checked&passfile=$work/pass"

! grep -e "$right" -e "$wrong" all_said || fail "a message holds a password"
pg_dump "$VOLPLAN_TEST_PG" --schema=volplan >dump || exit 1
grep -q PRD1 dump || fail "the dump is empty"
! grep -q -e "$right" -e "$wrong" dump || fail "a table holds a password"
echo "tls: $checks connections let in or refused as they should be, no password in what was said"
