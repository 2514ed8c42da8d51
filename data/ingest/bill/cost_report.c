/* data/ingest/bill/cost_report.c - cur, cur2 and focus: three dialects of one reader. */
#include "data/ingest/bill/bill.h"
#include "data/ingest/bill/bill_row.h"
#include "data/ingest/json/json_doc.h"

/* Unblended cost is what the account was billed at its own rate; the list price is beside it. */
static const struct bill_dialect legacy = {
    .headings = {
        [BILL_USAGE_TYPE] = { "lineItem/UsageType", NULL },
        [BILL_START] = { "lineItem/UsageStartDate", NULL },
        [BILL_END] = { "lineItem/UsageEndDate", NULL },
        [BILL_ACCOUNT] = { "lineItem/UsageAccountId", NULL },
        [BILL_REGION] = { "product/region", "product/regionCode" },
        [BILL_RESOURCE] = { "lineItem/ResourceId", NULL },
        [BILL_OPERATION] = { "lineItem/Operation", NULL },
        [BILL_UNIT] = { "pricing/unit", NULL },
        [BILL_CURRENCY] = { "lineItem/CurrencyCode", NULL },
        [BILL_LINE_TYPE] = { "lineItem/LineItemType", NULL },
        [BILL_AMOUNT] = { "lineItem/UsageAmount", NULL },
        [BILL_COST] = { "lineItem/UnblendedCost", NULL },
        [BILL_LIST_COST] = { "pricing/publicOnDemandCost", NULL },
    },
};

static const struct bill_dialect version2 = {
    .headings = {
        [BILL_USAGE_TYPE] = { "line_item_usage_type", NULL },
        [BILL_START] = { "line_item_usage_start_date", NULL },
        [BILL_END] = { "line_item_usage_end_date", NULL },
        [BILL_ACCOUNT] = { "line_item_usage_account_id", NULL },
        [BILL_REGION] = { "product_region_code", "product_region" },
        [BILL_RESOURCE] = { "line_item_resource_id", NULL },
        [BILL_OPERATION] = { "line_item_operation", NULL },
        [BILL_UNIT] = { "pricing_unit", NULL },
        [BILL_CURRENCY] = { "line_item_currency_code", NULL },
        [BILL_LINE_TYPE] = { "line_item_line_item_type", NULL },
        [BILL_AMOUNT] = { "line_item_usage_amount", NULL },
        [BILL_COST] = { "line_item_unblended_cost", NULL },
        [BILL_LIST_COST] = { "pricing_public_on_demand_cost", NULL },
    },
};

/* PricingQuantity goes with PricingUnit, ConsumedQuantity with ConsumedUnit.  EffectiveCost and
 * ContractedCost were seen rounded to whole dollars: BilledCost is the one to trust. */
static const struct bill_dialect focus = {
    .headings = {
        [BILL_USAGE_TYPE] = { "SkuMeter", "x_UsageType" },
        [BILL_DESCRIPTION] = { "ChargeDescription", NULL },
        [BILL_START] = { "ChargePeriodStart", NULL },
        [BILL_END] = { "ChargePeriodEnd", NULL },
        [BILL_ACCOUNT] = { "SubAccountId", NULL },
        [BILL_REGION] = { "RegionId", "Region" },
        [BILL_RESOURCE] = { "ResourceId", NULL },
        [BILL_OPERATION] = { "x_Operation", NULL },
        [BILL_UNIT] = { "PricingUnit", "ConsumedUnit" },
        [BILL_CURRENCY] = { "BillingCurrency", NULL },
        [BILL_LINE_TYPE] = { "ChargeCategory", "ChargeType" },
        [BILL_AMOUNT] = { "PricingQuantity", "ConsumedQuantity" },
        [BILL_COST] = { "BilledCost", NULL },
        [BILL_LIST_COST] = { "ListCost", NULL },
    },
};

static bool is_manifest(struct span head)
{
    return json_head_has(head, "assemblyId") && json_head_has(head, "reportName");
}

int cur_detect(struct span head)
{
    if (csv_head_has(head, "lineItem/UsageType") || csv_head_has(head, "lineItem/LineItemType"))
        return 95;
    return is_manifest(head) ? 90 : 0;
}

int cur2_detect(struct span head)
{
    return csv_head_has(head, "line_item_usage_type") ||
                   csv_head_has(head, "line_item_line_item_type")
               ? 95
               : 0;
}

int focus_detect(struct span head)
{
    return csv_head_has(head, "BilledCost") && csv_head_has(head, "ChargePeriodStart") ? 95 : 0;
}

static int read_manifest_tree(struct feed *f, const cJSON *m, int64_t line, void *ctx)
{
    (void)ctx;
    const cJSON *period = cJSON_GetObjectItemCaseSensitive(m, "billingPeriod");
    struct fields r = { .n = 0 };
    fields_text(&r, "report", json_text(m, "reportName"));
    fields_text(&r, "assembly_id", json_text(m, "assemblyId"));
    fields_text(&r, "account", json_text(m, "account"));
    fields_text(&r, "period_start", json_text(period, "start"));
    fields_text(&r, "period_end", json_text(period, "end"));
    fields_text(&r, "compression", json_text(m, "compression"));
    fields_num(&r, "columns", UNIT_COUNT,
               cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(m, "columns")));
    fields_num(&r, "parts", UNIT_COUNT,
               cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(m, "reportKeys")));
    return feed_record(f, &(struct record){ "report_manifests", UNKNOWN, r.at, r.n, line });
}

/* The manifest beside the parts of a report: what it lists, but no costs. */
static int read_manifest(struct feed *f)
{
    struct json_cursor c;
    struct json_value doc;
    int rc = json_document(f, &c), more = 0;
    while (!rc && (more = json_next_document(f, &c, &doc)) == 1)
        rc = json_each(f, doc, read_manifest_tree, NULL);
    if (rc || more < 0)
        return rc ? rc : more;
    return feed_warn(f, 1,
                     "the manifest of a cost and usage report has no costs; load the files "
                     "that it lists");
}

static int read_legacy(struct feed *f)
{
    struct span head;
    int rc = source_head(f->src, &head, f->err);
    if (rc)
        return rc;
    return is_manifest(head) ? read_manifest(f) : bill_rows_read(f, &legacy);
}

static int read_version2(struct feed *f)
{
    return bill_rows_read(f, &version2);
}

static int read_focus(struct feed *f)
{
    return bill_rows_read(f, &focus);
}

int cur_read(struct source *src, const struct ingest_options *o, struct sink *sink, struct arena *a,
             int64_t *rows, int64_t *skipped, struct err *e)
{
    return feed_run(src, o, sink, a, rows, skipped, e, read_legacy);
}

int cur2_read(struct source *src, const struct ingest_options *o, struct sink *sink,
              struct arena *a, int64_t *rows, int64_t *skipped, struct err *e)
{
    return feed_run(src, o, sink, a, rows, skipped, e, read_version2);
}

int focus_read(struct source *src, const struct ingest_options *o, struct sink *sink,
               struct arena *a, int64_t *rows, int64_t *skipped, struct err *e)
{
    return feed_run(src, o, sink, a, rows, skipped, e, read_focus);
}
