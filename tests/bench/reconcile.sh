#!/bin/bash
# tests/bench/reconcile.sh VOLPLAN - a cost and usage report read from .gz and reconciled, against `gzip -dc | wc -l` of
# the same file, the median of three after one warm-up, within MEMORY_MB of address space whatever its size.
# LINES lines of about 420 characters, half of them of EBS, of volumes by the hour in the order of time:
#   LINES=10000000 is the report of 10 million lines, 4.2 GB unpacked
set -euo pipefail
volplan=$(realpath "$1")
lines=${LINES:-400000}
memory_mb=${MEMORY_MB:-256}
work=$(mktemp -d "${TMPDIR:-/tmp}/volplan-bench-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work"

awk -v lines="$lines" 'BEGIN {
    tags = "Production,Oracle,PRD1,database-team,cost-center-0042,eu-west-1a,shared-services,platform,managed,false"
    print "identity/LineItemId,identity/TimeInterval,bill/InvoiceId,bill/BillType,bill/PayerAccountId,lineItem/UsageAccountId,lineItem/LineItemType,lineItem/UsageStartDate,lineItem/UsageEndDate,lineItem/ProductCode,lineItem/UsageType,lineItem/Operation,lineItem/AvailabilityZone,lineItem/ResourceId,lineItem/UsageAmount,lineItem/CurrencyCode,lineItem/UnblendedRate,lineItem/UnblendedCost,lineItem/LineItemDescription,product/region,pricing/unit,pricing/publicOnDemandCost,t1,t2,t3,t4,t5,t6,t7,t8,t9,t10"
    each = int((lines + 720) / 720 / 2)
    n = 0
    for (h = 0; h < 720; h++) {
        d = int(h / 24) + 1; e = h + 1
        from = sprintf("2026-06-%02dT%02d:00:00Z", d, h % 24)
        to = e == 720 ? "2026-07-01T00:00:00Z" : sprintf("2026-06-%02dT%02d:00:00Z", int(e / 24) + 1, e % 24)
        for (v = 0; v < each; v++) {
            gib = 100 + v % 900
            printf "l%010d,%s/%s,,Anniversary,111122223333,11112222%04d,Usage,%s,%s,AmazonEC2,EBS:VolumeUsage.gp3,CreateVolume-Gp3,,vol-%017x,%.10f,USD,0.08,%.10f,$0.08 per GB-month of General Purpose (gp3) provisioned storage - US East (N. Virginia),us-east-1,GB-Mo,%.10f,%s\n", n, from, to, v % 20, from, to, v, gib / 720, gib / 720 * 0.08, gib / 720 * 0.08, tags
            printf "l%010d,%s/%s,,Anniversary,111122223333,11112222%04d,Usage,%s,%s,AmazonEC2,BoxUsage:r5.8xlarge,RunInstances,us-east-1a,i-%017x,1.0000000000,USD,2.016,2.0160000000,\"$2.016 per On Demand Linux r5.8xlarge Instance Hour, billed by the second\",us-east-1,Hrs,2.0160000000,%s\n", n + 1, from, to, v % 20, from, to, v, tags
            n += 2
        }
    }
}' | gzip -1 >cur.csv.gz

# seconds COMMAND...: median of three after one warm-up, in ns
seconds() {
    "$@" >/dev/null
    for _ in 1 2 3; do
        local from to
        from=$(date +%s%N)
        "$@" >/dev/null
        to=$(date +%s%N)
        echo $((to - from))
    done | sort -n | sed -n 2p
}
one_count() { gzip -dc cur.csv.gz | wc -l; }
one_reconcile() { (ulimit -v $((memory_mb * 1024)) && "$volplan" reconcile --quiet --bill cur.csv.gz --json); }

one_reconcile | grep -q '"unexplained_usd": 0.00' || { echo "reconcile: does not reconcile"; exit 1; }
bytes=$(gzip -dc cur.csv.gz | wc -c)
lines=$(one_count)
ours=$(seconds one_reconcile)
count=$(seconds one_count)
awk -v n="$lines" -v b="$bytes" -v o="$ours" -v c="$count" -v m="$memory_mb" 'BEGIN {
    printf "reconcile: %.2f s for %d lines (%.0f MB unpacked, %.0f MB/s from .gz) within %d MB of address space; gzip -dc | wc -l %.2f s (%.0f MB/s), ratio %.2f\n", \
        o / 1e9, n, b / 1e6, b / o * 1e3, m, c / 1e9, b / c * 1e3, o / c
}'
