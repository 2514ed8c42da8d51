/* tests/models/oracle/test_redo_block.c - another redo block size, sectors, log switches, and what
 * the worked rows of asm.h leave out. */
#include "models/core/unit.h"
#include "models/oracle/asm.h"
#include "models/oracle/disk_request.h"
#include "models/oracle/log_switch.h"
#include "models/oracle/peak_factor.h"
#include "models/oracle/redo_block.h"
#include "models/oracle/redo_sector.h"
#include "tests/row_tests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void within(double got, double want, double off)
{
    if (!(fabs(got - want) <= off))
        fail_msg("%.9g, want %.9g within %.3g", got, want, off);
}

/* dbi-services' run with 512-byte blocks: 50 620 bytes of redo and 1.9604 tails a write.  With
 * 4096 it wrote 1.1216 bytes for each byte of redo (25 880 051 712 / 23 073 410 468) against
 * 1.0428, so 1.0756 times as many; at 1.77 times the writes a second. */
static void to_4096_brackets_what_was_measured(void **state)
{
    (void)state;
    struct redo_block_change c = redo_block_change(512, 4096, 50620.2, 1.9604);
    double measured = (25880051712.0 / 23073410468) / (19442943488.0 / 18644947688);
    within(measured, 1.0756, 0.0001);
    assert_true(c.factor.lower <= c.factor.central && c.factor.central < measured &&
                measured < c.factor.upper);
    /* by hand: (1 + 1.9604 * 2040 / 50620.2) * 4096/4080 = 1.08323
     *          (1 + 1.9604 *  248 / 50620.2) *  512/496  = 1.04217, quotient 1.03940 */
    within(c.factor.central, 1.03940, 0.0001);
    /* at 28 599 bytes a write: (1 + 1.9604 * 2040 / 28599) * 1.003922 = 1.14431, by 1.04217 */
    within(c.factor.upper, 1.09801, 0.0001);
    within(c.writes_factor.upper, 1.77, 0);
    within(c.writes_factor.lower, 1, 0);
}

static void back_to_512(void **state)
{
    (void)state;
    struct redo_block_change c = redo_block_change(4096, 512, 35511.2, 2.04);
    assert_true(c.factor.upper < 1 && c.factor.lower <= c.factor.central);
    within(c.writes_factor.lower, 1 / 1.77, 1e-12);
    within(c.writes_factor.upper, 1, 0);
    c = redo_block_change(512, 512, 50620, 2);
    assert_true(c.factor.lower == 1 && c.factor.upper == 1);
}

static void unknown_stays_unknown(void **state)
{
    (void)state;
    assert_int_equal(redo_block_infer(0, 100, 0), UNKNOWN);
    assert_int_equal(redo_block_infer(NAN, 100, 0), UNKNOWN);
    assert_true(isnan(redo_amplification(512, 0, 2)));
    assert_true(isnan(redo_amplification(16, 1000, 2)));
    assert_true(isnan(redo_wait_avg_ms(1, 0)));
    assert_true(isnan(redo_block_mibps(1, 512, 0)));
    assert_true(isnan(redo_histogram(NULL, NULL, 0).mean_bytes));
}

/* Bytes written per write are 52 787 and 39 831 (19 442 943 488 / 368 330, 25 880 051 712 /
 * 649 751): the buckets' middles are 3.6 % and 16 % above. */
static void histogram_means(void **state)
{
    (void)state;
    static const double edges[] = { 4, 8, 16, 32, 128, 256, 512, 1024 };
    static const double of_512[] = { 12220, 26420, 69674, 108676, 106651, 37332, 7328, 28 };
    static const double of_4096[] = { 0, 2246, 94557, 268794, 253669, 28076, 2382, 28 };
    struct redo_histogram h = redo_histogram(edges, of_512, 8);
    within(h.mean_bytes / 52787, 1.036, 0.001);
    /* the last two buckets are 2 and 4 requests of 256 KiB: 368 329 + 7328 + 3 * 28 */
    within(h.counted_ios_upper, 375741, 0);
    h = redo_histogram(edges, of_4096, 8);
    within(h.mean_bytes / 39831, 1.16, 0.005);
}

static const struct sector_case {
    const char *why;
    struct redo_sector s;
    enum redo_sector_verdict want;
} sectors[] = {
    { "512e by ASMLIB's default takes the physical sector",
      { 4096, 512, UNKNOWN, 512, false },
      REDO_SECTOR_15347 },
    { "512e with SECTOR_SIZE 512", { 4096, 512, 512, 512, false }, REDO_SECTOR_PARTIAL },
    { "512 everywhere, 4K redo", { 512, 512, 512, 4096, false }, REDO_SECTOR_01378 },
    { "the same, overridden", { 512, 512, 512, 4096, true }, REDO_SECTOR_OK },
    { "4Kn and 512 redo", { 4096, 4096, 4096, 512, false }, REDO_SECTOR_15347 },
    { "4Kn and 4K redo", { 4096, 4096, 4096, 4096, false }, REDO_SECTOR_OK },
    { "a 512 group on 4Kn disks", { 4096, 4096, 512, 512, false }, REDO_SECTOR_15038 },
    { "512 everywhere", { 512, 512, UNKNOWN, 512, false }, REDO_SECTOR_OK },
    { "1K redo on 512", { 512, 512, UNKNOWN, 1024, false }, REDO_SECTOR_OK },
};

static void test_sector(void **state)
{
    const struct sector_case *c = *state;
    assert_int_equal(redo_sector_check(&c->s), c->want);
    assert_non_null(redo_sector_text(c->want));
}

static void uniform_sectors(void **state)
{
    (void)state;
    const int64_t physical[] = { 512, 512, 4096 }, logical[] = { 512, 512, 512 };
    assert_true(redo_sector_uniform(physical, logical, 2));
    assert_false(redo_sector_uniform(physical, logical, 3));
    assert_true(redo_sector_uniform(NULL, NULL, 0));
}

static void filesystem_blocks(void **state)
{
    (void)state;
    assert_false(redo_block_fits_filesystem(512, 4096)); /* demoted on JFS2 */
    assert_true(redo_block_fits_filesystem(512, 512));
    assert_true(redo_block_fits_filesystem(4096, 512));
    assert_false(redo_block_fits_filesystem(512, 0));
}

static void log_switches(void **state)
{
    (void)state;
    struct log_switch s = log_switch_at(4096, 62.5, 200);
    within(s.fill_s, 65.536, 1e-9);
    within(s.archive_s, 20.48, 1e-9);
    assert_int_equal(s.archiver_keeps_up, 1);
    assert_int_equal(log_switch_at(4096, 62.5, 62.5).archiver_keeps_up, 1);
    assert_int_equal(log_switch_at(4096, 62.5, 62).archiver_keeps_up, 0);
    s = log_switch_at(4096, 62.5, 0);
    assert_true(isinf(s.archive_s) && s.archiver_keeps_up == 0);
    s = log_switch_at(4096, 0, 100); /* an idle database never switches */
    assert_true(isinf(s.fill_s) && s.archiver_keeps_up == 1);
    s = log_switch_at(NAN, 62.5, 100);
    assert_true(isnan(s.fill_s) && s.archiver_keeps_up == -1);

    /* of 500 MiB/s 300 are taken, of 250 nothing; the archive group is then the less free */
    within(log_archiver_mibps(500, 300, 250, 0), 200, 0);
    within(log_archiver_mibps(500, 100, 250, 50), 200, 0);
    within(log_archiver_mibps(500, 600, 250, 0), 0, 0);
    assert_true(isnan(log_archiver_mibps(500, NAN, 250, 0)));
    assert_true(isnan(log_rate_mibps(4096, 0)));
}

static void peak_factors(void **state)
{
    (void)state;
    struct peak_range hours = peak_factor_assumed(3600), minutes = peak_factor_assumed(600);
    assert_true(hours.low == 3 && hours.central == 10 && hours.high == 20);
    assert_true(minutes.low == 1.5 && minutes.central == 2 && minutes.high == 3);
    assert_true(peak_factor_assumed(601).central == 10);
    assert_true(isnan(peak_ratio(1, 0)));
    assert_true(isnan(peak_micro_burst_mb_s(1e9, 60, 60)));
}

static void stripes_and_skew(void **state)
{
    (void)state;
    within(asm_hottest_disk(900, 3, 1), 300, 1e-9);
    within(asm_hottest_disk(900, 3, 1.5), 450, 1e-9);
    within(asm_hottest_disk(900, 3, 9), 900, 1e-9); /* no more than all of it */
    within(asm_hottest_disk(900, 1, 2), 900, 1e-9);
    assert_true(isnan(asm_hottest_disk(900, 0, 1)));

    const double limits[] = { 500, 500, 500 }, sizes[] = { 100, 100, 100 };
    within(asm_ceiling_mibps(limits, sizes, 3, 1.5), 1000, 1e-9);
    within(asm_ceiling_mibps(limits, sizes, 1, 1.5), 500, 1e-9); /* one disk has no skew */
    assert_true(isnan(asm_ceiling_mibps(limits, sizes, 0, 1)));
    assert_true(isnan(asm_ceiling_mibps(limits, (const double[]){ 100, 0 }, 2, 1)));
}

static void rebalances(void **state)
{
    (void)state;
    /* one of four leaves, one comes: its share moves once.  One of two leaves, four come: each of
     * the five holds 40 of 200, so 160 move. */
    within(asm_moved_replace_gib(200, 4, 1, 1), 50, 1e-9);
    within(asm_moved_replace_gib(200, 2, 1, 4), 160, 1e-9);
    assert_true(isnan(asm_moved_replace_gib(200, 1, 1, 0))); /* nothing left to hold it */
    assert_true(isinf(asm_rebalance(10, 0, 500, 800).seconds));
    within(asm_rebalance(0, 0, 500, 800).seconds, 0, 0);
}

static void extents_and_splits(void **state)
{
    (void)state;
    struct asm_extents x = asm_extents(100, 4);
    assert_true(x.one_au == 25 && x.four_au == 0 && x.sixteen_au == 0);
    x = asm_extents(20001, 1); /* one AU beyond the first class takes an extent of four */
    assert_true(x.one_au == 20000 && x.four_au == 1 && x.sixteen_au == 0);
    assert_int_equal(asm_extents(100, 0).one_au, UNKNOWN);
    assert_int_equal(asm_extents(NAN, 1).one_au, UNKNOWN);
    assert_int_equal(asm_split(1, 256), 1);
    assert_int_equal(asm_split(257, 256), 2);
    assert_int_equal(asm_split(1024, 0), UNKNOWN);
    assert_int_equal(asm_stat_hundred_mb(195313), 2); /* 2e8 bytes are 195 312.5 KB */
    assert_int_equal(asm_stat_hundred_mb(195320), 0);
    assert_int_equal(asm_stat_hundred_mb(NAN), 0);
}

static void requests_without_figures(void **state)
{
    (void)state;
    struct disk_request q = disk_request(&(struct disk_requests){ 0, 0, 0, NAN });
    assert_true(isnan(q.size_kib) && isnan(q.from_merges_kib) && isnan(q.queue) &&
                isnan(q.iops_inflation));
    assert_true(isinf(disk_request_from_pct(100, 2).kib));
    assert_true(isnan(disk_request_sectors(10, 0)));
}

int main(void)
{
    static struct CMUnitTest tests[64];
    static const struct CMUnitTest others[] = {
        cmocka_unit_test(to_4096_brackets_what_was_measured),
        cmocka_unit_test(back_to_512),
        cmocka_unit_test(unknown_stays_unknown),
        cmocka_unit_test(histogram_means),
        cmocka_unit_test(uniform_sectors),
        cmocka_unit_test(filesystem_blocks),
        cmocka_unit_test(log_switches),
        cmocka_unit_test(peak_factors),
        cmocka_unit_test(stripes_and_skew),
        cmocka_unit_test(rebalances),
        cmocka_unit_test(extents_and_splits),
        cmocka_unit_test(requests_without_figures),
    };
    size_t n = 0;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        tests[n++] = others[i];
    ADD_ROW_TESTS(tests, n, sectors, test_sector);
    return _cmocka_run_group_tests("redo blocks and disks", tests, n, NULL, NULL);
}
