/* tests/cli/test_whatif_acceptance.c - the figures that plan and whatif were ordered with for the
 * redo path: the six-standby incident, two members, one archive copy, six standbys.
 *
 * Each row runs a command with --json and compares named keys; where they come from is said in
 * tests/planner/whatif/test_whatif.c. */
#include "tests/cli/json_expect.h"
#include "tests/remove_folder.h"

#include <unistd.h>

enum { EXPECTS = 14 };

static char folder[64];

static const struct accept_case {
    const char *why, *line; /* the store is added */
    int status;
    struct expect expects[EXPECTS];
} cases[] = {
    { "plan: who reads the redo",
      "plan --as-of 2022-06-01",
      0,
      { NEAR("calibration.redo_mibps", 11.56, 0.005), NEAR("calibration.members", 2, 0),
        NEAR("calibration.archive_copies", 1.011, 0.0005),
        NEAR("calibration.online_copies", 2.219, 0.0005),
        NEAR("calibration.archived_copies", 1.916, 0.0005),
        NEAR("calibration.buffer_copies", 1.866, 0.0005),
        NEAR("calibration.from_online_pct", 36.98, 0.005),
        NEAR("calibration.from_archive_pct", 31.93, 0.005),
        NEAR("calibration.from_buffer_pct", 31.09, 0.005),
        NEAR("calibration.file_readers_min", 5, 0),
        NEAR("calibration.transport_copies", 4.084, 1e-3), TEXT("calibration.source", "iostat"),
        TEXT("calibration.grade", "censored"), NEAR("calibration.other_archive_readers", 0, 0) } },
    { "plan: the first member's group carries 48.88 MiB/s, the second 11.56",
      "plan",
      0,
      { TEXT("groups.0.name", "REDO1"), NEAR("groups.0.average.total_mibps", 48.88, 0.005),
        TEXT("groups.1.name", "REDO2"), NEAR("groups.1.average.total_mibps", 11.56, 0.005),
        NEAR("groups.1.average.read_mibps", 0, 0),
        /* 4 096 MiB / 11.5555 */
        NEAR("groups.0.log_switch.fill_s", 354.46, 0.01),
        NEAR("groups.0.log_switch.at_peak.fill_s", 34.71, 0.01),
        TEXT("groups.3.log_switch", "null") } },
    { "eight standbys: REDO1 57.43 MiB/s, at most 115.68",
      "whatif --standbys 8 --as-of 2022-06-01",
      0,
      { TEXT("groups.0.name", "REDO1"), TEXT("groups.0.basis", "average"),
        NEAR("groups.0.base.total_mibps", 48.88, 0.005),
        NEAR("groups.0.lower.total_mibps", 48.88, 0.005),
        NEAR("groups.0.central.total_mibps", 57.43, 0.005),
        NEAR("groups.0.upper.total_mibps", 115.68, 0.005), TEXT("groups.1.basis", "peak"),
        NEAR("groups.1.base.total_mibps", 500, 0.5),
        NEAR("groups.2.central.total_mibps", 11.56, 0.005),
        NEAR("calibration.online_copies", 2.219, 0.0005),
        NEAR("standbys.7.network_mbps", 138.5, 0.05), TEXT("standbys.7.name", "standby8"),
        TEXT("carries_upper", "no") } },
    { "planned on central: 1.2 times 587.5 MiB/s in two io2 of 2022",
      "whatif --standbys 8 --as-of 2022-06-01",
      0,
      { NEAR("base.groups.0.chosen.iops", 1200, 0), NEAR("base.total_usd", 824.82, 0.005),
        NEAR("scenario.groups.0.demand.total_mibps", 587.47, 0.01),
        NEAR("scenario.groups.0.chosen.count", 2, 0),
        /* 705 MiB/s / 2 / 0.25 MiB/s per IOPS = 1 409.9 */
        NEAR("scenario.groups.0.chosen.iops", 1410, 0), TEXT("base_holds", "within headroom"),
        NEAR("simulation.seconds", 28800, 0), NEAR("simulation_today.stalled_s", 2900, 200),
        NEAR("standbys.0.groups.0.upper.read_mibps", 11.56, 0.005),
        NEAR("standbys.0.standby_host.groups.0.central.total_mibps", 34.67, 0.005) } },
    /* REDO1 500 GiB x 0.125 + 587.475 / 0.25 = 2 350 IOPS x 0.065 = 215.25 USD; without the
     * standbys 500 / 0.25 = 2 000 IOPS, 192.50; FRA's megabytes are the other 1.32 */
    { "what is said first: the answer, all volumes, the host",
      "whatif --add-standby new1 --add-standby new2 --headroom 0 --instance r5.12xlarge",
      0,
      { TEXT(
            "verdict.0",
            "PRD1 with new1 added, new2 added, instance r5.12xlarge: REDO1 carries 57.4 MiB/s on "
            "average (48.9 to 115.7; now 48.9), >= 587 at its peak (now 500): the plan for today's "
            "load no longer holds; io2 500 GiB 2 350 IOPS does, for 215.25 USD a month."),
        TEXT("verdict.1",
             "All volumes together then cost 815.35 USD a month, 24.07 more than without."),
        TEXT("verdict.2",
             "The instance r5.12xlarge carries it: >= 896 of 1 188 MB/s at the peak of "
             "all groups."),
        NEAR("base.total_usd", 791.28, 0.005),
        NEAR("scenario.groups.0.chosen.total_usd", 215.25, 0.005) } },
    { "an instance that is too small is said, as the plan says it",
      "whatif --drop-standby dr1",
      0,
      { TEXT("verdict.2", "The instance is the first ceiling: r5.8xlarge is too small, 748 of 850 "
                          "MB/s, 897 with headroom; r5.12xlarge is the cheapest of its family that "
                          "holds."),
        TEXT("base_holds", "yes") } },
    { "three of six cascaded save 27 to 73 % of the reads from files",
      "whatif --cascade dr2=dr1 --cascade dr3=dr1 --cascade onprem3=onprem1",
      0,
      { NEAR("cascade.cascaded", 3, 0), NEAR("cascade.saved_pct.lower", 27.4, 0.05),
        NEAR("cascade.saved_pct.central", 50, 1e-6), NEAR("cascade.saved_pct.upper", 72.6, 0.05),
        NEAR("groups.0.central.total_mibps", 36.06, 0.005),
        NEAR("groups.0.upper.total_mibps", 57.905, 0.0005), TEXT("standbys.1.via", "dr1") } },
    { "a standby on a link of 40 MiB/s is simulated, and misses 600 s",
      "whatif --add-standby dr4:send=40,rtt=80",
      0,
      { NEAR("simulation.standbys_by_link", 1, 0), NEAR("simulation.standbys_by_average", 6, 0),
        TEXT("simulation.outage_of", "dr4"), NEAR("simulation.catch_up_s", 2500, 500),
        TEXT("simulation.archive_group_full_at", "null") } },
    { "phases",
      "whatif --phase 2026-03-01:standbys=12 --phase=2026-06-01:standbys=3",
      0,
      { TEXT("phases.0.from", "2026-03-01"), TEXT("phases.0.until", "2026-06-01"),
        TEXT("phases.1.until", "null"), TEXT("phases.0.changes.0", "standbys 12"),
        NEAR("phases.0.groups.0.average.central.total_mibps", 74.52, 0.005),
        NEAR("phases.1.groups.0.average.central.total_mibps", 36.06, 0.005) } },
};

/* --- comparing -------------------------------------------------------------------------------- */

static void accepted(void **state)
{
    const struct accept_case *c = *state;
    char line[400];
    snprintf(line, sizeof line, "%s --db %s/demo.db", c->line, folder);
    cJSON *doc = run_json(line, c->status);
    for (size_t i = 0; i < EXPECTS && c->expects[i].path; i++)
        expect(doc, &c->expects[i]);
    cJSON_Delete(doc);
}

/* The keys that scripts rely on. */
static void keys_are_there(void **state)
{
    (void)state;
    static const char *const keys[] = {
        "base.groups.0.chosen.total_usd",
        "scenario.groups.0.chosen.total_usd",
        "groups.0.name",
        "groups.0.basis",
        "groups.0.base.read_mibps",
        "groups.0.lower.write_mibps",
        "groups.0.central.total_mibps",
        "groups.0.upper.counted_iops",
        "calibration.redo_mibps",
        "calibration.members",
        "calibration.archive_copies",
        "calibration.online_copies",
        "calibration.archived_copies",
        "calibration.buffer_copies",
        "calibration.transport_copies",
        "calibration.file_readers_min",
        "calibration.from_buffer_pct",
        "calibration.from_online_pct",
        "calibration.from_archive_pct",
        "calibration.other_online_readers",
        "calibration.other_archive_readers",
        "calibration.source",
        "calibration.grade",
        "standbys.0.name",
        "standbys.0.groups.0.name",
        "standbys.0.groups.0.lower.read_mibps",
        "standbys.0.groups.0.central.write_mibps",
        "standbys.0.groups.0.upper.read_mibps",
        "standbys.0.network_mbps",
        "standbys.0.standby_host.groups.0.name",
        "standbys.0.standby_host.total_usd",
        "standbys.0.per_standby_usd",
        "simulation.stalled_s",
        "simulation.worst_backlog_mib",
        "simulation.worst_delay_ms",
        "simulation.catch_up_s",
        "simulation.archive_group_full_at",
        "scenario.groups.0.log_switch.fill_s",
        "scenario.groups.0.log_switch.archive_s",
        "scenario.groups.0.log_switch.archiver_keeps_up",
        "scenario.calibration.redo_mibps",
    };
    char line[200];
    snprintf(line, sizeof line, "whatif --standbys 7 --json --db %s/demo.db", folder);
    struct cli_result r = run_cli(line);
    cJSON *doc = cJSON_Parse(r.out);
    assert_non_null(doc);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!find(doc, keys[i]))
            fail_msg("there is no %s", keys[i]);
    cJSON_Delete(doc);
    free_cli(&r);
}

static void expect_narrow(const char *text)
{
    for (const char *line = text; *line;) {
        size_t len = strcspn(line, "\n");
        if (len > 100)
            fail_msg("wide: %.*s", (int)len, line);
        line += len + (line[len] == '\n');
    }
}

/* The first sentence names the group, its load and whether the plan holds. */
static void the_answer_comes_first(void **state)
{
    (void)state;
    char line[200], first[600];
    snprintf(line, sizeof line, "whatif --standbys 8 --as-of 2022-06-01 --db %s/demo.db", folder);
    struct cli_result r = run_cli(line);
    assert_int_equal(r.status, 0);
    expect_narrow(r.out);
    snprintf(first, sizeof first, "%.*s", (int)(strstr(r.out, "\n\n") - r.out), r.out);
    assert_non_null(strstr(first, "REDO1 carries 57.4 MiB/s"));
    assert_non_null(strstr(first, "48.9 to 115.7"));
    assert_non_null(strstr(first, "the plan for today's load no longer holds"));
    free_cli(&r);
}

/* The report and a history of archived logs, no devices: 4 GiB in 100 s and in 400 s. */
static void from_archived_logs(void **state)
{
    (void)state;
    char line[400], path[200];
    snprintf(path, sizeof path, "%s/history.csv", folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("volplan_csv,1\nkind,instance,begin_utc,end_utc,name,value,unit\n"
          "redo_log,1,2022-05-18T07:00:00Z,2022-05-18T07:01:40Z,1.100,4294967296,bytes\n"
          "redo_log,1,2022-05-18T07:01:40Z,2022-05-18T07:08:20Z,1.101,4294967296,bytes\n",
          f);
    assert_int_equal(fclose(f), 0);
    snprintf(line, sizeof line,
             "ingest --quiet --db %s/logs.db --system PRD1 data/demo/awr_prd1_0700_0959.txt %s",
             folder, path);
    struct cli_result r = run_cli(line);
    assert_int_equal(r.status, 0);
    free_cli(&r);
    snprintf(line, sizeof line, "layout --db %s/logs.db --set data/demo/layout.json", folder);
    r = run_cli(line);
    assert_int_equal(r.status, 0);
    free_cli(&r);
    snprintf(line, sizeof line, "whatif --standbys 8 --json --db %s/logs.db", folder);
    r = run_cli(line);
    cJSON *doc = cJSON_Parse(r.out);
    assert_non_null(doc);
    const struct expect expects[] = {
        TEXT("simulation.redo_from", "archived logs"),
        NEAR("simulation.seconds", 500, 0),
        NEAR("simulation.written_mib", 8192, 1e-3),
    };
    for (size_t i = 0; i < sizeof expects / sizeof *expects; i++)
        expect(doc, &expects[i]);
    cJSON_Delete(doc);
    free_cli(&r);
}

/* README shows what the program prints. */
static void readme_shows_it(void **state)
{
    (void)state;
    char *golden = NULL, *readme = NULL;
    size_t golden_len = 0, readme_len = 0;
    FILE *f = fopen("tests/cli/golden/whatif_incident/stdout", "r");
    assert_non_null(f);
    assert_true(getdelim(&golden, &golden_len, '\0', f) > 0);
    fclose(f);
    f = fopen("README.md", "r");
    assert_non_null(f);
    assert_true(getdelim(&readme, &readme_len, '\0', f) > 0);
    fclose(f);
    assert_non_null(strstr(readme, golden));
    expect_narrow(golden);
    free(golden);
    free(readme);
}

static int start(void **state)
{
    (void)state;
    char command[300], line[400];
    if (cli_global_init(stderr))
        return -1;
    snprintf(folder, sizeof folder, "/tmp/volplan-whatif-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(command, sizeof command, "awk -f data/demo/iostat.awk >%s/iostat.txt", folder);
    if (system(command))
        return -1;
    snprintf(line, sizeof line,
             "ingest --quiet --db %s/demo.db --system PRD1 data/demo/awr_prd1_0700_0959.txt "
             "%s/iostat.txt",
             folder, folder);
    struct cli_result r = run_cli(line);
    int failed = r.status;
    free_cli(&r);
    snprintf(line, sizeof line, "layout --db %s/demo.db --set data/demo/layout.json", folder);
    r = run_cli(line);
    failed |= r.status;
    free_cli(&r);
    return failed;
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
    struct CMUnitTest t[N + 4];
    for (size_t i = 0; i < N; i++)
        t[i] =
            (struct CMUnitTest){ cases[i].why, accepted, NULL, NULL, (void *)(uintptr_t)&cases[i] };
    t[N] = (struct CMUnitTest)cmocka_unit_test(keys_are_there);
    t[N + 1] = (struct CMUnitTest)cmocka_unit_test(the_answer_comes_first);
    t[N + 2] = (struct CMUnitTest)cmocka_unit_test(from_archived_logs);
    t[N + 3] = (struct CMUnitTest)cmocka_unit_test(readme_shows_it);
    return cmocka_run_group_tests_name("whatif_acceptance", t, start, stop);
}
