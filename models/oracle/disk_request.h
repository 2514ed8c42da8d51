/* models/oracle/disk_request.h - request sizes behind iostat's columns.
 *
 *   size  = KiB/s / requests/s;  queue = requests/s * await (Little)
 *   size from merges = 4 / (1 - m), m = merged / (merged + completed): exact only while every bio
 *   is 4 KiB (6 of 7 measured devices to the printed digit, the other 0.5 % short); from the
 *   rounded per cent column it has a wide error band near 100 %. */
#ifndef MODELS_ORACLE_DISK_REQUEST_H
#define MODELS_ORACLE_DISK_REQUEST_H

/* One direction of one device. */
struct disk_requests {
    double requests_per_s, kib_per_s, merged_per_s, await_ms; /* NaN = not printed */
};

struct disk_request {
    double size_kib;
    double from_merges_kib;
    double queue;
    double iops_at_256_kib; /* as few as EBS could count */
    double iops_inflation;  /* requests over that */
};
/* NaN where an input is NaN or there were no requests. */
struct disk_request disk_request(const struct disk_requests *r);

/* Size from the per cent column, and the band its rounding to `decimals` leaves. */
struct disk_request_band {
    double low_kib, kib, high_kib;
};
struct disk_request_band disk_request_from_pct(double merged_pct, int decimals);

/* avgrq-sz of old iostat: 512-byte sectors per request, both directions. */
double disk_request_sectors(double sectors_per_s, double requests_per_s);

#endif
