/* data/ingest/advice/optimizer_csv.c - exports of Compute Optimizer (EBS) and Cost Optimization
 * Hub.
 *
 * Compute Optimizer puts its options side by side, recommendationOptions_1_... and so on; Athena
 * writes all headings in lower case. */
#include "data/ingest/advice/advice_record.h"
#include "data/ingest/csv/csv.h"

#include <math.h>
#include <stdio.h>

enum { OPTIONS_MAX = 10 };

bool optimizer_csv_detect(struct span head)
{
    return csv_head_has(head, "volumeArn") || csv_head_has(head, "volumearn") ||
           (csv_head_has(head, "recommendation_id") && csv_head_has(head, "current_resource_type"));
}

static struct span text(const struct csv *c, const char *heading)
{
    return span_trim(csv_field(c, csv_column_nocase(c, heading)));
}

/* NaN for an empty field; what is no number is NaN with a warning. */
static double number(struct feed *f, const struct csv *c, const char *heading, int *rc)
{
    struct span s = text(c, heading), rest = s;
    double v;
    if (!s.len)
        return NAN;
    if (span_double(&rest, &v) == 0 && !rest.len)
        return v;
    if (!*rc)
        *rc = feed_warn(f, c->line, "column '%s': bad value '%.*s'", heading, SPAN_ARG(s));
    return NAN;
}

static void read_spec(struct feed *f, const struct csv *c, const char *prefix, const char *price,
                      struct advice_spec *out, int *rc)
{
    char heading[80];
    snprintf(heading, sizeof heading, "%s_volumeType", prefix);
    out->type = text(c, heading);
    snprintf(heading, sizeof heading, "%s_volumeSize", prefix);
    out->size_gib = number(f, c, heading, rc);
    snprintf(heading, sizeof heading, "%s_volumeBaselineIOPS", prefix);
    out->iops = number(f, c, heading, rc);
    snprintf(heading, sizeof heading, "%s_volumeBaselineThroughput", prefix);
    out->throughput_mibps = number(f, c, heading, rc);
    out->monthly_usd = number(f, c, price, rc);
}

static int read_option(struct feed *f, const struct csv *c, struct advice *v, int n)
{
    char prefix[60], price[60], heading[80];
    int rc = 0;
    snprintf(prefix, sizeof prefix, "recommendationOptions_%d_configuration", n);
    snprintf(price, sizeof price, "recommendationOptions_%d_monthlyPrice", n);
    read_spec(f, c, prefix, price, &v->recommended, &rc);
    if (rc || !v->recommended.type.len)
        return rc;
    v->rank = n;
    snprintf(heading, sizeof heading, "recommendationOptions_%d_performanceRisk", n);
    v->performance_risk = number(f, c, heading, &rc);
    snprintf(heading, sizeof heading, "recommendationOptions_%d_estimatedMonthlySavings_value", n);
    v->savings_usd = number(f, c, heading, &rc);
    snprintf(heading, sizeof heading, "recommendationOptions_%d_estimatedMonthlySavings_currency",
             n);
    v->currency = text(c, heading);
    return rc ? rc : advice_hand_over(f, v);
}

static int read_optimizer_row(struct feed *f, const struct csv *c)
{
    struct advice v;
    int rc = 0;
    advice_clear(&v);
    v.source = "compute_optimizer";
    v.line = c->line;
    v.account = text(c, "accountId");
    v.resource_arn = text(c, "volumeArn");
    v.finding = text(c, "finding");
    v.lookback_days = number(f, c, "lookbackPeriodInDays", &rc);
    read_spec(f, c, "currentConfiguration", "current_monthlyPrice", &v.current, &rc);
    v.read_iops_max = number(f, c, "utilizationMetrics_VolumeReadOpsPerSecondMaximum", &rc);
    v.write_iops_max = number(f, c, "utilizationMetrics_VolumeWriteOpsPerSecondMaximum", &rc);
    v.read_bytes_per_s_max =
        number(f, c, "utilizationMetrics_VolumeReadBytesPerSecondMaximum", &rc);
    v.write_bytes_per_s_max =
        number(f, c, "utilizationMetrics_VolumeWriteBytesPerSecondMaximum", &rc);
    if (rc)
        return rc;
    if (text(c, "errorCode").len) {
        f->skipped++;
        return feed_warn(f, c->line, "%.*s: %.*s", SPAN_ARG(v.resource_arn),
                         SPAN_ARG(text(c, "errorCode")));
    }
    int64_t before = f->rows;
    for (int n = 1; n <= OPTIONS_MAX && !rc; n++)
        rc = read_option(f, c, &v, n);
    return rc || f->rows > before ? rc : advice_hand_over(f, &v);
}

static int read_hub_row(struct feed *f, const struct csv *c)
{
    struct advice v;
    int rc = 0;
    advice_clear(&v);
    if (!span_is(text(c, "current_resource_type"), "EbsVolume")) {
        f->skipped++;
        return 0;
    }
    v.source = "cost_optimization_hub";
    v.line = c->line;
    v.account = text(c, "account_id");
    v.resource_arn = text(c, "resource_arn");
    v.region = text(c, "region");
    v.action = text(c, "action_type");
    v.currency = text(c, "currency_code");
    v.current_summary = text(c, "current_resource_summary");
    v.recommended_summary = text(c, "recommended_resource_summary");
    v.lookback_days = number(f, c, "recommendation_lookback_period_in_days", &rc);
    v.recommended.monthly_usd = number(f, c, "estimated_monthly_cost_after_discount", &rc);
    v.savings_usd = number(f, c, "estimated_monthly_savings_after_discount", &rc);
    return rc ? rc : advice_hand_over(f, &v);
}

int optimizer_csv_read(struct feed *f)
{
    struct csv c;
    int more = csv_open(&c, f->src, ',', f->arena, f->err);
    if (more < 0)
        return more;
    bool hub = csv_column_nocase(&c, "volumeArn") < 0;
    int rc = 0;
    while (!rc && (more = csv_next(&c, f->err)) == 1) {
        if (c.fault || c.n_fields != c.n_columns) {
            f->skipped++;
            rc = feed_warn(f, c.line, "%s; the line is skipped",
                           c.fault ? c.fault : "another number of fields than the heading");
        } else {
            rc = hub ? read_hub_row(f, &c) : read_optimizer_row(f, &c);
        }
    }
    return rc ? rc : more;
}
