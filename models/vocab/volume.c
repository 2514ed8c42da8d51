/* models/vocab/volume.c - see volume.h. */
#include "models/vocab/volume.h"

#include "models/core/unit.h"

#include <math.h>
#include <stdio.h>

static const char *const names[VOL_TYPE_COUNT] = {
#define X(name, text) [name] = (text),
    VOLUME_TYPE_TABLE(X)
#undef X
};

const char *volume_type_name(enum volume_type t)
{
    return t < VOL_TYPE_COUNT ? names[t] : "-";
}

int volume_type_parse(struct span name, enum volume_type *out)
{
    for (int i = 0; i < VOL_TYPE_COUNT; i++)
        if (span_is(name, names[i])) {
            *out = (enum volume_type)i;
            return 0;
        }
    return -1;
}

bool volume_spec_alike(const struct volume_spec *a, const struct volume_spec *b)
{
    return a->type == b->type && a->size_gib == b->size_gib && a->iops == b->iops &&
           a->throughput_mibps == b->throughput_mibps;
}

char *volume_spec_format(char buf[96], const struct volume_spec *v)
{
    char count[48], size[48], iops[48], mibps[48];
    int n = 0;
    if (v->count > 1)
        n = snprintf(buf, 96, "%s x ", unit_format(count, (double)v->count, 0));
    n += snprintf(buf + n, 96 - (size_t)n, "%s %s GiB", volume_type_name(v->type),
                  unit_format(size, v->size_gib == UNKNOWN ? NAN : (double)v->size_gib, 0));
    if (v->iops != UNKNOWN)
        n += snprintf(buf + n, 96 - (size_t)n, " %s IOPS", unit_format(iops, (double)v->iops, 0));
    if (v->throughput_mibps != UNKNOWN)
        snprintf(buf + n, 96 - (size_t)n, " %s MiB/s",
                 unit_format(mibps, (double)v->throughput_mibps, 0));
    return buf;
}
