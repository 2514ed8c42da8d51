/* tests/data/ingest/layout/test_layout_format.c - what `inspect` shows of a layout, and what it is
 * told from. */
#include "tests/data/ingest/json/sink_log.h"

#define N(a) (sizeof(a) / sizeof *(a))

static const struct log_case cases[] = {
    { "a system, its groups and its standbys, each a record", "layout",
      "{\"system\":\"PRD1\",\"region\":\"eu-west-1\",\"instance_type\":\"r5.8xlarge\","
      "\"standbys\":[{\"name\":\"dr1\",\"transport\":\"async\",\"send_mibps\":40,\"rtt_ms\":80,"
      "\"site\":\"dublin\"}],\"groups\":[{\"name\":\"REDO1\",\"role\":\"redo\",\"log_member\":1,"
      "\"devices\":[\"nvme8n1\",\"host2:nvme*n1\"],\"volume_ids\":[\"vol-0abc\"],\"files\":[{"
      "\"name\":\"Log File\"},{\"name\":\"Other\"}],\"need_gib\":200,\"volumes\":[{\"type\":"
      "\"io2\",\"count\":1,\"size_gib\":500,\"iops\":5000},{\"type\":\"gp2\",\"size_gib\":10,"
      "\"count\":2}]}]}",
      "systems system=PRD1 region=eu-west-1 instance_type=r5.8xlarge groups=1 standbys=1\n"
      "groups name=REDO1 role=redo log_member=1 redundancy=external need_gib=200 "
      "volumes=io2 500 GiB 5 000 IOPS, 2 x gp2 10 GiB devices=nvme8n1 host2:nvme*n1 "
      "volume_ids=vol-0abc files=Log File, Other\n"
      "standbys name=dr1 transport=async site=dublin send_mibps=40 rtt_ms=80\n"
      "rows 3 skipped 0\n",
      0 },
    { "what is not said is unknown", "layout",
      "{\"system\":\"PRD1\",\"groups\":[{\"name\":\"DATA\"}]}",
      "systems system=PRD1 groups=1 standbys=0\ngroups name=DATA role=other redundancy=external\n"
      "rows 2 skipped 0\n",
      0 },
    { "an unknown key is told with the file", "layout",
      "{\"system\":\"PRD1\",\"groups\":[{\"name\":\"DATA\",\"sise\":1}]}",
      "-2 f: groups[0].sise: unknown key; known here: name, role, log_member, redundancy, skew, "
      "au_mib, devices, volume_ids, files, need_gib, used_gib, volumes, policy\n",
      0 },
};

static const struct head_case heads[] = {
    { "a layout", "{\"system\":\"PRD1\",\"groups\":[", true },
    { "an answer of replay", "{\"system\":\"PRD1\",\"as_of\":\"2026-11-30\",\"groups\":[", false },
    { "an answer of whatif", "{\"system\":\"PRD1\",\"changes\":[],\"groups\":[", false },
    { "an answer of peaks", "{\"system\":\"PRD1\",\"rows\":[", false },
    { "groups of another", "{\"groups\":[{\"system\":\"PRD1\"}]}", false },
};

static void told_by_its_head(void **state)
{
    (void)state;
    assert_non_null(format_find("layout")->not_kept);
    check_heads("layout", heads, N(heads));
}

static void mangle(void **state)
{
    (void)state;
    mangle_log(&cases[1]);
}

int main(void)
{
    const struct CMUnitTest more[] = { cmocka_unit_test(told_by_its_head),
                                       cmocka_unit_test(mangle) };
    return run_log_cases(cases, N(cases), more, N(more));
}
