/* tests/planner/demand/test_peak_second.c - what metrics and records tell of the seconds that a
 * mean hides.  One gp3 of 3 000 IOPS and 250 MiB/s; minutes from 07:00 on. */
#include "planner/demand/peak_second.h"

#include "models/vocab/metric_series.h"
#include "models/vocab/record.h"
#include "planner/demand/group_ceiling.h"
#include "tests/planner/synthetic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char *const volume_id[] = { "vol-1" }, *const devices[] = { "nvme1n1" };
static const struct layout_volumes gp3[] = { { { VOL_GP3, 1, 100, 3000, 250 }, UNKNOWN } };

static const struct raise_case {
    const char *why;
    double mibps, iops; /* of the volume's minute */
    const char *metric, *dimension;
    enum metric_statistic statistic;
    double value;
    bool whole_system;
    double redo_copies;
    double want_mibps, want_iops;
    const char *want_source;
} raises[] = {
    /* ceil(60 - 45) = 15 s: 50 * 60 / 15, 200 * 60 / 15 */
    { "a minute in 15 busy seconds", 50, 200, "VolumeIdleTime", "VolumeId=vol-1", STATISTIC_SUM, 45,
      false, NAN, 200, 800, "VolumeIdleTime" },
    { "busy time is counted in whole seconds", 50, 200, "VolumeIdleTime", "VolumeId=vol-1",
      STATISTIC_SUM, 45.9, false, NAN, 200, 800, "VolumeIdleTime" },
    { "in one second: no more than the volume can do", 50, 200, "VolumeIdleTime", "VolumeId=vol-1",
      STATISTIC_SUM, 59.5, false, NAN, 250, 3000, "VolumeIdleTime" },
    { "idle all of the minute: nobody knows when it was busy", 50, 200, "VolumeIdleTime",
      "VolumeId=vol-1", STATISTIC_SUM, 60, false, NAN, 50, 200, "mean of the interval" },
    { "never idle: the mean", 50, 200, "VolumeIdleTime", "VolumeId=vol-1", STATISTIC_SUM, 0, false,
      NAN, 50, 200, "mean of the interval" },
    { "of another volume", 50, 200, "VolumeIdleTime", "VolumeId=vol-2", STATISTIC_SUM, 45, false,
      NAN, 50, 200, "mean of the interval" },
    { "an average of idle time is no sum", 50, 200, "VolumeIdleTime", "VolumeId=vol-1",
      STATISTIC_AVERAGE, 45, false, NAN, 50, 200, "mean of the interval" },
    { "a second at the throughput ceiling", 50, 200, "VolumeThroughputExceededCheck",
      "InstanceId=i-1,VolumeId=vol-1", STATISTIC_MAXIMUM, 1, false, NAN, 250, 200,
      "VolumeThroughputExceededCheck" },
    { "0 is no evidence", 50, 200, "VolumeThroughputExceededCheck", "VolumeId=vol-1",
      STATISTIC_MAXIMUM, 0, false, NAN, 50, 200, "mean of the interval" },
    { "a second at the IOPS ceiling says nothing of bytes", 50, 200, "VolumeIOPSExceededCheck",
      "VolumeId=vol-1", STATISTIC_MAXIMUM, 1, false, NAN, 50, 3000, "mean of the interval" },
    { "how many samples there were is no check", 50, 200, "VolumeIOPSExceededCheck",
      "VolumeId=vol-1", STATISTIC_COUNT, 1, false, NAN, 50, 200, "mean of the interval" },
    /* 104 857 600 bytes/s = 100 MiB/s */
    { "the worst minute of the database", 50, 200, "Physical Write Total Bytes Per Sec", NULL,
      STATISTIC_MAXIMUM, 104857600, true, NAN, 100, 200, "sysmetric maximum" },
    { "is no group's", 50, 200, "Physical Write Total Bytes Per Sec", NULL, STATISTIC_MAXIMUM,
      104857600, false, NAN, 50, 200, "mean of the interval" },
    { "and an average no maximum", 50, 200, "Physical Write Total Bytes Per Sec", NULL,
      STATISTIC_AVERAGE, 104857600, true, NAN, 50, 200, "mean of the interval" },
    { "AWR miner's", 50, 200, "read_mb_s_max", NULL, STATISTIC_MAXIMUM, 70, true, NAN, 70, 200,
      "sysmetric maximum" },
    { "redo goes to every member that a group holds: 2 * 62 914 560 bytes/s", 50, 200,
      "Redo Generated Per Sec", NULL, STATISTIC_MAXIMUM, 62914560, false, 2, 120, 200,
      "sysmetric maximum" },
    { "but not to a group without logs", 50, 200, "Redo Generated Per Sec", NULL, STATISTIC_MAXIMUM,
      62914560, false, NAN, 50, 200, "mean of the interval" },
    { "a check of the instance: its baseline", 50, 200, "InstanceEBSThroughputExceededCheck",
      "InstanceId=i-1", STATISTIC_MAXIMUM, 1, true, NAN, 800, 200,
      "InstanceEBSThroughputExceededCheck" },
    { "less than what was seen anyway", 50, 200, "read_mb_s_max", NULL, STATISTIC_MAXIMUM, 40, true,
      NAN, 50, 200, "mean of the interval" },
};

/* A volume's minute, a group of it, and its seconds from the points alone. */
struct world {
    struct synthetic_series room;
    struct load_series series;
    struct layout_group group;
    struct ceiling_clock clock;
    struct load_point point;
    struct system_load load;
    struct peak_second_scope scope;
    struct peak_second seconds;
};

static void make(struct world *w, double mibps, double iops)
{
    *w = (struct world){ .group = group_named("DATA", ROLE_DATA) };
    w->series = series_in(&w->room, SERIES_VOLUME, "vol-1");
    sample(&w->series, &w->room, 0, 60, iops, 0, mibps, 0);
    w->group.volumes = gp3;
    w->group.n_volumes = 1;
    w->group.devices = devices;
    w->group.n_devices = 1;
    ceiling_clock_init(&w->clock, &builtin_catalogue, &w->group, NULL);
    struct load_member member = { &w->series, 1, 1 };
    w->point = load_point_of_sample(&member, 0);
    struct load_points points = { &w->point, 1 };
    w->seconds = peak_second_of(&points, ceiling_at(&w->clock, morning_ms()));
    w->load = (struct system_load){ .series = &w->series, .n_series = 1 };
    w->scope = (struct peak_second_scope){ .load = &w->load,
                                           .from_ms = UNKNOWN,
                                           .to_ms = UNKNOWN,
                                           .volume_ids = volume_id,
                                           .n_volume_ids = 1,
                                           .clock = &w->clock,
                                           .instance_mibps = 800,
                                           .redo_copies = NAN };
}

static void raise(void **state)
{
    const struct raise_case *c = *state;
    static struct world w;
    int64_t time_ms = morning_ms();
    double period_s = 60;
    struct metric_series m = { .metric = c->metric,
                               .dimension = c->dimension,
                               .statistic = c->statistic,
                               .n = 1,
                               .time_ms = &time_ms,
                               .period_s = &period_s,
                               .value = &c->value };
    make(&w, c->mibps, c->iops);
    w.load.metrics = &m;
    w.load.n_metrics = 1;
    w.scope.whole_system = c->whole_system;
    w.scope.redo_copies = c->redo_copies;
    peak_second_raise(&w.scope, &w.seconds);
    assert_near(w.seconds.low_mibps, c->want_mibps);
    assert_near(w.seconds.low_iops, c->want_iops);
    assert_string_equal(w.seconds.source, c->want_source);
    assert_near(w.seconds.high_mibps, fmax(250, c->want_mibps));
    assert_near(w.seconds.high_iops, 3000);
    /* outside of what is asked for it says nothing */
    make(&w, c->mibps, c->iops);
    w.load.metrics = &m;
    w.load.n_metrics = 1;
    w.scope.to_ms = morning_ms();
    w.scope.whole_system = c->whole_system;
    w.scope.redo_copies = c->redo_copies;
    peak_second_raise(&w.scope, &w.seconds);
    assert_near(w.seconds.low_mibps, c->mibps);
}

/* A minute that is the mean of shorter ones, as a rollup leaves it. */
static void put_together(void **state)
{
    (void)state;
    static struct world w;
    int64_t time_ms = morning_ms(), longest_ms = 30000;
    double period_s = 60, idle_s = 45;
    struct metric_series m = { .metric = "VolumeIdleTime",
                               .dimension = "VolumeId=vol-1",
                               .statistic = STATISTIC_SUM,
                               .n = 1,
                               .time_ms = &time_ms,
                               .period_s = &period_s,
                               .value = &idle_s };
    make(&w, 50, 200);
    w.series.longest_ms = &longest_ms;
    w.load.metrics = &m;
    w.load.n_metrics = 1;
    peak_second_raise(&w.scope, &w.seconds);
    assert_near(w.seconds.low_mibps, 50);
    assert_string_equal(w.seconds.source, "mean of the interval");
}

static void nvme(void **state)
{
    (void)state;
    static struct world w;
    const struct stored_field fields[] = { { "device", NAN, "nvme1n1" },
                                           { "volume_throughput_exceeded_us", 1500, NULL },
                                           { "volume_iops_exceeded_us", 0, NULL } };
    const struct stored_record r = {
        .kind = "readings", .time_ms = morning_ms() + 5000, .fields = fields, .n_fields = 3
    };
    make(&w, 50, 200);
    w.load.records = &r;
    w.load.n_records = 1;
    peak_second_raise(&w.scope, &w.seconds);
    assert_near(w.seconds.low_mibps, 250);
    assert_near(w.seconds.low_iops, 200);
    assert_string_equal(w.seconds.source, "NVMe time above the throughput limit");
    assert_int_equal(w.seconds.time_ms, morning_ms() + 5000);
}

static void unknown_ceiling(void **state)
{
    (void)state;
    static struct world w;
    int64_t time_ms = morning_ms();
    double period_s = 60, idle_s = 45, check = 1;
    struct metric_series m[] = {
        { .metric = "VolumeIdleTime",
          .dimension = "VolumeId=vol-1",
          .statistic = STATISTIC_SUM,
          .n = 1,
          .time_ms = &time_ms,
          .period_s = &period_s,
          .value = &idle_s },
        { .metric = "VolumeThroughputExceededCheck",
          .dimension = "VolumeId=vol-1",
          .statistic = STATISTIC_MAXIMUM,
          .n = 1,
          .time_ms = &time_ms,
          .period_s = &period_s,
          .value = &check },
    };
    make(&w, 50, 200);
    w.group.n_volumes = 0;
    ceiling_clock_init(&w.clock, &builtin_catalogue, &w.group, NULL);
    w.seconds.high_mibps = NAN;
    w.load.metrics = m;
    w.load.n_metrics = 2;
    peak_second_raise(&w.scope, &w.seconds);
    assert_near(w.seconds.low_mibps, 200); /* the check says: at a ceiling that nobody knows */
    assert_true(isnan(w.seconds.high_mibps));
}

int main(void)
{
    enum { N = sizeof raises / sizeof *raises };
    struct CMUnitTest t[N + 3];
    for (size_t i = 0; i < N; i++)
        t[i] = (struct CMUnitTest){ raises[i].why, raise, NULL, NULL, (void *)(size_t)&raises[i] };
    t[N] = (struct CMUnitTest)cmocka_unit_test(nvme);
    t[N + 1] = (struct CMUnitTest)cmocka_unit_test(unknown_ceiling);
    t[N + 2] = (struct CMUnitTest)cmocka_unit_test(put_together);
    return cmocka_run_group_tests(t, NULL, NULL);
}
