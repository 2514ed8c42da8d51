/* tests/cli/test_replay_acceptance.c - the figures that replay was ordered with, through the
 * command.
 *
 * Each row writes an iostat recording and a layout, loads them and replays; expected values are
 * closed forms, shown beside them, and verdicts of published incidents.  The engine's own tests
 * (tests/planner/replay) work the same ones out in more detail. */
#include "models/core/timestamp.h"
#include "tests/cli/json_expect.h"
#include "tests/cli/site.h"

#include <unistd.h>

#define N_OF(a) (sizeof(a) / sizeof *(a))

enum { EXPECTS = 10, LOADS = 4 };

#define RDS "tests/cli/fixtures/facts_rds"
#define K01 "tests/cli/fixtures/facts_k01"

/* n samples on each device. */
struct load {
    int n;
    double read_mibps, write_mibps, iops; /* iops: of both, by the share of MiB/s */
};

static const struct replay_case {
    const char *why, *day;
    int interval_s;
    struct load loads[LOADS];
    int n_devices;        /* each is a group: D1, D2 ... */
    const char *volumes;  /* today's, of each group */
    const char *instance; /* NULL = not known */
    const char *line;     /* the store is added */
    const char *facts;    /* of an RDS instance, or of a host that nobody sells; NULL = built in */
    int status;
    struct expect expects[EXPECTS];
} cases[] = {
    /* --- closed forms ---------------------------------------------------------------------- */
    /* 5 400 000 / (3 000 - 300) = 2 000 s, then 300 IOPS of 16 KiB = 4.6875 MiB/s */
    { "gp2 of 100 GiB at 3 000 IOPS: 2 000 s, then 300",
      "2026-06-01",
      1000,
      { { 3, 46.875, 0, 3000 } },
      1,
      "{\"type\":\"gp3\",\"count\":1,\"size_gib\":100,\"iops\":3000,\"throughput_mibps\":125}",
      NULL,
      "replay --group D1=gp2:100 --verbose",
      NULL,
      1,
      { TEXT("groups.0.first_throttled", "2026-06-01T00:33:20Z"),
        TEXT("groups.0.bucket.empty_at", "2026-06-01T00:33:20Z"),
        NEAR("groups.0.binding.volume_credits", 1000, 0.01),
        NEAR("intervals.1.groups.0.served_mibps", 46.875, 1e-3),
        NEAR("intervals.2.groups.0.served_mibps", 4.6875, 1e-3),
        TEXT("intervals.2.groups.0.binding", "volume_credits"),
        NEAR("groups.0.worst_backlog_mib", 42.1875 * 1000, 1), TEXT("throttled", "true") } },
    /* 5 400 000 / (600 - 100) = 10 800 s */
    { "gp2 of 30 GiB at 600 IOPS: 10 800 s",
      "2026-06-01",
      3600,
      { { 4, 9.375, 0, 600 } },
      1,
      "{\"type\":\"gp3\",\"count\":1,\"size_gib\":30,\"iops\":3000,\"throughput_mibps\":125}",
      NULL,
      "replay --group D1=gp2:30",
      NULL,
      1,
      { TEXT("groups.0.first_throttled", "2026-06-01T03:00:00Z"),
        NEAR("groups.0.throttled_s", 3600, 0.01), NEAR("groups.0.bucket.lowest", 0, 1e-6) } },
    /* 200 MB/s = 190.7349 MiB/s.  30 minutes above 81.25; or a bucket of (1 250 - 81.25) * 1 800
     * MB that 200 - 81.25 drain in 17 715.8 s, 4 h 55 min.  Served: 200 * 1 800 + 81.25 * 84 600
     * MB = 6 898 617 MiB. */
    { "r6i.large at 200 MB/s all day: 30 minutes, or 4 h 55 min; the lower counts, then 81.25",
      "2026-06-01",
      900,
      { { 96, 190.734863, 0, 800 } },
      1,
      "{\"type\":\"gp3\",\"count\":1,\"size_gib\":100,\"iops\":3000,\"throughput_mibps\":250}",
      "r5.8xlarge",
      "replay --instance r6i.large --verbose",
      NULL,
      1,
      { TEXT("groups.0.first_throttled", "2026-06-01T00:30:00Z"),
        TEXT("instance.bucket.empty_at", "2026-06-01T00:30:00Z"),
        NEAR("instance.binding.instance_baseline_throughput", 86400 - 1800, 0.1),
        NEAR("instance.burst_credits.throttled_s", 86400 - 17715.8, 1),
        NEAR("instance.served_mib", (200 * 1800 + 81.25 * 84600) / 1.048576, 30),
        NEAR("intervals.95.instance.served_mibps", 81.25 / 1.048576, 1e-3),
        NEAR("intervals.1.instance.served_mibps", 190.7349, 0.01),
        TEXT("instance.type", "r6i.large") } },
    /* 1 TiB of credit, none earned meanwhile: 1 048 576 MiB / 250 = 4 194.304 s, then 40 */
    { "st1 of 1 TiB at 250 MiB/s: 4 194 s, then 40",
      "2026-06-01",
      1000,
      { { 6, 250, 0, 250 } },
      1,
      "{\"type\":\"gp3\",\"count\":1,\"size_gib\":1024,\"iops\":3000,\"throughput_mibps\":250}",
      NULL,
      "replay --group D1=st1:1TiB --verbose",
      NULL,
      1,
      { TEXT("groups.0.first_throttled", "2026-06-01T01:09:54.304Z"),
        NEAR("groups.0.throttled_s", 6000 - 4194.304, 0.01),
        NEAR("intervals.3.groups.0.served_mibps", 250, 1e-3),
        NEAR("intervals.5.groups.0.served_mibps", 40, 1e-3),
        NEAR("groups.0.served_mib", 1048576 + 40 * (6000 - 4194.304), 1) } },

    /* --- published incidents ------------------------------------------------------------------ */
    /* Three groups of 400 MB/s each, on a host of 800: the plateau.  As recorded: flat at 800, and
     * a sample of 1 600, set apart. */
    { "K01: all disks flat at the host's 800 MB/s, one sample of 1 600 is none",
      "2025-06-01",
      60,
      { { 60, 50, 0, 200 }, { 14, 254.313, 0, 1100 }, { 1, 508.626, 0, 2200 }, { 60, 50, 0, 200 } },
      3,
      "{\"type\":\"io2\",\"count\":1,\"size_gib\":500,\"iops\":5000,\"throughput_mibps\":null}",
      "db-host",
      "replay --as-of 2025-06-01",
      K01,
      0,
      { TEXT("instance.reproduces", "true"),
        NEAR("instance.measured.max_mibps", 800 / 1.048576, 0.01),
        NEAR("instance.measured.ceiling_mibps", 800 / 1.048576, 0.01),
        NEAR("instance.measured.at_ceiling_s", 14 * 60, 1e-6),
        NEAR("instance.measured.set_apart_s", 60, 1e-6), TEXT("throttled", "false"),
        NEAR("groups.0.measured.at_ceiling_s", 0, 0) } },
    { "K01: what the groups ask for together is more than the host",
      "2025-06-01",
      60,
      { { 10, 254.313 * 1.05, 0, 1100 } },
      3,
      "{\"type\":\"io2\",\"count\":1,\"size_gib\":500,\"iops\":5000,\"throughput_mibps\":null}",
      "db-host",
      "replay --as-of 2025-06-01",
      K01,
      1,
      { NEAR("instance.binding.instance_throughput", 600, 1e-3),
        NEAR("instance.backlog_mib", 0.05 * 800 / 1.048576 * 600, 10),
        NEAR("groups.2.binding.instance_throughput", 600, 1e-3) } },
    /* 416.7 requests/s of the guest move 500 MiB/s: 8 % of the IOPS, all of the throughput */
    { "K02: io2 of 5 000 IOPS is flat at 500 MiB/s for 14 minutes, and the model says so",
      "2022-06-01",
      60,
      { { 60, 20, 0, 80 }, { 14, 382, 118, 416.7 }, { 60, 20, 0, 80 } },
      1,
      "{\"type\":\"io2\",\"count\":1,\"size_gib\":500,\"iops\":5000,\"throughput_mibps\":null,"
      "\"since\":\"2022-03-01\"}",
      NULL,
      "replay --as-of 2022-06-01",
      NULL,
      0,
      { TEXT("groups.0.reproduces", "true"), NEAR("groups.0.measured.ceiling_mibps", 500, 1e-9),
        NEAR("groups.0.measured.max_mibps", 500, 0.01),
        NEAR("groups.0.measured.max_iops", 2000, 0.1), /* of 256 KiB, as EBS counts */
        NEAR("groups.0.measured.ceiling_iops", 5000, 0),
        NEAR("groups.0.measured.at_ceiling_s", 14 * 60, 1e-6),
        TEXT("groups.0.reason", "500 MiB/s at most where 500 are allowed, at a ceiling for 14 min "
                                "of 2 h 14 min") } },
    { "K02: throughput binds; 32 000 IOPS change nothing",
      "2022-06-01",
      60,
      { { 14, 600, 100, 583 } },
      1,
      "{\"type\":\"io2\",\"count\":2,\"size_gib\":250,\"iops\":5000,\"throughput_mibps\":null}",
      NULL,
      "replay --as-of 2022-06-01 --group D1=io2:640:32000",
      NULL,
      1,
      { NEAR("groups.0.binding.volume_throughput", 840, 1e-3),
        NEAR("groups.0.throughput_utilisation_pct", 100, 1e-3),
        NEAR("groups.0.served_mib", 500 * 840, 1) } },
    { "K02: 64 000 IOPS do",
      "2022-06-01",
      60,
      { { 14, 600, 100, 583 } },
      1,
      "{\"type\":\"io2\",\"count\":2,\"size_gib\":250,\"iops\":5000,\"throughput_mibps\":null}",
      NULL,
      "replay --as-of 2022-06-01 --group D1=io2:1280:64000",
      NULL,
      0,
      { NEAR("groups.0.throttled_s", 0, 0) } },
    { "K20: 70 read and 90 written share gp3's 125 MiB/s",
      "2023-07-26",
      60,
      { { 10, 70, 90, 640 } },
      1,
      "{\"type\":\"gp3\",\"count\":1,\"size_gib\":500,\"iops\":3000,\"throughput_mibps\":250}",
      NULL,
      "replay --as-of 2023-07-26 --group D1=gp3:500",
      NULL,
      1,
      { NEAR("groups.0.binding.volume_throughput", 600, 1e-3),
        NEAR("groups.0.served_mib", 125 * 600, 0.1) } },
    { "K20: 250 carry both",
      "2023-07-26",
      60,
      { { 10, 70, 90, 640 } },
      1,
      "{\"type\":\"gp3\",\"count\":1,\"size_gib\":500,\"iops\":3000,\"throughput_mibps\":250}",
      NULL,
      "replay --as-of 2023-07-26",
      NULL,
      0,
      { NEAR("groups.0.throttled_s", 0, 0) } },
    /* base 3 * 35 = 105; 5 400 000 / (1 500 - 105) = 3 870.97 s; gp3 has no bucket */
    { "K25: gp2 of 35 GiB is empty after 3 871 s at 1 500 IOPS, then 105",
      "2023-10-01",
      1800,
      { { 4, 5.859375, 0, 1500 } },
      1,
      "{\"type\":\"gp3\",\"count\":1,\"size_gib\":35,\"iops\":3000,\"throughput_mibps\":125}",
      NULL,
      "replay --as-of 2023-10-01 --group D1=gp2:35 --verbose",
      NULL,
      1,
      { NEAR("groups.0.binding.volume_credits", 7200 - 5400000.0 / 1395, 0.1),
        NEAR("intervals.3.groups.0.served_mibps", 105 * 4 / 1024.0, 1e-3) } },
    { "K25: gp3 of 35 GiB carries it",
      "2023-10-01",
      1800,
      { { 4, 5.859375, 0, 1500 } },
      1,
      "{\"type\":\"gp3\",\"count\":1,\"size_gib\":35,\"iops\":3000,\"throughput_mibps\":125}",
      NULL,
      "replay --as-of 2023-10-01",
      NULL,
      0,
      { TEXT("groups.0.bucket", "null") } },
    { "K27: RDS on gp2 of 100 GiB: 2 000 s, then 300 IOPS",
      "2019-01-22",
      1000,
      { { 3, 46.875, 0, 3000 } },
      1,
      "{\"type\":\"gp2\",\"count\":1,\"size_gib\":1000,\"iops\":null,\"throughput_mibps\":null}",
      NULL,
      "replay --as-of 2019-01-22 --group D1=gp2:100 --verbose",
      RDS,
      1,
      { TEXT("groups.0.bucket.empty_at", "2019-01-22T00:33:20Z"),
        NEAR("intervals.2.groups.0.served_mibps", 300 * 16 / 1024.0, 1e-3) } },
    { "K29: flat at 100 IOPS is the least baseline of gp2, and said so",
      "2019-01-01",
      60,
      { { 1440, 0, 1.5625, 100 } },
      1,
      "{\"type\":\"gp2\",\"count\":1,\"size_gib\":20,\"iops\":null,\"throughput_mibps\":null}",
      NULL,
      "replay --as-of 2019-01-01",
      RDS,
      0,
      { NEAR("groups.0.measured.baseline_iops", 100, 0),
        NEAR("groups.0.measured.at_baseline_s", 86400, 1e-6), TEXT("groups.0.reproduces", "true"),
        TEXT("groups.0.reason",
             "flat at 100 IOPS, the baseline of its volumes, for 24 h 0 min of 24 h 0 min: credits "
             "were used up before, while the replay starts with all of them") } },
    /* 4 000 of 64 KiB are 262.1 MB/s: above 260.625 in the burst, 43.375 after it, which are 662
     * requests, below the baseline of 2 000: bytes are used up, I/O is not */
    { "K32: db.t3.medium runs out of bytes after 30 minutes, not of I/O",
      "2024-01-01",
      60,
      { { 120, 250, 0, 4000 } },
      1,
      "{\"type\":\"gp2\",\"count\":4,\"size_gib\":150,\"iops\":null,\"throughput_mibps\":null}",
      "db.m5.4xlarge",
      "replay --as-of 2024-01-01 --instance db.t3.medium --verbose",
      RDS,
      1,
      { TEXT("instance.bucket.empty_at", "2024-01-01T00:30:00Z"),
        NEAR("instance.binding.instance_throughput", 1800, 0.1),
        NEAR("instance.binding.instance_baseline_throughput", 5400, 0.1),
        NEAR("intervals.0.instance.served_mibps", 260.625 / 1.048576, 1e-3),
        NEAR("intervals.119.instance.served_mibps", 43.375 / 1.048576, 1e-3),
        TEXT("intervals.119.instance.binding", "instance_baseline_throughput") } },
    /* 125 / 300 = 41.7 % */
    { "K37: the standby's volumes serve 42 % of what the primary's carry",
      "2025-06-01",
      60,
      { { 60, 150, 150, 1200 } },
      1,
      "{\"type\":\"gp3\",\"count\":1,\"size_gib\":500,\"iops\":9000,\"throughput_mibps\":300}",
      NULL,
      "replay --as-of 2025-06-01 --group D1=gp3:500:3000:125",
      NULL,
      1,
      { NEAR("groups.0.asked_mib", 300 * 3600, 1), NEAR("groups.0.served_mib", 125 * 3600, 1),
        NEAR("groups.0.binding.volume_throughput", 3600, 1e-3) } },
    /* 700 MiB/s on what passes 500 cannot have been measured there */
    { "a layout that does not say what was there is found out",
      "2022-06-01",
      60,
      { { 30, 540, 0, 2160 } },
      1,
      "{\"type\":\"io2\",\"count\":1,\"size_gib\":500,\"iops\":5000,\"throughput_mibps\":null}",
      NULL,
      "replay --as-of 2022-06-01",
      NULL,
      1,
      { TEXT("groups.0.reproduces", "false"), NEAR("groups.0.measured.above_s", 1800, 1e-6) } },
};

/* --- a recording ------------------------------------------------------------------------------ */

/* One report of `iostat -xkt` with ISO times; the first of a file counts since boot. */
static void write_report(FILE *f, const char *day, long at_s, int n_devices, const struct load *l)
{
    char stamp[32];
    int64_t day_ms;
    struct span text = span_of(day);
    assert_int_equal(time_parse_date(&text, &day_ms), 0);
    time_format_iso(stamp, day_ms + at_s * 1000);
    fprintf(f, "%.19s+0000\nDevice            r/s     w/s     rkB/s     wkB/s   %%util\n", stamp);
    double total = l->read_mibps + l->write_mibps;
    double reads = total > 0 ? l->iops * l->read_mibps / total : 0;
    for (int i = 1; i <= n_devices; i++)
        fprintf(f, "nvme%dn1 %.4f %.4f %.6f %.6f 50.00\n", i, reads, l->iops - reads,
                l->read_mibps * 1024, l->write_mibps * 1024);
    fprintf(f, "\n");
}

static FILE *begin_recording(const struct site *s, const char *day, int n_devices)
{
    static const struct load none = { 1, 1, 1, 10 };
    FILE *f = site_file(s->iostat);
    fprintf(f, "Linux 5.10.0 (db1) \t%s \t_x86_64_\t(8 CPU)\n\n", day);
    write_report(f, day, 0, n_devices, &none);
    return f;
}

static void write_layout(const struct site *s, int n_devices, const char *volumes,
                         const char *instance)
{
    FILE *f = site_file(s->layout);
    fprintf(f, "{\"system\":\"DB1\",");
    if (instance)
        fprintf(f, "\"instance_type\":\"%s\",", instance);
    fprintf(f, "\"groups\":[");
    for (int i = 1; i <= n_devices; i++)
        fprintf(f,
                "%s{\"name\":\"D%d\",\"role\":\"data\",\"devices\":[\"nvme%dn1\"],"
                "\"need_gib\":100,\"volumes\":[%s]}",
                i > 1 ? "," : "", i, i, volumes);
    fprintf(f, "]}\n");
    assert_int_equal(fclose(f), 0);
}

static void load_site(const struct site *s, const char *facts)
{
    char words[200];
    site_run(s, "ingest --system DB1", s->iostat);
    snprintf(words, sizeof words, "%s%s", s->layout, facts);
    site_run(s, "layout --set", words);
}

static void replayed(void **state)
{
    const struct replay_case *c = *state;
    struct site s;
    char line[400], facts[100] = "";
    long at_s = 0;
    site_make(&s);
    if (c->facts)
        snprintf(facts, sizeof facts, " --facts %s", c->facts);
    FILE *f = begin_recording(&s, c->day, c->n_devices);
    for (size_t i = 0; i < LOADS; i++)
        for (int k = 0; k < c->loads[i].n; k++)
            write_report(f, c->day, at_s += c->interval_s, c->n_devices, &c->loads[i]);
    assert_int_equal(fclose(f), 0);
    write_layout(&s, c->n_devices, c->volumes, c->instance);
    load_site(&s, facts);
    snprintf(line, sizeof line, "%s --db %s%s", c->line, s.db, facts);
    cJSON *doc = run_json(line, c->status);
    for (size_t i = 0; i < EXPECTS && c->expects[i].path; i++)
        expect(doc, &c->expects[i]);
    cJSON_Delete(doc);
    site_remove(&s);
}

/* --- the danger of averages ------------------------------------------------------------------- */

/* A host of 250 MB/s.  By hand, in MB:
 *   08:19  318.5: 60 s held, 68.5 * 60 = 4 110 wait
 *   08:20  258.5: 60 s held, 8.5 * 60 = 510 more, 4 620 wait
 *   08:21  183.6: 60 s held, 66.4 * 60 = 3 984 drained, 636 wait
 *   08:22   24.8: drained at 225.2: 636 / 225.2 = 2.82 s held
 *   08:48  413.1: 60 s held, 163.1 * 60 = 9 786 wait
 *   08:49    0.1: drained at 249.9: 9 786 / 249.9 = 39.16 s held
 * 281.98 s in all; above the ceiling alone in 3 minutes of 46. */
static void minutes_behind_an_average(void **state)
{
    (void)state;
    static const struct expect expects[] = {
        NEAR("instance.over_s", 3 * 60, 1e-6),
        NEAR("groups.0.throttled_s", 180 + 636 / 225.2 + 60 + 9786 / 249.9, 0.05),
        NEAR("instance.binding.instance_throughput", 282, 0.1),
        NEAR("groups.0.worst_backlog_mib", 9786 / 1.048576, 0.1),
        NEAR("groups.0.worst_delay_ms", 39144, 1),
        TEXT("groups.0.first_throttled", "2010-09-14T08:19:00Z"),
        NEAR("groups.0.replayed_s", 46 * 60, 1e-6),
        NEAR("instance.measured.max_mibps", 413.1 / 1.048576, 1e-3),
    };
    struct site s;
    char line[256];
    long at_s = 8 * 3600 + 14 * 60;
    site_make(&s);
    FILE *in = fopen("tests/vectors/minutes_behind_an_average.csv", "r");
    FILE *f = fopen(s.iostat, "w");
    struct load none = { 1, 1, 1, 10 };
    assert_non_null(in);
    assert_non_null(f);
    fprintf(f, "Linux 5.10.0 (db1) \t2010-09-14 \t_x86_64_\t(8 CPU)\n\n");
    write_report(f, "2010-09-14", at_s, 1, &none);
    while (fgets(line, sizeof line, in)) {
        const char *comma = strchr(line, ',');
        if (line[0] != '2' || !comma)
            continue;
        double mibps = strtod(comma + 1, NULL) / 1.048576;
        write_report(f, "2010-09-14", at_s += 60, 1, &(struct load){ 1, mibps, 0, mibps * 4 });
    }
    fclose(in);
    assert_int_equal(fclose(f), 0);
    write_layout(&s, 1, "", NULL);
    load_site(&s, "");
    snprintf(line, sizeof line,
             "replay --as-of 2026-06-01 --group D1=gp3:500:4000:1000 --instance m4.4xlarge --db %s",
             s.db);
    cJSON *doc = run_json(line, 1);
    for (size_t i = 0; i < N_OF(expects); i++)
        expect(doc, &expects[i]);
    cJSON_Delete(doc);
    site_remove(&s);
}

/* The same 45 minutes as one average of 30.177 MB/s: nothing waits, nothing is known of what does;
 * the peak is a range of 3 to 20 times that, 86.3 to 575.6 MiB/s, assumed, and holds the truth,
 * 413.1 MB/s = 393.96 MiB/s. */
static void the_average_alone(void **state)
{
    (void)state;
    static const struct expect planned[] = {
        TEXT("groups.0.demand.grade", "assumed"),
        NEAR("groups.0.demand.low", 3 * 30.177 / 1.048576, 1e-3),
        NEAR("groups.0.demand.high", 20 * 30.177 / 1.048576, 1e-3),
    };
    static const struct expect replayed_average[] = {
        TEXT("throttled", "false"),
        TEXT("groups.0.reproduces", "null"),
        NEAR("groups.0.measured.averaged_s", 2700, 1e-6),
    };
    const double truth_mibps = 413.1 / 1.048576;
    struct site s;
    char line[256];
    double mibps = 30.177 / 1.048576;
    site_make(&s);
    FILE *f = begin_recording(&s, "2026-06-01", 1);
    write_report(f, "2026-06-01", 2700, 1, &(struct load){ 1, mibps, 0, mibps * 4 });
    assert_int_equal(fclose(f), 0);
    write_layout(&s, 1,
                 "{\"type\":\"gp3\",\"count\":1,\"size_gib\":500,\"iops\":4000,"
                 "\"throughput_mibps\":1000}",
                 "m4.4xlarge");
    load_site(&s, "");
    snprintf(line, sizeof line, "plan --db %s", s.db);
    cJSON *doc = run_json(line, 0);
    for (size_t i = 0; i < N_OF(planned); i++)
        expect(doc, &planned[i]);
    assert_true(find(doc, "groups.0.demand.low")->valuedouble <= truth_mibps);
    assert_true(find(doc, "groups.0.demand.high")->valuedouble >= truth_mibps);
    cJSON_Delete(doc);
    snprintf(line, sizeof line, "replay --db %s", s.db);
    doc = run_json(line, 0);
    for (size_t i = 0; i < N_OF(replayed_average); i++)
        expect(doc, &replayed_average[i]);
    cJSON_Delete(doc);
    site_remove(&s);
}

/* --- through a plan --------------------------------------------------------------------------- */

/* What plan wrote is read back and carries what it was made for; plan tells how long today's
 * volumes make it wait: 160 MiB/s on 150 for 10 minutes, then 10 * 600 MiB drained at 150 - 50. */
static void a_plan_carries_what_it_was_made_for(void **state)
{
    (void)state;
    static const struct expect today = NEAR("groups.0.today.throttled_s", 600 + 6000 / 100.0, 0.01);
    struct site s;
    char line[400], path[100];
    static const struct load busy = { 1, 70, 90, 640 }, idle = { 1, 50, 0, 200 };
    site_make(&s);
    FILE *f = begin_recording(&s, "2026-06-01", 1);
    for (long k = 1; k <= 30; k++)
        write_report(f, "2026-06-01", k * 60, 1, k <= 10 ? &busy : &idle);
    assert_int_equal(fclose(f), 0);
    /* up to 1.1 times what they pass: more would be set apart as artefacts */
    write_layout(&s, 1,
                 "{\"type\":\"gp3\",\"count\":1,\"size_gib\":500,\"iops\":3000,"
                 "\"throughput_mibps\":150}",
                 "m5.4xlarge");
    load_site(&s, "");
    snprintf(line, sizeof line, "plan --db %s --headroom 0", s.db);
    cJSON *doc = run_json(line, 0);
    expect(doc, &today);
    char *text = cJSON_Print(doc);
    snprintf(path, sizeof path, "%s/plan.json", s.folder);
    f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
    cJSON_free(text);
    cJSON_Delete(doc);
    snprintf(line, sizeof line, "replay --db %s --plan %s", s.db, path);
    doc = run_json(line, 0);
    cJSON_Delete(doc);
    site_remove(&s);
}

int main(void)
{
    struct CMUnitTest t[N_OF(cases) + 3];
    size_t n = 0;
    for (; n < N_OF(cases); n++)
        t[n] = (struct CMUnitTest){ cases[n].why, replayed, NULL, NULL, (void *)(size_t)&cases[n] };
    t[n++] = (struct CMUnitTest)cmocka_unit_test(minutes_behind_an_average);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(the_average_alone);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(a_plan_carries_what_it_was_made_for);
    return cmocka_run_group_tests_name("replay acceptance", t, cli_start, cli_stop);
}
