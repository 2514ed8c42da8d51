/* tests/cli/test_demand_acceptance.c - what peaks and plan make of measurements whose figures are
 * worked by hand.
 *
 * Each world is files and layouts written here, a row a command with --json and keys of its answer.
 * Loads are read at 256 KiB a request, so that EBS counts four times the MiB/s, unless said. */
#include "tests/cli/json_expect.h"
#include "tests/remove_folder.h"

#include <stdio.h>
#include <unistd.h>

enum { DEVICES = 8, MINUTES = 12, EXPECTS = 12 };

static char folder[64], db[80];

/* --- worlds -------------------------------------------------------------------------------------
 */

static FILE *open_file(const char *name)
{
    char path[128];
    assert_true((size_t)snprintf(path, sizeof path, "%s/%s", folder, name) < sizeof path);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    return f;
}

static void write_text(const char *name, const char *text)
{
    FILE *f = open_file(name);
    fputs(text, f);
    fclose(f);
}

static void run_ok(const char *line)
{
    struct cli_result r = run_cli(line);
    if (r.status)
        print_error("%s\n%s%s\n", line, r.out, r.err);
    assert_int_equal(r.status, 0);
    free_cli(&r);
}

static void ingest(const char *file, const char *options)
{
    char line[400];
    snprintf(line, sizeof line, "ingest --quiet --db %s %s %s/%s", db, options, folder, file);
    run_ok(line);
}

static void set_layout(const char *json)
{
    char line[300];
    write_text("layout.json", json);
    snprintf(line, sizeof line, "layout --db %s --set %s/layout.json", db, folder);
    run_ok(line);
}

/* A device's load in each minute: MiB/s and requests/s of reads. */
struct device {
    const char *name;
    double mibps[MINUTES], iops[MINUTES];
};

/* iostat of n minutes from 07:00 on; iops 0 = 256 KiB requests. */
static void write_iostat(const char *name, const struct device *d, size_t n_devices, int from,
                         int minutes)
{
    FILE *f = open_file(name);
    fputs("Linux 5.10.0 (db1) \t05/18/2022 \t_x86_64_\t(8 CPU)\n", f);
    for (int m = from; m <= from + minutes; m++) {
        fprintf(f, "\n05/18/2022 07:%02d:00 AM\nDevice r/s w/s rkB/s wkB/s %%util\n", m);
        for (size_t i = 0; i < n_devices; i++) {
            double mibps = m > from ? d[i].mibps[m - 1] : 0, iops = m > from ? d[i].iops[m - 1] : 0;
            fprintf(f, "%s %.2f 0.00 %.2f 0.00 0.0\n", d[i].name, iops > 0 ? iops : mibps * 4,
                    mibps * 1024);
        }
    }
    fclose(f);
}

/* Three gp3 of 5 000 IOPS; the merges are lost on another of them each minute: 5 000 requests of
 * 8 KiB (39.06 MiB/s) on one, 150 of 256 KiB (37.5 MiB/s) on the others. */
static void one_hot_volume_moving(void)
{
    static const struct device d[] = {
        { "nvme1n1", { 39.0625, 37.5, 37.5, 37.5 }, { 5000, 150, 150, 150 } },
        { "nvme2n1", { 37.5, 39.0625, 37.5, 37.5 }, { 150, 5000, 150, 150 } },
        { "nvme3n1", { 37.5, 37.5, 37.5, 37.5 }, { 150, 150, 150, 150 } },
    };
    write_iostat("iostat.txt", d, 3, 0, 4);
    ingest("iostat.txt", "--system PRD1");
    set_layout("{\"system\": \"PRD1\", \"groups\": [{\"name\": \"DATA\", \"role\": \"data\","
               " \"devices\": [\"nvme*n1\"], \"need_gib\": 1500, \"volumes\": [{\"type\": \"gp3\","
               " \"count\": 3, \"size_gib\": 500, \"iops\": 5000, \"throughput_mibps\": 125}]}]}");
}

/* 815 MB/s for five minutes on an instance of 850, one reading of 1 600 MB/s (two intervals in
 * one), then idle.  Four volumes of 1 000 MiB/s: none of them is full. */
static void instance_plateau_and_artefact(void)
{
    enum { N = 8 };
    static const double mb_s[N] = { 815, 815, 815, 815, 815, 1600, 100, 100 };
    struct device d[4] = { { "nvme1n1", { 0 }, { 0 } },
                           { "nvme2n1", { 0 }, { 0 } },
                           { "nvme3n1", { 0 }, { 0 } },
                           { "nvme4n1", { 0 }, { 0 } } };
    for (size_t i = 0; i < 4; i++)
        for (size_t m = 0; m < N; m++)
            d[i].mibps[m] = mb_s[m] / 1.048576 / 4;
    write_iostat("iostat.txt", d, 4, 0, N);
    ingest("iostat.txt", "--system PRD1");
    set_layout(
        "{\"system\": \"PRD1\", \"instance_type\": \"r5.8xlarge\", \"groups\": [{\"name\":"
        " \"DATA\", \"role\": \"data\", \"devices\": [\"nvme*n1\"], \"need_gib\": 4000,"
        " \"volumes\": [{\"type\": \"gp3\", \"count\": 4, \"size_gib\": 1000, \"iops\": 8000,"
        " \"throughput_mibps\": 1000}]}]}");
}

/* Minutes 1 to 4, then 3 to 6 again in another file, and 11 to 12. */
static void gaps_and_duplicates(void)
{
    static const struct device d[] = {
        { "nvme1n1", { 1, 2, 3, 4, 5, 6, 0, 0, 0, 0, 11, 12 }, { 0 } }
    };
    write_iostat("a.txt", d, 1, 0, 4);
    write_iostat("b.txt", d, 1, 2, 4);
    write_iostat("c.txt", d, 1, 10, 2);
    ingest("a.txt", "--system PRD1");
    ingest("b.txt", "--system PRD1");
    ingest("c.txt", "--system PRD1");
}

/* Half hours of the night in which Berlin's clocks go from 03:00 back to 02:00. */
static void a_night_with_a_fold(void)
{
    static const char *const stamps[] = { "01:00", "01:30", "02:00", "02:30",
                                          "02:00", "02:30", "03:00" };
    FILE *f = open_file("iostat.txt");
    fputs("Linux 5.10.0 (db1) \t10/25/2026 \t_x86_64_\t(8 CPU)\n", f);
    for (size_t i = 0; i < sizeof stamps / sizeof *stamps; i++)
        fprintf(f,
                "\n10/25/2026 %s:00 AM\nDevice r/s w/s rkB/s wkB/s %%util\n"
                "nvme1n1 %zu.00 0.00 %zu.00 0.00 0.0\n",
                stamps[i], 4 * i, 1024 * i);
    fclose(f);
    ingest("iostat.txt", "--system PRD1 --tz Europe/Berlin");
}

/* The same night from /proc/diskstats, whose counters grow by 1 MiB/s * 1 800 s (3 686 400 sectors)
 * a half hour, and at the second 02:30 have started anew. */
static void counters_over_a_fold_and_a_restart(void)
{
    static const char *const stamps[] = { "01:30", "02:00", "02:30", "02:00",
                                          "02:30", "03:00", "03:30" };
    FILE *f = open_file("diskstats.txt");
    long long counted = 0;
    for (size_t i = 0; i < sizeof stamps / sizeof *stamps; i++) {
        counted = i == 4 ? 1000 : counted + 3686400;
        fprintf(f, "2026-10-25 %s:00\n 259 0 nvme1n1 %lld 0 %lld 0 %lld 0 %lld 0 0 0 0\n",
                stamps[i], counted / 8, counted, counted / 100, counted / 100);
    }
    fclose(f);
    ingest("diskstats.txt", "--system PRD1 --tz Europe/Berlin");
}

/* The 45-minute average of vectors/minutes_behind_an_average.csv, as an export of AWR:
 * 30.177 MB/s * 2 700 s = 81 477 900 000 bytes.  413.1 MB/s were reached in one of its minutes,
 * which the second world knows from sysmetric. */
static void write_average(bool with_maximum)
{
    FILE *f = open_file("export.csv");
    fputs("volplan_csv,1\n"
          "filetype,1,2010-09-14T08:15:00Z,2010-09-14T09:00:00Z,Data "
          "File:read_bytes,81477900000,bytes\n"
          "filetype,1,2010-09-14T08:15:00Z,2010-09-14T09:00:00Z,Data "
          "File:read_requests,270000,requests\n",
          f);
    if (with_maximum)
        fputs("sysmetric_max,1,2010-09-14T08:15:00Z,2010-09-14T09:00:00Z,Physical Read Total Bytes "
              "Per Sec,413100000,Bytes Per Second\n",
              f);
    fclose(f);
    ingest("export.csv", "--system PRD1");
    set_layout("{\"system\": \"PRD1\", \"groups\": [{\"name\": \"DATA\", \"role\": \"data\","
               " \"files\": [{\"name\": \"Data File\"}], \"need_gib\": 500}]}");
}

static void an_average_alone(void)
{
    write_average(false);
}

static void an_average_and_its_worst_minute(void)
{
    write_average(true);
}

static void write_values(const char *volume, const char *metric, const char *statistic,
                         const double *values, size_t n)
{
    char name[100];
    snprintf(name, sizeof name, "%s-%s.json", volume, metric);
    FILE *f = open_file(name);
    fprintf(f, "{\"Label\": \"%s\", \"Datapoints\": [", metric);
    for (size_t i = 0; i < n; i++)
        fprintf(f, "%s{\"Timestamp\": \"2022-05-18T07:%02zu:00+00:00\", \"%s\": %.0f}",
                i ? "," : "", i, statistic, values[i]);
    fputs("]}\n", f);
    fclose(f);
    ingest(name, "--system PRD1 --interval 60");
}

/* Three gp3 of 250 MiB/s.  A reads 50 MiB/s in a minute of which it idles 44.5 s: in ceil(15.5) =
 * 16 s came 3 000 MiB, 187.5 MiB/s.  B is said to have been at its ceiling in a second of its
 * minute of 40 MiB/s.  C tells nothing but its mean of 20. */
static void what_cloudwatch_knows_of_seconds(void)
{
    static const double a_bytes[] = { 60 * 20971520., 60 * 52428800. }, a_ops[] = { 4800, 12000 },
                        idle[] = { 40, 44.5 };
    static const double b_bytes[] = { 60 * 41943040. }, b_ops[] = { 9600 }, check[] = { 1 };
    static const double c_bytes[] = { 60 * 20971520. }, c_ops[] = { 4800 };
    FILE *f = open_file("vol-0aaaaaaaaaaaaaaa1-VolumeIdleTime.json");
    fprintf(f,
            "{\"Label\": \"VolumeIdleTime\", \"Datapoints\": [{\"Timestamp\": "
            "\"2022-05-18T07:00:00+00:00\", \"Sum\": %.1f}, {\"Timestamp\": "
            "\"2022-05-18T07:01:00+00:00\", \"Sum\": %.1f}]}\n",
            idle[0], idle[1]);
    fclose(f);
    ingest("vol-0aaaaaaaaaaaaaaa1-VolumeIdleTime.json", "--system PRD1 --interval 60");
    write_values("vol-0aaaaaaaaaaaaaaa1", "VolumeReadBytes", "Sum", a_bytes, 2);
    write_values("vol-0aaaaaaaaaaaaaaa1", "VolumeReadOps", "Sum", a_ops, 2);
    write_values("vol-0bbbbbbbbbbbbbbb2", "VolumeReadBytes", "Sum", b_bytes, 1);
    write_values("vol-0bbbbbbbbbbbbbbb2", "VolumeReadOps", "Sum", b_ops, 1);
    write_values("vol-0bbbbbbbbbbbbbbb2", "VolumeThroughputExceededCheck", "Maximum", check, 1);
    write_values("vol-0ccccccccccccccc3", "VolumeReadBytes", "Sum", c_bytes, 1);
    write_values("vol-0ccccccccccccccc3", "VolumeReadOps", "Sum", c_ops, 1);
    set_layout("{\"system\": \"PRD1\", \"groups\": ["
               "{\"name\": \"A\", \"role\": \"data\", \"volume_ids\": [\"vol-0aaaaaaaaaaaaaaa1\"],"
               " \"volumes\": [{\"type\": \"gp3\", \"count\": 1, \"size_gib\": 100, \"iops\": 3000,"
               " \"throughput_mibps\": 250}]},"
               "{\"name\": \"B\", \"role\": \"data\", \"volume_ids\": [\"vol-0bbbbbbbbbbbbbbb2\"],"
               " \"volumes\": [{\"type\": \"gp3\", \"count\": 1, \"size_gib\": 100, \"iops\": 3000,"
               " \"throughput_mibps\": 250}]},"
               "{\"name\": \"C\", \"role\": \"data\", \"volume_ids\": [\"vol-0ccccccccccccccc3\"],"
               " \"volumes\": [{\"type\": \"gp3\", \"count\": 1, \"size_gib\": 100, \"iops\": 3000,"
               " \"throughput_mibps\": 250}]}]}");
}

/* --- answers ------------------------------------------------------------------------------------
 */

static const struct accept_case {
    const char *why;
    void (*make)(void);
    const char *line; /* the store is added */
    struct expect expects[EXPECTS];
} cases[] = {
    /* Of 15 000 IOPS the sum is 5 300, 35 %; yet one volume in three is full.  Evenly striped the
     * group must carry 3 * 5 000, and 20 % more. */
    { "K08: the verdict uses the largest of the volumes, not their mean",
      one_hot_volume_moving,
      "peaks",
      { TEXT("rows.0.grade", "censored"), NUM("rows.0.total_iops.max", 5300),
        NUM("rows.0.hot_volume.used_pct", 100), TEXT("rows.0.hot_volume.name", "nvme1n1"),
        NUM("rows.0.hot_volume.volumes", 3), NUM("rows.0.hot_volume.volumes_at_ceiling", 2),
        NUM("rows.0.hot_volume.ceiling_s", 120),
        /* 5 000 against a mean of 5 300 / 3 */
        NEAR("rows.0.hot_volume.skew", 15000. / 5300, 1e-6) } },
    { "K08: and the device that is full says so itself",
      one_hot_volume_moving,
      "peaks --by device",
      { TEXT("rows.0.name", "nvme1n1"), TEXT("rows.0.grade", "censored"),
        TEXT("rows.1.grade", "censored"), TEXT("rows.2.grade", "measured") } },
    { "K08: the plan carries the busiest volume",
      one_hot_volume_moving,
      "plan",
      { TEXT("groups.0.lower_bound", "true"), TEXT("groups.0.censored_by.0", "hot_volume"),
        TEXT("groups.0.today.carries", "false") } },
    /* 815 / 850 = 95.9 %; 1 600 / 850 > 1.1.  1 600 MB/s are 1 525.88 MiB/s. */
    { "K01: a plateau at the instance's cap, and a reading that cannot be",
      instance_plateau_and_artefact,
      "peaks --by instance",
      { TEXT("rows.0.grade", "censored"), NEAR("rows.0.total_mibps.max", 777.24, 0.01),
        NUM("rows.0.artefacts", 1), NEAR("rows.0.largest_artefact.total_mibps", 1525.88, 0.01),
        TEXT("rows.0.largest_artefact.more_than", "the instance passes"),
        TEXT("rows.0.largest_artefact.at", "2022-05-18T07:05:00Z"),
        NUM("rows.0.coverage.gaps", 0) } },
    { "K01: the groups below it are not at theirs",
      instance_plateau_and_artefact,
      "peaks",
      { TEXT("rows.0.grade", "measured"), NUM("rows.0.artefacts", 1),
        NUM("rows.0.hot_volume.volumes", 4), NUM("instance_ceiling_s", 5 * 60) } },
    /* Minutes 3 and 4 came twice.  Minutes 7 to 10 are missing: 240 s from 07:06.  Of each file
     * the first report is an average since boot. */
    { "gaps, and the same minutes in two files",
      gaps_and_duplicates,
      "peaks --by device",
      { NUM("rows.0.samples", 8), NUM("rows.0.coverage.covered_s", 480),
        NUM("rows.0.coverage.duplicates", 2), NUM("rows.0.coverage.overlaps", 0),
        NUM("rows.0.coverage.gaps", 1), NUM("rows.0.coverage.longest_gap_s", 240),
        TEXT("rows.0.coverage.longest_gap_at", "2022-05-18T07:06:00Z"),
        NUM("rows.0.coverage.since_boot", 3), NUM("rows.0.coverage.resets", 0),
        NUM("rows.0.total_mibps.max", 12) } },
    /* 01:00 is 23:00 UTC; six half hours later it is 02:00 UTC.  The half hour that ends with the
     * second 02:30 carries 5 MiB/s and begins at 01:00 UTC. */
    { "the hour that came twice is told apart",
      a_night_with_a_fold,
      "peaks --by device",
      { NUM("rows.0.samples", 6), NUM("rows.0.coverage.covered_s", 10800),
        NUM("rows.0.coverage.folds", 1), NUM("rows.0.coverage.overlaps", 0),
        NUM("rows.0.coverage.duplicates", 0), NUM("rows.0.coverage.gaps", 0),
        NUM("rows.0.total_mibps.max", 6), TEXT("rows.0.time_of_max", "2026-10-25T01:30:00Z"),
        NUM("rows.0.by_hour.1", 6), NUM("rows.0.by_hour.0", 4), NUM("rows.0.by_hour.23", 2) } },
    /* Seven readings, six half hours; the one across the restart has no rate: a gap of 1 800 s that
     * begins with the second 02:00, 01:00 UTC. */
    { "counters over the hour that came twice, and over a restart",
      counters_over_a_fold_and_a_restart,
      "peaks --by device",
      { NUM("rows.0.samples", 5), NUM("rows.0.coverage.covered_s", 9000),
        NUM("rows.0.coverage.folds", 1), NUM("rows.0.coverage.overlaps", 0),
        NUM("rows.0.coverage.resets", 1), NUM("rows.0.coverage.gaps", 1),
        NUM("rows.0.coverage.longest_gap_s", 1800),
        TEXT("rows.0.coverage.longest_gap_at", "2026-10-25T01:00:00Z"),
        NUM("rows.0.read_mibps.max", 1) } },
    /* 30.177 MB/s are 28.779 MiB/s; times 3, 10 and 20: 86.34, 287.79, 575.58.  The minute of
     * 413.1 MB/s, 393.96 MiB/s, lies between. */
    { "K14: an average alone is a range that holds the truth, and is called assumed",
      an_average_alone,
      "plan",
      { TEXT("groups.0.demand.grade", "assumed"), NEAR("groups.0.demand.low", 86.337, 0.01),
        NEAR("groups.0.demand.total_mibps", 287.791, 0.01),
        NEAR("groups.0.demand.high", 575.581, 0.01), TEXT("groups.0.lower_bound", "false") } },
    { "K14: peaks shows the average as averaged",
      an_average_alone,
      "peaks",
      { TEXT("rows.0.grade", "averaged"), NEAR("rows.0.total_mibps.max", 28.779, 0.001),
        NUM("rows.0.interval_s", 2700), TEXT("rows.0.peak_second.high", "null") } },
    { "K14: the worst minute of the database, where it is known",
      an_average_and_its_worst_minute,
      "peaks --by instance",
      { NEAR("rows.0.peak_second.low", 393.963, 0.001),
        TEXT("rows.0.peak_second.source", "sysmetric maximum"),
        TEXT("rows.0.peak_second.at", "2010-09-14T08:15:00Z") } },
    { "seconds inside a minute",
      what_cloudwatch_knows_of_seconds,
      "peaks",
      { NUM("rows.0.total_mibps.max", 50), NUM("rows.0.peak_second.low", 187.5),
        NUM("rows.0.peak_second.high", 250), TEXT("rows.0.peak_second.source", "VolumeIdleTime"),
        TEXT("rows.0.peak_second.at", "2022-05-18T07:01:00Z"), NUM("rows.1.peak_second.low", 250),
        NUM("rows.1.peak_second.high", 250),
        TEXT("rows.1.peak_second.source", "VolumeThroughputExceededCheck"),
        NUM("rows.2.peak_second.low", 20), NUM("rows.2.peak_second.high", 250),
        TEXT("rows.2.peak_second.source", "mean of the interval") } },
    { "and of the volume itself",
      what_cloudwatch_knows_of_seconds,
      "peaks --by device",
      { NUM("rows.0.peak_second.low", 187.5), NUM("rows.1.peak_second.low", 250),
        NUM("rows.2.peak_second.low", 20) } },
};

static void accept(void **state)
{
    const struct accept_case *c = *state;
    char line[300];
    snprintf(folder, sizeof folder, "/tmp/volplan_demand_XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(db, sizeof db, "%s/v.db", folder);
    c->make();
    snprintf(line, sizeof line, "%s --db %s", c->line, db);
    cJSON *doc = run_json(line, 0);
    for (size_t i = 0; i < EXPECTS && c->expects[i].path; i++)
        expect(doc, &c->expects[i]);
    cJSON_Delete(doc);
    assert_int_equal(remove_folder(folder), 0);
}

/* 15 000 IOPS and 20 % more, whatever the shape. */
static void plan_of_the_busiest(void **state)
{
    (void)state;
    char line[200];
    snprintf(folder, sizeof folder, "/tmp/volplan_demand_XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(db, sizeof db, "%s/v.db", folder);
    one_hot_volume_moving();
    snprintf(line, sizeof line, "plan --db %s", db);
    cJSON *doc = run_json(line, 0);
    double count = find(doc, "groups.0.chosen.count")->valuedouble;
    double iops = find(doc, "groups.0.chosen.iops")->valuedouble;
    assert_true(count * iops >= 1.2 * 3 * 5000);
    /* ceil(IOPS / 1 000) in flight on each, 14.4 minutes of a day of each gp3 */
    assert_true(find(doc, "groups.0.queue_depth")->valuedouble == ceil(iops / 1000));
    assert_true(fabs(find(doc, "groups.0.short_each_day_s")->valuedouble - 864) < 1e-6);
    assert_non_null(strstr(find(doc, "notes.1.text")->valuestring, "14.4 minutes, times"));
    cJSON_Delete(doc);
    assert_int_equal(remove_folder(folder), 0);
}

int main(void)
{
    enum { N = sizeof cases / sizeof *cases };
    struct CMUnitTest t[N + 1];
    for (size_t i = 0; i < N; i++)
        t[i] = (struct CMUnitTest){ cases[i].why, accept, NULL, NULL, (void *)(size_t)&cases[i] };
    t[N] = (struct CMUnitTest)cmocka_unit_test(plan_of_the_busiest);
    return cmocka_run_group_tests(t, cli_start, cli_stop);
}
