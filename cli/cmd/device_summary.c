/* cli/cmd/device_summary.c - see device_summary.h. */
#include "cli/cmd/device_summary.h"

#include <string.h>

static struct device_row *find(struct device_summary *d, struct span name)
{
    for (size_t i = 0; i < d->n; i++) {
        size_t at = (d->next + i) % d->n;
        if (span_is(name, d->rows[at].name)) {
            d->next = at + 1;
            return &d->rows[at];
        }
    }
    return NULL;
}

static struct device_row *add(struct device_summary *d, struct span name, struct arena *a)
{
    if (d->n == d->room) {
        size_t room = d->room ? 2 * d->room : 32;
        struct device_row *rows = arena_grow(a, d->rows, d->n, room, sizeof *rows);
        if (!rows)
            return NULL;
        d->rows = rows;
        d->room = room;
    }
    const char *copy = arena_strndup(a, name.ptr, name.len);
    if (!copy)
        return NULL;
    d->rows[d->n] = (struct device_row){
        .name = copy, .iops_max = NAN, .mibps_max = NAN, .await_max_ms = NAN, .util_max_pct = NAN
    };
    d->next = d->n + 1;
    return &d->rows[d->n++];
}

static void take(double v, double *sum, int64_t *n, double *max)
{
    if (!isfinite(v))
        return;
    *sum += v;
    ++*n;
    *max = fmax(*max, v);
}

int device_summary_add(struct device_summary *d, const struct io_sample *s, struct arena *a,
                       struct err *e)
{
    if (s->since_boot || s->artefact)
        return 0;
    struct device_row *r = find(d, s->device);
    if (!r && d->n == DEVICES_SHOWN) {
        d->left_out++;
        return 0;
    }
    if (!r && !(r = add(d, s->device, a)))
        return err_nomem(e);
    r->samples++;
    take(s->total_per_s, &r->iops_sum, &r->iops_n, &r->iops_max);
    take(s->total_kib_per_s / 1024, &r->mibps_sum, &r->mibps_n, &r->mibps_max);
    double await_ms =
        isfinite(s->await_ms) ? s->await_ms : fmax(s->read_await_ms, s->write_await_ms);
    r->await_max_ms = fmax(r->await_max_ms, await_ms);
    r->util_max_pct = fmax(r->util_max_pct, s->util_pct);
    return 0;
}

void device_summary_emit(struct emit *m, const struct device_summary *d)
{
    static const struct emit_col cols[] = {
        { "device", "device", true },
        { "samples", "samples", false },
        { "mean_iops", "mean IOPS", false },
        { "max_iops", "max IOPS", false },
        { "mean_mibps", "mean MiB/s", false },
        { "max_mibps", "max MiB/s", false },
        { "max_await_ms", "max await ms", false },
        { "max_util_pct", "max util %", false },
    };
    emit_table(m, "devices", cols, sizeof cols / sizeof *cols);
    for (size_t i = 0; i < d->n; i++) {
        const struct device_row *r = &d->rows[i];
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_text(m, "device", r->name);
        emit_int(m, "samples", UNIT_COUNT, r->samples);
        emit_num(m, "mean_iops", UNIT_IOPS, r->iops_n ? r->iops_sum / (double)r->iops_n : NAN);
        emit_num(m, "max_iops", UNIT_IOPS, r->iops_max);
        emit_num(m, "mean_mibps", UNIT_MIBPS, r->mibps_n ? r->mibps_sum / (double)r->mibps_n : NAN);
        emit_num(m, "max_mibps", UNIT_MIBPS, r->mibps_max);
        emit_num(m, "max_await_ms", UNIT_MS, r->await_max_ms);
        emit_num(m, "max_util_pct", UNIT_PCT, r->util_max_pct);
        emit_end(m);
    }
    emit_end(m);
}
