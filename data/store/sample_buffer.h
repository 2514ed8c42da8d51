/* data/store/sample_buffer.h - gathers the samples of one source file, device by device, into
 * blocks and hours, and the values of its metrics into blocks, and hands these to the backend.
 *
 * Memory is bounded.  A file of more than STORE_DEVICES_MAX devices is refused, since the hours of
 * a device are only complete at the end; of metrics there may be any number. */
#ifndef DATA_STORE_SAMPLE_BUFFER_H
#define DATA_STORE_SAMPLE_BUFFER_H

#include "data/store/hour_summary.h"
#include "data/store/store.h"

enum { BUFFER_NAME_MAX = 255 };

struct sample_buffer;

/* NULL when memory is out. */
struct sample_buffer *sample_buffer_new(struct store *s);
void sample_buffer_free(struct sample_buffer *b); /* NULL does nothing; drops what waits */
int sample_buffer_add(struct sample_buffer *b, const struct io_sample *sample, struct err *e);
/* Writes out everything that waits. */
int sample_buffer_flush(struct sample_buffer *b, struct err *e);

struct metric_buffer;

/* The same for the values of metrics. */
struct metric_buffer *metric_buffer_new(struct store *s);
void metric_buffer_free(struct metric_buffer *b);
int metric_buffer_add(struct metric_buffer *b, const struct metric_sample *sample, struct err *e);
int metric_buffer_flush(struct metric_buffer *b, struct err *e);

/* No tool prints a time outside of the years 1 to 9999: such a one is UNKNOWN. */
int64_t buffer_sane_time(int64_t t_ms);

/* --- what the backend provides, for the file that is open --------------------------------------
 */

/* Finds or makes the series of a block device; host is empty when the file names none. */
int backend_device_series(struct store *s, struct span host, struct span device,
                          int64_t *out_series_id, struct err *e);
int backend_put_block(struct store *s, int64_t series_id, const struct store_sample *samples,
                      size_t n, struct err *e);
int backend_put_hour(struct store *s, int64_t series_id, const struct hour_summary *h,
                     struct err *e);
/* Finds or makes the metric of a sample, whose time and value do not matter. */
int backend_metric(struct store *s, const struct metric_sample *sample, int64_t *out_metric_id,
                   struct err *e);
int backend_put_values(struct store *s, int64_t metric_id, const struct store_metric_value *values,
                       size_t n, struct err *e);

#endif
