/* cli/cmd/plan_file_input.c - see plan_file_input.h. */
#include "cli/cmd/plan_file_input.h"

#include "cli/cmd/whole_file.h"
#include "cli/nearest.h"
#include "data/ingest/plan/plan_json.h"
#include "models/core/timestamp.h"
#include "models/ebs/vol_rule.h"

#include <math.h>
#include <string.h>

int plan_file_input(struct app *app, const char *system, struct plan_file *out,
                    const char **out_path, struct err *e)
{
    struct span json;
    *out_path = app_text(app, OPT_PLAN);
    if (!*out_path)
        return 0;
    int rc = whole_file(*out_path, PLAN_BYTES_MAX, &app->arena, &json, e);
    if (rc)
        return rc;
    rc = plan_json_parse(json, &app->arena, out, e);
    if (rc)
        return err_prefix(e, "%.200s", *out_path);
    if (strcmp(out->system, system) != 0)
        return err_set(e, ERR_USAGE, "%.200s is a plan of '%.80s', not of '%.80s'", *out_path,
                       out->system, system);
    return 0;
}

int plan_file_weighting(const struct plan_file *p, const char *path, enum weighting *out,
                        struct err *e)
{
    static const char *const names[] = {
        [WEIGHTING_DEFAULT] = "default", [WEIGHTING_EBS_1] = "ebs-1", [WEIGHTING_VPC_1] = "vpc-1"
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(p->weighting, names[i]) == 0) {
            *out = (enum weighting)i;
            return 0;
        }
    return err_set(e, ERR_PARSE,
                   "%.200s: instance.weighting: '%.40s': expected default, ebs-1, vpc-1", path,
                   p->weighting);
}

int layout_find_group(const struct layout *l, struct span name, size_t *out, struct err *e)
{
    char wanted[81], hint[96];
    struct nearest near = { .word = wanted };
    for (size_t g = 0; g < l->n_groups; g++)
        if (span_is(name, l->groups[g].name)) {
            *out = g;
            return 0;
        }
    snprintf(wanted, sizeof wanted, "%.*s", SPAN_ARG(name));
    for (size_t g = 0; g < l->n_groups; g++)
        nearest_try(&near, l->groups[g].name);
    return err_set(e, ERR_USAGE, "no disk group '%s' in the layout of %.80s%s", wanted, l->system,
                   nearest_hint(hint, &near, ""));
}

/* What the type does not take, or cannot do without. */
static int check_fields(const struct vol_rule *r, const struct volume_spec *v, struct err *e)
{
    const char *type = volume_type_name(v->type);
    if (r->only_provisioned && v->iops == UNKNOWN)
        return err_set(e, ERR_USAGE, "%s needs its IOPS: %s:%lld:IOPS", type, type,
                       (long long)v->size_gib);
    if (v->iops != UNKNOWN && !r->only_provisioned && r->included_iops == UNKNOWN)
        return err_set(e, ERR_USAGE, "%s takes no IOPS, they follow from its size: %s:%lld", type,
                       type, (long long)v->size_gib);
    if (v->throughput_mibps != UNKNOWN && !isfinite(r->mibps_per_iops_max))
        return err_set(e, ERR_USAGE, "%s takes no throughput: only gp3 does", type);
    return 0;
}

int volume_spec_check(const struct app *app, const struct instance_type *instance, int64_t as_of_ms,
                      struct volume_spec *v, struct err *e)
{
    struct vol_problem problems[VOL_PROBLEMS_MAX];
    char day[32], nearest[96];
    const struct vol_rule *r =
        vol_rule_at(app->catalogue, v->type, as_of_ms, instance ? instance->name : NULL, UNKNOWN);
    if (!r)
        return err_set(e, ERR_USAGE, "%s is not known on %s", volume_type_name(v->type),
                       time_format_date(day, as_of_ms));
    int rc = check_fields(r, v, e);
    if (rc)
        return rc;
    vol_fill_defaults(r, v);
    if (vol_check(r, v, problems) == 0)
        return 0;
    return err_set(e, ERR_USAGE, "%s; nearest that can be ordered: %s", problems[0].text,
                   volume_spec_format(nearest, &problems[0].nearest));
}
