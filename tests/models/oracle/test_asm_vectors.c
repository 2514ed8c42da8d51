/* tests/models/oracle/test_asm_vectors.c - worked examples of request sizes, peaks and ASM: groups
 * IOS PEK ASM. */
#include "models/core/unit.h"
#include "models/oracle/asm.h"
#include "models/oracle/disk_request.h"
#include "models/oracle/log_switch.h"
#include "models/oracle/peak_factor.h"
#include "tests/models/oracle/oracle_rows.h"

/* rmoff.net 2010-09-14: the minutes behind one AWR average, MB/s, from 08:14. */
static const double minutes[] = {
    0.7, 0.0,   0.1,   0.0, 0.0, 318.5, 258.5, 183.6, 24.8, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
    0.0, 0.1,   0.0,   0.0, 0.0, 0.1,   3.0,   0.0,   0.0,  0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 0.0,
    0.1, 156.9, 413.1, 0.1, 0.0, 3.1,   0.0,   0.0,   0.0,  0.0, 0.0, 0.0, 0.0, 0.6,
};

static void merges(struct row *r)
{
    bool reads = row_has(r, "r_s");
    struct disk_requests in = {
        .requests_per_s = row_in(r, reads ? "r_s" : "w_s"),
        .kib_per_s = row_in(r, reads ? "rkB_s" : "wkB_s"),
        .merged_per_s = row_in(r, reads ? "rrqm_s" : "wrqm_s"),
        .await_ms = reads ? row_in(r, "r_await_ms") : NAN,
    };
    struct disk_request q = disk_request(&in);
    row_expect(r, "size_KiB", q.size_kib);
    row_expect(r, "exact_from_merges", q.from_merges_kib);
    if (!reads) {
        row_expect(r, "reported_sectors", q.size_kib * 2);
        return;
    }
    struct disk_request_band band = disk_request_from_pct(row_in(r, "pct"), 2);
    row_expect(r, "reported", q.size_kib);
    row_expect(r, "from_rounded_pct", band.kib);
    row_expect_at(r, "band", 0, band.low_kib);
    row_expect_at(r, "band", 1, band.high_kib);
    row_expect(r, "avg_queue", q.queue);
    row_expect(r, "iops_at_256KiB", q.iops_at_256_kib);
    row_expect(r, "iops_inflation", q.iops_inflation);
}

/* Seven equal disks, the slow one measured: what the group gave is within 3 % of seven times it. */
static void slowest_disk(struct row *r)
{
    double limits[16], sizes[16];
    size_t n = (size_t)row_in(r, "disks");
    assert_true(n <= 16);
    for (size_t i = 0; i < n; i++) {
        limits[i] = i ? 125 : row_in(r, "slow_kBps") / 1024;
        sizes[i] = 1;
    }
    double mibps = asm_ceiling_mibps(limits, sizes, n, 1);
    row_expect(r, "MiBps", mibps);
    row_expect(r, "sum_kBps", mibps * 1024);
    row_expect(r, "seven_x_slow_kBps", mibps * 1024);
}

static void coarse_statistics(struct row *r)
{
    double kib[16], reads[16];
    size_t n = row_array(r, "KBRd", kib, 16);
    assert_int_equal(row_array(r, "Reads", reads, 16), n);
    for (size_t i = 0; i < n; i++) {
        row_expect_at(r, "multiples", (int)i, (double)asm_stat_hundred_mb(kib[i]));
        row_expect_at(r, "AvRdSz", (int)i, floor(kib[i] * 1024 / reads[i]));
    }
}

static void sectors(struct row *r)
{
    double s = disk_request_sectors(row_in(r, "rsec") + row_in(r, "wsec"),
                                    row_in(r, "r_s") + row_in(r, "w_s"));
    row_expect(r, "avgrq", s);
    row_expect(r, "reported", s);
    row_expect(r, "KiB", s / 2);
}

static void peaks(struct row *r)
{
    if (row_has(r, "series")) {
        double max = 0, sum = 0, above = 0;
        for (size_t i = 0; i < sizeof minutes / sizeof *minutes; i++) {
            max = fmax(max, minutes[i]);
            above += minutes[i] > 100;
            sum += i ? minutes[i] : 0; /* the 45 minutes from 08:15 */
        }
        row_expect(r, "max", max);
        row_expect(r, "mean_45", sum / 45);
        row_expect(r, "minutes_above_100", above);
        row_expect(r, "ratio", peak_ratio(max, row_in(r, "awr_avg")));
    } else if (row_has(r, "cap_MiBps")) {
        double average = row_in(r, "avg_MiBps");
        row_expect(r, "ratio_ge", peak_ratio(row_in(r, "cap_MiBps"), average));
        row_expect(r, "ratio_at_1000", peak_ratio(1000, average));
    } else {
        double cap = row_in(r, "cap_MBps"), average = row_in(r, "avg_MiBps");
        row_expect(r, "ratio_ge_if_1e6", peak_ratio(cap / MB_PER_MIB, average));
        row_expect(r, "ratio_ge_if_MiB", peak_ratio(cap, average));
    }
}

static void micro_burst(struct row *r)
{
    double bytes = row_in(r, "read_bytes") + row_in(r, "write_bytes");
    double period = row_in(r, "period_s");
    row_expect(r, "MBps", peak_micro_burst_mb_s(bytes, period, row_in(r, "idle_s")));
    row_expect(r, "naive_MBps", peak_micro_burst_mb_s(bytes, period, 0));
}

static void switch_rate(struct row *r)
{
    double seconds[8], mib = row_in(r, "log_MiB");
    size_t n = row_array(r, "seconds", seconds, 8);
    for (size_t i = 0; i < n; i++)
        row_expect_at(r, "MiBps", (int)i, log_rate_mibps(mib, seconds[i]));
}

static void move_add(struct row *r)
{
    double moved =
        asm_moved_add_gib(row_in(r, "used_GiB"), (int64_t)row_in(r, "n"), (int64_t)row_in(r, "k"));
    row_expect(r, "moved_GiB", moved);
    row_expect(r, "reads_GiB", moved);
    row_expect(r, "writes_GiB", moved);
}

static void move_drop(struct row *r)
{
    row_expect(r, "moved_GiB",
               asm_moved_drop_gib(row_in(r, "used_GiB"), (int64_t)row_in(r, "n"),
                                  (int64_t)row_in(r, "k")));
}

static void replace(struct row *r)
{
    double to[8], destination = 0;
    size_t n = row_array(r, "dst_MiBps", to, 8);
    for (size_t i = 0; i < n; i++)
        destination += to[i];
    double moved = asm_moved_replace_gib(row_in(r, "used_GiB"), 1, 1, (int64_t)n);
    struct asm_rebalance b =
        asm_rebalance(moved, row_in(r, "src_MiBps"), destination, row_in(r, "instance_MBps"));
    row_expect(r, "moved_GiB", b.moved_gib);
    row_expect(r, "rate_MiBps", b.rate_mibps);
    row_expect(r, "seconds", b.seconds);
}

static void split(struct row *r)
{
    row_expect(r, "device_ios", (double)asm_split(row_in(r, "io_KiB"), row_in(r, "max_KiB")));
}

static void unequal(struct row *r)
{
    double limits[8], sizes[8], sum = 0;
    size_t n = row_array(r, "limits_MiBps", limits, 8);
    assert_int_equal(row_array(r, "sizes", sizes, 8), n);
    for (size_t i = 0; i < n; i++)
        sum += limits[i];
    double mibps = asm_ceiling_mibps(limits, sizes, n, 1);
    row_expect(r, "ceiling_MiBps", mibps);
    row_expect(r, "sum_limits", sum);
    row_expect(r, "efficiency", mibps / sum);
}

static void streams(struct row *r)
{
    double s[8];
    size_t n = row_array(r, "s", s, 8);
    for (size_t i = 0; i < n; i++)
        row_expect_at(r, "eff", (int)i, asm_stream_use((int64_t)row_in(r, "d"), s[i]));
}

static void mirror(struct row *r)
{
    const char *name = row_item(r, "red")->valuestring;
    enum redundancy red = REDUNDANCY_EXTERNAL;
    while (strcmp(redundancy_name(red), name) != 0)
        assert_true(++red <= REDUNDANCY_HIGH);
    struct asm_load logical = { .read_mibps = row_in(r, "r"), .write_mibps = row_in(r, "w") };
    struct asm_load device = asm_device_load(logical, red);
    row_expect(r, "dev_r", device.read_mibps);
    row_expect(r, "dev_w", device.write_mibps);
}

static void extents(struct row *r)
{
    double au = row_in(r, "au_MiB");
    struct asm_extents x = asm_extents(row_in(r, "file_GiB") * 1024, au);
    row_expect(r, "first20000_MiB", (double)x.one_au * au);
    row_expect(r, "next20000_MiB", (double)x.four_au * 4 * au);
    row_expect(r, "rest_extents16", (double)x.sixteen_au);
}

int main(void)
{
    static const struct row_test by_formula[] = {
        { "iostat_merge_size", merges },
        { "asm_group_ceiling", slowest_disk },
        { "asm_disk_stat_rounding", coarse_statistics },
        { "avgrq_sz", sectors },
        { "peak_ratio", peaks },
        { "microburst", micro_burst },
        { "rate_from_switches", switch_rate },
        { "asm_move_add", move_add },
        { "asm_move_drop", move_drop },
        { "asm_replace", replace },
        { "asm_split_1MiB", split },
        { "asm_unequal", unequal },
        { "stripe_eff", streams },
        { "asm_mirror", mirror },
        { "extent_size", extents },
        { NULL, NULL },
    };
    static const char *const groups[] = { "IOS", "PEK", "ASM", NULL };
    return rows_run("asm vectors", by_formula, groups, NULL, 0);
}
