/* models/vocab/io_sample.c - see io_sample.h. */
#include "models/vocab/io_sample.h"

#include "models/core/unit.h"

#include <math.h>

/* One device's limits, far above every volume and every disk: what is beyond them is a counter
 * that wrapped, or the lifetime of a device that was just attached, in one interval. */
static const double device_max_iops = 5e6;
static const double device_max_kibps = 200.0 * 1024 * 1024;
static const double interval_max_util_pct = 1000; /* ten intervals in one */

struct io_sample io_sample_unknown(void)
{
    return (struct io_sample){
        .time_ms = UNKNOWN,
        .interval_s = NAN,
        .host = { NULL, 0 },
        .device = { NULL, 0 },
        .reads_per_s = NAN,
        .writes_per_s = NAN,
        .read_kib_per_s = NAN,
        .write_kib_per_s = NAN,
        .total_per_s = NAN,
        .total_kib_per_s = NAN,
        .read_request_kib = NAN,
        .write_request_kib = NAN,
        .request_kib = NAN,
        .read_merge_pct = NAN,
        .write_merge_pct = NAN,
        .read_await_ms = NAN,
        .write_await_ms = NAN,
        .await_ms = NAN,
        .queue = NAN,
        .util_pct = NAN,
        .since_boot = false,
        .artefact = false,
        .line = 0,
    };
}

static double size_of(double size_kib, double kibps, double per_s)
{
    return isnan(size_kib) && per_s > 0 ? kibps / per_s : size_kib;
}

/* The mean sizes may have more digits than the rates that they were printed beside. */
static double moved_kib(double per_s, double size_kib)
{
    return per_s > 0 ? per_s * size_kib : 0;
}

/* Of no device; an unknown rate may be of any. */
static bool is_beyond(double rate, double max)
{
    return rate < 0 || rate > max;
}

void io_sample_complete(struct io_sample *s)
{
    double requests = s->reads_per_s + s->writes_per_s;
    double kibps = s->read_kib_per_s + s->write_kib_per_s;
    if (isnan(s->total_per_s))
        s->total_per_s = requests;
    if (isnan(s->total_kib_per_s))
        s->total_kib_per_s = kibps;
    s->read_request_kib = size_of(s->read_request_kib, s->read_kib_per_s, s->reads_per_s);
    s->write_request_kib = size_of(s->write_request_kib, s->write_kib_per_s, s->writes_per_s);
    if (isnan(s->request_kib) && requests > 0)
        s->request_kib = (moved_kib(s->reads_per_s, s->read_request_kib) +
                          moved_kib(s->writes_per_s, s->write_request_kib)) /
                         requests;
    s->request_kib = size_of(s->request_kib, s->total_kib_per_s, s->total_per_s);

    s->artefact =
        s->util_pct > interval_max_util_pct || is_beyond(s->reads_per_s, device_max_iops) ||
        is_beyond(s->writes_per_s, device_max_iops) || is_beyond(s->total_per_s, device_max_iops) ||
        is_beyond(s->read_kib_per_s, device_max_kibps) ||
        is_beyond(s->write_kib_per_s, device_max_kibps) ||
        is_beyond(s->total_kib_per_s, device_max_kibps);
}
