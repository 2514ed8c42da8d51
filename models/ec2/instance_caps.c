/* models/ec2/instance_caps.c - see instance_caps.h.
 *
 * Bandwidth weighting moves bandwidth between network and EBS and leaves IOPS alone; its figures
 * are published in Mbit/s, 8 to a MB.  Attachments: the API's number has the primary network
 * interface and the instance store taken off already; on types that share their slots every
 * further interface takes one more.  The root volume is one of those counted.
 * Source: EC2 User Guide, "Amazon EBS-optimized instance types", "EBS volume limits". */
#include "models/ec2/instance_caps.h"

#include "models/core/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_type(const void *key, const void *element)
{
    const struct bandwidth_weighting *w = element;
    return strcmp(key, w->instance_type);
}

static const struct bandwidth_weighting *weighting_find(const struct catalogue *c,
                                                        const char *instance_type)
{
    if (c->n_weightings == 0)
        return NULL;
    return bsearch(instance_type, c->weightings, c->n_weightings, sizeof *c->weightings,
                   compare_type);
}

static int apply_weighting(const struct catalogue *c, const struct instance_type *t,
                           enum weighting w, struct instance_caps *caps, struct err *e)
{
    if (w == WEIGHTING_DEFAULT)
        return 0;
    const struct bandwidth_weighting *b = weighting_find(c, t->name);
    bool ebs = w == WEIGHTING_EBS_1;
    if (!b)
        return err_set(e, ERR_USAGE, "%s has no bandwidth weighting %s", t->name,
                       ebs ? "ebs-1" : "vpc-1");
    caps->baseline_mb_s = (double)(ebs ? b->ebs1_baseline_mbps : b->vpc1_baseline_mbps) / 8;
    caps->max_mb_s = (double)(ebs ? b->ebs1_burst_mbps : b->vpc1_burst_mbps) / 8;
    return 0;
}

static int64_t volumes_left(const struct instance_type *t, int64_t network_interfaces)
{
    if (t->max_ebs_attachments == UNKNOWN || network_interfaces <= 1)
        return t->max_ebs_attachments;
    if (!t->attachment_kind)
        return UNKNOWN;
    if (strcmp(t->attachment_kind, "shared") != 0)
        return t->max_ebs_attachments;
    int64_t further = network_interfaces - 1;
    return further < t->max_ebs_attachments ? t->max_ebs_attachments - further : 0;
}

int instance_caps(const struct catalogue *c, const struct instance_type *t, enum weighting w,
                  int64_t network_interfaces, struct instance_caps *out, struct err *e)
{
    struct instance_caps caps = {
        .baseline_mb_s = t->baseline_mb_s,
        .max_mb_s = t->max_mb_s,
        .baseline_iops = t->baseline_iops == UNKNOWN ? NAN : (double)t->baseline_iops,
        .max_iops = t->max_iops == UNKNOWN ? NAN : (double)t->max_iops,
        .volumes = volumes_left(t, network_interfaces),
    };
    int rc = apply_weighting(c, t, w, &caps, e);
    if (!rc)
        *out = caps;
    return rc;
}

bool instance_is_xen(const struct instance_type *t)
{
    return t && !t->nitro_system;
}

bool instance_cpu_bursts(const struct instance_type *t)
{
    static const char flex[] = "-flex";
    size_t end = sizeof flex - 1;
    struct span f = instance_family(span_of(t->name));
    bool is_t = f.len > 1 && f.ptr[0] == 't' && f.ptr[1] >= '1' && f.ptr[1] <= '9';
    return is_t || (f.len > end && memcmp(f.ptr + f.len - end, flex, end) == 0);
}

struct span instance_family(struct span instance_type)
{
    struct span family;
    return span_field(&instance_type, '.', &family) ? (struct span){ NULL, 0 } : family;
}
