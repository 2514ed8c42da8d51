/* models/oracle/disk_request.c - see disk_request.h. */
#include "models/oracle/disk_request.h"

#include <math.h>

#define BIO_KIB         4.0
#define EBS_REQUEST_KIB 256.0

static double ratio(double a, double b)
{
    return b > 0 ? a / b : NAN;
}

struct disk_request disk_request(const struct disk_requests *r)
{
    double at_256 = r->kib_per_s / EBS_REQUEST_KIB;
    return (struct disk_request){
        .size_kib = ratio(r->kib_per_s, r->requests_per_s),
        .from_merges_kib = BIO_KIB * ratio(r->requests_per_s + r->merged_per_s, r->requests_per_s),
        .queue = r->requests_per_s * r->await_ms / 1000,
        .iops_at_256_kib = at_256,
        .iops_inflation = ratio(r->requests_per_s, at_256),
    };
}

static double kib_at(double merged_pct)
{
    return merged_pct < 100 ? BIO_KIB / (1 - merged_pct / 100) : INFINITY;
}

struct disk_request_band disk_request_from_pct(double merged_pct, int decimals)
{
    double half = 0.5 * pow(10, -decimals);
    return (struct disk_request_band){
        .low_kib = kib_at(fmax(0, merged_pct - half)),
        .kib = kib_at(merged_pct),
        .high_kib = kib_at(merged_pct + half),
    };
}

double disk_request_sectors(double sectors_per_s, double requests_per_s)
{
    return ratio(sectors_per_s, requests_per_s);
}
