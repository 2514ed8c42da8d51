/* data/store/sample_buffer.h - gathers the samples of one source file, device by device,
 * into blocks and hours, and hands these to the backend.
 *
 * Memory is bounded: at most STORE_DEVICES_MAX devices and BUFFER_SAMPLES_MAX samples wait;
 * with many devices the blocks get smaller. */
#ifndef DATA_STORE_SAMPLE_BUFFER_H
#define DATA_STORE_SAMPLE_BUFFER_H

#include "data/store/hour_summary.h"
#include "data/store/store.h"

enum {
    BUFFER_ROOM_MIN = 16, /* samples of a device that has just appeared */
    BUFFER_SAMPLES_MAX = STORE_DEVICES_MAX * BUFFER_ROOM_MIN, /* 30 MiB */
    BUFFER_NAME_MAX = 255
};

struct sample_buffer;

/* NULL when memory is out. */
struct sample_buffer *sample_buffer_new(struct store *s);
void sample_buffer_free(struct sample_buffer *b); /* NULL does nothing; drops what waits */
int sample_buffer_add(struct sample_buffer *b, const struct io_sample *sample, struct err *e);
/* Writes out everything that waits. */
int sample_buffer_flush(struct sample_buffer *b, struct err *e);

/* --- what the backend provides, for the file that is open --------------------------------------
 */

/* Finds or makes the series of a block device; host is empty when the file names none. */
int backend_device_series(struct store *s, struct span host, struct span device,
                          int64_t *out_series_id, struct err *e);
int backend_put_block(struct store *s, int64_t series_id, const struct store_sample *samples,
                      size_t n, struct err *e);
int backend_put_hour(struct store *s, int64_t series_id, const struct hour_summary *h,
                     struct err *e);

#endif
