/* tests/data/test_rollup_metrics.c - a rollup of metrics keeps every peak: over random loads of
 * volumes, with gaps and several files, the highest minute and its time of every range of
 * whole hours, of each rate and of sums, and all totals.  SEED= replays, ROUNDS= how many. */
#include "tests/data/store/roll.h"
#include "tests/each_allocation.h"
#include "tests/seeded.h"

#include "data/load.h"
#include "data/rollup.h"
#include "data/store/store_upkeep.h"
#include "models/ebs/io_count.h"
#include "models/vocab/metric_series.h"

enum { VOLUMES = 4, HOURS = 8, MINUTES = HOURS * 60, FIRST_FILE = 5 * 60, OWNERS = VOLUMES + 1 };
static const int64_t start_ms = INT64_C(1652853600000), hour_ms = 3600000, minute_ms = 60000;

static struct seeded chance;

/* --- what is stored ----------------------------------------------------------------------------
 */

static const char *const volume_names[VOLUMES] = { "vol-a", "vol-b", "vol-c", "vol-d" };
static const char layout[] = "{\"system\": \"PRD1\", \"groups\": ["
                             "{\"name\": \"A\", \"role\": \"data\", \"volume_ids\": [\"vol-a\", "
                             "\"vol-b\"]},"
                             "{\"name\": \"B\", \"role\": \"data\", \"volume_ids\": [\"vol-c\"]}]}";

enum told {
    READ_REQUESTS,
    WRITE_REQUESTS,
    READ_VOLUME,
    WRITE_VOLUME,
    IDLE,
    QUEUE,
    BALANCE,
    CHECK,
    COUNTED,
    PERCENTILE,
    TOLD
};

static const struct told_metric {
    const char *name, *text;
    enum metric_statistic statistic;
} told[TOLD] = {
    [READ_REQUESTS] = { "VolumeReadOps", "", STATISTIC_SUM },
    [WRITE_REQUESTS] = { "VolumeWriteOps", "", STATISTIC_SUM },
    [READ_VOLUME] = { "VolumeReadBytes", "", STATISTIC_SUM },
    [WRITE_VOLUME] = { "VolumeWriteBytes", "", STATISTIC_SUM },
    [IDLE] = { "VolumeIdleTime", "", STATISTIC_SUM },
    [QUEUE] = { "VolumeQueueLength", "", STATISTIC_AVERAGE },
    [BALANCE] = { "BurstBalance", "", STATISTIC_MINIMUM },
    [CHECK] = { "VolumeIOPSExceededCheck", "", STATISTIC_MAXIMUM },
    [COUNTED] = { "VolumeQueueLength", "", STATISTIC_COUNT },
    [PERCENTILE] = { "VolumeQueueLength", "p99", STATISTIC_OTHER },
};

static void put(struct store *s, const char *dimension, const struct told_metric *m, int minute,
                int minutes, double value)
{
    bool instance = dimension[0] == 'I';
    struct metric_sample v = { .namespace_name = span_of(instance ? "AWS/EC2" : "AWS/EBS"),
                               .metric = span_of(m->name),
                               .dimension = span_of(dimension),
                               .instance_number = UNKNOWN,
                               .statistic = m->statistic,
                               .statistic_text = span_of(m->text),
                               .counts = COUNT_EBS,
                               .period_s = 60.0 * minutes,
                               .time_ms = start_ms + minute * minute_ms,
                               .value = value,
                               .line = 1 + minute };
    fixture_put_metric(s, &v);
}

/* What a round is about. */
struct kind {
    bool xen;     /* no bytes where there were no requests */
    bool gaps;    /* each volume has its own */
    bool five;    /* the last volume is measured by five minutes */
    bool overlap; /* the second file begins an hour before the first ends, which has gaps there */
    bool apart;   /* each volume has its load to itself */
    bool both_sorts; /* the same requests as a rate too, in the second file */
    bool no_bytes;   /* written: known only where there were no requests */
    bool coarse_too; /* the first file tells of the second one's time too, by five minutes */
};

/* One minute of a volume; NaN where it is not told. */
struct minute {
    double value[TOLD];
};

static struct minute minute_of(const struct kind *k, double load)
{
    double reads = floor(load * seeded_between(&chance, 0.8, 1.2));
    double writes = k->xen && seeded_chance(&chance, 20) ? 0 : floor(load / 3);
    double busy_s = fmin(60, 0.37 + load / 400 * seeded_between(&chance, 0.5, 2));
    struct minute m = {
        { [READ_REQUESTS] = reads,
          [WRITE_REQUESTS] = writes,
          [READ_VOLUME] = reads * 4096 * (double)seeded_int(&chance, 1, 200),
          [WRITE_VOLUME] = k->no_bytes || (k->xen && writes == 0) ? NAN : writes * 16384,
          [IDLE] = seeded_chance(&chance, 1) ? NAN : floor((60 - busy_s) * 100) / 100,
          [QUEUE] = floor(load) / 100,
          [BALANCE] = seeded_chance(&chance, 5) ? seeded_real(&chance, 100) : 100,
          [CHECK] = load > 20000,
          [COUNTED] = 1,
          [PERCENTILE] = load }
    };
    return m;
}

static struct minute minutes[VOLUMES][MINUTES];

/* Mostly small, now and then large; for some hours the same, which may be nothing. */
static double random_load(int minute)
{
    if (minute / 60 % 4 == 3)
        return minute / 60 == 3 ? 0 : 600;
    double load = seeded_between(&chance, 500, 3000);
    return seeded_chance(&chance, 3) ? load * 20 : load;
}

static void make_minutes(const struct kind *k)
{
    int gap_to[VOLUMES] = { 0 };
    for (int i = 0; i < MINUTES; i++) {
        double together = random_load(i);
        for (int v = 0; v < VOLUMES; v++) {
            if (k->gaps && seeded_chance(&chance, 1))
                gap_to[v] = i + (int)seeded_int(&chance, 1, 15);
            minutes[v][i] = minute_of(k, k->apart ? random_load(i) : together * (v + 1));
            for (int t = 0; t < TOLD && i < gap_to[v]; t++)
                minutes[v][i].value[t] = NAN;
        }
    }
}

/* What two files tell of the same minute differs. */
static double told_by(int file, int minute, double value)
{
    return file == 2 && minute < FIRST_FILE ? floor(value * 1.5) : value;
}

static bool left_out(const struct kind *k, int file, int v, int minute)
{
    return k->overlap && file == 1 && minute >= FIRST_FILE - 60 && (minute * 7 + v) % 23 == 0;
}

static void put_volume(struct store *s, const struct kind *k, int file, int v, int from, int to)
{
    int by = k->five && v == VOLUMES - 1 ? 5 : 1;
    char dimension[32];
    snprintf(dimension, sizeof dimension, "VolumeId=%s", volume_names[v]);
    for (int t = 0; t < TOLD; t++)
        for (int i = from; i < to; i += by)
            if (!isnan(minutes[v][i].value[t]) && !left_out(k, file, v, i))
                put(s, dimension, &told[t], i, by,
                    told_by(file, i, minutes[v][i].value[t]) * (t < QUEUE ? by : 1));
}

static void put_file(struct store *s, const struct kind *k, unsigned char hash, int from, int to)
{
    static const struct told_metric of_instance = { "EBSReadOps", "", STATISTIC_SUM };
    static const struct told_metric rate = { "VolumeReadOps", "", STATISTIC_RATE };
    fixture_begin(s);
    for (int v = 0; v < VOLUMES; v++)
        put_volume(s, k, hash, v, from, to);
    for (int i = from; i < to; i += 5)
        put(s, "InstanceId=i-1", &of_instance, i, 5, 300 + i);
    for (int i = FIRST_FILE; i < FIRST_FILE + 120 && k->coarse_too && hash == 1; i += 5)
        put(s, "VolumeId=vol-b", &told[READ_REQUESTS], i, 5, 7 * i);
    for (int i = from; i < to && k->both_sorts && hash == 2; i += 7)
        put(s, "VolumeId=vol-b", &rate, i, 1, 77);
    fixture_commit(s, hash);
}

static void set_layout(struct store *s, const char *json)
{
    struct err e = { 0 };
    if (store_layout_set(s, "PRD1", json, &e))
        fail_msg("%s", e.text);
}

/* --- what it says, minute by minute ------------------------------------------------------------
 */

enum rate {
    READ_IOPS,
    WRITE_IOPS,
    READ_MIBPS,
    WRITE_MIBPS,
    TOTAL_IOPS,
    TOTAL_MIBPS,
    COUNTED_IOPS,
    BUSY_MIBPS,
    BUSY_IOPS,
    INTERVAL_S,
    RATES
};
/* Owners, the group of the first two volumes, all volumes. */
enum { GROUP = OWNERS, ALL, LOADS };
enum { GAUGES = VOLUMES * TOLD };

struct said {
    double rate[LOADS][RATES][MINUTES];
    double gauge[GAUGES][MINUTES]; /* a total is shared out over its minutes */
    enum metric_statistic statistic[GAUGES];
    size_t n_gauges;
};

static double sum_known(double a, double b)
{
    return isnan(b) ? a : isnan(a) ? b : a + b;
}

static double counted(double iops, double mibps)
{
    return isnan(mibps) ? iops : io_counted_likely(iops, mibps, 256);
}

static const struct metric_series *idle_time(const struct system_load *l, const char *volume)
{
    for (size_t i = 0; i < l->n_metrics; i++)
        if (strcmp(l->metrics[i].metric, told[IDLE].name) == 0 &&
            strcmp(l->metrics[i].dimension + strlen("VolumeId="), volume) == 0)
            return &l->metrics[i];
    return NULL;
}

/* How many times its mean a minute was busy; NaN where nobody tells. */
static double crowding(const struct metric_series *idle, int64_t at_ms)
{
    for (size_t i = 0; idle && i < idle->n; i++) {
        double busy_s = ceil(60 - idle->value[i] - 1e-9);
        if (idle->time_ms[i] == at_ms && idle->period_s[i] == 60)
            return busy_s >= 1 ? 60 / busy_s : NAN;
    }
    return NAN;
}

static void say_series(const struct system_load *l, const struct load_series *s,
                       double out[RATES][MINUTES])
{
    const struct metric_series *idle = idle_time(l, s->name);
    for (int m = 0; m < MINUTES; m++) {
        int64_t at_ms = start_ms + m * minute_ms;
        size_t i = load_series_at(s, at_ms);
        for (int r = 0; r < RATES; r++)
            out[r][m] = NAN;
        if (i == s->n)
            continue;
        out[READ_IOPS][m] = s->read_iops[i];
        out[WRITE_IOPS][m] = s->write_iops[i];
        out[READ_MIBPS][m] = s->read_mibps[i];
        out[WRITE_MIBPS][m] = s->write_mibps[i];
        out[TOTAL_IOPS][m] = sum_known(s->read_iops[i], s->write_iops[i]);
        out[TOTAL_MIBPS][m] = sum_known(s->read_mibps[i], s->write_mibps[i]);
        out[COUNTED_IOPS][m] = sum_known(counted(s->read_iops[i], s->read_mibps[i]),
                                         counted(s->write_iops[i], s->write_mibps[i]));
        out[INTERVAL_S][m] = load_series_interval_s(s, i);
        bool measured = s->end_ms[i] - s->begin_ms[i] == minute_ms &&
                        (!s->longest_ms || s->longest_ms[i] == UNKNOWN);
        double times = measured && out[TOTAL_IOPS][m] > 0 ? crowding(idle, at_ms) : NAN;
        out[BUSY_MIBPS][m] = out[TOTAL_MIBPS][m] * times;
        out[BUSY_IOPS][m] = out[COUNTED_IOPS][m] * times;
    }
}

static void say_sum(struct said *out, int load, int n_volumes)
{
    for (int r = 0; r < RATES; r++)
        for (int m = 0; m < MINUTES; m++) {
            out->rate[load][r][m] = NAN;
            for (int v = 0; v < n_volumes && r < BUSY_MIBPS; v++)
                out->rate[load][r][m] = sum_known(out->rate[load][r][m], out->rate[v][r][m]);
        }
}

static void say_gauge(const struct metric_series *s, double out[MINUTES])
{
    bool total = s->statistic == STATISTIC_SUM || s->statistic == STATISTIC_COUNT;
    for (int m = 0; m < MINUTES; m++)
        out[m] = NAN;
    for (size_t i = 0; i < s->n; i++) {
        int from = (int)((s->time_ms[i] - start_ms) / minute_ms);
        int n = (int)s->period_s[i] / 60;
        for (int m = from; m < from + n; m++)
            out[m] = s->value[i] / (total ? n : 1);
    }
}

static void say(struct store *s, struct said *out)
{
    struct arena a = { 0 };
    struct err e = { 0 };
    struct system_load l;
    assert_int_equal(load_system(s, "PRD1", &a, &l, &e), 0);
    assert_int_equal(l.n_series, OWNERS);
    for (int i = 0; i < OWNERS; i++)
        say_series(&l, &l.series[i], out->rate[i]);
    say_sum(out, GROUP, 2);
    say_sum(out, ALL, VOLUMES);
    assert_in_range(l.n_metrics, 1, GAUGES);
    out->n_gauges = l.n_metrics;
    for (size_t i = 0; i < l.n_metrics; i++) {
        out->statistic[i] = l.metrics[i].statistic;
        say_gauge(&l.metrics[i], out->gauge[i]);
    }
    arena_release(&a);
}

/* --- comparing ---------------------------------------------------------------------------------
 */

struct figures {
    int most_at, least_at; /* -1 = nothing is known */
    double total;
};

static struct figures figures_of(const double v[MINUTES], int from, int to)
{
    struct figures f = { -1, -1, 0 };
    for (int m = from; m < to; m++) {
        if (isnan(v[m]))
            continue;
        f.total += v[m];
        if (f.most_at < 0 || v[m] > v[f.most_at])
            f.most_at = m;
        if (f.least_at < 0 || v[m] < v[f.least_at])
            f.least_at = m;
    }
    return f;
}

struct keeps {
    bool most, least, total, known;
};

static bool same_value(const double was[MINUTES], const double is[MINUTES], int x, int y)
{
    return x == y && (x < 0 || fabs(was[x] - is[x]) <= 1e-12 * fabs(was[x]));
}

static void compare(const char *what, const double was[MINUTES], const double is[MINUTES],
                    struct keeps keeps)
{
    for (int from = 0; from < HOURS; from++)
        for (int to = from + 1; to <= HOURS; to++) {
            struct figures x = figures_of(was, from * 60, to * 60);
            struct figures y = figures_of(is, from * 60, to * 60);
            if (keeps.most && !same_value(was, is, x.most_at, y.most_at))
                fail_msg("%s, hours %d to %d: highest %.17g at %d, now %.17g at %d", what, from, to,
                         x.most_at < 0 ? NAN : was[x.most_at], x.most_at,
                         y.most_at < 0 ? NAN : is[y.most_at], y.most_at);
            if (keeps.least && !same_value(was, is, x.least_at, y.least_at))
                fail_msg("%s, hours %d to %d: lowest at %d, now at %d", what, from, to, x.least_at,
                         y.least_at);
            if (keeps.total && fabs(x.total - y.total) > 1e-9 * fabs(x.total))
                fail_msg("%s, hours %d to %d: in all %.12g, now %.12g", what, from, to, x.total,
                         y.total);
        }
    for (int m = 0; m < MINUTES && keeps.known; m++)
        if (isnan(was[m]) != isnan(is[m]))
            fail_msg("%s, minute %d: was %g, is %g", what, m, was[m], is[m]);
}

static void compare_rates(const struct said *was, const struct said *is)
{
    static const struct keeps keeps[RATES] = {
        [READ_IOPS] = { true, false, true, true },     [WRITE_IOPS] = { true, false, true, true },
        [READ_MIBPS] = { true, false, true, true },    [WRITE_MIBPS] = { true, false, true, true },
        [TOTAL_IOPS] = { true, false, true, true },    [TOTAL_MIBPS] = { true, false, true, true },
        [COUNTED_IOPS] = { true, false, false, true }, [BUSY_MIBPS] = { true, false, false, false },
        [BUSY_IOPS] = { true, false, false, false },   [INTERVAL_S] = { true, true, true, true },
    };
    for (int l = 0; l < LOADS; l++)
        for (int r = 0; r < RATES; r++) {
            char what[64];
            snprintf(what, sizeof what, "load %d, rate %d", l, r);
            compare(what, was->rate[l][r], is->rate[l][r], keeps[r]);
        }
}

static void compare_gauges(const struct said *was, const struct said *is)
{
    assert_int_equal(was->n_gauges, is->n_gauges);
    for (size_t i = 0; i < was->n_gauges; i++) {
        char what[64];
        enum metric_statistic s = was->statistic[i];
        bool total = s == STATISTIC_SUM || s == STATISTIC_COUNT, mean = s == STATISTIC_AVERAGE;
        snprintf(what, sizeof what, "metric %zu, %s", i, metric_statistic_name(s));
        assert_int_equal(s, is->statistic[i]);
        compare(what, was->gauge[i], is->gauge[i],
                (struct keeps){ s != STATISTIC_SUM && s != STATISTIC_MINIMUM,
                                s == STATISTIC_MINIMUM, total || mean, true });
    }
}

/* --- rounds ------------------------------------------------------------------------------------
 */

static const struct kind kinds[] = {
    { 0 },
    { .xen = true },
    { .gaps = true },
    { .five = true },
    { .overlap = true },
    { .overlap = true, .xen = true, .gaps = true, .apart = true },
    { .apart = true },
    { .xen = true, .gaps = true, .five = true, .apart = true },
    { .both_sorts = true, .gaps = true },
    { .xen = true, .no_bytes = true },
    { .coarse_too = true },
};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

static void one_round(const struct kind *k)
{
    static struct said was, is, again;
    struct rollup_counts counts = { 0 }, twice = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    make_minutes(k);
    set_layout(s, layout);
    put_file(s, k, 1, 0, FIRST_FILE);
    put_file(s, k, 2, k->overlap ? FIRST_FILE - 60 : FIRST_FILE, MINUTES);
    int64_t before_ms = start_ms + (HOURS - 1) * hour_ms + 1234567;
    say(s, &was);
    roll(s, before_ms, &counts);
    say(s, &is);
    compare_rates(&was, &is);
    compare_gauges(&was, &is);
    if (!k->gaps && !k->apart && !k->xen)
        assert_true(counts.values_after < counts.values_before / 2);
    assert_true(counts.values_after < counts.values_before);
    set_layout(s, "{\"system\": \"PRD1\", \"groups\": []}");
    roll(s, before_ms, &twice);
    assert_int_equal(twice.values_before, counts.values_after);
    assert_int_equal(twice.values_after, counts.values_after);
    say(s, &again);
    assert_memory_equal(&again, &is, sizeof is);
    store_close(s);
}

static void test_peaks_stay(void **state)
{
    const char *rounds = getenv("ROUNDS");
    long n = rounds ? strtol(rounds, NULL, 10) : N_KINDS;
    uint64_t seed = seed_of_run(20220519);
    for (long i = 0; i < n; i++) {
        chance = seeded_case(seed, (uint64_t)i);
        assert_int_equal(fixture_setup(state), 0);
        one_round(&kinds[i % N_KINDS]);
        fixture_teardown(state);
    }
}

static void test_each_allocation(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct each_allocation each = { 0 };
    struct rollup_counts counts = { 0 };
    struct err e = { 0 };
    chance = seeded_case(1, 1);
    struct store *s = fixture_open(STORE_CREATE);
    make_minutes(&kinds[2]);
    set_layout(s, layout);
    put_file(s, &kinds[2], 1, 0, 90);
    const char *was = fixture_dump(&a);
    while (!fixture_on_server && each_allocation(&each)) { /* libpq's are not ours */
        each.rc = store_change_begin(s, &each.e);
        if (!each.rc)
            each.rc = rollup_system(s, "PRD1", start_ms + hour_ms, &counts, &each.e);
        mem_fail_at = 0;
        assert_int_equal(store_change_end(s, false, &e), 0);
    }
    assert_string_equal(fixture_dump(&a), was);
    store_close(s);
    arena_release(&a);
}

int main(void)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(test_peaks_stay),
        FIXTURE_TEST(test_each_allocation),
    };
    return fixture_run(t, sizeof t / sizeof *t);
}
