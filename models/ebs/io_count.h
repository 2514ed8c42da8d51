/* models/ebs/io_count.h - how EBS counts requests.
 *
 * A request up to the cap (256 KiB SSD, 1 MiB HDD) counts one, a larger one ceil(size/cap).
 * From a mean size and a rate: likely = rate * max(1, size/cap), upper bound = rate + bytes/cap.
 * Source: DESIGN.md section 4; EBS User Guide, "I/O characteristics". */
#ifndef MODELS_EBS_IO_COUNT_H
#define MODELS_EBS_IO_COUNT_H

double io_counted(double io_kib, double cap_kib);                              /* of one request */
double io_counted_likely(double requests_per_s, double mibps, double cap_kib); /* per second */
double io_counted_high(double requests_per_s, double mibps, double cap_kib);   /* per second */
/* n sequential requests that EBS may merge up to the cap (shown as possibility, never planned on).
 */
double io_counted_merged(double n, double io_kib, double cap_kib);

#endif
