/* data/ingest/advice/optimizer_json.c - Compute Optimizer and Cost Optimization Hub, CLI JSON. */
#include "data/ingest/advice/advice.h"
#include "data/ingest/advice/advice_record.h"
#include "data/ingest/json/json_doc.h"

#include <math.h>

static bool is_trusted_advisor(struct span head)
{
    return json_head_has(head, "result") && span_find(head, "\"checkId\"") >= 0 &&
           span_find(head, "\"flaggedResources\"") >= 0;
}

static bool is_hub(struct span head)
{
    return json_head_has(head, "recommendationId") ||
           (json_head_has(head, "items") && span_find(head, "\"recommendationId\"") >= 0);
}

int optimizer_detect(struct span head)
{
    if (json_head_has(head, "volumeRecommendations") ||
        json_head_has(head, "instanceRecommendations"))
        return 95;
    if (is_hub(head))
        return 90;
    if (is_trusted_advisor(head))
        return 50;
    return optimizer_csv_detect(head) ? 95 : 0;
}

static const cJSON *child(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

static void read_configuration(const cJSON *c, struct advice_spec *out)
{
    out->type = json_text(c, "volumeType");
    out->size_gib = json_num(c, "volumeSize");
    out->iops = json_num(c, "volumeBaselineIOPS");
    out->throughput_mibps = json_num(c, "volumeBaselineThroughput");
}

/* Maximums over the lookback; other statistics are not kept. */
static void read_utilization(const cJSON *metrics, struct advice *v)
{
    const struct {
        const char *name;
        double *out;
    } wanted[] = {
        { "VolumeReadOpsPerSecond", &v->read_iops_max },
        { "VolumeWriteOpsPerSecond", &v->write_iops_max },
        { "VolumeReadBytesPerSecond", &v->read_bytes_per_s_max },
        { "VolumeWriteBytesPerSecond", &v->write_bytes_per_s_max },
    };
    const cJSON *metric;
    cJSON_ArrayForEach(metric, metrics)
    {
        if (!span_eq_nocase(json_text(metric, "statistic"), SPAN_LIT("maximum")))
            continue;
        for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
            if (span_is(json_text(metric, "name"), wanted[i].name))
                *wanted[i].out = json_num(metric, "value");
    }
}

/* One record per option, or one without when there is none. */
static int read_optimizer(struct feed *f, const cJSON *item, int64_t line, const char *arn_key,
                          const cJSON *options)
{
    struct advice v;
    advice_clear(&v);
    v.source = "compute_optimizer";
    v.line = line;
    v.resource_arn = json_text(item, arn_key);
    v.account = json_text(item, "accountId");
    v.finding = json_text(item, "finding");
    v.lookback_days = json_num(item, "lookBackPeriodInDays");
    if (isnan(v.lookback_days))
        v.lookback_days = json_num(item, "lookbackPeriodInDays");
    read_configuration(child(item, "currentConfiguration"), &v.current);
    if (!v.current.type.len)
        v.current.type = json_text(item, "currentInstanceType");
    read_utilization(child(item, "utilizationMetrics"), &v);
    if (!v.resource_arn.len)
        return feed_fault(f, line, "a recommendation without %s", arn_key);
    if (!options || !options->child)
        return advice_hand_over(f, &v);
    int rc = 0;
    const cJSON *option;
    cJSON_ArrayForEach(option, options)
    {
        const cJSON *savings =
            child(child(option, "savingsOpportunity"), "estimatedMonthlySavings");
        read_configuration(child(option, "configuration"), &v.recommended);
        if (!v.recommended.type.len)
            v.recommended.type = json_text(option, "instanceType");
        v.rank = json_num(option, "rank");
        v.performance_risk = json_num(option, "performanceRisk");
        v.savings_usd = json_num(savings, "value");
        v.currency = json_text(savings, "currency");
        if (!rc)
            rc = advice_hand_over(f, &v);
    }
    return rc;
}

static int read_volume_item(struct feed *f, const cJSON *item, int64_t line, void *ctx)
{
    (void)ctx;
    const cJSON *options = child(item, "volumeRecommendationOptions");
    if (!options)
        options = child(item, "recommendationOptions");
    return read_optimizer(f, item, line, "volumeArn", options);
}

static int read_instance_item(struct feed *f, const cJSON *item, int64_t line, void *ctx)
{
    (void)ctx;
    return read_optimizer(f, item, line, "instanceArn", child(item, "recommendationOptions"));
}

/* {"ebsVolume":{"configuration":{"storage":{...},"performance":{...}}}} of get-recommendation. */
static void read_hub_details(const cJSON *details, struct advice_spec *out)
{
    const cJSON *c = child(child(details, "ebsVolume"), "configuration");
    out->type = json_text(child(c, "storage"), "type");
    out->size_gib = json_num(child(c, "storage"), "sizeInGb");
    out->iops = json_num(child(c, "performance"), "iops");
    out->throughput_mibps = json_num(child(c, "performance"), "throughput");
}

/* estimatedMonthlyCost is the cost after the change. */
static int read_hub_item(struct feed *f, const cJSON *item, int64_t line, void *ctx)
{
    (void)ctx;
    struct advice v;
    advice_clear(&v);
    if (!span_is(json_text(item, "currentResourceType"), "EbsVolume")) {
        f->skipped++;
        return 0;
    }
    v.source = "cost_optimization_hub";
    v.line = line;
    v.resource_arn = json_text(item, "resourceArn");
    if (!v.resource_arn.len)
        v.resource_arn = json_text(item, "resourceId");
    v.account = json_text(item, "accountId");
    v.region = json_text(item, "region");
    v.action = json_text(item, "actionType");
    v.currency = json_text(item, "currencyCode");
    v.current_summary = json_text(item, "currentResourceSummary");
    v.recommended_summary = json_text(item, "recommendedResourceSummary");
    v.lookback_days = json_num(item, "recommendationLookbackPeriodInDays");
    v.savings_usd = json_num(item, "estimatedMonthlySavings");
    read_hub_details(child(item, "currentResourceDetails"), &v.current);
    read_hub_details(child(item, "recommendedResourceDetails"), &v.recommended);
    v.recommended.monthly_usd = json_num(item, "estimatedMonthlyCost");
    return advice_hand_over(f, &v);
}

/* The lists of one document; both may be there. */
static int read_document(struct feed *f, struct json_value doc, bool *known)
{
    static const struct list {
        const char *key;
        json_visit *visit;
    } lists[] = {
        { "volumeRecommendations", read_volume_item },
        { "instanceRecommendations", read_instance_item },
        { "items", read_hub_item },
    };
    struct json_value list;
    int rc = 0;
    for (size_t i = 0; i < sizeof lists / sizeof *lists && !rc; i++) {
        if (!json_member(doc, lists[i].key, &list))
            continue;
        *known = true;
        rc = json_each(f, list, lists[i].visit, NULL);
    }
    if (!rc && json_member(doc, "recommendationId", &list)) {
        *known = true;
        rc = json_each(f, doc, read_hub_item, NULL);
    }
    return rc;
}

static int read_json(struct feed *f)
{
    struct json_cursor c;
    struct json_value doc, token;
    bool known = false;
    int rc = json_document(f, &c), more = 0;
    while (!rc && (more = json_next_document(f, &c, &doc)) == 1) {
        rc = read_document(f, doc, &known);
        if (!rc && json_member(doc, "nextToken", &token) && token.text.len > 2 &&
            token.text.ptr[0] == '"')
            rc = feed_warn(f, token.line, "nextToken: the answer goes on; ask for the next page");
    }
    if (rc || more < 0)
        return rc ? rc : more;
    return known ? 0 : feed_fault(f, 1, "no list of recommendations in the JSON");
}

static int read_any(struct feed *f)
{
    struct span head;
    int rc = source_head(f->src, &head, f->err);
    if (rc)
        return rc;
    if (is_trusted_advisor(head))
        return feed_fault(f, 1,
                          "an answer of Trusted Advisor, whose columns have no names, is not "
                          "read; use Compute Optimizer or Cost Optimization Hub");
    return optimizer_csv_detect(head) ? optimizer_csv_read(f) : read_json(f);
}

int optimizer_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                   struct arena *a, int64_t *rows, int64_t *skipped, struct err *e)
{
    return feed_run(src, o, sink, a, rows, skipped, e, read_any);
}
