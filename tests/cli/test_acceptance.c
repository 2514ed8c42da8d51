/* tests/cli/test_acceptance.c - the figures that the program was ordered with.
 *
 * Each row runs a command with --json and compares named keys with figures that were given
 * beforehand: price lists, AWS's documents and hand calculations, not the program's own
 * output.  us-east-1, USD a month, today is 2026-11-30. */
#include "tests/cli/json_expect.h"
#include "tests/remove_folder.h"

#include <unistd.h>

enum { EXPECTS = 10 };

static const struct accept_case {
    const char *why, *line;
    int status;
    struct expect expects[EXPECTS];
} cases[] = {
    /* io2 of 5 000 IOPS before Block Express: flat at 500 MiB/s from 2 000 to 32 000 IOPS.
     * 500 GiB * 0.125 + 5 000 * 0.065 = 62.50 + 325.00 */
    { "io2 500 GiB 5 000 IOPS in 2022: 500 MiB/s, 387.50",
      "vol io2 --size 500 --iops 5000 --as-of 2022-06-01",
      0,
      { NUM("max_throughput_mibps", 500), NUM("price.total_usd", 387.5), TEXT("legal", "true"),
        NUM("price.storage_usd", 62.5), NUM("price.iops_usd", 325),
        NUM("today.max_throughput_mibps", 1280), TEXT("volume_type", "io2") } },
    { "the same today: sold as 1 280 MiB/s, 1 250 in 256 KiB requests, bound by IOPS",
      "vol io2 --size 500 --iops 5000 --io-size 256",
      0,
      { NUM("max_throughput_mibps", 1280), NUM("at.throughput_mibps", 1250), NUM("at.iops", 5000),
        TEXT("at.binding", "iops"), NUM("at.io_kib", 256), NUM("price.total_usd", 387.5),
        TEXT("today", "null") } },
    /* 2 * (250 * 0.125 + 325) */
    { "two of them: 1 000 MiB/s together, 712.50",
      "vol io2 --count 2 --size 250 --iops 5000 --as-of 2022-06-01",
      0,
      { NUM("group_max_throughput_mibps", 1000), NUM("price.total_usd", 712.5), NUM("count", 2),
        NUM("group_max_iops", 10000) } },
    /* 62.50 + 32 000 * 0.065 + 32 000 * 0.0455 */
    { "one of 64 000 IOPS: 1 000 MiB/s, 3 598.50 (two price tiers)",
      "vol io2 --size 500 --iops 64000 --as-of 2022-06-01",
      0,
      { NUM("max_throughput_mibps", 1000), NUM("price.total_usd", 3598.5),
        NUM("price.iops_usd", 3536) } },
    { "1 000 MiB/s in 2022: 2 x io2 250 GiB 2 000 IOPS, 322.50, bound by throughput",
      "size --types io2 --as-of 2022-06-01 --throughput 1000 --iops 417 --size 500",
      0,
      { TEXT("options.0.volume_type", "io2"), NUM("options.0.count", 2),
        NUM("options.0.size_gib", 250), NUM("options.0.iops", 2000),
        NUM("options.0.total_usd", 322.5), TEXT("options.0.binding", "throughput"),
        NUM("options.0.rank", 1), TEXT("status", "best") } },
    { "today: 1 x io2 of 4 000 IOPS, 322.50 (3 907 would stall at 976.75 MiB/s)",
      "size --types io2 --throughput 1000 --iops 417 --size 500",
      0,
      { NUM("options.0.count", 1), NUM("options.0.iops", 4000), NUM("options.0.size_gib", 500),
        NUM("options.0.total_usd", 322.5), NUM("need.counted_iops", 4000) } },
    { "3 907 IOPS are sold as 1 000.192 MiB/s and reach 976.75 in 256 KiB requests",
      "vol io2 --size 500 --iops 3907 --io-size 256",
      0,
      { NEAR("max_throughput_mibps", 1000.192, 1e-6), NUM("at.throughput_mibps", 976.75) } },
    { "of gp3 and io2 today: 10 x gp3 50 GiB at the free baseline, 40.00",
      "size --throughput 1000 --iops 417 --size 500 --top 40",
      0,
      { TEXT("options.0.volume_type", "gp3"), NUM("options.0.count", 10),
        NUM("options.0.size_gib", 50), NUM("options.0.iops", 3000),
        NUM("options.0.throughput_mibps", 125), NUM("options.0.total_usd", 40) } },
    { "one gp3 of 500 GiB, 4 000 IOPS and 1 000 MiB/s is 80.00",
      "size --types gp3 --max-count 1 --throughput 1000 --iops 417 --size 500",
      0,
      { NUM("options.0.count", 1), NUM("options.0.iops", 4000),
        NUM("options.0.throughput_mibps", 1000), NUM("options.0.total_usd", 80) } },
    { "8 x gp3 63 GiB are 40.32",
      "size --types gp3 --min-count 8 --max-count 8 --throughput 1000 --iops 417 --size 500",
      0,
      { NUM("options.0.count", 8), NUM("options.0.size_gib", 63),
        NUM("options.0.total_usd", 40.32) } },
    { "with 5 USD a volume: 2 x gp3 250 GiB, 500 MiB/s each, 70.00; the tie at 75 goes to fewer",
      "size --throughput 1000 --iops 417 --size 500 --per-volume-usd 5",
      0,
      { NUM("options.0.count", 2), NUM("options.0.size_gib", 250),
        NUM("options.0.throughput_mibps", 500), NUM("options.0.total_usd", 70),
        NUM("options.0.rank_usd", 75), NUM("options.1.rank_usd", 75),
        NUM("options.2.rank_usd", 75) } },
    { "gp3 4 GiB 16 000 IOPS: refused, 500 IOPS per GiB since 2020-12-01, nearest 32 GiB",
      "vol gp3 --size 4 --iops 16000",
      1,
      { TEXT("legal", "false"), TEXT("problems.0.rule", "iops_per_gib_max"),
        TEXT("problems.0.since", "2020-12-01"), NUM("problems.0.nearest.size_gib", 32),
        NUM("problems.0.nearest.iops", 16000), NUM("size_gib", 4) } },
    { "gp3 3 000 IOPS 800 MiB/s: refused, 0.25 MiB/s per IOPS, nearest 3 200 IOPS",
      "vol gp3 --size 100 --iops 3000 --throughput 800",
      1,
      { TEXT("legal", "false"), TEXT("problems.0.rule", "mibps_per_iops_max"),
        NUM("problems.0.nearest.iops", 3200), NUM("problems.0.nearest.throughput_mibps", 800),
        NUM("problems.0.nearest.size_gib", 100) } },
    { "gp3 1 GiB is below the ratio and legal: the baseline is free",
      "vol gp3 --size 1",
      0,
      { TEXT("legal", "true"), NUM("iops", 3000), NUM("throughput_mibps", 125),
        NUM("price.total_usd", 0.08) } },
    { "gp2 100 GiB: 300 IOPS, bursts to 3 000 for 2 000 s (5.4 M credits / 2 700)",
      "vol gp2 --size 100",
      0,
      { NUM("baseline_iops", 300), NUM("max_iops", 3000), NUM("burst_seconds", 2000),
        NUM("refill_seconds", 18000), NUM("price.total_usd", 10) } },
    { "io2 was Block Express on r5b before it was everywhere",
      "vol io2 --size 500 --iops 5000 --as-of 2022-06-01 --instance r5b.4xlarge",
      0,
      { NUM("max_throughput_mibps", 1280) } },
    { "a Xen instance reaches 32 000 IOPS of a volume",
      "vol io2 --size 500 --iops 64000 --instance r4.8xlarge",
      0,
      { NUM("max_iops", 32000), TEXT("legal", "true") } },
    { "r5.8xlarge: 850 MB/s, 30 000 IOPS, 27 shared attachments",
      "instance r5.8xlarge",
      0,
      { NUM("instances.0.baseline_throughput_mb_s", 850), NUM("instances.0.baseline_iops", 30000),
        NUM("instances.0.max_ebs_attachments", 27), TEXT("instances.0.attachment_kind", "shared"),
        NUM("instances.0.vcpu", 32) } },
    { "r6i.large: 81.25 MB/s, bursts to 1 250",
      "instance r6i.large",
      0,
      { NUM("instances.0.baseline_throughput_mb_s", 81.25),
        NUM("instances.0.max_throughput_mb_s", 1250), TEXT("instances.0.burst", "true") } },
    { "r8gb.48xlarge: 1 440 000 IOPS over two cards",
      "instance r8gb.48xlarge",
      0,
      { NUM("instances.0.max_iops", 1440000), NUM("instances.0.ebs_cards", 2) } },
    { "elsewhere the hourly price is not known",
      "instance r5.8xlarge --region eu-west-1",
      0,
      { TEXT("instances.0.hourly_usd", "null") } },
    /* The AWR of the demo: 37.323M and 23.111M per second are MiB. */
    { "the demo's AWR: Log File reads 37.323 MiB/s with 37.9/s, writes 23.111 with 60.5",
      "inspect data/demo/awr_prd1_0700_0959.txt",
      0,
      { TEXT("files.0.format", "awr"), TEXT("files.0.snapshots.0.db_name", "PRD1"),
        TEXT("files.0.snapshots.0.filetypes.0.name", "Log File"),
        NEAR("files.0.snapshots.0.filetypes.0.read_bytes_per_s", 37.323 * 1048576, 1),
        NUM("files.0.snapshots.0.filetypes.0.read_requests_per_s", 37.9),
        NEAR("files.0.snapshots.0.filetypes.0.write_bytes_per_s", 23.111 * 1048576, 1),
        NUM("files.0.snapshots.0.filetypes.0.write_requests_per_s", 60.5),
        TEXT("files.0.snapshots.0.filetypes.4.name", "Flashback Log"),
        TEXT("files.0.snapshots.0.filetypes.4.large_read_ms", "null") } },
    { "its load profile: redo and requests by normalised names",
      "inspect data/demo/awr_prd1_0700_0959.txt",
      0,
      { NUM("files.0.snapshots.0.load_profile.redo_bytes_per_s", 11730577),
        NUM("files.0.snapshots.0.load_profile.read_io_requests_per_s", 1380.6),
        NUM("files.0.snapshots.0.load_profile.write_io_requests_per_s", 606.4),
        NUM("files.0.snapshots.0.load_profile.read_io_mib_per_s", 89.7),
        NUM("files.0.snapshots.0.load_profile.write_io_mib_per_s", 59.8),
        NUM("files.0.snapshots.0.elapsed_s", 10762),
        NUM("files.0.snapshots.0.stats.redo writes.total", 164659) } },
};

static void accepted(void **state)
{
    const struct accept_case *c = *state;
    cJSON *doc = run_json(c->line, c->status);
    for (size_t i = 0; i < EXPECTS && c->expects[i].path; i++)
        expect(doc, &c->expects[i]);
    cJSON_Delete(doc);
}

/* The rows of "IOStat by Filetype" add up to TOTAL within 0.2 (MiB/s, requests/s). */
static void filetypes_add_up(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        double unit;
    } columns[] = {
        { "read_bytes_per_s", 1048576 },
        { "write_bytes_per_s", 1048576 },
        { "read_requests_per_s", 1 },
        { "write_requests_per_s", 1 },
    };
    cJSON *doc = run_json("inspect data/demo/awr_prd1_0700_0959.txt", 0);
    const cJSON *rows = find(doc, "files.0.snapshots.0.filetypes");
    assert_true(cJSON_GetArraySize(rows) == 8);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        double sum = 0, total = NAN;
        const cJSON *row;
        cJSON_ArrayForEach(row, rows)
        {
            double v = find(row, columns[i].key)->valuedouble / columns[i].unit;
            if (strcmp(find(row, "name")->valuestring, "TOTAL") == 0)
                total = v;
            else
                sum += v;
        }
        assert_true(fabs(sum - total) <= 0.2);
    }
    cJSON_Delete(doc);
}

/* --- the demo ----------------------------------------------------------------------------------
 */

struct demo {
    char folder[64], db[100];
};

static void make_demo(struct demo *d)
{
    char command[300], line[400];
    snprintf(d->folder, sizeof d->folder, "/tmp/volplan-accept-XXXXXX");
    assert_non_null(mkdtemp(d->folder));
    snprintf(d->db, sizeof d->db, "%s/demo.db", d->folder);
    snprintf(command, sizeof command, "awk -f data/demo/iostat.awk >%s/iostat.txt", d->folder);
    assert_int_equal(system(command), 0);
    snprintf(line, sizeof line,
             "ingest --db %s --system PRD1 data/demo/awr_prd1_0700_0959.txt %s/iostat.txt", d->db,
             d->folder);
    cJSON_Delete(run_json(line, 0));
    snprintf(line, sizeof line, "layout --db %s --set data/demo/layout.json", d->db);
    cJSON_Delete(run_json(line, 0));
}

static void remove_demo(const struct demo *d)
{
    assert_int_equal(remove_folder(d->folder), 0);
}

static void the_demo_plans_redo(void **state)
{
    (void)state;
    struct demo d;
    char line[300];
    make_demo(&d);

    snprintf(line, sizeof line, "plan --db %s --as-of 2022-06-01", d.db);
    cJSON *then = run_json(line, 0);
    static const struct expect in_2022[] = {
        TEXT("groups.0.name", "REDO1"),
        TEXT("groups.0.demand.grade", "censored"),
        TEXT("groups.0.lower_bound", "true"),
        NEAR("groups.0.demand.total_mibps", 500, 0.5),
        NUM("groups.0.chosen.count", 2),
        NUM("groups.0.chosen.size_gib", 250),
        NUM("groups.0.chosen.iops", 1200),
        NUM("groups.0.chosen.total_usd", 218.5),
        NUM("groups.0.steps_up.0.total_usd", 322.5),
        NUM("groups.0.steps_up.0.group_max_throughput_mibps", 1000),
        NUM("groups.0.today.total_usd", 387.5),
        TEXT("instance.type", "r5.8xlarge"),
        NUM("instance.baseline_throughput_mb_s", 850),
    };
    for (size_t i = 0; i < sizeof in_2022 / sizeof *in_2022; i++)
        expect(then, &in_2022[i]);
    cJSON_Delete(then);

    snprintf(line, sizeof line, "plan --db %s", d.db);
    cJSON *now = run_json(line, 0);
    static const struct expect today[] = {
        NUM("groups.0.chosen.count", 1),      NUM("groups.0.chosen.size_gib", 500),
        NUM("groups.0.chosen.iops", 2400),    NUM("groups.0.chosen.total_usd", 218.5),
        TEXT("groups.0.lower_bound", "true"),
    };
    for (size_t i = 0; i < sizeof today / sizeof *today; i++)
        expect(now, &today[i]);
    cJSON_Delete(now);

    struct cli_result a = run_cli(line), b = run_cli(line); /* the same bytes twice */
    assert_string_equal(a.out, b.out);
    free_cli(&a);
    free_cli(&b);
    remove_demo(&d);
}

static void loading_twice_adds_nothing(void **state)
{
    (void)state;
    struct demo d;
    char line[300];
    make_demo(&d);
    snprintf(line, sizeof line, "peaks --db %s", d.db);
    struct cli_result before = run_cli(line);
    char again[400];
    snprintf(again, sizeof again,
             "ingest --db %s --system PRD1 data/demo/awr_prd1_0700_0959.txt %s/iostat.txt", d.db,
             d.folder);
    cJSON *doc = run_json(again, 0);
    static const struct expect known[] = {
        TEXT("files.0.status", "known"),
        TEXT("files.1.status", "known"),
        NUM("totals.rows", 0),
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        expect(doc, &known[i]);
    cJSON_Delete(doc);
    struct cli_result after = run_cli(line);
    assert_int_equal(before.status, 0);
    assert_string_equal(before.out, after.out);
    free_cli(&before);
    free_cli(&after);
    remove_demo(&d);
}

int main(void)
{
    enum { N = sizeof cases / sizeof *cases };
    struct CMUnitTest t[N + 3];
    for (size_t i = 0; i < N; i++)
        t[i] = (struct CMUnitTest){ cases[i].why, accepted, NULL, NULL, (void *)(size_t)&cases[i] };
    t[N] = (struct CMUnitTest)cmocka_unit_test(filetypes_add_up);
    t[N + 1] = (struct CMUnitTest)cmocka_unit_test(the_demo_plans_redo);
    t[N + 2] = (struct CMUnitTest)cmocka_unit_test(loading_twice_adds_nothing);
    return cmocka_run_group_tests_name("acceptance", t, cli_start, cli_stop);
}
