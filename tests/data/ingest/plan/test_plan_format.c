/* tests/data/ingest/plan/test_plan_format.c - what `inspect` shows of a plan, and what it is told
 * from. */
#include "tests/data/ingest/json/sink_log.h"

#define N(a) (sizeof(a) / sizeof *(a))

static const struct log_case cases[] = {
    { "the plan and each group; of volumes that stay it holds no figures", "plan",
      "{\"system\":\"PRD1\",\"as_of\":\"2022-06-01\",\"price_as_of\":\"2025-10-28\",\"region\":"
      "\"eu-west-1\",\"status\":\"best\",\"groups\":[{\"name\":\"REDO1\",\"chosen\":{"
      "\"volume_type\":\"io2\",\"count\":2,\"size_gib\":250,\"iops\":1200,\"throughput_mibps\":"
      "null}},{\"name\":\"ROOT\",\"chosen\":{\"volume_type\":\"gp3\",\"count\":1,\"size_gib\":8,"
      "\"iops\":3000,\"throughput_mibps\":125,\"kept\":true}}],\"instance\":{\"type\":"
      "\"r5.8xlarge\",\"weighting\":\"ebs-1\"}}",
      "plans system=PRD1 as_of=2022-06-01 region=eu-west-1 instance_type=r5.8xlarge "
      "weighting=ebs-1 groups=2\n"
      "groups name=REDO1 kept=no volume_type=io2 count=2 size_gib=250 iops=1200\n"
      "groups name=ROOT kept=yes\n"
      "rows 3 skipped 0\n",
      0 },
    { "a plan that is cut short", "plan",
      "{\"system\":\"PRD1\",\"as_of\":\"2022-06-01\",\"region\":\"2025-10-28\",\"groups\":[",
      "-2 f: line 1, column 71: not valid JSON: the input ends inside an array\n", 0 },
};

static const struct head_case heads[] = {
    { "a plan", "{\"system\":\"P\",\"as_of\":\"\",\"region\":\"\",\"groups\":[", true },
    { "a fleet", "{\"as_of\":\"\",\"region\":\"\",\"systems\":[", false },
    { "an answer of replay", "{\"system\":\"P\",\"as_of\":\"\",\"groups\":[", false },
    { "an answer of whatif, plans inside", "{\"system\":\"P\",\"base\":{\"region\":\"\",", false },
    { "a layout", "{\"system\":\"P\",\"groups\":[", false },
};

static void told_by_its_head(void **state)
{
    (void)state;
    assert_non_null(format_find("plan")->not_kept);
    check_heads("plan", heads, N(heads));
}

static void mangle(void **state)
{
    (void)state;
    mangle_log(&cases[0]);
}

int main(void)
{
    const struct CMUnitTest more[] = { cmocka_unit_test(told_by_its_head),
                                       cmocka_unit_test(mangle) };
    return run_log_cases(cases, N(cases), more, N(more));
}
