#!/bin/sh
# tests/lint/layers.sh - includes point down or sideways as the layers allow, library headers stay in
# their rooms, only cli prints or exits, only models/core/mem.c allocates.
# Prints every breach as FILE:LINE: what; exits 1 when there is one.
found=$(mktemp) || exit 2
trap 'rm -f "$found"' EXIT
trap 'exit 130' INT TERM

# files_below FOLDER...
files_below() { find "$@" -name '*.[ch]' | sort; }

# forbid "reason" 'pattern' FILE...
forbid() {
    reason=$1 pattern=$2
    shift 2
    [ $# -gt 0 ] || return 0
    grep -nE "$pattern" "$@" /dev/null | while IFS= read -r line; do
        printf '%s    <- %s\n' "$line" "$reason"
    done >>"$found"
}

include='^[[:space:]]*#[[:space:]]*include[[:space:]]*'

forbid 'models/core includes only itself' "$include\"(models/[^c]|models/c[^o]|data|planner|cli|tests)" $(files_below models/core)
forbid 'models/vocab sees only core and vocab' "$include\"(models/(ebs|ec2|oracle|facts)|data|planner|cli|tests)" $(files_below models/vocab)
forbid 'models point at no layer above' "$include\"(data|planner|cli|tests)/" $(files_below models)
forbid 'data sees neither planner nor cli' "$include\"(planner|cli|tests)/" $(files_below data)
forbid 'planner sees neither data nor cli' "$include\"(data|cli|tests)/" $(files_below planner)
forbid 'nothing includes tests' "$include\"tests/" $(files_below cli)
forbid 'includes are spelled from the root' "$include\"[^/\"]+\"" $(files_below models data planner cli)

# room 'header pattern' 'allowed folders, as an egrep of paths'
room() {
    forbid "$1 belongs to $2" "$include<($1)>" $(files_below models data planner cli | grep -vE "^($2)")
}
room 'sqlite3\.h' 'data/store/sqlite_'
room 'libpq-fe\.h' 'data/store/postgres_'
room 'curl/.*' 'data/fetch/'
room 'cjson/.*|cJSON\.h' 'data/(ingest|fetch)/'
room 'archive\.h|archive_entry\.h' 'data/ingest/'
room 'zlib\.h' 'data/ingest/archive/'
room 'libxml/.*' 'data/(ingest|fetch)/'
room 'microhttpd\.h' 'cli/serve/'
room 'pthread\.h' '(cli|data)/'

quiet=$(files_below models data planner | grep -v -e '^models/core/err.c$' -e '^models/facts/gen_facts.c$')
forbid 'only cli prints' '(^|[^a-z_])(printf|puts|putchar|fputs|fputc|fprintf|vfprintf|perror)[[:space:]]*\(' $quiet
forbid 'only cli exits' '(^|[^a-z_])(exit|_exit|abort|quick_exit)[[:space:]]*\(' $quiet
forbid 'only models/core/mem.c allocates' '(^|[^a-z_])(malloc|calloc|realloc|free|strdup|strndup|asprintf|vasprintf|getline)[[:space:]]*\(' \
    $(files_below models data planner cli | grep -v '^models/core/mem.c$')
forbid 'banned call' '(^|[^a-z_])(sscanf|scanf|fscanf|strtok|strtok_r|atof|atoi|atol|strtod|strcat|strncat|sprintf|vsprintf|gets|setlocale|alloca|popen|localtime|gmtime|mktime|tmpnam|rand|srand)[[:space:]]*\(' \
    $(files_below models data planner cli)
forbid 'the clock is read once, in cli/main.c' '(^|[^a-z_])(time\((NULL|0|&)|(clock_gettime|gettimeofday)[[:space:]]*\()' \
    $(files_below models planner data)

cat "$found"
[ ! -s "$found" ] && echo "lint: layers and calls hold"
