#!/bin/sh
# data/demo/demo.sh VOLPLAN FOLDER - the main job on the embedded sample: loads the AWR report and the
# iostat text of a morning in May 2022, and plans under the rules of then and of today; ends with
# the path of the report.
set -eu
volplan=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
mkdir -p "$2"
cd "$2"
rm -f demo.db demo.db-*
awk -f "$here/iostat.awk" >iostat_prd1.txt
export VOLPLAN_DB=demo.db

run() {
    printf '\n$ volplan'
    printf ' %s' "$@"
    printf '\n'
    "$volplan" "$@"
}
echo "A migrated database stalls three times every morning. Its AWR report and its iostat output:"
run ingest --system PRD1 "$here/awr_prd1_0700_0959.txt" iostat_prd1.txt
run layout --system PRD1 --set "$here/layout.json"
echo
echo "What was measured, and what carries it under the EBS rules of that day:"
run peaks
run plan --as-of 2022-06-01
echo
echo "The same load under today's rules:"
run plan
echo
echo "All of it on one page:"
run report -o report.html
printf '\n%s\n' "$(realpath report.html)"
