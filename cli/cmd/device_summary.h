/* cli/cmd/device_summary.h - samples of many devices, as one row per device. */
#ifndef CLI_CMD_DEVICE_SUMMARY_H
#define CLI_CMD_DEVICE_SUMMARY_H

#include "models/core/arena.h"
#include "models/core/emit.h"
#include "models/vocab/io_sample.h"

struct device_row {
    const char *name;
    int64_t samples;
    double iops_sum, mibps_sum; /* over the samples, for the mean */
    int64_t iops_n, mibps_n;
    double iops_max, mibps_max, await_max_ms, util_max_pct; /* NaN = never told */
};

struct device_summary {
    struct device_row *rows;
    size_t n, room, next; /* next: the row that probably comes */
    int64_t left_out;     /* samples of devices beyond DEVICES_SHOWN */
};

enum { DEVICES_SHOWN = 1000 };

/* ERR_NOMEM.  Averages since boot and artefacts are not counted. */
int device_summary_add(struct device_summary *d, const struct io_sample *s, struct arena *a,
                       struct err *e);
/* A table "devices". */
void device_summary_emit(struct emit *m, const struct device_summary *d);

#endif
