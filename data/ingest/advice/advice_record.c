/* data/ingest/advice/advice_record.c - see advice_record.h. */
#include "data/ingest/advice/advice_record.h"

#include <math.h>

void advice_clear(struct advice *v)
{
    const struct advice_spec unknown = { { 0 }, NAN, NAN, NAN, NAN };
    *v = (struct advice){
        .current = unknown,
        .recommended = unknown,
        .rank = NAN,
        .savings_usd = NAN,
        .performance_risk = NAN,
        .lookback_days = NAN,
        .read_iops_max = NAN,
        .write_iops_max = NAN,
        .read_bytes_per_s_max = NAN,
        .write_bytes_per_s_max = NAN,
    };
}

/* The n-th part between colons of arn:aws:ec2:REGION:ACCOUNT:volume/vol-0abc; empty = none. */
static struct span arn_part(struct span arn, int n)
{
    struct span part = { 0 };
    for (int i = 0; i <= n; i++)
        if (span_field(&arn, ':', &part))
            return (struct span){ 0 };
    return part;
}

int advice_hand_over(struct feed *f, const struct advice *v)
{
    struct fields r = { .n = 0 };
    struct span resource = arn_part(v->resource_arn, 5), kind;
    if (span_field(&resource, '/', &kind) || !resource.ptr) {
        kind = (struct span){ 0 };
        resource = v->resource_arn; /* a bare id */
    }
    fields_text(&r, "source", span_of(v->source));
    fields_text(&r, "resource_kind", kind);
    fields_text(&r, "resource_id", resource);
    fields_text(&r, "account", v->account.len ? v->account : arn_part(v->resource_arn, 4));
    fields_text(&r, "region", v->region.len ? v->region : arn_part(v->resource_arn, 3));
    fields_text(&r, "finding", v->finding);
    fields_text(&r, "action", v->action);
    fields_num(&r, "rank", UNIT_COUNT, v->rank);
    fields_text(&r, "current_type", v->current.type);
    fields_num(&r, "current_size_gib", UNIT_GIB, v->current.size_gib);
    fields_num(&r, "current_iops", UNIT_IOPS, v->current.iops);
    fields_num(&r, "current_throughput_mibps", UNIT_MIBPS, v->current.throughput_mibps);
    fields_num(&r, "current_monthly_usd", UNIT_USD, v->current.monthly_usd);
    fields_text(&r, "current_summary", v->current_summary);
    fields_text(&r, "recommended_type", v->recommended.type);
    fields_num(&r, "recommended_size_gib", UNIT_GIB, v->recommended.size_gib);
    fields_num(&r, "recommended_iops", UNIT_IOPS, v->recommended.iops);
    fields_num(&r, "recommended_throughput_mibps", UNIT_MIBPS, v->recommended.throughput_mibps);
    fields_num(&r, "recommended_monthly_usd", UNIT_USD, v->recommended.monthly_usd);
    fields_text(&r, "recommended_summary", v->recommended_summary);
    fields_num(&r, "savings_usd", UNIT_USD, v->savings_usd);
    fields_text(&r, "currency", v->currency);
    fields_num(&r, "performance_risk", UNIT_RATIO, v->performance_risk);
    fields_num(&r, "lookback_days", UNIT_COUNT, v->lookback_days);
    fields_num(&r, "read_iops_max", UNIT_IOPS, v->read_iops_max);
    fields_num(&r, "write_iops_max", UNIT_IOPS, v->write_iops_max);
    fields_num(&r, "read_bytes_per_s_max", UNIT_BYTES_PER_S, v->read_bytes_per_s_max);
    fields_num(&r, "write_bytes_per_s_max", UNIT_BYTES_PER_S, v->write_bytes_per_s_max);
    return feed_record(f, &(struct record){ "recommendations", UNKNOWN, r.at, r.n, v->line });
}
