/* tests/data/ingest/advice/test_optimizer.c - Compute Optimizer and Cost Optimization Hub. */
#include "tests/data/ingest/json/sink_log.h"

#define N(a) (sizeof(a) / sizeof *(a))

#define CO    "recommendations source=compute_optimizer resource_kind=volume resource_id=vol-0aa1 "
#define WHERE "account=111122223333 region=eu-west-1 "

static const struct log_case cases[] = {
    { "each option is a record; only maximums of the use are kept", "optimizer",
      "{\"volumeRecommendations\":[{\"volumeArn\":\"arn:aws:ec2:eu-west-1:111122223333:volume/"
      "vol-0aa1\",\"accountId\":\"111122223333\",\"finding\":\"NotOptimized\","
      "\"currentConfiguration\":"
      "{\"volumeType\":\"gp2\",\"volumeSize\":100,\"volumeBaselineIOPS\":300,"
      "\"volumeBaselineThroughput\":128},\"utilizationMetrics\":[{\"name\":"
      "\"VolumeReadOpsPerSecond\","
      "\"statistic\":\"Maximum\",\"value\":150.5},{\"name\":\"VolumeWriteOpsPerSecond\","
      "\"statistic\":"
      "\"Average\",\"value\":1}],\"lookBackPeriodInDays\":14,\"volumeRecommendationOptions\":["
      "{\"configuration\":{\"volumeType\":\"gp3\",\"volumeSize\":100,\"volumeBaselineIOPS\":3000,"
      "\"volumeBaselineThroughput\":125},\"performanceRisk\":1.0,\"rank\":1,\"savingsOpportunity\":"
      "{\"estimatedMonthlySavings\":{\"currency\":\"USD\",\"value\":2.2}}},"
      "{\"configuration\":{\"volumeType\":\"gp2\",\"volumeSize\":100},\"rank\":2}]}]}",
      CO WHERE
      "finding=NotOptimized rank=1 current_type=gp2 current_size_gib=100 current_iops=300 "
      "current_throughput_mibps=128 recommended_type=gp3 recommended_size_gib=100 "
      "recommended_iops=3000 recommended_throughput_mibps=125 savings_usd=2.2 currency=USD "
      "performance_risk=1 lookback_days=14 read_iops_max=150.5\n" CO WHERE
      "finding=NotOptimized rank=2 current_type=gp2 current_size_gib=100 current_iops=300 "
      "current_throughput_mibps=128 recommended_type=gp2 recommended_size_gib=100 "
      "lookback_days=14 read_iops_max=150.5\n"
      "rows 2 skipped 0\n",
      0 },
    { "a finding without options", "optimizer",
      "{\"volumeRecommendations\":[{\"volumeArn\":\"arn:aws:ec2:eu-west-1:111122223333:volume/"
      "vol-0aa1\",\"finding\":\"OVER_PROVISIONED\",\"lookbackPeriodInDays\":14.0}]}",
      CO WHERE "finding=OVER_PROVISIONED lookback_days=14\nrows 1 skipped 0\n", 0 },
    { "an instance, in an SDK recording, with the token of another page", "optimizer",
      "{\"status_code\":200,\"data\":{\"instanceRecommendations\":[{\"instanceArn\":"
      "\"arn:aws:ec2:eu-west-1:111122223333:instance/i-0cc3\",\"finding\":\"UNDER_PROVISIONED\","
      "\"currentInstanceType\":\"r5.large\",\"recommendationOptions\":[{\"instanceType\":\"r6i."
      "large\","
      "\"rank\":1}]}],\"nextToken\":\"t\"}}",
      "recommendations source=compute_optimizer resource_kind=instance resource_id=i-0cc3 " WHERE
      "finding=UNDER_PROVISIONED rank=1 current_type=r5.large recommended_type=r6i.large\n"
      "warning 1 nextToken: the answer goes on; ask for the next page\nrows 1 skipped 0\n",
      0 },
    { "Cost Optimization Hub: estimatedMonthlyCost is what it costs afterwards", "optimizer",
      "{\"items\":[{\"recommendationId\":\"r\",\"accountId\":\"111122223333\",\"region\":\"eu-west-"
      "1\","
      "\"resourceId\":\"vol-0aa1\",\"currentResourceType\":\"EbsVolume\","
      "\"currentResourceSummary\":"
      "\"gp2\",\"recommendedResourceSummary\":\"gp3\",\"actionType\":\"Upgrade\","
      "\"estimatedMonthlySavings\":0.64,\"estimatedMonthlyCost\":2.56,\"currencyCode\":\"USD\"},"
      "{\"recommendationId\":\"q\",\"currentResourceType\":\"Ec2Instance\"}]}",
      "recommendations source=cost_optimization_hub resource_id=vol-0aa1 " WHERE
      "action=Upgrade current_summary=gp2 recommended_monthly_usd=2.56 recommended_summary=gp3 "
      "savings_usd=0.64 currency=USD\nrows 1 skipped 1\n",
      0 },
    { "get-recommendation: one object, with details", "optimizer",
      "{\"recommendationId\":\"r\",\"resourceArn\":\"arn:aws:ec2:eu-west-1:111122223333:volume/"
      "vol-0aa1\","
      "\"currentResourceType\":\"EbsVolume\",\"currentResourceDetails\":{\"ebsVolume\":{"
      "\"configuration\":"
      "{\"storage\":{\"type\":\"gp2\",\"sizeInGb\":32},\"performance\":{\"iops\":100}}}}}",
      "recommendations source=cost_optimization_hub resource_kind=volume "
      "resource_id=vol-0aa1 " WHERE
      "current_type=gp2 current_size_gib=32 current_iops=100\nrows 1 skipped 0\n",
      0 },
    { "the export of Compute Optimizer, two options side by side", "optimizer",
      "accountId,volumeArn,finding,errorCode,currentConfiguration_volumeType,"
      "currentConfiguration_volumeSize,current_monthlyPrice,"
      "recommendationOptions_1_configuration_volumeType,"
      "recommendationOptions_1_configuration_volumeSize,recommendationOptions_1_monthlyPrice,"
      "recommendationOptions_1_performanceRisk,recommendationOptions_2_configuration_volumeType,"
      "currentConfiguration_rootVolume,tags\n"
      "111122223333,arn:aws:ec2:eu-west-1:111122223333:volume/"
      "vol-0aa1,NotOptimized,,gp2,80,8.0,gp3,80,"
      "6.4,1.0,io2,false,\n"
      "111122223333,arn:aws:ec2:eu-west-1:111122223333:volume/vol-0bb2,,Error,,,,,,,,,,\n"
      "111122223333,arn:aws:ec2:eu-west-1:111122223333:volume/"
      "vol-0aa1,Optimized,,gp3,many,,,,,,,,\n",
      CO WHERE
      "finding=NotOptimized rank=1 current_type=gp2 current_size_gib=80 current_monthly_usd=8 "
      "recommended_type=gp3 recommended_size_gib=80 recommended_monthly_usd=6.4 "
      "performance_risk=1\n" CO WHERE
      "finding=NotOptimized rank=2 current_type=gp2 current_size_gib=80 current_monthly_usd=8 "
      "recommended_type=io2\n"
      "warning 3 arn:aws:ec2:eu-west-1:111122223333:volume/vol-0bb2: Error\n"
      "warning 4 column 'currentConfiguration_volumeSize': bad value 'many'\n" CO WHERE
      "finding=Optimized current_type=gp3\nrows 3 skipped 1\n",
      0 },
    { "the export of Cost Optimization Hub; volumes only", "optimizer",
      "recommendation_id,account_id,region,resource_arn,current_resource_type,action_type,"
      "current_resource_summary,recommended_resource_summary,estimated_monthly_cost_after_discount,"
      "estimated_monthly_savings_after_discount,currency_code\n"
      "r,111122223333,eu-west-1,arn:aws:ec2:eu-west-1:111122223333:volume/"
      "vol-0aa1,EbsVolume,Delete,gp2,,"
      "0,3.2,USD\n"
      "q,111122223333,eu-west-1,x,Ec2Instance,Stop,,,,,USD\nshort,row\n",
      "recommendations source=cost_optimization_hub resource_kind=volume "
      "resource_id=vol-0aa1 " WHERE
      "action=Delete current_summary=gp2 recommended_monthly_usd=0 savings_usd=3.2 currency=USD\n"
      "warning 4 another number of fields than the heading; the line is skipped\n"
      "rows 1 skipped 2\n",
      0 },
    { "a recommendation for nothing", "optimizer",
      "{\"volumeRecommendations\":[{\"finding\":\"Optimized\"}]}",
      "-2 f:1: a recommendation without volumeArn\n", 0 },
    { "Trusted Advisor is refused by name", "optimizer",
      "{\"result\":{\"checkId\":\"c\",\"flaggedResources\":[]}}",
      "-2 f:1: an answer of Trusted Advisor, whose columns have no names, is not read; use Compute "
      "Optimizer or Cost Optimization Hub\n",
      0 },
};

static void mangle(void **state)
{
    (void)state;
    mangle_log(&cases[0]);
    mangle_log(&cases[4]);
    mangle_log(&cases[6]);
}

int main(void)
{
    const struct CMUnitTest more[] = { cmocka_unit_test(mangle) };
    return run_log_cases(cases, N(cases), more, N(more));
}
