/* planner/solve/option_words.c - see option_words.h. */
#include "planner/solve/option_words.h"

#include "models/core/unit.h"
#include "models/ebs/vol_rule.h"

#include <math.h>

static int note(struct size_option *o, const char *text, struct err *e)
{
    if (!text)
        return err_nomem(e);
    o->notes[o->n_notes++] = text;
    return 0;
}

/* An unmirrored stripe is lost with any of its volumes: 1 - durability^count a year. */
static int explain_risk(struct size_option *o, int copies, struct arena *a, struct err *e)
{
    double durability = o->durability_pct / 100;
    if (isnan(durability)) {
        o->risk = "AWS states no durability for this type";
        return 0;
    }
    double loss_pct = (1 - pow(durability, (double)o->spec.count)) * 100;
    const char *what = o->spec.count > 1 ? "one of the volumes" : "the volume";
    const char *then = copies > 1 ? "the mirror covers it" : "the group is lost with it";
    o->risk = arena_printf(a, "%s fails in a year with up to %.3g %%; %s", what, loss_pct, then);
    return o->risk ? 0 : err_nomem(e);
}

int option_compare_with_one(struct size_option *o, const struct size_option *all, size_t n,
                            struct arena *a, struct err *e)
{
    const struct volume_spec *v = &o->spec;
    char spec[96];
    if (v->count < 2 || v->iops == UNKNOWN)
        return 0;
    for (size_t i = 0; i < n; i++) {
        const struct volume_spec *one = &all[i].spec;
        if (one->type != v->type || one->count != 1 || one->iops <= v->iops * v->count)
            continue;
        double fewer_pct = 100 * (1 - (double)(v->iops * v->count) / (double)one->iops);
        return note(o,
                    arena_printf(a,
                                 "%.0f %% fewer provisioned IOPS than the one volume that carries "
                                 "it, %s",
                                 fewer_pct, volume_spec_format(spec, one)),
                    e);
    }
    return 0;
}

int option_explain(struct size_option *o, bool xen, int copies, struct arena *a, struct err *e)
{
    const struct vol_rule *r = o->rule;
    struct vol_limits l = vol_limits(r, &o->spec, xen);
    int rc = explain_risk(o, copies, a, e);
    char most[48];
    o->bursts =
        l.max_iops > l.baseline_iops || l.max_throughput_mibps > l.baseline_throughput_mibps;
    if (!rc && o->bursts)
        rc = note(o,
                  o->by_replay
                      ? "lives on its bursts: replayed over what was measured, buckets full "
                        "at the start"
                      : "sized on its baseline; bursts are not counted on",
                  e);
    else if (!rc && o->by_replay)
        rc = note(o, "some of the measured load waits: replayed over it", e);
    double in_256_kib_mibps = o->group_max_iops * 256 / 1024;
    if (!rc && r->only_provisioned && in_256_kib_mibps < o->group_max_throughput_mibps * (1 - 1e-9))
        rc = note(o,
                  arena_printf(a, "256 KiB requests reach %s MiB/s of it",
                               unit_format(most, in_256_kib_mibps, 0)),
                  e);
    if (!rc && xen && o->spec.iops != UNKNOWN && l.max_iops < (double)o->spec.iops)
        rc = note(o,
                  arena_printf(a, "a Xen instance passes %s IOPS of each volume",
                               unit_format(most, l.max_iops, 0)),
                  e);
    if (!rc && o->spec.count > 1)
        rc = note(o,
                  "together only while the load spreads over them: even striping, several requests "
                  "at once",
                  e);
    if (!rc && r->type == VOL_STANDARD)
        rc = note(o, "requests are billed on top", e);
    return rc;
}
