/* planner/demand/peak_second.c - see peak_second.h. */
#include "planner/demand/peak_second.h"

#include "models/core/unit.h"
#include "models/vocab/metric_series.h"
#include "models/vocab/record.h"
#include "planner/demand/group_ceiling.h"

#include <math.h>
#include <string.h>

static const char mean_source[] = "mean of the interval", second_source[] = "1 s samples";

static bool is_second(double interval_s)
{
    return interval_s <= 1.1; /* as peak_factors.h: clocks jitter by a tenth */
}

struct peak_second peak_second_of(const struct load_points *p, const struct group_ceiling *ceiling)
{
    struct peak_second out = { NAN, NAN, NAN, NAN, NULL, UNKNOWN };
    bool seconds = true;
    for (size_t i = 0; i < p->n; i++) {
        const struct load_point *q = &p->at[i];
        double mibps = point_total_mibps(q);
        seconds = seconds && is_second(q->interval_s);
        if (q->flags & POINT_ARTEFACT)
            continue;
        out.low_iops = fmax(out.low_iops, q->counted_iops);
        if (isnan(mibps) || mibps <= out.low_mibps)
            continue;
        out.low_mibps = mibps;
        out.time_ms = q->begin_ms;
        out.source = is_second(q->interval_s) ? second_source : mean_source;
    }
    if (p->n && seconds) {
        out.high_mibps = out.low_mibps;
        out.high_iops = out.low_iops;
    } else {
        out.high_mibps = fmax(out.low_mibps, ceiling->max_throughput_mibps);
        out.high_iops = fmax(out.low_iops, ceiling->max_iops);
        if (isnan(ceiling->max_throughput_mibps) || isnan(out.low_mibps))
            out.high_mibps = NAN;
        if (isnan(ceiling->max_iops) || isnan(out.low_iops))
            out.high_iops = NAN;
    }
    return out;
}

static bool in_window(const struct peak_second_scope *s, int64_t time_ms)
{
    return time_ms != UNKNOWN && (s->from_ms == UNKNOWN || time_ms >= s->from_ms) &&
           (s->to_ms == UNKNOWN || time_ms < s->to_ms);
}

static void raise_to(struct peak_second *out, double mibps, double iops, int64_t time_ms,
                     const char *source)
{
    if (mibps > out->low_mibps || (isnan(out->low_mibps) && !isnan(mibps))) {
        out->low_mibps = mibps;
        out->source = source;
        out->time_ms = time_ms;
    }
    out->low_iops = fmax(out->low_iops, iops);
    if (out->high_mibps < out->low_mibps)
        out->high_mibps = out->low_mibps;
    if (out->high_iops < out->low_iops)
        out->high_iops = out->low_iops;
}

/* --- metrics of volumes ----------------------------------------------------------------------- */

/* "VolumeId=vol-1,InstanceId=i-1": the value of a key; empty when it has none. */
static struct span dimension_of(const char *dimension, const char *key)
{
    struct span rest = span_of(dimension ? dimension : ""), part;
    while (rest.len && span_field(&rest, ',', &part) == 0)
        if (span_starts(part, key))
            return span_cut(part, strlen(key), part.len);
    return (struct span){ 0 };
}

static const char *volume_in_scope(const struct peak_second_scope *s, const struct metric_series *m)
{
    struct span id = dimension_of(m->dimension, "VolumeId=");
    for (size_t i = 0; i < s->n_volume_ids && id.len; i++)
        if (span_is(id, s->volume_ids[i]))
            return s->volume_ids[i];
    return NULL;
}

static const struct load_series *volume_series(const struct system_load *l, const char *id)
{
    for (size_t i = 0; i < l->n_series; i++)
        if (l->series[i].kind == SERIES_VOLUME && strcmp(l->series[i].name, id) == 0)
            return &l->series[i];
    return NULL;
}

/* A minute of a volume crowded into its busy seconds; it cannot have passed its own ceiling. */
static void raise_by_idle(const struct peak_second_scope *s, const struct load_series *v, size_t i,
                          double period_s, double idle_s, struct peak_second *out)
{
    double busy_s = ceil(period_s - idle_s - 1e-9);
    if (!(idle_s >= 0) || !(busy_s >= 1))
        return;
    struct load_member whole = { v, 1, 1 };
    struct load_point p = load_point_of_sample(&whole, i);
    double times = period_s / busy_s, mean = point_total_mibps(&p);
    const struct group_ceiling *one = volume_ceiling_at(s->clock, v->begin_ms[i]);
    double mibps = mean * times, iops = p.counted_iops * times;
    if (mibps > one->max_throughput_mibps)
        mibps = fmax(mean, one->max_throughput_mibps);
    if (iops > one->max_iops)
        iops = fmax(p.counted_iops, one->max_iops);
    raise_to(out, mibps, iops, v->begin_ms[i], "VolumeIdleTime");
}

/* Values and samples ascend.  What a rollup put together says nothing of single seconds. */
static void idle_times(const struct peak_second_scope *s, const struct metric_series *m,
                       const char *volume, struct peak_second *out)
{
    const struct load_series *v = volume_series(s->load, volume);
    size_t at = 0;
    for (size_t i = 0; v && i < m->n; i++) {
        while (at < v->n && v->begin_ms[at] < m->time_ms[i])
            at++;
        bool same = at < v->n && v->begin_ms[at] == m->time_ms[i] &&
                    fabs((double)(v->end_ms[at] - v->begin_ms[at]) / 1e3 - m->period_s[i]) < 1e-3 &&
                    fabs(load_series_interval_s(v, at) - m->period_s[i]) < 1e-3;
        if (same && in_window(s, m->time_ms[i]))
            raise_by_idle(s, v, at, m->period_s[i], m->value[i], out);
    }
}

static void at_ceiling(const struct peak_second_scope *s, int64_t time_ms, bool iops,
                       const char *source, struct peak_second *out)
{
    const struct group_ceiling *one = volume_ceiling_at(s->clock, time_ms);
    raise_to(out, iops ? NAN : one->max_throughput_mibps, iops ? one->max_iops : NAN, time_ms,
             source);
}

static void volume_checks(const struct peak_second_scope *s, const struct metric_series *m,
                          bool iops, struct peak_second *out)
{
    for (size_t i = 0; i < m->n; i++)
        if (m->value[i] > 0 && in_window(s, m->time_ms[i]))
            at_ceiling(s, m->time_ms[i], iops,
                       iops ? "VolumeIOPSExceededCheck" : "VolumeThroughputExceededCheck", out);
}

static bool is_device_of(const struct peak_second_scope *s, const char *device)
{
    const struct layout_group *g = s->clock->group;
    for (size_t i = 0; i < s->n_volume_ids; i++)
        if (strcmp(s->volume_ids[i], device) == 0)
            return true;
    for (size_t i = 0; i < g->n_devices; i++)
        if (layout_match_device(g->devices[i], NULL, device))
            return true;
    return false;
}

/* Rows of the nvme statistics: how long a limit was exceeded since the reading before. */
static void nvme_readings(const struct peak_second_scope *s, struct peak_second *out)
{
    for (size_t i = 0; i < s->load->n_records; i++) {
        const struct stored_record *r = &s->load->records[i];
        const char *device = stored_record_text(r, "device");
        if (!device || !in_window(s, r->time_ms) || !is_device_of(s, device))
            continue;
        if (stored_record_num(r, "volume_throughput_exceeded_us") > 0)
            at_ceiling(s, r->time_ms, false, "NVMe time above the throughput limit", out);
        if (stored_record_num(r, "volume_iops_exceeded_us") > 0)
            at_ceiling(s, r->time_ms, true, "NVMe time above the IOPS limit", out);
    }
}

/* --- metrics of the database and the instance --------------------------------------------------*/

/* Worst minutes; to MiB/s.  One direction is a lower bound of both. */
static const struct maximum {
    const char *metric;
    double scale;
    bool redo;
} maxima[] = {
    { "Physical Read Total Bytes Per Sec", 1 / MIB_BYTES, false },
    { "Physical Write Total Bytes Per Sec", 1 / MIB_BYTES, false },
    { "I/O Megabytes per Second", 1, false },
    { "Redo Generated Per Sec", 1 / MIB_BYTES, true },
    { "read_mb_s", 1, false }, /* AWR miner */
    { "write_mb_s", 1, false },
    { "redo_mb_s", 1, true },
};

static void sysmetric(const struct peak_second_scope *s, const struct metric_series *m,
                      struct peak_second *out)
{
    for (size_t k = 0; k < sizeof maxima / sizeof *maxima; k++) {
        const struct maximum *x = &maxima[k];
        size_t len = strlen(x->metric);
        if (strncmp(m->metric, x->metric, len) != 0 ||
            (m->metric[len] && strcmp(m->metric + len, "_max") != 0))
            continue;
        double copies = x->redo ? s->redo_copies : 1;
        if (!x->redo && !s->whole_system)
            continue;
        for (size_t i = 0; i < m->n; i++)
            if (in_window(s, m->time_ms[i]))
                raise_to(out, m->value[i] * x->scale * copies, NAN, m->time_ms[i],
                         "sysmetric maximum");
    }
}

static void instance_check(const struct peak_second_scope *s, const struct metric_series *m,
                           struct peak_second *out)
{
    for (size_t i = 0; i < m->n; i++)
        if (m->value[i] > 0 && in_window(s, m->time_ms[i]))
            raise_to(out, s->instance_mibps, NAN, m->time_ms[i],
                     "InstanceEBSThroughputExceededCheck");
}

void peak_second_raise(const struct peak_second_scope *s, struct peak_second *out)
{
    for (size_t i = 0; i < s->load->n_metrics; i++) {
        const struct metric_series *m = &s->load->metrics[i];
        const char *volume = s->clock ? volume_in_scope(s, m) : NULL;
        bool counted = m->statistic == STATISTIC_COUNT;
        if (volume && !counted && strcmp(m->metric, "VolumeIOPSExceededCheck") == 0)
            volume_checks(s, m, true, out);
        else if (volume && !counted && strcmp(m->metric, "VolumeThroughputExceededCheck") == 0)
            volume_checks(s, m, false, out);
        else if (volume && m->statistic == STATISTIC_SUM &&
                 strcmp(m->metric, "VolumeIdleTime") == 0)
            idle_times(s, m, volume, out);
        else if (!counted && s->whole_system &&
                 strcmp(m->metric, "InstanceEBSThroughputExceededCheck") == 0)
            instance_check(s, m, out);
        else if (m->statistic == STATISTIC_MAXIMUM)
            sysmetric(s, m, out);
    }
    if (s->clock)
        nvme_readings(s, out);
}
