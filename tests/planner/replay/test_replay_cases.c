/* tests/planner/replay/test_replay_cases.c - incidents that were published, replayed.
 *
 * The figures are those of cases/cases.csv, by id; where the design papers lie beside the tree
 * the test looks them up there.  Each is replayed under the rules of its day. */
#include "tests/planner/replay/replay_fixture.h"

#define CASES "../shared/cases/cases.csv"

/* The row of a case holds the words; says so where the file is not there. */
static void case_says(const char *id, const char *words)
{
    static char line[8192];
    FILE *f = fopen(CASES, "r");
    if (!f) {
        printf("not run: look %s up in %s, which is not there\n", id, CASES);
        return;
    }
    bool found = false, id_found = false;
    while (!found && fgets(line, sizeof line, f)) {
        bool is_row = strncmp(line, id, strlen(id)) == 0;
        id_found |= is_row;
        found = is_row && strstr(line, words);
    }
    fclose(f);
    if (!id_found || !found)
        fail_msg("%s does not say %s", id, words);
}

static struct replay_instance flat_instance(double mb_s)
{
    return (struct replay_instance){ .baseline_mibps = mb_s / MB_PER_MIB,
                                     .max_mibps = mb_s / MB_PER_MIB,
                                     .baseline_iops = NAN,
                                     .max_iops = NAN };
}

static void k01_instance_cap_at_go_live(void **state)
{
    (void)state;
    case_says("K01", "\"\"plateau_MBps\"\": 800");
    case_says("K01", "\"\"awr_avg_MiBps\"\": 149.525");
    case_says("K01", "\"\"artifact_peak_MBps\"\": 1600");
    /* The average is 156.8 MB/s, 19.6 % of 800, and shows nothing. */
    struct fixture f;
    fixture_init(&f, 1);
    f.instance = flat_instance(800);
    fixture_add(&f, 10800, 149.525, 600);
    fixture_run(&f);
    assert_near(f.host.throttled_s, 0);
    assert_near(f.host.throughput_utilisation_pct, 149.525 * MB_PER_MIB / 8);

    /* Groups of 400, 300 and 200 MB/s fit alone, not together; the instance is flat at 800, also
     * in the minute that was recorded as 1 600. */
    double served[3];
    struct replay_trace t = { .served_mibps = served };
    fixture_init(&f, 3);
    f.instance = flat_instance(800);
    fixture_add(&f, 60, 400 / MB_PER_MIB, 0);
    fixture_add(&f, 60, 1100 / MB_PER_MIB, 0);
    fixture_add(&f, 60, 400 / MB_PER_MIB, 0);
    for (size_t i = 0; i < 3; i++) {
        f.mibps[1][i] = 300 / MB_PER_MIB;
        f.mibps[2][i] = 200 / MB_PER_MIB;
    }
    fixture_run_traced(&f, NULL, &t);
    for (size_t i = 0; i < 3; i++)
        assert_near(served[i] * MB_PER_MIB, 800);
    assert_near(f.host.throttled_s, 180);
    assert_near(f.host.binding_s[REPLAY_INSTANCE_THROUGHPUT], 180);
    assert_near(f.host.backlog_mib * MB_PER_MIB, 100 * 60 + 800 * 60 + 100 * 60);
}

static void k02_redo_volume_of_5_000_iops(void **state)
{
    (void)state;
    case_says("K02", "\"\"iops_obs_per_s\"\": 416.7, \"\"iops_prov\"\": 5000, \"\"minutes\"\": 14, "
                     "\"\"plateau_MiBps\"\": 500");
    /* 700 MiB/s asked for over 14 minutes: flat at 500, 416.7 requests of the guest a second, in
     * EBS's count 2 000: the throughput binds, 8 % of the IOPS are used (40 % as EBS counts). */
    double served[14];
    unsigned char binding[14];
    struct replay_trace t = { .served_mibps = served, .binding = binding };
    struct fixture f;
    fixture_init(&f, 1);
    f.groups[0] = fixture_volumes("2022-06-01", VOL_IO2, 1, 500, 5000, UNKNOWN, 1);
    for (size_t i = 0; i < 14; i++)
        fixture_add(&f, 60, 700, 416.7 * 700 / 500);
    fixture_run_traced(&f, &t, NULL);
    for (size_t i = 0; i < 14; i++) {
        assert_near(served[i], 500);
        assert_int_equal(binding[i], REPLAY_VOLUME_THROUGHPUT);
    }
    assert_near(f.group[0].throughput_utilisation_pct, 100);
    assert_near(f.group[0].iops_utilisation_pct, 40);
    assert_near(f.group[0].throttled_s, 14 * 60);

    /* More IOPS do not help up to 32 000; 64 000, or a second volume of 5 000, do. */
    f.groups[0] = fixture_volumes("2022-06-01", VOL_IO2, 1, 500, 32000, UNKNOWN, 1);
    fixture_run(&f);
    assert_near(f.group[0].throttled_s, 14 * 60);
    f.groups[0] = fixture_volumes("2022-06-01", VOL_IO2, 1, 500, 64000, UNKNOWN, 1);
    fixture_run(&f);
    assert_near(f.group[0].throttled_s, 0);
    f.groups[0] = fixture_volumes("2022-06-01", VOL_IO2, 2, 250, 5000, UNKNOWN, 1);
    fixture_run(&f);
    assert_near(f.group[0].throttled_s, 0);
}

static void k08_one_hot_volume(void **state)
{
    (void)state;
    case_says("K08", "\"\"max_volume_ops\"\": 5000");
    /* Eight volumes of 5 000 IOPS; seven get 700 a second and one is asked for 6 000: 10 900 in
     * all are 27 % of 40 000.  Skew is the hottest over the mean, 6 000 / 1 362.5; that volume is
     * served 5 000. */
    double mean = (6000 + 7 * 700) / 8.0, skew = 6000 / mean;
    struct fixture f;
    fixture_init(&f, 1);
    f.groups[0] = fixture_volumes("2025-06-01", VOL_GP3, 8, 100, 5000, 125, 1);
    fixture_add(&f, 300, 8 * mean * 7.07 / 1024, 8 * mean);
    fixture_run(&f);
    assert_near(f.group[0].throttled_s, 0);
    assert_near(f.group[0].iops_utilisation_pct, 10900 / 400.0);
    f.groups[0] = fixture_volumes("2025-06-01", VOL_GP3, 8, 100, 5000, 125, skew);
    fixture_run(&f);
    assert_near(f.group[0].throttled_s, 300);
    assert_near(f.group[0].binding_s[REPLAY_VOLUME_IOPS], 300);
    assert_near(f.group[0].served_requests / 300 / 8 * skew, 5000);
}

/* 2010-09-14T08:14,0.7 */
static void read_minutes(struct fixture *f)
{
    char line[256];
    FILE *in = fopen("tests/vectors/minutes_behind_an_average.csv", "r");
    assert_non_null(in);
    while (fgets(line, sizeof line, in)) {
        const char *comma = strchr(line, ',');
        if (line[0] == '2' && comma)
            fixture_add(f, 60, strtod(comma + 1, NULL) / MB_PER_MIB, NAN);
    }
    fclose(in);
}

static void k14_the_danger_of_averages(void **state)
{
    (void)state;
    case_says("K14", "\"\"avg\"\": 30.177, \"\"max\"\": 413.1");
    case_says("K14", "fails 3 of 46 minutes");
    /* A volume of 250 MB/s.  By hand, in MB:
     *   08:19  318.5: 60 s held, 68.5 * 60 = 4 110 wait
     *   08:20  258.5: 60 s held, 8.5 * 60 = 510 more, 4 620 wait
     *   08:21  183.6: 60 s held, 66.4 * 60 = 3 984 drained, 636 wait
     *   08:22   24.8: drained at 225.2: 636 / 225.2 = 2.82 s held
     *   08:47  156.9: not held
     *   08:48  413.1: 60 s held, 163.1 * 60 = 9 786 wait
     *   08:49    0.1: drained at 249.9: 9 786 / 249.9 = 39.16 s held
     * 281.98 s in all.  Above the ceiling alone: 3 minutes. */
    double held_s = 180 + 636 / 225.2 + 60 + 9786 / 249.9;
    struct fixture f;
    fixture_init(&f, 1);
    f.groups[0] = replay_group_unknown();
    f.groups[0].max_throughput_mibps = 250 / MB_PER_MIB;
    read_minutes(&f);
    assert_int_equal(f.n, 46);
    double peak_mb_s = 0, sum_mb_s = 0;
    for (size_t i = 0; i < f.n; i++) {
        peak_mb_s = fmax(peak_mb_s, f.mibps[0][i] * MB_PER_MIB);
        sum_mb_s += i ? f.mibps[0][i] * MB_PER_MIB : 0; /* the report begins at 08:15 */
    }
    assert_near(peak_mb_s, 413.1);
    assert_true(fabs(sum_mb_s / 45 / 30.177 - 1) < 0.005); /* the minutes do not begin at :00 */
    fixture_run(&f);
    assert_near(f.group[0].over_s, 3 * 60);
    assert_near(f.group[0].throttled_s, held_s);
    assert_int_equal(lround(f.group[0].throttled_s), 282);
    assert_near(f.group[0].worst_backlog_mib * MB_PER_MIB, 9786);
    assert_near(f.group[0].first_throttled_s, 5 * 60);
    /* The last of 08:48 is served 24 786 / 250 = 99.144 s after its beginning. */
    assert_near(f.group[0].worst_delay_ms, 39144);

    /* The average of the report over as long shows nothing. */
    fixture_init(&f, 1);
    f.groups[0].max_throughput_mibps = 250 / MB_PER_MIB;
    fixture_add(&f, 45 * 60, 30.177 / MB_PER_MIB, NAN);
    fixture_run(&f);
    assert_near(f.group[0].throttled_s, 0);
    assert_near(f.group[0].throughput_utilisation_pct, 30.177 / 2.5);
}

static void k20_reads_and_writes_share_one_cap(void **state)
{
    (void)state;
    case_says("K20", "\"\"cap\"\": 125, \"\"new\"\": 250");
    /* 70 MiB/s read while 90 are written: each alone fits 125. */
    struct fixture f;
    fixture_init(&f, 1);
    f.groups[0] = fixture_volumes("2023-07-26", VOL_GP3, 1, 500, 3000, 125, 1);
    fixture_add(&f, 600, 70 + 90, 640);
    fixture_run(&f);
    assert_near(f.group[0].throttled_s, 600);
    assert_near(f.group[0].served_mib, 125 * 600);
    f.groups[0] = fixture_volumes("2023-07-26", VOL_GP3, 1, 500, 3000, 250, 1);
    fixture_run(&f);
    assert_near(f.group[0].throttled_s, 0);
}

static void k25_gp2_of_35_gib(void **state)
{
    (void)state;
    case_says("K25", "\"\"GiB\"\": 35, \"\"base_iops\"\": 105");
    /* A runner at 1 500 IOPS: 5 400 000 / (1 500 - 105) = 3 871 s, then 105.  gp3 carries it. */
    struct fixture f;
    fixture_init(&f, 1);
    f.groups[0] = fixture_volumes("2023-10-01", VOL_GP2, 1, 35, UNKNOWN, UNKNOWN, 1);
    assert_near(f.groups[0].earn_iops, 105);
    fixture_add(&f, 7200, 5.859375, 1500);
    fixture_run(&f);
    assert_near(f.group[0].first_throttled_s, 5400000.0 / 1395);
    assert_near(f.group[0].binding_s[REPLAY_VOLUME_CREDITS], 7200 - 5400000.0 / 1395);
    assert_near(f.group[0].served_requests,
                1500 * 5400000.0 / 1395 + 105 * (7200 - 5400000.0 / 1395));
    f.groups[0] = fixture_volumes("2023-10-01", VOL_GP3, 1, 35, UNKNOWN, UNKNOWN, 1);
    fixture_run(&f);
    assert_near(f.group[0].throttled_s, 0);
}

static void k27_rds_on_gp2_of_100_gib(void **state)
{
    (void)state;
    case_says("K27", "\"\"GiB\"\": 100, \"\"base\"\": 300, \"\"burst\"\": 3000, \"\"drain_s\"\": "
                     "2000");
    double served[2], credits[2];
    struct replay_trace t = { .served_mibps = served, .credits = credits };
    struct fixture f;
    fixture_init(&f, 1);
    f.groups[0] = fixture_volumes("2019-01-22", VOL_GP2, 1, 100, UNKNOWN, UNKNOWN, 1);
    fixture_add(&f, 2000, 46.875, 3000);
    fixture_add(&f, 1000, 46.875, 3000);
    fixture_run_traced(&f, &t, NULL);
    assert_near(f.group[0].first_throttled_s, 2000);
    assert_near(served[0] * 1024 / 16, 3000);
    assert_near(served[1] * 1024 / 16, 300);
    assert_near(credits[1], 0);
}

static void k29_a_plateau_of_100_iops(void **state)
{
    (void)state;
    case_says("K29", "\"\"plateau\"\": 100");
    /* 20 GiB at 150 IOPS: credits last 5 400 000 / 50 = 108 000 s; from then on it is flat. */
    double served[48];
    unsigned char binding[48];
    struct replay_trace t = { .served_mibps = served, .binding = binding };
    struct fixture f;
    fixture_init(&f, 1);
    f.groups[0] = fixture_volumes("2019-01-01", VOL_GP2, 1, 20, UNKNOWN, UNKNOWN, 1);
    for (int hour = 0; hour < 48; hour++)
        fixture_add(&f, 3600, 150 * 16 / 1024.0, 150);
    fixture_run_traced(&f, &t, NULL);
    for (int hour = 0; hour < 48; hour++) {
        assert_near(served[hour] * 1024 / 16, hour < 30 ? 150 : 100);
        assert_int_equal(binding[hour], hour < 30 ? REPLAY_NONE : REPLAY_VOLUME_CREDITS);
    }
}

static void k32_t3_medium_out_of_byte_balance(void **state)
{
    (void)state;
    case_says("K32", "\"\"iops\"\": 4000, \"\"max_Mbps\"\": 2085");
    /* 4 000 requests of 64 KiB are 262.1 MB/s; t3.medium passes 2 085 Mbit/s = 260.625 MB/s for 30
     * minutes, then 347 Mbit/s = 43.375 MB/s, which are 662 requests, below the 2 000 of its
     * baseline: bytes are used up, I/O is not.  Both rules of refill agree at full burst. */
    for (int burst = 0; burst < 2; burst++) {
        double served[4];
        struct replay_trace t = { .served_mibps = served };
        struct fixture f;
        fixture_init(&f, 1);
        f.instance = fixture_instance("t3.medium", (enum replay_burst)burst);
        for (int i = 0; i < 4; i++)
            fixture_add(&f, 1800, 250, 4000);
        fixture_run_traced(&f, NULL, &t);
        assert_near(served[0] * MB_PER_MIB, 2085 / 8.0);
        assert_near(served[3] * MB_PER_MIB, 347 / 8.0);
        assert_near(f.host.empty_at_s, 1800);
        assert_near(f.host.credits, 0);
        assert_near(f.host.binding_s[REPLAY_INSTANCE_THROUGHPUT], 1800);
        assert_near(f.host.binding_s[REPLAY_BASELINE_THROUGHPUT], 3 * 1800);
        assert_near(f.host.binding_s[REPLAY_BASELINE_IOPS], 0);
    }
}

static void k37_standby_cannot_take_over(void **state)
{
    (void)state;
    case_says("K37", "\"\"primary\"\": [9000, 300], \"\"standby\"\": [3000, 125]");
    case_says("K37", "42% of need");
    /* What the primary's volume carries at its limit, on the standby's: 125 of 300 MiB/s. */
    struct fixture f;
    fixture_init(&f, 1);
    f.groups[0] = fixture_volumes("2025-06-01", VOL_GP3, 1, 500, 9000, 300, 1);
    fixture_add(&f, 3600, 300, 1200);
    fixture_run(&f);
    assert_near(f.group[0].throttled_s, 0);
    f.groups[0] = fixture_volumes("2025-06-01", VOL_GP3, 1, 500, 3000, 125, 1);
    fixture_run(&f);
    assert_near(f.group[0].throttled_s, 3600);
    assert_int_equal(lround(100 * f.group[0].served_mib / f.group[0].asked_mib), 42);
    assert_near(f.group[0].worst_backlog_mib, 175 * 3600);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(k01_instance_cap_at_go_live),
        cmocka_unit_test(k02_redo_volume_of_5_000_iops),
        cmocka_unit_test(k08_one_hot_volume),
        cmocka_unit_test(k14_the_danger_of_averages),
        cmocka_unit_test(k20_reads_and_writes_share_one_cap),
        cmocka_unit_test(k25_gp2_of_35_gib),
        cmocka_unit_test(k27_rds_on_gp2_of_100_gib),
        cmocka_unit_test(k29_a_plateau_of_100_iops),
        cmocka_unit_test(k32_t3_medium_out_of_byte_balance),
        cmocka_unit_test(k37_standby_cannot_take_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
