/* tests/data/ingest/bill/test_bill.c - cost and usage reports, FOCUS, Cost Explorer. */
#include "tests/data/ingest/json/sink_log.h"

#include "data/ingest/bill/bill_usage.h"

#define N(a) (sizeof(a) / sizeof *(a))

#define CUR                                                                                        \
    "identity/LineItemId,lineItem/UsageAccountId,lineItem/LineItemType,lineItem/UsageStartDate,"   \
    "lineItem/UsageEndDate,lineItem/UsageType,lineItem/ResourceId,lineItem/UsageAmount,"           \
    "lineItem/CurrencyCode,lineItem/UnblendedCost,product/region,product/regionCode,pricing/unit," \
    "pricing/publicOnDemandCost\n"
#define HOUR "2026-04-01T00:00:00Z,2026-04-01T01:00:00Z"
#define GOT  "bill 2026-04-01T00:00:00Z 2026-04-01T01:00:00Z 111122223333 eu-west-1 "
#define FOCUS                                                                                      \
    "BilledCost,BillingCurrency,ChargeCategory,ChargeDescription,ChargePeriodStart,"               \
    "ChargePeriodEnd,"
#define NO_EBS(n) "warning 0 no lines of EBS in the file (" #n " of other services)\n"

static const struct log_case cases[] = {
    { "storage of an hour: exact to the last decimal; the other region column fills in", "cur",
      /* 500 GiB * 1 h / 720 h of April */
      CUR "1,111122223333,Usage," HOUR ",EU-EBS:VolumeUsage.gp3,vol-0aa1,0.6944444444,USD,"
          "0.0611111111,eu-west-1,,GB-Mo,0.0611\n"
          "2,111122223333,Credit," HOUR ",EU-EBS:VolumeP-IOPS.io2,vol-0aa1,0E-11,USD,-1.5E-2,,"
          "eu-west-1,IOPS-Mo,\n",
      GOT
      "vol-0aa1 EU-EBS:VolumeUsage.gp3 0.694444444400 GB-Mo 0.0611111111 USD Usage 0.0611 @2\n" GOT
      "vol-0aa1 EU-EBS:VolumeP-IOPS.io2 0.000000000000 IOPS-Mo -0.015 USD Credit - @3\n"
      "rows 2 skipped 0\n",
      0 },
    { "a volume named by its ARN is that volume; a snapshot keeps its own", "cur",
      CUR "1,111122223333,Usage," HOUR ",EBS:VolumeUsage.gp3,"
          "arn:aws:ec2:eu-west-1:111122223333:volume/vol-0aa1,0.01,USD,1,eu-west-1,,GB-Mo,\n"
          "2,111122223333,Usage," HOUR ",EBS:SnapshotUsage,"
          "arn:aws:ec2:eu-west-1::snapshot/snap-0cc3,0.01,USD,1,eu-west-1,,GB-Mo,\n",
      GOT "vol-0aa1 EBS:VolumeUsage.gp3 0.010000000000 GB-Mo 1 USD Usage - @2\n" GOT
          "arn:aws:ec2:eu-west-1::snapshot/snap-0cc3 EBS:SnapshotUsage 0.010000000000 GB-Mo 1 USD "
          "Usage - @3\nrows 2 skipped 0\n",
      0 },
    { "lines of other services are skipped, data transfer with EBS in its name too", "cur",
      CUR "1,1,Usage," HOUR ",USE1-EBS-USE2-EBS-AWS-Out-Bytes,i-0cc3,1,USD,1,,,GB,\n"
          "2,1,Tax," HOUR ",,,1,USD,1,,,,\n",
      NO_EBS(2) "rows 0 skipped 2\n", 0 },
    { "a cost that is no number costs its line; a line that names no volume is told", "cur",
      CUR "1,111122223333,Usage," HOUR ",EBS:VolumeUsage.gp3,,0.01,USD,5.0,eu-west-1,,GB-Mo,\n"
          "2,111122223333,Usage," HOUR
          ",EBS:VolumeUsage.gp3,vol-2,0.01,USD,much,eu-west-1,,GB-Mo,\n"
          "3,111122223333,Usage," HOUR ",EBS:SnapshotUsage,,0.01,USD,1,eu-west-1,,GB-Mo,\n",
      "warning 2 the line of EBS:VolumeUsage.gp3 names no volume\n" GOT
      "- EBS:VolumeUsage.gp3 0.010000000000 GB-Mo 5.0 USD Usage - @2\n"
      "warning 3 cost 'much' is not a number; the line is skipped\n" GOT
      "- EBS:SnapshotUsage 0.010000000000 GB-Mo 1 USD Usage - @4\n"
      "rows 2 skipped 1\n",
      0 },
    { "a comma that nobody quoted shifts the columns: the line is skipped", "cur",
      CUR "1,Example, Inc.,Usage," HOUR ",EBS:VolumeUsage.gp3,vol-0aa1,1,USD,1,,,GB-Mo,\n",
      "warning 2 15 fields, the heading has 14; the line is skipped\n" NO_EBS(
          0) "rows 0 skipped 1\n",
      0 },
    { "the same comma inside quotes", "cur",
      CUR "1,\"Example, Inc.\",Usage," HOUR ",EBS:VolumeUsage.gp3,vol-0aa1,0.01,USD,1,,,GB-Mo,\n",
      "bill 2026-04-01T00:00:00Z 2026-04-01T01:00:00Z Example, Inc. - vol-0aa1 EBS:VolumeUsage.gp3 "
      "0.010000000000 GB-Mo 1 USD Usage - @2\nrows 1 skipped 0\n",
      0 },
    { "a bill of two currencies", "cur",
      CUR "1,1,Usage," HOUR ",EBS:SnapshotUsage,,1,USD,1,,,GB-Mo,\n"
          "2,1,Usage," HOUR ",EBS:SnapshotUsage,,1,CNY,1,,,GB-Mo,\n",
      "bill 2026-04-01T00:00:00Z 2026-04-01T01:00:00Z 1 - - EBS:SnapshotUsage 1.000000000000 GB-Mo "
      "1 "
      "USD Usage - @2\n"
      "-2 f:3: currency CNY after USD: a bill of mixed currencies is refused\n",
      0 },
    { "an amount that cannot be GB-Mo of an hour: 100 * 720 h = 72 000 GiB", "cur",
      CUR "1,111122223333,Usage," HOUR
          ",EBS:VolumeUsage.gp3,vol-0aa1,100.0,USD,8.00,eu-west-1,,,\n",
      "warning 2 vol-0aa1: the amount would be a volume of 72000 GiB: it is not in GB-Mo of its "
      "period; no size can be derived\n" GOT
      "vol-0aa1 EBS:VolumeUsage.gp3 100.000000000000 - 8.00 USD Usage - @2\nrows 1 skipped 0\n",
      0 },
    { "no resource column: only totals; other columns may be missing", "cur",
      "lineItem/UsageType,lineItem/UnblendedCost,lineItem/UsageStartDate\n"
      "EBS:SnapshotUsage,1.25,2026-04-01 00:00:00\nEBS:SnapshotUsage,1.25,some day\n",
      "warning 1 no column for resources: volumes cannot be named\n"
      "bill 2026-04-01T00:00:00Z - - - - EBS:SnapshotUsage - - 1.25 - - - @2\n"
      "warning 3 bad time 'some day'\n"
      "bill - - - - - EBS:SnapshotUsage - - 1.25 - - - @3\n"
      "rows 2 skipped 0\n",
      0 },
    { "no cost column", "cur", "lineItem/UsageType,lineItem/BlendedCost\nEBS:SnapshotUsage,1\n",
      "-2 f:1: no column 'lineItem/UnblendedCost' in the heading, which begins with "
      "'lineItem/UsageType' and has 2 columns\n",
      0 },
    { "a header alone", "cur", CUR, NO_EBS(0) "rows 0 skipped 0\n", 0 },
    { "more than twelve decimals are rounded, which is told once", "cur",
      CUR "1,1,Usage," HOUR ",EBS:SnapshotUsage,,1,USD,0.00165303109242778,,,GB-Mo,\n",
      "warning 2 '0.00165303109242778' has more than 12 decimals; such are rounded there\n"
      "bill 2026-04-01T00:00:00Z 2026-04-01T01:00:00Z 1 - - EBS:SnapshotUsage 1.000000000000 GB-Mo "
      "0.001653031092 USD Usage - @2\nrows 1 skipped 0\n",
      0 },
    { "the manifest beside a report", "cur",
      "{\"assemblyId\":\"a-1\",\"reportName\":\"hourly\",\"account\":\"111122223333\",\"columns\":["
      "{},{}],"
      "\"compression\":\"GZIP\",\"billingPeriod\":{\"start\":\"20260401T000000.000Z\",\"end\":"
      "\"20260501T000000.000Z\"},\"reportKeys\":[\"x\"]}",
      "report_manifests report=hourly assembly_id=a-1 account=111122223333 "
      "period_start=20260401T000000.000Z period_end=20260501T000000.000Z compression=GZIP "
      "columns=2 "
      "parts=1\n"
      "warning 1 the manifest of a cost and usage report has no costs; load the files that it "
      "lists\n"
      "rows 1 skipped 0\n",
      0 },
    { "CUR 2.0, columns in another order, a map full of quotes", "cur2",
      "resource_tags,line_item_unblended_cost,line_item_usage_type,line_item_usage_amount,"
      "line_item_resource_id,product_region_code,line_item_line_item_type,pricing_unit\r\n"
      "\"{\"\"user_name\"\":\"\"a,b\"\"}\",1.776500e-06,EUC1-EBS:VolumeP-Throughput.gp3,"
      "0.0001,vol-0aa1,eu-central-1,Usage,GiBps-mo\r\n",
      "bill - - - eu-central-1 vol-0aa1 EUC1-EBS:VolumeP-Throughput.gp3 0.000100000000 GiBps-mo "
      "0.000001776500 - Usage - @2\nrows 1 skipped 0\n",
      0 },
    { "FOCUS 1.2: SkuMeter is the usage type; NULL is nothing", "focus",
      FOCUS "SubAccountId,RegionId,ResourceId,SkuMeter,PricingQuantity,PricingUnit,ListCost\n"
            "0.005,USD,Usage,text,2026-04-01 00:00:00,2026-04-01 01:00:00,111122223333,eu-west-1,"
            "vol-0aa1,EU-EBS:VolumeP-IOPS.gp3,1,IOPS-Months,NULL\n",
      GOT "vol-0aa1 EU-EBS:VolumeP-IOPS.gp3 1.000000000000 IOPS-Months 0.005 USD Usage - @2\n"
          "rows 1 skipped 0\n",
      0 },
    { "FOCUS 1.0 without usage types: the description tells", "focus",
      FOCUS
      "ConsumedQuantity,ConsumedUnit,ResourceId\n"
      "0.1,USD,Usage,\"$0.08 per GB-month of General Purpose (gp3) provisioned storage - US East "
      "(N. Virginia)\",2026-04-01,2026-04-02,1,GB-Months,vol-0aa1\n"
      "0.1,USD,Usage,$0.023 per GB - first 50 TB / month of storage used,2026-04-01,2026-04-02,1,"
      "GB-Months,bucket\n",
      "warning 2 no usage types in the file: they are taken from the descriptions, without region\n"
      "bill 2026-04-01T00:00:00Z 2026-04-02T00:00:00Z - - vol-0aa1 EBS:VolumeUsage.gp3 "
      "1.000000000000 "
      "GB-Months 0.1 USD Usage - @2\nrows 1 skipped 1\n",
      0 },
    { "FOCUS without either", "focus", "BilledCost,ChargePeriodStart\n1,2026-04-01\n",
      "warning 1 no column 'SkuMeter': lines of EBS cannot be told from others\n" NO_EBS(
          1) "rows 0 skipped 1\n",
      0 },
    { "a monthly summary: the month is its period", "cost_explorer",
      "invoice_month,linked_account_id,service,usage_type,region,usage_quantity,unit,unit_cost_usd,"
      "cost_usd\n2026-12,111122223333,Amazon "
      "EC2,EBS:VolumeUsage.gp3,eu-west-1,500,GB-Mo,0.088,44.00\n",
      "warning 1 no column for resources: volumes cannot be named\n"
      "bill 2026-12-01T00:00:00Z 2027-01-01T00:00:00Z 111122223333 eu-west-1 - EBS:VolumeUsage.gp3 "
      "500.000000000000 GB-Mo 44.00 USD - - @2\nrows 1 skipped 0\n",
      0 },
    { "Netflix Ice has neither dates nor a currency", "cost_explorer",
      "num,data,account,region,zone,product,operation,usageType,usageUnits,resource\n"
      "1,0.25,prod,eu-west-1,,Elastic Block Storage,EBS:IO-Write,EBS:VolumeIOUsage,,\n",
      "warning 1 no column for resources: volumes cannot be named\n"
      "bill - - prod eu-west-1 - EBS:VolumeIOUsage - - 0.25 - - - @2\nrows 1 skipped 0\n",
      0 },
    { "Cost Explorer by usage type: months end where the next begins", "cost_explorer",
      "\"Usage type\",\"EU-EBS:VolumeUsage.gp3($)\",\"EU-NatGateway-Hours($)\",\"Total costs($)\"\n"
      "\"Usage type total\",\"30\",\"7\",\"37\"\n"
      "\"2026-01-01\",\"10.5\",\"3\",\"13.5\"\n\"2026-02-01\",\"19.5\",\"4\",\"23.5\"\n",
      "bill 2026-01-01T00:00:00Z 2026-02-01T00:00:00Z - - - EU-EBS:VolumeUsage.gp3 - - 10.5 USD - "
      "- "
      "@3\n"
      "bill 2026-02-01T00:00:00Z 2026-03-01T00:00:00Z - - - EU-EBS:VolumeUsage.gp3 - - 19.5 USD - "
      "- "
      "@4\nrows 2 skipped 5\n",
      0 },
    { "Cost Explorer by service: EBS hides in EC2-Other; one day has no end; blank is nothing",
      "cost_explorer",
      "\"Service\",\"EC2-Other($)\",\"S3($)\",\"Total "
      "costs($)\"\n\"2026-01-01\",\"1.5\",,\"1.5\"\n",
      "warning 1 grouped by 'Service': EC2-Other holds EBS, NAT gateways and data transfer; group "
      "by "
      "usage type\n"
      "bill 2026-01-01T00:00:00Z - - - - EC2-Other - - 1.5 USD - - @2\nrows 1 skipped 2\n",
      0 },
    { "Cost Explorer in two currencies", "cost_explorer",
      "\"Service\",\"EC2-Other($)\",\"S3(EUR)\",\"Total costs($)\"\n",
      "-2 f:1: currency EUR after USD: a bill of mixed currencies is refused\n", 0 },
    { "Cost Explorer with days that go back", "cost_explorer",
      "\"Service\",\"EC2-Other($)\",\"Total costs($)\"\n2026-01-02,1,1\n2026-01-01,1,1\n",
      "warning 1 grouped by 'Service': EC2-Other holds EBS, NAT gateways and data transfer; group "
      "by "
      "usage type\n"
      "-2 f:3: the day '2026-01-01' is not after the one before\n",
      0 },
    { "Cost Explorer with a cost that is none", "cost_explorer",
      "\"Service\",\"EC2-Other($)\",\"Total costs($)\"\n2026-01-02,some,1\n",
      "warning 1 grouped by 'Service': EC2-Other holds EBS, NAT gateways and data transfer; group "
      "by "
      "usage type\n"
      "-2 f:2: column 'EC2-Other($)': bad value 'some'\n",
      0 },
    { "get-cost-and-usage by usage type and region", "cost_explorer",
      "{\"GroupDefinitions\":[{\"Type\":\"DIMENSION\",\"Key\":\"USAGE_TYPE\"},{\"Type\":"
      "\"DIMENSION\","
      "\"Key\":\"REGION\"}],\"ResultsByTime\":[\n{\"TimePeriod\":{\"Start\":\"2026-04-01\",\"End\":"
      "\"2026-05-01\"},\"Groups\":[{\"Keys\":[\"EU-EBS:VolumeUsage.gp3\",\"eu-west-1\"],"
      "\"Metrics\":"
      "{\"UnblendedCost\":{\"Amount\":\"40.35\",\"Unit\":\"USD\"},\"UsageQuantity\":{\"Amount\":"
      "\"458.5\","
      "\"Unit\":\"GB-Month\"}}},{\"Keys\":[\"EU-BoxUsage\",\"eu-west-1\"],\"Metrics\":{}}]}]}",
      "bill 2026-04-01T00:00:00Z 2026-05-01T00:00:00Z - eu-west-1 - EU-EBS:VolumeUsage.gp3 "
      "458.500000000000 GB-Month 40.35 USD - - @2\nrows 1 skipped 1\n",
      0 },
    { "get-cost-and-usage by service tells nothing of EBS", "cost_explorer",
      "{\"GroupDefinitions\":[{\"Type\":\"DIMENSION\",\"Key\":\"SERVICE\"}],\"ResultsByTime\":[{"
      "\"TimePeriod\":{\"Start\":\"2026-04-01\",\"End\":\"2026-05-01\"},\"Groups\":[{\"Keys\":["
      "\"S3\"]}]}]}",
      "warning 0 no costs of EBS usage types (1 groups of others); group by USAGE_TYPE\n"
      "rows 0 skipped 1\n",
      0 },
};

static const struct usage_case {
    const char *description, *want; /* "" = not of EBS */
} usages[] = {
    { "$0.10 per GB-month of General Purpose SSD (gp2) provisioned storage - US West (Oregon)",
      "EBS:VolumeUsage.gp2" },
    { "$0.05 per GB-month of Magnetic provisioned storage - US West (Oregon)", "EBS:VolumeUsage" },
    { "$0.125 per GB-month of Provisioned IOPS SSD (io1) provisioned storage - US East",
      "EBS:VolumeUsage.piops" },
    { "$0.005 per provisioned IOPS-month of gp3 - US West (Oregon)", "EBS:VolumeP-IOPS.gp3" },
    { "$0.05 per GB-Month of snapshot data stored - US West (Oregon)", "EBS:SnapshotUsage" },
    { "USD0.0595 per GB-Mo for EBS:SnapshotUsage in Africa (Cape Town)", "EBS:SnapshotUsage" },
    { "$0.0416 per On Demand Linux t3.medium Instance Hour", "" },
};

static void descriptions(void **state)
{
    (void)state;
    for (size_t i = 0; i < N(usages); i++)
        assert_true(
            span_is(bill_usage_from_description(span_of(usages[i].description)), usages[i].want));
}

static void usage_types(void **state)
{
    (void)state;
    assert_true(bill_usage_is_ebs(SPAN_LIT("EBS:VolumeUsage")));
    assert_true(bill_usage_is_ebs(SPAN_LIT("USE1-BOS1-EBS:VolumeUsage.gp2")));
    assert_false(bill_usage_is_ebs(SPAN_LIT("USE1-EBS-USE1-EBS-AWS-Out-Bytes")));
    assert_false(bill_usage_is_ebs(SPAN_LIT("XEBS:VolumeUsage")));
    assert_true(bill_usage_is_volume_storage(SPAN_LIT("EU-EBS:VolumeUsage.io2")));
    assert_false(bill_usage_is_volume_storage(SPAN_LIT("EU-EBS:VolumeP-IOPS.io2")));
    assert_true(bill_usage_is_volume(SPAN_LIT("EBS:VolumeIOUsage")));
    assert_false(bill_usage_is_volume(SPAN_LIT("EBS:SnapshotUsage")));
}

/* After 40 warnings the rest is counted only, so that a hostile bill cannot fill the store. */
static void many_warnings(void **state)
{
    (void)state;
    static struct text_log g;
    struct err e;
    char text[4000] = "lineItem/UsageType,lineItem/UnblendedCost,lineItem/ResourceId\n";
    size_t at = strlen(text);
    for (int i = 0; i < 50; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "EBS:VolumeUsage,x,vol-1\n");
    assert_int_equal(log_read(&g, "cur", span_of(text), NULL, &e), 0);
    assert_non_null(strstr(g.text, "warning 41 cost"));
    assert_null(strstr(g.text, "warning 42 cost"));
    /* 50 lines and the one that says there is no line of EBS, less 40 */
    assert_non_null(
        strstr(g.text, "warning 0 11 more warnings are not shown\nrows 0 skipped 50\n"));
}

static void mangle(void **state)
{
    (void)state;
    mangle_log(&cases[0]);
    mangle_log(&cases[12]);
    mangle_log(&cases[14]);
    mangle_log(&cases[18]);
    mangle_log(&cases[23]);
}

int main(void)
{
    const struct CMUnitTest more[] = {
        cmocka_unit_test(descriptions),
        cmocka_unit_test(usage_types),
        cmocka_unit_test(many_warnings),
        cmocka_unit_test(mangle),
    };
    return run_log_cases(cases, N(cases), more, N(more));
}
