/* tests/cli/test_plan_acceptance.c - the figures that plan was ordered with, through the commands.
 *
 * Two systems are loaded into one store: PRD1 stands at its instance's ceiling, as the incident did
 * before its server was changed (803 MiB/s on four groups, 842.0 MB/s of 850); PRD2 is its redo
 * group alone with the 1 000 MiB/s that it turned out to need.  us-east-1, today is 2026-11-30. */
#include "tests/cli/json_expect.h"
#include "tests/remove_folder.h"

#include <unistd.h>

#define FACTS_EZID "tests/cli/fixtures/facts_ezid"

enum { EXPECTS = 12 };

static char folder[64];

static const struct accept_case {
    const char *why, *line; /* " --db FILE" is added */
    int status;
    struct expect expects[EXPECTS];
} cases[] = {
    /* --- the instance is the first ceiling ------------------------------------------------------
     */
    /* 803 * 1.048576 = 842.0 MB/s; with a fifth above 1 010.4 of 850.  r5.12xlarge passes 9 500
     * Mbit/s = 1 187.5 MB/s, the next of the family. */
    { "the incident before its server was changed, rules of 2022",
      "plan --system PRD1 --as-of 2022-06-01",
      0,
      { TEXT("instance.type", "r5.8xlarge"), TEXT("instance.verdict", "too_small"),
        TEXT("instance.ceiling", "instance_throughput"),
        NUM("instance.baseline_throughput_mb_s", 850),
        NEAR("instance.demand_mb_s", 803 * 1.048576, 0.01),
        TEXT("instance.larger_of_family", "r5.12xlarge"), TEXT("status", "best"),
        TEXT("instance.weighting", "default"), TEXT("groups.0.name", "REDO1") } },
    { "and of today",
      "plan --system PRD1",
      0,
      { TEXT("instance.type", "r5.8xlarge"), TEXT("instance.verdict", "too_small"),
        TEXT("instance.ceiling", "instance_throughput"),
        TEXT("instance.larger_of_family", "r5.12xlarge"), TEXT("pack_difference", "null") } },
    { "r5.12xlarge holds: 1 010.4 of 1 187.5",
      "plan --system PRD1 --instance r5.12xlarge",
      0,
      { TEXT("instance.verdict", "fits"), NUM("instance.baseline_throughput_mb_s", 1187.5),
        TEXT("instance.larger_of_family", "null"),
        /* 3.024 * 730 */
        NEAR("instance.instance_usd", 2207.52, 1e-4) } },
    /* What carries it with the CPU and memory of r5.8xlarge for less than r5.12xlarge is chosen by
     * itself; what it costs is checked against a search over all types in
     * tests/planner/solve/test_instance_auto.c. */
    { "chosen by itself",
      "plan --system PRD1 --instance auto",
      0,
      { TEXT("instance.verdict", "fits"), TEXT("status", "best"), TEXT("certificate", "null") } },
    { "elsewhere prices of instances only rank",
      "plan --system PRD1 --instance auto --region eu-west-1",
      0,
      { TEXT("instance.verdict", "fits"), TEXT("instance.instance_usd", "null") } },
    { "no instance has 5 000 vCPU: the certificate says so",
      "plan --system PRD1 --instance auto --vcpu 5000",
      1,
      { TEXT("status", "none"), TEXT("certificate.group", "host"),
        TEXT("certificate.ceiling", "vcpu"), NUM("certificate.demand", 5000),
        TEXT("instance.type", "null") } },
    /* --- 1 000 MiB/s of redo --------------------------------------------------------------------
     */
    /* 62.50 + 4 000 * 0.065; one volume needs 64 000: 62.50 + 32 000 * 0.065 + 32 000 * 0.0455 */
    { "1 000 MiB/s of redo in 2022: two io2 of 2 000 IOPS, 322.50; one of 64 000 loses at 3 598.50",
      "plan --system PRD2 --types io2 --headroom 0 --as-of 2022-06-01 --top 20",
      0,
      { NUM("groups.0.chosen.count", 2), NUM("groups.0.chosen.size_gib", 250),
        NUM("groups.0.chosen.iops", 2000), NUM("groups.0.chosen.total_usd", 322.5),
        NUM("groups.0.chosen.group_max_throughput_mibps", 1000),
        TEXT("groups.0.chosen.binding", "throughput"),
        NEAR("groups.0.demand.total_mibps", 1000, 0.01), NUM("under_today_usd", 322.5) } },
    { "today one of 4 000 IOPS carries it for as much",
      "plan --system PRD2 --types io2 --headroom 0",
      0,
      { NUM("groups.0.chosen.count", 1), NUM("groups.0.chosen.size_gib", 500),
        NUM("groups.0.chosen.iops", 4000), NUM("groups.0.chosen.total_usd", 322.5) } },
    /* --- K03: IOPS bought for throughput
       ---------------------------------------------------------- */
    { "K03: two of 5 000 carry 1 000 MiB/s",
      "vol io2 --count 2 --size 250 --iops 5000 --as-of 2022-06-01",
      0,
      { NUM("group_max_throughput_mibps", 1000), NUM("group_max_iops", 10000),
        NUM("price.total_usd", 712.5) } },
    { "K03: and so does one of 64 000",
      "vol io2 --size 500 --iops 64000 --as-of 2022-06-01",
      0,
      { NUM("group_max_throughput_mibps", 1000), NUM("price.total_usd", 3598.5) } },
    /* 1 - 10 000 / 64 000 = 84.4 % */
    { "K03: with 10 000 IOPS the two are cheapest, with 84 % fewer IOPS, if the load spreads",
      "size --types io2 --as-of 2022-06-01 --throughput 1000 --iops 10000 --size 500",
      0,
      { NUM("options.0.count", 2), NUM("options.0.iops", 5000), NUM("options.0.total_usd", 712.5),
        TEXT("options.0.notes.0", "together only while the load spreads over them: even striping, "
                                  "several requests at once"),
        TEXT("options.0.notes.1",
             "84 % fewer provisioned IOPS than the one volume that carries it, "
             "io2 500 GiB 64 000 IOPS") } },
    /* --- K39: 300 GB and 3 000 IOPS in RDS, Multi-AZ
       ------------------------------------------------ */
    /* 300 * 0.25 + 3 000 * 0.20 */
    { "K39: io1 costs 675.00 by the facts of its price list",
      "vol io1 --size 300 --iops 3000 --region us-west-2 --facts " FACTS_EZID,
      0,
      { NUM("price.total_usd", 675), NUM("price.storage_usd", 75), NUM("price.iops_usd", 600) } },
    /* 300 * 0.23: 606 less, 90 % */
    { "K39: gp3 carries the same for 69.00",
      "size --types io1,gp3 --iops 3000 --size 300 --max-count 1 --region us-west-2 "
      "--facts " FACTS_EZID,
      0,
      { TEXT("options.0.volume_type", "gp3"), NUM("options.0.iops", 3000),
        NUM("options.0.total_usd", 69), TEXT("options.1.volume_type", "io1"),
        NUM("options.1.total_usd", 675) } },
    /* --- K47: stripe what one gp3 cannot carry
       ------------------------------------------------------ */
    /* ceil(2 500 / 1 000) volumes; a charge for each leaves the fewest */
    { "K47: 2 500 MiB/s in November 2022 ask for three gp3 of 1 000 MiB/s at most",
      "size --types gp3 --throughput 2500 --iops 1000 --size 3000 --per-volume-usd 1000 --as-of "
      "2022-11-10",
      0,
      { NUM("options.0.count", 3), NUM("options.0.throughput_mibps", 834),
        NUM("rejected.0.count", 1), TEXT("rejected.0.ceiling", "throughput"),
        NUM("rejected.0.offered", 1000), TEXT("rejected.0.meets_at_usd", "null"),
        NUM("rejected.1.count", 2), NUM("rejected.1.offered", 2000) } },
    { "K47: today two, of 2 000 at most",
      "size --types gp3 --throughput 2500 --iops 1000 --size 3000 --per-volume-usd 1000",
      0,
      { NUM("options.0.count", 2), NUM("options.0.throughput_mibps", 1250),
        NUM("rejected.0.count", 1), NUM("rejected.0.offered", 2000) } },
};

static cJSON *answer(const char *line, int status)
{
    char with_db[500];
    snprintf(with_db, sizeof with_db, "%s --db %s/t.db", line, folder);
    return run_json(with_db, status);
}

static void accepted(void **state)
{
    const struct accept_case *c = *state;
    cJSON *doc = answer(c->line, c->status);
    for (size_t i = 0; i < EXPECTS && c->expects[i].path; i++)
        expect(doc, &c->expects[i]);
    cJSON_Delete(doc);
}

/* 1 x 64 000 for 3 598.50 is an alternative, with its place in the ranking. */
static void the_dear_one_is_shown(void **state)
{
    (void)state;
    cJSON *doc =
        answer("plan --system PRD2 --types io2 --headroom 0 --as-of 2022-06-01 --top 20", 0);
    bool shown = false;
    const cJSON *row;
    cJSON_ArrayForEach(row, find(doc, "groups.0.alternatives"))
    {
        if (find(row, "count")->valuedouble != 1)
            continue;
        shown = true;
        assert_true(find(row, "iops")->valuedouble == 64000);
        assert_true(fabs(find(row, "total_usd")->valuedouble - 3598.5) < 1e-9);
        assert_true(find(row, "rank")->valuedouble > 1);
    }
    assert_true(shown);
    cJSON_Delete(doc);

    /* With a short list it is among the losers, with the same price. */
    doc = answer("plan --system PRD2 --types io2 --headroom 0 --as-of 2022-06-01 --top 2", 0);
    shown = false;
    cJSON_ArrayForEach(row, find(doc, "groups.0.rejected")) shown |=
        find(row, "count")->valuedouble == 1 && cJSON_IsNumber(find(row, "meets_at_usd")) &&
        fabs(find(row, "meets_at_usd")->valuedouble - 3598.5) < 1e-9;
    assert_true(shown);
    cJSON_Delete(doc);
}

/* K04: over the AWR period the first member's group carries 48.879 MiB/s and the second's 11.556:
 * 4.23 times as much.  They are sized apart, and that the roles may change is said. */
static void members_are_sized_apart(void **state)
{
    (void)state;
    cJSON *doc = answer("plan --system DEMO", 0);
    double first = find(doc, "groups.0.average.total_mibps")->valuedouble;
    double second = find(doc, "groups.1.average.total_mibps")->valuedouble;
    assert_true(fabs(first - 48.879) < 0.001);
    assert_true(fabs(second - 11.556) < 0.001);
    assert_true(fabs(first / second - 4.23) < 0.005);
    /* 500 and 118 MiB/s at the peak, a fifth above, at 4 IOPS a MiB/s: 2 400 and 567 */
    assert_true(find(doc, "groups.0.chosen.iops")->valuedouble == 2400);
    assert_true(find(doc, "groups.1.chosen.iops")->valuedouble == 567);
    bool said = false;
    const cJSON *row;
    cJSON_ArrayForEach(row, find(doc, "findings")) if (strcmp(find(row, "id")->valuestring,
                                                              "other_log_member") == 0)
    {
        said = true;
        assert_non_null(strstr(find(row, "title")->valuestring, "REDO2"));
        assert_non_null(strstr(find(row, "advice")->valuestring, "218.50 USD"));
    }
    assert_true(said);
    cJSON_Delete(doc);
}

static void load(const char *line)
{
    cJSON_Delete(answer(line, 0));
}

static int start(void **state)
{
    (void)state;
    char line[400];
    snprintf(folder, sizeof folder, "/tmp/volplan-plan-XXXXXX");
    if (!mkdtemp(folder) || cli_global_init(stderr))
        return -1;
    snprintf(line, sizeof line,
             "awk -f data/demo/iostat.awk >%s/iostat.txt && "
             "sed 's/\"PRD1\"/\"DEMO\"/' data/demo/layout.json >%s/demo.json",
             folder, folder);
    if (system(line))
        return -1;
    load("ingest --system PRD1 tests/cli/fixtures/plateau_iostat.txt");
    load("layout --set tests/cli/fixtures/plateau_layout.json");
    load("ingest --system PRD2 tests/cli/fixtures/redo_iostat.txt");
    load("layout --set tests/cli/fixtures/redo_layout.json");
    snprintf(line, sizeof line,
             "ingest --system DEMO data/demo/awr_prd1_0700_0959.txt %s/iostat.txt", folder);
    load(line);
    snprintf(line, sizeof line, "layout --set %s/demo.json", folder);
    load(line);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    cli_global_release();
    return remove_folder(folder);
}

int main(void)
{
    enum { N = sizeof cases / sizeof *cases };
    struct CMUnitTest t[N + 2];
    for (size_t i = 0; i < N; i++)
        t[i] = (struct CMUnitTest){ cases[i].why, accepted, NULL, NULL, (void *)(size_t)&cases[i] };
    t[N] = (struct CMUnitTest)cmocka_unit_test(the_dear_one_is_shown);
    t[N + 1] = (struct CMUnitTest)cmocka_unit_test(members_are_sized_apart);
    return cmocka_run_group_tests_name("plan acceptance", t, start, stop);
}
